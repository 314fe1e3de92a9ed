//! One folder: which files count, their texts, their bodies.

use super::fault::Fault;
use crate::config::{FileEntry, View, json, outside, paths};
use crate::host::EntryKind;
use crate::issue::{Code, Issue};
use crate::syntax::{self, Body};
use crate::text::{SourceFile, Sources};
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files above this size are refused: what is made of them takes many times their size, and no configuration comes near.
const MAX_BYTES: usize = 16 << 20;

/// The number of bytes of configuration that are read in all; the same limit holds for variable files. A tree must
/// not fill the memory.
const MOST_BYTES: usize = 32 << 20;

/// Returns true if Terraform ignores a file: an editor's leftover, or a hidden file.
pub(in crate::config) fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

/// Suffixes of configuration files, with whether they are JSON, and with OpenTofu's own (OpenTofu 1.8, "Files and Directories"): of two
/// files that differ in that alone, it reads its own.
const SUFFIXES: [(&str, bool, &str); 2] = [(".tf", false, ".tofu"), (".tf.json", true, ".tofu.json")];

/// The name without its suffix, and whether it is JSON; nothing for other files. `tofu`: as OpenTofu reads a folder of these names.
fn stem<'n>(name: &'n str, tofu: bool, is_there: &dyn Fn(&str) -> bool) -> Option<(&'n str, bool)> {
    SUFFIXES.iter().find_map(|(suffix, json, own)| match name.strip_suffix(suffix) {
        Some(stem) => (!tofu || !is_there(&format!("{stem}{own}"))).then_some((stem, *json)),
        None => name.strip_suffix(own).filter(|_| tofu).map(|stem| (stem, *json)),
    })
}

/// Returns true if Terraform or OpenTofu reads a file of this name as configuration.
pub fn is_configuration_name(name: &str) -> bool {
    !is_ignored(name) && SUFFIXES.iter().any(|(all, _, own)| name.ends_with(all) || name.ends_with(own))
}

/// Returns true if only OpenTofu reads a file of this name.
pub fn is_tofus(name: &str) -> bool {
    !is_ignored(name) && SUFFIXES.iter().any(|(_, _, own)| name.ends_with(own))
}

/// A configuration file by name.
pub(super) struct Found {
    path: PathBuf,
    json: bool,
    is_override: bool,
    /// True if it is known to be a regular file.
    regular: bool,
}

/// The configuration files of a folder, as OpenTofu reads it or as Terraform does: primary ones by name, then overrides by name.
///
/// # Errors
/// Returns an error if the folder lies outside of the tree, or can't be listed.
pub(super) fn find(view: View<'_>, dir: &Path, tofu: bool) -> Result<Vec<Found>, Box<Issue>> {
    if view.host.is_outside(paths::or_dot(dir)) {
        return Err(Box::new(outside::folder(dir)));
    }
    let entries = view.entries(dir).map_err(|e| {
        let why = format!("Module directory {} does not exist or cannot be read: {e}.", paths::shown(dir));
        fault(dir, Code::Missing, "Failed to read module directory", why)
    })?;
    let mut found = Vec::new();
    for (name, regular) in &entries {
        let (name, regular) = (name.as_str(), *regular);
        if is_ignored(name) {
            continue;
        }
        if let Some((stem, json)) = stem(name, tofu, &|other| entries.contains_key(other)) {
            let is_override = stem == "override" || stem.ends_with("_override");
            let path = paths::join(dir, name);
            found.push(Found { path, json, is_override, regular });
        }
    }
    found.sort_by_key(|f| f.is_override);
    Ok(found)
}

/// A configuration file, read but not parsed.
pub(super) struct Read {
    json: bool,
    is_override: bool,
    file: Result<(SourceFile, Content), Box<Issue>>,
}

impl Read {
    /// Reads one file, where the others leave room for it.
    pub fn of(view: View<'_>, found: Found, room: &Room) -> Read {
        let Found { path, json, is_override, regular } = found;
        let text = if regular { decoded(view, &path, view.read(&path)) } else { text(view, &path) };
        let text = text.and_then(|text| if room.has(text.len()) { Ok(text) } else { Err(too_much(&path)) });
        let file = text.map(|text| {
            let file = SourceFile::new(path, text);
            let content = Content { hash: FxBuildHasher.hash_one(&file.text), json, text: file.text.clone() };
            (file, content)
        });
        Read { json, is_override, file }
    }

    /// All that its body depends on; nothing where it couldn't be read.
    pub fn content(&self) -> Option<&Content> {
        self.file.as_ref().ok().map(|(_, content)| content)
    }

    /// The same with what came of its content.
    pub fn with(self, body: Option<&Outcome>) -> Parsed {
        let Read { json, is_override, file } = self;
        let body = body.cloned().unwrap_or_else(|| Ok(Arc::default()));
        Parsed { json, is_override, outcome: file.map(|(file, _)| (file, body)) }
    }
}

/// A text and its syntax. Files often hold the same one, in modules that were copied or begin alike.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Content {
    /// The hash of the text, computed by all threads while files are read.
    hash: u64,
    json: bool,
    text: Arc<str>,
}

impl Hash for Content {
    fn hash<H: Hasher>(&self, to: &mut H) {
        self.hash.hash(to);
    }
}

impl Content {
    /// Parses it.
    pub fn parse(&self) -> Outcome {
        let read = if self.json { json::configuration } else { native };
        read(&self.text).map(Arc::new)
    }
}

/// A body, which files of the same content share, or why there is none.
pub(super) type Outcome = Result<Arc<Body>, Fault>;

/// A configuration file, read and parsed, that belongs to no configuration yet.
pub(super) struct Parsed {
    json: bool,
    is_override: bool,
    outcome: Result<(SourceFile, Outcome), Box<Issue>>,
}

impl Parsed {
    /// Returns the file's body, if it could be parsed.
    pub fn body(&self) -> Option<&Body> {
        self.outcome.as_ref().ok()?.1.as_deref().ok()
    }
}

/// The number of bytes of configuration that may still be read.
pub(super) struct Room(AtomicUsize);

impl Room {
    /// All there is.
    pub fn new() -> Room {
        Room(AtomicUsize::new(MOST_BYTES))
    }

    /// Takes so many off, where there are so many.
    fn has(&self, bytes: usize) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

fn too_much(path: &Path) -> Box<Issue> {
    let why = format!("No more than {} MiB of them are read.", MOST_BYTES >> 20);
    fault(path, Code::TooLarge, "All files together are too large", why)
}

/// The text of a file that is read after the configuration, where those before it leave room for it.
pub(in crate::config) fn with_room(
    text: String,
    path: &Path,
    sources: &Sources,
) -> Result<String, Box<Issue>> {
    if sources.bytes() + text.len() > 2 * MOST_BYTES { Err(too_much(path)) } else { Ok(text) }
}

/// Makes files part of a configuration.
pub(super) fn enter(parsed: Vec<Parsed>, sources: &mut Sources) -> (Vec<FileEntry>, Vec<Issue>) {
    let mut entries = Vec::new();
    let mut issues = Vec::new();
    for Parsed { json, is_override, outcome } in parsed {
        let (file, body) = match outcome {
            Ok(outcome) => outcome,
            Err(issue) => {
                issues.push(*issue);
                continue;
            }
        };
        let source = sources.add(file);
        let body = body.unwrap_or_else(|fault| {
            issues.push(fault.issue(source));
            Arc::default()
        });
        entries.push(FileEntry { source, body, json, is_override });
    }
    (entries, issues)
}

/// The body of a file in the native syntax.
pub(in crate::config) fn native(text: &str) -> Result<Body, Fault> {
    syntax::parse(text).map_err(|e| Fault {
        span: e.span,
        code: e.code,
        summary: "Syntax error".into(),
        detail: sentence(&e.message),
    })
}

fn fault(path: &Path, code: Code, summary: &str, why: String) -> Box<Issue> {
    Box::new(Issue::error(code, summary.to_owned(), why).in_path(paths::shown(path)))
}

/// A file's text, or why there is none: it isn't read where a link leads out of the tree.
pub(in crate::config) fn text(view: View<'_>, path: &Path) -> Result<String, Box<Issue>> {
    if !view.overlay.contains_key(path) && view.host.is_outside(path) {
        return Err(Box::new(outside::file(path)));
    }
    regular(view, path)?;
    decoded(view, path, view.read(path))
}

/// The same of a file that the user named, and not the tree.
pub(in crate::config) fn text_of_user(view: View<'_>, path: &Path) -> Result<String, Box<Issue>> {
    regular(view, path)?;
    decoded(view, path, view.read_named(path))
}

/// Of a pipe or a device there may be no end.
fn regular(view: View<'_>, path: &Path) -> Result<(), Box<Issue>> {
    if view.host.kind(path) == Some(EntryKind::Other) && !view.overlay.contains_key(path) {
        let why = "Only regular files are read as configuration.";
        return Err(fault(path, Code::Io, "Not a regular file", why.into()));
    }
    Ok(())
}

/// The text in what was read.
fn decoded(view: View<'_>, path: &Path, read: std::io::Result<Vec<u8>>) -> Result<String, Box<Issue>> {
    let fault = |code, summary: &str, why: String| fault(path, code, summary, why);
    let bytes = read.map_err(|e| {
        let gone = view.host.link(path).filter(|_| e.kind() == std::io::ErrorKind::NotFound);
        let why = match (path.to_string_lossy().contains(char::REPLACEMENT_CHARACTER), gone) {
            (true, _) => "The file's name is not UTF-8, so that it can't be told. Rename it.".to_owned(),
            (false, Some(to)) => format!("It is a link to {}, and nothing is there.", to.display()),
            (false, None) => format!("The file could not be read: {e}."),
        };
        fault(Code::Io, "Failed to read file", why)
    })?;
    if bytes.len() > MAX_BYTES {
        return Err(fault(
            Code::TooLarge,
            "File too large",
            "Files above 16 MiB are not read as configuration.".into(),
        ));
    }
    String::from_utf8(bytes).map_err(|e| {
        let line =
            e.as_bytes().iter().take(e.utf8_error().valid_up_to()).filter(|b| **b == b'\n').count() + 1;
        let mut issue = fault(
            Code::Unparsable,
            "Invalid character encoding",
            "All input files must be UTF-8 encoded.".into(),
        );
        issue.path = Some(format!("{}:{line}", paths::shown(path)));
        issue
    })
}

/// A parser's message as a sentence with a capital and a full stop.
pub(in crate::config) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let Some(first) = chars.next() else { return String::new() };
    let stop = if message.ends_with(['.', '!', '?']) { "" } else { "." };
    first.to_uppercase().chain(chars).chain(stop.chars()).collect()
}
