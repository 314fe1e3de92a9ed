//! `tf-phi plan` and `tf-phi apply`: specialise, then Terraform.

use super::carry::Ready;
use super::decide::{Decided, decide};
use super::place::Placed;
use super::rooted::Rooted;
use super::session::Session;
use super::state::State;
use super::{DONE, Outcome, Start, init, write};
use super::{modules, place, presumed, product, providers, saved, targeted, targets, tested};
use crate::config::variables::VarArg;
use crate::config::{Overlay, load_with};
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::report::issue::Format;
use crate::report::pane::To;
use crate::report::progress::Progress;
use crate::specialise::record::UnitRecord;
use crate::terraform::args::{self, RunArgs, Var};
use crate::terraform::locate::locate;
use crate::terraform::{Terraform, init as installs};
use crate::trace::accepts::Accepts;
use std::ffi::OsString;
use std::path::Path;

/// The arguments of `tf-phi plan`.
#[derive(Clone, Debug)]
pub struct Request {
    /// `plan` or `apply`.
    pub command: &'static str,
    /// Terraform's own arguments, in order.
    pub args: Vec<OsString>,
    /// Only show what would be written.
    pub dry_run: bool,
    /// Put the sources back once Terraform has ended.
    pub ephemeral: bool,
    /// `--env`
    pub environment: Option<String>,
    /// The form of issues.
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// Blocking issues; then nothing was written and Terraform was not started.
pub fn run(start: &Start, request: &Request) -> Outcome {
    let (start, args) = super::environment::given(start, request.environment.as_deref(), &request.args)?;
    let (start, request) = (&start, &Request { args, ..request.clone() });
    let read = read_args(request);
    let plain = read.as_ref().is_ok_and(|r| r.no_color);
    let start = &Start { console: start.console.plain_if(plain), ..start.clone() };
    let root = Rooted::new(&start.dir)?.root;
    // A saved plan carries its own configuration.
    if request.command == "apply" && read.as_ref().is_ok_and(|r| !r.positional.is_empty()) {
        let session = Session::open(start)?;
        return saved_plan(start, request, session, &read?);
    }
    let lock = write::enter(&root)?;
    let progress = Progress::start(start.console, "tracing");
    let mut session = Session::open(start)?;
    let mut driven = session.driven(start);
    if session.is_blocked() && !request.dry_run && lock.is_ok() && init::prepared(start, &session)? {
        session = Session::open(start)?;
        driven = session.driven(start);
    }
    if session.is_terraforms(&driven) {
        drop((progress, lock));
        if let (false, false, Ok(read)) = (request.dry_run, session.is_blocked(), &read) {
            place::stray(start, &mut session, read)?;
        }
        return nothing_to_do(start, request, &session);
    }
    let read = read?;
    if session.is_blocked() {
        return Err(session.stop());
    }
    let mut decided = match decide(&mut session, &driven, &vars(&read)) {
        Ok(decided) => decided,
        Err(issues) => {
            session.extend(issues);
            return Err(session.stop());
        }
    };
    drop(progress);
    if !decided.outside.is_empty() && !request.dry_run {
        session.extend(std::mem::take(&mut decided.outside));
        return Err(session.stop());
    }
    let mut said = std::mem::take(&mut decided.warnings);
    if request.dry_run {
        session.print_warnings(start, request.format);
        crate::report::issue::print(start.console, request.format, &said, &session.config.sources);
        super::diff::show(start, &session, &decided.tree, Path::new(""));
        super::diff::note_records(start, &session, &decided.tree);
        return Ok(DONE);
    }
    if let Some(issue) = decided.undecided.take_if(|i| i.code == Code::MissingValue) {
        session.extend(vec![issue]);
        return Err(session.stop());
    }
    let mut terraform = find(start, &session)?;
    let lost =
        super::held::lost(&State::of(&session, &decided, &driven, &read, &terraform, &[]), &decided.run)?;
    if !lost.is_empty() {
        session.extend(lost);
        return Err(session.stop());
    }
    session.print_warnings(start, request.format);
    let placed = place::place(start, &mut session, &mut decided, &driven, &read, &terraform)?;
    said.extend(tested::warnings(&session, &decided.specialised.splits));
    if session.strict && !said.is_empty() {
        session.extend(said);
        return Err(session.stop());
    }
    crate::report::issue::print(start.console, request.format, &said, &session.config.sources);
    let _held = lock?;
    let words = words(request, &decided, &read, &placed, &mut terraform)?;
    Ready { session, decided, driven, read, placed, terraform, words }.carried_out(start, request)
}

/// The words of the command in the specialised tree's addresses, once nothing that moves is left out by them.
fn words(
    request: &Request,
    decided: &Decided,
    read: &RunArgs,
    placed: &Placed,
    terraform: &mut Terraform,
) -> Result<Vec<OsString>, Issue> {
    let (own, _) = read_words(request.command, &request.args)?;
    let objects = &placed.contents.objects;
    let words = targets::translated(&args::words_of(&Machine, request.command, &own)?, decided, objects);
    targeted::check(decided, &words, read, &placed.listed)?;
    let words = match targets::in_environment(request.command, decided, objects)? {
        // The addresses there are in other words than the tree's, so that the words are all said here.
        true => {
            terraform.env.extend(args::variables(request.command).map(|name| (name, OsString::new())));
            words
        }
        false => targets::translated(&own, decided, objects),
    };
    Ok(words.into_iter().map(OsString::from).collect())
}

/// Applies a saved plan, unless it tears an object apart.
fn saved_plan(start: &Start, request: &Request, mut session: Session, read: &RunArgs) -> Outcome {
    let terraform = find(start, &session)?;
    let file = read.positional.first().filter(|_| !session.history.is_empty());
    // A plan that can't be read, Terraform says something of.
    let torn = match file {
        Some(file) => saved::torn(&terraform, &session, file, || units(start, read)).unwrap_or_default(),
        None => Vec::new(),
    };
    if torn.is_empty() {
        return terraformed(start, request, &request.args, &terraform);
    }
    session.extend(torn);
    Err(session.stop())
}

/// The units of the tree as it is to be written; none where that can't be told.
fn units(start: &Start, read: &RunArgs) -> Vec<UnitRecord> {
    let Ok(mut session) = Session::open(start) else { return Vec::new() };
    let driven = session.driven(start);
    let decided = decide(&mut session, &driven, &vars(read));
    decided.map(|d| d.specialised.record.units).unwrap_or_default()
}

/// The variables of a command line, in order.
pub(super) fn vars(read: &RunArgs) -> Vec<VarArg> {
    let one = |var: &Var| match var {
        Var::Value { name, text } => VarArg::Var(format!("{name}={text}")),
        Var::File(path) => VarArg::File(path.into()),
    };
    read.vars.iter().map(one).collect()
}

/// Installs the calls that were added, in a directory that was initialised before.
pub(super) fn install(terraform: &Terraform, session: &Session) -> Result<(), Issue> {
    let data = installs::data_dir(&session.host, Path::new(""));
    installed(terraform, &session.host, &data, session.rewrite.is_some())
}

/// The same for any tree; `data` is Terraform's data folder, absolute or below the tree. `services`: whether templates
/// may ask for providers that the original doesn't have.
pub(super) fn installed(
    terraform: &Terraform,
    host: &Rooted,
    data: &Path,
    services: bool,
) -> Result<(), Issue> {
    let here = Path::new("");
    if host.kind(data) != Some(EntryKind::Dir) {
        return Ok(());
    }
    let (config, _) = load_with(host, &Overlay::new(), here);
    let list = data.join("modules/modules.json");
    let earlier = host.read(&list).ok();
    let calls = modules::calls(&config);
    modules::settle(host, data, &calls)?;
    let locked = host.read(Path::new(installs::LOCK)).ok();
    let new = services && providers::lacks(&config, locked.as_deref().unwrap_or_default());
    let calls: Vec<installs::Call> = calls.into_iter().map(|(call, _)| call).collect();
    let need = installs::need(host.read(&list).ok().as_deref(), &calls, new);
    if need != installs::Need::Nothing {
        modules::installable(host, data)?;
    }
    terraform.install(&host.root, need)?;
    // The original's calls stay installed: for a run after `restore`, and for reading remote modules again.
    modules::keep(host, data, earlier.as_deref())
}

fn read_args(request: &Request) -> Result<RunArgs, Issue> {
    read_words(request.command, &request.args).map(|(_, read)| read)
}

/// Terraform's arguments as text, and what they say.
///
/// # Errors
/// Where they are no text, or can't be read.
pub(super) fn read_words(command: &str, args: &[OsString]) -> Result<(Vec<String>, RunArgs), Issue> {
    let words: Vec<String> = args
        .iter()
        .map(|a| {
            let text = a.to_str().map(str::to_owned);
            text.ok_or_else(|| {
                Issue::error(Code::Config, "an argument is not valid UTF-8", a.to_string_lossy())
            })
        })
        .collect::<Result<_, _>>()?;
    let read = RunArgs::read(&Machine, command, &words)?;
    Ok((words, read))
}

/// No driven field: Terraform as if it had been called itself, whatever it may have to say of the configuration.
pub(super) fn nothing_to_do(start: &Start, request: &Request, session: &Session) -> Outcome {
    let why = match session.phi.source {
        None => "there is no phi.hcl, and no meta-argument is an expression",
        Some(_) => "no field that phi.hcl names is set, and no meta-argument is an expression",
    };
    session.print_warnings(start, request.format);
    if request.dry_run {
        start.note(&format!("nothing to specialise: {why}."));
        return Ok(DONE);
    }
    start.note(&format!("nothing to specialise: {why}. Running terraform {} as it is.", request.command));
    bare(start, request, session)
}

pub(super) fn bare(start: &Start, request: &Request, session: &Session) -> Outcome {
    let terraform = find(start, session)?;
    terraformed(start, request, &request.args, &terraform)
}

pub(super) fn find(start: &Start, session: &Session) -> Result<Terraform, Issue> {
    let setting = session.phi.settings.terraform.as_deref().map(|t| (t, &*session.host.root));
    let mut terraform = locate(&Machine, start.terraform.as_deref(), setting)?;
    product::agrees(session, &terraform)?;
    if let Some(workspace) = &start.workspace {
        terraform.env.push(("TF_WORKSPACE".to_owned(), workspace.into()));
    }
    if start.console.pane.is_some() {
        terraform.env.push(("TF_INPUT".to_owned(), "0".into()));
    }
    Ok(terraform)
}

/// Returns which expressions the Terraform in use accepts in static fields; `None` if there is no Terraform, or its version is
/// unknown.
pub(super) fn accepts(start: &Start, session: &Session) -> Option<Accepts> {
    let terraform = find(start, session).ok()?;
    terraform.version().ok().map(presumed::of_version)
}

/// Starts Terraform as the user would have: with their `-chdir`, command and arguments. Its exit status is ours.
pub(super) fn terraformed(
    start: &Start,
    request: &Request,
    words: &[OsString],
    terraform: &Terraform,
) -> Outcome {
    let mut args: Vec<OsString> = Vec::new();
    if let Some(dir) = &start.chdir {
        let mut word = OsString::from("-chdir=");
        word.push(dir);
        args.push(word);
    }
    args.push(request.command.into());
    args.extend(words.iter().cloned());
    let here = Path::new(".");
    let exit = match start.console.pane {
        None => terraform.run(here, &args)?,
        // It has no terminal, and nobody to ask.
        Some(_) => {
            let done = terraform.capture(here, &args)?;
            start.console.put(To::Out, &done.stdout);
            start.console.put(To::Err, &done.stderr);
            done.exit
        }
    };
    Ok(u8::try_from(exit.code).unwrap_or(super::FAILED))
}
