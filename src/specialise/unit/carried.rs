//! Variables that carry a driven value: the field *is* the variable, through hops that hand the value on as it is. Within a service's
//! template also those that get something that is computed from it alone.
//!
//! In: a driven field. Out: the variables between it and what is split. They go from the copy, where the value is a literal.
//! Absent on purpose: what a gate implies of other variables. These stay, so that an edit of one changes one line.

use crate::addr::{ModulePath, Reference, Referent, Step, Target};
use crate::cond::FormulaId;
use crate::config::{Config, Module};
use crate::func::{Purity, lookup};
use crate::graph;
use crate::specialise::unit::Unit;
use crate::syntax::traversal::{TraversalStep, absolute_traversal};
use crate::syntax::walk::walk;
use crate::syntax::{Expr, ExprKind, ObjectItem, ObjectKey, TemplatePart};
use crate::text::SourceId;
use crate::trace::reading::Reading;
use crate::trace::{Driven, Driver};
use std::collections::{BTreeMap, BTreeSet};
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

/// Arguments of calls of services' templates that have one value, by template, and when they have it.
pub type Resolved = BTreeMap<ModulePath, Vec<(Arc<str>, FormulaId)>>;

/// Variables of one module, and the conditions under which they carry what is driven.
pub type Handed = (ModulePath, Vec<Arc<str>>, Vec<FormulaId>);

/// The variables of services' templates that a unit's driven arguments are passed to, and those of the modules within to which
/// these are handed on, as they are or in something that is computed from them alone. Arguments of the same calls that have one
/// value are among them.
///
/// In the copies of a unit a template is specialised along with its call; of any other call the argument alone is driven.
pub fn into_templates(config: &Config, unit: &Unit<'_>, resolved: &Resolved) -> Vec<Handed> {
    let mut templates: BTreeMap<ModulePath, BTreeSet<Arc<str>>> = BTreeMap::new();
    for (template, argument) in unit.targets.iter().filter_map(|t| argument(t.driven)) {
        templates.entry(template).or_default().insert(argument);
    }
    let mut out = Vec::new();
    for (template, arguments) in templates {
        handed(config, (template, arguments), resolved, &mut out);
    }
    out
}

/// The same for templates that are called from a residual, where every driven argument has one value. One that the root module calls
/// stays as it is: its `source` is the same for every value then.
pub fn into_residuals(config: &Config, resolved: &Resolved) -> Vec<Handed> {
    let mut out = Vec::new();
    for template in resolved.keys().filter(|template| template.depth() > 1) {
        handed(config, (template.clone(), BTreeSet::new()), resolved, &mut out);
    }
    out
}

fn handed(
    config: &Config,
    (template, mut arguments): (ModulePath, BTreeSet<Arc<str>>),
    resolved: &Resolved,
    out: &mut Vec<Handed>,
) {
    let one = resolved.get(&template).into_iter().flatten();
    let conditions: Vec<FormulaId> = one.clone().map(|(_, when)| *when).collect();
    arguments.extend(one.map(|(name, _)| name.clone()));
    let mut variables = Vec::new();
    inwards(config, template, arguments, &mut variables);
    out.extend(variables.into_iter().map(|(path, names)| (path, names, conditions.clone())));
}

/// Returns the module that a service's template is, and its driven argument.
pub fn argument(driven: &Driven) -> Option<(ModulePath, Arc<str>)> {
    match (&driven.field.target, driven.field.path.0.as_slice()) {
        (Target::Call(call), [argument]) if driven.driver == Driver::Service => {
            Some((driven.field.module.child(call.clone()), argument.clone()))
        }
        _ => None,
    }
}

/// Adds variables, and those of modules below to which they are handed on. A call that an expression gives a source is none.
fn inwards(
    config: &Config,
    path: ModulePath,
    names: BTreeSet<Arc<str>>,
    out: &mut Vec<(ModulePath, Vec<Arc<str>>)>,
) {
    let Some(module) = config.at(&path).filter(|_| !names.is_empty()) else { return };
    for call in module.calls.values().filter(|call| call.source_text().is_some()) {
        let handed = call.args.iter().filter(|arg| is_made_of(module, &arg.expr, arg.file, &names));
        let handed = handed.map(|arg| arg.name.text.clone()).collect();
        inwards(config, path.child(call.name.clone()), handed, out);
    }
    out.push((path, names.into_iter().collect()));
}

/// Returns true if an expression is computed from these variables and nothing else, through locals, too: the same for the same
/// values whenever and wherever Terraform runs. What it is, and if it is known, is for the tracer to say.
fn is_made_of(module: &Module, expr: &Expr, file: SourceId, variables: &BTreeSet<Arc<str>>) -> bool {
    let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
    let (mut open, mut any) = (vec![(expr, file)], false);
    while let Some((expr, file)) = open.pop() {
        if !is_pure(expr) {
            return false;
        }
        for used in graph::uses_of(expr, file) {
            match used.referent {
                Referent::Variable(name) if variables.contains(&name) => any = true,
                Referent::Local(name) => {
                    let Some(local) = module.locals.get(&name) else { return false };
                    if seen.insert(name) {
                        open.push((&local.attr.expr, local.attr.file));
                    }
                }
                _ => return false,
            }
        }
    }
    any
}

/// Returns true if every function that an expression calls gives the same for the same arguments, and reads nothing else.
fn is_pure(expr: &Expr) -> bool {
    let mut pure = true;
    walk(expr, &mut |e| {
        if let ExprKind::Call(call) = &e.kind {
            pure &= lookup(&call.name.text).is_some_and(|function| function.purity == Purity::Pure);
        }
        pure
    });
    pure
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
