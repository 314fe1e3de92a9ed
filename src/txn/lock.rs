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
        let host = confined(root)?;
        let root = canonical_root(&host, root)?;
        let path = root.join(PHI_DIR).join(FILE);
        has_phi(&host, &root)?;
        let start = Instant::now();
        // Another run may remove the file or the folder between two steps of this one.
        for _ in 0..100 {
            match Lock::attempt(&root) {
                Ok(Some(lock)) => return Ok(lock),
                Ok(None) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    if start.elapsed() >= GRACE {
                        return Err(locked(&path));
                    }
                    std::thread::sleep(GRACE / 20);
                }
                Err(e) => {
                    let _ = host.remove_dir(Path::new(PHI_DIR));
                    return Err(io_issue("lock", &path, &e));
                }
            }
        }
        Err(locked(&path))
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

#[allow(clippy::disallowed_methods)]
fn locked(path: &Path) -> Issue {
    let mut owner = String::new();
    let own = path.parent().and_then(Path::parent).and_then(|root| Confined::open(root).ok());
    if let Some(file) = own.and_then(|host| host.own_file(path).ok()) {
        let _ = file.take(32).read_to_string(&mut owner);
    }
    let who = match owner.trim().parse::<u32>() {
        Ok(pid) => format!("process {pid}"),
        Err(_) => "another process".to_owned(),
    };
    let summary = format!("{who} works in this directory");
    Issue::error(Code::Locked, summary, "Two runs at once would write the same files.")
        .in_path(path.display().to_string())
        .fix("Wait until it has ended, or end it, and run again.", "")
}
