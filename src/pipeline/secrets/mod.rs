//! What isn't to be shown although no mark says so: the values of arguments that are secret by their names, of what they come from, and of all that they go to.
//!
//! In: a configuration. Out: whether a field, a variable, or what repeats a declaration holds a secret. Backwards from a secret argument to what its value comes from, what hands it on as it is or
//! in another form counts, and not what is only a part of a text. Forwards from these everything counts that an expression names, whatever construct it
//! stands in (see [`shape`]). Absent on purpose: values, and marks, which travel with values themselves.

mod call;
mod compared;
mod constants;
mod dynamics;
mod each;
mod files;
mod flow;
mod found;
mod marked_outputs;
mod members;
mod named;
mod roots;
mod route;
mod settings;
mod shape;
mod parts;
mod places;
mod plain;
mod repeats;
mod sites;
mod stand_ins;
mod source_texts;
mod told;
mod touched;
mod unread;
mod veil;
mod writable;
mod written;

pub use found::{KEYS_HOLD_SECRET, Secrets};
pub use stand_ins::Before;
pub use told::told_texts;
pub use touched::{PART_OF_SECRET, Touched};
pub use unread::unread_literals;
pub use veil::{ERROR_OF_SECRET, HIDDEN, Veil};
pub use writable::Writable;

use super::every_field;
use crate::config::Config;
use crate::host::threads;
use flow::Flow;
use stand_ins::StandIns;

impl Secrets {
    /// Finds them. `before`: the configuration whose declarations services replaced, where they did.
    pub fn of(config: &Config, before: Option<&Before<'_>>) -> Secrets {
        let known = before.map(|before| StandIns::of(before, &Secrets::of(before.config, None), config));
        threads::inside(|| {
            let all = every_field::all(config);
            let mut flow = Flow::of(config, &all, false);
            if let Some(known) = &known {
                flow.open_stand_ins(known, &all);
            }
            flow.go_back();
            flow.open_marked_outputs();
            let led_to = flow.held();
            if let Some(known) = &known {
                flow.start_from(known.held.iter().cloned());
            }
            let mut secrets = match flow.is_empty() {
                true => Secrets::default(),
                false => {
                    let written = flow.written();
                    flow.go_on();
                    Secrets { written: written.into_iter().collect(), led_to, ..flow.found() }
                }
            };
            secrets.all |= known.is_some_and(|known| known.all);
            if !flow.is_empty() || touched::has_marks(config) {
                flow.start_from(touched::marked_secrets(config));
                flow.go_on();
                secrets.compared = flow.compared(&secrets, &all).into_iter().collect();
            }
            secrets
        })
    }
}
