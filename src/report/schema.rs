//! The JSON Schemas of everything that is printed as JSON.
//!
//! In: the files of `schemas/`, which the program carries. Out: one document for each name, with the definitions that it refers
//! to and nothing from elsewhere. Most JSON is written member by member and has no type that a schema could come from, so the
//! tests hold both together: whatever JSON a test prints is validated (`tests/cli_common/schemas.rs`).

use crate::issue::Code;
use serde_json::{Map, Value as Json};

const COMMON: &str = include_str!("../../schemas/common.json");

const DEFINITIONS: &str = "$defs";

macro_rules! schemas {
    ($($name:literal),* $(,)?) => {
        /// Every schema by name.
        const ALL: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../schemas/", $name, ".json")))),*];

        /// The names, in the order of the list.
        pub const NAMES: &[&str] = &[$($name),*];
    };
}

schemas!(
    "trace",
    "expression",
    "matrix",
    "review",
    "validate",
    "roots",
    "root-modules",
    "check",
    "findings",
    "explain",
    "explain-code",
    "history",
    "services",
    "version",
    "provenance",
    "history-line",
);

/// The schema of this name, complete in itself.
pub fn named(name: &str) -> Option<Json> {
    let (_, text) = ALL.iter().find(|(known, _)| *known == name)?;
    let mut schema = read(text);
    let shared = shared();
    let mut used = Map::new();
    let mut open = references(&schema);
    while let Some(name) = open.pop() {
        if let (None, Some(definition)) = (used.get(&name), shared.get(&name)) {
            open.extend(references(definition));
            used.insert(name, definition.clone());
        }
    }
    used.sort_keys();
    if let Some(members) = schema.as_object_mut().filter(|_| !used.is_empty()) {
        members.insert(DEFINITIONS.into(), used.into());
    }
    Some(schema)
}

/// The schema as it is printed.
pub fn text(name: &str) -> Option<String> {
    Some(format!("{:#}\n", named(name)?))
}

/// Every name, with what the JSON says and where it comes from.
pub fn list() -> String {
    let widest = NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    let said = |text: &str, key: &str| read(text).get(key).and_then(Json::as_str).unwrap_or("").to_owned();
    let line = |(name, text): &(&str, &str)| {
        format!("{name:widest$}  {} ({})\n", said(text, "description"), said(text, "title"))
    };
    ALL.iter().map(line).collect()
}

/// Returns the definitions that schemas share, with the codes of the table.
fn shared() -> Map<String, Json> {
    let mut common = read(COMMON);
    let definitions = common.get_mut(DEFINITIONS).and_then(Json::as_object_mut).map(std::mem::take);
    let mut definitions = definitions.unwrap_or_default();
    if let Some(code) = definitions.get_mut("code").and_then(Json::as_object_mut) {
        let names: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        code.insert("enum".into(), names.into());
    }
    definitions
}

/// The definitions that a schema refers to.
fn references(schema: &Json) -> Vec<String> {
    match schema {
        Json::Object(members) => {
            let own = members.get("$ref").and_then(Json::as_str);
            let own = own.and_then(|to| to.strip_prefix("#/$defs/")).map(str::to_owned);
            own.into_iter().chain(members.values().flat_map(references)).collect()
        }
        Json::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

fn read(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_complete_in_itself() {
        for name in NAMES {
            let schema = named(name).unwrap();
            assert!(schema["title"].is_string() && schema["description"].is_string(), "{name}");
            for to in references(&schema) {
                assert!(schema["$defs"][&to].is_object(), "{name} refers to {to}");
            }
        }
        assert!(named("common").is_none());
        assert_eq!(named("explain-code").unwrap()["$defs"]["code"]["enum"][0], "no-universe");
    }

    #[test]
    fn every_definition_is_used_and_no_file_is_left_out() {
        let all: Vec<Json> = NAMES.iter().filter_map(|name| named(name)).collect();
        for name in shared().keys() {
            assert!(all.iter().any(|schema| schema["$defs"].get(name).is_some()), "nothing uses {name}");
        }
        assert_eq!(std::fs::read_dir("schemas").unwrap().count(), NAMES.len() + 1);
    }

    /// Each member is said in words, and no object takes others.
    fn judge(schema: &Json, at: &str) {
        if let Some(members) = schema.get("properties").and_then(Json::as_object) {
            for (name, member) in members.iter().filter(|(_, m)| m.is_object()) {
                let conditional = schema.get("type").is_none();
                let plain = ["$ref", "anyOf", "description"].iter().any(|key| member.get(key).is_some());
                assert!(conditional || plain, "{at}.{name} has no description");
            }
        }
        let narrows = at.contains(".then.") || at.contains(".else.");
        if !narrows && schema.get("type").is_some_and(|kind| kind == "object") {
            // A body is closed where it is used, by what it may have besides.
            let closed =
                ["additionalProperties", "unevaluatedProperties"].iter().any(|k| schema.get(k).is_some());
            assert!(closed || at.contains("_body") || at.contains("anyOf"), "{at} takes any member");
        }
        match schema {
            Json::Object(members) => members.iter().for_each(|(k, v)| judge(v, &format!("{at}.{k}"))),
            Json::Array(items) => items.iter().for_each(|item| judge(item, at)),
            _ => {}
        }
    }

    #[test]
    fn every_member_is_described() {
        NAMES.iter().for_each(|name| judge(&named(name).unwrap(), name));
    }
}
