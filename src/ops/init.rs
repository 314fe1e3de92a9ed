//! `tf-phi init`, and what `plan` and `apply` need of it where Terraform rejects the original.
//!
//! In: a checkout in which modules and providers may be missing. Of what isn't installed nothing can be traced, and Terraform
//! installs nothing as long as it rejects a line. So there are two steps. While the first `terraform init` runs, what Terraform
//! rejects is specialised as far as the tree itself tells; that installs everything, and the sources are put back. Then the
//! tree is read again and specialised as in any run, and the calls that are new are installed.
//! Invariants: the arguments reach Terraform unchanged; where a field that Terraform itself needs has no finite result nothing
//! is written and nothing started. Absent: state. Which copies are active a run says, so the moves are those of a check.

use super::options::{Amount, Issues, TERRAFORMS};
use super::{Command, DONE, FAILED, Outcome, Start, Stop};
use crate::config::module_hosts::{find_unknown_host, refuse_host};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::read::{installable, modules, untracked};
use crate::ops::run::decide::reviewed;
use crate::ops::run::decide::{Tree, change_set};
use crate::ops::run::enter::{Wait, enter_unless, enter_unless_within};
use crate::ops::run::terraformed::{self, Request, find, install, terraformed};
use crate::ops::run::{ephemeral, initialised, literals, summary, write};
use crate::pipeline::literals::{DataValues, becomes_literal};
use crate::terraform::git::judge_programs;
use crate::terraform::init::{self, Need};
use crate::terraform::{Terraform, args};
use crate::trace::{Driven, Driver, Universes};
use crate::txn::Lock;
use clap::Args;
use std::ffi::OsString;
use std::path::Path;

/// The arguments of `tf-phi init`.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// Show the diff that would be written; write nothing and don't start Terraform
    #[arg(long)]
    dry_run: bool,
    /// Put the sources back once Terraform has ended, however it ended
    #[arg(long)]
    ephemeral: bool,
    /// Install modules alone: no provider, no backend, nothing that could run. The sources are put back
    #[arg(long)]
    modules: bool,
    #[command(flatten)]
    issues: Issues,
    /// Everything else is Terraform's own and reaches it unchanged
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    args: Vec<OsString>,
}

impl Command for Arguments {
    fn run(&self, start: &Start) -> Outcome {
        let Arguments { dry_run, ephemeral, modules, issues, args } = self.clone();
        if modules {
            return modules_alone(start, dry_run, &args);
        }
        let (environment, amount) = (None, Amount::default());
        run(start, &Request { command: "init", args, dry_run, ephemeral, environment, issues, amount })
    }
}

/// Installs the modules of the tree as it is, and nothing that could run; what Terraform rejects is specialised meanwhile.
fn modules_alone(start: &Start, dry_run: bool, args: &[OsString]) -> Outcome {
    if let Some(word) = args.first() {
        let why = format!("{} isn't known beside --modules.", word.to_string_lossy());
        return Err(Issue::error(Code::Config, "--modules takes no argument of Terraform's", why)
            .fix("Leave it out:", "tf-phi init --modules")
            .into());
    }
    let root = RootedHost::new(&start.dir)?.root;
    let lock = enter_unless(dry_run, &root)?;
    let mut session = Session::open_partly(start)?;
    let driven = session.driven(start);
    session.judge()?;
    if dry_run {
        return Ok(DONE);
    }
    let terraform = find(start, &session)?;
    installable(&session.host)?;
    judge_hosts(&session)?;
    untracked::check_untracked(&session.host)?;
    let terraform = judge_programs(&session.host, &root, &terraform)?;
    let _held = lock?;
    let data = init::data_dir(&session.host, Path::new(""));
    let earlier = session.host.read(&data.join("modules/modules.json")).ok();
    if session.record.is_some() || driven.iter().all(|d| d.driver != Driver::Static) {
        terraform.install(&root, Need::Get)?;
    } else {
        let tree = literals::accepted(&mut session, &driven)?;
        during(start, &mut session, &tree, &|| Ok(terraform.install(&root, Need::Get).map(|()| DONE)?))?;
    }
    modules::keep(&session.host, &data, earlier.as_deref())?;
    Ok(DONE)
}

/// Runs the command; the request's arguments are those of `terraform init`.
fn run(start: &Start, request: &Request) -> Outcome {
    let words: Vec<String> = request.args.iter().map(|a| a.to_string_lossy().into_owned()).collect();
    let plain = words.iter().any(|w| matches!(w.as_str(), "-no-color" | "--no-color"));
    let start = &Start { console: start.console.plain_if(plain), ..start.clone() };
    let root = RootedHost::new(&start.dir)?.root;
    let timeout = args::value_of(&Machine, "init", &words, "lock-timeout")?;
    let lock = enter_unless_within(request.dry_run, &root, &Wait::new(start, timeout.as_deref()))?;
    let mut session = Session::open_partly(start)?;
    let mut driven = session.driven(start);
    let without_copies = !session.phi.settings.copies;
    driven.retain(|driven| !without_copies || driven.copies || becomes_literal(driven));
    // What is copied into an empty folder isn't there yet.
    let copies = args::value_of(&Machine, "init", &words, "from-module")?.is_some();
    let asks_later = session.is_partial() && session.asks();
    if copies || (session.is_terraforms(&driven) && !asks_later) {
        drop(lock);
        if !request.dry_run {
            installable(&session.host)?;
        }
        return terraformed::nothing_to_do(start, request, &session);
    }
    session.judge()?;
    if without_copies {
        return with_values(start, request, (session, &driven), &words, lock);
    }
    if request.dry_run {
        let decided = session.decide(&driven, &[])?;
        super::diff::show(start, &session, &reviewed(&session, decided), Path::new(""));
        return Ok(DONE);
    }
    let terraform = find(start, &session)?;
    installable(&session.host)?;
    let _held = lock?;
    if session.is_partial() {
        let run = || terraformed(start, request, &request.args, &terraform);
        let status = first(start, session, &driven, &run)?;
        return if status == DONE { second(start, request, &terraform, None) } else { Ok(status) };
    }
    second(start, request, &terraform, Some((session, driven)))
}

/// Initialises a tree in which values stand in place of what Terraform rejects; copies, where this command knows no values: it is enough
/// that Terraform can read the tree.
fn with_values(
    start: &Start,
    request: &Request,
    (mut session, driven): (Session, &[Driven]),
    words: &[String],
    lock: Result<Option<Lock>, Issue>,
) -> Outcome {
    let vars = args::RunArgs::read(&Machine, "init", words).map(|read| read.vars).unwrap_or_default();
    let nothing = Universes::new();
    // No value is needed where Terraform installs, only one that it can read.
    let data = if request.dry_run { DataValues::Unasked } else { DataValues::StandIns(&nothing) };
    let put = literals::put_values(start, Session::open_partly(start)?, &vars, data);
    if request.dry_run {
        let opened = put?;
        super::diff::show(start, &opened.session, &opened.session.overlay, Path::new(""));
        return Ok(DONE);
    }
    let terraform = find(start, &session)?;
    installable(&session.host)?;
    let _held = lock?;
    let tree = match put {
        Ok(mut opened) => {
            opened.session.judge()?;
            let mut tree = literals::tree(&mut opened.session, &opened.driven)?;
            opened.literals.note(&mut tree);
            session = opened.session;
            tree
        }
        Err(stop) => literals::accepted(&mut session, driven).map_err(|_| stop)?,
    };
    let set = ephemeral::change_set(&mut session, &tree)?;
    ephemeral::during(&session.host.root, &set, start.console, || whole(start, request, &terraform, &session))
}

/// Specialises what Terraform rejects for as long as it initialises. Gives Terraform's exit status.
fn first(start: &Start, mut session: Session, driven: &[Driven], run: &dyn Fn() -> Outcome) -> Outcome {
    let tree = literals::accepted(&mut session, driven)?;
    during(start, &mut session, &tree, run)
}

fn during(start: &Start, session: &mut Session, tree: &Tree, run: &dyn Fn() -> Outcome) -> Outcome {
    let set = ephemeral::change_set(session, tree)?;
    ephemeral::during(&session.host.root, &set, start.console, run)
}

/// Does something for which Terraform has to read the tree, in a tree of which it may reject a line: then what it rejects is
/// specialised for as long as that takes, and the work is told so. The lock of what lies above is held.
///
/// # Errors
/// Those of the work; blocking issues of the fields that Terraform rejects.
pub(super) fn readable(start: &Start, work: &dyn Fn(bool) -> Result<(), Issue>) -> Result<(), Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let driven = session.driven(start);
    if session.record.is_some() || driven.iter().all(|d| d.driver != Driver::Static) {
        return Ok(work(false)?);
    }
    session.judge()?;
    first(start, session, &driven, &|| Ok(work(true).map(|()| DONE)?)).map(drop)
}

/// Specialises a tree whose modules are installed, and initialises it or, where that is done, installs the new calls.
fn second(
    start: &Start,
    request: &Request,
    terraform: &Terraform,
    read: Option<(Session, Vec<Driven>)>,
) -> Outcome {
    let initialised = read.is_none();
    let (mut session, driven) = match read {
        Some(read) => read,
        None => Session::unblocked(start)?,
    };
    session.judge()?;
    if session.is_idle(&driven) {
        return Ok(DONE);
    }
    let mut decided = session.decide(&driven, &[])?;
    session.print_warnings(start, request.issues.format());
    let warnings = std::mem::take(&mut decided.warnings);
    session.print(start, request.issues.format(), &warnings);
    let work = |session: &Session| match initialised {
        true => install(terraform, session).map(|()| DONE).map_err(Into::into),
        false => whole(start, request, terraform, session),
    };
    if request.ephemeral || !session.phi.settings.keeps() {
        let set = ephemeral::change_set(&mut session, &decided.tree)?;
        return ephemeral::during(&session.host.root, &set, start.console, || work(&session));
    }
    let mut done = summary::of(&session, &decided, &driven, false);
    let set = change_set(&session, &reviewed(&session, decided));
    write::commit(&set, start.console)?;
    summary::files(&mut done, &set);
    summary::print(start, request.issues.format(), &done, "");
    write::warn_of_excluded(&session.host, start.console);
    work(&session)
}

/// `terraform init` on what is written. What was installed before stays listed, for the originals.
fn whole(start: &Start, request: &Request, terraform: &Terraform, session: &Session) -> Outcome {
    let data = init::data_dir(&session.host, Path::new(""));
    let earlier = session.host.read(&data.join("modules/modules.json")).ok();
    let status = terraformed(start, request, &request.args, terraform)?;
    modules::keep(&session.host, &data, earlier.as_deref())?;
    Ok(status)
}

/// Installs the modules without which the tree can't be traced, where Terraform rejects what the tree says; whether it did.
/// The lock is the caller's.
///
/// # Errors
/// Blocking issues of the fields that Terraform rejects; a backend that isn't initialised; an installation that fails.
pub(super) fn prepared(start: &Start, session: &Session) -> Result<bool, Box<Stop>> {
    // What matches nothing may match something in what is missing.
    if session.issues.iter().all(|i| i.code != Code::NotInstalled || !i.is_error()) {
        return Ok(false);
    }
    let mut partly = Session::open_partly(start)?;
    let driven = partly.driven(start);
    if partly.is_blocked() || driven.iter().all(|d| d.driver != Driver::Static) {
        return Ok(false);
    }
    let terraform = find(start, &partly)?;
    installable(&partly.host)?;
    let tree = literals::accepted(&mut partly, &driven)?;
    initialised::check_backend(&partly, &tree, &terraform)?;
    let root = partly.host.root.clone();
    let run = || Ok(terraform.install(&root, Need::Get).map(|()| DONE)?);
    Ok(during(start, &mut partly, &tree, &run)? != FAILED)
}

/// Checks that no server that nobody named says where a module is. What installed modules call in turn isn't read.
fn judge_hosts(session: &Session) -> Result<(), Issue> {
    let calls = session.config.modules.iter().flat_map(|module| module.calls.values());
    for call in calls {
        let source = call.source.as_ref().zip(call.source_text());
        let unknown = source.and_then(|(at, text)| Some((at, find_unknown_host(&session.host, text)?)));
        if let Some((at, unknown)) = unknown {
            return Err(refuse_host(unknown).at(at.value_place()));
        }
    }
    Ok(())
}

/// Checks that Terraform may install providers and modules in the working directory.
fn installable(host: &RootedHost) -> Result<(), Issue> {
    installable::installable(host, &init::data_dir(host, Path::new("")))
}
