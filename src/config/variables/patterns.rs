//! The files that patterns match.
//!
//! In: patterns relative to the root module. Out: the files, and for each pattern how many it matches or why it is none.
//! Invariant: a folder is walked once for all patterns that begin with it.

use crate::config::{View, paths};
use crate::host::EntryKind;
use globset::{ErrorKind, Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders are searched no deeper than this below the fixed part of a pattern.
const MAX_DEPTH: usize = 16;
/// No more files than this are taken for one pattern.
const MAX_FILES: usize = 1_000;
/// No path has more bytes than this.
const LONGEST: usize = 4_096;

/// The characters that stand for others in a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// The files that patterns match.
#[derive(Debug, Default)]
pub(super) struct Matched {
    /// The files.
    pub files: BTreeSet<PathBuf>,
    /// For each pattern, the number of files that it matches, or why it isn't a pattern.
    pub counts: Vec<Result<usize, String>>,
}

/// The folder that a pattern is within, or the file that it names.
pub(super) fn fixed(root: &Path, pattern: &str) -> PathBuf {
    let special = |c: &std::path::Component<'_>| c.as_os_str().to_string_lossy().contains(SPECIAL);
    paths::join(root, pattern).components().take_while(|c| !special(c)).collect()
}

/// The files that patterns match.
pub(super) fn matching(view: View<'_>, root: &Path, patterns: &[&str]) -> Matched {
    let mut found = Matched::default();
    let mut by_folder: BTreeMap<PathBuf, Vec<(usize, Glob)>> = BTreeMap::new();
    for (at, pattern) in patterns.iter().enumerate() {
        let count = match pattern.contains(SPECIAL) {
            true => compiled(root, pattern).map(|glob| {
                by_folder.entry(fixed(root, pattern)).or_default().push((at, glob));
                0
            }),
            false => Ok(usize::from(found.literal(view, paths::join(root, pattern)))),
        };
        found.counts.push(count);
    }
    for (folder, globs) in by_folder {
        found.walk(view, folder, &globs, patterns);
    }
    found
}

impl Matched {
    fn literal(&mut self, view: View<'_>, path: PathBuf) -> bool {
        let is_file = view.is_file(&path);
        if is_file {
            self.files.insert(path);
        }
        is_file
    }

    /// The files below a folder that some of its patterns match.
    fn walk(&mut self, view: View<'_>, folder: PathBuf, globs: &[(usize, Glob)], patterns: &[&str]) {
        let set = match set(globs.iter().map(|(_, glob)| glob)) {
            Ok(set) => set,
            Err(_) => {
                for (at, _) in globs {
                    self.fail(*at, "There are too many patterns, or they are too complicated.".to_owned());
                }
                return;
            }
        };
        let mut hits = Vec::new();
        let mut open = vec![(folder, 0)];
        while let Some((dir, depth)) = open.pop() {
            for name in view.files(&dir).unwrap_or_default() {
                let path = dir.join(name);
                set.matches_into(&path, &mut hits);
                for (at, _) in hits.iter().filter_map(|hit| globs.get(*hit)) {
                    self.hit(*at, patterns);
                }
                if !hits.is_empty() {
                    self.files.insert(path);
                }
            }
            if depth >= MAX_DEPTH || globs.iter().all(|(at, _)| matches!(self.counts.get(*at), Some(Err(_))))
            {
                continue;
            }
            for (name, kind) in view.host.list(paths::or_dot(&dir)).unwrap_or_default() {
                if kind == EntryKind::Dir && name != ".terraform" && name != ".git" {
                    open.push((dir.join(name), depth + 1));
                }
            }
        }
    }

    fn hit(&mut self, at: usize, patterns: &[&str]) {
        let Some(Ok(count)) = self.counts.get_mut(at) else { return };
        *count += 1;
        if *count > MAX_FILES {
            let pattern = patterns.get(at).copied().unwrap_or_default();
            self.fail(at, format!("\"{pattern}\" matches more than {MAX_FILES} files."));
        }
    }

    fn fail(&mut self, at: usize, why: String) {
        if let Some(count) = self.counts.get_mut(at) {
            *count = Err(why);
        }
    }
}

fn set<'g>(globs: impl Iterator<Item = &'g Glob>) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        set.add(glob.clone());
    }
    set.build()
}

fn compiled(root: &Path, pattern: &str) -> Result<Glob, String> {
    if pattern.len() > LONGEST {
        return Err(format!("A pattern has {} bytes, and no path has more than {LONGEST}.", pattern.len()));
    }
    let whole = paths::join(root, pattern);
    let glob = GlobBuilder::new(&whole.to_string_lossy()).literal_separator(true).build();
    // Only its expression tells whether a pattern can be searched for.
    glob.and_then(|glob| set(std::iter::once(&glob)).map(|_| glob)).map_err(|e| match e.kind() {
        // The expression that a pattern becomes is long, and none of the user's.
        ErrorKind::Regex(_) => format!("\"{pattern}\" is too complicated for a pattern."),
        kind => format!("\"{pattern}\" is not a pattern: {kind}."),
    })
}
