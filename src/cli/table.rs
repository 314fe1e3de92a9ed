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
    among::<ops::init::Arguments>("init", "Run terraform init, also where Terraform rejects the original"),
    among::<ops::plans::Arguments>("plan", "Write the copies and their moves, then run terraform plan"),
    among::<ops::plan::Request>("apply", "Write the copies and their moves, then run terraform apply"),
    among::<ops::test::Arguments>("test", "Run terraform test on the copies, then put the sources back"),
    above::<terraforms::StateAlone<terraforms::Output>>("output", "Run terraform output"),
    above::<terraforms::StateShown<terraforms::State>>(
        "state",
        "Run terraform state, with the original's addresses or a copy's",
    ),
    above::<terraforms::StateShown<terraforms::Show>>(
        "show",
        "Run terraform show, of the state or of a saved plan",
    ),
    above::<terraforms::StateAlone<terraforms::Workspace>>("workspace", "Run terraform workspace"),
    above::<terraforms::StateAlone<terraforms::Taint>>("taint", "Run terraform taint"),
    above::<terraforms::StateAlone<terraforms::Untaint>>("untaint", "Run terraform untaint"),
    above::<terraforms::StateAlone<terraforms::ForceUnlock>>("force-unlock", "Run terraform force-unlock"),
    above::<terraforms::AsPlan<terraforms::Console>>(
        "console",
        "Write the copies as plan does, then run terraform console",
    ),
    above::<terraforms::AsPlan<terraforms::Import>>(
        "import",
        "Write the copies as plan does, then run terraform import",
    ),
    above::<terraforms::AsPlan<terraforms::Refresh>>(
        "refresh",
        "Write the copies as plan does, then run terraform refresh",
    ),
    above::<terraforms::OnTree<terraforms::Providers>>(
        "providers",
        "Run terraform providers on the copies, then put the sources back",
    ),
    above::<terraforms::OnTree<terraforms::Modules>>(
        "modules",
        "Run terraform modules on the copies, then put the sources back",
    ),
    above::<terraforms::OnTree<terraforms::Get>>(
        "get",
        "Run terraform get on the copies, then put the sources back",
    ),
    above::<terraforms::PassedOn<terraforms::Fmt>>("fmt", "Run terraform fmt on the sources as they are"),
    above::<terraforms::PassedOn<terraforms::Login>>("login", "Run terraform login"),
    above::<terraforms::PassedOn<terraforms::Logout>>("logout", "Run terraform logout"),
    above::<terraforms::PassedOn<terraforms::Metadata>>("metadata", "Run terraform metadata"),
    above::<terraforms::ProgramRequest>(
        "run",
        "Run any other program on the copies, then put the sources back: tf-phi run -- tflint",
    ),
    of::<ops::suggest::Request>(
        "suggest",
        "Print a phi.hcl to begin with: the fields worth naming, and the variables whose values have to be listed",
    ),
    of::<ops::trace::Request>("trace", "Show which values a field can have, and when"),
    of::<ops::explain::Request>("explain", "Explain an address in a plan, or an error code"),
    of::<ops::matrix::Request>("matrix", "Table of argument values, one column per environment"),
    of::<ops::review::Request>(
        "review",
        "Show what a change means in every environment: values, instances and plans that differ from a revision",
    ),
    of::<ops::validate::Request>(
        "validate",
        "Find every input under which Terraform would fail, in all environments",
    ),
    of::<ops::check::Request>("check", "Check that the written copies are up to date"),
    of::<ops::roots::List>("roots", "List root modules: all, a part, or those that a change affects"),
    of::<ops::diff::Request>("diff", "Show the unified diff that plan would write"),
    among::<ops::verify::Request>(
        "verify",
        "Plan the original and the copies in a temporary folder, and compare the two plans",
    ),
    of::<ops::restore::Request>("restore", "Put the original sources back"),
    of::<ops::leave::LeaveRequest>(
        "leave",
        "Put the original sources back for good, with a file of moved blocks, and remove everything else that tf-phi wrote",
    ),
    of::<ops::doctor::Request>(
        "doctor",
        "Check the set-up: which Terraform, which environments, what Terraform rejects, whether state can be read, what Git ignores",
    ),
    of::<ops::history::Request>(
        "history",
        "List the objects in state that belong to copies; repair the record",
    ),
    of::<ops::graph::Request>(
        "graph",
        "Draw the ways to a field's values; with a run's variables, the one that it takes",
    ),
    of::<ops::services::Request>(
        "services",
        "List the services that come with tf-phi, show one, or copy one into your repository",
    ),
    of::<ops::stacks::from_root::Request>("stacks", "Propose a Stack for a root module with environments"),
    of::<about::Schema>("schema", "Print the JSON Schema of a report or record"),
    of::<about::Completions>("completions", "Print the completion script of a shell"),
    of::<about::Man>("man", "Print the manual page, of tf-phi or of one command"),
    of::<about::Version>("version", "Print the version, with the commit that it was built from and its date"),
];
