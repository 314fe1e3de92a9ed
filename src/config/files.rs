//! The files that functions may read: those that are part of the configuration.
//!
//! In: a host, the overlay, the folders of the loaded modules. Invariant: nothing outside the working directory and the
//! modules' folders is read but what Git tracks, whatever the path says and wherever links lead; it is declined, never taken for missing.
//! So is what is no part of the configuration although it stands there: Terraform's data and this program's own.
//! Deliberately absent: the home directory, the version of Terraform.

use super::tracked::Tracked;
use super::{Config, Overlay, View, paths};
use crate::eval::template;
use crate::func::{Decode, FuncError, Surroundings, Work};
use crate::host::{EntryKind, Host};
use crate::syntax::{Expr, ParseError, parse_template};
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Names that change from run to run.
const OWN: [&str; 8] =
    [".terraform", ".phi", "phi.moved.tf", "phi.guard.tf", ".terraform.lock.hcl", ".git", ".hg", ".svn"];

/// Returns true for what stands in the working directory and is no part of the configuration: data of Terraform's, of this program's, and of
/// version control, where tokens stand.
fn is_own(path: &Path) -> bool {
    let own = |c: std::path::Component<'_>| {
        // Some file systems find them whatever their capitals.
        let name = c.as_os_str().to_string_lossy().to_lowercase();
        OWN.contains(&&*name) || name.contains(".tfstate")
    };
    // An installed module's own files stand below Terraform's data, and don't change from run to run.
    let installed = path.starts_with(".terraform/modules") && path.components().count() > 3;
    // That module's repository is none of them.
    let last = path.components().skip(if installed { 3 } else { 0 });
    last.into_iter().any(own)
}

/// The files of a configuration.
#[derive(Debug)]
pub struct Files<H> {
    host: H,
    overlay: Overlay,
    dirs: Vec<PathBuf>,
    /// The folders without links, once a file is asked for; most configurations ask for none.
    roots: OnceLock<BTreeSet<PathBuf>>,
    /// What Git tracks, once something outside of these folders is asked for.
    tracked: OnceLock<Tracked>,
    /// Results of earlier looks. A module that is called often, or traced under several assumptions, reads the same
    /// files.
    kept: Mutex<Kept>,
}

/// Files that were read and parsed, so that every answer is the same and nothing is read twice.
#[derive(Debug, Default)]
struct Kept {
    contents: BTreeMap<String, Vec<u8>>,
    /// Texts of files; nothing where one isn't UTF-8.
    texts: BTreeMap<String, Option<Value>>,
    kinds: BTreeMap<String, Option<EntryKind>>,
    templates: BTreeMap<Arc<str>, Result<Arc<Expr>, ParseError>>,
    /// The bytes of contents and templates.
    size: usize,
    /// Values of texts, by the function that decodes them.
    decoded: BTreeMap<&'static str, BTreeMap<Arc<str>, Value>>,
    /// The bytes of these values and texts.
    size_of_decoded: u64,
}

/// No more bytes are kept.
const MOST_KEPT: usize = 8 << 20;

/// No more bytes of decoded values are kept.
const MOST_DECODED: u64 = 64 << 20;

impl Kept {
    /// Returns true if so many bytes more may be kept; counts them.
    fn takes(&mut self, bytes: usize) -> bool {
        let fits = self.size + bytes <= MOST_KEPT;
        self.size += if fits { bytes } else { 0 };
        fits
    }

    /// Keeps the value of a text if there is room for both.
    fn keep_decoded(&mut self, function: &'static str, text: &Arc<str>, value: &Value) {
        let work = Work::default();
        let is_counted = work.count_new(value).is_ok();
        let size = self.size_of_decoded.saturating_add(work.bytes_made()).saturating_add(text.len() as u64);
        if is_counted && size <= MOST_DECODED {
            self.size_of_decoded = size;
            self.decoded.entry(function).or_default().insert(text.clone(), value.clone());
        }
    }
}

impl<H: Host> Files<H> {
    /// The files in the working directory of `host` and in the folders of a configuration's modules.
    pub fn new(host: H, overlay: Overlay, config: &Config) -> Files<H> {
        let dirs = config.modules.iter().map(|m| m.dir.clone()).chain([PathBuf::new()]).collect();
        Files {
            host,
            overlay,
            dirs,
            roots: OnceLock::new(),
            tracked: OnceLock::new(),
            kept: Mutex::default(),
        }
    }

    fn roots(&self) -> &BTreeSet<PathBuf> {
        let real = |d: &PathBuf| self.host.canonical(paths::or_dot(d)).ok();
        self.roots.get_or_init(|| self.dirs.iter().filter_map(real).collect())
    }

    /// Returns true if Git tracks the file at a path, or one below it: it is the same on every machine then.
    fn is_tracked(&self, path: &Path, real: &Path) -> bool {
        if path.is_absolute() || self.host.canonical(paths::or_dot(path)).is_err() {
            return false;
        }
        if self.host.tracks_everything() {
            return true;
        }
        let tracked = self.tracked();
        tracked.holds(self.view(), real) || tracked.holds_below(self.view(), real)
    }

    /// Returns true for a file or folder of a work tree that is no part of what Git tracks, where no such is to be seen.
    fn is_hidden(&self, path: &Path, real: &Path) -> bool {
        let is_there = self.host.canonical(paths::or_dot(path)).is_ok();
        let is_installed = path.starts_with(".terraform/modules");
        let is_untracked = || self.tracked().is_untracked(self.view(), real) && !self.is_tracked(path, real);
        self.host.hides_untracked() && is_there && !is_installed && is_untracked()
    }

    fn tracked(&self) -> &Tracked {
        self.tracked.get_or_init(|| {
            let root = self.host.canonical(Path::new(".")).unwrap_or_default();
            Tracked::around(self.view(), &root)
        })
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn view(&self) -> View<'_> {
        View { host: &self.host, overlay: &self.overlay }
    }

    /// Returns the kind of entry at a path that may be looked at.
    fn kind_inside(&self, path: &Path) -> Option<EntryKind> {
        let view = self.view();
        if self.overlay.contains_key(path) {
            return view.is_file(path).then_some(EntryKind::File);
        }
        let real = self.host.kind_inside(paths::or_dot(path));
        real.or_else(|| view.is_dir(path).then_some(EntryKind::Dir))
    }

    /// The cleaned path, where it may be looked at.
    fn inside(&self, path: &str) -> Result<PathBuf, String> {
        let path = paths::clean(Path::new(path));
        if is_own(&path) {
            return Err(format!("{} is no part of the configuration", path.display()));
        }
        let below = path.components().all(|c| matches!(c, std::path::Component::Normal(_)));
        // What isn't there yet is judged by the folder it would stand in.
        let real = path.ancestors().find_map(|p| self.host.canonical(paths::or_dot(p)).ok());
        match real {
            Some(real) if self.roots().iter().any(|r| real.starts_with(r) && (below || r.is_absolute())) => {
                // A link in the tree may lead to what is named by none.
                let within = |r: &PathBuf| real.strip_prefix(r).is_ok_and(|rest| !is_own(rest));
                match self.roots().iter().any(within) {
                    true if self.is_hidden(&path, &real) => Err(format!(
                        "Git doesn't track {}, and others may see what is read here",
                        path.display()
                    )),
                    true => Ok(path),
                    false => Err(format!("{} is no part of the configuration", path.display())),
                }
            }
            Some(real) if self.is_tracked(&path, &real) => Ok(path),
            _ => Err(format!("{} lies outside the configuration", path.display())),
        }
    }
}

impl<H: Host> Surroundings for Files<H> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if let Some(known) = self.kept().contents.get(path) {
            return Ok(known.clone());
        }
        let bytes = self.view().read(&self.inside(path)?).map_err(|e| e.to_string())?;
        let mut kept = self.kept();
        if kept.takes(bytes.len()) {
            kept.contents.insert(path.to_owned(), bytes.clone());
        }
        Ok(bytes)
    }

    fn read_text(&self, path: &str) -> Result<Option<Value>, String> {
        if let Some(known) = self.kept().texts.get(path) {
            return Ok(known.clone());
        }
        let text = String::from_utf8(self.read(path)?).ok().map(Value::string);
        let mut kept = self.kept();
        if kept.takes(text.as_ref().and_then(Value::as_str).map_or(0, str::len)) {
            kept.texts.insert(path.to_owned(), text.clone());
        }
        Ok(text)
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        if let Some(known) = self.kept().kinds.get(path) {
            return Ok(*known);
        }
        let found = self.kind_inside(&self.inside(path)?);
        // Names may have changed places meanwhile.
        self.inside(path)?;
        if self.host.is_outside(paths::or_dot(&paths::clean(Path::new(path)))) {
            return Err(format!("{path} lies outside the configuration"));
        }
        let mut kept = self.kept();
        if kept.takes(path.len()) {
            kept.kinds.insert(path.to_owned(), found);
        }
        Ok(found)
    }

    fn is_of_machine(&self, path: &str) -> bool {
        let named = match path.strip_prefix("~/") {
            Some(rest) => self.host.env("HOME").map(|home| Path::new(&home).join(rest)),
            None => Some(PathBuf::from(path)),
        };
        let Some(named) = named.filter(|named| named.is_absolute() && paths::clean(named) == *named) else {
            return false;
        };
        // These lead to wherever the process is.
        let is_own = ["/proc", "/dev"].iter().any(|dir| named.starts_with(dir));
        let top =
            self.tracked().top().map(Path::to_path_buf).or_else(|| self.host.canonical(Path::new(".")).ok());
        let real = named.ancestors().find_map(|dir| self.host.canonical(dir).ok());
        let lies_in_tree =
            |top: PathBuf| named.starts_with(&top) || real.is_some_and(|real| real.starts_with(&top));
        !is_own && top.is_some_and(|top| !lies_in_tree(top))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        let dir = self.inside(path)?;
        // What isn't tracked there may stand beside what is.
        let real = self.host.canonical(paths::or_dot(&dir)).ok();
        if !real.is_none_or(|real| self.roots().iter().any(|root| real.starts_with(root))) {
            return Err(format!("{} lies outside the configuration", dir.display()));
        }
        let mut names: BTreeSet<String> = match self.host.list(paths::or_dot(&dir)) {
            Ok(entries) => entries.into_iter().map(|(name, _)| name).collect(),
            Err(_) if self.view().is_dir(&dir) => BTreeSet::new(),
            Err(e) => return Err(e.to_string()),
        };
        let is_other = |name: &String| {
            let path = paths::join(&dir, name);
            let real = self.host.canonical(paths::or_dot(&path));
            !is_own(&path) && real.is_ok_and(|real| self.is_hidden(&path, &real))
        };
        if names.iter().any(is_other) {
            return Err(format!("{} holds files that Git doesn't track", paths::or_dot(&dir).display()));
        }
        for (path, text) in &self.overlay {
            let Ok(below) = path.strip_prefix(&dir) else { continue };
            let Some(first) = below.components().next() else { continue };
            let name = first.as_os_str().to_string_lossy().into_owned();
            match text {
                Some(_) => names.insert(name),
                None => below.components().count() == 1 && names.remove(&name),
            };
        }
        Ok(names.into_iter().collect())
    }

    fn render(&self, text: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        template::render(text, vars, files, self, work)
    }

    fn parsed(&self, template: &str) -> Result<Arc<Expr>, ParseError> {
        if let Some(known) = self.kept().templates.get(template) {
            return known.clone();
        }
        let parsed = parse_template(template).map(Arc::new);
        let mut kept = self.kept();
        if kept.takes(template.len()) {
            kept.templates.insert(template.into(), parsed.clone());
        }
        parsed
    }

    fn decoded(
        &self,
        function: &'static str,
        text: &Arc<str>,
        decode: Decode<'_>,
    ) -> Result<Value, FuncError> {
        if let Some(known) = self.kept().decoded.get(function).and_then(|texts| texts.get(text)) {
            return Ok(known.clone());
        }
        let value = decode(text)?;
        self.kept().keep_decoded(function, text, &value);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::memory::MemoryHost;

    fn files() -> Files<MemoryHost> {
        let host =
            MemoryHost::new([("a.txt", "a"), ("sub/b.txt", "b"), (".terraform/x", "x"), ("c.txt", "c")]);
        let overlay = Overlay::from([
            (PathBuf::from("a.txt"), Some("old".to_owned())),
            (PathBuf::from("c.txt"), None),
            (PathBuf::from("new/d.txt"), Some("d".to_owned())),
        ]);
        Files::new(host, overlay, &Config::default())
    }

    #[test]
    fn files_are_those_before_specialising() {
        let files = files();
        assert_eq!(files.read("./a.txt").unwrap(), b"old");
        assert_eq!(files.read_text("./a.txt"), Ok(Some(Value::string("old"))));
        assert_eq!(files.read_text("./a.txt"), Ok(Some(Value::string("old"))), "it is kept");
        assert_eq!(files.kind("c.txt"), Ok(None));
        assert_eq!(files.kind("sub"), Ok(Some(EntryKind::Dir)));
        assert_eq!(files.kind("new"), Ok(Some(EntryKind::Dir)));
        assert_eq!(files.list("new").unwrap(), ["d.txt"]);
        assert!(!files.list(".").unwrap().contains(&"c.txt".to_owned()));
    }

    #[test]
    fn what_is_no_part_of_a_configuration_is_none_in_any_capitals() {
        for path in
            [".git/config", ".GIT/config", "a/.Terraform/x", ".PHI/history.jsonl", "Terraform.TFState"]
        {
            assert!(is_own(Path::new(path)), "{path}");
        }
        for path in ["git/config", "a/.gitkeep", ".terraform/modules/m/x.txt", "main.tf"] {
            assert!(!is_own(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_was_decoded_is_kept_by_function_and_text() {
        let files = files();
        let calls = std::cell::Cell::new(0);
        let decode = |text: &str| {
            calls.set(calls.get() + 1);
            match text {
                "wrong" => Err(FuncError::new("wrong")),
                text => Ok(Value::object([("a", Value::string(text))])),
            }
        };
        let ask = |function, text: &str| files.decoded(function, &Arc::from(text), &decode).ok();
        assert_eq!(ask("jsondecode", "x"), ask("jsondecode", "x"));
        assert_eq!(calls.get(), 1);
        assert_ne!(ask("jsondecode", "y"), ask("yamldecode", "x"));
        assert_eq!(calls.get(), 3);
        assert_eq!((ask("jsondecode", "wrong"), ask("jsondecode", "wrong")), (None, None));
        assert_eq!(calls.get(), 5, "errors hang on the version, and aren't kept");
        let large = "x".repeat(MOST_DECODED as usize);
        ask("jsondecode", &large);
        ask("jsondecode", &large);
        assert_eq!(calls.get(), 7, "it has no room");
    }

    #[test]
    fn nothing_is_said_of_what_is_no_part_of_the_configuration() {
        let files = files();
        assert!(files.kind(".terraform/x").is_err());
        assert!(files.kind("/etc/passwd").is_err());
        assert!(files.kind("../outside").is_err());
        assert!(files.read("sub/../../outside").is_err());
    }
}
