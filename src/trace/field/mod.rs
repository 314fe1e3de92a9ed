//! Tracing a field: evaluating its expression, and reading the result off its alternatives.

pub mod accepts;
pub(super) mod any_type;
pub(super) mod constant;
mod expansion;
mod first_pass;
pub(super) mod decided;
pub mod drive;
pub(super) mod either_way;
pub(super) mod listed;
pub(super) mod outcome;
pub(super) mod pastable;
pub(super) mod source;
pub(super) mod spelled;
pub(super) mod unmatched;
pub(super) mod unset;
pub(super) mod written;

use crate::addr::{CallName, FieldAddr, ModulePath};
use crate::cond::{FormulaId, TermId};
use crate::config::phi::FieldDecl;
use crate::eval::{At, Bindings, EvalError, eval};
use crate::issue::Code;
use crate::syntax::{Expr, ExprKind};
use crate::text::{Place, SourceId};
use crate::trace::{
    Alt, Assumptions, Branch, Frame, Guarded, HopText, Hops, InstanceId, Outcomes, Part, Reason, Trace,
    Traced, Tracer,
    reading::Reading,
    repetition::dynamic::Entries,
    repetition::never_instantiated::{calls_to, declarations, is_static},
    site::FieldSite,
    tracer::decline_reason::too_large,
    tracer::instance::Instances,
    tracer::result::{Beside, Finished, Question},
};
use crate::value::{Mark, Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The findings in a field's alternatives.
struct Found {
    branches: Vec<Branch>,
    /// The condition under which there is an error, and the last one.
    failing: FormulaId,
    error: Option<EvalError>,
    needed: Assumptions,
    refusal: Option<Arc<Reason>>,
    /// The condition under which there is no instance, and so no field: any branch may stand for what it would have been.
    absent: FormulaId,
}

impl<'a> Tracer<'a> {
    /// The instance behind a path of calls, without keys.
    pub fn instance_at(&mut self, path: &ModulePath) -> Option<InstanceId> {
        if path.0.is_empty() {
            return Some(Instances::ROOT);
        }
        if let Some((_, at)) = self.memo.here.as_ref().filter(|(here, _)| here == path) {
            return Some(*at);
        }
        // Who goes down a path asks for one call after the other: of deep paths the way to each would be long.
        let known = self
            .memo
            .here
            .take()
            .filter(|(here, _)| here.0.len() < path.0.len() && path.0.starts_with(&here.0));
        let (mut here, mut at) = known.unwrap_or((ModulePath::ROOT, Instances::ROOT));
        for name in path.0.iter().skip(here.0.len()) {
            here.0.push(name.clone());
            let module = self.inputs.config.at(&here)?.id;
            at = self.instances.child(at, name, None, module);
        }
        self.memo.here = Some((here, at));
        Some(at)
    }

    /// The root instance.
    pub fn root_instance(&self) -> InstanceId {
        Instances::ROOT
    }

    /// The instance of a call under one key.
    pub fn called(
        &mut self,
        of: InstanceId,
        name: &CallName,
        key: Option<crate::addr::Key>,
    ) -> Option<InstanceId> {
        let path = self.instances.get(of)?.path.clone();
        let module = self.inputs.config.at(&path.child(name.clone()))?.id;
        Some(self.instances.child(of, name, key, module))
    }

    /// Traces a field that [`site::locate`](crate::trace::site::locate) found. The second result names variables whose defaults would make it finite.
    pub fn trace(
        &mut self,
        field: &FieldAddr,
        site: &FieldSite,
        said: Option<&FieldDecl>,
    ) -> (Trace, Assumptions) {
        let (expr, at) = (site.attr.value_place(), site.place());
        let mut beside = Beside::default();
        let finished = self.trace_value(&Question { field, site, said }, &mut beside);
        let nowhere = matches!(finished, Finished::Nowhere(_));
        let (mut result, needed) = match finished {
            Finished::Done(result) => (result, Assumptions::default()),
            Finished::Nowhere(reason) => (Traced::Unbounded(reason), Assumptions::default()),
            Finished::Needs(meant) => {
                let why = "something has to be taken for granted first.";
                (Traced::Unbounded(Arc::new(Reason::new(Code::NoUniverse, why, Some(at)))), meant)
            }
        };
        let open = matches!(&result, Traced::Unbounded(_) | Traced::Rejected(_)) && needed.is_empty();
        let never = if open { self.never_there(field, site) } else { None };
        let never_instantiated = never.is_some() || nowhere;
        if let Some(reason) = never {
            result = Traced::Unbounded(Arc::new(reason));
        }
        let result = self.with_pastable(result, field, expr.file);
        let in_json = self.inputs.config.is_json(expr.file);
        let per_entry = self.per_entry(&result, field, site).or_else(|| self.per_index(&result, field, site));
        let per_entry = per_entry.map(Arc::new);
        let optional = matches!(&result, Traced::Rejected(e) if beside.fails && self.may_be_absent(field, site, e.elsewhere));
        let rounded = beside.rounded;
        let field = field.clone();
        (
            Trace {
                field,
                expr,
                at,
                block: site.block,
                result,
                never_instantiated,
                optional,
                per_entry,
                in_json,
                by: Vec::new(),
                rounded,
            },
            needed,
        )
    }

    fn trace_value(&mut self, question: &Question<'_>, beside: &mut Beside) -> Finished {
        let (field, site) = (question.field, question.site);
        let place = site.attr.value_place();
        self.begin();
        if field.module.depth() > self.inputs.limits.depth {
            let reason =
                crate::trace::walk::refer::too_deep(field.module.depth(), self.inputs.limits.depth, place);
            return Finished::Done(Traced::Unbounded(Arc::new(reason)));
        }
        let Some(instance) = self.instance_at(&field.module) else {
            return Finished::Done(Traced::Rejected(EvalError::new("The module is not loaded.").at(place)));
        };
        let exists = self.existence_around(field);
        let never = self.formulas.is_false(exists).unwrap_or(false);
        if never && !crate::trace::repetition::never_instantiated::is_static(field) {
            if let Some(error) = self.repeated_by_error(field) {
                return Finished::Done(Traced::Rejected(error));
            }
            if let Some(reason) = self.never_there(field, site) {
                return Finished::Done(Traced::Unbounded(Arc::new(reason)));
            }
        }
        let at = At::new(place);
        let mut frame = self.frame_in(instance, &field.target);
        let axes = frame.within(&site.dynamics, &field.target);
        let undeclared = match site.reading {
            Reading::Value => frame.undeclared(site.attr.file, &site.attr.expr, &axes.names),
            Reading::References => None,
        };
        let value = frame.at_site(site, undeclared, &axes.names);
        let value = if is_static(field) { frame.either_way(value, at) } else { value };
        let value = match site.own().filter(|_| !site.rest.is_empty()) {
            Some(own) => frame.with_own_hops(value, site.attr.file, own, &axes.names),
            None => value,
        };
        let hop: HopText = format!("Field {}", field.local()).into();
        let value = value.hop(|h| h.before(hop.clone(), Some(site.place())));
        match self.finish(question, &value, (exists, &axes.entries), at, beside) {
            Finished::Done(result @ (Traced::Unbounded(_) | Traced::Rejected(_))) => {
                // With what is listed for a collection it may be more than with what its type says of each element.
                let over = declarations(field).filter_map(|of| self.terms.elements.get(&of).cloned());
                let over: BTreeSet<Arc<str>> = over.flatten().collect();
                self.pinnable(&over).map_or(Finished::Done(result), Finished::Needs)
            }
            finished => finished,
        }
    }

    /// Traces an expression in the root module.
    pub fn trace_expr(&mut self, expr: &crate::syntax::Expr, file: crate::text::SourceId) -> Guarded {
        self.begin();
        let mut frame = self.frame(Instances::ROOT);
        match frame.undeclared(file, expr, &Bindings::default()) {
            Some(error) => Guarded::failed(error),
            None => eval(&mut frame, file, expr, &Bindings::default()),
        }
    }

    fn finish(
        &mut self,
        question: &Question<'_>,
        value: &Guarded,
        there: (FormulaId, &[Entries]),
        at: At,
        beside: &mut Beside,
    ) -> Finished {
        let merged = match self.flatten(value) {
            Ok(mut alts) => {
                // A field gives null its type.
                alts.iter_mut().for_each(|alt| {
                    if let Part::Value(value) = &mut alt.part {
                        value.marks = value.marks.without(Mark::Untyped);
                    }
                });
                self.guarded(alts, Some(at.place()))
            }
            Err(excess) => {
                let wide = self.unknown_for(excess);
                return Finished::Done(Traced::Unbounded(self.reason_of(&wide, at.place())));
            }
        };
        match self.cut(question, merged, at) {
            Ok((cut, what)) => {
                beside.rounded = what;
                let exists = self.existence_of(there.0, there.1);
                let is_there = |a: &&Alt| self.formulas.and(a.when, exists).ok() != Some(FormulaId::FALSE);
                let fails = |a: &Alt| a.part.error().is_some_and(|e| !e.limit);
                beside.fails = cut.alts().iter().filter(is_there).all(fails);
                self.read(question, &cut, there, at)
            }
            Err(finished) => finished,
        }
    }

    /// Reads the branches off.
    fn read(
        &mut self,
        question: &Question<'_>,
        merged: &Guarded,
        (around, entries): (FormulaId, &[Entries]),
        at: At,
    ) -> Finished {
        let unbounded = |reason| Finished::Done(Traced::Unbounded(reason));
        let exists = self.existence_of(around, entries);
        if let Some(meant) = self.before_environments(question, merged) {
            return Finished::Needs(meant);
        }
        let mut found = Found {
            branches: Vec::new(),
            failing: FormulaId::FALSE,
            error: None,
            needed: Assumptions::default(),
            refusal: None,
            absent: FormulaId::FALSE,
        };
        for alt in merged.alts() {
            let inside = self.formulas.and(alt.when, exists).unwrap_or(alt.when);
            if inside == FormulaId::FALSE || alt.part.error().is_some() {
                let outside = self.formulas.minus(alt.when, inside);
                found.absent =
                    outside.and_then(|o| self.formulas.or(found.absent, o)).unwrap_or(found.absent);
            }
            if inside != FormulaId::FALSE {
                self.read_alternative(question, alt, inside, at, &mut found);
            }
        }
        let Found { mut branches, mut failing, error, needed, refusal, absent } = found;
        if let Some(reason) = refusal {
            return unbounded(reason);
        }
        if !needed.is_empty() {
            return Finished::Needs(needed);
        }
        if let Some(reason) = two_zeros(&branches, at.place()) {
            return unbounded(Arc::new(reason));
        }
        // So many can't be shown either.
        let conditions = || branches.iter().map(|b| b.when).collect::<Vec<FormulaId>>();
        let many = (branches.len() > self.inputs.limits.branches).then(conditions);
        if let Some(reason) = many.and_then(|many| self.by_index(&many, question.field, at.place())) {
            return unbounded(Arc::new(reason));
        }
        if let Some((outside, fails)) = self.outside(&branches, failing, entries, exists) {
            (branches, failing) = (outside, fails);
        } else if let Some(first) = branches.first_mut() {
            let absent = self.at_no_index(absent, exists, question.field).unwrap_or(absent);
            let absent = self.without_entry(merged, entries, absent).unwrap_or(absent);
            first.when = self.formulas.or(first.when, absent).unwrap_or(first.when);
        }
        self.classify(question.field, branches, (failing, error), at.place())
    }

    /// Reads one alternative, which is given where `inside` holds.
    fn read_alternative(
        &mut self,
        question: &Question<'_>,
        alt: &Alt,
        inside: FormulaId,
        at: At,
        found: &mut Found,
    ) {
        let value = match &alt.part {
            Part::Value(v) => v,
            // Terraform might well give an answer here; only this program declines.
            Part::Failed(e) if e.limit => {
                if !self.only_null_bools(alt.when) && found.refusal.is_none() {
                    let place = e.place.unwrap_or(at.place());
                    found.refusal = Some(Arc::new(self.why_declined(e, Some(place))));
                }
                return;
            }
            Part::Failed(e) => {
                found.failing = self.formulas.or(found.failing, inside).unwrap_or(FormulaId::TRUE);
                found.error = Some(e.clone());
                return;
            }
            Part::Object(_) | Part::Tuple(_) => return,
        };
        if self.formulas.is_false(alt.when).unwrap_or(false) {
            // Only values that nobody listed lead here: not a branch, but something to keep out.
            return;
        }
        if value.is_null() && self.is_null_of_bool(alt.when) {
            return;
        }
        match self.read_off(question, value, &alt.hops, at.place()) {
            Ok(value) => {
                let (shown, hops) = (alt.shown.clone(), alt.hops.clone());
                found.branches.push(Branch { value, when: alt.when, shown, hops });
            }
            Err((Some(meant), _)) => drop(found.needed.take_in(meant)),
            // Of a bool, true and false are meant.
            Err((None, _)) if self.only_null_bools(alt.when) => {}
            Err((None, reason)) => {
                found.refusal = Some(self.both_open(question.field, found.refusal.take(), reason));
            }
        }
    }

    /// Returns the condition under which there is a field: an instance around it, and entries.
    pub(in crate::trace) fn existence_of(&mut self, around: FormulaId, entries: &[Entries]) -> FormulaId {
        let inner: Vec<FormulaId> = entries.iter().filter_map(|e| e.exists).collect();
        let all = inner.into_iter().try_fold(around, |all, e| self.formulas.and(all, e));
        // Of what never exists nothing is said.
        all.ok().filter(|f| *f != FormulaId::FALSE).unwrap_or(FormulaId::TRUE)
    }

    /// Returns the condition under which a field's declaration has instances.
    pub(in crate::trace) fn existence_around(&mut self, field: &FieldAddr) -> FormulaId {
        let inner = self
            .instance_at(&field.module)
            .filter(|_| !crate::trace::repetition::never_instantiated::repeats(field));
        let own = inner.and_then(|at| self.axis(at, &field.target).exists);
        let around = self.existence_within(&field.module);
        own.map_or(around, |own| self.formulas.and(around, own).unwrap_or(FormulaId::TRUE))
    }

    /// Returns the condition under which a module has instances.
    pub(in crate::trace) fn existence_within(&mut self, path: &ModulePath) -> FormulaId {
        if let Some((_, known)) = self.memo.exists.as_ref().filter(|(of, _)| of == path) {
            return *known;
        }
        let exists = self.find_existence(path);
        self.memo.exists = Some((path.clone(), exists));
        exists
    }

    fn find_existence(&mut self, path: &ModulePath) -> FormulaId {
        let all = calls_to(path).try_fold(FormulaId::TRUE, |all, (outer, call)| {
            let exists = self.instance_at(&outer).and_then(|at| self.axis(at, &call).exists);
            exists.map_or(Ok(all), |own| self.formulas.and(all, own))
        });
        all.unwrap_or(FormulaId::TRUE)
    }

    /// Returns true if a condition holds only where some `bool` variable is null, whose default isn't.
    fn only_null_bools(&mut self, when: FormulaId) -> bool {
        let mut rest = when;
        for term in self.formulas.terms(when).iter().copied() {
            let info = self.origins.info(term).filter(|i| i.ty == Type::Bool);
            if info.is_none_or(|i| i.variable().is_none()) || self.is_null_meant(term) {
                continue;
            }
            let without = self
                .formulas
                .eq(term, &Value::null(Type::Bool))
                .and_then(|null| self.formulas.minus(rest, null));
            let Ok(without) = without else { return false };
            rest = without;
        }
        rest == FormulaId::FALSE
    }

    /// Returns true if a condition says no more than that a `bool` variable is null, which nobody meant as a value:
    /// of a bool, true and false are specialised, and a guard keeps null out. A default of null says that it is
    /// meant.
    fn is_null_of_bool(&mut self, when: FormulaId) -> bool {
        let terms = self.formulas.terms(when);
        let [term] = &*terms else { return false };
        let info = self.origins.info(*term).filter(|i| i.ty == Type::Bool);
        if info.is_none_or(|i| i.variable().is_none()) {
            return false;
        }
        let meant = self.is_null_meant(*term);
        let null = self.formulas.eq(*term, &Value::null(Type::Bool));
        !meant && null == Ok(when)
    }

    /// Returns true if null is meant for a variable: as its default, or as what is listed for an attribute.
    fn is_null_meant(&self, term: TermId) -> bool {
        let name = self.origins.info(term).and_then(|i| i.variable());
        let variable = name.and_then(|name| self.inputs.config.root()?.variables.get(name));
        match variable {
            Some(v) => v.default.as_ref().is_some_and(|d| matches!(d.expr.kind, ExprKind::Null)),
            None => self.formulas.universe(term).iter().any(Value::is_null),
        }
    }

    fn classify(
        &mut self,
        field: &FieldAddr,
        mut branches: Vec<Branch>,
        (failing, error): (FormulaId, Option<EvalError>),
        place: Place,
    ) -> Finished {
        let limit = self.inputs.limits.branches;
        Finished::Done(match (branches.len(), error) {
            (0, None) => return Finished::Nowhere(Arc::new(nowhere(field, place))),
            (0, Some(error)) => Traced::Rejected(error),
            (1, None) => Traced::Resolved(branches.remove(0)),
            // A guard keeps null out, as it does where the branches differ.
            (1, Some(_)) if self.is_null_of_bool(failing) => Traced::Resolved(branches.remove(0)),
            (n, _) if n > limit => {
                let by = self.decides(branches.iter().map(|b| b.when));
                let by = by.map_or_else(String::new, |by| format!(", which {by}"));
                let why = format!(
                    "bounded, but too large to specialize: {n} values{by}, and the limit is {limit}."
                );
                let reason = Reason::new(Code::TooLarge, why, Some(place))
                    .fix("Raise the limit in `phi.hcl`:", format!("settings {{\n  branches = {n}\n}}"))
                    .fix("Or narrow what the value depends on with a `validation` block.", "");
                Traced::Unbounded(Arc::new(reason))
            }
            // One value and an error elsewhere: as good as resolved, since Terraform stops at the error by itself
            // only while the expression is still there; the specializer keeps it there.
            _ => Traced::Bounded(Outcomes { branches, failing }),
        })
    }

    /// A branch's value; or the defaults it needs, or the reason why it has none.
    #[allow(clippy::type_complexity)]
    fn read_off(
        &mut self,
        question: &Question<'_>,
        value: &Value,
        hops: &Hops,
        place: Place,
    ) -> Result<Value, (Option<Assumptions>, Arc<Reason>)> {
        if value.is_plain() {
            return Ok(value.clone());
        }
        let field = question.field;
        let marks = value.marks_deep();
        if marks.has(Mark::Ephemeral) {
            let (what, place) = self.marked_by(hops, |v| v.ephemeral, place);
            let why =
                format!("{what} is ephemeral: it exists while Terraform runs, and may stand in no file.");
            let reason = Reason::new(Code::Ephemeral, why, Some(place))
                .fix("Take this field out of the `specialize` block in `phi.hcl`.", "");
            return Err((None, Arc::new(reason)));
        }
        if marks.is_secret() || value.is_wholly_known() {
            if marks.is_secret() {
                let (what, by) = match question.site.sensitive {
                    true => ("the output's value".to_owned(), place),
                    false => self.marked_by(hops, |v| v.sensitive, place),
                };
                let why = format!("{what} is sensitive, and a specialization would write it into a file.");
                let mut reason = Reason::new(Code::Sensitive, why, Some(by));
                let text = self.inputs.config.sources.slice(place);
                if question.site.sensitive {
                    reason = reason.fix("If it is no secret, declare the output without `sensitive`.", "");
                } else if let ([name], false) = (field.path.0.as_slice(), text.is_empty()) {
                    let paste = format!("{name} = nonsensitive({text})");
                    reason = reason.fix("If it is no secret, take the mark off:", paste);
                }
                let reason = reason
                    .fix("Otherwise take this field out of the `specialize` block in `phi.hcl`; a choice may be sensitive, its values may not.", "");
                return Err((None, Arc::new(reason)));
            }
            return Ok(value.clone().unmark_deep().0);
        }
        if let Some(reason) = self.reason_in([value]) {
            let reason = self.with_listing(reason, field, place);
            return Err((self.pinnable(&reason.defaults), reason));
        }
        let terms: Vec<TermId> = marks.iter().filter_map(|m| self.origins.get(m)?.term()).collect();
        if let Some(meant) = self.supplied(question, value, &terms) {
            let reason = Reason::new(Code::NoUniverse, "its driver lists the values.", Some(place));
            return Err((Some(meant), Arc::new(reason)));
        }
        let variables: BTreeSet<Arc<str>> =
            terms.iter().filter_map(|t| self.origins.info(*t)).flat_map(|i| i.variables.clone()).collect();
        if let Some(names) = self.pinnable(&variables) {
            let reason = Reason::new(Code::NoUniverse, "a default has to be pinned first.", Some(place));
            return Err((Some(names), Arc::new(reason)));
        }
        let reason = self.no_universe((field, &value.ty), &terms, &variables, place);
        let reason = self.with_bins(reason, question, value);
        Err((None, Arc::new(reason)))
    }

    fn reason_of(&self, value: &Value, place: Place) -> Arc<Reason> {
        self.reason_in([value])
            .unwrap_or_else(|| Arc::new(too_large("there is too much to look at", Some(place))))
    }

    /// The first reason of a code among the origins in a guarded value.
    pub(in crate::trace) fn reason_among(&self, value: &Guarded, code: Code) -> Option<Arc<Reason>> {
        value.alts().iter().find_map(|a| match &a.part {
            Part::Value(v) => self.reason_in([v]).filter(|r| r.code == code),
            Part::Object(attrs) => attrs.values().find_map(|g| self.reason_among(g, code)),
            Part::Tuple(items) => items.iter().find_map(|g| self.reason_among(g, code)),
            Part::Failed(_) => None,
        })
    }
}

/// Why a field has no value under anything that is listed.
fn nowhere(field: &FieldAddr, place: Place) -> Reason {
    let why = format!(
        "{field} never has a value: with none of the values that are listed is there an instance of it."
    );
    Reason::new(Code::IterationDependent, why, Some(place))
        .fix("List the values with which there is one; or leave it as it is: a pin on it is passed over.", "")
}

impl Frame<'_, '_> {
    /// A value that was taken out of an object that is written out, with the way that its own expression says. An object of
    /// which all is known is one value, and has forgotten where its attributes came from.
    fn with_own_hops(
        &mut self,
        value: Guarded,
        file: SourceId,
        own: &Expr,
        names: &Bindings<Guarded>,
    ) -> Guarded {
        let [only] = value.alts() else { return value };
        let found = eval(self, file, own, names);
        match found.alts() {
            [alone] if alone.part == only.part && alone.when == only.when => {
                Guarded::new(vec![crate::trace::Alt { hops: alone.hops.clone(), ..only.clone() }])
            }
            _ => value,
        }
    }
}

/// Why 0 and -0 are no two branches: they are written differently, and nothing that compares tells them apart.
fn two_zeros(branches: &[Branch], place: Place) -> Option<Reason> {
    let mut rest = branches;
    while let [first, others @ ..] = rest {
        if others.iter().any(|other| other.value == first.value) {
            let why = "it is 0 in one case and -0 in another, which Terraform takes for equal.";
            return Some(Reason::new(Code::Undecodable, why, Some(place)).fix("Write 0 instead of -0.", ""));
        }
        rest = others;
    }
    None
}
