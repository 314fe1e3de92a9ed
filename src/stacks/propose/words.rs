//! Rewrites expressions of a root module for the Stack's own files, or for a component's module.
//!
//! In: an expression of the root module. Out: its text, with each name replaced by the reference that has the same value there, and
//! the values that have to be passed between the Stack and the modules. Invariant: nothing else of the text changes.

use super::levels::{Levels, listed};
use super::read::{Node, Root, read_path};
use crate::addr::{PathAttr, Referent};
use crate::graph::{Use, uses_of};
use crate::stacks::items::rewritten;
use crate::syntax::{self, Attribute, Expr, ExprKind, SplatStep};
use crate::text::{Edit, Place, SourceId, Span};
use crate::value::hcl;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The destination of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// The Stack's own files.
    Stack,
    /// The module of the component with this number.
    Inner(usize),
}

/// The inputs, outputs and locals of a component's module.
#[derive(Default)]
pub(super) struct Inner {
    /// Variables of the root module that it takes.
    pub variables: BTreeSet<Arc<str>>,
    /// Locals that it needs and that the Stack could have as well.
    pub locals: BTreeSet<Arc<str>>,
    /// Further variables: the expression that each is set to, and its name.
    pub passed: BTreeMap<String, String>,
    /// Outputs: the value of each, and its name.
    pub outputs: BTreeMap<String, String>,
    /// Validations that the Stack can't have, by variable.
    pub checks: BTreeMap<Arc<str>, Vec<String>>,
    /// Components in its `depends_on`.
    pub after: BTreeSet<String>,
}

/// Rewrites expressions, and collects what the Stack and the modules need for them.
pub(super) struct Words<'w, 'a> {
    pub root: &'w Root<'a>,
    pub levels: &'w Levels,
    /// The relative path from a component's module to the root module's folder.
    pub up: String,
    /// The variable that replaces `terraform.workspace`.
    pub workspace: String,
    /// True if an expression uses that variable.
    pub asks_workspace: bool,
    /// The modules of components that are added, by their numbers.
    pub inner: BTreeMap<usize, Inner>,
    /// Locals that the Stack's own expressions need.
    pub locals: BTreeSet<Arc<str>>,
    /// The places of expressions with a path that may lead elsewhere in the Stack.
    pub paths: BTreeSet<Place>,
}

impl Words<'_, '_> {
    /// Returns the rewritten text of an argument's value.
    pub fn text(&mut self, expr: &Expr, file: SourceId, scope: Scope) -> String {
        if let (Scope::Stack, Some((name, _))) =
            (scope, self.root.parts.get(&Place { file, span: expr.span }))
        {
            let at = self.levels.at(&Node::Part(name.clone())).unwrap_or_default();
            return format!("component.{}.{name}", self.levels.name(at));
        }
        self.within(expr, file, scope)
    }

    /// Returns the rewritten text of an expression, even if the Stack takes its value from a component's output.
    pub fn within(&mut self, expr: &Expr, file: SourceId, scope: Scope) -> String {
        let place = Place { file, span: expr.span };
        let source = self.root.config.sources.slice(place).to_owned();
        rewritten(source, |expr, text| self.edits((expr, text), scope, place))
    }

    fn edits(&mut self, (expr, text): (&Expr, &str), scope: Scope, place: Place) -> Vec<Edit> {
        let splats = splats(expr);
        let mut edits = if scope == Scope::Stack { Vec::new() } else { self.files(expr, place) };
        for used in uses_of(expr, SourceId(0)) {
            let whole = splats.get(&used.traversal.span).copied().unwrap_or(used.traversal.span);
            edits.extend(self.edit(&used, text, whole, scope, place));
        }
        edits
    }

    /// Returns the edits for paths relative to the working directory, which is no longer the root module's folder.
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

    /// Returns the text that replaces a reference to a part in another component; `None` if the part is in the same module.
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

    /// Returns the Stack's expression for a value of a component. `there` is the number of the added component, if it is one.
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

    /// Returns the `depends_on` argument. In a component's module it lists the parts of the same module; the components of the others are
    /// added to `after`. In the Stack it lists components.
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

    /// Returns the module of the component with this number.
    pub fn of(&mut self, at: usize) -> &mut Inner {
        self.inner.entry(at).or_default()
    }
}

/// Returns the extent of each splat that has only attribute steps, by the extent of its source.
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

/// Returns a name made of an address.
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

/// Returns a name that isn't taken, with underscores added as needed.
pub(super) fn free(mut name: String, taken: impl Fn(&str) -> bool) -> String {
    while taken(&name) {
        name.push('_');
    }
    name
}
