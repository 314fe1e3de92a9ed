//! Runs that leave the sources as they were.
//!
//! In: what a run would write. The change that specialises also writes a marker, `.phi/ephemeral.json`, with the texts
//! from before: one transaction, so the marker is there exactly as long as there is something to put back. It is put
//! back when Terraform has ended, whatever ended it, and otherwise by the next command. Invariants: signals end nothing
//! in between; what was typed meanwhile is not lost. What stays is the history (`.phi/history.jsonl`). Absent: any decision.

use crate::host::{Confined, Host as _, WriteHost as _};
use crate::issue::{Code, Issue};
use crate::ops::Outcome;
use crate::ops::read::marker::{Before, MARKER, Marker};
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Tree, change_set as changes};
use crate::ops::state::home;
use crate::pipeline::find_way_home_to_original;
use crate::report::Console;
use crate::specialise::record::{FileRecord, hash, slashed, unslashed};
use crate::specialise::record::{history, restore, typed};
use crate::specialise::{Record, moves, record};
use crate::terraform::signals::Hold;
use crate::txn::{self, Change, ChangeSet, Planned, Prior};
use std::path::{Path, PathBuf};

/// Returns the changes that an ephemeral run makes: the specialised tree and the marker, which are put back afterwards, and the
/// history, which stays.
///
/// # Errors
/// Fails on a file that is no text.
pub fn change_set(session: &mut Session, tree: &Tree) -> Result<ChangeSet, Issue> {
    // What this run adds to the history leads home as well.
    let noted = tree.get(Path::new(history::FILE)).and_then(Option::as_deref);
    if let Some(noted) = noted.and_then(|text| history::History::parse(text).ok()) {
        session.history.extend(noted);
    }
    let home = home_between_runs(session);
    let host = &session.host;
    let mut set = changes(session, tree);
    replace_outer_links(session, &mut set);
    let led = Path::new(moves::FILE);
    if let (Some(home), false) = (&home, set.changes.contains_key(led)) {
        let now = host.read(led).ok();
        set.write(led, home.clone(), now.as_deref());
    }
    let mut marker = Marker {
        format_version: record::FORMAT.to_owned(),
        files: Vec::new(),
        dirs: Vec::new(),
        seal: String::new(),
    };
    let own = [history::FILE, history::FORMER, history::ATTRIBUTES.0].map(Path::new);
    let leads_home = |planned: &Planned| {
        home.as_ref().is_some_and(|home| planned.change == Change::Write(home.clone().into_bytes()))
    };
    let stays = |path: &Path, planned: &Planned| own.contains(&path) || path == led && leads_home(planned);
    for (path, planned) in set.changes.iter().filter(|(path, planned)| !stays(path, planned)) {
        let text = |bytes: Vec<u8>| {
            let why = "What is put back later has to be text.";
            let issue = Issue::error(Code::Unsupported, format!("{} is not UTF-8", path.display()), why);
            String::from_utf8(bytes).map_err(|_| issue)
        };
        // What leads home stands between runs, once something was applied.
        let before = match &home {
            Some(home) if path == Path::new(moves::FILE) => Some(home.clone()),
            _ => host.read(path).ok().map(text).transpose()?,
        };
        let written = match &planned.change {
            Change::Write(bytes) | Change::Link { whole: bytes, .. } => Some(hash(&text(bytes.clone())?)),
            Change::Delete => None,
        };
        let linked = match &planned.change {
            Change::Link { to, .. } => Some(slashed(to)),
            _ => None,
        };
        let link = match &planned.prior {
            Prior::Link(to) => Some(slashed(to)),
            _ => None,
        };
        let missing = path.ancestors().skip(1).filter(|d| !d.as_os_str().is_empty());
        let missing = missing.filter(|d| host.kind(d).is_none()).map(slashed);
        marker.dirs.extend(missing);
        marker.files.push(Before { path: slashed(path), before, written, link, linked });
    }
    if !marker.files.is_empty() {
        marker.seal = txn::seal(&host.root, &marker.unsealed()).ok_or_else(no_secret)?;
        let text = serde_json::to_string_pretty(&marker).unwrap_or_default();
        set.write(MARKER, text, None);
    }
    Ok(set)
}

/// Has files take the places of links that lead out of the working directory: what stands there belongs to other configurations as well. The
/// links come back with everything else.
fn replace_outer_links(session: &Session, set: &mut ChangeSet) {
    let host = &session.host;
    let leads_out = |path: &Path| host.canonical(path).is_ok_and(|real| !real.starts_with(&host.root));
    for (path, planned) in &mut set.changes {
        let link = host.link(path).filter(|_| matches!(planned.change, Change::Write(_)) && leads_out(path));
        if let Some(link) = link {
            planned.prior = Prior::Link(link);
        }
    }
}

/// What is to stand in the file of moves between runs; nothing where it stays as it is.
fn home_between_runs(session: &mut Session) -> Option<String> {
    // Where modules aren't installed yet, the file that stands there may know more. A specialised tree has its own.
    if session.is_partial() || session.record.is_some() {
        return None;
    }
    let way = find_way_home_to_original(session);
    home::text_of(session, &way)
}

/// Writes, lets Terraform run, and puts back.
///
/// # Errors
/// Those of the work; a file that can't be put back.
pub fn during(root: &Path, set: &ChangeSet, console: Console, work: impl FnOnce() -> Outcome) -> Outcome {
    let hold = Hold::new().map_err(|e| {
        Issue::error(Code::Environment, format!("signals can't be held back: {e}"), "Nothing was written.")
    })?;
    crate::ops::run::write::commit(set, console)?;
    // Asked to stop before Terraform was there to hear it.
    let outcome = match hold.received() {
        Some(signal) => Ok(u8::try_from(128 + signal).unwrap_or(crate::ops::FAILED)),
        None => work(),
    };
    let back = write_again(set).and_then(|()| put_back(root));
    match (outcome, back) {
        (outcome, Ok(lost)) => {
            tell_lost(console, &lost);
            outcome
        }
        (Ok(_), Err(issue)) => Err(issue.into()),
        (Err(mut stop), Err(issue)) => {
            stop.issues.push(issue);
            Err(stop)
        }
    }
}

/// Writes the marker and the record again where somebody removed them while Terraform ran, as `git clean` does.
fn write_again(set: &ChangeSet) -> Result<(), Issue> {
    let written = |path: &str| match set.changes.get(Path::new(path)).map(|planned| &planned.change) {
        Some(Change::Write(bytes)) => Some(bytes.clone()),
        _ => None,
    };
    let Some(marker) = written(MARKER) else { return Ok(()) };
    let host = Confined::open(&set.root).map_err(|e| gone(&set.root, &e))?;
    if !matches!(host.entry(Path::new(MARKER)), Ok(None)) {
        return Ok(());
    }
    let mut again = ChangeSet { widest: set.widest, ..ChangeSet::new(&set.root) };
    again.write(MARKER, marker, None);
    if let (Some(record), Ok(None)) = (written(record::FILE), host.entry(Path::new(record::FILE))) {
        again.write(record::FILE, record, None);
    }
    txn::commit(&host, &again).map(drop).map_err(|issue| unreturned(&issue, set.changes.keys()))
}

/// Values still stand in sources, and nothing on the disk tells.
fn unreturned<'p>(cause: &Issue, paths: impl Iterator<Item = &'p PathBuf>) -> Issue {
    let files: Vec<String> =
        paths.filter(|path| !path.starts_with(txn::PHI_DIR)).map(|path| slashed(path)).collect();
    let why = format!(
        "{MARKER}, from which they are put back, was removed while Terraform ran, and it can't be written again: {}. What tf-phi \
         wrote still stands in: {}.",
        cause.summary,
        files.join(", ")
    );
    Issue::error(Code::Io, "the sources can't be put back", why)
        .fix("Put these files back from version control.", "")
}

/// Says which comments stand nowhere any more.
pub fn tell_lost(console: Console, lost: &[String]) {
    if !lost.is_empty() {
        console.note("comments in what tf-phi wrote went with it:");
        console.paste(&lost.join("\n"));
    }
}

/// Puts the sources back as the marker says, where there is one. Gives the comments that were typed into what goes. The lock is the
/// caller's.
///
/// # Errors
/// [`Code::Edited`] where a file was changed so that what was there before can't be told.
pub fn put_back(root: &Path) -> Result<Vec<String>, Issue> {
    let host = Confined::open(root).map_err(|e| gone(root, &e))?;
    let read = |path: &Path| host.read(path).ok();
    let bytes = match host.entry(Path::new(MARKER)) {
        Ok(None) => return Ok(Vec::new()),
        _ => host.read(Path::new(MARKER)).map_err(|e| unreadable(&e.to_string()))?,
    };
    let marker = Marker::parse(root, &bytes).map_err(|why| unreadable(&why))?;
    let written = read(Path::new(record::FILE)).map(|b| String::from_utf8_lossy(&b).into_owned());
    // Where a kept specialised tree stood before, an edit of what stands now is no edit of that.
    let fresh = marker.files.iter().all(|f| f.path != record::FILE || f.before.is_none());
    let written = written.filter(|_| fresh).and_then(|t| Record::parse(&t).ok());
    let mut lost = Vec::new();
    let mut set = ChangeSet::new(root);
    set.own_dirs.extend(marker.dirs.iter().map(|d| unslashed(d)));
    for file in &marker.files {
        let path: PathBuf = unslashed(&file.path);
        if let Some((change, prior)) = of_link(&host, file, &path)? {
            if matches!(change, Change::Link { .. }) {
                set.returned_links.insert(path.clone());
            }
            set.plan(&path, change, prior);
            continue;
        }
        let now = read(&path);
        let recorded = written.as_ref().and_then(|r| r.file(&path));
        match before(file, now.as_deref(), recorded)? {
            Some(text) => {
                lost.extend(lost_comments(recorded, now.as_deref(), &text));
                set.write(&path, text, now.as_deref());
            }
            None => {
                if let Some(now) = &now {
                    set.delete(&path, now);
                }
            }
        }
    }
    set.delete(MARKER, &bytes);
    txn::commit(&host, &set).map_err(still_written)?;
    crate::ops::read::modules::settle_originals(root, None);
    Ok(lost)
}

/// Nothing could be put back, as on a full disk: that is as after a run that was killed.
fn still_written(issue: Issue) -> Issue {
    let why = format!(
        "{} What tf-phi wrote for the run still stands in the sources; what stood there before is in {MARKER}.",
        issue.why
    );
    Issue { why, ..issue }.fix(
        "Once the cause is gone, have the sources put back, as any next command of tf-phi does:",
        "tf-phi restore",
    )
}

/// The comments that somebody typed into what was written, and that aren't in what is put back.
fn lost_comments(recorded: Option<&FileRecord>, now: Option<&[u8]>, text: &str) -> Vec<String> {
    let now = now.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let Some((file, now)) = recorded.zip(now) else { return Vec::new() };
    let all = match file.is_as_written(now) {
        true => Vec::new(),
        false => typed::lost(file, now, text),
    };
    all.into_iter().map(|one| format!("{}:{}: {}", file.path, one.line, one.text)).collect()
}

/// Returns how to put back a path that was a link or has become one, or nothing for a plain file. The file behind a link isn't
/// touched.
fn of_link(host: &Confined, file: &Before, path: &Path) -> Result<Option<(Change, Prior)>, Issue> {
    let says = |link: &Path, known: &Option<String>| known.as_deref().is_some_and(|k| Path::new(k) == link);
    let stands = host.link(path).filter(|to| says(to, &file.linked) || says(to, &file.link));
    let now = if stands.is_some() { None } else { host.read(path).ok() };
    if stands.is_none() && file.link.is_none() {
        return Ok(None);
    }
    let text = || now.as_ref().map(|b| String::from_utf8_lossy(b).into_owned());
    if stands.is_none() && text().as_deref().map(hash) != file.written {
        return Err(edited(file));
    }
    let change = match (&file.link, &file.before) {
        (Some(to), before) => {
            Change::Link { to: unslashed(to), whole: before.clone().unwrap_or_default().into_bytes() }
        }
        (None, Some(text)) => Change::Write(text.clone().into_bytes()),
        (None, None) => Change::Delete,
    };
    Ok(Some((change, stands.map_or_else(|| Prior::of(now.as_deref()), Prior::Link))))
}

fn edited(file: &Before) -> Issue {
    let why = "It was edited while Terraform ran, or after a run that was killed, and what it held before can't be put together \
               with the edit.";
    let issue = Issue::error(Code::Edited, format!("{} can't be put back", file.path), why);
    let issue = issue.in_path(file.path.clone());
    issue.fix(format!("Take the edit back; what stood there before is in {MARKER}."), "")
}

/// Returns the text that a file had before the run, with the edits that the user made meanwhile.
fn before(file: &Before, now: Option<&[u8]>, recorded: Option<&FileRecord>) -> Result<Option<String>, Issue> {
    let now = now.map(|b| String::from_utf8_lossy(b).into_owned());
    if now == file.before {
        return Ok(now);
    }
    if now.as_deref().map(hash) == file.written {
        return Ok(file.before.clone());
    }
    let typed = now.as_ref().zip(recorded).filter(|(_, r)| !r.created);
    let text = typed.and_then(|(now, r)| restore::original(r, now).ok());
    text.map(Some).ok_or_else(|| edited(file))
}

fn no_secret() -> Issue {
    let why = "What an ephemeral run leaves when it is killed is put back only where it is known who wrote it. A key for that is \
               kept in `$XDG_STATE_HOME/tf-phi`, or in `~/.local/state/tf-phi`, and nothing can be written there by you alone.";
    Issue::error(Code::Environment, "there is no place for a key", why)
        .fix("Name a folder of your own:", "export XDG_STATE_HOME=$(mktemp -d)")
}

fn gone(root: &Path, error: &std::io::Error) -> Issue {
    let why = format!(
        "{} can't be opened: {error}. What tf-phi wrote for the run still stands in its sources.",
        root.display()
    );
    Issue::error(Code::Io, "the folder of an ephemeral run isn't there any more", why)
        .fix("Move it back to where it was, and have the sources put back there:", "tf-phi restore")
}

fn unreadable(why: &str) -> Issue {
    let summary = "the sources from before an ephemeral run can't be read";
    Issue::error(Code::Edited, summary, format!("{why}."))
        .in_path(MARKER)
        .fix(
            "Where the folder was moved or mounted elsewhere, or it was another user's run, have the sources put back by the record of that run:",
            format!("rm {MARKER} && tf-phi restore"),
        )
        .fix("Where it came with a clone, remove the file:", format!("rm {MARKER}"))
}
