//! What the commit that is checked out tells of files that Git gave back from it.
//!
//! `git checkout FILE` gives back what was committed, copies and all, and leaves the record of what was written since. In: that record, the
//! committed one, and the texts of both. Out: the record with the committed entries of such files. Invariant: a file counts only where its text
//! is the committed one, the committed record tells its original, and the other one doesn't. Absent on purpose: asking Git.

use super::{FileRecord, Record, restore, unslashed};
use crate::text::to_stored;
use std::path::Path;

/// The record of a commit, and how to read the commit's files.
pub struct Committed<'a> {
    /// The record.
    pub record: Record,
    /// Reads a file of the commit; nothing where it has none.
    pub read: &'a dyn Fn(&Path) -> Option<String>,
}

/// Adds what a commit's record tells of files that the record here can't explain; `read` gives a file's text as it is now. Where everything
/// was put back, there is no record here.
pub fn add_committed(
    record: Option<Record>,
    committed: &Committed<'_>,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Option<Record> {
    let is_given_back = |file: &&FileRecord| {
        let path = unslashed(&file.path);
        let is_commits =
            |now: &String| (committed.read)(&path).is_some_and(|text| to_stored(&text) == to_stored(now));
        let Some(now) = read(&path).filter(is_commits) else { return false };
        match record.as_ref().and_then(|record| record.file(&path)) {
            Some(known) => {
                known.created == file.created && !is_explained(known, &now) && is_explained(file, &now)
            }
            None => is_explained(file, &now) && restore::original(file, &now).ok().as_ref() != Some(&now),
        }
    };
    let taken: Vec<FileRecord> = committed.record.files.iter().filter(is_given_back).cloned().collect();
    if taken.is_empty() {
        return record;
    }
    let mut all = record.unwrap_or_else(Record::empty);
    all.files.retain(|known| taken.iter().all(|file| file.path != known.path));
    all.files.extend(taken);
    all.add_decisions(committed.record.clone());
    all.is_local = true;
    Some(all)
}

/// Returns true if a record tells what a text was before.
fn is_explained(file: &FileRecord, now: &str) -> bool {
    match file.created {
        true => file.is_as_written(now) || file.is_shaped(now),
        false => restore::original(file, now).is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Replaced;
    use super::*;

    fn record(written: &str, original: &str) -> Record {
        let piece = Replaced { at: 0, written: written.into(), original: original.into() };
        let file = FileRecord { path: "main.tf".into(), replaced: vec![piece], ..FileRecord::default() };
        Record { files: vec![file], ..Record::empty() }
    }

    #[test]
    fn a_file_that_git_gave_back_is_told_by_its_commit() {
        let old = "module \"a_2\" {}\nmodule \"a_1\" {}\n";
        let committed = record("module \"a_2\" {}\nmodule \"a_1\" {}", "module \"a\" {}");
        let newer = record("module \"a_3\" {}\nmodule \"a_1\" {}", "module \"a\" { }");
        let tell = |now: &'static str, in_commit: &'static str, record: &Record| {
            let read_commit = |_: &Path| Some(in_commit.to_owned());
            let commit = Committed { record: committed.clone(), read: &read_commit };
            add_committed(Some(record.clone()), &commit, &|_| Some(now.to_owned())).unwrap()
        };
        assert_eq!(tell(old, old, &newer).files, committed.files);
        assert!(tell(old, old, &newer).is_local);
        let converted = "module \"a_2\" {}\r\nmodule \"a_1\" {}\r\n";
        assert_eq!(tell(converted, old, &newer).files, committed.files);
        let edited = "module \"a_2\" {}\n";
        assert_eq!(tell(edited, old, &newer), newer, "somebody edited it");
        assert_eq!(tell(edited, edited, &newer), newer, "what was committed was edited");
        let now = "module \"a_3\" {}\nmodule \"a_1\" {}\n";
        assert_eq!(tell(now, now, &newer), newer, "the record here knows it");
    }
}
