//! The provider configurations that the parts of a root module use.

use super::read::{Node, Root};
use crate::addr::ModulePath;
use crate::config::{Call, Config, Module};
use crate::stacks::print;
use crate::syntax::{ExprKind, ObjectKey, TraversalStep, traversal};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A provider configuration that a part is passed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Handed {
    /// The name of the configuration in the part's module, such as `aws` or `aws.west`.
    pub key: String,
    /// The root module's local name.
    pub name: Arc<str>,
    /// The alias in the root module.
    pub alias: Option<Arc<str>>,
    /// The provider's source address.
    pub source: String,
}

impl Handed {
    fn own(name: Arc<str>, alias: Option<Arc<str>>, source: String) -> Handed {
        let key = alias.as_ref().map_or_else(|| name.to_string(), |alias| format!("{name}.{alias}"));
        Handed { key, name, alias, source }
    }

    fn of_root(root: &Root<'_>, name: Arc<str>, alias: Option<Arc<str>>) -> Handed {
        let source = source(root.module, &name);
        Handed::own(name, alias, source)
    }
}

/// Returns the source address of a module's provider.
pub(super) fn source(module: &Module, name: &str) -> String {
    let found = module.provider_source(name);
    let found = found.strip_prefix("registry.terraform.io/").unwrap_or(&found);
    match found {
        "hashicorp/terraform" => "terraform.io/builtin/terraform".to_owned(),
        found => found.to_owned(),
    }
}

/// Returns the provider configurations that a part of the root module uses.
pub(super) fn taken(root: &Root<'_>, node: &Node) -> Vec<Handed> {
    match node {
        Node::Resource(addr) => {
            root.module.resources.get(addr).into_iter().map(|r| of_resource(root.module, r)).collect()
        }
        Node::Check(name) => {
            let data = root.module.checks.iter().find(|c| c.name == *name).and_then(|c| c.data.as_deref());
            data.into_iter().map(|r| of_resource(root.module, r)).collect()
        }
        Node::Call(name) => match root.module.calls.get(name) {
            // Within a component's module a call takes what that is handed, by the root's names.
            Some(call) if root.is_inner(node) => {
                let all = of_call(root, call).unwrap_or_else(|_| implied(root, call));
                all.into_iter().map(|h| Handed::own(h.name, h.alias, h.source)).collect()
            }
            Some(call) => of_call(root, call).unwrap_or_default(),
            None => Vec::new(),
        },
        Node::Local(_) | Node::Part(_) | Node::Provider(..) => Vec::new(),
    }
}

fn of_resource(module: &Module, resource: &crate::config::Resource) -> Handed {
    let named = resource.provider.as_ref().and_then(|p| traversal::variables(&p.expr).into_iter().next());
    let alias = named.and_then(|t| match t.steps.into_iter().next() {
        Some(TraversalStep::Attr(alias)) => Some(alias.text),
        _ => None,
    });
    let name = resource.provider_name();
    let source = source(module, &name);
    Handed::own(name, alias, source)
}

/// Returns the provider configurations that a call is passed: those in its `providers`, and those that its modules inherit.
///
/// # Errors
/// Returns the reason if a provider can't be passed because the module has no name for it in `required_providers`.
pub(super) fn of_call(root: &Root<'_>, call: &Call) -> Result<Vec<Handed>, String> {
    let mut out = said(root, call);
    let path = ModulePath::ROOT.child(call.name.clone());
    let Some(child) = root.config.at(&path) else { return Ok(or_all(root, out)) };
    for wanted in needed(root.config, &path) {
        let Some(key) = key_for(child, &wanted) else {
            return Err(format!(
                "its modules need the provider {wanted}, which the module itself doesn't require"
            ));
        };
        if !out.iter().any(|h| h.key == key) {
            out.push(Handed { key, name: root_name(root, &wanted), alias: None, source: wanted });
        }
    }
    out.sort();
    Ok(out)
}

/// Returns the given configurations. If there are none, returns all that the root module configures: a module that isn't installed may
/// need any of them.
fn or_all(root: &Root<'_>, mut out: Vec<Handed>) -> Vec<Handed> {
    if out.is_empty() {
        let plain = root.module.providers.iter().filter(|p| p.alias.is_none());
        out.extend(plain.map(|p| Handed::of_root(root, p.name.clone(), None)));
    }
    out.sort();
    out
}

fn implied(root: &Root<'_>, call: &Call) -> Vec<Handed> {
    let path = ModulePath::ROOT.child(call.name.clone());
    let own = |wanted: String| Handed::own(root_name(root, &wanted), None, wanted);
    said(root, call).into_iter().chain(needed(root.config, &path).into_iter().map(own)).collect()
}

/// Returns the configurations in the `providers` argument of a call.
fn said(root: &Root<'_>, call: &Call) -> Vec<Handed> {
    let Some(attr) = &call.providers else { return Vec::new() };
    let ExprKind::Object(items) = &attr.expr.kind else { return Vec::new() };
    let sources = &root.config.sources;
    let one = |item: &crate::syntax::ObjectItem| {
        let key = match &item.key {
            ObjectKey::Name(name) => name.text.to_string(),
            ObjectKey::Expr(key) => match sources.get(attr.file) {
                Some(source) => source.slice(key.span).trim_matches(['(', ')', '"']).to_owned(),
                None => print::text(key),
            },
        };
        let named = traversal::variables(&item.value).into_iter().next()?;
        let alias = match named.steps.into_iter().next() {
            Some(TraversalStep::Attr(alias)) => Some(alias.text),
            _ => None,
        };
        let source = source(root.module, &named.root.text);
        Some(Handed { key, name: named.root.text, alias, source })
    };
    items.iter().filter_map(one).collect()
}

/// Returns the source addresses of providers whose configuration without an alias a module, or a module below it, uses.
fn needed(config: &Config, path: &ModulePath) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let below = config.paths.iter().filter(|(own, _)| own.0.starts_with(&path.0));
    for module in below.filter_map(|(_, id)| config.module(*id)) {
        let plain = module.every_resource().map(|r| of_resource(module, r)).filter(|h| h.alias.is_none());
        out.extend(plain.map(|h| h.source));
        for (name, aliased) in required(module) {
            if !aliased {
                out.insert(source(module, &name));
            }
        }
    }
    out
}

/// Returns the providers that a module requires, by name. The value is true if the entry has `configuration_aliases`.
fn required(module: &Module) -> BTreeMap<Arc<str>, bool> {
    let aliased = |name: &str| module.required_provider(name, "configuration_aliases").next().is_some();
    let names = module.required_providers().map(|(_, attr)| attr.name.text.clone());
    names.map(|name| (name.clone(), aliased(&name))).collect()
}

/// Returns a module's local name for a provider.
fn key_for(module: &Module, wanted: &str) -> Option<String> {
    let own = required(module).into_keys().find(|name| source(module, name) == *wanted);
    own.map(|name| name.to_string()).or_else(|| by_default(wanted))
}

/// Returns the local name that Terraform assumes for a provider without an entry in `required_providers`, if there is one.
fn by_default(wanted: &str) -> Option<String> {
    let short = wanted.strip_prefix("hashicorp/").or_else(|| wanted.strip_prefix("terraform.io/builtin/"))?;
    Some(short.to_owned())
}

/// Returns the root module's local name for a provider, or a new name if it has none.
pub(super) fn root_name(root: &Root<'_>, wanted: &str) -> Arc<str> {
    let own = required(root.module).into_keys().find(|name| source(root.module, name) == *wanted);
    own.unwrap_or_else(|| match by_default(wanted) {
        Some(name) => name.into(),
        None => wanted.rsplit('/').next().unwrap_or(wanted).into(),
    })
}

/// Returns the name of a provider configuration in the Stack: its alias, or a free name if it has none.
pub(super) fn label(root: &Root<'_>, name: &str, alias: Option<&Arc<str>>) -> String {
    if let Some(alias) = alias {
        return alias.to_string();
    }
    let taken =
        |own: &str| root.module.providers.iter().any(|p| *p.name == *name && p.alias.as_deref() == Some(own));
    let free = ["main", "default", "this"].into_iter().find(|own| !taken(own));
    free.map_or_else(|| format!("{name}_default"), str::to_owned)
}
