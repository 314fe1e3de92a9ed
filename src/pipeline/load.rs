//! From a host to a configuration in its original form.

use super::chosen::attach_chosen;
use super::session::Session;
use super::world::World;
use crate::config::module_source::is_local;
use crate::config::phi;
use crate::config::variables::{self, Environments};
use crate::config::writable::PHI_DIR;
use crate::config::{Config, Files, View, load_with, paths};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::restore;
use crate::specialise::{Record, record};
use crate::text::{Place, Span, list_first, shell_path};
use crate::trace::{Limits, universes};
use std::path::Path;

/// So many places are named in one sentence.
const MOST_PLACES: usize = 5;

impl<H: Host + Clone> Session<H> {
    /// Reads a tree as commands read it: what is on record, the configuration in its original form, and what the form factor
    /// replaces that is asked for or that `phi.hcl` names. Faults in files are issues of the session.
    ///
    /// # Errors
    /// As [`Session::on_record`].
    pub fn read(host: H, partly: bool, form_factor: Option<&str>) -> Result<Session<H>, Issue> {
        let mut session = Session::on_record(host)?;
        if !session.is_blocked() {
            session.read_under(partly, form_factor);
        }
        Ok(session)
    }

    /// Reads the configuration in its original form, and puts a form factor on: the one that is asked for, or else the one that
    /// `phi.hcl` names.
    pub fn read_under(&mut self, partly: bool, form_factor: Option<&str>) {
        self.load_original(partly);
        let missing = |i: &Issue| !i.is_error() || i.code == Code::NotInstalled;
        if self.is_blocked() && self.issues.iter().all(missing) {
            self.put_on_absent(form_factor);
        } else if !self.is_blocked() {
            self.put_on(form_factor);
        }
    }

    /// Reads the configuration that is on record in its original form. Calls without an installed module are passed over where
    /// this is for those who only look.
    pub fn load_original(&mut self, partly: bool) {
        self.loaded = self.overlay.clone();
        self.load(partly);
        let orphans = orphans(&self.config, self.record.as_ref());
        if !orphans.is_empty() {
            // What they call went with the record.
            self.issues.retain(|i| !matches!(i.code, Code::Missing | Code::Config));
        }
        self.extend(orphans);
    }

    /// Reads the configuration and `phi.hcl`.
    pub fn load(&mut self, partly: bool) {
        let (mut config, mut issues) = load_with(&self.host, &self.loaded, Path::new(""));
        let (missing, rest): (Vec<_>, Vec<_>) =
            issues.into_iter().partition(|i| i.code == Code::NotInstalled);
        issues = rest;
        self.partly = partly;
        match partly {
            true => {
                self.partial = !missing.is_empty();
                issues.extend(not_installed(&missing, &config));
            }
            false => {
                self.partial = false;
                issues.extend(to_install(missing, &config));
            }
        }
        if self.record.is_some() {
            issues.iter_mut().for_each(install_originals);
        }
        self.extend(issues);
        let view = View { host: &self.host, overlay: &self.loaded };
        let (phi, mut found) = phi::read(view, Path::new(""), &mut config.sources);
        let mut environments = Environments::default();
        // What is wrong with a half-read tree would be said of what is missing in it.
        if !self.is_blocked() && !found.iter().any(Issue::is_error) {
            // Under a form factor, names are those of the tree before.
            if !self.partial && self.rewrite.is_none() {
                found.extend(phi::check(&phi, &config));
            }
            let (all, faults) = variables::all_environments(view, &mut config, &phi);
            environments = all;
            found.extend(faults);
        }
        self.extend(found);
        let world_of = |session: &Session<H>, config: &Config| {
            let files = Files::new(session.host.clone(), session.loaded.clone(), config);
            World::new(files, config.terraform_versions())
        };
        let mut world = world_of(self, &config);
        if !self.is_blocked() {
            let limits = Limits::of(&phi.settings);
            // Faults in what they need are found again where it is asked for.
            let of = |c: &Config| universes(c, &phi, &environments.files, limits, &world).0;
            let known = config.modules.len();
            let view = View { host: &self.host, overlay: &self.loaded };
            attach_chosen(view, &mut config, limits, &of, &world);
            if config.modules.len() > known {
                world = world_of(self, &config);
            }
        }
        self.editable.clear();
        // A module in which a service replaces something is a copy already, and one file is not edited twice.
        if !self.is_blocked() && self.rewrite.is_none() {
            let view = View { host: &self.host, overlay: &self.loaded };
            let (editable, found) = phi::editable(view, &phi, &config);
            self.editable = editable;
            self.extend(found);
        }
        (self.config, self.phi, self.world) = (config, phi, world);
        (self.environments, self.named, self.refused) =
            (environments.files, environments.named, environments.refused);
        self.mark_secrets();
    }
}

/// Corrects the advice for a specialised tree: `init` installs the modules that this tree calls, not those of the original.
fn install_originals(issue: &mut Issue) {
    if issue.code == Code::NotInstalled {
        issue.refix("Install what the original calls, as this is specialised:", "tf-phi init");
    }
}

const INSTALL: &str = "Install the modules that this configuration calls:";

fn place_of(issue: &Issue, config: &Config) -> String {
    issue.place.map_or_else(String::new, |place| config.sources.span_text(place))
}

/// One error for all calls whose modules are not there: one command installs all of them.
fn to_install(mut missing: Vec<Issue>, config: &Config) -> Option<Issue> {
    if missing.len() < 2 {
        return missing.pop();
    }
    let first = missing.first()?.place;
    let said = missing.iter().take(MOST_PLACES).map(|i| format!("{}: {}", place_of(i, config), i.why));
    let mut why = said.collect::<Vec<_>>().join("\n");
    if missing.len() > MOST_PLACES {
        why.push_str(&format!("\nAnd {} more.", missing.len() - MOST_PLACES));
    }
    let summary = format!("{} modules are not installed", missing.len());
    Some(Issue::error(Code::NotInstalled, summary, why).at(first).fix(INSTALL, "terraform init"))
}

/// One warning for all calls whose modules are not there.
fn not_installed(missing: &[Issue], config: &Config) -> Option<Issue> {
    let first = missing.first()?;
    let places: Vec<String> = missing.iter().map(|i| place_of(i, config)).collect();
    let mut why = format!("What they give counts as not known: {}", list_first(&places, MOST_PLACES));
    let summary = match missing.len() {
        1 => "a module is not installed".to_owned(),
        n => format!("{n} modules are not installed"),
    };
    why.push('.');
    if config.is_stack() {
        why.push_str(" HCP fetches them; of a Stack's modules tf-phi reads those that a path names.");
    }
    let issue = Issue::warning(Code::NotInstalled, summary, why).at(first.place);
    Some(if config.is_stack() { issue } else { issue.fix(INSTALL, "terraform init") })
}

/// Copies that no record tells of: without it their gates would stay, and the next flip would destroy and create.
fn orphans(config: &Config, record: Option<&Record>) -> Vec<Issue> {
    let mut issues = unrecorded_comments(config, record);
    if issues.is_empty() {
        issues.extend(unrecorded_calls(config, record));
    }
    issues
}

/// Returns an error for each call of a copy in tf-phi's own folder that isn't on record.
fn unrecorded_calls(config: &Config, record: Option<&Record>) -> Vec<Issue> {
    let mut issues = Vec::new();
    for module in &config.modules {
        for call in module.calls.values() {
            let Some((source, text)) = call.source.as_ref().zip(call.source_text()) else { continue };
            let dir = paths::join(&module.dir, text);
            let is_ours = is_local(text) && dir.starts_with(PHI_DIR);
            let is_recorded =
                record.is_some_and(|r| r.files.iter().any(|f| record::unslashed(&f.path).starts_with(&dir)));
            if !is_ours || is_recorded {
                continue;
            }
            let why = format!(
                "The module that \"module.{}\" calls is a copy that tf-phi wrote, and `.phi/provenance.json` says nothing of it. That happens \
                 where `.phi/` was deleted, or was never committed. Without it Terraform finds no module there.",
                call.name
            );
            issues.push(
                Issue::error(Code::Edited, "a copy is called that isn't on record", why)
                    .at(Place { file: source.file, span: source.expr.span })
                    .fix(
                        "Take the files and the record back from one commit:",
                        "git checkout COMMIT -- . && tf-phi restore",
                    )
                    .fix(
                        "If Git never had them, take back the sources alone, from before tf-phi wrote:",
                        "git checkout COMMIT -- .",
                    ),
            );
        }
    }
    issues
}

/// Returns an error for each comment that says that tf-phi wrote what follows, of what isn't on record.
fn unrecorded_comments(config: &Config, record: Option<&Record>) -> Vec<Issue> {
    let known = |path: &Path| config.sources.find(path).is_some();
    let edited = record.iter().flat_map(|r| &r.files).filter(|f| !f.created);
    let gone: Vec<&str> =
        edited.filter(|f| !known(&record::unslashed(&f.path))).map(|f| f.path.as_str()).collect();
    let files = config.modules.iter().flat_map(|m| m.files.iter().filter(|f| !f.json));
    let mut issues = Vec::new();
    for file in files {
        let Some(source) = config.sources.get(file.source) else { continue };
        let Some((at, line)) = provenance_comment(&source.text) else { continue };
        // The comment is long, and its beginning says what it is.
        let span = Span::new(at, at + line.find(" — ").unwrap_or(line.len()));
        let why = "The comment says that tf-phi wrote what follows, and `.phi/provenance.json` says nothing of it. That \
                   happens where `.phi/` was deleted, where two branches that were both specialised were merged, where a \
                   file was renamed, or where a patch was applied that leaves the records out.";
        let mut issue = Issue::error(Code::Edited, "something specialised is not on record", why);
        if let Some(name) = gone.first() {
            let title =
                format!("If this is {name} under another name, put the originals back before it is renamed:");
            let (name, now) = (shell_path(name), source.path.to_string_lossy());
            let now = shell_path(&now);
            issue = issue.fix(title, format!("mv {now} {name} && tf-phi restore && mv {name} {now}"));
        }
        issues.push(
            issue
                .at(Place { file: file.source, span })
                .fix(
                    "Take the file and its record back from one commit:",
                    "git checkout COMMIT -- . && tf-phi restore",
                )
                .fix(restore::WHERE_MERGED, restore::MERGE)
                .fix(restore::WHERE_PATCHED, "tf-phi diff -v")
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
        if is_provenance(line) {
            return Some((at + line.find('#').unwrap_or(0), line.trim()));
        }
        at += line.len();
    }
    None
}

/// Returns true if a text holds a comment that says that tf-phi wrote what follows.
pub fn is_specialised(text: &str) -> bool {
    provenance_comment(text).is_some()
}

/// Returns true if a line is a comment that says where what follows comes from.
pub fn is_provenance(line: &str) -> bool {
    let own = line.trim();
    let copy = own.contains(" — gate: ") && own.contains(" — compiler: tf-phi");
    let service = own.contains(" — service: ") && own.contains(" — form factor: ");
    own.starts_with("# phi: ") && (copy || service)
}
