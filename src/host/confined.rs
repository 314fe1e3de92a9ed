//! One folder and what is below it, and nothing else.
//!
//! Whoever wrote a tree may have put links into it, and may change them while we work. So a path is not judged first and used
//! then: the operating system itself is asked to resolve it below the folder (`openat2`, by `cap-std`). In: absolute paths, as
//! everywhere. Invariant: nothing outside of the folder is opened, created, renamed or removed. Absent on purpose: which names a
//! tree may have; the transaction stage judges them.

use super::{EntryKind, Host, Machine, Mode, WriteHost, regular};
use cap_std::ambient_authority;
use cap_std::fs::{
    Dir, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _, Permissions, PermissionsExt as _,
};
use rustix::fs::RenameFlags;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A folder that can't be left.
#[derive(Debug)]
pub struct Confined {
    root: PathBuf,
    dir: Dir,
}

impl Confined {
    /// Opens a folder; links on the way to it are followed.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn open(root: &Path) -> io::Result<Confined> {
        let root = Machine.canonical(root)?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority())?;
        Ok(Confined { root, dir })
    }

    /// A path as the folder has it.
    fn below<'p>(&self, path: &'p Path) -> io::Result<&'p Path> {
        match path.strip_prefix(&self.root) {
            Ok(below) if below.as_os_str().is_empty() => Ok(Path::new(".")),
            Ok(below) => Ok(below),
            Err(_) if path.as_os_str().is_empty() => Ok(Path::new(".")),
            Err(_) if path.is_relative() => Ok(path),
            Err(_) => Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is outside of the folder")),
        }
    }

    /// Opens a folder right below this one; no link is followed. What is done there is done in that very folder, whatever takes its name.
    ///
    /// # Errors
    /// As the operating system gives them.
    pub fn folder(&self, name: &str) -> io::Result<Confined> {
        use rustix::fs::{Mode, OFlags};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let dir = rustix::fs::openat(&self.dir, name, flags, Mode::empty())?;
        Ok(Confined { root: self.root.join(name), dir: Dir::from_std_file(std::fs::File::from(dir)) })
    }

    /// Returns true if an open file is what stands at a path, no link followed.
    pub fn is_at(&self, file: &std::fs::File, path: &Path) -> bool {
        let found = self.below(path).and_then(|path| self.dir.symlink_metadata(path));
        let open = file.metadata();
        found.is_ok_and(|found| {
            open.is_ok_and(|open| {
                (found.dev(), found.ino())
                    == (
                        std::os::unix::fs::MetadataExt::dev(&open),
                        std::os::unix::fs::MetadataExt::ino(&open),
                    )
            })
        })
    }

    /// Opens a file for reading and writing that only this program uses; creates it where it isn't there. No link is followed.
    ///
    /// # Errors
    /// As the operating system gives them; where something else than a regular file stands there.
    pub fn own_file(&self, path: &Path) -> io::Result<std::fs::File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        options.custom_flags(flags(rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW));
        let file = self.dir.open_with(self.below(path)?, &options)?.into_std();
        if file.metadata()?.is_file() {
            return Ok(file);
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }

    /// Renames within folders that are opened as every path is: below this one.
    fn within_folders(&self, from: &Path, to: &Path, flags: RenameFlags) -> io::Result<()> {
        let open = |path| -> io::Result<(Dir, &Path)> {
            let path: &Path = self.below(path)?;
            let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
            let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            Ok((self.dir.open_dir(folder)?, Path::new(name)))
        };
        super::write::renamed(open(from)?, open(to)?, flags)
    }

    fn create(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<std::fs::File> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        options.mode(mode.bits());
        let file = self.dir.open_with(self.below(path)?, &options)?;
        if let Mode::Exactly(bits) = mode {
            file.set_permissions(Permissions::from_mode(bits))?;
        }
        let mut file = file.into_std();
        file.write_all(bytes)?;
        Ok(file)
    }
}

fn kind_of(found: &Metadata) -> EntryKind {
    match () {
        () if found.is_symlink() => EntryKind::Link,
        () if found.is_dir() => EntryKind::Dir,
        () if found.is_file() => EntryKind::File,
        () => EntryKind::Other,
    }
}

fn kind_of_type(found: cap_std::fs::FileType) -> EntryKind {
    match () {
        () if found.is_symlink() => EntryKind::Link,
        () if found.is_dir() => EntryKind::Dir,
        () if found.is_file() => EntryKind::File,
        () => EntryKind::Other,
    }
}

fn flags(flags: rustix::fs::OFlags) -> i32 {
    i32::try_from(flags.bits()).unwrap_or_default()
}

impl Host for Confined {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut options = OpenOptions::new();
        // A pipe would let the opening wait.
        options.read(true).custom_flags(flags(rustix::fs::OFlags::NONBLOCK));
        regular(self.dir.open_with(self.below(path)?, &options)?.into_std())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let mut entries = Vec::new();
        for entry in self.dir.read_dir(self.below(path)?)? {
            let entry = entry?;
            let kind = kind_of_type(entry.file_type()?);
            entries.push((entry.file_name().to_string_lossy().into_owned(), kind));
        }
        entries.sort_by(|a: &(String, EntryKind), b| a.0.cmp(&b.0));
        Ok(entries)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        // Nothing is opened: a pipe would let the opening wait.
        let found = self.dir.metadata(self.below(path).ok()?).ok()?;
        Some(kind_of(&found))
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.dir.read_link_contents(self.below(path).ok()?).ok()
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        Machine.canonical(&self.root.join(path))
    }

    fn env(&self, name: &str) -> Option<String> {
        Machine.env(name)
    }

    fn env_all(&self) -> BTreeMap<String, String> {
        Machine.env_all()
    }
}

impl WriteHost for Confined {
    fn entry(&self, path: &Path) -> io::Result<Option<EntryKind>> {
        match self.dir.symlink_metadata(self.below(path)?) {
            Ok(found) => Ok(Some(kind_of(&found))),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn mode(&self, path: &Path) -> io::Result<u32> {
        Ok(self.dir.metadata(self.below(path)?)?.permissions().mode() & 0o7777)
    }

    fn writable(&self, path: &Path) -> io::Result<()> {
        super::writable(&self.root.join(self.below(path)?))
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.dir.create_dir(self.below(path)?)
    }

    fn write_new(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<()> {
        self.create(path, bytes, mode)?.sync_all()
    }

    fn write_later(&self, path: &Path, bytes: &[u8], mode: Mode) -> io::Result<()> {
        self.create(path, bytes, mode).map(drop)
    }

    fn symlink(&self, to: &Path, at: &Path) -> io::Result<()> {
        self.dir.symlink(to, self.below(at)?)
    }

    fn sync_all<'p>(&self, paths: &[&'p Path]) -> Result<(), (&'p Path, io::Error)> {
        super::write::side_by_side(paths, &|path| self.sync_dir(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.dir.rename(self.below(from)?, &self.dir, self.below(to)?)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.within_folders(from, to, RenameFlags::NOREPLACE)
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        self.within_folders(one, other, RenameFlags::EXCHANGE)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.dir.remove_file(self.below(path)?)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.dir.remove_dir(self.below(path)?)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let file = self.dir.open(self.below(path)?)?.into_std();
        super::write::synced(&file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    #[allow(clippy::disallowed_methods)]
    fn links_lead_nowhere_else() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("root");
        std::fs::create_dir_all(root.join("in")).unwrap();
        std::fs::write(temp.path().join("secret"), "s").unwrap();
        symlink("../secret", root.join("out")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("in", root.join("down")).unwrap();
        let host = Confined::open(&root).unwrap();
        let at = |name: &str| host.root.join(name);
        for name in ["out", "up/secret", "../secret", "in/../../secret"] {
            assert!(host.read(&at(name)).is_err(), "{name}");
            assert!(host.own_file(&at(name)).is_err(), "{name}");
        }
        for name in ["up/new", "../new", "in/../../new"] {
            assert!(host.write_new(&at(name), b"x", Mode::DEFAULT).is_err(), "{name}");
            assert!(host.create_dir(&at(name)).is_err(), "{name}");
        }
        assert!(
            host.remove_file(&at("up/secret")).is_err() && host.rename(&at("up/secret"), &at("x")).is_err()
        );
        // A pipe is none that anything waits for, not through a link either.
        assert!(std::process::Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
        symlink("pipe", root.join("to_pipe")).unwrap();
        for name in ["pipe", "to_pipe"] {
            assert_eq!(host.kind(&at(name)), Some(EntryKind::Other));
            assert!(host.read(&at(name)).is_err());
        }
        // Inside, links lead where they lead.
        host.write_new(&at("down/new"), b"x", Mode::Exactly(0o600)).unwrap();
        assert_eq!(host.read(&at("in/new")).unwrap(), b"x");
        assert_eq!(host.mode(&at("in/new")).unwrap(), 0o600);
        assert!(host.own_file(&at("out")).is_err());
        assert_eq!(std::fs::read(temp.path().join("secret")).unwrap(), b"s");
    }
}
