//! Finds the argument that defines a field, from the field's address.

use super::reading::Reading;
use crate::addr::Target;
use crate::config::{In, Module};
use crate::syntax::{Attribute, Block, Body, Expr, ExprKind, ObjectKey};
use crate::text::{Place, SourceId};
use std::sync::Arc;

/// The definition of a field: an argument, and the path from its value to the field.
#[derive(Clone, Debug)]
pub struct FieldSite {
    /// The argument.
    pub attr: In<Attribute>,
    /// The block that declares the target.
    pub block: Place,
    /// Attribute names into the argument's value.
    pub rest: Vec<Arc<str>>,
    /// The way in which the argument is read.
    pub reading: Reading,
    /// The `dynamic` blocks in whose `content` it stands, from the outside in.
    pub dynamics: Vec<In<Block>>,
    /// True for the value of an output that is declared sensitive.
    pub sensitive: bool,
}

impl FieldSite {
    /// A field that is an expression with a value.
    pub fn new(attr: In<Attribute>, block: Place, rest: Vec<Arc<str>>) -> FieldSite {
        FieldSite { attr, block, rest, reading: Reading::Value, dynamics: Vec::new(), sensitive: false }
    }

    /// Returns the place of the field itself: the argument's value, or the part of a written object for it.
    pub fn place(&self) -> Place {
        self.attr.at(self.descended().0.span)
    }

    /// The field's own expression, where objects that are written out lead to it.
    pub fn own(&self) -> Option<&Expr> {
        let (expr, whole) = self.descended();
        whole.then_some(expr)
    }

    /// Follows the path through objects that are written out. The bool is true if that leads to its end.
    fn descended(&self) -> (&Expr, bool) {
        let mut expr = &self.attr.expr;
        for name in &self.rest {
            let ExprKind::Object(items) = &expr.kind else { return (expr, false) };
            let Some(item) = items.iter().rev().find(|item| item.key.is(name)) else { return (expr, false) };
            expr = &item.value;
        }
        (expr, true)
    }
}

/// The reason why a field has no expression of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoField {
    /// The target is not declared.
    NoTarget,
    /// The target doesn't set the field.
    NotSet,
}

/// A field's own path, and where it is defined.
pub type Located = (Vec<Arc<str>>, FieldSite);

/// Finds the arguments that define a field: one, or as many as there are nested blocks of its name. Then each has a path of
/// its own, with the block's index in it; a path with an index means that one.
///
/// # Errors
/// [`NoField`]
pub fn locate_all(module: &Module, target: &Target, path: &[Arc<str>]) -> Result<Vec<Located>, NoField> {
    if let Target::Resource(addr) = target
        && let Some((first, rest)) = path.split_first()
        && !matches!(&**first, "lifecycle" | "provider")
        && let Some(resource) = module.resources.get(addr)
        && resource.body.attribute(first).is_none()
    {
        let mut found = Nested { outer: resource.decl.block.place(), found: Vec::new() };
        let blocks: Vec<In<Block>> = resource.body.blocks.clone();
        found.named(&blocks, first, rest, &mut Vec::new(), &mut Vec::new());
        return if found.found.is_empty() { Err(NoField::NotSet) } else { Ok(found.found) };
    }
    locate(module, target, path).map(|site| vec![(path.to_vec(), site)])
}

/// Finds the one argument that defines a field, outside of nested blocks of a provider's schema.
///
/// # Errors
/// [`NoField`]
pub fn locate(module: &Module, target: &Target, path: &[Arc<str>]) -> Result<FieldSite, NoField> {
    let (first, rest) = path.split_first().ok_or(NoField::NotSet)?;
    let site = |attr: &In<Attribute>, block: Place| FieldSite::new(attr.clone(), block, rest.to_vec());
    let references = |attr: &Option<In<Attribute>>, block: Place| {
        let attr = attr.clone().filter(|_| rest.is_empty()).ok_or(NoField::NotSet)?;
        Ok(FieldSite { reading: Reading::References, ..FieldSite::new(attr, block, Vec::new()) })
    };
    match target {
        Target::Call(name) => {
            let call = module.call(name).ok_or(NoField::NoTarget)?;
            if &**first == "providers" {
                return references(&call.providers, call.decl.block.place());
            }
            if let ("lifecycle", Some("enabled")) = (&**first, rest.first().map(|name| &**name)) {
                let attr = call.enabled.clone().ok_or(NoField::NotSet)?;
                let rest = rest.iter().skip(1).cloned().collect();
                return Ok(FieldSite::new(attr, call.decl.block.place(), rest));
            }
            let own = [("source", &call.source), ("version", &call.version)];
            let own = own.into_iter().find(|(n, _)| *n == &**first).and_then(|(_, a)| a.as_ref());
            let attr = own.or_else(|| call.arg(first)).ok_or(NoField::NotSet)?;
            Ok(site(attr, call.decl.block.place()))
        }
        Target::Output(name) => {
            let output = module.outputs.get(name).ok_or(NoField::NoTarget)?;
            let attr = output.value.as_ref().filter(|_| &**first == "value").ok_or(NoField::NotSet)?;
            Ok(FieldSite { sensitive: output.sensitive, ..site(attr, output.decl.block.place()) })
        }
        Target::Local(name) => {
            let local = module.locals.get(name).ok_or(NoField::NoTarget)?;
            let place = local.attr.place();
            Ok(FieldSite::new(local.attr.clone(), place, path.to_vec()))
        }
        Target::Variable(name) => {
            let variable = module.variables.get(name).ok_or(NoField::NoTarget)?;
            let attr = variable.default.as_ref().ok_or(NoField::NotSet)?;
            Ok(site(attr, variable.decl.block.place()))
        }
        Target::Provider(_) | Target::Block(_) => Err(NoField::NoTarget),
        Target::Resource(addr) => {
            let resource = module.resources.get(addr).ok_or(NoField::NoTarget)?;
            let block = resource.decl.block.place();
            let lifecycle = &resource.lifecycle;
            if &**first == "lifecycle" {
                let known = [
                    ("prevent_destroy", &lifecycle.prevent_destroy),
                    ("create_before_destroy", &lifecycle.create_before_destroy),
                    ("ignore_changes", &lifecycle.ignore_changes),
                    ("enabled", &lifecycle.enabled),
                ];
                let name = rest.first().ok_or(NoField::NotSet)?;
                let attr = known.into_iter().find(|(n, _)| *n == &**name).and_then(|(_, a)| a.as_ref());
                let attr = attr.cloned().ok_or(NoField::NotSet)?;
                let reading = if **name == *"ignore_changes" { Reading::References } else { Reading::Value };
                let rest = rest.iter().skip(1).cloned().collect();
                return Ok(FieldSite { reading, ..FieldSite::new(attr, block, rest) });
            }
            if &**first == "provider" {
                return references(&resource.provider, block);
            }
            if let Some(attr) = resource.body.attribute(first) {
                return if lacks(&attr.expr, rest) { Err(NoField::NotSet) } else { Ok(site(attr, block)) };
            }
            Err(NoField::NotSet)
        }
    }
}

/// Returns true if an object is written out whole and has no such attribute: a field that is not set, as an argument
/// would be.
fn lacks(expr: &Expr, path: &[Arc<str>]) -> bool {
    let (ExprKind::Object(items), Some((name, rest))) = (&expr.kind, path.split_first()) else {
        return false;
    };
    let mut own = None;
    for item in items {
        match &item.key {
            ObjectKey::Name(key) if *key.text == **name => own = Some(&item.value),
            ObjectKey::Name(_) => {}
            ObjectKey::Expr(key) => match &key.kind {
                ExprKind::String(text) if **text == **name => own = Some(&item.value),
                ExprKind::String(_) => {}
                _ => return false,
            },
        }
    }
    own.is_none_or(|value| lacks(value, rest))
}

/// Fields inside nested blocks.
struct Nested {
    outer: Place,
    found: Vec<Located>,
}

impl Nested {
    /// Finds what `path` names in the blocks of a kind. `at` is the path to them, `dynamics` the `dynamic` blocks
    /// around.
    fn named(
        &mut self,
        blocks: &[In<Block>],
        kind: &Arc<str>,
        path: &[Arc<str>],
        at: &mut Vec<Arc<str>>,
        dynamics: &mut Vec<In<Block>>,
    ) {
        let same: Vec<&In<Block>> = blocks.iter().filter(|b| makes(b).is_some_and(|k| k == kind)).collect();
        let asked = path.first().and_then(|n| n.parse::<usize>().ok());
        let path = if asked.is_some() { path.get(1..).unwrap_or_default() } else { path };
        let Some((name, rest)) = path.split_first() else { return };
        let depth = (at.len(), dynamics.len());
        for (index, block) in same.iter().enumerate().filter(|(i, _)| asked.is_none_or(|a| a == *i)) {
            at.push(kind.clone());
            if same.len() > 1 {
                at.push(index.to_string().into());
            }
            if let Some(body) = inside(block, dynamics) {
                at.push(name.clone());
                if let Some(attr) = body.attribute(name).filter(|a| !lacks(&a.expr, rest)) {
                    let attr = In { file: block.file, node: attr.clone() };
                    let site = FieldSite {
                        dynamics: dynamics.clone(),
                        ..FieldSite::new(attr, self.outer, rest.to_vec())
                    };
                    self.found.push((at.iter().chain(rest).cloned().collect(), site));
                }
                at.pop();
                let inner = blocks_in(body, block.file);
                self.named(&inner, name, rest, at, dynamics);
            }
            at.truncate(depth.0);
            dynamics.truncate(depth.1);
        }
    }
}

/// The kind of nested block that a block is, or makes.
pub fn makes(block: &Block) -> Option<&Arc<str>> {
    match &*block.kind.text {
        "dynamic" => block.labels.first().map(|l| &l.text),
        _ => Some(&block.kind.text),
    }
}

/// Returns the body with a nested block's arguments: its own, or the `content` of a `dynamic` block, which is added
/// to those around.
pub fn inside<'b>(block: &'b In<Block>, dynamics: &mut Vec<In<Block>>) -> Option<&'b Body> {
    if &*block.kind.text != "dynamic" {
        return Some(&block.body);
    }
    dynamics.push(block.clone());
    block.body.blocks_of("content").next().map(|content| &content.body)
}

/// The blocks of a body.
pub fn blocks_in(body: &Body, file: SourceId) -> Vec<In<Block>> {
    body.blocks().map(|b| In { file, node: b.clone() }).collect()
}
