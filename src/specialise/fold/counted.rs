//! Blocks on whose instances those of others depend.
//!
//! How many instances a managed resource has is nothing that a trace says, so that before a plan nobody knows how many objects the
//! original keeps of what counts them. If the text of a copy said it, an object would seem to be lost.

use crate::addr::{ModulePath, Referent, Target};
use crate::config::Config;
use crate::graph::{self, Use};
use crate::specialise::unit::UnitName;
use crate::specialise::unit::declared::{Declared, holder, named};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns true if a `count` or `for_each` hangs on a block, through locals, arguments and outputs.
pub(super) fn is_counted(config: &Config, path: &ModulePath, block: &UnitName) -> bool {
    let mut open = vec![(path.clone(), block.target())];
    let mut seen: BTreeSet<Declared> = open.iter().cloned().collect();
    while let Some((path, target)) = open.pop() {
        // An output is named where its module is called.
        let (path, call) = match (&target, path.parent()) {
            (Target::Output(_), None) => continue,
            (Target::Output(_), Some((above, call))) => (above, Some(call.name)),
            _ => (path, None),
        };
        let Some(module) = config.at(&path) else { continue };
        let decl = UnitName::of_target(&target).and_then(|block| block.decl(module));
        let uses = graph::uses(module);
        for used in uses.iter().filter(|used| is_named(&target, call.as_ref(), &used.referent)) {
            if decl.is_some_and(|decl| used.lies_in(decl.block.place())) || used.is_static() {
                continue;
            }
            if counts(used) {
                return true;
            }
            open.extend(holder(&path, module, used).filter(|found| seen.insert(found.clone())));
        }
    }
    false
}

/// Returns true if a referent is a declaration, or lies in it; `call` is that of an output's module.
fn is_named(target: &Target, call: Option<&Arc<str>>, referent: &Referent) -> bool {
    match (target, referent) {
        (Target::Output(_), Referent::Call(own, _)) => call == Some(own),
        (Target::Output(output), Referent::Output { call: own, name, .. }) => {
            call == Some(own) && name == output
        }
        _ => match UnitName::of_target(target) {
            Some(block) => block.holds(referent),
            None => named(referent).as_ref() == Some(target),
        },
    }
}

/// Returns true if a use decides how many instances there are.
fn counts(used: &Use) -> bool {
    let repeats = matches!(&*used.context.attribute, "count" | "for_each");
    repeats && matches!(used.context.blocks.as_slice(), [kind] if matches!(&**kind, "resource" | "module"))
}
