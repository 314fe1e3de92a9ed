//! Type constraint expressions: from syntax to [`Type`], with the defaults of optional attributes.
//!
//! The grammar is that of HCL's type expression extension, as Terraform uses it for `variable` blocks: `any` is
//! allowed, `optional(T)` and `optional(T, default)` only directly inside `object({…})`, and bare `list` and `map`
//! are old spellings of `list(any)` and `map(any)`.

use super::standalone::eval_constant;
use crate::issue::Code;
use crate::syntax::{Call, Expr, ExprKind, ObjectItem, ObjectKey};
use crate::text::{SourceId, Span};
use crate::value::{Data, Type, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Defaults of optional attributes, in the shape of the type constraint they come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Defaults {
    /// The defaults of an object's optional attributes, converted to the attributes' types.
    pub values: BTreeMap<Arc<str>, Value>,
    /// The defaults inside: by attribute of an object, by decimal index of a tuple, and under "" for the element of a
    /// collection.
    pub children: BTreeMap<Arc<str>, Defaults>,
}

/// The reason why an expression is not a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeError {
    /// The place of the fault.
    pub span: Span,
    /// Terraform's heading.
    pub summary: String,
    /// The sentence.
    pub detail: String,
    /// [`Code::Invalid`], or [`Code::Unsupported`] for what Terraform takes and this does not.
    pub code: Code,
    /// The text to write instead, if that is clear.
    pub instead: Option<String>,
}

fn fail<T>(span: Span, detail: impl Into<String>) -> Result<T, TypeError> {
    let summary = "Invalid type specification".into();
    Err(TypeError { span, summary, detail: detail.into(), code: Code::Invalid, instead: None })
}

/// A type, and the defaults of its optional attributes.
pub type Decoded = (Type, Option<Defaults>);

/// The type that an argument of a call stands for, and the defaults in it: no quotes, no bare `list` and `map`.
///
/// # Errors
/// Returns an error if Terraform would reject it.
pub fn argument(expr: &Expr) -> Result<Decoded, TypeError> {
    match &expr.kind {
        ExprKind::Variable(name) => keyword(name, expr.span),
        ExprKind::Call(call) => constructor(call, expr.span),
        _ => fail(
            expr.span,
            "A type specification is either a primitive type keyword (bool, number, string) or a complex type \
             constructor call, like list(string).",
        ),
    }
}

/// The type that an expression stands for, and the defaults in it.
///
/// # Errors
/// Returns an error if Terraform would reject the constraint.
pub fn constraint(expr: &Expr) -> Result<Decoded, TypeError> {
    match &expr.kind {
        ExprKind::String(_) | ExprKind::Template(_) => Err(TypeError {
            span: expr.span,
            summary: "Invalid quoted type constraints".into(),
            detail: "Type constraints in quotes belong to Terraform 0.11 and before. Remove the quotes."
                .into(),
            code: Code::Invalid,
            instead: None,
        }),
        ExprKind::Variable(name) if &**name == "list" => Ok((Type::List(Arc::new(Type::Dynamic)), None)),
        ExprKind::Variable(name) if &**name == "map" => Ok((Type::Map(Arc::new(Type::Dynamic)), None)),
        _ => argument(expr),
    }
}

fn keyword(name: &str, span: Span) -> Result<Decoded, TypeError> {
    match name {
        "string" => Ok((Type::String, None)),
        "number" => Ok((Type::Number, None)),
        "bool" => Ok((Type::Bool, None)),
        "any" => Ok((Type::Dynamic, None)),
        "list" | "set" | "map" | "object" | "tuple" => fail(span, needs_argument(name)),
        "optional" => {
            fail(span, "Keyword \"optional\" is valid only as a modifier for object type attributes.")
        }
        _ => fail(span, format!("The keyword \"{name}\" is not a valid type specification.")),
    }
}

fn needs_argument(name: &str) -> String {
    let what = match name {
        "object" => "specifying the attribute types and values as a map",
        "tuple" => "specifying the element types as a list",
        _ => "specifying the element type",
    };
    format!("The {name} type constructor requires one argument {what}.")
}

fn constructor(call: &Call, span: Span) -> Result<Decoded, TypeError> {
    let name = &*call.name.text;
    match name {
        "string" | "number" | "bool" => {
            return fail(span, format!("Primitive type keyword \"{name}\" does not expect arguments."));
        }
        "any" => return fail(span, "Type constraint keyword \"any\" does not expect arguments."),
        "optional" => return keyword(name, span),
        "list" | "set" | "map" | "object" | "tuple" => {}
        _ => return fail(span, format!("Keyword \"{name}\" is not a valid type constructor.")),
    }
    let [arg] = call.args.as_slice() else { return fail(span, needs_argument(name)) };
    match (name, &arg.kind) {
        ("object", ExprKind::Object(items)) => object(items),
        ("tuple", ExprKind::Tuple(items)) => tuple(items),
        ("object" | "tuple", _) => fail(arg.span, needs_argument(name)),
        _ => {
            let (element, defaults) = argument(arg)?;
            let element = Arc::new(element);
            let ty = match name {
                "list" => Type::List(element),
                "set" => Type::Set(element),
                _ => Type::Map(element),
            };
            Ok((ty, wrap(defaults, "")))
        }
    }
}

/// The element's defaults as the collection's.
fn wrap(defaults: Option<Defaults>, key: &str) -> Option<Defaults> {
    defaults.map(|d| Defaults { children: BTreeMap::from([(Arc::from(key), d)]), ..Defaults::default() })
}

fn tuple(items: &[Expr]) -> Result<Decoded, TypeError> {
    let mut types = Vec::with_capacity(items.len());
    let mut children = BTreeMap::new();
    for (i, item) in items.iter().enumerate() {
        let (ty, defaults) = argument(item)?;
        types.push(ty);
        children.extend(defaults.map(|d| (Arc::from(i.to_string()), d)));
    }
    let defaults = Defaults { children, ..Defaults::default() };
    Ok((Type::Tuple(types.into()), defaults.non_empty()))
}

fn object(items: &[ObjectItem]) -> Result<Decoded, TypeError> {
    let mut attrs = BTreeMap::new();
    let mut optional = BTreeSet::new();
    let mut all = Defaults::default();
    for item in items {
        let ObjectKey::Name(name) = &item.key else {
            let span = match &item.key {
                ObjectKey::Expr(e) => e.span,
                ObjectKey::Name(n) => n.span,
            };
            return fail(span, "Object constructor map keys must be attribute names.");
        };
        let (type_expr, default) = match &item.value.kind {
            ExprKind::Call(call) if &*call.name.text == "optional" => {
                optional.insert(name.text.clone());
                modifier(call, item.value.span)?
            }
            _ => (&item.value, None),
        };
        let (ty, child) = argument(type_expr)?;
        if let Some(default) = default {
            all.values.insert(name.text.clone(), default_value(default, &ty, child.as_ref())?);
        }
        all.children.extend(child.map(|c| (name.text.clone(), c)));
        if attrs.insert(name.text.clone(), ty).is_some() {
            return fail(name.span, format!("Attribute \"{}\" is given twice.", name.text));
        }
    }
    Ok((Type::object_with_optional(attrs, optional), all.non_empty()))
}

/// The parts of `optional(T)` or `optional(T, default)`.
fn modifier(call: &Call, span: Span) -> Result<(&Expr, Option<&Expr>), TypeError> {
    match call.args.as_slice() {
        [ty] => Ok((ty, None)),
        [ty, default] => Ok((ty, Some(default))),
        _ => fail(
            span,
            "Optional attribute modifier requires the attribute type as its argument, and optionally a default.",
        ),
    }
}

fn default_value(expr: &Expr, ty: &Type, child: Option<&Defaults>) -> Result<Value, TypeError> {
    let summary = "Invalid default value for optional attribute";
    // What lies deeper would lose its own defaults.
    let instead = || child.is_none().then(|| format!("optional({ty})"));
    let error = |span, summary: &str, detail: String, code| {
        Err(TypeError { span, summary: summary.into(), detail, code, instead: instead() })
    };
    let value = match eval_constant(expr, SourceId(0)) {
        Ok(value) => value,
        Err(e) => {
            let span = e.place.map_or(expr.span, |place| place.span);
            return match e.limit {
                true => error(
                    span,
                    "Unsupported default of an optional attribute",
                    e.to_string(),
                    Code::Unsupported,
                ),
                false => {
                    error(span, summary, format!("A default is a constant. {}", e.message), Code::Invalid)
                }
            };
        }
    };
    convert(value, ty, child).or_else(|why| {
        let detail =
            format!("This default value is not compatible with the attribute's type constraint: {why}.");
        error(expr.span, summary, detail, Code::Invalid)
    })
}

/// Converts a default, after the deeper defaults have been filled in.
fn convert(value: Value, ty: &Type, child: Option<&Defaults>) -> Result<Value, String> {
    let filled = child.map(|d| d.apply(&value)).unwrap_or(value);
    crate::value::convert::convert(&filled, ty).map_err(|e| e.to_string())
}

impl Defaults {
    fn non_empty(self) -> Option<Defaults> {
        (!self.values.is_empty() || !self.children.is_empty()).then_some(self)
    }

    /// The value with missing and null optional attributes filled in, as Terraform does before it converts to the
    /// constraint. Null and unknown values, and what is not of the constraint's shape, stay as they are. Sequences
    /// come back as tuples and maps as objects; conversion to the constraint makes collections of them.
    #[must_use]
    pub fn apply(&self, value: &Value) -> Value {
        let marks = value.marks.clone();
        let mut filled = match &value.data {
            Data::Seq(items) => {
                let items = items.iter().enumerate().map(|(i, v)| self.child(&i.to_string(), v)).collect();
                Value::tuple(items)
            }
            Data::Map(items) => {
                let mut out: BTreeMap<Arc<str>, Value> =
                    items.iter().map(|(k, v)| (k.clone(), self.child(k, v))).collect();
                for (name, default) in &self.values {
                    let absent = out.get(name).is_none_or(|v| v.data == Data::Null);
                    if absent {
                        // What lies deeper in it was filled in once, and is shared by all that have it.
                        out.insert(name.clone(), default.clone());
                    }
                }
                Value::object(out)
            }
            _ => return value.clone(),
        };
        filled.marks = marks;
        filled
    }

    fn child(&self, key: &str, value: &Value) -> Value {
        self.within(key).map_or_else(|| value.clone(), |d| d.apply(value))
    }

    /// Returns the defaults within an attribute or element.
    pub fn within(&self, key: &str) -> Option<&Defaults> {
        self.children.get("").or_else(|| self.children.get(key))
    }

    /// Returns true if an attribute has a default of its own.
    pub fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }
}

#[cfg(test)]
mod tests;
