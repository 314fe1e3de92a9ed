//! The values that a run gives to the root module's variables, each by itself.
//!
//! Precedence, from weak to strong, as Terraform has it: `TF_VAR_name`; `terraform.tfvars`; `terraform.tfvars.json`;
//! `*.auto.tfvars` and `*.auto.tfvars.json` by file name; `-var` and `-var-file` in the order given. A declared
//! default is weaker than all and is not repeated here. Absent on purpose: conversion to the variable's type.

mod below;
mod deployments;
mod environments;
mod file;
mod named;
mod values;
mod near;
mod patterns;

pub use environments::{ByFile, Environment, environments, is_searched};
pub use named::{
    Environments, Named, all as all_environments, chosen as chosen_environments, values as of_environment,
};
pub use values::{Given, VarOrigin, VarValue, VarValues};

use super::{Config, In, Variable, View, paths};
use crate::host::EntryKind;
use crate::issue::{Code, Issue};
use crate::syntax::{self};
use crate::text::{SourceFile, Sources};
use crate::value::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// `-var` or `-var-file`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VarArg {
    /// `-var NAME=VALUE`, the part after `-var`.
    Var(String),
    /// `-var-file PATH`
    File(PathBuf),
}

impl VarValue {
    /// Returns true if one of these arguments gives it, by itself or in its file.
    pub fn is_of(&self, args: &[VarArg]) -> bool {
        match &self.origin {
            VarOrigin::CommandLine => true,
            VarOrigin::Env(_) => false,
            VarOrigin::File(path) => {
                args.iter().any(|arg| matches!(arg, VarArg::File(own) if paths::clean(own) == *path))
            }
        }
    }
}

impl Variable {
    /// Returns true if a text from outside is taken as it is, rather than read as an expression: variables without a
    /// type and those of a primitive type.
    pub fn takes_text(&self) -> bool {
        use crate::value::Type;
        self.type_attr.is_none() || matches!(self.ty, Type::String | Type::Number | Type::Bool)
    }
}

/// Returns the values that files give to the root module's variables by themselves: its own files, and over them
/// those of a folder of tests. Faults in them are reported where a run reads them.
pub fn automatic(view: View<'_>, config: &mut Config, tests: &Path) -> VarValues {
    let Some(mut run) = Run::over(view, config) else { return VarValues::new() };
    let root = run.root.clone();
    run.automatic(&root);
    if tests != root {
        run.automatic(tests);
    }
    run.values
}

/// The values of this run for the root module's variables.
pub fn collect(view: View<'_>, config: &mut Config, args: &[VarArg]) -> (VarValues, Vec<Issue>) {
    let Some(mut run) = Run::over(view, config) else { return (VarValues::new(), Vec::new()) };
    run.environment();
    run.automatic(&run.root.clone());
    for arg in args {
        match arg {
            VarArg::Var(text) => run.option(text),
            VarArg::File(path) => {
                let path = paths::join(&run.root, path);
                let read = file::read_of_user(view, &path, run.sources);
                run.entries(&path, read);
            }
        }
    }
    (run.values, run.issues)
}

/// The variables that have neither a default nor a value, in order of their names.
pub fn unset<'a>(config: &'a Config, values: &VarValues) -> Vec<&'a Variable> {
    let all = config.root().into_iter().flat_map(|m| m.variables.values());
    all.filter(|v| v.default.is_none() && !values.contains_key(&v.name)).collect()
}

struct Run<'a> {
    view: View<'a>,
    root: PathBuf,
    declared: BTreeMap<Arc<str>, Variable>,
    sources: &'a mut Sources,
    values: VarValues,
    issues: Vec<Issue>,
}

impl<'a> Run<'a> {
    fn over(view: View<'a>, config: &'a mut Config) -> Option<Run<'a>> {
        let root = config.root()?;
        Some(Run {
            view,
            root: root.dir.clone(),
            declared: root.variables.clone(),
            sources: &mut config.sources,
            values: VarValues::new(),
            issues: Vec::new(),
        })
    }
}

/// The variable files of a folder that Terraform reads by itself, from weak to strong.
fn automatic_files(view: View<'_>, dir: &Path) -> Vec<PathBuf> {
    let mut names = view.files(dir).unwrap_or_default();
    // A folder of such a name Terraform tries to read, too.
    let listed = view.host.list(paths::or_dot(dir)).unwrap_or_default();
    let is_folder = |path: &Path| view.host.kind(path) == Some(EntryKind::Dir);
    names.extend(listed.into_iter().map(|(name, _)| name).filter(|name| is_folder(&paths::join(dir, name))));
    names.sort();
    let named = |fixed: &&str| names.iter().any(|n| n == fixed);
    // A link of these names that leads nowhere is none for Terraform; where it leads outside, nobody tells.
    let stands = |path: &PathBuf| view.is_file(path) || is_folder(path) || view.host.is_outside(path);
    let fixed = ["terraform.tfvars", "terraform.tfvars.json"].into_iter().filter(named);
    let fixed = fixed.map(|name| paths::join(dir, name)).filter(stands);
    let automatic = |n: &&String| is_auto(n);
    fixed.chain(names.iter().filter(automatic).map(|name| paths::join(dir, name))).collect()
}

fn is_auto(name: &str) -> bool {
    name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json")
}

/// Returns true if Terraform reads a variable file of this name in a root module by itself.
pub fn is_automatic(name: &str) -> bool {
    name == "terraform.tfvars" || name == "terraform.tfvars.json" || is_auto(name)
}

impl Run<'_> {
    fn environment(&mut self) {
        for (key, text) in self.view.host.env_all() {
            let Some(name) = key.strip_prefix("TF_VAR_") else { continue };
            // Of undeclared names Terraform says nothing here: the environment is shared by many configurations.
            if self.declared.contains_key(name) {
                self.text(name, &text, VarOrigin::Env(key.clone()));
            }
        }
    }

    fn automatic(&mut self, dir: &Path) {
        automatic_files(self.view, dir).iter().for_each(|path| self.file(path));
    }

    /// An argument of every run. A file of the tree is read as the tree has it.
    fn argument(&mut self, arg: &VarArg) {
        match arg {
            VarArg::Var(text) => self.option(text),
            VarArg::File(path) => {
                let path = paths::join(&self.root, path);
                if path.is_absolute() || self.view.host.is_outside(&path) {
                    let read = file::read_of_user(self.view, &path, self.sources);
                    self.entries(&path, read);
                } else {
                    self.file(&path);
                }
            }
        }
    }

    /// A file that stands in the tree.
    fn file(&mut self, path: &Path) {
        let read = file::read(self.view, path, self.sources);
        self.entries(path, read);
    }

    /// Adds the values of a file, and the issues with it.
    fn entries(&mut self, path: &Path, (entries, issues): (file::Entries, Vec<Issue>)) {
        self.issues.extend(issues);
        for (name, value) in entries {
            if self.declared.contains_key(&name) {
                self.values.insert(name, value);
                continue;
            }
            let why = format!(
                "The root module does not declare a variable named \"{name}\", but a value is given in {}.",
                paths::shown(path)
            );
            let issue = Issue::warning(Code::Config, "Value for undeclared variable", why);
            let issue = value.place.into_iter().fold(issue, Issue::at);
            self.issues.push(declare(issue, &name));
        }
    }

    fn option(&mut self, text: &str) {
        let Some((name, value)) = text.split_once('=') else {
            let why = format!(
                "The given -var option \"{text}\" is not correctly specified. It must be a variable name and value \
                 separated by an equals sign, like -var=\"key=value\"."
            );
            self.issues.push(Issue::error(Code::Config, "Invalid -var option", why));
            return;
        };
        if name.ends_with(' ') {
            let right = name.trim_end();
            let why = format!(
                "Variable name \"{name}\" is invalid due to trailing space. Did you mean -var=\"{right}={value}\"?"
            );
            self.issues.push(Issue::error(Code::Config, "Invalid -var option", why));
            return;
        }
        if self.declared.contains_key(name) {
            self.text(name, value, VarOrigin::CommandLine);
            return;
        }
        let why = format!(
            "A variable named \"{name}\" was assigned on the command line, but the root module does not declare a \
             variable of that name."
        );
        let issue = Issue::error(Code::Config, "Value for undeclared variable", why);
        self.issues.push(declare(issue, name));
    }

    /// A text from the environment or the command line.
    fn text(&mut self, name: &str, text: &str, origin: VarOrigin) {
        let Some(variable) = self.declared.get(name) else { return };
        let name: Arc<str> = name.into();
        if variable.takes_text() {
            let given = Given::Value(Value::string(text));
            self.values.insert(name, VarValue { given, origin, place: None });
            return;
        }
        // The text of a sensitive variable is kept out of the sources, so that no message can quote it.
        let shown = if variable.sensitive { String::new() } else { text.to_owned() };
        let source =
            self.sources.add(SourceFile::new(format!("<value for var.{name}>"), shown).with_values());
        match syntax::parse_expr(text) {
            Ok(parsed) => {
                let given = Given::Expr(In::new(source, parsed));
                self.values.insert(name, VarValue { given, origin, place: None });
            }
            Err(e) => {
                let what = if variable.sensitive { String::new() } else { format!(" {}", e.message) };
                let why = format!(
                    "The value that {origin} gives to var.{name} can't be read as an expression, which its type asks \
                     for.{what}"
                );
                self.issues.push(Issue::error(Code::Config, "Invalid value for input variable", why));
            }
        }
    }
}

fn declare(issue: Issue, name: &str) -> Issue {
    issue.fix("Declare the variable in the root module:", format!("variable \"{name}\" {{}}"))
}

#[cfg(test)]
mod tests;
