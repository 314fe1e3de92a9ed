//! A deployment's folder whose record of specialization is lost.
//!
//! Everything in the folder but the state and the history is written anew in each run. Without the record nobody can tell what of it was
//! specialised, so all of it has to go at once. In: the folder. Out: an issue with the command. Invariant: neither state nor history
//! is named in it. Absent on purpose: removing anything.

use super::folder::Folder;
use crate::host::{EntryKind, Host as _};
use crate::issue::{Code, Issue};
use crate::specialise::moves;
use crate::specialise::record::{self, history, slashed};
use crate::text::shell_word;
use std::path::{Path, PathBuf};

/// Where the copies of a deployment's modules are written.
const MODULES: &str = ".phi/modules";

/// Where Terraform notes which modules are installed: those of the copies are among them.
const INSTALLED: &str = ".terraform/modules/modules.json";

impl Folder {
    /// Returns an issue if what tf-phi specialised there stands without its record.
    pub fn find_lost_record(&self) -> Option<Issue> {
        let below = |path: &str| self.path.join(path);
        let stands = |path: &str| self.host.kind(&below(path)).is_some();
        let mut copies = Vec::new();
        self.collect_files(&below(MODULES), &mut copies);
        // `restore` leaves the way home there, and no record.
        let home = self.host.read(&below(moves::FILE)).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let led = stands(moves::FILE) && !home.is_some_and(|text| moves::is_way_home(&text));
        if self.is_specialised || (copies.is_empty() && !led) {
            return None;
        }
        let mut files = Vec::new();
        let here = self.host.list(&self.path).unwrap_or_default();
        let sources = here.into_iter().filter(|(name, _)| name.ends_with(".tf"));
        files.extend(sources.map(|(name, _)| self.path.join(name)));
        files.extend(copies);
        files.extend(Some(below(INSTALLED)).filter(|_| stands(INSTALLED)));
        let names: Vec<String> = files.iter().map(|path| shell_word(&slashed(path)).into_owned()).collect();
        let shown = slashed(&below(record::FILE));
        let why = format!(
            "tf-phi specialised {} and noted in this file what was written, and it is gone. All but the state and {} is written anew \
             in each run.",
            slashed(&self.path),
            history::FILE
        );
        let summary = "the record of what is specialised in a deployment is lost";
        let issue = Issue::error(Code::Edited, summary, why).in_path(shown);
        let issue = issue.fix("Bring the file back, from version control for example.", "");
        Some(
            issue.fix("Or have everything written anew; the state stays:", format!("rm {}", names.join(" "))),
        )
    }

    /// Adds all files below a folder.
    fn collect_files(&self, folder: &Path, out: &mut Vec<PathBuf>) {
        for (name, kind) in self.host.list(folder).unwrap_or_default() {
            let path = folder.join(name);
            match kind {
                EntryKind::Dir => self.collect_files(&path, out),
                _ => out.push(path),
            }
        }
    }
}
