//! The `moved` blocks of a configuration as statements of the model.
//!
//! In: a loaded configuration. Out: one statement per block, in the words of the module that holds it. Absent on purpose:
//! blocks that Terraform would reject for their form; it says so itself.

use crate::addr::{ModuleInstance, ModulePath, ResourceAddr};
use crate::config::{Config, Decl};
use crate::moves::{Endpoint, Refusal, Statement};
use crate::syntax::ExprKind;
use crate::text::Place;
use rustc_hash::FxHashSet;

/// The instances of a module in which it is the one whose `source` a run chooses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken {
    /// All that there are or were; also where it isn't known.
    All,
    /// These alone, since the choice differs from key to key.
    Only(Vec<ModuleInstance>),
}

/// Every statement, each once: the module of a call stands once for each source that may be chosen.
pub fn statements(config: &Config) -> Vec<Statement> {
    statements_where(config, &|_| Taken::All)
}

/// The statements of the modules that are taken. One that is taken for some keys alone says the same as a block at the root
/// that names these instances.
pub fn statements_where(config: &Config, taken: &dyn Fn(&ModulePath) -> Taken) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::new();
    let mut known: FxHashSet<Statement> = FxHashSet::default();
    for (path, id) in &config.paths {
        let moved = config.module(*id).map(|m| m.moved.as_slice()).unwrap_or_default();
        if moved.is_empty() {
            continue;
        }
        let taken = taken(path);
        for decl in moved {
            let Some((from, to)) = decl.read_address("from").zip(decl.read_address("to")) else { continue };
            let ends = from.parse::<Endpoint>().ok().zip(to.parse::<Endpoint>().ok());
            let Some(own) = ends.and_then(|(from, to)| Statement::new(path.plain(), from, to)) else {
                continue;
            };
            let all = match &taken {
                Taken::All => vec![own],
                Taken::Only(instances) => instances.iter().map(|at| within(&own, at)).collect(),
            };
            out.extend(all.into_iter().filter(|one| known.insert(one.clone())));
        }
    }
    out
}

/// The statement as a block at the root would say it of one instance of its module.
fn within(statement: &Statement, instance: &ModuleInstance) -> Statement {
    let (from, to) = (statement.from.within(instance), statement.to.within(instance));
    Statement { scope: ModulePath::ROOT, from, to, implied: statement.implied }
}

/// Returns the place of the block that Terraform would refuse; `None` for a cycle, which no single block makes.
pub fn place(config: &Config, refusal: &Refusal) -> Option<Place> {
    let (from, to) = refusal.ends()?;
    let is = |scope: &ModulePath, decl: &Decl, argument: &str, wanted: &str| {
        let own = decl.read_address(argument).map(|own| scope.address_of(own));
        own.and_then(|own| without_keys(&own)).is_some_and(|own| without_keys(wanted) == Some(own))
    };
    config.paths.iter().find_map(|(path, id)| {
        let scope = path.plain();
        let mut blocks = config.module(*id)?.moved.iter();
        let block = blocks.find(|decl| is(&scope, decl, "from", from) && is(&scope, decl, "to", to))?;
        Some(block.place())
    })
}

fn without_keys(address: &str) -> Option<(ModulePath, Option<ResourceAddr>)> {
    let end: Endpoint = address.parse().ok()?;
    Some((end.module.path(), end.resource.map(|(resource, _)| resource)))
}

/// The addresses without keys, seen from the root, that `removed` blocks give up without destroying what they name.
pub fn forgotten(config: &Config) -> Vec<String> {
    forgotten_where(config, &|_| Taken::All)
}

/// Those of the modules that are taken in some instance.
pub fn forgotten_where(config: &Config, taken: &dyn Fn(&ModulePath) -> Taken) -> Vec<String> {
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        let module = config.module(*id);
        let kept = module.into_iter().flat_map(|m| &m.removed).filter(|d| keeps(d));
        let named: Vec<String> =
            kept.filter_map(|decl| Some(path.plain().address_of(decl.read_address("from")?))).collect();
        if !named.is_empty() && taken(path) != Taken::Only(Vec::new()) {
            out.extend(named);
        }
    }
    out
}

fn keeps(decl: &Decl) -> bool {
    let mut blocks = decl.block.body.blocks_of("lifecycle");
    blocks.any(|b| b.body.attribute("destroy").is_some_and(|a| matches!(a.expr.kind, ExprKind::Bool(false))))
}
