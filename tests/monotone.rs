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
use std::path::PathBuf;
use tf_phi::issue::{Fix, Issue};
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

/// Trees of which less is known than of this one, each with what was taken away: what is said of a root variable, that it is no secret,
/// the list of workspaces, how many values a field may take.
fn opened(tree: &Tree) -> Vec<(String, Files)> {
    let mut out = Vec::new();
    for (i, variable) in tree.modules[0].variables.iter().enumerate() {
        let mut copy = tree.clone();
        let own = &mut copy.modules[0].variables[i];
        own.universe = None;
        own.bins = None;
        own.environments.clear();
        own.default = None;
        own.validations.clear();
        out.push((format!("var.{} open", variable.name), copy.files()));
        let mut copy = tree.clone();
        copy.modules[0].variables[i].sensitive = true;
        out.push((format!("var.{} sensitive", variable.name), copy.files()));
    }
    let mut copy = tree.clone();
    copy.workspaces.clear();
    out.push(("workspaces open".to_owned(), copy.files()));
    let mut files = tree.files();
    set(files.entry("phi.hcl".into()).or_default(), "  branches = 1");
    out.push(("one branch".to_owned(), files));
    out
}

/// Puts a line into the `settings` block, in place of one of the same name.
fn set(phi: &mut String, line: &str) {
    let name = line.split('=').next().unwrap().trim();
    match phi.find("settings {\n") {
        Some(at) => {
            let (start, end) = (at + "settings {\n".len(), at + phi[at..].find("\n}").unwrap() + 1);
            let rest = phi[start..end].lines().filter(|l| !l.trim_start().starts_with(name));
            let text: String = rest.chain([line]).map(|l| format!("{l}\n")).collect();
            phi.replace_range(start..end, &text);
        }
        None => phi.push_str(&format!("\nsettings {{\n{line}\n}}\n")),
    }
}

/// A field that nothing narrows.
struct Open {
    reason: Reason,
    /// Its own expression: the file, and the bytes in it.
    file: PathBuf,
    bytes: std::ops::Range<usize>,
}

/// The files with a fix where its title says: in `phi.hcl`, in the block of a root variable, or in the field's place.
fn with_fix(files: &Files, fix: &Fix, field: &str, open: &Open) -> Option<Files> {
    let mut files = files.clone();
    if fix.title.contains("`phi.hcl`") {
        let phi = files.entry("phi.hcl".into()).or_default();
        let head = fix.paste.lines().next()?;
        if head == "settings {" {
            set(phi, fix.paste.lines().nth(1)?);
            return Some(files);
        }
        // One block a name: what is there has nothing to do with what is listed.
        if phi.contains(head) {
            return None;
        }
        phi.push_str(&format!("\n{}\n", fix.paste));
        return Some(files);
    }
    if let Some((_, rest)) = fix.title.split_once("variable \"") {
        let head = format!("variable \"{}\" {{", rest.split('"').next()?);
        let is_root = |path: &PathBuf| path.parent().is_none_or(|p| p.as_os_str().is_empty());
        let (_, text) = files.iter_mut().find(|(path, text)| is_root(path) && text.contains(&head))?;
        let at = text.find(&head)? + head.len();
        text.insert_str(at, &format!("\n{}\n", fix.paste));
        return Some(files);
    }
    let last = field.rsplit('.').next()?;
    let value = fix.paste.strip_prefix(last)?.strip_prefix(" = ")?;
    files.get_mut(&open.file)?.replace_range(open.bytes.clone(), value);
    Some(files)
}

/// The reasons of fields that nothing narrows.
fn open_fields(files: &Files) -> Result<BTreeMap<String, Open>, Vec<Issue>> {
    let (session, universes, driven) = tree::read(files, VERSION)?;
    if !session.issues.is_empty() {
        return Err(session.issues);
    }
    let traces = &Traces::of(&session, &universes, &driven).traces;
    let open = traces.iter().filter_map(|t| match &t.result {
        Traced::Unbounded(reason) if !t.never_instantiated => {
            let file = session.config.sources.get(t.at.file)?.path.clone();
            // As it is printed: with what is added for every code.
            let fixes = tf_phi::trace::issue_of(t)?.fixes;
            let reason = Reason { fixes, ..Reason::clone(reason) };
            Some((t.field.to_string(), Open { reason, file, bytes: t.at.span.range() }))
        }
        _ => None,
    });
    Ok(open.collect())
}

/// Every fix that is printed, pasted where it says: the field has another answer then. Fixes in words alone are counted apart.
#[test]
fn what_is_printed_narrows() {
    let (mut wrong, mut first) = (Vec::new(), String::new());
    let mut tried: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    for seed in 0..TREES * if whole() { 18 } else { 3 } {
        let tree = generate::tree(seed.wrapping_mul(7919));
        for (what, files) in opened(&tree) {
            for (field, open) in open_fields(&files).unwrap_or_default() {
                for fix in &open.reason.fixes {
                    let title = fix.title.split(['`', '(', ':']).next().unwrap().trim();
                    let count = tried.entry(format!("{}: {title}", open.reason.code.name())).or_default();
                    let Some(fixed) = with_fix(&files, fix, &field, &open) else {
                        count[1] += 1;
                        continue;
                    };
                    count[0] += 1;
                    let after = match open_fields(&fixed) {
                        // A source that is known now may lead to a module in which no pin matches any more.
                        Err(issues) => issues.into_iter().map(|i| i.summary).find(|s| s.contains("universe")),
                        Ok(all) => all
                            .get(&field)
                            .filter(|now| now.reason.why == open.reason.why)
                            .map(|now| now.reason.why.clone()),
                    };
                    let Some(after) = after else { continue };
                    if first.is_empty() {
                        first = fixed.iter().map(|(p, t)| format!("--- {}\n{t}\n", p.display())).collect();
                    }
                    wrong.push(format!(
                        "seed {seed}, {what}, {field}: {} {}\n  {after}",
                        fix.title, fix.paste
                    ));
                }
            }
        }
    }
    for (kind, [pasted, words]) in &tried {
        eprintln!("{pasted:6} pasted {words:6} in words or elsewhere  {kind}");
    }
    assert!(wrong.is_empty(), "{}\nThe first of them:\n{first}", wrong.join("\n"));
    let pasted: usize = tried.values().map(|[pasted, _]| pasted).sum();
    assert!(pasted > 100, "{pasted} fixes were tried");
}
