//! What of a value differs: of maps and objects the entries that do, each by itself.
//!
//! In: a field's cell before and after. Out: the parts that differ. Invariant: what is in no part is equal on both sides; of what isn't to be
//! shown nothing is taken apart. Absent on purpose: parts of lists and sets, whose elements have no names.

use crate::matrix::Cell;
use crate::value::{Data, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A part of a value, by the names that lead to it.
pub(super) type Delta = (Vec<String>, Arc<Cell>, Arc<Cell>);

/// A value that differs in more parts stands as a whole.
const MOST_PARTS: usize = 12;

/// The parts that differ.
pub(super) fn parts(before: &Arc<Cell>, after: &Arc<Cell>) -> Vec<Delta> {
    let whole = || vec![(Vec::new(), before.clone(), after.clone())];
    // What one side hides, the other doesn't tell either.
    if before.is_secret() || after.is_secret() {
        return whole();
    }
    let (Cell::Resolved(old), Cell::Resolved(new)) = (before.alike(), after.alike()) else { return whole() };
    // How many instances there are is said with the whole.
    if matches!(**before, Cell::Instances(_)) || matches!(**after, Cell::Instances(_)) {
        return whole();
    }
    let mut out = Vec::new();
    differing(&mut Vec::new(), old, new, &mut out);
    if out.is_empty() || out.len() > MOST_PARTS { whole() } else { out }
}

/// A value before and after, as people read them.
pub(super) fn texts(old: &Cell, new: &Cell) -> (String, String) {
    let (before, after) = (old.text(), new.text());
    // What isn't known reads alike: then what it is made of tells the two apart.
    if before == after { (old.told(), new.told()) } else { (before, after) }
}

fn differing(path: &mut Vec<String>, old: &Value, new: &Value, out: &mut Vec<Delta>) {
    let cell = |value: Option<&Value>| Arc::new(value.map_or(Cell::Absent, |v| Cell::Resolved(v.clone())));
    let (Data::Map(before), Data::Map(after)) = (&old.data, &new.data) else {
        if Cell::Resolved(old.clone()) != Cell::Resolved(new.clone()) {
            out.push((path.clone(), cell(Some(old)), cell(Some(new))));
        }
        return;
    };
    let names: BTreeSet<&Arc<str>> = before.iter().chain(after.iter()).map(|(name, _)| name).collect();
    for name in names {
        path.push(name.to_string());
        match (before.get(name), after.get(name)) {
            (Some(old), Some(new)) => differing(path, old, new, out),
            (old, new) => out.push((path.clone(), cell(old), cell(new))),
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Mark;

    fn object(entries: &[(&str, Value)]) -> Value {
        Value::object(entries.iter().map(|(name, value)| (Arc::from(*name), value.clone())))
    }

    fn shown(old: Value, new: Value) -> Vec<String> {
        let all = parts(&Arc::new(Cell::Resolved(old)), &Arc::new(Cell::Resolved(new)));
        all.iter().map(|(path, a, b)| format!("{} {} {}", path.join("."), a.text(), b.text())).collect()
    }

    #[test]
    fn entries_that_differ_stand_by_themselves() {
        let old = object(&[("a", Value::string("1")), ("b", Value::string("2")), ("c", Value::string("3"))]);
        let new = object(&[("a", Value::string("1")), ("b", Value::string("4")), ("d", Value::string("3"))]);
        assert_eq!(shown(old, new), ["b \"2\" \"4\"", "c \"3\" —", "d — \"3\""]);
    }

    #[test]
    fn a_secret_is_not_taken_apart() {
        let old = object(&[("a", Value::string("1")), ("b", Value::string("2").with_mark(Mark::Sensitive))]);
        let new = object(&[("a", Value::string("3")), ("b", Value::string("2"))]);
        assert_eq!(shown(old, new).len(), 1);
    }
}
