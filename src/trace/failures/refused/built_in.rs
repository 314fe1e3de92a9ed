//! The resource types that come with Terraform itself: their arguments and attributes are known without a provider.

use super::blocks::{describe_unexpected, missing};
use super::looked::{Looked, Refused, address_of};
use crate::addr::{Mode, Referent};
use crate::config::{Module, Resource};
use crate::syntax::{ExprKind, TraversalStep, traversal};
use crate::text::{Place, Span};

/// A type: the arguments that it takes, those that have to be there, and what else it has.
struct Known {
    mode: Mode,
    kind: &'static str,
    arguments: &'static [&'static str],
    required: &'static [&'static str],
    computed: &'static [&'static str],
}

const KNOWN: [Known; 2] = [
    Known {
        mode: Mode::Managed,
        kind: "terraform_data",
        arguments: &["input", "triggers_replace"],
        required: &[],
        computed: &["id", "output"],
    },
    Known {
        mode: Mode::Data,
        kind: "terraform_remote_state",
        arguments: &["backend", "config", "defaults", "workspace"],
        required: &["backend"],
        computed: &["outputs"],
    },
];

/// Returns true if the resource is one of Terraform's own, whatever its type.
fn is_own(module: &Module, resource: &Resource) -> bool {
    let source = || module.required_provider("terraform", "source").next();
    let named = resource.provider_name();
    &*named == "terraform"
        && resource.addr.kind.starts_with("terraform_")
        && source().is_none_or(
            |said| matches!(&said.kind, ExprKind::String(text) if text.ends_with("builtin/terraform")),
        )
}

/// Returns true if values of the resource's arguments are kept in state, all of them.
pub(in crate::trace::failures) fn keeps_all(module: &Module, resource: &Resource) -> bool {
    resource.addr.mode == Mode::Managed
        && &*resource.addr.kind == "terraform_data"
        && is_own(module, resource)
}

pub(super) fn find_unknown(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for resource in looked.module.every_resource() {
        if resource.addr.mode != Mode::Ephemeral && is_own(looked.module, resource) {
            find_in(looked, resource, found);
        }
    }
    for used in &looked.uses {
        let Referent::Resource(addr) = &used.referent else { continue };
        // Of a trigger an attribute that isn't there never changes.
        if used.is_static() {
            continue;
        }
        let Some(resource) = looked.module.resource_named(addr) else { continue };
        let Some(known) = known(resource).filter(|_| is_own(looked.module, resource)) else { continue };
        let mut rest = used.traversal.steps.iter().skip(used.consumed).peekable();
        let keyed = resource.count.is_some() || resource.for_each.is_some();
        // Another rule says what is wrong with a key.
        if rest.next_if(|step| matches!(step, TraversalStep::Index(..))).is_some() != keyed {
            continue;
        }
        if let Some(TraversalStep::Attr(name)) = rest.next()
            && !known.has(&name.text)
        {
            let place = Place { file: used.file, span: name.span };
            found.push(Refused { at: address_of(used), error: no_attribute(&name.text), place });
        }
    }
}

fn known(resource: &Resource) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.mode == resource.addr.mode && *known.kind == *resource.addr.kind)
}

fn no_attribute(name: &str) -> String {
    format!(
        "Unsupported attribute: This object has no argument, nested block, or exported attribute named {name:?}."
    )
}

impl Known {
    fn has(&self, name: &str) -> bool {
        self.arguments.contains(&name) || self.computed.contains(&name)
    }
}

fn find_in(looked: &Looked<'_>, resource: &Resource, found: &mut Vec<Refused>) {
    let at = resource.addr.to_string();
    let mut say = |error: String, place: Place| found.push(Refused { at: at.clone(), error, place });
    let Some(known) = known(resource) else {
        let kind = &resource.addr.kind;
        let (summary, what) = match resource.addr.mode {
            Mode::Data => ("Invalid data source", "data source"),
            _ => ("Invalid resource type", "resource type"),
        };
        let error = format!(
            "{summary}: The provider terraform.io/builtin/terraform does not support {what} {kind:?}."
        );
        say(error, resource.decl.place());
        return;
    };
    // Terraform passes over what it doesn't know as soon as an override file is merged (measured, 1.11).
    let is_merged = !resource.decl.overrides.is_empty();
    for attr in &resource.body.attributes {
        let name = &*attr.name.text;
        if known.computed.contains(&name) {
            say(
                format!("\"{name}\" attribute is read-only: Values of it are decided by Terraform."),
                attr.at(attr.name.span),
            );
        } else if !known.has(name) && !is_merged {
            say(describe_unexpected(looked.module.has_json(attr.file), name), attr.at(attr.name.span));
        }
    }
    for block in resource.body.blocks.iter().filter(|_| !is_merged) {
        let kind = match &*block.kind.text {
            "dynamic" => block.label(0).unwrap_or("dynamic"),
            kind => kind,
        };
        let error = format!("Unsupported block type: Blocks of type {kind:?} are not expected here.");
        say(error, block.at(block.kind.span));
    }
    let has = |name: &str| resource.body.attributes.iter().any(|attr| *attr.name.text == *name);
    for name in known.required.iter().filter(|name| !has(name)) {
        say(missing(name), resource.decl.place());
    }
    let ignored = resource.lifecycle.ignore_changes.as_ref();
    let Some((attr, ExprKind::Tuple(names))) = ignored.map(|attr| (attr, &attr.expr.kind)) else { return };
    for name in names {
        let root = traversal::absolute_traversal(name).map(|named| (named.root.text, named.root.span));
        if let Some((name, span)) = root.filter(|(name, _): &(_, Span)| !known.has(name)) {
            say(no_attribute(&name), attr.at(span));
        }
    }
}
