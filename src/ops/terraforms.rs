//! Terraform's other commands, and any other program, on the specialised tree.
//!
//! In: the words that Terraform or the program gets. Which way a command takes follows from what it needs: state and backend alone
//! ([`StateAlone`]); the tree, but no values of variables ([`OnTree`]); all that a plan needs ([`AsPlan`]); nothing of the tree
//! ([`PassedOn`]). Invariants: stdin, stdout and the exit status are those of what runs. Absent on purpose: judging the words.

use super::options::{Amount, Issues, TERRAFORMS};
use super::{Command, Outcome, Start, plan};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::installable::check_command;
use crate::ops::read::modules;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::enter::enter;
use crate::ops::run::in_place::{self, Work};
use crate::ops::run::state_alone;
use crate::ops::run::terraformed::{Request, find_by_setting, terraformed};
use crate::terraform::{Terraform, init, locate};
use crate::txn::PHI_DIR;
use clap::Args;
use std::ffi::OsString;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::Path;

/// A command of Terraform's.
pub trait Named: Clone + Debug + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;
}

macro_rules! named {
    ($($command:ident $name:literal)*) => {$(
        #[doc = concat!("`terraform ", $name, "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $command;

        impl Named for $command {
            const NAME: &'static str = $name;
        }
    )*};
}

named! {
    Output "output" State "state" Workspace "workspace" Show "show" ForceUnlock "force-unlock" Taint "taint" Untaint "untaint"
    Console "console" Import "import" Refresh "refresh" Providers "providers" Get "get" Modules "modules"
    Fmt "fmt" Login "login" Logout "logout" Metadata "metadata"
}

/// The words of a command of Terraform's.
#[derive(Args, Clone, Debug)]
struct Words {
    #[command(flatten)]
    issues: Issues,
    /// Arguments of the command, which reach Terraform
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

impl Words {
    fn request(&self, command: &'static str) -> Request {
        let (dry_run, environment, amount) = (false, None, Amount::default());
        let (issues, args) = (self.issues, self.args.clone());
        Request { command, args, dry_run, ephemeral: true, environment, issues, amount }
    }
}

/// A command that needs state and backend alone.
#[derive(Args, Clone, Debug)]
pub struct StateAlone<C: Named> {
    #[command(flatten)]
    words: Words,
    #[arg(skip)]
    of: PhantomData<C>,
}

impl<C: Named> Command for StateAlone<C> {
    fn run(&self, start: &Start) -> Outcome {
        state_alone::run(start, &self.words.request(C::NAME), false)
    }
}

/// The same of a command that prints addresses.
#[derive(Args, Clone, Debug)]
pub struct StateShown<C: Named> {
    /// Print the original's addresses: of `state list`, and of `show -json`
    #[arg(long)]
    original: bool,
    #[command(flatten)]
    words: Words,
    #[arg(skip)]
    of: PhantomData<C>,
}

impl<C: Named> Command for StateShown<C> {
    fn run(&self, start: &Start) -> Outcome {
        state_alone::run(start, &self.words.request(C::NAME), self.original)
    }
}

/// A command that needs the run's values: it runs as a plan does.
#[derive(Args, Clone, Debug)]
pub struct AsPlan<C: Named> {
    #[command(flatten)]
    request: plan::Request,
    #[arg(skip)]
    of: PhantomData<C>,
}

impl<C: Named> Command for AsPlan<C> {
    fn run(&self, start: &Start) -> Outcome {
        plan::Request { command: C::NAME, ..self.request.clone() }.run(start)
    }
}

/// A command that reads the specialised tree, whatever values its variables have.
#[derive(Args, Clone, Debug)]
pub struct OnTree<C: Named> {
    #[command(flatten)]
    words: Words,
    #[arg(skip)]
    of: PhantomData<C>,
}

impl<C: Named> Command for OnTree<C> {
    fn run(&self, start: &Start) -> Outcome {
        let command = TerraformOnTree { start, request: self.words.request(C::NAME) };
        in_place::run(start, self.words.issues.format(), &command)
    }
}

struct TerraformOnTree<'a> {
    start: &'a Start,
    request: Request,
}

impl Work for TerraformOnTree<'_> {
    fn run(&self, session: &Session, terraform: Result<Terraform, Issue>) -> Outcome {
        let data = init::data_dir(&session.host, Path::new(""));
        let earlier = session.host.read(&data.join("modules/modules.json")).ok();
        let status = terraformed(self.start, &self.request, &self.request.args, &terraform?)?;
        // What was installed before stays listed, for the originals.
        modules::keep(&session.host, &data, earlier.as_deref())?;
        Ok(status)
    }
}

/// A command that needs nothing specialised.
#[derive(Args, Clone, Debug)]
pub struct PassedOn<C: Named> {
    #[command(flatten)]
    words: Words,
    #[arg(skip)]
    of: PhantomData<C>,
}

impl<C: Named> Command for PassedOn<C> {
    fn run(&self, start: &Start) -> Outcome {
        let host = RootedHost::new(&start.dir)?;
        let terraform = find_by_setting(start, &host)?;
        // What formats sources waits until they are back; without anything of ours here nobody takes them away.
        let _held = match C::NAME {
            "fmt" if host.kind(Path::new(PHI_DIR)).is_some() => Some(enter(&host.root)?),
            _ => None,
        };
        terraformed(start, &self.words.request(C::NAME), &self.words.args, &terraform)
    }
}

/// The arguments of `tf-phi run`.
#[derive(Args, Clone, Debug)]
pub struct ProgramRequest {
    #[command(flatten)]
    issues: Issues,
    /// The program, and its arguments
    #[arg(id = "arguments", value_name = "PROGRAM", num_args(1..), required = true, allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

impl Command for ProgramRequest {
    fn run(&self, start: &Start) -> Outcome {
        let (program, args) = self.args.split_first().ok_or_else(no_program)?;
        let name = program.to_string_lossy();
        let host = RootedHost::new(&start.dir)?;
        if let Some(issue) = is_planned(&name, args) {
            return Err(issue.into());
        }
        let program = locate::find_program(&Machine, &name, &host.root).ok_or_else(|| {
            let why = "It is looked for on PATH, or in the root module's folder where its name has a slash.";
            Issue::error(Code::Environment, format!("there is no program {name}"), why)
        })?;
        check_links(&host, &name, args)?;
        in_place::run(start, self.issues.format(), &OtherProgram { program, args })
    }
}

fn no_program() -> Issue {
    Issue::error(Code::Config, "no program is named", "").fix("Name it:", "tf-phi run -- tflint")
}

/// Checks that Terraform as any other program writes through no link: what it may do isn't more by this way.
fn check_links(host: &RootedHost, program: &str, args: &[OsString]) -> Result<(), Issue> {
    let Some((at, command)) = command_of(program, args) else { return Ok(()) };
    let (before, words) = args.split_at_checked(at).unwrap_or_default();
    let dir = before
        .iter()
        .filter_map(|arg| arg.to_str()?.trim_start_matches('-').strip_prefix("chdir="))
        .next_back();
    check_command(host, Path::new(dir.unwrap_or_default()), command, words.get(1..).unwrap_or_default())
}

/// Terraform's command among the arguments of a program, and where it stands; nothing of a program that isn't Terraform by its name.
fn command_of<'a>(program: &str, args: &'a [OsString]) -> Option<(usize, &'a str)> {
    let name = Path::new(program).file_name()?.to_str()?;
    let version = ["terraform", "tofu"].into_iter().find_map(|own| name.strip_prefix(own))?;
    let is_version = version.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | 'v'));
    let all = args.iter().enumerate().filter_map(|(at, arg)| Some((at, arg.to_str()?)));
    all.filter(|_| is_version || version == ".exe").find(|(_, arg)| !arg.starts_with('-'))
}

/// Commands that change state, or plan how: without the run's moves they would destroy what has another address.
const PLANNED: [&str; 6] = ["plan", "apply", "destroy", "refresh", "import", "console"];

/// Returns the reason not to run Terraform as any other program.
fn is_planned(program: &str, args: &[OsString]) -> Option<Issue> {
    let (_, command) = command_of(program, args).filter(|(_, command)| PLANNED.contains(command))?;
    let name = Path::new(program).file_name()?.to_str()?;
    let why = "`tf-phi run` doesn't ask state what has to move, so that a plan would destroy objects that have another address.";
    let issue = Issue::error(Code::Config, format!("`{name} {command}` is tf-phi's own to run"), why);
    let ours = if command == "destroy" { "apply -destroy" } else { command };
    Some(issue.fix("Run it so:", format!("tf-phi {ours}")))
}

struct OtherProgram<'a> {
    program: Terraform,
    args: &'a [OsString],
}

impl Work for OtherProgram<'_> {
    fn run(&self, session: &Session, _terraform: Result<Terraform, Issue>) -> Outcome {
        let exit = self.program.run(&session.host.root, self.args)?;
        Ok(u8::try_from(exit.code).unwrap_or(super::FAILED))
    }
}
