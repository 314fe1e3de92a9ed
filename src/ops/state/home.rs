//! The file that leads home, as commands leave it: `phi.moved.tf` beside the original sources.
//!
//! In: the original configuration, the history. Out: the text of the file, and what it can't promise. A state is asked only for keys
//! that neither the configuration nor the history tells, and only if it is at hand. Absent: how the chains are found
//! ([`crate::pipeline::find_way_home`]); writing anything.

use crate::config::Config;
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::decide;
use crate::ops::state::whose;
use crate::ops::{Start, Stop};
use crate::pipeline::{WayHome, find_way_home};
use crate::specialise::moves::{self, OneSource};
use crate::syntax;
use crate::terraform::init::data_dir;
use crate::trace::{Driven, Driver};
use std::path::Path;

/// The way home of a working directory.
#[derive(Debug, Default)]
pub struct HomeFile {
    /// The text of `phi.moved.tf`; nothing where no state holds anything under the name of a copy.
    pub text: Option<String>,
    /// Units with keys that a state alone tells, each with the keys that are known.
    pub open: Vec<(String, Vec<String>)>,
    /// Units whose way home is right beside some sources that an expression chooses, and wrong beside others.
    pub one_source: Vec<OneSource>,
    /// The addresses that Terraform is to forget in a state that holds them.
    pub released: Vec<String>,
    /// Places of arguments in the original that Terraform rejects.
    pub rejected: Vec<String>,
    /// Why the way can't be found, or isn't whole.
    pub issues: Vec<Issue>,
    /// True if the way can't be found: then the text says nothing.
    pub is_unknown: bool,
}

/// Finds the way home of a working directory, to the configuration as the form factor that is on has it.
pub fn find_home(start: &Start) -> HomeFile {
    let (mut session, driven) = match open_for_home(start) {
        Ok(found) => found,
        Err(stop) => return HomeFile { issues: stop.issues, is_unknown: true, ..HomeFile::default() },
    };
    let mut way = find_way_home(&mut session);
    let mut home = HomeFile { rejected: rejected(&session, &driven), ..HomeFile::default() };
    if !way.open.is_empty() {
        match note_keys_of_state(start, &mut session, &driven) {
            Ok(()) => way = find_way_home(&mut session),
            Err(issues) => home.issues = issues,
        }
    }
    // Where the history is lost, what a form factor replaced may be in a state that nothing here tells of.
    let is_told = session.rewrite.is_none() || !session.history.is_empty();
    home.text = if is_told { text_of(&session, &way) } else { write_home(&way) };
    if home.text.is_some() {
        home.one_source.clone_from(&way.one_source);
        home.released = way.released.into_iter().map(|released| released.address).collect();
    }
    home.open = way.open;
    home
}

/// Opens a working directory whatever its pins are about: the history tells what has to go home, and who leaves may have edited the sources that pins name.
fn open_for_home(start: &Start) -> Result<(Session, Vec<Driven>), Box<Stop>> {
    let mut session = Session::open(start)?;
    let driven = session.driven(start);
    let driven = session.copied(driven);
    let phi = session.phi.source;
    session.issues.retain(|issue| issue.code != Code::Config || issue.place.map(|place| place.file) != phi);
    session.judge()?;
    Ok((session, driven))
}

/// The text that leads home; nothing where nothing was ever applied.
pub fn text_of(session: &Session, way: &WayHome) -> Option<String> {
    may_be_applied(session).then(|| write_home(way)).flatten()
}

fn write_home(way: &WayHome) -> Option<String> {
    moves::home_text(&way.chains, &way.released, &way.one_source)
}

/// Returns true if some state may hold what was written. Without a backend, states are files of this folder.
pub fn may_be_applied(session: &Session) -> bool {
    let host = &session.host;
    let noted = data_dir(host, Path::new("")).join("terraform.tfstate");
    let local = [Path::new("terraform.tfstate"), Path::new("terraform.tfstate.d"), &noted];
    session.history.is_anything_applied()
        || names_backend(&session.config, host)
        || local.iter().any(|path| host.kind(path).is_some())
}

/// Returns true if the root module says where its states are.
pub fn names_backend(config: &Config, host: &dyn Host) -> bool {
    let of_root = |path: &Path| path.parent().is_none_or(|folder| folder.as_os_str().is_empty());
    let mut read = config.sources.iter().filter(|(_, file)| of_root(&file.path)).peekable();
    match read.peek() {
        Some(_) => read.any(|(_, file)| has_backend(&file.text)),
        // No configuration was read.
        None => {
            let listed = host.list(Path::new(".")).unwrap_or_default();
            let sources = listed.iter().map(|(name, _)| Path::new(name));
            let mut sources = sources.filter(|path| path.extension().is_some_and(|kind| kind == "tf"));
            sources.any(|path| {
                let text = host.own(path).ok().flatten();
                text.is_some_and(|text| has_backend(&String::from_utf8_lossy(&text)))
            })
        }
    }
}

fn has_backend(text: &str) -> bool {
    let parsed = syntax::parse(text).unwrap_or_default();
    let mut settings = parsed.blocks_of("terraform");
    settings.any(|b| b.body.blocks().any(|inner| matches!(&*inner.kind.text, "backend" | "cloud")))
}

/// Adds the keys that the state at hand tells to the history.
fn note_keys_of_state(start: &Start, session: &mut Session, driven: &[Driven]) -> Result<(), Vec<Issue>> {
    let decided = decide(session, driven, &[])?;
    let whose = whose::of_root(start, session, &decided, driven)?;
    for object in &whose.objects {
        session.history.note_object(&object.held, &object.original);
    }
    Ok(())
}

/// The places of expressions that Terraform takes none for.
fn rejected(session: &Session, driven: &[Driven]) -> Vec<String> {
    let fixed = driven.iter().filter(|d| d.driver == Driver::Static);
    fixed.map(|d| format!("{} ({})", d.field, session.config.sources.span_text(d.site.place()))).collect()
}
