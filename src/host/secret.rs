//! A secret of whoever runs this program, outside of every tree.
//!
//! Unfinished work of an earlier run is taken up only if its writer is known, since a clone may bring anything.
//! In: the environment. Out: 32 random bytes, the same for every run of one user on one machine. Invariant: it is in a file that
//! nobody else may read or have written. Absent on purpose: what is sealed with it.

use super::{Host as _, Machine};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// Its size in bytes.
pub const SIZE: usize = 32;

/// The secret; made at the first time.
///
/// # Errors
/// Returns an error if no folder is there for it, or it belongs to somebody else.
pub fn of_user() -> io::Result<[u8; SIZE]> {
    let dir = folder();
    make(&dir)?;
    let path = dir.join("key");
    match open(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        opened => return opened,
    }
    let mut new = [0; SIZE];
    getrandom::fill(&mut new)?;
    let draft = dir.join(format!("key.{}", std::process::id()));
    create(&draft, &new)?;
    // Whoever is first, all have the same.
    let linked = link(&draft, &path);
    remove(&draft);
    match linked {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(e),
        _ => open(&path),
    }
}

/// `$XDG_STATE_HOME/tf-phi`, else below the home folder; where there is none, a folder of the user's among the temporary ones.
fn folder() -> PathBuf {
    let absolute = |name: &str| Machine.env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    let user = rustix::process::geteuid().as_raw();
    state.map_or_else(|| std::env::temp_dir().join(format!("tf-phi-{user}")), |dir| dir.join("tf-phi"))
}

#[allow(clippy::disallowed_methods)]
fn make(dir: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    own(&std::fs::symlink_metadata(dir)?)
}

/// Checks that the file belongs to the user and that nobody else may write to it.
fn own(found: &std::fs::Metadata) -> io::Result<()> {
    let mine = found.uid() == rustix::process::geteuid().as_raw();
    let others = if found.is_dir() { 0o022 } else { 0o077 };
    if mine && found.mode() & others == 0 && !found.file_type().is_symlink() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write there"))
}

#[allow(clippy::disallowed_methods)]
fn open(path: &Path) -> io::Result<[u8; SIZE]> {
    let nofollow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let mut file = std::fs::OpenOptions::new().read(true).custom_flags(nofollow).open(path)?;
    own(&file.metadata()?)?;
    let mut bytes = [0; SIZE];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

#[allow(clippy::disallowed_methods)]
fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[allow(clippy::disallowed_methods)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::hard_link(from, to)
}

#[allow(clippy::disallowed_methods)]
fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}
