//! Gate texts.

use super::conditions::site;
use super::*;
use crate::addr::ModulePath;

fn write(v: &Value) -> String {
    match &v.data {
        Data::String(s) => format!("{s:?}"),
        Data::Bool(b) => b.to_string(),
        _ => "null".into(),
    }
}

fn bare(text: &str, binding: Binding) -> Site {
    Site { binding, ..site(text, ModulePath::ROOT, Meaning::Formula(FormulaId::TRUE)) }
}

fn existing(text: &str, binding: Binding) -> Arc<Condition> {
    Arc::new(Condition::Existing(bare(text, binding)))
}

fn eq(site: &Site, v: Value) -> Arc<Condition> {
    Arc::new(Condition::Eq(site.clone(), v))
}

fn said(c: &Arc<Condition>) -> String {
    c.text(Writing::Operators, &write).unwrap()
}

#[test]
fn brackets_only_where_needed() {
    let prod = existing("var.env == \"prod\"", Binding::Equality);
    let either = existing("var.a || var.b", Binding::Or);
    let choice = existing("var.a ? var.b : var.c", Binding::Conditional);
    let flag = existing("var.flag", Binding::Primary);
    assert_eq!(said(&prod), "var.env == \"prod\"");
    assert_eq!(said(&Condition::negate(&prod)), "!(var.env == \"prod\")");
    assert_eq!(said(&Condition::negate(&flag)), "!var.flag");
    assert_eq!(said(&choice), "(var.a ? var.b : var.c)");
    assert_eq!(
        said(&Condition::all([prod.clone(), either.clone()])),
        "var.env == \"prod\" && (var.a || var.b)"
    );
    let both = Condition::all([prod, flag.clone()]);
    assert_eq!(
        said(&Condition::any([both.clone(), either])),
        "(var.env == \"prod\" && var.flag) || var.a || var.b"
    );
    assert_eq!(said(&Condition::negate(&both)), "!(var.env == \"prod\" && var.flag)");
    assert_eq!(said(&existing("contains([\n1], var.x)", Binding::Primary)), "(contains([\n1], var.x))");
    assert_eq!(said(&Arc::new(Condition::Always)), "true");
    assert_eq!(said(&Condition::never()), "false");
}

#[test]
fn one_selector_and_many_values() {
    let env = bare("var.env", Binding::Primary);
    let two = Condition::any([eq(&env, text("a")), eq(&env, text("b"))]);
    assert_eq!(said(&two), "contains([\"a\", \"b\"], var.env)");
    assert_eq!(said(&Condition::negate(&two)), "!contains([\"a\", \"b\"], var.env)");
    assert_eq!(said(&Condition::negate(&eq(&env, text("a")))), "var.env != \"a\"");
    let flag = existing("var.flag", Binding::Primary);
    let mixed = Condition::any([eq(&env, text("a")), flag, eq(&env, text("b"))]);
    assert_eq!(said(&mixed), "contains([\"a\", \"b\"], var.env) || var.flag");
    // contains(["a"], null) is an error in Terraform.
    let env = Site { nullable: true, ..env };
    let two = Condition::any([eq(&env, text("a")), eq(&env, text("b"))]);
    assert_eq!(said(&two), "var.env == \"a\" || var.env == \"b\"");
    assert_eq!(said(&Condition::negate(&two)), "var.env != \"a\" && var.env != \"b\"");
    let sum = bare("a ? b : c", Binding::Conditional);
    assert_eq!(said(&eq(&sum, text("x"))), "(a ? b : c) == \"x\"");
}

#[test]
fn gates_flip_negations_and_stay_in_one_scope() {
    let prod = existing("var.env == \"prod\"", Binding::Equality);
    let gate = Condition::negate(&prod).gate(Writing::Operators, &write).unwrap();
    assert_eq!(gate, Gate { text: "var.env == \"prod\"".into(), negated: true });
    assert_eq!(
        Condition::never().gate(Writing::Operators, &write).unwrap(),
        Gate { text: "false".into(), negated: false }
    );
    let inner = Arc::new(Condition::Existing(site(
        "var.x",
        ModulePath::ROOT.child("a"),
        Meaning::Formula(FormulaId::TRUE),
    )));
    assert_eq!(Condition::all([prod, inner]).text(Writing::Operators, &write), None);
}

#[test]
fn cubes_become_text() {
    let mut fs = Formulas::default();
    let env = fs.term("var.env", Domain::Open);
    let flag = fs.term("var.flag", Domain::bool());
    let some = fs.one_of(env, &texts(&["b", "a"])).unwrap();
    let on = fs.eq(flag, &truth(true)).unwrap();
    let off = fs.not(on).unwrap();
    let f = fs.and(some, off).unwrap();
    let names = |fs: &Formulas, t| {
        Some(TermText { text: fs.key(t).into(), binding: Binding::Primary, nullable: false })
    };
    let cubes = fs.cubes(f, 8).unwrap();
    let gate = fs.cubes_text(&cubes, &|t| names(&fs, t), &write).unwrap();
    assert_eq!(gate, "contains([\"a\", \"b\"], var.env) && !var.flag");
    let f = fs.or(some, off).unwrap();
    let cubes = fs.cubes(f, 8).unwrap();
    let gate = fs.cubes_text(&cubes, &|t| names(&fs, t), &write).unwrap();
    assert_eq!(gate, "contains([\"a\", \"b\"], var.env) || !var.flag");
    assert_eq!(fs.cubes_text(&[], &|_| None, &write).unwrap(), "false");
    assert_eq!(fs.cubes_text(&[vec![]], &|_| None, &write).unwrap(), "true");
    assert_eq!(fs.cubes_text(&cubes, &|_| None, &write), None);
}

#[test]
fn the_shorter_side_is_written() {
    let mut fs = Formulas::default();
    let env = fs.term("var.env", Domain::Open);
    let not_a = {
        let a = fs.eq(env, &text("a")).unwrap();
        fs.not(a).unwrap()
    };
    let a = fs.not(not_a).unwrap();
    let (inside, outside) = (fs.cubes(not_a, 8).unwrap(), fs.cubes(a, 8).unwrap());
    assert_eq!(fs.flip(&inside, &outside), (outside.as_slice(), true));
    assert_eq!(fs.flip(&outside, &inside), (outside.as_slice(), false));
    let (yes, no) = (fs.cubes(FormulaId::TRUE, 1).unwrap(), fs.cubes(FormulaId::FALSE, 1).unwrap());
    assert!(!fs.flip(&yes, &no).1);
}

#[test]
fn conditionals_ask_in_order() {
    let (a, b, c) = (
        existing("var.a", Binding::Primary),
        existing("var.b == 1", Binding::Equality),
        existing("var.c", Binding::Primary),
    );
    let lazy = |c: &Arc<Condition>| c.text(Writing::Lazy, &write).unwrap();
    let both = Condition::all([Condition::negate(&a), b.clone()]);
    assert_eq!(lazy(&both), "(var.a ? false : var.b == 1)");
    assert_eq!(
        lazy(&Condition::all([a, b, Condition::negate(&c)])),
        "(var.a ? (var.b == 1 ? !var.c : false) : false)"
    );
    assert_eq!(lazy(&Condition::any([both, c])), "((var.a ? false : var.b == 1) ? true : var.c)");
}
