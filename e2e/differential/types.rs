//! The type of an expression over typed names, as it is found while their values are unknown, beside the type that `terraform
//! console` prints once they have values.
//!
//! An expression of which we say no type is passed over, and so is one that Terraform rejects for these values.

use crate::oracle;
use crate::outcome::{Outcome, shown};
use tf_phi::eval::concrete::Resolve;
use tf_phi::eval::standalone::{closed_type, eval_with};
use tf_phi::eval::{At, Bindings, EvalError, Outcome as Evaluated, Step};
use tf_phi::syntax::parse_expr;
use tf_phi::text::SourceId;
use tf_phi::value::{Type, Value};

/// Values of one type for the name `v`.
const VALUES: [&str; 2] = [
    r#"{ b = true, s = "x", n = 1, l = tolist(["a"]), m = tomap({ a = 1 }), e = toset(["q"]), t = ["a", 1], o = { a = "x", in = tolist([{ k = true }]) } }"#,
    r#"{ b = false, s = "0", n = 0, l = tolist(["a", "b"]), m = tomap({ a = 2, b = 3 }), e = toset(["1", "2"]), t = ["0", 2], o = { a = "1", in = tolist([{ k = false }]) } }"#,
];

/// What stands in expressions.
const PARTS: [&str; 28] = [
    "null",
    "1",
    "\"x\"",
    "true",
    "v.s",
    "v.n",
    "v.b",
    "v.l",
    "v.l[0]",
    "v.m",
    "v.m.a",
    "v.e",
    "v.t",
    "v.t[1]",
    "v.o",
    "v.o.in",
    "v.o.in[0].k",
    "v.o.in[*].k",
    "[]",
    "{}",
    "[1]",
    "[\"a\", 2]",
    "{ a = 1 }",
    "{ a = \"x\", in = [] }",
    "tolist([1])",
    "[for x in v.l : upper(x)]",
    "{ for k, x in v.m : k => \"${x}\" }",
    "null == v.s ? null : [v.s]",
];

fn type_of_v() -> Type {
    Type::object([
        ("b", Type::Bool),
        ("s", Type::String),
        ("n", Type::Number),
        ("l", Type::list(Type::String)),
        ("m", Type::map(Type::Number)),
        ("e", Type::set(Type::String)),
        ("t", Type::tuple([Type::String, Type::Number])),
        ("o", Type::object([("a", Type::String), ("in", Type::list(Type::object([("k", Type::Bool)])))])),
    ])
}

struct Nothing;

impl Resolve for Nothing {
    fn resolve(&mut self, root: &str, _: &[Step<'_>], _: At) -> (Evaluated, usize) {
        (Err(EvalError::new(format!("there is nothing named {root}"))), 0)
    }
}

fn ours(text: &str) -> Option<Type> {
    let names = Bindings::default().with("v".into(), Ok(Value::unknown(type_of_v())));
    closed_type(&eval_with(&parse_expr(text).unwrap(), SourceId(0), Nothing, &names))
}

#[test]
fn types_that_follow_from_the_text_are_those_of_the_values() {
    let mut all: Vec<String> = PARTS.iter().map(|part| (*part).to_owned()).collect();
    for a in PARTS {
        all.extend([
            format!("{{ k = {a} }}"),
            format!("{{ k = {a} }}.k"),
            format!("[{a}][0]"),
            format!("[{a}][*]"),
            format!("one([{a}])"),
            format!("lookup({{ k = {a} }}, \"k\", null)"),
        ]);
        for b in PARTS {
            all.extend([
                format!("v.b ? {a} : {b}"),
                format!("try({a}, {b})"),
                format!("coalesce({a}, {b})"),
                format!("[{a}, {b}]"),
                format!("concat({a}, {b})"),
                format!("merge({a}, {b})"),
            ]);
        }
    }
    let told: Vec<(&String, Type)> = all.iter().filter_map(|text| Some((text, ours(text)?))).collect();
    let texts: Vec<String> = VALUES
        .iter()
        .flat_map(|value| told.iter().map(move |(text, _)| format!("[for v in [{value}] : {text}][0]")))
        .collect();
    let theirs = oracle::evaluate(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut alike, mut rejected) = (0, 0);
    let mut wrong = Vec::new();
    for ((text, ty), found) in told.iter().cycle().zip(&theirs) {
        // The oracle asks for the value in a tuple.
        let want = format!(" of tuple([{}])", shown(ty));
        match found {
            Outcome::Value(value) if value.ends_with(&want) => alike += 1,
            Outcome::Error(_) => rejected += 1,
            other => wrong.push(format!("{text}: {} here, {other}", shown(ty))),
        }
    }
    eprintln!(
        "{alike} types alike, {rejected} expressions are errors, {} expressions have none here",
        all.len() - told.len()
    );
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong.join("\n"));
    assert!(alike > 3 * rejected, "{alike} {rejected}");
}
