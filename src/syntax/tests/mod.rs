//! Tests of the parser as a whole. What Terraform answers was seen with `terraform console` 1.11.

mod analysis;
mod emit;
mod fixtures;
mod hostile;
mod plain;
mod shadow;
mod shape;
mod strings;
mod trivia;

use super::*;
use crate::text::Span;

/// The expression with brackets around everything, to compare shapes by sight.
fn shape(text: &str) -> String {
    let expr = parse_expr(text);
    // Both ways of reading are meant.
    assert_eq!(format!("{expr:?}"), format!("{:?}", parse_expr_by_grammar(text)), "{text}");
    match expr {
        Ok(expr) => show(&expr, text),
        Err(error) => format!("error: {error}"),
    }
}

fn slice(text: &str, span: Span) -> &str {
    text.get(span.range()).unwrap()
}

fn show(e: &Expr, text: &str) -> String {
    match &e.kind {
        ExprKind::Null | ExprKind::Bool(_) | ExprKind::Number(_) => slice(text, e.span).to_string(),
        ExprKind::String(s) => format!("{s:?}"),
        ExprKind::Template(t) => format!("`{}`", parts(&t.parts, text)),
        ExprKind::Tuple(items) => format!("[{}]", list(items.iter(), text)),
        ExprKind::Object(items) => {
            let item = |i: &ObjectItem| {
                let key = match &i.key {
                    ObjectKey::Name(n) => n.text.to_string(),
                    ObjectKey::Expr(e) => format!("<{}>", show(e, text)),
                };
                format!("{key}={}", show(&i.value, text))
            };
            format!("{{{}}}", items.iter().map(item).collect::<Vec<_>>().join(" "))
        }
        ExprKind::Variable(name) => name.to_string(),
        ExprKind::GetAttr(b, n) => format!("({}.{})", show(b, text), n.text),
        ExprKind::Index(b, k) => format!("({}[{}])", show(b, text), show(k, text)),
        ExprKind::LegacyIndex(b, _) => {
            let digits = slice(text, Span { start: b.span.end, end: e.span.end });
            format!("({}{digits})", show(b, text))
        }
        ExprKind::Splat(s) => {
            let marker = if s.full { "[*]" } else { ".*" };
            format!("({}{marker}{})", show(&s.source, text), steps(&s.each, text))
        }
        ExprKind::Paren(e) => format!("paren{}", show(e, text)),
        ExprKind::Unary(op, e) => {
            format!("({}{})", if *op == UnaryOp::Not { "!" } else { "-" }, show(e, text))
        }
        ExprKind::Binary(op, a, b) => format!("({} {} {})", show(a, text), op.symbol(), show(b, text)),
        ExprKind::Conditional(c, a, b) => {
            format!("({} ? {} : {})", show(c, text), show(a, text), show(b, text))
        }
        ExprKind::Call(c) => {
            let dots = if c.expand_final { "..." } else { "" };
            format!("{}({}{dots})", c.name.text, list(c.args.iter(), text))
        }
        ExprKind::For(f) => {
            let key = f.key.as_ref().map(|k| format!("{},", k.text)).unwrap_or_default();
            let result_key =
                f.result_key.as_ref().map(|k| format!("{}=>", show(k, text))).unwrap_or_default();
            let condition =
                f.condition.as_ref().map(|c| format!(" if {}", show(c, text))).unwrap_or_default();
            let (value, dots) = (&f.value.text, if f.group { "..." } else { "" });
            let (collection, result) = (show(&f.collection, text), show(&f.result, text));
            format!("for {key}{value} in {collection}: {result_key}{result}{dots}{condition};")
        }
    }
}

fn list<'e>(items: impl Iterator<Item = &'e Expr>, text: &str) -> String {
    items.map(|i| show(i, text)).collect::<Vec<_>>().join(" ")
}

fn steps(steps: &[SplatStep], text: &str) -> String {
    let step = |s: &SplatStep| match s {
        SplatStep::Attr(n) => format!(".{}", n.text),
        SplatStep::Index(k) => format!("[{}]", show(k, text)),
        SplatStep::LegacyIndex(_, span) => slice(text, *span).to_string(),
        SplatStep::Splat(s) => {
            format!("({}{})", if s.full { "[*]" } else { ".*" }, self::steps(&s.each, text))
        }
    };
    steps.iter().map(step).collect()
}

fn parts(parts: &[TemplatePart], text: &str) -> String {
    let part = |p: &TemplatePart| match p {
        TemplatePart::Literal(s, _) => format!("{s:?}"),
        TemplatePart::Interpolation(e, _) => format!("${{{}}}", show(e, text)),
        TemplatePart::If { condition, then, otherwise, .. } => {
            let (c, a, b) = (show(condition, text), self::parts(then, text), self::parts(otherwise, text));
            format!("%if({c} {a}|{b})")
        }
        TemplatePart::For { key, value, collection, body, .. } => {
            let key = key.as_ref().map(|k| format!("{},", k.text)).unwrap_or_default();
            format!("%for({key}{} {} {})", value.text, show(collection, text), self::parts(body, text))
        }
    };
    parts.iter().map(part).collect()
}

/// A file that uses every construct.
const EVERYTHING: &str = r#"# Licence

/* first */
resource "aws_instance" "web" { # trailing
  count = var.n > 1 && !local.off ? -1 : (2 + 3) * 4 % 5
  // about tags
  tags = merge({ Name = "a-${var.name}", (var.key) : null, "quoted ${1}" = true }, local.tags...)
  ids  = [for i, s in aws_subnet.all : s.id if s.public && i != 0]
  map  = { for k, v in var.m : "${k}!" => v... if v != null }
  one  = aws_x.y[*].z[0].w[*].q
  two  = aws_x.y.*.z.0.w[var.i]
  legacy = a.b.0.c
  arn  = provider::aws::arn_parse(data.x["k"].arn).account
  text = <<-EOT
    hello ${upper("x")} /* no comment */
      %{ for k, v in var.m ~}
    ${k} = ${v} %{ if v == 1 }one%{ else }other ${var.z}%{ endif }
    %{ endfor ~}
  EOT
  empty = [ ]
  lifecycle {
    ignore_changes = [tags["a"], all]
  }
  dynamic "b" { /* c */
    for_each = []
    content { name = each.value }
  }
}
empty {}
"#;
