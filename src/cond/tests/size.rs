//! Work stays small: counted in nodes, never in seconds.

use super::*;

fn atoms(fs: &mut Formulas, count: usize) -> Vec<FormulaId> {
    (0..count)
        .map(|i| {
            let term = fs.term(&format!("t{i}"), Domain::Open);
            fs.eq(term, &text("v")).unwrap()
        })
        .collect()
}

#[test]
fn long_chains_are_linear() {
    let mut fs = Formulas::default();
    let atoms = atoms(&mut fs, 40);
    fs.and_all(atoms.clone()).unwrap();
    fs.or_all(atoms.clone()).unwrap();
    let odd = atoms.iter().try_fold(FormulaId::FALSE, |f, a| fs.xor(f, *a)).unwrap();
    assert!(fs.size() < 10_000, "{} nodes", fs.size());
    assert_eq!(fs.terms(odd).len(), 40);
    assert_eq!(fs.xor(odd, odd).unwrap(), FormulaId::FALSE);
    assert_eq!(fs.cubes(odd, 64), Err(Refusal::OverBudget));
}

#[test]
fn a_large_universe_is_one_node() {
    let mut fs = Formulas::default();
    let values: Vec<Value> = (0..500).map(|i| text(&format!("v{i}"))).collect();
    let term = fs.term("t", Domain::Closed { values: values.clone(), enforced: true });
    let all: Vec<FormulaId> = values.iter().map(|v| fs.eq(term, v).unwrap()).collect();
    assert_eq!(fs.one_of(term, &values).unwrap(), FormulaId::TRUE);
    let before = fs.size();
    assert_eq!(fs.or_all(all).unwrap(), FormulaId::TRUE);
    assert!(fs.size() - before <= 500);
}

#[test]
fn sums_of_pairs_have_as_many_cubes_as_pairs() {
    let mut fs = Formulas::default();
    let atoms = atoms(&mut fs, 24);
    let mut f = FormulaId::FALSE;
    for pair in atoms.chunks(2) {
        let both = fs.and(pair[0], pair[1]).unwrap();
        f = fs.or(f, both).unwrap();
    }
    assert_eq!(fs.cubes(f, 12).unwrap().len(), 12);
    assert_eq!(fs.cubes(f, 11), Err(Refusal::OverBudget));
}

#[test]
fn a_hostile_order_is_refused_not_endured() {
    let mut fs = Formulas::with_budget(2_000);
    let atoms = atoms(&mut fs, 40);
    let (left, right) = atoms.split_at(20);
    let pairs: Vec<_> = left.iter().zip(right).collect();
    let built = pairs.iter().try_fold(FormulaId::FALSE, |f, (a, b)| {
        let both = fs.and(**a, **b)?;
        fs.or(f, both)
    });
    assert_eq!(built, Err(Refusal::OverBudget));
    assert!(fs.size() <= 16 * 2_000);
    assert!(fs.and(left[0], right[0]).is_ok(), "small questions still have answers");
}

#[test]
fn depth_is_bounded() {
    let mut fs = Formulas::with_budget(10_000_000);
    let atoms = atoms(&mut fs, 1200);
    assert_eq!(fs.and_all(atoms.into_iter().rev()), Err(Refusal::OverBudget));
}
