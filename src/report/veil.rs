//! What a trace says of secrets is taken out of it: conditions that compare one, hops that name its value, and all of what is repeated by one.
//!
//! In: a report and what a configuration holds of secrets. Invariant: what is left is true, and says less. Absent on purpose: the field's own value
//! ([`TraceReport::conceal`]).

use super::outcome::{Found, HIDDEN, Row, TraceReport};
use crate::addr::ModulePath;
use crate::cond::{Condition, Site};
use crate::issue::Code;
use crate::pipeline::{KEYS_HOLD_SECRET, Secrets};
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

    /// Takes out of conditions and hops what they say of secrets. `hidden`: the value itself is one.
    pub fn conceal_secrets(&mut self, secrets: &Secrets, hidden: bool) {
        if secrets.is_empty() {
            return;
        }
        let veil = Veil { secrets, hidden };
        match &mut self.found {
            Found::Resolved(row) => veil.row(row),
            Found::Bounded { rows, selector, .. } => {
                rows.iter_mut().for_each(|row| veil.row(row));
                if rows.iter().any(|row| row.gate == HIDDEN) {
                    *selector = None;
                }
            }
            Found::Unbounded { .. } | Found::Error(_) => {}
        }
    }
}

struct Veil<'s> {
    secrets: &'s Secrets,
    hidden: bool,
}

impl Veil<'_> {
    fn row(&self, row: &mut Row) {
        if let Some(other) = self.condition(&row.condition) {
            row.condition = other;
            HIDDEN.clone_into(&mut row.gate);
        }
        row.path = self.hops(&row.path);
    }

    /// A condition without what it says of secrets; nothing where it says nothing of them.
    fn condition(&self, of: &Arc<Condition>) -> Option<Arc<Condition>> {
        let hidden =
            |site: &Site| Arc::new(Condition::Existing(Site { text: HIDDEN.into(), ..site.clone() }));
        match &**of {
            Condition::Always => None,
            Condition::Existing(site) => self.secrets.are_told(&site.scope, &site.text).then(|| hidden(site)),
            Condition::Eq(site, value) => {
                let told = match is_telling(value) {
                    true => self.is_named(&site.scope, &site.text),
                    false => self.secrets.are_told(&site.scope, &site.text),
                };
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

    fn is_named(&self, scope: &ModulePath, text: &str) -> bool {
        parse_expr(text).map_or(true, |expr| self.secrets.are_named(scope, &expr))
    }

    fn hops(&self, hops: &Hops) -> Hops {
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
                let keyed = self.secrets.has_secret_keys() && text.starts_with("GenIter");
                let told = self.hidden || named || keyed;
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
