//! Conditions: a text that compares a secret with something says what it may be.

use super::found::Secrets;
use super::roots::Roots;
use super::roots::written_out;
use super::route::Route;
use super::shape::{Finder, Names};
use crate::addr::{ModulePath, Target};
use crate::config::{CheckRule, Config, Module, Resource};
use crate::pipeline::field::Field;
use crate::syntax::traversal::{TraversalStep, input_variables, variables};
use crate::syntax::walk::walk;
use crate::syntax::{BinaryOp, Expr, ExprKind};
use crate::text::{Place, SourceId};
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

    /// Where literals stand that are compared with a secret, or told to a function with one, or with what a mark makes one.
    pub(super) fn written_beside(&self, config: &Config, all: &[Field]) -> Vec<Place> {
        let mut found = Vec::new();
        for (path, id) in &config.paths {
            let Some(module) = config.module(*id) else { continue };
            for local in module.locals.values() {
                self.beside(module, path, (local.attr.file, &local.attr.expr), &mut found);
            }
            for (_, rule) in rules_of(module) {
                self.beside(module, path, (rule.condition.file, &rule.condition), &mut found);
            }
        }
        for field in all {
            let attr = &field.site.attr;
            if let Some(module) = config.at(&field.addr.module) {
                self.beside(module, &field.addr.module, (attr.file, &attr.expr), &mut found);
            }
        }
        found
    }

    /// The rules that name a secret: what they say, and what is wrong with them, may quote it.
    pub fn rules_naming(&self, config: &Config) -> Vec<NamingRule> {
        let mut found = Vec::new();
        if self.is_empty() {
            return found;
        }
        for (path, id) in &config.paths {
            for (of, rule) in config.module(*id).into_iter().flat_map(rules_of) {
                let in_message =
                    rule.error_message.as_ref().is_some_and(|said| self.are_told_in(path, &of, said));
                if in_message || self.are_told_in(path, &of, &rule.condition) {
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

    fn beside(
        &self,
        module: &Module,
        path: &ModulePath,
        (file, expr): (SourceId, &Expr),
        found: &mut Vec<Place>,
    ) {
        let is_marked = |expr: &Expr| {
            input_variables(expr)
                .any(|name| module.variables.get(&name).is_some_and(crate::config::Variable::is_hidden))
        };
        let is_secret = |expr: &Expr| is_marked(expr) || self.are_named(path, expr);
        let mut add = |own: &Expr, other: &Expr| {
            if is_literal(own) && is_secret(other) {
                found.push(Place { file, span: own.span });
            }
        };
        walk(expr, &mut |inner| {
            match &inner.kind {
                ExprKind::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
                    add(left, right);
                    add(right, left);
                }
                // What a function is told beside a secret: what it begins with, has in it, or is in place of it.
                ExprKind::Call(call) => {
                    for (at, own) in call.args.iter().enumerate().filter(|(_, own)| is_literal(own)) {
                        let others = call.args.iter().enumerate().filter(|(other, _)| *other != at);
                        others.for_each(|(_, other)| add(own, other));
                    }
                }
                _ => {}
            }
            true
        });
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

/// Returns true for a text or a number that is written out, and for a list of such.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::String(text) => !text.is_empty(),
        ExprKind::Number(_) | ExprKind::Template(_) => true,
        ExprKind::Tuple(items) => items.iter().any(is_literal),
        ExprKind::Paren(inner) => is_literal(inner),
        _ => false,
    }
}
