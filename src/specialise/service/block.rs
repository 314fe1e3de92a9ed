//! From the block of a resource, or of a call of another module, to that of a call of the template: the header, the source, and
//! which arguments the template takes.

use super::nested::{self, Misfit, is_dynamic, named};
use super::removals::removals;
use super::replacing::{Candidate, Replacing};
use crate::config::phi::Template;
use crate::config::{Config, Decl, In, Module, fix_in_native};
use crate::issue::{Code, Issue};
use crate::specialise::residual::{Edits, replace};
use crate::specialise::written::block::open_up;
use crate::syntax::{Block, Body, ExprKind, Item, emit, trivia};
use crate::text::{Edit, Span, one_line};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The arguments of a call that choose its module.
const OF_CALLS: [&str; 2] = ["source", "version"];

/// The arguments that resources and calls both take.
const SHARED: [&str; 3] = ["count", "for_each", "depends_on"];

/// The edits that turn a resource into a call, and the arguments that are lost.
pub(super) struct Made {
    /// In bytes of the file.
    pub edits: Vec<Edit>,
    /// At most one warning.
    pub warning: Option<Issue>,
    /// Arguments that the service does without, and why.
    pub without: Vec<(String, Arc<str>)>,
}

/// Returns the items that a call of the template doesn't take.
pub(super) fn lost(template: &Module, decl: &Decl) -> Vec<Span> {
    let items = decl.block.body.items.iter().map(named);
    let goes = |name: &str| !SHARED.contains(&name) && !is_taken(template, name);
    let own = items.filter(|(name, _)| goes(name)).map(|(_, span)| span);
    own.chain(nested::lost(template, &decl.block.body)).collect()
}

fn is_taken(template: &Module, name: &str) -> bool {
    template.variables.contains_key(name) && name != "provider"
}

/// Turns a block into a call of the template. `source` is the path from the module to the template, `text` the whole file. `more`
/// are arguments besides those of the original.
///
/// # Errors
/// Returns an error for each part of the block that a call can't express, and for each required variable of the template that gets
/// no value.
pub(super) fn made(
    r: &Replacing<'_>,
    candidate: &Candidate<'_>,
    (source, text): (&str, &str),
    more: &[(String, String)],
) -> Result<Made, Vec<Issue>> {
    let mut issues = refusals(r.config, candidate);
    let Some(template) = r.templates.get(&candidate.service.name) else { return Err(issues) };
    let block = &candidate.decl.block;
    let newline = trivia::line_ending(text);
    let mut edits = Vec::new();
    let mut gone = Vec::new();
    let mut lost = BTreeSet::new();
    let mut given: BTreeSet<&str> = more.iter().map(|(name, _)| name.as_str()).collect();
    for item in &block.body.items {
        let (name, span) = named(item);
        if more.iter().any(|(own, _)| own == name) {
            // What the form factor gives goes before.
            gone.push(trivia::item_full_lines(text, span));
            continue;
        }
        let taken = is_taken(&template.module, name);
        match item {
            Item::Attribute(_) if SHARED.contains(&name) => continue,
            Item::Attribute(_) if taken => {
                given.insert(name);
                continue;
            }
            Item::Block(inner) if taken => {
                given.insert(name);
                if let Err(misfit) = value(template, text, &block.body, inner, &mut edits, &mut lost) {
                    issues.push(no_value(candidate, candidate.decl, &misfit));
                }
                continue;
            }
            Item::Attribute(_) | Item::Block(_) => {}
        }
        if candidate.resource.is_none() && OF_CALLS.contains(&name) {
            gone.push(trivia::item_full_lines(text, span));
            continue;
        }
        lost.insert(name.to_owned());
        gone.push(trivia::item_full_lines(text, span));
    }
    edits.extend(removals(text, block.braces, gone));
    issues.extend(missing(candidate, &template.module, &given));
    if !issues.is_empty() {
        return Err(issues);
    }
    let indent = trivia::inner_indent(text, block.span.start);
    let mut line = format!("source = {}", emit::string_literal(source));
    for (name, value) in more {
        line.push_str(&format!("{newline}{indent}{name} = {value}"));
    }
    first_line(text, block, &line, &mut edits);
    let label = block.labels.last().map_or(block.kind.span, |l| l.span);
    let outer = trivia::line_indent(text, block.span.start);
    let comment = comment(r, candidate);
    let header =
        format!("{comment}{newline}{outer}module {}", emit::string_literal(&candidate.replaced.call));
    edits.push(Edit { span: block.kind.span.to(label), text: header });
    let known = |name: &String| {
        let decides = candidate.service.when.keys().any(|k| k.split('.').next() == Some(name));
        decides || candidate.service.ignores.contains_key(name.as_str())
    };
    let reason = |name: &String| candidate.service.ignores.get(name.as_str()).cloned().flatten();
    let without = lost.iter().filter_map(|name| Some((name.clone(), reason(name)?))).collect();
    lost.retain(|name| !known(name));
    let warning = (!lost.is_empty()).then(|| unused(candidate, &lost));
    Ok(Made { edits, warning, without })
}

/// Puts lines at the beginning of a block.
fn first_line(text: &str, block: &In<Block>, line: &str, edits: &mut Vec<Edit>) {
    let newline = trivia::line_ending(text);
    let indent = trivia::inner_indent(text, block.span.start);
    if let Some(at) = trivia::after_opening_brace(text, block.braces) {
        let line = format!("{indent}{line}{newline}");
        // An insertion where something else goes would go with it.
        return match edits.iter_mut().find(|e| e.span.start == at && !e.span.is_empty()) {
            Some(gone) => gone.text = line,
            None => edits.push(Edit { span: Span { start: at, end: at }, text: line }),
        };
    }
    // On one line stands one argument at most.
    if edits.is_empty() {
        return open_up(text, block, &indent, newline, line, edits);
    }
    let span = Span { start: block.braces.start + 1, end: block.braces.end - 1 };
    let outer = trivia::line_indent(text, block.span.start);
    *edits = vec![Edit { span, text: format!("{newline}{indent}{line}{newline}{outer}") }];
}

/// Returns the comment above a call that replaces a resource or another call.
fn comment(r: &Replacing<'_>, candidate: &Candidate<'_>) -> String {
    let own = &candidate.replaced.unit;
    let text = format!("# phi: {own} — service: {} — form factor: {}", candidate.service.name, r.factor.name);
    one_line(&text).into_owned()
}

/// Writes all nested blocks of a name as one argument, in place of the first of them.
fn value(
    template: &Template,
    text: &str,
    body: &Body,
    block: &Arc<Block>,
    edits: &mut Vec<Edit>,
    lost: &mut BTreeSet<String>,
) -> Result<(), Misfit> {
    let kind = &*block.kind.text;
    if is_dynamic(block) {
        return Err(Misfit { path: named(&Item::Block(block.clone())).0.to_owned(), span: block.kind.span });
    }
    let Some(variable) = template.module.variables.get(kind).filter(|_| nested::first(body, block)) else {
        return Ok(());
    };
    let value = nested::value(text, body, kind, &variable.ty)?;
    edits.extend(value.edits);
    lost.extend(value.lost.into_iter().map(|(path, _)| path));
    Ok(())
}

/// Returns an error for each part of the block that a call can't express, such as a provisioner.
fn refusals(config: &Config, candidate: &Candidate<'_>) -> Vec<Issue> {
    let mut out = Vec::new();
    let decl = candidate.decl;
    if decl.json {
        let why = "It is declared in JSON, and JSON files are not rewritten.";
        out.push(fix_in_native(candidate.refusal(why, decl.place()), config, decl.place()));
    }
    if let Some(over) = decl.overrides.first() {
        let why = "An override file changes it, and both would have to be rewritten together.";
        out.push(candidate.refusal(why, over.place()).fix("Merge the override into the declaration.", ""));
    }
    let unit = &candidate.replaced.unit;
    out.extend(refused_under(candidate, (decl, unit), &candidate.replaced.original(), ""));
    let Some(resource) = candidate.resource else { return out };
    if let Some(first) = resource.provisioners.first().or(resource.connection.as_ref()) {
        let why = "It has a provisioner or a connection, which a module call can't have.";
        let fix = "Move the provisioner to a `terraform_data` resource beside it.";
        out.push(candidate.refusal(why, first.header()).fix(fix, ""));
    }
    let lifecycle = &resource.lifecycle;
    if let Some(attr) = &lifecycle.replace_triggered_by {
        let why = "It is replaced when something else changes (`replace_triggered_by`), which a module call can't be.";
        let fix = "Trigger by a variable of the template, within the template.";
        out.push(candidate.refusal(why, attr.place()).fix(fix, ""));
    }
    if let Some(rule) = lifecycle.preconditions.iter().chain(&lifecycle.postconditions).next() {
        let why = "It has a precondition or postcondition, which a module call can't have.";
        let fix = "Say it in a `check` block, or as a `validation` of the template's variable.";
        out.push(candidate.refusal(why, rule.block.header()).fix(fix, ""));
    }
    out
}

/// Returns an error for each argument that the service refuses in the block of `address`. An argument that is `false` or null isn't
/// refused. The service lists these arguments under names that begin with `front`.
pub(super) fn refused_under(
    candidate: &Candidate<'_>,
    (decl, own): (&Decl, &dyn std::fmt::Display),
    address: &str,
    front: &str,
) -> Vec<Issue> {
    let block = &decl.block;
    let is_off = |item: &Item| match item {
        Item::Attribute(a) => matches!(a.expr.kind, ExprKind::Bool(false) | ExprKind::Null),
        Item::Block(_) => false,
    };
    let one = |(name, item): (String, &Item)| {
        let why = candidate.service.refuses.get(format!("{front}{name}").as_str())?;
        let summary = format!("{address} can't be replaced by a service with {name}");
        let issue = Issue::error(Code::Service, summary, why.to_string()).at(block.at(named(item).1));
        let issue = issue.about(format!("{address}.{name}"));
        let issue = issue.fix(format!("Take {name} out of {own}."), "");
        Some(match candidate.service.takeover() {
            Some((title, command)) => {
                issue.fix(format!("{title}, and give its template a variable:"), command)
            }
            None => issue,
        })
    };
    nested::all(&block.body).into_iter().filter(|(_, item)| !is_off(item)).filter_map(one).collect()
}

pub(super) fn no_value(candidate: &Candidate<'_>, decl: &Decl, misfit: &Misfit) -> Issue {
    let (path, kind) = (&misfit.path, misfit.path.split('.').next().unwrap_or_default());
    let why = format!(
        "The template has a variable \"{kind}\", and what the resource says of {path} makes no single value of its type: a \
         `dynamic` block, several blocks where the type has one object, or blocks with something else between them."
    );
    candidate
        .refusal(why, decl.block.at(misfit.span))
        .fix("Write it as one block, or as blocks one after another where the type has a list.", "")
        .fix("Or give the template's variable another name; the block is then left out, with a warning.", "")
}

/// Variables of the template without a default that the original has no argument for.
fn missing(candidate: &Candidate<'_>, template: &Module, given: &BTreeSet<&str>) -> Vec<Issue> {
    let absent = template.variables.values().filter(|v| v.default.is_none() && !given.contains(&*v.name));
    let own = &candidate.replaced.unit;
    absent
        .map(|variable| {
            let name = &variable.name;
            let mut why = format!(
                "The template of \"{}\" needs a value for its variable \"{name}\", and {own} has no such argument.",
                candidate.service.name
            );
            let described = variable.decl.block.body.attribute("description").map(|a| &a.expr.kind);
            if let Some(ExprKind::String(text)) = described {
                why = format!("{why} It says: {text}");
            }
            let file = &candidate.service.module.0;
            let issue = candidate.refusal(why, candidate.decl.place());
            let given = format!("inputs \"{}\" {{\n  {name} = ...\n}}", candidate.service.group);
            let issue = match candidate.service.embedded {
                Some(_) => issue.fix("Give it in the form factor in `phi.hcl`:", given),
                None => issue
                    .fix(
                        format!("Give the variable a default in {file}:"),
                        format!("variable \"{name}\" {{\n  default = null\n}}"),
                    )
                    .fix("Or give it in the form factor in `phi.hcl`:", given),
            };
            issue.fix(format!("Or set the argument in {own}, where it takes one of that name:"), format!("{name} = ..."))
        })
        .collect()
}

fn unused(candidate: &Candidate<'_>, lost: &BTreeSet<String>) -> Issue {
    let names: Vec<&str> = lost.iter().map(String::as_str).collect();
    let quoted: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
    let service = &candidate.service.name;
    let why = format!("The template of \"{service}\" has no variable for them: {}.", names.join(", "));
    let summary = format!("a service does without some arguments of {}", candidate.replaced.original());
    let issue = Issue::warning(Code::Service, summary, why)
        .at(candidate.decl.place())
        .about(candidate.replaced.original());
    if let Some((title, command)) = candidate.service.takeover() {
        return issue.fix(format!("{title}, and add variables of these names to its template:"), command);
    }
    issue.fix("Add variables of these names to the template.", "").fix(
        format!("Or say in the service \"{service}\" that it does without:"),
        format!("ignores = [{}]", quoted.join(", ")),
    )
}

/// Edits with the later ones in the place of those that they contain.
pub(super) fn together(first: Edits, then: impl IntoIterator<Item = Edit>) -> Edits {
    let mut out = first;
    then.into_iter().for_each(|edit| replace(&mut out, edit));
    out
}
