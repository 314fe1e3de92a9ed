//! Where fields are defined: from an address to the argument that gives the value.

use super::reading::Reading;
use crate::addr::Target;
use crate::config::{In, Module};
use crate::syntax::{Attribute, Block, Expr, ExprKind, ObjectKey};
use crate::text::Place;
use std::sync::Arc;

/// Where a field is defined: an argument, and what has to be taken out of its value.
#[derive(Clone, Debug)]
pub struct FieldSite {
    /// The argument.
    pub attr: In<Attribute>,
    /// The block that declares the target.
    pub block: Place,
    /// Attribute names into the argument's value.
    pub rest: Vec<Arc<str>>,
    /// How the argument is read.
    pub reading: Reading,
}

impl FieldSite {
    /// A field that is an expression with a value.
    pub fn new(attr: In<Attribute>, block: Place, rest: Vec<Arc<str>>) -> FieldSite {
        FieldSite { attr, block, rest, reading: Reading::Value }
    }
}

/// Why a field has no expression of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoField {
    /// The target is not declared.
    NoTarget,
    /// The target doesn't set the field.
    NotSet,
    /// Several nested blocks or a `dynamic` block could set it.
    Ambiguous(Place),
}

/// Finds a field's defining argument in a module.
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
            let call = module.calls.get(name).ok_or(NoField::NoTarget)?;
            if &**first == "providers" {
                return references(&call.providers, call.decl.block.place());
            }
            let own = [("source", &call.source), ("version", &call.version)];
            let own = own.into_iter().find(|(n, _)| *n == &**first).and_then(|(_, a)| a.as_ref());
            let attr = own.or_else(|| call.arg(first)).ok_or(NoField::NotSet)?;
            Ok(site(attr, call.decl.block.place()))
        }
        Target::Output(name) => {
            let output = module.outputs.get(name).ok_or(NoField::NoTarget)?;
            let attr = output.value.as_ref().filter(|_| &**first == "value").ok_or(NoField::NotSet)?;
            Ok(site(attr, output.decl.block.place()))
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
        Target::Provider(_) => Err(NoField::NoTarget),
        Target::Resource(addr) => {
            let resource = module.resources.get(addr).ok_or(NoField::NoTarget)?;
            let block = resource.decl.block.place();
            let lifecycle = &resource.lifecycle;
            if &**first == "lifecycle" {
                let known = [
                    ("prevent_destroy", &lifecycle.prevent_destroy),
                    ("create_before_destroy", &lifecycle.create_before_destroy),
                    ("ignore_changes", &lifecycle.ignore_changes),
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
            if let Some(dynamic) = resource.body.dynamic_of(first).next() {
                return Err(NoField::Ambiguous(dynamic.header()));
            }
            nested(&resource.body.blocks_of(first).cloned().collect::<Vec<_>>(), rest, block)
        }
    }
}

/// Whether an object is written out whole and has no such attribute: a field that is not set, as an argument would be.
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

/// A field inside nested blocks.
fn nested(blocks: &[In<Block>], path: &[Arc<str>], outer: Place) -> Result<FieldSite, NoField> {
    let (name, rest) = path.split_first().ok_or(NoField::NotSet)?;
    let [block] = blocks else {
        return Err(blocks.get(1).map_or(NoField::NotSet, |b| NoField::Ambiguous(b.header())));
    };
    if let Some(attr) = block.body.attribute(name) {
        let attr = In { file: block.file, node: attr.clone() };
        return Ok(FieldSite::new(attr, outer, rest.to_vec()));
    }
    let inner: Vec<In<Block>> =
        block.body.blocks_of(name).map(|b| In { file: block.file, node: b.clone() }).collect();
    nested(&inner, rest, outer)
}
