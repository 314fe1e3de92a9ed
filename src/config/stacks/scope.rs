//! What expressions of deployments know: locals of their files, and what HCP alone knows.
//!
//! In: an expression. Out: its value, in which what an identity token, a store or another Stack gives is unknown. Absent on purpose:
//! the Stack's own variables and locals, which are another scope.

use crate::config::In;
use crate::eval::concrete::{Concrete, Resolve};
use crate::eval::{At, Bindings, EvalError, Outcome, Step, eval};
use crate::func::{Context, NoSurroundings, Work};
use crate::syntax::{Attribute, Expr, on_big_stack};
use crate::text::SourceId;
use crate::value::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is declared beside deployments.
#[derive(Default)]
pub(super) struct Scope {
    pub locals: BTreeMap<Arc<str>, In<Attribute>>,
    /// `identity_token.aws`, `store.varset.keys`, `upstream_input.network`.
    pub outside: BTreeSet<String>,
}

/// Blocks whose values HCP alone knows, with the number of their labels.
pub(super) const OUTSIDE: [(&str, usize); 3] = [("identity_token", 1), ("store", 2), ("upstream_input", 1)];

impl Scope {
    /// The values of expressions, which share what they may cost: what goes beyond that is declined.
    pub fn values(&self, exprs: &[(&Expr, SourceId)]) -> Vec<Outcome> {
        on_big_stack(|| {
            let work = Work::default();
            let all = Open { scope: self, work: &work, done: RefCell::default(), open: RefCell::default() };
            exprs.iter().map(|(expr, file)| all.eval(expr, *file)).collect()
        })
    }
}

/// An evaluation.
struct Open<'s> {
    scope: &'s Scope,
    work: &'s Work,
    done: RefCell<BTreeMap<Arc<str>, Outcome>>,
    open: RefCell<Vec<Arc<str>>>,
}

impl Open<'_> {
    fn eval(&self, expr: &Expr, file: SourceId) -> Outcome {
        let context = Context { outside: &NoSurroundings, work: self.work };
        eval(&mut Concrete { resolver: self, context }, file, expr, &Bindings::default())
    }

    fn local(&self, name: &Arc<str>) -> Outcome {
        if let Some(done) = self.done.borrow().get(name) {
            return done.clone();
        }
        let fail = |text: String| Err(EvalError { elsewhere: true, ..EvalError::declined(text) });
        let Some(attr) = self.scope.locals.get(name) else {
            return fail(format!("A local value with the name {name:?} has not been declared."));
        };
        if self.open.borrow().contains(name) {
            return fail(format!("local.{name} depends on itself."));
        }
        self.open.borrow_mut().push(name.clone());
        let value = self.eval(&attr.expr, attr.file);
        self.open.borrow_mut().pop();
        self.done.borrow_mut().insert(name.clone(), value.clone());
        value
    }
}

impl Resolve for &Open<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Outcome, usize) {
        let names: Vec<Arc<str>> = steps
            .iter()
            .map_while(|step| match step {
                Step::Attr(name) => Some(name.text.clone()),
                Step::Index(_) | Step::Legacy(_) => None,
            })
            .collect();
        // Terraform looks at references before it evaluates, so that no `try` sees this.
        let fail =
            |text: String| Err(EvalError { elsewhere: true, ..EvalError::declined(text) }.at(at.place()));
        if root == "local" {
            return match names.first() {
                Some(name) => (self.local(name).map_err(|e| e.at(at.place())), 1),
                None => (fail("The \"local\" object cannot be accessed directly.".to_owned()), 0),
            };
        }
        let Some((_, labels)) = OUTSIDE.iter().find(|(word, _)| *word == root) else {
            let text = format!(
                "There is no symbol {root:?} in a deployment: it knows local, identity_token, store and upstream_input."
            );
            return (fail(text), 0);
        };
        let Some(own) = names.get(..*labels) else {
            return (fail(format!("\"{root}\" must be followed by a name.")), 0);
        };
        let address = format!("{root}.{}", own.join("."));
        if !self.scope.outside.contains(&address) {
            return (fail(format!("No block declares {address}.")), 0);
        }
        (Ok(Value::dynamic()), steps.len())
    }
}
