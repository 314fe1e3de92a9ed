//! Originals on record of files that this root module doesn't read.
//!
//! In: a session with its configuration. Out: an issue for each. A record comes with the tree, and could name the file of another root module, whose
//! text a run would then write. Invariant: a root module's record names files of its own folder, of its tests, of modules that it reads, and of
//! those that `phi.hcl` lets it edit, though nothing calls them any more. Absent on purpose: created files ([`super::own`]).

use super::session::Session;
use crate::config::{phi, test_files};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::{self, unslashed};
use crate::text::{one_line, shell_path};
use std::path::Path;

impl<H: Host + Clone> Session<H> {
    /// Returns an issue for each original on record of a file that isn't this root module's to write.
    pub(super) fn find_unread_originals(&self) -> Vec<Issue> {
        let files = self.record.iter().flat_map(|record| &record.files).filter(|file| !file.created);
        files
            .filter(|file| !self.is_own_folder(&unslashed(&file.path)))
            .map(|file| build_issue(&file.path))
            .collect()
    }

    fn is_own_folder(&self, file: &Path) -> bool {
        let folder = file.parent().unwrap_or(Path::new(""));
        folder.as_os_str().is_empty()
            || folder == Path::new(test_files::FOLDER)
            || self.config.modules.iter().any(|module| module.dir == folder)
            || phi::is_named_to_edit(&self.phi, folder)
    }
}

fn build_issue(file: &str) -> Issue {
    let why = "The record holds an original of it, and this root module doesn't read the file. It may be another root module's, so that it isn't written.";
    let shown = one_line(file).into_owned();
    let folder = Path::new(file).parent().unwrap_or(Path::new("")).to_string_lossy().into_owned();
    let edit = format!("settings {{\n  edit = [{}]\n}}", crate::value::hcl::quote(&folder));
    Issue::error(Code::Edited, format!("{shown} is on record and no part of this root module"), why)
        .in_path(record::FILE)
        .fix("See who wrote that into the record:", format!("git log -p -- {}", shell_path(record::FILE)))
        .fix("If it is a module that this root module called before, name it in `phi.hcl`:", edit)
}
