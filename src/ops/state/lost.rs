//! The issues of a simulation that finds a loss, with their fixes.

use crate::config::Config;
use crate::issue::{Code, Issue};
use crate::moves::Refusal;
use crate::ops::state::by_hand::StateCommands;
use crate::ops::state::hints;
use crate::simulate::{self, Fault, Object};

const APPLIED: &str =
    "Take out your own `moved` blocks that have been applied wherever they have to be, then run again.";

/// The issue of a fault.
pub fn issue(config: &Config, commands: &StateCommands, fault: &Fault) -> Issue {
    let by_hand =
        |object: &Object, summary: String, why: String| move_by_hand(commands, object, summary, why);
    match fault {
        Fault::Lost { object, kept, end } => {
            let summary = format!("{} would be destroyed", object.held);
            let why = format!(
                "The configuration keeps it as {kept}, and the moves that can be written for this run bring it to {end}, which \
                 has no instance. Nothing was written."
            );
            by_hand(object, summary, why)
        }
        Fault::Astray { object, kept, end } => {
            let summary = format!("{} would be taken for another object", object.held);
            let why = format!(
                "It is {kept} in the configuration, and the moves that can be written for this run bring it to {end}. Nothing \
                 was written."
            );
            by_hand(object, summary, why)
        }
        Fault::NotGivenUp { object, end } => {
            let summary = format!("{} would be destroyed, and not only forgotten", object.held);
            let why = format!(
                "A `removed` block gives it up, and doesn't name it where it is: {end}. Nothing was written."
            );
            by_hand(object, summary, why)
        }
        Fault::NotDestroyed { object, end, .. } => {
            let summary = format!("{} would be forgotten, and not destroyed", object.held);
            let why = format!(
                "The configuration gives it up, and a `removed` block for what a service replaces names it where it is: {end}. Nothing was \
                 written."
            );
            by_hand(object, summary, why)
        }
        Fault::Unprotected { object, end, wanted } => {
            let summary = match wanted {
                true => format!("{} would be destroyed in spite of `prevent_destroy`", object.held),
                false => format!("{} would be protected by another's `prevent_destroy`", object.held),
            };
            let why = format!(
                "It would be destroyed as {end}, whose `prevent_destroy` isn't the original's. Nothing was written."
            );
            match wanted {
                true => Issue::error(Code::Held, summary, why)
                    .about(object.held.to_string())
                    .fix("Keep it declared, or take its `prevent_destroy` away in the original.", ""),
                false => by_hand(object, summary, why),
            }
        }
        Fault::Together { one, other } => together(commands, one, other),
        Fault::Unclear { object } => {
            let summary = format!("where {} would be moved is not certain", object.held);
            let why = "It depends on the order in which Terraform carries out `moved` blocks, which it doesn't promise. Nothing \
                       was written.";
            by_hand(object, summary, why.to_owned())
        }
        Fault::Invalid(refusal) => {
            let why = format!(
                "{refusal} Terraform refuses that in the configuration as you wrote it. Nothing was written."
            );
            let issue = Issue::error(Code::Invalid, refusal.summary(), why).fix(mended(refusal), "");
            issue.at(simulate::place(config, refusal))
        }
        Fault::Refused(refusal) => {
            let why = format!("Terraform would refuse the moves of this run. {refusal} Nothing was written.");
            Issue::error(Code::Held, "state can't be moved", why)
                .fix(APPLIED, "")
                .fix(
                    "Have the blocks printed that bring state back to the original's addresses; apply these without tf-phi, \
                     then run it again:",
                    "tf-phi restore",
                )
        }
    }
}

/// Returns the change that the user has to make.
fn mended(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Redundant { .. } => "Take out that `moved` block.",
        Refusal::StillExists { .. } => {
            "Take out that `moved` block, or what is declared at the address that it moves from."
        }
        Refusal::Ambiguous { .. } => "Take out all but one of these `moved` blocks.",
        Refusal::Cycle { .. } => "Take out one of these `moved` blocks.",
    }
}

fn move_by_hand(commands: &StateCommands, object: &Object, summary: String, why: String) -> Issue {
    let Object { held, original } = object;
    let issue = Issue::error(Code::Held, summary, why).about(held.to_string());
    if held == original {
        return issue.fix(APPLIED, "");
    }
    issue.fix(
        "Give it the original's address in state, then run again:",
        commands.write_move(&held.to_string(), &original.to_string()),
    )
}

fn together(commands: &StateCommands, one: &Object, other: &Object) -> Issue {
    let summary = format!("two objects in state stand for {}", one.original);
    let why = format!(
        "State holds {} and {}, and the configuration has a place for one. Terraform would destroy the other.",
        one.held, other.held
    );
    Issue::error(Code::Held, summary, why)
        .about(one.held.to_string())
        .fix("If one of them is your own, say so:", hints::own(&other.held))
        .fix(
            "To give one of them up without destroying it:",
            commands.write_removal([other.held.to_string().as_str()]),
        )
}
