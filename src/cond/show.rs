//! Conditions in reports and records: `Not(Existing(var.env == "prod"))`.
//!
//! Input: a condition and how to write a value. Invariant: always is written as the boolean expression `true`.
//! Deliberately absent: how values are written, and what of them is secret; the caller's closure decides that. So is the
//! JSON of the trace contract, which is the report's.

use super::condition::Condition;
use crate::value::Value;
use std::fmt;
use std::sync::Arc;

/// A condition with a way to write values, for `{}`.
pub struct Shown<'a> {
    /// The condition to write.
    pub condition: &'a Condition,
    /// The text of a value.
    pub value: &'a dyn Fn(&Value) -> String,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |condition| Shown { condition, value: self.value };
        match self.condition {
            Condition::Always => f.write_str("Existing(true)"),
            Condition::Existing(site) => write!(f, "Existing({})", site.text),
            Condition::Not(inner) => write!(f, "Not({})", part(inner)),
            Condition::Eq(site, value) => write!(f, "Eq({}, {})", site.text, (self.value)(value)),
            Condition::And(parts) => list(f, "And", parts, self.value),
            Condition::Or(parts) => list(f, "Or", parts, self.value),
        }
    }
}

fn list(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    parts: &[Arc<Condition>],
    value: &dyn Fn(&Value) -> String,
) -> fmt::Result {
    write!(f, "{name}(")?;
    for (i, condition) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{}", Shown { condition, value })?;
    }
    f.write_str(")")
}
