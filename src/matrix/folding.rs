//! Rows of a matrix that a person need not read: they repeat which instances there are, or only hand on a value that has a row.
//!
//! In: a matrix without the rows that don't differ, the configuration. Out: the rows that are folded, each with the reason. Invariant: what a
//! folded row says is said by rows and instances that stay. Absent on purpose: leaving any of them out, which is for reports.

use super::presence::bare;
use super::{Cell, Fold, Instances, Matrix, Row, sources};
use crate::config::Config;
use crate::value::{Data, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The source of a value, the names that lead into it, and its cells.
type Chain<'m> = (&'m str, &'m [String], Vec<&'m Cell>);

impl Matrix {
    /// Notes which rows are folded. `stay`: the fields whose rows are read in any case.
    pub fn fold(&mut self, config: &Config, stay: &BTreeSet<String>) {
        let mut patterns: BTreeMap<String, BTreeSet<Vec<bool>>> = BTreeMap::new();
        for one in self.instances.iter().filter(|one| one.cells.iter().all(Option::is_some)) {
            let pattern = pattern(one);
            for (at, _) in one.address.match_indices('.').chain([(one.address.len(), "")]) {
                let owner = one.address.get(..at).unwrap_or_default().to_owned();
                patterns.entry(owner).or_default().insert(pattern.clone());
            }
        }
        let told_by = owners_of_what_differs(&self.instances);
        let is_open = |row: &&Row| !stay.contains(&row.field);
        let told: BTreeSet<String> = self
            .rows
            .iter()
            .filter(is_open)
            .filter(|row| is_presence(row, &patterns) || repeats_instances(row, &told_by))
            .map(|row| row.field.clone())
            .collect();
        let left = || self.rows.iter().filter(|row| !told.contains(&row.field));
        let origins = sources(config, left().map(|row| &*row.field));
        let mut chains: HashMap<Chain<'_>, Vec<(&Row, bool)>> = HashMap::new();
        for row in left() {
            if let Some(origin) = origins.get(&row.field) {
                let cells = row.cells.iter().map(|cell| cell.alike()).collect();
                let chain = chains.entry((&origin.source, &origin.path, cells)).or_default();
                chain.push((row, origin.is_end || stay.contains(&row.field)));
            }
        }
        let mut folds: BTreeMap<String, Fold> = BTreeMap::new();
        for chain in chains.values() {
            let has_end = chain.iter().any(|(_, is_end)| *is_end);
            let hands_on =
                |(at, (_, is_end)): &(usize, &(&Row, bool))| if has_end { !is_end } else { *at > 0 };
            let folded = chain.iter().enumerate().filter(hands_on);
            folds.extend(folded.map(|(_, (row, _))| (row.field.clone(), Fold::HandedOn)));
        }
        folds.extend(told.into_iter().map(|field| (field, Fold::Instances)));
        self.folds = folds;
    }

    /// The rows that people read.
    pub fn read_rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| !self.folds.contains_key(&row.field))
    }
}

/// The declarations and modules, without keys, in which instances differ, and are known in every environment.
fn owners_of_what_differs(instances: &[Instances]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let is_known = |one: &&Instances| one.differs() && one.cells.iter().all(Option::is_some);
    for one in instances.iter().filter(is_known) {
        let address = bare(&one.address);
        let ends = address.match_indices('.').map(|(at, _)| at).chain([address.len()]);
        out.extend(ends.filter_map(|at| address.get(..at)).map(str::to_owned));
    }
    out
}

/// Returns true if a row is a `count` or `for_each`, and the instances say all that differs in it.
fn repeats_instances(row: &Row, told_by: &BTreeSet<String>) -> bool {
    let owner = row.field.strip_suffix(".count").or_else(|| row.field.strip_suffix(".for_each"));
    let pairs =
        || row.cells.windows(2).all(|pair| matches!(pair, [a, b] if a == b || is_told_by_instances(a, b)));
    owner.is_some_and(|owner| told_by.contains(owner)) && pairs()
}

/// In which environments there is an instance.
fn pattern(one: &Instances) -> Vec<bool> {
    one.cells.iter().map(|cell| cell.as_ref().is_some_and(|all| !all.is_empty())).collect()
}

/// Returns true if a row differs in nothing but where there is an instance of its declaration, or anything in its module.
fn is_presence(row: &Row, patterns: &BTreeMap<String, BTreeSet<Vec<bool>>>) -> bool {
    let there: Vec<bool> = row.cells.iter().map(|cell| **cell != Cell::Absent).collect();
    let mut values: Vec<&Arc<Cell>> = row.cells.iter().filter(|cell| ***cell != Cell::Absent).collect();
    values.dedup_by(|a, b| a.alike() == b.alike());
    let is_known = |owner: &str| patterns.get(owner).is_some_and(|all| all.contains(&there));
    let owners = row.field.match_indices('.').filter_map(|(at, _)| row.field.get(..at));
    values.len() == 1
        && there.contains(&false)
        && !matches!(values.first().map(|cell| cell.alike()), Some(Cell::Unbounded { term: None, .. }))
        && owners.into_iter().any(is_known)
}

/// Returns true if two values of `count` or `for_each` differ in nothing but which instances there are.
pub fn is_told_by_instances(before: &Cell, after: &Cell) -> bool {
    match (before, after) {
        (Cell::Resolved(old), Cell::Resolved(new)) => match (&old.data, &new.data) {
            (Data::Map(old), Data::Map(new)) => old.iter().all(|(key, value)| {
                let shown = |value: &Value| Cell::Resolved(value.clone());
                new.get(key).is_none_or(|other| shown(other) == shown(value))
            }),
            (Data::Number(_), Data::Number(_)) | (Data::Seq(_), Data::Seq(_)) => true,
            _ => false,
        },
        (Cell::Instances(old), Cell::Instances(new)) => old.iter().all(|(keys, cell)| {
            new.get(keys).is_none_or(|other| cell == other || is_told_by_instances(cell, other))
        }),
        (Cell::Absent, Cell::Resolved(_)) | (Cell::Resolved(_), Cell::Absent) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str) -> Cell {
        Cell::Resolved(Value::string(text))
    }

    #[test]
    fn a_map_of_keys_that_stay_with_other_values_is_not_told_by_instances() {
        let map = |all: &[(&str, &str)]| {
            Cell::Resolved(Value::object(all.iter().map(|(k, v)| (Arc::from(*k), Value::string(*v)))))
        };
        assert!(is_told_by_instances(&map(&[("a", "1")]), &map(&[("a", "1"), ("b", "2")])));
        assert!(!is_told_by_instances(&map(&[("a", "1")]), &map(&[("a", "3"), ("b", "2")])));
        assert!(!is_told_by_instances(&resolved("a"), &resolved("b")));
    }

    #[test]
    fn a_row_that_is_there_where_its_instance_is() {
        let instances = Instances {
            address: "module.m.t.n".into(),
            cells: vec![Some(Vec::new()), Some(vec![Default::default()])],
        };
        let row =
            |field: &str, cells: [Cell; 2]| Row { field: field.into(), cells: cells.map(Arc::new).to_vec() };
        let mut matrix = Matrix { instances: vec![instances], ..Matrix::default() };
        matrix.rows = vec![
            row("module.m.t.n.a", [Cell::Absent, resolved("x")]),
            row("module.m.arg", [Cell::Absent, resolved("x")]),
            row("module.m.t.n.b", [resolved("y"), resolved("x")]),
            row("t.other.a", [Cell::Absent, resolved("x")]),
        ];
        matrix.fold(&Config::default(), &BTreeSet::new());
        let read: Vec<&str> = matrix.read_rows().map(|row| row.field.as_str()).collect();
        assert_eq!(read, ["module.m.t.n.b", "t.other.a"]);
    }
}
