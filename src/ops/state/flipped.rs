//! Finds objects in state of a service that another one takes the place of in this run.
//!
//! If conditions choose among services, each service has calls of its own, and nothing moves between them: what the one made would be
//! destroyed as soon as the condition turns to the other. In: the objects in state, and a run's values. Out: the first object of
//! each call that has gone for that reason. Absent: instances that no call has any more, since the original has none either.

use crate::addr::{Key, ModuleInstance, ObjectAddr, Target};
use crate::gate::Prover;
use crate::specialise::service::Replaced;
use crate::trace::Standing;
use std::sync::Arc;

/// The objects, each with the call that made it, as state has it.
pub fn objects<'h>(
    prover: &mut Prover<'_, '_>,
    replaced: &[Replaced],
    held: &'h [ObjectAddr],
) -> Vec<(&'h ObjectAddr, String)> {
    let chosen: Vec<&Replaced> = replaced.iter().filter(|r| r.origin.is_some()).collect();
    let there: Vec<Option<Vec<ModuleInstance>>> = chosen.iter().map(|r| there(prover, r)).collect();
    let mut out: Vec<(&ObjectAddr, String)> = Vec::new();
    for object in held {
        let made = chosen.iter().enumerate().filter(|(_, r)| is_of(object, r));
        // Names of calls may begin alike.
        let Some((at, own)) = made.max_by_key(|(_, r)| r.call.len()) else { continue };
        let has = |other: usize| {
            let known = there.get(other).and_then(Option::as_ref);
            known.map(|all| all.iter().any(|instance| is_within(object, instance)))
        };
        let mut beside = chosen
            .iter()
            .enumerate()
            .filter(|(i, r)| *i != at && r.scope == own.scope && r.origin == own.origin);
        let lost = match has(at) {
            Some(true) => false,
            Some(false) => beside.any(|(i, r)| stands_at(object, own, r, there.get(i))),
            None => true,
        };
        let call = instance_of(object, own);
        if lost && !out.iter().any(|(_, known)| *known == call) {
            out.push((object, call));
        }
    }
    out
}

/// The call in state that an object lies in: all its instances in one instance of the module around it.
fn instance_of(object: &ObjectAddr, replaced: &Replaced) -> String {
    let mut steps: Vec<_> = object.module.0.iter().take(replaced.scope.0.len() + 1).cloned().collect();
    if let Some((_, key)) = steps.last_mut() {
        *key = None;
    }
    ModuleInstance(steps).to_string()
}

/// The instances of a call in this run; nothing where they aren't known.
fn there(prover: &mut Prover<'_, '_>, replaced: &Replaced) -> Option<Vec<ModuleInstance>> {
    let mut out = Vec::new();
    for Standing { instance, module, .. } in prover.tracer().module_standings(&replaced.scope).ok()? {
        for key in prover.tracer().keys(instance, &Target::Call(replaced.call.clone().into())).ok()? {
            out.push(module.child(replaced.call.clone(), key));
        }
    }
    Some(out)
}

/// Returns true if a name is that of a call, or of a copy of it.
fn is_call(name: &str, call: &str) -> bool {
    name.strip_prefix(call).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn is_of(object: &ObjectAddr, replaced: &Replaced) -> bool {
    let path = replaced.scope.child(replaced.call.clone());
    let steps = &object.module.0;
    steps.len() >= path.0.len() && steps.iter().zip(&path.0).all(|((own, _), call)| is_call(own, &call.name))
}

/// Returns true if an object lies in an instance of a module, or in a copy of it. A copy of what has no key has one.
fn is_within(object: &ObjectAddr, instance: &ModuleInstance) -> bool {
    type Step = (Arc<str>, Option<Key>);
    let same = |((own, at), (name, key)): (&Step, &Step)| {
        is_call(own, name) && (at == key || (own != name && key.is_none()))
    };
    object.module.0.len() >= instance.0.len() && object.module.0.iter().zip(&instance.0).all(same)
}

/// Returns true if this run has another call of what an object's call stands for, in the same instance.
fn stands_at(
    object: &ObjectAddr,
    own: &Replaced,
    other: &Replaced,
    there: Option<&Option<Vec<ModuleInstance>>>,
) -> bool {
    let Some(Some(there)) = there else { return true };
    let mut moved = object.clone();
    if let Some((name, _)) = moved.module.0.get_mut(own.scope.0.len()) {
        *name = other.call.clone();
    }
    there.iter().any(|instance| is_within(&moved, instance))
}
