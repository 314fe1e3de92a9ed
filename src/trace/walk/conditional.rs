//! Conditionals: where a condition holds, and the arms joined under it.

use crate::cond::{Condition, FormulaId, Site, TermId};
use crate::eval::arms::{self, Joined};
use crate::eval::concrete::may_be_no_condition;
use crate::eval::{At, EvalError, Op, Outcome};
use crate::issue::Code;
use crate::text::Place;
use crate::trace::{
    Alt, Excess, Frame, Guarded, HopText, Hops, Part, Reason, Tracer, guarded::wording::site,
};
use crate::value::{Mark, Type, Value, convert};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An arm of a conditional; and where something in it may yet fail and be of another type then, the variables on which that
/// depends.
pub(in crate::trace) type Arm<'g> = (&'g Guarded, Option<&'g BTreeSet<Arc<str>>>);

/// The formulas for which a condition is true and false, and its value elsewhere.
pub(in crate::trace) struct Sides {
    /// True under this.
    pub yes: (FormulaId, Arc<Condition>),
    /// False under this.
    pub no: (FormulaId, Arc<Condition>),
    /// Neither: an error, or an unknown with a reason.
    pub rest: Vec<Alt>,
}

impl Frame<'_, '_> {
    /// Splits a condition into its sides. The condition's own text stands for both, as `Existing`.
    pub fn decide(&mut self, cond: &Guarded, at: At) -> Result<Sides, Excess> {
        let mut yes = FormulaId::FALSE;
        let mut no = FormulaId::FALSE;
        let mut rest = Vec::new();
        for alt in self.bools(cond, at)? {
            let target = match alt.part.value().and_then(Value::as_bool) {
                Some(true) => &mut yes,
                Some(false) => &mut no,
                None => {
                    rest.push(alt);
                    continue;
                }
            };
            let both = self.tracer.formulas.or(*target, alt.when);
            *target = both.map_err(Excess::refused(Some(at.place())))?;
        }
        let shown = self.existing(yes, at);
        let shown_no = Condition::negate(&shown);
        let of = |f: FormulaId, c: Arc<Condition>| match f {
            FormulaId::TRUE => (f, Condition::always()),
            _ => (f, c),
        };
        Ok(Sides { yes: of(yes, shown), no: of(no, shown_no), rest })
    }

    /// The condition that an expression's own text states.
    pub fn existing(&self, formula: FormulaId, at: At) -> Arc<Condition> {
        Arc::new(Condition::Existing(self.own_site(formula, at)))
    }

    /// The site at which an expression's own text states a formula.
    pub fn own_site(&self, formula: FormulaId, at: At) -> Site {
        let scope = self.tracer.instances.get(self.instance).map(|i| i.path.clone()).unwrap_or_default();
        site(scope, self.text(at), formula)
    }

    /// A guarded value as bools: what is plan-stable but not known becomes two alternatives.
    pub fn bools(&mut self, cond: &Guarded, at: At) -> Result<Vec<Alt>, Excess> {
        let mut out = Vec::new();
        for alt in self.tracer.flatten(cond)? {
            let Part::Value(value) = alt.part.clone() else {
                out.push(alt);
                continue;
            };
            let value = if value.is_known() || matches!(value.ty, Type::Bool) {
                value
            } else {
                self.note_unknown(alt.when, &value);
                self.tracer.converted_term(&value, &Type::Bool, at)
            };
            match as_condition(&value, at.place()) {
                Err(e) => out.push(Alt { part: Part::Failed(e), ..alt }),
                Ok(value) if value.is_known() => out.push(Alt { part: Part::Value(value), ..alt }),
                Ok(value) => match self.tracer.origins.term_of(&value) {
                    None => {
                        if may_be_no_condition(&value) {
                            self.note_unknown(alt.when, &value);
                        }
                        out.push(Alt { part: Part::Value(value), ..alt });
                    }
                    Some(term) => {
                        let (yes, no, null) = self.tracer.bool_cases(term, &value, at)?;
                        let said = Arc::new(Condition::Existing(self.site(term, yes, at)));
                        for (bool, when) in [(true, yes), (false, no)] {
                            let part = Part::Value(Value::bool(bool));
                            let made = Alt { part, ..alt.clone() };
                            let shown = if bool { said.clone() } else { Condition::negate(&said) };
                            out.extend(self.tracer.under(&made, when, &shown)?);
                        }
                        let part = Part::Failed(null_condition(at.place()));
                        let made = Alt { part, ..alt.clone() };
                        let shown =
                            Arc::new(Condition::Eq(self.site(term, null, at), Value::null(Type::Bool)));
                        out.extend(self.tracer.under(&made, null, &shown)?);
                    }
                },
            }
        }
        Ok(out)
    }

    /// The arms under their sides, converted to the type they share.
    pub fn join_arms(&mut self, sides: Sides, then: Arm<'_>, otherwise: Arm<'_>, at: At) -> Guarded {
        let made = self.joined(sides, then, otherwise, at);
        self.tracer.gathered(made, at)
    }

    fn joined(
        &mut self,
        sides: Sides,
        then: Arm<'_>,
        otherwise: Arm<'_>,
        at: At,
    ) -> Result<Vec<Alt>, Excess> {
        let mut out = Vec::new();
        let arms = self.unified(then, otherwise, at)?;
        for (yes, (when, shown), arm) in [(true, &sides.yes, &arms.0), (false, &sides.no, &arms.1)] {
            let hop = HopText::Arm(yes, shown.clone());
            let hopped = |h: &Hops| h.before(hop.clone(), Some(at.place()));
            self.tracer.extend_hopped(&mut out, arm, (*when, shown), &hopped)?;
        }
        let common = only_type(&arms.0).filter(|ty| only_type(&arms.1).as_ref() == Some(ty));
        for alt in sides.rest {
            let Part::Value(cond) = &alt.part else {
                // Beside a condition's error, Terraform goes on with an unknown of the arms' type.
                out.push(match (alt.part, &common) {
                    (Part::Failed(e), Some(ty)) => {
                        let vague = e.vague || marked(&arms.0) || marked(&arms.1);
                        Alt { part: Part::Failed(EvalError { vague, ..e.typed(ty.clone()) }), ..alt }
                    }
                    (Part::Failed(e), None) => {
                        Alt { part: Part::Failed(EvalError { vague: true, ..e }), ..alt }
                    }
                    (part, _) => Alt { part, ..alt },
                });
                continue;
            };
            // An unknown condition leaves the result unknown, unless both arms are one and the same. Where there is nothing
            // that would be known later, it stays unknown.
            let later = !cond.marks.has(Mark::Sample);
            let part = match (arms.0.single_value(), arms.1.single_value()) {
                (Some(a), Some(b)) if later && a == b && a.is_wholly_known() => Part::Value(a.clone()),
                _ => {
                    let unknown = Value::unknown(Type::Dynamic).with_marks(&cond.marks);
                    Part::Value(self.tracer.with_origin(unknown, std::slice::from_ref(cond), |_, _| None))
                }
            };
            out.push(Alt { part, ..alt });
        }
        Ok(out)
    }

    /// Both arms converted to their common type, kept factored where that changes nothing.
    fn unified(&mut self, then: Arm<'_>, otherwise: Arm<'_>, at: At) -> Result<(Guarded, Guarded), Excess> {
        let types = (only_type(then.0), only_type(otherwise.0));
        if let (Some(a), Some(b)) = &types
            && a == b
            && !a.has_dynamic()
        {
            return Ok((then.0.clone(), otherwise.0.clone()));
        }
        let open = |arm: Arm<'_>| arm.1.is_some() || arm.0.alts().iter().any(|alt| is_open(&alt.part));
        if open(then) || open(otherwise) {
            // They may turn out not to go together.
            self.tracer.doubt(&[Value::dynamic()]);
        }
        let first = self.convert_arm(then.0, otherwise, true, at)?;
        let second = self.convert_arm(otherwise.0, then, false, at)?;
        Ok((first, second))
    }

    /// One arm's alternatives, each converted by what every alternative of the other arm asks for.
    fn convert_arm(
        &mut self,
        arm: &Guarded,
        (other, risky): Arm<'_>,
        then: bool,
        at: At,
    ) -> Result<Guarded, Excess> {
        let others = self.tracer.flatten(other)?;
        let mut out: Vec<Alt> = Vec::new();
        for alt in self.tracer.flatten(arm)? {
            for against in &others {
                let part = self.joined_part(&alt.part, &against.part, then, risky, at);
                let made = Alt { part, ..alt.clone() };
                let shown = alt.shown.clone();
                if let Some(made) = self.tracer.under(&made, against.when, &shown)? {
                    // The other arm's alternative decides the type only; its words don't belong to this branch.
                    out.push(Alt { shown, ..made });
                }
            }
        }
        Ok(self.tracer.guarded(out, Some(at.place())))
    }

    /// An arm's part beside one of the other arm. `risky`: the other one may yet fail, depending on these variables.
    fn joined_part(
        &mut self,
        part: &Part,
        other: &Part,
        then: bool,
        risky: Option<&BTreeSet<Arc<str>>>,
        at: At,
    ) -> Part {
        let (taken, beside) = match (as_arm(part), as_arm(other)) {
            (Some(taken), Some(beside)) => (taken, beside),
            (Some(Err(error)), None) => return Part::Failed(EvalError { vague: true, ..error.clone() }),
            _ => return part.clone(),
        };
        let reason = match (arms::join(taken, beside, then, risky.is_some()), taken) {
            (Joined::Failed(e), Err(_)) => return Part::Failed(e),
            (Joined::Failed(e), Ok(_)) if e.limit => {
                return Part::Value(self.tracer.declined(&e, Some(at.place())));
            }
            (Joined::Failed(e), Ok(_)) => return Part::Failed(e.at(at.place())),
            (Joined::Value(joined), Ok(own)) if !own.is_known() => {
                let open = beside.map_or_else(|e| e.ty.has_dynamic(), Value::is_untyped);
                return Part::Value(match joined.ty == own.ty && !open {
                    true => own.clone(),
                    false => self.tracer.converted_term(own, &joined.ty, at),
                });
            }
            (Joined::Value(joined), _) => return Part::Value(self.tracer.settled(joined)),
            (Joined::Untyped, _) => [beside, taken].into_iter().find_map(|arm| self.untyped(arm, at)),
            (Joined::Retyped, _) => None,
        };
        let reason = reason.unwrap_or_else(|| {
            let said = self.tracer.quote(at.place()).map_or_else(String::new, |text| format!(" `{text}`"));
            let why = format!(
                "to what it is converted depends on whether the other arm of the conditional{said} fails, which isn't known."
            );
            Arc::new(no_type(why, at).over(risky.cloned().unwrap_or_default()))
        });
        Part::Value(self.tracer.opaque_of(Type::Dynamic, reason))
    }

    /// Why the type of an arm is not known, where it isn't.
    fn untyped(&self, arm: arms::Arm<'_>, at: At) -> Option<Arc<Reason>> {
        match arm {
            Ok(value) if value.is_untyped() => Some(self.tracer.reason_in([value]).unwrap_or_else(|| {
                let said = self.tracer.quote(at.place()).unwrap_or_else(|| "a conditional".to_owned());
                Arc::new(no_type(format!("an arm of `{said}` has a type that isn't known."), at))
            })),
            Err(error) if error.vague => {
                let what = "the type of a failing part of a conditional is not known";
                Some(Arc::new(self.tracer.why_too_large(what, Some(at.place()))))
            }
            _ => None,
        }
    }
}

/// The type that all alternatives share. What Terraform goes on with beside an error takes part in finding the arms' type.
fn only_type(of: &Guarded) -> Option<Type> {
    of.shared_type(&|e| (e.ty != Type::Dynamic).then(|| Some(e.ty.clone())))
}

/// Returns true if there is a part of which the type isn't known.
fn is_open(part: &Part) -> bool {
    let any = |of: &Guarded| of.alts().iter().any(|alt| is_open(&alt.part));
    match part {
        Part::Value(value) => value.is_untyped(),
        Part::Failed(e) => e.limit,
        Part::Object(attrs) => attrs.values().any(any),
        Part::Tuple(items) => items.iter().any(any),
    }
}

/// Returns true if an arm contains something sensitive or ephemeral.
fn marked(arm: &Guarded) -> bool {
    let secret = |v: &Value| v.marks_deep().is_secret() || v.has_mark_deep(Mark::Ephemeral);
    arm.alts().iter().any(|alt| match &alt.part {
        Part::Value(value) => secret(value),
        Part::Failed(e) => e.vague,
        Part::Object(attrs) => attrs.values().any(marked),
        Part::Tuple(items) => items.iter().any(marked),
    })
}

/// A part as an arm; nothing for what has alternatives within.
fn as_arm(part: &Part) -> Option<arms::Arm<'_>> {
    match part {
        Part::Value(value) => Some(Ok(value)),
        Part::Failed(error) => Some(Err(error)),
        Part::Object(_) | Part::Tuple(_) => None,
    }
}

/// The reason for an arm of which the type isn't known.
fn no_type(why: String, at: At) -> Reason {
    Reason::new(Code::NoUniverse, why, Some(at.place()))
        .fix("Convert both arms to one type, as with `tostring(...)`.", "")
}

fn null_condition(place: Place) -> EvalError {
    EvalError::new("Null condition: The condition value is null. Conditions must either be true or false.")
        .at(place)
}

impl Tracer<'_> {
    /// Returns the formulas for which a bool term is true, false, and null.
    pub(in crate::trace) fn bool_cases(
        &mut self,
        term: TermId,
        value: &Value,
        at: At,
    ) -> Result<(FormulaId, FormulaId, FormulaId), Excess> {
        let yes = self.formulas.eq(term, &Value::bool(true));
        let not = yes.and_then(|f| self.formulas.not(f));
        let null = if value.definitely_not_null() {
            Ok(FormulaId::FALSE)
        } else {
            self.formulas.eq(term, &Value::null(Type::Bool))
        };
        let no = not.and_then(|n| self.formulas.minus(n, null?));
        let refused = &Excess::refused(Some(at.place()));
        Ok((yes.map_err(refused)?, no.map_err(refused)?, null.map_err(refused)?))
    }
}

/// A value as a condition.
pub(in crate::trace) fn as_condition(value: &Value, place: Place) -> Outcome {
    if value.as_bool().is_some() {
        return Ok(value.clone());
    }
    let (plain, marks) = value.clone().unmark();
    if plain.is_null() {
        return Err(null_condition(place));
    }
    if !plain.is_known() && plain.ty == Type::Dynamic {
        return Ok(value.clone());
    }
    convert::convert(&plain, &Type::Bool).map(|v| v.with_marks(&marks)).map_err(|e| {
        EvalError::new(format!(
            "Incorrect condition type: The condition expression must be of type bool: {}.",
            e.message
        ))
        .at(place)
    })
}

/// Operations whose operands are conditions.
pub(in crate::trace) fn takes_bools(op: &Op<'_>) -> bool {
    use crate::syntax::{BinaryOp, UnaryOp};
    matches!(op, Op::Unary(UnaryOp::Not) | Op::Binary(BinaryOp::And | BinaryOp::Or))
}
