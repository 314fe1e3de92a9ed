//! Types: those that a Stack asks for where a root module says none.

use super::read::Root;
use crate::addr::{Mode, ModulePath, Referent, ResourceAddr};
use crate::config::literal::key_text;
use crate::config::{Module, types};
use crate::graph::uses_of;
use crate::syntax::{BinaryOp, Expr, ExprKind, ObjectItem, SplatStep, TemplatePart, TraversalStep, UnaryOp};
use crate::text::SourceId;
use crate::value::Type;
use std::sync::Arc;

/// How far an expression is followed.
const DEPTH: usize = 16;

/// The text of a type.
pub(super) fn text(ty: &Type) -> String {
    match ty {
        Type::Dynamic => "any".to_owned(),
        Type::String => "string".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::List(of) => format!("list({})", text(of)),
        Type::Set(of) => format!("set({})", text(of)),
        Type::Map(of) => format!("map({})", text(of)),
        Type::Tuple(all) => format!("tuple([{}])", all.iter().map(text).collect::<Vec<_>>().join(", ")),
        Type::Object(object) => {
            let one = |(name, ty): (&Arc<str>, &Type)| format!("{name} = {}", text(ty));
            format!("object({{ {} }})", object.attrs.iter().map(one).collect::<Vec<_>>().join(", "))
        }
    }
}

/// The type as one can be written: an object whose attributes have names that no type can have is a map, where they are alike.
pub(super) fn writable(ty: &Type) -> Option<Type> {
    Some(match ty {
        Type::Dynamic => return None,
        Type::String | Type::Number | Type::Bool => ty.clone(),
        Type::List(of) => Type::List(writable(of)?.into()),
        Type::Set(of) => Type::Set(writable(of)?.into()),
        Type::Map(of) => Type::Map(writable(of)?.into()),
        Type::Tuple(all) => Type::tuple(all.iter().map(writable).collect::<Option<Vec<_>>>()?),
        Type::Object(object) => {
            let all: Vec<(Arc<str>, Type)> = object
                .attrs
                .iter()
                .map(|(name, ty)| Some((name.clone(), writable(ty)?)))
                .collect::<Option<_>>()?;
            if all.iter().all(|(name, _)| is_name(name)) {
                Type::object(all)
            } else {
                let types: Vec<Type> = all.into_iter().map(|(_, ty)| ty).collect();
                Type::Map(common(&types)?.into())
            }
        }
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Returns true if a part of it is open.
pub(super) fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Dynamic => true,
        Type::String | Type::Number | Type::Bool => false,
        Type::List(of) | Type::Set(of) | Type::Map(of) => is_open(of),
        Type::Tuple(all) => all.iter().any(is_open),
        Type::Object(object) => object.attrs.values().any(is_open),
    }
}

/// One type for all: the one that they have, or that of all elements where there are more of them in one than in another.
pub(super) fn common(all: &[Type]) -> Option<Type> {
    let (first, rest) = all.split_first()?;
    if rest.iter().all(|ty| ty == first) {
        return Some(first.clone());
    }
    let mut elements = Vec::new();
    for ty in all {
        match ty {
            Type::Tuple(own) => elements.extend(own.iter().cloned()),
            Type::List(of) => elements.push((**of).clone()),
            _ => return None,
        }
    }
    let of = common(&elements)?;
    Some(Type::List(of.into()))
}

/// The type of an expression whose value comes with an apply, where its form says it; and whether that is only what attributes
/// of such a name usually have.
pub(super) fn of(root: &Root<'_>, expr: &Expr, file: SourceId) -> Option<(Type, bool)> {
    let module = root.config.root()?;
    let mut typing = Typing { root, presumed: false };
    let ty = typing.follow(&ModulePath::ROOT, module, (expr, file), DEPTH)?;
    Some((ty, typing.presumed))
}

struct Typing<'t, 'a> {
    root: &'t Root<'a>,
    presumed: bool,
}

impl Typing<'_, '_> {
    fn follow(
        &mut self,
        path: &ModulePath,
        module: &Module,
        (expr, file): (&Expr, SourceId),
        depth: usize,
    ) -> Option<Type> {
        let depth = depth.checked_sub(1)?;
        let mut inner = |expr: &Expr| self.follow(path, module, (expr, file), depth);
        match &expr.kind {
            ExprKind::Bool(_) | ExprKind::Unary(UnaryOp::Not, _) => Some(Type::Bool),
            ExprKind::Number(_) | ExprKind::Unary(..) => Some(Type::Number),
            ExprKind::String(_) => Some(Type::String),
            ExprKind::Template(template) => match template.parts.as_slice() {
                [TemplatePart::Interpolation(only, _)] => inner(only),
                _ => Some(Type::String),
            },
            ExprKind::Paren(of) => inner(of),
            ExprKind::Binary(op, ..) => Some(match op {
                BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo => Type::Number,
                _ => Type::Bool,
            }),
            ExprKind::Conditional(_, a, b) => inner(a).filter(|ty| inner(b).as_ref() == Some(ty)),
            ExprKind::Tuple(items) => items.iter().map(inner).collect::<Option<Vec<Type>>>().map(Type::tuple),
            ExprKind::Object(items) => {
                let one = |item: &ObjectItem| Some((key_text(&item.key)?, inner(&item.value)?));
                items.iter().map(one).collect::<Option<Vec<_>>>().map(Type::object)
            }
            ExprKind::Call(call) => of_function(&call.name.text),
            ExprKind::Splat(splat) => match splat.each.as_slice() {
                [SplatStep::Attr(name)] => {
                    let of = self.element(path, module, (&splat.source, file), &name.text, depth)?;
                    Some(Type::List(of.into()))
                }
                _ => None,
            },
            ExprKind::For(each) => {
                let ExprKind::GetAttr(base, name) = &each.result.kind else { return None };
                let ExprKind::Variable(bound) = &base.kind else { return None };
                if *bound != each.value.text || each.group {
                    return None;
                }
                let of = self.element(path, module, (&each.collection, file), &name.text, depth)?;
                Some(if each.result_key.is_some() { Type::Map(of.into()) } else { Type::List(of.into()) })
            }
            ExprKind::GetAttr(..) | ExprKind::Index(..) => self.named(path, module, (expr, file), depth),
            _ => None,
        }
    }

    /// The type of an attribute of each element of what is repeated: a resource or a module call.
    fn element(
        &mut self,
        path: &ModulePath,
        module: &Module,
        (collection, file): (&Expr, SourceId),
        name: &str,
        depth: usize,
    ) -> Option<Type> {
        let used =
            uses_of(collection, file).into_iter().find(|used| used.traversal.span == collection.span)?;
        match &used.referent {
            Referent::Call(call, None) if used.traversal.steps.len() == used.consumed => {
                self.output(path, call, name, depth)
            }
            Referent::Resource(addr) if used.traversal.steps.len() == used.consumed => {
                self.attribute(path, module, addr, name, depth)
            }
            _ => None,
        }
    }

    fn output(&mut self, path: &ModulePath, call: &Arc<str>, name: &str, depth: usize) -> Option<Type> {
        let path = path.child(call.clone());
        let child = self.root.config.at(&path)?;
        let value = child.outputs.get(name)?.value.as_ref()?;
        self.follow(&path, child, (&value.expr, value.file), depth)
    }

    fn attribute(
        &mut self,
        path: &ModulePath,
        module: &Module,
        addr: &ResourceAddr,
        name: &str,
        depth: usize,
    ) -> Option<Type> {
        match (&*addr.kind, name) {
            ("terraform_data", "output" | "input") => {
                let block = &module.resources.get(addr)?.decl.block;
                let input = block.body.attribute("input")?;
                self.follow(path, module, (&input.expr, block.file), depth)
            }
            ("terraform_data", "id") => Some(Type::String),
            (_, "id" | "arn") if addr.mode == Mode::Managed => {
                self.presumed = true;
                Some(Type::String)
            }
            _ => None,
        }
    }

    /// The type of what an address gives.
    fn named(
        &mut self,
        path: &ModulePath,
        module: &Module,
        (expr, file): (&Expr, SourceId),
        depth: usize,
    ) -> Option<Type> {
        let used = uses_of(expr, file).into_iter().find(|used| used.traversal.span == expr.span)?;
        let rest = used.traversal.steps.get(used.consumed..)?;
        match (&used.referent, rest) {
            (Referent::Variable(name), []) => {
                module.variables.get(name).map(|v| v.ty.clone()).filter(|ty| !is_open(ty))
            }
            (Referent::Local(name), []) => {
                let local = module.locals.get(name)?;
                self.follow(path, module, (&local.attr.expr, local.attr.file), depth)
            }
            (Referent::Output { call, name, .. }, []) => self.output(path, call, name, depth),
            (Referent::Resource(addr), [TraversalStep::Index(..), TraversalStep::Attr(attr)])
            | (Referent::Resource(addr), [TraversalStep::Attr(attr)]) => {
                self.attribute(path, module, addr, &attr.text, depth)
            }
            _ => None,
        }
    }
}

/// Functions that give one type whatever they are given.
fn of_function(name: &str) -> Option<Type> {
    match name {
        "tostring" | "format" | "join" | "upper" | "lower" | "title" | "trimspace" | "replace" | "substr"
        | "jsonencode" | "yamlencode" | "base64encode" | "base64decode" | "md5" | "sha1" | "sha256"
        | "sha512" | "trimprefix" | "trimsuffix" | "cidrsubnet" | "cidrhost" | "formatdate" | "basename"
        | "dirname" => Some(Type::String),
        "tonumber" | "length" | "ceil" | "floor" | "abs" | "parseint" => Some(Type::Number),
        "tobool" | "contains" | "can" | "startswith" | "endswith" => Some(Type::Bool),
        _ => None,
    }
}

/// The type constraint in a variable's block, unless a part of it is open.
pub(super) fn constraint(expr: &Expr) -> Option<Type> {
    types::constraint(expr).ok().map(|(ty, _)| ty).filter(|ty| !is_open(ty))
}
