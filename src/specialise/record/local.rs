//! What this machine wrote last, beside the record that Git tracks.
//!
//! `git restore`, `git stash` and `git checkout` take the record back with the files that Git tracks. A file that it doesn't track yet stays as
//! it was written, and the record that comes back says nothing of it: its original would be lost. So the last record also stands in a file that
//! Git ignores. In: both records, and the texts as they stand. Out: the tracked record with the entries of the other one for files that it
//! can't explain. Invariant: a file counts only where all that was written into it stands there, copies among it. Absent on purpose: what is
//! committed, which is the tracked record's alone.

use super::occurrences::names_in;
use super::{FileRecord, Record, restore, unslashed};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The file, relative to the working directory.
pub const FILE: &str = ".phi/local.json";

/// The list that has Git ignore it. It ignores itself, too: nothing that Git does takes one of both away.
pub const IGNORE: &str = ".phi/.gitignore";

/// What stands in the list: what a run has while it is at work, too. The records are to be committed: a list in the folder itself counts more than
/// a pattern such as `*.json` in one above.
pub const IGNORED: &str =
    "local.json\nephemeral.json\nlock\n.gitignore\n!provenance.json\n!history.jsonl\n!.gitattributes\n";

/// What earlier versions wrote into the list.
const IGNORED_BEFORE: [&str; 2] = [
    "local.json\n.gitignore\n",
    "local.json\n.gitignore\n!provenance.json\n!history.jsonl\n!.gitattributes\n",
];

/// Returns true if the list is as this version or an earlier one wrote it.
pub fn is_own_list(text: &[u8]) -> bool {
    text == IGNORED.as_bytes() || IGNORED_BEFORE.iter().any(|own| text == own.as_bytes())
}

/// Adds what the last record on this machine tells of files that the tracked one can't explain; `read` gives a file's text as it is now.
pub fn add_untracked(
    record: Option<Record>,
    local: Record,
    read: &dyn Fn(&Path) -> Option<String>,
) -> Option<Record> {
    let copies = names_of_copies(&local);
    let taken: Vec<FileRecord> = local
        .files
        .iter()
        .filter(|file| {
            !file.created && record.as_ref().and_then(|r| r.file(&unslashed(&file.path))) != Some(file)
        })
        .filter(|file| {
            let path = unslashed(&file.path);
            let Some(now) = read(&path) else { return false };
            let known = record.as_ref().and_then(|r| r.file(&path));
            let names_copy = |text: &str| names_in(text).any(|word| copies.contains(word));
            file.replaced.iter().any(|piece| names_copy(&piece.written))
                && restore::original(file, &now)
                    .is_ok_and(|original| original != now && !names_copy(&original))
                && known
                    .is_none_or(|known| tells_more(file, known) && restore::original(known, &now).is_err())
        })
        .cloned()
        .collect();
    // One that was edited counts, too: its edit is told where the record would only call it somebody's.
    let is_there = |file: &&FileRecord| read(&unslashed(&file.path)).is_some();
    let is_known =
        |file: &FileRecord| record.as_ref().is_some_and(|r| r.file(&unslashed(&file.path)).is_some());
    let created = local.files.iter().filter(|file| file.created && !is_known(file));
    // Copies that Git doesn't track yet stay, whatever it gives back.
    let created: Vec<FileRecord> = created.filter(is_there).cloned().collect();
    if taken.is_empty() && created.is_empty() {
        return record;
    }
    let mut all = record.unwrap_or_else(Record::empty);
    all.files.retain(|known| taken.iter().all(|file| file.path != known.path));
    let is_told_more = !taken.is_empty();
    all.files.extend(taken.into_iter().chain(created));
    if is_told_more {
        all.add_decisions(local);
    }
    all.is_local = true;
    Some(all)
}

/// Returns the names by which a specialised text tells itself: those of copies, and of the folders that were created for copies of modules.
fn names_of_copies(record: &Record) -> BTreeSet<String> {
    let last = |address: &str| address.rsplit('.').next().unwrap_or_default().to_owned();
    let units = record.units.iter().flat_map(|unit| &unit.addresses).map(|address| last(address));
    let sources: BTreeSet<PathBuf> =
        record.files.iter().filter(|file| !file.created).map(folder_of).collect();
    let folders = record.files.iter().filter(|file| file.created).map(folder_of);
    let folders = folders.filter(|folder| !sources.contains(folder));
    let names = folders.filter_map(|folder| Some(folder.file_name()?.to_str()?.to_owned()));
    units.chain(names).collect()
}

fn folder_of(file: &FileRecord) -> PathBuf {
    unslashed(&file.path).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Returns true if an entry has every original that another one has. One that is older may lack what was written since.
fn tells_more(file: &FileRecord, other: &FileRecord) -> bool {
    other.replaced.iter().all(|piece| file.replaced.iter().any(|own| own.original == piece.original))
}

#[cfg(test)]
mod tests {
    use super::super::{Replaced, UnitRecord};
    use super::*;

    fn file(path: &str, written: &str) -> FileRecord {
        let piece = Replaced { at: 0, written: written.into(), original: "module \"a\" {}".into() };
        FileRecord { path: path.into(), replaced: vec![piece], ..FileRecord::default() }
    }

    fn record(files: Vec<FileRecord>) -> Record {
        let unit = UnitRecord {
            original: "module.a".into(),
            addresses: vec!["module.a_2".into(), "module.a_1".into()],
            ..UnitRecord::default()
        };
        Record { files, units: vec![unit], ..Record::empty() }
    }

    const WRITTEN: &str = "module \"a_2\" {}\nmodule \"a_1\" {}";

    #[test]
    fn a_file_that_git_left_as_it_was_written_is_told_of() {
        let local = record(vec![file("new.tf", WRITTEN)]);
        let read = |text: &'static str| move |_: &Path| Some(text.to_owned());
        for tracked in [None, Some(Record::empty())] {
            let all =
                add_untracked(tracked, local.clone(), &read("# new\nmodule \"a_2\" {}\nmodule \"a_1\" {}\n"));
            let all = all.unwrap();
            assert_eq!((&all.files, &all.units, all.is_local), (&local.files, &local.units, true));
        }
        for other in ["module \"a\" {}\n", "module \"a_2\" {}\n", ""] {
            assert_eq!(add_untracked(None, local.clone(), &read(other)), None, "{other}");
        }
        // What names no copy may be anybody's.
        let literal = record(vec![file("new.tf", "x = 1")]);
        assert_eq!(add_untracked(None, literal, &read("x = 1\n")), None);
    }

    #[test]
    fn a_call_that_names_a_copy_of_its_module_is_told_of() {
        let (written, original) = ("./modules/db-split", "./modules/db");
        let piece = Replaced { at: 0, written: written.into(), original: original.into() };
        let call = FileRecord { path: "main.tf".into(), replaced: vec![piece], ..FileRecord::default() };
        let copy =
            FileRecord { path: "modules/db-split/main.tf".into(), created: true, ..FileRecord::default() };
        let read = |path: &Path| {
            (path == Path::new("main.tf"))
                .then(|| "module \"db\" {\n  source = \"./modules/db-split\"\n}\n".to_owned())
        };
        let all = add_untracked(None, record(vec![call.clone(), copy]), &read).unwrap();
        assert_eq!(all.files, std::slice::from_ref(&call));
        // Beside a source, a created file tells nothing of its folder.
        let beside =
            FileRecord { path: "modules/db-split/phi.json".into(), created: true, ..FileRecord::default() };
        let source = FileRecord { path: "modules/db-split/main.tf".into(), ..FileRecord::default() };
        assert_eq!(add_untracked(None, record(vec![call, beside, source]), &read), None);
    }

    #[test]
    fn what_the_tracked_record_explains_is_its_own() {
        let tracked = record(vec![file("main.tf", "module \"a_1\" {}")]);
        let local = record(vec![file("main.tf", WRITTEN)]);
        let read = |_: &Path| Some("module \"a_1\" {}\n".to_owned());
        assert_eq!(add_untracked(Some(tracked.clone()), local, &read), Some(tracked));
    }
}
