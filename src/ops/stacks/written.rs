//! What stands in the folders of deployments against what would be written now.

use super::folder::Folder;
use super::run::lowered;
use crate::host::Host as _;
use crate::ops::rooted::Rooted;
use crate::ops::session::Session;
use crate::ops::{Start, Stop};
use crate::stacks::folder;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A deployment's folder, and its files by their paths from the Stack's folder.
pub(in crate::ops) struct Deployed {
    folder: Folder,
    /// The files as they are to be, with those that go.
    pub tree: BTreeMap<PathBuf, Option<String>>,
}

/// The deployments that were written before, as they are to be now.
///
/// # Errors
/// What a root module can't express; files that somebody edited.
pub(in crate::ops) fn deployed(start: &Start, session: &mut Session) -> Result<Vec<Deployed>, Box<Stop>> {
    if session.is_blocked() {
        return Err(session.take_stop());
    }
    let mut all = Vec::new();
    for deployment in session.config.deployments.clone() {
        let host = Rooted::new(&start.dir)?;
        if host.kind(&folder(&deployment.name)).is_none() {
            continue;
        }
        let found = Folder::read(start, host, &deployment.name)?;
        let own = lowered(session, &deployment, &[])?;
        let tree = found.tree(&own, None, None);
        let stop = |issues| Box::new(Stop { issues, sources: session.config.sources.clone() });
        let tree = found.changed(&tree.map_err(stop)?);
        all.push(Deployed { folder: found, tree });
    }
    Ok(all)
}

impl Deployed {
    /// Writes what is to be.
    ///
    /// # Errors
    /// What can't be written.
    pub fn write(&mut self) -> Result<(), Box<Stop>> {
        self.folder.write(&self.tree).map(drop)
    }
}
