//! Variables that carry a driven value: the field *is* the variable, through hops that hand the value on as it is.
//!
//! In: a driven field. Out: the variables between it and what is split. They go from the copy, where the value is a literal.
//! Absent on purpose: what a gate implies of other variables. These stay, so that an edit of one changes one line.

use super::unit::{Unit, UnitName};
use crate::addr::{ModulePath, Reference, Referent, Step, Target};
use crate::config::{Config, Module};
use crate::syntax::traversal::{TraversalStep, absolute_traversal};
use crate::syntax::{Expr, ExprKind, ObjectItem, ObjectKey, TemplatePart};
use crate::trace::reading::Reading;
use crate::trace::{Driven, Driver};
use std::sync::Arc;

/// The variables that carry a field's value, each with its module, from the field outwards; none of modules that aren't
/// further in than `depth`.
pub fn variables(config: &Config, driven: &Driven, depth: usize) -> Vec<(ModulePath, Arc<str>)> {
    let mut out = Vec::new();
    if driven.site.reading != Reading::References {
        follow(config, driven, depth, &mut out);
    }
    out
}

/// The variable of a service's template that a driven argument of its call is passed to, and those of the modules within that it
/// is handed on to. A template is specialised along with its call; of any other call the argument alone is driven.
pub fn into_template(config: &Config, unit: &Unit<'_>, driven: &Driven) -> Vec<(ModulePath, Arc<str>)> {
    let field = &driven.field;
    let (UnitName::Call(call), [argument]) = (&unit.name, field.path.0.as_slice()) else { return Vec::new() };
    let own = field.module == unit.scope && field.target == Target::Call(call.clone());
    let mut out = Vec::new();
    if driven.driver == Driver::Service && own {
        inwards(config, unit.scope.child(call.clone()), argument, &mut out);
    }
    out
}

/// Adds a variable, and those of modules below to which it is handed on as it is. A call that an expression gives a source is none.
fn inwards(config: &Config, path: ModulePath, name: &Arc<str>, out: &mut Vec<(ModulePath, Arc<str>)>) {
    let Some(module) = config.at(&path) else { return };
    for call in module.calls.values().filter(|call| call.source_text().is_some()) {
        for arg in call.args.iter().filter(|arg| is_of(module, &arg.expr, name)) {
            inwards(config, path.child(call.name.clone()), &arg.name.text, out);
        }
    }
    out.push((path, name.clone()));
}

/// Returns true if an expression hands on a variable, through locals, too.
fn is_of(module: &Module, expr: &Expr, variable: &str) -> bool {
    let mut next = handed_on(expr, &[]);
    // Locals that name one another in a circle are an error of Terraform's.
    for _ in 0..=module.locals.len() {
        match next {
            Some((Referent::Variable(name), rest)) => return rest.is_empty() && *name == *variable,
            Some((Referent::Local(name), rest)) => {
                next = module.locals.get(&name).and_then(|local| handed_on(&local.attr.expr, &rest));
            }
            _ => return false,
        }
    }
    false
}

fn follow(
    config: &Config,
    driven: &Driven,
    depth: usize,
    out: &mut Vec<(ModulePath, Arc<str>)>,
) -> Option<()> {
    let mut module = driven.field.module.clone();
    let (mut referent, mut rest) = handed_on(&driven.site.attr.expr, &driven.site.rest)?;
    let mut hops = 0;
    while module.depth() > depth {
        let here = config.at(&module)?;
        let expr = match &referent {
            Referent::Variable(name) => {
                if rest.is_empty() {
                    out.push((module.clone(), name.clone()));
                }
                let (outer, call) = module.parent()?;
                let passed = config.at(&outer)?.call(&call)?.arg(name)?;
                (module, hops) = (outer, 0);
                &passed.expr
            }
            Referent::Local(name) => {
                // Locals that name one another in a circle are an error of Terraform's.
                hops += 1;
                let local = here.locals.get(name).filter(|_| hops <= here.locals.len())?;
                &local.attr.expr
            }
            _ => return None,
        };
        (referent, rest) = handed_on(expr, &rest)?;
    }
    Some(())
}

/// Returns the name that an expression, or an attribute of it, hands on, with the attributes of that name.
fn handed_on(expr: &Expr, rest: &[Arc<str>]) -> Option<(Referent, Vec<Arc<str>>)> {
    match &expr.kind {
        ExprKind::Paren(inner) => return handed_on(inner, rest),
        ExprKind::Template(template) => {
            return match template.parts.as_slice() {
                [TemplatePart::Interpolation(inner, _)] => handed_on(inner, rest),
                _ => None,
            };
        }
        ExprKind::Object(items) => {
            let (name, rest) = rest.split_first()?;
            let named = |item: &&ObjectItem| match &item.key {
                ObjectKey::Name(key) => *key.text == **name,
                ObjectKey::Expr(key) => matches!(&key.kind, ExprKind::String(text) if **text == **name),
            };
            return handed_on(&items.iter().rev().find(named)?.value, rest);
        }
        _ => {}
    }
    let traversal = absolute_traversal(expr)?;
    let names: Option<Vec<&Arc<str>>> = traversal.steps.iter().map(attribute).collect();
    let names = names?;
    let steps: Vec<Step<'_>> = names.iter().map(|name| Step::Attr(name)).collect();
    let reference = Reference::parse(&traversal.root.text, &steps).ok()?;
    let further = names.into_iter().skip(reference.consumed).cloned();
    Some((reference.referent, further.chain(rest.iter().cloned()).collect()))
}

fn attribute(step: &TraversalStep) -> Option<&Arc<str>> {
    match step {
        TraversalStep::Attr(name) => Some(&name.text),
        TraversalStep::Index(..) => None,
    }
}
