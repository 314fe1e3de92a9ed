//! Names in the root module: of calls, providers and folders.
//!
//! A name is made of the component's own name and its key alone, so that it never depends on what else is declared. Where that
//! isn't sure to differ from another one's, a short hash of the address stands behind it.

use crate::specialise::record::short_hash;
use crate::value::hcl;

/// What stands between a name and a key.
pub(super) const BETWEEN: &str = "__";

/// Words with which names begin that are no component's.
const TAKEN: [&str; 2] = ["stack_", "output_"];

/// The name of the module call of a component or embedded Stack, as `component.net` or `stack.net`, in one of its instances.
pub(super) fn call(name: &str, key: Option<&str>) -> String {
    let (word, own) = name.split_once('.').unwrap_or(("component", name));
    let base = if word == "stack" { format!("stack_{own}") } else { own.to_owned() };
    let clear = !own.contains(BETWEEN) && (word == "stack" || TAKEN.iter().all(|t| !own.starts_with(t)));
    with_key(base, clear, name, key)
}

/// The alias of a provider's configuration in one of its instances.
pub(super) fn alias(name: &str, key: Option<&str>) -> String {
    with_key(name.to_owned(), !name.contains(BETWEEN), name, key)
}

/// The name of the call through which an output gets its type.
pub(super) fn output(name: &str) -> String {
    with_key(format!("output_{name}"), !name.contains(BETWEEN), &format!("output.{name}"), None)
}

/// The folder of a deployment, below that of all.
pub(super) fn folder(deployment: &str) -> String {
    match is_plain(deployment, true) {
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

/// The letters of a text that may stand in a name.
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
}
