//! Settings that are true or false, whatever decides them: the type of a value that isn't known lists all that there is.

use crate::eval::{At, Domain};
use crate::trace::{Alt, Frame, Guarded};
use crate::value::{Type, Value};

impl Frame<'_, '_> {
    /// A value as Terraform takes it for a setting that is true or false: what isn't known of a bool is nothing else, as null is an
    /// error there.
    pub fn either_way(&mut self, value: Guarded, at: At) -> Guarded {
        let is_open = |frame: &Self, alt: &Alt| {
            let open = alt.part.value().filter(|v| !v.is_known() && v.ty == Type::Bool);
            open.is_some_and(|v| frame.tracer.origins.term_of(v).is_some())
        };
        if !value.alts().iter().any(|alt| is_open(self, alt)) {
            return value;
        }
        self.by_alternative(&value, at, &mut |frame, alt| {
            if !is_open(frame, alt) {
                return Ok(alt.alone());
            }
            let mut yes = |frame: &mut Self| Domain::known(frame, Value::bool(true), at);
            let mut no = |frame: &mut Self| Domain::known(frame, Value::bool(false), at);
            Ok(frame.conditional(alt.alone(), at, &mut yes, &mut no, [true, true], at))
        })
    }
}
