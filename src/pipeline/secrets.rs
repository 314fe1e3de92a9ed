//! What isn't to be shown although no mark says so: the values of arguments that are secret by their names, and of everything that hands one on.
//!
//! In: a configuration. Out: whether a field, or a variable, holds what stands in a secret argument. Backwards from the argument to the locals, variables and outputs that its
//! value comes from, only what hands it on as it is counts: references, arms of conditionals, and functions that give an argument back. Forwards from these to every
//! field that has it, texts and what functions make of it count as well. Absent on purpose: values, and marks, which
//! travel with values themselves.

use super::every_field;
use super::field::Field;
use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::{Config, is_secret_field};
use crate::syntax::traversal::{Traversal, TraversalStep, absolute_traversal, variables};
use crate::syntax::{Expr, ExprKind, ObjectKey, TemplatePart};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// A variable, a local or an output of a module; where only an attribute of it is meant, its name has the attribute behind a dot.
type Node = (ModulePath, Target);

/// Functions whose result is one of their arguments, a part of it, or the same in another form.
const HANDED_ON: [&str; 23] = [
    "base64decode",
    "base64encode",
    "chomp",
    "coalesce",
    "coalescelist",
    "concat",
    "element",
    "flatten",
    "jsonencode",
    "lookup",
    "merge",
    "nonsensitive",
    "one",
    "sensitive",
    "slice",
    "tolist",
    "tomap",
    "toset",
    "tostring",
    "trimspace",
    "try",
    "urlencode",
    "values",
];

/// Functions whose result tells next to nothing of their arguments.
const TELLING_LITTLE: [&str; 12] = [
    "alltrue",
    "anytrue",
    "can",
    "contains",
    "endswith",
    "fileexists",
    "issensitive",
    "keys",
    "length",
    "startswith",
    "strcontains",
    "strlen",
];

/// What a configuration holds of secrets.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    nodes: BTreeSet<Node>,
    fields: FxHashSet<FieldAddr>,
}

impl Secrets {
    /// Finds them.
    pub fn of(config: &Config) -> Secrets {
        let ways = Ways::of(config);
        let mut secrets = Secrets::default();
        let all = every_field::all(config);
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
        secrets.close(open, &|node| ways.before(node));
        let found: Vec<Node> = secrets.nodes.iter().cloned().collect();
        if found.is_empty() {
            return secrets;
        }
        secrets.nodes.clear();
        secrets.close(found, &|node| ways.behind(node));
        let holds = |field: &&Field| {
            let (expr, module) = (&field.site.attr.expr, &field.addr.module);
            held(config, module, expr, true).iter().any(|node| secrets.holds(node))
        };
        secrets.fields = all.iter().filter(holds).map(|field| field.addr.clone()).collect();
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
            || argument.is_some_and(|node| self.holds(&node))
            || !self.fields.is_empty()
                && (self.fields.contains(field) || self.fields.contains(&field.plain()))
            || self.holds(&(field.module.clone(), field.target.clone()))
    }

    /// The variables that hold what isn't to be shown.
    pub fn variables(&self) -> impl Iterator<Item = (&ModulePath, &str)> {
        self.nodes.iter().filter_map(|(path, target)| match target {
            Target::Variable(name) => Some((path, name.split('.').next().unwrap_or(name))),
            _ => None,
        })
    }

    /// Returns true if a node, a part of it, or what it is a part of is secret.
    fn holds(&self, node: &Node) -> bool {
        above(node).any(|above| self.nodes.contains(&above))
            || self.nodes.range(parts_of(node)).next().is_some()
    }

    fn close(&mut self, mut open: Vec<Node>, more: &dyn Fn(&Node) -> Vec<Node>) {
        while let Some(node) = open.pop() {
            if self.nodes.len() < MOST_NODES && !self.nodes.contains(&node) {
                open.extend(more(&node));
                self.nodes.insert(node);
            }
        }
    }
}

/// More are not looked for.
const MOST_NODES: usize = 100_000;

/// Attributes further inside are those of the last one that counts.
const DEEPEST: usize = 6;

fn name_of(target: &Target) -> &str {
    match target {
        Target::Variable(name) | Target::Local(name) | Target::Output(name) => name,
        Target::Resource(_) | Target::Call(_) | Target::Provider(_) => "",
    }
}

fn renamed(target: &Target, name: &str) -> Target {
    match target {
        Target::Variable(_) => Target::Variable(name.into()),
        Target::Output(_) => Target::Output(name.into()),
        _ => Target::Local(name.into()),
    }
}

/// A node and what it is a part of, from the inside out.
fn above(node: &Node) -> impl Iterator<Item = Node> + '_ {
    let name = name_of(&node.1);
    let ends = name.match_indices('.').map(|(at, _)| at).chain([name.len()]);
    let ends: Vec<usize> = ends.collect();
    ends.into_iter().rev().map(move |end| (node.0.clone(), renamed(&node.1, name.get(..end).unwrap_or(name))))
}

/// The nodes that are parts of one.
fn parts_of(node: &Node) -> (Bound<Node>, Bound<Node>) {
    let at = |end: char| (node.0.clone(), renamed(&node.1, &format!("{}{end}", name_of(&node.1))));
    // The character behind the dot.
    (Bound::Excluded(at('.')), Bound::Excluded(at('/')))
}

/// Which nodes hand on which.
#[derive(Default)]
struct Ways {
    /// From a node to those that it has its value from.
    from: BTreeMap<Node, Vec<Node>>,
    /// From a node to those that have its value.
    to: BTreeMap<Node, Vec<Node>>,
}

impl Ways {
    fn of(config: &Config) -> Ways {
        let mut ways = Ways::default();
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            for local in module.locals.values() {
                let node = (path.clone(), Target::Local(local.name.clone()));
                ways.add(config, node, path, &local.attr.expr);
            }
            for output in module.outputs.values() {
                let Some(value) = &output.value else { continue };
                let node = (path.clone(), Target::Output(output.name.clone()));
                ways.add(config, node, path, &value.expr);
            }
            for call in module.calls.values() {
                for arg in &call.args {
                    let name = Target::Variable(arg.name.text.clone());
                    ways.add(config, (path.child(call.name.clone()), name), path, &arg.expr);
                }
            }
        }
        ways
    }

    /// Those that a node has its value from.
    fn before(&self, node: &Node) -> Vec<Node> {
        let mut out: Vec<Node> = self.from.range(parts_of(node)).flat_map(|(_, from)| from.clone()).collect();
        for above in above(node) {
            let rest = name_of(&node.1).get(name_of(&above.1).len()..).unwrap_or_default();
            for (path, target) in self.from.get(&above).into_iter().flatten() {
                out.push((path.clone(), renamed(target, &shortened(&format!("{}{rest}", name_of(target))))));
            }
        }
        out
    }

    /// Those that have a node's value, or hold it.
    fn behind(&self, node: &Node) -> Vec<Node> {
        let below = self.to.range(parts_of(node)).flat_map(|(_, to)| to.clone());
        let own = above(node).filter_map(|above| self.to.get(&above));
        own.flatten().cloned().chain(below).collect()
    }

    fn add(&mut self, config: &Config, node: Node, module: &ModulePath, expr: &Expr) {
        if let ExprKind::Object(items) = &expr.kind {
            for item in items {
                let ObjectKey::Name(key) = &item.key else { continue };
                let name = format!("{}.{}", name_of(&node.1), key.text);
                if name.matches('.').count() < DEEPEST {
                    self.add(config, (node.0.clone(), renamed(&node.1, &name)), module, &item.value);
                }
            }
            return;
        }
        for source in held(config, module, expr, false) {
            self.to.entry(source).or_default().push(node.clone());
        }
        let sources = carried(config, module, expr);
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
            ExprKind::Template(template) => {
                if let [TemplatePart::Interpolation(inner, _)] = template.parts.as_slice() {
                    open.push(inner);
                }
            }
            ExprKind::GetAttr(inner, _) | ExprKind::Index(inner, _) => match absolute_traversal(expr) {
                Some(found) => out.extend(node(config, module, &found)),
                None => open.push(inner),
            },
            ExprKind::Splat(splat) => open.push(&splat.source),
            _ => {}
        }
    }
    out
}

/// The nodes whose value stands in what an expression gives: as it is, within a text, or in what a function makes of it. With `parts`, in a
/// collection that it writes out, too: of a collection that has a name, most is nobody's secret.
fn held(config: &Config, module: &ModulePath, expr: &Expr, parts: bool) -> Vec<Node> {
    let mut out = Vec::new();
    let mut open = vec![(expr, parts)];
    while let Some((expr, parts)) = open.pop() {
        match &expr.kind {
            ExprKind::GetAttr(..) | ExprKind::Index(..) if absolute_traversal(expr).is_some() => {
                out.extend(absolute_traversal(expr).and_then(|found| node(config, module, &found)));
            }
            ExprKind::GetAttr(inner, _) | ExprKind::Index(inner, _) | ExprKind::Paren(inner) => {
                open.push((inner, parts));
            }
            ExprKind::Conditional(_, yes, no) => open.extend([(&**yes, parts), (&**no, parts)]),
            ExprKind::Call(call) if TELLING_LITTLE.contains(&&*call.name.text) => {}
            ExprKind::Call(call) => open.extend(call.args.iter().map(|arg| (arg, true))),
            ExprKind::Template(template) => {
                for part in &template.parts {
                    match part {
                        TemplatePart::Interpolation(inner, _) => open.push((inner, true)),
                        TemplatePart::Literal(..) => {}
                        // A directive has parts of its own.
                        _ => out.extend(every(config, module, expr)),
                    }
                }
            }
            ExprKind::Tuple(items) if parts => open.extend(items.iter().map(|item| (item, true))),
            ExprKind::Object(items) if parts => open.extend(items.iter().map(|item| (&item.value, true))),
            ExprKind::For(_) if parts => out.extend(every(config, module, expr)),
            _ => {}
        }
    }
    out
}

/// Every node that an expression names.
fn every(config: &Config, module: &ModulePath, expr: &Expr) -> Vec<Node> {
    variables(expr).iter().filter_map(|found| node(config, module, found)).collect()
}

/// A name with no more attributes than count.
fn shortened(name: &str) -> String {
    name.split('.').take(DEEPEST).collect::<Vec<_>>().join(".")
}

fn node(config: &Config, module: &ModulePath, found: &Traversal) -> Option<Node> {
    let names: Vec<&str> = found.names().map(|name| &*name.text).collect();
    let (first, _) = names.split_first()?;
    match &*found.root.text {
        "var" => Some((module.clone(), Target::Variable(shortened(&names.join(".")).into()))),
        "local" => Some((module.clone(), Target::Local(shortened(&names.join(".")).into()))),
        "module" => {
            let child = module.child(*first);
            config.at(&child)?;
            // A call that is repeated has its key before the output.
            let all = found.steps.iter().filter_map(|step| match step {
                TraversalStep::Attr(name) => Some(&*name.text),
                TraversalStep::Index(..) => None,
            });
            let output = all.skip(1).collect::<Vec<_>>().join(".");
            (!output.is_empty()).then(|| (child, Target::Output(shortened(&output).into())))
        }
        _ => None,
    }
}
