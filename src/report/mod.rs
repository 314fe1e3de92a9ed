//! The only stage that prints.
//!
//! Input: findings, traces and texts as data. Output: text for people, JSON for programs (`format_version` 1.0, a public
//! contract). Invariants: Terraform's stdout is never mixed with ours; colour only where a terminal reads; a closed pipe
//! ends nothing; a value of a sensitive variable is not quoted. Deliberately absent: any decision on what a finding
//! means, and the exit status.

pub mod console;
pub mod diff;
mod document;
pub mod doctor;
mod excerpt;
pub mod explain;
mod fixes;
pub mod formats;
pub mod guard;
pub mod graph;
mod html;
pub mod issue;
mod json_text;
pub mod losses;
mod markdown;
pub mod matrix;
pub mod outcome;
pub mod page;
pub mod pane;
pub mod progress;
pub mod review;
pub mod roots;
pub mod schema;
pub mod services;
pub mod style;
pub mod suggest;
pub mod summary;
pub mod table;
pub mod trace_json;
pub mod trace_text;
pub mod validate;
#[cfg(test)]
mod testing;
mod way;
mod veil;
mod withheld;
mod wrap;

pub use console::Console;
pub use formats::Group;
pub use guard::Reader;
pub use outcome::{Found, Row, TraceReport};
pub use style::Style;
pub use way::negation;
