//! What is said of how a field came to its value, without what that tells of secrets: conditions that compare one, and hops that name its value.
//!
//! In: conditions and hops, and what a configuration holds of secrets. Invariant: what is left is true, and says less. All that is shown or recorded of
//! how a value came about passes here. Absent on purpose: the field's own value.

use super::found::Secrets;
use super::touched::Touched;
use crate::addr::ModulePath;
use crate::cond::{Condition, Site};
use crate::syntax::parse_expr;
use crate::text::Place;
use crate::trace::{HopText, Hops, Reason};
use crate::value::{Data, Value};
use std::sync::Arc;

/// What stands in the place of a value that isn't shown.
pub const HIDDEN: &str = "(sensitive value)";

/// What is said of an error in an expression whose value isn't shown.
pub const ERROR_OF_SECRET: &str = "the value is sensitive, so that its error isn't shown";

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

    /// Returns true if a gate of a module says what a secret may be, or holds what doesn't stand beside something plain: its words are others than
    /// those of its condition.
    pub fn tells_in(&self, scope: &ModulePath, gate: &str) -> bool {
        let tells =
            || self.touched.is_told(scope, gate) || self.is_touched && !self.touched.is_plain_text(gate);
        gate != HIDDEN && tells()
    }

    /// Returns true if the value that a hop says doesn't stand beside something plain.
    fn is_told_by(&self, value: &str) -> bool {
        let value = value.trim_start_matches([' ', '=']);
        let is_number = || value.split_whitespace().any(|word| self.touched.is_told_by(word));
        !self.touched.is_plain_text(value)
            && (self.touched.is_quoted_in(value) || !value.contains('"') && is_number())
    }

    fn is_named(&self, scope: &ModulePath, text: &str) -> bool {
        parse_expr(text).map_or(true, |expr| self.touched.is_named(scope, &expr))
    }

    /// Returns true if words about a field that a secret has a part in quote what doesn't stand beside something plain.
    pub fn quotes(&self, words: &str) -> bool {
        self.is_touched && self.touched.is_quoted_in(words)
    }

    /// Returns true if the words of an error of such a field tell it, in quotes or without.
    pub fn is_told_in_error(&self, words: &str) -> bool {
        self.is_touched && self.touched.is_told_in_error(words)
    }

    /// Returns true if a reason may tell it: it quotes it, or holds the words of an error.
    pub fn is_told_in(&self, reason: &Reason) -> bool {
        self.is_touched && (reason.has_error || self.touched.is_quoted_in(&reason.why))
    }

    /// Hops without what they say of secrets. `under`: the condition under which they lead to a value. Where that isn't shown, they don't say it either.
    pub fn hops(&self, hops: &Hops, under: &Arc<Condition>) -> Hops {
        let is_kept_back = self.condition(under).is_some();
        self.hops_where(hops, &|hop, place| match hop {
            HopText::Evaluated(text, words) if is_kept_back => {
                Some(HopText::Concealed(text.get(..*words).unwrap_or_default().into()))
            }
            hop => self.hop(hop, place),
        })
    }

    /// Hops, some of them with another one in their place.
    pub(super) fn hops_where(
        &self,
        hops: &Hops,
        other: &dyn Fn(&HopText, Option<Place>) -> Option<HopText>,
    ) -> Hops {
        let all: Vec<(&HopText, Option<Place>)> = hops.iter().collect();
        let others: Vec<Option<HopText>> = all.iter().map(|(hop, place)| other(hop, *place)).collect();
        if others.iter().all(Option::is_none) {
            return hops.clone();
        }
        all.into_iter().zip(others).rfold(Hops::NONE, |rest, ((hop, place), other)| {
            rest.before(other.unwrap_or_else(|| hop.clone()), place)
        })
    }

    /// What takes the place of a hop; nothing where it says nothing of secrets.
    pub(super) fn hop(&self, hop: &HopText, place: Option<Place>) -> Option<HopText> {
        match hop {
            HopText::Literal(_) => {
                let told = self.hidden || place.is_some_and(|place| self.secrets.is_value_at(place));
                told.then(|| HopText::Concealed(format!("Prim {HIDDEN}").into()))
            }
            HopText::Arm(yes, condition) => {
                let other = self.condition(condition)?;
                Some(HopText::Concealed(HopText::Arm(*yes, other).to_string().into()))
            }
            HopText::Evaluated(text, words) => {
                let (said, value) = text.split_at_checked(*words).unwrap_or(("", text));
                let named = hop
                    .variable()
                    .is_some_and(|name| self.is_named(&ModulePath::ROOT, &format!("var.{name}")));
                let keyed = self.touched.has_keys() && text.starts_with("GenIter");
                // A key that something is picked by may be one that a secret made, whatever else has its name.
                let counts = said.trim_end().ends_with("count.index");
                let picked = self.is_touched && !counts && (value.ends_with(']') || self.is_told_by(value));
                (self.hidden || named || keyed || picked).then(|| HopText::Concealed(said.into()))
            }
            HopText::Said(text) | HopText::Concealed(text) => {
                let named = hop
                    .variable()
                    .is_some_and(|name| self.is_named(&ModulePath::ROOT, &format!("var.{name}")));
                let keyed = self.touched.has_keys() && text.starts_with("GenIter");
                let told = self.hidden || named || keyed || self.is_touched && self.quotes(text);
                if !told {
                    return None;
                }
                // The name of the step alone, where nothing tells its value from the rest.
                let begin = match text.find(" = ").or_else(|| text.find(" [")) {
                    Some(end) => text.get(..end),
                    None => text.split(' ').next().filter(|word| word.chars().all(char::is_alphabetic)),
                };
                let begin = begin.unwrap_or_default();
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
