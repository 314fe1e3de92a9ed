//! `specialize` blocks that match nothing.
//!
//! Where a call's `source` is chosen, the modules are read that the known values choose. A block may be meant for one that another
//! run takes, so that it is passed over with a warning there; everywhere else it is an error.

use super::drive::targets;
use crate::addr::ModulePath;
use crate::config::Config;
use crate::config::phi::{PhiConfig, PinLabel, Specialize};
use crate::issue::{Code, Issue};

/// Finds the blocks that match no resource and no module call.
pub(super) fn find_unmatched_pins(config: &Config, phi: &PhiConfig) -> Vec<Issue> {
    let unmatched = phi.specialize.iter().filter(|pin| !is_matched(config, pin));
    unmatched.map(|pin| write_issue(config, pin)).collect()
}

fn is_matched(config: &Config, pin: &Specialize) -> bool {
    let mut modules = config.paths.iter().filter_map(|(path, id)| Some((path, config.module(*id)?)));
    modules.any(|(path, module)| !targets(path, module, &pin.label).is_empty())
}

fn write_issue(config: &Config, pin: &Specialize) -> Issue {
    let Some((call, sources)) = config.chosen.iter().find(|(call, _)| may_match_within(call, &pin.label))
    else {
        let text = "No resource or module call of the configuration matches it.";
        return Issue::error(Code::Config, "A `specialize` block matches nothing.", text).at(pin.place);
    };
    let taken = match sources.as_slice() {
        [] => "none that is read".to_owned(),
        all => all.join(", "),
    };
    let why = format!(
        "The `source` of {call} is an expression. Under the known values of variables it is {taken}. The block matches nothing there, \
         and is passed over."
    );
    Issue::warning(Code::Config, "A `specialize` block matches nothing in the sources that are read.", why)
        .at(pin.place)
        .fix("If it is meant for another source, leave it: the run that takes that source uses it.", "")
}

/// Returns true if a label could match something in a module behind a call.
fn may_match_within(call: &ModulePath, label: &PinLabel) -> bool {
    match label {
        PinLabel::Type(_) | PinLabel::Resource(_) => true,
        PinLabel::Address(address) => call.plain().contains(&address.module.plain()),
    }
}
