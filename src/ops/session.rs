//! The front part of every command: a working directory, its configuration, and what `phi.hcl` asks for.

use super::rooted::Rooted;
use super::world::World;
use super::{Start, Stop, write};
use crate::addr::ModulePath;
use crate::config::phi::{self, PhiConfig};
use crate::config::variables::{self, Environment, VarArg, VarOrigin, VarValue};
use crate::config::{Config, Files, Module, Origin, Overlay, TestFile, View, load_with, test_files};
use crate::func::Surroundings;
use crate::host::{Confined, Host as _, Machine, WriteHost as _};
use crate::issue::{Code, Issue};
use crate::report;
use crate::specialise::history::{self, History};
use crate::specialise::service::{self, Replaced, Rewrite};
use crate::specialise::{Record, moves, record, restore};
use crate::terraform::locate;
use crate::text::{Place, Span};
use crate::trace::accepts::Accepts;
use crate::trace::{Driven, Limits, Universes, attach_chosen, drivers, universes, unset};
use crate::txn;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// So many places are named in one sentence.
const MOST_PLACES: usize = 5;

/// A working directory that was read.
pub(super) struct Session {
    /// Its files; relative paths count from it.
    pub host: Rooted,
    /// Texts that stand in for files: the original sources of what is specialised.
    pub overlay: Overlay,
    /// The configuration.
    pub config: Config,
    /// `phi.hcl`
    pub phi: PhiConfig,
    /// What is on record from before.
    pub record: Option<Record>,
    /// The bytes of files on record, as they were read to find the originals.
    seen: BTreeMap<PathBuf, Vec<u8>>,
    /// What functions may see.
    world: World,
    /// What the Terraform in use evaluates by itself, once that mattered.
    pub accepts: OnceLock<Accepts>,
    /// Whose objects state may hold under the names of copies.
    pub history: History,
    /// The addresses of all instances in state, once it was asked.
    pub held: Vec<String>,
    /// The variable files that `phi.hcl` names.
    pub environments: Vec<Environment>,
    /// What is wrong or worth knowing so far.
    pub issues: Vec<Issue>,
    /// Whether calls without an installed module are passed over.
    partial: bool,
    /// What the form factor that is on replaces; the configuration is the one with that replaced.
    pub rewrite: Option<Rewrite>,
    /// What services of any form factor of `phi.hcl` may replace, whatever their conditions, by form factor.
    pub possible: Vec<(String, Replaced)>,
    /// The texts that the configuration was read with: the overlay, and over it what is replaced.
    pub loaded: Overlay,
}

impl Session {
    /// Reads what is on record and the original texts of what is specialised, but no configuration.
    ///
    /// # Errors
    /// Where there is no such folder, or the record can't be read.
    pub fn recorded(dir: &Path) -> Result<Session, Box<Stop>> {
        let host = Rooted::new(dir)?;
        if let Some(issue) = super::ephemeral::unfinished(&host.root) {
            return Err(issue.into());
        }
        let own = write::confined(&host.root)?;
        let seen = RefCell::new(BTreeMap::new());
        let text = |path: &Path| {
            let bytes = own.read(path).ok()?;
            let text = String::from_utf8(bytes.clone()).ok();
            seen.borrow_mut().insert(path.to_path_buf(), bytes);
            text
        };
        let mut overlay = Overlay::new();
        let mut issues = Vec::new();
        let record = match there(&own, record::FILE).map_err(|e| unreadable(&e.to_string(), ""))? {
            None => None,
            Some(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let record = Record::parse(&text).map_err(|fault| match fault {
                    record::Fault::Newer(why) => newer(&why),
                    record::Fault::Broken(why) => unreadable(&why, &text),
                })?;
                for file in &record.files {
                    let named = |_| unreadable(&format!("it names {:?}", file.path), &text);
                    let path = record::unslashed(&file.path);
                    txn::check_path(&path).map_err(named)?;
                    if record::slashed(&path) != file.path {
                        return Err(unreadable(&format!("it names {:?}", file.path), &text).into());
                    }
                }
                Some(record)
            }
        };
        let history = remembered(&own, record.as_ref())?;
        if let Some(record) = &record {
            let (originals, found) = restore::originals(record, &text);
            overlay.extend(originals);
            issues.extend(found);
            issues.extend(foreign(&host, record));
        }
        let (config, phi) = (Config::default(), PhiConfig::default());
        let world = World::new(Files::new(host.clone(), Overlay::new(), &config));
        let environments = Vec::new();
        let (partial, rewrite, loaded) = (false, None, Overlay::new());
        Ok(Session {
            host,
            overlay,
            config,
            phi,
            record,
            history,
            held: Vec::new(),
            seen: seen.into_inner(),
            world,
            accepts: OnceLock::new(),
            environments,
            issues,
            partial,
            rewrite,
            possible: Vec::new(),
            loaded,
        })
    }

    /// Reads a working directory in its original form, with what the form factor that is on replaces. Faults in files are issues of the session.
    ///
    /// # Errors
    /// As [`Session::recorded`].
    pub fn open(start: &Start) -> Result<Session, Box<Stop>> {
        Session::opened(start, false)
    }

    /// The same for those who only look: what modules that are not installed give is unknown, and the rest is read.
    ///
    /// # Errors
    /// As [`Session::recorded`].
    pub fn open_partly(start: &Start) -> Result<Session, Box<Stop>> {
        Session::opened(start, true)
    }

    fn opened(start: &Start, partly: bool) -> Result<Session, Box<Stop>> {
        let mut session = Session::recorded(&start.dir)?;
        if session.is_blocked() {
            // Half of the original would only be misread.
            return Ok(session);
        }
        session.loaded = session.overlay.clone();
        session.load(partly);
        let orphans = orphans(&session.config, session.record.as_ref());
        if !orphans.is_empty() {
            // What they call went with the record.
            session.issues.retain(|i| !matches!(i.code, Code::Missing | Code::Config));
        }
        session.extend(orphans);
        let setting = session.phi.settings.terraform.as_deref();
        let named = setting.and_then(|s| locate::by_tree(&Machine, start.terraform.as_deref(), s));
        session.extend(named.into_iter().collect());
        if !session.is_blocked() {
            super::factor::put_on(start, &mut session)?;
        }
        Ok(session)
    }

    /// Reads the configuration and `phi.hcl`.
    pub fn load(&mut self, partly: bool) {
        let (mut config, mut issues) = load_with(&self.host, &self.loaded, Path::new(""));
        if partly {
            let (missing, rest): (Vec<_>, Vec<_>) =
                issues.into_iter().partition(|i| i.code == Code::NotInstalled);
            issues = rest;
            self.partial = !missing.is_empty();
            issues.extend(not_installed(&missing, &config));
        }
        if self.record.is_some() {
            issues.iter_mut().for_each(install_originals);
        }
        self.extend(issues);
        let view = View { host: &self.host, overlay: &self.loaded };
        let (phi, mut found) = phi::read(view, Path::new(""), &mut config.sources);
        let mut environments = Vec::new();
        // What is wrong with a half-read tree would be said of what is missing in it.
        if !self.is_blocked() && !found.iter().any(Issue::is_error) {
            // Under a form factor, names are those of the tree before.
            if !self.partial && self.rewrite.is_none() {
                found.extend(phi::check(&phi, &config));
            }
            let (named, faults) =
                variables::environments(view, &mut config, phi.settings.environments.as_deref());
            environments = named;
            found.extend(faults);
        }
        self.extend(found);
        let mut world = World::new(Files::new(self.host.clone(), self.loaded.clone(), &config));
        if !self.is_blocked() {
            let limits = Limits::of(&phi.settings);
            // Faults in what they need are found again where it is asked for.
            let of = |c: &Config| universes(c, &phi, &environments, limits, &world).0;
            let known = config.modules.len();
            let view = View { host: &self.host, overlay: &self.loaded };
            attach_chosen(view, &mut config, limits, &of, &world);
            if config.modules.len() > known {
                world = World::new(Files::new(self.host.clone(), self.loaded.clone(), &config));
            }
        }
        (self.config, self.phi, self.environments, self.world) = (config, phi, environments, world);
    }

    /// Whether calls without an installed module are passed over.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// Reads test files in one more folder.
    pub fn tests_in(&mut self, dir: &str) {
        let view = View { host: &self.host, overlay: &self.overlay };
        test_files::read(view, &mut self.config, Path::new(dir));
    }

    /// Gives the runs of test files what this run gives to variables: the command line before their variable files, the
    /// environment after them.
    pub fn given_to_tests(&mut self, args: &[VarArg]) {
        let asks = |t: &TestFile| {
            t.body.iter().any(|b| b.blocks_of("run").any(|r| r.body.attribute("expect_failures").is_some()))
        };
        if !self.config.tests.iter().any(asks) {
            return;
        }
        // What is wrong with values Terraform says itself.
        let known = self.issues.len();
        let weak = self.values(&[]);
        let strong = self.values(args);
        self.issues.truncate(known);
        let of_args = |v: &VarValue| match &v.origin {
            VarOrigin::CommandLine => true,
            VarOrigin::File(path) => {
                args.iter().any(|a| matches!(a, VarArg::File(own) if path.ends_with(own)))
            }
            VarOrigin::Env(_) => false,
        };
        for test in &mut self.config.tests {
            for (name, value) in &weak {
                test.given.entry(name.clone()).or_insert_with(|| value.clone());
            }
            let own = strong.iter().filter(|(_, v)| of_args(v));
            test.given.extend(own.map(|(name, value)| (name.clone(), value.clone())));
        }
    }

    /// Takes a folder without any configuration for an empty root module, as `terraform console` does.
    pub fn allow_empty(&mut self) {
        let only_empty = |i: &Issue| i.code == Code::Missing && i.place.is_none();
        if self.config.modules.is_empty() && self.issues.iter().filter(|i| i.is_error()).all(only_empty) {
            self.config.modules.push(Module::empty(Config::ROOT, PathBuf::new(), Origin::Root));
            self.config.paths.insert(ModulePath::ROOT, Config::ROOT);
            self.issues.retain(|i| !i.is_error());
        }
    }

    /// The limits that `phi.hcl` sets.
    pub fn limits(&self) -> Limits {
        Limits::of(&self.phi.settings)
    }

    /// What functions may see of the machine.
    pub fn outside(&self) -> &dyn Surroundings {
        &self.world
    }

    /// Answers are wanted as the Terraform gives them that the tree is for.
    pub fn ask(&mut self) {
        self.world.ask(super::presumed::exactly(self));
    }

    /// The driven fields.
    pub fn driven(&mut self, start: &Start) -> Vec<Driven> {
        let (mut driven, mut issues) =
            drivers(&self.config, &self.phi, &|| *self.accepts.get_or_init(|| self.accepted(start)));
        issues.extend(unset(&self.config, &self.phi));
        let half =
            self.issues.iter().any(|i| matches!(i.code, Code::Edited | Code::Unparsable) && i.is_error());
        if self.partial || self.rewrite.is_some() || half {
            // What matches nothing here may match something in a module that isn't, or something that is replaced.
            issues.retain(|i| i.code != Code::Config);
        }
        // Of a name that nothing answers to, enough has been said already.
        issues.retain(|i| i.place.is_none() || self.issues.iter().all(|known| known.place != i.place));
        self.extend(issues);
        if let Some(rewrite) = &self.rewrite {
            driven.extend(service::driven(&self.config, &self.phi, rewrite));
            driven.sort_by(|a, b| a.field.cmp(&b.field));
            driven.dedup_by(|a, b| a.field == b.field);
        }
        driven
    }

    /// What the Terraform in use evaluates by itself.
    fn accepted(&self, start: &Start) -> Accepts {
        let presumed = || super::presumed::accepts(self);
        if start.asks { super::plan::accepts(start, self).unwrap_or_else(presumed) } else { presumed() }
    }

    /// Whether nothing is to be written, and nothing was.
    pub fn is_idle(&self, driven: &[Driven]) -> bool {
        driven.is_empty() && self.rewrite.is_none() && self.record.is_none() && self.history.is_empty()
    }

    /// Whether Terraform is run as if it had been called itself, whatever it may have to say of the configuration.
    pub fn is_terraforms(&self, driven: &[Driven]) -> bool {
        self.is_idle(driven) && self.possible.is_empty() && (!self.asks() || !self.is_blocked())
    }

    /// The universes of the root variables.
    pub fn universes(&mut self) -> Universes {
        let (universes, issues) =
            universes(&self.config, &self.phi, &self.environments, self.limits(), self.outside());
        self.extend(issues);
        universes
    }

    /// What this run gives to the root variables.
    pub fn values(&mut self, args: &[VarArg]) -> variables::VarValues {
        let view = View { host: &self.host, overlay: &self.overlay };
        let (values, issues) = variables::collect(view, &mut self.config, args);
        self.extend(issues);
        values
    }

    /// The move chains as they stand, where they are on record.
    pub fn chain(&self) -> Option<String> {
        let ours = self.record.iter().flat_map(|r| &r.files).any(|f| f.path == moves::FILE);
        let text = || String::from_utf8(self.host.read(Path::new(moves::FILE)).ok()?).ok();
        ours.then(text).flatten()
    }

    /// The bytes of a file that was analysed; nothing for one that wasn't. What is replaced has to hold these still.
    pub fn analysed(&self, path: &Path) -> Option<&[u8]> {
        if let Some(bytes) = self.seen.get(path) {
            return Some(bytes);
        }
        // What a text stands in for was not read as it lies there.
        if self.loaded.contains_key(path) {
            return None;
        }
        let source = self.config.sources.get(self.config.sources.find(path)?)?;
        Some(source.text.as_bytes())
    }

    /// Adds issues, each once.
    pub fn extend(&mut self, issues: Vec<Issue>) {
        for issue in issues {
            if !self.issues.contains(&issue) {
                self.issues.push(issue);
            }
        }
    }

    /// Whether a `phi.hcl` asks for anything, or can't be read to tell.
    pub fn asks(&self) -> bool {
        self.phi.source.is_some() || self.issues.iter().any(|i| i.code == Code::Config && i.is_error())
    }

    /// Whether anything blocks.
    pub fn is_blocked(&self) -> bool {
        self.issues.iter().any(Issue::is_error)
    }

    /// The session's end, where something blocks.
    pub fn stop(self) -> Box<Stop> {
        Box::new(Stop { issues: self.issues, sources: self.config.sources })
    }

    /// What `phi.hcl` asks for and is passed over.
    pub fn is_passed_over(&self, issue: &Issue) -> bool {
        !issue.is_error() && issue.code == Code::Config && issue.place.map(|p| p.file) == self.phi.source
    }

    /// Prints what services do without, and what `phi.hcl` asks for in vain.
    pub fn print_warnings(&self, start: &Start, format: report::issue::Format) {
        let said = self.issues.iter().filter(|i| i.code == Code::Service || self.is_passed_over(i));
        let said: Vec<Issue> = said.cloned().collect();
        report::issue::print(start.console, format, &said, &self.config.sources);
    }

    /// Prints what is worth knowing and lets the run go on.
    ///
    /// # Errors
    /// Everything, where something blocks.
    pub fn go_on(mut self, start: &Start) -> Result<Session, Box<Stop>> {
        if self.is_blocked() {
            return Err(self.stop());
        }
        let warnings = std::mem::take(&mut self.issues);
        report::issue::print(start.console, report::issue::Format::Text, &warnings, &self.config.sources);
        Ok(self)
    }
}

/// Where the specialised tree stands, an installation is one of what that calls, and not of what the original does.
fn install_originals(issue: &mut Issue) {
    if issue.code == Code::NotInstalled {
        issue.fixes.clear();
        let title = "Install what the original calls, as this is specialised:";
        *issue = issue.clone().fix(title, "tf-phi restore && terraform init");
    }
}

/// One warning for all calls whose modules are not there.
fn not_installed(missing: &[Issue], config: &Config) -> Option<Issue> {
    let first = missing.first()?;
    let name = |i: &Issue| i.place.map_or_else(String::new, |p| config.sources.span_text(p));
    let mut places: Vec<String> = missing.iter().map(name).collect();
    let more = places.len().saturating_sub(MOST_PLACES);
    places.truncate(MOST_PLACES);
    let mut why = format!("What they give counts as not known: {}", places.join(", "));
    if more > 0 {
        why.push_str(&format!(", and {more} more"));
    }
    let summary = match missing.len() {
        1 => "a module is not installed".to_owned(),
        n => format!("{n} modules are not installed"),
    };
    let issue = Issue::warning(Code::NotInstalled, summary, format!("{why}."));
    let issue = Issue { place: first.place, ..issue };
    Some(issue.fix("Install the modules that this configuration calls:", "terraform init"))
}

/// Copies that no record tells of: without it their gates would stay, and the next flip would destroy and create.
fn orphans(config: &Config, record: Option<&Record>) -> Vec<Issue> {
    let known = |path: &Path| config.sources.find(path).is_some();
    let edited = record.iter().flat_map(|r| &r.files).filter(|f| !f.created);
    let gone: Vec<&str> =
        edited.filter(|f| !known(&record::unslashed(&f.path))).map(|f| f.path.as_str()).collect();
    let files = config.modules.iter().flat_map(|m| m.files.iter().filter(|f| !f.json));
    let mut issues = Vec::new();
    for file in files {
        let Some(source) = config.sources.get(file.source) else { continue };
        let Some((at, line)) = provenance_comment(&source.text) else { continue };
        let span = Span::new(at, at + line.len());
        let why = "The comment says that tf-phi wrote what follows, and `.phi/provenance.json` says nothing of it. That \
                   happens where `.phi/` was deleted, where two branches that were both specialised were merged, or where a \
                   file was renamed.";
        let mut issue = Issue::error(Code::Edited, "something specialised is not on record", why);
        if let Some(name) = gone.first() {
            let title =
                format!("If this is {name} under another name, put the originals back before it is renamed:");
            let now = source.path.display();
            issue = issue.fix(title, format!("mv {now} {name} && tf-phi restore && mv {name} {now}"));
        }
        issues.push(
            issue
                .at(Place { file: file.source, span })
                .fix(
                    "Take the file and its record back from one commit:",
                    "git checkout COMMIT -- . && tf-phi restore",
                )
                .fix("Before a merge, put the originals back on both branches:", "tf-phi restore")
                .fix("To keep what stands there as your own text, delete the comment.", ""),
        );
    }
    issues
}

fn provenance_comment(text: &str) -> Option<(usize, &str)> {
    // Most files have none, and are many.
    text.contains("# phi: ").then_some(())?;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let own = line.trim();
        let copy = own.contains(" — gate: ") && own.contains(" — compiler: tf-phi ");
        let service = own.contains(" — service: ") && own.contains(" — form factor: ");
        if own.starts_with("# phi: ") && (copy || service) {
            return Some((at + line.find('#').unwrap_or(0), own));
        }
        at += line.len();
    }
    None
}

fn unreadable(why: &str, text: &str) -> Issue {
    let summary = "the record of what is specialised can't be read";
    if text.contains("<<<<<<<") && text.contains(">>>>>>>") {
        let why = "It holds the conflict markers of a merge. A record belongs to the files that were written with it.";
        return Issue::error(Code::Edited, summary, why).in_path(record::FILE).fix(
            "Abort the merge, put the originals back on both branches, commit, and merge those:",
            "git merge --abort && tf-phi restore",
        );
    }
    Issue::error(Code::Edited, summary, format!("Without it the original sources can't be told: {why}."))
        .in_path(record::FILE)
        .fix("Put the file back as tf-phi wrote it, from version control for example.", "")
}

fn newer(why: &str) -> Issue {
    Issue::error(Code::Edited, "a later version of tf-phi has specialised this directory", why.to_owned())
        .in_path(record::FILE)
        .fix("Update tf-phi, then run again.", "")
}

/// Configuration that somebody put into a folder of ours: it would be in one copy of a module and not in the others.
fn foreign(host: &Rooted, record: &Record) -> Vec<Issue> {
    let created: std::collections::BTreeSet<PathBuf> =
        record.files.iter().filter(|f| f.created).map(|f| record::unslashed(&f.path)).collect();
    let folders: std::collections::BTreeSet<&Path> =
        created.iter().filter_map(|p| p.parent()).filter(|d| !d.as_os_str().is_empty()).collect();
    let mut issues = Vec::new();
    for folder in folders {
        for (name, _) in host.list(folder).unwrap_or_default() {
            let path = folder.join(&name);
            let counts = name.ends_with(".tf") || name.ends_with(".tf.json");
            if !counts || created.contains(&path) {
                continue;
            }
            let shown = record::slashed(&path);
            let why = "tf-phi wrote the folder as one copy of a module. What stands in this file is in no other copy, so that \
                       Terraform would destroy it when another one becomes active.";
            let issue = Issue::error(Code::Edited, "a file was added to a folder that tf-phi wrote", why);
            let fix = format!("mv {shown} {}/", module_folder(host, folder));
            issues.push(issue.in_path(shown).fix("Move it to the module's own folder, then run again:", fix));
        }
    }
    issues
}

/// The folder beside a copy's whose name the copy's begins with.
fn module_folder(host: &Rooted, copy: &Path) -> String {
    let above = copy.parent().unwrap_or(Path::new(""));
    let name = copy.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let beside =
        host.list(if above.as_os_str().is_empty() { Path::new(".") } else { above }).unwrap_or_default();
    let begins = |n: &String| name.strip_prefix(n.as_str()).is_some_and(|rest| rest.starts_with('-'));
    let module = beside.into_iter().map(|(n, _)| n).filter(begins).max_by_key(String::len);
    module.map_or_else(|| "MODULE_FOLDER".to_owned(), |n| record::slashed(&above.join(n)))
}

/// A file of ours; nothing only where nothing stands there.
fn there(host: &Confined, path: &str) -> std::io::Result<Option<Vec<u8>>> {
    match host.entry(Path::new(path))? {
        None => Ok(None),
        Some(_) => host.read(Path::new(path)).map(Some),
    }
}

/// What history, its former file and the record together know.
fn remembered(host: &Confined, record: Option<&Record>) -> Result<History, Issue> {
    type Parse = fn(&str) -> Result<History, String>;
    let files: [(&str, Parse); 2] =
        [(history::FILE, History::parse), (history::FORMER, History::parse_former)];
    let mut all = History::default();
    for (path, parse) in files {
        let Some(bytes) = there(host, path).map_err(|e| no_history(path, &e.to_string()))? else { continue };
        let read = parse(&String::from_utf8_lossy(&bytes)).map_err(|why| no_history(path, &why))?;
        read.entries().for_each(|entry| all.add(entry.clone()));
    }
    all.add_units(record.map_or(&[], |r| &r.units));
    Ok(all)
}

fn no_history(path: &str, why: &str) -> Issue {
    let summary = "the addresses that state may hold can't be read";
    Issue::error(
        Code::Edited,
        summary,
        format!("Without them, objects in state might not be found again: {why}."),
    )
    .in_path(path)
    .fix("Put the file back as tf-phi wrote it, from version control for example.", "")
}
