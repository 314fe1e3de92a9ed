//! One tree against the oracle.

use super::model::{Files, Module, Repeat, Tree};
use super::oracle::{Planned, Scratch};
use super::pipeline::{self, Assignment, Refusal, Wrong};
use super::rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tf_phi::specialise::Active;

/// What is wrong with a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Its kind: shrinking keeps it.
    pub kind: &'static str,
    pub detail: String,
}

/// What was seen of a tree.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    pub fields: usize,
    pub bounded: usize,
    pub refusals: Vec<Refusal>,
    /// Assignments that Terraform accepts.
    pub accepted: usize,
    pub rejected: usize,
    /// Rejected originals whose specialised form is accepted.
    pub laxer: Vec<String>,
    /// Outputs whose values agree, and whose types don't.
    pub types: Vec<String>,
    /// Why originals are rejected.
    pub reasons: Vec<String>,
    pub specialised: bool,
    pub failure: Option<Failure>,
}

fn failure(kind: &'static str, detail: impl Into<String>) -> Option<Failure> {
    Some(Failure { kind, detail: detail.into() })
}

/// Assignments of the root variables: whether all values are inside, and the values.
pub fn assignments(root: &Module, most: usize, rng: &mut Rng) -> Vec<(bool, Assignment)> {
    let choices: Vec<(&str, Vec<Option<String>>)> = root
        .variables
        .iter()
        .map(|v| {
            let mut values: Vec<Option<String>> = v.inside.iter().cloned().map(Some).collect();
            if v.default.is_some() {
                values.push(None);
            }
            (v.name.as_str(), values)
        })
        .collect();
    let product = choices.iter().fold(1usize, |n, (_, v)| n.saturating_mul(v.len().max(1)));
    let mut out: Vec<(bool, Assignment)> = Vec::new();
    for round in 0..product.min(most) {
        let mut at = round;
        let one = choices.iter().map(|(name, values)| {
            let pick = if product <= most { at % values.len() } else { rng.below(values.len()) };
            at /= values.len();
            ((*name).to_owned(), values[pick].clone())
        });
        let one: Assignment = one.collect();
        if !out.iter().any(|o| o.1 == one) {
            out.push((true, one));
        }
    }
    let foreign: Vec<_> = root.variables.iter().filter(|v| !v.outside.is_empty()).collect();
    for _ in 0..2.min(foreign.len()) {
        let v = rng.pick(&foreign);
        let mut one = out[rng.below(out.len())].1.clone();
        one.insert(v.name.clone(), Some(rng.pick(&v.outside).clone()));
        if !out.iter().any(|o| o.1 == one) {
            out.push((false, one));
        }
    }
    out
}

/// Whether all assignments' values count, now that it is known which defaults are pinned.
fn inside(root: &Module, pinned: &[String], assignment: &Assignment) -> bool {
    root.variables.iter().all(|v| {
        let value = assignment.get(&v.name).cloned().flatten();
        match value {
            None => true,
            Some(value) if pinned.contains(&v.name) => v.default.as_ref() == Some(&value),
            Some(value) => v.inside.contains(&value),
        }
    })
}

/// Whether anything in a module has `count` or `for_each`.
fn repeated(module: &Module) -> bool {
    let calls = module.calls.iter().map(|c| &c.repeat);
    calls.chain(module.resources.iter().map(|r| &r.repeat)).any(|r| *r != Repeat::No)
}

/// Checks a tree.
pub fn check(tree: &Tree, most: usize, seed: u64) -> Seen {
    let mut seen = Seen::default();
    let files = tree.files();
    let mut rng = Rng::new(seed);
    let all = assignments(&tree.modules[0], most, &mut rng);
    let values: Vec<Assignment> = all.iter().map(|a| a.1.clone()).collect();
    let scratch = Scratch::new();
    scratch.tree("o", &files);
    let get = |scratch: &Scratch| scratch.get(&[("o".into(), "o", &Assignment::new())]);
    let ran = catch_unwind(AssertUnwindSafe(|| pipeline::run(&files, None, &values)));
    let outcome = match ran {
        Err(_) => {
            seen.failure = failure("panic", "the pipeline panics");
            return seen;
        }
        Ok(Err(wrong)) => {
            // Terraform has to reject it as well.
            let _ = get(&scratch);
            let plans: Vec<Plan> = values.iter().map(|v| one(&scratch, "o", "o", v)).collect();
            let accepted = plans.iter().zip(&values).find(|p| p.0.is_ok()).map(|p| p.1);
            seen.reasons.extend(plans.iter().filter_map(|p| p.clone().err()));
            if matches!(wrong, Wrong::Rejected(_)) && tree.modules.iter().any(repeated) {
                // A field of something that there are no instances of may well be an error.
                return seen;
            }
            if let Some(v) = accepted {
                let (kind, text) = match wrong {
                    Wrong::Issues(all) => ("issues", all.join("\n")),
                    Wrong::Rejected(text) => ("rejected", text),
                };
                seen.failure = failure(kind, format!("Terraform accepts {v:?}, but: {text}"));
            }
            return seen;
        }
        Ok(Ok(outcome)) => outcome,
    };
    seen.fields = outcome.fields;
    seen.bounded = outcome.bounded;
    seen.refusals = outcome.refusals;
    let Some(done) = &outcome.done else {
        let _ = get(&scratch);
        for value in &values {
            match one(&scratch, "o", "o", value) {
                Ok(_) => seen.accepted += 1,
                Err(e) => seen.reasons.push(e),
            }
        }
        return seen;
    };
    seen.specialised = true;
    let after = pipeline::applied(&files, done);
    scratch.tree("s", &after);
    let root = &tree.modules[0];
    let inner: Vec<bool> = values.iter().map(|a| inside(root, &outcome.pinned, a)).collect();
    let results = plans(&scratch, &values, &inner);
    for (i, (original, specialised)) in results.iter().enumerate() {
        match original {
            Ok(_) => seen.accepted += 1,
            Err(e) => {
                seen.rejected += 1;
                seen.reasons.push(e.clone());
            }
        }
        let place = format!("{:?} (inside: {})", values[i], inner[i]);
        let found = compare(original, specialised, inner[i], &place, &mut seen);
        seen.failure = seen.failure.take().or(found);
    }
    if seen.failure.is_none() && seen.accepted > 0 {
        let active = outcome.active.iter().find_map(|a| a.as_ref().ok()).cloned().unwrap_or_default();
        seen.failure =
            pipeline::stable(&files, done, &active).err().map(|detail| Failure { kind: "stable", detail });
    }
    if seen.failure.is_none() {
        let usable: Vec<usize> = (0..values.len()).filter(|i| inner[*i] && results[*i].0.is_ok()).collect();
        if !usable.is_empty() && !done.splits.is_empty() {
            let i = *rng.pick(&usable);
            let original = results[i].0.clone().unwrap_or_default();
            seen.failure = rooted(&scratch, &original, &files, &outcome.active[i], done, &values[i]);
        }
    }
    seen
}

type Plan = Result<Planned, String>;

fn one(scratch: &Scratch, name: &str, tree: &str, values: &Assignment) -> Plan {
    let planned = scratch.together(&[(name.to_owned(), tree, values)])?;
    Ok(planned.into_values().next().unwrap_or_default())
}

/// Original and specialised under every assignment; what is expected to pass goes in one plan.
fn plans(scratch: &Scratch, values: &[Assignment], inner: &[bool]) -> Vec<(Plan, Plan)> {
    let mut calls = Vec::new();
    for (i, value) in values.iter().enumerate() {
        calls.push((format!("o{i}"), "o", value));
        calls.push((format!("s{i}"), "s", value));
    }
    if let Err(e) = scratch.get(&calls) {
        return vec![(Ok(Planned::default()), Err(e)); values.len()];
    }
    calls.retain(|c| c.0[1..].parse::<usize>().is_ok_and(|i| inner[i]));
    let batch = if calls.is_empty() { Err(String::new()) } else { scratch.together(&calls) };
    let one = |i: usize, tree: &str| one(scratch, &format!("{tree}{i}"), tree, &values[i]);
    (0..values.len())
        .map(|i| match &batch {
            Ok(all) if inner[i] => (Ok(all[&format!("o{i}")].clone()), Ok(all[&format!("s{i}")].clone())),
            _ if inner[i] => (one(i, "o"), one(i, "s")),
            _ => match one(i, "s") {
                // Nothing was made for it and nothing is planned, whatever the original does.
                Err(e) => (Err(String::new()), Err(e)),
                Ok(s) => (one(i, "o"), Ok(s)),
            },
        })
        .collect()
}

fn compare(original: &Plan, specialised: &Plan, inside: bool, at: &str, seen: &mut Seen) -> Option<Failure> {
    match (original, specialised) {
        (Ok(o), Ok(s)) if o.resources != s.resources => failure(
            "value",
            format!("{at}\n original {:?}\n specialised {:?} {:?}", o.resources, s.resources, s.addresses),
        ),
        (Ok(o), Ok(s)) if o.outputs != s.outputs => {
            failure("output", format!("{at}\n original {}\n specialised {}", o.outputs, s.outputs))
        }
        (Ok(o), Ok(s)) if o.types != s.types => {
            // A literal carries no type of its own: a list comes out as a tuple where any type is taken.
            seen.types.push(format!("{at}\n original {}\n specialised {}", o.types, s.types));
            None
        }
        (Ok(_), Err(e)) if inside => failure("stricter", format!("{at}\n{e}")),
        (Err(e), Ok(s)) => {
            seen.laxer.push(format!("{at}\n plans {:?}\n{e}", s.resources));
            None
        }
        _ => None,
    }
}

/// The same as a root module, with the move chains of this run.
fn rooted(
    scratch: &Scratch,
    original: &Planned,
    files: &Files,
    active: &Result<Vec<Vec<Active>>, String>,
    done: &tf_phi::specialise::Specialised,
    values: &Assignment,
) -> Option<Failure> {
    let active = match active {
        Ok(active) => active,
        Err(e) => return failure("active", format!("{values:?}: {e}")),
    };
    let mut after = pipeline::applied(files, &done.clone().finished(active));
    after.remove(Path::new("phi.hcl"));
    match scratch.alone(&after, values) {
        // A root module takes values in another way than a call does.
        Err(_) if scratch.alone(files, values).is_err() => None,
        Err(e) => failure("root-stricter", format!("{values:?} active {active:?}\n{e}")),
        Ok(s) if s.resources != original.resources || s.outputs != original.outputs => {
            failure("root-value", format!("{values:?}\n original {original:?}\n specialised {s:?}"))
        }
        Ok(_) => None,
    }
}
