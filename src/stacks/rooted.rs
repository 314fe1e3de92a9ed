//! Expressions of embedded Stacks as the root module says them, which configures the providers of these Stacks.
//!
//! In: a text of an embedded Stack's module. Out: what stands for it in the root module. What was passed stands in the places of
//! variables, and locals are written out; what a component gives becomes an output of each module from the Stack's own up, and the
//! root module names the topmost one. Invariant: the value is the same.

use super::unit::Unit;
use crate::config::Module;
use crate::syntax::{Expr, Ident, TraversalStep, parse_expr, traversal};
use crate::text::{Edit, EditSet, Span};
use crate::value::hcl;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file of outputs that hand values up.
const FILE: &str = "phi_outputs.tf";

/// A text in the root module, and what it needs of modules below.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooted {
    pub text: String,
    pub exports: Vec<Export>,
}

/// A value that a module hands up to the root module.
#[derive(Clone, Debug)]
pub(super) struct Export {
    /// The names of the calls that lead to the module.
    labels: Vec<String>,
    /// What it is called there.
    name: String,
    /// The expression that gives it.
    text: String,
    is_ephemeral: bool,
}

/// The outputs that modules have for the root module: by the names of calls and their own the value, and whether it is ephemeral.
pub(super) type Exports = BTreeMap<(Vec<String>, String), (String, bool)>;

impl Export {
    /// The name of the output in the module behind so many of the calls.
    fn at(&self, depth: usize) -> String {
        let below = self.labels.iter().skip(depth).map(String::as_str);
        let path: Vec<&str> = below.chain([self.name.as_str()]).collect();
        format!("phi_{}", path.join(super::names::BETWEEN))
    }

    /// What the root module calls it.
    fn seen(&self) -> String {
        format!("module.{}.{}", self.labels.first().map(String::as_str).unwrap_or_default(), self.at(1))
    }

    /// Adds its outputs.
    pub fn add_to(&self, all: &mut Exports) {
        for depth in 1..=self.labels.len() {
            let labels: Vec<String> = self.labels.iter().take(depth).cloned().collect();
            let text = match self.labels.get(depth) {
                Some(below) => format!("module.{below}.{}", self.at(depth + 1)),
                None => self.text.clone(),
            };
            all.insert((labels, self.at(depth)), (text, self.is_ephemeral));
        }
    }
}

/// The files of these outputs.
pub(super) fn files(all: &Exports, head: &str) -> BTreeMap<PathBuf, String> {
    let mut out: BTreeMap<PathBuf, String> = BTreeMap::new();
    for ((labels, name), (text, is_ephemeral)) in all {
        let path: PathBuf = labels.iter().map(Path::new).chain([Path::new(FILE)]).collect();
        let file = out.entry(path).or_insert_with(|| {
            format!("# {head} what the providers of its embedded Stacks take of components.\n")
        });
        let ephemeral = if *is_ephemeral { "ephemeral = true\n" } else { "" };
        file.push_str(&format!("\noutput {} {{\nvalue = {text}\n{ephemeral}}}\n", hcl::quote(name)));
    }
    out.into_iter().map(|(path, text)| (path, super::items::laid_out(&text))).collect()
}

/// A text of a Stack in the root module; nothing where it can't be said there. `repeats`: a local for what repeats a provider, and what
/// that is.
pub(super) fn rooted(
    unit: &Unit<'_, '_, '_>,
    text: &str,
    repeats: Option<&(String, String)>,
) -> Option<Rooted> {
    if unit.labels.is_empty() {
        return Some(Rooted { text: text.to_owned(), exports: Vec::new() });
    }
    let expr: Expr = parse_expr(text).ok()?;
    let (mut edits, mut exports) = (Vec::new(), Vec::new());
    for used in traversal::variables(&expr) {
        let Some(TraversalStep::Attr(first)) = used.steps.first() else { continue };
        let (new, end) = match &*used.root.text {
            "var" => (unit.passed.get(&first.text)?.clone(), first.span),
            "local" => match repeats.filter(|(name, _)| **name == *first.text) {
                Some((_, text)) => (rooted(unit, text, None)?, first.span),
                None => (local(unit, &first.text)?, first.span),
            },
            "module" => {
                let second = used.steps.get(1).and_then(|step| match step {
                    TraversalStep::Attr(name) => Some(name),
                    TraversalStep::Index(..) => None,
                });
                called(unit, first, second)?
            }
            _ => continue,
        };
        exports.extend(new.exports);
        edits.push(Edit { span: used.root.span.to(end), text: format!("({})", new.text.trim_end()) });
    }
    let text = EditSet::of(edits).ok()?.apply(text).ok()?;
    Some(Rooted { text, exports })
}

/// What a local is in the root module: its value, or all instances of a component.
fn local(unit: &Unit<'_, '_, '_>, name: &Arc<str>) -> Option<Rooted> {
    if let Some(local) = unit.module.locals.get(name) {
        let json = unit.module.files.iter().any(|f| f.source == local.attr.file && f.json);
        let text = unit.words().text(&local.attr.expr, (local.attr.file, json), None);
        return rooted(unit, &text, None);
    }
    let text = format!("local.{name}");
    let module = behind(unit, &text)?;
    Some(handed_up(unit, format!("local_{name}"), text, any_ephemeral(module)))
}

/// What a call gives, and where its name ends: one output, or all of them.
fn called(unit: &Unit<'_, '_, '_>, label: &Ident, output: Option<&Ident>) -> Option<(Rooted, Span)> {
    let text = format!("module.{}", label.text);
    let module = behind(unit, &text)?;
    // An output that isn't there is left to Terraform, which says so.
    match output.filter(|o| module.is_none_or(|m| m.outputs.contains_key(&o.text))) {
        Some(output) => {
            let is_ephemeral = module.and_then(|m| m.outputs.get(&output.text)).is_some_and(|o| o.ephemeral);
            let name = format!("{}{}{}", label.text, super::names::BETWEEN, output.text);
            Some((handed_up(unit, name, format!("{text}.{}", output.text), is_ephemeral), output.span))
        }
        None => Some((handed_up(unit, label.text.to_string(), text, any_ephemeral(module)), label.span)),
    }
}

/// The module of what a text stands for, where it was read; nothing if it stands for no component and no Stack.
fn behind<'a>(unit: &Unit<'_, '_, 'a>, text: &str) -> Option<Option<&'a Module>> {
    let (name, _) = unit.stands.iter().find(|(_, stand)| stand.text == text)?;
    Some(unit.config.child(&unit.spot.path, name))
}

fn any_ephemeral(module: Option<&Module>) -> bool {
    module.is_some_and(|m| m.outputs.values().any(|o| o.ephemeral))
}

fn handed_up(unit: &Unit<'_, '_, '_>, name: String, text: String, is_ephemeral: bool) -> Rooted {
    let export = Export { labels: unit.labels.clone(), name, text, is_ephemeral };
    Rooted { text: export.seen(), exports: vec![export] }
}
