//! What folding leaves of expressions.

use super::named::{Folder, Named};
use super::place::Place;
use super::walk::Folded;
use crate::addr::Referent;
use crate::graph::Use;
use crate::specialise::unit::UnitName;
use crate::syntax::parse_expr;
use crate::text::{Edit, EditSet, SourceId};
use crate::value::{Type, Value};

fn folder(text: &str) -> Folder<'static> {
    let expr = parse_expr(text).unwrap();
    let uses = crate::graph::uses_of(&expr, SourceId(0));
    let one = |used: &Use| {
        let named = match &used.referent {
            Referent::Variable(name) => match &**name {
                "v" => Named::Value(Value::string("15.4")),
                "n" => Named::Value(Value::number(2)),
                "a" | "b" => Named::Typed(Type::String),
                "c" => Named::Typed(Type::Number),
                "l" => Named::Typed(Type::list(Type::String)),
                "s" => Named::Typed(Type::set(Type::String)),
                _ => Named::Typed(Type::Dynamic),
            },
            other => Named::Absent(UnitName::of(other)?, other.to_string().contains("each")),
        };
        Some(((used.file, used.traversal.span.start), named))
    };
    let named: std::collections::BTreeMap<_, _> = uses.iter().filter_map(one).collect();
    let any_absent = named.values().any(|n| matches!(n, Named::Absent(..)));
    Folder { named, budget: 0.into(), seen: false.into(), any_absent }
}

fn folded_in(text: &str, place: Place) -> (String, bool) {
    let mut out = Folded::default();
    folder(text).fold(&parse_expr(text).unwrap(), SourceId(0), place, &mut out);
    let edits: Vec<Edit> = out.edits.into_iter().map(|(_, edit)| edit).collect();
    (EditSet::of(edits).unwrap().apply(text).unwrap(), !out.held.is_empty())
}

fn folded(text: &str) -> String {
    folded_in(text, Place::Any).0
}

#[test]
fn what_the_value_decides_is_a_literal() {
    for (text, want) in [
        ("var.v == \"15.4\" ? 1 : 0", "1"),
        ("var.v != \"15.4\"", "false"),
        ("!(var.v == \"15.4\")", "false"),
        ("{ \"14.9\" = \"a\", \"15.4\" = \"b\" }[var.v]", "\"b\""),
        ("[1, 2, 3][var.n]", "3"),
        ("var.n > 1 && var.n < 3", "true"),
        ("var.v == \"15.4\" ? 1 : \"a\"", "\"1\""),
        ("split(\".\", var.v)[0]", "\"15\""),
        ("{ \"15\" = \"b\" }[split(\".\", var.v)[0]]", "\"b\""),
    ] {
        assert_eq!(folded(text), want, "{text}");
    }
}

#[test]
fn the_arm_that_is_left_stands_alone() {
    for (text, want) in [
        ("var.v == \"15.4\" ? var.a : var.b", "var.a"),
        ("var.v != \"15.4\" ? var.a : \"${var.x}-b\"", "\"${var.x}-b\""),
        ("[var.n == 2 ? (var.c) : 1 + var.x]", "[(var.c)]"),
        ("var.n == 3 ? var.a : var.n == 2 ? var.b : \"x\"", "var.b"),
        // Beside null a value keeps its type, and null has the other arm's.
        ("var.v == \"15.4\" ? var.x : null", "var.x"),
        ("var.v == \"15.4\" ? null : var.a", "tostring(null)"),
        ("var.v == \"15.4\" ? null : 1 + var.x", "tonumber(null)"),
        ("var.v == \"15.4\" ? null : null", "null"),
        // Two lists of different lengths have a common type.
        ("var.v == \"15.4\" ? [var.a] : []", "tolist([var.a])"),
        ("var.v != \"15.4\" ? [] : [var.a]", "tolist([var.a])"),
        ("var.v == \"15.4\" ? [var.a] : [var.b]", "[var.a]"),
        ("var.v == \"15.4\" ? { a = var.a } : {}", "tomap({ a = var.a })"),
        ("var.v == \"15.4\" ? [var.a] : var.l", "tolist([var.a])"),
        ("var.v == \"15.4\" ? var.l : []", "var.l"),
        ("var.v == \"15.4\" ? var.c : var.a", "tostring(var.c)"),
        ("var.v != \"15.4\" ? var.a : var.c", "tostring(var.c)"),
        // The other arm decides on the type.
        ("var.v == \"15.4\" ? var.a : \"${var.x}\"", "true ? var.a : \"${var.x}\""),
        ("var.v != \"15.4\" ? [var.a] : []", "false ? [var.a] : []"),
        ("var.v == \"15.4\" ? var.x : var.x", "true ? var.x : var.x"),
        ("var.v == \"15.4\" ? null : var.l", "true ? null : var.l"),
        // The other arm may fail, and is of no type then.
        ("var.v == \"15.4\" ? var.c : var.l[0]", "true ? var.c : var.l[0]"),
        ("var.v == \"15.4\" ? null : tostring(var.x)", "true ? null : tostring(var.x)"),
        (
            "var.n == 3 ? var.v == \"15.4\" ? null : upper(var.a) : null",
            "false ? true ? null : upper(var.a) : null",
        ),
        ("var.v == \"15.4\" ? [var.a] : [upper(var.a), \"b\"]", "true ? [var.a] : [upper(var.a), \"b\"]"),
        ("var.v == \"15.4\" ? var.a : var.l[0]", "var.a"),
        ("var.v == \"15.4\" ? [var.c] : var.l", "true ? [var.c] : var.l"),
    ] {
        assert_eq!(folded(text), want, "{text}");
    }
}

#[test]
fn where_the_place_converts_an_arm_needs_no_type() {
    for (text, converts, iterates) in [
        ("var.v == \"15.4\" ? [var.a] : []", "[var.a]", "[var.a]"),
        ("var.v != \"15.4\" ? [var.a] : []", "[]", "[]"),
        ("var.v == \"15.4\" ? null : var.x", "null", "true ? null : var.x"),
        ("var.v == \"15.4\" ? var.x : var.a", "var.x", "tostring(var.x)"),
        ("var.v == \"15.4\" ? [var.a, 1] : []", "[var.a, 1]", "tolist([var.a, 1])"),
        ("var.v == \"15.4\" ? [var.a] : var.s", "toset([var.a])", "toset([var.a])"),
        (
            "var.v == \"15.4\" ? toset([\"a\"]) : toset([])",
            "true ? toset([\"a\"]) : toset([])",
            "toset([\"a\"])",
        ),
        ("{ a = var.v == \"15.4\" ? null : var.l }", "{ a = null }", "{ a = true ? null : var.l }"),
        ("[(var.n == 2 ? null : var.a)]", "[(null)]", "[(tostring(null))]"),
    ] {
        assert_eq!(folded_in(text, Place::Converts).0, converts, "{text}");
        assert_eq!(folded_in(text, Place::Iterates).0, iterates, "{text}");
    }
}

#[test]
fn a_block_without_instances_is_empty() {
    for (text, want) in [
        ("one(t.x[*].id)", "null"),
        ("t.x[*].id", "[]"),
        ("t.x.*.id", "[]"),
        ("length(t.x)", "0"),
        ("length(t.x) > 0 ? t.x[0].id : var.x", "var.x"),
        ("var.n == 2 ? var.x : t.x[0].id", "var.x"),
        ("try(t.x[0].id, var.x)", "var.x"),
        ("try(t.x[0].id, var.x ? 1 : 2) + 1", "(var.x ? 1 : 2) + 1"),
        ("try(t.x[0].id, var.a.b, null)", "try(var.a.b, null)"),
        ("can(t.x[0].id)", "false"),
        ("element(concat(t.x.*.id, [\"\"]), 0)", "\"\""),
        ("concat(t.x[*].id, t.y[*].id, var.l)", "concat([], [], var.l)"),
        ("coalesce(one(t.x[*].id), var.x)", "coalesce(null, var.x)"),
        ("[for x in t.x : x.id]", "[]"),
        ("{ for k, x in t.each : k => x.id }", "{}"),
        ("module.m[*].out", "[]"),
        ("merge(module.each, data.t.each)", "merge({}, {})"),
    ] {
        assert_eq!(folded(text), want, "{text}");
    }
}

#[test]
fn a_part_of_a_block_without_instances_holds_it() {
    for (text, held) in [
        ("t.x[0].id", true),
        ("\"${t.x[0].id}-a\"", true),
        ("var.x ? t.x[0].id : null", true),
        ("[for v in var.l : t.x[0].id]", true),
        ("try(t.x[0].id)", true),
        ("try(var.x, t.x[0].id)", false),
        ("var.n == 2 ? var.a : \"${t.x[0].id}-a\"", false),
    ] {
        assert_eq!(folded_in(text, Place::Any).1, held, "{text}");
    }
}

#[test]
fn what_anything_else_decides_stays() {
    for text in [
        "var.x == \"15.4\"",
        "1 == 1",
        "var.v",
        "\"${var.v}-a\"",
        "timestamp() == var.v",
        "split(\".\", var.v...)[0]",
        "{ a = 1 }[var.v]",
        "local.m[var.v]",
        "[for v in [1] : v][0]",
        "[for var in [{ n = 1 }] : var.n == 2]",
    ] {
        assert_eq!(folded(text), text, "{text}");
    }
    assert_eq!(folded("var.x && var.n == 2"), "var.x && true");
}

#[test]
fn what_makes_no_instance_is_told_by_the_parts_that_decide() {
    for (text, zero) in [
        ("var.v == \"15.4\" ? 0 : 1", true),
        ("var.x && var.n == 3 ? 1 : 0", true),
        ("!(var.n == 2 || var.x) ? var.c : 0", true),
        ("var.n == 2 ? 0 : var.c", true),
        ("length(t.x)", true),
        ("var.x ? 0 : 0", false),
        ("var.x || var.n == 3 ? 1 : 0", false),
        ("0", false),
        ("var.n - 2", true),
        ("var.n == 2 ? null : 0", false),
    ] {
        let expr = parse_expr(text).unwrap();
        assert_eq!(folder(text).driven(|f| f.is_zero(&expr, SourceId(0))), zero, "{text}");
    }
    for (text, empty) in [
        ("var.n == 3 ? var.s : []", true),
        ("toset(var.n == 3 ? [\"a\"] : [])", true),
        ("{ for k in var.l : k => k if var.n == 3 }", true),
        ("{ for k, x in t.each : k => x.id }", true),
        ("concat(var.n == 3 ? [\"a\"] : [], var.l)", false),
        ("var.n == 2 ? null : {}", false),
        ("{}", false),
    ] {
        let expr = parse_expr(text).unwrap();
        assert_eq!(folder(text).driven(|f| f.is_empty(&expr, SourceId(0))), empty, "{text}");
    }
}

#[test]
fn an_arm_of_unknown_type_becomes_a_text_beside_one() {
    for (text, want) in [
        ("var.n == 2 ? var.o.y : \"none\"", "tostring(var.o.y)"),
        ("var.n == 2 ? one(var.o[*].y) : \"none\"", "tostring(one(var.o[*].y))"),
        ("var.n == 1 ? \"none\" : var.o", "tostring(var.o)"),
        ("var.n == 1 ? \"none\" : one(var.o)", "tostring(one(var.o))"),
        ("var.n == 1 ? var.a : var.p", "tostring(var.p)"),
        // A number may be a text beside a text, and the other arm's type may be any.
        ("var.n == 2 ? var.o.y : 1", "true ? var.o.y : 1"),
        ("var.n == 2 ? var.o.y : var.p.y", "true ? var.o.y : var.p.y"),
        ("var.n == 2 ? var.o.y : [\"none\"]", "true ? var.o.y : [\"none\"]"),
        ("var.n == 2 ? var.o.y : lower(var.o)", "true ? var.o.y : lower(var.o)"),
        // Another edit may be at its end.
        ("var.n == 1 ? \"none\" : var.o.y", "false ? \"none\" : var.o.y"),
    ] {
        assert_eq!(folded(text), want, "{text}");
    }
    let text = "var.n == 2 ? var.o.y : \"none\"";
    assert_eq!(folded_in(text, Place::Converts).0, "var.o.y");
}
