//! Sources that an expression chooses and that Terraform can't read: folders that aren't there, files that are no configuration.
//!
//! In: driven fields, what was found wrong with sources when modules were attached. Out: an issue for each of them that a copy would call. Terraform reads
//! the module of each call, one with `count = 0` included, so that one such source stops every run. Absent on purpose: runs without copies, in
//! which this run's source stands as a literal; what is wrong with arguments, which is for `validate`.

use super::session::Session;
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::nearest::nearest;
use crate::config::variables::{Environment, VarValue};
use crate::config::{Config, View, paths};
use crate::host::{EntryKind, Host};
use crate::issue::{Code, Issue};
use crate::text::{list_first, shell_path};
use crate::trace::{Branch, Driven, Trace, Universe, Universes, trace_driven, universes};
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many places are named in one sentence.
const MOST_PLACES: usize = 5;

/// Where a source comes from.
struct SourceOrigin<'a> {
    /// The branch that it is the value of.
    branch: &'a Branch,
    /// The root variables that choose it.
    behind: &'a BTreeSet<Arc<str>>,
    /// The lines of variable files that give them such values.
    places: &'a [String],
}

impl<H: Host + Clone> Session<H> {
    /// Finds the sources that copies would have and that Terraform can't read.
    pub fn find_unreadable_sources(&self, driven: &[Driven]) -> Vec<Issue> {
        if self.config.unattached.is_empty() {
            return Vec::new();
        }
        let of_source = |driven: &&Driven| call_of_source(&driven.field).is_some();
        let sources: Vec<Driven> = driven.iter().filter(of_source).cloned().collect();
        let (all, _) = universes(&self.config, &self.phi, &self.environments, self.limits(), self.outside());
        let (mut tracer, traces, _) =
            trace_driven(&self.config, self.limits(), &all, self.outside(), &sources);
        let (mut found, mut known) = (Vec::new(), FxHashSet::default());
        for (driven, trace) in sources.iter().zip(&traces) {
            let Some(path) = call_of_source(&driven.field) else { continue };
            let Some(unreadable) = self.config.unattached.get(&path) else { continue };
            let behind = tracer.variables_behind(trace);
            for branch in trace.branches() {
                let Some((source, issues)) =
                    branch.value.as_str().and_then(|source| unreadable.get_key_value(source))
                else {
                    continue;
                };
                let places = self.find_places(&all, driven, (branch, &behind));
                let from = SourceOrigin { branch, behind: &behind, places: &places };
                for told in issues.iter().map(|issue| self.describe_issue(issue, trace, &from)) {
                    // A module that is called on many paths holds each expression once.
                    if known.insert((source, told.place, told.code)) {
                        found.push(told);
                    }
                }
            }
        }
        found
    }

    /// The lines of variable files that give a variable a value which leads to a branch.
    fn find_places(
        &self,
        all: &Universes,
        driven: &Driven,
        (branch, behind): (&Branch, &BTreeSet<Arc<str>>),
    ) -> Vec<String> {
        let given = |environment: &Environment| -> Vec<(Arc<str>, VarValue)> {
            let own = environment.values.iter().filter(|(name, _)| behind.contains(*name));
            own.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        let mut places = Vec::new();
        for own in self.environments.iter().map(given).filter(|own| !own.is_empty()) {
            let mut held = all.clone();
            for (name, value) in &own {
                if let Some(value) = self.convert_given(name, value) {
                    held.insert(name.clone(), Universe::listed(vec![value], true));
                }
            }
            let one = std::slice::from_ref(driven);
            let (_, traces, _) = trace_driven(&self.config, self.limits(), &held, self.outside(), one);
            let is_taken = |trace: &Trace| trace.branches().iter().any(|other| other.value == branch.value);
            if traces.iter().any(is_taken) {
                let lines = own.iter().filter_map(|(_, value)| value.place);
                places.extend(lines.map(|place| self.config.sources.span_text(place)));
            }
        }
        places.sort();
        places.dedup();
        places
    }

    /// The value that a variable of the root module has where it is given this.
    fn convert_given(&self, name: &str, value: &VarValue) -> Option<Value> {
        let variable = self.config.root()?.variables.get(name)?;
        Some(variable.accept(&value.given.value().ok()?).ok()?.unmark_deep().0)
    }

    /// What is wrong with a source, where it comes from, and what to do.
    fn describe_issue(&self, issue: &Issue, trace: &Trace, from: &SourceOrigin<'_>) -> Issue {
        let SourceOrigin { branch, behind, places } = *from;
        let call = FieldAddr { path: Default::default(), ..trace.field.plain() };
        let field = trace.field.plain().to_string();
        if self.hides(&trace.field) || self.touched().has(&trace.field) {
            let why = format!(
                "The source of {call} leads to a module that isn't there or can't be read. A secret has a part in it."
            );
            return Issue::error(issue.code, issue.summary.clone(), why).at(trace.at).about(field);
        }
        let source = branch.value.as_str().unwrap_or_default();
        let variables = behind.iter().map(|name| format!("var.{name}")).collect::<Vec<_>>().join(", ");
        let given = match (variables.as_str(), places) {
            ("", _) => String::new(),
            (names, []) => format!(", by the value of {names}"),
            (names, places) => format!(", by the value of {names} ({})", list_first(places, MOST_PLACES)),
        };
        let why = format!(
            "The source of {call} may be \"{source}\"{given}. {} Terraform reads the modules of all copies, those that a run doesn't take as well, so that it stops in every environment.",
            issue.why
        );
        let own = Issue { why, field: Some(field), ..issue.clone() };
        // What such a module calls in turn has places of its own.
        match issue.code == Code::Missing && issue.place == Some(trace.expr) {
            true => self.add_fixes(own, &trace.field, source, places),
            false => own,
        }
    }

    /// Adds the ways out where a folder isn't there, or holds nothing.
    fn add_fixes(&self, issue: Issue, field: &FieldAddr, source: &str, places: &[String]) -> Issue {
        let Some(dir) = self.config.at(&field.module).map(|module| paths::join(&module.dir, source)) else {
            return issue;
        };
        let view = View { host: &self.host, overlay: &self.overlay };
        if view.is_dir(&dir) {
            let title = "Write the module. If it is to be empty, put a README.md there: Git keeps no folder without files.";
            return issue.fix(title, "");
        }
        let issue = match find_sibling(view, &self.config, &dir) {
            Some(near) => {
                let (near, named) = (paths::shown(&near), paths::shown(&dir));
                let title = match places {
                    [] => format!("Did you mean {near}? Give the folder the name that is asked for:"),
                    _ => format!(
                        "Did you mean {near}? Name it in {}, or give the folder the name that is asked for:",
                        list_first(places, MOST_PLACES)
                    ),
                };
                issue.fix(title, format!("mv -- {} {}", shell_path(&near), shell_path(&named)))
            }
            None => issue,
        };
        let title = match places {
            [] => "Write the module, or take the value out of what lists it (a `validation`, `phi.hcl`, a local).".to_owned(),
            _ => format!(
                "Write the module, or take the value out of {}, and out of a `validation` or `phi.hcl` that lists it.",
                list_first(places, MOST_PLACES)
            ),
        };
        issue.fix(title, "")
    }
}

/// The folder beside a missing one whose name is most like it, among those that no call leads to.
fn find_sibling(view: View<'_>, config: &Config, dir: &Path) -> Option<PathBuf> {
    let (above, name) = (dir.parent()?, dir.file_name()?.to_str()?);
    if view.host.is_outside(paths::or_dot(above)) {
        return None;
    }
    let listed = view.host.list(paths::or_dot(above)).ok()?;
    let folders = listed.iter().filter(|(_, kind)| *kind == EntryKind::Dir).map(|(name, _)| &**name);
    let is_called = |name: &str| config.modules.iter().any(|module| module.dir == paths::join(above, name));
    Some(paths::join(
        above,
        nearest(name, folders.filter(|name| !name.starts_with('.') && !is_called(name)))?,
    ))
}

/// The call whose source a field is.
fn call_of_source(field: &FieldAddr) -> Option<ModulePath> {
    let Target::Call(name) = &field.target else { return None };
    let is_source = matches!(field.path.0.as_slice(), [only] if &**only == "source");
    is_source.then(|| field.module.child(name.clone()))
}
