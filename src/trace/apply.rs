//! Strict operations on guarded values.
//!
//! Parts that an operation only passes on stay factored; comparisons of a term with a constant become conditions;
//! everything else is computed for each combination of plain alternatives, by the operation itself.

use super::choose::takes_bools;
use super::domain::Frame;
use super::lift::Combo;
use super::{Alt, Guarded, Hops, Part};
use crate::eval::{At, EvalError, Op};
use crate::func::{Purity, Strategy};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Frame<'_, '_> {
    pub(super) fn operate(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Guarded {
        if let Some(done) = self.factored(op, &args, at) {
            return done;
        }
        let args = match self.prepared(op, args, at) {
            Ok(args) => args,
            Err(wide) => return self.tracer.widened(wide),
        };
        if let Some(done) = self.select(op, &args, at) {
            return done;
        }
        match self.each_combination(op, &args, at) {
            Ok(alts) => self.tracer.guarded(alts, Some(at.place())),
            Err(wide) => self.tracer.widened(wide),
        }
    }

    /// Operations that only put parts together or take one out.
    fn factored(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Option<Guarded> {
        match op {
            Op::Unwrap => args.first().cloned(),
            Op::Tuple if args.iter().any(|a| a.single_value().is_none()) => {
                let part = Part::Tuple(args.to_vec().into());
                Some(Guarded::always(part, Hops::one("Prim (compound)", Some(at.place()))))
            }
            Op::Object => self.factored_object(args, at),
            Op::GetAttr(name) => {
                let source = args.first()?;
                source.alts().iter().any(|a| matches!(a.part, Part::Object(_))).then_some(())?;
                Some(self.attribute(source, name, at))
            }
            Op::ForTuple => self.factored_for(args, at),
            _ => None,
        }
    }

    fn factored_object(&mut self, args: &[Guarded], at: At) -> Option<Guarded> {
        let mut attrs: BTreeMap<Arc<str>, Guarded> = BTreeMap::new();
        let mut plain = true;
        for pair in args.chunks_exact(2) {
            let [key, value] = pair else { continue };
            let key = key.single_value().filter(|k| k.marks.is_empty())?;
            plain &= value.single_value().is_some();
            attrs.insert(Arc::from(key.as_str()?), value.clone());
        }
        if plain {
            return None;
        }
        Some(Guarded::always(Part::Object(Arc::new(attrs)), Hops::one("Prim (compound)", Some(at.place()))))
    }

    /// A `for` whose clauses are all known keeps its elements apart.
    fn factored_for(&mut self, args: &[Guarded], at: At) -> Option<Guarded> {
        let mut items = Vec::new();
        for triple in args.chunks_exact(3) {
            let [cond, _, value] = triple else { continue };
            let cond = cond.single_value().filter(|c| c.marks.is_empty())?;
            if cond.as_bool()? {
                items.push(value.clone());
            }
        }
        if items.iter().all(|i| i.single_value().is_some()) {
            return None;
        }
        Some(Guarded::always(Part::Tuple(items.into()), Hops::one("For", Some(at.place()))))
    }

    fn attribute(&mut self, source: &Guarded, name: &str, at: At) -> Guarded {
        let mut out: Vec<Alt> = Vec::new();
        for alt in source.alts() {
            let found = match &alt.part {
                Part::Object(attrs) => match attrs.get(name) {
                    Some(inner) => inner.hop(|h| h.before(format!("GetAttr .{name}"), Some(at.place()))),
                    None => {
                        let text = format!("This object does not have an attribute named {name:?}.");
                        Guarded::always(Part::Failed(EvalError::new(text).at(at.place())), Hops::NONE)
                    }
                },
                Part::Value(_) | Part::Tuple(_) | Part::Failed(_) => {
                    let alone = Guarded::always(alt.part.clone(), alt.hops.clone());
                    match self.each_combination(&Op::GetAttr(name), &[alone], at) {
                        Ok(alts) => Guarded::new(alts),
                        Err(wide) => self.tracer.widened(wide),
                    }
                }
            };
            if let Err(wide) = self.tracer.extend_under(&mut out, &found, alt.when, &alt.shown) {
                return self.tracer.widened(wide);
            }
        }
        self.tracer.guarded(out, Some(at.place()))
    }

    /// Operands of logical operators as known bools under conditions.
    fn prepared(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Result<Vec<Guarded>, Value> {
        if !takes_bools(op) {
            return Ok(args);
        }
        args.into_iter()
            .map(|arg| {
                let stable = arg.alts().iter().any(|a| {
                    matches!(&a.part, Part::Value(v) if !v.is_known() && self.tracer.origins.term_of(v).is_some())
                });
                if !stable {
                    return Ok(arg);
                }
                let alts = self.bools(&arg, at)?;
                Ok(self.tracer.guarded(alts, Some(at.place())))
            })
            .collect()
    }

    /// The operation on each combination of plain alternatives.
    pub(super) fn each_combination(
        &mut self,
        op: &Op<'_>,
        args: &[Guarded],
        at: At,
    ) -> Result<Vec<Alt>, Value> {
        let name = op_name(op);
        let mut out = Vec::new();
        for combo in self.tracer.combinations(args)? {
            let part = self.compute(op, &combo, at);
            let hops = match &name {
                Some(name) => combo.hops.before(name.as_str(), Some(at.place())),
                None => combo.hops,
            };
            out.push(Alt { when: combo.when, shown: combo.shown, part, hops });
        }
        Ok(out)
    }

    fn compute(&mut self, op: &Op<'_>, combo: &Combo, at: At) -> Part {
        let context = self.tracer.context();
        let plain: Vec<Value> = combo.values.iter().filter_map(|v| v.as_ref().ok().cloned()).collect();
        if let Some(value) = self.refused(op, &plain, at) {
            return Part::Value(value);
        }
        let outcome = if op.lazy() {
            op.run_lazy(&combo.values, &context)
        } else {
            match combo.values.iter().find_map(|v| v.as_ref().err()) {
                Some(e) => return Part::Failed(e.clone().typed(op.type_beside(&combo.values))),
                None => op.run(&plain, &context),
            }
        };
        match outcome {
            Err(e) => Part::Failed(e.typed(op.type_beside(&combo.values)).at(at.place())),
            Ok(result) => {
                let result = self.with_derived_origin(op, result, &plain, at);
                Part::Value(result)
            }
        }
    }

    /// Functions that must not be computed here, with the reason as an unknown.
    fn refused(&mut self, op: &Op<'_>, args: &[Value], at: At) -> Option<Value> {
        let Op::Call(function, _) = op else { return None };
        let name = function.name;
        if function.purity == Purity::Unstable {
            let reason = super::Reason::new(
                crate::issue::Code::PlanStability,
                format!("plan-stability violation: `{name}` gives another value in every run."),
                Some(at.place()),
            )
            .fix("Pass the value in as a variable, so that it stays the same from plan to plan.", "");
            return Some(self.tracer.opaque(reason));
        }
        if function.strategy == Strategy::Decoder && !args.iter().all(Value::is_wholly_known) {
            if self.tracer.reason_in(args).is_some() {
                return None;
            }
            let reason = super::Reason::new(
                crate::issue::Code::Undecodable,
                format!("`{name}` is decoded only where its argument is a literal."),
                Some(at.place()),
            )
            .fix("Pass the decoded fields in as separate variables.", "");
            return Some(self.tracer.opaque(reason));
        }
        None
    }

    fn with_derived_origin(&mut self, op: &Op<'_>, result: Value, args: &[Value], at: At) -> Value {
        if result.is_known() {
            return result;
        }
        let instance = self.instance;
        self.tracer.with_origin(result, args, |tracer, result| tracer.derived(op, result, args, instance, at))
    }
}

/// The hop that an operation leaves on a trace path.
fn op_name(op: &Op<'_>) -> Option<String> {
    match op {
        Op::Unary(_) => Some("UnaryOp".to_owned()),
        Op::Binary(op) => Some(format!("BinaryOp {}", op.symbol())),
        Op::GetAttr(name) => Some(format!("GetAttr .{name}")),
        Op::Index => Some("Index".to_owned()),
        Op::Template => Some("Template".to_owned()),
        Op::Call(function, _) => Some(format!("Call {}", function.name)),
        Op::ForTuple | Op::ForObject { .. } | Op::ForTemplate => Some("For".to_owned()),
        Op::Tuple | Op::Object | Op::Unwrap | Op::SplatFinish(_) | Op::Custom(_) => None,
    }
}
