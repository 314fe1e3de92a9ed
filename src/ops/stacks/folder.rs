//! The folder of a deployment's root module: reads it, compares it with the wanted files, and writes it.

use super::record::Record;
use super::stale;
use crate::config::is_configuration_name;
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::write;
use crate::ops::{Start, Stop, restore};
use crate::specialise::moves;
use crate::specialise::record::{self, hash, slashed};
use crate::stacks::{Lowered, folder};
use crate::text::{shell_path, shell_word};
use crate::txn::ChangeSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The text of `.gitignore` in a deployment's folder.
const IGNORED: &str = "# Written by tf-phi.\n.terraform/\n*.tfstate\n*.tfstate.*\n";

/// The file of `removed` blocks for objects that Terraform is to forget.
const RELEASED: &str = "phi_removed.tf";

/// The ends of variable files that Terraform reads by itself.
const VALUES: [&str; 2] = [".tfvars", ".tfvars.json"];

/// The names of the calls that lead to objects in state.
pub(super) type Held = BTreeSet<Vec<String>>;

/// A deployment's folder.
pub(super) struct Folder {
    /// The Stack's folder.
    pub host: RootedHost,
    /// The deployment's name.
    deployment: String,
    /// The path from the Stack's folder.
    pub path: PathBuf,
    /// The record of the last run.
    pub record: Record,
    /// The command's start in this folder.
    pub start: Start,
    /// Files as the last run wrote them, before specialization.
    originals: BTreeMap<PathBuf, String>,
    /// The files that specialization created there; nothing where nothing is specialised.
    specialised: BTreeSet<PathBuf>,
    pub(super) is_specialised: bool,
}

impl Folder {
    /// Reads the folder.
    ///
    /// # Errors
    /// Returns an error if the record can't be read, or if the original of a specialised file can't be found.
    pub fn read(start: &Start, host: RootedHost, deployment: &str) -> Result<Folder, Box<Stop>> {
        Folder::read_at(start, host, deployment, folder(deployment))
    }

    /// Reads the folder at a path.
    ///
    /// # Errors
    /// As [`Folder::read`].
    pub fn read_at(
        start: &Start,
        host: RootedHost,
        deployment: &str,
        path: PathBuf,
    ) -> Result<Folder, Box<Stop>> {
        let below = |dir: &Path| dir.join(&path);
        let start = Start {
            dir: below(&start.dir),
            chdir: Some(below(start.chdir.as_deref().unwrap_or(Path::new("")))),
            workspace: None,
            ..start.clone()
        };
        let record = record_path(&path);
        let record = Record::read(host.read(&record).ok().as_deref(), &record)?;
        let deployment = deployment.to_owned();
        let mut found = Folder {
            host,
            deployment,
            path,
            record,
            start,
            originals: BTreeMap::new(),
            specialised: BTreeSet::new(),
            is_specialised: false,
        };
        if found.host.kind(&found.path).is_some() {
            let mut session = Session::recorded(&found.start.dir)?;
            session.judge()?;
            found.is_specialised = session.record.is_some();
            found.specialised = session.record.iter().flat_map(record::Record::created_paths).collect();
            let texts = session.overlay.iter().filter_map(|(path, text)| Some((path.clone(), text.clone()?)));
            found.originals = texts.collect();
        }
        Ok(found)
    }

    /// Returns true if any file of the last run stands there.
    pub fn is_written(&self) -> bool {
        let is_source = |path: &PathBuf| path.extension().is_some_and(|e| e == "tf");
        self.record.paths().filter(is_source).any(|path| self.host.kind(&self.path.join(path)).is_some())
    }

    /// The path of the record, relative to the Stack's folder.
    pub fn record_path(&self) -> PathBuf {
        record_path(&self.path)
    }

    /// Returns the text of a file before specialization; `None` if there is no such file.
    pub fn text_of(&self, path: &Path) -> Option<String> {
        let own = self.originals.get(path).cloned();
        own.or_else(|| String::from_utf8(self.host.read(&self.path.join(path)).ok()?).ok())
    }

    /// Returns the wanted files and the record, by their paths from the Stack's folder; `None` for a file to delete. `released` are the
    /// `removed` blocks for objects to forget; if it is `None`, the last blocks stay. `held` are the names of the calls that lead to
    /// objects in state, if they are known.
    ///
    /// # Errors
    /// Returns an error for each file that somebody edited.
    pub fn tree(
        &self,
        lowered: &Lowered,
        released: Option<Option<String>>,
        held: Option<&Held>,
    ) -> Result<BTreeMap<PathBuf, Option<String>>, Vec<Issue>> {
        let mut files: BTreeMap<PathBuf, Option<String>> =
            self.record.paths().map(|path| (path, None)).collect();
        files.extend(lowered.files.iter().map(|(path, text)| (path.clone(), Some(text.clone()))));
        files.insert(".gitignore".into(), Some(IGNORED.to_owned()));
        self.stale(&mut files, lowered, held).map_err(|issue| vec![issue])?;
        let last = || self.text_of(Path::new(RELEASED));
        files.insert(RELEASED.into(), released.unwrap_or_else(last));
        let edited: Vec<Issue> =
            files.iter().filter_map(|(path, text)| self.edited(path, text.as_deref())).collect();
        let edited: Vec<Issue> = edited.into_iter().chain(self.find_strangers(&files)).collect();
        if !edited.is_empty() {
            return Err(edited);
        }
        let mut record = Record::new();
        let texts = files.iter().filter_map(|(path, text)| Some((slashed(path), hash(text.as_ref()?))));
        record.files = texts.collect();
        let instances =
            lowered.claims.components.iter().map(|(labels, address)| (labels.join("."), address.clone()));
        // What is gone from the Stack is named by its address for as long as state may hold it.
        let may_hold = |labels: &str| {
            let labels: Vec<String> = labels.split('.').map(str::to_owned).collect();
            held.is_none_or(|held| held.iter().any(|own| own.starts_with(&labels)))
        };
        record.instances = self.record.instances.clone();
        record.instances.retain(|labels, _| may_hold(labels));
        record.instances.extend(instances);
        let mut tree: BTreeMap<PathBuf, Option<String>> =
            files.into_iter().map(|(path, text)| (self.path.join(path), text)).collect();
        tree.insert(record_path(&self.path), Some(record.text()));
        Ok(tree)
    }

    /// The issues of files that Terraform would read beside what is written, and of a file of `removed` blocks that holds anything else.
    fn find_strangers(&self, files: &BTreeMap<PathBuf, Option<String>>) -> Vec<Issue> {
        let below = |path: &Path| self.path.join(path);
        // A way home stays until each state has taken it, and is on no record.
        let leads_home = |path: &Path| {
            path == Path::new(moves::FILE) && self.text_of(path).is_some_and(|text| moves::is_way_home(&text))
        };
        let is_ours =
            |path: &Path| files.contains_key(path) || self.specialised.contains(path) || leads_home(path);
        let folders: BTreeSet<&Path> =
            files.keys().map(PathBuf::as_path).chain([Path::new("any")]).filter_map(Path::parent).collect();
        let mut found = Vec::new();
        for folder in folders {
            for (name, _) in self.host.list(&below(folder)).unwrap_or_default() {
                let path = folder.join(&name);
                let counts = is_configuration_name(&name) || VALUES.iter().any(|end| name.ends_with(end));
                if counts && !is_ours(&path) {
                    found.push(below(&path));
                }
            }
        }
        let given_up = self.text_of(Path::new(RELEASED)).is_some_and(|text| !moves::gives_up_alone(&text));
        found.extend(given_up.then(|| below(Path::new(RELEASED))));
        let issue = |path: PathBuf| {
            let shown = slashed(&path);
            let why = "tf-phi writes the folder for a deployment, from the Stack's files alone. Terraform would read what stands here as well.";
            let paste = format!("rm {}", shell_path(&shown));
            Issue::error(Code::Edited, "a file was added to a folder that tf-phi writes", why)
                .in_path(shown)
                .fix("Look at it, and take it away, then run again:", paste)
        };
        found.into_iter().map(issue).collect()
    }

    /// Keeps the provider configurations that objects of removed embedded Stacks still need. All are kept if the state isn't known.
    fn stale(
        &self,
        files: &mut BTreeMap<PathBuf, Option<String>>,
        lowered: &Lowered,
        held: Option<&Held>,
    ) -> Result<(), Issue> {
        let path = Path::new(stale::FILE);
        let Some(before) = self.text_of(path).filter(|_| self.record.files.contains_key(stale::FILE)) else {
            return Ok(());
        };
        let is_own =
            |path: &Path| path.components().count() == 1 && path.extension().is_some_and(|e| e == "tf");
        let old: Vec<String> =
            self.record.paths().filter(|path| is_own(path)).filter_map(|path| self.text_of(&path)).collect();
        let new: Vec<String> =
            lowered.files.iter().filter(|(path, _)| is_own(path)).map(|(_, text)| text.clone()).collect();
        let needs = |alias: &str, labels: &Vec<String>| {
            let stacks: Vec<&str> =
                labels.iter().map(String::as_str).take_while(|label| label.starts_with("stack_")).collect();
            !stacks.is_empty() && alias.starts_with(&format!("{}__", stacks.join("__")))
        };
        let holds = |alias: &str| held.is_none_or(|held| held.iter().any(|labels| needs(alias, labels)));
        let now = lowered.files.get(path).map(String::as_str);
        let kept = stale::kept(&before, now, (&old, &new), (&holds, held.is_some()))
            .map_err(|call| self.without(&call))?;
        files.insert(path.to_path_buf(), kept);
        Ok(())
    }

    /// Returns the error for a provider configuration that can't be kept, because it uses an output of a removed component.
    fn without(&self, call: &str) -> Issue {
        let why = format!(
            "There are objects in state whose provider takes what a component of module.{call} gives, and that is gone. Terraform destroys \
             nothing without the provider's configuration."
        );
        let issue =
            Issue::error(Code::Unsupported, "The provider of an embedded Stack goes with its component", why);
        let name = self.deployment.as_str();
        issue.fix(
            "Bring its block back, destroy its objects, and then remove it:",
            format!(
                "tf-phi apply --env {} -destroy {}",
                shell_word(name),
                shell_word(&format!("-target=module.{call}"))
            ),
        )
    }

    /// Returns an error if a file differs both from the text of the last run and from the wanted text.
    fn edited(&self, path: &Path, wanted: Option<&str>) -> Option<Issue> {
        let now = self.text_of(path)?;
        let recorded = self.record.files.get(&slashed(path));
        if wanted == Some(now.as_str()) || recorded.is_some_and(|known| *known == hash(&now)) {
            return None;
        }
        let shown = self.path.join(path).display().to_string();
        let why = "It is written by tf-phi and is not as it was written, so that it is left alone.";
        let issue = Issue::error(Code::Edited, format!("{shown} was edited"), why).in_path(shown.clone());
        Some(issue.fix(
            "Make the change in the Stack's files, and remove this one:",
            format!("rm {}", shell_path(&shown)),
        ))
    }

    /// Returns the files that differ from their wanted text.
    pub fn changed(&self, tree: &BTreeMap<PathBuf, Option<String>>) -> BTreeMap<PathBuf, Option<String>> {
        let own = |path: &Path| path.strip_prefix(&self.path).ok().map(Path::to_path_buf);
        let differs = |(path, text): &(&PathBuf, &Option<String>)| match own(path) {
            Some(path) => self.text_of(&path) != **text,
            None => self.host.read(path).ok().and_then(|b| String::from_utf8(b).ok()) != **text,
        };
        tree.iter().filter(differs).map(|(path, text)| (path.clone(), text.clone())).collect()
    }

    /// Writes the wanted files. Returns the number of source files that changed.
    ///
    /// # Errors
    /// Returns an error if a file can't be written.
    pub fn write(&mut self, tree: &BTreeMap<PathBuf, Option<String>>) -> Result<usize, Box<Stop>> {
        let changed = self.changed(tree);
        if changed.is_empty() {
            return Ok(0);
        }
        if self.is_specialised {
            restore::put_back(&self.start)?;
            (self.is_specialised, self.specialised, self.originals) =
                (false, BTreeSet::new(), BTreeMap::new());
        }
        let mut set = ChangeSet::new(&self.host.root);
        for (path, text) in &changed {
            let prior = self.host.read(path).ok();
            match (text, &prior) {
                (Some(text), prior) => set.write(path, text.as_bytes(), prior.as_deref()),
                (None, Some(prior)) => set.delete(path, prior),
                (None, None) => {}
            }
        }
        write::commit(&set, self.start.console)?;
        let sources =
            changed.keys().filter(|path| path.starts_with(&self.path) && !path.ends_with(".gitignore"));
        Ok(sources.count())
    }
}

/// Returns the record's path, relative to the Stack's folder.
fn record_path(folder: &Path) -> PathBuf {
    folder.with_file_name(format!("{}.json", folder.file_name().unwrap_or_default().to_string_lossy()))
}
