//! What isn't to be shown although no mark says so: the values of arguments that are secret by their names, and of everything that hands one on.
//!
//! In: a configuration. Out: whether a field, or a variable, holds what stands in a secret argument. Only what hands a value on as it
//! is counts: references, arms of conditionals, and functions that give an argument back. Backwards from the argument to the locals, variables
//! and outputs that its value comes from; forwards from these to every field that has it, too. Absent on purpose: values, and marks, which
//! travel with values themselves.

use super::fields;
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::{Config, is_secret_field};
use crate::syntax::traversal::{Traversal, absolute_traversal};
use crate::syntax::{Expr, ExprKind, TemplatePart};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A variable, a local or an output of a module.
type Node = (ModulePath, Target);

/// Functions whose result is one of their arguments, or the same in another form.
const HANDED_ON: [&str; 12] = [
    "base64decode",
    "base64encode",
    "chomp",
    "coalesce",
    "jsonencode",
    "nonsensitive",
    "one",
    "sensitive",
    "tostring",
    "trimspace",
    "try",
    "urlencode",
];

/// What a configuration holds of secrets.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    nodes: FxHashSet<Node>,
    fields: FxHashSet<FieldAddr>,
}

impl Secrets {
    /// Finds them.
    pub fn of(config: &Config) -> Secrets {
        let ways = Ways::of(config);
        let mut secrets = Secrets::default();
        let all = fields::all(config);
        let carried: Vec<Vec<Node>> =
            all.iter().map(|field| carried(config, &field.addr.module, &field.site.attr.expr)).collect();
        let mut open: Vec<Node> = Vec::new();
        for (field, nodes) in all.iter().zip(&carried) {
            // What a call hands over is a variable of its own.
            let is_argument = matches!(field.addr.target, Target::Resource(_) | Target::Provider(_));
            if is_argument && is_secret_field(config, &field.addr) {
                open.extend(nodes.iter().cloned());
            }
        }
        secrets.close(open, &ways.from);
        let found: Vec<Node> = secrets.nodes.iter().cloned().collect();
        secrets.nodes.clear();
        secrets.close(found, &ways.to);
        let hands_on = |nodes: &Vec<Node>| nodes.iter().any(|node| secrets.nodes.contains(node));
        let having = all.iter().zip(&carried).filter(|(_, nodes)| hands_on(nodes));
        secrets.fields = having.map(|(field, _)| field.addr.clone()).collect();
        secrets
    }

    /// Returns true if the value of a field isn't to be shown, whatever marks it carries.
    pub fn hides(&self, config: &Config, field: &FieldAddr) -> bool {
        let argument = match &field.target {
            Target::Call(call) => field
                .path
                .0
                .first()
                .map(|name| (field.module.child(call.clone()), Target::Variable(name.clone()))),
            _ => None,
        };
        is_secret_field(config, field)
            || argument.is_some_and(|node| self.nodes.contains(&node))
            || !self.fields.is_empty()
                && (self.fields.contains(field) || self.fields.contains(&field.plain()))
            || self.nodes.contains(&(field.module.clone(), field.target.clone()))
    }

    /// The variables that hold what isn't to be shown.
    pub fn variables(&self) -> impl Iterator<Item = (&ModulePath, &Arc<str>)> {
        self.nodes.iter().filter_map(|(path, target)| match target {
            Target::Variable(name) => Some((path, name)),
            _ => None,
        })
    }

    fn close(&mut self, mut open: Vec<Node>, ways: &FxHashMap<Node, Vec<Node>>) {
        while let Some(node) = open.pop() {
            if let (false, more) = (self.nodes.contains(&node), ways.get(&node)) {
                open.extend(more.into_iter().flatten().cloned());
                self.nodes.insert(node);
            }
        }
    }
}

/// Which nodes hand on which.
#[derive(Default)]
struct Ways {
    /// From a node to those that it has its value from.
    from: FxHashMap<Node, Vec<Node>>,
    /// From a node to those that have its value.
    to: FxHashMap<Node, Vec<Node>>,
}

impl Ways {
    fn of(config: &Config) -> Ways {
        let mut ways = Ways::default();
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            for local in module.locals.values() {
                let node = (path.clone(), Target::Local(local.name.clone()));
                ways.add(node, carried(config, path, &local.attr.expr));
            }
            for output in module.outputs.values() {
                let Some(value) = &output.value else { continue };
                let node = (path.clone(), Target::Output(output.name.clone()));
                ways.add(node, carried(config, path, &value.expr));
            }
            for call in module.calls.values() {
                for arg in &call.args {
                    let name = Target::Variable(arg.name.text.clone());
                    ways.add((path.child(call.name.clone()), name), carried(config, path, &arg.expr));
                }
            }
        }
        ways
    }

    fn add(&mut self, node: Node, sources: Vec<Node>) {
        for source in &sources {
            self.to.entry(source.clone()).or_default().push(node.clone());
        }
        if !sources.is_empty() {
            self.from.insert(node, sources);
        }
    }
}

/// The nodes whose value an expression hands on.
fn carried(config: &Config, module: &ModulePath, expr: &Expr) -> Vec<Node> {
    let mut out = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::Paren(inner) => open.push(inner),
            ExprKind::Conditional(_, yes, no) => open.extend([&**yes, &**no]),
            ExprKind::Call(call) if HANDED_ON.contains(&&*call.name.text) => open.extend(&call.args),
            ExprKind::Template(template) => match template.parts.as_slice() {
                [TemplatePart::Interpolation(inner, _)] => open.push(inner),
                _ => {}
            },
            ExprKind::GetAttr(..) | ExprKind::Index(..) => {
                out.extend(absolute_traversal(expr).and_then(|found| node(config, module, &found)));
            }
            _ => {}
        }
    }
    out
}

fn node(config: &Config, module: &ModulePath, found: &Traversal) -> Option<Node> {
    let mut names = found.names().map(|name| name.text.clone());
    let first: Arc<str> = names.next()?;
    match &*found.root.text {
        "var" => Some((module.clone(), Target::Variable(first))),
        "local" => Some((module.clone(), Target::Local(first))),
        "module" => {
            let child = module.child(first);
            config.at(&child)?;
            // A call that is repeated has its key before the output.
            let last = found.steps.iter().rev().find_map(|step| match step {
                crate::syntax::traversal::TraversalStep::Attr(name) => Some(name.text.clone()),
                crate::syntax::traversal::TraversalStep::Index(..) => None,
            });
            Some((child, Target::Output(names.next().or(last)?)))
        }
        _ => None,
    }
}
