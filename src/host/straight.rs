//! Reading a file at a path without links, and nowhere else.
//!
//! A path is judged by where it leads, and until it is opened somebody may put a link in the place of a folder on the way. So the file is
//! opened name by name, and no link is followed: what is read stands at the very path that was judged.

use super::regular;
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::fs::File;
use std::io;
use std::path::Path;

/// The bytes of a file at an absolute path that holds no links.
///
/// # Errors
/// As the operating system gives them; where a link stands on the way.
pub fn read(real: &Path) -> io::Result<Vec<u8>> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let (parent, name) = (real.parent().ok_or_else(invalid)?, real.file_name().ok_or_else(invalid)?);
    let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(CWD, "/", folder, Mode::empty())?;
    for part in parent.strip_prefix("/").map_err(|_| invalid())?.components() {
        at = openat(&at, part.as_os_str(), folder, Mode::empty())?;
    }
    // A pipe would let the opening wait.
    let file = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    regular(File::from(openat(&at, name, file, Mode::empty())?))
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
    }
}
