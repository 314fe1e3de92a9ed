//! Values that stand in for what a copy's text names, the same for the text that was there and for the one that takes its place.
//!
//! A variable has a made-up value of its type, any other name a text of its own; a split unit is an object with every attribute that
//! the module names, and of its copies one has it. Where a made-up value is none for an operation, an unknown one takes its place.

use super::named::{Facts, is_prefix};
use crate::addr::Referent;
use crate::config::Module;
use crate::eval::concrete::Resolve;
use crate::eval::standalone::eval_with;
use crate::eval::{At, Bindings, EvalError, Outcome, Step};
use crate::graph;
use crate::specialise::unit::UnitName;
use crate::specialise::unit::join::Shape;
use crate::syntax::{ExprKind, Ident, SplatStep, Traversal, TraversalStep, parse_expr, walk};
use crate::text::SourceId;
use crate::value::{Type, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many locals may lie within one another.
const DEPTH: usize = 16;

/// What is known of a copy beside the facts that its text was made from.
pub struct Reread<'a> {
    /// The facts.
    pub facts: &'a Facts<'a>,
    /// The value of `path.module` where the copy stands in a folder of its own.
    pub dir: Option<Value>,
    /// The texts of the locals that hold values.
    pub locals: &'a BTreeMap<String, String>,
    /// The units that have become several here.
    pub joined: BTreeMap<UnitName, Joined>,
}

/// What a unit has become.
pub struct Joined {
    /// The names of the copies.
    pub copies: Vec<UnitName>,
    /// Its type in expressions.
    pub shape: Shape,
}

/// The values of names.
#[derive(Clone, Copy)]
pub(super) struct Names<'c> {
    /// What is known of the copy.
    pub copy: &'c Reread<'c>,
    /// True in a text that was written.
    pub is_new: bool,
    /// True if what isn't known is a made-up value, false if it is unknown.
    pub made_up: bool,
    /// Of split units, the copy with this index has the instances, or else the last one.
    pub active: usize,
    /// The names of attributes in the module.
    pub attributes: &'c BTreeSet<Arc<str>>,
    /// How many locals lie around.
    pub depth: usize,
}

impl Names<'_> {
    /// Returns a value of a type for a name.
    fn stand_in(&self, name: &str, ty: &Type) -> Value {
        match self.made_up {
            true => made_up(name, ty),
            false => Value::unknown(ty.clone()),
        }
    }

    fn local(&self, name: &str) -> Option<Outcome> {
        let inner = Names { depth: self.depth + 1, ..*self };
        if let Some(text) = self.copy.locals.get(name).filter(|_| self.is_new) {
            return Some(eval_with(&parse_expr(text).ok()?, SourceId(0), inner, &Bindings::default()));
        }
        let local = self.copy.facts.module.locals.get(name).filter(|local| !local.decl.json)?;
        // As it was written: its own text is read back where it stands.
        let old = Names { is_new: false, ..inner };
        (self.depth < DEPTH).then(|| eval_with(&local.attr.expr, local.attr.file, old, &Bindings::default()))
    }
}

impl Resolve for Names<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let facts = self.copy.facts;
        let first = match steps.first() {
            Some(Step::Attr(name)) => &*name.text,
            _ => "",
        };
        let known = match root {
            "var" => match ((facts.value)(first), facts.module.variables.get(first)) {
                (Some(_), _) if self.is_new => {
                    Some(Err(EvalError::new("The variable has gone from this copy.")))
                }
                (Some(value), _) => Some(Ok(value.unmark_deep().0)),
                (None, Some(variable)) if !variable.ty.has_dynamic() => {
                    Some(Ok(self.stand_in(first, &variable.ty.without_optional())))
                }
                _ => None,
            },
            "local" => self.local(first),
            "path" if first == "module" => self.copy.dir.clone().map(Ok),
            _ => None,
        };
        if let Some(outcome) = known {
            return (outcome, 1);
        }
        if let Some((unit, used)) = unit_at(root, steps) {
            if let Some(each) = facts.absent.get(&unit) {
                let none = if each { Value::object::<&str>([]) } else { Value::tuple(Vec::new()) };
                return (Ok(none), used);
            }
            if let Some(outcome) = self.joined(&unit) {
                return (outcome, used);
            }
        }
        let mut name = root.to_owned();
        for step in steps {
            match step {
                Step::Attr(attr) => name.push_str(&format!(".{}", attr.text)),
                Step::Index(_) | Step::Legacy(_) => name.push_str("[]"),
            }
        }
        (Ok(self.stand_in(&name, &if self.made_up { Type::String } else { Type::Dynamic })), steps.len())
    }
}

impl Names<'_> {
    /// Returns the value of a split unit, or of one of its copies.
    fn joined(&self, unit: &UnitName) -> Option<Outcome> {
        if let Some(joined) = self.copy.joined.get(unit) {
            let gone = || EvalError::new("The unit has become several.");
            return Some(if self.is_new { Err(gone()) } else { Ok(self.instances(unit, joined.shape)) });
        }
        if !self.is_new {
            return None;
        }
        let of = |joined: &Joined| joined.copies.iter().position(|copy| copy == unit);
        let (original, joined, at) =
            self.copy.joined.iter().find_map(|(original, joined)| Some((original, joined, of(joined)?)))?;
        let is_active = at == self.active.min(joined.copies.len().saturating_sub(1));
        let value = match joined.shape {
            Shape::Single if is_active => Value::tuple(vec![self.instances(original, Shape::Single)]),
            shape if is_active => self.instances(original, shape),
            Shape::Map => Value::object::<&str>([]),
            _ => Value::tuple(Vec::new()),
        };
        Some(Ok(value))
    }

    /// Returns the instances of a unit, each with every attribute that the module names anywhere.
    fn instances(&self, unit: &UnitName, shape: Shape) -> Value {
        let one = |key: &str| {
            let name = |attribute: &str| format!("{unit}{key}.{attribute}");
            match self.made_up {
                true => {
                    let all = self.attributes.iter();
                    Value::object(all.map(|own| (own.clone(), made_up(&name(own), &Type::String))))
                }
                false => Value::dynamic(),
            }
        };
        match shape {
            Shape::Single => one(""),
            Shape::List => Value::tuple(vec![one("[0]"), one("[1]")]),
            Shape::Map => Value::object([("key", one("[key]")), ("other", one("[other]"))]),
        }
    }
}

/// Returns the unit that a name begins with, and how many steps name it.
fn unit_at(root: &str, steps: &[Step<'_>]) -> Option<(UnitName, usize)> {
    let used = if is_prefix(root) { 2 } else { 1 };
    let names = steps.iter().take(used).map(|step| match step {
        Step::Attr(name) => Some((*name).clone()),
        _ => None,
    });
    let names: Vec<_> = names.collect::<Option<_>>()?;
    let last = names.last()?;
    let root = Ident { text: Arc::from(root), span: last.span };
    let steps = names.into_iter().map(TraversalStep::Attr).collect();
    let named = graph::reference(&Traversal { span: root.span, root, steps })?.referent;
    match &named {
        Referent::Variable(_) | Referent::Local(_) => None,
        named => Some((UnitName::of(named)?, used)),
    }
}

/// Returns the names of attributes in a module's expressions.
pub(super) fn attributes_of(module: &Module) -> BTreeSet<Arc<str>> {
    let mut out = BTreeSet::new();
    for entry in module.files.iter().filter(|entry| !entry.json) {
        walk::walk_body(&entry.body, &mut |_, attr| {
            walk::walk(&attr.expr, &mut |e| {
                match &e.kind {
                    ExprKind::GetAttr(_, name) => drop(out.insert(name.text.clone())),
                    ExprKind::String(text) => drop(out.insert(Arc::from(&**text))),
                    ExprKind::Splat(splat) => out.extend(splat.each.iter().filter_map(|step| match step {
                        SplatStep::Attr(name) => Some(name.text.clone()),
                        _ => None,
                    })),
                    _ => {}
                }
                true
            });
        });
    }
    out
}

/// Returns a value that no text spells by chance.
fn made_up(name: &str, ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::bool(true),
        Type::Number => Value::number(7),
        Type::List(of) => Value::list((**of).clone(), vec![made_up(name, of)]),
        Type::Set(of) => Value::set((**of).clone(), vec![made_up(name, of)]),
        Type::Map(of) => Value::map((**of).clone(), [("key", made_up(name, of))]),
        Type::Tuple(all) => Value::tuple(all.iter().map(|ty| made_up(name, ty)).collect()),
        Type::Object(object) => {
            Value::object(object.attrs.iter().map(|(own, ty)| (own.clone(), made_up(own, ty))))
        }
        Type::String | Type::Dynamic => Value::string(format!("<{name}>")),
    }
}
