//! Compares the folders of deployments with the files that would be written now.

use super::folder::Folder;
use super::run::lowered;
use crate::host::Host as _;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::{Start, Stop};
use crate::stacks::folder;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A deployment's folder, and its files by their paths from the Stack's folder.
pub(in crate::ops) struct Deployed {
    folder: Folder,
    /// The wanted files; `None` for a file to delete.
    pub tree: BTreeMap<PathBuf, Option<String>>,
}

/// Returns the deployments that have a folder, with their wanted files.
///
/// # Errors
/// Returns an error for each part that a root module can't express, and for each file that somebody edited.
pub(in crate::ops) fn deployed(start: &Start, session: &mut Session) -> Result<Vec<Deployed>, Box<Stop>> {
    session.judge()?;
    let mut all = Vec::new();
    for deployment in session.config.deployments.clone() {
        let host = RootedHost::new(&start.dir)?;
        if host.kind(&folder(&deployment.name)).is_none() {
            continue;
        }
        let found = Folder::read(start, host, &deployment.name)?;
        let own = lowered(session, &deployment, &[])?;
        let tree = found.tree(&own, None, None).map_err(|issues| session.stopped(issues))?;
        let tree = found.changed(&tree);
        all.push(Deployed { folder: found, tree });
    }
    Ok(all)
}

impl Deployed {
    /// Writes the wanted files.
    ///
    /// # Errors
    /// Returns an error if a file can't be written.
    pub fn write(&mut self) -> Result<(), Box<Stop>> {
        self.folder.write(&self.tree).map(drop)
    }
}
