//! References to what isn't declared.
//!
//! Terraform looks at all references of an expression before it evaluates any part of it: one in an arm that is never taken is
//! an error all the same, and so is one that a `try` is around. Deliberately absent: outputs, which Terraform looks for where
//! they are taken.

use crate::addr::{Mode, Reference, Referent, ResourceAddr, Step as NameStep};
use crate::config::{Module, Provider};
use crate::eval::{Bindings, EvalError};
use crate::syntax::Expr;
use crate::syntax::traversal::{self, Traversal, TraversalStep};
use crate::text::{Place, SourceId};
use crate::trace::{Frame, Guarded};

impl Frame<'_, '_> {
    /// The error of the first reference in an expression that names nothing, beside names that are bound around it.
    pub fn undeclared(&self, file: SourceId, expr: &Expr, names: &Bindings<Guarded>) -> Option<EvalError> {
        undeclared(self.module()?, (file, expr), &|name| names.get(name).is_some())
    }
}

/// The same in a module, by whether a name is bound.
pub(in crate::trace) fn undeclared(
    module: &Module,
    (file, expr): (SourceId, &Expr),
    bound: &dyn Fn(&str) -> bool,
) -> Option<EvalError> {
    let unbound = traversal::variables(expr).into_iter().filter(|found: &Traversal| !bound(&found.root.text));
    let (text, span) = unbound.into_iter().find_map(|found| {
        let steps: Vec<NameStep<'_>> = found.names().map(|name| NameStep::Attr(&name.text)).collect();
        let reference = Reference::parse(&found.root.text, &steps).ok()?;
        let text = missing(module, &reference.referent, Place { file, span: found.span })
            .or_else(|| misses_key(module, &reference.referent, found.steps.get(reference.consumed)))?;
        Some((text, found.span))
    })?;
    Some(EvalError { elsewhere: true, ..EvalError::new(text).at(Place { file, span }) })
}

/// Returns Terraform's message for a name that a module doesn't declare for what stands at a place.
pub(in crate::trace) fn missing(module: &Module, referent: &Referent, at: Place) -> Option<String> {
    match referent {
        Referent::Variable(name) if !module.variables.contains_key(name) => Some(no_variable(name)),
        Referent::Local(name) if !module.locals.contains_key(name) => Some(no_local(name)),
        Referent::Call(call, _) | Referent::Output { call, .. } if !module.calls.contains_key(call) => {
            Some(no_call(call))
        }
        Referent::Resource(addr) if module.resource_seen(addr, at).is_none() => {
            Some(no_resource(module, addr))
        }
        _ => None,
    }
}

/// Returns Terraform's message for a key of a resource that isn't repeated, and for an attribute of one that is.
pub(in crate::trace) fn misses_key(
    module: &Module,
    referent: &Referent,
    next: Option<&TraversalStep>,
) -> Option<String> {
    let Referent::Resource(addr) = referent else { return None };
    let resource = module.resource_named(addr)?;
    let repeated = match (&resource.count, &resource.for_each) {
        (Some(_), _) => Some("count"),
        (None, Some(_)) => Some("for_each"),
        (None, None) => None,
    };
    match (repeated, next?) {
        (None, TraversalStep::Index(..)) => Some(format!(
            "Unexpected resource instance key: Because {addr} does not have \"count\" or \"for_each\" set, references to it must not include \
             an index key. Remove the bracketed index to refer to the single instance of this resource."
        )),
        (Some(repeated), TraversalStep::Attr(_)) => Some(format!(
            "Missing resource instance key: Because {addr} has \"{repeated}\" set, its attributes must be accessed on specific instances."
        )),
        _ => None,
    }
}

/// Returns Terraform's message for a variable that isn't declared.
pub(in crate::trace) fn no_variable(name: &str) -> String {
    let text = format!("An input variable with the name {name:?} has not been declared.");
    format!("Reference to undeclared input variable: {text}")
}

/// Returns Terraform's message for a local that isn't declared.
pub(in crate::trace) fn no_local(name: &str) -> String {
    format!(
        "Reference to undeclared local value: A local value with the name {name:?} has not been declared."
    )
}

/// Returns Terraform's message for a module call that isn't declared.
pub(in crate::trace) fn no_call(name: &str) -> String {
    format!("Reference to undeclared module: No module call named {name:?} is declared.")
}

/// Returns Terraform's message for a resource that isn't declared, or that a `check` block has for its own assertions.
pub(in crate::trace) fn no_resource(module: &Module, addr: &ResourceAddr) -> String {
    let mode = match addr.mode {
        Mode::Managed => "managed",
        Mode::Data => "data",
        Mode::Ephemeral => "ephemeral",
    };
    let named = format!("{mode} resource {:?} {:?}", addr.kind, addr.name);
    if module.resource_named(addr).is_some() {
        let text = format!("The referenced {named} is not available from this context.");
        return format!("Reference to scoped resource: {text}");
    }
    let hint = match is_configuration(module, addr) {
        true => format!(
            " A provider configuration is called so. Those are named in `provider` and `providers` alone, and not in locals: choose there, as in \
             `provider = var.env == \"prod\" ? {}.{} : {}.other`.",
            addr.kind, addr.name, addr.kind
        ),
        false => String::new(),
    };
    format!("Reference to undeclared resource: A {named} has not been declared.{hint}")
}

/// Returns true if a name that looks like a resource's is that of a provider configuration.
fn is_configuration(module: &Module, addr: &ResourceAddr) -> bool {
    let is_it =
        |provider: &Provider| *provider.name == *addr.kind && provider.alias.as_deref() == Some(&*addr.name);
    addr.mode == Mode::Managed && module.providers.iter().any(is_it)
}
