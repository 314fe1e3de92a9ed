//! `expect_failures` in test files: what is split is named by the one copy that a run leaves an instance of.
//!
//! In: the split units, and what each run gives to the root's variables: its own `variables`, the file's, variable files,
//! defaults. Terraform wants all that is named there to fail, and what has no instance doesn't; so the copy has to be known
//! while the file is written. Where the run leaves that open, that is an issue. Absent on purpose: the workspace, and what
//! is given on command lines or by the environment to anything but `tf-phi test`: the text would be another one each time.

use crate::addr::Target;
use crate::config::variables::{Given, VarOrigin, VarValue, VarValues};
use crate::config::{TestFile, literal};
use crate::func::Surroundings;
use crate::gate::{GateCache, Prover};
use crate::issue::{Code, Issue};
use crate::specialise::active::{Open, of_unit, run_universes};
use crate::specialise::moves::named::{self, Segment};
use crate::specialise::record::request::Request;
use crate::specialise::residual::{FileEdits, replace};
use crate::specialise::test_files::runs;
use crate::specialise::units::SplitUnit;
use crate::syntax::{Block, Body, Expr, ExprKind};
use crate::text::{Edit, Place};
use crate::trace::{Assumptions, Tracer, Universes};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The values that a run gives to variables, and the variables whose values only Terraform knows.
struct Run {
    values: VarValues,
    open: BTreeSet<Arc<str>>,
}

impl Run {
    fn of(file: &TestFile, body: &Body, run: &Block) -> Run {
        let mut all = Run { values: file.given.clone(), open: BTreeSet::new() };
        for given in body.blocks_of("variables").chain(run.body.blocks_of("variables")) {
            for attr in given.body.attributes() {
                let name = attr.name.text.clone();
                match literal::literal(&attr.expr) {
                    Ok(value) => {
                        let given = Given::Value(value);
                        let origin = VarOrigin::CommandLine;
                        all.open.remove(&name);
                        all.values.insert(name, VarValue { given, origin, place: None });
                    }
                    Err(_) => {
                        all.values.remove(&name);
                        all.open.insert(name);
                    }
                }
            }
        }
        all
    }

    fn universes(&self, request: &Request<'_>) -> Option<Universes> {
        let mut universes = run_universes(request.config, &self.values, "").ok()?;
        universes.retain(|name, _| !self.open.contains(name) && &**name != WORKSPACE);
        Some(universes)
    }
}

const WORKSPACE: &str = "terraform.workspace";

/// Adds the edits to those of the test files.
pub(in crate::specialise) fn edits(
    request: &Request<'_>,
    outside: &dyn Surroundings,
    splits: &[SplitUnit],
    edits: &mut FileEdits,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    for file in &request.config.tests {
        let Some(body) = &file.body else { continue };
        for run in runs(body) {
            let Some(expected) = run.body.attribute("expect_failures") else { continue };
            let ExprKind::Tuple(items) = &expected.expr.kind else { continue };
            for item in items {
                let Some((unit, segment)) = unit_of(splits, item) else { continue };
                match copy(request, outside, unit, &segment, &Run::of(file, body, run)) {
                    Ok(name) => {
                        let edit = Edit { span: segment.name, text: name };
                        replace(edits.entry(file.source).or_default(), edit);
                    }
                    Err(issue) => {
                        issues.push(issue.at(Place { file: file.source, span: item.span }));
                    }
                }
            }
        }
    }
    issues
}

/// The split unit of the root module that an address names. No test can expect a failure within a call.
fn unit_of<'s, 'e>(splits: &'s [SplitUnit], item: &'e Expr) -> Option<(&'s SplitUnit, Segment<'e>)> {
    let [segment] = <[Segment<'_>; 1]>::try_from(named::segments(item)?).ok()?;
    let target = segment.named.target();
    let is_resource = matches!(target, Target::Resource(_));
    let own = |s: &&SplitUnit| is_resource && s.scope.is_root() && !s.gates.is_empty() && s.target == target;
    splits.iter().find(own).map(|unit| (unit, segment))
}

/// The name of the copy that has the instances which are named.
fn copy(
    request: &Request<'_>,
    outside: &dyn Surroundings,
    unit: &SplitUnit,
    segment: &Segment<'_>,
    run: &Run,
) -> Result<String, Issue> {
    let universes = run.universes(request).ok_or_else(|| open(unit, "the gates"))?;
    let pinned = request.assumptions.pinned.iter().filter(|n| !universes.contains_key(*n)).cloned().collect();
    let mut tracer =
        Tracer::new(request.config, request.limits, &universes, Assumptions::defaults(pinned), outside);
    let found = of_unit(unit, &mut Prover::new(&mut tracer, &mut GateCache::default()));
    let all = found.map_err(|undecided| match &undecided.open {
        Open::Gate(gate) => open(unit, &format!("`{}`", one_line(gate))),
        Open::Repetition => open(unit, "its `count` or `for_each`"),
    })?;
    let key = segment.constant_key();
    let named = all.iter().filter(|a| key.is_none() || !unit.repeated || a.key == key);
    let copies: BTreeSet<usize> = named.filter_map(|a| a.copy).collect();
    let only = match copies.len() {
        // Nothing there can fail, in the original neither.
        0 => 0,
        1 => copies.first().copied().unwrap_or_default(),
        _ => return Err(several(unit)),
    };
    let address = unit.addresses.get(only).map_or("", String::as_str);
    Ok(address.rsplit('.').next().unwrap_or(address).to_owned())
}

fn one_line(gate: &str) -> String {
    gate.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn expecting(unit: &SplitUnit, why: &str) -> Issue {
    let summary = format!("a test expects {} to fail, which is split", unit.original);
    let rule = "All that `expect_failures` names has to fail, and what has no instance doesn't";
    Issue::error(Code::Unsupported, summary, format!("{rule}: {why}")).about(unit.original.clone())
}

fn open(unit: &SplitUnit, gate: &str) -> Issue {
    let why = format!("which copy has one depends on {gate}, of which the run's variables say nothing.");
    expecting(unit, &why)
        .fix(
            "Give the run's variables values that are written out, in the test file:",
            "variables {\n  NAME = \"…\"\n}",
        )
        .fix("Or put the condition into a `check` block or an output, and expect that one to fail.", "")
}

fn several(unit: &SplitUnit) -> Issue {
    let why = "its instances are spread over several copies, and the test doesn't say which of them fails.";
    let fix = format!("{}[\"…\"]", unit.original);
    expecting(unit, why).fix("Name the instance that has to fail:", fix)
}
