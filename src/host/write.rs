//! The writing half: the primitive steps of a transaction, each of which either happens or does not.
//!
//! A test brings a host that fails, or stops doing anything, at the n-th step. Deliberately absent: any step
//! that overwrites or truncates a file in place, because no order of such steps survives a crash.

use rustix::fs::RenameFlags;
use rustix::io::Errno;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::{EntryKind, Host};

/// The permission bits of a file that is created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// These, less what the process's umask takes.
    AtMost(u32),
    /// Just these, as another file has them.
    Exactly(u32),
}

impl Mode {
    /// The permissions of files for which nothing else is said.
    pub const DEFAULT: Mode = Mode::AtMost(0o666);

    /// The bits that a file is created with: at no moment may more people read it than in the end.
    pub(super) fn bits(self) -> u32 {
        match self {
            Mode::AtMost(bits) | Mode::Exactly(bits) => bits,
        }
    }
}

/// The steps that change a tree. Called by the transaction stage alone.
///
/// Every error is as the operating system gives it.
pub trait WriteHost: Host {
    /// Returns the kind of entry at a path, without following links; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the question can't be answered (a folder that can't be searched, for one).
    fn entry(&self, path: &Path) -> io::Result<Option<EntryKind>>;

    /// The permission bits of what stands at a path, links followed.
    ///
    /// # Errors
    /// Returns an error if nothing stands there, or it can't be asked.
    fn mode(&self, path: &Path) -> io::Result<u32>;

    /// Fails where this process may not write to the file or folder, or where its mode says read-only.
    ///
    /// Renaming over a file needs no permission on the file itself, so a read-only file has to be asked.
    ///
    /// # Errors
    /// [`io::ErrorKind::PermissionDenied`] or [`io::ErrorKind::ReadOnlyFilesystem`] where it is not writable.
    fn writable(&self, path: &Path) -> io::Result<()>;

    /// Creates one folder whose parent exists.
    ///
    /// # Errors
    /// Also where something stands there already.
    fn create_dir(&self, path: &Path) -> io::Result<()>;

    /// Creates a file that is not there yet, with these bytes and permission bits, and waits until they are on the disk. A crash
    /// may leave any prefix of the bytes.
    ///
    /// # Errors
    /// Also where something stands there already.
    fn write_new(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<()>;

    /// The same without waiting: only [`WriteHost::sync_all`] says that the bytes are on the disk.
    ///
    /// # Errors
    /// Also where something stands there already.
    fn write_later(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<()>;

    /// Creates a symbolic link where nothing stands; `to` counts from the link's folder. A crash leaves all of it or nothing.
    ///
    /// # Errors
    /// Also where something stands there already; [`io::ErrorKind::Unsupported`] or [`io::ErrorKind::PermissionDenied`] where the
    /// file system has no links.
    fn symlink(&self, to: &Path, at: &Path) -> io::Result<()>;

    /// Waits until files with their bytes, and folders with their entries, are on the disk; all of them at once, since
    /// one commit of the file system's own journal can serve many.
    ///
    /// # Errors
    /// The first failure with its path; others may be on the disk or not.
    fn sync_all<'p>(&self, paths: &[&'p Path]) -> Result<(), (&'p Path, io::Error)>;

    /// Renames a file or link, replacing a file at the destination. Atomic.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Renames a file or link to where nothing stands. Atomic.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] where something stands there.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Lets two files of one folder change names, so that what stood under either is not lost, whenever it came. Atomic.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`] where the file system can't.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;

    /// Removes a file or link.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    /// Also where it is not empty.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;

    /// Waits until the entries of a folder are on the disk.
    ///
    /// # Errors
    /// As the operating system gives them.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
}

/// Waits for all of them, several at a time.
pub(super) fn side_by_side<'p>(
    paths: &[&'p Path],
    sync: &(dyn Fn(&Path) -> io::Result<()> + Sync),
) -> Result<(), (&'p Path, io::Error)> {
    let each = |paths: &[&'p Path]| paths.iter().try_for_each(|p| sync(p).map_err(|e| (*p, e)));
    let size = paths.len().div_ceil(SYNCERS).max(1);
    let mut parts = paths.chunks(size);
    let own = parts.next().unwrap_or_default();
    std::thread::scope(|scope| {
        let spawn = |part| {
            let thread = std::thread::Builder::new().name("sync".to_owned());
            (part, thread.spawn_scoped(scope, move || each(part)).ok())
        };
        let others: Vec<_> = parts.map(spawn).collect();
        let mut done = each(own);
        for (part, thread) in others {
            // Where no thread could be had, or it came to grief, its part is done here.
            let other = thread.and_then(|t| t.join().ok()).unwrap_or_else(|| each(part));
            done = done.and(other);
        }
        done
    })
}

/// Waits until a file or folder is on the disk.
pub(super) fn synced(file: &fs::File) -> io::Result<()> {
    match file.sync_all() {
        // Some network file systems know no fsync of a folder; there the rename itself is synchronous.
        Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// `renameat2`. Some file systems don't know it; then it says so.
pub(super) fn renamed(
    from: (impl AsFd, &Path),
    to: (impl AsFd, &Path),
    flags: RenameFlags,
) -> io::Result<()> {
    rustix::fs::renameat_with(from.0, from.1, to.0, to.1, flags).map_err(told_by_rename)
}

/// What a rename with flags ends with. Linux and macOS say in different words that the file system doesn't know it.
fn told_by_rename(error: Errno) -> io::Error {
    // Two of them are one number on Linux.
    let unknown = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&error);
    if unknown { io::Error::from(io::ErrorKind::Unsupported) } else { io::Error::from(error) }
}

/// The number of threads that wait for the disk at the same time.
const SYNCERS: usize = 8;

/// Returns the permission bits of what stands at a path, links followed.
///
/// # Errors
/// Returns an error if nothing stands there, or it can't be asked.
#[allow(clippy::disallowed_methods)]
pub fn mode(path: &Path) -> io::Result<u32> {
    Ok(fs::metadata(path)?.permissions().mode() & 0o7777)
}

/// Fails where this process may not write to a file or folder, or where its mode says read-only.
///
/// # Errors
/// [`io::ErrorKind::PermissionDenied`] or [`io::ErrorKind::ReadOnlyFilesystem`] where it is not writable.
pub fn writable(path: &Path) -> io::Result<()> {
    // The superuser may write anywhere; a mode without any write bit is still a wish to be respected.
    if mode(path)? & 0o222 == 0 {
        return Err(io::Error::from(io::ErrorKind::PermissionDenied));
    }
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).map_err(io::Error::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames_that_a_file_system_does_not_know_are_told_apart_from_those_that_fail() {
        for error in [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP] {
            assert_eq!(told_by_rename(error).kind(), io::ErrorKind::Unsupported, "{error}");
        }
        assert_eq!(told_by_rename(Errno::ACCESS).kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(told_by_rename(Errno::EXIST).kind(), io::ErrorKind::AlreadyExists);
    }
}
