//! The record of a deployment's root module: the files that were written, and the addresses of its components.

use crate::issue::{Code, Issue};
use crate::text::shell_path;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The version of the format.
const FORMAT: &str = "1.0";

/// The record, beside the deployment's folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The version of the format.
    pub format_version: String,
    /// SHA-256 of each file, as it was written.
    pub files: BTreeMap<String, String>,
    /// The address of each component's instance in the Stack, by the names of the calls that lead to its module.
    pub instances: BTreeMap<String, String>,
}

impl Record {
    pub fn new() -> Record {
        Record { format_version: FORMAT.to_owned(), ..Record::default() }
    }

    /// Reads a record. Returns an empty one if `bytes` is `None`.
    ///
    /// # Errors
    /// Returns an error if the text isn't a record, or has the format of another version.
    pub fn read(bytes: Option<&[u8]>, path: &std::path::Path) -> Result<Record, Issue> {
        let Some(bytes) = bytes else { return Ok(Record::new()) };
        let fault = |why: String| {
            let shown = path.display().to_string();
            let issue = Issue::error(Code::Unparsable, "the record of a deployment can't be used", why)
                .in_path(shown.clone());
            issue.fix(
                "Remove it; the files beside it are then taken for yours:",
                format!("rm {}", shell_path(&shown)),
            )
        };
        let found: Record = serde_json::from_slice(bytes).map_err(|e| fault(format!("{e}.")))?;
        match found.format_version == FORMAT {
            true => Ok(found),
            false => Err(fault(format!(
                "It has the format {}; this program knows {FORMAT}.",
                found.format_version
            ))),
        }
    }

    pub fn text(&self) -> String {
        format!("{}\n", serde_json::to_string_pretty(self).unwrap_or_default())
    }

    /// Returns the addresses by the names of calls.
    pub fn known(&self) -> BTreeMap<Vec<String>, String> {
        let one = |(labels, address): (&String, &String)| {
            (labels.split('.').map(str::to_owned).collect(), address.clone())
        };
        self.instances.iter().map(one).collect()
    }

    /// Returns the paths of the recorded files.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.files.keys().map(PathBuf::from)
    }
}
