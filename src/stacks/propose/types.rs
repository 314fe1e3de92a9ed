//! Types: those that a Stack asks for where a root module says none.

use super::read::Root;
use crate::addr::{self, Mode, ModulePath, Reference, Referent, Target};
use crate::config::literal::key_text;
use crate::config::{Config, types};
use crate::eval::concrete::Resolve;
use crate::eval::standalone::{closed_type, eval_with};
use crate::eval::{At, Bindings, Outcome, Step};
use crate::syntax::{Expr, ExprKind, ObjectItem};
use crate::text::SourceId;
use crate::trace::{Repetition, name_step};
use crate::value::{Type, Value};
use std::sync::Arc;

/// How many names are followed, one within another.
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

/// The type of an expression whose value comes with an apply, where the configuration says it; and whether that is only what
/// attributes of such a name usually have.
pub(super) fn of(root: &Root<'_>, expr: &Expr, file: SourceId) -> Option<(Type, bool)> {
    let at = |presumes| {
        let names = Names { config: root.config, path: ModulePath::ROOT, presumes, depth: 0 };
        names.of(expr, file, &Bindings::default())
    };
    at(false).map(|ty| (ty, false)).or_else(|| Some((at(true)?, true)))
}

/// What the names in a module stand for, as far as the configuration tells: unknown values of the types that they have.
#[derive(Clone)]
struct Names<'c> {
    config: &'c Config,
    path: ModulePath,
    /// True if attributes of resources have the types that they have nearly everywhere.
    presumes: bool,
    /// How many names lie around.
    depth: usize,
}

impl Resolve for Names<'_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let all: Vec<addr::Step<'_>> = steps.iter().map(name_step).collect();
        let Ok(reference) = Reference::parse(root, &all) else { return (Ok(Value::dynamic()), steps.len()) };
        let ty = (self.depth < DEPTH).then(|| self.named(&reference.referent)).flatten();
        (Ok(Value::unknown(ty.unwrap_or(Type::Dynamic))), reference.consumed)
    }
}

impl Names<'_> {
    /// The type of an expression. A `for` over a collection whose length isn't known gives one of its own kind.
    fn of(&self, expr: &Expr, file: SourceId, names: &Bindings<Outcome>) -> Option<Type> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.of(inner, file, names),
            ExprKind::Tuple(items) => items
                .iter()
                .map(|item| self.of(item, file, names))
                .collect::<Option<Vec<_>>>()
                .map(Type::tuple),
            ExprKind::Object(items) => {
                let one = |i: &ObjectItem| Some((key_text(&i.key)?, self.of(&i.value, file, names)?));
                items.iter().map(one).collect::<Option<Vec<_>>>().map(Type::object)
            }
            ExprKind::For(each) if !each.group => {
                let over = eval_with(&each.collection, file, self.clone(), names).ok()?;
                let element = Value::unknown(over.ty.element()?.clone());
                let result =
                    self.of(&each.result, file, &names.with(each.value.text.clone(), Ok(element)))?;
                Some(if each.result_key.is_some() { Type::map(result) } else { Type::list(result) })
            }
            _ => closed_type(&eval_with(expr, file, self.clone(), names)),
        }
    }

    fn named(&self, referent: &Referent) -> Option<Type> {
        let module = self.config.at(&self.path)?;
        match referent {
            Referent::Variable(name) => module.variables.get(name).map(|v| v.ty.without_optional()),
            Referent::Local(name) => {
                let local = module.locals.get(name)?;
                self.further(self.path.clone(), &local.attr.expr, local.attr.file)
            }
            Referent::Output { call, name, .. } => self.output(call, name),
            Referent::Call(call, key) => {
                let outputs = self.config.at(&self.path.child(call.clone()))?.outputs.keys();
                let one = |name: &Arc<str>| (name.clone(), self.output(call, name).unwrap_or(Type::Dynamic));
                let repetition = Repetition::of(module, &Target::Call(call.clone().into()));
                let whole = Type::object(outputs.map(one));
                Some(if key.is_some() { whole } else { each(whole, &repetition) })
            }
            Referent::Resource(addr) => {
                let block = &module.resources.get(addr)?.decl.block;
                let whole = match &*addr.kind {
                    "terraform_data" => {
                        let input = block.body.attribute("input");
                        let input = input.and_then(|i| self.further(self.path.clone(), &i.expr, block.file));
                        let input = input.unwrap_or(Type::Dynamic);
                        Type::object([("id", Type::String), ("input", input.clone()), ("output", input)])
                    }
                    _ if self.presumes && addr.mode == Mode::Managed => {
                        Type::object([("id", Type::String), ("arn", Type::String)])
                    }
                    _ => Type::Dynamic,
                };
                Some(each(whole, &Repetition::of(module, &Target::Resource(addr.clone()))))
            }
            _ => None,
        }
    }

    fn output(&self, call: &Arc<str>, name: &str) -> Option<Type> {
        let path = self.path.child(call.clone());
        let value = self.config.at(&path)?.outputs.get(name)?.value.as_ref()?;
        self.further(path, &value.expr, value.file)
    }

    fn further(&self, path: ModulePath, expr: &Expr, file: SourceId) -> Option<Type> {
        Names { path, depth: self.depth + 1, ..self.clone() }.of(expr, file, &Bindings::default())
    }
}

/// The type of all instances together.
fn each(one: Type, repetition: &Repetition) -> Type {
    match (&repetition.for_each, &repetition.count) {
        (Some(_), _) => Type::map(one),
        (None, Some(_)) => Type::list(one),
        (None, None) => one,
    }
}

/// The type constraint in a variable's block, unless a part of it is open.
pub(super) fn constraint(expr: &Expr) -> Option<Type> {
    types::constraint(expr).ok().map(|(ty, _)| ty).filter(|ty| !ty.has_dynamic())
}
