//! `tf-phi plan` and `tf-phi apply`: specialise, then Terraform.

pub use crate::ops::run::terraformed::Request;

use super::history::write_history;
use super::{DONE, Outcome, Start, Stop, init};
use crate::addr::ObjectAddr;
use crate::host::Machine;
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run;
use crate::ops::run::alone::note_pins;
use crate::ops::run::carry::Ready;
use crate::ops::run::decide::{Decided, decide};
use crate::ops::run::enter::{Wait, enter, enter_unless_within};
use crate::ops::run::literals::Opened;
use crate::ops::run::terraformed::{find, nothing_to_do, read_words, terraformed};
use crate::ops::run::values::with_values;
use crate::ops::run::{elsewhere, import, initialised, saved, summary, targets, tested};
use crate::ops::state::place;
use crate::ops::state::place::Placed;
use crate::pipeline::literals::Literals;
use crate::report::progress::Progress;
use crate::specialise::record::UnitRecord;
use crate::specialise::record::history::{self, History};
use crate::terraform::Terraform;
use crate::terraform::args::{self, RunArgs};
use std::ffi::OsString;
use std::path::Path;

/// Runs the command in a root module.
///
/// # Errors
/// Blocking issues; then nothing was written and Terraform was not started.
pub(super) fn run(start: &Start, request: &Request) -> Outcome {
    let (start, args) =
        crate::ops::read::environment::given(start, request.environment.as_deref(), &request.args)?;
    let (start, asked, request) = (&start, request, &Request { args, ..request.clone() });
    let read = read_args(request);
    let plain = read.as_ref().is_ok_and(|r| r.no_color);
    let start = &Start { console: start.console.plain_if(plain), ..start.clone() };
    let root = RootedHost::new(&start.dir)?.root;
    // A saved plan carries its own configuration.
    if request.command == "apply" && read.as_ref().is_ok_and(|r| !r.positional.is_empty()) {
        let session = Session::open(start)?;
        return saved_plan(start, request, session, &read?);
    }
    let timeout = read.as_ref().ok().and_then(|r| r.lock_timeout.clone());
    let lock = enter_unless_within(request.dry_run, &root, &Wait::new(start, timeout.as_deref()))?;
    let progress = Progress::start(start.console, "tracing");
    let mut opened = open(start, request, &read, lock.is_ok())?;
    if opened.session.is_terraforms(&opened.driven) {
        let is_led = match (request.dry_run, opened.session.is_blocked(), &read) {
            (false, false, Ok(read)) => place::find_stray(start, &mut opened.session, read)?,
            _ => false,
        };
        if !is_led {
            drop(progress);
            if !opened.literals.is_empty() {
                return opened.run_alone(start, request, &read?, lock);
            }
            drop(lock);
            return nothing_to_do(start, request, &opened.session);
        }
    }
    let Opened { mut session, driven, literals } = opened;
    let read = read?;
    session.judge()?;
    let mut decided = session.decide(&driven, &read.vars)?;
    drop(progress);
    if !decided.outside.is_empty() && !request.dry_run {
        return Err(session.stop(std::mem::take(&mut decided.outside)));
    }
    let mut said = std::mem::take(&mut decided.warnings);
    if request.dry_run {
        session.print_warnings(start, request.issues.format());
        session.print(start, request.issues.format(), &said);
        super::diff::show(start, &session, &decided.tree, Path::new(""));
        super::diff::note_records(start, &session, &decided.tree);
        return Ok(DONE);
    }
    if let Some(issue) = decided.undecided.take_if(|i| i.code == Code::MissingValue) {
        return Err(session.stop(vec![issue]));
    }
    let mut terraform = find(start, &session)?;
    initialised::check(&session, &decided.tree, &read, &terraform)?;
    let placed = place::place(start, &mut session, &mut decided, &driven, &read, &terraform)?;
    session.print_warnings(start, request.issues.format());
    // A saved plan may be applied without us.
    if !matches!(request.command, "plan" | "console") || read.out.is_some() {
        decided.note_applied(&mut session);
    }
    said.extend(tested::warnings(&session, &decided.specialised.splits));
    if session.strict && !said.is_empty() {
        return Err(session.stop(said));
    }
    session.print(start, request.issues.format(), &said);
    let _held = lock?;
    let moves = || {
        let own = (asked.environment.as_deref(), asked.args.as_slice());
        with_values(targets::MOVES, start, &session.config, own)
    };
    elsewhere::check(&session, &decided, &read, &placed)?;
    let words = words(request, &decided, &read, &placed, (&mut terraform, &moves))?;
    if let Some(text) = narrowed(request, &session, &decided, &words)? {
        start.note(&text);
    }
    if !literals.is_empty() {
        note_pins(start, request, &mut session);
    }
    Ready { session, decided, driven, literals, read, placed, terraform, words }.carried_out(start, request)
}

/// Opens the working directory as the run is to read it. Modules without which it can't be read are installed where something may be written.
fn open(
    start: &Start,
    request: &Request,
    read: &Result<RunArgs, Issue>,
    is_free: bool,
) -> Result<Opened, Box<Stop>> {
    let installs = !request.dry_run && is_free;
    let mut session = Session::open(start)?;
    if let (false, Ok(read)) = (session.phi.settings.copies, read) {
        return run::told::open(start, &read.vars, installs, (!request.dry_run).then_some(read));
    }
    let mut driven = session.driven(start);
    if session.is_blocked() && installs && init::prepared(start, &session)? {
        session = Session::open(start)?;
        driven = session.driven(start);
    }
    Ok(Opened { session, driven, literals: Literals::default() })
}

/// The words of the command in the specialised tree's addresses, once nothing that moves is left out by them.
fn words(
    request: &Request,
    decided: &Decided,
    read: &RunArgs,
    placed: &Placed,
    (terraform, moves): (&mut Terraform, &dyn Fn() -> String),
) -> Result<Vec<OsString>, Issue> {
    let (own, _) = read_words(request.command, &request.args)?;
    let objects = &placed.contents.objects;
    let words = targets::translated(&args::words_of(&Machine, request.command, &own)?, decided, objects);
    targets::check(decided, &words, read, &placed.listed, moves)?;
    let words = match targets::in_environment(request.command, decided, objects)? {
        // The addresses there are in other words than the tree's, so that the words are all said here.
        true => {
            terraform.env.extend(args::variables(request.command).map(|name| (name, OsString::new())));
            words
        }
        false => targets::translated(&own, decided, objects),
    };
    let words = match request.command {
        "import" => import::translate_words(words, decided, objects)?,
        _ => words,
    };
    Ok(words.into_iter().map(OsString::from).collect())
}

/// What has to be said of the outputs before the plan; what is destroyed has none.
fn narrowed(
    request: &Request,
    session: &Session,
    decided: &Decided,
    words: &[OsString],
) -> Result<Option<String>, Issue> {
    let (own, read) = read_words(request.command, &request.args)?;
    if read.targets.is_empty() || read.destroy || read.json {
        return Ok(None);
    }
    let own = args::words_of(&Machine, request.command, &own)?;
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    Ok(targets::note(session, decided, &own, &args::words_of(&Machine, request.command, &words)?))
}

/// Applies a saved plan, unless it tears an object apart.
fn saved_plan(start: &Start, request: &Request, mut session: Session, read: &RunArgs) -> Outcome {
    let terraform = find(start, &session)?;
    let file = read.positional.first().filter(|_| !session.history.is_empty());
    // A plan that can't be read, Terraform says something of.
    let plan = file.and_then(|file| terraform.show_plan(&session.host.root, Path::new(file)).ok());
    if let Some((file, plan)) = file.zip(plan) {
        let units = || units(start, read);
        let torn = saved::find_torn(&plan, &session, file, &units);
        if !torn.is_empty() {
            return Err(session.stop(torn));
        }
        note_planned(start, request, &session, &saved::list_copies(&plan, &session.history, &units));
    }
    terraformed(start, request, &request.args, &terraform)
}

/// Notes in the history what a saved plan leaves in state, as a run does that makes its own plan: the one that made this plan may have been in
/// another clone. Where that can't be written, the plan is applied all the same.
fn note_planned(start: &Start, request: &Request, session: &Session, copies: &[(ObjectAddr, ObjectAddr)]) {
    let note_in = |history: &mut History| {
        copies.iter().for_each(|(held, original)| history.note_object(held, original));
    };
    let mut noted = session.history.clone();
    note_in(&mut noted);
    if noted == session.history {
        return;
    }
    let write = || -> Result<(), Box<Stop>> {
        let _held = enter(&session.host.root)??;
        // Another run may have noted something since.
        let mut now = Session::recorded(&start.dir)?;
        note_in(&mut now.history);
        write_history(start, &now).map(drop)
    };
    let said = match write() {
        Ok(()) => {
            format!("{} notes what this plan leaves under the names of copies. Commit it.", history::FILE)
        }
        Err(_) => format!(
            "{} can't be written now. The next `tf-phi plan` notes there what this plan leaves under the names of copies.",
            history::FILE
        ),
    };
    summary::note(start, request.issues.format(), &said);
}

/// The units of the tree as it is to be written; none where that can't be told.
fn units(start: &Start, read: &RunArgs) -> Vec<UnitRecord> {
    let Ok(mut session) = Session::open(start) else { return Vec::new() };
    let driven = session.driven(start);
    let driven = session.copied(driven);
    let decided = decide(&mut session, &driven, &read.vars);
    decided.map(|d| d.specialised.record.units).unwrap_or_default()
}

fn read_args(request: &Request) -> Result<RunArgs, Issue> {
    read_words(request.command, &request.args).map(|(_, read)| read)
}
