//! The types of expressions, as far as they follow from the text.

use super::named::{By, Folder, Named};
use crate::syntax::{BinaryOp, Call, Expr, ExprKind, ObjectKey, TemplatePart, UnaryOp};
use crate::text::SourceId;
use crate::value::Type;
use crate::value::unify::unify;
use std::sync::Arc;

/// What is known of a value's type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It is the null of no type.
    Null,
    /// Its type.
    Of(Type),
}

const TEXT: [&str; 20] = [
    "base64encode",
    "chomp",
    "format",
    "indent",
    "join",
    "jsonencode",
    "lower",
    "md5",
    "replace",
    "sha1",
    "sha256",
    "substr",
    "title",
    "tostring",
    "trim",
    "trimprefix",
    "trimspace",
    "trimsuffix",
    "upper",
    "yamlencode",
];

impl Folder<'_> {
    /// Returns the type of an expression if it follows from the text.
    pub(super) fn kind(&self, expr: &Expr, file: SourceId) -> Option<Kind> {
        self.spend()?;
        let of = |ty: Type| Some(Kind::Of(ty));
        if self.any_absent
            && let Some(value) = self.constant_value(expr, file, &mut By::default())
        {
            return Some(if value.ty == Type::Dynamic { Kind::Null } else { Kind::Of(value.ty) });
        }
        match &expr.kind {
            ExprKind::Null => Some(Kind::Null),
            ExprKind::Bool(_) => of(Type::Bool),
            ExprKind::Number(_) => of(Type::Number),
            ExprKind::String(_) => of(Type::String),
            // One interpolation alone has the type of what stands in it.
            ExprKind::Template(template) => match template.parts.as_slice() {
                [TemplatePart::Interpolation(inner, _)] => self.kind(inner, file),
                _ => of(Type::String),
            },
            ExprKind::Paren(inner) => self.kind(inner, file),
            ExprKind::Unary(UnaryOp::Not, _) => of(Type::Bool),
            ExprKind::Unary(..) => of(Type::Number),
            ExprKind::Binary(op, ..) => of(match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo => Type::Number,
                _ => Type::Bool,
            }),
            ExprKind::Conditional(_, yes, no) => match (self.kind(yes, file)?, self.kind(no, file)?) {
                (Kind::Null, other) | (other, Kind::Null) => Some(other),
                (Kind::Of(yes), Kind::Of(no)) => {
                    let unified = unify(&[yes, no], true)?;
                    (!unified.open).then_some(Kind::Of(unified.ty))
                }
            },
            ExprKind::Tuple(items) => {
                let all: Option<Vec<Type>> = items.iter().map(|item| self.ty(item, file)).collect();
                of(Type::tuple(all?))
            }
            ExprKind::Object(items) => {
                let mut attrs: Vec<(Arc<str>, Type)> = Vec::new();
                for item in items {
                    let key = match &item.key {
                        ObjectKey::Name(name) => name.text.clone(),
                        ObjectKey::Expr(key) => match &key.kind {
                            ExprKind::String(text) => text.clone(),
                            _ => return None,
                        },
                    };
                    attrs.push((key, self.ty(&item.value, file)?));
                }
                of(Type::object(attrs))
            }
            ExprKind::Call(call) => self.returned(call, file).map(Kind::Of),
            ExprKind::Index(base, _) => match self.ty(base, file)? {
                Type::List(element) | Type::Map(element) => of((*element).clone()),
                _ => None,
            },
            ExprKind::GetAttr(base, name) => match self.name_of(expr, file) {
                Some(named) => self.kind_of_name(named),
                None if matches!(base.kind, ExprKind::Variable(_)) => None,
                None => match self.ty(base, file)? {
                    Type::Map(element) => of((*element).clone()),
                    ty => of(ty.attr(&name.text)?.clone()),
                },
            },
            _ => None,
        }
    }

    /// Returns the same, and nothing for the null of no type.
    pub(super) fn ty(&self, expr: &Expr, file: SourceId) -> Option<Type> {
        match self.kind(expr, file)? {
            Kind::Of(ty) => Some(ty),
            Kind::Null => None,
        }
    }

    fn kind_of_name(&self, named: &Named<'_>) -> Option<Kind> {
        match named {
            Named::Value(value) => Some(Kind::Of(value.ty.clone())),
            Named::Typed(ty) => (!ty.has_dynamic()).then(|| Kind::Of(ty.clone())),
            Named::Local(local) => self.kind(&local.attr.expr, local.attr.file),
            Named::Absent(_, true) => Some(Kind::Of(Type::object::<Arc<str>>([]))),
            Named::Absent(_, false) => Some(Kind::Of(Type::tuple([]))),
        }
    }

    fn returned(&self, call: &Call, file: SourceId) -> Option<Type> {
        let name = &*call.name.text;
        if TEXT.contains(&name) {
            return Some(Type::String);
        }
        match name {
            "length" | "tonumber" | "abs" | "ceil" | "floor" => return Some(Type::Number),
            "tobool" | "can" | "contains" | "startswith" | "endswith" => return Some(Type::Bool),
            "split" => return Some(Type::list(Type::String)),
            _ => {}
        }
        let ([only], false) = (call.args.as_slice(), call.expand_final) else { return None };
        let given = self.ty(only, file)?;
        let element = element_of(&given)?;
        match name {
            "tolist" if given.as_object().is_none() => Some(Type::list(element)),
            "toset" if given.as_object().is_none() => Some(Type::set(element)),
            "tomap" if given.as_object().is_some() || matches!(given, Type::Map(_)) => {
                Some(Type::map(element))
            }
            _ => None,
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
