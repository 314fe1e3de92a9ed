//! Symbolic conditions: constructors, formulas, report forms, simplification.

use super::*;
use crate::addr::ModulePath;

pub(super) fn site(text: &str, scope: ModulePath, meaning: Meaning) -> Site {
    Site { scope, text: text.into(), binding: Binding::Primary, nullable: false, meaning }
}

fn write(v: &Value) -> String {
    match &v.data {
        Data::String(s) => format!("{s:?}"),
        Data::Bool(b) => b.to_string(),
        _ => "null".into(),
    }
}

fn shown(condition: &Condition) -> String {
    Shown { condition, value: &write }.to_string()
}

fn eq(site: &Site, v: &str) -> Arc<Condition> {
    Arc::new(Condition::Eq(site.clone(), text(v)))
}

struct Case {
    formulas: Formulas,
    env: Site,
    prod: Arc<Condition>,
    flag: Arc<Condition>,
}

fn case() -> Case {
    let mut formulas = Formulas::default();
    let env = formulas.term("env", Domain::Open);
    let flag = formulas.term("flag", Domain::bool());
    let is_prod = formulas.eq(env, &text("prod")).unwrap();
    let prod = Site {
        binding: Binding::Equality,
        ..site("var.customer_env == \"prod\"", ModulePath::ROOT, Meaning::Formula(is_prod))
    };
    let env = site("var.customer_env", ModulePath::ROOT, Meaning::Term(env));
    let flag =
        Arc::new(Condition::Existing(site("var.flag", ModulePath::ROOT.child("a"), Meaning::Term(flag))));
    Case { formulas, env, prod: Arc::new(Condition::Existing(prod)), flag }
}

#[test]
fn constructors_keep_the_simple_form() {
    let Case { env, prod, flag, .. } = case();
    let never = Condition::never();
    let always = Arc::new(Condition::Always);
    assert_eq!(Condition::negate(&Condition::negate(&prod)), prod);
    assert_eq!(Condition::negate(&never), always);
    assert_eq!(Condition::all([]), always);
    assert_eq!(Condition::any([]), never);
    assert_eq!(Condition::all([always.clone(), prod.clone(), prod.clone()]), prod);
    assert_eq!(Condition::any([never.clone(), prod.clone()]), prod);
    assert_eq!(Condition::all([prod.clone(), never.clone()]), never);
    assert_eq!(Condition::any([prod.clone(), always.clone()]), always);
    let nested = Condition::all([Condition::all([prod.clone(), flag.clone()]), eq(&env, "x"), flag.clone()]);
    let Condition::And(parts) = &*nested else { panic!("{nested:?}") };
    assert_eq!(parts[..], [prod, flag, eq(&env, "x")]);
    assert_eq!(nested.sites().len(), 3);
    assert_eq!(nested.scopes(), [&ModulePath::ROOT, &ModulePath::ROOT.child("a")]);
}

#[test]
fn the_report_forms() {
    let Case { env, prod, flag, .. } = case();
    let not = Condition::negate(&prod);
    assert_eq!(shown(&not), "Not(Existing(var.customer_env == \"prod\"))");
    let all = Condition::all([flag.clone(), not, Condition::any([eq(&env, "a"), eq(&env, "b")])]);
    let expected = "And(Existing(var.flag), Not(Existing(var.customer_env == \"prod\")), \
                    Or(Eq(var.customer_env, \"a\"), Eq(var.customer_env, \"b\")))";
    assert_eq!(shown(&all), expected);
}

#[test]
fn a_tree_and_its_formula_agree() {
    let Case { mut formulas, env, prod, flag } = case();
    let f = prod.formula(&mut formulas).unwrap();
    assert_eq!(eq(&env, "prod").formula(&mut formulas).unwrap(), f);
    let both = Condition::all([prod.clone(), eq(&env, "dev")]);
    assert_eq!(both.formula(&mut formulas).unwrap(), FormulaId::FALSE);
    let Condition::Existing(site) = &*prod else { panic!() };
    let is_false = Condition::Eq(site.clone(), truth(false)).formula(&mut formulas).unwrap();
    assert_eq!(formulas.not(f).unwrap(), is_false);
    assert_eq!(Condition::Eq(site.clone(), text("x")).formula(&mut formulas), Err(Refusal::NotConstant));
    let any = Condition::any([flag.clone(), Condition::negate(&flag)]);
    assert_eq!(any.formula(&mut formulas).unwrap(), FormulaId::TRUE);
}

#[test]
fn needless_parts_go() {
    let Case { mut formulas, env, prod, flag } = case();
    let not_dev = Condition::negate(&eq(&env, "dev"));
    let c = Condition::all([not_dev.clone(), prod.clone(), flag.clone()]);
    assert_eq!(c.simplify(&mut formulas), Condition::all([prod.clone(), flag.clone()]));
    let c = Condition::any([not_dev.clone(), prod.clone()]);
    assert_eq!(c.simplify(&mut formulas), not_dev);
    let c = Condition::all([prod.clone(), eq(&env, "dev")]);
    assert_eq!(c.simplify(&mut formulas), Condition::never());
    let c = Condition::any([Condition::all([prod.clone(), flag.clone()]), prod.clone()]);
    assert_eq!(c.simplify(&mut formulas), prod);
    let given = flag.formula(&mut formulas).unwrap();
    let c = Condition::all([prod.clone(), flag]);
    assert_eq!(c.simplify_given(given, &mut formulas), prod);
}

/// A condition over three sites, one of them a boolean expression.
fn random() -> impl Strategy<Value = (usize, usize, Vec<(usize, usize, bool)>)> {
    (0..2usize, 0..2usize, proptest::collection::vec((0..4usize, 0..3usize, any::<bool>()), 1..6))
}

proptest! {
    #[test]
    fn simplifying_keeps_the_meaning((outer, inner, leaves) in random()) {
        let Case { mut formulas, env, prod, flag } = case();
        let leaf = |(kind, v, negated): &(usize, usize, bool)| {
            let c = match kind {
                0 => prod.clone(),
                1 => flag.clone(),
                _ => eq(&env, ["prod", "dev", "test"][*v]),
            };
            if *negated { Condition::negate(&c) } else { c }
        };
        let join = |kind: usize, parts: Vec<Arc<Condition>>| {
            if kind == 0 { Condition::all(parts) } else { Condition::any(parts) }
        };
        let parts: Vec<Arc<Condition>> = leaves.iter().map(leaf).collect();
        let (head, tail) = parts.split_at(parts.len() / 2);
        let c = join(outer, vec![join(inner, head.to_vec()), Condition::negate(&join(inner, tail.to_vec()))]);
        let simple = c.simplify(&mut formulas);
        prop_assert_eq!(c.formula(&mut formulas).unwrap(), simple.formula(&mut formulas).unwrap());
        prop_assert!(simple.weight() <= c.weight());
        prop_assert_eq!(simple.simplify(&mut formulas), simple);
    }
}
