//! Evaluation as Terraform's first pass does it, before anything is expanded.
//!
//! In: an expression of a module, and values of some of its variables. Out: its value, and the variables that were looked at. Variables
//! without a value have nothing but their type; of everything else nothing is known. Absent on purpose: what follows from a failure.

use crate::addr::{Reference, Referent};
use crate::config::Module;
use crate::eval::concrete::{Concrete, Resolve};
use crate::eval::{At, Bindings, EvalError, Outcome, Step, eval};
use crate::func::Context;
use crate::syntax::Expr;
use crate::text::SourceId;
use crate::trace::walk::refer::name_step;
use crate::value::{Mark, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Values by variable, and whether each is sensitive.
pub(super) type Known = BTreeMap<Arc<str>, (Value, bool)>;

/// The outcome of each local, and the variables that it looked at.
pub(super) type Locals = BTreeMap<Arc<str>, (Outcome, BTreeSet<Arc<str>>)>;

/// Variables have their value where it is known, else nothing but their type; of everything else nothing is known.
struct Names<'m> {
    module: &'m Module,
    known: &'m Known,
    locals: &'m mut Locals,
    context: Context<'m>,
    reached: BTreeSet<Arc<str>>,
}

/// The outcome, and the variables that were looked at on the way.
pub(super) fn evaluate<'m>(
    module: &'m Module,
    known: &'m Known,
    locals: &'m mut Locals,
    context: Context<'m>,
    at: (SourceId, &Expr),
) -> (Outcome, BTreeSet<Arc<str>>) {
    evaluate_with(module, known, locals, context, at, &Bindings::default())
}

/// The outcome, and the variables that were looked at on the way; with names that a block binds around it.
pub(super) fn evaluate_with<'m>(
    module: &'m Module,
    known: &'m Known,
    locals: &'m mut Locals,
    context: Context<'m>,
    (file, expr): (SourceId, &Expr),
    names: &Bindings<Outcome>,
) -> (Outcome, BTreeSet<Arc<str>>) {
    let resolver = Names { module, known, locals, context, reached: BTreeSet::new() };
    let mut domain = Concrete { resolver, context };
    let outcome = eval(&mut domain, file, expr, names);
    (outcome, domain.resolver.reached)
}

impl Names<'_> {
    fn local(&mut self, name: &Arc<str>) -> Outcome {
        if !self.locals.contains_key(name) {
            // Until it is known; a local that depends on itself is an error of Terraform's anyway.
            self.locals.insert(name.clone(), (Ok(Value::dynamic()), BTreeSet::new()));
            let Some(local) = self.module.locals.get(name) else { return Ok(Value::dynamic()) };
            let at = (local.attr.file, &local.attr.expr);
            let found = evaluate(self.module, self.known, self.locals, self.context, at);
            self.locals.insert(name.clone(), found);
        }
        let Some((outcome, reached)) = self.locals.get(name) else { return Ok(Value::dynamic()) };
        self.reached.extend(reached.iter().cloned());
        // Its own place has the error; Terraform does not come to what names it.
        Ok(outcome.clone().unwrap_or_else(|_: EvalError| Value::dynamic()))
    }
}

impl Resolve for Names<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let Ok(reference) = Reference::parse(root, &steps.iter().map(name_step).collect::<Vec<_>>()) else {
            return (Ok(Value::dynamic()), steps.len());
        };
        let value = match &reference.referent {
            Referent::Variable(name) => match self.known.get(name) {
                Some((value, _)) => {
                    self.reached.insert(name.clone());
                    Ok(value.clone())
                }
                None => Ok(self
                    .module
                    .variables
                    .get(name)
                    .map_or_else(Value::dynamic, |v| Value::unknown(v.ty.clone()))),
            },
            Referent::Local(name) => self.local(name),
            _ => Ok(Value::dynamic()),
        };
        // It is Terraform's own unknown, and stands for no value of another type.
        let sample = |v: Value| if v.is_untyped() { v.with_mark(Mark::Sample) } else { v };
        (value.map(sample), reference.consumed)
    }
}
