//! Ordering comparisons against brute force on the line, halves and a value that is no number included.

use super::*;
use crate::value::{Number, ops};

fn number(n: i64) -> Value {
    Value { ty: Type::Number, data: Data::Number(Number::from(n).into()), marks: Marks::NONE }
}

/// Atoms on one term: `kind` 0..4 compares, 4 and 5 equate, 6 equates with a string.
fn atom(fs: &mut Formulas, t: TermId, kind: usize, n: i64) -> FormulaId {
    use Comparison::*;
    match [Less, LessOrEqual, Greater, GreaterOrEqual].get(kind) {
        Some(op) => fs.compare(t, *op, &number(n)).unwrap(),
        None if kind < 6 => fs.eq(t, &number(n)).unwrap(),
        None => fs.eq(t, &text("a")).unwrap(),
    }
}

fn holds(kind: usize, n: i64, v: &Value, value: Option<i64>) -> bool {
    match (kind, value) {
        (6, _) => *v == text("a"),
        (_, None) => false,
        (0, Some(v)) => v < n,
        (1, Some(v)) => v <= n,
        (2, Some(v)) => v > n,
        (3, Some(v)) => v >= n,
        (_, Some(v)) => v == n,
    }
}

/// Constants are even, so that odd values lie strictly between.
fn values(strings: bool) -> Vec<(Value, Option<i64>)> {
    let mut values: Vec<_> = (-1..=9).map(|n| (number(n), Some(n))).collect();
    if strings {
        values.extend([(text("a"), None), (text("b"), None), (null(Type::Number), None)]);
    }
    values
}

fn atoms() -> impl Strategy<Value = Vec<(usize, i64, bool, bool)>> {
    let atom = (0..7usize, 0..5i64, any::<bool>(), any::<bool>());
    proptest::collection::vec(atom.prop_map(|(k, n, neg, and)| (k, 2 * n, neg, and)), 1..6)
}

fn build(fs: &mut Formulas, t: TermId, atoms: &[(usize, i64, bool, bool)]) -> FormulaId {
    atoms.iter().fold(FormulaId::FALSE, |f, (kind, n, negated, and)| {
        let mut g = atom(fs, t, *kind, *n);
        if *negated {
            g = fs.not(g).unwrap();
        }
        if *and { fs.and(f, g).unwrap() } else { fs.or(f, g).unwrap() }
    })
}

fn table(atoms: &[(usize, i64, bool, bool)], strings: bool) -> Vec<bool> {
    let truth = |(v, value): &(Value, Option<i64>)| {
        atoms.iter().fold(false, |f, (kind, n, negated, and)| {
            let g = holds(*kind, *n, v, *value) != *negated;
            if *and { f && g } else { f || g }
        })
    };
    values(strings).iter().map(truth).collect()
}

fn inside(literal: &Literal, value: &Value) -> bool {
    let above = |b: &Bound, v: &Number| match &b.value.data {
        Data::Number(n) => *v > **n || (b.inclusive && *v == **n),
        _ => panic!(),
    };
    let below = |b: &Bound, v: &Number| match &b.value.data {
        Data::Number(n) => *v < **n || (b.inclusive && *v == **n),
        _ => panic!(),
    };
    let range = |r: &Range| match &value.data {
        Data::Number(v) => {
            r.low.as_ref().is_none_or(|b| above(b, v)) && r.high.as_ref().is_none_or(|b| below(b, v))
        }
        _ => false,
    };
    (literal.values.contains(value) || literal.ranges.iter().any(range)) != literal.negated
}

proptest! {
    #[test]
    fn the_line_agrees_with_brute_force(a in atoms(), b in atoms(), strings in any::<bool>()) {
        let mut fs = Formulas::default();
        let t = fs.term("t", if strings { Domain::Open } else { Domain::Number });
        let (f, g) = (build(&mut fs, t, &a), build(&mut fs, t, &b));
        let of = |f| values(strings).iter().map(|(v, _)| fs.evaluate(f, &|_| Some(v.clone())).unwrap()).collect::<Vec<_>>();
        prop_assert_eq!(of(f), table(&a, strings));
        prop_assert_eq!(f == g, table(&a, strings) == table(&b, strings));
        for (i, (v, _)) in values(strings).iter().enumerate() {
            let fixed = fs.restrict(f, t, v).unwrap();
            prop_assert_eq!(fixed == FormulaId::TRUE, table(&a, strings)[i]);
        }
        let cubes = fs.cubes(f, 10).unwrap();
        for ((v, _), expected) in values(strings).iter().zip(table(&a, strings)) {
            prop_assert_eq!(cubes.iter().any(|c| c.iter().all(|l| inside(l, v))), expected);
        }
        prop_assert!(cubes.len() <= 1);
        prop_assert_eq!(fs.models(f, 100).unwrap().is_empty(), f == FormulaId::FALSE);
    }

    #[test]
    fn a_universe_of_numbers_agrees_too(a in atoms(), b in atoms(), enforced in any::<bool>()) {
        let mut fs = Formulas::default();
        let universe: Vec<Value> = [4, 0, 7].into_iter().map(number).collect();
        let t = fs.term("t", Domain::Closed { values: universe.clone(), enforced });
        let (f, g) = (build(&mut fs, t, &a), build(&mut fs, t, &b));
        let pick = |table: Vec<bool>| [table[5], table[1], table[8]];
        let (p, q) = (pick(table(&a, true)), pick(table(&b, true)));
        let of = universe.iter().map(|v| fs.evaluate(f, &|_| Some(v.clone())).unwrap()).collect::<Vec<_>>();
        prop_assert_eq!(of, p.to_vec());
        prop_assert_eq!(fs.equivalent(f, g).unwrap(), p == q);
        if enforced {
            prop_assert_eq!(f == g, p == q);
        }
    }
}

#[test]
fn comparisons_and_equality_know_each_other() {
    let mut fs = Formulas::default();
    let t = fs.term("t", Domain::Number);
    let less = fs.compare(t, Comparison::Less, &number(5)).unwrap();
    let more = fs.compare(t, Comparison::GreaterOrEqual, &number(5)).unwrap();
    let five = fs.eq(t, &number(5)).unwrap();
    assert_eq!(fs.not(less).unwrap(), more);
    assert!(fs.implies(five, more).unwrap() && fs.disjoint(five, less).unwrap());
    let write = |v: &Value| match &v.data {
        Data::Number(n) if **n == Number::from(3) => "3".to_owned(),
        _ => "5".to_owned(),
    };
    let name = |_| Some(TermText { text: "var.n".into(), binding: Binding::Primary, nullable: false });
    let three = fs.compare(t, Comparison::Greater, &number(3)).unwrap();
    let f = fs.and(three, less).unwrap();
    let cubes = fs.cubes(f, 1).unwrap();
    assert_eq!(fs.cubes_text(&cubes, &name, &write).unwrap(), "var.n > 3 && var.n < 5");
    let f = fs.or(f, five).unwrap();
    let cubes = fs.cubes(f, 1).unwrap();
    assert_eq!(fs.cubes_text(&cubes, &name, &write).unwrap(), "var.n > 3 && var.n <= 5");
    let open = fs.term("o", Domain::Open);
    let (a, b) = (atom(&mut fs, open, 0, 5), atom(&mut fs, open, 3, 5));
    let is_number = fs.or(a, b).unwrap();
    assert_ne!(is_number, FormulaId::TRUE);
    let cubes = fs.cubes(is_number, 1).unwrap();
    assert_eq!(fs.cubes_text(&cubes, &name, &write).unwrap(), "var.n <= var.n");
}

fn fraction(text: &str) -> Value {
    Value { data: Data::Number(Number::parse(text).unwrap().into()), ..number(0) }
}

fn float(f: f64) -> Value {
    Value { data: Data::Number(Number::from_f64(f).unwrap().into()), ..number(0) }
}

#[test]
fn constants_are_equal_where_the_operator_says_so() {
    let list = |items: Vec<Value>| Value {
        ty: Type::List(Type::Number.into()),
        data: Data::Seq(items.into()),
        marks: Marks::NONE,
    };
    let values = [
        number(1),
        fraction("1"),
        fraction("1.0"),
        float(1.0),
        fraction("0.1"),
        float(0.1),
        fraction("0.5"),
        float(0.5),
        text("1"),
        text("0.1"),
        truth(true),
        text("true"),
        null(Type::Number),
        null(Type::String),
        list(vec![fraction("0.1")]),
        list(vec![float(0.1)]),
        list(vec![number(1)]),
    ];
    let mut fs = Formulas::default();
    let t = fs.term("t", Domain::Open);
    for a in &values {
        for b in &values {
            let same = fs.eq(t, a).unwrap() == fs.eq(t, b).unwrap();
            assert_eq!(Some(same), ops::decide(a, b), "{a:?} {b:?}");
            let f = fs.eq(t, a).unwrap();
            assert_eq!(fs.evaluate(f, &|_| Some(b.clone())), Some(same), "{a:?} {b:?}");
        }
    }
}

#[test]
fn what_is_compared_by_rounding_is_refused() {
    let mut fs = Formulas::default();
    let t = fs.term("t", Domain::Number);
    assert!(fs.compare(t, Comparison::Less, &fraction("0.5")).is_ok());
    assert_eq!(fs.compare(t, Comparison::Less, &fraction("0.1")), Err(Refusal::NotConstant));
    assert_eq!(fs.eq(t, &fraction("0.33333333333333333334")), Err(Refusal::NotConstant));
    let half = fs.compare(t, Comparison::Less, &fraction("0.5")).unwrap();
    assert_eq!(fs.evaluate(half, &|_| Some(float(0.1))), Some(true));
    assert_eq!(fs.evaluate(half, &|_| Some(fraction("0.33333333333333333334"))), None);
}
