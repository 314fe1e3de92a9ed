//! Attaches the modules of calls whose `source` or `version` an expression chooses.
//!
//! In: a configuration, and the values that the tracer finds for such expressions. Out: the configuration with a module for each
//! local source that is there, on a path that names the source, and what is wrong with the others. A version of one value gives what is
//! installed, if that is it.
//! Deliberately absent: sources outside of the tree, and several versions, which are known only once they are installed.

use crate::addr::{CallName, ModulePath};
use crate::config::{Call, Config, In, View, attach};
use crate::func::Surroundings;
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, ExprKind};
use crate::trace::{ChosenCall, Limits, Universes, chosen_calls};

/// The number of rounds in which attached modules are searched for such calls of their own.
const ROUNDS: usize = 4;

/// Attaches the modules. One that can't be found or read is left out, and noted in [`Config::unattached`]: to say so is the business of
/// those who write a call of it.
pub(super) fn attach_chosen(
    view: View<'_>,
    config: &mut Config,
    limits: Limits,
    universes: &dyn Fn(&Config) -> Universes,
    outside: &dyn Surroundings,
) {
    for _ in 0..ROUNDS {
        let found = chosen_calls(config, limits, universes, outside);
        if found.is_empty() {
            return;
        }
        for ChosenCall { at, call, values } in found {
            let attached = match call.source_text() {
                Some(source) => {
                    attach_version(view, config, (&at, &call, source), &values);
                    Vec::new()
                }
                None => attach_sources(view, config, (&at, &call), values),
            };
            config.chosen.insert(at.child(call.name.clone()), attached);
        }
    }
}

/// Attaches a module for each source, and returns the sources for which there is one.
fn attach_sources(
    view: View<'_>,
    config: &mut Config,
    (at, call): (&ModulePath, &Call),
    mut sources: Vec<String>,
) -> Vec<String> {
    sources.retain(|source| {
        let name = CallName::by_source(call.name.clone(), source.as_str());
        let mut issues = attach(view, config, at, &name, source, call);
        let is_there = issues.is_empty();
        if !is_there {
            detach(config, &at.child(name));
            issues.retain(is_terraforms);
            let of_call = config.unattached.entry(at.child(call.name.clone())).or_default();
            of_call.insert(source.clone(), issues);
        }
        is_there
    });
    sources
}

/// Returns true for what stops Terraform as well, whatever it is given: not where this program alone reads no further, or where something has to be
/// installed.
fn is_terraforms(issue: &Issue) -> bool {
    let codes = [Code::Missing, Code::Unparsable, Code::Invalid, Code::Cycle];
    issue.is_error() && codes.contains(&issue.code)
}

/// Attaches what is installed for a call whose version is an expression, if that has one value and it is this version. Other
/// values are other modules, of which nothing is installed under the call's own name.
fn attach_version(
    view: View<'_>,
    config: &mut Config,
    (at, call, source): (&ModulePath, &Call, &str),
    versions: &[String],
) {
    let (Some((version, others)), Some(attr)) = (versions.split_first(), &call.version) else { return };
    if others.iter().any(|other| other != version) {
        return;
    }
    let mut call = call.clone();
    let (file, mut attr) = (attr.file, Attribute::clone(attr));
    attr.expr.kind = ExprKind::String(version.as_str().into());
    call.version = Some(In::new(file, attr));
    let name = CallName::from(call.name.clone());
    if !attach(view, config, at, &name, source, &call).is_empty() {
        detach(config, &at.child(name));
    }
}

fn detach(config: &mut Config, path: &ModulePath) {
    config.paths.retain(|known, _| !path.contains(known));
}
