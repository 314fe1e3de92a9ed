//! Edits by file, before they are a set.

use crate::issue::{Code, Issue};
use crate::text::{Edit, EditSet, SourceId};
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
    let set = EditSet::of(edits.to_vec()).map_err(|e| broken(&e.to_string()))?;
    set.apply(text).map_err(|e| broken(&e.to_string()))
}

fn broken(why: &str) -> Issue {
    Issue::error(Code::Unsupported, "the changes to a file don't fit together", why)
}
