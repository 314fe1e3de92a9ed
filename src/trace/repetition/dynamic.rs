//! `dynamic` blocks: what the iterator stands for in their `content`.
//!
//! Like `each.key`, the iterator's key is a term of its own: choices by it become conditions on it, apart from the
//! conditions that decide the value. Input: the blocks around an argument, from the outside in. Deliberately absent: what
//! becomes of conditions on the key, since no gate can be put on one entry (see [`crate::trace::entries`]).

use crate::addr::Target;
use crate::cond::{Condition, Domain, FormulaId, TermId};
use crate::config::In;
use crate::eval::{At, Bindings, eval};
use crate::issue::Code;
use crate::syntax::{Block, ExprKind};
use crate::trace::{
    Alt, Frame, Guarded, Home, Hops, Part, Reason, TermInfo,
    tracer::axes::{Axis, AxisKind},
};
use crate::value::{Marks, Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The entries of all `dynamic` blocks around an argument that are told apart. Blocks within blocks multiply what is asked of each.
const MOST_AROUND: usize = 4096;

/// What it costs to bind the iterator of a block, and as much again for each entry, in the units that tracers count.
const BINDING: u64 = 1 << 10;

/// The entries over which a `dynamic` block iterates.
#[derive(Clone, Debug)]
pub(in crate::trace) struct Entries {
    /// The key at hand.
    pub term: TermId,
    /// All keys.
    pub keys: Vec<Value>,
    /// The condition under which there is an entry with the current key; `None` if the keys aren't known.
    pub exists: Option<FormulaId>,
}

/// The iterations around an argument, from the outside in, and the names that they bind.
#[derive(Default)]
pub(in crate::trace) struct Axes {
    pub names: Bindings<Guarded>,
    pub entries: Vec<Entries>,
}

/// An element of a collection under one condition.
struct Element {
    when: FormulaId,
    shown: Arc<Condition>,
    value: Guarded,
}

/// A `dynamic` block where it stands.
struct Repeated {
    axis: Axis,
    /// The iterator.
    name: Arc<str>,
    at: At,
}

impl Frame<'_, '_> {
    /// Returns the values of the iterators of `dynamic` blocks.
    pub fn within(&mut self, dynamics: &[In<Block>], target: &Target) -> Axes {
        let mut axes = Axes::default();
        for block in dynamics {
            self.enter_block(block, target, &mut axes);
        }
        axes
    }

    /// Adds the iterator of one block; gives what it iterates over.
    pub fn enter_block(&mut self, block: &In<Block>, target: &Target, axes: &mut Axes) -> Option<Guarded> {
        let for_each = block.body.attribute("for_each")?;
        let at = At::new(block.at(for_each.expr.span));
        let collection = eval(self, block.file, &for_each.expr, &axes.names);
        let name = iterator_name(block);
        let kind = AxisKind::Entry(block.file, block.span.start);
        let axis = Axis { path: self.path(), target: target.clone(), kind };
        let block = Repeated { axis, name: name.clone(), at };
        let around: usize = axes.entries.iter().map(|entries| entries.keys.len()).sum();
        let (bound, entries) = self.bound(&block, &collection, MOST_AROUND.saturating_sub(around));
        self.tracer.spend(BINDING.saturating_mul(1 + entries.keys.len() as u64));
        axes.names = axes.names.with(name, bound);
        axes.entries.push(entries);
        Some(collection)
    }

    /// What the iterator stands for. Of more entries than `most` nothing is told apart.
    fn bound(&mut self, block: &Repeated, collection: &Guarded, most: usize) -> (Guarded, Entries) {
        let known = self.present(collection).filter(|all| all.len() <= most);
        self.tracer.effort.work += known.as_ref().map_or(0, Vec::len);
        // Whoever looks for errors has to know where nothing is evaluated.
        let none = self.tracer.scope.holds.is_some() && known.as_ref().is_some_and(Vec::is_empty);
        let known = known.filter(|p| !p.is_empty());
        if none {
            let (open, entries) = self.open_entry(block, collection);
            return (open, Entries { exists: Some(FormulaId::FALSE), ..entries });
        }
        match known.and_then(|present| self.each_entry(block, present)) {
            Some(done) => done,
            None => self.open_entry(block, collection),
        }
    }

    /// The elements of a collection by key; nothing where they aren't known, or are too many.
    fn present(&self, collection: &Guarded) -> Option<Vec<(Value, Vec<Element>)>> {
        let mut out: Vec<(Value, Vec<Element>)> = Vec::new();
        for alt in collection.alts().iter().filter(|a| !matches!(a.part, Part::Failed(_))) {
            for (key, value) in elements(alt)? {
                let element = Element { when: alt.when, shown: alt.shown.clone(), value };
                match out.iter_mut().find(|(k, _)| *k == key) {
                    Some((_, all)) => all.push(element),
                    None => out.push((key, vec![element])),
                }
            }
            if out.len() > self.tracer.inputs.limits.alternatives {
                return None;
            }
        }
        Some(out)
    }

    /// One alternative per entry; nothing where that is too much to say.
    fn each_entry(
        &mut self,
        block: &Repeated,
        present: Vec<(Value, Vec<Element>)>,
    ) -> Option<(Guarded, Entries)> {
        let keys: Vec<Value> = present.iter().map(|(k, _)| k.clone()).collect();
        let ty = keys.first().map_or(Type::Dynamic, |k| k.ty.clone());
        let domain = Domain::Closed { values: keys.clone(), enforced: true };
        let text = format!("{}.key", block.name);
        let term = self.key_term(block, ty, (domain, BTreeSet::new())).0;
        let mut exists = FormulaId::FALSE;
        let mut out = Vec::new();
        for (key, elements) in present {
            let when = self.tracer.formulas.eq(term, &key).ok()?;
            let site = crate::trace::guarded::wording::term_site(block.axis.path.clone(), &text, term, false);
            let shown = Arc::new(Condition::Eq(site, key.clone()));
            let under = elements.iter().map(|e| e.when).collect::<Vec<_>>();
            let under = self.tracer.formulas.or_all(under).ok()?;
            let here = self.tracer.formulas.and(when, under).ok()?;
            exists = self.tracer.formulas.or(exists, here).ok()?;
            let mut values = Vec::new();
            for element in elements {
                self.tracer.extend_under(&mut values, &element.value, element.when, &element.shown).ok()?;
            }
            let name = crate::value::hcl::to_hcl(&key).unwrap_or_default();
            let hops = Hops::one(
                crate::trace::guarded::hops::HopText::valued(&format!("GenIter {text}"), &name),
                Some(block.at.place()),
            );
            let value = self.tracer.guarded(values, Some(block.at.place()));
            let part = pair(Guarded::always(Part::Value(key), hops.clone()), value);
            out.push(Alt { when: here, shown, part, hops });
        }
        Some((Guarded::new(out), Entries { term, keys, exists: Some(exists) }))
    }

    fn key_term(
        &mut self,
        block: &Repeated,
        ty: Type,
        (domain, variables): (Domain, BTreeSet<Arc<str>>),
    ) -> (TermId, Value) {
        let text = format!("{}.key", block.name);
        let info = TermInfo {
            ty,
            home: Some(Home { scope: block.axis.path.clone(), text: text.into() }),
            variables,
            subject: None,
            place: Some(block.at.place()),
        };
        let (term, value) = self.tracer.symbol(&block.axis.to_string(), domain, info, &Marks::NONE);
        self.tracer.terms.keys.insert(term);
        self.tracer.terms.axes.add(term, &block.axis);
        (term, value)
    }

    /// Entries that aren't known: the key is a term, the value can't be followed.
    fn open_entry(&mut self, block: &Repeated, collection: &Guarded) -> (Guarded, Entries) {
        let over = self.tracer.variables_over(collection);
        let (term, key) = self.key_term(block, Type::Dynamic, (Domain::Open, over.clone()));
        let always = |v: Value| {
            let hops = Hops::one(format!("GenIter {}", block.name), Some(block.at.place()));
            Guarded::always(Part::Value(v), hops)
        };
        let value = self.tracer.open_element(&key, (collection, over), &|depends| {
            let name = &block.name;
            let why = format!(
                "the collection of the `dynamic` block {depends}, so what `{name}` stands for can't be listed."
            );
            let way = format!(
                "Choose by something outside of the iteration; or by `{name}.key`, from a map whose entries are written out."
            );
            Reason::new(Code::IterationDependent, why, Some(block.at.place())).fix(way, "")
        });
        let part = pair(always(key), always(value));
        let entries = Entries { term, keys: Vec::new(), exists: None };
        (Guarded::always(part, Hops::one("GenIter", Some(block.at.place()))), entries)
    }
}

pub(in crate::trace) fn pair(key: Guarded, value: Guarded) -> Part {
    Part::Object(Arc::new([("key".into(), key), ("value".into(), value)].into_iter().collect()))
}

/// The name that a `dynamic` block's content has for an entry.
pub fn iterator_name(block: &Block) -> Arc<str> {
    let named = block.body.attribute("iterator").and_then(|a| match &a.expr.kind {
        ExprKind::Variable(name) => Some(Arc::from(&**name)),
        _ => None,
    });
    named.or_else(|| block.labels.first().map(|l| l.text.clone())).unwrap_or_else(|| "each".into())
}

/// Keys and elements; nothing where they aren't known, or where the collection itself is sensitive. In a set, an element
/// is its own key.
pub(in crate::trace) fn elements(alt: &Alt) -> Option<Vec<(Value, Guarded)>> {
    let plain = |v: Value| Guarded::always(Part::Value(v), alt.hops.clone());
    match &alt.part {
        Part::Object(attrs) => Some(attrs.iter().map(|(k, v)| (Value::string(k), v.clone())).collect()),
        Part::Tuple(items) => {
            let numbered = (0u64..).zip(items.iter());
            Some(numbered.map(|(i, v)| (Value::number(i), v.clone())).collect())
        }
        Part::Value(v) if v.is_known() && !v.is_null() && v.marks.is_empty() => match v.ty {
            Type::Set(_) => {
                let known = v.is_wholly_known() && !v.marks_deep().is_secret();
                known.then(|| v.elements().map(|(_, e)| (e.clone(), plain(e.clone()))).collect())
            }
            Type::Map(_) | Type::Object(_) | Type::List(_) | Type::Tuple(_) => {
                Some(v.elements().map(|(k, e)| (k, plain(e.clone().with_marks(&v.marks)))).collect())
            }
            _ => None,
        },
        Part::Value(_) | Part::Failed(_) => None,
    }
}
