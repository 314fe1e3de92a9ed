//! The types of expressions, as Terraform finds them where all that a module doesn't say is unknown.

use super::named::{Folder, Named, is_prefix};
use crate::eval::concrete::Resolve;
use crate::eval::standalone::{closed_type, eval_with};
use crate::eval::{At, Bindings, Outcome, Step};
use crate::syntax::{Expr, walk};
use crate::text::SourceId;
use crate::value::unify::unify;
use crate::value::{Type, Value};

/// How many locals may lie within one another.
const DEPTH: usize = 64;

/// What is known of a value's type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It is the null of no type.
    Null,
    /// Its type.
    Of(Type),
}

/// The names of a module, and how many locals lie around.
struct Names<'f, 'm> {
    folder: &'f Folder<'m>,
    depth: usize,
}

impl Resolve for Names<'_, '_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Outcome, usize) {
        let used = if is_prefix(root) { 2 } else { 1 };
        let named = self.folder.named.get(&(at.file, at.span.start)).filter(|_| used <= steps.len());
        let value = match named {
            Some(Named::Value(value)) => Ok(value.clone().unmark_deep().0),
            Some(Named::Typed(ty)) => Ok(Value::unknown(ty.clone())),
            Some(Named::Local(local)) => {
                self.folder.evaluated(&local.attr.expr, local.attr.file, self.depth + 1)
            }
            Some(Named::Absent(_, true)) => Ok(Value::object::<&str>([])),
            Some(Named::Absent(_, false)) => Ok(Value::tuple(Vec::new())),
            None => return (Ok(Value::dynamic()), steps.len()),
        };
        (value, used)
    }
}

impl Folder<'_> {
    /// Returns the type of an expression if it follows from the text.
    pub(super) fn kind(&self, expr: &Expr, file: SourceId) -> Option<Kind> {
        let outcome = self.evaluated(expr, file, 0);
        // The null beside a call that may yet fail has a type, which isn't known.
        if outcome
            .as_ref()
            .is_ok_and(|value| value.is_null() && value.ty == Type::Dynamic && !value.is_untyped())
        {
            return Some(Kind::Null);
        }
        closed_type(&outcome).map(Kind::Of)
    }

    /// Returns the value of an expression as far as it is known; an unknown one where that is too much to look at.
    pub(super) fn evaluated(&self, expr: &Expr, file: SourceId, depth: usize) -> Outcome {
        let mut enough = depth <= DEPTH;
        walk::walk(expr, &mut |_| {
            enough &= self.spend().is_some();
            enough
        });
        match enough {
            true => eval_with(expr, file, Names { folder: self, depth }, &Bindings::default()),
            false => Ok(Value::dynamic()),
        }
    }
}

/// Returns the type that the elements of a collection have once they have one.
pub(super) fn element_of(ty: &Type) -> Option<Type> {
    let all: Vec<Type> = match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => return Some((**element).clone()),
        Type::Tuple(all) => all.to_vec(),
        Type::Object(object) => object.attrs.iter().map(|(_, ty)| ty.clone()).collect(),
        _ => return None,
    };
    unify(&all, true).filter(|unified| !unified.open).map(|unified| unified.ty)
}
