//! The iteration axis: what `each` and `count` stand for in a repeated block.
//!
//! `each.key` is a term of its own, valid inside the one block that it iterates: choices by key become conditions on
//! it, apart from the conditions that decide the value.

use crate::addr::{Key, Target};
use crate::cond::{Condition, Domain, FormulaId, TermId};
use crate::config::{In, Module, Provider};
use crate::eval::{At, EvalError, Op};
use crate::func::TerraformVersions;
use crate::issue::Code;
use crate::syntax::Attribute;
use crate::text::Place;
use crate::trace::{
    Alt, Excess, Frame, Guarded, Home, Hops, InstanceId, Iteration, Part, Reason, TermInfo, Tracer,
    tracer::axes::{Axis, AxisKind},
};
use crate::value::{Mark, Marks, Type, Value, convert};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The `count` or `for_each` of a declaration.
#[derive(Clone, Debug, Default)]
pub struct Repetition {
    /// `count = …`
    pub count: Option<In<Attribute>>,
    /// `for_each = …`
    pub for_each: Option<In<Attribute>>,
    /// `enabled = …` of OpenTofu's `lifecycle`: whether the one object is there.
    pub enabled: Option<In<Attribute>>,
}

impl Repetition {
    /// The argument that repeats, where there is one.
    pub fn attribute(&self) -> Option<&In<Attribute>> {
        self.for_each.as_ref().or(self.count.as_ref())
    }

    /// Returns the repetition of a resource, call, provider configuration or other block of a module.
    pub fn of(module: &Module, target: &Target) -> Repetition {
        let enabled = match target {
            Target::Resource(addr) => module.resources.get(addr).map(|r| r.lifecycle.enabled.clone()),
            Target::Call(name) => module.call(name).map(|c| c.enabled.clone()),
            _ => None,
        }
        .flatten();
        let (count, for_each) = match target {
            Target::Resource(addr) => {
                module.resources.get(addr).map(|r| (r.count.clone(), r.for_each.clone()))
            }
            Target::Call(name) => module.call(name).map(|c| (c.count.clone(), c.for_each.clone())),
            Target::Provider(name) => {
                let is_named = |p: &&Provider| match &p.alias {
                    Some(alias) => name.split_once('.') == Some((&*p.name, &**alias)),
                    None => *p.name == **name,
                };
                module.providers.iter().find(is_named).map(|p| (None, p.for_each.clone()))
            }
            Target::Block(name) => module.named_blocks().get(&**name).map(|block| {
                let own =
                    |argument: &str| block.body.attribute(argument).map(|a| In::new(block.file, a.clone()));
                (own("count"), own("for_each"))
            }),
            Target::Output(_) | Target::Local(_) | Target::Variable(_) => None,
        }
        .unwrap_or_default();
        Repetition { count, for_each, enabled }
    }

    /// Returns true if the declaration isn't repeated.
    pub fn is_none(&self) -> bool {
        self.count.is_none() && self.for_each.is_none()
    }
}

/// Returns true if the call exists only for the source that its expression chooses.
fn is_chosen(target: &Target) -> bool {
    matches!(target, Target::Call(name) if name.source.is_some())
}

impl<'a> Tracer<'a> {
    /// A place in a declaration of an instance, for all of its keys together.
    pub(in crate::trace) fn frame_in(&mut self, instance: InstanceId, target: &Target) -> Frame<'_, 'a> {
        let iteration = self.axis(instance, target);
        Frame { tracer: self, instance, iteration }
    }

    /// Returns the iteration of a declaration of an instance, for one key or for all of them together.
    pub(in crate::trace) fn iteration(
        &mut self,
        instance: InstanceId,
        target: &Target,
        key: Option<&Key>,
    ) -> Iteration {
        match key {
            Some(key) => self.at_key(instance, target, key),
            None => self.axis(instance, target),
        }
    }

    /// Returns the iteration of a repeated declaration of an instance, for all of its keys together.
    pub(in crate::trace) fn axis(&mut self, instance: InstanceId, target: &Target) -> Iteration {
        if self
            .memo
            .single
            .of(target)
            .as_ref()
            .is_some_and(|(at, single)| *at == instance && single == target)
        {
            return Iteration::default();
        }
        let Some((here, module)) = self.instances.get(instance).zip(self.module_of(instance)) else {
            return Iteration::default();
        };
        let repetition = Repetition::of(module, target);
        if repetition.is_none() && repetition.enabled.is_none() && !is_chosen(target) {
            *self.memo.single.of(target) = Some((instance, target.clone()));
            return Iteration::default();
        }
        // Between fields and gates it is the same each time; within what is traced for them, what is around may count.
        let plain = self.memo.open.is_empty()
            && self.scope.notes.risks.is_none()
            && self.scope.version == TerraformVersions::ANY;
        let plain = plain && self.scope.notes.arms == 0 && !self.scope.inferring;
        if let Some((_, known)) =
            self.memo.axis.as_ref().filter(|((at, of), _)| plain && *at == instance && of == target)
        {
            return known.clone();
        }
        let of = |kind| Axis { path: here.path.clone(), target: target.clone(), kind };
        let mut axis = match (&repetition.for_each, &repetition.count) {
            (Some(for_each), _) => self.keys_axis(instance, &of(AxisKind::Key), for_each),
            (None, Some(count)) => self.index_axis(instance, &of(AxisKind::Index), count),
            (None, None) => Iteration::default(),
        };
        if let Some(enabled) = repetition.enabled.as_ref().filter(|_| repetition.is_none()) {
            axis.exists = self.where_enabled(instance, enabled);
        }
        if let Target::Call(name) = target
            && let Some(chosen) = self.where_chosen(instance, name, &axis)
        {
            let own = axis.exists.unwrap_or(FormulaId::TRUE);
            axis.exists = Some(self.formulas.and(own, chosen).unwrap_or(own));
        }
        if plain {
            self.memo.axis = Some(((instance, target.clone()), axis.clone()));
        }
        axis
    }

    /// The condition under which OpenTofu makes an object of a declaration; `None` if it isn't known.
    fn where_enabled(&mut self, instance: InstanceId, enabled: &In<Attribute>) -> Option<FormulaId> {
        let value = self.frame(instance).argument(enabled);
        let mut under = Vec::new();
        for alt in value.alts().iter().filter(|alt| !matches!(alt.part, Part::Failed(_))) {
            if known_bool(&alt.part)? {
                under.push(alt.when);
            }
        }
        self.formulas.or_all(under).ok()
    }

    /// Returns true if the declaration is repeated, or exists only for some sources.
    pub(in crate::trace) fn repeats(&self, instance: InstanceId, target: &Target) -> bool {
        self.module_of(instance).is_some_and(|m| !Repetition::of(m, target).is_none() || is_chosen(target))
    }

    fn axis_term(
        &mut self,
        axis: &Axis,
        domain: Domain,
        variables: BTreeSet<Arc<str>>,
        at: At,
    ) -> (TermId, Value) {
        let home = Some(Home { scope: axis.path.clone(), text: axis.kind.to_string().into() });
        let info = TermInfo { ty: axis.kind.ty(), home, variables, subject: None, place: Some(at.place()) };
        self.axis_term_of(axis, domain, info)
    }

    fn axis_term_of(&mut self, axis: &Axis, domain: Domain, info: TermInfo) -> (TermId, Value) {
        let (term, value) = self.symbol(&axis.to_string(), domain, info, &Marks::NONE);
        self.terms.axes.add(term, axis);
        (term, value)
    }

    fn index_axis(&mut self, instance: InstanceId, axis: &Axis, count: &In<Attribute>) -> Iteration {
        let at = At::new(count.value_place());
        let mut frame = self.frame(instance);
        let value = frame.argument(count);
        let open = |tracer: &mut Self| {
            let (term, index) = tracer.axis_term(axis, Domain::Open, BTreeSet::new(), at);
            tracer.terms.keys.insert(term);
            let culprits = tracer.behind(&value);
            tracer.origins.blame(&index, culprits);
            let index = Guarded::always(Part::Value(index), Hops::one("GenIter count", Some(at.place())));
            Iteration { index: Some(index), ..Iteration::default() }
        };
        if fails(&value) {
            return Iteration {
                index: Some(value.behind_a_reference()),
                exists: Some(FormulaId::FALSE),
                ..Iteration::default()
            };
        }
        let mut counts = Vec::new();
        let mut unlisted = Unlisted::default();
        for alt in value.alts().iter().filter(|a| !matches!(a.part, Part::Failed(_))) {
            match known_count(&alt.part).filter(|n| *n <= self.inputs.limits.alternatives) {
                Some(n) => counts.push((alt.when, n)),
                None if self.takes(&mut unlisted, alt) => {}
                None => return open(self),
            }
        }
        let most = counts.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let under = |i: usize| counts.iter().filter(move |(_, n)| *n > i).map(|(when, _)| *when).collect();
        let present: Vec<(Value, Vec<FormulaId>)> =
            (0..most).map(|i| (Value::number(i as u64), under(i))).collect();
        match self.listed_keys(axis, &present, &unlisted, at) {
            Some((index, exists)) => {
                Iteration { index: Some(index), exists: Some(exists), ..Iteration::default() }
            }
            None => open(self),
        }
    }

    /// Returns the keys, and the condition under which the key at hand has an instance; nothing if that is too large.
    fn listed_keys(
        &mut self,
        axis: &Axis,
        present: &[(Value, Vec<FormulaId>)],
        unlisted: &Unlisted,
        at: At,
    ) -> Option<(Guarded, FormulaId)> {
        let keys = self.entries(axis, present.iter().map(|(k, _)| k.clone()).collect(), at);
        let exists = self.existence(axis, present, at)?;
        self.with_unlisted(unlisted, keys, exists, at)
    }

    /// Returns the condition under which the key at hand is one of the keys and has an instance; nothing if that is too large.
    fn existence(&mut self, axis: &Axis, present: &[(Value, Vec<FormulaId>)], at: At) -> Option<FormulaId> {
        if present.is_empty() {
            return Some(FormulaId::FALSE);
        }
        let values = present.iter().map(|(v, _)| v.clone()).collect();
        let domain = Domain::Closed { values, enforced: true };
        let term = self.axis_term(axis, domain, BTreeSet::new(), at).0;
        let mut each = Vec::with_capacity(present.len());
        for (value, under) in present {
            let under = self.formulas.or_all(under.iter().copied()).ok()?;
            each.push(self.formulas.eq(term, value).and_then(|key| self.formulas.and(key, under)).ok()?);
        }
        let exists = self.formulas.or_all(each).ok()?;
        Some(exists)
    }

    /// One alternative per key.
    fn entries(&mut self, axis: &Axis, values: Vec<Value>, at: At) -> Guarded {
        let text = axis.kind.to_string();
        if values.is_empty() {
            let why = format!("there is no instance, so `{text}` has no value.");
            let reason = Arc::new(Reason::new(Code::IterationDependent, why, Some(at.place())));
            return Guarded::of(self.opaque_of(axis.kind.ty(), reason));
        }
        let domain = Domain::Closed { values: values.clone(), enforced: true };
        let term = self.axis_term(axis, domain, BTreeSet::new(), at).0;
        self.terms.keys.insert(term);
        let mut out = Vec::new();
        for value in values {
            let Ok(when) = self.formulas.eq(term, &value) else {
                return self.or_unknown(Err(Excess::new("too many keys", Some(at.place()))));
            };
            let shown = Arc::new(Condition::Eq(
                crate::trace::guarded::wording::term_site(axis.path.clone(), &text, term, false),
                value.clone(),
            ));
            let name = crate::value::hcl::to_hcl(&value).unwrap_or_default();
            let hops = Hops::one(
                crate::trace::guarded::hops::HopText::valued(&format!("GenIter {text}"), &name),
                Some(at.place()),
            );
            out.push(Alt { when, shown, part: Part::Value(value), hops });
        }
        Guarded::new(out)
    }

    fn keys_axis(&mut self, instance: InstanceId, axis: &Axis, for_each: &In<Attribute>) -> Iteration {
        let at = At::new(for_each.value_place());
        let mut frame = self.frame(instance);
        let collection = frame.argument(for_each).behind_a_reference();
        let collection = match self.without_secret_keys(&collection, at) {
            Some(collection) => collection,
            // Which versions take it says nothing of what it is.
            None => {
                let why = Arc::new(marked_by_some(at.place()));
                let open = Guarded::of(self.opaque_of(Type::Dynamic, why));
                return self.open_axis(axis, &open, at);
            }
        };
        if fails(&collection) {
            let error = Some(collection);
            return Iteration {
                key: error.clone(),
                value: error,
                exists: Some(FormulaId::FALSE),
                ..Iteration::default()
            };
        }
        let mut present: BTreeMap<Arc<str>, Vec<FormulaId>> = BTreeMap::new();
        let mut unlisted = Unlisted::default();
        for alt in collection.alts().iter().filter(|a| !matches!(a.part, Part::Failed(_))) {
            match known_keys(&alt.part) {
                Some(keys) => keys.into_iter().for_each(|k| present.entry(k).or_default().push(alt.when)),
                None if self.takes(&mut unlisted, alt) => {}
                None => return self.open_axis(axis, &collection, at),
            }
        }
        // What is said of each key takes longer the more there are.
        if present.len() > self.inputs.limits.combinations {
            return self.open_axis(axis, &collection, at);
        }
        let present: Vec<(Value, Vec<FormulaId>)> =
            present.into_iter().map(|(k, under)| (Value::string(&k), under)).collect();
        let Some((key, exists)) = self.listed_keys(axis, &present, &unlisted, at) else {
            return self.open_axis(axis, &collection, at);
        };
        let value = match exists {
            FormulaId::FALSE => key.clone(),
            _ => self.at_each_key(instance, &collection, &key, at),
        };
        Iteration { key: Some(key), value: Some(value), index: None, exists: Some(exists) }
    }

    /// A collection with an error in the place of each alternative that Terraform rejects since its keys are secret; nothing where only some of
    /// the versions in question do.
    fn without_secret_keys(&self, collection: &Guarded, at: At) -> Option<Guarded> {
        let marks = |part: &Part| match part {
            Part::Value(value) if matches!(value.ty, Type::Set(_)) => value.marks_deep(),
            Part::Value(value) => value.marks.clone(),
            _ => Marks::NONE,
        };
        let is_marked = |part: &Part| marks(part).is_secret() || marks(part).has(Mark::Ephemeral);
        if !collection.alts().iter().any(|alt| is_marked(&alt.part)) {
            return Some(collection.clone());
        }
        let mut out = Vec::new();
        for alt in collection.alts() {
            let marks = marks(&alt.part);
            let part = match self.counts_as_sensitive(&marks)? || marks.has(Mark::Ephemeral) {
                true => Part::Failed(EvalError::new(SECRET_KEYS).at(at.place())),
                false => alt.part.clone(),
            };
            out.push(Alt { part, ..alt.clone() });
        }
        Some(Guarded::new(out))
    }

    /// Returns true if an alternative of the repetition counts. One that holds only for unlisted values is noted instead.
    fn takes(&mut self, unlisted: &mut Unlisted, alt: &Alt) -> bool {
        let outside = self.is_unlisted(alt);
        if outside {
            unlisted.0.push((alt.when, alt.shown.clone()));
        }
        outside
    }

    /// Returns true if an alternative holds only for values that aren't listed.
    pub(in crate::trace) fn is_unlisted(&mut self, alt: &Alt) -> bool {
        self.formulas.is_false(alt.when).unwrap_or(false)
    }

    /// Keys and existence with what holds for values that nobody listed: there may be any instances then, with keys of
    /// which nothing is known. So those values are kept out where the key matters.
    fn with_unlisted(
        &mut self,
        unlisted: &Unlisted,
        keys: Guarded,
        exists: FormulaId,
        at: At,
    ) -> Option<(Guarded, FormulaId)> {
        let outside = self.formulas.or_all(unlisted.0.iter().map(|(when, _)| *when)).ok()?;
        if outside == FormulaId::FALSE {
            return Some((keys, exists));
        }
        if exists == FormulaId::FALSE {
            return None;
        }
        let listed = self.formulas.not(outside).ok()?;
        let mut out = Vec::new();
        for alt in keys.alts() {
            let when = self.formulas.and(alt.when, listed).ok()?;
            out.push(Alt { when, ..alt.clone() });
        }
        let why = "which instances there are depends on values that nobody listed.";
        let reason = Arc::new(Reason::new(Code::IterationDependent, why, Some(at.place())));
        let any = self.opaque_of(Type::Dynamic, reason);
        let shown = Condition::any(unlisted.0.iter().map(|(_, shown)| shown.clone()));
        out.push(Alt { when: outside, shown, part: Part::Value(any), hops: Hops::NONE });
        Some((Guarded::new(out), self.formulas.or(exists, outside).ok()?))
    }

    fn at_each_key(&mut self, instance: InstanceId, collection: &Guarded, key: &Guarded, at: At) -> Guarded {
        let mut frame = self.frame(instance);
        frame.by_alternative(key, at, &mut |frame, alt| Ok(frame.at_one_key(collection, &alt.alone(), at)))
    }
}

impl Frame<'_, '_> {
    /// Returns `each.value` for one key; an error if the collection has no such key.
    fn at_one_key(&mut self, collection: &Guarded, key: &Guarded, at: At) -> Guarded {
        self.by_alternative(collection, at, &mut |frame, alt| {
            let is_set = matches!(&alt.part, Part::Value(v) if matches!(v.ty, Type::Set(_)));
            Ok(match is_set {
                true => key.clone(),
                false => frame.operate(&Op::Index, vec![alt.alone(), key.clone()], at),
            })
        })
    }
}

impl Tracer<'_> {
    /// Keys that differ from assignment to assignment, or aren't known: the key is a term, the value can't be followed.
    fn open_axis(&mut self, axis: &Axis, collection: &Guarded, at: At) -> Iteration {
        let over = self.variables_over(collection);
        let key = self.axis_term(axis, Domain::Open, over.clone(), at).1;
        let always = |v: Value| Some(Guarded::always(Part::Value(v), Hops::one("GenIter", Some(at.place()))));
        let why = |depends: &str| {
            let why = format!("the collection of `for_each` {depends}, so `each.value` can't be listed.");
            Reason::new(Code::IterationDependent, why, Some(at.place()))
                .fix("Choose by `each.key` from a map whose entries are written out.", "")
        };
        let culprits = self.behind(collection);
        self.origins.blame(&key, culprits);
        let value = match self.element_type(collection) {
            _ if is_set(collection) => key.clone(),
            Some(ty) => self.element_term(axis, ty, (collection, over), &why, at),
            None => self.open_element(&key, (collection, over), &why),
        };
        Iteration { key: always(key), value: always(value), index: None, exists: None }
    }

    /// Returns the type of each element of a collection of which nothing else is known, where root variables alone decide it.
    fn element_type(&self, collection: &Guarded) -> Option<Type> {
        let mut found = None;
        for alt in collection.alts() {
            let Part::Value(value) = &alt.part else { return None };
            let Type::Map(of) = &value.ty else { return None };
            let term = self.origins.term_of(value).filter(|_| value.marks.without_origins().is_empty())?;
            let of_variables = !self.origins.info(term)?.variables.is_empty();
            let of_data = self.formulas.key(term).contains("data.");
            if !of_variables || of_data || **of == Type::Dynamic || found.is_some_and(|ty| ty != of) {
                return None;
            }
            found = Some(of);
        }
        found.map(|of| Type::clone(of)).filter(|_| self.reason_in(collection.values()).is_none())
    }

    /// The element under the key at hand, as a term: what its type says of it is enough where it only decides. `why` gives the
    /// reason for what asks for more.
    fn element_term(
        &mut self,
        axis: &Axis,
        ty: Type,
        (collection, over): (&Guarded, BTreeSet<Arc<str>>),
        why: &dyn Fn(&str) -> Reason,
        at: At,
    ) -> Value {
        let axis = Axis { kind: AxisKind::Value, ..axis.clone() };
        let home = Some(Home { scope: axis.path.clone(), text: axis.kind.to_string().into() });
        let culprits = self.behind(collection);
        self.terms.elements.insert((axis.path.clone(), axis.target.clone()), over.clone());
        let because = why(&culprits.depended_on("is not the same whatever happens")).over(over.clone());
        let info = TermInfo { ty, home, variables: over, subject: None, place: Some(at.place()) };
        let element = self.axis_term_of(&axis, Domain::Open, info).1;
        self.origins.blame(&element, culprits);
        self.origins.remember(&element, Some(Arc::new(because)));
        element
    }

    /// The unknown element of a collection that depends on some variables, under a key that is a term. `why` gives the reason from
    /// what is said of the collection; one that the collection has goes before.
    pub(in crate::trace) fn open_element(
        &mut self,
        key: &Value,
        (collection, over): (&Guarded, BTreeSet<Arc<str>>),
        why: &dyn Fn(&str) -> Reason,
    ) -> Value {
        let culprits = self.behind(collection);
        self.origins.blame(key, culprits.clone());
        let reason = match self.reason_in(collection.values()) {
            Some(reason) => Reason::clone(&reason),
            None => why(&culprits.depended_on("is not the same whatever happens")),
        };
        self.opaque_of(Type::Dynamic, Arc::new(reason.over(over)))
    }

    /// Returns the iteration of a declaration for one key.
    pub(in crate::trace) fn at_key(&mut self, instance: InstanceId, target: &Target, key: &Key) -> Iteration {
        let Some(module) = self.module_of(instance) else { return Iteration::default() };
        let repetition = Repetition::of(module, target);
        match (key, &repetition.for_each) {
            (Key::Index(n), _) => {
                Iteration { index: Some(Guarded::of(Value::number(*n))), ..Iteration::default() }
            }
            (Key::Name(name), Some(for_each)) => {
                let mut frame = self.frame(instance);
                let collection = frame.argument(for_each);
                let key = Guarded::of(Value::string(name));
                let value = frame.at_one_key(&collection, &key, At::new(for_each.value_place()));
                Iteration { key: Some(key), value: Some(value), ..Iteration::default() }
            }
            (Key::Name(_), None) => Iteration::default(),
        }
    }
}

/// Why it isn't known if there are instances over what only some of the versions in question take for sensitive.
pub(super) fn marked_by_some(place: Place) -> Reason {
    let why = "it comes from an output that is declared sensitive: since 1.13 Terraform stops here, before it didn't.";
    Reason::new(Code::PlanStability, why, Some(place))
        .fix("Say for which versions this is:", "terraform {\n  required_version = \">= 1.13\"\n}")
        .fix("Or take the mark off, if it is no secret, with `nonsensitive(...)`.", "")
}

/// What Terraform says of a `for_each` over what is sensitive.
pub(super) const SECRET_KEYS: &str =
    "Invalid for_each argument: Sensitive values, or values derived from sensitive values, cannot be used.";

/// The conditions under which a declaration is repeated by an unlisted value.
#[derive(Default)]
struct Unlisted(Vec<(FormulaId, Arc<Condition>)>);

/// Returns true if what is iterated over is a set, each of whose elements is its own key.
fn is_set(collection: &Guarded) -> bool {
    let mut all = collection.alts().iter().map(|alt| alt.part.value());
    all.all(|value| value.is_some_and(|value| matches!(value.ty, Type::Set(_))))
}

/// Returns true if the value is an error under every condition. Then so is everything that is repeated by it.
pub(in crate::trace) fn fails(value: &Guarded) -> bool {
    value.alts().iter().all(|a| a.part.error().is_some_and(|e| !e.limit))
}

/// The number that a `count` is, which Terraform converts: `"2"` is one as well.
fn counted(value: &Value) -> Option<usize> {
    let converted =
        if value.ty == Type::String { convert::convert(value, &Type::Number).ok()? } else { value.clone() };
    converted.as_number().and_then(|n| n.as_usize())
}

/// Returns the number of instances that a `count` makes.
pub(in crate::trace) fn known_count(part: &Part) -> Option<usize> {
    part.value().and_then(counted)
}

/// Returns what an `enabled` is, if it is known.
pub(in crate::trace) fn known_bool(part: &Part) -> Option<bool> {
    convert::convert(part.value()?, &Type::Bool).ok()?.as_bool()
}

/// The keys of a collection that is iterated by `for_each`, in order; nothing where they are secret.
pub(in crate::trace) fn known_keys(part: &Part) -> Option<Vec<Arc<str>>> {
    match part {
        Part::Object(attrs) => Some(attrs.keys().cloned().collect()),
        Part::Value(v) if v.marks.has(Mark::Sensitive) || v.marks.has(Mark::Ephemeral) => None,
        Part::Value(v) if v.is_known() && !v.is_null() => match v.ty {
            Type::Set(_) => v.elements().map(|(_, e)| e.as_str().map(Arc::from)).collect(),
            Type::Map(_) | Type::Object(_) => v.elements().map(|(k, _)| k.as_str().map(Arc::from)).collect(),
            _ => None,
        },
        Part::Value(_) | Part::Tuple(_) | Part::Failed(_) => None,
    }
}
