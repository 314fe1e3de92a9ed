//! Variables: the seven sources of a root variable's values, and the caller's argument for all others.

use super::parts;
use crate::addr::{CallName, ModulePath, Target};
use crate::cond::{Condition, Domain as TermDomain, FormulaId, Refusal};
use crate::config::{Output, Variable};
use crate::eval::{At, EvalError, Op, Outcome};
use crate::func::Surroundings as _;
use crate::trace::{
    Alt, Excess, Frame, Guarded, Home, HopText, Hops, Part, Subject, TermInfo, Tracer, Universe,
};
use crate::value::{Mark, Marks, Type, Value};
use std::sync::Arc;

impl Frame<'_, '_> {
    pub fn variable(&mut self, variable: &Variable, at: At) -> Guarded {
        match self.tracer.instances.get(self.instance).and_then(|i| i.caller.clone()) {
            None => self.root_variable(variable, at),
            Some((caller, call)) => self.passed(variable, caller, &call, at),
        }
    }

    /// A module's variable: what the caller passes on this path, or the default.
    fn passed(
        &mut self,
        variable: &Variable,
        caller: crate::trace::InstanceId,
        call: &CallName,
        at: At,
    ) -> Guarded {
        let key = self.tracer.instances.get(self.instance).and_then(|i| i.key.clone());
        let Some(call) = self.tracer.module_of(caller).and_then(|m| m.call(call)) else {
            return self.fail_here("internal error: no such call", at);
        };
        let passed = call.arg(&variable.name);
        // What its conversion finds wrong stands in the call, whoever asks first.
        let at = passed.map_or(at, |attr| At::new(attr.value_place()));
        let value = match passed {
            Some(attr) => {
                let target = Target::Call(call.name.clone().into());
                let iteration = self.tracer.iteration(caller, &target, key.as_ref());
                let mut outer = Frame { tracer: self.tracer, instance: caller, iteration };
                let hop = HopText::Argument(variable.name.clone());
                outer.argument(attr).hop(|h| h.before(hop.clone(), Some(attr.place())))
            }
            None => match &variable.default {
                Some(default) => self.argument(default),
                None => {
                    let text = format!(
                        "Missing required argument: The argument {:?} is required, but no definition was found.",
                        variable.name
                    );
                    // It is missing in the call, whoever asks first.
                    return self.fail_here(&text, At::new(call.decl.place()));
                }
            },
        };
        self.typed(variable, value, passed.is_some(), at)
    }

    /// A value as its variable gives it: null replaced, converted, marked.
    fn typed(&mut self, variable: &Variable, value: Guarded, passed: bool, at: At) -> Guarded {
        let value = if passed && !variable.nullable { self.without_null(variable, value, at) } else { value };
        let convert = |v: &Value| -> Outcome { variable.accept(v).map_err(EvalError::from) };
        let trivial = variable.ty == Type::Dynamic && !variable.sensitive && !variable.ephemeral;
        if trivial || converts_to_itself(variable, &value) {
            return value.marked(&declared_marks(variable.sensitive, variable.ephemeral));
        }
        let from = value.clone();
        let value = self.operate(&Op::Custom(&convert), vec![value], at);
        let value = match &variable.defaults {
            Some(defaults) => self.filled(variable, defaults, value),
            None => value,
        };
        self.passed_in_parts(variable, &from, &value);
        value
    }

    /// With `nullable = false`, null gives the default.
    fn without_null(&mut self, variable: &Variable, value: Guarded, at: At) -> Guarded {
        let Some(default) = &variable.default else { return value };
        let is_null = |a: &Alt| a.part.value().is_some_and(Value::is_null);
        if !value.alts().iter().any(is_null) {
            return value;
        }
        let default = self.argument(default);
        let taken = |alt: &Alt| Ok(if is_null(alt) { default.clone() } else { alt.alone() });
        self.by_alternative(&value, at, &mut |_, alt| taken(alt))
    }

    fn root_variable(&mut self, variable: &Variable, at: At) -> Guarded {
        let text = format!("var.{}", variable.name);
        let apart = self.tracer.in_parts(variable);
        if apart.is_none()
            && self.tracer.inputs.assumptions.pinned.contains(&variable.name)
            && let Some(default) = &variable.default
        {
            self.tracer.terms.defaulted.insert(variable.name.clone());
            let value =
                self.argument(default).hop(|h| h.before(format!("Default {text}"), Some(default.place())));
            return self.typed(variable, value, false, at);
        }
        let marks = declared_marks(variable.sensitive, variable.ephemeral);
        let binned = self.tracer.inputs.assumptions.binned.contains(&variable.name);
        let info = TermInfo {
            ty: variable.ty.without_optional(),
            home: Some(Home { scope: ModulePath::ROOT, text: text.as_str().into() }),
            variables: [variable.name.clone()].into(),
            subject: Some(Subject::Variable(variable.name.clone())),
            place: Some(variable.decl.place()),
        };
        if apart.is_none()
            && let Some(universe) = self.tracer.universe_of(&variable.name).filter(|_| !binned)
        {
            return self.tracer.over_universe(&text, info, &universe, &marks, at);
        }
        let domain = if binned { TermDomain::Number } else { TermDomain::Open };
        let (term, mut value) = self.tracer.symbol(&text, domain, info, &marks);
        self.tracer.has_attributes(term, &variable.name, apart);
        if binned {
            // The guard that keeps out what lies above the last bin fails for null.
            value = Value::unknown_not_null(Type::Number).with_marks(&value.marks);
        } else if !variable.nullable {
            value = Value { marks: value.marks, ..Value::unknown_not_null(value.ty) };
        }
        Guarded::always(Part::Value(value), Hops::one(format!("Param {text}"), Some(variable.decl.place())))
    }

    pub fn output_value(&mut self, output: &Output, at: At) -> Guarded {
        let Some(attr) = &output.value else { return self.fail_here("The output has no value.", at) };
        let value = self.argument(attr);
        if !output.sensitive && !output.ephemeral {
            return value;
        }
        let seen = self.tracer.marks_outputs() == Some(true);
        let hidden = output.sensitive && !seen;
        let own = if hidden { Marks::one(Mark::Declared) } else { Marks::NONE };
        let marks = declared_marks(output.sensitive && seen, output.ephemeral).union(&own);
        let mark = |v: &Value| -> Outcome { Ok(v.clone().with_marks(&marks)) };
        self.operate(&Op::Custom(&mark), vec![value], at)
    }
}

/// The minor version of Terraform 1 that is the first to mark in the caller what a module declares as a sensitive output.
const SENSITIVE_OUTPUTS: u32 = 13;

/// Returns true if a variable gives every alternative as it got it, so that an unknown one keeps its origin.
///
/// Only for primitive types: an object type may have defaults for attributes. Where null is replaced or refused, an
/// unknown that may be null is another value.
fn converts_to_itself(variable: &Variable, value: &Guarded) -> bool {
    let primitive = matches!(variable.ty, Type::String | Type::Number | Type::Bool);
    let same = |v: &Value| v.ty == variable.ty && (variable.nullable || (v.is_known() && !v.is_null()));
    primitive && value.alts().iter().all(|a| a.part.value().is_some_and(&same))
}

/// The marks that a declaration puts on its value.
fn declared_marks(sensitive: bool, ephemeral: bool) -> Marks {
    let said = [(sensitive, Mark::Sensitive), (ephemeral, Mark::Ephemeral)].into_iter().filter(|(is, _)| *is);
    said.fold(Marks::NONE, |all, (_, mark)| all.union(&Marks::one(mark)))
}

impl Tracer<'_> {
    /// Returns true if Terraform marks in the caller what a module declares as a sensitive output; `None` if only some of the versions
    /// in question do.
    pub(in crate::trace) fn marks_outputs(&self) -> Option<bool> {
        // Each version that has Stacks does.
        let always = self.inputs.config.is_stack();
        if always { Some(true) } else { self.surroundings().terraform().since(SENSITIVE_OUTPUTS) }
    }

    /// One alternative per value of a universe of the term with this key.
    pub(in crate::trace) fn over_universe(
        &mut self,
        key: &str,
        info: TermInfo,
        universe: &Universe,
        marks: &Marks,
        at: At,
    ) -> Guarded {
        let values = universe.values.clone();
        let declared =
            info.variable().and_then(|n| self.inputs.config.root()?.variables.get(parts::declared(n)));
        let from = declared.map_or(at.place(), |v| v.decl.block.header());
        let is_bool = info.ty == Type::Bool;
        let home = info.home.clone();
        let text: &str = home.as_ref().map_or(key, |h| &h.text);
        let scope = home.as_ref().map(|h| h.scope.clone()).unwrap_or_default();
        let nullable = !is_bool;
        let domain = TermDomain::Closed { values: values.clone(), enforced: universe.enforced };
        let (term, symbol) = self.symbol(key, domain, info, marks);
        let only = values.len() == 1;
        let mut out = Vec::new();
        for (at_value, value) in values.into_iter().enumerate() {
            let from = universe.places.get(at_value).copied().unwrap_or(from);
            let when = match self.formulas.eq(term, &value) {
                // One value that Terraform itself enforces needs no condition.
                Err(Refusal::NotConstant) if universe.enforced && only => FormulaId::TRUE,
                when => match when.map_err(Excess::refused(Some(at.place()))) {
                    Ok(when) => when,
                    Err(excess) => return self.or_unknown(Err(excess)),
                },
            };
            let name = crate::value::hcl::to_hcl(&value).unwrap_or_else(|| "…".to_owned());
            out.push(Alt {
                when,
                shown: match value.as_bool().filter(|_| is_bool) {
                    // A bool says so itself, and fails by itself where it is null.
                    Some(yes) => {
                        let said = self.formulas.eq(term, &Value::bool(true)).unwrap_or(when);
                        let said = crate::trace::guarded::wording::site(scope.clone(), text.to_owned(), said);
                        let said = Arc::new(Condition::Existing(said));
                        if yes { said } else { Condition::negate(&said) }
                    }
                    None => Arc::new(Condition::Eq(
                        crate::trace::guarded::wording::term_site(scope.clone(), text, term, nullable),
                        value.clone(),
                    )),
                },
                part: Part::Value(value.with_marks(marks)),
                hops: Hops::one(HopText::valued(&format!("Universe {text}"), &name), Some(from)),
            });
        }
        if !universe.enforced {
            // What was not listed is kept apart: where it makes no difference nothing has to keep it out.
            let inside = self.formulas.one_of(term, &universe.values);
            let when = inside.and_then(|f| self.formulas.not(f)).map_err(Excess::refused(Some(at.place())));
            let when = match when {
                Ok(when) => when,
                Err(excess) => return self.or_unknown(Err(excess)),
            };
            let shown = Condition::negate(&Condition::any(out.iter().map(|a| a.shown.clone())));
            // Of a bool, null alone is left where true and false are listed.
            let has = |one: &dyn Fn(&Value) -> bool| universe.values.iter().any(one);
            let both = has(&|v| v.as_bool() == Some(true)) && has(&|v| v.as_bool() == Some(false));
            let null = is_bool && both && !has(&|v| v.is_null());
            let other = if null { Value::null(Type::Bool).with_marks(marks) } else { symbol };
            let hops = Hops::one(format!("Param {text}"), Some(at.place()));
            out.push(Alt { when, shown, part: Part::Value(other), hops });
        }
        self.guarded(out, Some(at.place()))
    }
}
