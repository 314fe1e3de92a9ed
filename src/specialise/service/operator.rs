//! Operators: a module that a service needs once. The root module calls it, and every call of the template waits for it.
//!
//! The root's call has an output that is known once it is there. It is handed down as an argument, module by module, so that
//! nothing else waits: `depends_on` of a whole module would put off its data sources. A form factor whose inputs say `operator`
//! has it there already, and then nothing is called.

use super::chosen::Chosen;
use super::replacing::{Candidate, Replacing};
use crate::addr::ModulePath;
use crate::config::phi::Operator;
use crate::specialise::paths;
use crate::syntax::emit::Writer;
use crate::value::hcl;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file with the calls of operators in the root module, and with the variables that hand them down in other modules.
pub const FILE: &str = "phi.services.tf";

/// A call in the root module.
pub(super) struct Once {
    /// Its folder.
    dir: PathBuf,
    /// The call's name, and that of the variable through which modules hand it down.
    pub name: String,
    /// Its arguments, as they are written.
    arguments: Vec<(String, String)>,
}

/// The calls that the services need, by folder.
pub(super) fn all(r: &Replacing<'_>, chosen: &Chosen<'_>) -> BTreeMap<PathBuf, Once> {
    let mut all = BTreeMap::new();
    for candidate in chosen.choices.values().flatten() {
        let Some(operator) = needed(r, candidate) else { continue };
        let inputs = r.factor.inputs_of(candidate.service);
        let known = inputs.filter(|(name, _)| operator.module.variables.contains_key(*name));
        let arguments =
            known.filter_map(|(name, (value, _))| Some((name.to_string(), hcl::to_hcl(value)?))).collect();
        let dir = operator.dir.clone();
        all.entry(dir.clone()).or_insert_with(|| Once { name: name(r, &dir), dir, arguments });
    }
    all
}

/// Returns the operator of a candidate's service. Returns `None` if there is none, or if the form factor says that it is installed.
fn needed<'a>(r: &Replacing<'a>, candidate: &Candidate<'_>) -> Option<&'a Operator> {
    let given = r.factor.inputs_of(candidate.service).any(|(name, _)| **name == *Operator::VARIABLE);
    let template = r.templates.get(&candidate.service.name)?;
    template.operator.as_ref().filter(|_| !given)
}

/// Returns the folder of the operator that a candidate's service needs.
pub(super) fn dir_of(r: &Replacing<'_>, candidate: &Candidate<'_>) -> Option<PathBuf> {
    needed(r, candidate).map(|o| o.dir.clone())
}

/// Returns a name that is still free, made of the last two folders of a path: `cloudnative_pg_operator`.
fn name(r: &Replacing<'_>, dir: &Path) -> String {
    let parts: Vec<_> = dir.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    let last = parts.get(parts.len().saturating_sub(2)..).unwrap_or_default().join("_");
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut name: String = last.chars().map(plain).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name = format!("phi_{name}");
    }
    let taken = |name: &str| {
        let called = r.config.root().is_some_and(|m| m.calls.contains_key(name));
        called || r.config.modules.iter().any(|m| m.variables.contains_key(name))
    };
    while taken(&name) {
        name.push_str("_phi");
    }
    name
}

impl Once {
    /// Returns the expression by which calls in a module wait for the operator.
    pub fn reference(&self, path: &ModulePath) -> String {
        match path.is_root() {
            true => format!("module.{}.{}", self.name, Operator::OUTPUT),
            false => format!("var.{}", self.name),
        }
    }
}

/// Returns the text of the root module's file.
pub(super) fn calls(all: &BTreeMap<PathBuf, Once>, factor: &str) -> String {
    let mut writer = Writer::new("", "\n");
    writer.comment(&format!("What the services of the form factor {factor} need once."));
    for (at, once) in all.values().enumerate() {
        if at > 0 {
            writer.blank();
        }
        writer.block("module", &[&once.name], |w| {
            let source = paths::source(Path::new(""), &once.dir);
            w.attribute("source", &crate::syntax::emit::string_literal(&source));
            if !once.arguments.is_empty() {
                w.blank();
            }
            for (name, value) in &once.arguments {
                w.attribute(name, value);
            }
        });
    }
    writer.finish()
}

/// Returns the text of a called module's file with a variable for each operator, through which it is handed down.
pub(super) fn variables(needed: &[&Once]) -> String {
    let mut writer = Writer::new("", "\n");
    for (at, once) in needed.iter().enumerate() {
        if at > 0 {
            writer.blank();
        }
        writer.block("variable", &[&once.name], |w| {
            w.attribute("description", "\"What says that the operator is there.\"");
            w.attribute("type", "string");
        });
    }
    writer.finish()
}
