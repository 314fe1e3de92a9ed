//! The one table of commands.

use super::about;
use crate::ops::{self, Command, FAILED, Start, terraforms};
use crate::report::issue::Format;
use crate::report::roots::Shape;
use clap::ArgMatches;

/// A command.
#[derive(Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Adds its arguments.
    pub arguments: fn(clap::Command) -> clap::Command,
    /// Runs it and gives the exit status.
    pub run: fn(&Start, &ArgMatches) -> u8,
    /// True if its options stand among arguments that are otherwise Terraform's.
    pub among_terraforms: bool,
    /// True if Terraform alone knows its other arguments, those of subcommands.
    pub is_for_terraform: bool,
}

/// A command whose arguments fill `C`.
const fn of<C: Command>(name: &'static str, about: &'static str) -> Spec {
    Spec {
        name,
        about,
        arguments: C::augment_args,
        run: run::<C>,
        among_terraforms: false,
        is_for_terraform: false,
    }
}

/// A command whose options stand among those of Terraform.
const fn among<C: Command>(name: &'static str, about: &'static str) -> Spec {
    Spec { among_terraforms: true, ..of::<C>(name, about) }
}

/// A command with subcommands of Terraform, whose arguments Terraform judges.
const fn above<C: Command>(name: &'static str, about: &'static str) -> Spec {
    Spec { is_for_terraform: true, ..among::<C>(name, about) }
}

fn run<C: Command>(start: &Start, matches: &ArgMatches) -> u8 {
    match C::from_arg_matches(matches) {
        Ok(command) => start.finish(command.run(start), format(matches)),
        Err(error) => {
            start.console.say(&error.to_string());
            FAILED
        }
    }
}

/// Returns the form in which is said why a command stopped: that of its report, if issues have it.
pub(super) fn format(matches: &ArgMatches) -> Format {
    if has(matches, "json") || matches!(matches.try_get_one("format"), Ok(Some(Shape::Json))) {
        return Format::Json;
    }
    matches.try_get_one("format").ok().flatten().copied().unwrap_or_default()
}

/// Returns true if a command has a flag of this name, and it is set.
pub(super) fn has(matches: &ArgMatches, name: &str) -> bool {
    matches!(matches.try_get_one::<bool>(name), Ok(Some(true)))
}

impl Spec {
    /// Its options, those of its subcommands included, with all their names, without dashes, and whether each takes a value.
    pub fn options(&self) -> Vec<(String, bool)> {
        let command = (self.arguments)(clap::Command::new(self.name));
        let of = |arg: &clap::Arg| {
            let long = arg.get_long().into_iter();
            let names = long.chain(arg.get_all_aliases().into_iter().flatten()).map(str::to_owned);
            names.map(|name| (name, arg.get_action().takes_values())).collect::<Vec<_>>()
        };
        let below = command.get_subcommands().flat_map(clap::Command::get_arguments);
        command.get_arguments().chain(below).flat_map(of).collect()
    }
}

/// Every command, in the order of the help.
pub const COMMANDS: &[Spec] = &[
    among::<ops::init::Arguments>(
        "init",
        "Specialise, and run terraform init: also where Terraform rejects the original",
    ),
    among::<ops::plans::Arguments>("plan", "Trace, specialise, and run terraform plan"),
    among::<ops::plan::Request>("apply", "The same before terraform apply"),
    among::<ops::test::Arguments>(
        "test",
        "Run terraform test on the specialised tree, and put the sources back",
    ),
    above::<terraforms::StateAlone<terraforms::Output>>(
        "output",
        "Run terraform output: without any decision",
    ),
    above::<terraforms::StateShown<terraforms::State>>(
        "state",
        "Run terraform state, with the original's addresses or a copy's: without any decision",
    ),
    above::<terraforms::StateShown<terraforms::Show>>(
        "show",
        "Run terraform show, of the state or of a saved plan: without any decision",
    ),
    above::<terraforms::StateAlone<terraforms::Workspace>>(
        "workspace",
        "Run terraform workspace: without any decision",
    ),
    above::<terraforms::StateAlone<terraforms::Taint>>("taint", "Run terraform taint: without any decision"),
    above::<terraforms::StateAlone<terraforms::Untaint>>(
        "untaint",
        "Run terraform untaint: without any decision",
    ),
    above::<terraforms::StateAlone<terraforms::ForceUnlock>>(
        "force-unlock",
        "Run terraform force-unlock: without any decision",
    ),
    above::<terraforms::AsPlan<terraforms::Console>>(
        "console",
        "Specialise as plan does, and run terraform console",
    ),
    above::<terraforms::AsPlan<terraforms::Import>>(
        "import",
        "Specialise as plan does, and run terraform import",
    ),
    above::<terraforms::AsPlan<terraforms::Refresh>>(
        "refresh",
        "Specialise as plan does, and run terraform refresh",
    ),
    above::<terraforms::OnTree<terraforms::Providers>>(
        "providers",
        "Run terraform providers on the specialised tree, and put the sources back",
    ),
    above::<terraforms::OnTree<terraforms::Modules>>(
        "modules",
        "Run terraform modules on the specialised tree, and put the sources back",
    ),
    above::<terraforms::OnTree<terraforms::Get>>(
        "get",
        "Run terraform get on the specialised tree, and put the sources back",
    ),
    above::<terraforms::PassedOn<terraforms::Fmt>>("fmt", "Run terraform fmt on the sources as they are"),
    above::<terraforms::PassedOn<terraforms::Login>>("login", "Run terraform login"),
    above::<terraforms::PassedOn<terraforms::Logout>>("logout", "Run terraform logout"),
    above::<terraforms::PassedOn<terraforms::Metadata>>("metadata", "Run terraform metadata"),
    above::<terraforms::ProgramRequest>(
        "run",
        "Run any other program on the specialised tree, and put the sources back: tf-phi run -- tflint",
    ),
    of::<ops::suggest::Request>(
        "suggest",
        "Print a phi.hcl to begin with: what is worth pinning, and which universes are missing",
    ),
    of::<ops::trace::Request>("trace", "Which values a field can take, and when"),
    of::<ops::explain::Request>(
        "explain",
        "From an address in a plan back to why: value, gate, hops, version; or what a code means",
    ),
    of::<ops::matrix::Request>("matrix", "What fields are in every environment"),
    of::<ops::review::Request>(
        "review",
        "What a change means: values, instances and plans that differ from a revision",
    ),
    of::<ops::validate::Request>(
        "validate",
        "Every input under which Terraform would stop, in all environments",
    ),
    of::<ops::check::Request>("check", "Is the tree specialised and up to date?"),
    of::<ops::roots::List>("roots", "List root modules: all, a part, or those that a change concerns"),
    of::<ops::diff::Request>("diff", "The unified diff that plan would write"),
    among::<ops::verify::Request>(
        "verify",
        "Plan the original and the specialised tree aside, and compare the two plans",
    ),
    of::<ops::restore::Request>("restore", "Put the original sources back"),
    of::<ops::leave::LeaveRequest>(
        "leave",
        "Put the original sources back for good, with a file of moved blocks, and remove everything of tf-phi",
    ),
    of::<ops::doctor::Request>(
        "doctor",
        "Which Terraform, which environments, what Terraform rejects, whether state can be read, what Git ignores",
    ),
    of::<ops::history::Request>("history", "What state holds under names of copies, and how that is known"),
    of::<ops::graph::Request>("graph", "The picture of a trace; with a run's values, the way that it takes"),
    of::<ops::services::Request>(
        "services",
        "List the services that come with tf-phi, show one, or take one over",
    ),
    of::<ops::stacks::from_root::Request>("stacks", "Propose a Stack for a root module with environments"),
    of::<about::Schema>("schema", "Print the JSON Schema of a report or record"),
    of::<about::Completions>("completions", "Print the completion script of a shell"),
    of::<about::Man>("man", "Print the manual page, of tf-phi or of one command"),
    of::<about::Version>("version", "Print the version, with the commit that it was built from and its date"),
];
