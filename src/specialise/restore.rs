//! Un-specialising: the original text back, with what the user typed around it.
//!
//! A file that is still what was written is put back by offsets, byte for byte. In one that was edited, each piece that
//! was written is looked for in order; where one is missing or not to be told apart, nothing is guessed. What differs in
//! layout alone, as after `terraform fmt`, is still what was written.

use super::layout::Form;
use super::occurrences::Occurrences;
use super::record::{FileRecord, Record, Replaced, hash, unslashed};
use crate::issue::{Code, Issue};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What a file was before: its text, or nothing where it was created.
pub type Originals = BTreeMap<PathBuf, Option<String>>;

/// The tree as it was, file by file, for the files on record; `read` gives a file's text as it is now.
pub fn originals(
    record: &Record,
    read: &dyn Fn(&std::path::Path) -> Option<String>,
) -> (Originals, Vec<Issue>) {
    let mut out = Originals::new();
    let mut issues = Vec::new();
    for file in &record.files {
        let path = unslashed(&file.path);
        match (read(&path), file.created) {
            (None, true) => {
                out.insert(path, None);
            }
            (None, false) => {} // The user deleted it: there is nothing to put back.
            (Some(now), true) => {
                let shape = || file.shape.as_ref().is_some_and(|shape| *shape == hash(&Form::of(&now).text));
                if hash(&now) != file.sha256 && !shape() {
                    issues.push(edited(file, "It was written by tf-phi and changed since."));
                }
                out.insert(path, None);
            }
            (Some(now), false) => match original(file, &now) {
                Ok(text) => {
                    out.insert(path, Some(text));
                }
                Err(why) => issues.push(edited(file, &why)),
            },
        }
    }
    (out, issues)
}

/// A file's text before it was specialised, from its text now.
///
/// # Errors
/// A sentence where a piece that was written can't be found again.
pub fn original(file: &FileRecord, now: &str) -> Result<String, String> {
    let places = if hash(now) == file.sha256 { recorded(file, now) } else { None };
    let places = match places {
        Some(places) => places,
        None => searched(file, now)?,
    };
    let mut out = String::with_capacity(now.len());
    let mut at = 0;
    for ((start, end), piece) in places.into_iter().zip(&file.replaced) {
        out.push_str(now.get(at..start).unwrap_or(""));
        out.push_str(&piece.original);
        at = end;
    }
    out.push_str(now.get(at..).unwrap_or(""));
    Ok(out)
}

/// The recorded places, where the text there is what was written.
fn recorded(file: &FileRecord, now: &str) -> Option<Vec<(usize, usize)>> {
    let place = |p: &Replaced| (p.at, p.at + p.written.len());
    file.replaced
        .iter()
        .map(|p| now.get(p.at..).is_some_and(|t| t.starts_with(&p.written)).then(|| place(p)))
        .collect()
}

/// The places of all pieces in an edited text.
fn searched(file: &FileRecord, now: &str) -> Result<Vec<(usize, usize)>, String> {
    let mut at = 0;
    let form = OnceCell::new();
    let mut laid_out: Option<Occurrences<'_>> = None;
    let mut index = Occurrences::of(now);
    let mut later: FxHashMap<&str, usize> = FxHashMap::default();
    for piece in &file.replaced {
        *later.entry(&piece.written).or_default() += 1;
    }
    let mut out = Vec::with_capacity(file.replaced.len());
    for piece in &file.replaced {
        // Those that are left, this one included.
        let left = later.entry(&piece.written).or_default();
        let again = *left;
        *left = left.saturating_sub(1);
        let first = piece.written.lines().next().unwrap_or("");
        if piece.written.is_empty() {
            return Err(
                "Text was deleted from it, and the place can't be found again after the edit.".to_owned()
            );
        }
        let Some((found, occurrences)) = index.from(&piece.written, at) else {
            let form = form.get_or_init(|| Form::of(now));
            let index = laid_out.get_or_insert_with(|| Occurrences::of(&form.text));
            let place = form.find(index, &Form::of(&piece.written), at);
            let place =
                place.ok_or_else(|| format!("This is not there any more as it was written: {first}"))?;
            out.push(place);
            at = place.1;
            continue;
        };
        if occurrences != again {
            return Err(format!("This stands there more often than it was written: {first}"));
        }
        at = found + piece.written.len();
        out.push((found, at));
    }
    Ok(out)
}

fn edited(file: &FileRecord, why: &str) -> Issue {
    Issue::error(Code::Edited, "a file that tf-phi wrote was edited, and can't be put back", why)
        .in_path(file.path.clone())
        .fix("Take the edit back, run `tf-phi restore`, and make it in the original text.", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(original: &str, written: &str) -> FileRecord {
        let piece = |at, w: &str, o: &str| Replaced { at, written: w.into(), original: o.into() };
        assert_eq!(original, "a OLD b OLD c");
        FileRecord {
            path: "main.tf".into(),
            created: false,
            sha256: hash(written),
            shape: None,
            replaced: vec![piece(2, "NEW1", "OLD"), piece(9, "NEW2", "OLD")],
        }
    }

    #[test]
    fn unchanged_text_comes_back_exactly() {
        let file = record("a OLD b OLD c", "a NEW1 b NEW2 c");
        assert_eq!(original(&file, "a NEW1 b NEW2 c").unwrap(), "a OLD b OLD c");
    }

    #[test]
    fn edits_around_are_kept() {
        let file = record("a OLD b OLD c", "a NEW1 b NEW2 c");
        assert_eq!(original(&file, "# hi\na NEW1 bb NEW2 c!").unwrap(), "# hi\na OLD bb OLD c!");
        assert!(original(&file, "a NEW b NEW2 c").is_err());
        assert!(original(&file, "a NEW1 b NEW2 c NEW1").is_err());
    }
}
