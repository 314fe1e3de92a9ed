//! `tf-phi verify` without copies: whether Terraform itself computes the values that a run puts in place.
//!
//! In a copy of the working directory the values stand in place, and beside each stands a `check` block with the user's expression, in the
//! module that holds it. Terraform plans that, and says of each expression whether it is the value. Nothing else of the two trees
//! differs. In: what the run gives to variables. Invariant: what can't be asked is counted and named. Absent on purpose: any evaluation
//! of our own.

use super::{DIFFERENT, DONE, Outcome, Start};
use crate::host::Machine;
use crate::ops::run::decide::Tree;
use crate::ops::run::literals::{self, Opened};
use crate::ops::run::scratch_plan::{ScratchPlan, Words};
use crate::ops::run::terraformed::find;
use crate::pipeline::literals::Valued;
use crate::report::progress::Progress;
use crate::syntax::{parse_expr, traversal};
use crate::terraform::args::{self, RunArgs};
use crate::terraform::plan_json::Plan;
use crate::value::{Data, hcl};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The file of questions in a module's folder.
const FILE: &str = "phi_verify.tf";

/// Names that have no meaning in a `check` block, or another one in a copy of a module's files.
const ELSEWHERE: [&str; 4] = ["each", "count", "self", "path"];

/// Runs the command; `words` are the arguments of `terraform plan`.
///
/// # Errors
/// Fields without a value in this run; a plan that can't be made.
pub(super) fn run(start: &Start, read: &RunArgs, words: Vec<String>) -> Outcome {
    let mut opened = literals::open(start, &read.vars, false)?;
    opened.session.judge()?;
    if opened.literals.is_empty() {
        start.console.note(
            "nothing to verify: no expression is replaced by a value. To see the plan, type: tf-phi plan",
        );
        return Ok(DONE);
    }
    let mut tree = literals::tree(&mut opened.session, &opened.driven)?;
    let asked = questions(&opened, &mut tree);
    let progress = Progress::start(start.console, "asking Terraform for the values");
    let terraform = find(start, &opened.session)?;
    let words = args::words_of(&Machine, "plan", &words)?;
    let scratch = ScratchPlan::new(&opened.session, &terraform)?;
    let plan = scratch.plan(&tree, &Words::All(words), "values")?;
    drop(progress);
    Ok(report(start, &opened.literals.fields, &asked, &plan))
}

/// Adds the questions to a tree. Gives the field that each is about, by the name of its block.
fn questions(opened: &Opened, tree: &mut Tree) -> BTreeMap<String, usize> {
    let mut asked = BTreeMap::new();
    for (at, valued) in opened.literals.fields.iter().enumerate() {
        let module = opened.session.config.at(&valued.field.module);
        let Some((module, condition)) = module.zip(condition(valued)) else { continue };
        let name = format!("phi_{at}");
        let block = format!(
            "check \"{name}\" {{\n  assert {{\n    condition     = {condition}\n    error_message = \"another value\"\n  }}\n}}\n"
        );
        let file = tree.entry(PathBuf::from(&module.dir).join(FILE)).or_default();
        file.get_or_insert_default().push_str(&block);
        asked.insert(name, at);
    }
    asked
}

/// The condition that an expression has the value that is put in its place; nothing where that can't be asked.
fn condition(valued: &Valued) -> Option<String> {
    let text = valued.text.as_ref().filter(|text| !text.contains("<<"))?;
    let expr = parse_expr(text).ok()?;
    let names = traversal::variables(&expr);
    if names.iter().any(|name| ELSEWHERE.contains(&&*name.root.text)) {
        return None;
    }
    let convert = match &valued.value.data {
        Data::Bool(_) => "tobool",
        Data::String(_) => "tostring",
        _ => return None,
    };
    Some(format!("{convert}({text}) == {}", hcl::to_hcl(&valued.value)?))
}

fn report(start: &Start, fields: &[Valued], asked: &BTreeMap<String, usize>, plan: &Plan) -> u8 {
    let status = |name: &str| {
        let is_it = |check: &&serde_json::Value| {
            check.pointer("/address/kind").and_then(|kind| kind.as_str()) == Some("check")
                && check.pointer("/address/name").and_then(|of| of.as_str()) == Some(name)
        };
        let found = plan.checks.as_array().into_iter().flatten().filter(is_it);
        found.filter_map(|check| check.get("status")?.as_str()).collect::<Vec<_>>()
    };
    let (mut equal, mut out, mut different) = (0, String::new(), false);
    for (at, Valued { field, value, .. }) in fields.iter().enumerate() {
        let name = asked.iter().find(|(_, of)| **of == at).map(|(name, _)| name);
        let found = name.map(|name| status(name)).unwrap_or_default();
        let shown = hcl::to_hcl(value).unwrap_or_default();
        if found.iter().any(|status| matches!(*status, "fail" | "error")) {
            different = true;
            out.push_str(&format!("{field}: Terraform computes another value than {shown}\n"));
        } else if !found.is_empty() && found.iter().all(|status| *status == "pass") {
            equal += 1;
        } else {
            out.push_str(&format!("{field}: Terraform can't be asked whether it is {shown}\n"));
        }
    }
    let values = if equal == 1 { "1 value is" } else { &format!("{equal} values are") };
    start
        .console
        .report(&format!("{out}{values} what Terraform computes, of {} put in place.\n", fields.len()));
    if different { DIFFERENT } else { DONE }
}
