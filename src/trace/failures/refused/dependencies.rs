//! Names in `depends_on`, `replace_triggered_by`, provisioners and `import` blocks that nothing declares, and lists of references that
//! hold something else.

use super::looked::{Looked, Refused, address_of};
use crate::addr::Referent;
use crate::config::{In, Module};
use crate::graph::{Use, uses_of};
use crate::syntax::{Attribute, Expr, ExprKind, TraversalStep, traversal};
use crate::trace::walk::undeclared::{misses_key, missing};

pub(super) fn find_undeclared(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for used in &looked.uses {
        let named = matches!(&*used.context.attribute, "depends_on" | "replace_triggered_by");
        // Elsewhere it is found where the expression is evaluated.
        let apart = |kind: &str| matches!(kind, "provisioner" | "connection" | "import");
        let unevaluated = used.context.blocks.iter().any(|kind| apart(kind)) && !used.is_static();
        if !named && !unevaluated {
            continue;
        }
        let is_trigger = &*used.context.attribute == "replace_triggered_by";
        let waits = is_trigger.then(|| waits_for_checks(looked.module, &used.referent)).flatten();
        let error = waits.or_else(|| missing(looked.module, &used.referent, used.place())).or_else(|| {
            match &*used.context.attribute {
                "depends_on" => unsuitable_dependency(looked.module, used),
                "replace_triggered_by" => unsuitable_trigger(used),
                _ => None,
            }
        });
        if let Some(error) = error {
            found.push(Refused { at: address_of(used), error, place: used.place() });
        }
    }
    find_no_lists(looked.module, found);
    find_no_triggers(looked, found);
}

fn unsuitable_dependency(module: &Module, used: &Use) -> Option<String> {
    let next = used.traversal.steps.get(used.consumed);
    let whole = match next {
        None => true,
        // An instance counts as its resource.
        Some(TraversalStep::Index(..)) => {
            if let Some(error) = misses_key(module, &used.referent, next) {
                return Some(error);
            }
            used.traversal.steps.len() == used.consumed.saturating_add(1)
        }
        Some(TraversalStep::Attr(_)) => false,
    };
    (!whole).then(|| {
        "Invalid depends_on reference: References in depends_on must be to a whole object (resource, etc), not to an attribute of an object."
            .to_owned()
    })
}

/// A trigger is looked for as an object, whatever its scope is; that of a `check` block is read once everything else is done.
fn waits_for_checks(module: &Module, referent: &Referent) -> Option<String> {
    let Referent::Resource(addr) = referent else { return None };
    let is_of_check = !module.resources.contains_key(addr) && module.resource_named(addr).is_some();
    is_of_check.then(|| format!("Cycle: (execute checks), {addr}"))
}

fn unsuitable_trigger(used: &Use) -> Option<String> {
    let error = match used.referent {
        Referent::EachValue => {
            "Invalid each reference in replace_triggered_by expression: Only each.key may be used in replace_triggered_by."
        }
        Referent::Variable(_)
        | Referent::Local(_)
        | Referent::Output { .. }
        | Referent::Call(..)
        | Referent::Path(_)
        | Referent::Workspace => {
            "Invalid reference in replace_triggered_by expression: Only resources, count.index, and each.key may be used in \
             replace_triggered_by."
        }
        _ => return None,
    };
    Some(error.to_owned())
}

/// Finds `replace_triggered_by` that is no list, and elements of it that name no resource, or several.
fn find_no_triggers(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for resource in looked.module.managed() {
        let at = format!("{}.lifecycle", resource.addr);
        let Some(attr) = &resource.lifecycle.replace_triggered_by else { continue };
        let ExprKind::Tuple(items) = &attr.expr.kind else {
            found.push(no_list(&at, attr));
            continue;
        };
        for item in items {
            let place = attr.at(item.span);
            if looked.module.has_json(attr.file) && !may_be_reference(item) {
                let error = "Invalid reference expression: References must be strings.";
                found.push(Refused {
                    at: format!("{at}.replace_triggered_by"),
                    error: error.to_owned(),
                    place,
                });
                continue;
            }
            let uses = uses_of(item, attr.file);
            let resources = uses.iter().filter(|used| matches!(used.referent, Referent::Resource(_))).count();
            // What else it refers to is said by itself.
            let what = match resources {
                1 => continue,
                0 if uses.iter().any(|used| unsuitable_trigger(used).is_some()) => continue,
                0 => "Missing resource reference",
                _ => "Multiple resource references",
            };
            let error = format!(
                "Invalid replace_triggered_by expression: {what} in replace_triggered_by expression."
            );
            found.push(Refused { at: format!("{at}.replace_triggered_by"), error, place });
        }
    }
}

/// Returns true unless an expression of a JSON file is no string there.
fn may_be_reference(item: &Expr) -> bool {
    !matches!(
        item.kind,
        ExprKind::Tuple(_) | ExprKind::Object(_) | ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::Null
    )
}

/// Finds `depends_on` and `ignore_changes` that are no list of references.
fn find_no_lists(module: &Module, found: &mut Vec<Refused>) {
    let depending = module
        .resources
        .values()
        .filter_map(|resource| Some((resource.addr.to_string(), resource.depends_on.as_ref()?)));
    let calls = module
        .calls
        .values()
        .filter_map(|call| Some((format!("module.{}", call.name), call.depends_on.as_ref()?)));
    let outputs = module
        .outputs
        .values()
        .filter_map(|output| Some((format!("output.{}", output.name), output.depends_on.as_ref()?)));
    for (at, attr) in depending.chain(calls).chain(outputs) {
        find_no_list(&at, attr, found);
    }
    for resource in module.resources.values() {
        let at = resource.addr.to_string();
        let Some(attr) = &resource.lifecycle.ignore_changes else { continue };
        match &attr.expr.kind {
            // What an expression chooses is written as what it is.
            ExprKind::Variable(word) if &**word != "all" => {
                found.push(no_list(&at, attr));
            }
            ExprKind::String(_) => found.push(no_list(&at, attr)),
            ExprKind::Tuple(items) => {
                // What refers to something may choose one.
                let no_name = |item: &&Expr| {
                    !is_reference(item)
                        && !matches!(item.kind, ExprKind::Conditional(..))
                        && uses_of(item, attr.file).is_empty()
                };
                for item in items.iter().filter(no_name) {
                    found.push(no_reference(&at, attr, item));
                }
                let star = |e: &&Expr| matches!(&e.kind, ExprKind::String(text) if &**text == "*");
                for item in items.iter().filter(star) {
                    let error = "Invalid ignore_changes wildcard: The [\"*\"] form of ignore_changes wildcard is invalid. Use \
                                 \"ignore_changes = all\" to ignore changes to all attributes.";
                    found.push(Refused {
                        at: format!("{at}.lifecycle.ignore_changes"),
                        error: error.to_owned(),
                        place: attr.at(item.span),
                    });
                }
            }
            _ => {}
        }
    }
}

/// Returns true for a reference, as Terraform 0.11 had it in quotes, too.
fn is_reference(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::String(_)) || traversal::absolute_traversal(expr).is_some()
}

fn find_no_list(at: &str, attr: &In<Attribute>, found: &mut Vec<Refused>) {
    match &attr.expr.kind {
        ExprKind::Tuple(items) => {
            let others = items.iter().filter(|item| !is_reference(item));
            found.extend(others.map(|item| no_reference(at, attr, item)));
        }
        _ => found.push(no_list(at, attr)),
    }
}

fn no_reference(at: &str, attr: &In<Attribute>, item: &Expr) -> Refused {
    let error = "Invalid expression: A single static variable reference is required: only attribute access and indexing with constant keys.";
    Refused { at: format!("{at}.{}", attr.name.text), error: error.to_owned(), place: attr.at(item.span) }
}

fn no_list(at: &str, attr: &In<Attribute>) -> Refused {
    Refused {
        at: format!("{at}.{}", attr.name.text),
        error: "Invalid expression: A static list expression is required.".to_owned(),
        place: attr.value_place(),
    }
}
