//! Uses of names: every place in a module where an expression or an address names a declaration.

use crate::addr::{Key, Reference, Referent, Step};
use crate::config::Module;
use crate::syntax::{
    self, Attribute, Block, Body, Expr, ExprKind, IndexKey, Template, TemplatePart, Traversal, TraversalStep,
};
use crate::text::{Place, SourceId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The context of a use: the names of the enclosing blocks, outermost first, and the argument.
#[derive(Clone, Debug)]
pub struct Context {
    /// Types of the enclosing blocks.
    pub blocks: Vec<Arc<str>>,
    /// The argument's name.
    pub attribute: Arc<str>,
    /// The argument's value.
    pub value: Span,
}

/// A use of a name.
#[derive(Clone, Debug)]
pub struct Use {
    /// The file.
    pub file: SourceId,
    /// The whole constant traversal.
    pub traversal: Traversal,
    /// The declaration that it names.
    pub referent: Referent,
    /// The number of steps that belong to the name.
    pub consumed: usize,
    /// Its context.
    pub context: Context,
    /// The `${ … }` of a template, with delimiters, where the traversal is all that is in it.
    pub interpolation: Option<Span>,
    /// The template, quoted or a heredoc, that this interpolation is a part of.
    pub template: Option<Span>,
    /// True if it is by itself an element of the list that the argument is.
    pub is_element: bool,
}

impl Use {
    /// Returns the span from the root name to the end of the step with this index (0 is the root alone).
    pub fn span_through(&self, steps: usize) -> Span {
        let root = self.traversal.root.span;
        let end =
            steps.checked_sub(1).and_then(|i| self.traversal.steps.get(i)).map_or(root.end, |s| match s {
                TraversalStep::Attr(name) => name.span.end,
                // The key's span ends before the closing bracket.
                TraversalStep::Index(_, span) => span.end.saturating_add(1),
            });
        Span { start: root.start, end }
    }

    /// Returns the place of the whole traversal.
    pub fn place(&self) -> Place {
        Place { file: self.file, span: self.traversal.span }
    }

    /// Returns true if it lies within a place.
    pub fn lies_in(&self, place: Place) -> bool {
        place.file == self.file && place.span.contains(self.traversal.span)
    }

    /// Returns true if it stands in a list of addresses rather than in an expression that is evaluated.
    pub fn is_static(&self) -> bool {
        let name = &*self.context.attribute;
        matches!(name, "depends_on" | "replace_triggered_by" | "ignore_changes" | "provider" | "providers")
            || self.is_address()
    }

    /// Returns true if it is an address in state: `from` and `to` of `moved`, `removed` and `import`. Keys in it are
    /// expressions.
    pub fn is_address(&self) -> bool {
        let block = self.context.blocks.last().map_or("", |b| &**b);
        let begins = self.traversal.span.start == self.context.value.start;
        matches!((block, &*self.context.attribute), ("moved" | "removed" | "import", "from" | "to")) && begins
    }
}

/// All uses in a module, file by file, in source order. JSON files are not among them.
pub fn uses(module: &Module) -> Vec<Use> {
    of_files(module, false)
}

/// All uses in the JSON files of a module. They stand within strings, so that none counts as a whole interpolation.
pub fn uses_in_json(module: &Module) -> Vec<Use> {
    of_files(module, true).into_iter().map(|used| Use { interpolation: None, ..used }).collect()
}

fn of_files(module: &Module, json: bool) -> Vec<Use> {
    module.files.iter().filter(|f| f.json == json).flat_map(|f| uses_in(&f.body, f.source)).collect()
}

/// The uses in one body.
pub fn uses_in(body: &Body, file: SourceId) -> Vec<Use> {
    let mut out = Vec::new();
    of_body(body, file, &mut out);
    out
}

fn of_body(body: &Body, file: SourceId, out: &mut Vec<Use>) {
    syntax::walk::walk_body(body, &mut |blocks: &[&Block], attr: &Attribute| {
        let context = Context {
            blocks: blocks.iter().map(|b| b.kind.text.clone()).collect(),
            attribute: attr.name.text.clone(),
            value: attr.expr.span,
        };
        of_expr(file, &attr.expr, &context, out);
    });
}

/// The uses in an expression that stands by itself.
pub fn uses_of(expr: &Expr, file: SourceId) -> Vec<Use> {
    let context = Context { blocks: Vec::new(), attribute: Arc::from(""), value: expr.span };
    let mut out = Vec::new();
    of_expr(file, expr, &context, &mut out);
    out
}

fn of_expr(file: SourceId, expr: &Expr, context: &Context, out: &mut Vec<Use>) {
    let mut interpolations = Vec::new();
    syntax::walk::walk(expr, &mut |e| {
        if let ExprKind::Template(Template { parts, .. }) = &e.kind {
            lone_interpolations(parts, e.span, &mut interpolations);
        }
        true
    });
    let elements: &[Expr] = match &expr.kind {
        ExprKind::Tuple(elements) => elements,
        _ => &[],
    };
    let quoted = elements.iter().filter(|_| &*context.attribute == "depends_on").filter_map(in_quotes);
    let wholes: FxHashMap<Span, _> = interpolations.iter().map(|lone| (lone.inner, lone)).collect();
    let spans: FxHashSet<Span> = elements.iter().map(|element| element.span).collect();
    for traversal in syntax::traversal::variables(expr).into_iter().chain(quoted) {
        let Some(reference) = reference(&traversal) else { continue };
        let whole = wholes.get(&traversal.span);
        out.push(Use {
            file,
            referent: reference.referent,
            consumed: reference.consumed,
            context: context.clone(),
            interpolation: whole.map(|lone| lone.outer),
            template: whole.map(|lone| lone.template),
            is_element: spans.contains(&traversal.span),
            traversal,
        });
    }
}

/// The address in a string, as Terraform 0.11 had it and later ones still take it. All of it stands where the string does.
fn in_quotes(element: &Expr) -> Option<Traversal> {
    let ExprKind::String(text) = &element.kind else { return None };
    let parsed = syntax::parse_expr(text).ok()?;
    let mut traversal = syntax::traversal::absolute_traversal(&parsed)?;
    traversal.span = element.span;
    traversal.root.span = element.span;
    for step in &mut traversal.steps {
        match step {
            TraversalStep::Attr(name) => name.span = element.span,
            TraversalStep::Index(_, span) => *span = element.span,
        }
    }
    Some(traversal)
}

/// An interpolation, what stands in it, and the template that it is a part of.
struct Lone {
    inner: Span,
    outer: Span,
    template: Span,
}

fn lone_interpolations(parts: &[TemplatePart], template: Span, out: &mut Vec<Lone>) {
    for part in parts {
        match part {
            TemplatePart::Literal(..) => {}
            TemplatePart::Interpolation(inner, outer) => {
                out.push(Lone { inner: inner.span, outer: *outer, template });
            }
            TemplatePart::If { then, otherwise, .. } => {
                lone_interpolations(then, template, out);
                lone_interpolations(otherwise, template, out);
            }
            TemplatePart::For { body, .. } => lone_interpolations(body, template, out),
        }
    }
}

/// Returns the declaration that a traversal names; nothing where it isn't a reference.
pub fn reference(traversal: &Traversal) -> Option<Reference> {
    let steps: Vec<Step<'_>> = traversal.steps.iter().map(step).collect();
    Reference::parse(&traversal.root.text, &steps).ok()
}

fn step(step: &TraversalStep) -> Step<'_> {
    match step {
        TraversalStep::Attr(name) => Step::Attr(&name.text),
        TraversalStep::Index(IndexKey::Number(n), _) => {
            n.as_i64().map_or(Step::Other, |n| Step::Index(Key::Index(n)))
        }
        TraversalStep::Index(IndexKey::String(s), _) => Step::Index(Key::Name(s.clone())),
    }
}
