//! The results of texts that stand in no file, beside a declaration: what a `count` with such a text would see.
//!
//! In: a text, a module, a declaration in it. Out: the conditions under which the text is true, an error, or not known, computed in
//! the domain that traces fields. Absent on purpose: which texts are gates, and what they have to mean (see [`crate::gate`]).

use crate::addr::{Key, ModulePath, Target};
use crate::cond::FormulaId;
use crate::eval::{Bindings, eval};
use crate::syntax::{self, Expr, ExprKind};
use crate::trace::{
    Frame, Guarded, IN_NO_FILE, InstanceId, Iteration, NOWHERE, Part, Tracer, repetition::dynamic::Axes,
    tracer::result::Gives, walk::conditional::as_condition,
};

impl Tracer<'_> {
    /// Returns the conditions under which a text gives each result, beside a declaration `unit` of the module `scope`; with `under`
    /// in one instance of that module, for one key of the declaration. `None` if it gives anything else, or is too long.
    pub fn outcome(
        &mut self,
        (text, negated): (&str, bool),
        (scope, unit): (&ModulePath, &Target),
        under: Option<(InstanceId, &Option<Key>)>,
    ) -> Option<Gives> {
        let (instance, key) = match under {
            None => (self.instance_at(scope)?, None),
            Some((instance, key)) => (instance, Some(key.clone())),
        };
        // Outside of every iteration a text means the same for all fields; within one, for all fields of what is repeated.
        let repeated = match &key {
            None => self.repeats(instance, unit).then(|| (unit.clone(), None)),
            Some(key) => key.clone().map(|key| (unit.clone(), Some(key))),
        };
        let standing = || (text.to_owned(), negated, instance, repeated, self.scope.version);
        let standing = self.scope.gate_names.is_none().then(standing);
        if let Some(known) = standing.as_ref().and_then(|k| self.memo.outcomes.get(k)) {
            return *known;
        }
        let iteration = match key {
            Some(None) => Iteration::default(),
            key => self.iteration(instance, unit, key.flatten().as_ref()),
        };
        let names = self.names_around(scope, unit).unwrap_or_default().names;
        let outcome = self.outcome_in(text, negated, (instance, iteration), &names);
        if let Some(standing) = standing {
            self.memo.outcomes.insert(standing, outcome);
        }
        outcome
    }

    fn outcome_in(
        &mut self,
        text: &str,
        negated: bool,
        (instance, iteration): (InstanceId, Iteration),
        names: &Bindings<Guarded>,
    ) -> Option<Gives> {
        let expr = syntax::parse_expr(text).ok().filter(|expr| is_readable(expr, MAX_OPERATORS))?;
        // A gate of what has a `count` stands in it, where Terraform knows no `count.index`, whatever it is there; only one
        // that is shown may speak of it.
        let written = self.scope.gate_names.is_none();
        if written && syntax::traversal::variables(&expr).iter().any(|v| &*v.root.text == "count") {
            return None;
        }
        let mut frame = Frame { tracer: self, instance, iteration };
        // Of a thousand gates, each may take what one expression may take.
        let made = frame.tracer.formulas.size();
        let set_aside = frame.tracer.effort.set_aside(made);
        let value = frame.with_gate_text(text, |frame| eval(frame, NOWHERE, &expr, names));
        let made = frame.tracer.formulas.size();
        frame.tracer.effort.resume(&set_aside, made);
        let alts = frame.bools(&value, IN_NO_FILE).ok()?;
        let (mut yes, mut failed, mut open) = (FormulaId::FALSE, FormulaId::FALSE, FormulaId::FALSE);
        for alt in alts {
            let outcome = match &alt.part {
                Part::Value(v) => as_condition(v, IN_NO_FILE.place()),
                Part::Failed(e) => Err(e.clone()),
                Part::Object(_) | Part::Tuple(_) => return None,
            };
            match outcome.map(|v| v.as_bool()) {
                Ok(Some(b)) if b != negated => yes = self.formulas.or(yes, alt.when).ok()?,
                Ok(Some(_)) => {}
                Ok(None) if self.is_unlisted(&alt) => {
                    open = self.formulas.or(open, alt.when).ok()?;
                }
                Ok(None) => return None,
                Err(_) => failed = self.formulas.or(failed, alt.when).ok()?,
            }
        }
        Some(Gives { yes, failed, open })
    }

    /// Returns the condition under which a part of a text may be an error for values of which nothing is known; `None` if
    /// that is too much to say.
    pub fn risk(&mut self, text: &str, scope: &ModulePath, unit: &Target) -> Option<FormulaId> {
        let expr = syntax::parse_expr(text).ok()?;
        let instance = self.instance_at(scope)?;
        let names = self.names_around(scope, unit).unwrap_or_default().names;
        let mut frame = self.frame_in(instance, unit);
        let (known, risks) = frame.with_own_risks(|frame| {
            frame.with_gate_text(text, |frame| {
                let value = eval(frame, NOWHERE, &expr, &names);
                frame.bools(&value, IN_NO_FILE).is_ok()
            })
        });
        let here = self.formulas.or_all(risks.iter().map(|(when, _)| *when).collect::<Vec<_>>());
        here.ok().filter(|_| known)
    }

    /// The conditions under which a module has instances, and under which a declaration in it has some as well.
    pub fn presence(&mut self, scope: &ModulePath, unit: &Target) -> Option<(FormulaId, FormulaId)> {
        let around = self.existence_within(scope);
        let own = self.instance_at(scope).and_then(|at| self.axis(at, unit).exists);
        let names = self.names_around(scope, unit);
        let entries = names.iter().flat_map(|n| &n.entries).filter_map(|e| e.exists);
        let inner: Vec<FormulaId> = own.into_iter().chain(entries).collect();
        Some((around, inner.into_iter().try_fold(around, |all, f| self.formulas.and(all, f)).ok()?))
    }

    /// Returns true if a declaration always has one instance, and nothing around it is repeated.
    pub fn is_single(&mut self, scope: &ModulePath, unit: &Target) -> bool {
        if self.scope.gate_names.is_some() || self.existence_within(scope) != FormulaId::TRUE {
            return false;
        }
        let Some(instance) = self.instance_at(scope) else { return false };
        let axis = self.axis(instance, unit);
        axis.is_none() && axis.exists.is_none()
    }

    /// The iterations whose names a text in `scope` may use.
    fn names_around(&mut self, scope: &ModulePath, unit: &Target) -> Option<Axes> {
        let (_, dynamics) = self.scope.gate_names.clone().filter(|(at, _)| at == scope)?;
        let instance = self.instance_at(scope)?;
        Some(self.frame_in(instance, unit).within(&dynamics, unit))
    }
}

/// The number of nested operators in a gate; longer texts have shorter forms.
const MAX_OPERATORS: usize = 64;

/// Returns true if at most `most` operators are nested.
fn is_readable(expr: &Expr, most: usize) -> bool {
    let operands: &[&Expr] = match &expr.kind {
        ExprKind::Binary(_, left, right) => &[left, right],
        ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => &[inner],
        _ => return true,
    };
    most.checked_sub(1).is_some_and(|most| operands.iter().all(|operand| is_readable(operand, most)))
}
