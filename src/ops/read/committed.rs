//! The record of the commit that is checked out, or the last one that there was, for files that Git gave back from there.
//!
//! In: a working directory in which something isn't as its record tells, or in which everything was put back. Out: its session, with what the commit's record tells of files that
//! stand there as they were committed, and with the commit's history where that was lost here. Invariant: Git is asked only where something can't be told without it. Absent: which files
//! count ([`crate::specialise::record::committed`]).

use super::merge::MergedOriginals;
use super::rewritten::find_edited_copy;
use super::rooted_host::RootedHost;
use crate::config::writable::PHI_HCL;
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Fix, Issue};
use crate::pipeline;
use crate::pipeline::is_specialised;
use crate::specialise::record::committed::Committed;
use crate::specialise::record::edited_line::find_edit;
use crate::specialise::record::history;
use crate::specialise::record::restore::{WHERE_MERGED, WHERE_PATCHED};
use crate::specialise::{moves, record};
use crate::terraform::git::{Base, Git, Revision};
use std::collections::BTreeSet;
use std::path::Path;

/// So many files are followed through the history.
const MOST_FILES: usize = 20;

type Session = pipeline::Session<RootedHost>;

/// Reads what is on record; where something was edited, with what the commit tells of it.
///
/// # Errors
/// As [`Session::recorded`].
pub fn read_record(host: RootedHost) -> Result<Session, Issue> {
    let mut session = Session::on_record(host.clone())?;
    let is_edited = |issue: &Issue| issue.is_error() && issue.code == Code::Edited;
    let is_put_back = || host.is_tracked(Path::new(record::FILE)) || names_copy(&session);
    let is_given_back = session.record.as_ref().is_none_or(|record| record.is_local) && is_put_back();
    if is_given_back || session.issues.iter().any(is_edited) {
        session = read_by_commits(&host)?.unwrap_or(session);
    }
    take_committed_history(&mut session);
    Ok(session)
}

/// Adds the history that the head has, where its file was lost here, and tf-phi wasn't left.
fn take_committed_history(session: &mut Session) {
    let host = &session.host;
    let path = Path::new(history::FILE);
    if host.kind(path).is_some() || !host.is_tracked(path) {
        return;
    }
    let is_there = |path: &str| host.kind(Path::new(path)).is_some();
    let is_in_use = session.record.is_some() || [PHI_HCL, moves::FILE].into_iter().any(is_there);
    if let Some(commit) = open_commit(host, "HEAD").filter(|_| is_in_use) {
        session.history.extend(commit.history);
    }
}

/// Reads what is on record, with what the head's record tells, or the last record that there was; nothing where neither tells anything.
///
/// # Errors
/// As [`Session::recorded`].
pub fn read_by_commits(host: &RootedHost) -> Result<Option<Session>, Issue> {
    let is_told = |session: &Session| session.record.as_ref().is_some_and(|record| record.is_local);
    let find_earlier = || Git::find(&Machine)?.find_last_change(&host.root, record::FILE);
    let earlier = std::iter::once_with(|| find_earlier().unwrap_or_default()).flatten();
    for commit in std::iter::once("HEAD".to_owned()).chain(earlier) {
        if let Some(mut told) = tell_by_commit(host, &commit)?.filter(is_told) {
            take_committed_history(&mut told);
            return Ok(Some(told));
        }
    }
    Ok(None)
}

/// Names the line of an edit in a copy, where a commit has what was written there.
pub fn name_edited_lines(session: &mut Session) {
    let Some(record) = &session.record else { return };
    let edited = session.issues.iter_mut().filter_map(|issue| {
        let path = find_edited_copy(record, issue)?;
        Some((issue, record.file(&path)?, path))
    });
    let mut edited = edited.take(MOST_FILES).peekable();
    let Some(git) = edited.peek().and_then(|_| Git::find(&Machine).ok()) else { return };
    let root = session.host.root.clone();
    let mut head = None;
    for (issue, file, path) in edited {
        let own = session.host.own(&path).ok().flatten();
        let Some(now) = own.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
        let find_in = |commit: &Revision| {
            let written = String::from_utf8(commit.read(&path).ok()?).ok()?;
            let is_written = file.is_as_written(&written) || file.is_shaped(&written);
            is_written.then(|| find_edit(&written, &now)).flatten()
        };
        let open = |commit: &str| Revision::open(Git::find(&Machine).ok()?, &root, &Base::exact(commit)).ok();
        let head = head.get_or_insert_with(|| open("HEAD"));
        let mut edit = head.as_ref().and_then(&find_in);
        if edit.is_none() {
            let changes = git.find_last_change(&root, &file.path).unwrap_or_default();
            edit = changes.iter().find_map(|commit| find_in(&open(commit)?));
        }
        if let Some(edit) = edit {
            issue.path = Some(format!("{}:{}", file.path, edit.line));
        }
    }
}

/// Leaves the advice to merge the originals of both sides to where that comes to something: in a merge, or right behind one, of which each text
/// that can't be told is what Git made of both. `merge` says what it comes to.
pub fn advise_to_merge(session: &mut Session, merge: impl FnOnce(&Session) -> Option<MergedOriginals>) {
    let is_merge = |fix: &Fix| fix.title == WHERE_MERGED;
    if !session.issues.iter().any(|issue| issue.fixes.iter().any(is_merge)) {
        return;
    }
    if merge(session).is_none() {
        session.issues.iter_mut().for_each(|issue| issue.fixes.retain(|fix| !is_merge(fix)));
    }
}

/// Reads what is on record, with what a commit tells of it; nothing where the commit has no record.
fn tell_by_commit(host: &RootedHost, commit: &str) -> Result<Option<Session>, Issue> {
    let Some(commit) = open_commit(host, commit) else { return Ok(None) };
    let read = |path: &Path| String::from_utf8(commit.host.read(path).ok()?).ok();
    let Some(record) = commit.record.clone() else { return Ok(None) };
    Session::on_records(host.clone(), Some(&Committed { record, read: &read })).map(Some)
}

/// Returns true if a source of the root module names a copy, or a folder that isn't there, though everything was put back.
fn names_copy(session: &Session) -> bool {
    let copies = session.history.names();
    let host = &session.host;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_missing = |rest: &str| {
        let folder = rest.split('"').next().filter(|folder| !folder.contains(['$', '%', '\n']));
        folder.is_some_and(|folder| host.kind(Path::new(folder)).is_none())
    };
    let names_copy = |text: &str| {
        text.split(|c| !is_part(c)).any(|word| copies.contains_key(word))
            || text.split("\"./").skip(1).any(is_missing)
    };
    let is_source = |name: &str| name.ends_with(".tf") && name != moves::FILE;
    let listed = if copies.is_empty() { Vec::new() } else { host.list(Path::new(".")).unwrap_or_default() };
    let mut texts = listed
        .iter()
        .filter(|(name, _)| is_source(name))
        .filter_map(|(name, _)| String::from_utf8(host.own(Path::new(name)).ok()??).ok());
    texts.any(|text: String| names_copy(&text))
}

fn open_commit(host: &RootedHost, commit: &str) -> Option<pipeline::Session<Revision>> {
    let revision = Revision::open(Git::find(&Machine).ok()?, &host.root, &Base::exact(commit)).ok()?;
    pipeline::Session::on_record(revision).ok()
}

/// Says of a tree without a record that no commit has one, where Git says so, and what leads out.
pub fn advise_without_record(session: &mut Session) {
    let issues = session.issues.iter().filter(|issue| issue.is_error() && issue.code == Code::Edited);
    let places = issues.clone().filter_map(|issue| session.config.sources.get(issue.place?.file));
    let files: BTreeSet<String> =
        places.map(|file| file.path.display().to_string()).take(MOST_FILES).collect();
    let is_there = session.host.kind(Path::new(record::FILE)).is_some();
    if is_there || session.record.is_some() || files.is_empty() {
        return;
    }
    let Ok(git) = Git::find(&Machine) else { return };
    let root = session.host.root.clone();
    // What a clone doesn't have of the history may hold a record.
    let changes = git.find_last_change(&root, record::FILE);
    if !matches!(&changes, Ok(all) if all.is_empty()) || git.is_shallow(&root).unwrap_or(true) {
        return;
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let before = git.find_before(&root, &files, &is_specialised).unwrap_or_default();
    let is_of_record = |issue: &&mut Issue| issue.is_error() && issue.code == Code::Edited;
    for issue in session.issues.iter_mut().filter(is_of_record) {
        issue.why.push_str(&format!(
            "\nNo commit that leads to this one has `{}`: Git ignored it where it was written, or nobody added it.",
            record::FILE
        ));
        issue.fixes.retain(|fix| fix.title == WHERE_PATCHED);
        let commit = format!("git add --force {} && git commit -m 'Add the record of tf-phi'", record::FILE);
        let fixes = std::iter::once((
            "Where it was written, `tf-phi check` names the lines of `.gitignore` that are missing. To commit the record there at once:",
            commit,
        ));
        let back = before.as_ref().map(|before| {
            let command = format!("git restore --source={before} -- . ':!.gitignore' ':!.phi/history.jsonl' && tf-phi check --fix");
            ("Or here, take everything back as it was before tf-phi wrote, and write it anew. What was edited since goes with it; `git diff` shows that:", command)
        });
        for (title, paste) in fixes.chain(back) {
            issue.fixes.push(Fix { title: title.to_owned(), paste });
        }
    }
}
