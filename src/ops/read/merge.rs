//! A merge of specialised trees, by their originals.
//!
//! In: a working directory in which a merge left files that tf-phi wrote, so that the original of some can't be told. Out: the changes that
//! put there what the merge makes of the originals of both sides, as Git does with sources that nobody specialised. What is written next
//! writes the copies anew. Invariants: a text that Git didn't make of both sides was typed by somebody, and is left alone; nothing is
//! written here. Absent on purpose: resolving lines that both sides changed. They are marked, in the original.

use super::rooted_host::RootedHost;
use crate::config::writable::PHI_DIR;
use crate::host::{Host, Machine};
use crate::issue::{Code, Issue};
use crate::pipeline::{self, is_specialised};
use crate::specialise::moves;
use crate::specialise::record::lines::has_marks;
use crate::specialise::record::{self, FileRecord, Record};
use crate::terraform::git::{Base, Git, Revision, Sides, Versions};
use crate::text::{MergedTexts, to_stored, with_line_ends_of, with_newlines};
use crate::txn::{Change, ChangeSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a merge comes to in the originals.
pub struct MergedOriginals {
    /// The changes that put them there.
    pub set: ChangeSet,
    /// Those in which both sides changed the same lines.
    pub conflicts: Vec<PathBuf>,
}

/// One side: a revision with the originals that its record tells.
struct Side {
    session: pipeline::Session<Revision>,
}

impl Side {
    fn open(root: &Path, commit: &str) -> Option<Side> {
        let revision = Revision::open(Git::find(&Machine).ok()?, root, &Base::exact(commit)).ok()?;
        let session = pipeline::Session::on_record(revision).ok()?;
        (!session.is_blocked()).then_some(Side { session })
    }

    /// The text of a file as it stands in the commit.
    fn read_text(&self, path: &Path) -> Option<String> {
        String::from_utf8(self.session.host.read(path).ok()?).ok().map(|text| to_stored(&text).into_owned())
    }

    /// The original of a file.
    fn read_original(&self, path: &Path) -> Option<String> {
        match self.session.overlay.get(path) {
            Some(text) => text.as_deref().map(|text| to_stored(text).into_owned()),
            None => self.read_text(path),
        }
    }

    /// Returns true if the record tells that this text was written as a copy.
    fn has_written(&self, path: &Path, text: &str) -> bool {
        let file = self.session.record.as_ref().and_then(|record| record.file(path));
        file.is_some_and(|file| file.created && (file.is_as_written(text) || file.is_shaped(text)))
    }

    /// The files that were edited.
    fn edited_paths(&self) -> impl Iterator<Item = PathBuf> {
        let overlay = self.session.overlay.iter();
        overlay.filter(|(_, text)| text.is_some()).map(|(path, _)| path.clone())
    }
}

type Session = pipeline::Session<RootedHost>;

/// Both sides, and the last commit in common.
struct Merge {
    base: Option<Side>,
    ours: Side,
    theirs: Side,
}

/// What three texts make.
enum Text {
    Merged(Option<String>),
    Conflict(String),
}

impl Merge {
    fn open(root: &Path) -> Option<Merge> {
        let Sides { base, ours, theirs } = Git::find(&Machine).ok()?.find_sides(root).ok()??;
        let base = match base {
            Some(base) => Some(Side::open(root, &base)?),
            None => None,
        };
        Some(Merge { base, ours: Side::open(root, &ours)?, theirs: Side::open(root, &theirs)? })
    }

    /// The files that are specialised on some side.
    fn edited_paths(&self) -> BTreeSet<PathBuf> {
        let sides = self.base.iter().chain([&self.ours, &self.theirs]);
        let mut all: BTreeSet<PathBuf> = sides.flat_map(Side::edited_paths).collect();
        all.remove(Path::new(moves::FILE));
        all
    }

    /// Returns true if all that Git put together at a path are copies. Where a side has the file, its own record says so: else it is somebody's.
    fn is_of_copies(&self, path: &Path) -> bool {
        let is_copy = |side: &Side| side.read_text(path).is_none_or(|text| side.has_written(path, &text));
        is_copy(&self.ours) && is_copy(&self.theirs)
    }

    /// Deletes copies of which no record tells any more: one side gave them up, and Git kept those that the other one changed. They are
    /// written anew.
    fn delete_strays(
        &self,
        here: Option<&Session>,
        text: &dyn Fn(&Path) -> Option<String>,
        set: &mut ChangeSet,
    ) {
        let Some(here) = here else { return };
        for side in [&self.ours, &self.theirs] {
            for path in side.session.record.iter().flat_map(Record::created_paths) {
                let is_on_record = here.record.as_ref().is_some_and(|record| record.file(&path).is_some());
                if is_on_record || path == Path::new(moves::FILE) {
                    continue;
                }
                let is_own = |now: &String| {
                    let now = &*to_stored(now);
                    side.read_text(&path).as_deref() == Some(now) && side.has_written(&path, now)
                };
                let now = text(&path).filter(is_own);
                if let Some(now) = now {
                    set.delete(&path, now.as_bytes());
                }
            }
        }
    }

    /// What the three make of a file; nothing where one side removed what the other one changed.
    fn merge_texts(&self, of: impl Fn(&Side) -> Option<String>) -> Option<Text> {
        let (base, ours, theirs) = (self.base.as_ref().and_then(&of), of(&self.ours), of(&self.theirs));
        if ours == theirs || theirs == base {
            return Some(Text::Merged(ours));
        }
        if ours == base {
            return Some(Text::Merged(theirs));
        }
        let (ours, theirs) = ours.zip(theirs)?;
        Some(match diffy::merge(base.as_deref().unwrap_or_default(), &ours, &theirs) {
            Ok(text) => Text::Merged(Some(text)),
            Err(marked) => Text::Conflict(marked),
        })
    }

    /// Returns true if a text is what Git made of both sides, and nobody's. How lines end doesn't matter: asked to, Git merges over that,
    /// and leaves lines of both kinds.
    fn is_of_git(&self, path: &Path, now: &str) -> bool {
        let now = &*with_newlines(now);
        let read = |side: &Side| side.read_text(path).map(|text| with_newlines(&text).into_owned());
        let (base, ours, theirs) = (self.base.as_ref().and_then(read), read(&self.ours), read(&self.theirs));
        let is_own = |side: &Option<String>| side.as_deref() == Some(now);
        match (&ours, &theirs) {
            (Some(ours), Some(theirs)) => {
                MergedTexts { base: base.as_deref().unwrap_or_default(), ours, theirs }.can_make(now)
            }
            // Of what one side removed the other one's text is left.
            _ => is_own(&ours) || is_own(&theirs),
        }
    }

    /// Returns true if these are the versions that Git couldn't merge: then the commits are those that it merged.
    fn is_of_versions(&self, path: &Path, versions: &Versions) -> bool {
        let text = |bytes: &Option<Vec<u8>>| {
            let text = bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            text.map(|text| to_stored(&text).into_owned())
        };
        let written = |side: Option<&Side>| side.and_then(|side| side.read_text(path));
        written(self.base.as_ref()) == text(&versions.base)
            && written(Some(&self.ours)) == text(&versions.ours)
            && written(Some(&self.theirs)) == text(&versions.theirs)
    }

    /// Returns the moves of a run that will stand in the file of moves, where a side's record has that: whichever run's, nobody edited them.
    fn find_moves(&self, now: String) -> Option<String> {
        let path = Path::new(moves::FILE);
        let has_file = |side: &Side| {
            let record = side.session.host.own(Path::new(record::FILE)).ok().flatten();
            let record = record.and_then(|bytes| Record::parse(&String::from_utf8_lossy(&bytes)).ok());
            record.is_some_and(|record| record.file(path).is_some())
        };
        let now = if has_marks(&now) { self.ours.read_text(path)? } else { now };
        let is_chain = moves::is_written_chain(&to_stored(&now));
        (is_chain && (has_file(&self.ours) || has_file(&self.theirs))).then_some(now)
    }

    /// The lines of both sides' records.
    fn join_records(&self) -> Option<Record> {
        let text = |side: &Side| side.session.record.as_ref().map(Record::to_text).unwrap_or_default();
        Record::parse(&format!("{}{}", text(&self.ours), text(&self.theirs))).ok()
    }
}

/// The files that Git couldn't merge; none where it can't be asked.
pub fn find_unmerged(root: &Path) -> BTreeMap<PathBuf, Versions> {
    Git::find(&Machine).and_then(|git| git.find_unmerged(root)).unwrap_or_default()
}

/// Finds out what the merge comes to that stands here; nothing where there is none, or where something else is wrong. `here` is what is on
/// record, where that can be read.
pub fn merge_originals(host: &RootedHost, here: Option<&Session>) -> Option<MergedOriginals> {
    let merge = Merge::open(&host.root)?;
    let read = |path: &Path| host.own(path).ok().flatten();
    let text = |path: &Path| String::from_utf8(read(path)?).ok();
    let unmerged = find_unmerged(&host.root);
    let is_known = |path: &Path, now: &str| {
        let told = here.and_then(|s| s.overlay.get(path)).is_some_and(Option::is_some);
        let is_plain = here.is_some_and(|s| s.record.as_ref().is_none_or(|r| r.file(path).is_none()));
        !has_marks(now) && !unmerged.contains_key(path) && (told || is_plain && !is_specialised(now))
    };
    let mut set = ChangeSet::new(&host.root);
    let (mut conflicts, mut merged) = (Vec::new(), BTreeSet::new());
    for path in merge.edited_paths() {
        let Some(now) = text(&path).filter(|now| !is_known(&path, now)) else { continue };
        let is_of_these = unmerged.get(&path).is_none_or(|versions| merge.is_of_versions(&path, versions));
        if !is_of_these || !merge.is_of_git(&path, &now) {
            return None;
        }
        match merge.merge_texts(|side| side.read_original(&path)) {
            None => return None,
            Some(Text::Merged(None)) => set.delete(&path, now.as_bytes()),
            Some(Text::Merged(Some(text))) => {
                set.write(&path, with_line_ends_of(text, &now), Some(now.as_bytes()));
            }
            Some(Text::Conflict(marked)) => {
                set.write(&path, with_line_ends_of(marked, &now), Some(now.as_bytes()));
                conflicts.push(path.clone());
            }
        }
        merged.insert(path);
    }
    merge.delete_strays(here, &text, &mut set);
    if !merged.is_empty() {
        let known = here.and_then(|session| session.record.clone()).or_else(|| merge.join_records());
        // What Git couldn't merge may hold lines of a file that it takes for the same one under another name.
        let is_of_git = |path: &Path, now: &str| {
            merge.is_of_copies(path) && (unmerged.contains_key(path) || merge.is_of_git(path, now))
        };
        let known = known.unwrap_or_else(Record::empty);
        let mut record = without_edits(known, &merged, &text, &is_of_git, &mut set);
        let stands = text(Path::new(moves::FILE)).and_then(|now| merge.find_moves(now));
        if let Some(stands) = stands.filter(|_| record.file(Path::new(moves::FILE)).is_none()) {
            record.files.push(FileRecord::created(Path::new(moves::FILE), &stands));
        }
        let bytes = read(Path::new(record::FILE));
        set.write(record::FILE, record.to_text(), bytes.as_deref());
    }
    if let Some(now) = text(Path::new(moves::FILE)).filter(|now| has_marks(now)) {
        // It is written anew for each run.
        match merge.ours.read_text(Path::new(moves::FILE)) {
            Some(ours) => set.write(moves::FILE, ours, Some(now.as_bytes())),
            None => set.delete(moves::FILE, now.as_bytes()),
        }
    }
    (!set.changes.is_empty()).then_some(MergedOriginals { set, conflicts })
}

/// The record of the copies that stand, without the files that hold their originals again. Copies that a merge made go: they are written
/// anew.
fn without_edits(
    mut record: Record,
    merged: &BTreeSet<PathBuf>,
    text: &dyn Fn(&Path) -> Option<String>,
    is_of_git: &dyn Fn(&Path, &str) -> bool,
    set: &mut ChangeSet,
) -> Record {
    record.files.retain_mut(|file| {
        let path = record::unslashed(&file.path);
        let Some(now) = text(&path).filter(|_| file.created) else { return !merged.contains(&path) };
        let is_changed = !file.is_as_written(&now) && !file.is_shaped(&now);
        if path != Path::new(moves::FILE) && is_changed && is_of_git(&path, &now) {
            set.delete(&path, now.as_bytes());
            return false;
        }
        *file = file.of_text(&now).clone();
        true
    });
    record
}

impl MergedOriginals {
    /// Returns an issue for each file in which both sides changed the same lines.
    pub fn find_conflicts(&self) -> Vec<Issue> {
        let others = self.describe_others();
        let issue = |path: &PathBuf| {
            let why = "The copies are out of it: what stands between the marks are lines of the original, which both sides of the merge changed.";
            Issue::error(
                Code::Edited,
                "both sides of the merge changed the same lines",
                format!("{why}{others}"),
            )
            .in_path(path.display().to_string())
            .fix("Choose between them, and have the copies written anew:", "tf-phi check --fix")
        };
        self.conflicts.iter().map(issue).collect()
    }

    /// Names the files that were written or removed and hold no marks; empty if there is none.
    fn describe_others(&self) -> String {
        let is_other = |path: &&PathBuf| !self.conflicts.contains(path) && !path.starts_with(PHI_DIR);
        let of_kind = |goes: bool| -> Vec<String> {
            let all = self.set.changes.iter();
            let all = all.filter(|(_, planned)| matches!(planned.change, Change::Delete) == goes);
            all.map(|(path, _)| path).filter(is_other).map(|path| path.display().to_string()).collect()
        };
        let parts = [("Written besides", of_kind(false)), ("Removed until then", of_kind(true))];
        let parts = parts.iter().filter(|(_, files)| !files.is_empty());
        parts.map(|(what, files)| format!("\n{what}: {}.", files.join(", "))).collect()
    }
}
