//! A child that ends with this program, even where that is killed and can do nothing any more, and that takes no more than so much memory.
//!
//! On Linux the operating system sends a signal to a child whose parent is gone, where the child asked for it. Only the child can ask, so this
//! program is started once more: it asks, bounds itself, and becomes the program that is meant, which keeps both. In: a program and its
//! arguments. Elsewhere nothing is started in between: there git ends once it reads or writes a pipe, whose other end is closed then.
//! Absent on purpose: Terraform, which has to come to its own end, since it holds a lock and writes state.

use crate::host::{Host as _, Machine};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::OnceLock;

/// The first word of the command line that asks. No command has such a name.
const WORD: &str = "__ends-with-its-parent";

/// This program, whatever its file is called by now.
const OWN: &str = "/proc/self/exe";

/// The memory that a child may take for itself, in bytes.
#[cfg(target_os = "linux")]
const MOST_MEMORY: u64 = 2 << 30;

/// Set where this program understands [`WORD`].
static UNDERSTOOD: OnceLock<bool> = OnceLock::new();

/// The program and the arguments with which a child is started that ends with this one.
pub(super) fn words(program: &Path, args: &[OsString]) -> Option<(&'static Path, Vec<OsString>)> {
    if !cfg!(target_os = "linux") || UNDERSTOOD.get() != Some(&true) {
        return None;
    }
    let parent = OsString::from(std::process::id().to_string());
    let mut words = vec![WORD.into(), parent, program.as_os_str().to_owned()];
    words.extend_from_slice(args);
    Some((Path::new(OWN), words))
}

/// Becomes the program that the command line names, where it begins with `WORD`; gives the exit status where that can't be done.
pub fn become_child(words: &[OsString]) -> Option<u8> {
    let _ = UNDERSTOOD.set(Machine.kind(Path::new(OWN)).is_some());
    let [_, word, parent, program, args @ ..] = words else { return None };
    (word == WORD).then(|| replaced(parent, program, args))
}

#[cfg(target_os = "linux")]
#[allow(clippy::disallowed_methods)]
fn replaced(parent: &OsStr, program: &OsStr, args: &[OsString]) -> u8 {
    use rustix::process::{
        Resource, Rlimit, Signal, getppid, getrlimit, set_parent_process_death_signal, setrlimit,
    };
    use std::os::unix::process::CommandExt as _;
    /// As a shell says that a program can't be run.
    const CANNOT_RUN: u8 = 126;
    if set_parent_process_death_signal(Some(Signal::KILL)).is_err() {
        return CANNOT_RUN;
    }
    // What is its own alone: packs are read through windows onto files, which count for nothing.
    let own = getrlimit(Resource::Data);
    let within = |of: Option<u64>| Some(of.map_or(MOST_MEMORY, |of| of.min(MOST_MEMORY)));
    if setrlimit(Resource::Data, Rlimit { current: within(own.current), maximum: within(own.maximum) })
        .is_err()
    {
        return CANNOT_RUN;
    }
    // It may have been gone before it was asked for.
    let now = getppid().map(|pid| pid.as_raw_nonzero().to_string());
    if now.as_deref().map(OsStr::new) != Some(parent) {
        return CANNOT_RUN;
    }
    let _ = std::process::Command::new(program).args(args).exec();
    CANNOT_RUN
}

#[cfg(not(target_os = "linux"))]
fn replaced(_parent: &OsStr, _program: &OsStr, _args: &[OsString]) -> u8 {
    1
}
