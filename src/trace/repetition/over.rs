//! The collection of a `for_each`: a set, a map or an object.
//!
//! Terraform takes nothing else there. A value may have no type before apply; then the form of its expression shows the kind,
//! through locals, outputs and declarations.

use crate::addr::{ModulePath, Referent, Target};
use crate::config::{Config, In};
use crate::func::{self, Kind};
use crate::graph;
use crate::syntax::{Attribute, Expr, ExprKind};
use crate::text::SourceId;
use crate::trace::{Guarded, Part, Repetition, Tracer};
use crate::value::Type;

/// The number of names followed from one to the next.
const DEPTH: usize = 16;

impl Tracer<'_> {
    /// Returns true if a declaration's `for_each` iterates over a set; `None` if its type isn't known.
    pub fn over_set(&mut self, path: &ModulePath, target: &Target) -> Option<bool> {
        let config = self.inputs.config;
        let repetition = Repetition::of(config.at(path)?, target);
        let instance = self.instance_at(path)?;
        let for_each = repetition.for_each?;
        if let Some(written) = (Form { config, left: DEPTH }).of_argument(path, &for_each) {
            return Some(written);
        }
        let mut frame = self.frame(instance);
        kind_of(&frame.argument(&for_each))
    }
}

/// Returns true if all alternatives are sets, false if none is.
fn kind_of(value: &Guarded) -> Option<bool> {
    let usable = value.alts().iter().filter(|a| !matches!(a.part, Part::Failed(_)));
    let mut kinds = usable.map(|a| match &a.part {
        Part::Object(_) => Some(false),
        Part::Value(v) => of_type(&v.ty),
        Part::Tuple(_) | Part::Failed(_) => None,
    });
    let first = kinds.next()??;
    kinds.all(|k| k == Some(first)).then_some(first)
}

fn of_type(ty: &Type) -> Option<bool> {
    match ty {
        Type::Set(_) => Some(true),
        Type::Map(_) | Type::Object(_) => Some(false),
        _ => None,
    }
}

/// The kind of a collection by the form of an expression.
#[derive(Clone, Copy)]
struct Form<'a> {
    config: &'a Config,
    left: usize,
}

impl Form<'_> {
    fn of_argument(self, path: &ModulePath, attr: &In<Attribute>) -> Option<bool> {
        let left = self.left.checked_sub(1)?;
        Form { left, ..self }.of(path, attr.file, &attr.expr)
    }

    fn of(self, path: &ModulePath, file: SourceId, expr: &Expr) -> Option<bool> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.of(path, file, inner),
            ExprKind::Object(_) => Some(false),
            ExprKind::For(each) => each.result_key.as_ref().map(|_| false),
            // Both arms are of one kind, or it is an error.
            ExprKind::Conditional(_, yes, no) => self.of(path, file, yes).or_else(|| self.of(path, file, no)),
            ExprKind::Call(call) => Some(func::lookup(&call.name.text)?.gives? == Kind::Set),
            ExprKind::Variable(_) | ExprKind::GetAttr(..) => self.of_name(path, file, expr),
            _ => None,
        }
    }

    /// Returns the kind of what a name by itself stands for.
    fn of_name(self, path: &ModulePath, file: SourceId, expr: &Expr) -> Option<bool> {
        let uses = graph::uses_of(expr, file);
        let [used] = uses.as_slice() else { return None };
        if used.traversal.span != expr.span || used.consumed != used.traversal.steps.len() {
            return None;
        }
        let module = self.config.at(path)?;
        match &used.referent {
            Referent::Local(name) => self.of_argument(path, &module.locals.get(name)?.attr),
            Referent::Output { call, key: None, name } => {
                let within = path.child(call.clone());
                let output = self.config.at(&within)?.outputs.get(name)?;
                // That of a call that is repeated is a list of instances, or an object of these.
                let repeated =
                    module.calls.get(call)?.count.is_some() || module.calls.get(call)?.for_each.is_some();
                if repeated { None } else { self.of_argument(&within, output.value.as_ref()?) }
            }
            Referent::Resource(addr) => module.resources.get(addr)?.for_each.as_ref().map(|_| false),
            Referent::Call(name, None) => module.calls.get(name)?.for_each.as_ref().map(|_| false),
            _ => None,
        }
    }
}
