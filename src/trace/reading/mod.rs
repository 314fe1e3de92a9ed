//! Arguments whose value is a reference rather than a value: `ignore_changes`, `provider`, `providers`.
//!
//! Terraform reads the reference off the source, so an expression has nowhere to be evaluated. Here each reference
//! stands for a string, its own text, wherever a value would stand: in the arms of a conditional, in lists and objects,
//! behind an index. What selects among them is an ordinary expression and stays one. Written back, the strings are
//! references again. Source: Terraform's "meta-arguments" pages (`provider`, `providers`, `lifecycle`).
//!
//! Deliberately absent: whether what is referred to exists; Terraform says that of the text that is written.

use crate::func;
use crate::syntax::traversal::{IndexKey, Traversal, TraversalStep, absolute_traversal};
use crate::syntax::{Call, Expr, ExprKind, Ident, ObjectItem, ObjectKey, Template, TemplatePart};
use crate::text::Edit;
use crate::value::{Data, Value, hcl, json};
use serde_json::Value as Json;
use std::sync::Arc;

/// The reading of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Reading {
    /// As an expression with a value.
    #[default]
    Value,
    /// As one reference, or a list or map of them.
    References,
}

/// The text for `ignore_changes = all` among lists of attributes.
const ALL: &str = "*";

/// Names that begin a reference to a value. Alone each is a name like others: the providers `terraform` and `local`.
const VALUES: [&str; 9] = ["var", "local", "module", "data", "each", "count", "path", "terraform", "self"];

/// Literals that look like names.
const LITERALS: [&str; 3] = ["true", "false", "null"];

impl Reading {
    /// The expression to trace in place of what is written; `None` where that is what is written.
    pub fn expression(self, written: &Expr) -> Option<Expr> {
        (self == Self::References).then(|| as_texts(written))
    }

    /// Returns true if an argument is written in a form that Terraform takes as it is.
    pub fn is_plain(self, written: &Expr) -> bool {
        match self {
            Self::Value => matches!(
                written.kind,
                ExprKind::String(_) | ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Null
            ),
            Self::References => is_reference(written) || all_listed(written, &is_reference),
        }
    }

    /// The same of what names providers. `configured` says whether there is a configuration of a name and an alias: `local.main` is
    /// one where a provider is called `local`, and `null` is the provider of that name.
    pub fn is_plain_among(self, written: &Expr, configured: &dyn Fn(&str, &str) -> bool) -> bool {
        let names_one = |expr: &Expr| match &expr.kind {
            ExprKind::GetAttr(base, alias) => {
                matches!(&base.kind, ExprKind::Variable(name) if configured(name, &alias.text))
            }
            ExprKind::Null => true,
            _ => false,
        };
        let suits = |expr: &Expr| is_reference(expr) || names_one(expr);
        self.is_plain(written) || self == Self::References && (suits(written) || all_listed(written, &suits))
    }

    /// A value as the argument stands in JSON; `None` where it has no such text. Strings are no templates yet.
    pub fn json(self, value: &Value) -> Option<Json> {
        match self {
            Self::Value => json::to_json(value).ok(),
            Self::References => references_in_json(value),
        }
    }

    /// A value as the argument's source text; `None` where it has none.
    pub fn text(self, value: &Value) -> Option<String> {
        match self {
            Self::Value => hcl::to_hcl(value),
            Self::References => references(value),
        }
    }
}

/// The edits that make a map of references the one in `value`, item by item, where it is written out as a map.
pub fn item_edits(written: &Expr, value: &Value) -> Option<Vec<Edit>> {
    let (ExprKind::Object(items), Data::Map(entries)) = (&written.kind, &value.data) else { return None };
    let changed = items.iter().filter(|item| !is_reference(&item.value));
    let edit = |item: &ObjectItem| {
        let key = match &item.key {
            ObjectKey::Name(name) => name.text.to_string(),
            ObjectKey::Expr(key) => reference(key)?,
        };
        Some(Edit { span: item.value.span, text: references(entries.get(&*key)?)? })
    };
    changed.map(edit).collect()
}

fn is_reference(expr: &Expr) -> bool {
    // Older configurations quote what they refer to, and Terraform still takes that.
    matches!(expr.kind, ExprKind::String(_)) || reference(expr).is_some()
}

fn all_listed(expr: &Expr, suits: &dyn Fn(&Expr) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Tuple(items) => items.iter().all(suits),
        ExprKind::Object(items) => items.iter().all(|item| suits(&item.value)),
        _ => false,
    }
}

/// The text of an expression that is a reference to something without a value.
fn reference(expr: &Expr) -> Option<String> {
    let traversal = absolute_traversal(expr)?;
    let root = &*traversal.root.text;
    // An argument may have such a name, too; behind one of these an index is no reference to a value.
    let named = matches!(traversal.steps.first(), Some(TraversalStep::Attr(_)));
    let is_value = VALUES.contains(&root) && named && !is_alias(&traversal);
    // `null.main` is a configuration of the provider `null`.
    let is_literal = LITERALS.contains(&root) && !named;
    (!is_value && !is_literal).then(|| spell(&traversal))
}

/// Returns true if a name that begins with `terraform` is one of a provider's configurations: as a value it has these
/// attributes alone.
fn is_alias(traversal: &Traversal) -> bool {
    let values = ["workspace", "env", "applying"];
    let attr = match traversal.steps.first() {
        Some(TraversalStep::Attr(attr)) => &*attr.text,
        _ => return false,
    };
    &*traversal.root.text == "terraform" && !values.contains(&attr)
}

fn spell(traversal: &Traversal) -> String {
    let mut text = traversal.root.text.to_string();
    for step in &traversal.steps {
        match step {
            TraversalStep::Attr(name) => {
                text.push('.');
                text.push_str(&name.text);
            }
            TraversalStep::Index(IndexKey::Number(n), _) => text.push_str(&format!("[{n}]")),
            TraversalStep::Index(IndexKey::String(key), _) => {
                text.push_str(&format!("[{}]", hcl::quote(key)))
            }
        }
    }
    text
}

/// An expression with its references as strings, wherever a value stands.
fn as_texts(expr: &Expr) -> Expr {
    let kind = match &expr.kind {
        // `all` is no attribute but stands for a list of them, so that it can be an arm beside one.
        ExprKind::Variable(name) if **name == *"all" => {
            let all = Expr { kind: ExprKind::String(Arc::from(ALL)), ..expr.clone() };
            ExprKind::Tuple(vec![all])
        }
        ExprKind::Conditional(test, yes, no) => {
            ExprKind::Conditional(test.clone(), Box::new(as_texts(yes)), Box::new(as_texts(no)))
        }
        ExprKind::Paren(inner) => ExprKind::Paren(Box::new(as_texts(inner))),
        ExprKind::Tuple(items) => ExprKind::Tuple(items.iter().map(as_texts).collect()),
        ExprKind::Object(items) => ExprKind::Object(items.iter().map(item_as_texts).collect()),
        ExprKind::Index(base, key) if reference(expr).is_none() => match reference(base) {
            Some(text) => spell_index(&text, key),
            None => ExprKind::Index(Box::new(as_texts(base)), key.clone()),
        },
        ExprKind::Call(call) if func::lookup(&call.name.text).is_some_and(|f| f.hands_on) => {
            let args = call.args.iter().map(as_texts).collect();
            ExprKind::Call(Box::new(Call { args, ..(**call).clone() }))
        }
        other => match reference(expr) {
            Some(text) => ExprKind::String(Arc::from(text)),
            None => other.clone(),
        },
    };
    Expr { kind, ..expr.clone() }
}

/// The text of a reference with an index that is computed: `tags[var.key]`.
fn spell_index(base: &str, key: &Expr) -> ExprKind {
    let name = Ident { text: "jsonencode".into(), span: key.span };
    let call = Call { name, args: vec![key.clone()], expand_final: false };
    let index = Expr { kind: ExprKind::Call(Box::new(call)), span: key.span };
    let parts = vec![
        TemplatePart::Literal(format!("{base}[").into(), key.span),
        TemplatePart::Interpolation(index, key.span),
        TemplatePart::Literal("]".into(), key.span),
    ];
    ExprKind::Template(Template { parts, heredoc: false })
}

fn item_as_texts(item: &ObjectItem) -> ObjectItem {
    let key = match &item.key {
        ObjectKey::Expr(key) => match reference(key) {
            Some(text) => ObjectKey::Expr(Expr { kind: ExprKind::String(Arc::from(text)), ..key.clone() }),
            None => item.key.clone(),
        },
        ObjectKey::Name(_) => item.key.clone(),
    };
    ObjectItem { key, value: as_texts(&item.value), once: item.once }
}

/// Strings as references again.
fn references(value: &Value) -> Option<String> {
    if !value.marks.is_empty() {
        return None;
    }
    match &value.data {
        Data::String(text) if is_address(text) => Some(text.to_string()),
        Data::Seq(items) if matches!(&**items, [only] if only.as_str() == Some(ALL)) => {
            Some("all".to_owned())
        }
        Data::Seq(items) => {
            let items = items.iter().map(references).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        Data::Map(entries) => {
            let entries = entries
                .iter()
                .map(|(key, value)| Some(format!("{} = {}", address(key)?, references(value)?)))
                .collect::<Option<Vec<_>>>()?;
            Some(if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) })
        }
        _ => None,
    }
}

/// The same in JSON, where each reference is a string of its own.
fn references_in_json(value: &Value) -> Option<Json> {
    references(value)?;
    match &value.data {
        Data::Seq(items) if !matches!(&**items, [only] if only.as_str() == Some(ALL)) => {
            Some(Json::Array(items.iter().map(references_in_json).collect::<Option<_>>()?))
        }
        Data::Map(entries) => {
            let one = |(key, value): (_, &Value)| Some((str::to_owned(key), references_in_json(value)?));
            Some(Json::Object(entries.iter().map(|(key, value)| one((key, value))).collect::<Option<_>>()?))
        }
        _ => references(value).map(Json::from),
    }
}

fn address(text: &str) -> Option<&str> {
    is_address(text).then_some(text)
}

/// Returns true if a text is a reference and nothing else: it goes into the source as it is.
fn is_address(text: &str) -> bool {
    crate::syntax::parse_expr(text).is_ok_and(|expr| reference(&expr).is_some_and(|spelt| spelt == text))
}

#[cfg(test)]
mod tests;
