//! Finds providers that are not locked yet or not installed, so that `terraform init` has to run.

use crate::config::Config;
use crate::syntax::{Block, ExprKind, Item, parse};
use std::collections::{BTreeMap, BTreeSet};

/// The provider that is part of Terraform.
const BUILT_IN: &str = "terraform";

/// Returns true if the lock file lacks a provider that some module asks for.
pub fn lacks(config: &Config, lock: &[u8]) -> bool {
    let lock = String::from_utf8_lossy(lock);
    sources(config).iter().any(|source| !lock.contains(&format!("/{source}\"")))
}

/// The folders of the locked providers below Terraform's folder of providers: `HOST/NAMESPACE/TYPE/VERSION`.
pub fn packages(lock: &[u8]) -> Vec<String> {
    let lock = String::from_utf8_lossy(lock);
    let Ok(body) = parse(&lock) else { return Vec::new() };
    let package = |block: &Block| {
        let ExprKind::String(version) = &block.body.attribute("version")?.expr.kind else { return None };
        Some(format!("{}/{version}", block.labels.first()?.text))
    };
    let blocks = body.items.iter().filter_map(|item| match item {
        Item::Block(block) if &*block.kind.text == "provider" => Some(block),
        _ => None,
    });
    blocks.filter_map(|block| package(block)).collect()
}

/// The providers that modules ask for, as `namespace/type`, perhaps behind a host.
fn sources(config: &Config) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let used: BTreeSet<_> = config.paths.values().collect();
    for module in used.into_iter().filter_map(|id| config.module(*id)) {
        let mut named: BTreeMap<&str, String> = BTreeMap::new();
        for (_, attr) in module.required_providers() {
            let name = &*attr.name.text;
            named.insert(name, module.provider_source(name));
        }
        let kinds = module.every_resource().filter_map(|resource| resource.addr.kind.split('_').next());
        for name in kinds.chain(module.providers.iter().map(|p| &*p.name)) {
            named.entry(name).or_insert_with(|| format!("hashicorp/{name}"));
        }
        named.remove(BUILT_IN);
        out.extend(named.into_values());
    }
    out
}
