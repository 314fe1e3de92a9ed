//! What people read of a review: environments that are alike stand together, and what differs stands alone.
//!
//! In: a review. Out: its environments in groups, those with a difference first, in their order. Invariant: each environment is in one
//! group, and everything that differs in it is said there. Programs get every environment by itself.

use crate::matrix::Cell;
use crate::matrix::review::{Environment, Planned, Review};
use crate::specialise::originals::without_keys;
use crate::text::one_line;
use std::sync::Arc;

/// Environments in which the same differs.
pub(super) struct Group<'a> {
    /// All of them; the first one tells what differs.
    all: Vec<&'a Environment>,
    /// The first one.
    pub env: &'a Environment,
    /// Whether nothing differs.
    pub is_same: bool,
}

impl Group<'_> {
    /// The names, each with whether the environment itself came or went.
    pub fn names(&self) -> String {
        let name = |e: &&Environment| format!("{}{}", one_line(&e.name), news(e));
        self.all.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// The environments in groups.
pub(super) fn groups(review: &Review) -> Vec<Group<'_>> {
    let mut found: Vec<Group<'_>> = Vec::new();
    for env in &review.environments {
        match found.iter_mut().find(|g| alike(g.env, env)) {
            Some(group) => group.all.push(env),
            None => found.push(Group { all: vec![env], env, is_same: is_same(env) }),
        }
    }
    found.sort_by_key(|g| g.is_same);
    found
}

/// Two plans are never put together: each has its own text.
fn alike(a: &Environment, b: &Environment) -> bool {
    let planned = |e: &Environment| e.plan.is_some() && !is_same(e);
    !planned(a)
        && !planned(b)
        && (a.before, a.after) == (b.before, b.after)
        && a.instances == b.instances
        && a.values == b.values
}

fn is_same(env: &Environment) -> bool {
    let plan = match &env.plan {
        None => true,
        Some(Planned::Made(made)) => made.resources.is_empty(),
        Some(Planned::Failed(_)) => false,
    };
    env.values.is_empty() && env.instances.is_empty() && plan && env.before == env.after
}

/// Whether the environment itself came or went.
fn news(env: &Environment) -> &'static str {
    match (env.before, env.after) {
        (false, true) => " (new)",
        (true, false) => " (gone)",
        _ => "",
    }
}

/// Fields with another value, each with what differs of it: of a repeated declaration only the instances that have another value. One
/// that came or went is named among the instances.
pub(super) fn values(env: &Environment) -> impl Iterator<Item = (&str, Arc<Cell>, Arc<Cell>)> {
    env.values.iter().filter_map(|(field, old, new)| match (&**old, &**new) {
        (Cell::Instances(before), Cell::Instances(after)) => {
            let own = |address: &str| {
                let argument = field.strip_prefix(&without_keys(address));
                argument.is_some_and(|rest| rest.starts_with('.'))
            };
            let told = |keys: &str| env.instances.iter().any(|(a, ..)| a.ends_with(keys) && own(a));
            let differs = |k: &String| before.get(k) != after.get(k);
            let both = |k: &String| before.contains_key(k) && after.contains_key(k);
            let shown = |k: &String| differs(k) && (both(k) || !told(k));
            let part = |all: &std::collections::BTreeMap<String, Cell>| {
                let kept = all.iter().filter(|(k, _)| shown(k));
                Arc::new(Cell::Instances(kept.map(|(k, c)| (k.clone(), c.clone())).collect()))
            };
            let some = before.keys().chain(after.keys()).any(shown);
            some.then(|| (field.as_str(), part(before), part(after)))
        }
        _ => Some((field.as_str(), old.clone(), new.clone())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    fn cell(pairs: &[(&str, &str)]) -> Arc<Cell> {
        let one = |(k, v): &(&str, &str)| ((*k).to_owned(), Cell::Resolved(Value::string(*v)));
        Arc::new(Cell::Instances(pairs.iter().map(one).collect()))
    }

    fn environment(name: &str, values: Vec<(String, Arc<Cell>, Arc<Cell>)>) -> Environment {
        Environment { name: name.into(), before: true, after: true, values, ..Environment::default() }
    }

    #[test]
    fn environments_that_are_alike_stand_together() {
        let changed = || vec![("a.b.c".to_owned(), cell(&[("[0]", "x")]), cell(&[("[0]", "y")]))];
        let environments = vec![
            environment("dev", Vec::new()),
            environment("live", changed()),
            environment("qa", Vec::new()),
            Environment { before: false, ..environment("new", Vec::new()) },
            environment("prod", changed()),
        ];
        let review = Review { environments, ..Review::default() };
        let found: Vec<(String, bool)> = groups(&review).iter().map(|g| (g.names(), g.is_same)).collect();
        let want = [("live, prod", false), ("new (new)", false), ("dev, qa", true)];
        assert_eq!(found, want.map(|(n, s)| (n.to_owned(), s)));
    }

    #[test]
    fn only_instances_that_differ_are_shown() {
        let old = cell(&[("[\"a\"]", "1"), ("[\"b\"]", "2"), ("[\"c\"]", "3")]);
        let new = cell(&[("[\"a\"]", "1"), ("[\"b\"]", "4")]);
        let mut env = environment("dev", vec![("r.x.v".into(), old.clone(), new)]);
        env.instances = vec![("r.x[\"c\"]".into(), true, false)];
        let shown: Vec<_> = values(&env).collect();
        assert_eq!(shown, [("r.x.v", cell(&[("[\"b\"]", "2")]), cell(&[("[\"b\"]", "4")]))]);
        env.values = vec![("r.x.v".into(), old, cell(&[("[\"a\"]", "1"), ("[\"b\"]", "2")]))];
        assert_eq!(values(&env).count(), 0);
        env.instances = vec![("r.y[\"c\"]".into(), true, false)];
        assert_eq!(values(&env).count(), 1, "what nothing else says is shown");
    }
}
