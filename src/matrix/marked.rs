//! Where a value is marked as sensitive, told without the value.
//!
//! In: a value before and after. Out: whether the marks of both stand at the same places; where they don't, the places of each alone. Invariant: nothing of a value is in it, and no key below a mark of either side. Absent on purpose: marks that
//! Terraform neither shows nor compares.

use crate::text::shorten_to_width;
use crate::value::{Data, Mark, Marks, Value, hcl};
use serde_json::{Value as Json, json};

/// So many places are named on one line.
const NAMED: usize = 4;

/// So many places of a value are told at all.
const MOST_PLACES: usize = 64;

/// A place is told in so many columns.
const LONGEST_PLACE: usize = 200;

/// The places at which a value is sensitive, of which nothing else is shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marked {
    /// The paths within the value: empty for all of it, ending in `*` for what is below a mark of either side.
    places: Vec<String>,
    /// What else differs; empty before a change.
    also: &'static str,
}

/// The same value with its marks as far as they are compared.
pub(super) fn keep_comparable_marks(value: &Value) -> Value {
    if !value.is_marked_deep() {
        return value.clone();
    }
    value.clone().map_deep(&|value| Value { marks: keep_compared(&value.marks), ..value })
}

/// A mark of Terraform's hides more than one that only some versions make.
fn keep_compared(marks: &Marks) -> Marks {
    match () {
        () if marks.has(Mark::Sensitive) => Marks::one(Mark::Sensitive),
        () if marks.has(Mark::Declared) => Marks::one(Mark::Declared),
        () => Marks::NONE,
    }
}

/// Returns true if the marks of two values stand at other places.
pub(super) fn are_marked_otherwise(old: &Value, new: &Value) -> bool {
    if keep_compared(&old.marks) != keep_compared(&new.marks) {
        return true;
    }
    if !old.is_marked_deep() && !new.is_marked_deep() {
        return false;
    }
    let pair = |old: Option<&Value>, new: Option<&Value>| match (old, new) {
        (Some(old), Some(new)) => are_marked_otherwise(old, new),
        (only, None) | (None, only) => only.is_some_and(has_compared),
    };
    match (&old.data, &new.data) {
        (Data::Seq(old), Data::Seq(new)) => {
            (0..old.len().max(new.len())).any(|at| pair(old.get(at), new.get(at)))
        }
        (Data::Map(old), Data::Map(new)) => {
            let gone = old.keys().filter(|key| !new.contains_key(*key));
            gone.chain(new.keys()).any(|key| pair(old.get(key), new.get(key)))
        }
        // What is below the marks of both is in values of two kinds.
        _ => [old, new].iter().any(|value| has_compared(&(*value).clone().unmark().0)),
    }
}

/// The places of both, in the place of their values.
pub(super) fn places_of(old: &Value, new: &Value) -> (Marked, Marked) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    gather_places(old, Some(new), &mut String::new(), &mut before);
    gather_places(new, Some(old), &mut String::new(), &mut after);
    let is_other_value = old.clone().unmark_deep().0 != new.clone().unmark_deep().0;
    let also = match () {
        () if is_other_value => "another value",
        () if before == after => "at other places",
        () => "",
    };
    let told = |places, also| Marked { places, also };
    (told(before, ""), told(after, also))
}

/// Returns true if a value has a mark that is compared, or a part of it.
fn has_compared(value: &Value) -> bool {
    !keep_compared(&value.marks_deep()).is_empty()
}

/// The marked places of a value, as far as both sides show the way.
fn gather_places(value: &Value, other: Option<&Value>, path: &mut String, out: &mut Vec<String>) {
    if out.len() >= MOST_PLACES || !has_compared(value) {
        return;
    }
    let is_marked = |value: &Value| value.marks.is_secret() || value.marks.has(Mark::Ephemeral);
    if !keep_compared(&value.marks).is_empty() {
        out.push(shorten_to_width(path, LONGEST_PLACE));
    }
    if is_marked(value) || other.is_some_and(is_marked) {
        let is_more = has_compared(&value.clone().unmark().0);
        if is_more {
            let path = shorten_to_width(path, LONGEST_PLACE);
            out.push(format!("{path}{}*", if path.is_empty() { "" } else { "." }));
        }
        return;
    }
    let from = path.len();
    let mut within = |step: String, part: &Value, other: Option<&Value>| {
        path.push_str(&step);
        gather_places(part, other, path, out);
        path.truncate(from);
    };
    match &value.data {
        Data::Seq(items) => {
            let of = |at: usize| match other.map(|other| &other.data) {
                Some(Data::Seq(items)) => items.get(at),
                _ => None,
            };
            items.iter().enumerate().for_each(|(at, item)| within(format!("[{at}]"), item, of(at)));
        }
        Data::Map(entries) => {
            let of = |key: &str| match other.map(|other| &other.data) {
                Some(Data::Map(entries)) => entries.get(key),
                _ => None,
            };
            entries.iter().for_each(|(key, part)| within(step_of(key, from == 0), part, of(key)));
        }
        _ => {}
    }
}

/// A key as it stands in a path.
fn step_of(key: &str, is_first: bool) -> String {
    let is_plain = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match (is_plain, is_first) {
        (true, true) => key.to_owned(),
        (true, false) => format!(".{key}"),
        (false, _) => format!("[{}]", hcl::quote(key)),
    }
}

impl Marked {
    /// The bytes of its texts.
    pub(super) fn size(&self) -> usize {
        self.places.iter().map(|place| place.len() + std::mem::size_of::<String>()).sum()
    }

    /// On one line, for people.
    pub fn text(&self) -> String {
        let own = match self.places.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => "not sensitive".to_owned(),
            [""] => "sensitive value".to_owned(),
            ["*"] => "sensitive in parts".to_owned(),
            ["", "*"] => "sensitive value, and parts of it by themselves".to_owned(),
            all => {
                let named = all.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
                match all.len().saturating_sub(NAMED) {
                    0 => format!("sensitive: {named}"),
                    more => format!("sensitive: {named}, and {more} more"),
                }
            }
        };
        let (semicolon, also) = if self.also.is_empty() { ("", "") } else { ("; ", self.also) };
        format!("({own}{semicolon}{also})")
    }

    /// As JSON, a public contract.
    pub fn json(&self) -> Json {
        json!({"result": "resolved", "value": {"sensitive": true}, "sensitive_at": self.places})
    }
}
