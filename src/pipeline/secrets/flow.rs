//! Where secrets come from and go to: edges between everything that has a name, followed until nothing new is found.
//!
//! In: a configuration and its fields. Out: [`Secrets`]. Invariant: what is found is more with each step and bounded: of one root no more than [`MOST_ROUTES`]
//! parts are told apart, and then it counts whole.

use super::dynamics::Dynamics;
use super::found::{Secrets, without_source};
use super::parts::secret_parts;
use super::roots::Roots;
use super::route::{EACH, KEYS, Route, is_around, joined, may_meet};
use super::shape::{Edge, Finder, Handing, Names, Shape, put_under, whole};
use super::stand_ins::StandIns;
use super::written::written_for;
use crate::addr::{FieldAddr, Mode, ModulePath, ResourceAddr, Target};
use crate::config::{
    Config, In, has_known_schema, is_secret_argument, is_secret_field, is_secret_name, stands_beside_secrets,
};
use crate::pipeline::every_field;
use crate::pipeline::field::Field;
use crate::syntax::{Attribute, Expr, ExprKind};
use crate::text::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The routes to secrets in each root.
pub(super) type Held = FxHashMap<usize, Vec<Route>>;

/// More parts of one root aren't told apart.
pub(super) const MOST_ROUTES: usize = 48;

/// Arguments that a resource gives back as another attribute.
const SHOWN_AS: [(&str, &str, &str); 2] =
    [("terraform_data", "input", "output"), ("null_data_source", "inputs", "outputs")];

/// What a field's expression hands on, and what repeats it.
pub(super) struct Traced {
    pub addr: FieldAddr,
    pub shape: Shape,
    /// The keys of `dynamic` blocks around it.
    keys: Shape,
    /// True if a part that is written out in it is secret by its name.
    pub holds_secret: bool,
    /// True for an argument in which the names of entries say what is secret.
    pub takes_names: bool,
}

pub(super) struct Flow<'c> {
    pub(super) roots: Roots<'c>,
    pub(super) config: &'c Config,
    /// By root: what its value comes from.
    pub(super) into: FxHashMap<usize, Shape>,
    /// By root: those whose edges come from it.
    pub(super) users: FxHashMap<usize, Vec<usize>>,
    /// Expressions that define a root, or a part of it.
    pub(super) written: FxHashMap<usize, Vec<In<Attribute>>>,
    pub(super) dynamics: Dynamics,
    pub(super) fields: Vec<Traced>,
    /// The keys of repeated declarations.
    repeated: Vec<(usize, Target, Shape)>,
    /// All that repeats declarations, where what only decides counts, too.
    counted: Vec<(usize, Target, Shape)>,
    deciding: bool,
    pub(super) held: Held,
    pub(super) open: Vec<(usize, Route)>,
    /// Entries whose names may be a secret's, by what they are written out in.
    pub(super) named: Vec<(usize, Route)>,
    /// Where entries are written out in arguments by the names of secrets.
    pub(super) spots: Vec<Place>,
    /// What outputs come from that are marked as sensitive, and their expressions.
    pub(super) marked_outputs: Vec<(Shape, In<Attribute>)>,
}

impl<'c> Flow<'c> {
    /// `deciding`: what only decides counts, too.
    pub fn of(config: &'c Config, all: &[Field], deciding: bool) -> Flow<'c> {
        let mut flow = Flow {
            roots: Roots::of(config),
            config,
            into: FxHashMap::default(),
            users: FxHashMap::default(),
            written: FxHashMap::default(),
            dynamics: Dynamics::default(),
            fields: Vec::new(),
            repeated: Vec::new(),
            counted: Vec::new(),
            deciding,
            held: Held::default(),
            open: Vec::new(),
            named: Vec::new(),
            spots: Vec::new(),
            marked_outputs: Vec::new(),
        };
        let modules = flow.roots.modules.clone();
        let numbers: BTreeMap<&ModulePath, usize> =
            modules.iter().enumerate().map(|(at, (path, _))| (*path, at)).collect();
        for (at, (_, module)) in modules.iter().enumerate() {
            for local in module.locals.values() {
                let shape = flow.shape_of(at, Names::new(), &local.attr.expr);
                let root = flow.roots.number(at, Target::Local(local.name.clone()));
                flow.written.entry(root).or_default().push(local.attr.clone());
                flow.name_members(at, root, &local.attr, &Names::new());
                flow.define(root, shape);
            }
            for variable in module.variables.values() {
                for rule in variable.validations.iter().filter(|_| deciding) {
                    // The values that it lets through are what it compares with.
                    let shape = whole(flow.shape_of(at, Names::new(), &rule.condition), Handing::Within);
                    let root = flow.roots.number(at, Target::Variable(variable.name.clone()));
                    flow.define(root, shape);
                }
                let Some(default) = &variable.default else { continue };
                let root = flow.roots.number(at, Target::Variable(variable.name.clone()));
                flow.written.entry(root).or_default().push(default.clone());
                flow.name_members(at, root, default, &Names::new());
            }
            for call in module.calls.values() {
                flow.call(at, call);
            }
        }
        let unlisted = every_field::unlisted(config);
        let placed = || {
            all.iter().chain(&unlisted).filter_map(|field| Some((*numbers.get(&field.addr.module)?, field)))
        };
        placed().for_each(|(at, field)| flow.dynamics.add(at, field));
        placed().for_each(|(at, field)| flow.field(at, field));
        for (root, shape) in &flow.into {
            for edge in shape {
                flow.users.entry(edge.root).or_default().push(*root);
            }
        }
        flow.users.values_mut().for_each(|users| {
            users.sort_unstable();
            users.dedup();
        });
        flow.follow_members();
        flow
    }

    pub(super) fn shape_of(&mut self, module: usize, names: Names, expr: &Expr) -> Shape {
        self.finder(module, names).shape(expr)
    }

    pub(super) fn finder(&mut self, module: usize, names: Names) -> Finder<'_, 'c> {
        Finder { roots: &mut self.roots, module, names, deciding: self.deciding }
    }

    fn define(&mut self, root: usize, shape: Shape) {
        self.into.entry(root).or_default().extend(shape);
    }

    /// What `each` and `self` stand for in a declaration.
    pub(super) fn names_in(&mut self, module: usize, target: &Target) -> Names {
        let mut names = Names::new();
        if let Target::Resource(_) = target {
            let root = self.roots.number(module, target.clone());
            let from = self.roots.instances(module, target);
            names.push(("self".into(), vec![Edge { to: Route::new(), root, from, handing: Handing::Same }]));
        }
        if let Some(collection) = self.collection(module, target) {
            let entry = self.finder(module, Names::new()).entry(&collection);
            names.push(("each".into(), entry));
        }
        names
    }

    fn call(&mut self, module: usize, call: &'c crate::config::Call) {
        let target = Target::Call(call.name.clone().into());
        let names = self.names_in(module, &target);
        let own = self.roots.number(module, target.clone());
        let instances = self.roots.instances(module, &target);
        for child in self.roots.behind(module, &call.name).to_vec() {
            for arg in &call.args {
                let shape = self.shape_of(module, names.clone(), &arg.expr);
                let root = self.roots.number(child, Target::Variable(arg.name.text.clone()));
                self.written.entry(root).or_default().push(arg.clone());
                self.name_members(module, root, arg, &names);
                self.define(root, shape);
            }
            let Some((_, found)) = self.roots.modules.get(child).copied() else { continue };
            for output in found.outputs.values() {
                let root = self.roots.number(child, Target::Output(output.name.clone()));
                let to = joined(&instances, std::slice::from_ref(&output.name));
                self.define(own, vec![Edge { to, root, from: Route::new(), handing: Handing::Same }]);
            }
        }
        self.repeat(module, target);
    }

    /// Notes what the keys of a declaration come from.
    fn repeat(&mut self, module: usize, target: Target) {
        let Some(collection) = self.collection(module, &target) else { return };
        let keys = self.finder(module, Names::new()).keys(&collection);
        if !keys.is_empty() {
            let own = self.roots.number(module, target.clone());
            self.define(own, put_under(&whole(keys.clone(), Handing::Changed), KEYS));
            self.repeated.push((module, target, keys));
        }
    }

    fn field(&mut self, module: usize, field: &Field) {
        let addr = &field.addr;
        let is_repetition = matches!(addr.path.0.as_slice(), [name] if &**name == "for_each");
        let mut names = self.names_in(module, &addr.target);
        if is_repetition {
            names.clear();
            if !matches!(addr.target, Target::Call(_)) {
                self.repeat(module, addr.target.clone());
            }
        }
        let keys = self.bind_iterators(module, &field.site.dynamics, &mut names);
        let expr = &field.site.attr.expr;
        let members = self.members_in(module, &names, &field.site.attr);
        let mut shape = self.shape_of(module, names, expr);
        shape.extend(self.written_in(module, field));
        let mut parts = Vec::new();
        let is_argument = match &addr.target {
            Target::Resource(_) | Target::Provider(_) | Target::Block(_) => true,
            // Of a module that isn't installed the names of arguments are all there is.
            Target::Call(call) => self.config.behind(&addr.module, call).is_empty(),
            _ => false,
        };
        if is_argument && is_secret_field(self.config, addr) {
            parts.push(Route::new());
        } else if is_argument {
            secret_parts(&addr.target, &mut addr.path.0.clone(), expr, 0, &mut parts);
        }
        // What is stored as a plain text by its own word makes nothing else secret.
        let hands_back = !self.is_plain_parameter(module, &addr.target);
        if hands_back {
            self.seed(&shape, &parts);
        }
        let takes_names = is_argument && hands_back && parts.iter().all(|part| !part.is_empty());
        let holds_member =
            takes_names && self.open_members(&addr.target, &addr.path.0, &field.site.attr, &members);
        if is_marked_argument(self.config, addr) {
            self.seed(&shape, &[Route::new()]);
        }
        match &addr.target {
            Target::Resource(resource) if !is_of_provisioner(resource, &addr.path.0) => {
                let secret: &[Route] = if hands_back { &parts } else { &[] };
                self.argument((module, resource), &addr.path.0, &shape, secret);
                let root = self.roots.number(module, addr.target.clone());
                let start = self.roots.instances(module, &addr.target);
                for name in given_back(resource, &addr.path.0) {
                    self.note_members(root, &joined(&start, &[name]), &members);
                }
            }
            Target::Output(name) => {
                let root = self.roots.number(module, Target::Output(name.clone()));
                self.note_members(root, &[], &members);
                self.define(root, shape.clone());
            }
            _ => {}
        }
        if self.deciding && addr.path.says_how_often() {
            self.counted.push((module, addr.target.clone(), shape.clone()));
        }
        if is_marked_output(self.config, addr) {
            self.marked_outputs.push((shape.clone(), field.site.attr.clone()));
        }
        let holds_secret = !parts.is_empty() || holds_member;
        if holds_secret || !shape.is_empty() || !keys.is_empty() {
            self.fields.push(Traced { addr: addr.clone(), shape, keys, holds_secret, takes_names });
        }
    }

    /// What an argument hands on to those who name its resource. `secret`: the secret parts of its value.
    fn argument(
        &mut self,
        (module, resource): (usize, &ResourceAddr),
        path: &[Arc<str>],
        shape: &Shape,
        secret: &[Route],
    ) {
        let target = Target::Resource(resource.clone());
        let root = self.roots.number(module, target.clone());
        let instances = self.roots.instances(module, &target);
        // Nested blocks are told apart by their names only.
        let is_nested = path.len() > 1;
        for start in given_back(resource, path).map(|name| joined(&instances, &[name])) {
            let parts =
                secret.iter().map(|part| if is_nested { start.clone() } else { joined(&start, part) });
            self.open.extend(parts.map(|part| (root, part)));
            let to = |edge: &Edge| match is_nested {
                true => Edge { to: start.clone(), handing: Handing::Within, ..edge.clone() },
                false => Edge { to: joined(&start, &edge.to), ..edge.clone() },
            };
            self.define(root, shape.iter().map(to).collect());
        }
    }

    /// Returns true for a parameter of AWS' Systems Manager that isn't encrypted.
    fn is_plain_parameter(&self, module: usize, target: &Target) -> bool {
        let Target::Resource(addr) = target else { return false };
        let found = self.roots.modules.get(module).and_then(|(_, module)| module.resource_named(addr));
        let kind =
            found.filter(|_| &*addr.kind == "aws_ssm_parameter").and_then(|r| r.body.attribute("type"));
        kind.is_some_and(|attr| matches!(&attr.expr.kind, ExprKind::String(text) if matches!(&**text, "String" | "StringList")))
    }

    /// What secret parts of an argument come from is secret.
    pub(super) fn seed(&mut self, shape: &Shape, parts: &[Route]) {
        for part in parts {
            for edge in shape {
                if let Some(from) = self.source(edge, part) {
                    self.open.push((edge.root, from));
                }
            }
        }
    }

    /// The part of the source that a part of what it is handed to comes from, where that leads back to it.
    fn source(&self, edge: &Edge, part: &Route) -> Option<Route> {
        if !is_around(&edge.to, part) || edge.handing == Handing::Within && !self.is_called_secret(edge) {
            return None;
        }
        // Of an object that is secret as a whole, an entry may have the name of something that is none.
        let is_beside = edge.to.get(part.len()).is_some_and(|name| stands_beside_secrets(name));
        // Nor are its keys what makes it secret.
        let are_keys = edge.to.iter().skip(part.len()).any(|step| **step == *KEYS);
        if self.is_known_to_be_open(edge) || (is_beside || are_keys) && !self.is_called_secret(edge) {
            return None;
        }
        Some(match (edge.handing, part.get(edge.to.len()..)) {
            (Handing::Same, Some(rest)) => joined(&edge.from, rest),
            _ => edge.from.clone(),
        })
    }

    /// Returns true for an argument of which a schema says that it is no secret: that it is handed to one makes it none.
    fn is_known_to_be_open(&self, edge: &Edge) -> bool {
        let Some((_, Target::Resource(resource))) = self.roots.all.get(edge.root) else { return false };
        let names: Vec<&str> = edge.from.iter().map(|step| &**step).filter(|step| *step != EACH).collect();
        has_known_schema(&resource.kind) && !is_secret_argument(&resource.kind, &names)
    }

    /// Returns true if the name says that it is a secret: then it is one in a text, too.
    fn is_called_secret(&self, edge: &Edge) -> bool {
        let own = self.roots.all.get(edge.root).map(|(_, target)| target);
        let own = match own {
            Some(Target::Variable(name) | Target::Local(name) | Target::Output(name)) => Some(name),
            _ => None,
        };
        edge.from.last().or(own).is_some_and(|name| is_secret_name(name))
    }

    /// Returns true if there is no secret.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty() && self.spots.is_empty() && !self.fields.iter().any(|field| field.holds_secret)
    }

    /// Follows secrets back to where they come from.
    pub fn go_back(&mut self) {
        while let Some((root, part)) = self.open.pop() {
            let Some(part) = hold(&mut self.held, root, part) else { continue };
            let into = self.into.get(&root).map(Vec::as_slice).unwrap_or_default();
            let more: Vec<(usize, Route)> =
                into.iter().filter_map(|edge| Some((edge.root, self.source(edge, &part)?))).collect();
            self.open.extend(more);
        }
    }

    /// Where values stand that are secret, and written out.
    pub fn written(&self) -> Vec<Place> {
        let mut found = self.spots.clone();
        for (root, parts) in &self.held {
            for attr in self.written.get(root).into_iter().flatten() {
                for part in parts {
                    found.extend(written_for(&attr.expr, part).into_iter().map(|span| attr.at(span)));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Follows secrets on to everything that holds them.
    pub fn go_on(&mut self) {
        let found: Vec<(usize, Route)> = std::mem::take(&mut self.held)
            .into_iter()
            .flat_map(|(root, parts)| parts.into_iter().map(move |part| (root, part)))
            .collect();
        self.open = found;
        while let Some((root, part)) = self.open.pop() {
            let Some(part) = hold(&mut self.held, root, part) else { continue };
            for user in self.users.get(&root).into_iter().flatten() {
                let into = self.into.get(user).map(Vec::as_slice).unwrap_or_default();
                for edge in into.iter().filter(|edge| edge.root == root && is_around(&edge.from, &part)) {
                    let to = match (edge.handing, part.get(edge.from.len()..)) {
                        (Handing::Same, Some(rest)) => joined(&edge.to, rest),
                        _ => edge.to.clone(),
                    };
                    self.open.push((*user, to));
                }
            }
        }
    }

    /// Returns true if an edge leads to a secret, or around one.
    pub(super) fn is_secret(&self, edge: &Edge) -> bool {
        self.roots.all.get(edge.root).is_some_and(|(_, target)| is_secret_edge(&self.held, target, edge))
    }

    /// Starts with what is known to be secret.
    pub fn start_from(&mut self, known: impl Iterator<Item = (ModulePath, Target, Vec<Route>)>) {
        let numbers: BTreeMap<&ModulePath, usize> =
            self.roots.modules.iter().enumerate().map(|(at, (path, _))| (*path, at)).collect();
        for (path, target, parts) in known {
            if let Some(module) = numbers.get(&path) {
                self.held.entry(self.roots.number(*module, target)).or_default().extend(parts);
            }
        }
    }

    /// The declarations of which a secret decides how many there are.
    pub fn counted_by_secrets(&self) -> FxHashSet<(ModulePath, Target)> {
        let is_one = |(_, _, shape): &&(usize, Target, Shape)| shape.iter().any(|edge| self.is_secret(edge));
        let named = |(module, target, _): &(usize, Target, Shape)| {
            Some((self.roots.modules.get(*module)?.0.clone(), without_source(target)))
        };
        self.counted.iter().filter(is_one).filter_map(named).collect()
    }

    /// What holds a secret so far.
    pub fn held(&self) -> BTreeMap<(ModulePath, Target), Vec<Route>> {
        let named = |(root, parts): (&usize, &Vec<Route>)| {
            let (module, target) = self.roots.all.get(*root)?;
            let (path, _) = self.roots.modules.get(*module)?;
            Some((((*path).clone(), target.clone()), parts.clone()))
        };
        self.held.iter().filter_map(named).collect()
    }

    /// Opens what is known of the arguments of calls that stand in for something, and of what was there before.
    pub fn open_stand_ins(&mut self, known: &StandIns, all: &[Field]) {
        let numbers: BTreeMap<&ModulePath, usize> =
            self.roots.modules.iter().enumerate().map(|(at, (path, _))| (*path, at)).collect();
        for (path, target, parts) in &known.led_to {
            if let Some(module) = numbers.get(path) {
                let root = self.roots.number(*module, target.clone());
                self.open.extend(parts.iter().map(|part| (root, part.clone())));
            }
        }
        for field in all {
            let Target::Call(call) = &field.addr.target else { continue };
            let ([name], Some(at)) = (field.addr.path.0.as_slice(), numbers.get(&field.addr.module)) else {
                continue;
            };
            let parts = known.secret_parts(&field.addr.module, &call.name, name, &field.site.attr.expr);
            for child in self.roots.behind(*at, &call.name).to_vec() {
                let root = self.roots.number(child, Target::Variable(name.clone()));
                self.open.extend(parts.iter().map(|part| (root, part.clone())));
            }
        }
    }

    /// What was found.
    pub fn found(&self) -> Secrets {
        let mut secrets = Secrets { all: self.roots.is_spent(), ..Secrets::default() };
        let path = |module: usize| self.roots.modules.get(module).map(|(path, _)| (*path).clone());
        for (module, target, keys) in &self.repeated {
            if let Some(path) = path(*module).filter(|_| keys.iter().any(|edge| self.is_secret(edge))) {
                secrets.iterated.insert(path.clone());
                secrets.repeated.insert((path, target.clone()));
            }
        }
        for field in &self.fields {
            if field.holds_secret || field.shape.iter().any(|edge| self.is_secret(edge)) {
                secrets.fields.insert(field.addr.clone());
            }
            if field.keys.iter().any(|edge| self.is_secret(edge)) {
                secrets.iterated.insert(field.addr.module.clone());
                secrets.entries.insert(field.addr.clone());
            }
        }
        for (root, parts) in &self.held {
            let Some((module, target)) = self.roots.all.get(*root) else { continue };
            if let Some(path) = path(*module) {
                secrets.held.insert((path, target.clone()), parts.clone());
            }
        }
        secrets
    }
}

/// Returns true if an edge of what is named leads to a secret, or around one.
pub(super) fn is_secret_edge(held: &Held, target: &Target, edge: &Edge) -> bool {
    if held.get(&edge.root).is_some_and(|held| held.iter().any(|own| is_around(own, &edge.from))) {
        return true;
    }
    let Target::Resource(resource) = target else { return false };
    let is_name = |step: &&Arc<str>| !may_meet(step, EACH) || ***step != *EACH;
    let names: Vec<&str> = edge.from.iter().filter(is_name).map(|step| &**step).collect();
    is_secret_argument(&resource.kind, &names)
}

/// The attributes by which a resource gives back an argument.
fn given_back(resource: &ResourceAddr, path: &[Arc<str>]) -> impl Iterator<Item = Arc<str>> {
    let own = path.first().cloned();
    let is_own = |name: &str| own.as_ref().is_some_and(|own| **own == *name);
    let named_too = SHOWN_AS.iter().find(|(kind, name, _)| *kind == &*resource.kind && is_own(name));
    let other = named_too.map(|(_, _, other)| Arc::from(*other));
    own.into_iter().chain(other)
}

/// Returns true for what a provisioner or its connection is given, which is no attribute of the resource.
fn is_of_provisioner(resource: &ResourceAddr, path: &[Arc<str>]) -> bool {
    resource.mode == Mode::Managed
        && path.first().is_some_and(|first| matches!(&**first, "provisioner" | "connection"))
}

/// Returns true for an argument of a call whose variable says that it is secret.
fn is_marked_argument(config: &Config, field: &FieldAddr) -> bool {
    let (Target::Call(call), [name]) = (&field.target, field.path.0.as_slice()) else { return false };
    let behind = config.behind(&field.module, call);
    let mut variables = behind.iter().filter_map(|module| module.variables.get(name));
    variables.any(|variable| variable.sensitive || variable.ephemeral)
}

/// Returns true for the value of an output that says that it is secret.
fn is_marked_output(config: &Config, field: &FieldAddr) -> bool {
    let (Target::Output(name), [value]) = (&field.target, field.path.0.as_slice()) else { return false };
    let found = config.paths.get(&field.module).and_then(|id| config.module(*id)?.outputs.get(name));
    &**value == "value" && found.is_some_and(|output| output.sensitive || output.ephemeral)
}

/// Notes that a part is secret; nothing where that is known. Of too many parts the whole is.
pub(super) fn hold(held: &mut Held, root: usize, part: Route) -> Option<Route> {
    let parts = held.entry(root).or_default();
    let is_known =
        |own: &Route| own.len() <= part.len() && own.iter().zip(&part).all(|(own, step)| own == step);
    if parts.iter().any(is_known) {
        return None;
    }
    let part = if parts.len() >= MOST_ROUTES { Route::new() } else { part };
    if part.is_empty() {
        parts.clear();
    }
    parts.push(part.clone());
    Some(part)
}
