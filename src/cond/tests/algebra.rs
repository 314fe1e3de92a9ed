//! Meaning: canonical ids, operations, universes.

use super::*;

proptest! {
    #[test]
    fn equal_tables_have_equal_ids(a in tree(), b in tree()) {
        let mut w = World::new();
        let (f, g) = (w.build(&a), w.build(&b));
        prop_assert_eq!(w.table_of(f), w.table(&a));
        prop_assert_eq!(w.table(&a) == w.table(&b), f == g);
    }

    #[test]
    fn every_way_to_say_it_has_one_id(a in tree(), b in tree()) {
        let mut w = World::new();
        let (f, g) = (w.build(&a), w.build(&b));
        let fs = &mut w.formulas;
        let both = fs.and(f, g).unwrap();
        let (nf, ng) = (fs.not(f).unwrap(), fs.not(g).unwrap());
        let either = fs.or(nf, ng).unwrap();
        prop_assert_eq!(fs.not(either).unwrap(), both);
        prop_assert_eq!(fs.and(g, f).unwrap(), both);
        let (l, r) = (fs.minus(f, g).unwrap(), fs.minus(g, f).unwrap());
        prop_assert_eq!(fs.or(l, r).unwrap(), fs.xor(f, g).unwrap());
        let same = fs.iff(f, g).unwrap();
        prop_assert_eq!(fs.xor(f, ng).unwrap(), same);
    }

    #[test]
    fn questions_agree_with_the_tables(a in tree(), b in tree()) {
        let mut w = World::new();
        let (f, g) = (w.build(&a), w.build(&b));
        let rows: Vec<Vec<usize>> =
            w.rows().into_iter().filter(|r| w.is_inside(r, &[0, 1, 2, 3, 4])).collect();
        let pairs: Vec<(bool, bool)> = rows.iter().map(|r| (w.truth(&a, r), w.truth(&b, r))).collect();
        let fs = &mut w.formulas;
        prop_assert_eq!(fs.implies(f, g).unwrap(), pairs.iter().all(|(p, q)| !p || *q));
        prop_assert_eq!(fs.disjoint(f, g).unwrap(), pairs.iter().all(|(p, q)| !(*p && *q)));
        prop_assert_eq!(fs.equivalent(f, g).unwrap(), pairs.iter().all(|(p, q)| p == q));
        prop_assert_eq!(fs.is_true(f).unwrap(), pairs.iter().all(|(p, _)| *p));
        prop_assert_eq!(fs.is_false(f).unwrap(), pairs.iter().all(|(p, _)| !p));
        prop_assert_eq!(fs.within(f).unwrap() == fs.within(g).unwrap(), pairs.iter().all(|(p, q)| p == q));
    }

    #[test]
    fn restriction_fixes_a_term(a in tree(), t in 0..TERMS, v in 0..5usize) {
        let mut w = World::new();
        let f = w.build(&a);
        let v = v % w.values[t].len();
        let fixed = w.formulas.restrict(f, w.terms[t], &w.values[t][v]).unwrap();
        prop_assert!(!w.formulas.terms(fixed).contains(&w.terms[t]));
        let expected: Vec<bool> = w.rows().into_iter().map(|mut row| { row[t] = v; w.truth(&a, &row) }).collect();
        prop_assert_eq!(w.table_of(fixed), expected);
    }

    #[test]
    fn partial_values_decide_what_they_can(a in tree(), known in proptest::collection::vec(any::<bool>(), TERMS), pick in 0..750usize) {
        let mut w = World::new();
        let f = w.build(&a);
        let rows = w.rows();
        let row = &rows[pick % rows.len()];
        let got = w.formulas.evaluate(f, &|t| known[w.index(t)].then(|| w.at(row, t)));
        let agrees = |r: &&Vec<usize>| (0..TERMS).all(|t| !known[t] || r[t] == row[t]);
        let outcomes: Vec<bool> = rows.iter().filter(agrees).map(|r| w.truth(&a, r)).collect();
        let expected = outcomes.iter().all(|o| *o == outcomes[0]).then(|| outcomes[0]);
        prop_assert_eq!(got, expected);
    }

    #[test]
    fn every_case_is_in_a_model(a in tree()) {
        let mut w = World::new();
        let f = w.build(&a);
        let models = w.formulas.models(f, 1000).unwrap();
        let known = |pick: &Pick, value: &Value, term: usize| match pick {
            Pick::Value(v) => v == value,
            Pick::Between(_) => false,
            // "Other" means: named neither by the universe nor by the formula.
            Pick::Other => !models.iter().flatten().any(|(t, p)| w.index(*t) == term && *p == Pick::Value(value.clone())),
        };
        for row in w.rows() {
            let fits = |m: &&Model| m.iter().all(|(t, p)| known(p, &w.at(&row, *t), w.index(*t)));
            let count = models.iter().filter(fits).count();
            if w.truth(&a, &row) {
                prop_assert!(count >= 1);
            }
        }
        for model in &models {
            let value = |t: TermId| match &model.iter().find(|(u, _)| *u == t)?.1 {
                Pick::Value(v) => Some(v.clone()),
                Pick::Between(_) => None,
                Pick::Other => Some(text("nowhere named")),
            };
            prop_assert_eq!(w.formulas.evaluate(f, &value), Some(true));
        }
    }
}

#[test]
fn two_values_exclude_each_other_and_a_universe_is_exhausted() {
    let mut fs = Formulas::default();
    let open = fs.term("open", Domain::Open);
    let (a, b) = (fs.eq(open, &text("a")).unwrap(), fs.eq(open, &text("b")).unwrap());
    assert_eq!(fs.and(a, b).unwrap(), FormulaId::FALSE);
    let closed = fs.term("closed", Domain::Closed { values: texts(&["a", "b"]), enforced: true });
    let (a, b) = (fs.eq(closed, &text("a")).unwrap(), fs.eq(closed, &text("b")).unwrap());
    assert_eq!(fs.or(a, b).unwrap(), FormulaId::TRUE);
    assert_eq!(fs.not(a).unwrap(), b);
    let assumed = fs.term("assumed", Domain::Closed { values: texts(&["a", "b"]), enforced: false });
    let (a, b) = (fs.eq(assumed, &text("a")).unwrap(), fs.eq(assumed, &text("b")).unwrap());
    let any = fs.or(a, b).unwrap();
    assert!(fs.is_true(any).unwrap() && any != FormulaId::TRUE);
    let not_a = fs.not(a).unwrap();
    assert_eq!(fs.or(a, not_a).unwrap(), FormulaId::TRUE);
}

#[test]
fn constants_are_one_where_terraform_says_equal() {
    let mut fs = Formulas::default();
    let t = fs.term("t", Domain::Open);
    let eq = |fs: &mut Formulas, v: &Value| fs.eq(t, v).unwrap();
    assert_eq!(eq(&mut fs, &null(Type::String)), eq(&mut fs, &null(Type::Dynamic)));
    assert_ne!(eq(&mut fs, &text("true")), eq(&mut fs, &truth(true)));
    let secret = Value { marks: Marks::one(Mark::Sensitive), ..text("s") };
    let plain = eq(&mut fs, &text("s"));
    assert_eq!(eq(&mut fs, &secret), plain);
    let cubes = fs.cubes(plain, 1).unwrap();
    assert!(cubes[0][0].values[0].marks.has(Mark::Sensitive), "the mark outlives the merge");
    let list = |ty, items: Vec<Value>| Value { ty, data: Data::Seq(items.into()), marks: Marks::NONE };
    let hidden = list(Type::List(Type::String.into()), vec![secret]);
    let shown = list(Type::List(Type::String.into()), texts(&["s"]));
    let tuple = list(Type::Tuple(Arc::from([Type::String])), texts(&["s"]));
    assert_eq!(eq(&mut fs, &hidden), eq(&mut fs, &shown));
    assert_ne!(eq(&mut fs, &tuple), eq(&mut fs, &shown));
    let unknown = Value { ty: Type::String, data: Data::Unknown(None), marks: Marks::NONE };
    assert_eq!(fs.eq(t, &unknown), Err(Refusal::NotConstant));
    assert_eq!(fs.compare(t, Comparison::Less, &text("5")), Err(Refusal::NotConstant));
}

#[test]
fn keys_with_other_domains_are_other_terms() {
    let mut fs = Formulas::default();
    let open = fs.term("t", Domain::Open);
    assert_eq!(fs.term("t", Domain::Open), open);
    let closed = fs.term("t", Domain::Closed { values: texts(&["a"]), enforced: true });
    assert_ne!(closed, open);
    assert_eq!(fs.term("t", Domain::Closed { values: vec![], enforced: true }), open);
    assert_eq!(fs.key(closed), "t");
    assert_eq!(fs.universe(closed), texts(&["a"]));
    let only = fs.eq(closed, &text("a")).unwrap();
    assert_eq!(only, FormulaId::TRUE);
}
