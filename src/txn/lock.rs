//! One run at a time in a working directory.
//!
//! The lock is the operating system's, on `.phi/lock`, so a run that was killed holds nothing. The file holds
//! the process id of its owner for the message. It goes when the lock is released, and `.phi` with it where
//! nothing else is in there.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use super::{PHI_DIR, canonical_root, confined, has_phi, io_issue};
use crate::host::{Confined, WriteHost as _};
use crate::issue::{Code, Issue};

pub(super) const FILE: &str = "lock";

/// A run that was killed while it started Terraform leaves a child that holds what it inherited until it becomes Terraform.
const GRACE: Duration = Duration::from_millis(500);

/// The lock on a working directory, held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// The very folder in which it was taken: another may take its name meanwhile.
    phi: Confined,
    root: Confined,
}

impl Lock {
    /// Takes the lock, or says who has it. Waits no longer than `GRACE`.
    ///
    /// # Errors
    /// [`Code::Locked`] where another run holds it, [`Code::Io`] where the directory can't be written.
    pub fn acquire(root: &Path) -> Result<Lock, Issue> {
        Lock::acquire_within(root, Duration::ZERO, &|_| {})
    }

    /// Takes the lock, or says who has it once `most` is over. Who has it is told when it isn't free within `GRACE`.
    ///
    /// # Errors
    /// As [`Lock::acquire`].
    pub fn acquire_within(root: &Path, most: Duration, tell: &dyn Fn(&str)) -> Result<Lock, Issue> {
        let host = confined(root)?;
        let root = canonical_root(&host, root)?;
        let path = root.join(PHI_DIR).join(FILE);
        has_phi(&host, &root)?;
        let start = Instant::now();
        let (mut vanished, mut is_told) = (0, false);
        // Another run may remove the file or the folder between two steps of this one.
        while vanished < 100 {
            match Lock::attempt(&root) {
                Ok(Some(lock)) => return Ok(lock),
                Ok(None) => vanished += 1,
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    let waited = start.elapsed();
                    if waited >= GRACE.max(most) {
                        return Err(locked(&path));
                    }
                    if waited >= GRACE && !is_told {
                        is_told = true;
                        tell(&owner_of(&path));
                    }
                    std::thread::sleep(if waited < GRACE { GRACE / 20 } else { GRACE / 5 });
                }
                Err(e) => {
                    let _ = host.remove_dir(Path::new(PHI_DIR));
                    return Err(io_issue("lock", &path, &e));
                }
            }
        }
        Err(locked(&path))
    }

    /// Returns true if a run that is alive has the lock. Nothing is created.
    pub fn is_held(root: &Path) -> bool {
        let open = || {
            let own = Confined::open(root).ok()?;
            own.entry(&Path::new(PHI_DIR).join(FILE)).ok()??;
            own.folder(PHI_DIR).ok()?.own_file(Path::new(FILE)).ok()
        };
        let is_taken = |file: File| match file.try_lock_shared() {
            Ok(()) => {
                let _ = file.unlock();
                false
            }
            Err(_) => true,
        };
        open().is_some_and(is_taken)
    }

    /// `None` where the file vanished under our hands.
    fn attempt(root: &Path) -> io::Result<Option<Lock>> {
        let root = Confined::open(root)?;
        match root.create_dir(Path::new(PHI_DIR)) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(e),
            _ => {}
        }
        let opened = root.folder(PHI_DIR).and_then(|phi| Ok((phi.own_file(Path::new(FILE))?, phi)));
        let (file, phi) = match opened {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        file.try_lock()?;
        // A lock on a file that its former owner has unlinked keeps nobody out.
        if !phi.is_at(&file, Path::new(FILE)) {
            return Ok(None);
        }
        let mut lock = Lock { file, phi, root };
        lock.sign()?;
        Ok(Some(lock))
    }

    fn sign(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{}", std::process::id())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while still held, so nobody can take the lock on a file that is about to go.
        let name = Path::new(FILE);
        if self.phi.is_at(&self.file, name) {
            let _ = self.phi.remove_file(name);
        }
        let _ = self.root.remove_dir(Path::new(PHI_DIR));
        let _ = self.file.unlock();
    }
}

/// Who has the lock, for people.
#[allow(clippy::disallowed_methods)]
fn owner_of(path: &Path) -> String {
    let mut owner = String::new();
    let own = path.parent().and_then(Path::parent).and_then(|root| Confined::open(root).ok());
    if let Some(file) = own.and_then(|host| host.own_file(path).ok()) {
        let _ = file.take(32).read_to_string(&mut owner);
    }
    match owner.trim().parse::<u32>() {
        Ok(pid) => format!("process {pid}"),
        Err(_) => "another process".to_owned(),
    }
}

fn locked(path: &Path) -> Issue {
    let summary = format!("{} works in this directory", owner_of(path));
    Issue::error(Code::Locked, summary, "Two runs at once would write the same files.")
        .in_path(path.display().to_string())
        .fix("Wait until it has ended, or end it, and run again.", "")
        .fix("Or let `init`, `plan` and `apply` wait for it themselves:", "-lock-timeout=5m")
}
