//! Conversion of a value to a variable's type, with defaults filled in.

use super::Variable;
use crate::value::{Mark, Value, ValueError, convert};

/// A value has no more parts. Defaults of optional attributes multiply.
const MOST_PARTS: usize = 1 << 20;

/// Nor have the values of all environments together.
const MOST_IN_ALL: usize = 1 << 22;

/// How many parts the values of all environments may still have.
#[derive(Clone, Copy, Debug)]
pub struct PartsLeft(usize);

impl Default for PartsLeft {
    fn default() -> PartsLeft {
        PartsLeft(MOST_IN_ALL)
    }
}

impl PartsLeft {
    /// Takes the parts of a value off.
    ///
    /// # Errors
    /// Returns an error if there are more than are left.
    pub fn take(&mut self, value: &Value) -> Result<(), ValueError> {
        match parts(value, self.0) {
            Some(parts) => {
                self.0 -= parts;
                Ok(())
            }
            None => {
                let why = format!(
                    "the values of all environments together have more than {MOST_IN_ALL} parts, defaults included, and this one is left out"
                );
                Err(ValueError::limit(why))
            }
        }
    }
}

/// Returns the number of parts of a value; nothing if it is larger than `most`.
fn parts(value: &Value, most: usize) -> Option<usize> {
    let mut count = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        count += 1;
        if count > most {
            return None;
        }
        open.extend(value.parts());
    }
    Some(count)
}

impl Variable {
    /// The value as expressions see it: defaults of optional attributes filled in, converted to the variable's type,
    /// marked where the variable is sensitive or ephemeral (Terraform's `prepareFinalInputVariableValue`).
    ///
    /// # Errors
    /// Returns an error if the value can't be converted, or is too large with its defaults.
    pub fn accept(&self, value: &Value) -> Result<Value, ValueError> {
        let filled = match &self.defaults {
            Some(defaults) if !value.is_null() => {
                let filled = defaults.apply(value);
                if parts(&filled, MOST_PARTS).is_none() {
                    let why = format!("with the defaults of its type it has more than {MOST_PARTS} parts");
                    return Err(ValueError::limit(why));
                }
                filled
            }
            _ => value.clone(),
        };
        let mut value = convert::convert(&filled, &self.ty)?;
        if self.sensitive {
            value = value.with_mark(Mark::Sensitive);
        }
        if self.ephemeral {
            value = value.with_mark(Mark::Ephemeral);
        }
        Ok(value)
    }
}
