//! The outputs of a run that `-target` narrows down.
//!
//! In: a decision, and the targets in the original's words and in those of the specialised tree. Out: root outputs that Terraform would
//! treat otherwise than in the original. Terraform updates an output if every resource behind it is planned, and there is one. What
//! joins the copies of a call refers to each as a whole, so that more lies behind an output than in the original, and no target can
//! name an output (measured on 1.11). Absent on purpose: `-exclude`.

use super::decide::Decided;
use super::place::specialised;
use super::session::Session;
use crate::addr::ModulePath;
use crate::config::Config;
use crate::graph::{Behind, Resources};
use crate::host::Host;
use crate::moves::Endpoint;
use crate::simulate::Census;
use std::collections::BTreeSet;

/// Root outputs that a narrowed run treats otherwise than in the original.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Narrowed {
    /// Those that keep their values, and would get new ones in the original.
    pub kept: Vec<String>,
    /// Those that get new values, and would keep theirs in the original.
    pub updated: Vec<String>,
}

/// Returns these outputs; `own` and `now` are the targets.
pub fn narrowed<H: Host + Clone>(
    session: &Session<H>,
    decided: &Decided,
    own: &[String],
    now: &[String],
) -> Narrowed {
    let census = Census::new(&session.config, decided.run.tracer(session, &session.config));
    let original = updated(&session.config, &|path| census.is_taken(path), own);
    let specialised = updated(&specialised(session, decided, false), &|_| true, now);
    let less = |all: &BTreeSet<String>, others: &BTreeSet<String>| all.difference(others).cloned().collect();
    Narrowed { kept: less(&original, &specialised), updated: less(&specialised, &original) }
}

/// The root outputs that Terraform updates with these targets.
fn updated(config: &Config, is_taken: &dyn Fn(&ModulePath) -> bool, targets: &[String]) -> BTreeSet<String> {
    let behind = Behind::new(config, is_taken);
    let mut planned = Resources::new();
    for end in targets.iter().filter_map(|target| target.parse::<Endpoint>().ok()) {
        planned.extend(behind.targeted(&end.module.path(), end.resource.as_ref().map(|(addr, _)| addr)));
    }
    let outputs = config.root().into_iter().flat_map(|m| m.outputs.keys());
    let is = |name: &&std::sync::Arc<str>| {
        let all = behind.output(name);
        !all.is_empty() && all.is_subset(&planned)
    };
    outputs.filter(is).map(ToString::to_string).collect()
}
