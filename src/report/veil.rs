//! What a trace says of secrets is taken out of it: conditions that compare one, hops that name its value, and all of what is repeated by one.
//!
//! In: a report and what a configuration holds of secrets. Invariant: what is left is true, and says less. Absent on purpose: the field's own value
//! ([`TraceReport::conceal`]).

use super::outcome::{ERROR_OF_SECRET, Found, HIDDEN, Row, TraceReport};
use crate::addr::ModulePath;
use crate::cond::{Condition, Site};
use crate::issue::Code;
use crate::pipeline::{KEYS_HOLD_SECRET, PART_OF_SECRET, Secrets, Touched};
use crate::syntax::parse_expr;
use crate::text::Place;
use crate::trace::{HopText, Hops};
use crate::value::{Data, Value};
use std::sync::Arc;

impl TraceReport {
    /// Says of what is repeated by a secret only that it is.
    pub fn conceal_keys(&mut self) {
        if !matches!(self.found, Found::Error(_)) {
            let why = KEYS_HOLD_SECRET.to_owned();
            self.found = Found::Unbounded { code: Code::Sensitive, why, place: None, fixes: Vec::new() };
        }
    }

    /// Takes out of conditions and hops what they say of secrets.
    pub fn conceal_secrets(&mut self, veil: &Veil<'_>) {
        if veil.secrets.is_empty() && veil.touched.is_empty() {
            return;
        }
        match &mut self.found {
            Found::Resolved(row) => veil.row(row),
            Found::Bounded { rows, selector, .. } => {
                rows.iter_mut().for_each(|row| veil.row(row));
                if rows.iter().any(|row| row.gate == HIDDEN) {
                    *selector = None;
                }
            }
            Found::Unbounded { why, .. } if veil.quotes(why) => PART_OF_SECRET.clone_into(why),
            Found::Error(e) if veil.quotes(&e.message) => e.message = ERROR_OF_SECRET.into(),
            Found::Unbounded { .. } | Found::Error(_) => {}
        }
    }
}

/// What is taken out of a report of one field.
#[derive(Clone, Copy, Debug)]
pub struct Veil<'s> {
    /// What isn't to be shown.
    pub secrets: &'s Secrets,
    /// What that has a part in.
    pub touched: &'s Touched,
    /// True if it has one in the field.
    pub is_touched: bool,
    /// True if the field's value itself isn't to be shown.
    pub hidden: bool,
}

impl Veil<'_> {
    fn row(&self, row: &mut Row) {
        if let Some(other) = self.condition(&row.condition) {
            row.condition = other;
            HIDDEN.clone_into(&mut row.gate);
        }
        if self.tells_in(&row.gate) {
            HIDDEN.clone_into(&mut row.gate);
        }
        row.path = self.hops(&row.path);
    }

    /// A condition without what it says of secrets; nothing where it says nothing of them.
    pub fn condition(&self, of: &Arc<Condition>) -> Option<Arc<Condition>> {
        let hidden =
            |site: &Site| Arc::new(Condition::Existing(Site { text: HIDDEN.into(), ..site.clone() }));
        match &**of {
            Condition::Always => None,
            Condition::Existing(site) => self.tells(site).then(|| hidden(site)),
            Condition::Eq(site, value) => {
                let told = self.tells(site)
                    || is_telling(value) && self.is_named(&site.scope, &site.text)
                    || self.is_touched && !self.touched.is_plain(value);
                told.then(|| hidden(site))
            }
            Condition::Not(part) => Some(Condition::negate(&self.condition(part)?)),
            Condition::And(parts) => self.parts(parts).map(Condition::all),
            Condition::Or(parts) => self.parts(parts).map(Condition::any),
        }
    }

    fn parts(&self, parts: &[Arc<Condition>]) -> Option<Vec<Arc<Condition>>> {
        let others: Vec<Option<Arc<Condition>>> = parts.iter().map(|part| self.condition(part)).collect();
        if others.iter().all(Option::is_none) {
            return None;
        }
        Some(
            others
                .into_iter()
                .zip(parts)
                .map(|(other, part)| other.unwrap_or_else(|| part.clone()))
                .collect(),
        )
    }

    /// Returns true if the text of a site says what a secret may be.
    fn tells(&self, site: &Site) -> bool {
        self.touched.is_told(&site.scope, &site.text)
            || self.is_touched && !self.touched.is_plain_text(&site.text)
    }

    /// Returns true if a gate holds what doesn't stand beside something plain: its words are others than those of its condition.
    pub fn tells_in(&self, gate: &str) -> bool {
        self.is_touched && gate != HIDDEN && !self.touched.is_plain_text(gate)
    }

    fn is_named(&self, scope: &ModulePath, text: &str) -> bool {
        parse_expr(text).map_or(true, |expr| self.touched.is_named(scope, &expr))
    }

    /// Returns true if words about a field that a secret has a part in quote what doesn't stand beside something plain.
    pub fn quotes(&self, words: &str) -> bool {
        self.is_touched && self.touched.is_quoted_in(words)
    }

    /// Hops without what they say of secrets.
    pub fn hops(&self, hops: &Hops) -> Hops {
        let all: Vec<(&HopText, Option<Place>)> = hops.iter().collect();
        let others: Vec<Option<HopText>> = all.iter().map(|(hop, place)| self.hop(hop, *place)).collect();
        if others.iter().all(Option::is_none) {
            return hops.clone();
        }
        all.into_iter().zip(others).rfold(Hops::NONE, |rest, ((hop, place), other)| {
            rest.before(other.unwrap_or_else(|| hop.clone()), place)
        })
    }

    /// What takes the place of a hop; nothing where it says nothing of secrets.
    fn hop(&self, hop: &HopText, place: Option<Place>) -> Option<HopText> {
        match hop {
            HopText::Literal(_) => {
                let told = self.hidden || place.is_some_and(|place| self.secrets.is_written_at(place));
                told.then(|| HopText::Concealed(format!("Prim {HIDDEN}").into()))
            }
            HopText::Arm(yes, condition) => {
                let other = self.condition(condition)?;
                Some(HopText::Concealed(HopText::Arm(*yes, other).to_string().into()))
            }
            HopText::Said(text) | HopText::Concealed(text) => {
                let named = hop
                    .variable()
                    .is_some_and(|name| self.is_named(&ModulePath::ROOT, &format!("var.{name}")));
                let keyed = self.touched.has_keys() && text.starts_with("GenIter");
                let told = self.hidden || named || keyed || self.is_touched && self.quotes(text);
                let end = text.find(" = ").or_else(|| text.find(" [")).filter(|_| told);
                let begin = match end {
                    None if self.hidden && text.starts_with("Prim ") => "Prim",
                    end => text.get(..end?).unwrap_or_default(),
                };
                Some(HopText::Concealed(begin.into()))
            }
            _ => None,
        }
    }
}

/// Returns true for a value that says something of what equals it.
fn is_telling(value: &Value) -> bool {
    !(value.is_null() || matches!(value.data, Data::Bool(_)) || value.as_str() == Some(""))
}
