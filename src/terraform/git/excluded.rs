//! Which files Git leaves out of commits, and which line of which list says so.
//!
//! In: paths, of files that needn't be there. Out: those that Git excludes and doesn't track, with the line that decides. Invariants: Git itself is asked, so that every list
//! counts, those of this machine alone as well; of such a list nothing is handed on, neither its path nor a line: a repository's configuration may name any file. Absent on
//! purpose: what to do about it.

use super::{CHECK_IGNORE, Git, odd};
use crate::host::{Host as _, Machine};
use crate::issue::Issue;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

/// A file that Git excludes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excluded {
    /// Its path without links.
    pub file: PathBuf,
    /// The top of its work tree.
    pub top: PathBuf,
    /// The line of a list in the work tree that decides; nothing where a list of this machine alone does.
    pub by: Option<Line>,
    /// The folders on the way to it that are excluded themselves, outermost first.
    pub folders: Vec<PathBuf>,
}

/// A line of a `.gitignore`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line {
    /// The path of the list.
    pub list: PathBuf,
    /// The number of the line, from 1.
    pub number: u32,
    /// Its pattern.
    pub pattern: String,
}

impl Git {
    /// Finds those of these files that Git excludes. A file outside of every work tree isn't excluded.
    ///
    /// # Errors
    /// A repository that can't be asked.
    pub fn find_excluded(&self, files: &[PathBuf]) -> Result<Vec<Excluded>, Issue> {
        let mut by_top: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for file in files.iter().filter_map(|file| resolve_folders(file)) {
            if let Some(top) = find_top(&file) {
                by_top.entry(top).or_default().insert(file);
            }
        }
        let mut found = Vec::new();
        for (top, files) in by_top {
            found.extend(self.find_excluded_in(&top, files)?);
        }
        Ok(found)
    }

    fn find_excluded_in(&self, top: &Path, files: BTreeSet<PathBuf>) -> Result<Vec<Excluded>, Issue> {
        self.around(top)?;
        let ways: BTreeMap<PathBuf, Vec<PathBuf>> =
            files.into_iter().map(|file| (file.clone(), folders_on_way(top, &file))).collect();
        let folders: BTreeSet<&Path> = ways.values().flatten().map(PathBuf::as_path).collect();
        odd::judge_lists(folders.into_iter().chain([top]))?;
        let excluded = self.ask_excluded(top, &[], ways.keys().map(|file| (file.as_path(), "")))?;
        let folders =
            || ways.iter().filter(|(file, _)| excluded.contains_key(*file)).flat_map(|(_, way)| way);
        // In a folder that is excluded some files may be tracked. One that isn't there yet is one by its slash.
        let excluded_folders = match excluded.is_empty() {
            true => BTreeMap::new(),
            false => self.ask_excluded(top, &["--no-index"], folders().map(|dir| (dir.as_path(), "/")))?,
        };
        let describe = |(file, by): (PathBuf, Option<Line>)| {
            let way = ways.get(&file).into_iter().flatten();
            let folders = way.filter(|folder| excluded_folders.contains_key(*folder)).cloned().collect();
            Excluded { file, top: top.to_owned(), by, folders }
        };
        Ok(excluded.into_iter().map(describe).collect())
    }

    /// Asks which of these paths are excluded, each with what stands behind it, and by which lines.
    fn ask_excluded<'p>(
        &self,
        top: &Path,
        options: &[&str],
        paths: impl Iterator<Item = (&'p Path, &'p str)>,
    ) -> Result<BTreeMap<PathBuf, Option<Line>>, Issue> {
        let mut input = Vec::new();
        for (path, end) in paths {
            let below = path.strip_prefix(top).unwrap_or(path).as_os_str().as_bytes();
            // No name is more than a name.
            input.extend([b"./", below, end.as_bytes(), b"\0"].concat());
        }
        let words = [&[CHECK_IGNORE, "--verbose", "-z", "--stdin"], options].concat();
        let summary = || format!("what is ignored in {} can't be listed", top.display());
        let answer = self.ask(top, &words, &input)?.map_err(|refusal| refusal.issue(summary(), top))?;
        Ok(read_answer(top, &answer))
    }
}

/// Reads what is excluded, and by which line, if a list in the work tree has it. Git names the lines that take a path in again, too.
fn read_answer(top: &Path, answer: &[u8]) -> BTreeMap<PathBuf, Option<Line>> {
    let fields: Vec<&[u8]> = answer.split(|byte| *byte == 0).collect();
    let mut found = BTreeMap::new();
    for fields in fields.chunks_exact(4) {
        let [list, number, pattern, path] = fields else { continue };
        if pattern.is_empty() || pattern.starts_with(b"!") {
            continue;
        }
        let list = Path::new(OsStr::from_bytes(list));
        let is_plain = list.components().all(|part| matches!(part, Component::Normal(_)));
        let is_of_tree = is_plain && list.file_name() == Some(OsStr::new(".gitignore"));
        let line = is_of_tree.then(|| Line {
            list: top.join(list),
            number: String::from_utf8_lossy(number).parse().unwrap_or_default(),
            pattern: String::from_utf8_lossy(pattern).into_owned(),
        });
        let path = path.strip_prefix(b"./").unwrap_or(path);
        let path = path.strip_suffix(b"/").unwrap_or(path);
        found.insert(top.join(PathBuf::from(OsString::from_vec(path.to_vec()))), line);
    }
    found
}

/// Returns a path without links in its folders, as far as these are there.
fn resolve_folders(file: &Path) -> Option<PathBuf> {
    let mut folders = file.ancestors().skip(1);
    let (there, real) = folders.find_map(|dir| Some((dir, Machine.canonical(dir).ok()?)))?;
    Some(real.join(file.strip_prefix(there).ok()?))
}

fn find_top(file: &Path) -> Option<PathBuf> {
    let mut folders = file.ancestors().skip(1);
    folders.find(|dir| Machine.kind(&dir.join(".git")).is_some()).map(Path::to_owned)
}

/// Returns the folders between the top of a work tree and a file, outermost first.
fn folders_on_way(top: &Path, file: &Path) -> Vec<PathBuf> {
    let folders = file.ancestors().skip(1).take_while(|dir| *dir != top);
    let mut folders: Vec<PathBuf> = folders.map(Path::to_owned).collect();
    folders.reverse();
    folders
}
