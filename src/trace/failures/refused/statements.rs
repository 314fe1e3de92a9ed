//! `moved` and `removed` blocks that the declarations contradict.
//!
//! Of keys nothing is said here: which instances there are hangs on inputs.

use super::constants::check_value;
use super::looked::{Looked, Refused};
use super::provisioners::find_others;
use crate::addr::{Key, Mode, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr};
use crate::config::literal::key_text;
use crate::config::{Config, Decl, Module, Resource};
use crate::eval::standalone::eval_constant;
use crate::moves::{self, Declared, Endpoint, Refusal, Repetition, Statement};
use crate::syntax::traversal::as_keyword;
use crate::syntax::{Expr, ExprKind, TemplatePart};
use crate::text::Place;
use crate::value::Type;

pub(super) fn find_contradicted(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    // All modules together are looked at once, with the root.
    if looked.path.is_root() {
        find_moved(looked.config, found);
    }
    for decl in &looked.module.moved {
        find_no_address(decl, "moved", "from", found);
        find_no_address(decl, "moved", "to", found);
    }
    for decl in &looked.module.removed {
        find_no_address(decl, "removed", "from", found);
        find_no_bool(decl, found);
        for provisioner in decl.block.body.blocks_of("provisioner") {
            let when = provisioner.body.attribute("when").and_then(|attr| as_keyword(&attr.expr));
            if when.is_some_and(|word| &*word.text == "destroy") {
                find_others("removed", provisioner, decl.block.file, found);
            }
        }
        let Some((address, end)) = end_of(decl, "from") else { continue };
        find_unsuitable_removal(decl, &end, found);
        let Some(module) = module_at(looked.config, looked.path, &end.module) else { continue };
        let is_there = match &end.resource {
            Some((resource, _)) => module.resources.contains_key(resource),
            None => true,
        };
        if is_there {
            let what = if end.resource.is_some() { "resource" } else { "module" };
            let error = format!(
                "Removed {what} still exists: This statement declares that {address} was removed, but it is still declared in configuration."
            );
            found.push(Refused { at: "removed".to_owned(), error, place: decl.place() });
        }
    }
}

/// An argument that is to be an address, and isn't.
fn find_no_address(decl: &Decl, block: &str, argument: &str, found: &mut Vec<Refused>) {
    let Some(attr) = decl.block.body.attribute(argument) else { return };
    let error = match decl.read_address(argument) {
        None => {
            "Invalid expression: A single static variable reference is required: only attribute access and indexing with constant keys."
        }
        Some(address) => {
            let first = address.split(['.', '[']).next().unwrap_or_default();
            // Elsewhere these are types of resources.
            let is_name = block == "moved"
                && matches!(first, "var" | "local" | "each" | "count" | "path" | "terraform" | "self");
            if !is_name && address.parse::<Endpoint>().is_ok() {
                return;
            }
            "Invalid address: A resource or module is meant here."
        }
    };
    found.push(Refused {
        at: format!("{block}.{argument}"),
        error: error.to_owned(),
        place: decl.block.at(attr.expr.span),
    });
}

fn find_unsuitable_removal(decl: &Decl, end: &Endpoint, found: &mut Vec<Refused>) {
    let mut say = |error: &str, span| {
        found.push(Refused { at: "removed".to_owned(), error: error.to_owned(), place: decl.block.at(span) });
    };
    let own = decl.block.body.attribute("from").map_or(decl.block.kind.span, |attr| attr.expr.span);
    match &end.resource {
        Some((resource, _)) if resource.mode == Mode::Data => {
            say(
                "Data source address not allowed: Data sources are never destroyed, so they are not valid targets of removed blocks.",
                own,
            );
        }
        Some((_, Some(_))) => {
            say(
                "Resource instance keys not allowed: Resource address must be a resource, not a resource instance.",
                own,
            );
        }
        _ => {}
    }
    if end.module.0.iter().any(|(_, key)| key.is_some()) {
        say("Module instance keys not allowed: Module address must be a module, not a module instance.", own);
    }
    for provisioner in decl.block.body.blocks_of("provisioner") {
        let when = provisioner.body.attribute("when").and_then(|attr| as_keyword(&attr.expr));
        if end.resource.is_none() {
            say(
                "Invalid provisioner block: Provisioners are valid only when a removed block targets a managed resource.",
                provisioner.kind.span,
            );
        } else if when.is_none_or(|word| &*word.text != "destroy") {
            say(
                "Invalid provisioner block: Only destroy-time provisioners are valid in \"removed\" blocks.",
                provisioner.kind.span,
            );
        }
    }
}

/// Finds `destroy` in a `removed` block that is none of `true` and `false`.
fn find_no_bool(decl: &Decl, found: &mut Vec<Refused>) {
    let attributes =
        decl.block.body.blocks_of("lifecycle").filter_map(|inner| inner.body.attribute("destroy"));
    for attr in attributes {
        let error = match eval_constant(&attr.expr, decl.block.file) {
            Err(error) if error.limit => continue,
            Err(error) => error.message.to_string(),
            Ok(value) => match check_value(&value, &Type::Bool) {
                Ok(()) => continue,
                Err(error) => error,
            },
        };
        found.push(Refused {
            at: "removed.lifecycle.destroy".to_owned(),
            error,
            place: decl.block.at(attr.expr.span),
        });
    }
}

pub(super) fn end_of(decl: &Decl, argument: &str) -> Option<(String, Endpoint)> {
    let address = decl.read_address(argument)?;
    let end = address.parse().ok()?;
    Some((address, end))
}

pub(super) fn module_at<'c>(
    config: &'c Config,
    path: &ModulePath,
    below: &ModuleInstance,
) -> Option<&'c Module> {
    config.at(&below.0.iter().fold(path.clone(), |path, (name, _)| path.child(name.clone())))
}

fn find_moved(config: &Config, found: &mut Vec<Refused>) {
    let mut statements = Vec::new();
    let mut places: Vec<(String, String, Place)> = Vec::new();
    for (path, id) in &config.paths {
        for decl in config.module(*id).into_iter().flat_map(|module| &module.moved) {
            let Some((from, to)) = end_of(decl, "from").zip(end_of(decl, "to")) else { continue };
            let place = decl.place();
            match Statement::new(path.plain(), from.1, to.1) {
                Some(statement) => {
                    places.push((path.plain().address_of(&from.0), path.plain().address_of(&to.0), place));
                    statements.push(statement);
                }
                None => {
                    let error = "Invalid \"moved\" addresses: The \"from\" and \"to\" addresses must either both refer to resources or both \
                                 refer to modules.";
                    found.push(Refused { at: "moved".to_owned(), error: error.to_owned(), place });
                }
            }
        }
    }
    for refusal in moves::refusals(&statements, &Written { config }) {
        let ends = refusal.ends();
        let own = ends.and_then(|(from, to)| places.iter().find(|(a, b, _)| a == from && b == to));
        let first = || places.first().filter(|_| matches!(refusal, Refusal::Cycle { .. }));
        let Some((_, _, place)) = own.or_else(first) else { continue };
        let error = format!("{}: {refusal}", refusal.summary());
        found.push(Refused { at: "moved".to_owned(), error, place: *place });
    }
}

/// Returns what is all of a template, as JSON has it for every expression.
pub(super) fn find_written(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Template(template) if !template.heredoc => match template.parts.as_slice() {
            [TemplatePart::Interpolation(inner, _)] => inner,
            _ => expr,
        },
        _ => expr,
    }
}

/// Returns true if a resource has the instance, as literals say it.
pub(super) fn has_written(resource: &Resource, key: Option<&Key>) -> bool {
    match (key, &resource.count, &resource.for_each) {
        (None, None, None) => true,
        (Some(Key::Index(at)), Some(count), _) => {
            let all = match &find_written(&count.expr).kind {
                ExprKind::Number(n) => n.as_i64(),
                _ => None,
            };
            all.is_some_and(|count| (0..count).contains(at))
        }
        (Some(Key::Name(name)), _, Some(each)) => match &find_written(&each.expr).kind {
            ExprKind::Object(items) => {
                items.iter().any(|item| key_text(&item.key).is_some_and(|key| key == *name))
            }
            ExprKind::Call(call) if &*call.name.text == "toset" => {
                match call.args.first().map(|arg| &arg.kind) {
                    Some(ExprKind::Tuple(items)) => {
                        items.iter().any(|item| matches!(&item.kind, ExprKind::String(text) if text == name))
                    }
                    _ => false,
                }
            }
            _ => false,
        },
        _ => false,
    }
}

/// What is declared whatever the inputs are: of what has keys, those that are literals.
struct Written<'c> {
    config: &'c Config,
}

impl Written<'_> {
    fn module(&self, at: &ModuleInstance) -> Option<&Module> {
        let plain = at.0.iter().all(|(_, key)| key.is_none());
        plain.then(|| module_at(self.config, &ModulePath::ROOT, at)).flatten()
    }
}

impl Declared for Written<'_> {
    fn repetition(&self, _: &ModulePath, _: &ResourceAddr) -> Option<Repetition> {
        None
    }

    fn has_module_instance(&self, module: &ModuleInstance) -> bool {
        let single = |at: usize| {
            let (above, own) = module.0.split_at(at);
            let caller = self.module(&ModuleInstance(above.to_vec()));
            let call = caller.zip(own.first()).and_then(|(caller, (name, _))| caller.calls.get(name));
            call.is_some_and(|call| call.count.is_none() && call.for_each.is_none())
        };
        self.module(module).is_some() && (0..module.0.len()).all(single)
    }

    fn has_call(&self, module: &ModuleInstance, name: &str) -> bool {
        self.module(module).is_some_and(|module| module.calls.contains_key(name))
    }

    fn has_resource(&self, module: &ModuleInstance, resource: &ResourceAddr) -> bool {
        self.module(module).is_some_and(|module| module.resources.contains_key(resource))
    }

    fn has_instance(&self, object: &ObjectAddr) -> bool {
        let declared = self.module(&object.module).and_then(|module| module.resources.get(&object.resource));
        declared.is_some_and(|resource| has_written(resource, object.key.as_ref()))
    }

    fn module_instances(&self, module: &ModulePath) -> Vec<ModuleInstance> {
        vec![ModuleInstance(module.0.iter().map(|call| (call.name.clone(), None)).collect())]
    }
}
