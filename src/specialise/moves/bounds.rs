//! Outputs that stop a plain plan with instances for which no chain was written.
//!
//! A chain is written for each instance; of keys that neither this run nor state has, nothing tells. A plan with such a key
//! would leave what another state holds of it behind, and destroy it. So an output with a precondition counts the instances
//! of what variables repeat. It refers to what is declared in the root module, so a repetition further inside has none; where
//! `-target` leaves out what it counts, Terraform passes over it, and over what it guards (measured on 1.11).
//! Absent: an output where the repetition can't have other instances, and for instances that only a first plan has shown.

use crate::addr::{Key, Target};
use crate::config::Config;
use crate::gate::Prover;
use crate::graph;
use crate::issue::{Code, Issue};
use crate::specialise::SplitUnit;
use crate::specialise::moves::FILE;
use crate::specialise::units::{Active, Counted};
use crate::specialise::written::stop;
use crate::syntax::emit::string_literal;
use crate::syntax::{Expr, ExprKind};
use crate::trace::Repetition;
use std::collections::{BTreeMap, BTreeSet};

/// The output that stops a plan.
pub const OUTPUT: &str = "tf_phi_moves_stale";

/// Finds what can be counted for each unit.
///
/// # Errors
/// Returns an error if the user has an output of that name.
pub(in crate::specialise) fn count(config: &Config, splits: &mut [SplitUnit]) -> Result<(), Box<Issue>> {
    let in_root: BTreeSet<Target> =
        splits.iter().filter(|s| s.scope.is_root()).map(|s| s.target.clone()).collect();
    let all: Vec<Option<Counted>> = splits.iter().map(|unit| counted(config, unit, &in_root)).collect();
    for (unit, counted) in splits.iter_mut().zip(all) {
        unit.counted = counted.filter(|_| unit.keeps_state());
    }
    let needed = splits.iter().any(|s| s.counted.is_some());
    match config.root().and_then(|m| m.outputs.get(OUTPUT)).filter(|_| needed) {
        None => Ok(()),
        Some(output) => {
            let summary = format!("an output {OUTPUT} is in the way");
            let why = "tf-phi writes an output of this name, which stops plans with instances that it has written no moves for.";
            Err(Box::new(Issue::error(Code::Unsupported, summary, why).at(output.decl.place())))
        }
    }
}

fn counted(config: &Config, unit: &SplitUnit, in_root: &BTreeSet<Target>) -> Option<Counted> {
    let (target, declared) = match unit.scope.0.first() {
        None => (unit.target.clone(), unit.addresses.clone()),
        Some(name) => {
            let call = Target::Call(name.plain());
            if in_root.contains(&call) {
                // That counts for what lies within as well.
                return None;
            }
            let own = call.to_string();
            (call, vec![own])
        }
    };
    let repetition = Repetition::of(config.root()?, &target);
    let attr = repetition.attribute()?;
    let constant = graph::uses_of(&attr.expr, attr.file).is_empty();
    let by_name = repetition.for_each.is_some();
    let original = target.to_string();
    let most = if by_name { None } else { most(&attr.expr) };
    let here = BTreeSet::new();
    (!constant).then_some(Counted { target, original, declared, by_name, most, here })
}

/// Notes which instances this run has; `prover` knows its values.
pub(in crate::specialise) fn note_run(splits: &mut [SplitUnit], prover: &mut Prover<'_, '_>) {
    for counted in splits.iter_mut().filter_map(|unit| unit.counted.as_mut()) {
        let tracer = prover.tracer();
        let keys = tracer.keys(tracer.root_instance(), &counted.target);
        counted.here = keys.into_iter().flatten().flatten().collect();
    }
}

/// The largest number that an expression can give, as it is written.
fn most(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Paren(inner) => most(inner),
        ExprKind::Number(n) => n.as_usize().and_then(|n| i64::try_from(n).ok()),
        ExprKind::Conditional(_, yes, no) => Some(most(yes)?.max(most(no)?)),
        _ => None,
    }
}

/// The output; nothing where the chains leave out no instance.
pub(in crate::specialise) fn text(splits: &[SplitUnit], active: &[Vec<Active>]) -> Option<String> {
    let mut known: BTreeMap<&Counted, BTreeSet<&Key>> = BTreeMap::new();
    for (unit, active) in splits.iter().zip(active) {
        let Some(counted) = &unit.counted else { continue };
        let own = active.iter().filter_map(|a| match unit.scope.is_root() {
            true => a.key.as_ref(),
            false => a.module.0.first().and_then(|(_, key)| key.as_ref()),
        });
        known.entry(counted).or_default().extend(own.chain(&counted.here));
    }
    let rule =
        |(counted, keys): (&Counted, _)| Some((condition(counted, &keys)?, message(&counted.original)));
    let rules: Vec<(String, String)> = known.into_iter().filter_map(rule).collect();
    let comment = "Written by tf-phi: no other instances have moves here.";
    (!rules.is_empty()).then(|| stop::output(OUTPUT, comment, &rules))
}

fn condition(counted: &Counted, keys: &BTreeSet<&Key>) -> Option<String> {
    let each = |f: &str| counted.declared.iter().map(|a| format!("{f}({a})")).collect::<Vec<_>>();
    if keys.is_empty() {
        return Some(format!("{} == 0", each("length").join(" + ")));
    }
    if counted.by_name {
        let own = match each("keys").as_slice() {
            [one] => one.clone(),
            all => format!("concat({})", all.join(", ")),
        };
        let name = |key: &&Key| match key {
            Key::Name(name) => Some(string_literal(name)),
            Key::Index(_) => None,
        };
        let names: Vec<String> = keys.iter().filter_map(name).collect();
        return Some(format!("length(setsubtract({own}, [{}])) == 0", names.join(", ")));
    }
    let last = keys.iter().filter_map(|key| match key {
        Key::Index(n) => Some(*n),
        Key::Name(_) => None,
    });
    let known = last.max()?.saturating_add(1);
    if counted.most.is_some_and(|most| most <= known) {
        return None;
    }
    let most = match each("length").as_slice() {
        [one] => one.clone(),
        all => format!("max({})", all.join(", ")),
    };
    Some(format!("{most} <= {known}"))
}

fn message(original: &str) -> String {
    format!(
        "The moves in {FILE} were written by a run with other instances of {original}. Run `tf-phi plan`, which writes them for \
         these: without moves, Terraform would destroy what state holds of them, and create it anew."
    )
}
