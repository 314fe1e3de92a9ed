//! The cells of `tf-phi matrix` against plans: what a field is in an environment is what Terraform plans under its values.
//!
//! The values are Terraform's own, from `planned_values`, and are compared as JSON; tf-phi's evaluator has no part in that.

use super::check::assignments;
use super::model::Tree;
use super::oracle::{self, LATER, Question, Scratch};
use super::pipeline::{values_of, workspace};
use super::rng::Rng;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use tf_phi::addr::ObjectAddr;
use tf_phi::matrix::{self, Assigned, Cell, Matrix};
use tf_phi::pipeline::fields;
use tf_phi::specialise::run_universes;
use tf_phi::value::json;

/// What was seen.
#[derive(Default)]
pub struct Tally {
    pub trees: usize,
    /// Trees that tf-phi doesn't read.
    pub unread: usize,
    pub plans: usize,
    /// Cells that hold what is planned.
    pub equal: usize,
    /// Cells that leave open what a plan knows.
    pub open: usize,
    /// Cells of what a plan knows only later, too.
    pub later: usize,
    /// Declarations whose instances are those of the plan.
    pub instances: usize,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.trees += other.trees;
        self.unread += other.unread;
        self.plans += other.plans;
        self.equal += other.equal;
        self.open += other.open;
        self.later += other.later;
        self.instances += other.instances;
        self.wrong.extend(other.wrong);
    }

    pub fn print(&self) {
        println!("{} trees, {} not read, {} plans", self.trees, self.unread, self.plans);
        println!(
            "{} cells: {} as planned, {} known after apply in both, {} left open",
            self.equal + self.later + self.open + self.wrong.len(),
            self.equal,
            self.later,
            self.open
        );
        println!("{} declarations with the plan's instances", self.instances);
        self.wrong.iter().take(10).for_each(|w| println!("WRONG {w}"));
        println!("{} wrong", self.wrong.len());
    }
}

/// Compares some trees, each under so many assignments.
pub fn check(trees: &[(Tree, u64)], most: usize) -> Tally {
    let mut tally = Tally::default();
    let mut scratch = Scratch::new();
    let all: Vec<Vec<_>> = trees
        .iter()
        .map(|(tree, seed)| assignments(tree, most, &mut Rng::new(*seed)).into_iter().map(|a| a.1).collect())
        .collect();
    let mut questions = Vec::new();
    for (at, ((tree, _), values)) in trees.iter().zip(&all).enumerate() {
        for (i, values) in values.iter().enumerate() {
            let folder = format!("t{at}c{i}");
            let files = if tree.chooses() { tree.settled(values).files() } else { tree.files() };
            scratch.tree(&folder, &files);
            questions.push(Question { name: format!("t{at}o{i}"), tree: folder, values });
        }
    }
    let mut answers = scratch.ask(&questions).into_iter();
    for ((tree, seed), values) in trees.iter().zip(&all) {
        tally.trees += 1;
        let answers: Vec<_> = answers.by_ref().take(values.len()).collect();
        let Ok((mut session, _, _)) = super::tree::read(&tree.files(), oracle::version()) else {
            tally.unread += 1;
            continue;
        };
        session.issues.retain(|i| i.is_error());
        if !session.issues.is_empty() {
            tally.unread += 1;
            continue;
        }
        let mut kept = Vec::new();
        let mut assigned = Vec::new();
        for (i, (one, answer)) in values.iter().zip(answers).enumerate() {
            match (run_universes(&session.config, &values_of(one), workspace(one)), answer) {
                (Ok(universes), Ok(given)) => {
                    assigned.push(Assigned {
                        name: format!("{i}").into(),
                        universes,
                        is_named: false,
                        places: Default::default(),
                        is_workspace_open: false,
                        gives: BTreeSet::new(),
                        refused: Vec::new(),
                    });
                    kept.push((one, given));
                }
                (Err(issues), Ok(_)) => {
                    tally
                        .wrong
                        .push(format!("case {seed} {one:?}: refused, and Terraform plans it: {issues:?}"));
                }
                (_, Err(_)) => {}
            }
        }
        let matrix =
            matrix::of(&session, &assigned, &fields::all(&session.config), &matrix::declarations(&session));
        for (at, (one, given)) in kept.iter().enumerate() {
            tally.plans += 1;
            let said = |what: String| format!("case {seed} {one:?}: {what}");
            compare(&matrix, at, &given.inputs, &mut tally, &said);
        }
    }
    tally
}

fn compare(
    matrix: &Matrix,
    at: usize,
    planned: &BTreeMap<String, String>,
    tally: &mut Tally,
    said: &dyn Fn(String) -> String,
) {
    for (address, input) in planned {
        let object: ObjectAddr = address.parse().expect("an address of a plan");
        let keys: String = object
            .module
            .0
            .iter()
            .filter_map(|(_, key)| key.as_ref())
            .chain(&object.key)
            .map(ToString::to_string)
            .collect();
        let path = object.module.path();
        let module = path.0.iter().map(|name| format!("module.{name}.")).collect::<String>();
        let field = format!("{module}{}.input", object.resource);
        let row = matrix.rows.iter().find(|r| r.field == field);
        let cell = row.map(|r| match &*r.cells[at] {
            Cell::Instances(all) => all.get(&keys).cloned().unwrap_or(Cell::Absent),
            cell if keys.is_empty() || matches!(cell, Cell::Unbounded { .. }) => cell.clone(),
            _ => Cell::Absent,
        });
        match cell {
            // A resource without that argument.
            None if input == "null" => {}
            Some(Cell::Resolved(value)) if input != LATER => {
                let own = json::to_json(&value.unmark_deep().0).unwrap_or(Json::Null);
                let theirs: Json = serde_json::from_str(input).unwrap();
                match same(&own, &theirs) {
                    true => tally.equal += 1,
                    false => tally.wrong.push(said(format!("{address}: {own} instead of {theirs}"))),
                }
            }
            // What is the same on all ways is known ahead of the plan.
            Some(Cell::Resolved(_) | Cell::Unbounded { .. }) if input == LATER => tally.later += 1,
            Some(Cell::Unbounded { .. }) => tally.open += 1,
            other => tally.wrong.push(said(format!("{address}: {other:?} instead of {input}"))),
        }
    }
    for one in &matrix.instances {
        let Some(Some(own)) = one.cells.get(at) else { continue };
        let of = |address: &&String| {
            let object: ObjectAddr = address.parse().expect("an address of a plan");
            let path = object.module.path();
            let module = path.0.iter().map(|name| format!("module.{name}.")).collect::<String>();
            format!("{module}{}", object.resource) == one.address
        };
        if one.address.starts_with("data.") || one.address.contains(".data.") {
            continue;
        }
        let own: BTreeSet<&str> = own.iter().map(|i| i.address.as_str()).collect();
        let theirs: BTreeSet<&str> = planned.keys().filter(of).map(String::as_str).collect();
        // A call whose source is chosen has a module for each: one of them has the instances.
        if own == theirs || own.is_empty() && one.address.contains("module.") {
            tally.instances += 1;
        } else {
            tally.wrong.push(said(format!("{}: instances {own:?} instead of {theirs:?}", one.address)));
        }
    }
}

/// Whether two JSON values are one, numbers by what they are worth.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64().is_some() && a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => a == b,
    }
}
