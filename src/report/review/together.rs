//! Groups environments in which the same differs, for the part of a review that people read.
//!
//! In: a review. Out: its environments in groups, those with a difference first, in their order. Invariant: each environment is in one
//! group, and everything that differs in it is said there. Programs get every environment by itself.

use crate::matrix::Cell;
use crate::matrix::review::{Environment, Planned, Review};
use crate::specialise::moves::originals::{keys, without_keys};
use crate::text::one_line;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

/// Environments in which the same differs.
pub(super) struct Group<'a> {
    /// All of them; the first one tells what differs.
    all: Vec<&'a Environment>,
    /// The first one.
    pub env: &'a Environment,
    /// True if nothing differs.
    pub is_same: bool,
}

impl<'a> Group<'a> {
    /// An environment by itself.
    pub fn of(env: &'a Environment) -> Group<'a> {
        Group { all: vec![env], env, is_same: is_same(env) }
    }

    /// Returns the number of environments.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// A root variable, with the places that give it its values.
    pub fn variable(&self, name: &str) -> String {
        let places = self.all.iter().filter_map(|env| env.variables.get(name)?.clone());
        let places: BTreeSet<String> = places.collect();
        match (places.first(), places.len()) {
            (None, _) => format!("var.{name}"),
            (Some(first), 1) => format!("var.{name} ({first})"),
            (Some(first), all) => format!("var.{name} ({first} and {} more)", all - 1),
        }
    }

    /// The names, each with whether the environment itself came or went.
    pub fn names(&self) -> String {
        let name = |e: &&Environment| format!("{}{}", one_line(&e.name), news(e));
        self.all.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// The environments in groups.
pub(super) fn groups(review: &Review) -> Vec<Group<'_>> {
    let mut found: Vec<Group<'_>> = Vec::new();
    let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
    for env in &review.environments {
        let near = by_hash.entry(hash(env)).or_default();
        let same = near.iter().copied().find(|at| found.get(*at).is_some_and(|g| alike(g.env, env)));
        match same.and_then(|at| found.get_mut(at)) {
            Some(group) => group.all.push(env),
            None => {
                near.push(found.len());
                found.push(Group::of(env));
            }
        }
    }
    found.sort_by_key(|g| g.is_same);
    found
}

/// Returns a hash that is equal for environments that may share a group. An environment with a plan of its own is alone.
fn hash(env: &Environment) -> u64 {
    let mut state = DefaultHasher::new();
    match is_planned(env) {
        true => env.name.hash(&mut state),
        false => (env.before, env.after, &env.instances, &env.values, &env.uncompared, &env.wholes)
            .hash(&mut state),
    }
    state.finish()
}

fn is_planned(env: &Environment) -> bool {
    env.plan.is_some() && !is_same(env)
}

/// Two plans are never put together: each has its own text.
fn alike(a: &Environment, b: &Environment) -> bool {
    !is_planned(a)
        && !is_planned(b)
        && (a.before, a.after) == (b.before, b.after)
        && a.instances == b.instances
        && a.values == b.values
        && a.uncompared == b.uncompared
        && a.wholes == b.wholes
        && a.may_go == b.may_go
        && a.variables.keys().eq(b.variables.keys())
}

/// Returns true if nothing differs in an environment.
pub(super) fn is_same(env: &Environment) -> bool {
    let plan = match &env.plan {
        None => true,
        Some(Planned::Made(made)) => made.is_none(),
        Some(Planned::Failed(_)) => false,
    };
    env.values.is_empty()
        && env.uncompared.is_empty()
        && env.instances.is_empty()
        && env.may_go().is_empty()
        && plan
        && env.before == env.after
}

/// Returns a note if the environment itself is new or gone.
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
    let news = News::of(env);
    env.values.iter().filter_map(move |(field, old, new)| match (&**old, &**new) {
        (Cell::Instances(before), Cell::Instances(after)) => {
            let told = |keys: &str| news.has(field, keys);
            let differs = |k: &String| before.get(k) != after.get(k);
            let both = |k: &String| before.contains_key(k) && after.contains_key(k);
            let shown = |k: &String| differs(k) && (both(k) || !told(k));
            let part = |all: &BTreeMap<String, Cell>| {
                let kept = all.iter().filter(|(k, _)| shown(k));
                Arc::new(Cell::Instances(kept.map(|(k, c)| (k.clone(), c.clone())).collect()))
            };
            let some = before.keys().chain(after.keys()).any(shown);
            some.then(|| (field.as_str(), part(before), part(after)))
        }
        _ => Some((field.as_str(), old.clone(), new.clone())),
    })
}

/// Instances, and modules with all that is in them, that came or went: by the declaration's address, the keys of each.
struct News(BTreeMap<String, BTreeSet<String>>);

impl News {
    fn of(env: &Environment) -> News {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let instances = env.instances.iter().map(|(address, ..)| address);
        for address in instances.chain(env.wholes.iter().map(|whole| &whole.address)) {
            all.entry(without_keys(address)).or_default().insert(keys(address));
        }
        News(all)
    }

    /// Returns true if one is told of that has these keys, or the first of them, and whose argument a field is.
    fn has(&self, field: &str, keys: &str) -> bool {
        // The declaration is one of the field's beginnings.
        let ends = field.match_indices('.').map(|(at, _)| at);
        ends.filter_map(|at| self.0.get(field.get(..at)?)).any(|own| {
            own.range(..=keys.to_owned()).next_back().is_some_and(|one| keys.starts_with(one.as_str()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Whole;
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

    #[test]
    fn what_is_in_a_module_of_a_key_that_goes_is_told_by_it() {
        let old = cell(&[("[\"a\"][0]", "1"), ("[\"b\"][0]", "1")]);
        let field = || ("module.m.r.x.v".to_owned(), old.clone(), cell(&[("[\"a\"][0]", "1")]));
        let mut env = environment("dev", vec![field()]);
        assert_eq!(values(&env).count(), 1);
        env.instances = vec![("module.m[\"b\"].r.x[0]".into(), true, false)];
        assert_eq!(values(&env).count(), 0);
        let whole = Whole { address: "module.m[\"b\"]".into(), is_new: false, is_module: true };
        let env = Environment { wholes: vec![whole], ..environment("dev", vec![field()]) };
        assert_eq!(values(&env).count(), 0);
    }
}
