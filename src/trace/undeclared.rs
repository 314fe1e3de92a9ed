//! References to what isn't declared.
//!
//! Terraform looks at all references of an expression before it evaluates any part of it: one in an arm that is never taken is
//! an error all the same, and so is one that a `try` is around. Deliberately absent: outputs, which Terraform looks for where
//! they are taken.

use super::Guarded;
use super::domain::Frame;
use crate::addr::{Mode, Reference, Referent, Step as NameStep};
use crate::config::Module;
use crate::eval::{Bindings, EvalError};
use crate::syntax::Expr;
use crate::syntax::traversal::{self, Traversal, TraversalStep};
use crate::text::{Place, SourceId};

impl Frame<'_, '_> {
    /// The error of the first reference in an expression that names nothing, beside names that are bound around it.
    pub(super) fn undeclared(
        &self,
        file: SourceId,
        expr: &Expr,
        names: &Bindings<Guarded>,
    ) -> Option<EvalError> {
        let instance = self.tracer.instances.get(self.instance)?;
        let module = self.tracer.inputs.config.module(instance.module)?;
        undeclared(module, (file, expr), &|name| names.get(name).is_some())
    }
}

/// The same in a module, by whether a name is bound.
pub(super) fn undeclared(
    module: &Module,
    (file, expr): (SourceId, &Expr),
    bound: &dyn Fn(&str) -> bool,
) -> Option<EvalError> {
    let unbound = traversal::variables(expr).into_iter().filter(|found: &Traversal| !bound(&found.root.text));
    let (text, span) = unbound.into_iter().find_map(|found| {
        let name = |step: &TraversalStep| match step {
            TraversalStep::Attr(name) => Some(name.text.clone()),
            TraversalStep::Index(..) => None,
        };
        let names: Vec<_> = found.steps.iter().map_while(name).collect();
        let steps: Vec<NameStep<'_>> = names.iter().map(|n| NameStep::Attr(n)).collect();
        let reference = Reference::parse(&found.root.text, &steps).ok()?;
        missing(module, &reference.referent).map(|text| (text, found.span))
    })?;
    Some(EvalError { elsewhere: true, ..EvalError::new(text).at(Place { file, span }) })
}

/// Returns Terraform's message for a name that a module doesn't declare.
fn missing(module: &Module, referent: &Referent) -> Option<String> {
    match referent {
        Referent::Variable(name) if !module.variables.contains_key(name) => {
            Some(format!("An input variable with the name {name:?} has not been declared."))
        }
        Referent::Local(name) if !module.locals.contains_key(name) => {
            Some(format!("A local value with the name {name:?} has not been declared."))
        }
        Referent::Call(call, _) | Referent::Output { call, .. } if module.call(call).is_none() => {
            Some(format!("No module call named {call:?} is declared."))
        }
        Referent::Resource(addr) if !module.resources.contains_key(addr) => {
            let kind = match addr.mode {
                Mode::Managed => "managed",
                Mode::Data => "data",
                Mode::Ephemeral => "ephemeral",
            };
            Some(format!("A {kind} resource {:?} {:?} has not been declared.", addr.kind, addr.name))
        }
        _ => None,
    }
}
