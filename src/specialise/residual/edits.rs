//! Edits by file, before they are a set.

use crate::issue::{Code, Issue};
use crate::text::{Edit, EditError, EditSet, SourceId, Span};
use std::collections::BTreeMap;

/// The edits of one module, file by file.
pub type FileEdits = BTreeMap<SourceId, Vec<Edit>>;

/// Adds an edit; one that lies within it gives way.
pub fn replace(edits: &mut Vec<Edit>, edit: Edit) {
    if edits.iter().any(|e| e.span.contains(edit.span) && e.span != edit.span && !e.span.is_empty()) {
        return;
    }
    edits.retain(|e| !edit.span.contains(e.span) || (e.span.is_empty() && e.span.start == edit.span.end));
    edits.push(edit);
}

/// A text with all edits applied.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Issue> {
    applied(text, edits).map(|(_, text)| text)
}

/// The same, with the edits as a set.
pub fn applied(text: &str, edits: &[Edit]) -> Result<(EditSet, String), Issue> {
    let set = EditSet::of(edits.to_vec()).map_err(broken)?;
    let text = set.apply(text).map_err(broken)?;
    Ok((set, text))
}

/// A part of a text with the edits that lie in it. Edits are in bytes of the whole text.
pub fn apply_within(text: &str, part: Span, edits: &[Edit]) -> Result<String, Issue> {
    let own = edits.iter().filter(|e| part.contains(e.span));
    let own: Vec<Edit> = own.map(|e| e.clone().moved(|at| at - part.start)).collect();
    apply(text.get(part.range()).unwrap_or_default(), &own)
}

/// The issue for edits that can't be made.
pub fn broken(why: EditError) -> Issue {
    Issue::error(Code::Unsupported, "the changes to a file don't fit together", why.to_string())
}
