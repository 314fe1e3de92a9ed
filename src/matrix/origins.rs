//! Where the value of a field comes from: what hands it on as it is, and what was edited on the way.
//!
//! In: the configurations of a head and of a base, the name of a field. Out: the declaration at which a chain of plain references begins,
//! and every edited declaration behind the field. Invariant: from syntax alone, so that no value is in it; what is said to be edited is written
//! otherwise in the two. Absent on purpose: which of the edits made the difference.

use crate::addr::{FieldAddr, FieldPath, ModulePath, Referent, Target};
use crate::config::{Config, In, Module};
use crate::graph::reference;
use crate::pipeline::fields::{self, Field};
use crate::syntax::{Attribute, Expr, Traversal, TraversalStep, traversal};
use crate::text::Sources;
use crate::trace::site::FieldSite;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Where the value of a field comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// The declaration at which the chain of plain references begins: the field itself where it is none.
    pub source: String,
    /// The attributes of that declaration's value that lead to the field's.
    pub path: Vec<String>,
    /// True if a plan shows the field: an argument of a resource, of a data source or of a provider, or an output of the root.
    pub is_end: bool,
    /// True if the field itself is written otherwise in the base.
    pub is_edited: bool,
    /// What is written otherwise behind the field, each with its place.
    pub edited: BTreeSet<String>,
    /// The root variables behind the field.
    pub variables: BTreeSet<Arc<str>>,
}

/// No chain has more links.
const MOST_LINKS: usize = 64;

/// So many declarations are looked at for all fields together. Behind that nothing is said to be edited.
const MOST_LOOKS: usize = 2_000_000;

/// The two sides of a review.
pub struct Origins<'c> {
    pub(super) head: Side<'c>,
    pub(super) base: Side<'c>,
    looks: usize,
    /// What is known of declarations that were looked at.
    seen: HashMap<FieldAddr, Arc<Seen>>,
}

/// A declaration or a field that was looked at.
struct Seen {
    is_edited: bool,
    behind: Vec<FieldAddr>,
}

/// A configuration with its fields by what declares them.
pub(super) struct Side<'c> {
    pub(super) config: &'c Config,
    pub(super) fields: HashMap<FieldAddr, Field>,
    /// What says how often a declaration is there.
    pub(super) repeated: HashMap<(ModulePath, Target), Vec<FieldAddr>>,
    pub(super) names: HashMap<String, FieldAddr>,
    /// The modules of each call.
    called: HashMap<(ModulePath, Arc<str>), Vec<&'c ModulePath>>,
}

impl<'c> Side<'c> {
    fn of(config: &'c Config) -> Side<'c> {
        let (fields, repeated) = (HashMap::new(), HashMap::new());
        let mut side = Side { config, fields, repeated, names: HashMap::new(), called: HashMap::new() };
        for inner in config.paths.keys() {
            if let Some((outer, call)) = inner.parent() {
                side.called.entry((outer, call.name)).or_default().push(inner);
            }
        }
        for field in fields::all(config).into_iter().chain(fields::reviewed(config)) {
            side.names.insert(field.addr.plain().to_string(), field.addr.clone());
            if is_repetition(&field.addr) {
                let own = (field.addr.module.clone(), field.addr.target.clone());
                side.repeated.entry(own).or_default().push(field.addr.clone());
            }
            side.fields.entry(field.addr.clone()).or_insert(field);
        }
        side
    }

    fn field(&self, node: &FieldAddr) -> Option<&Field> {
        self.fields.get(node)
    }

    /// The argument that defines a declaration or a field.
    pub(super) fn attribute(&self, node: &FieldAddr) -> Option<&In<Attribute>> {
        let module = || self.config.at(&node.module);
        match &node.target {
            Target::Local(name) => module()?.locals.get(name).map(|local| &local.attr),
            Target::Variable(name) => module()?.variables.get(name)?.default.as_ref(),
            Target::Output(name) => module()?.outputs.get(name)?.value.as_ref(),
            Target::Resource(_) | Target::Call(_) | Target::Provider(_) | Target::Block(_) => {
                self.field(node).map(|field| &field.site.attr)
            }
        }
    }

    /// What stands there, whatever the layout.
    pub(super) fn text(&self, node: &FieldAddr) -> Option<String> {
        let text = self.config.sources.slice(self.attribute(node)?.value_place());
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// The declarations that an expression in a module names.
    pub(super) fn names_in(&self, module: &ModulePath, expr: &Expr) -> Vec<FieldAddr> {
        let found = traversal::variables(expr);
        found.iter().flat_map(|found| self.named(module, found).0).collect()
    }

    /// The declarations that a reference names, and how many of its steps do.
    fn named(&self, module: &ModulePath, found: &Traversal) -> (Vec<FieldAddr>, usize) {
        let Some(read) = reference(found) else { return (Vec::new(), 0) };
        let one = |target, path| vec![FieldAddr { module: module.clone(), target, path }];
        let all = match read.referent {
            Referent::Variable(name) => match self.passed(module, &name) {
                Some(argument) => vec![argument],
                None => one(Target::Variable(name), FieldPath::default()),
            },
            Referent::Local(name) => one(Target::Local(name), FieldPath::default()),
            Referent::Output { call, name, .. } => {
                let of = |inner: &ModulePath| FieldAddr {
                    module: inner.clone(),
                    target: Target::Output(name.clone()),
                    path: FieldPath(vec!["value".into()]),
                };
                let all: Vec<FieldAddr> = self.called(module, &call).iter().map(|inner| of(inner)).collect();
                match all.is_empty() {
                    // Of a module that isn't there nothing is known but where it is from.
                    true => ["source", "version"]
                        .map(|part| FieldAddr {
                            module: module.clone(),
                            target: Target::Call(call.clone().into()),
                            path: FieldPath(vec![part.into()]),
                        })
                        .to_vec(),
                    false => all,
                }
            }
            Referent::Call(call, _) => self.outputs(module, &call),
            Referent::Resource(addr) => {
                let steps = found.steps.get(read.consumed..).unwrap_or_default();
                let mut names = steps.iter().enumerate().filter_map(|(at, step)| match step {
                    TraversalStep::Attr(name) => Some((at, name.text.clone())),
                    TraversalStep::Index(..) => None,
                });
                let Some((at, name)) = names.next() else {
                    return (one(Target::Resource(addr), FieldPath(vec!["for_each".into()])), 0);
                };
                let all = one(Target::Resource(addr), FieldPath(vec![name]));
                return (all, read.consumed + at + 1);
            }
            _ => Vec::new(),
        };
        (all, read.consumed)
    }

    /// The argument that a call passes for a variable of its module.
    fn passed(&self, module: &ModulePath, name: &Arc<str>) -> Option<FieldAddr> {
        let (outer, call) = module.parent()?;
        let node = FieldAddr {
            module: outer,
            target: Target::Call(call.name.into()),
            path: FieldPath(vec![name.clone()]),
        };
        self.field(&node).is_some().then_some(node)
    }

    /// The modules of a call.
    fn called(&self, module: &ModulePath, call: &Arc<str>) -> &[&'c ModulePath] {
        self.called.get(&(module.clone(), call.clone())).map_or(&[], Vec::as_slice)
    }

    fn outputs(&self, module: &ModulePath, call: &Arc<str>) -> Vec<FieldAddr> {
        let of = |inner: &ModulePath| {
            let names = self.config.at(inner).into_iter().flat_map(|m: &Module| m.outputs.keys().cloned());
            let one = |name| FieldAddr {
                module: inner.clone(),
                target: Target::Output(name),
                path: FieldPath(vec!["value".into()]),
            };
            names.map(one).collect::<Vec<_>>()
        };
        self.called(module, call).iter().flat_map(|inner| of(inner)).collect()
    }

    /// All that a declaration or a field is made of.
    pub(super) fn behind(&self, node: &FieldAddr) -> Vec<FieldAddr> {
        let mut out = Vec::new();
        if let Some(attr) = self.attribute(node) {
            out.extend(self.names_in(&node.module, &attr.expr));
        }
        if let Some(field) = self.field(node) {
            for block in &field.site.dynamics {
                let each = block.body.attribute("for_each");
                out.extend(each.into_iter().flat_map(|each| self.names_in(&node.module, &each.expr)));
            }
        }
        // How often it is there, and what `each` and `count` stand for.
        let own = self.repeated.get(&(node.module.clone(), node.target.clone()));
        out.extend(own.into_iter().flatten().filter(|field| *field != node).cloned());
        out
    }

    /// The declaration that a field hands on, with the steps into its value; nothing where it is more than a reference.
    fn handed_on(&self, node: &FieldAddr) -> Option<(FieldAddr, Vec<String>)> {
        if self.field(node).is_some_and(|field| !is_plain(&field.site)) {
            return None;
        }
        let found = traversal::absolute_traversal(&self.attribute(node)?.expr)?;
        let (all, consumed) = self.named(&node.module, &found);
        let [one] = all.as_slice() else { return None };
        self.attribute(one)?;
        let step = |step: &TraversalStep| match step {
            TraversalStep::Attr(name) => Some(name.text.to_string()),
            TraversalStep::Index(..) => None,
        };
        let steps: Option<Vec<String>> = found.steps.get(consumed..)?.iter().map(step).collect();
        Some((one.clone(), steps?))
    }

    /// Where a chain of plain references to a field begins.
    fn source(&self, node: &FieldAddr) -> Origin {
        let is_end = match &node.target {
            Target::Resource(_) | Target::Provider(_) | Target::Block(_) => true,
            Target::Output(_) => node.module.is_root(),
            Target::Call(_) | Target::Local(_) | Target::Variable(_) => false,
        };
        let (mut source, mut path) = (node.clone(), Vec::new());
        for _ in 0..MOST_LINKS {
            let Some((outer, steps)) = self.handed_on(&source) else { break };
            path.splice(0..0, steps);
            source = outer;
        }
        Origin { source: source.plain().to_string(), path, is_end, ..Origin::default() }
    }

    /// The name of a declaration as people read it.
    fn shown(&self, node: &FieldAddr) -> String {
        let name = match &node.target {
            Target::Output(_) => FieldAddr { path: FieldPath::default(), ..node.plain() }.to_string(),
            _ => node.plain().to_string(),
        };
        let place = self.attribute(node).map(|attr| place_of(attr, &self.config.sources));
        place.map_or(name.clone(), |place| format!("{name} ({place})"))
    }
}

fn place_of(attr: &In<Attribute>, sources: &Sources) -> String {
    sources.span_text(attr.place())
}

fn is_repetition(addr: &FieldAddr) -> bool {
    addr.path.says_how_often()
}

fn is_plain(site: &FieldSite) -> bool {
    site.rest.is_empty() && site.dynamics.is_empty()
}

/// Where chains of plain references begin, for fields of one configuration, by name. What is edited isn't asked.
pub fn sources<'f>(config: &Config, fields: impl Iterator<Item = &'f str>) -> BTreeMap<String, Origin> {
    let side = Side::of(config);
    fields.filter_map(|name| Some((name.to_owned(), side.source(side.names.get(name)?)))).collect()
}

impl<'c> Origins<'c> {
    /// Of these two configurations.
    pub fn new(base: &'c Config, head: &'c Config) -> Origins<'c> {
        Origins { head: Side::of(head), base: Side::of(base), looks: 0, seen: HashMap::new() }
    }

    /// The origins of fields, by name. One that the head doesn't have has none.
    pub fn of<'f>(&mut self, fields: impl Iterator<Item = &'f str>) -> BTreeMap<String, Arc<Origin>> {
        let mut out = BTreeMap::new();
        for name in fields {
            if let (false, Some(node)) = (out.contains_key(name), self.head.names.get(name).cloned()) {
                let origin = Arc::new(self.origin(&node));
                out.insert(name.to_owned(), origin);
            }
        }
        out
    }

    fn origin(&mut self, node: &FieldAddr) -> Origin {
        let mut origin = Origin { is_edited: self.look_at(node).is_edited, ..self.head.source(node) };
        self.follow(node, &mut origin);
        origin
    }

    /// Looks at a declaration once, however many fields it stands behind.
    fn look_at(&mut self, node: &FieldAddr) -> Arc<Seen> {
        if let Some(known) = self.seen.get(node) {
            return known.clone();
        }
        let is_edited = self.head.text(node) != self.base.text(node);
        let seen = Arc::new(Seen { is_edited, behind: self.head.behind(node) });
        self.seen.insert(node.clone(), seen.clone());
        seen
    }

    /// Notes what is edited behind a field, and the variables of the root there.
    fn follow(&mut self, node: &FieldAddr, origin: &mut Origin) {
        let mut seen: HashSet<FieldAddr> = HashSet::from([node.clone()]);
        let mut open = vec![node.clone()];
        while let Some(next) = open.pop() {
            self.looks += 1;
            if self.looks > MOST_LOOKS {
                origin.edited.clear();
                origin.variables.clear();
                return;
            }
            let looked = self.look_at(&next);
            if next != *node && looked.is_edited {
                origin.edited.insert(self.head.shown(&next));
            }
            if let (Target::Variable(name), true) = (&next.target, next.module.is_root()) {
                origin.variables.insert(name.clone());
            }
            open.extend(looked.behind.iter().filter(|one| seen.insert((*one).clone())).cloned());
        }
    }
}
