//! The file that an ephemeral run writes with the tree, and removes with it: what stood there before.
//!
//! In: its bytes. Invariant: what no tf-phi of this user wrote in this folder isn't believed. Absent: writing it, and putting anything back.

use crate::txn;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file, relative to the working directory.
pub const MARKER: &str = ".phi/ephemeral.json";

/// What an ephemeral run found, and puts back.
#[derive(Clone, Serialize, Deserialize)]
pub struct Marker {
    pub format_version: String,
    pub files: Vec<Before>,
    /// Folders that were not there.
    pub dirs: Vec<String>,
    /// The seal over the rest, which shows that tf-phi wrote the marker.
    #[serde(default)]
    pub seal: String,
}

impl Marker {
    /// Reads the file's text.
    ///
    /// # Errors
    /// A sentence where it isn't one that this user's tf-phi wrote here.
    pub fn parse(root: &Path, bytes: &[u8]) -> Result<Marker, String> {
        let marker: Marker = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        match txn::is_sealed(root, &marker.unsealed(), &marker.seal) {
            true => Ok(marker),
            false => Err("it doesn't come from a run in this folder by this user".to_owned()),
        }
    }

    /// Returns the bytes that the seal covers.
    pub fn unsealed(&self) -> Vec<u8> {
        let bare = Marker { seal: String::new(), ..self.clone() };
        serde_json::to_vec(&bare).unwrap_or_default()
    }
}

/// One file as it was.
#[derive(Clone, Serialize, Deserialize)]
pub struct Before {
    pub path: String,
    /// Its text; nothing where there was no file.
    pub before: Option<String>,
    /// The hash of what was written; nothing where it was deleted.
    pub written: Option<String>,
    /// The target of the link that was there before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub link: Option<String>,
    /// The target of the link that was written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub linked: Option<String>,
}
