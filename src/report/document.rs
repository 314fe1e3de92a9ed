//! A report as a JSON object of which the long lists stand as text, item by item: as a tree of values they take many times of that.
//!
//! In: members, and the items of lists one by one. Out: the text of the object, in parts. Invariant: it reads as if it had been one value.
//! Absent on purpose: what the members mean.

use serde_json::{Map, Value as Json};
use std::fmt::{self, Display, Formatter};

/// The space by which a member stands in.
const STEP: &str = "  ";

/// An object.
#[derive(Clone, Debug, Default)]
pub struct Document(Vec<(String, Member)>);

/// A member of it.
#[derive(Clone, Debug)]
enum Member {
    /// A value.
    Value(Json),
    /// A list: the text of each item.
    Items(Vec<String>),
}

impl Document {
    /// Adds a member.
    pub fn add(&mut self, name: &str, value: impl Into<Json>) {
        self.0.push((name.to_owned(), Member::Value(value.into())));
    }

    /// Adds a list whose items are made one after the other.
    pub fn add_items(&mut self, name: &str, items: impl IntoIterator<Item = Json>) {
        let texts = items.into_iter().map(|item| format!("{item:#}")).collect();
        self.0.push((name.to_owned(), Member::Items(texts)));
    }

    /// Adds the members of another one behind its own.
    pub fn extend(&mut self, other: &Document) {
        self.0.extend(other.0.iter().cloned());
    }

    /// Hands on its text in parts, standing in by so many steps, until one isn't taken. False where that was so.
    pub fn write(&self, level: usize, put: &mut dyn FnMut(&str) -> bool) -> bool {
        let (outer, inner) = (STEP.repeat(level), STEP.repeat(level + 1));
        let mut is_taken = put("{");
        for (at, (name, member)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            is_taken &= put(&format!("{comma}\n{inner}{}: ", Json::from(name.as_str())));
            is_taken &= match member {
                Member::Value(value) => put(&stand_in(&format!("{value:#}"), level + 1)),
                Member::Items(items) if items.is_empty() => put("[]"),
                Member::Items(items) => write_items(items, level + 1, put),
            };
            if !is_taken {
                return false;
            }
        }
        let end = if self.0.is_empty() { "}".to_owned() } else { format!("\n{outer}}}") };
        is_taken && put(&end)
    }
}

impl Display for Document {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.write(0, &mut |part| f.write_str(part).is_ok()) { Ok(()) } else { Err(fmt::Error) }
    }
}

fn write_items(items: &[String], level: usize, put: &mut dyn FnMut(&str) -> bool) -> bool {
    let (outer, inner) = (STEP.repeat(level), STEP.repeat(level + 1));
    let one = |(at, item): (usize, &String)| {
        let before = if at == 0 { "[" } else { "," };
        put(&format!("{before}\n{inner}{}", stand_in(item, level + 1)))
    };
    items.iter().enumerate().all(one) && put(&format!("\n{outer}]"))
}

/// Lines of JSON standing in: no text in it holds the end of a line.
fn stand_in(text: &str, level: usize) -> String {
    text.replace('\n', &format!("\n{}", STEP.repeat(level)))
}

impl From<Json> for Document {
    fn from(value: Json) -> Document {
        let members: Map<String, Json> = match value {
            Json::Object(members) => members,
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        Document(members.into_iter().map(|(name, value)| (name, Member::Value(value))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_reads_as_one_value() {
        let items = || [json!({"b": [1, {"c": "x\ny"}]}), json!([]), json!("t")];
        let mut own = Document::from(json!({"format_version": "1.0", "o": {"p": []}}));
        own.add_items("items", items());
        own.add_items("none", []);
        own.add("last", 3);
        let text = |own: &Document, level| {
            let mut out = String::new();
            assert!(own.write(level, &mut |part| {
                out.push_str(part);
                true
            }));
            out
        };
        let want = json!({"format_version": "1.0", "o": {"p": []}, "items": items(), "none": [], "last": 3});
        assert_eq!(text(&own, 0), format!("{want:#}"));
        let whole = json!({"roots": [want]});
        assert_eq!(format!("{{\n  \"roots\": [\n    {}\n  ]\n}}", text(&own, 2)), format!("{whole:#}"));
        assert!(!own.write(0, &mut |_| false));
    }
}
