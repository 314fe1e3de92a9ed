//! Cubes: equivalent, irredundant, readable.

use super::*;

proptest! {
    #[test]
    fn cubes_say_the_same_and_nothing_twice(a in tree()) {
        let mut w = World::new();
        let f = w.build(&a);
        let cubes = w.formulas.cubes(f, 100).unwrap();
        let table = w.table(&a);
        prop_assert_eq!(w.table_of_cubes(&cubes), table.clone());
        for i in 0..cubes.len() {
            let mut fewer = cubes.clone();
            fewer.remove(i);
            prop_assert_ne!(w.table_of_cubes(&fewer), table.clone());
            for j in 0..cubes[i].len() {
                let mut looser = cubes.clone();
                looser[i].remove(j);
                prop_assert_ne!(w.table_of_cubes(&looser), table.clone());
            }
        }
    }

    #[test]
    fn only_the_given_cases_matter(a in tree(), b in tree()) {
        let mut w = World::new();
        let (f, care) = (w.build(&a), w.build(&b));
        let cubes = w.formulas.cubes_given(f, care, 100).unwrap();
        for row in w.rows() {
            if w.truth(&b, &row) {
                prop_assert_eq!(w.cubes_hold(&cubes, &row), w.truth(&a, &row));
            }
        }
    }

    #[test]
    fn the_result_depends_on_nothing_else(a in tree(), b in tree()) {
        let mut fresh = World::new();
        let f = fresh.build(&a);
        let expected = fresh.formulas.cubes(f, 100).unwrap();
        let mut used = World::new();
        used.build(&b);
        let f = used.build(&a);
        prop_assert_eq!(used.formulas.cubes(f, 100).unwrap(), expected);
    }
}

/// `f` as `open∈{a,b} & bool∉{true} | …`.
fn spelled(w: &mut World, tree: &Tree) -> String {
    let f = w.build(tree);
    let cubes = w.formulas.cubes(f, 100).unwrap();
    let value = |v: &Value| match &v.data {
        Data::String(s) => s.to_string(),
        Data::Bool(b) => b.to_string(),
        _ => "?".into(),
    };
    let literal = |l: &Literal| {
        let values: Vec<String> = l.values.iter().map(value).collect();
        format!("{}{}{{{}}}", w.formulas.key(l.term), if l.negated { "∉" } else { "∈" }, values.join(","))
    };
    let cube = |c: &Cube| c.iter().map(literal).collect::<Vec<_>>().join(" & ");
    cubes.iter().map(cube).collect::<Vec<_>>().join(" | ")
}

fn eq(t: usize, c: usize) -> Tree {
    Tree::Eq(t, c)
}

fn or(a: Tree, b: Tree) -> Tree {
    Tree::Or(Box::new(a), Box::new(b))
}

fn and(a: Tree, b: Tree) -> Tree {
    Tree::And(Box::new(a), Box::new(b))
}

fn not(a: Tree) -> Tree {
    Tree::Not(Box::new(a))
}

#[test]
fn values_of_one_term_are_one_list() {
    let mut w = World::new();
    assert_eq!(spelled(&mut w, &or(eq(0, 2), or(eq(0, 0), eq(0, 1)))), "open∈{a,b,c}");
    assert_eq!(spelled(&mut w, &not(or(eq(0, 1), eq(0, 0)))), "open∉{a,b}");
    assert_eq!(spelled(&mut w, &not(eq(1, 0))), "closed∉{a}");
    assert_eq!(spelled(&mut w, &not(eq(2, 0))), "bool∈{false}");
    assert_eq!(
        spelled(&mut w, &or(and(eq(0, 0), eq(2, 0)), and(eq(0, 1), eq(2, 0)))),
        "open∈{a,b} & bool∈{true}"
    );
}

#[test]
fn literals_that_others_make_needless_go() {
    let mut w = World::new();
    assert_eq!(spelled(&mut w, &or(eq(0, 0), eq(2, 0))), "open∈{a} | bool∈{true}");
    let tree = or(eq(0, 0), and(and(not(eq(0, 0)), not(eq(0, 1))), eq(2, 0)));
    assert_eq!(spelled(&mut w, &tree), "open∈{a} | open∉{b} & bool∈{true}");
    assert_eq!(spelled(&mut w, &or(eq(0, 0), not(eq(0, 0)))), "");
    let f = w.build(&and(eq(0, 0), eq(0, 1)));
    assert!(w.formulas.cubes(f, 1).unwrap().is_empty());
}

#[test]
fn the_order_of_interning_leaves_no_trace() {
    let build = |first: &str| {
        let mut fs = Formulas::default();
        let (x, y) = (fs.term("x", Domain::Open), fs.term("y", Domain::Open));
        fs.eq(x, &text(first)).unwrap();
        fs.eq(y, &text(first)).unwrap();
        let mut pairs = FormulaId::FALSE;
        for v in texts(&["a", "b", "c"]) {
            let (p, q) = (fs.eq(x, &v).unwrap(), fs.eq(y, &v).unwrap());
            let both = fs.and(p, q).unwrap();
            pairs = fs.or(pairs, both).unwrap();
        }
        fs.cubes(pairs, 3).unwrap()
    };
    assert_eq!(build("a"), build("c"));
    assert_eq!(build("a")[0][0].values, texts(&["a"]));
}
