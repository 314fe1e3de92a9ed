//! How a value becomes text where it takes the place of a name: the one place that decides it.
//!
//! In: a use of a name, its value, and the text around it. Out: an edit after which the expression has the value that it had. Invariant:
//! `${…}` around a quoted literal, with its strip marks, is always right, so that less is written only where a rule below says why it is
//! equal. Rules look at bytes that no other edit of the template changes: each edit leaves a `}` behind, or text that begins and
//! ends with no character that could join its neighbours. Absent on purpose: which names have values.

use crate::graph::Use;
use crate::syntax::emit;
use crate::text::{Edit, Span};
use crate::value::{Data, Value, hcl};

/// The context in which a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context<'t> {
    /// An operand: in an argument, a key, a directive, or between the `${` and `}` of any template.
    Operand {
        /// True if a step, an index or a splat follows, which would take a part of the literal alone.
        followed: bool,
    },
    /// In place of a whole `${…}` of a quoted template: the template's text before it, and what follows.
    Quoted(&'t str, &'t str),
    /// The same of a heredoc, `<<` or `<<-`, from its first line on.
    Heredoc(&'t str, &'t str),
}

/// Returns the edit that puts a value in place of a use in a file's text; the whole `${…}` where that is proved equal.
pub fn put(used: &Use, value: &Value, text: &str) -> Option<Edit> {
    if let (Some(outer), Data::String(own)) = (used.interpolation, &value.data)
        && used.traversal.steps.len() == used.consumed
        && let Some(written) = within_template(used, outer, text).and_then(|context| context.literal(own))
    {
        return Some(Edit { span: outer, text: written });
    }
    let span = used.span_through(used.consumed);
    let next = text.get(span.range().end..).unwrap_or_default().trim_start();
    let context = Context::Operand { followed: next.starts_with('.') || next.starts_with('[') };
    Some(Edit { span, text: context.text(value)? })
}

/// Returns the text of an expression as it stands within a string of JSON.
pub fn within_json(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

/// Returns the context of an interpolation that has a template around it.
fn within_template<'t>(used: &Use, outer: Span, text: &'t str) -> Option<Context<'t>> {
    let around = used.template?.range();
    let before = text.get(around.start..outer.range().start)?;
    let behind = text.get(outer.range().end..around.end)?;
    // A strip mark anywhere may reach a literal that stands where the interpolation stood.
    if [before, behind].iter().any(|part| part.contains("{~") || part.contains("~}")) {
        return None;
    }
    let own = text.get(outer.range())?;
    if own.starts_with("${~") || own.ends_with("~}") {
        return None;
    }
    Some(match before.starts_with('"') {
        true => Context::Quoted(before, behind),
        false => Context::Heredoc(before, behind),
    })
}

impl Context<'_> {
    /// Returns the text of a value as an operand; nothing where a value has none.
    fn text(self, value: &Value) -> Option<String> {
        // Where no type is wanted, a tuple is no list, and null without a type is no null text.
        let typed = hcl::to_typed_hcl(value)?;
        let alone = matches!(value.data, Data::String(_) | Data::Bool(_)) || is_digits(&typed);
        let closed = typed.starts_with(['[', '{']) || typed.ends_with(')') && !typed.starts_with("false ?");
        let closed = closed || alone || typed == "null" || typed.starts_with('-');
        Some(match self {
            Context::Operand { followed: false } if closed => typed,
            _ => format!("({typed})"),
        })
    }

    /// Returns a text as literal text of a template, if it is the same there as `${"…"}`.
    fn literal(self, own: &str) -> Option<String> {
        let (Context::Quoted(before, behind) | Context::Heredoc(before, behind)) = self else { return None };
        // A template of one interpolation alone is no text, but whatever that gives.
        if own.is_empty() && !is_alone(before, behind) && !has_own_text(before, behind) {
            return None;
        }
        // `$` or `%` before `{` begins a sequence, and twice it is an escape. What ends with one is never written plainly, so that
        // the character before is the template's own.
        let joins = before.ends_with(['$', '%']) && (own.is_empty() || own.starts_with(['{', '$', '%']));
        if joins || own.ends_with(['$', '%']) {
            return None;
        }
        match self {
            Context::Quoted(..) => {
                let quoted = emit::string_literal(own);
                Some(quoted.strip_prefix('"')?.strip_suffix('"')?.to_owned())
            }
            _ => is_plain_in_heredoc(before, own).then(|| own.to_owned()),
        }
    }
}

/// Returns true if nothing else stands in a quoted template.
fn is_alone(before: &str, behind: &str) -> bool {
    before == "\"" && behind == "\""
}

/// Returns true if a quoted template begins or ends with literal text, which no edit takes away.
fn has_own_text(before: &str, behind: &str) -> bool {
    let (first, last) =
        (before.strip_prefix('"').unwrap_or(before), behind.strip_suffix('"').unwrap_or(behind));
    let begins = !first.is_empty() && !first.starts_with("${") && !first.starts_with("%{");
    begins || !last.is_empty() && !last.ends_with('}')
}

/// Returns true if a text is the same in a heredoc's line: it has no line of its own, begins no sequence, and neither the indentation
/// that `<<-` takes off nor the line that ends the heredoc is told from it, since other text of the line comes first.
fn is_plain_in_heredoc(before: &str, own: &str) -> bool {
    let printed = !own.is_empty() && own.chars().all(hcl::is_print);
    let Some((head, lines)) = before.split_once('\n') else { return false };
    let marker = head.trim_start_matches("<<").trim_start_matches('-').trim();
    let line = lines.rsplit('\n').next().unwrap_or_default().trim_start();
    let first = line.split(['$', '%']).next().unwrap_or_default();
    let leads = !first.is_empty() && !first.starts_with(marker) && !marker.starts_with(first);
    printed && leads && !own.contains("${") && !own.contains("%{")
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::concrete::Resolve;
    use crate::eval::standalone::eval_with;
    use crate::eval::{At, Bindings, Outcome, Step};
    use crate::specialise::residual::apply;
    use crate::syntax::parse_expr;
    use crate::text::SourceId;
    use crate::value::Type;

    /// `var.v` has a value, `var.n` is a number, and every other name is a text.
    struct Names(Value);

    impl Resolve for Names {
        fn resolve(&mut self, _: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
            match steps.first() {
                Some(Step::Attr(name)) if &*name.text == "v" => (Ok(self.0.clone()), 1),
                Some(Step::Attr(name)) if &*name.text == "n" => (Ok(Value::number(7)), 1),
                _ => (Ok(Value::string("other")), 1),
            }
        }
    }

    fn written(text: &str, value: &Value) -> String {
        let expr = parse_expr(text).unwrap();
        let uses = crate::graph::uses_of(&expr, SourceId(0));
        let own = uses.iter().filter(|used| used.referent.to_string() == "var.v");
        let edits: Vec<Edit> = own.map(|used| put(used, value, text).unwrap()).collect();
        apply(text, &edits).unwrap()
    }

    fn value_of(text: &str, value: &Value) -> Value {
        let expr = parse_expr(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        eval_with(&expr, SourceId(0), Names(value.clone()), &Bindings::default()).unwrap()
    }

    const TEXTS: [&str; 16] = [
        "",
        "a",
        " a ",
        "{",
        "{a}",
        "$",
        "x$",
        "y%",
        "${z}",
        "%{if}",
        "EOT",
        "two\nlines",
        "\n",
        "C:\\p \"x\"",
        "~",
        "é\u{1F600}\u{7}",
    ];
    const TEMPLATES: [&str; 24] = [
        "\"${var.v}${var.n}\"",
        "\"${var.n}${var.v}\"",
        "\"${var.v}${[1][0]}${var.v}\"",
        "[\"${var.v}${true}\", \"${var.v}-${var.n}\"]",
        "\"${var.n}${var.v} \"",
        "\"%{ if true }${var.v}%{ endif }${var.v}${var.n}\"",
        "\"${var.v}\"",
        "\"a${var.v}b\"",
        "\"%${var.v}${var.v}{a} $ ${var.v}{\"",
        "\"${var.v}${var.v}${~ var.other}\"",
        "\" ${~ var.v ~} ${var.v} \"",
        "\"%{ if var.v == \"a\" }${var.v}%{ else } ${var.v}%{ endif }\"",
        "\"%{ for c in [var.v] ~} ${var.v}%{ endfor }\"",
        "<<EOT\n${var.v}\nEOT\n",
        "<<EOT\nx ${var.v}${var.v} %${var.v}{ $\nE${var.v}\nEOT\n",
        "<<-EOT\n    ${var.v}\n      b ${var.v}\n  EOT\n",
        "<<-EOT\n    a ${var.v}\n${var.v}  b\n  EOT\n",
        "<<-EOT\n    a ${var.v}\n    ${~ var.v}\n  EOT\n",
        "<<-EOT\r\n    a ${var.v}\r\n  ${var.other}${var.v}\r\n  EOT\r\n",
        "<<EOT\n%{ if var.v == \"\" }x${var.v}\n%{ else }\n y${var.v}%{ endif }\nEOT\n",
        "{ \"${var.v}\" = var.v, (var.v) = \"k${var.v}\" }",
        "[for k in [var.v] : \"${k}${var.v}\" if k == var.v]",
        "\"${\"${var.v}\"}${[var.v][0]}\"",
        "upper(\n  var.v # ${var.v}\n)",
    ];

    /// Whatever rule writes it, the text has the value that it had.
    #[test]
    fn every_text_in_every_template_is_itself() {
        for template in TEMPLATES {
            for text in TEXTS {
                let value = Value::string(text);
                let new = written(template, &value);
                assert_eq!(
                    value_of(&new, &value),
                    value_of(template, &value),
                    "{text:?} in {template}: {new}"
                );
            }
        }
    }

    #[test]
    fn less_is_written_where_it_is_the_same() {
        let value = Value::string("15.4");
        for (template, new) in [
            ("\"pg-${var.v}\"", "\"pg-15.4\""),
            ("\"${var.v}\"", "\"15.4\""),
            ("<<EOT\nversion = ${var.v}\nEOT\n", "<<EOT\nversion = 15.4\nEOT\n"),
            ("<<-EOT\n  version = ${var.v}\n  EOT\n", "<<-EOT\n  version = 15.4\n  EOT\n"),
            ("<<-EOT\n  ${var.v}\n  EOT\n", "<<-EOT\n  ${\"15.4\"}\n  EOT\n"),
            ("\"a ${~ var.v}\"", "\"a ${~ \"15.4\"}\""),
            ("var.v == \"a\"", "\"15.4\" == \"a\""),
        ] {
            assert_eq!(written(template, &value), new);
        }
    }

    /// What is no text keeps its type where nothing converts it.
    #[test]
    fn operands_keep_their_types() {
        let values = [
            Value::number(-5),
            Value::bool(true),
            Value::null(Type::String),
            Value::list(Type::String, vec![Value::string("a")]),
            Value::list(Type::String, Vec::new()),
            Value::object([("a", Value::tuple(vec![Value::number(1)]))]),
        ];
        for value in values {
            for text in [
                "var.v",
                "[var.v]",
                "jsonencode(var.v)",
                "[var.v, var.v == null]",
                "try(var.v.a[0], -var.v, 1)",
                "var.v[*]",
            ] {
                let new = written(text, &value);
                assert_eq!(value_of(&new, &value), value_of(text, &value), "{value:?} in {text}: {new}");
            }
        }
    }
}
