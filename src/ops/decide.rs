//! What a decision needs of the machine, and what it changes there.

use super::session::Session;
use crate::config::variables::VarArg;
use crate::host::{Host as _, Machine, WriteHost as _};
use crate::issue::Issue;
use crate::pipeline;
use crate::specialise::record;
use crate::terraform::init::data_dir;
use crate::trace::Driven;
use crate::txn::ChangeSet;
use std::path::Path;

pub(super) use crate::pipeline::{Decided, Tree, assembled, remember, tree};

/// Decides what the working directory is to hold.
///
/// # Errors
/// Stack issues.
pub(super) fn decide(
    session: &mut Session,
    driven: &[Driven],
    vars: &[VarArg],
) -> Result<Decided, Vec<Issue>> {
    let workspace = workspace(session);
    pipeline::decide(session, driven, vars, &workspace)
}

/// The selected workspace: `TF_WORKSPACE`, or what Terraform has noted in its data folder.
pub(super) fn workspace(session: &Session) -> String {
    let host = &session.host;
    let named = host.env("TF_WORKSPACE").filter(|w| !w.is_empty());
    named.unwrap_or_else(|| {
        let noted = host.read(&data_dir(host, Path::new("")).join("environment")).ok();
        let noted = noted.and_then(|b| String::from_utf8(b).ok()).map(|t| t.trim().to_owned());
        noted.filter(|w| !w.is_empty()).unwrap_or_else(|| "default".to_owned())
    })
}

/// What copies and records may be read by at most: no more than may read the sources, whose text they hold.
fn widest(session: &Session) -> u32 {
    let sources = session.config.sources.iter().map(|(_, file)| session.host.root.join(&file.path));
    sources.filter_map(|path| Machine.mode(&path).ok()).fold(0o666, |widest, mode| widest & (mode | 0o600))
}

/// What has to be changed so that the tree becomes that.
pub(super) fn change_set(session: &Session, tree: &Tree) -> ChangeSet {
    let mut set = ChangeSet { widest: widest(session), ..ChangeSet::new(&session.host.root) };
    for (path, text) in tree {
        let now = session.host.read(path).ok();
        let now = match session.analysed(path) {
            // What is replaced are the very bytes that were analysed; the transaction stops where others stand there by now.
            Some(read) => Some(read.to_vec()),
            _ => now,
        };
        match (text, now) {
            (Some(text), Some(now)) if now == text.as_bytes() => {}
            (Some(text), now) => set.write(path, text.as_bytes(), now.as_deref()),
            (None, Some(now)) => set.delete(path, &now),
            (None, None) => {}
        }
    }
    let older = session.record.iter().flat_map(|r| &r.files).filter(|f| f.created);
    for file in older {
        let path = record::unslashed(&file.path);
        set.own_dirs
            .extend(path.ancestors().skip(1).filter(|d| !d.as_os_str().is_empty()).map(Path::to_path_buf));
    }
    set
}
