//! Who wrote what a run left behind.
//!
//! A journal and a marker say what to rename, overwrite and delete. They may come with a clone, so they carry a seal: an HMAC over
//! the folder and the text, by a secret that only whoever runs this program has. In: a root and a text. Out: a seal. Invariant: a
//! tree that somebody else made has none that fits, nor has a copy of one's own tree elsewhere.

use crate::host;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The seal of a text in a folder whose path has no links; nothing where there is no place for a secret.
pub fn seal(root: &Path, text: &[u8]) -> Option<String> {
    Some(hex(&mac(root, text)?.finalize().into_bytes()))
}

/// Returns true if a seal is that of a text.
pub fn is_sealed(root: &Path, text: &[u8], seal: &str) -> bool {
    let Some(bytes) = unhex(seal) else { return false };
    mac(root, text).is_some_and(|mac| mac.verify_slice(&bytes).is_ok())
}

fn mac(root: &Path, text: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&host::secret().ok()?).ok()?;
    mac.update(root.as_os_str().as_bytes());
    mac.update(&[0]);
    mac.update(text);
    Some(mac)
}

/// Returns the digits of bytes.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(2) || text.is_empty() {
        return None;
    }
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok()).collect()
}
