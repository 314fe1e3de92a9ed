//! The environments of a working directory as values: each variable file that counts, over what is loaded by itself.

use super::session::Session;
use crate::config::variables::{Environment as File, Given, VarArg, VarOrigin, VarValue, VarValues};
use crate::eval::EvalError;
use crate::eval::standalone::eval_constant;
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::trace::WORKSPACE;
use crate::trace::failures::{Environment, Inputs, Listed, Unsuitable, listed};
use crate::value::{Type, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The environment of a directory without variable files of its own.
const ONLY: &str = "default";

/// What is known of how an environment is given to Terraform.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    /// Its variable file, where it has one.
    pub file: Option<PathBuf>,
}

/// The inputs that are meant, with how each environment is given to Terraform.
///
/// # Errors
/// A name that no environment has.
pub(super) fn inputs(
    session: &mut Session,
    vars: &[VarArg],
    wanted: &[String],
) -> Result<(Inputs, BTreeMap<Arc<str>, Source>), Issue> {
    let base = session.values(&[]);
    let mut over = session.values(vars);
    over.retain(|_, v| from_arguments(v, vars));
    // What Terraform loads by itself is below every environment, and none of its own.
    let files: Vec<File> = session.environments.iter().filter(|e| !is_automatic(&e.path)).cloned().collect();
    let mut named: Vec<(Arc<str>, Option<&File>)> =
        names(&files).into_iter().zip(files.iter().map(Some)).collect();
    if named.is_empty() {
        named.push((ONLY.into(), None));
    }
    if let Some(missing) = wanted.iter().find(|w| !named.iter().any(|(name, _)| **name == ***w)) {
        let all: Vec<&str> = named.iter().map(|(name, _)| &**name).collect();
        let why = format!("There are these: {}.", all.join(", "));
        return Err(Issue::error(Code::Config, format!("No environment is named \"{missing}\""), why));
    }
    named.retain(|(name, _)| wanted.is_empty() || wanted.iter().any(|w| **w == **name));
    let (listed, by_type) = listed(&session.config, &session.phi, session.limits(), session.outside());
    let mut environments = Vec::new();
    let mut sources = BTreeMap::new();
    for (name, file) in named {
        let mut given: VarValues = base.clone();
        given.extend(file.map(|f| f.values.clone()).unwrap_or_default());
        given.extend(over.clone());
        let mut made = environment(session, name.clone(), &given);
        made.workspace =
            workspace(&listed, &name).or_else(|| session.host.env("TF_WORKSPACE")).map(Arc::from);
        environments.push(made);
        sources.insert(name, Source { file: file.map(|f| f.path.clone()) });
    }
    Ok((Inputs { environments, listed, by_type }, sources))
}

/// The workspace of an environment: among those that are listed, the one that is named like it, else the default one.
fn workspace(listed: &Listed, name: &str) -> Option<String> {
    let all: Vec<&str> = listed.get(WORKSPACE)?.iter().filter_map(Value::as_str).collect();
    let found = [name, "default"].into_iter().find(|w| all.contains(w)).or(all.first().copied());
    found.map(str::to_owned)
}

/// Whether Terraform loads a variable file of the root module by itself.
fn is_automatic(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let own = matches!(&*name, "terraform.tfvars" | "terraform.tfvars.json");
    let auto = name.ends_with(".auto.tfvars") || name.ends_with(".auto.tfvars.json");
    own || (auto && !name.contains('/'))
}

/// Whether a value comes from the command line.
fn from_arguments(value: &VarValue, vars: &[VarArg]) -> bool {
    match &value.origin {
        VarOrigin::CommandLine => true,
        VarOrigin::Env(_) => false,
        VarOrigin::File(path) => vars.iter().any(|v| matches!(v, VarArg::File(own) if path.ends_with(own))),
    }
}

fn environment(session: &Session, name: Arc<str>, given: &VarValues) -> Environment {
    let mut made = Environment { name, ..Environment::default() };
    for (name, value) in given {
        let Some(variable) = session.config.root().and_then(|m| m.variables.get(name)) else { continue };
        // What can't be read is said where it is read.
        let Ok(raw) = value_of(&value.given) else { continue };
        match variable.accept(&raw).map_err(EvalError::from) {
            Ok(own) => {
                made.values.insert(name.clone(), own.unmark_deep().0);
                made.places.extend(value.place.map(|place| (name.clone(), place)));
            }
            Err(e) => made.unsuitable.push(Unsuitable {
                name: name.clone(),
                value: if variable.sensitive { Value::null(Type::Dynamic) } else { raw },
                error: e.message.to_string(),
                place: value.place,
            }),
        }
    }
    made
}

fn value_of(given: &Given) -> Result<Value, EvalError> {
    match given {
        Given::Value(value) => Ok(value.clone()),
        Given::Expr(expr) => eval_constant(&expr.node, expr.file),
    }
}

/// The part of each path in which the paths differ.
fn names(files: &[File]) -> Vec<Arc<str>> {
    let parts: Vec<Vec<String>> = files.iter().map(|f| parts(&f.path)).collect();
    let common = |at: &dyn Fn(&[String], usize) -> Option<String>| {
        let least = parts.iter().map(Vec::len).min().unwrap_or(0);
        let same = |i: &usize| {
            let mut all = parts.iter().map(|p| at(p, *i));
            let first = all.next();
            all.all(|one| Some(one) == first)
        };
        (0..least).take_while(same).count()
    };
    let from_start = common(&|p, i| p.get(i).cloned());
    let from_end = common(&|p, i| p.iter().rev().nth(i).cloned());
    let name = |p: &Vec<String>| {
        let end = p.len().saturating_sub(from_end).max(from_start);
        let own = p.get(from_start..end).unwrap_or_default().join("/");
        let last = p.last().cloned().unwrap_or_default();
        let folder = p.iter().rev().nth(1).cloned();
        let alone = if last == "terraform" { folder.unwrap_or(last) } else { last };
        if own.is_empty() { alone.into() } else { own.into() }
    };
    parts.iter().map(name).collect()
}

/// The parts of a path, the last without what every variable file ends in.
fn parts(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> =
        path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    if let Some(last) = parts.last_mut() {
        for end in [".auto.tfvars.json", ".tfvars.json", ".auto.tfvars", ".tfvars"] {
            if let Some(stem) = last.strip_suffix(end) {
                *last = stem.to_owned();
                break;
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(paths: &[&str]) -> Vec<String> {
        let files: Vec<File> = paths
            .iter()
            .map(|p| File { path: PathBuf::from(p), values: VarValues::new(), named: false })
            .collect();
        names(&files).iter().map(|n| n.to_string()).collect()
    }

    #[test]
    fn environments_are_named_by_where_their_files_differ() {
        assert_eq!(named(&["env/dev.tfvars", "env/prod.tfvars.json"]), ["dev", "prod"]);
        assert_eq!(named(&["envs/dev/terraform.tfvars", "envs/prod/terraform.tfvars"]), ["dev", "prod"]);
        assert_eq!(
            named(&["a/eu/dev.tfvars", "a/us/dev.tfvars", "a/us/qa.tfvars"]),
            ["eu/dev", "us/dev", "us/qa"]
        );
        assert_eq!(named(&["env/prod.tfvars"]), ["prod"]);
        assert_eq!(named(&["prod/terraform.tfvars"]), ["prod"]);
        assert!(named(&[]).is_empty());
    }
}
