//! Expressions of a root module where they stand in the Stack: in its own files, or in a component's module.
//!
//! In: an expression of the root module. Out: its text, in which each name is what gives that value there; noted is what has
//! to be handed from one to the other. Invariant: nothing else of the text changes.

use super::levels::{Levels, listed};
use super::read::{Node, Root, read_path};
use crate::addr::{PathAttr, Referent};
use crate::graph::{Use, uses_of};
use crate::syntax::{self, Attribute, Expr, ExprKind, SplatStep, parse_expr};
use crate::text::{Edit, EditSet, Place, SourceId, Span};
use crate::value::hcl;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where an expression is to stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// In the Stack's own files.
    Stack,
    /// In the module of the component of this number.
    Inner(usize),
}

/// What a component's module takes and gives.
#[derive(Default)]
pub(super) struct Inner {
    /// Variables of the root module.
    pub variables: BTreeSet<Arc<str>>,
    /// Locals that the Stack could have as well.
    pub locals: BTreeSet<Arc<str>>,
    /// Further variables: what each is given, and its name.
    pub passed: BTreeMap<String, String>,
    /// Outputs: their values, and their names.
    pub outputs: BTreeMap<String, String>,
    /// Validations that the Stack can't have, by variable.
    pub checks: BTreeMap<Arc<str>, Vec<String>>,
    /// Components that come before it without giving anything.
    pub after: BTreeSet<String>,
}

/// Writes expressions.
pub(super) struct Words<'w, 'a> {
    pub root: &'w Root<'a>,
    pub levels: &'w Levels,
    /// The way from a component's module to the root module's folder.
    pub up: String,
    /// The variable that stands for the workspace.
    pub workspace: String,
    /// Whether it is needed.
    pub asks_workspace: bool,
    /// The modules of components that are added, by their numbers.
    pub inner: BTreeMap<usize, Inner>,
    /// Locals that the Stack's own expressions need.
    pub locals: BTreeSet<Arc<str>>,
    /// Where a path is named that isn't the same any more.
    pub paths: BTreeSet<Place>,
}

impl Words<'_, '_> {
    /// The text of an argument's value.
    pub fn text(&mut self, expr: &Expr, file: SourceId, scope: Scope) -> String {
        if let (Scope::Stack, Some((name, _))) =
            (scope, self.root.parts.get(&Place { file, span: expr.span }))
        {
            let at = self.levels.at(&Node::Part(name.clone())).unwrap_or_default();
            return format!("component.{}.{name}", self.levels.name(at));
        }
        self.within(expr, file, scope)
    }

    /// The same where a component's module computes it for the Stack.
    pub fn within(&mut self, expr: &Expr, file: SourceId, scope: Scope) -> String {
        let source = self.root.config.sources.get(file).map(|s| s.slice(expr.span)).unwrap_or_default();
        let place = Place { file, span: expr.span };
        self.rewritten(source.to_owned(), scope, place)
    }

    fn rewritten(&mut self, mut text: String, scope: Scope, place: Place) -> String {
        if text.contains("<<") && !text.ends_with('\n') {
            text.push('\n');
        }
        let Ok(expr) = parse_expr(&text) else { return text };
        let splats = splats(&expr);
        let mut edits = if scope == Scope::Stack { Vec::new() } else { self.files(&expr, place) };
        for used in uses_of(&expr, SourceId(0)) {
            let whole = splats.get(&used.traversal.span).copied().unwrap_or(used.traversal.span);
            edits.extend(self.edit(&used, &text, whole, scope, place));
        }
        EditSet::of(edits).ok().and_then(|set| set.apply(&text).ok()).unwrap_or(text)
    }

    /// Files that are read by a path from the working directory, which was the root module's folder.
    fn files(&mut self, expr: &Expr, place: Place) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut elsewhere = false;
        syntax::walk::walk(expr, &mut |e| {
            let ExprKind::Call(call) = &e.kind else { return true };
            let Some(path) = read_path(call) else { return true };
            match &path.kind {
                ExprKind::String(text) if text.starts_with(['/', '~']) => {}
                ExprKind::String(text) => {
                    let text = hcl::quote(text.strip_prefix("./").unwrap_or(text));
                    let rest = text.get(1..).unwrap_or_default();
                    edits.push(Edit {
                        span: path.span,
                        text: format!("\"${{path.module}}/{}/{rest}", self.up),
                    });
                }
                _ => {
                    let named = |u: &Use| {
                        matches!(u.referent, Referent::Path(_))
                            && u.traversal.span.start <= path.span.start + 3
                    };
                    elsewhere |= !uses_of(path, SourceId(0)).iter().any(named);
                }
            }
            true
        });
        if elsewhere {
            self.paths.insert(place);
        }
        edits
    }

    fn edit(&mut self, used: &Use, text: &str, whole: Span, scope: Scope, place: Place) -> Option<Edit> {
        let own = used.span_through(used.consumed);
        let slice = |span: Span| text.get(span.range()).unwrap_or_default().to_owned();
        let new = |span: Span, text: String| Some(Edit { span, text });
        match (&used.referent, scope) {
            (Referent::Variable(name), Scope::Inner(at)) => {
                self.of(at).variables.insert(name.clone());
                None
            }
            (Referent::Workspace, _) => {
                self.asks_workspace = true;
                let name: Arc<str> = self.workspace.as_str().into();
                if let Scope::Inner(at) = scope {
                    self.of(at).variables.insert(name.clone());
                }
                new(own, format!("var.{name}"))
            }
            (Referent::Path(PathAttr::Module | PathAttr::Root), Scope::Inner(_)) => {
                self.paths.insert(place);
                match used.interpolation {
                    Some(span) => new(span, format!("${{path.module}}/{}", self.up)),
                    None => new(own, format!("\"${{path.module}}/{}\"", self.up)),
                }
            }
            (Referent::Path(PathAttr::Cwd), _) => {
                self.paths.insert(place);
                None
            }
            (Referent::Local(name), _) if !self.root.is_inner_local(name) => {
                match scope {
                    Scope::Stack => self.locals.insert(name.clone()),
                    Scope::Inner(at) => self.of(at).locals.insert(name.clone()),
                };
                None
            }
            (referent, _) => {
                let node = self.root.node(referent)?;
                let span = if matches!(node, Node::Resource(_)) { whole } else { own };
                self.part(&node, slice(span), scope).and_then(|text| new(span, text))
            }
        }
    }

    /// What stands for a name that another part of the Stack gives.
    fn part(&mut self, node: &Node, text: String, scope: Scope) -> Option<String> {
        let there = self.levels.at(node);
        match (scope, there) {
            (Scope::Inner(at), Some(there)) if at == there => None,
            (Scope::Stack, _) => Some(self.given(there, text)),
            (Scope::Inner(at), _) => {
                let wanted = slug(&text);
                let given = self.given(there, text);
                Some(format!("var.{}", self.passed(at, given, &wanted)))
            }
        }
    }

    /// The expression of the Stack for it.
    fn given(&mut self, there: Option<usize>, text: String) -> String {
        let Some(there) = there else {
            return text.strip_prefix("module.").map_or(text.clone(), |rest| format!("component.{rest}"));
        };
        let parts: Vec<Arc<str>> = self.root.parts.values().map(|(name, _)| name.clone()).collect();
        let inner = self.of(there);
        let name = match inner.outputs.get(&text) {
            Some(name) => name.clone(),
            None => {
                let taken = |name: &str| {
                    parts.iter().any(|part| **part == *name) || inner.outputs.values().any(|own| own == name)
                };
                let name = free(slug(&text), taken);
                inner.outputs.insert(text, name.clone());
                name
            }
        };
        format!("component.{}.{name}", self.levels.name(there))
    }

    fn passed(&mut self, at: usize, given: String, wanted: &str) -> String {
        let root = self.root;
        let workspace = self.workspace.clone();
        let inner = self.of(at);
        if let Some(name) = inner.passed.get(&given) {
            return name.clone();
        }
        let taken = |name: &str| {
            root.module.variables.contains_key(name)
                || workspace == *name
                || inner.passed.values().any(|own| own == name)
        };
        let name = free(wanted.to_owned(), taken);
        inner.passed.insert(given, name.clone());
        name
    }

    /// `depends_on`: what of it stands in the same module, while what else it names is noted. For the Stack it is the components.
    pub fn after(&mut self, attr: &Attribute, file: SourceId, scope: Scope) -> Option<String> {
        let mut kept: Vec<String> = Vec::new();
        for (node, text) in listed(self.root, &attr.expr, file) {
            let there = node.as_ref().and_then(|n| self.levels.at(n));
            let component = match (&node, there) {
                (Some(Node::Call(name)), None) => format!("component.{name}"),
                (Some(_), Some(there)) => format!("component.{}", self.levels.name(there)),
                _ => continue,
            };
            match (scope, there) {
                (Scope::Inner(at), there) if there == Some(at) => kept.push(text.to_string()),
                (Scope::Inner(at), _) => drop(self.of(at).after.insert(component)),
                (Scope::Stack, _) if !kept.contains(&component) => kept.push(component),
                _ => {}
            }
        }
        (!kept.is_empty()).then(|| format!("depends_on = [{}]", kept.join(", ")))
    }

    /// The component's module of this number.
    pub fn of(&mut self, at: usize) -> &mut Inner {
        self.inner.entry(at).or_default()
    }
}

/// The splats whose steps are names, by the extent of what they repeat.
fn splats(expr: &Expr) -> BTreeMap<Span, Span> {
    let mut out = BTreeMap::new();
    syntax::walk::walk(expr, &mut |e| {
        if let ExprKind::Splat(splat) = &e.kind
            && splat.each.iter().all(|step| matches!(step, SplatStep::Attr(_)))
        {
            out.insert(splat.source.span, e.span);
        }
        true
    });
    out
}

/// A name made of an address.
pub(super) fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '-' => out.push(c),
            _ if out.ends_with('_') || out.is_empty() => {}
            _ => out.push('_'),
        }
    }
    out.trim_end_matches('_').to_owned()
}

/// A name that nothing has.
pub(super) fn free(mut name: String, taken: impl Fn(&str) -> bool) -> String {
    while taken(&name) {
        name.push('_');
    }
    name
}
