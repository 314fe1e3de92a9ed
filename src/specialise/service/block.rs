//! From a resource's block to a call's: the header, the source, and which arguments the template takes.

use super::{Candidate, Replacing};
use crate::config::{Module, Resource};
use crate::issue::{Code, Issue};
use crate::specialise::{align, block::open_up, variant};
use crate::syntax::{Block, Item, emit, trivia};
use crate::text::{Edit, EditSet, Span, one_line};
use std::collections::BTreeSet;

/// What resources and calls both take.
const SHARED: [&str; 3] = ["count", "for_each", "depends_on"];

/// The edits that make a call of a resource, and what is lost by that.
pub(super) struct Made {
    /// In bytes of the file.
    pub edits: Vec<Edit>,
    /// At most one warning.
    pub warning: Option<Issue>,
}

/// Makes a call of a resource; `source` is the template as seen from the module, `text` the whole file.
///
/// # Errors
/// What has no equal in a call, and variables of the template that nothing gives a value.
pub(super) fn made(
    r: &Replacing<'_>,
    candidate: &Candidate<'_>,
    resource: &Resource,
    (source, text): (&str, &str),
) -> Result<Made, Vec<Issue>> {
    let mut issues = refusals(candidate, resource);
    let Some(template) = r.templates.get(&candidate.service.name) else { return Err(issues) };
    let block = &resource.decl.block;
    let newline = trivia::line_ending(text);
    let mut edits = Vec::new();
    let mut gone = Vec::new();
    let mut lost = BTreeSet::new();
    let mut given = BTreeSet::new();
    for item in &block.body.items {
        let (name, span) = match item {
            Item::Attribute(a) => (&*a.name.text, a.span),
            Item::Block(b) => (b.kind.text.as_ref(), b.span),
        };
        let taken = template.module.variables.contains_key(name) && name != "provider";
        match item {
            Item::Attribute(_) if SHARED.contains(&name) => continue,
            Item::Attribute(_) if taken => {
                given.insert(name);
                continue;
            }
            Item::Block(inner) if taken => {
                let alone = block.body.blocks_of(name).count() == 1;
                match as_object(inner).filter(|_| alone) {
                    Some(edit) => edits.push(edit),
                    None => issues.push(no_object(candidate, resource, inner)),
                }
                given.insert(name);
                continue;
            }
            Item::Attribute(_) | Item::Block(_) => {}
        }
        lost.insert(match item {
            Item::Block(b) if name == "dynamic" => b.label(0).unwrap_or(name).to_owned(),
            _ => name.to_owned(),
        });
        gone.push(trivia::item_full_lines(text, span));
    }
    edits.extend(removals(text, block.braces, gone));
    issues.extend(missing(candidate, &template.module, resource, &given));
    if !issues.is_empty() {
        return Err(issues);
    }
    let indent = trivia::inner_indent(text, block.span.start);
    let line = format!("source = {}", emit::string_literal(source));
    match trivia::after_opening_brace(text, block.braces) {
        Some(at) => {
            let line = format!("{indent}{line}{newline}");
            // An insertion where something else goes would go with it.
            match edits.iter_mut().find(|e| e.span.start == at && !e.span.is_empty()) {
                Some(gone) => gone.text = line,
                None => edits.push(Edit { span: Span { start: at, end: at }, text: line }),
            }
        }
        None => open_up(text, block, &indent, newline, &line, &mut edits),
    }
    let label = block.labels.last().map_or(block.kind.span, |l| l.span);
    let outer = trivia::line_indent(text, block.span.start);
    let comment = comment(r, candidate);
    let header =
        format!("{comment}{newline}{outer}module {}", emit::string_literal(&candidate.replaced.call));
    edits.push(Edit { span: block.kind.span.to(label), text: header });
    let known = |name: &String| {
        let decides = candidate.service.when.keys().any(|k| k.split('.').next() == Some(name));
        decides || candidate.service.ignores.contains(name)
    };
    lost.retain(|name| !known(name));
    Ok(Made { edits, warning: (!lost.is_empty()).then(|| unused(candidate, resource, &lost)) })
}

/// The edits that take items away, and blank lines with them where nothing is left to part.
fn removals(text: &str, braces: Span, mut gone: Vec<Span>) -> Vec<Edit> {
    gone.sort_unstable();
    let blank =
        |start: u32, end: u32| text.get(start as usize..end as usize).is_some_and(|t| t.trim().is_empty());
    let mut merged: Vec<Span> = Vec::new();
    for span in gone {
        match merged.last_mut() {
            Some(last) if last.end <= span.start && blank(last.end, span.start) => *last = last.to(span),
            _ => merged.push(span),
        }
    }
    let at_line = |at: u32| trivia::line_start(text, at) == at;
    for span in merged.iter_mut().filter(|s| at_line(s.start) && at_line(s.end)) {
        let above = trivia::line_start(text, span.start.saturating_sub(1));
        let first = above <= braces.start;
        while span.end < braces.end && (first || blank(above, span.start)) {
            let next = trivia::line_end(text, span.end);
            if !blank(span.end, next) || next <= span.end {
                break;
            }
            span.end = next;
        }
        let last = text.get(span.end as usize..braces.end as usize).is_some_and(|t| t.trim() == "}");
        if last && !first && blank(above, span.start) {
            span.start = above;
        }
    }
    merged.into_iter().map(|span| Edit { span, text: String::new() }).collect()
}

/// The comment above a call that stands for a resource.
fn comment(r: &Replacing<'_>, candidate: &Candidate<'_>) -> String {
    let own = &candidate.replaced.resource;
    let text = format!("# phi: {own} — service: {} — form factor: {}", candidate.service.name, r.factor.name);
    one_line(&text).into_owned()
}

/// The edits within a block, with its arguments aligned. `edits` are in bytes of the file.
pub(super) fn aligned(text: &str, block: Span, edits: &[Edit]) -> Result<Vec<Edit>, Issue> {
    let moved = |e: &Edit| Edit {
        span: Span { start: e.span.start - block.start, end: e.span.end - block.start },
        text: e.text.clone(),
    };
    let own = text.get(block.range()).unwrap_or("");
    let broken = |e: crate::text::EditError| {
        Issue::error(Code::Unsupported, "the changes to a file don't fit together", e.to_string())
    };
    let mut first = EditSet::default();
    for edit in edits.iter().map(moved) {
        first.replace(edit.span, edit.text).map_err(broken)?;
    }
    let between = first.apply(own).map_err(broken)?;
    // The comment above is no line of the block.
    let start = between.find('\n').map_or(0, |n| n + 1);
    let body = between.get(start..).unwrap_or("");
    let mut second = EditSet::default();
    let mut at = start;
    for (old, new) in body.split_inclusive('\n').zip(align::block(body).split_inclusive('\n')) {
        if old != new {
            let same = |(a, b): &(char, char)| a == b;
            let front: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
            let rest = |s: &str| s.len() - front;
            let most = rest(old).min(rest(new));
            let back: usize =
                old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
            let back = back.min(most);
            let text = new.get(front..new.len() - back).unwrap_or("");
            second.replace(Span::new(at + front, at + old.len() - back), text).map_err(broken)?;
        }
        at += old.len();
    }
    let both = first.then(&second, own).map_err(broken)?;
    let back = |e: &Edit| Edit {
        span: Span { start: e.span.start + block.start, end: e.span.end + block.start },
        text: e.text.clone(),
    };
    Ok(both.edits().iter().map(back).collect())
}

/// A nested block as an argument whose value is an object.
fn as_object(block: &Block) -> Option<Edit> {
    let plain = block.labels.is_empty() && block.body.blocks().next().is_none();
    let end = block.kind.span.end;
    plain.then(|| Edit { span: Span { start: end, end }, text: " =".to_owned() })
}

/// What has no equal in a call.
fn refusals(candidate: &Candidate<'_>, resource: &Resource) -> Vec<Issue> {
    let summary = format!("{} can't be replaced by a service", candidate.replaced.original());
    let issue = |why: &str, fix: &str| {
        Issue::error(Code::Service, summary.clone(), why).about(candidate.replaced.original()).fix(fix, "")
    };
    let mut out = Vec::new();
    let decl = &resource.decl;
    if decl.json {
        let why = "It is declared in JSON, and JSON files are not rewritten.";
        out.push(issue(why, "Declare it in a `.tf` file.").at(decl.place()));
    }
    if let Some(over) = decl.overrides.first() {
        let why = "An override file changes it, and both would have to be rewritten together.";
        out.push(issue(why, "Merge the override into the declaration.").at(over.place()));
    }
    if let Some(first) = resource.provisioners.first().or(resource.connection.as_ref()) {
        let why = "It has a provisioner or a connection, which a module call can't have.";
        out.push(
            issue(why, "Move the provisioner to a `terraform_data` resource beside it.").at(first.header()),
        );
    }
    let lifecycle = &resource.lifecycle;
    if let Some(attr) = &lifecycle.replace_triggered_by {
        let why = "It is replaced when something else changes (`replace_triggered_by`), which a module call can't be.";
        out.push(issue(why, "Trigger by a variable of the template, within the template.").at(attr.place()));
    }
    if let Some(rule) = lifecycle.preconditions.iter().chain(&lifecycle.postconditions).next() {
        let why = "It has a precondition or postcondition, which a module call can't have.";
        let fix = "Say it in a `check` block, or as a `validation` of the template's variable.";
        out.push(issue(why, fix).at(rule.block.header()));
    }
    out
}

fn no_object(candidate: &Candidate<'_>, resource: &Resource, block: &Block) -> Issue {
    let name = &block.kind.text;
    let why = format!(
        "The template has a variable \"{name}\", and what the resource says of it are several blocks, or blocks within \
         blocks, which make no single object."
    );
    let summary = format!("{} can't be replaced by a service", candidate.replaced.original());
    let place = resource.decl.block.at(block.kind.span);
    Issue::error(Code::Service, summary, why)
        .at(place)
        .about(candidate.replaced.original())
        .fix("Give the template's variable another name; the block is then left out, with a warning.", "")
}

/// Variables of the template without a default that the resource has no argument for.
fn missing(
    candidate: &Candidate<'_>,
    template: &Module,
    resource: &Resource,
    given: &BTreeSet<&str>,
) -> Vec<Issue> {
    let absent = template.variables.values().filter(|v| v.default.is_none() && !given.contains(&*v.name));
    let own = &candidate.replaced.resource;
    absent
        .map(|variable| {
            let name = &variable.name;
            let why = format!(
                "The template of \"{}\" needs a value for its variable \"{name}\", and {own} has no such argument.",
                candidate.service.name
            );
            let summary = format!("{} can't be replaced by a service", candidate.replaced.original());
            let file = &candidate.service.module.0;
            Issue::error(Code::Service, summary, why)
                .at(resource.decl.place())
                .about(candidate.replaced.original())
                .fix(
                    format!("Give the variable a default in {file}:"),
                    format!("variable \"{name}\" {{\n  default = null\n}}"),
                )
                .fix(format!("Or set the argument in {own}, where its type has it:"), format!("{name} = ..."))
        })
        .collect()
}

fn unused(candidate: &Candidate<'_>, resource: &Resource, lost: &BTreeSet<String>) -> Issue {
    let names: Vec<&str> = lost.iter().map(String::as_str).collect();
    let quoted: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
    let service = &candidate.service.name;
    let why = format!("The template of \"{service}\" has no variable for them: {}.", names.join(", "));
    let summary = format!("a service does without some arguments of {}", candidate.replaced.original());
    Issue::warning(Code::Service, summary, why)
        .at(resource.decl.place())
        .about(candidate.replaced.original())
        .fix("Add variables of these names to the template.", "")
        .fix(
            format!("Or say in the service \"{service}\" that it does without:"),
            format!("ignores = [{}]", quoted.join(", ")),
        )
}

/// Edits with the later ones in the place of those that they contain.
pub(super) fn together(first: Vec<Edit>, then: impl IntoIterator<Item = Edit>) -> Vec<Edit> {
    let mut out = first;
    then.into_iter().for_each(|edit| variant::replace(&mut out, edit));
    out
}
