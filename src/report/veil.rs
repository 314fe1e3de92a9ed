//! What a trace says of secrets is taken out of it: conditions that compare one, hops that name its value, and all of what is repeated by one.
//!
//! In: a report and what a configuration holds of secrets. Invariant: what is left is true, and says less. Absent on purpose: the field's own value
//! ([`TraceReport::conceal`]).

use super::issue::discreet_fix;
use super::outcome::{ERROR_OF_SECRET, Found, HIDDEN, Row, TraceReport, concealed_where};
use crate::cond::{Condition, Site};
use crate::issue::Code;
use crate::pipeline::{KEYS_HOLD_SECRET, PART_OF_SECRET, Veil};
use crate::text::Sources;
use crate::trace::{Trace, Traced};
use std::borrow::Cow;

impl TraceReport {
    /// Says of what is repeated by a secret only that it is.
    pub fn conceal_keys(&mut self) {
        if !matches!(self.found, Found::Error(_)) {
            let why = KEYS_HOLD_SECRET.to_owned();
            self.found = Found::Unbounded { code: Code::Sensitive, why, place: None, fixes: Vec::new() };
        }
    }

    /// Takes out of words about it what they quote of secrets, and ways out that can't be pasted without one.
    pub fn conceal_words(&mut self, sources: &Sources) {
        match &mut self.found {
            Found::Unbounded { why, fixes, .. } => {
                *why = sources.conceal(why).into_owned();
                *fixes = fixes.iter().map(|fix| discreet_fix(fix, sources)).collect();
            }
            Found::Error(e) => {
                if let Cow::Owned(message) = sources.conceal(&e.message) {
                    e.message = message.into();
                }
            }
            Found::Resolved(row) => conceal_words_of(row, sources),
            Found::Bounded { rows, selector, .. } => {
                rows.iter_mut().for_each(|row| conceal_words_of(row, sources));
                *selector = selector.take().filter(|text| matches!(sources.conceal(text), Cow::Borrowed(_)));
            }
        }
    }

    /// Takes out of conditions and hops what they say of secrets.
    pub fn conceal_secrets(&mut self, veil: &Veil<'_>, trace: &Trace) {
        if veil.secrets.is_empty() && veil.touched.is_empty() {
            return;
        }
        match &mut self.found {
            Found::Resolved(row) => conceal_in_row(veil, row),
            Found::Bounded { rows, selector, .. } => {
                rows.iter_mut().for_each(|row| conceal_in_row(veil, row));
                if rows.iter().any(|row| row.gate == HIDDEN) {
                    *selector = None;
                    self.rounded_from = None;
                }
            }
            Found::Unbounded { why, .. } if veil.quotes(why) || is_told(veil, trace) => {
                PART_OF_SECRET.clone_into(why)
            }
            Found::Error(e) if veil.is_told_in_error(&e.message) => e.message = ERROR_OF_SECRET.into(),
            Found::Unbounded { .. } | Found::Error(_) => {}
        }
    }
}

/// Returns true if the reason of a trace may tell of a secret.
fn is_told(veil: &Veil<'_>, trace: &Trace) -> bool {
    match &trace.result {
        Traced::Unbounded(reason) => veil.is_told_in(reason),
        _ => trace.per_entry.as_ref().is_some_and(|per_entry| veil.is_told_in(&per_entry.reason)),
    }
}

/// Takes out of the hops and the condition of a row what they quote of secrets, as a key that something is picked by.
fn conceal_words_of(row: &mut Row, sources: &Sources) {
    let is_quoting = |text: &str| matches!(sources.conceal(text), Cow::Owned(_));
    row.path = concealed_where(&row.path, &|text| match sources.conceal(text) {
        Cow::Owned(other) => Some(other),
        Cow::Borrowed(_) => None,
    });
    let sites = row.condition.sites();
    if !is_quoting(&row.gate) && !sites.iter().any(|site| is_quoting(&site.text)) {
        return;
    }
    HIDDEN.clone_into(&mut row.gate);
    if let Some(site) = sites.first().copied().cloned() {
        row.condition = Condition::Existing(Site { text: HIDDEN.into(), ..site }).into();
    }
}

/// Takes out of a row what it says of secrets.
fn conceal_in_row(veil: &Veil<'_>, row: &mut Row) {
    row.path = veil.hops(&row.path, &row.condition);
    if let Some(other) = veil.condition(&row.condition) {
        row.condition = other;
        HIDDEN.clone_into(&mut row.gate);
    }
    if veil.tells_in(&row.module, &row.gate) {
        HIDDEN.clone_into(&mut row.gate);
    }
}
