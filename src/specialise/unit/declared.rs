//! Which declaration a use of a name is part of, and which names a declaration goes by.

use crate::addr::{ModulePath, Referent, Target};
use crate::config::{Decl, Module};
use crate::graph::Use;

/// A declaration and the path of its module.
pub(in crate::specialise) type Declared = (ModulePath, Target);

/// Returns the declaration of the module at a path whose value a use is part of: a local, an output, or the variable that an argument
/// of a call sets; `None` for any other.
pub(in crate::specialise) fn holder(path: &ModulePath, module: &Module, used: &Use) -> Option<Declared> {
    let holds = |decl: &Decl| used.lies_in(decl.block.place());
    let name = &used.context.attribute;
    let [kind, inner @ ..] = used.context.blocks.as_slice() else { return None };
    match (&**kind, inner.is_empty()) {
        ("locals", _) => Some((path.clone(), Target::Local(name.clone()))),
        ("output", true) => {
            let own = module.outputs.values().find(|o| holds(&o.decl))?;
            Some((path.clone(), Target::Output(own.name.clone())))
        }
        ("module", true) => {
            let call = module.calls.values().find(|c| holds(&c.decl))?;
            Some((path.child(call.name.clone()), Target::Variable(name.clone())))
        }
        _ => None,
    }
}

/// Returns the variable or local that a name is of; `None` for any other.
pub(in crate::specialise) fn named(referent: &Referent) -> Option<Target> {
    match referent {
        Referent::Variable(name) => Some(Target::Variable(name.clone())),
        Referent::Local(name) => Some(Target::Local(name.clone())),
        _ => None,
    }
}
