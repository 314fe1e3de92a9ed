//! One value of a field as part of a name.

use super::hash::{Said, hex6};
use crate::value::{Data, Value, json};

/// The longest slug of a list or an object that is left as it is.
const LONGEST_ITEMS: usize = 24;

/// A value's words, and whether they say something without the field's name: `true` doesn't.
struct Words {
    text: String,
    speaks: bool,
}

/// The slug of a field's value.
pub(super) fn slug(said: &Said) -> String {
    let words = of(&said.value);
    if words.speaks {
        return words.text;
    }
    let field = identifier(&said.field);
    if field.is_empty() { words.text } else { format!("{field}_{}", words.text) }
}

fn of(value: &Value) -> Words {
    let mute = |text: &str| Words { text: text.to_owned(), speaks: false };
    match &value.data {
        Data::Null => mute("null"),
        Data::Bool(b) => mute(if *b { "true" } else { "false" }),
        Data::Number(n) => {
            let text = n.to_string();
            let text = text.strip_prefix('-').map_or_else(|| text.clone(), |n| format!("minus_{n}"));
            Words { text: text_slug(&text), speaks: true }
        }
        Data::String(s) if s.is_empty() => mute("empty"),
        Data::String(s) => Words { text: text_slug(last_part(s)), speaks: true },
        Data::Seq(items) if items.is_empty() => mute("empty"),
        Data::Seq(items) => joined(value, items.iter().map(of)),
        Data::Map(entries) if entries.is_empty() => mute("empty"),
        Data::Map(entries) => joined(value, entries.iter().map(|(key, value)| entry(key, value))),
        // No branch has such a value.
        Data::Unknown(_) => mute("unknown"),
    }
}

/// A key with its value; a value that begins with the key, as `aws.us` does for `aws`, says both.
fn entry(key: &str, value: &Value) -> Words {
    let (key, words) = (text_slug(key), of(value));
    let both = words.text.strip_prefix(&*key).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    Words { text: if both { words.text } else { format!("{key}_{}", words.text) }, speaks: true }
}

/// Items in a row; beyond the limit, six hex digits of a hash of all of them stand for the rest.
fn joined(value: &Value, items: impl Iterator<Item = Words>) -> Words {
    let (mut text, mut speaks, mut cut) = (String::new(), false, false);
    for item in items {
        speaks |= item.speaks;
        let between = usize::from(!text.is_empty());
        if cut || text.len() + between + item.text.len() > LONGEST_ITEMS {
            cut = true;
        } else {
            text.push_str(if between == 1 { "_" } else { "" });
            text.push_str(&item.text);
            continue;
        }
        if text.is_empty() {
            text = item.text.chars().take(LONGEST_ITEMS).collect();
        }
    }
    if cut {
        let hash = hex6(&json::encode(value).unwrap_or_default());
        text = format!("{}_{hash}", text.trim_end_matches('_'));
    }
    Words { text, speaks }
}

/// The last part of a path or of a URL, with what is asked of it; any other text as it is.
fn last_part(text: &str) -> &str {
    let is_path = ["./", "../", "/", "~/"].iter().any(|start| text.starts_with(start));
    if !is_path && !text.contains("://") && !text.contains("::") {
        return text;
    }
    let path = text.split('?').next().unwrap_or(text).trim_end_matches('/');
    let last = path.rfind('/').map_or(0, |at| at + 1);
    let part = text.get(last..).unwrap_or(text).trim_end_matches('/');
    if path.is_empty() { text } else { part }
}

/// A text as part of a name: letters and digits of ASCII, a `v` before a number.
pub fn text_slug(text: &str) -> String {
    let out = identifier(text);
    match out.chars().next() {
        None if text.is_empty() => "empty".to_owned(),
        // As in `ignore_changes = all`, and in policies.
        None if text == "*" => "all".to_owned(),
        // Nothing in it can stand in a name that every file system takes.
        None => format!("x{}", hex6(text)),
        Some(c) if c.is_ascii_digit() => format!("v{out}"),
        Some(_) => out,
    }
}

/// The letters and digits of a text, with `_` between them.
fn identifier(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}
