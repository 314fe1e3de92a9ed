//! How much of a review is reported: a row before and after costs what it takes, in every environment.
//!
//! In: environments with what differs. Out: the same without the fields for which nothing is left, and their names. Invariant: a field is in all
//! environments or in none, so that what is left out is told once. Absent on purpose: instances, which the matrices bound.

use super::MOST_BYTES;
use super::review::Environment;
use std::collections::{BTreeSet, HashMap};

/// The bytes that a row takes besides its cells and its name.
const ROW: usize = 128;

/// Leaves out fields beyond what is reported, and names them.
pub fn leave_out_beyond(environments: &mut [Environment]) -> BTreeSet<String> {
    leave_out(environments, MOST_BYTES)
}

fn leave_out(environments: &mut [Environment], most: usize) -> BTreeSet<String> {
    let mut costs: HashMap<&str, usize> = HashMap::new();
    let mut order: Vec<&str> = Vec::new();
    for (field, before, after) in environments.iter().flat_map(|env| &env.values) {
        let cost = costs.entry(field).or_insert_with(|| {
            order.push(field);
            0
        });
        *cost = cost.saturating_add(ROW + field.len() + before.size() + after.size());
    }
    let mut sum: usize = 0;
    let mut is_beyond = |field: &&str| {
        sum = sum.saturating_add(costs.get(*field).copied().unwrap_or_default());
        sum > most
    };
    let beyond: BTreeSet<String> =
        order.iter().filter(|field| is_beyond(field)).map(|field| (*field).to_owned()).collect();
    if !beyond.is_empty() {
        for env in environments {
            env.values.retain(|(field, ..)| !beyond.contains(field));
        }
    }
    beyond
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Cell;
    use crate::value::Value;
    use std::sync::Arc;

    fn environment(sizes: &[(&str, usize)]) -> Environment {
        let cell = |size: usize| Arc::new(Cell::Resolved(Value::string("x".repeat(size))));
        let values = sizes.iter().map(|(field, size)| ((*field).to_owned(), cell(*size), cell(*size)));
        Environment { values: values.collect(), ..Environment::default() }
    }

    #[test]
    fn a_field_is_left_out_of_all_environments() {
        let mut all = [environment(&[("a", 10), ("b", 10)]), environment(&[("a", 10), ("b", 5000)])];
        assert_eq!(leave_out(&mut all, 1 << 20), BTreeSet::new());
        assert_eq!(leave_out(&mut all, 5000), BTreeSet::from(["b".to_owned()]));
        assert!(all.iter().all(|env| env.values.len() == 1));
    }
}
