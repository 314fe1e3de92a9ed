//! Names of calls, providers and folders in the root module.
//!
//! A name is made of the component's own name and its key alone, so that it doesn't depend on other declarations. If another
//! component could get the same name, a short hash of the address is added. Names of folders differ by more than capitals, which
//! some file systems ignore.

use crate::specialise::record::short_hash;
use crate::value::hcl;

/// The separator between a name and a key.
pub(super) const BETWEEN: &str = "__";

/// Beginnings of names that aren't those of components.
const TAKEN: [&str; 2] = ["stack_", "output_"];

/// Returns the name of the module call for one instance of a component or embedded Stack. `name` is its address, such as
/// `component.net` or `stack.net`.
pub(super) fn call(name: &str, key: Option<&str>) -> String {
    let (base, clear, is_folder) = based(name);
    let clear = clear && !(is_folder && key.is_some_and(has_capitals));
    with_key(base, clear, name, key)
}

/// Returns the beginning of the names of a component's calls; true if it needs no hash to be unique; and true if the names are those
/// of folders too, as for embedded Stacks.
fn based(name: &str) -> (String, bool, bool) {
    let (word, own) = name.split_once('.').unwrap_or(("component", name));
    match word == "stack" {
        true => (format!("stack_{own}"), !own.contains(BETWEEN) && !has_capitals(own), true),
        false => {
            let clear = !own.contains(BETWEEN) && TAKEN.iter().all(|t| !own.starts_with(t));
            (own.to_owned(), clear, false)
        }
    }
}

/// Returns true if `label` is the name of a call for any instance of the component or embedded Stack `name`.
pub(super) fn is_of(label: &str, name: &str) -> bool {
    if label == call(name, None) {
        return true;
    }
    let (base, clear, _) = based(name);
    let Some(rest) = label.strip_prefix(&format!("{base}{BETWEEN}")) else { return false };
    let (key, hash) = rest.split_once('_').map_or((rest, None), |(key, hash)| (key, Some(hash)));
    let fits = hash.map_or(clear, |hash| !hash.contains('_'));
    // A component may have a name that begins like this one with a key.
    let word = if name.starts_with("stack.") { "stack" } else { "component" };
    let own = name.split_once('.').map_or(name, |(_, own)| own);
    fits && label != call(&format!("{word}.{own}{BETWEEN}{key}"), None)
}

/// Returns the alias for one instance of a provider configuration.
pub(super) fn alias(name: &str, key: Option<&str>) -> String {
    with_key(name.to_owned(), !name.contains(BETWEEN), name, key)
}

/// Returns the name of the module call that gives an output its type.
pub(super) fn output(name: &str) -> String {
    with_key(format!("output_{name}"), !name.contains(BETWEEN), &format!("output.{name}"), None)
}

/// Returns the name of a deployment's folder within the folder of all deployments.
pub(super) fn folder(deployment: &str) -> String {
    match is_plain(deployment, true) && !has_capitals(deployment) {
        true => deployment.to_owned(),
        false => format!("{}_{}", plain(deployment), short_hash(deployment)),
    }
}

fn with_key(base: String, clear: bool, name: &str, key: Option<&str>) -> String {
    let key_is_plain = key.is_none_or(|key| is_plain(key, false));
    let text = match key {
        Some(key) => format!("{base}{BETWEEN}{}", plain(key)),
        None => base,
    };
    if clear && key_is_plain {
        return text;
    }
    let address = match key {
        Some(key) => format!("{name}[{}]", hcl::quote(key)),
        None => name.to_owned(),
    };
    format!("{text}_{}", short_hash(&address))
}

fn is_plain(text: &str, underscore: bool) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' && underscore;
    !text.is_empty() && text.len() <= 64 && text.chars().all(fits)
}

fn has_capitals(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_uppercase())
}

/// Returns the first 64 characters of a text, with `-` for each that a name can't contain.
fn plain(text: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' };
    text.chars().take(64).map(fit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_are_alike() {
        let all = [
            call("component.a", None),
            call("stack.a", None),
            call("component.stack_a", None),
            call("component.a__b", None),
            call("component.a", Some("b")),
            call("component.a", Some("x y")),
            call("component.a", Some("x-y")),
            call("component.a", Some("x_y")),
            call("component.a", Some("")),
            output("a"),
            call("component.output_a", None),
        ];
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(distinct.len(), all.len(), "{all:?}");
        assert_eq!(all.first().map(String::as_str), Some("a"));
        assert_eq!(all.get(4).map(String::as_str), Some("a__b"));
        assert_eq!(folder("eu-1"), "eu-1");
        assert_ne!(folder("../x"), folder("--/x"));
        assert!(!folder("../x").contains(['.', '/']));
    }

    #[test]
    fn folders_differ_by_more_than_capitals() {
        let stacks = [
            call("stack.s", Some("prod")),
            call("stack.s", Some("PROD")),
            call("stack.s", Some("Prod")),
            call("stack.S", Some("prod")),
            call("stack.s", None),
            call("stack.S", None),
        ];
        let deployments = ["prod", "Prod", "PROD"].map(folder);
        for names in [stacks.as_slice(), &deployments] {
            let lower: std::collections::BTreeSet<String> = names.iter().map(|n| n.to_lowercase()).collect();
            assert_eq!(lower.len(), names.len(), "{names:?}");
        }
        assert_eq!(call("stack.s", Some("prod")), "stack_s__prod");
        assert_eq!(call("component.App", Some("EU")), "App__EU", "a component has no folder of its own");
    }

    #[test]
    fn a_name_is_found_with_every_key() {
        for name in ["component.a", "component.a__b", "component.stack_a", "stack.a", "stack.A", "stack.a__b"]
        {
            for key in [None, Some("b"), Some("B"), Some("x_y"), Some("")] {
                assert!(is_of(&call(name, key), name), "{name} {key:?}");
            }
        }
        assert!(!is_of(&call("component.a__b", None), "component.a"));
        assert!(!is_of(&call("component.a__b", Some("c")), "component.a"));
        assert!(!is_of(&call("stack.a__b", None), "stack.a"));
        assert!(!is_of(&call("component.ab", Some("c")), "component.a"));
    }
}
