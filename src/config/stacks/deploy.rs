//! `*.tfdeploy.hcl`: the deployments of a Stack, which are its environments.
//!
//! Terraform has no parser of these files: HCP evaluates them, and what is done here follows its documentation. Inputs are
//! evaluated as far as the files tell. Absent on purpose: everything that says when and in which order HCP plans
//! and applies (groups, approvals, published outputs); it is read over.

use super::computed;
use super::files;
use super::scope::{OUTSIDE, Scope};
use crate::config::decode::Ctx;
use crate::config::literal::key_text;
use crate::config::nearest::question;
use crate::config::{Config, Deployment, In, Variable, View};
use crate::eval::EvalError;
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, Expr, ExprKind};
use crate::text::{Place, SourceId, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The blocks that only HCP reads.
const HCPS: [&str; 5] =
    ["deployment_group", "deployment_auto_approve", "orchestrate", "publish_output", "required_providers"];

/// HCP takes no more deployments.
const MOST: usize = 20;

/// Reads the deployments of the Stack in the root's folder into a configuration.
pub(in crate::config) fn read(view: View<'_>, config: &mut Config) -> Vec<Issue> {
    let Some(dir) = config.root().map(|m| m.dir.clone()) else { return Vec::new() };
    let (found, mut issues) = files::of_deployments(view, &dir, &mut config.sources);
    let mut scope = Scope::default();
    let mut declared: Vec<(SourceId, Arc<Block>, Arc<str>)> = Vec::new();
    for file in &found {
        let mut ctx =
            Ctx { file: file.source, json: false, is_override: false, tofu: false, issues: Vec::new() };
        file.body.attributes().for_each(|attr| ctx.unexpected(attr));
        for block in file.body.blocks() {
            config.deployment_blocks.push(In::new(file.source, block.clone()));
            top_level(&mut ctx, block, &mut scope, &mut declared);
        }
        issues.append(&mut ctx.issues);
    }
    let mut places: BTreeMap<Arc<str>, Place> = BTreeMap::new();
    let mut given: Vec<(Arc<str>, Place, Vec<Input>)> = Vec::new();
    let mut destroyed: BTreeSet<Arc<str>> = BTreeSet::new();
    for (file, block, name) in declared {
        let place = In::<Block>::new(file, block.clone()).header();
        if let Some(first) = places.insert(name.clone(), place) {
            issues.push(twice(&name, first, place, &config.sources));
            continue;
        }
        if block.body.attribute("destroy").is_some_and(|a| matches!(a.expr.kind, ExprKind::Bool(true))) {
            destroyed.insert(name.clone());
        }
        let inputs = block.body.attribute("inputs").map(|a| inputs(config, a, file, &mut issues));
        given.push((name, place, inputs.unwrap_or_default()));
    }
    if let Some((_, place, _)) = given.get(MOST) {
        let why = format!("HCP takes {MOST} deployments of one Stack; here are {}.", given.len());
        issues.push(Issue::warning(Code::Config, "More deployments than HCP takes", why).at(*place));
    }
    let exprs: Vec<(&Expr, SourceId)> =
        given.iter().flat_map(|(_, _, inputs)| inputs).map(|i| (&i.expr, i.place.file)).collect();
    let mut values = scope.values(&exprs).into_iter();
    let mut out = Vec::new();
    for (name, place, inputs) in &given {
        issues.extend(missing(config, name, *place, inputs));
        let mut deployment =
            Deployment { name: name.clone(), inputs: BTreeMap::new(), destroy: destroyed.contains(name) };
        for (input, value) in inputs.iter().zip(values.by_ref()) {
            match value {
                Ok(value) => {
                    let known = value.is_wholly_known().then_some(value);
                    deployment.inputs.insert(input.name.clone(), (known, input.place));
                }
                // What isn't evaluated here HCP may well know.
                Err(e) if e.limit && !e.elsewhere => {
                    deployment.inputs.insert(input.name.clone(), (None, input.place));
                }
                Err(e) => {
                    let issue = Issue::error(Code::Invalid, "Invalid input of a deployment", told_of(&e));
                    issues.push(issue.at(e.place.unwrap_or(input.place)));
                }
            }
        }
        out.push(deployment);
    }
    config.deployments = out;
    issues
}

/// What is told of an error in an input. What a deployment gives may be a secret whatever the Stack says of the variable, and a message quotes it.
fn told_of(error: &EvalError) -> String {
    // Of names alone.
    if error.elsewhere {
        return error.message.to_string();
    }
    let head = error.message.split_once(": ").map(|(head, _)| head);
    let head = head.filter(|head| head.chars().all(|c| c.is_ascii_alphabetic() || " -'".contains(c)));
    let what = head.unwrap_or("The value can't be worked out");
    format!("{what}. What else the error says isn't shown, since it may quote a value of the deployment.")
}

/// The value that a deployment gives to a variable.
struct Input {
    name: Arc<str>,
    expr: Expr,
    place: Place,
}

/// The variables that a deployment leaves without a value.
fn missing(config: &Config, name: &str, place: Place, inputs: &[Input]) -> Vec<Issue> {
    let declared = config.root().into_iter().flat_map(|m| m.variables.values());
    let missing = declared.filter(|v| v.default.is_none() && !inputs.iter().any(|i| i.name == v.name));
    let one = |variable: &Variable| {
        let why = format!(
            "The deployment \"{name}\" gives no value to var.{}, which has no default value.",
            variable.name
        );
        Issue::error(Code::Invalid, "No value for required variable", why).at(place)
    };
    missing.map(one).collect()
}

fn twice(name: &str, first: Place, second: Place, sources: &Sources) -> Issue {
    let why = format!("A deployment \"{name}\" was already declared at {}.", sources.span_text(first));
    Issue::error(Code::Invalid, "Duplicate deployment declaration", why).at(second)
}

fn top_level(
    ctx: &mut Ctx,
    block: &Arc<Block>,
    scope: &mut Scope,
    declared: &mut Vec<(SourceId, Arc<Block>, Arc<str>)>,
) {
    let kind = &*block.kind.text;
    match kind {
        "deployment" => {
            if let Some([name]) = ctx.labels(block, ["name"]) {
                declared.push((ctx.file, block.clone(), name));
            }
        }
        "locals" => {
            for attr in block.body.attributes() {
                let own = In::new(ctx.file, attr.clone());
                if scope.locals.insert(attr.name.text.clone(), own).is_some() {
                    let why = format!("A local value named \"{}\" was already declared.", attr.name.text);
                    ctx.invalid(attr.name.span, "Duplicate local value", why);
                }
            }
        }
        _ if OUTSIDE.iter().any(|(word, labels)| *word == kind && block.labels.len() == *labels) => {
            let labels: Vec<&str> = block.labels.iter().map(|l| &*l.text).collect();
            scope.outside.insert(format!("{kind}.{}", labels.join(".")));
        }
        _ if HCPS.contains(&kind) => {}
        _ => {
            let known = ["deployment", "locals"].into_iter().chain(OUTSIDE.map(|(word, _)| word)).chain(HCPS);
            let question = question(kind, known);
            let why = format!("Blocks of type \"{kind}\" are not known in a file of deployments.{question}");
            let issue = Issue::warning(Code::Config, "A block that is not known", why);
            let place = Place { file: ctx.file, span: block.kind.span };
            ctx.issues.push(issue.at(place));
        }
    }
}

/// The inputs of a deployment by their names; of two with one name the last counts.
fn inputs(config: &Config, attr: &Attribute, file: SourceId, issues: &mut Vec<Issue>) -> Vec<Input> {
    let place = |span| Place { file, span };
    let declared = config.root().map(|m| &m.variables);
    let items = match &attr.expr.kind {
        ExprKind::Object(items) if computed::is_written_out(&attr.expr) => items,
        _ => {
            let one = |name: &Arc<str>| {
                let expr = computed::taken(&attr.expr, name);
                Input { name: name.clone(), expr, place: place(attr.expr.span) }
            };
            return declared.into_iter().flat_map(|d| d.keys()).map(one).collect();
        }
    };
    let mut out: BTreeMap<Arc<str>, Input> = BTreeMap::new();
    for item in items {
        let Some(name) = key_text(&item.key) else { continue };
        if declared.is_some_and(|d| !d.contains_key(&name)) {
            let question = question(&name, declared.into_iter().flatten().map(|(n, _)| &**n));
            let why = format!(
                "The Stack declares no variable \"{name}\". Terraform passes over the value.{question}"
            );
            let issue = Issue::warning(Code::Config, "Value for undeclared variable", why);
            issues.push(issue.at(place(item.value.span)));
        }
        let input = Input { name: name.clone(), expr: item.value.clone(), place: place(item.value.span) };
        out.insert(name, input);
    }
    out.into_values().collect()
}
