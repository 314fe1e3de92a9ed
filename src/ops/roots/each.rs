//! One command in many root modules, and one report of all.
//!
//! In: directories, and what is done in one. Out: what each gave, in their order, however many are worked on at a time. A directory
//! that can't be worked on is told of in the report, and the others are worked on all the same.

use super::{Asked, Chosen, at};
use crate::config::variables::VarArg;
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
    let console = Console { watched: false, ..start.console };
    let quiet = Start { console, roots_of_run: dirs.len(), ..start.clone() };
    threads::map_waiting(dirs, at_once(jobs, dirs.len(), || MEMORY), |dir| {
        let made = one(&at(&quiet, dir), dir);
        progress.step();
        made
    })
}

/// Returns the number of things to do at a time: as asked, else as many as there are processors, and memory for, of which each may
/// take so much.
pub(in crate::ops) fn at_once(asked: Option<usize>, count: usize, each: impl FnOnce() -> u64) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let most = asked.unwrap_or(processors).min(count).max(1);
    if asked.is_some() || most < 2 { most } else { fitting(most, each(), capacity::free_memory()) }
}

/// Returns how many fit into the free memory, at least one.
fn fitting(most: usize, each: u64, free: Option<u64>) -> usize {
    let fit = free.map_or(most, |free| usize::try_from(free / each.max(1)).unwrap_or(most));
    fit.min(most).max(1)
}

/// The reports of the chosen directories.
pub(in crate::ops) struct Reports<T> {
    parts: Vec<Part>,
    /// The value made beside the report, if exactly one directory is chosen.
    only: Option<T>,
}

/// Does something in the directories that are meant. `vars`: the run's own arguments. `one` gives a report, and what it was made from.
///
/// # Errors
/// A directory that isn't there; why the only one can't be worked on.
pub(in crate::ops) fn reports<T>(
    start: &Start,
    asked: &Asked,
    vars: &[VarArg],
    form: &Form,
    one: impl Fn(&Start, &Path) -> Result<(Part, T), Box<Stop>> + Sync,
) -> Result<Reports<T>, Box<Stop>> {
    reports_of(start, asked, asked.chosen(start, vars)?, form, one)
}

/// The same in directories that are known.
///
/// # Errors
/// Why the only one can't be worked on.
pub(in crate::ops) fn reports_of<T>(
    start: &Start,
    asked: &Asked,
    chosen: Chosen,
    form: &Form,
    one: impl Fn(&Start, &Path) -> Result<(Part, T), Box<Stop>> + Sync,
) -> Result<Reports<T>, Box<Stop>> {
    Ok(match chosen {
        Chosen::One(dir) => {
            let (part, only) = one(&at(start, &dir), &dir)?;
            Reports { parts: vec![part], only: Some(only) }
        }
        Chosen::Many(dirs) => {
            let part = |start: &Start, dir: &Path| match one(start, dir) {
                Ok((part, _)) => part,
                Err(stop) => {
                    let Stop { issues, sources } = *stop;
                    Part { status: FAILED, ..form.stopped(dir, issues, sources, start.console) }
                }
            };
            Reports { parts: each(start, asked.jobs, &dirs, form.doing, part), only: None }
        }
    })
}

impl<T> Reports<T> {
    /// Adds what is told of directories in which nothing can be done.
    pub fn add(&mut self, parts: impl IntoIterator<Item = Part>) {
        self.parts.extend(parts);
    }

    /// Prints one report: that of the only directory as it stands, with what `more` says of it, or of all. The status is the worst.
    pub fn print(self, start: &Start, asked: &Asked, form: &Form, more: impl FnOnce(&T)) -> Outcome {
        match self.only {
            Some(only) => {
                self.parts.iter().for_each(|part| print_one(start.console, form, part));
                more(&only);
                // The process ends: taking large configurations apart would only take time.
                std::mem::forget(only);
            }
            None => {
                print(start.console, form, &self.parts);
                if self.parts.is_empty() {
                    start.note(&asked.none());
                }
            }
        }
        Ok(worst(self.parts.iter().map(|part| part.status)))
    }
}

/// The status of several: 1, then 3, then any other but 0.
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
        assert_eq!(at_once(Some(3), 10, || 1), 3);
        assert_eq!(at_once(Some(30), 10, || 1), 10);
        assert_eq!(at_once(None, 0, || 1), 1);
    }

    #[test]
    fn as_many_as_fit() {
        assert_eq!(fitting(8, 500, Some(1600)), 3);
        assert_eq!(fitting(2, 500, Some(1600)), 2);
        assert_eq!(fitting(8, 500, Some(100)), 1, "one is made all the same");
        assert_eq!(fitting(8, 500, None), 8, "nothing tells");
    }
}
