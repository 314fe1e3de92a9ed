//! Where a value is marked as sensitive, told without the value.
//!
//! In: a cell before and after. Out: whether the marks of both stand at the same places; where they don't, two cells that tell the
//! places alone. Invariant: nothing of a value is in it, and no key below a mark of either side. Absent on purpose: marks that
//! Terraform neither shows nor compares.

use super::Cell;
use crate::value::{Data, Mark, Marks, Value, hcl};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// So many places are named on one line.
const NAMED: usize = 4;

/// So many places of a value are told at all.
const MOST_PLACES: usize = 64;

/// The places at which a value is sensitive, of which nothing else is shown.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Marked {
    /// The paths within the value: empty for all of it, ending in `*` for what is below a mark of either side.
    places: Vec<String>,
    /// What else differs; empty before a change.
    also: &'static str,
}

/// The same value with its marks as far as they are compared.
pub(super) fn comparable(value: &Value) -> Value {
    if !value.is_marked_deep() {
        return value.clone();
    }
    value.clone().map_deep(&|value| Value { marks: compared(&value.marks), ..value })
}

/// A mark of Terraform's hides more than one that only some versions make.
fn compared(marks: &Marks) -> Marks {
    match () {
        () if marks.has(Mark::Sensitive) => Marks::one(Mark::Sensitive),
        () if marks.has(Mark::Declared) => Marks::one(Mark::Declared),
        () => Marks::NONE,
    }
}

/// Two cells that differ, as they may be shown: what is a secret on one side is one on the other, too, since a change doesn't say by
/// itself that it is none. Where the marks stand elsewhere, that is what is told.
pub(super) fn withhold(before: &Cell, after: &Cell) -> (Cell, Cell) {
    match (before, after) {
        (Cell::Resolved(old), Cell::Resolved(new)) if are_marked_otherwise(old, new) => places_of(old, new),
        (Cell::Instances(old), Cell::Instances(new)) if old.keys().eq(new.keys()) => {
            let pairs = old.iter().zip(new).map(|((keys, a), (_, b))| (keys, withhold(a, b)));
            let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
            for (keys, (a, b)) in pairs {
                before.insert(keys.clone(), a);
                after.insert(keys.clone(), b);
            }
            (Cell::Instances(before), Cell::Instances(after))
        }
        _ => (concealed(before, after), concealed(after, before)),
    }
}

fn concealed(own: &Cell, other: &Cell) -> Cell {
    match other.is_secret() {
        false => own.clone(),
        true if !own.is_secret() => own.conceal_value(),
        true => match (own, other) {
            // A key that is there on one side alone may hold what another one held.
            (Cell::Instances(all), Cell::Instances(of)) => {
                let one = |(keys, cell): (&String, &Cell)| {
                    let is_open = !cell.is_secret() && of.get(keys).is_none_or(Cell::is_secret);
                    (keys.clone(), if is_open { cell.conceal_value() } else { cell.clone() })
                };
                Cell::Instances(all.iter().map(one).collect())
            }
            _ => own.clone(),
        },
    }
}

/// Returns true if the marks of two values stand at other places.
fn are_marked_otherwise(old: &Value, new: &Value) -> bool {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    gather_marked(old, &mut Vec::new(), &mut before);
    gather_marked(new, &mut Vec::new(), &mut after);
    before != after
}

/// A step into a value.
type Step = Result<usize, String>;

/// All marked places of a value with their marks, in order.
fn gather_marked(value: &Value, path: &mut Vec<Step>, out: &mut Vec<(Vec<Step>, Marks)>) {
    let marks = compared(&value.marks);
    if !marks.is_empty() {
        out.push((path.clone(), marks));
    }
    if !value.is_marked_deep() {
        return;
    }
    let mut within = |step: Step, part: &Value| {
        path.push(step);
        gather_marked(part, path, out);
        path.pop();
    };
    match &value.data {
        Data::Seq(items) => items.iter().enumerate().for_each(|(at, item)| within(Ok(at), item)),
        Data::Map(entries) => entries.iter().for_each(|(key, part)| within(Err(key.to_string()), part)),
        _ => {}
    }
}

/// The places of both, in the place of their values.
fn places_of(old: &Value, new: &Value) -> (Cell, Cell) {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    gather_places(old, Some(new), &mut String::new(), &mut before);
    gather_places(new, Some(old), &mut String::new(), &mut after);
    let is_other_value = old.clone().unmark_deep().0 != new.clone().unmark_deep().0;
    let also = match () {
        () if is_other_value => "another value",
        () if before == after => "at other places",
        () => "",
    };
    let told = |places, also| Cell::Marked(Marked { places, also });
    (told(before, ""), told(after, also))
}

/// Returns true if a value has a mark that is compared, or a part of it.
fn has_compared(value: &Value) -> bool {
    !compared(&value.marks_deep()).is_empty()
}

/// The marked places of a value, as far as both sides show the way.
fn gather_places(value: &Value, other: Option<&Value>, path: &mut String, out: &mut Vec<String>) {
    if out.len() >= MOST_PLACES || !has_compared(value) {
        return;
    }
    let is_marked = |value: &Value| value.marks.is_secret() || value.marks.has(Mark::Ephemeral);
    if !compared(&value.marks).is_empty() {
        out.push(path.clone());
    }
    if is_marked(value) || other.is_some_and(is_marked) {
        let is_more = has_compared(&value.clone().unmark().0);
        if is_more {
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
                Some(Data::Seq(items)) => items.iter().nth(at),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn secret(value: Value) -> Value {
        value.with_mark(Mark::Sensitive)
    }

    fn object(entries: &[(&str, Value)]) -> Value {
        Value::object(entries.iter().map(|(name, value)| (Arc::from(*name), value.clone())))
    }

    fn told(old: &Value, new: &Value) -> [String; 2] {
        let (old, new) = (Cell::Resolved(old.clone()), Cell::Resolved(new.clone()));
        assert_ne!(old, new);
        let (before, after) = withhold(&old, &new);
        [before.text(), after.text()]
    }

    #[test]
    fn marks_that_move_are_told_by_their_places() {
        let (x, y) = (Value::string("x"), Value::string("y"));
        let old = object(&[("a", secret(x.clone())), ("b", y.clone())]);
        let new = object(&[("a", x.clone()), ("b", secret(y.clone()))]);
        assert_eq!(told(&old, &new), ["(sensitive: a)", "(sensitive: b)"]);
        let plain = object(&[("a", x.clone()), ("b", y.clone())]);
        assert_eq!(told(&old, &plain), ["(sensitive: a)", "(not sensitive)"]);
        assert_eq!(told(&plain, &secret(plain.clone())), ["(not sensitive)", "(sensitive value)"]);
        assert_eq!(told(&secret(plain.clone()), &old), ["(sensitive value)", "(sensitive in parts)"]);
        let both = ["(sensitive value, and parts of it by themselves)"; 2];
        let [a, b] = told(&secret(old.clone()), &secret(new));
        assert_eq!([a, b.replace("; at other places", "")], both);
        let other = object(&[("a", y), ("b", secret(x))]);
        assert_eq!(told(&old, &other), ["(sensitive: a)", "(sensitive: b; another value)"]);
    }

    #[test]
    fn one_value_of_many_instances_is_told_by_itself() {
        let cells = |marks: [bool; 2]| {
            let cell =
                |is: bool| Cell::Resolved(if is { secret(Value::string("x")) } else { Value::string("x") });
            let [a, b] = marks.map(cell);
            Cell::Instances(BTreeMap::from([("[0]".to_owned(), a), ("[1]".to_owned(), b)]))
        };
        let (before, after) = withhold(&cells([true, false]), &cells([false, true]));
        let want =
            ["[0] (sensitive value), [1] (not sensitive)", "[0] (not sensitive), [1] (sensitive value)"];
        assert_eq!([before.text(), after.text()], want);
    }
}
