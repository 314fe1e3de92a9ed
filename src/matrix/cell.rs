//! One cell: what a field is in one environment.

use super::marked::{Marked, keep_comparable_marks};
use crate::func::hidden::word;
use crate::issue::Code;
use crate::trace::{Known, OPEN_WORKSPACE, Term};
use crate::value::{Data, Mark, Value, hcl, json};
use serde_json::{Map, Value as Json, json as object};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The bytes that each part of a cell takes, whatever it holds.
const PART: usize = 96;

/// The value of a field in an environment.
#[derive(Clone, Debug)]
pub enum Cell {
    /// It has this value, marked where it is sensitive.
    Resolved(Value),
    /// There is no instance that would have it.
    Absent,
    /// It isn't known before a plan.
    Unbounded {
        /// The code.
        code: Code,
        /// The reason.
        reason: String,
        /// What it is made of; nothing where nobody can say.
        term: Option<Arc<Term>>,
    },
    /// It is no value, and stands there like this.
    Written(Arc<Term>),
    /// Terraform stops with this error.
    Error(String),
    /// A cell for each instance, by its keys.
    Instances(BTreeMap<String, Cell>),
    /// It has a value of which is shown where it is sensitive, and no more.
    Marked(Marked),
}

impl PartialEq for Cell {
    fn eq(&self, other: &Cell) -> bool {
        match (self, other) {
            (Cell::Resolved(a), Cell::Resolved(b)) => keep_comparable_marks(a) == keep_comparable_marks(b),
            (Cell::Absent, Cell::Absent) => true,
            (Cell::Unbounded { code, term, .. }, Cell::Unbounded { code: other, term: of, .. }) => {
                code == other && term == of
            }
            (Cell::Written(a), Cell::Written(b)) => a == b,
            (Cell::Error(a), Cell::Error(b)) => a == b,
            (Cell::Instances(a), Cell::Instances(b)) => a == b,
            (Cell::Marked(a), Cell::Marked(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Cell {}

/// Hashes what equality compares: equal cells have one hash.
impl Hash for Cell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Cell::Resolved(value) => {
                keep_comparable_marks(value).hash(state);
            }
            Cell::Absent => {}
            Cell::Unbounded { code, term, .. } => (code, term).hash(state),
            Cell::Written(term) => term.hash(state),
            Cell::Error(error) => error.hash(state),
            Cell::Instances(all) => all.hash(state),
            Cell::Marked(marked) => marked.hash(state),
        }
    }
}

impl Cell {
    /// The cell of a field by its instances and entries.
    pub(super) fn of(mut entries: Vec<Told>) -> Cell {
        match entries.as_slice() {
            [] => Cell::Absent,
            [one] if one.keys.is_empty() => entries.pop().map_or(Cell::Absent, Cell::from),
            _ => Cell::Instances(entries.into_iter().map(|one| (one.keys.clone(), one.into())).collect()),
        }
    }

    /// The bytes that it takes, about, and a report of it.
    pub(super) fn size(&self) -> usize {
        fn of(value: &Value) -> usize {
            let own = match &value.data {
                Data::String(text) => text.len(),
                Data::Seq(items) => items.iter().map(of).sum(),
                Data::Map(entries) => entries.iter().map(|(key, value)| key.len() + of(value)).sum(),
                _ => 0,
            };
            own + PART
        }
        match self {
            Cell::Resolved(value) => PART + of(value),
            Cell::Absent => PART,
            Cell::Marked(marked) => PART + marked.size(),
            Cell::Error(text) => PART + text.len(),
            Cell::Written(term) => PART + term.size(),
            Cell::Unbounded { reason, term, .. } => {
                PART + reason.len() + term.as_ref().map_or(0, |term| PART + term.size())
            }
            Cell::Instances(all) => {
                PART + all.iter().map(|(keys, cell)| PART + keys.len() + cell.size()).sum::<usize>()
            }
        }
    }

    /// Returns the cell of all instances, if they are alike.
    pub fn alike(&self) -> &Cell {
        match self {
            Cell::Instances(all) => match all.values().next() {
                Some(first) if all.values().all(|c| c == first) => first,
                _ => self,
            },
            _ => self,
        }
    }

    /// Returns the cell as JSON, a public contract.
    pub fn json(&self) -> Json {
        match self {
            Cell::Resolved(value) if value.marks_deep().has(Mark::Configured) => {
                object!({"result": "resolved", "value": shown_json(value), "configured": true})
            }
            Cell::Resolved(value) => object!({"result": "resolved", "value": shown_json(value)}),
            Cell::Absent => object!({"result": "absent"}),
            Cell::Unbounded { code, reason, term } => {
                let mut cell = object!({"result": "unbounded", "code": code.name(), "reason": reason});
                if let (Some(term), Some(members)) = (term, cell.as_object_mut()) {
                    members.insert("term".to_owned(), Json::from(&*term.text));
                }
                cell
            }
            Cell::Written(term) => object!({"result": "written", "text": &*term.text}),
            Cell::Error(error) => object!({"result": "error", "error": error}),
            Cell::Marked(marked) => marked.json(),
            Cell::Instances(all) => {
                let all: Map<String, Json> = all.iter().map(|(k, c)| (k.clone(), c.json())).collect();
                object!({"result": "instances", "instances": all})
            }
        }
    }

    /// Returns the cell on one line, for people.
    pub fn text(&self) -> String {
        match self {
            Cell::Resolved(value) => shown(value),
            Cell::Absent => "—".to_owned(),
            Cell::Unbounded { code: Code::ApplyTimeValue, .. } => "(known after apply)".to_owned(),
            Cell::Unbounded { code: Code::MissingValue, .. } => "(not given)".to_owned(),
            Cell::Unbounded { reason, term: Some(term), .. } if reason == OPEN_WORKSPACE => {
                term.text.to_string()
            }
            Cell::Unbounded { .. } => "(not known)".to_owned(),
            Cell::Written(term) => term.text.to_string(),
            Cell::Error(_) => "error".to_owned(),
            Cell::Marked(marked) => marked.text(),
            Cell::Instances(all) => match all.values().next() {
                // What all instances have alike is said once.
                Some(first) if all.len() > 1 && all.values().all(|c| c == first) => {
                    format!("{} (all {})", first.text(), all.len())
                }
                _ => all.iter().map(|(k, c)| format!("{k} {}", c.text())).collect::<Vec<_>>().join(", "),
            },
        }
    }

    /// Returns the error, or the first one of its instances.
    pub fn error(&self) -> Option<&str> {
        match self {
            Cell::Error(text) => Some(text),
            Cell::Instances(all) => all.values().find_map(Cell::error),
            _ => None,
        }
    }
}

/// What is known of a field in one instance.
pub(super) struct Told {
    /// The keys of the instance, and of entries of `dynamic` blocks.
    pub keys: String,
    /// Its value.
    pub known: Known,
    /// What it is made of where the value isn't known.
    pub term: Option<Arc<Term>>,
}

impl From<Told> for Cell {
    fn from(told: Told) -> Cell {
        match told.known {
            Known::Value(value) => Cell::Resolved(value),
            Known::Failed(error) => Cell::Error(error.message.to_string()),
            Known::Open(reason) => {
                Cell::Unbounded { code: reason.code, reason: reason.why.clone(), term: told.term }
            }
        }
    }
}

impl Cell {
    /// Returns true if it hangs on a workspace that nothing names.
    pub fn hangs_on_workspace(&self) -> bool {
        match self {
            Cell::Unbounded { reason, .. } => reason == OPEN_WORKSPACE,
            Cell::Instances(all) => all.values().any(Cell::hangs_on_workspace),
            Cell::Resolved(_) | Cell::Absent | Cell::Written(_) | Cell::Error(_) | Cell::Marked(_) => false,
        }
    }
}

impl Cell {
    /// Returns true if it, or one of its instances, isn't to be shown.
    pub fn is_secret(&self) -> bool {
        match self {
            Cell::Resolved(value) => word(&value.marks_deep()).is_some(),
            Cell::Unbounded { code, term, .. } => {
                *code == Code::Sensitive || term.as_ref().is_some_and(|term| term.is_hidden())
            }
            Cell::Instances(all) => all.values().any(Cell::is_secret),
            Cell::Written(term) => term.is_hidden(),
            Cell::Marked(_) => true,
            Cell::Absent | Cell::Error(_) => false,
        }
    }

    /// The same without anything of its value.
    pub(super) fn conceal_value(&self) -> Cell {
        match self {
            Cell::Resolved(value) => Cell::Resolved(value.clone().with_mark(Mark::Sensitive)),
            Cell::Absent => Cell::Absent,
            Cell::Marked(marked) => Cell::Marked(marked.clone()),
            Cell::Unbounded { code, reason, term } => {
                let term = term.as_ref().map(|term| Arc::new(term.hidden()));
                Cell::Unbounded { code: *code, reason: reason.clone(), term }
            }
            Cell::Written(term) => Cell::Written(Arc::new(term.hidden())),
            Cell::Error(_) => Cell::Error("(sensitive value)".to_owned()),
            // Their keys may tell it.
            Cell::Instances(_) => Cell::Resolved(Value::dynamic().with_mark(Mark::Sensitive)),
        }
    }
}

/// How two readings of one field compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Comparison {
    /// They are shown to be equal.
    Equal,
    /// Nobody can say.
    Open,
    /// They differ.
    Different,
}

impl Cell {
    /// Compares two readings. What isn't known is equal where both are made of the same in the same way.
    pub fn compare(&self, other: &Cell) -> Comparison {
        match (self, other) {
            (Cell::Unbounded { term: Some(a), .. }, Cell::Unbounded { term: Some(b), .. }) if a == b => {
                Comparison::Equal
            }
            (Cell::Unbounded { term: Some(_), .. }, Cell::Unbounded { term: Some(_), .. }) => {
                Comparison::Different
            }
            (Cell::Unbounded { term: None, .. }, Cell::Unbounded { .. })
            | (Cell::Unbounded { .. }, Cell::Unbounded { term: None, .. }) => Comparison::Open,
            (Cell::Instances(a), Cell::Instances(b)) if a.len() == b.len() => {
                let each = a.iter().map(|(keys, cell)| match b.get(keys) {
                    Some(other) => cell.compare(other),
                    None => Comparison::Different,
                });
                each.max().unwrap_or(Comparison::Equal)
            }
            _ if self == other => Comparison::Equal,
            _ => Comparison::Different,
        }
    }

    /// The cell on one line, with the terms of what isn't known.
    pub fn told(&self) -> String {
        match self {
            Cell::Unbounded { term: Some(term), .. } => term.text.to_string(),
            Cell::Instances(all) => {
                all.iter().map(|(k, c)| format!("{k} {}", c.told())).collect::<Vec<_>>().join(", ")
            }
            _ => self.text(),
        }
    }
}

/// A value as JSON, in which what is sensitive or ephemeral is `{"sensitive": true}`.
pub fn shown_json(value: &Value) -> Json {
    if word(&value.marks).is_some() {
        return object!({"sensitive": true});
    }
    match &value.data {
        Data::Seq(items) => Json::Array(items.iter().map(shown_json).collect()),
        Data::Map(entries) => Json::Object(
            entries
                .iter()
                .map(|(k, v)| (json::reported_name(&value.data, k).into_owned(), shown_json(v)))
                .collect(),
        ),
        _ => {
            let plain = value.clone().unmark().0;
            json::to_json(&plain).unwrap_or_else(|_| Json::String(shown(&plain)))
        }
    }
}

/// A value on one line, in which what is sensitive is not shown, and an infinite number is named.
pub fn shown(value: &Value) -> String {
    if let Some(word) = word(&value.marks) {
        return word.to_owned();
    }
    match &value.data {
        Data::Seq(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Data::Map(entries) if entries.is_empty() => "{}".to_owned(),
        Data::Map(entries) => {
            let one = |(k, v): (&std::sync::Arc<str>, &Value)| {
                let name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
                let plain = k.chars().all(name) && k.starts_with(|c: char| c.is_ascii_alphabetic());
                let key = if plain { k.to_string() } else { hcl::quote(k) };
                format!("{key} = {}", shown(v))
            };
            format!("{{ {} }}", entries.iter().map(one).collect::<Vec<_>>().join(", "))
        }
        Data::Number(number) if number.is_infinite() && number.is_negative() => {
            "(negative infinite number)".to_owned()
        }
        _ => hcl::to_hcl(&value.clone().unmark().0).unwrap_or_else(|| "(infinite number)".to_owned()),
    }
}
