//! Strict operations on guarded values.
//!
//! Parts that an operation only passes on stay factored; comparisons of a term with a constant become conditions;
//! everything else is computed for each combination of plain alternatives, by the operation itself.

use super::conditional::takes_bools;
use super::operands::Combo;
use crate::cond::{Condition, FormulaId, TermId};
use crate::eval::{At, EvalError, Op, Outcome};
use crate::func::{Context, Purity};
use crate::issue::Code;
use crate::syntax::BinaryOp;
use crate::trace::{
    Alt, Excess, Frame, Guarded, HopText, Hops, Origin, Part, Reason, Tracer, guarded::alt::Attrs,
    guarded::wording::site,
};
use crate::value::{Data, Mark, Type, Value};
use std::sync::Arc;

/// The item of a tuple whose items have alternatives of their own that `element` gives.
fn element<'g>(of: &'g Part, index: &Value) -> Option<&'g Guarded> {
    let Part::Tuple(items) = of else { return None };
    let index = Some(index).filter(|index| index.is_known() && index.marks.is_empty())?;
    items.get(index.as_number()?.as_usize()?.checked_rem(items.len())?)
}

/// The number of alternatives that the parts of one object or list may have in all; every walk over it visits each of them.
const MAX_PARTS: usize = 200_000;

/// This number of alternatives that are only counted takes as long as one operation.
const LOOKED_AT: usize = 4096;

/// This number of operands, alone or in combinations, counts as one operation.
const TOGETHER: usize = 16;

/// Conditions of more parts than this are put together anew by `&&` and `||`, others combination by combination.
const READABLE: usize = 16;

impl Frame<'_, '_> {
    /// The result of an operation on guarded operands.
    pub fn operate(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Guarded {
        let made = self.operated(op, args, at);
        self.tracer.or_unknown(made)
    }

    fn operated(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Result<Guarded, Excess> {
        self.tracer.effort.work += 1 + args.len() / TOGETHER;
        if let Some(excess) = self.tracer.find_exhaustion(at) {
            return Err(excess);
        }
        let args = self.alike(op, args);
        if let Some(done) =
            self.attribute_through(op, &args, at).or_else(|| self.follow_argument(op, &args, at))
        {
            return Ok(done);
        }
        if let Some(done) = self.factored(op, &args, at) {
            return done;
        }
        let args = self.prepared(op, args, at)?;
        let alts = match self.select(op, &args, at) {
            Some(alts) => alts?,
            None => match self.long_logic(op, &args, at)? {
                Some(alts) => alts,
                None => match self.text_of_many(op, &args, at) {
                    Some(done) => return done,
                    None => self.each_combination(op, &args, at)?,
                },
            },
        };
        Ok(self.tracer.guarded(alts, Some(at.place())))
    }

    /// Operations that only put parts together or take one out.
    fn factored(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Option<Result<Guarded, Excess>> {
        match op {
            Op::Unwrap => args.first().cloned().map(Ok),
            Op::Tuple if args.iter().any(|a| a.single_value().is_none()) => {
                Some(self.together(Part::Tuple(args.to_vec().into()), args, "Prim (compound)", at))
            }
            Op::Object { once } => self.factored_object(args, *once, at),
            Op::GetAttr(name) => {
                let source = args.first()?;
                source.alts().iter().any(|a| matches!(a.part, Part::Object(_))).then_some(())?;
                Some(Ok(self.attribute(source, name, at)))
            }
            Op::ForTuple => self.factored_for(args, at),
            Op::Call(function, false) if function.name == "element" => {
                let [of, at_index] = args else { return None };
                let item = element(of.single()?, at_index.single_value()?)?;
                Some(Ok(item.hop(|h| h.before("Call element", Some(at.place())))))
            }
            _ => None,
        }
    }

    fn factored_object(&mut self, args: &[Guarded], once: bool, at: At) -> Option<Result<Guarded, Excess>> {
        let mut attrs: Vec<(Arc<str>, Guarded)> = Vec::with_capacity(args.len() / 2);
        let mut plain = true;
        for pair in args.chunks_exact(2) {
            let [key, value] = pair else { continue };
            let key = key.single_value().filter(|k| k.marks.is_empty())?;
            plain &= value.single_value().is_some();
            let Data::String(name) = &key.data else { return None };
            attrs.push((name.clone(), value.clone()));
        }
        if plain {
            return None;
        }
        let written = attrs.len();
        let attrs: Attrs = attrs.into_iter().collect();
        if once && attrs.len() < written {
            // The operation itself says what is wrong.
            return None;
        }
        Some(self.together(Part::Object(Arc::new(attrs)), args, "Prim (compound)", at))
    }

    /// A factored part. Where one of its operands is an error, the whole is that error: what is taken out of it later
    /// must not hide the error from a `try` around both.
    pub fn together(
        &mut self,
        part: Part,
        args: &[Guarded],
        hop: &'static str,
        at: At,
    ) -> Result<Guarded, Excess> {
        let mut left = MAX_PARTS;
        let is_too_large = args.iter().any(|a| !a.fits(&mut left));
        self.tracer.effort.work += (MAX_PARTS - left) / LOOKED_AT;
        if is_too_large {
            return Err(Excess::new("an object or list has too many parts", Some(at.place())));
        }
        let hops = Hops::one(hop, Some(at.place()));
        let refused = &Excess::refused(Some(at.place()));
        let mut failing: Option<Alt> = None;
        for alt in args.iter().flat_map(|a| a.alts()) {
            if !matches!(alt.part, Part::Failed(_)) {
                continue;
            }
            failing = Some(match failing {
                None => alt.clone(),
                Some(first) => {
                    let when = self.tracer.formulas.or(first.when, alt.when).map_err(refused)?;
                    let shown = Condition::any([first.shown.clone(), alt.shown.clone()]);
                    // Of both, a `try` sees what it sees of either.
                    let seen = |a: &Alt| a.part.error().is_some_and(|e| !e.elsewhere);
                    let part = if seen(alt) { alt.part.clone() } else { first.part.clone() };
                    Alt { when, shown, part, ..first }
                }
            });
        }
        let Some(mut failing) = failing else { return Ok(Guarded::always(part, hops)) };
        if let Part::Failed(e) = failing.part {
            let ty = part.shared_type(&|e| Some((!e.vague).then(|| e.ty.clone())));
            let vague = ty.is_none() || e.vague;
            failing.part = Part::Failed(EvalError { vague, ..e.typed(ty.unwrap_or(Type::Dynamic)) });
        }
        let when = self.tracer.formulas.not(failing.when).map_err(refused)?;
        let shown = Condition::negate(&failing.shown);
        // Where only values that nobody listed are left, something has to keep them out.
        if when == FormulaId::FALSE {
            return Ok(Guarded::always(failing.part, failing.hops));
        }
        Ok(Guarded::new(vec![failing, Alt { when, shown, part, hops }]))
    }

    /// A `for` whose clauses are all known keeps its elements apart.
    fn factored_for(&mut self, args: &[Guarded], at: At) -> Option<Result<Guarded, Excess>> {
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
        let taken = items.clone();
        Some(self.together(Part::Tuple(items.into()), &taken, "For", at))
    }

    fn attribute(&mut self, source: &Guarded, name: &str, at: At) -> Guarded {
        self.by_alternative(source, at, &mut |frame, alt| match &alt.part {
            Part::Object(attrs) => {
                let found = attrs.find_index(name).ok().and_then(|at| attrs.get_indexed(at));
                Ok(match found {
                    Some((name, inner)) => {
                        let hop = HopText::Attribute(name.clone());
                        inner.hop(|h| h.before(hop.clone(), Some(at.place())))
                    }
                    None => {
                        let text = format!(
                            "Unsupported attribute: This object does not have an attribute named {name:?}."
                        );
                        Guarded::failed(EvalError::new(text).at(at.place()))
                    }
                })
            }
            Part::Value(_) | Part::Tuple(_) | Part::Failed(_) => {
                let made = frame.each_combination(&Op::GetAttr(name), &[alt.alone()], at);
                Ok(frame.tracer.or_unknown(made.map(Guarded::new)))
            }
        })
    }

    /// Operands of logical operators as known bools under conditions.
    fn prepared(&mut self, op: &Op<'_>, args: Vec<Guarded>, at: At) -> Result<Vec<Guarded>, Excess> {
        if !takes_bools(op) {
            return Ok(args);
        }
        args.into_iter()
            .map(|arg| {
                let stable = arg.alts().iter().any(|a| {
                    a.part.value().is_some_and(|v| !v.is_known() && self.tracer.origins.term_of(v).is_some())
                });
                if !stable {
                    return Ok(arg);
                }
                let alts = self.bools(&arg, at)?;
                Ok(self.tracer.guarded(alts, Some(at.place())))
            })
            .collect()
    }

    /// `&&` and `||` of what has long conditions already: one side alone decides, so that a chain of forty operands
    /// needs forty parts and not 2^40 combinations.
    fn long_logic(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Result<Option<Vec<Alt>>, Excess> {
        let (Op::Binary(kind @ (BinaryOp::And | BinaryOp::Or)), [a, b]) = (op, args) else { return Ok(None) };
        if !a.alts().iter().chain(b.alts()).any(|alt| alt.shown.exceeds(READABLE)) {
            return Ok(None);
        }
        let decides = *kind == BinaryOp::Or;
        let (Some(first), Some(second)) = (bool_sides(a, decides), bool_sides(b, decides)) else {
            return Ok(None);
        };
        let formulas = &mut self.tracer.formulas;
        let refused = &Excess::refused(Some(at.place()));
        let one = formulas.or(first[0].when, second[0].when).map_err(refused)?;
        let none = formulas.and(first[1].when, second[1].when).map_err(refused)?;
        let [first, second] = [first, second].map(|sides| sides.map(|s| (s.shown, s.hops)));
        let shown = [
            Condition::any([first[0].0.clone(), second[0].0.clone()]),
            Condition::all([first[1].0.clone(), second[1].0.clone()]),
        ];
        let name = op_name(op).unwrap_or(HopText::Word(""));
        let mut out = Vec::new();
        for (i, (when, shown)) in [one, none].into_iter().zip(shown).enumerate() {
            if when == FormulaId::FALSE {
                continue;
            }
            let sides = (first.get(i), second.get(i));
            let hops = match sides {
                (Some((_, x)), Some((_, y))) if y.is_path() && !x.is_path() => y.clone(),
                (Some((_, x)), _) => x.clone(),
                _ => Hops::NONE,
            };
            let part = Part::Value(Value::bool(decides == (i == 0)));
            out.push(Alt { when, shown, part, hops: hops.before(name.clone(), Some(at.place())) });
        }
        Ok(Some(out))
    }

    /// The operation on each combination of plain alternatives.
    pub fn each_combination(&mut self, op: &Op<'_>, args: &[Guarded], at: At) -> Result<Vec<Alt>, Excess> {
        let name = op_name(op);
        let combos = self.tracer.combinations(args)?;
        self.tracer.effort.work += combos.len().saturating_mul(args.len()) / TOGETHER;
        let mut out = Vec::with_capacity(combos.len());
        for combo in combos {
            let hops = match (&name, op) {
                (Some(name), _) => combo.hops.before(name.clone(), Some(at.place())),
                // What is put together is said where it is, not where one of its parts came from.
                (None, Op::Tuple | Op::Object { .. }) => Hops::one("Prim (compound)", Some(at.place())),
                (None, _) => combo.hops.clone(),
            };
            let (when, shown) = (combo.when, combo.shown.clone());
            let alt = Alt { when, shown, part: self.compute(op, combo, at), hops };
            let several = match self.listed_attribute_of(op, &alt, at)? {
                Some(listed) => Some(listed),
                None => self.either(&alt, at)?,
            };
            match several {
                Some(both) => out.extend(both),
                None => out.push(alt),
            }
        }
        Ok(out)
    }

    /// A plan-stable bool that isn't known is one of two values, unless it can be null.
    fn either(&mut self, alt: &Alt, at: At) -> Result<Option<Vec<Alt>>, Excess> {
        let Part::Value(value) = &alt.part else { return Ok(None) };
        if value.is_known() || value.ty != Type::Bool || !value.definitely_not_null() {
            return Ok(None);
        }
        let Some(term) = self.tracer.origins.term_of(value) else { return Ok(None) };
        if self.tracer.origins.info(term).is_none_or(|i| i.variable().is_some()) {
            // A variable has its own rules of what it can be.
            return Ok(None);
        }
        let marks = value.marks.filter(|m| !matches!(m, Mark::Origin(_)));
        let (yes, _, _) = self.tracer.bool_cases(term, value, at)?;
        let shown = self.holds(term, yes, at);
        let sides = self.bools(&Guarded::new(vec![alt.clone()]), at)?;
        let marked = sides.into_iter().map(|side| {
            // Only what asks for a condition takes null for an error.
            let Part::Value(value) = &side.part else {
                return Alt { part: Part::Value(Value::null(Type::Bool).with_marks(&marks)), ..side };
            };
            let own = if value.as_bool() == Some(true) { shown.clone() } else { Condition::negate(&shown) };
            let part = Part::Value(value.clone().with_marks(&marks));
            Alt { part, shown: Condition::all([side.shown.clone(), own]), ..side }
        });
        Ok(Some(marked.collect()))
    }

    /// A bool term as a condition, in its own words.
    fn holds(&self, term: TermId, formula: FormulaId, at: At) -> Arc<Condition> {
        Arc::new(Condition::Existing(match self.tracer.origins.info(term).and_then(|i| i.home.as_ref()) {
            Some(home) => site(home.scope.clone(), home.text.to_string(), formula),
            None => self.own_site(formula, at),
        }))
    }

    fn compute(&mut self, op: &Op<'_>, combo: Combo, at: At) -> Part {
        let outside = self.tracer.surroundings();
        if let Some(value) = self.refused(op, &combo.values, at).or_else(|| self.unmarked(op, &combo, at)) {
            return Part::Value(value);
        }
        self.note_risk(op, combo.when, &combo.values);
        // Where another declaration is an error, Terraform does not come to this one.
        let first = match op {
            Op::Call(..) => combo.error(|e| e.elsewhere),
            _ => None,
        };
        if let Some(e) = first.or_else(|| combo.error(|_| !op.lazy())) {
            let e = e.clone();
            return Part::Failed(beside(op, &combo.outcomes(), e));
        }
        let context = Context { outside: &outside, work: &self.tracer.effort.values };
        let outcome = match (op.lazy(), &combo.failed) {
            (false, _) => op.run(&combo.values, &context),
            (true, Some(operands)) => op.run_lazy(operands, &context),
            (true, None) => op.run_lazy(&combo.values.iter().cloned().map(Ok).collect::<Vec<_>>(), &context),
        };
        match outcome {
            // Terraform might well give an answer here; only this program declines.
            Err(e) if e.limit => {
                let wide = self.tracer.declined(&e, Some(at.place()));
                // What would hold it is too large as well: else doubling would begin anew around it.
                let built = matches!(op, Op::Tuple | Op::Object { .. } | Op::ForTuple | Op::ForObject { .. });
                Part::Value(if built { wide.with_mark(Mark::TooLarge) } else { wide })
            }
            Err(e) => Part::Failed(beside(op, &combo.outcomes(), e).at(at.place())),
            Ok(result) => Part::Value(self.with_derived_origin(op, result, &combo.values, at)),
        }
    }

    /// Functions that must not be computed here, with the reason as an unknown.
    fn refused(&mut self, op: &Op<'_>, args: &[Value], at: At) -> Option<Value> {
        let Op::Call(function, _) = op else { return None };
        let name = function.name;
        if function.purity == Purity::Unstable {
            let reason = Reason::new(
                Code::PlanStability,
                format!("plan-stability violation: `{name}` gives another value in every run."),
                Some(at.place()),
            )
            .fix("Pass the value in as a variable, so that it stays the same from plan to plan.", "");
            return Some(self.tracer.opaque(reason));
        }
        if function.decodes && !args.iter().all(Value::is_wholly_known) {
            if self.tracer.reason_in(args).is_some() {
                return None;
            }
            let reason = Reason::new(
                Code::Undecodable,
                format!(
                    "`{name}` is decoded only where its argument is a literal; this one {}.",
                    self.tracer.behind_values(args).depended_on("isn't known")
                ),
                Some(at.place()),
            )
            .fix("Pass the decoded fields in as separate variables.", "");
            return Some(self.tracer.opaque(reason));
        }
        None
    }

    /// Returns an unknown for `issensitive` behind a conditional. A conditional's value is sensitive if its condition or either arm
    /// is. Marks of the arm that isn't chosen aren't carried, so only the presence of a mark is sure.
    fn unmarked(&mut self, op: &Op<'_>, combo: &Combo, at: At) -> Option<Value> {
        let Op::Call(function, _) = op else { return None };
        if function.name != "issensitive" {
            return None;
        }
        let chosen = combo.hops.iter().any(|(text, _)| matches!(text, HopText::Arm(..)));
        let marked = combo.values.iter().any(|v| v.marks_deep().has(Mark::Sensitive));
        (chosen && !marked).then(|| {
            let why = "whether the result of a conditional is sensitive depends on both of its arms, which is not followed.";
            self.tracer.opaque(Reason::new(Code::Sensitive, why, Some(at.place())).fix(
                "Mark the result itself with `sensitive(...)` or `nonsensitive(...)`.",
                "",
            ))
        })
    }

    fn with_derived_origin(&mut self, op: &Op<'_>, result: Value, args: &[Value], at: At) -> Value {
        if result.is_known() && op.is_decoding() {
            // Nothing within it is unknown or marked.
            return Value { marks: result.marks.without_origins(), ..result };
        }
        if result.is_known() {
            return self.tracer.settled(result);
        }
        let result = match op {
            // What is unknown here is known in each run, and then it is a value.
            Op::Call(function, _) if function.is_never_null() && result.refinements().is_none() => {
                Value::unknown_not_null(result.ty.clone()).with_marks(&result.marks)
            }
            _ => result,
        };
        let asks = matches!(op, Op::Call(f, _) if f.purity == Purity::Files);
        let open = !asks || args.iter().any(Value::is_untyped);
        if !args.is_empty() && open && args.iter().all(Value::is_wholly_known) {
            // Nothing that would be known later: Terraform has no value for it either, however long it waits.
            let why = format!(
                "`{}` stays unknown in Terraform too, although all that it is computed from is known: it holds a null \
                 of no type.",
                self.text(at)
            );
            let reason = Reason::new(Code::PlanStability, why, Some(at.place()))
                .fix("Put a value in the place of null, as with `coalesce(...)`.", "");
            return self.tracer.opaque_of(result.ty.clone(), Arc::new(reason));
        }
        // Taking a part out of what is known leaves it what it was; so does a conversion to the type that a value has
        // already. A part of what isn't known is another value than the whole, even where neither has a type.
        let passes_on = match op {
            Op::GetAttr(_) | Op::Index => args.first().is_some_and(Value::is_known),
            Op::Unwrap => true,
            Op::Custom(_) | Op::Convert(_) => {
                args.first().is_some_and(|a| !a.is_known() && a.ty == result.ty)
            }
            _ => false,
        };
        if passes_on && self.tracer.is_itself(&result) {
            return result;
        }
        let repeated = !self.iteration.is_none();
        let here = (!at.bound && !repeated).then_some(self.instance);
        let made = self.tracer.with_origin(result, args, |tracer, result| {
            tracer.derived(op, result, args, at).or_else(|| {
                let unnamed = tracer.unnamed(here?, at)?;
                Some(tracer.unnamed_term(unnamed, result, args, at))
            })
        });
        self.over_keys(op, made, args)
    }

    /// Adds the variables behind the clauses and keys of a `for` or an object to the reason why its value isn't known: those alone
    /// decide which elements there are.
    fn over_keys(&mut self, op: &Op<'_>, made: Value, args: &[Value]) -> Value {
        let deciding: Vec<&Value> = match op {
            Op::ForObject { .. } => args.chunks(3).flat_map(|triple| triple.iter().take(2)).collect(),
            Op::ForTuple => args.chunks(3).flat_map(|triple| triple.first()).collect(),
            Op::Object { .. } => args.chunks(2).flat_map(|pair| pair.first()).collect(),
            _ => return made,
        };
        let Some(reason) = self.tracer.origins.of(&made).and_then(Origin::reason) else { return made };
        let reason = Reason::clone(reason);
        let over = self.tracer.variables_in(deciding);
        if over.is_subset(&reason.defaults) {
            return made;
        }
        let all = over.union(&reason.defaults).cloned().collect();
        let kept = made.marks.without_origins();
        self.tracer.opaque_of(made.ty.clone(), Arc::new(reason.over(all))).with_marks(&kept)
    }
}

impl Tracer<'_> {
    /// The expression at this place of an instance, where it has one value in each run: outside of every iteration.
    pub(in crate::trace) fn unnamed(&self, instance: crate::trace::InstanceId, at: At) -> Option<Unnamed> {
        let text = self.text(at);
        let scope = self.instances.get(instance)?.path.clone();
        (!text.is_empty()).then_some(Unnamed { instance, scope, text })
    }
}

/// An expression that identifies a term by standing where it stands.
pub(in crate::trace) struct Unnamed {
    /// The instance.
    pub instance: crate::trace::InstanceId,
    /// Its path.
    pub scope: crate::addr::ModulePath,
    /// The expression's text.
    pub text: String,
}

/// Returns the conditions under which a guarded bool is `first` and under which it isn't; nothing if it is marked or may be
/// neither.
fn bool_sides(of: &Guarded, first: bool) -> Option<[Alt; 2]> {
    let never = |value: bool| Alt {
        when: FormulaId::FALSE,
        shown: Condition::never(),
        part: Part::Value(Value::bool(value)),
        hops: Hops::NONE,
    };
    let mut sides = [never(first), never(!first)];
    for alt in of.alts() {
        let Part::Value(value) = &alt.part else { return None };
        let side = usize::from(value.as_bool().filter(|_| value.marks.is_empty())? != first);
        let slot = sides.get_mut(side).filter(|s| s.when == FormulaId::FALSE)?;
        *slot = alt.clone();
    }
    Some(sides)
}

/// An error of an operation, with the type of what Terraform goes on with. Behind a splat that depends on the items as
/// they would be if they were unknown.
fn beside(op: &Op<'_>, args: &[Outcome], error: EvalError) -> EvalError {
    let untyped = args.iter().any(crate::eval::concrete::untyped);
    let vague = error.vague || untyped || matches!(op, Op::SplatFinish(_)) || op.vague_beside(args);
    EvalError { vague, ..error.typed(op.type_beside(args)) }
}

/// The hop that an operation leaves on a trace path.
pub(in crate::trace) fn op_name(op: &Op<'_>) -> Option<HopText> {
    match op {
        Op::Unary(_) => Some("UnaryOp".into()),
        Op::Binary(op) => Some(HopText::Operator(*op)),
        Op::GetAttr(name) => Some(HopText::Attribute((*name).into())),
        Op::Index => Some("Index".into()),
        Op::Template => Some("Template".into()),
        Op::Call(function, _) => Some(HopText::Call(function.name)),
        Op::Convert(_) => Some("Call convert".into()),
        Op::ForTuple | Op::ForObject { .. } | Op::ForTemplate => Some("For".into()),
        Op::Tuple | Op::Object { .. } | Op::Unwrap | Op::SplatFinish(_) | Op::Custom(_) => None,
    }
}
