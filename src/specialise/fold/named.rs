//! The names in a module that folding knows something of: driven variables, the types of others, locals, blocks without instances.

use super::absent::Absent;
use crate::addr::{ModulePath, Referent};
use crate::config::{Config, Local, Module};
use crate::graph::Use;
use crate::specialise::unit::UnitName;
use crate::syntax::{Expr, ExprKind};
use crate::text::SourceId;
use crate::value::{Type, Value};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The most expressions that are looked at for one that is replaced. Locals may name locals.
const BUDGET: usize = 2_000;

/// What is known of one copy of a module.
pub struct Facts<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// The path of the module.
    pub path: &'a ModulePath,
    /// The module.
    pub module: &'a Module,
    /// Every use outside of JSON files.
    pub uses: &'a [Use],
    /// The values of the variables that carry driven ones.
    pub value: &'a (dyn Fn(&str) -> Option<Value> + Sync),
    /// The blocks without instances that go.
    pub absent: &'a Absent,
}

/// The meaning of one reference. References are told apart by their place, as `var` may be another name within a `for`.
pub(super) enum Named<'m> {
    /// A variable with a driven value.
    Value(Value),
    /// A local that is written once.
    Local(&'m Local),
    /// A variable of a type.
    Typed(Type),
    /// A block without instances; true if it has `for_each`.
    Absent(UnitName, bool),
}

/// What an expression's value was made from.
#[derive(Clone, Copy, Default)]
pub(super) struct By {
    /// A variable with a driven value, or a block without instances.
    pub driven: bool,
    /// A block without instances.
    pub absent: bool,
}

/// The references of a module, by file and first byte, with the number of expressions that may still be looked at.
#[derive(Default)]
pub(super) struct Folder<'m> {
    pub named: BTreeMap<(SourceId, u32), Named<'m>>,
    pub budget: AtomicUsize,
    /// True if something driven was looked at since it was last set to false.
    pub seen: AtomicBool,
    /// True if there are blocks without instances.
    pub any_absent: bool,
}

impl<'m> Folder<'m> {
    /// Builds it; `None` if nothing in the module is driven.
    pub fn of(facts: &Facts<'m>) -> Option<Folder<'m>> {
        let one = |used: &Use| {
            let named = match &used.referent {
                Referent::Variable(name) => match (facts.value)(name) {
                    Some(value) => Named::Value(value),
                    None => Named::Typed(facts.module.variables.get(name)?.ty.without_optional()),
                },
                Referent::Local(name) => Named::Local(local(facts.module, name)?),
                other => {
                    let declared = UnitName::of(other)?;
                    let each = facts.absent.get(&declared)?;
                    Named::Absent(declared, each)
                }
            };
            Some(((used.file, used.traversal.span.start), named))
        };
        let named: BTreeMap<_, _> = facts.uses.iter().filter_map(one).collect();
        let any_absent = named.values().any(|n| matches!(n, Named::Absent(..)));
        let any = any_absent || named.values().any(|n| matches!(n, Named::Value(_)));
        any.then(|| Folder { named, budget: BUDGET.into(), seen: false.into(), any_absent })
    }

    /// Returns the meaning of an expression that is a name as a whole, without further steps.
    pub fn name_of(&self, expr: &Expr, file: SourceId) -> Option<&Named<'m>> {
        let ExprKind::GetAttr(base, _) = &expr.kind else { return None };
        let whole = match &base.kind {
            ExprKind::Variable(root) => !is_prefix(root),
            ExprKind::GetAttr(inner, _) => matches!(&inner.kind, ExprKind::Variable(root) if is_prefix(root)),
            _ => false,
        };
        self.named.get(&(file, expr.span.start)).filter(|_| whole)
    }

    /// Returns true if an answer is true, and something driven was looked at for it.
    pub fn driven(&self, ask: impl Fn(&Self) -> bool) -> bool {
        self.refill();
        self.seen.store(false, Relaxed);
        ask(self) && self.seen.load(Relaxed)
    }

    pub fn refill(&self) {
        self.budget.store(BUDGET, Relaxed);
    }

    pub fn spend(&self) -> Option<()> {
        self.budget.store(self.budget.load(Relaxed).checked_sub(1)?, Relaxed);
        Some(())
    }
}

/// Returns true if a resource's type and name follow a root name.
pub(super) fn is_prefix(root: &str) -> bool {
    matches!(root, "data" | "resource" | "ephemeral")
}

/// Returns a local that is written once, in HCL.
fn local<'m>(module: &'m Module, name: &str) -> Option<&'m Local> {
    let written = module.files.iter().flat_map(|f| f.body.blocks_of("locals"));
    let once = written.filter(|b| b.body.attribute(name).is_some()).count() == 1;
    module.locals.get(name).filter(|l| once && !l.decl.json)
}
