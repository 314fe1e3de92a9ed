//! Runs without copies: meta-arguments are this run's values for as long as Terraform runs.
//!
//! In: a working directory, and what the run gives to variables. The sources are read with the values in place
//! ([`crate::pipeline::literals`]), and go the way of every ephemeral run from there: what is driven then are the fields alone that have
//! copies all the same, and copies that state holds from before are led home by the run's own moves. Invariants: no address is
//! another than the original's; of a file that is edited meanwhile the edit stays. Absent on purpose: which value a field has.

use super::decide::{Tree, workspace};
use super::initialised;
use super::terraformed::find;
use crate::config::variables::VarArg;
use crate::issue::{Code, Issue};
use crate::ops::read::installable::installable;
use crate::ops::read::session::Session;
use crate::ops::run::ephemeral;
use crate::ops::{DONE, FAILED, Start, Stop};
use crate::pipeline::find_strangers;
use crate::pipeline::literals::{DataValues, Literals, Says, becomes_literal, put_literals};
use crate::specialise::record::{FileRecord, history, slashed};
use crate::specialise::{Record, moves, record};
use crate::terraform::init::{Need, data_dir};
use crate::trace::{Driven, Driver};
use std::path::{Path, PathBuf};

/// A source that is put in place shows the next call at most; nobody nests so many.
const MOST_ROUNDS: usize = 64;

/// So often modules are installed and read again.
const MOST_INSTALLS: usize = 8;

/// A working directory as a run is to read it.
pub struct Opened {
    /// The directory; without copies, with this run's values in place.
    pub session: Session,
    /// The fields that become copies.
    pub driven: Vec<Driven>,
    /// What is in place.
    pub literals: Literals,
}

/// Opens a working directory in which a run has no copies, with what is known of data sources. `installs`: whether modules may be installed
/// that can't be read without.
///
/// # Errors
/// Fields without one value in this run; modules that can't be installed.
pub fn open(
    start: &Start,
    vars: &[VarArg],
    installs: bool,
    data: DataValues<'_>,
) -> Result<Opened, Box<Stop>> {
    let misses =
        |session: &Session| session.issues.iter().any(|i| i.is_error() && i.code == Code::NotInstalled);
    let mut opened = put_values(start, Session::open(start)?, vars, data)?;
    for _ in 0..MOST_INSTALLS {
        if !installs || !misses(&opened.session) {
            break;
        }
        let partly = put_values(start, Session::open_partly(start)?, vars, data)?;
        if partly.session.is_blocked() || partly.literals.is_empty() || !install_modules(start, partly)? {
            break;
        }
        opened = put_values(start, Session::open(start)?, vars, data)?;
    }
    Ok(opened)
}

/// Puts this run's values in place, as far as modules are there to be read.
///
/// # Errors
/// Fields without one value in this run.
pub fn put_values(
    start: &Start,
    mut session: Session,
    vars: &[VarArg],
    data: DataValues<'_>,
) -> Result<Opened, Box<Stop>> {
    let mut literals = Literals::default();
    if let Some(issue) = refuse_form_factor(&session, start.no_copies) {
        return Err(session.stop(vec![issue]));
    }
    for _ in 0..MOST_ROUNDS {
        let valued: Vec<Driven> = session.driven(start).into_iter().filter(becomes_literal).collect();
        if valued.is_empty() || session.is_blocked() {
            break;
        }
        let here = workspace(&session);
        let says = Says { vars, workspace: &here, data };
        let mut round = put_literals(&mut session, &valued, says).map_err(|found| session.stop(found))?;
        let refused = std::mem::take(&mut round.refused);
        let refused = (!refused.is_empty()).then(|| session.stopped(refused));
        let texts = literals.add(&session.config, round).map_err(|issue| session.stop(vec![issue]))?;
        if texts.is_empty() {
            break;
        }
        session.read_over(texts, &literals);
        // What a refused value leads to needn't be there.
        if let Some(stop) = refused.filter(|_| session.is_blocked()) {
            return Err(stop);
        }
        session.seen_from(start);
        session.advise_driven();
    }
    for path in literals.drop_unused(&session.config) {
        session.overlay.remove(&path);
        session.loaded.remove(&path);
    }
    let recorded = session.record.iter().flat_map(Record::created_paths);
    let created = recorded.chain(literals.created.keys().cloned()).collect();
    let strangers = find_strangers(&session.host, &created);
    if !strangers.is_empty() {
        return Err(session.stop(strangers));
    }
    let driven = session.driven(start).into_iter().filter(|driven| driven.copies).collect();
    Ok(Opened { session, driven, literals })
}

fn refuse_form_factor(session: &Session, by_flag: bool) -> Option<Issue> {
    let rewrite = session.rewrite.as_ref()?;
    let why = "Services stand for resources by copies of their templates, which have addresses of their own.";
    let summary = format!("the form factor \"{}\" needs copies", rewrite.factor);
    let issue = Issue::error(Code::Unsupported, summary, why);
    let issue = match by_flag {
        true => issue.fix("Leave `--no-copies` out.", ""),
        false => issue.fix("Have copies, in `phi.hcl`:", "settings {\n  copies = true\n}"),
    };
    Some(issue.fix("Give the command another flag, which takes the form factor away:", "--form-factor=\"\""))
}

/// Installs the modules of a tree in which values are in place; whether that went well.
fn install_modules(start: &Start, partly: Opened) -> Result<bool, Box<Stop>> {
    let Opened { mut session, driven, literals } = partly;
    let terraform = find(start, &session)?;
    installable(&session.host, &data_dir(&session.host, Path::new("")))?;
    let mut tree = tree(&mut session, &driven)?;
    initialised::check_backend(&session, &tree, &terraform)?;
    literals.note(&mut tree);
    let set = ephemeral::change_set(&mut session, &tree)?;
    let root = session.host.root.clone();
    let run = || Ok(terraform.install(&root, Need::Get).map(|()| DONE)?);
    Ok(ephemeral::during(&root, &set, start.console, run)? != FAILED)
}

/// Returns the tree with values in place, and with copies of what Terraform rejects besides. Nothing of it is for a state.
///
/// # Errors
/// Blocking issues of the fields that have copies.
pub fn tree(session: &mut Session, driven: &[Driven]) -> Result<Tree, Box<Stop>> {
    let rejected: Vec<Driven> = driven.iter().filter(|d| d.driver == Driver::Static).cloned().collect();
    match rejected.is_empty() && session.record.is_none() {
        true => Ok(session.overlay.clone()),
        false => accepted(session, &rejected),
    }
}

/// Returns the tree in which what Terraform rejects is specialised.
///
/// # Errors
/// Blocking issues.
pub fn accepted(session: &mut Session, driven: &[Driven]) -> Result<Tree, Box<Stop>> {
    let rejected: Vec<Driven> = driven.iter().filter(|d| d.driver == Driver::Static).cloned().collect();
    let mut tree: Tree = session.decide(&rejected, &[])?.tree;
    // No state holds what stands here for so short a time.
    tree.insert(moves::FILE.into(), None);
    for path in [history::FILE, history::FORMER, history::ATTRIBUTES.0] {
        tree.remove(Path::new(path));
    }
    Ok(tree)
}

impl Literals {
    /// Adds what was replaced to the record of a tree, by which edits of a file are told from what is put back in it.
    pub fn note(&self, tree: &mut Tree) {
        if self.is_empty() {
            return;
        }
        let path = PathBuf::from(record::FILE);
        let written = tree.get(&path).and_then(Option::as_deref).and_then(|text| Record::parse(text).ok());
        let mut record = written.unwrap_or_else(Record::empty);
        for (path, (file, edits)) in &self.edited {
            let name = slashed(path);
            let is_known = record.files.iter().any(|known| known.path == name);
            // Of what was changed once more, no one knows where an edit belongs.
            record.files.retain(|known| known.path != name);
            if let Some(text) = edits.apply(&file.text).ok().filter(|_| !is_known) {
                record.files.push(FileRecord::edited(path, &file.text, edits, &text));
            }
        }
        for (path, text) in &self.created {
            let name = slashed(path);
            if record.files.iter().all(|known| known.path != name) {
                record.files.push(FileRecord::residual(path, text, None));
            }
        }
        record.files.sort_by(|a, b| a.path.cmp(&b.path));
        tree.insert(path, Some(record.to_text()));
    }
}
