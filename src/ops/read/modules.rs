//! Terraform's list of installed modules, where the specialised tree and the original call something else by one name.
//!
//! A module that the specialised tree installs under a name of the original's takes the original's place in the list. What is remote
//! is kept aside then ([`ASIDE`]), so that the original can be read again, and when the originals are back the list says
//! again what they call. Where every new call is of a local module the list is written without Terraform: `terraform get`
//! would remove the folder of a remote module whose name now stands for another (measured). Invariant: nothing is downloaded
//! or installed here. The data folder may lie outside of the tree where whoever runs tf-phi says so (`TF_DATA_DIR`); then the
//! transaction is one of its own. Where a link in the tree leads there, nothing is written.

use crate::config::{ASIDE, Config, load};
use crate::host::Host as _;
use crate::issue::Issue;
use crate::ops::read::installable::installable;
use crate::ops::read::rooted_host::{RootedHost, confined};
use crate::ops::run::write::whole;
use crate::report::Console;
use crate::syntax::ExprKind;
use crate::terraform::init::{self, Call, Need};
use crate::trace::statics;
use crate::txn::{self, ChangeSet};
use std::path::{Path, PathBuf};

/// The folder of the list in a data folder: what a transaction calls its root, and the rest of the path. Nothing where the
/// list isn't tf-phi's to write: there is none, or a link in the tree leads to it.
fn place(host: &RootedHost, data: &Path) -> Option<(RootedHost, PathBuf)> {
    installable(host, data).ok()?;
    let folder = host.canonical(&data.join("modules")).ok()?;
    match folder.strip_prefix(&host.root) {
        Ok(below) => Some((host.clone(), below.to_path_buf())),
        Err(_) if init::is_data_dir_named(host) => Some((RootedHost::at(folder), PathBuf::new())),
        Err(_) => None,
    }
}

/// Its name there.
const LIST: &str = "modules.json";

/// The calls of a tree, with the folders of their modules.
pub fn calls(config: &Config) -> Vec<(Call, PathBuf)> {
    let mut calls = Vec::new();
    for (path, id) in &config.paths {
        for call in config.module(*id).iter().flat_map(|m| m.calls.values()) {
            let path = path.child(call.name.clone());
            let dir = config.at(&path).map(|m| m.dir.clone()).unwrap_or_default();
            let version = call.version.as_ref().and_then(|v| match &v.expr.kind {
                ExprKind::String(text) => Some(text.to_string()),
                _ => None,
            });
            let named = |s: &str| Call { key: path.dotted(), source: s.to_owned(), version };
            let call = call.source_text().map(named);
            calls.extend(call.map(|call| (call, dir)));
        }
    }
    calls
}

/// After an installation: adds what was listed before, under its own name or aside.
///
/// # Errors
/// A list that can't be written.
pub fn keep(host: &RootedHost, data: &Path, earlier: Option<&[u8]>) -> Result<(), Issue> {
    let (Some((host, folder)), Some(earlier)) = (place(host, data), earlier) else { return Ok(()) };
    let (list, aside) = (folder.join(LIST), folder.join(ASIDE));
    let Ok(now) = host.read(&list) else { return Ok(()) };
    let known = host.read(&aside).ok();
    let mut set = ChangeSet::new(&host.root);
    if let Some(all) = init::set_aside(earlier, &now, known.as_deref()) {
        set.write(&aside, all, known.as_deref());
    }
    if let Some(all) = init::with_earlier(earlier, &now) {
        set.write(&list, all, Some(&now));
    }
    if set.changes.is_empty() { Ok(()) } else { whole(|| txn::commit(&confined(&set.root)?, &set)).map(drop) }
}

/// Makes the list say again what the tree calls, as far as that needs no installation. Gives what is still needed.
///
/// # Errors
/// A list that can't be written.
pub fn settle(host: &RootedHost, data: &Path, calls: &[(Call, PathBuf)]) -> Result<Need, Issue> {
    let Ok(now) = host.read(&data.join("modules").join(LIST)) else { return Ok(Need::Nothing) };
    let place = place(host, data);
    let all = place.as_ref().and_then(|(host, folder)| {
        init::settled(&now, host.read(&folder.join(ASIDE)).ok().as_deref(), calls)
    });
    if let (Some((host, folder)), Some(all)) = (place, &all) {
        let mut set = ChangeSet::new(&host.root);
        set.write(folder.join(LIST), all.clone(), Some(&now));
        whole(|| txn::commit(&confined(&set.root)?, &set))?;
    }
    let calls: Vec<Call> = calls.iter().map(|(call, _)| call.clone()).collect();
    Ok(init::need(Some(all.as_deref().unwrap_or(&now)), &calls, false))
}

/// The same once the originals are back: what is still needed is said, and nothing that fails matters more than that.
pub fn settle_originals(root: &Path, console: Option<Console>) {
    let host = RootedHost::at(root.to_path_buf());
    let config = load(&host, Path::new("")).0;
    let calls = calls(&config);
    // There is no plan without tf-phi where Terraform rejects the originals.
    let console = console.filter(|_| statics(&config).is_empty());
    let needed = settle(&host, &init::data_dir(&host, Path::new("")), &calls);
    if let (Some(console), false) = (console, matches!(needed, Ok(Need::Nothing))) {
        console.note("Terraform's list of modules is that of the specialised tree; before a plan without tf-phi run: terraform init");
    }
}
