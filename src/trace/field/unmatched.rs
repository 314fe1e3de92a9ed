//! `specialize` blocks that match nothing.
//!
//! Where a call's `source` is chosen, the modules are read that the known values choose. A block may be meant for one that another
//! run takes, so that it is passed over with a warning there; everywhere else it is an error.

use crate::addr::ModulePath;
use crate::config::phi::{OF_DEPLOYMENT, PhiConfig, PinLabel, Specialize};
use crate::config::{Config, Module};
use crate::issue::{Code, Issue};

/// Says whether a label matches something in a module.
type Matches = dyn Fn(&ModulePath, &Module, &PinLabel) -> bool;

/// Finds the blocks that match no resource and no module call.
pub(super) fn find_unmatched_pins(config: &Config, phi: &PhiConfig, matches: &Matches) -> Vec<Issue> {
    // A deployment of a Stack may have less than the Stack, for which the block was checked.
    let text = phi.source.and_then(|id| config.sources.get(id)).map_or("", |file| &file.text);
    if text.starts_with(OF_DEPLOYMENT) {
        return Vec::new();
    }
    let unmatched = phi.specialize.iter().filter(|pin| !is_matched(config, pin, matches));
    unmatched.map(|pin| write_issue(config, pin)).collect()
}

fn is_matched(config: &Config, pin: &Specialize, matches: &Matches) -> bool {
    let mut modules = config.paths.iter().filter_map(|(path, id)| Some((path, config.module(*id)?)));
    modules.any(|(path, module)| matches(path, module, &pin.label))
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
