//! The contents of a path, links not followed: a file with its bytes, or a symbolic link with its target.
//!
//! A transaction compares and puts back these. Of a link it never asks what stands behind: that is another path's.

use std::io;
use std::path::{Path, PathBuf};

use super::hash;
use crate::host::{EntryKind, WriteHost};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Held {
    File(Vec<u8>),
    Link(PathBuf),
}

impl Held {
    /// Reads the content of a path; `None` if there is nothing.
    pub(super) fn at(host: &dyn WriteHost, path: &Path) -> io::Result<Option<Held>> {
        Ok(match host.entry(path)? {
            None => None,
            Some(EntryKind::Link) => Some(Held::Link(
                host.link(path)
                    .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the link can't be read"))?,
            )),
            Some(_) => Some(Held::File(host.read(path)?)),
        })
    }

    /// Returns the hash by which a journal identifies it.
    pub(super) fn hash(&self) -> String {
        match self {
            Held::File(bytes) => hash(bytes),
            // A NUL stands in no path, and no file that is written begins like this.
            Held::Link(to) => hash(format!("link\0{}", to.display()).as_bytes()),
        }
    }
}
