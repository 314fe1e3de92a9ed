//! Expressions with holes: parts of a text that became variables, with the values that the parts had.

use crate::harness::{Values, evaluate_text};
use crate::{generate, rows};
use std::collections::BTreeMap;
use tf_phi::func::{self, Purity};
use tf_phi::syntax::{Expr, ExprKind, parse_expr, walk};
use tf_phi::value::Value;

/// Longer rows are about limits.
const MAX_TEXT: usize = 1500;

/// A text with variables `x0`, `x1`, … in place of some of its parts, and the values of those parts.
pub struct Holed {
    pub text: String,
    pub values: Values,
}

/// All rows, and random expressions.
pub fn texts(random: usize, seed: u64) -> Vec<String> {
    let mut generator = generate::Generator::new(76 + seed);
    let rows = rows::all().into_iter().map(|row| row.text).filter(|text| text.len() <= MAX_TEXT);
    let random = (0..random).map(|_| generator.expression());
    rows.chain(random).collect()
}

/// Texts in which an arm of a conditional, or what Terraform goes on with beside an error, may yet be of another type.
const KEPT: &[(&str, &[(&str, &str)])] = &[
    (
        r#"true ? [var.x0] : (false ? (false ? tolist([var.x1]) : var.x2) : "a")"#,
        &[("x0", r#""q""#), ("x1", "1"), ("x2", "[5]")],
    ),
    (r#"true ? 1 : (false ? (false ? tolist([var.x0]) : var.x1) : "a")"#, &[("x0", "1"), ("x1", "[5]")]),
    (r#"true ? [1] : (false ? var.x0 : "a")"#, &[("x0", "[]")]),
    (r#"true ? 1 : tostring(var.x0)"#, &[("x0", "[]")]),
    (r#"false ? split(",", var.x0) : ["a"]"#, &[("x0", "null")]),
    (r#"true ? 1 : (false ? var.x0 : null)"#, &[("x0", r#""a""#)]),
    (r#"true ? [true] : (false ? [var.x0] : null)"#, &[("x0", r#""a""#)]),
    (r#"true ? (false ? var.x0 : null) : [1]"#, &[("x0", r#""a""#)]),
    (r#"true ? 1 : ([][0] ? 1 : var.x0)"#, &[("x0", r#""a""#)]),
    (r#"true ? [var.x0] : [[][0], var.x1 + 1]"#, &[("x0", r#""a""#), ("x1", "1")]),
    (r#"[true, sensitive(1)][var.x0]"#, &[("x0", "1")]),
    (r#"startswith("e${var.x0}", "e")"#, &[("x0", r#""\u0301""#)]),
    (r#"try([1, var.x0[*].a][0], 2)"#, &[("x0", "5")]),
    (r#"false && sort(tolist([var.x0, var.x1]))"#, &[("x0", "1"), ("x1", "null")]),
    (r#"try([var.x0 ? 1 : 2, 3][1], 4)"#, &[("x0", "null")]),
    (r#"setproduct(toset([1]), var.x0)"#, &[("x0", r#"tolist([])"#)]),
    (r#"true || length([upper(var.x0)])"#, &[("x0", "null")]),
    (r#"true ? [] : var.x0[*].a"#, &[("x0", r#"toset(["a"])"#)]),
    (r#"true ? [] : [for x in [1, 2] : upper([]) if x > var.x0]"#, &[("x0", "1")]),
    (r#"true ? [] : { (var.x0) = upper([]) }.a"#, &[("x0", r#""a""#)]),
    (r#"true ? true : upper([var.x0]...)"#, &[("x0", "null")]),
    (r#"true ? [1] : (var.x0 ? [1] : [var.x1, 2]).*.a"#, &[("x0", "[1, 2]"), ("x1", "1")]),
    (r#"false ? sensitive([[true], tomap(var.x0)].0) : false"#, &[("x0", r#""a""#)]),
    (r#"true ? [1, "a"] : [for v in [-var.x0] : v]"#, &[("x0", r#""a""#)]),
    (r#"true ? [1, "a"] : tolist([[1, -var.x0][0]])"#, &[("x0", r#""a""#)]),
    (r#"true ? [1, "a"] : [[2]][[0, -var.x0][0]]"#, &[("x0", r#""a""#)]),
    (r#"true ? false : var.x0.*"#, &[("x0", "null == 1 ? [1] : null")]),
    (r#"coalesce(null, var.x0, "a")"#, &[("x0", "[1]")]),
    (
        "try([{ for x in (var.x0 ? toset([\"a\", null]) : toset([])) : x => 1 }, {}][1], { k = 1 })",
        &[("x0", "true")],
    ),
    ("try({ a = 0, b = { for x in [[1]] : \"${x}\" => 1 if var.x1 } }.a, 2)", &[("x1", "true")]),
];

/// Those with the values that show it.
pub fn kept() -> Vec<Holed> {
    let value = |text: &str| evaluate_text(text, &Values::new()).unwrap();
    let holed = |(text, values): &(&str, &[(&str, &str)])| Holed {
        text: (*text).to_owned(),
        values: values.iter().map(|(name, text)| ((*name).to_owned(), value(text))).collect(),
    };
    KEPT.iter().map(holed).collect()
}

/// A text with up to three holes; nothing where no part of it can be one. `at` says which parts.
pub fn holed(text: &str, at: u64) -> Option<Holed> {
    let expr = parse_expr(text).ok()?;
    let mut stable = true;
    walk::walk(&expr, &mut |e| {
        if let ExprKind::Call(call) = &e.kind {
            stable &= func::lookup(&call.name.text).is_none_or(|f| f.purity != Purity::Unstable);
        }
        stable
    });
    if !stable {
        return None;
    }
    let mut spans: Vec<(usize, usize)> = Vec::new();
    candidates(&expr, &mut |part| spans.push((part.span.start as usize, part.span.end as usize)));
    let mut state =
        at.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (text.len() as u64).wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % n
    };
    let mut taken: Vec<(usize, usize, Value)> = Vec::new();
    for _ in 0..3 {
        if spans.is_empty() {
            break;
        }
        let (start, end) = spans[below(spans.len())];
        spans.retain(|(s, e)| *e <= start || *s >= end);
        match evaluate_text(&text[start..end], &Values::new()) {
            // What is sensitive inside of an unknown can't be said.
            Ok(value) if value.is_wholly_known() && value.marks_deep() == value.marks => {
                taken.push((start, end, value))
            }
            _ => {}
        }
    }
    taken.sort_by_key(|t| t.0);
    let mut out = String::new();
    let mut values = BTreeMap::new();
    let mut done = 0;
    for (i, (start, end, value)) in taken.into_iter().enumerate() {
        out += &format!("{}(var.x{i})", &text[done..start]);
        done = end;
        values.insert(format!("x{i}"), value);
    }
    out += &text[done..];
    (!values.is_empty() && parse_expr(&out).is_ok()).then_some(Holed { text: out, values })
}

/// The parts of an expression that a value may stand for.
fn candidates<'e>(expr: &'e Expr, found: &mut dyn FnMut(&'e Expr)) {
    let mut free = true;
    walk::walk(expr, &mut |e| {
        free &= !matches!(e.kind, ExprKind::Variable(_));
        true
    });
    let children = match &expr.kind {
        // Types are no values, and a template has to be a reference.
        ExprKind::Call(call) if matches!(&*call.name.text, "convert" | "templatestring") => Vec::new(),
        ExprKind::Call(call) if func::lookup(&call.name.text).is_none() => Vec::new(),
        _ => expr.children(),
    };
    for child in children {
        candidates(child, found);
    }
    if free {
        found(expr);
    }
}
