//! Groups root modules that may be worked on at the same time, where each is written.
//!
//! In: directories. Out: their numbers in groups; within a group one has to follow the other. A run writes below its own root module
//! alone: beside the modules that it calls there, or in place of them. So two get in each other's way only where both read a folder
//! that lies in one of them.

use super::folders::Folders;
use crate::host::{Host as _, Machine, threads};
use crate::issue::Issue;
use crate::ops::Start;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The groups, each in the order of the directories.
///
/// # Errors
/// A directory that can't be opened.
pub(in crate::ops) fn groups(start: &Start, dirs: &[PathBuf]) -> Result<Vec<Vec<usize>>, Issue> {
    // One folder for the data of all.
    if Machine.env("TF_DATA_DIR").is_some_and(|data| Path::new(&data).is_absolute()) {
        return Ok(vec![(0..dirs.len()).collect()]);
    }
    let read = |dir: &PathBuf| {
        let folders = Folders::of(&start.dir.join(dir))?;
        Ok((folders.host.root.clone(), folders.absolute()))
    };
    let all = threads::map(dirs.iter().collect(), read);
    Ok(grouped(&all.into_iter().collect::<Result<Vec<_>, Issue>>()?))
}

/// `roots`: the folder of each, and all that it reads.
fn grouped(roots: &[(PathBuf, BTreeSet<PathBuf>)]) -> Vec<Vec<usize>> {
    let mut readers: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
    for (at, (_, folders)) in roots.iter().enumerate() {
        folders.iter().for_each(|dir| readers.entry(dir).or_default().push(at));
    }
    let is_written = |dir: &Path, at: &usize| roots.get(*at).is_some_and(|(root, _)| dir.starts_with(root));
    readers.retain(|dir, all| all.len() > 1 && all.iter().any(|at| is_written(dir, at)));
    let mut left: BTreeSet<usize> = (0..roots.len()).collect();
    let mut out = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut group, mut next) = (vec![first], 0);
        while let Some((_, folders)) = group.get(next).and_then(|at| roots.get(*at)) {
            next += 1;
            // The readers of a folder are met by the first of them.
            let met = folders.iter().filter_map(|dir| readers.remove(dir.as_path())).flatten();
            group.extend(met.filter(|at| left.remove(at)));
        }
        group.sort_unstable();
        out.push(group);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_read_what_another_one_writes_follow_it() {
        let root = |dir: &str, reads: &[&str]| {
            let all = [&[dir], reads].concat();
            (PathBuf::from(dir), all.iter().map(PathBuf::from).collect())
        };
        let roots = [
            root("/r/live/a", &["/r/modules/db"]),
            root("/r", &["/r/modules/vpc"]),
            root("/r/live/b", &["/r/modules/db"]),
            root("/r/examples/x", &["/r", "/r/modules/vpc"]),
            root("/r/live/c", &["/r/live/a/inner"]),
            root("/r/modules/vpc", &[]),
        ];
        // A module that lies in none of its callers is written by none of them.
        assert_eq!(grouped(&roots), [vec![0], vec![1, 3, 5], vec![2], vec![4]]);
        let inner =
            [roots[0].clone(), root("/r/live/a/x", &["/r/live/a/inner"]), root("/q", &["/r/live/a/inner"])];
        assert_eq!(grouped(&inner), [vec![0], vec![1], vec![2]], "nobody reads what is written there");
        let owner = [root("/r/live/a", &["/r/live/a/inner"]), root("/q", &["/r/live/a/inner"])];
        assert_eq!(grouped(&owner), [vec![0, 1]]);
        assert_eq!(grouped(&[]), Vec::<Vec<usize>>::new());
    }
}
