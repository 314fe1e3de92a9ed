//! Conditions: a text that compares a secret with something says what it may be.

use super::super::every_field;
use super::compared::{Comparisons, add_literals};
use super::flow::{Flow, is_secret_edge};
use super::found::Secrets;
use super::roots::Roots;
use super::roots::written_out;
use super::route::Route;
use super::shape::{Edge, Finder, Names};
use crate::addr::{ModulePath, Target};
use crate::config::{CheckRule, Config, Module, Resource};
use crate::pipeline::field::Field;
use crate::syntax::traversal::{TraversalStep, variables};
use crate::syntax::walk::walk;
use crate::syntax::{Expr, ExprKind};
use crate::text::{Place, SourceId, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Secrets {
    /// Returns true if an expression of a module names a secret, in whatever way.
    pub fn are_named(&self, module: &ModulePath, expr: &Expr) -> bool {
        self.all
            || variables(expr).iter().any(|found| {
                let mut route = Route::new();
                for step in &found.steps {
                    route.push(match step {
                        TraversalStep::Attr(name) => name.text.clone(),
                        TraversalStep::Index(crate::syntax::traversal::IndexKey::String(text), _) => {
                            text.clone()
                        }
                        TraversalStep::Index(..) => super::route::EACH.into(),
                    });
                }
                let root = &*found.root.text;
                let Some((name, rest)) = route.split_first() else {
                    return self.iterated.contains(module);
                };
                let rest = rest.iter().take(super::route::DEEPEST).cloned().collect();
                match root {
                    "var" => self.holds(module, &Target::Variable(name.clone()), &rest),
                    "local" => self.holds(module, &Target::Local(name.clone()), &rest),
                    "module" => self.holds(module, &Target::Call(Arc::clone(name).into()), &rest),
                    "path" | "terraform" | "count" => false,
                    _ => self.iterated.contains(module) || self.is_resource(module, root, &route),
                }
            })
    }

    fn is_resource(&self, module: &ModulePath, root: &str, route: &Route) -> bool {
        use crate::addr::{Mode, ResourceAddr};
        let (mode, kind, rest) = match (root, route.as_slice()) {
            ("data", [kind, rest @ ..]) => (Mode::Data, &**kind, rest),
            ("ephemeral", [kind, rest @ ..]) => (Mode::Ephemeral, &**kind, rest),
            (kind, rest) => (Mode::Managed, kind, rest),
        };
        let Some((name, rest)) = rest.split_first() else { return false };
        let target = Target::Resource(ResourceAddr { mode, kind: kind.into(), name: name.clone() });
        self.holds(module, &target, &rest.to_vec())
    }

    /// Returns true if a text of a condition names a secret and holds something that it may be.
    pub fn are_told(&self, module: &ModulePath, text: &str) -> bool {
        if !self.all && self.held.is_empty() && self.iterated.is_empty() {
            return false;
        }
        let Ok(expr) = crate::syntax::parse_expr(text) else { return true };
        let mut tells = false;
        walk(&expr, &mut |inner| {
            tells |= match &inner.kind {
                ExprKind::String(text) => !text.is_empty(),
                ExprKind::Template(_) | ExprKind::Number(_) => true,
                _ => false,
            };
            true
        });
        tells && self.are_named(module, &expr)
    }

    /// The rules that name a secret: what they say, and what is wrong with them, may quote it.
    pub fn rules_naming(&self, config: &Config) -> Vec<NamingRule> {
        let mut found = Vec::new();
        if self.is_empty() {
            return found;
        }
        for (path, id) in &config.paths {
            for (of, rule) in config.module(*id).into_iter().flat_map(rules_of) {
                if self.is_naming(path, &of, rule) {
                    let variable = match of {
                        Owner::Variable(name) => Some(name.clone()),
                        Owner::Resource(_) | Owner::Other => None,
                    };
                    found.push(NamingRule { module: path.clone(), variable, place: rule.block.place() });
                }
            }
        }
        found
    }

    /// Returns true if a rule names a secret, in its message or in what it asks.
    fn is_naming(&self, path: &ModulePath, of: &Owner<'_>, rule: &CheckRule) -> bool {
        let in_message = rule.error_message.as_ref().is_some_and(|said| self.are_told_in(path, of, said));
        in_message || self.are_told_in(path, of, &rule.condition)
    }

    /// The same as [`Secrets::are_named`], with what `each` and `self` stand for in a resource.
    fn are_told_in(&self, path: &ModulePath, of: &Owner<'_>, expr: &Expr) -> bool {
        if self.are_named(path, expr) {
            return true;
        }
        let Owner::Resource(resource) = of else { return false };
        let holds = |target: Target| self.held.contains_key(&(path.clone(), target));
        let target = Target::Resource(resource.addr.clone());
        variables(expr).iter().any(|found| match &*found.root.text {
            "self" => holds(target.clone()),
            "each" => {
                let over = resource.for_each.as_ref();
                holds(written_out(&target)) || over.is_some_and(|over| self.are_named(path, &over.expr))
            }
            _ => false,
        })
    }

    /// Returns true if a part of the value of an expression in the root module is secret.
    pub fn are_in(&self, config: &Config, expr: &Expr) -> bool {
        if self.all || self.held.is_empty() {
            return self.all;
        }
        let mut roots = Roots::of(config);
        let Some(module) = roots.modules.iter().position(|(path, _)| path.is_root()) else { return true };
        let shape = Finder { roots: &mut roots, module, names: Names::new(), deciding: false }.shape(expr);
        shape.iter().any(|edge| {
            let target = roots.all.get(edge.root).map(|(_, target)| target);
            target.is_none_or(|target| self.holds(&ModulePath::ROOT, target, &edge.from))
        })
    }
}

impl Flow<'_> {
    /// Where literals stand that secrets are compared with, by a name or by a mark: in fields and locals as [`Comparisons`] finds them, and all of a
    /// rule's condition.
    pub(super) fn compared(&mut self, secrets: &Secrets, all: &[Field]) -> Vec<Place> {
        let mut found = Vec::new();
        let modules = self.roots.modules.clone();
        let numbers: BTreeMap<&ModulePath, usize> =
            modules.iter().enumerate().map(|(at, (path, _))| (*path, at)).collect();
        for (at, (path, module)) in modules.iter().enumerate() {
            for local in module.locals.values().filter(|local| may_compare(&local.attr.expr)) {
                self.compared_in(at, Names::new(), (local.attr.file, &local.attr.expr), &mut found);
            }
            for (of, rule) in rules_of(module).iter().filter(|(_, rule)| may_compare(&rule.condition)) {
                let names = match of {
                    Owner::Resource(resource) => self.names_in(at, &Target::Resource(resource.addr.clone())),
                    Owner::Variable(_) | Owner::Other => Names::new(),
                };
                let mut look = |looking: &mut Comparisons<'_, '_, '_>| {
                    looking.find_in(&rule.condition);
                    !looking.found.is_empty() || looking.has_part_in(&rule.condition)
                };
                let is_one = secrets.is_naming(path, of, rule) || self.comparing(at, names, &mut look).0;
                if is_one {
                    let mut spans = Vec::new();
                    add_literals(&rule.condition, &mut spans);
                    let file = rule.condition.file;
                    found.extend(spans.into_iter().map(|span| Place { file, span }));
                }
            }
        }
        let unlisted = every_field::unlisted(self.config);
        for field in all.iter().chain(&unlisted).filter(|field| may_compare(&field.site.attr.expr)) {
            let Some(at) = numbers.get(&field.addr.module) else { continue };
            let mut names = self.names_in(*at, &field.addr.target);
            self.bind_iterators(*at, &field.site.dynamics, &mut names);
            let attr = &field.site.attr;
            self.compared_in(*at, names, (attr.file, &attr.expr), &mut found);
        }
        found
    }

    fn compared_in(
        &mut self,
        module: usize,
        names: Names,
        (file, expr): (SourceId, &Expr),
        found: &mut Vec<Place>,
    ) {
        let ((), spans) = self.comparing(module, names, &mut |looking| looking.find_in(expr));
        found.extend(spans.into_iter().map(|span| Place { file, span }));
    }

    fn comparing<T>(
        &mut self,
        module: usize,
        names: Names,
        look: &mut dyn FnMut(&mut Comparisons<'_, '_, '_>) -> T,
    ) -> (T, Vec<Span>) {
        let Flow { roots, held, .. } = self;
        let is_secret = |edge: &Edge, target: &Target| is_secret_edge(held, target, edge);
        let finder = Finder { roots, module, names, deciding: true };
        let mut looking = Comparisons { finder, is_secret: &is_secret, found: Vec::new() };
        let told = look(&mut looking);
        (told, looking.found)
    }
}

/// Returns true for an expression that makes something of a literal and something else.
fn may_compare(expr: &Expr) -> bool {
    let (mut literals, mut others) = (false, false);
    walk(expr, &mut |inner| {
        match &inner.kind {
            ExprKind::String(text) => literals |= !text.is_empty(),
            ExprKind::Number(_) | ExprKind::Template(_) | ExprKind::Object(_) => literals = true,
            ExprKind::Variable(_) | ExprKind::Call(_) => others = true,
            _ => {}
        }
        !(literals && others)
    });
    literals && others
}

/// A rule that names a secret.
pub struct NamingRule {
    /// The module.
    pub module: ModulePath,
    /// The variable whose rule it is, where it is one's.
    pub variable: Option<Arc<str>>,
    /// The rule.
    pub place: Place,
}

/// Whose a rule is.
enum Owner<'c> {
    Variable(&'c Arc<str>),
    Resource(&'c Resource),
    Other,
}

/// Every rule of a module, with its owner.
fn rules_of(module: &Module) -> Vec<(Owner<'_>, &CheckRule)> {
    let variables = module.variables.values();
    let of_variables =
        variables.flat_map(|v| v.validations.iter().map(|rule| (Owner::Variable(&v.name), rule)));
    let of_resources = module.resources.values().flat_map(|resource| {
        let rules = resource.lifecycle.preconditions.iter().chain(&resource.lifecycle.postconditions);
        rules.map(move |rule| (Owner::Resource(resource), rule))
    });
    let outputs = module.outputs.values().flat_map(|output| &output.preconditions);
    let checks = module.checks.iter().flat_map(|check| &check.asserts);
    let others = outputs.chain(checks).map(|rule| (Owner::Other, rule));
    of_variables.chain(of_resources).chain(others).collect()
}
