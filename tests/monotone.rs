//! Narrowing an input never widens a trace: on random trees, with a value taken out of a universe, one more validation,
//! or an argument fixed to one of its values, no field takes a value that it did not take before, and none goes up in
//! Resolved, Bounded, Unbounded. And what is printed narrows: on the same trees, with a variable of which nothing is said any more,
//! each fix is pasted where its title says.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    dead_code,
    missing_docs
)]

#[path = "../e2e/soundness/exprs.rs"]
mod exprs;
#[path = "../e2e/soundness/extras.rs"]
mod extras;
#[path = "../e2e/soundness/gen.rs"]
mod generate;
#[path = "../e2e/soundness/model.rs"]
mod model;
mod sample;
mod tree;
#[path = "../e2e/soundness/rng.rs"]
mod rng;
#[path = "../e2e/soundness/vars.rs"]
mod vars;

use model::{Expr, Files, Tree, Variable};
use sample::whole;
use std::collections::BTreeMap;
use tf_phi::issue::{Code, Fix, Issue};
use tf_phi::pipeline::Traces;
use tf_phi::trace::{Reason, Traced};
use tf_phi::value::{Value, hcl};

/// Trees that are looked at; six times as many in a whole run.
const TREES: u64 = 50;

/// Narrowing must not tell what an unknown version left open.
const VERSION: Option<(u32, u32)> = Some((1, 11));

/// Values of a field, or the reason why they are not finite.
type Results = BTreeMap<String, Result<Vec<Value>, String>>;

/// Every driven field; nothing where the tree is not accepted.
fn results(files: &Files) -> Option<Results> {
    let (session, universes, driven) = tree::read(files, VERSION).ok()?;
    if !session.issues.is_empty() {
        return None;
    }
    let mut out = Results::new();
    for t in &Traces::of(&session, &universes, &driven).traces {
        let values = match &t.result {
            // There is never an instance, so there is never a value.
            Traced::Unbounded(_) if t.never_instantiated => Ok(Vec::new()),
            Traced::Unbounded(reason) => Err(reason.why.clone()),
            Traced::Rejected(_) => Ok(Vec::new()),
            Traced::Resolved(_) | Traced::Bounded(_) => {
                Ok(t.branches().iter().map(|b| b.value.clone()).collect())
            }
        };
        out.insert(t.field.to_string(), values);
    }
    Some(out)
}

/// A tree that accepts less than another: what was done, the wider one where it isn't the tree itself, the narrower one.
type Narrowing = (String, Option<Tree>, Tree);

/// Trees that accept less.
fn narrower(tree: &Tree) -> Vec<Narrowing> {
    let mut out = Vec::new();
    for (i, variable) in tree.modules[0].variables.iter().enumerate() {
        if let Some(universe) = variable.universe.as_ref().filter(|u| u.len() > 1) {
            for gone in 0..universe.len() {
                let mut copy = tree.clone();
                copy.modules[0].variables[i].universe.as_mut().unwrap().remove(gone);
                out.push((format!("{} without value {gone}", variable.name), None, copy));
            }
        }
        if !variable.validations.is_empty() {
            let mut copy = tree.clone();
            let rule = format!("var.{} != {}", variable.name, variable.inside[0]);
            copy.modules[0].variables[i].validations.push(rule.clone());
            out.push((rule, None, copy));
        }
    }
    fixed(tree, &mut out);
    out
}

/// An argument fixed to one of its values. What it is may hang together with all else that the call passes, and it may be
/// an error; so the wider tree passes a variable with these values in its place.
fn fixed(tree: &Tree, out: &mut Vec<Narrowing>) {
    for (m, module) in tree.modules.iter().enumerate() {
        // Of a module that is called once it is known which instance an argument belongs to.
        for (c, call) in module.calls.iter().enumerate() {
            for (a, (name, argument)) in call.args.iter().enumerate() {
                let Some(values) = values_of(tree, m, &call.name, name) else { continue };
                let with = |text: &str| {
                    let mut copy = tree.clone();
                    copy.modules[m].calls[c].args[a].1 = Expr::leaf(argument.ty.clone(), text);
                    copy
                };
                let mut wide = with("var.fixed");
                let mut variable = Variable::named("fixed");
                variable.ty = Some(argument.ty.text());
                variable.universe = Some(values.clone());
                wide.modules[0].variables.push(variable);
                for value in values.into_iter().take(2) {
                    let what = format!("module.{}: {name} = {value}", call.name);
                    out.push((what, Some(wide.clone()), with(&value)));
                }
            }
        }
    }
}

/// The values of an argument of a call in the root module.
fn values_of(tree: &Tree, module: usize, call: &str, argument: &str) -> Option<Vec<String>> {
    if module > 0 {
        return None;
    }
    let mut alone = tree.clone();
    alone.pins = vec![(format!("module.{call}"), argument.to_owned())];
    let mut all = results(&alone.files())?;
    let values = all.remove(&format!("module.{call}.{argument}"))?.ok()?;
    values.iter().map(hcl::to_hcl).collect()
}

/// What is wider after a narrowing than before it.
fn widened(wide: &Results, narrow: Results, compared: &mut usize) -> Vec<String> {
    let mut wrong = Vec::new();
    for (field, after) in narrow {
        let Some(Ok(before)) = wide.get(&field) else { continue };
        *compared += 1;
        match after {
            Err(why) => wrong.push(format!("{field} had {before:?} and is unbounded: {why}")),
            Ok(after) => wrong.extend(
                after
                    .iter()
                    .filter(|value| !before.contains(value))
                    .map(|value| format!("{field} takes {value:?}, and before {before:?}")),
            ),
        }
    }
    wrong
}

#[test]
fn narrowing_never_widens() {
    let mut compared = 0;
    let (mut wrong, mut first) = (Vec::new(), String::new());
    for seed in 0..TREES * if whole() { 6 } else { 1 } {
        let tree = generate::tree(seed.wrapping_mul(7919));
        let Some(own) = results(&tree.files()) else { continue };
        for (what, other, narrow) in narrower(&tree) {
            let other_results = other.as_ref().map(|o| results(&o.files()));
            let wide = match &other_results {
                None => &own,
                Some(Some(other)) => other,
                Some(None) => continue,
            };
            let files = narrow.files();
            let Some(narrow) = results(&files) else { continue };
            let found = widened(wide, narrow, &mut compared);
            if first.is_empty() && !found.is_empty() {
                let wide = other.as_ref().unwrap_or(&tree).files();
                let shown = wide.iter().chain(&files);
                first = shown.map(|(p, t)| format!("--- {}\n{t}\n", p.display())).collect();
            }
            wrong.extend(found.iter().map(|f| format!("seed {seed}, {what}: {f}")));
        }
    }
    assert!(wrong.is_empty(), "{}\nThe first of them, before and after:\n{first}", wrong.join("\n"));
    assert!(compared > 100, "{compared} fields were compared");
}

/// The tree with nothing said of one root variable.
fn opened(tree: &Tree) -> Vec<(String, Tree)> {
    let open = |(i, variable): (usize, &Variable)| {
        let mut copy = tree.clone();
        let own = &mut copy.modules[0].variables[i];
        own.universe = None;
        own.bins = None;
        own.environments.clear();
        own.default = None;
        own.validations.clear();
        (variable.name.clone(), copy)
    };
    tree.modules[0].variables.iter().enumerate().map(open).collect()
}

/// The files with a fix where its title says: in `phi.hcl`, or in the block of a root variable.
fn with_fix(files: &Files, fix: &Fix) -> Option<Files> {
    let mut files = files.clone();
    if fix.title.contains("`phi.hcl`") {
        let phi = files.entry("phi.hcl".into()).or_default();
        // One block a name: what is there has nothing to do with what is listed.
        let head = fix.paste.lines().next()?;
        if phi.contains(head) {
            return None;
        }
        phi.push_str(&format!("\n{}\n", fix.paste));
        return Some(files);
    }
    let name = fix.title.split_once("variable \"")?.1.split('"').next()?;
    let head = format!("variable \"{name}\" {{");
    let file = files
        .iter_mut()
        .find(|(path, text)| path.parent().is_none_or(|p| p.as_os_str().is_empty()) && text.contains(&head));
    let text = file?.1;
    let at = text.find(&head)? + head.len();
    text.insert_str(at, &format!("\n{}\n", fix.paste));
    Some(files)
}

/// The reasons of fields that nothing narrows.
fn open_fields(files: &Files) -> Result<BTreeMap<String, Reason>, Vec<Issue>> {
    let (session, universes, driven) = tree::read(files, VERSION)?;
    if !session.issues.is_empty() {
        return Err(session.issues);
    }
    let traces = &Traces::of(&session, &universes, &driven).traces;
    let open = traces.iter().filter_map(|t| match &t.result {
        Traced::Unbounded(reason) if !t.never_instantiated && reason.code == Code::NoUniverse => {
            Some((t.field.to_string(), Reason::clone(reason)))
        }
        _ => None,
    });
    Ok(open.collect())
}

#[test]
fn what_is_printed_narrows() {
    let (mut wrong, mut first, mut tried) = (Vec::new(), String::new(), 0);
    for seed in 0..TREES * if whole() { 18 } else { 3 } {
        let tree = generate::tree(seed.wrapping_mul(7919));
        for (name, tree) in opened(&tree) {
            let files = tree.files();
            for (field, reason) in open_fields(&files).unwrap_or_default() {
                for fix in reason.fixes.iter().filter(|f| !f.paste.is_empty()) {
                    let Some(fixed) = with_fix(&files, fix) else { continue };
                    tried += 1;
                    let after = match open_fields(&fixed) {
                        // A source that is known now may lead to a module in which no pin matches any more.
                        Err(issues) => issues.into_iter().map(|i| i.summary).find(|s| s.contains("universe")),
                        Ok(all) => all.get(&field).filter(|r| r.why == reason.why).map(|r| r.why.clone()),
                    };
                    let Some(after) = after else { continue };
                    if first.is_empty() {
                        first = fixed.iter().map(|(p, t)| format!("--- {}\n{t}\n", p.display())).collect();
                    }
                    wrong.push(format!(
                        "seed {seed}, var.{name} open, {field}: {} {}\n  {after}",
                        fix.title, fix.paste
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nThe first of them:\n{first}", wrong.join("\n"));
    assert!(tried > 100, "{tried} fixes were tried");
}
