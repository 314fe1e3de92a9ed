//! What Terraform refuses before it evaluates anything, whatever the inputs are: a file per rule, a line each in [`RULES`].
//!
//! In: a module. Out: [`Refused`]s, each with Terraform's own summary. Source of the semantics: what `terraform validate` and the first
//! steps of a plan say (measured, 1.11). Absent on purpose: what hangs on a provider's schema, and what `tf-phi plan` makes right by itself
//! (expressions in `source`, `version`, and the arguments of `lifecycle`).

mod blocks;
mod conditions;
mod cycles;
mod dependencies;
mod functions;
mod itself;
mod names;
mod providers;
mod scope;
mod statements;

use crate::addr::ModulePath;
use crate::config::{Config, Module, Role};
use crate::graph::{self, Use};
use crate::text::Place;

/// Something that Terraform refuses.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    /// The address of the declaration, or the name of the block.
    pub at: String,
    /// Terraform's summary, and after a colon what it says besides.
    pub error: String,
    /// Where.
    pub place: Place,
}

/// What the rules look at.
pub(super) struct Looked<'c> {
    config: &'c Config,
    path: &'c ModulePath,
    module: &'c Module,
    /// The uses of names in its native files.
    uses: Vec<Use>,
}

/// One rule.
type Rule = fn(&Looked<'_>, &mut Vec<Refused>);

/// All rules.
const RULES: [Rule; 10] = [
    blocks::find_unknown,
    conditions::find_constant,
    cycles::find_cycles,
    dependencies::find_undeclared,
    functions::find_unknown,
    itself::find_references,
    names::find_reserved,
    providers::find_missing,
    scope::find_misplaced,
    statements::find_contradicted,
];

/// What Terraform refuses in a module.
pub(super) fn of_module(config: &Config, path: &ModulePath, module: &Module) -> Vec<Refused> {
    if config.is_stack() || module.role != Role::Module {
        return Vec::new();
    }
    let looked = Looked { config, path, module, uses: graph::uses(module) };
    let mut found = Vec::new();
    RULES.iter().for_each(|rule| rule(&looked, &mut found));
    found
}

/// The address of the block that a use stands in.
fn address_of(used: &Use) -> String {
    let blocks: Vec<&str> = used.context.blocks.iter().map(|kind| &**kind).collect();
    match blocks.as_slice() {
        [] => used.context.attribute.to_string(),
        blocks => format!("{}.{}", blocks.join("."), used.context.attribute),
    }
}
