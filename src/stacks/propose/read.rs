//! The parts of a root module, and the references between them.

use crate::addr::{Mode, Referent, ResourceAddr};
use crate::config::{Config, Decl, In, Module};
use crate::graph::{Use, uses_of};
use crate::syntax::{self, Attribute, Block, Expr, ExprKind};
use crate::text::{Place, SourceId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A part of a root module that is assigned to a component, or stays a component or provider of its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Node {
    /// A module call.
    Call(Arc<str>),
    /// A resource of any mode: managed, data or ephemeral.
    Resource(ResourceAddr),
    /// A `check` block.
    Check(Arc<str>),
    /// A local that an expression of a Stack can't compute.
    Local(Arc<str>),
    /// An argument or output that an expression of a Stack can't compute, by its name.
    Part(Arc<str>),
    /// A provider configuration: its local name and its alias.
    Provider(Arc<str>, Option<Arc<str>>),
}

/// Functions that read the file or folder in their first argument. A Stack's own expressions have no folder to read from.
const FILES: [&str; 11] = [
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "templatefile",
];

/// Functions whose result depends on a path of the machine.
const PATHS: [&str; 2] = ["abspath", "pathexpand"];

/// Functions that return a different result each time.
const IMPURE: [&str; 4] = ["bcrypt", "plantimestamp", "timestamp", "uuid"];

/// A root module, with the decisions on its parts.
pub(super) struct Root<'a> {
    pub config: &'a Config,
    pub module: &'a Module,
    /// Calls that stay within a component's module, with the reason.
    pub kept: BTreeMap<Arc<str>, String>,
    /// Arguments and outputs that a component's module computes, by place, with the name of the output that gives each.
    pub parts: BTreeMap<Place, (Arc<str>, In<Expr>)>,
}

impl<'a> Root<'a> {
    pub fn new(config: &'a Config, module: &'a Module) -> Root<'a> {
        let mut root = Root { config, module, kept: BTreeMap::new(), parts: BTreeMap::new() };
        for output in module.outputs.values() {
            root.part(output.value.as_ref(), &output.name);
        }
        for provider in &module.providers {
            let own = provider.alias.as_ref().unwrap_or(&provider.name);
            let block = provider.decl.block.clone();
            for attr in arguments(&block) {
                root.part(Some(&attr), &format!("{own}_{}", attr.name.text).into());
            }
        }
        root
    }

    /// Adds an argument to `parts` if an expression of a Stack can't compute it.
    pub fn part(&mut self, attr: Option<&In<Attribute>>, name: &Arc<str>) {
        let Some(attr) = attr.filter(|attr| beyond(&attr.expr, attr.file).is_some()) else { return };
        let mut own = name.clone();
        while self.parts.values().any(|(known, _)| *known == own) {
            own = format!("{own}_").into();
        }
        self.parts.insert(attr.value_place(), (own, In::new(attr.file, attr.expr.clone())));
    }

    /// Returns the declaration of a part that is a block.
    pub fn decl(&self, node: &Node) -> Option<&'a Decl> {
        let module = self.module;
        Some(match node {
            Node::Call(name) => &module.calls.get(name)?.decl,
            Node::Resource(addr) => &module.resources.get(addr)?.decl,
            Node::Check(name) => &module.checks.iter().find(|check| check.name == *name)?.decl,
            Node::Provider(name, alias) => {
                &module.providers.iter().find(|p| p.name == *name && p.alias == *alias)?.decl
            }
            Node::Local(_) | Node::Part(_) => return None,
        })
    }

    /// Returns true if a part goes into the module of an added component.
    pub fn is_inner(&self, node: &Node) -> bool {
        match node {
            Node::Call(name) => self.kept.contains_key(name),
            Node::Provider(..) => false,
            Node::Resource(_) | Node::Check(_) | Node::Local(_) | Node::Part(_) => true,
        }
    }

    /// Returns true if an expression of a Stack can't compute the local.
    pub fn is_inner_local(&self, name: &str) -> bool {
        self.module.locals.get(name).is_some_and(|local| beyond(&local.attr.expr, local.attr.file).is_some())
    }

    /// Returns the parts that an argument refers to, directly or through locals that the Stack has too.
    pub fn of(&self, expr: &Expr, file: SourceId) -> BTreeSet<Node> {
        match self.parts.get(&Place { file, span: expr.span }) {
            Some((name, _)) => BTreeSet::from([Node::Part(name.clone())]),
            None => self.within(expr, file),
        }
    }

    /// Returns the parts that an expression refers to, even if the expression itself is such a part.
    pub fn within(&self, expr: &Expr, file: SourceId) -> BTreeSet<Node> {
        let mut out = BTreeSet::new();
        let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
        let mut open: Vec<(&Expr, SourceId)> = vec![(expr, file)];
        while let Some((expr, file)) = open.pop() {
            for used in uses_of(expr, file) {
                match used.referent {
                    Referent::Local(name) => match self.module.locals.get(&name) {
                        Some(_) if self.is_inner_local(&name) => drop(out.insert(Node::Local(name))),
                        Some(local) if seen.insert(name) => open.push((&local.attr.expr, local.attr.file)),
                        _ => {}
                    },
                    other => out.extend(self.node(&other)),
                }
            }
        }
        out
    }

    /// Returns the part that a reference names; `None` for a name that a Stack has unchanged, such as a variable.
    pub fn node(&self, referent: &Referent) -> Option<Node> {
        match referent {
            Referent::Call(call, _) | Referent::Output { call, .. } => {
                self.module.calls.contains_key(call).then(|| Node::Call(call.clone()))
            }
            Referent::Resource(addr) => {
                self.module.resources.contains_key(addr).then(|| Node::Resource(addr.clone()))
            }
            Referent::Local(name) => self.is_inner_local(name).then(|| Node::Local(name.clone())),
            _ => None,
        }
    }

    /// Returns true if an expression leads to an ephemeral resource.
    pub fn is_ephemeral(&self, expr: &Expr, file: SourceId) -> bool {
        self.of(expr, file).iter().any(|n| matches!(n, Node::Resource(r) if r.mode == Mode::Ephemeral))
    }
}

/// Returns the name of a function without its namespace.
fn plain(name: &str) -> &str {
    name.strip_prefix("core::").unwrap_or(name)
}

/// Returns the path argument of a call if its function reads a file.
pub(super) fn read_path(call: &syntax::Call) -> Option<&Expr> {
    call.args.first().filter(|_| FILES.contains(&plain(&call.name.text)))
}

/// Returns every argument in a block and in the blocks within it.
pub(super) fn arguments(block: &In<Block>) -> Vec<In<Attribute>> {
    let mut out = Vec::new();
    syntax::walk::walk_body(&block.body, &mut |_: &[&Block], attr: &Attribute| {
        out.push(In::new(block.file, attr.clone()));
    });
    out
}

/// Returns the reason why a Stack can't have an expression; `None` if it can.
pub(super) fn beyond(expr: &Expr, file: SourceId) -> Option<&'static str> {
    let mut why = None;
    syntax::walk::walk(expr, &mut |e| {
        if let ExprKind::Call(call) = &e.kind {
            let name = plain(&call.name.text);
            if FILES.contains(&name) || PATHS.contains(&name) {
                why = Some("it reads a file");
            } else if IMPURE.contains(&name) {
                why = Some("it gives something else each time");
            } else if name.contains("::") {
                why = Some("it calls a function of a provider");
            }
        }
        true
    });
    why.or_else(|| {
        uses_of(expr, file).iter().find_map(|used: &Use| match used.referent {
            Referent::Path(_) => Some("it names a path"),
            Referent::SelfValue | Referent::CountIndex => Some("it names one instance"),
            _ => None,
        })
    })
}
