//! Reading a file or a folder at a path without links, and nowhere else.
//!
//! A path is judged by where it leads, and until it is opened somebody may put a link in the place of a folder on the way. So the file is
//! opened name by name, and no link is followed: what is read stands at the very path that was judged.

use super::{EntryKind, regular};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// The bytes of a file at an absolute path that holds no links.
///
/// # Errors
/// As the operating system gives them; where a link stands on the way.
pub fn read(real: &Path) -> io::Result<Vec<u8>> {
    // A pipe would let the opening wait.
    let file = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let (parent, name) = parted(real)?;
    regular(File::from(openat(opened(parent)?, name, file, Mode::empty())?))
}

/// The entries of the folder at an absolute path that holds no links, sorted by name.
///
/// # Errors
/// As [`read`].
pub fn list(real: &Path) -> io::Result<Vec<(String, EntryKind)>> {
    let folder = opened(real)?;
    let mut entries = Vec::new();
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let kind = match entry.file_type() {
            // Some file systems don't say.
            FileType::Unknown => {
                FileType::from_raw_mode(statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode)
            }
            known => known,
        };
        entries.push((name.to_string_lossy().into_owned(), kind_of(kind)));
    }
    entries.sort_by(|a: &(String, EntryKind), b| a.0.cmp(&b.0));
    Ok(entries)
}

/// The kind of what stands at an absolute path that holds no links.
///
/// # Errors
/// As [`read`].
pub fn kind(real: &Path) -> io::Result<EntryKind> {
    let Ok((parent, name)) = parted(real) else { return Ok(EntryKind::Dir) };
    let found = statat(opened(parent)?, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(kind_of(FileType::from_raw_mode(found.st_mode)))
}

fn parted(real: &Path) -> io::Result<(&Path, &OsStr)> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    Ok((real.parent().ok_or_else(invalid)?, real.file_name().ok_or_else(invalid)?))
}

/// Opens a folder name by name.
fn opened(real: &Path) -> io::Result<OwnedFd> {
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(CWD, "/", folder, Mode::empty())?;
    let parts = real.strip_prefix("/").map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    for part in parts.components() {
        at = openat(&at, part.as_os_str(), folder, Mode::empty())?;
    }
    Ok(at)
}

fn kind_of(found: FileType) -> EntryKind {
    match found {
        FileType::RegularFile => EntryKind::File,
        FileType::Directory => EntryKind::Dir,
        FileType::Symlink => EntryKind::Link,
        _ => EntryKind::Other,
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn no_link_is_followed() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        std::fs::create_dir(top.join("in")).unwrap();
        std::fs::write(top.join("in/file"), "x").unwrap();
        symlink("in", top.join("folder")).unwrap();
        symlink("in/file", top.join("file")).unwrap();
        assert_eq!(read(&top.join("in/file")).unwrap(), b"x");
        for name in ["folder/file", "file", "gone", "in", "in/../in/file2"] {
            assert!(read(&top.join(name)).is_err(), "{name}");
        }
        let names: Vec<(String, EntryKind)> = list(&top).unwrap();
        let kinds = [("file", EntryKind::Link), ("folder", EntryKind::Link), ("in", EntryKind::Dir)];
        assert_eq!(names, kinds.map(|(name, kind)| (name.to_owned(), kind)));
        assert_eq!(list(&top.join("in")).unwrap(), [("file".to_owned(), EntryKind::File)]);
        assert!(list(&top.join("folder")).is_err() && list(&top.join("in/file")).is_err());
        assert_eq!(kind(&top.join("in/file")).unwrap(), EntryKind::File);
        assert_eq!(kind(&top.join("folder")).unwrap(), EntryKind::Link);
        assert!(kind(&top.join("folder/file")).is_err());
    }
}
