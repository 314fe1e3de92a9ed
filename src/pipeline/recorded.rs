//! The record of a working directory, and the original texts of its specialised files.

use super::contradicted::find_two_meanings;
use super::own::is_own_file;
use super::session::Session;
use super::strangers::find_strangers;
use super::world::World;
use crate::config::phi::PhiConfig;
use crate::config::{Config, Files, Overlay, writable};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::committed::{self, Committed};
use crate::specialise::record::contradicted::drop_contradicted;
use crate::specialise::record::history::{self, History};
use crate::specialise::record::lines::{has_marks, without_marks};
use crate::specialise::record::{local, merged, restore};
use crate::specialise::{Record, moves, record};
use crate::text::{list_first, one_line};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// So many addresses are named in one sentence.
const MOST_NAMED: usize = 5;

impl<H: Host + Clone> Session<H> {
    /// Reads what is on record and the original texts of what is specialised, but no configuration.
    ///
    /// # Errors
    /// Returns an error if the record can't be read.
    pub fn on_record(host: H) -> Result<Session<H>, Issue> {
        Session::on_records(host, None)
    }

    /// Reads the same, with what the commit that is checked out tells of files that Git gave back from it.
    ///
    /// # Errors
    /// As [`Session::on_record`].
    pub fn on_records(host: H, committed: Option<&Committed<'_>>) -> Result<Session<H>, Issue> {
        let seen = RefCell::new(BTreeMap::new());
        let text = |path: &Path| {
            let bytes = host.own(path).ok()??;
            let text = String::from_utf8(bytes.clone()).ok();
            seen.borrow_mut().insert(path.to_path_buf(), bytes);
            text
        };
        let mut overlay = Overlay::new();
        let mut issues = Vec::new();
        let mut record =
            match host.own(Path::new(record::FILE)).map_err(|e| unreadable(&e.to_string(), ""))? {
                None => None,
                Some(bytes) => Some(parse_record(&String::from_utf8_lossy(&bytes))?),
            };
        let is_own =
            |file: &record::FileRecord| !file.created || is_own_file(file, &text, &|path| host.link(path));
        record.iter_mut().for_each(|record| record.files.retain(is_own));
        record.iter_mut().for_each(|record| merged::settle(record, &text));
        if let Some(mut last) = local_record(&host) {
            last.files.retain(is_own);
            record = local::add_untracked(record, last, &text);
        }
        if let Some(committed) = committed {
            record = committed::add_committed(record, committed, &text);
            // What was edited since is told by what was written into it.
            record = local::add_untracked(record, committed.record.clone(), &text);
        }
        let mut history = read_history(&host, record.as_mut())?;
        let told = host.own(Path::new(history::FILE)).ok().flatten().unwrap_or_default();
        issues.extend(find_two_meanings(&history, &String::from_utf8_lossy(&told)));
        if let Some(record) = &mut record {
            take_given_back_moves(record, text(Path::new(moves::FILE)), &mut overlay);
            let (originals, found) = restore::originals(record, &text, &|path| host.link(path));
            overlay.extend(originals);
            issues.extend(found);
            issues.extend(find_strangers(&host, &record.created_paths().collect()));
            issues.extend(strange_moves(record, &text));
        }
        let leftover = Path::new(moves::FILE);
        if let Some(moves) = text(leftover).filter(|_| !overlay.contains_key(leftover)) {
            issues.extend(take_leftover_moves(&moves, &mut history, &mut overlay));
        }
        let (config, phi) = (Config::default(), PhiConfig::default());
        let world =
            World::new(Files::new(host.clone(), Overlay::new(), &config), config.terraform_versions());
        let environments = Vec::new();
        let (partial, rewrite, loaded) = (false, None, Overlay::new());
        Ok(Session {
            host,
            overlay,
            config,
            phi,
            record,
            history,
            held: Vec::new(),
            seen: seen.into_inner(),
            world,
            accepts: OnceLock::new(),
            kept_back: None,
            also_hidden: BTreeSet::new(),
            secrets: OnceLock::new(),
            touched: OnceLock::new(),
            environments,
            editable: BTreeSet::new(),
            named: Vec::new(),
            refused: Vec::new(),
            issues,
            strict: false,
            partial,
            partly: false,
            rewrite,
            origin: None,
            possible: Vec::new(),
            loaded,
        })
    }
}

/// The record that was written last on this machine, where it is another one than the tracked. Copies that Git tracks and that aren't as they
/// were written are what the tracked one says of them: somebody may have taken them over, and the other files in their folder.
fn local_record(host: &dyn Host) -> Option<Record> {
    let bytes = host.own(Path::new(local::FILE)).ok()??;
    let tracked = host.own(Path::new(record::FILE)).ok()?;
    let is_other = tracked.as_ref() != Some(&bytes);
    let mut last = is_other.then(|| parse_record(&String::from_utf8_lossy(&bytes)).ok())??;
    let folder = |file: &record::FileRecord| record::unslashed(&file.path).parent().map(Path::to_path_buf);
    let is_tracked =
        |file: &record::FileRecord| file.created && host.is_tracked(&record::unslashed(&file.path));
    let is_changed = |file: &&record::FileRecord| {
        let now = host.own(&record::unslashed(&file.path)).ok().flatten();
        file.link.is_none()
            && now.is_some_and(|now| !String::from_utf8(now).is_ok_and(|now| file.is_as_written(&now)))
    };
    let changed = last.files.iter().filter(|file| is_tracked(file)).filter(is_changed);
    let taken_over: BTreeSet<Option<PathBuf>> = changed.map(folder).collect();
    last.files.retain(|file| !is_tracked(file) || !taken_over.contains(&folder(file)));
    Some(last)
}

/// Reads a record. The files that it names lie within the tree, under the names that tf-phi gives them.
fn parse_record(text: &str) -> Result<Record, Issue> {
    let record = Record::parse(text).map_err(|fault| match fault {
        record::Fault::Newer(why) => newer(&why),
        record::Fault::Broken(why) => unreadable(&why, text),
    })?;
    for file in &record.files {
        let path = record::unslashed(&file.path);
        if writable::check_path(&path).is_err() || record::slashed(&path) != file.path {
            return Err(unreadable(&format!("it names {:?}", writable::shorten(&file.path)), text));
        }
    }
    Ok(record)
}

/// Takes the file of moves off a record where it holds another run's moves, or what leads home: Git gave that back, and nobody edited it.
fn take_given_back_moves(record: &mut Record, now: Option<String>, overlay: &mut Overlay) {
    let Some(now) = now else { return };
    let (leads_home, is_chain) = (moves::is_way_home(&now), moves::is_written_chain(&now));
    let is_given_back = |file: &record::FileRecord| {
        file.path == moves::FILE && (leads_home || is_chain) && !file.is_as_written(&now)
    };
    let before = record.files.len();
    record.files.retain(|file| !is_given_back(file));
    if record.files.len() < before && is_chain {
        overlay.insert(Path::new(moves::FILE).to_path_buf(), None);
    }
}

fn unreadable(why: &str, text: &str) -> Issue {
    let summary = "the record of what is specialised can't be read";
    if has_marks(text) {
        let why = "It holds the conflict markers of a merge. A record belongs to the files that were written with it.";
        return restore::merge_originals(Issue::error(Code::Edited, summary, why).in_path(record::FILE));
    }
    Issue::error(Code::Edited, summary, format!("Without it the original sources can't be told: {why}."))
        .in_path(record::FILE)
        .fix("Put the file back as tf-phi wrote it, from version control for example.", "")
}

fn newer(why: &str) -> Issue {
    Issue::error(Code::Edited, "a later version of tf-phi has specialised this directory", why.to_owned())
        .in_path(record::FILE)
        .fix("Update tf-phi, then run again.", "")
}

/// A file of moves that holds more than them. It is written anew for each run, so that nobody else compares it.
fn strange_moves(record: &Record, text: &dyn Fn(&Path) -> Option<String>) -> Option<Issue> {
    record.files.iter().find(|file| file.created && file.path == moves::FILE)?;
    // Where Git couldn't finish a merge the moves of both sides stand there.
    let is_merged = |now: &str| has_marks(now) && moves::is_written_chain(&without_marks(now));
    let now = text(Path::new(moves::FILE)).filter(|now| !(moves::is_of_moves(now) || is_merged(now)))?;
    if has_marks(&now) {
        let why = "It holds the conflict markers of a merge.";
        let issue = Issue::error(Code::Edited, "a file that tf-phi wrote is in conflict", why);
        let paste = format!("git checkout --ours {}", moves::FILE);
        return Some(issue.in_path(moves::FILE).fix("Take one side. The next run writes it anew:", paste));
    }
    let why = "It holds more than `moved`, `removed` and `import` blocks, which tf-phi writes anew for each run. The next run would take it away.";
    let issue = Issue::error(Code::Edited, "a file that tf-phi wrote holds what it never writes", why);
    let paste = format!("mv {} moves.tf", moves::FILE);
    Some(
        issue
            .in_path(moves::FILE)
            .fix("Give it another name, and look at what it holds, then run again:", paste),
    )
}

/// Returns the history, with what its former file and the record know.
fn read_history(host: &dyn Host, record: Option<&mut Record>) -> Result<History, Issue> {
    type Parse = fn(&str) -> Result<History, String>;
    let files: [(&str, Parse); 2] =
        [(history::FILE, History::parse), (history::FORMER, History::parse_former)];
    let mut all = History::default();
    for (path, parse) in files {
        let Some(bytes) = host.own(Path::new(path)).map_err(|e| no_history(path, &e.to_string()))? else {
            continue;
        };
        let read = parse(&String::from_utf8_lossy(&bytes)).map_err(|why| no_history(path, &why))?;
        all.extend(read);
    }
    if let Some(record) = record {
        drop_contradicted(record, &all);
        all.add_units(&record.units);
        all.add_services(&record.services);
    }
    Ok(all)
}

/// Takes a file of moves that no record tells of. What leads home is no move of the user's. It also tells a history that was lost; of a copy that
/// is known, its ways lead on by the user's own moves, so that they don't say what it stands for.
fn take_leftover_moves(text: &str, history: &mut History, overlay: &mut Overlay) -> Option<Issue> {
    let leads_home = moves::is_way_home(text);
    let mut foreign = None;
    if leads_home {
        foreign = foreign_moves(&moves::find_foreign_moves(text, history));
        history.fill_in(moves::read_way_home(text));
    }
    if leads_home || moves::is_merged_with_chain(text) {
        overlay.insert(PathBuf::from(moves::FILE), None);
    }
    foreign
}

/// The error for blocks in the file of moves that lead what is no copy of ours. Nobody would look at them there.
fn foreign_moves(all: &[String]) -> Option<Issue> {
    if all.is_empty() {
        return None;
    }
    let why = format!(
        "It is tf-phi's file, and moves what is no copy of anything that was specialised: {}. Terraform follows it.",
        one_line(&list_first(all, MOST_NAMED))
    );
    let title = "If the blocks are yours, put them into a file of your own:";
    let issue = Issue::error(Code::Edited, "moves of yours stand in a file of tf-phi's", why);
    Some(issue.in_path(moves::FILE).fix(title, format!("mv -n {} moves.tf", moves::FILE)))
}

fn no_history(path: &str, why: &str) -> Issue {
    let summary = "the addresses that state may hold can't be read";
    Issue::error(
        Code::Edited,
        summary,
        format!("Without them, objects in state might not be found again: {why}."),
    )
    .in_path(path)
    .fix("Put the file back as tf-phi wrote it, from version control for example.", "")
}
