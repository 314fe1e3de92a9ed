//! `.terraform/modules/modules.json`: where `terraform init` put each called module.

use crate::config::module_source::is_local;
use crate::config::{View, paths};
use crate::issue::{Code, Issue};
use crate::text::shell_path;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// An installed module.
#[derive(Deserialize, Clone, Debug)]
pub(super) struct Entry {
    #[serde(rename = "Key")]
    key: String,
    #[serde(rename = "Source", default)]
    pub source: String,
    #[serde(rename = "Version", default)]
    pub version: Option<String>,
    #[serde(rename = "Dir", default)]
    pub dir: PathBuf,
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "Modules", default)]
    modules: Vec<Entry>,
}

impl Document {
    fn by_key(self) -> BTreeMap<String, Entry> {
        self.modules.into_iter().map(|e| (e.key.clone(), e)).collect()
    }
}

/// Installed modules by their path of call names, joined with dots as Terraform writes them.
#[derive(Default)]
pub(super) struct Manifest {
    /// The file, for messages.
    pub path: PathBuf,
    entries: BTreeMap<String, Entry>,
    /// Entries under names that mean something else in the specialised tree.
    aside: BTreeMap<String, Entry>,
}

/// The file of what the original's calls have installed where the specialised tree's have the same names, beside Terraform's own.
pub const ASIDE: &str = "tf-phi.json";

impl Manifest {
    /// Reads the manifest of the root module in `root`; empty where there is none yet.
    pub fn read(view: View<'_>, root: &Path) -> (Manifest, Option<Issue>) {
        let data_dir = view.host.env("TF_DATA_DIR").filter(|d| !d.is_empty());
        let data_dir = data_dir.unwrap_or_else(|| ".terraform".to_owned());
        let path = paths::join(root, Path::new(&data_dir).join("modules").join("modules.json"));
        let mut manifest = Manifest { path, entries: BTreeMap::new(), aside: BTreeMap::new() };
        // Without it Terraform is asked to install anew.
        let aside = view.read(&manifest.path.with_file_name(ASIDE)).ok();
        if let Some(document) = aside.and_then(|b| serde_json::from_slice::<Document>(&b).ok()) {
            manifest.aside = document.by_key();
        }
        let bytes = match view.read(&manifest.path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == ErrorKind::NotFound => return (manifest, None),
            Err(e) => {
                let issue = fault(view, &manifest, Code::Io, &e.to_string());
                return (manifest, Some(issue));
            }
        };
        match serde_json::from_slice::<Document>(&bytes) {
            Ok(document) => {
                manifest.entries = document.by_key();
                (manifest, None)
            }
            Err(e) => {
                let issue = fault(view, &manifest, Code::Environment, &e.to_string());
                (manifest, Some(issue))
            }
        }
    }

    /// Returns what Terraform's own list says of a path of calls.
    pub fn find_listed(&self, path: &crate::addr::ModulePath) -> Option<&Entry> {
        self.entries.get(&path.dotted())
    }

    /// Returns the installed module for a path of calls whose source is remote.
    pub fn get(&self, path: &crate::addr::ModulePath) -> Option<&Entry> {
        let key = path.dotted();
        let own = self.entries.get(&key);
        own.filter(|e| !is_local(&e.source)).or_else(|| self.aside.get(&key)).or(own)
    }
}

fn fault(view: View<'_>, manifest: &Manifest, code: Code, why: &str) -> Issue {
    let shown = paths::shown(&manifest.path);
    let issue = Issue::error(code, "The list of installed modules can't be read", format!("{why}."))
        .in_path(shown.clone());
    // Terraform would write through it.
    match view.host.link(&manifest.path) {
        Some(_) => issue.fix("Remove the link:", format!("rm {}", shell_path(&shown))),
        None => issue.fix("Write it anew:", "terraform init"),
    }
}
