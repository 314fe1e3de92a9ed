//! Ends of lines that Git itself writes into a work tree.
//!
//! In: files whose contents are stored without `\r`. Out: those that a checkout has with `\r\n`, by the attributes in the index and the configuration.
//! Invariant: no list of attributes elsewhere counts. Absent on purpose: contents.

use super::Git;
use crate::issue::Issue;
use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The question for attributes.
const QUESTION: [&str; 8] =
    ["-c", "core.attributesFile=/dev/null", "check-attr", "--cached", "--stdin", "-z", "text", "eol"];

impl Git {
    /// Finds the files, of these by path in a work tree, that Git writes with `\r\n`.
    ///
    /// # Errors
    /// Returns an error if git can't be started.
    pub(super) fn find_written_with_returns(
        &self,
        store: &Path,
        files: &[PathBuf],
    ) -> Result<BTreeSet<PathBuf>, Issue> {
        let get = |name: &str| -> Result<String, Issue> {
            let value = self.ask(store, &["config", "--get", name], b"")?.unwrap_or_default();
            Ok(String::from_utf8_lossy(&value).trim().to_ascii_lowercase())
        };
        let auto = get("core.autocrlf")?;
        let is_auto = ["true", "yes", "on", "1"].contains(&&*auto);
        let is_usual = is_auto || (auto != "input" && get("core.eol")? == "crlf");
        let input: Vec<u8> =
            files.iter().flat_map(|file| [file.as_os_str().as_bytes(), b"\0"].concat()).collect();
        // Where it doesn't answer, nothing is known to be written so.
        let answer = self.ask(store, &QUESTION, &input)?.unwrap_or_default();
        let words: Vec<&[u8]> = answer.split(|byte| *byte == 0).collect();
        // Of each file both answers: its name, the attribute, the value.
        let answers = words.chunks_exact(6).filter_map(|six| Some((*six.get(2)?, *six.get(5)?)));
        let is_so = |(text, eol): (&[u8], &[u8])| match (text, eol) {
            (b"unset", _) => false,
            (_, b"crlf") => true,
            (_, b"lf") => false,
            (b"unspecified", _) => is_auto,
            (b"input", _) => false,
            _ => is_usual,
        };
        let found = files.iter().zip(answers).filter(|(_, answer)| is_so(*answer));
        Ok(found.map(|(file, _)| file.clone()).collect())
    }
}
