//! Source text: bytes, spans, lines, and edits as byte ranges on the original.
//!
//! Invariant: nothing outside an [`Edit`]'s range is ever re-encoded. Absent on purpose: any knowledge of HCL.

mod compose;
mod edit;
mod kept_back;
mod line_ends;
mod listing;
mod secret_forms;
mod secret_texts;
mod shell;
mod shorten;
mod source;
mod span;
mod three_way;
mod units;
mod visible;

pub use edit::{Edit, EditError, EditSet};
pub use kept_back::KeptBack;
pub use line_ends::{ends_in_crlf, to_stored, with_line_ends_of, with_newlines};
pub use listing::list_first;
pub use secret_texts::SecretTexts;
pub use shell::{git_path, shell_path, shell_quoted, shell_word};
pub use shorten::{shorten_apart, shorten_to_width};
pub use source::{LineCol, Place, SourceFile, SourceId, Sources};
pub use span::Span;
pub use three_way::MergedTexts;
pub use visible::{is_hidden, one_line, visible};
