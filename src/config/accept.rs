//! Conversion of a value to a variable's type, with defaults filled in.

use super::Variable;
use crate::value::{Mark, Value, ValueError, convert};

impl Variable {
    /// The value as expressions see it: defaults of optional attributes filled in, converted to the variable's type,
    /// marked where the variable is sensitive or ephemeral (Terraform's `prepareFinalInputVariableValue`).
    ///
    /// # Errors
    /// Returns an error if the value can't be converted.
    pub fn accept(&self, value: &Value) -> Result<Value, ValueError> {
        let filled = match &self.defaults {
            Some(defaults) if !value.is_null() => defaults.apply(value),
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
