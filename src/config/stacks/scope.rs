//! The names that expressions of deployments may use: locals of their files, and values that only HCP knows.
//!
//! In: an expression. Out: its value, in which what an identity token, a store or another Stack gives is unknown. Absent on purpose:
//! the Stack's own variables and locals, which are another scope.

use crate::config::In;
use crate::eval::concrete::{Concrete, Resolve};
use crate::eval::{At, Bindings, EvalError, Outcome, Step, eval};
use crate::func::{Context, NoSurroundings, Work};
use crate::syntax::traversal::names_under;
use crate::syntax::{Attribute, Expr, on_big_stack};
use crate::text::SourceId;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The declarations beside deployments.
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
            let mut all = Open { scope: self, work: &work, done: BTreeMap::new() };
            let value = |(expr, file): &(&Expr, SourceId)| {
                locals_in(expr).into_iter().for_each(|name| all.need(name));
                all.eval(expr, *file)
            };
            exprs.iter().map(value).collect()
        })
    }
}

/// The names of locals in an expression.
fn locals_in(expr: &Expr) -> Vec<Arc<str>> {
    names_under("local", expr).collect()
}

/// An error in what is named, which Terraform looks at before it evaluates, so that no `try` sees it.
fn wrong(text: String) -> EvalError {
    EvalError { elsewhere: true, ..EvalError::declined(text) }
}

/// An evaluation.
struct Open<'s> {
    scope: &'s Scope,
    work: &'s Work,
    done: BTreeMap<Arc<str>, Outcome>,
}

impl Open<'_> {
    fn eval(&self, expr: &Expr, file: SourceId) -> Outcome {
        let context = Context { outside: &NoSurroundings, work: self.work };
        eval(&mut Concrete { resolver: self, context }, file, expr, &Bindings::default())
    }

    /// Evaluates a local, and before it those that it names: however many follow each other, none is evaluated within another.
    fn need(&mut self, name: Arc<str>) {
        let mut open: Vec<(Arc<str>, Vec<Arc<str>>)> = Vec::new();
        let mut names = BTreeSet::new();
        let mut next = Some(name);
        loop {
            if let Some(name) = next.take().filter(|name| !self.done.contains_key(name)) {
                match self.scope.locals.get(&name) {
                    _ if names.contains(&name) => {
                        let error = wrong(format!("local.{name} depends on itself."));
                        self.done.insert(name, Err(error));
                    }
                    Some(attr) => {
                        names.insert(name.clone());
                        open.push((name, locals_in(&attr.expr)));
                    }
                    None => {
                        let text = format!("A local value with the name {name:?} has not been declared.");
                        self.done.insert(name, Err(wrong(text)));
                    }
                }
            }
            let Some((name, left)) = open.last_mut() else { return };
            next = left.pop();
            if next.is_some() {
                continue;
            }
            let name = name.clone();
            open.pop();
            if let Some(attr) = self.scope.locals.get(&name).filter(|_| !self.done.contains_key(&name)) {
                let value = self.eval(&attr.expr, attr.file);
                self.done.insert(name, value);
            }
        }
    }

    fn local(&self, name: &Arc<str>) -> Outcome {
        let text = || format!("A local value with the name {name:?} has not been declared.");
        self.done.get(name).cloned().unwrap_or_else(|| Err(wrong(text())))
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
