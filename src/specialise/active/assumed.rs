//! Stand-ins where nothing says which copy of a unit is active, as in a check without variables.
//!
//! A specialised tree without moves is a trap: over it a plain `terraform plan` destroys what state holds under the
//! original addresses. A chain to the wrong copy is none, since Terraform then stops ("Moved object still exists"). So a
//! chain is written all the same, to the copy that the last one led to, or to the first. Of a unit in a module that is
//! repeated, a chain needs the keys; where they aren't known, an output fails with a message that says what to do.

use crate::addr::{ModuleInstance, ModulePath};
use crate::config::Config;
use crate::specialise::active::Active;
use crate::specialise::record::ServiceRecord;
use crate::specialise::written::stop;
use crate::specialise::{SplitUnit, moves};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The output that stops a plain plan.
pub const FENCE: &str = "tf_phi_moves_missing";

/// The copy that a unit's state is led to, unless Terraform says otherwise; none where that takes keys that aren't known,
/// or a source that was chosen. `ends` are where chains led to before.
pub fn assumed(config: &Config, unit: &SplitUnit, ends: &BTreeSet<String>) -> Option<Active> {
    let mut module = ModuleInstance::default();
    let mut above = ModulePath::ROOT;
    for name in &unit.scope.0 {
        let call = config.at(&above)?.call(name)?;
        if name.source.is_some() || call.count.is_some() || call.for_each.is_some() {
            return None;
        }
        module = module.child(name.name.clone(), None);
        above = above.child(name.clone());
    }
    let last = unit.addresses.iter().position(|address| ends.contains(address));
    Some(Active {
        module,
        key: None,
        copy: Some(last.unwrap_or(0)),
        there: true,
        rekeyed: false,
        given_up: false,
    })
}

/// The addresses up to their first key at which chains in a file of moves end.
pub fn ends(chain: &str) -> BTreeSet<String> {
    let (from, to) = moves::sides(chain);
    let named = |side: &[String]| -> BTreeSet<String> {
        side.iter().filter_map(|a| a.split('[').next().map(str::to_owned)).collect()
    };
    &named(&to) - &named(&from)
}

/// Text for the file of moves that makes a plan fail until the moves of these units are written.
///
/// The condition refers to a variable, or to the time of the plan, so that `terraform validate`, which knows neither, has
/// nothing against it. Before 1.10 it knows the time, and says what to do.
/// Resources that services replaced are in `services`: whether state holds them, a run asks.
pub fn fence(units: &[&SplitUnit], services: &[ServiceRecord], variable: Option<&Arc<str>>) -> String {
    // One address may stand in the modules of several sources.
    let mut known = BTreeSet::new();
    let names = units.iter().map(|unit| unit.original.as_str()).filter(|name| known.insert(*name));
    let names: Vec<&str> = names.collect();
    // Several services may stand in for one, each in other cases.
    let mut known = BTreeSet::new();
    let gone = services.iter().map(|s| s.resource.as_str()).filter(|name| known.insert(*name));
    let gone: Vec<&str> = gone.collect();
    let refers = variable
        .map_or_else(|| "[terraform.workspace, plantimestamp()]".to_owned(), |name| format!("var.{name}"));
    let mut message = Vec::new();
    if !names.is_empty() {
        message.push(format!(
            "Which copies of {} hold state depends on this run's variables. Run `tf-phi plan`, which writes the moves for \
             them: without those, Terraform would destroy and create anew.",
            names.join(", ")
        ));
    }
    if !gone.is_empty() {
        message.push(format!(
            "Services replace {}. Run `tf-phi plan`, which asks whether state holds them: Terraform would give them up.",
            gone.join(", ")
        ));
    }
    let comment = "Written by tf-phi without a run's variables: `tf-phi plan` puts moves in its place.";
    let condition = format!("sha1(jsonencode({refers})) == \"\"");
    stop::output(FENCE, comment, &[(condition, message.join(" "))])
}

#[cfg(test)]
mod tests {
    use crate::specialise::active::assumed::*;

    #[test]
    fn the_end_of_a_chain() {
        let text =
            "moved {\n  from = a.x\n  to   = a.x_1[0]\n}\nmoved {\n  from = a.x_1[0]\n  to   = a.x_2[0]\n}\n";
        assert_eq!(ends(text), BTreeSet::from(["a.x_2".to_owned()]));
        // With what people type into it.
        let edited = text.replacen("x_1[0]\n", "x_1[0] # mine\n", 1).replacen(
            "= a.x_1[0]",
            "= /* mine */ a.x_1[0]",
            1,
        );
        assert_ne!(edited, text);
        assert_eq!(ends(&edited), BTreeSet::from(["a.x_2".to_owned()]));
        assert_eq!(ends("moved {"), BTreeSet::new());
    }
}
