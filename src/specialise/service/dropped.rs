//! Resources that go with what is replaced: satellites, of no use without it.
//!
//! In: what is replaced. Out: the resources of the types in `drops`, in the modules where something of that service is replaced.
//! Invariant: nothing goes that something which stays refers to. Absent: why a type is one of these, which services say.

use super::block;
use super::replacing::{Candidate, Replacing, within};
use crate::addr::{ModulePath, Referent, ResourceAddr};
use crate::config::Module;
use crate::graph::{self, Use};
use crate::text::{Place, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A resource that goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dropped {
    /// The module that holds it.
    pub scope: ModulePath,
    /// The resource.
    pub resource: ResourceAddr,
    /// The service that says so.
    pub service: Arc<str>,
    /// Why.
    pub reason: Arc<str>,
}

impl Dropped {
    /// The resource's address, without keys.
    pub fn original(&self) -> String {
        within(&self.scope, &self.resource.to_string())
    }
}

/// What goes, by module.
pub(super) fn dropped(
    r: &Replacing<'_>,
    choices: &BTreeMap<ModulePath, Vec<Candidate<'_>>>,
) -> BTreeMap<ModulePath, Vec<Dropped>> {
    let mut all = BTreeMap::new();
    for (path, here) in choices {
        let Some(module) = r.config.at(path) else { continue };
        let mut found: Vec<Dropped> = Vec::new();
        for candidate in here {
            for resource in module.managed().filter(|res| !res.decl.json) {
                let Some(reason) = candidate.service.drops.get(&resource.addr.kind) else { continue };
                if !found.iter().any(|d| d.resource == resource.addr) {
                    found.push(Dropped {
                        scope: path.clone(),
                        resource: resource.addr.clone(),
                        service: candidate.service.name.clone(),
                        reason: reason.clone(),
                    });
                }
            }
        }
        let uses = graph::uses(module);
        // What stays because of one may keep another.
        loop {
            let before = found.len();
            let gone = places(r, module, here, &found);
            found.retain(|d| !is_needed(&uses, &gone, &d.resource));
            if found.len() == before {
                break;
            }
        }
        if !found.is_empty() {
            all.insert(path.clone(), found);
        }
    }
    all
}

/// Where text of a module goes for good, so that what it refers to doesn't matter.
pub(super) fn places(
    r: &Replacing<'_>,
    module: &Module,
    here: &[Candidate<'_>],
    dropped: &[Dropped],
) -> Vec<Place> {
    let mut all = lost(r, module, here);
    let blocks = dropped.iter().filter_map(|d| module.resources.get(&d.resource));
    all.extend(blocks.map(|resource| resource.decl.block.place()));
    all
}

/// Whether a use stands in one of these places.
pub(super) fn is_within(used: &Use, places: &[Place]) -> bool {
    let own = used.place();
    places.iter().any(|place| place.file == own.file && place.span.contains(own.span))
}

/// The arguments that are lost where a resource becomes a call.
fn lost(r: &Replacing<'_>, module: &Module, here: &[Candidate<'_>]) -> Vec<Place> {
    let of = |candidate: &Candidate<'_>| {
        let resource = module.resources.get(&candidate.replaced.resource)?;
        let template = r.templates.get(&candidate.service.name)?;
        let file = resource.decl.block.file;
        let spans: Vec<Span> = block::lost(&template.module, resource);
        Some(spans.into_iter().map(move |span| Place { file, span }))
    };
    here.iter().filter_map(of).flatten().collect()
}

/// Whether something that stays refers to a resource.
fn is_needed(uses: &[Use], gone: &[Place], addr: &ResourceAddr) -> bool {
    uses.iter().filter(|u| matches!(&u.referent, Referent::Resource(named) if named == addr)).any(|used| {
        let import = used.context.blocks.last().is_some_and(|b| **b == *"import");
        !is_within(used, gone) && (import || !used.is_address())
    })
}
