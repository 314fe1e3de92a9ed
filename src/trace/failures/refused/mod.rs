//! What Terraform refuses before it evaluates anything, whatever the inputs are: a file per rule, a line each in [`RULES`].
//!
//! In: a module. Out: [`Refused`]s, each with Terraform's own summary. Source of the semantics: what `terraform validate` and the first
//! steps of a plan say (measured, 1.11). Absent on purpose: what hangs on a provider's schema, and what `tf-phi plan` makes right by itself
//! (expressions in `source`, `version`, and the arguments of `lifecycle`).

mod blocks;
mod built_in;
mod calls;
mod conditions;
mod constants;
mod cycles;
mod dependencies;
mod functions;
mod imports;
mod itself;
mod looked;
mod names;
mod outputs;
mod overrides;
mod providers;
mod provisioners;
mod scope;
mod scoped;
mod statements;

use crate::addr::ModulePath;
use crate::config::{Config, Module, Role};
use crate::graph;
use looked::Looked;

pub(super) use blocks::describe_unexpected;
pub(super) use built_in::keeps_all;
pub(super) use looked::Refused;

/// One rule.
type Rule = fn(&Looked<'_>, &mut Vec<Refused>);

/// All rules.
const RULES: [Rule; 18] = [
    blocks::find_unknown,
    built_in::find_unknown,
    calls::find_contradicted,
    conditions::find_constant,
    constants::find_unsuitable,
    cycles::find_cycles,
    dependencies::find_undeclared,
    functions::find_unknown,
    imports::find_unsuitable,
    itself::find_references,
    names::find_reserved,
    outputs::find_ephemeral,
    overrides::find_misplaced,
    providers::find_missing,
    provisioners::find_unsuitable,
    scope::find_misplaced,
    scoped::find_unsuitable,
    statements::find_contradicted,
];

/// What Terraform refuses in a module.
pub(super) fn of_module(config: &Config, path: &ModulePath, module: &Module) -> Vec<Refused> {
    if config.is_stack() || module.role != Role::Module || config.is_for_before_1_0() {
        return Vec::new();
    }
    let uses = graph::uses(module).into_iter().chain(graph::uses_in_json(module)).collect();
    let looked = Looked { config, path, module, uses };
    let mut found = Vec::new();
    RULES.iter().for_each(|rule| rule(&looked, &mut found));
    found
}
