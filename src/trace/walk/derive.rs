//! Terms computed from terms: their identity, and how to write them.

use super::apply::Unnamed;
use crate::addr::ModulePath;
use crate::cond::Domain;
use crate::eval::{At, Op, Outcome};
use crate::syntax::UnaryOp;
use crate::trace::{
    Home, Subject, TermInfo, Tracer, tracer::axes::Axis, tracer::sure::Sure, tracer::terms::Parts,
};
use crate::value::{Data, Marks, Type, Value, hcl};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Longer keys are not worth keeping: the value is then simply not narrowed.
const LONGEST: usize = 4096;

/// An operand as text.
struct Operand<'t> {
    /// Unique across modules.
    key: Cow<'t, str>,
    /// The text as it is valid in `scope`, if one module can write it.
    text: Option<Cow<'t, str>>,
    /// The module in which `text` is valid; a literal is valid everywhere.
    scope: Option<Cow<'t, ModulePath>>,
    variables: Cow<'t, BTreeSet<Arc<str>>>,
    /// The keys and indices from which it is computed.
    axes: Cow<'t, [Arc<Axis>]>,
}

static NO_VARIABLES: BTreeSet<Arc<str>> = BTreeSet::new();

impl Tracer<'_> {
    /// The unknown result of an operation on terms, as a term of its own.
    ///
    /// Its identity is made of the operation and the operands' identities, never of source text: inside a `for` the
    /// same text names different values.
    pub(in crate::trace) fn derived(
        &mut self,
        op: &Op<'_>,
        result: &Value,
        args: &[Value],
        at: At,
    ) -> Option<Value> {
        let operands: Vec<Operand<'_>> = args.iter().map(|a| self.operand(a)).collect::<Option<_>>()?;
        let keys: Vec<&str> = operands.iter().map(|o| &*o.key).collect();
        let key = write_op(op, &keys, result)?;
        if key.len() > LONGEST {
            return None;
        }
        let texts: Option<Vec<&str>> = operands.iter().map(|o| o.text.as_deref()).collect();
        let mut scopes = operands.iter().filter_map(|o| o.scope.as_deref());
        let scope = scopes.next();
        let one_scope = scopes.all(|s| Some(s) == scope);
        let home = match (texts, scope) {
            (Some(texts), Some(scope)) if one_scope => {
                write_op(op, &texts, result).map(|text| Home { scope: scope.clone(), text: Arc::from(text) })
            }
            _ => None,
        };
        let listed = matches!(op, Op::GetAttr(_)).then(|| self.listed_data(&key)).flatten();
        let part = self.attribute_taken(op, args);
        let variable =
            part.as_ref().filter(|part| part.expanded).map(|part| Subject::Variable(part.name.clone()));
        let info = TermInfo {
            ty: result.ty.clone(),
            home,
            variables: operands.iter().flat_map(|o| o.variables.iter().cloned()).collect(),
            subject: listed.as_ref().and_then(|(subject, _)| subject.clone()).or(variable),
            place: Some(at.place()),
        };
        let axes = operands.iter().flat_map(|o| o.axes.iter().cloned()).collect();
        let domain = match (&listed, &part) {
            (Some((_, universe)), _)
            | (None, Some(Parts { universe: Some(universe), expanded: true, .. })) => {
                Domain::Closed { values: universe.values.clone(), enforced: false }
            }
            _ => term_domain(result),
        };
        let (term, symbol) = self.symbol(&key, domain, info, &Marks::NONE);
        self.terms.axes.add_computed(term, axes);
        if let Some(part) = part {
            self.terms.parts.insert(term, part);
        }
        if let Some(sure) = Sure::of(op, args) {
            self.terms.sure.insert(term, sure);
        }
        Some(refined(symbol, result))
    }

    /// A plan-stable expression whose parts have no identity, as a term: within one instance, and outside of every
    /// iteration, the same text always gives the same value.
    pub(in crate::trace) fn unnamed_term(
        &mut self,
        unnamed: Unnamed,
        result: &Value,
        args: &[Value],
        at: At,
    ) -> Value {
        let key = format!("{}|#{}", unnamed.instance.0, unnamed.text);
        let info = TermInfo {
            ty: result.ty.clone(),
            home: Some(Home { scope: unnamed.scope, text: unnamed.text.into() }),
            variables: self.variables_in(args),
            subject: None,
            place: Some(at.place()),
        };
        let domain = term_domain(result);
        let symbol = self.symbol(&key, domain, info, &Marks::NONE).1;
        refined(symbol, result)
    }

    /// A term converted to a primitive type: a term of its own, since `==` does not convert.
    pub(in crate::trace) fn converted_term(&mut self, value: &Value, to: &Type, at: At) -> Value {
        let unknown = Value::unknown(to.clone());
        let same = |v: &Value| -> Outcome { Ok(v.clone()) };
        let args = std::slice::from_ref(value);
        self.with_origin(unknown, args, |tracer, result| tracer.derived(&Op::Custom(&same), result, args, at))
    }

    fn operand(&self, value: &Value) -> Option<Operand<'_>> {
        if value.is_wholly_known() {
            let text = match value.is_marked_deep() {
                true => hcl::to_hcl(&value.clone().unmark_deep().0)?,
                false => hcl::to_hcl(value)?,
            };
            return Some(Operand {
                key: Cow::Owned(typed(value, &text)),
                text: Some(Cow::Owned(text)),
                scope: None,
                variables: Cow::Borrowed(&NO_VARIABLES),
                axes: Cow::Borrowed(&[]),
            });
        }
        if !value.is_known() {
            let term = self.origins.term_of(value)?;
            let info = self.origins.info(term)?;
            return Some(Operand {
                key: Cow::Borrowed(self.formulas.key(term)),
                text: info.home.as_ref().map(|h| Cow::Borrowed(&*h.text)),
                scope: info.home.as_ref().map(|h| Cow::Borrowed(&h.scope)),
                variables: Cow::Borrowed(&info.variables),
                axes: Cow::Borrowed(self.terms.axes.behind(term)),
            });
        }
        self.compound(value)
    }

    /// A known collection with unknown parts.
    fn compound(&self, value: &Value) -> Option<Operand<'_>> {
        let (mut keys, mut texts) = (Vec::new(), Some(Vec::new()));
        let mut scopes: BTreeSet<ModulePath> = BTreeSet::new();
        let (mut variables, mut axes) = (BTreeSet::new(), Vec::new());
        let named = matches!(value.data, Data::Map(_));
        for (key, part) in value.elements() {
            let part = self.operand(part)?;
            let name = if named { format!("{} = ", hcl::to_hcl(&key)?) } else { String::new() };
            keys.push(format!("{name}{}", part.key));
            match (&mut texts, part.text) {
                (Some(texts), Some(text)) => texts.push(format!("{name}{text}")),
                (texts, _) => *texts = None,
            }
            scopes.extend(part.scope.map(Cow::into_owned));
            variables.extend(part.variables.iter().cloned());
            axes.extend_from_slice(&part.axes);
        }
        let wrap = |items: Vec<String>| {
            let items = items.join(", ");
            if named { format!("{{ {items} }}") } else { format!("[{items}]") }
        };
        // A list, a set and a tuple are written alike but are not the same value.
        let exact = matches!(value.ty, Type::Tuple(_) | Type::Object(_));
        let text = texts.filter(|_| exact && scopes.len() <= 1).map(wrap);
        let key = format!("{}{}", value.ty.friendly_name(), wrap(keys));
        Some(Operand {
            key: Cow::Owned(key),
            text: text.map(Cow::Owned),
            scope: scopes.into_iter().next().map(Cow::Owned),
            variables: Cow::Owned(variables),
            axes: Cow::Owned(axes),
        })
    }
}

/// A term's value with what the operation knows of its result.
fn refined(symbol: Value, result: &Value) -> Value {
    Value { marks: symbol.marks, ..result.clone() }
}

/// The values that a computed term can take.
pub(in crate::trace) fn term_domain(result: &Value) -> Domain {
    match (&result.ty, result.definitely_not_null()) {
        (Type::Bool, true) => Domain::bool(),
        (Type::Bool, false) => {
            let values = vec![Value::bool(true), Value::bool(false), Value::null(Type::Bool)];
            Domain::Closed { values, enforced: true }
        }
        _ => Domain::Open,
    }
}

/// A literal's identity: values of different types are written alike.
fn typed(value: &Value, text: &str) -> String {
    match value.ty {
        Type::String | Type::Number | Type::Bool => text.to_owned(),
        _ => format!("{}({text})", value.ty.friendly_name()),
    }
}

/// The operation on operands, as HCL; nothing for those that have no fixed form.
fn write_op(op: &Op<'_>, args: &[&str], result: &Value) -> Option<String> {
    Some(match (op, args) {
        (Op::Unary(UnaryOp::Not), [a]) => format!("!({a})"),
        (Op::Unary(UnaryOp::Negate), [a]) => format!("-({a})"),
        (Op::Binary(op), [a, b]) => format!("({a} {} {b})", op.symbol()),
        (Op::GetAttr(name), [a]) => format!("{a}.{name}"),
        (Op::Index, [a, b]) => format!("{a}[{b}]"),
        (Op::Template, parts) => {
            let mut text = String::with_capacity(2 + parts.iter().map(|p| p.len() + 3).sum::<usize>());
            text.push('"');
            parts.iter().for_each(|p| template_part(p, &mut text));
            text.push('"');
            text
        }
        (Op::Custom(_), [a]) => conversion(a, &result.ty)?,
        (Op::Convert(to), [a]) => format!("convert({a}, {})", to.written()?),
        (Op::Call(function, expand), args) => {
            format!("{}({}{})", function.name, args.join(", "), if *expand { "..." } else { "" })
        }
        _ => return None,
    })
}

/// A conversion to a primitive type.
fn conversion(text: &str, to: &Type) -> Option<String> {
    match to {
        Type::String => Some(format!("tostring({text})")),
        Type::Number => Some(format!("tonumber({text})")),
        Type::Bool => Some(format!("tobool({text})")),
        _ => None,
    }
}

/// A literal string goes into the template as it is; anything else is interpolated.
fn template_part(text: &str, out: &mut String) {
    let literal = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let plain =
        |t: &&str| !t.contains(['"', '$', '%']) || !(t.contains("${") || t.contains("%{") || t.contains('"'));
    match literal.filter(plain) {
        Some(inner) => out.push_str(inner),
        None => {
            out.push_str("${");
            out.push_str(text);
            out.push('}');
        }
    }
}
