//! The place where an expression stands, and how much of its value's type is seen there.

use super::named::Facts;
use crate::addr::{FieldAddr, FieldPath};
use crate::specialise::unit::UnitName;
use crate::syntax::{Attribute, Block};
use crate::trace::takes_any_type;
use crate::value::{Data, Type, Value, hcl};
use std::sync::Arc;

/// What becomes of a value's type where the expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// It is kept.
    Any,
    /// Terraform converts the value to the type that it wants there.
    Converts,
    /// Instances or blocks are made of the elements, whatever kind of collection it is.
    Iterates,
}

impl Place {
    /// Returns the place of an argument's value, by the blocks around the argument.
    pub fn of(facts: &Facts<'_>, around: &[&Block], attr: &Attribute) -> Place {
        let name = &*attr.name.text;
        let Some(outer) = around.first() else { return Place::Any };
        let last = around.last().map_or("", |block| &*block.kind.text);
        let own = around.len() == 1;
        match (&*outer.kind.text, name) {
            ("resource" | "data" | "ephemeral" | "module", "for_each") if own || last == "dynamic" => {
                Place::Iterates
            }
            ("resource" | "data" | "ephemeral" | "module", "count") if own => Place::Converts,
            ("resource" | "data" | "ephemeral" | "module" | "output", _) => {
                if !own && matches!(last, "precondition" | "postcondition") {
                    return Place::Converts;
                }
                match asked(facts, around, name).is_some_and(|field| !takes_any_type(facts.config, &field)) {
                    true => Place::Converts,
                    false => Place::Any,
                }
            }
            ("provider", _) => Place::Converts,
            _ => Place::Any,
        }
    }

    /// Returns the place of a part of a constructor that stands here.
    pub fn within(self) -> Place {
        match self {
            Place::Converts => Place::Converts,
            Place::Any | Place::Iterates => Place::Any,
        }
    }

    /// Returns the text of a value: primitive, null, or empty.
    pub fn text(self, value: &Value) -> Option<String> {
        let plain = match (&value.data, &value.ty) {
            (Data::String(_) | Data::Number(_) | Data::Bool(_), _) => true,
            (Data::Null, Type::Dynamic) => true,
            (Data::Null, ty) => return self.null(ty),
            (Data::Seq(all), Type::Tuple(_)) => all.is_empty(),
            (Data::Map(all), Type::Object(_)) => all.is_empty(),
            _ => false,
        };
        hcl::to_hcl(value).filter(|_| plain && value.marks.is_empty())
    }

    /// Returns the text of a null of a type.
    pub fn null(self, ty: &Type) -> Option<String> {
        match self {
            Place::Converts => Some("null".to_owned()),
            _ if ty.is_primitive() => hcl::to_typed_hcl(&Value::null(ty.clone())),
            _ => None,
        }
    }
}

/// Returns the address of the argument of a resource or call.
fn asked(facts: &Facts<'_>, around: &[&Block], name: &str) -> Option<FieldAddr> {
    let [outer, rest @ ..] = around else { return None };
    let target = UnitName::of_block(outer)?.target();
    let first = match rest.first() {
        Some(block) if &*block.kind.text == "dynamic" => block.label(0)?,
        Some(block) => &block.kind.text,
        None => name,
    };
    let path = FieldPath(vec![Arc::from(first)]);
    Some(FieldAddr { module: facts.path.clone(), target, path })
}
