//! Guards: what keeps out the values for which nothing was specialised. Of a variable that is a validation block, of a data
//! source a postcondition. Of the workspace it is an output with a precondition, in a file of its own: a validation has to
//! ask for its variable, and an output that refers to nothing is looked at in every plan, one with `-target` too (measured
//! with Terraform 1.11 and 1.15).

mod postcondition;
mod said;
mod text;

use text::{appended, condition, message, rule, written};

use crate::addr::{FieldAddr, Target};
use crate::config::{Config, Module, Variable};
use crate::issue::{Code, Issue};
use crate::specialise::written::stop;
use crate::syntax::trivia;
use crate::text::{Edit, SourceId};
use crate::trace::{Guard, GuardKind, Subject, WORKSPACE, declared};
use crate::value::{Type, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The edits that add guards to the blocks of the variables and data sources of a module.
pub fn edits(
    config: &Config,
    module: &Module,
    guards: &[Guard],
) -> Vec<Result<(SourceId, Edit), Box<Issue>>> {
    let mut out = Vec::new();
    let mut sources: BTreeMap<&Target, Vec<(&FieldAddr, &Guard)>> = BTreeMap::new();
    for guard in guards {
        match &guard.subject {
            Subject::Workspace => {}
            Subject::Variable(name) => {
                let variable = module.variables.get(name);
                if variable.is_none_or(|variable| !says_nothing(guard, variable)) {
                    out.push(validation(config, module, name, guard));
                }
            }
            Subject::Data(attribute) => {
                sources.entry(&attribute.target).or_default().push((&**attribute, guard));
            }
        }
    }
    let held = sources.iter().map(|(target, guards)| postcondition::edit(config, module, target, guards));
    out.extend(held.filter_map(Result::transpose));
    out
}

/// The file that holds the guard of the workspace.
pub const FILE: &str = "phi.guard.tf";

/// The output in it.
pub const OUTPUT: &str = "tf_phi_workspace";

/// The text of [`FILE`], where a guard is that of the workspace.
///
/// # Errors
/// Returns an error if something of that name is there already, or a value can't be written.
pub fn file(config: &Config, guard: &Guard) -> Result<Option<String>, Box<Issue>> {
    if guard.subject != Subject::Workspace {
        return Ok(None);
    }
    let unsupported = |why: String| {
        let summary = format!("{WORKSPACE} can't be held to the values that are specialised");
        Issue::error(Code::Unsupported, summary, why)
    };
    if config.sources.find(std::path::Path::new(FILE)).is_some() {
        let issue = unsupported(format!("There is a file {FILE} already, which no record tells of."));
        return Err(Box::new(issue.fix("Remove the file, or give it another name.", "")));
    }
    if let Some(output) = config.root().and_then(|m| m.outputs.get(OUTPUT)) {
        let issue = unsupported(format!("There is an output {OUTPUT} already.")).at(output.decl.place());
        return Err(Box::new(issue.fix("Give the output another name.", "")));
    }
    let values = written(guard)
        .ok_or_else(|| Box::new(unsupported("A value can't be written as a literal.".to_owned())))?;
    let condition = condition(WORKSPACE, false, guard, &Type::String, &values);
    let rule = (condition, message(WORKSPACE, guard, &Type::String, &values));
    Ok(Some(stop::output(OUTPUT, "Written by tf-phi: the workspaces that are specialised.", &[rule])))
}

/// The edit that adds a guard to its variable's block.
///
/// # Errors
/// Returns an error if the variable is declared in JSON, or a value can't be written.
fn validation(
    config: &Config,
    module: &Module,
    name: &Arc<str>,
    guard: &Guard,
) -> Result<(SourceId, Edit), Box<Issue>> {
    let unsupported = |why: &str| {
        Box::new(Issue::error(Code::Unsupported, format!("no validation can be added to var.{name}"), why))
    };
    let declared = declared(name);
    let variable = module.variables.get(declared).ok_or_else(|| unsupported("It is not declared."))?;
    let block = &variable.decl.block;
    let source = config.sources.get(block.file).ok_or_else(|| unsupported("Its file is not loaded."))?;
    let text = &source.text;
    let values = written(guard).ok_or_else(|| unsupported("A value can't be written as a literal."))?;
    let newline = trivia::line_ending(text);
    let indent = trivia::inner_indent(text, block.span.start);
    // What is listed for an attribute has the attribute's type.
    let ty = match (&**name == declared, guard.values.first()) {
        (false, Some(value)) => &value.ty,
        _ => &variable.ty,
    };
    let condition = condition(&format!("var.{name}"), variable.nullable, guard, ty, &values);
    if variable.decl.json {
        let rule = serde_json::json!({
            "condition": format!("${{{condition}}}"),
            "error_message": format!("{declared} must be one of the values that are specialised."),
        });
        let issue =
            unsupported("It is declared in JSON; files in JSON are not rewritten.").at(variable.decl.place());
        return Err(Box::new(issue.fix(
            format!("Add the rule to the variable by hand, among the members of \"{declared}\":"),
            format!("\"validation\": {rule:#}"),
        )));
    }
    let added = rule(&indent, "validation", &condition, &message(name, guard, ty, &values), newline);
    Ok((block.file, appended(text, block, &added)))
}

/// Guards with one per variable or attribute: several demands on one hold together.
pub fn merged(guards: Vec<Guard>) -> Vec<Guard> {
    let mut out: Vec<Guard> = Vec::new();
    for guard in guards {
        let listed = guard.kind == GuardKind::Universe;
        match out.iter_mut().find(|g| g.subject == guard.subject && g.kind == guard.kind) {
            Some(_) if !listed => {}
            Some(same) => same.values.retain(|v| guard.values.contains(v)),
            None => out.push(guard),
        }
    }
    out
}

/// The guards of variables that count as their defaults alone.
///
/// # Errors
/// A default that no validation can name.
pub fn defaults(config: &Config, pinned: &BTreeSet<Arc<str>>) -> Result<Vec<Guard>, Box<Issue>> {
    let root = config.root();
    let mut out = Vec::new();
    for name in pinned {
        let Some(variable) = root.and_then(|m| m.variables.get(name)) else { continue };
        let Some(default) = &variable.default else { continue };
        let value = crate::config::literal::literal(&default.expr).ok();
        let value = value.and_then(|v| variable.accept(&v).ok()).map(|v| v.unmark_deep().0);
        let Some(value) = value else {
            let why = "Its default is no literal, so that no validation can say that it is the only value.";
            let summary = format!("no validation can be added to var.{name}");
            return Err(Box::new(Issue::error(Code::Unsupported, summary, why).at(default.value_place())));
        };
        out.push(Guard {
            subject: Subject::Variable(name.clone()),
            values: vec![value],
            kind: GuardKind::Default,
        });
    }
    Ok(out)
}

/// Returns true if a guard leaves out nothing at all: of a bool there are no more than these.
fn says_nothing(guard: &Guard, variable: &Variable) -> bool {
    let has = |value: Value| guard.values.contains(&value);
    let bools = has(Value::bool(true)) && has(Value::bool(false));
    let null = !variable.nullable || guard.values.iter().any(Value::is_null);
    guard.kind == GuardKind::Universe && variable.ty == Type::Bool && bools && null
}
