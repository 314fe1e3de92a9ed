//! Services that come with the program, as if `phi.hcl` declared them.

use super::embedded::{BLOCKS, EMBEDDED, Embedded, FOLDER};
use super::reader::Reader;
use super::{PhiConfig, Service, services};
use crate::issue::Issue;
use crate::syntax;
use crate::text::{SourceFile, Sources};
use std::sync::Arc;

impl Embedded {
    /// Its `service` blocks, for a tree in which it stands in its folder, and what is wrong with them.
    pub fn services(&self, sources: &mut Sources) -> (Vec<Service>, Vec<Issue>) {
        let file = sources.add(SourceFile::new(&*self.dir().join(BLOCKS), self.blocks()));
        let mut r = Reader { file, issues: Vec::new() };
        let Ok(body) = syntax::parse(self.blocks()) else { return (Vec::new(), r.issues) };
        let blocks = body.blocks_of("service");
        let mut all: Vec<Service> = blocks.filter_map(|b| services::service(&mut r, b)).collect();
        for service in &mut all {
            service.group = self.name.into();
            service.embedded = Some(self.name);
            let modules = [Some(&mut service.module), service.operator.as_mut()];
            for (source, _) in modules.into_iter().flatten() {
                *source = format!("./{FOLDER}/{}/{}", self.name, source.trim_start_matches("./"));
            }
        }
        (all, r.issues)
    }
}

/// Adds the services that form factors name and `phi.hcl` doesn't declare.
pub(super) fn add(phi: &mut PhiConfig, sources: &mut Sources) -> Vec<Issue> {
    let named = |name: &str| phi.form_factors.values().any(|f| f.services.iter().any(|(n, _)| **n == *name));
    let wanted: Vec<&Embedded> =
        EMBEDDED.iter().filter(|e| named(e.name) && !phi.services.contains_key(e.name)).collect();
    let mut issues = Vec::new();
    for embedded in wanted {
        let (services, found) = embedded.services(sources);
        issues.extend(found);
        let names: Vec<Arc<str>> = services.iter().map(|s| s.name.clone()).collect();
        for factor in phi.form_factors.values_mut() {
            let own = factor.services.iter().find(|(n, _)| **n == *embedded.name).map(|(_, place)| *place);
            let more = own.into_iter().flat_map(|place| names.iter().map(move |name| (name.clone(), place)));
            let more: Vec<_> =
                more.filter(|(name, _)| !factor.services.iter().any(|(n, _)| n == name)).collect();
            factor.services.extend(more);
        }
        for service in services {
            phi.services.entry(service.name.clone()).or_insert(service);
        }
    }
    issues
}
