//! What may come to stand in a file that is committed: of what decides a field in which a secret has a part, only what stands in the sources already.
//!
//! In: a configuration and what secrets have a part in. Out: whether gates and guards may be written. What a source compares something with, and the keys that it
//! writes out, are in the words of whoever wrote it; the value of a secret that is written out there, and what was computed or given, are not.

use super::found::Secrets;
use super::plain::PlainTexts;
use super::touched::Touched;
use super::veil::Veil;
use crate::addr::{FieldAddr, ModulePath};
use crate::cond::Condition;
use crate::config::Config;
use crate::gate::Gates;
use crate::specialise::Discretion;
use crate::syntax::parse_expr;
use crate::trace::{Guard, HopText, Hops, Subject, declared};
use crate::value::Value;

/// What may be written.
pub struct Writable<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// What isn't to be shown.
    pub secrets: &'a Secrets,
    /// What secrets have a part in.
    pub touched: &'a Touched,
    /// The values that `phi.hcl` lists.
    pub listed: Vec<&'a Value>,
}

impl Writable<'_> {
    fn holds(&self, value: &Value, pinned: &[&Value]) -> bool {
        pinned.contains(&value) || self.listed.contains(&value) || self.touched.is_in_sources(value)
    }

    /// Returns true if every constant in a text may be written.
    fn holds_all_of(&self, text: &str, pinned: &[&Value]) -> bool {
        let mut more = PlainTexts::default();
        pinned.iter().chain(&self.listed).for_each(|value| more.add_value(value));
        parse_expr(text).is_ok_and(|expr| self.touched.are_in_sources(&expr, &more))
    }

    fn holds_parts(&self, condition: &Condition, pinned: &[&Value]) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Existing(site) => self.holds_all_of(&site.text, pinned),
            Condition::Eq(site, value) => self.holds(value, pinned) && self.holds_all_of(&site.text, pinned),
            Condition::Not(part) => self.holds_parts(part, pinned),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().all(|part| self.holds_parts(part, pinned))
            }
        }
    }
}

impl Discretion for Writable<'_> {
    fn tells_in_gates(&self, fields: &[&FieldAddr], pinned: &[&Value], gates: &Gates) -> bool {
        if self.touched.is_empty() {
            return false;
        }
        let is_touched = fields.iter().any(|field| self.touched.has(field));
        gates.gates.iter().any(|gate| {
            let is_judged = is_touched || self.touched.is_told(&gates.scope, &gate.text);
            is_judged && !(self.holds_all_of(&gate.text, pinned) && self.holds_parts(&gate.condition, pinned))
        })
    }

    fn discreet_hops(&self, field: &FieldAddr, hops: &Hops) -> Hops {
        let (secrets, touched) = (self.secrets, self.touched);
        let hidden = secrets.hides(self.config, field);
        let veil = Veil { secrets, touched, is_touched: touched.has(field), hidden };
        veil.hops_where(hops, &|hop, place| match hop {
            // As in the gate.
            HopText::Arm(_, condition) if self.holds_parts(condition, &[]) => None,
            hop => veil.hop(hop, place),
        })
    }

    fn tells_in_guard(&self, fields: &[&FieldAddr], guard: &Guard) -> bool {
        if self.touched.is_empty() {
            return false;
        }
        let is_secret = match &guard.subject {
            Subject::Variable(name) => {
                let hidden = |name| self.config.root()?.variables.get(name).map(|v| v.is_hidden());
                hidden(declared(name)) != Some(false)
                    || parse_expr(&format!("var.{name}"))
                        .map_or(true, |expr| self.touched.is_named(&ModulePath::ROOT, &expr))
            }
            Subject::Data(attribute) => self.touched.has(attribute),
            Subject::Workspace => false,
        };
        let is_judged = is_secret || fields.iter().any(|field| self.touched.has(field));
        is_judged && !guard.values.iter().all(|value| self.holds(value, &[]))
    }
}
