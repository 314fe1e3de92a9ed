//! One command in many root modules, and one report of all.
//!
//! In: directories, and what is done in one. Out: what each gave, in their order, however many are worked on at a time. A directory
//! that can't be worked on is told of in the report, and the others are worked on all the same.

use super::{Asked, Chosen, at};
use crate::host::{capacity, threads};
use crate::ops::{DIFFERENT, DONE, FAILED, Outcome, Start, Stop};
use crate::report::Console;
use crate::report::progress::Progress;
use crate::report::roots::{Form, Part, print, print_one};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// The memory that an analysis may take, in bytes (measured: two at a time took 155 MiB at most, over the roots of a repository of
/// 800 files).
const MEMORY: u64 = 192 << 20;

/// Does something in each directory.
pub(in crate::ops) fn each<T: Send>(
    start: &Start,
    jobs: Option<usize>,
    dirs: &[PathBuf],
    what: &'static str,
    one: impl Fn(&Start, &Path) -> T + Sync,
) -> Vec<T> {
    let progress = Progress::counted_to_the_end(start.console, what, dirs.len());
    // One line of progress is enough.
    let quiet = Start { console: Console { watched: false, ..start.console }, ..start.clone() };
    threads::map_waiting(dirs, at_once(jobs, dirs.len()), |dir| {
        let made = one(&at(&quiet, dir), dir);
        progress.step();
        made
    })
}

fn at_once(asked: Option<usize>, roots: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let most = asked.unwrap_or(processors).min(roots).max(1);
    match (asked, capacity::free_memory()) {
        (None, Some(free)) => usize::try_from(free / MEMORY).unwrap_or(most).clamp(1, most),
        _ => most,
    }
}

/// The reports of the chosen directories.
pub(in crate::ops) struct Reports<T> {
    parts: Vec<Part>,
    /// The value made beside the report, if exactly one directory is chosen.
    only: Option<T>,
}

/// Does something in the directories that are meant. `one` gives a report, and what it was made from.
///
/// # Errors
/// A directory that isn't there; why the only one can't be worked on.
pub(in crate::ops) fn reports<T>(
    start: &Start,
    asked: &Asked,
    form: &Form,
    one: impl Fn(&Start, &Path) -> Result<(Part, T), Box<Stop>> + Sync,
) -> Result<Reports<T>, Box<Stop>> {
    Ok(match asked.chosen(start, &[])? {
        Chosen::One(dir) => {
            let (part, only) = one(&at(start, &dir), &dir)?;
            Reports { parts: vec![part], only: Some(only) }
        }
        Chosen::Many(dirs) => {
            let part = |start: &Start, dir: &Path| Ok(one(start, dir)?.0);
            Reports { parts: parts(start, asked, &dirs, form, part), only: None }
        }
    })
}

impl<T> Reports<T> {
    /// Prints one report: that of the only directory as it stands, or of all. The status is the worst.
    pub fn print(self, start: &Start, asked: &Asked, form: &Form) -> Outcome {
        let Some(only) = self.only else { return said(start, asked, form, &self.parts) };
        self.parts.iter().for_each(|part| print_one(start.console, part));
        // The process ends: taking large configurations apart would only take time.
        std::mem::forget(only);
        Ok(worst(self.parts.iter().map(|part| part.status)))
    }
}

/// Does something in each directory, and prints one report of all. The status is the worst: 1, then 3, then any other but 0.
pub(in crate::ops) fn printed(
    start: &Start,
    asked: &Asked,
    dirs: &[PathBuf],
    form: &Form,
    one: impl Fn(&Start, &Path) -> Result<Part, Box<Stop>> + Sync,
) -> Outcome {
    said(start, asked, form, &parts(start, asked, dirs, form, one))
}

fn parts(
    start: &Start,
    asked: &Asked,
    dirs: &[PathBuf],
    form: &Form,
    one: impl Fn(&Start, &Path) -> Result<Part, Box<Stop>> + Sync,
) -> Vec<Part> {
    each(start, asked.jobs, dirs, form.doing, |start, dir| {
        one(start, dir).unwrap_or_else(|stop| Part {
            status: FAILED,
            ..form.stopped(dir, stop.issues, stop.sources, start.console)
        })
    })
}

fn said(start: &Start, asked: &Asked, form: &Form, parts: &[Part]) -> Outcome {
    print(start.console, form, parts);
    if parts.is_empty() {
        start.note(&asked.none());
    }
    Ok(worst(parts.iter().map(|part| part.status)))
}

/// The status of several.
pub(in crate::ops) fn worst(all: impl IntoIterator<Item = u8>) -> u8 {
    let weight = |status: &u8| match *status {
        DONE => 0,
        // Terraform's own, of `-detailed-exitcode`.
        2 => 1,
        DIFFERENT => 2,
        FAILED => 4,
        _ => 3,
    };
    all.into_iter().max_by_key(weight).unwrap_or(DONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_status_counts() {
        assert_eq!(worst([]), 0);
        assert_eq!(worst([0, 3, 0]), 3);
        assert_eq!(worst([2, 0]), 2);
        assert_eq!(worst([2, 3, 130]), 130);
        assert_eq!(worst([0, 1, 130, 3]), 1);
    }

    #[test]
    fn jobs_are_as_many_as_are_asked_for() {
        assert_eq!(at_once(Some(3), 10), 3);
        assert_eq!(at_once(Some(30), 10), 10);
        assert_eq!(at_once(None, 0), 1);
    }
}
