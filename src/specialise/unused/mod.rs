//! Declarations that nothing uses any more, once driven fields are literals.
//!
//! In: a node of the decision tree whose calls are settled. Out: variables and locals that had uses, and have none in the
//! copy. What was unused before stays, as do variables with validations, which are the user's checks. Outputs are a module's
//! interface: [`crate::specialise::unused::outputs`] says which go. The root module is nobody's copy: nothing is taken out of it.

pub(super) mod outputs;

use super::decision::{Child, Node, Split};
use super::fold;
use super::unit::Unit;
use crate::addr::{ModulePath, Referent, Target};
use crate::config::{Config, Module, Variable};
use crate::graph::{self, Use};
use crate::specialise::unit::declared::named;
use crate::specialise::written::literal;
use crate::syntax::parse_expr;
use crate::text::{SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The declarations that are removed from a copy.
#[derive(Clone, Debug, Default)]
pub struct Unused {
    /// Variables, with the arguments that callers pass.
    pub variables: BTreeSet<Arc<str>>,
    /// Locals.
    pub locals: BTreeSet<Arc<str>>,
    /// Outputs.
    pub outputs: BTreeSet<Arc<str>>,
}

/// Finds the variables and locals; the outputs are those that are found already.
pub fn find(
    (config, path): (&Config, &ModulePath),
    units: &[Unit<'_>],
    module: &Module,
    node: &Node,
) -> Unused {
    let gone = |name: &str| node.known(name).is_some();
    let in_text = graph::uses(module);
    let removed = Spans::of(removed_with(config, path, module, &in_text, node));
    let holders = Holders::of(module);
    // How often each is used in the copy, and by which declarations.
    let mut uses: BTreeMap<Target, (usize, bool)> = BTreeMap::new();
    let mut within: BTreeMap<Target, Vec<Target>> = BTreeMap::new();
    let all = in_text.into_iter().chain(graph::uses_in_json(module));
    for used in all {
        let Some(name) = named(&used.referent) else { continue };
        let holder = holders.of_use(&used);
        if holder.as_ref() == Some(&name) {
            continue;
        }
        let (count, went) = uses.entry(name.clone()).or_default();
        let in_gone = matches!(&holder, Some(Target::Variable(holder)) if gone(holder));
        if in_gone || removed.contain(used.file, used.traversal.span) {
            *went = true;
            continue;
        }
        *count += 1;
        if let Some(holder) = holder {
            within.entry(holder).or_default().push(name);
        }
    }
    for name in gates(units, node).iter().filter_map(named) {
        uses.entry(name).or_default().0 += 1;
    }
    let free = |name: &Target| match name {
        Target::Variable(name) => {
            !gone(name) && module.variables.get(name).is_some_and(|v| may_go(config, v))
        }
        Target::Local(name) => module.locals.get(name).is_some_and(|l| !l.decl.json),
        _ => false,
    };
    let mut open: Vec<Target> =
        uses.iter().filter(|(_, u)| **u == (0, true)).map(|(n, _)| n.clone()).collect();
    let mut out = Unused { outputs: node.unused.outputs.clone(), ..Unused::default() };
    while let Some(name) = open.pop() {
        if !free(&name) {
            continue;
        }
        for used in within.remove(&name).unwrap_or_default() {
            let Some((count, _)) = uses.get_mut(&used) else { continue };
            *count -= 1;
            if *count == 0 {
                open.push(used);
            }
        }
        match name {
            Target::Variable(name) => out.variables.insert(name),
            Target::Local(name) => out.locals.insert(name),
            _ => false,
        };
    }
    out
}

fn may_go(config: &Config, variable: &Variable) -> bool {
    let json = variable.decl.blocks().any(|block| config.is_json(block.file));
    !json && variable.validations.is_empty()
}

/// The names in the gates of what is split here, as they are proved.
pub(super) fn gates(units: &[Unit<'_>], node: &Node) -> Vec<Referent> {
    let units = node.splits().filter_map(|(_, split)| units.get(split.unit));
    let texts = units.flat_map(|unit| unit.gates.gates.iter().map(|gate| gate.text.as_str()));
    let exprs = texts.filter_map(|text| parse_expr(text).ok());
    exprs.flat_map(|expr| graph::uses_of(&expr, SourceId(0))).map(|used| used.referent).collect()
}

/// Returns the places that are replaced or removed in a copy, with what is folded, has no instance, or is an output that goes.
pub(super) fn removed_with(
    config: &Config,
    path: &ModulePath,
    module: &Module,
    uses: &[Use],
    node: &Node,
) -> Vec<(SourceId, Span)> {
    let value = |name: &str| node.known(name).cloned();
    let facts = fold::Facts { config, path, module, uses, value: &value, absent: &node.absent };
    let folded = fold::folded(&facts).edits.into_iter().map(|(file, edit)| (file, edit.span));
    let outputs = node.unused.outputs.iter().filter_map(|name| module.outputs.get(name).map(|o| &o.decl));
    let blocks = node.absent.decls(module).chain(outputs);
    let blocks = blocks.flat_map(|decl| decl.blocks().map(|b| (b.file, b.place().span)));
    removed(config, module, node).into_iter().chain(folded).chain(blocks).collect()
}

/// Returns the places that are replaced or removed in every copy.
fn removed(config: &Config, module: &Module, node: &Node) -> Vec<(SourceId, Span)> {
    let mut out = Vec::new();
    let literals = |literals: &[super::decision::Literal]| {
        let edits = literals.iter().filter_map(|l| Some((l.site.attr.file, literal::edits(config, l).ok()?)));
        edits.flat_map(|(file, edits)| edits.into_iter().map(move |e| (file, e.span))).collect::<Vec<_>>()
    };
    out.extend(literals(&node.literals));
    // The copies of a unit have the same fields.
    let own = |split: &Split| split.copies.first().map(|copy| literals(&copy.own)).unwrap_or_default();
    out.extend(node.resources.values().flat_map(own));
    for (name, child) in &node.calls {
        let Some(call) = module.calls.get(name) else { continue };
        let goes = |arg: &str| match child {
            Child::Through(inner) => inner.drops(arg),
            Child::Split(split) => split.copies.iter().all(|copy| copy.inner.drops(arg)),
        };
        for block in call.decl.blocks() {
            let args = block.body.attributes().filter(|arg| goes(&arg.name.text));
            out.extend(args.map(|arg| (block.file, arg.span)));
        }
        if let Child::Split(split) = child {
            out.extend(own(split));
        }
    }
    out
}

/// Passages of files, for the question whether something lies in one.
pub(super) struct Spans(BTreeMap<(SourceId, u32), u32>);

impl Spans {
    pub(super) fn of(all: Vec<(SourceId, Span)>) -> Spans {
        let mut ends: BTreeMap<(SourceId, u32), u32> = BTreeMap::new();
        for (file, span) in all {
            let end = ends.entry((file, span.start)).or_default();
            *end = span.end.max(*end);
        }
        // What lies within another adds nothing.
        let mut out = BTreeMap::new();
        let mut last: Option<(SourceId, u32)> = None;
        for ((file, start), end) in ends {
            if last.is_none_or(|(f, e)| f != file || e < end) {
                out.insert((file, start), end);
                last = Some((file, end));
            }
        }
        Spans(out)
    }

    pub(super) fn contain(&self, file: SourceId, span: Span) -> bool {
        let before = self.0.range(..=(file, span.start)).next_back();
        before.is_some_and(|((f, _), end)| *f == file && span.end <= *end)
    }
}

/// The places of variable declarations, to tell which one a use is in.
struct Holders<'m>(BTreeMap<(SourceId, u32), (u32, &'m Arc<str>)>);

impl<'m> Holders<'m> {
    fn of(module: &'m Module) -> Holders<'m> {
        let blocks = module.variables.values().flat_map(|v| v.decl.blocks().map(move |b| (b, &v.name)));
        Holders(blocks.map(|(b, name)| ((b.file, b.span.start), (b.span.end, name))).collect())
    }

    /// The declaration that a use stands in.
    fn of_use(&self, used: &Use) -> Option<Target> {
        match used.context.blocks.first().map(|kind| &**kind) {
            Some("locals") => Some(Target::Local(used.context.attribute.clone())),
            Some("variable") => {
                let before = self.0.range(..=(used.file, used.traversal.span.start)).next_back();
                let ((file, _), (end, name)) = before?;
                let holds = *file == used.file && used.traversal.span.end <= *end;
                holds.then(|| Target::Variable((*name).clone()))
            }
            _ => None,
        }
    }
}
