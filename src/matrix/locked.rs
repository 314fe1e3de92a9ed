//! The providers that Terraform's lock file holds to.
//!
//! In: the text of a lock file on two sides. Out: rows for providers of another version or with other checksums: a plan of theirs may be
//! another one, whatever the configuration says. Absent on purpose: which providers a configuration needs.

use super::Cell;
use super::review::Values;
use crate::syntax::{self, Body, Expr, ExprKind};
use crate::trace::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The lock file.
pub const LOCK_FILE: &str = ".terraform.lock.hcl";

/// A provider there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Lock {
    version: String,
    hashes: BTreeSet<String>,
}

/// The providers of a lock file, by address.
#[derive(Clone, Debug, Default)]
pub struct Locked(BTreeMap<String, Lock>);

impl Locked {
    /// Reads a lock file. One that Terraform wouldn't read holds to nothing.
    pub fn of_text(text: &str) -> Locked {
        let body = syntax::parse(text).unwrap_or_default();
        let provider =
            |block: &Arc<syntax::Block>| Some((block.label(0)?.to_owned(), Lock::of_body(&block.body)));
        Locked(body.blocks_of("provider").filter_map(provider).collect())
    }

    /// The providers that both sides don't hold to alike. A further checksum is a difference: nobody can say which platform's it is.
    pub fn differences(&self, head: &Locked) -> Values {
        let all: BTreeSet<&String> = self.0.keys().chain(head.0.keys()).collect();
        let mut rows = Values::new();
        for address in all {
            let (old, new) = (self.0.get(address), head.0.get(address));
            if old == new {
                continue;
            }
            let is_same_version = old.zip(new).is_some_and(|(old, new)| old.version == new.version);
            let cell = |lock: Option<&Lock>, more: &str| {
                let written = |lock: &Lock| {
                    let hashes: Vec<&str> = lock.hashes.iter().map(String::as_str).collect();
                    let text = format!("{}\n{}", lock.version, hashes.join("\n"));
                    Cell::Written(Arc::new(Term::written(&text, format!("{}{more}", lock.version))))
                };
                Arc::new(lock.map_or(Cell::Absent, written))
            };
            let more = if is_same_version { ", of other checksums" } else { "" };
            rows.push((format!("{LOCK_FILE} {address}"), cell(old, ""), cell(new, more)));
        }
        rows
    }
}

impl Lock {
    fn of_body(body: &Body) -> Lock {
        let text = |expr: &Expr| match &expr.kind {
            ExprKind::String(text) => Some(text.to_string()),
            _ => None,
        };
        let version = body.attribute("version").and_then(|attr| text(&attr.expr)).unwrap_or_default();
        let hashes = match body.attribute("hashes").map(|attr| &attr.expr.kind) {
            Some(ExprKind::Tuple(items)) => items.iter().filter_map(text).collect(),
            _ => BTreeSet::new(),
        };
        Lock { version, hashes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(version: &str, hashes: &[&str]) -> Locked {
        let hashes: Vec<String> = hashes.iter().map(|hash| format!("\"{hash}\"")).collect();
        let hashes = hashes.join(", ");
        Locked::of_text(&format!(
            "provider \"registry.terraform.io/hashicorp/aws\" {{\n  version = \"{version}\"\n  hashes  = [{hashes}]\n}}\n"
        ))
    }

    #[test]
    fn versions_and_checksums_differ() {
        let told = |old: &Locked, new: &Locked| -> Vec<String> {
            old.differences(new)
                .iter()
                .map(|(_, old, new)| format!("{} {}", old.told(), new.told()))
                .collect()
        };
        let base = lock("5.1.0", &["h1:a"]);
        assert_eq!(told(&base, &lock("5.2.0", &["h1:b"])), ["5.1.0 5.2.0"]);
        assert_eq!(told(&base, &lock("5.1.0", &["h1:b"])), ["5.1.0 5.1.0, of other checksums"]);
        assert_eq!(told(&base, &lock("5.1.0", &["h1:a", "zh:b"])).len(), 1);
        assert_eq!(told(&base, &Locked::of_text("provider {")).len(), 1);
        assert!(told(&base, &base).is_empty());
    }
}
