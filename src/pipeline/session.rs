//! A working directory that was read: its configuration in its original form, and what `phi.hcl` asks for.
//!
//! In: any [`Host`]. Out: what every later step starts from. Invariant: nothing is written and no process is started, so that a
//! work tree, a revision and a tree in memory are read alike. Absent on purpose: where a command works, and what it prints.

use super::left::find_left_way_home;
use super::secrets::{Before, Secrets, Touched, Writable, told_texts, unread_literals};
use super::world::World;
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::phi::PhiConfig;
use crate::config::variables::{self, Environment, Named, VarArg};
use crate::config::{Config, In, Module, Origin, Overlay, TestFile, View, is_secret_field, test_files};
use crate::func::{Surroundings, TerraformVersions};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::history::{History, Made};
use crate::specialise::record::restore::find_line;
use crate::specialise::record::{FileRecord, unslashed};
use crate::specialise::service::{self, Rewrite};
use crate::specialise::{Record, moves};
use crate::syntax::walk::walk;
use crate::syntax::{self, Block, Expr, ExprKind};
use crate::text::{KeptBack, Place};
use crate::trace::accepts::Accepts;
use crate::trace::{Driven, Limits, Universes, drivers, statics, universes, unset};
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A call that a service may make.
#[derive(Clone, Debug)]
pub struct Possible {
    /// The call as the history would tell of it.
    pub made: Made,
    /// The resources and calls that the service's template declares.
    pub declares: BTreeSet<String>,
    /// True if what it is made for is repeated.
    pub repeated: bool,
}

/// A working directory that was read.
pub struct Session<H> {
    /// Its files; relative paths count from it.
    pub host: H,
    /// Texts that stand in for files: the original sources of what is specialised.
    pub overlay: Overlay,
    /// The configuration.
    pub config: Config,
    /// `phi.hcl`
    pub phi: PhiConfig,
    /// The record of the run before.
    pub record: Option<Record>,
    /// The bytes of files that others stand in for, as they were read: on record, to find the originals; in a run without copies, all sources.
    pub(super) seen: BTreeMap<PathBuf, Vec<u8>>,
    /// The surroundings of functions.
    pub(super) world: World<H>,
    /// The expressions that the Terraform in use evaluates by itself, once that mattered.
    pub accepts: OnceLock<Accepts>,
    /// Where secrets are noted that this tree holds, or a run gives to it: nothing that is printed afterwards tells them.
    pub kept_back: Option<&'static KeptBack>,
    /// Root variables that are secrets in another form of this tree, whatever is said of them here.
    pub(super) also_hidden: BTreeSet<Arc<str>>,
    /// What isn't to be shown, once that mattered.
    pub(super) secrets: OnceLock<Secrets>,
    /// What secrets have a part in, once that mattered.
    pub(super) touched: OnceLock<Touched>,
    /// Whose objects state may hold under the names of copies.
    pub history: History,
    /// The addresses of all instances in state, once it was asked.
    pub held: Vec<String>,
    /// The values of environments, file by file.
    pub environments: Vec<Environment>,
    /// Folders of modules that may be edited in place.
    pub editable: BTreeSet<PathBuf>,
    /// The environments by name; never empty once the configuration was read.
    pub named: Vec<Named>,
    /// Environments of files that nobody named and that Terraform would refuse.
    pub refused: Vec<Named>,
    /// The issues so far.
    pub issues: Vec<Issue>,
    /// True if what is only worth knowing blocks, too.
    pub strict: bool,
    /// True if some calls have no installed module, and are passed over.
    pub(super) partial: bool,
    /// True if calls without one would be passed over.
    pub(super) partly: bool,
    /// The replacements of the active form factor. The configuration is the one with these replacements.
    pub rewrite: Option<Rewrite>,
    /// The configuration without these replacements, where there are any.
    pub origin: Option<Config>,
    /// The calls that services of any form factor of `phi.hcl` may make, whatever their conditions.
    pub possible: Vec<Possible>,
    /// The texts that the configuration was read with: the overlay, and over it what is replaced.
    pub loaded: Overlay,
}

impl<H: Host + Clone> Session<H> {
    /// Returns true if some calls have no installed module, and are passed over.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    /// What isn't to be shown of the configuration.
    pub fn secrets(&self) -> &Secrets {
        self.secrets.get_or_init(|| {
            let replaced = self.origin.as_ref().zip(self.rewrite.as_ref());
            let before = replaced.map(|(config, rewrite)| Before { config, rewrite, phi: &self.phi });
            Secrets::of(&self.config, before.as_ref(), &self.also_hidden)
        })
    }

    /// What secrets have a part in without being its value.
    pub fn touched(&self) -> &Touched {
        self.touched.get_or_init(|| Touched::of(&self.config, self.secrets(), &self.given_by_environments()))
    }

    /// The values of root variables in environments, by name.
    pub(super) fn given_by_environments(&self) -> Vec<(&str, Value)> {
        let all = self.environments.iter().flat_map(|environment| &environment.values);
        all.filter_map(|(name, value)| Some((&**name, value.given.value().ok()?))).collect()
    }

    /// What may be written into files that are committed.
    pub(super) fn discretion(&self) -> Writable<'_> {
        let of_variables = self.phi.variables.values().filter_map(|listed| listed.universe.as_ref());
        let fields = self.phi.specialize.iter().flat_map(|pin| &pin.fields);
        let listed = of_variables.chain(fields.filter_map(|field| field.universe.as_ref())).flatten();
        let listed = listed.map(|(value, _)| value).collect();
        Writable { config: &self.config, secrets: self.secrets(), touched: self.touched(), listed }
    }

    /// Returns true if the value of a field isn't to be shown, whatever marks it carries.
    pub fn hides(&self, field: &FieldAddr) -> bool {
        self.secrets().hides(&self.config, field)
    }

    /// Notes at variables and sources that what they hold isn't to be shown: before anything is said of them.
    pub(super) fn mark_secrets(&mut self) {
        self.secrets = OnceLock::new();
        self.touched = OnceLock::new();
        let found: Vec<_> =
            self.secrets().variables().map(|(path, name)| (path.clone(), name.to_owned())).collect();
        let mut written = self.written_secrets();
        let told =
            told_texts(&self.config, self.secrets(), &written, &self.phi, &self.given_by_environments());
        if let Some(kept_back) = self.kept_back {
            kept_back.add(&told);
        }
        self.config.sources.keep_from_words(told);
        // Words about what nobody looked at quote the names in it alone.
        written.extend(unread_literals(&self.config));
        self.config.sources.withhold(&written);
        for (path, name) in found {
            let Some(id) = self.config.paths.get(&path) else { continue };
            let module = self.config.modules.get_mut(id.0 as usize);
            if let Some(variable) = module.and_then(|module| module.variables.get_mut(&*name)) {
                variable.holds_secret = true;
            }
        }
    }

    /// Where secrets are written out.
    pub(super) fn written_secrets(&self) -> Vec<Place> {
        let mut written: Vec<Place> = self.secrets().written().collect();
        written.extend(written_for_marks(&self.config, self.secrets()));
        written.extend(self.listed_for_secrets());
        written
    }

    /// Where `phi.hcl` lists the values of variables that hold what isn't to be shown.
    fn listed_for_secrets(&self) -> Vec<Place> {
        let held: BTreeSet<&str> =
            self.secrets().variables().filter(|(path, _)| path.is_root()).map(|(_, name)| name).collect();
        let variables = self.config.root().map(|module| &module.variables);
        let is_secret = |name: &str| {
            let declared = variables.and_then(|all| all.get(name));
            held.contains(name) || declared.is_some_and(|variable| variable.is_hidden())
        };
        let of_secrets = self.phi.variables.iter().filter(|(name, _)| is_secret(name));
        let listed = of_secrets.filter_map(|(_, listed)| listed.universe.as_ref()).flatten();
        listed.map(|(_, place)| *place).collect()
    }

    /// Reads test files in one more folder.
    pub fn tests_in(&mut self, dir: &str) {
        let view = View { host: &self.host, overlay: &self.overlay };
        let issues = test_files::read(view, &mut self.config, Path::new(dir));
        self.issues.extend(issues);
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
        for test in &mut self.config.tests {
            for (name, value) in &weak {
                test.given.entry(name.clone()).or_insert_with(|| value.clone());
            }
            let own = strong.iter().filter(|(_, v)| v.is_of(args));
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
        let limits = Limits::of(&self.phi.settings);
        // Components stand below as many Stacks as there may be.
        let more = if self.config.is_stack() { crate::config::MAX_NESTED_STACKS + 1 } else { 0 };
        Limits { depth: limits.depth.saturating_add(more), ..limits }
    }

    /// Returns what functions can see of the machine.
    pub fn outside(&self) -> &dyn Surroundings {
        &self.world
    }

    /// Returns true if nothing is to be written, and nothing was.
    pub fn is_idle(&self, driven: &[Driven]) -> bool {
        driven.is_empty() && self.rewrite.is_none() && self.record.is_none() && self.history.is_empty()
    }

    /// Returns true if Terraform is run as if it had been called itself, whatever it may have to say of the
    /// configuration. What is specialised and isn't on record is no configuration of Terraform's: nothing leads its objects.
    pub fn is_terraforms(&self, driven: &[Driven]) -> bool {
        let is_unrecorded = self.issues.iter().any(|i| i.is_error() && i.code == Code::Edited);
        self.is_idle(driven)
            && self.possible.is_empty()
            && (!self.asks() || !self.is_blocked())
            && !is_unrecorded
    }

    /// Computes the universes of the root variables for the configuration as it is now. They are not kept: a form factor replaces
    /// the configuration, and [`Session::answer_as`] changes what functions answer. [`super::Decided`] hands on its own.
    pub fn universes(&mut self) -> Universes {
        let (universes, issues) =
            universes(&self.config, &self.phi, &self.environments, self.limits(), self.outside());
        self.extend(issues);
        universes
    }

    /// Returns the values that this run gives to the root variables.
    pub fn values(&mut self, args: &[VarArg]) -> variables::VarValues {
        let view = View { host: &self.host, overlay: &self.overlay };
        let (values, issues) = variables::collect(view, &mut self.config, args);
        self.extend(issues);
        self.keep_back([&values]);
        values
    }

    /// Returns true if what is on record stands in the tree: files were edited, and none of them holds its original again.
    pub fn is_as_recorded(&self) -> bool {
        let is_original = |file: &FileRecord| {
            let path = unslashed(&file.path);
            let original = self.overlay.get(&path).and_then(Option::as_deref);
            original.map(str::as_bytes) == self.seen.get(&path).map(Vec::as_slice)
        };
        let is_edited = |file: &&FileRecord| !file.created && !file.replaced.is_empty();
        let mut edited = self.record.iter().flat_map(|record| &record.files).filter(is_edited).peekable();
        edited.peek().is_some() && !edited.any(is_original)
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

    /// File and line at which something of the original stands now, where something else was written into the file.
    pub fn name_line(&self, place: Place) -> Option<String> {
        let path = &self.config.sources.get(place.file)?.path;
        let file = self.record.as_ref()?.file(path).filter(|file| !file.created)?;
        let now = std::str::from_utf8(self.analysed(path)?).ok()?;
        Some(format!("{}:{}", file.path, find_line(file, now, place.span.range().start)?))
    }

    /// The files that were read as sources, whatever stands in for them by now.
    pub fn paths_read(&self) -> impl Iterator<Item = &Path> {
        let sources = self.config.sources.iter().map(|(_, file)| file.path.as_path());
        sources.chain(self.seen.keys().map(PathBuf::as_path))
    }

    /// The text of a block of `phi.hcl` with this label; nothing where there is none.
    pub fn phi_block(&self, kind: &str, label: &str) -> Option<String> {
        let file = self.config.sources.get(self.phi.source?)?;
        let parsed = syntax::parse(&file.text).ok()?;
        let is_it = |block: &&Arc<Block>| block.labels.first().is_some_and(|l| &*l.text == label);
        parsed.blocks_of(kind).find(is_it).map(|block| file.slice(block.span).to_owned())
    }

    /// Adds issues, each once.
    pub fn extend(&mut self, issues: Vec<Issue>) {
        let mut known: FxHashSet<Issue> = self.issues.iter().cloned().collect();
        self.issues.extend(issues.into_iter().filter(|issue| known.insert(issue.clone())));
    }

    /// Returns true if a `phi.hcl` asks for anything, or can't be read to tell.
    pub fn asks(&self) -> bool {
        self.phi.source.is_some() || self.issues.iter().any(|i| i.code == Code::Config && i.is_error())
    }

    /// Returns true if anything blocks.
    pub fn is_blocked(&self) -> bool {
        self.issues.iter().any(|issue| self.strict || issue.is_error())
    }

    /// Returns true if the issue is about something that `phi.hcl` asks for and that is skipped.
    pub fn is_passed_over(&self, issue: &Issue) -> bool {
        !issue.is_error() && issue.code == Code::Config && issue.place.map(|p| p.file) == self.phi.source
    }

    /// The environments that are meant, those among them whose files Terraform would refuse.
    pub fn meant(&self) -> Vec<Named> {
        // Where all files are refused, one that nobody named is nobody's.
        let is_meant = |env: &&Named| !env.is_default || self.refused.is_empty();
        self.named.iter().filter(is_meant).chain(&self.refused).cloned().collect()
    }

    /// From now on answers are wanted as these versions give them, whatever the tree allows.
    pub fn answer_as(&mut self, version: TerraformVersions) {
        self.world.ask(version);
    }

    /// The driven fields. `accepted` is asked once, and only where it matters: what the Terraform in use evaluates by itself.
    pub fn driven_where(&mut self, accepted: &dyn Fn(&Session<H>) -> Accepts) -> Vec<Driven> {
        let mut fixed = statics(&self.config);
        if !fixed.is_empty() {
            let accepts = *self.accepts.get_or_init(|| accepted(self));
            fixed.retain(|s| !accepts.takes(&self.config, &s.field, &s.site.attr));
        }
        let (mut driven, mut issues) = drivers(&self.config, &self.phi, fixed);
        issues.extend(unset(&self.config, &self.phi));
        let lacks = |i: &Issue| matches!(i.code, Code::Edited | Code::Unparsable | Code::Missing);
        let half = self.issues.iter().any(|i| lacks(i) && i.is_error());
        if self.partial || self.rewrite.is_some() || half {
            // What matches nothing here may match something in a module that isn't, or something that is replaced.
            issues.retain(|i| i.code != Code::Config);
        }
        if !driven.is_empty() {
            issues.extend(find_left_way_home(&self.config));
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
}

/// Where values are written out that a mark makes secret: defaults of sensitive variables and in their types, and what is handed to such a variable of a module.
fn written_for_marks(config: &Config, secrets: &Secrets) -> Vec<Place> {
    let is_literal = |expr: &Expr| {
        let mut found = false;
        walk(expr, &mut |inner| {
            found |= matches!(inner.kind, ExprKind::String(_) | ExprKind::Number(_) | ExprKind::Template(_));
            !found
        });
        found
    };
    let mut found = Vec::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        let marked = module.variables.values().filter(|v| v.sensitive || v.ephemeral);
        let defaults = marked.filter_map(|v| v.default.as_ref());
        let handed = module.calls.values().flat_map(|call| {
            let target = Target::Call(call.name.clone().into());
            call.args.iter().filter(move |arg| {
                let name = FieldPath(vec![arg.name.text.clone()]);
                let field = FieldAddr { module: path.clone(), target: target.clone(), path: name };
                is_secret_field(config, &field)
            })
        });
        found.extend(defaults.chain(handed).filter(|attr| is_literal(&attr.expr)).map(In::value_place));
        // Attributes that may be left out have defaults in the type.
        let is_one =
            |v: &&crate::config::Variable| v.sensitive || v.ephemeral || secrets.has_variable(path, &v.name);
        for attr in module.variables.values().filter(is_one).filter_map(|v| v.type_attr.as_ref()) {
            walk(&attr.expr, &mut |inner| {
                if let ExprKind::Call(call) = &inner.kind {
                    let defaults = call.args.get(1..).unwrap_or_default();
                    found.extend(defaults.iter().filter(|own| is_literal(own)).map(|own| attr.at(own.span)));
                }
                true
            });
        }
    }
    found
}
