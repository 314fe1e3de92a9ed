//! Gates that would depend on what they gate.
//!
//! In: a module, and the units of it that are split, with their gates' texts. A declaration may use its own call's
//! outputs by way of others, since Terraform orders single values. A gate stands in `count`, which everything in the
//! copy waits for: what leads from it back to the copy is a cycle.

use crate::addr::Referent;
use crate::config::{Decl, Module};
use crate::graph::{self, Use};
use crate::specialise::unit::UnitName;
use crate::text::{SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The units whose gates lead back to themselves.
pub fn through_gates(module: &Module, uses: &[Use], gates: &[(UnitName, Vec<&str>)]) -> Vec<UnitName> {
    let mut places: BTreeMap<(SourceId, u32), Vec<&Use>> = BTreeMap::new();
    for used in uses {
        places.entry((used.file, used.traversal.span.start)).or_default().push(used);
    }
    let found = gates.iter().filter(|(unit, texts)| {
        let parsed = texts.iter().filter_map(|t| crate::syntax::parse_expr(t).ok());
        let mut open: Vec<Referent> =
            parsed.flat_map(|e| graph::uses_of(&e, SourceId(0))).map(|u| u.referent).collect();
        let mut seen: BTreeSet<(SourceId, Span)> = BTreeSet::new();
        while let Some(referent) = open.pop() {
            if unit.holds(&referent) {
                return true;
            }
            for (file, span) in declared(module, &referent) {
                if seen.insert((file, span)) {
                    let inside =
                        places.range((file, span.start)..=(file, span.end)).flat_map(|(_, used)| used);
                    let inside = inside.filter(|u| span.contains(u.traversal.span));
                    open.extend(inside.map(|u| u.referent.clone()));
                }
            }
        }
        false
    });
    found.map(|(unit, _)| unit.clone()).collect()
}

/// Returns the places of a declaration of the module.
fn declared(module: &Module, referent: &Referent) -> Vec<(SourceId, Span)> {
    let of = |decl: &Decl| decl.blocks().map(|b| (b.file, b.span)).collect::<Vec<_>>();
    match referent {
        Referent::Local(name) => {
            module.locals.get(name).map(|l| (l.attr.file, l.attr.span)).into_iter().collect()
        }
        other => UnitName::of(other).and_then(|unit| unit.decl(module)).map(of).unwrap_or_default(),
    }
}
