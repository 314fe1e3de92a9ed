//! Blocks on whose instances those of others depend.
//!
//! How many instances a managed resource has is nothing that a trace says, so that before a plan nobody knows how many objects the
//! original keeps of what counts them. If the text of a copy said it, an object would seem to be lost.

use crate::addr::{ModulePath, Referent};
use crate::config::{Config, Module};
use crate::graph::{self, Use};
use crate::specialise::unit::UnitName;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A name that hands a value on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Block(UnitName),
    Local(Arc<str>),
    Variable(Arc<str>),
    Output(Arc<str>, Arc<str>),
}

/// Returns true if a `count` or `for_each` hangs on a block, through locals, arguments and outputs.
pub(super) fn is_counted(config: &Config, path: &ModulePath, block: &UnitName) -> bool {
    let mut open = vec![(path.clone(), Name::Block(block.clone()))];
    let mut seen: BTreeSet<(ModulePath, Name)> = open.iter().cloned().collect();
    while let Some((path, name)) = open.pop() {
        let Some(module) = config.at(&path) else { continue };
        for used in graph::uses(module).iter().filter(|used| is_named(&name, &used.referent)) {
            let own = matches!(&name, Name::Block(block) if is_within(module, block, used));
            if own || used.is_static() {
                continue;
            }
            match next(module, &path, used) {
                Next::Counts => return true,
                Next::Ends => {}
                Next::Hands(at, name) => {
                    if seen.insert((at.clone(), name.clone())) {
                        open.push((at, name));
                    }
                }
            }
        }
    }
    false
}

fn is_named(name: &Name, referent: &Referent) -> bool {
    match (name, referent) {
        (Name::Block(block), referent) => block.holds(referent),
        (Name::Local(own), Referent::Local(name)) => own == name,
        (Name::Variable(own), Referent::Variable(name)) => own == name,
        (Name::Output(call, _), Referent::Call(own, _)) => own == call,
        (Name::Output(call, output), Referent::Output { call: own, name, .. }) => {
            own == call && name == output
        }
        _ => false,
    }
}

fn is_within(module: &Module, block: &UnitName, used: &Use) -> bool {
    block
        .decl(module)
        .is_some_and(|d| d.block.file == used.file && d.block.span.contains(used.traversal.span))
}

/// What a use of a name does with the value.
enum Next {
    /// It decides how many instances there are.
    Counts,
    /// It goes no further.
    Ends,
    /// It is part of another name's value.
    Hands(ModulePath, Name),
}

fn next(module: &Module, path: &ModulePath, used: &Use) -> Next {
    let attribute = &used.context.attribute;
    let [outer, inner @ ..] = used.context.blocks.as_slice() else { return Next::Ends };
    let holds = |file, span: crate::text::Span| file == used.file && span.contains(used.traversal.span);
    match (&**outer, inner.is_empty()) {
        ("resource" | "module", true) if matches!(&**attribute, "count" | "for_each") => Next::Counts,
        ("locals", _) => Next::Hands(path.clone(), Name::Local(attribute.clone())),
        ("module", true) => match module.calls.values().find(|c| holds(c.decl.block.file, c.decl.block.span))
        {
            Some(call) => Next::Hands(path.child(call.name.clone()), Name::Variable(attribute.clone())),
            None => Next::Ends,
        },
        ("output", true) => {
            let output = module.outputs.values().find(|o| holds(o.decl.block.file, o.decl.block.span));
            match output.zip(path.parent()) {
                Some((output, (above, call))) => Next::Hands(above, Name::Output(call, output.name.clone())),
                None => Next::Ends,
            }
        }
        _ => Next::Ends,
    }
}
