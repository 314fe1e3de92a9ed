//! `phi.hcl`: what tf-phi itself is told.
//!
//! Input: the file beside the root module; none gives the defaults. Invariant: every name in it is one that is known
//! here or was checked by [`check`] against the configuration; unknown blocks and arguments are errors that name the
//! nearest valid one. Values are literals; nothing is evaluated. Absent on purpose: what any of it means.

mod added;
mod check;
mod contained;
mod decode;
mod editable;
mod form_factor;
mod embedded;
mod field;
mod reader;
mod services;
mod templates;
mod types;

pub use check::{OF_DEPLOYMENT, check};
pub use decode::may_be_setting;
pub use editable::{editable, is_named_to_edit, own_modules};
pub use embedded::{EMBEDDED, Embedded, FOLDER as EMBEDDED_FOLDER, embedded};
pub use form_factor::{Connectivity, Environment, Posture};
pub use templates::{Operator, Template, Templates, templates};

pub use types::{
    EnvironmentDecl, FieldDecl, FormFactor, Merge, PhiConfig, PinLabel, Placed, Service, Settings,
    Specialize, SplitAt, UniverseDecl,
};

use super::{View, load::folder, paths};
use crate::issue::{Code, Issue};
use crate::text::{SourceFile, Sources};
use std::path::Path;

/// Returns true if the `phi.hcl` in the root module's folder says that the tree is one for OpenTofu.
pub fn is_for_tofu(view: View<'_>, root: &Path) -> bool {
    read(view, root, &mut Sources::default()).0.settings.is_for_tofu()
}

/// Reads `phi.hcl` in the root module's folder.
pub fn read(view: View<'_>, root: &Path, sources: &mut Sources) -> (PhiConfig, Vec<Issue>) {
    let path = paths::join(root, "phi.hcl");
    if view.is_dir(&path) {
        let why = "It has to be a file; as it is, nothing would be specialised.";
        let issue = Issue::error(Code::Config, "phi.hcl is a folder", why).in_path(paths::shown(&path));
        return (PhiConfig::default(), vec![issue]);
    }
    // Whatever stands there but can't be read is an error: as if it weren't there, nothing would be specialised.
    let here = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    let stands = || view.host.list(here).is_ok_and(|all| all.iter().any(|(name, _)| name == "phi.hcl"));
    if !view.is_file(&path) && !stands() {
        return (PhiConfig::default(), Vec::new());
    }
    let text = match folder::text(view, &path) {
        Ok(text) => text,
        Err(issue) => return (PhiConfig::default(), vec![Issue { code: Code::Config, ..*issue }]),
    };
    let source = sources.add(SourceFile::new(&*path, text.as_str()));
    match folder::native(&text) {
        Ok(body) => {
            let (mut phi, mut issues) = decode::decode(source, &body);
            issues.extend(added::add(&mut phi, sources));
            (phi, issues)
        }
        Err(fault) => (PhiConfig { source: Some(source), ..PhiConfig::default() }, vec![fault.issue(source)]),
    }
}

#[cfg(test)]
mod tests;
