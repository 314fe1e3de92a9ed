//! Expressions of JSON files in HCL's native syntax.
//!
//! Expressions of native files are copied as text; those of JSON files have no such text and are printed. Invariant: the text parses
//! to the same tree.

use crate::syntax::emit::{strength, strength_of};
use crate::syntax::{Expr, ExprKind, For, ObjectKey, SplatStep, TemplatePart, UnaryOp};
use crate::value::hcl::quote;

/// Returns the text of an expression.
pub(super) fn text(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Null => "null".to_owned(),
        ExprKind::Bool(b) => b.to_string(),
        ExprKind::Number(n) => n.to_string(),
        ExprKind::String(s) => quote(s),
        // A template of nothing but an expression is that expression.
        ExprKind::Template(template) => match template.parts.as_slice() {
            [TemplatePart::Interpolation(inner, _)] if strength_of(inner) < strength::TERM => {
                format!("({})", text(inner))
            }
            [TemplatePart::Interpolation(inner, _)] => text(inner),
            parts => format!("\"{}\"", self::parts(parts)),
        },
        ExprKind::Tuple(items) => format!("[{}]", list(items)),
        ExprKind::Object(items) => {
            let one =
                |item: &crate::syntax::ObjectItem| format!("{} = {}", key(&item.key), text(&item.value));
            match items.as_slice() {
                [] => "{}".to_owned(),
                items => format!("{{\n{}\n}}", items.iter().map(one).collect::<Vec<_>>().join("\n")),
            }
        }
        ExprKind::Variable(name) => name.to_string(),
        ExprKind::GetAttr(base, name) => format!("{}.{}", text(base), name.text),
        ExprKind::Index(base, key) => format!("{}[{}]", text(base), text(key)),
        ExprKind::LegacyIndex(base, number) => format!("{}.{number}", text(base)),
        ExprKind::Splat(splat) => {
            format!("{}{}{}", text(&splat.source), marker(splat.full), steps(&splat.each))
        }
        ExprKind::Paren(inner) => format!("({})", text(inner)),
        ExprKind::Unary(UnaryOp::Not, inner) => format!("!{}", text(inner)),
        ExprKind::Unary(UnaryOp::Negate, inner) => format!("-{}", text(inner)),
        ExprKind::Binary(op, a, b) => format!("{} {} {}", text(a), op.symbol(), text(b)),
        ExprKind::Conditional(c, a, b) => format!("{} ? {} : {}", text(c), text(a), text(b)),
        ExprKind::Call(call) => {
            let rest = if call.expand_final { "..." } else { "" };
            format!("{}({}{rest})", call.name.text, list(&call.args))
        }
        ExprKind::For(f) => for_expr(f),
    }
}

/// Returns the text of an object's key.
pub(super) fn key(key: &ObjectKey) -> String {
    match key {
        ObjectKey::Name(name) => name.text.to_string(),
        ObjectKey::Expr(expr) => match &expr.kind {
            ExprKind::String(_) | ExprKind::Template(_) | ExprKind::Paren(_) => text(expr),
            _ => format!("({})", text(expr)),
        },
    }
}

fn list(items: &[Expr]) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn marker(full: bool) -> &'static str {
    if full { "[*]" } else { ".*" }
}

fn steps(all: &[SplatStep]) -> String {
    let one = |step: &SplatStep| match step {
        SplatStep::Attr(name) => format!(".{}", name.text),
        SplatStep::Index(key) => format!("[{}]", text(key)),
        SplatStep::LegacyIndex(number, _) => format!(".{number}"),
        SplatStep::Splat(inner) => format!("{}{}", marker(inner.full), steps(&inner.each)),
    };
    all.iter().map(one).collect()
}

fn for_expr(f: &For) -> String {
    let names = f.key.as_ref().map_or(String::new(), |k| format!("{}, ", k.text)) + &f.value.text;
    let rest = if f.group { "..." } else { "" };
    let filter = f.condition.as_ref().map_or(String::new(), |c| format!(" if {}", text(c)));
    let (head, result) = (format!("for {names} in {} : ", text(&f.collection)), text(&f.result));
    match &f.result_key {
        Some(key) => format!("{{ {head}{} => {result}{rest}{filter} }}", text(key)),
        None => format!("[{head}{result}{filter}]"),
    }
}

fn parts(all: &[TemplatePart]) -> String {
    let one = |part: &TemplatePart| match part {
        TemplatePart::Literal(text, _) => {
            let quoted = quote(text);
            quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
        }
        TemplatePart::Interpolation(expr, _) => format!("${{{}}}", text(expr)),
        TemplatePart::If { condition, then, otherwise, span: _ } => {
            let other = match otherwise.as_slice() {
                [] => String::new(),
                other => format!("%{{ else }}{}", parts(other)),
            };
            format!("%{{ if {} }}{}{other}%{{ endif }}", text(condition), parts(then))
        }
        TemplatePart::For { key, value, collection, body, span: _ } => {
            let names = key.as_ref().map_or(String::new(), |k| format!("{}, ", k.text)) + &value.text;
            format!("%{{ for {names} in {} }}{}%{{ endfor }}", text(collection), parts(body))
        }
    };
    all.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::syntax::parse_expr;

    #[test]
    fn a_text_reads_as_it_was() {
        for text in [
            "null",
            "-1.5",
            "!(a && b) || c == \"x\"",
            "{ a = 1, \"b c\" = [true, null], (var.x) = y }",
            "var.m[\"k\"].l[*].n[0].o",
            "a.*.b",
            "a.0",
            "merge(local.a, { for k, v in var.m : upper(k) => v... if v != null }, local.b...)",
            "[for x in y : \"$${z} ${x}\\n\\\"\"]",
            "a ? b : c ? \"%{ if d }e%{ else }f%{ endif }\" : \"%{ for k, v in m }${k}%{ endfor }\"",
        ] {
            let once = super::text(&parse_expr(text).unwrap());
            assert_eq!(super::text(&parse_expr(&once).unwrap()), once, "{text}");
            let plain = |t: &str| t.replace([' ', '\n', ','], "");
            assert_eq!(plain(&once), plain(text));
        }
    }
}
