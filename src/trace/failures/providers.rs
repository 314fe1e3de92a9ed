//! The provider configurations that Terraform evaluates: those that some resource uses.

use crate::addr::ModulePath;
use crate::config::{Config, In, Module, Provider, Resource};
use crate::syntax::{Attribute, Expr, ExprKind};

/// Returns true if a resource of the module, or of one to which the configuration is handed down, uses a provider's
/// configuration.
pub(super) fn is_used(config: &Config, path: &ModulePath, module: &Module, provider: &Provider) -> bool {
    let alias = provider.alias.as_deref();
    let own = |r: &Resource| match &r.provider {
        Some(named) => reference(&named.expr) == Some((&provider.name, alias)),
        None => alias.is_none() && r.addr.kind.split('_').next() == Some(&*provider.name),
    };
    if module.every_resource().any(own) {
        return true;
    }
    module.calls.values().any(|call| {
        let handed = call.providers.as_ref().is_some_and(|p| names(p, (&provider.name, alias)));
        let inherited = call.providers.is_none() && alias.is_none();
        (handed || inherited)
            && config.paths.iter().any(|(below, id)| {
                let leads = below.0.len() > path.0.len()
                    && below.0.starts_with(&path.0)
                    && below.0.get(path.0.len()).is_some_and(|below| below.name == call.name);
                let uses = |m: &Module| {
                    m.every_resource().any(|r| {
                        r.provider.is_none() && r.addr.kind.split('_').next() == Some(&*provider.name)
                    })
                };
                leads
                    && config
                        .module(*id)
                        .is_some_and(|m| handed && m.every_resource().next().is_some() || uses(m))
            })
    })
}

/// A provider's name and alias, where an expression is a reference to one.
fn reference(expr: &Expr) -> Option<(&str, Option<&str>)> {
    match &expr.kind {
        ExprKind::Variable(name) => Some((name, None)),
        ExprKind::GetAttr(of, alias) => match &of.kind {
            ExprKind::Variable(name) => Some((name, Some(&alias.text))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true if `providers = { … }` hands a configuration down.
fn names(providers: &In<Attribute>, wanted: (&str, Option<&str>)) -> bool {
    match &providers.expr.kind {
        ExprKind::Object(items) => items.iter().any(|item| reference(&item.value) == Some(wanted)),
        _ => false,
    }
}
