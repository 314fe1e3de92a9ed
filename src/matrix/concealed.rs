//! Two cells that differ, without what either of them hides.
//!
//! In: a cell before and after. Out: both as they may be shown. Invariant: what is a secret on one side is one on the other. Absent on purpose:
//! whether they differ.

use super::Cell;
use super::marked::{are_marked_otherwise, places_of};
use std::collections::BTreeMap;

/// Two cells that differ, as they may be shown: what is a secret on one side is one on the other, too, since a change doesn't say by
/// itself that it is none. Where the marks stand elsewhere, that is what is told.
pub(super) fn withhold_secrets(before: &Cell, after: &Cell) -> (Cell, Cell) {
    match (before, after) {
        (Cell::Resolved(old), Cell::Resolved(new)) if are_marked_otherwise(old, new) => {
            let (before, after) = places_of(old, new);
            (Cell::Marked(before), Cell::Marked(after))
        }
        (Cell::Instances(old), Cell::Instances(new)) if old.keys().eq(new.keys()) => {
            let pairs = old.iter().zip(new).map(|((keys, a), (_, b))| (keys, withhold_secrets(a, b)));
            let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
            for (keys, (a, b)) in pairs {
                before.insert(keys.clone(), a);
                after.insert(keys.clone(), b);
            }
            (Cell::Instances(before), Cell::Instances(after))
        }
        _ => (conceal_as(before, after), conceal_as(after, before)),
    }
}

fn conceal_as(own: &Cell, other: &Cell) -> Cell {
    match other.is_secret() {
        false => own.clone(),
        true if !own.is_secret() => own.conceal_value(),
        true => match (own, other) {
            // A key that is there on one side alone may hold what another one held.
            (Cell::Instances(all), Cell::Instances(of)) => {
                let one = |(keys, cell): (&String, &Cell)| {
                    let is_open = !cell.is_secret() && of.get(keys).is_none_or(Cell::is_secret);
                    (keys.clone(), if is_open { cell.conceal_value() } else { cell.clone() })
                };
                Cell::Instances(all.iter().map(one).collect())
            }
            _ => own.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Mark, Value};
    use std::sync::Arc;

    fn secret(value: Value) -> Value {
        value.with_mark(Mark::Sensitive)
    }

    fn object(entries: &[(&str, Value)]) -> Value {
        Value::object(entries.iter().map(|(name, value)| (Arc::from(*name), value.clone())))
    }

    fn told(old: &Value, new: &Value) -> [String; 2] {
        let (old, new) = (Cell::Resolved(old.clone()), Cell::Resolved(new.clone()));
        assert_ne!(old, new);
        let (before, after) = withhold_secrets(&old, &new);
        [before.text(), after.text()]
    }

    #[test]
    fn marks_that_move_are_told_by_their_places() {
        let (x, y) = (Value::string("x"), Value::string("y"));
        let old = object(&[("a", secret(x.clone())), ("b", y.clone())]);
        let new = object(&[("a", x.clone()), ("b", secret(y.clone()))]);
        assert_eq!(told(&old, &new), ["(sensitive: a)", "(sensitive: b)"]);
        let plain = object(&[("a", x.clone()), ("b", y.clone())]);
        assert_eq!(told(&old, &plain), ["(sensitive: a)", "(not sensitive)"]);
        assert_eq!(told(&plain, &secret(plain.clone())), ["(not sensitive)", "(sensitive value)"]);
        assert_eq!(told(&secret(plain.clone()), &old), ["(sensitive value)", "(sensitive in parts)"]);
        let both = ["(sensitive value, and parts of it by themselves)"; 2];
        let [a, b] = told(&secret(old.clone()), &secret(new));
        assert_eq!([a, b.replace("; at other places", "")], both);
        let other = object(&[("a", y), ("b", secret(x))]);
        assert_eq!(told(&old, &other), ["(sensitive: a)", "(sensitive: b; another value)"]);
    }

    #[test]
    fn one_value_of_many_instances_is_told_by_itself() {
        let cells = |marks: [bool; 2]| {
            let cell =
                |is: bool| Cell::Resolved(if is { secret(Value::string("x")) } else { Value::string("x") });
            let [a, b] = marks.map(cell);
            Cell::Instances(BTreeMap::from([("[0]".to_owned(), a), ("[1]".to_owned(), b)]))
        };
        let (before, after) = withhold_secrets(&cells([true, false]), &cells([false, true]));
        let want =
            ["[0] (sensitive value), [1] (not sensitive)", "[0] (not sensitive), [1] (sensitive value)"];
        assert_eq!([before.text(), after.text()], want);
    }
}
