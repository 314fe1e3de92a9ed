//! `-target`, `-exclude` and `-replace` in a Stack: the Stack's own addresses in those of a deployment's root module.

use crate::config::nearest::question;
use crate::issue::{Code, Issue};
use crate::ops::run::targets::rewrite_addresses;
use crate::stacks::Claims;
use crate::terraform::args;
use std::ffi::OsString;

/// Returns true for an address that is the Stack's own rather than the root module's.
fn is_of_stack(address: &str) -> bool {
    ["component.", "stack."].iter().any(|word| address.starts_with(word))
}

/// Returns the words with addresses that the deployment's root module has.
///
/// # Errors
/// [`Code::Config`] for an address that no component of the deployment has, and for a replacement in several instances.
pub(super) fn translate_targets(words: &[String], claims: &Claims) -> Result<Vec<OsString>, Vec<Issue>> {
    let flags = args::flags_of(words).0.into_iter();
    let named = flags.filter(|flag| matches!(flag.name, "target" | "exclude" | "replace"));
    let own = named.filter_map(|flag| Some((flag.name, flag.value.filter(|address| is_of_stack(address))?)));
    let issues: Vec<Issue> = own.filter_map(|(flag, address)| judge_target(flag, address, claims)).collect();
    if !issues.is_empty() {
        return Err(issues);
    }
    let new = |_: &str, address: &str| match is_of_stack(address) {
        true => claims.addresses(address),
        false => vec![address.to_owned()],
    };
    Ok(rewrite_addresses(words, &new).into_iter().map(OsString::from).collect())
}

fn judge_target(flag: &str, address: &str, claims: &Claims) -> Option<Issue> {
    let all: Vec<&str> = claims.components.values().map(String::as_str).collect();
    match claims.addresses(address).len() {
        0 => {
            let mut why = match all.is_empty() {
                true => "The deployment has no component.".to_owned(),
                false => format!("The deployment has: {}.", all.join(", ")),
            };
            let component: Vec<&str> = address.split('.').take(2).collect();
            why.push_str(&question(&component.join("."), all.iter().copied()));
            Some(Issue::error(Code::Config, format!("-{flag}: no component has \"{address}\""), why))
        }
        1 => None,
        _ if flag == "replace" => {
            let why = format!("One instance has to be named. The deployment has: {}.", all.join(", "));
            let summary = format!("-replace: \"{address}\" is in several instances of a component");
            Some(Issue::error(Code::Config, summary, why))
        }
        _ => None,
    }
}
