//! The JSON twin of a configuration in native syntax: what a user would write who has the same in `*.tf.json`.
//!
//! What Terraform itself reads as a block becomes one, as does what it doesn't know; what it reads as a reference or a type becomes a
//! string of it; literals become JSON, and all else a template.

use serde_json::{Map, Value as Json};
use tf_phi::syntax::{Body, Expr, ExprKind, Item, ObjectKey, parse};

/// How an argument is read in JSON.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// As a template.
    Template,
    /// As what stands in it, without a scope.
    Literal,
    /// As an expression in native syntax.
    Native,
}

/// Gives the files as JSON; nothing where one of them has no twin: what can't be parsed, and a key twice.
pub fn make_twin(files: &[(&str, &str)]) -> Option<Vec<(String, String)>> {
    let one = |(path, text): &(&str, &str)| {
        let Some(stem) = path.strip_suffix(".tf") else { return Some(super::owned_file(path, text)) };
        let body = make_object(&parse(text).ok()?, text, &[])?;
        Some((format!("{stem}.tf.json"), format!("{:#}\n", Json::Object(body))))
    };
    files.iter().map(one).collect()
}

fn make_object(body: &Body, text: &str, around: &[&str]) -> Option<Map<String, Json>> {
    let mut out: Map<String, Json> = Map::new();
    for item in &body.items {
        match item {
            Item::Attribute(attr) => {
                let name = &*attr.name.text;
                let value = make_value(&attr.expr, text, find_reading(around, name))?;
                if out.insert(name.to_owned(), value).is_some() {
                    return None;
                }
            }
            Item::Block(block) => {
                let kinds = [around, &[&*block.kind.text]].concat();
                let inner = Json::Object(make_object(&block.body, text, &kinds)?);
                let labelled = |inner, label: &tf_phi::syntax::Ident| {
                    Json::Object([(label.text.to_string(), inner)].into_iter().collect())
                };
                let whole = block.labels.iter().rev().fold(inner, labelled);
                let all = out.entry(block.kind.text.to_string()).or_insert_with(|| Json::Array(Vec::new()));
                all.as_array_mut()?.push(whole);
            }
        }
    }
    let blocks = body.blocks().map(|block| block.kind.text.to_string()).collect::<Vec<_>>();
    for kind in blocks {
        // One alone needs no list.
        if let Some(Json::Array(all)) = out.get_mut(&kind)
            && all.len() == 1
        {
            let only = all.remove(0);
            out.insert(kind, only);
        }
    }
    Some(out)
}

fn find_reading(around: &[&str], name: &str) -> Reading {
    match (around, name) {
        (_, "depends_on" | "replace_triggered_by" | "ignore_changes")
        | (["resource" | "data" | "ephemeral" | "import" | "check", ..], "provider")
        | (["module"], "providers")
        | (["moved" | "removed" | "import"], "from" | "to")
        | (["variable"], "type")
        | ([.., "provisioner"], "when" | "on_failure")
        | ([.., "dynamic"], "iterator") => Reading::Native,
        (["variable"], _) | (["output"], "description" | "sensitive") | (["terraform", ..], _) => {
            Reading::Literal
        }
        (["provider"], "alias" | "version") | (["module"], "source" | "version") => Reading::Literal,
        _ => Reading::Template,
    }
}

fn make_value(expr: &Expr, text: &str, reading: Reading) -> Option<Json> {
    let own = text.get(expr.span.range())?;
    Some(match &expr.kind {
        ExprKind::Tuple(items) => {
            Json::Array(items.iter().map(|item| make_value(item, text, reading)).collect::<Option<_>>()?)
        }
        ExprKind::Object(items) => {
            let mut out = Map::new();
            for item in items {
                let key = match &item.key {
                    ObjectKey::Name(name) => name.text.to_string(),
                    ObjectKey::Expr(key) => match &key.kind {
                        ExprKind::String(text) => text.to_string(),
                        _ if reading == Reading::Native => text.get(key.span.range())?.to_owned(),
                        _ => format!("${{{}}}", text.get(key.span.range())?),
                    },
                };
                let inner = if key == "configuration_aliases" { Reading::Native } else { reading };
                if out.insert(key, make_value(&item.value, text, inner)?).is_some() {
                    return None;
                }
            }
            Json::Object(out)
        }
        ExprKind::String(text) if reading == Reading::Template => {
            text.replace("${", "$${").replace("%{", "%%{").into()
        }
        ExprKind::String(text) => text.to_string().into(),
        ExprKind::Null => Json::Null,
        ExprKind::Bool(is) => Json::Bool(*is),
        ExprKind::Number(_) | ExprKind::Unary(..) if serde_json::from_str::<Json>(own).is_ok() => {
            serde_json::from_str(own).ok()?
        }
        _ if reading == Reading::Native => own.into(),
        ExprKind::Template(_) if own.starts_with('"') && !own.contains('\\') => {
            own.get(1..own.len().checked_sub(1)?)?.into()
        }
        _ => format!("${{{own}}}").into(),
    })
}
