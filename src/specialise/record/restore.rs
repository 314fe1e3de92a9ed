//! Un-specialising: the original text back, with what the user typed around it.
//!
//! A file that is still what was written is put back by offsets, byte for byte. In one that was edited, each piece that
//! was written is looked for in order; where one is missing or not to be told apart, nothing is guessed. What differs in
//! comments, blank lines and layout alone, as after `terraform fmt`, is still what was written; what becomes of such comments is
//! no matter of this file (see [`crate::specialise::record::typed`]).

use crate::config::paths::join;
use crate::issue::{Code, Issue};
use crate::specialise::record::edited_line::{Edit, find_edited_piece, is_free};
use crate::specialise::record::given_back;
use crate::specialise::record::lines::has_marks;
use crate::specialise::record::occurrences::Occurrences;
use crate::specialise::record::{FileRecord, Record, Replaced, hash, slashed, unslashed};
use crate::specialise::written::bare::{self, Bare, Element, Kind, Syntax};
use crate::specialise::written::head::origin_of;
use crate::text::{shell_path, to_stored, with_line_ends_of, with_newlines};
use rustc_hash::FxHashMap;
use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The original text of each file; `None` for a created one.
pub type Originals = BTreeMap<PathBuf, Option<String>>;

/// The tree as it was, file by file, for the files on record; `read` gives a file's text as it is now, `link` what a symbolic link
/// says.
pub fn originals(
    record: &Record,
    read: &dyn Fn(&Path) -> Option<String>,
    link: &dyn Fn(&Path) -> Option<PathBuf>,
) -> (Originals, Vec<Issue>) {
    let mut out = Originals::new();
    let mut issues = Vec::new();
    let mut unlinked = Vec::new();
    for file in &record.files {
        let path = unslashed(&file.path);
        // What stands behind a link of ours is the user's to edit.
        if file.created && file.link.is_some() && link(&path) == file.link.as_ref().map(PathBuf::from) {
            out.insert(path, None);
            continue;
        }
        match (read(&path), file.created) {
            (None, true) => {
                out.insert(path, None);
            }
            (None, false) => {} // The user deleted it: there is nothing to put back.
            (Some(now), true) if file.link.as_ref() == Some(&now) => {
                unlinked.push(file);
                out.insert(path, None);
            }
            (Some(now), true) => {
                if !file.is_as_written(&now) && !file.is_shaped(&now) && !file.is_made_by_merge(&now) {
                    issues.push(edited_copy(file, &now));
                }
                out.insert(path, None);
            }
            (Some(now), false) => match original(file, &now) {
                Ok(text) => {
                    out.insert(path, Some(text));
                }
                Err(why) if has_marks(&now) => issues.push(in_conflict(file, &why)),
                Err(_) if is_hidden_by_line_ends(file, &now) => issues.push(of_two_line_ends(file)),
                Err(why) => issues.push(edited_at(file, &why, find_edited_piece(file, &now))),
            },
        }
    }
    issues.extend(unlinked.first().map(|first| said(first, unlinked.len())));
    (out, issues)
}

/// A file's text before it was specialised, from its text now. Where Git gave the original back, that is the text now.
///
/// # Errors
/// A sentence where a piece that was written can't be found again.
pub fn original(file: &FileRecord, now: &str) -> Result<String, String> {
    let stored = to_stored(now);
    if stored.len() < now.len() && file.replaced.iter().all(|piece| !piece.written.contains('\r')) {
        return original(file, &stored).map(|text| with_line_ends_of(text, now));
    }
    if given_back::is_original(file, now) {
        return Ok(now.to_owned());
    }
    let places = match places(file, now) {
        Ok(places) => places,
        Err(_)
            if given_back::is_changed_original(file, now) || given_back::is_earlier_original(file, now) =>
        {
            return Ok(now.to_owned());
        }
        Err(why) => return Err(why),
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

/// Returns the places of the pieces that were written, in order.
///
/// # Errors
/// A sentence where one can't be found again.
pub(in crate::specialise) fn places(file: &FileRecord, now: &str) -> Result<Vec<(usize, usize)>, String> {
    let places = if hash(now) == file.sha256 { recorded(file, now) } else { None };
    if let Some(places) = places {
        return Ok(places);
    }
    let pieces = |text: &dyn Fn(&Replaced) -> String| file.replaced.iter().map(text).collect::<Vec<String>>();
    let exact = pieces(&|piece| piece.written.clone());
    let mut exact = Search::of(now, &exact);
    let syntax = Syntax::of(&unslashed(&file.path));
    // Only where something isn't there as it was written.
    let form = LazyCell::new(|| syntax.map(|syntax| Loose { form: Bare::of(now, syntax), syntax }));
    let there = LazyCell::new(|| syntax.map_or_else(Vec::new, |syntax| bare::elements(now, syntax)));
    let bare =
        pieces(&|piece| syntax.map_or_else(String::new, |syntax| Bare::of(&piece.written, syntax).text));
    let mut loose: Option<Search<'_>> = None;
    let (mut at, mut end) = (0, 0);
    let mut out = Vec::with_capacity(file.replaced.len());
    for (i, piece) in file.replaced.iter().enumerate() {
        let place = match exact.only(i, at) {
            Ok(found) => (found, found + piece.written.len()),
            Err(why) => {
                let said = why.said(piece);
                let form = form.as_ref().ok_or_else(|| said.clone())?;
                let search = loose.get_or_insert_with(|| Search::of(&form.form.text, &bare));
                let from = form.form.from(at);
                // What was written right behind the piece before stands there still.
                let found =
                    if i > 0 && piece.at == end { search.next(i, from) } else { search.only(i, from) };
                let found = found.map_err(|_| said.clone())?;
                let inner = form.form.place(found, found + bare.get(i).map_or(0, String::len)).ok_or(said)?;
                outer((now, &there), inner, at, (piece, form.syntax))
            }
        };
        let place = in_one_line((now, &there), place, at, piece);
        (at, end) = (place.1, piece.at + piece.written.len());
        out.push(place);
    }
    Ok(out)
}

/// The line at which a byte of the original stands now; of what was replaced, the first line that was written for it.
pub fn find_line(file: &FileRecord, now: &str, offset: usize) -> Option<usize> {
    let now = &*to_stored(now);
    let line_of = |at: usize| Some(now.get(..at)?.matches('\n').count() + 1);
    // How far the original and what stands there have been followed.
    let (mut before, mut end) = (0, 0);
    for (place, piece) in places(file, now).ok()?.into_iter().zip(&file.replaced) {
        let kept = place.0.checked_sub(end)?;
        if offset < before + kept {
            return line_of(end + (offset - before));
        }
        before += kept + piece.original.len();
        if offset < before {
            let written = now.get(place.0..place.1)?;
            return Some(line_of(place.0)? + written.lines().take_while(|line| is_free(line)).count());
        }
        end = place.1;
    }
    line_of(end + (offset - before))
}

/// Returns true if all that was written into a file stands there, to the byte and in order.
pub(super) fn stands(file: &FileRecord, now: &str) -> bool {
    let pieces: Vec<String> = file.replaced.iter().map(|piece| piece.written.clone()).collect();
    let mut search = Search::of(now, &pieces);
    let mut at = 0;
    (0..pieces.len()).all(|i| match search.only(i, at) {
        Ok(found) => {
            at = found + pieces.get(i).map_or(0, String::len);
            true
        }
        Err(_) => false,
    })
}

/// Returns true if the pieces of a file are found by their texts where they stand, and are known to be gone where Git gave the original
/// back: then neither places nor the whole need be on record.
pub(super) fn is_told_by_text(file: &FileRecord, written: &str) -> bool {
    let unplaced = FileRecord { sha256: String::new(), ..file.clone() };
    let are_found = places(&unplaced, written).ok() == recorded(file, written);
    // Among comments that somebody types between them, only their places say that two pieces followed each other.
    let mut pairs = file.replaced.iter().zip(file.replaced.iter().skip(1));
    let are_apart = pairs.all(|(one, next)| one.at + one.written.len() != next.at);
    are_found && are_apart && given_back::is_told_apart(file, written)
}

/// A text without comments, blank lines and layout.
struct Loose {
    form: Bare,
    syntax: Syntax,
}

/// The place of a piece whose lines were one before. What was typed at its ends goes with it: a comment would take along what comes
/// back behind it, a line end would break the line.
fn in_one_line(
    (now, there): (&str, &[Element]),
    (mut start, mut end): (usize, usize),
    least: usize,
    piece: &Replaced,
) -> (usize, usize) {
    // What was inserted may be whole lines.
    let is_whole = piece.original.is_empty();
    if is_broken(&piece.written) && !is_broken(&piece.original) {
        let before = there.partition_point(|e| e.start < start);
        for element in there.get(..before).unwrap_or_default().iter().rev() {
            let ends = element.kind == Kind::Newline && is_whole;
            let touches = now.get(element.end..start).is_some_and(|t| t.trim().is_empty());
            if element.counts() || ends || element.start < least || !touches {
                break;
            }
            start = element.start;
        }
    }
    if is_broken_behind(&piece.written) && !is_broken_behind(&piece.original) && !is_whole {
        let behind = there.partition_point(|e| e.start < end);
        let free = there.get(behind..).unwrap_or_default().iter().take_while(|e| !e.counts());
        end = free.last().map_or(end, |e| e.end);
    }
    (start, end)
}

/// Returns true if a line ends before the first token.
fn is_broken(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// Returns true if one ends behind the last token.
fn is_broken_behind(text: &str) -> bool {
    text.trim_end_matches([' ', '\t']).ends_with('\n')
}

/// The number of characters of a written piece that are quoted.
const SHOWN: usize = 80;

/// Begins the sentence about what is gone.
const GONE: &str = "This is not there any more as it was written: ";

/// The reason why a piece isn't found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unfound {
    Empty,
    Gone,
    Often,
}

impl Unfound {
    fn said(self, piece: &Replaced) -> String {
        let first = shown(&piece.written);
        match self {
            Unfound::Empty => {
                "Text was deleted from it, and the place can't be found again after the edit.".to_owned()
            }
            Unfound::Gone => format!("{GONE}{first}"),
            Unfound::Often => {
                let original = piece.original.trim();
                let instead = match original.is_empty() || original.contains('\n') {
                    true => String::new(),
                    false => format!(". In what was copied from there, write {original} instead."),
                };
                format!("This stands there more often than it was written: {first}{instead}")
            }
        }
    }
}

/// Returns the quoted part of a piece: the first line that isn't a comment, shortened.
fn shown(written: &str) -> String {
    let mut lines = written.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or_default();
    let line = lines.find(|line| !line.starts_with(['#', '/', '*'])).unwrap_or(first);
    match line.chars().count() > SHOWN {
        true => line.chars().take(SHOWN).chain(['…']).collect(),
        false => line.to_owned(),
    }
}

/// A search for pieces in a text.
struct Search<'t> {
    index: Occurrences<'t>,
    pieces: &'t [String],
    /// The number of equal pieces from each piece on, including itself.
    left: Vec<usize>,
}

impl<'t> Search<'t> {
    fn of(text: &'t str, pieces: &'t [String]) -> Search<'t> {
        let mut later: FxHashMap<&str, usize> = FxHashMap::default();
        let mut left: Vec<usize> = Vec::with_capacity(pieces.len());
        for piece in pieces.iter().rev() {
            let count = later.entry(piece).or_default();
            *count += 1;
            left.push(*count);
        }
        left.reverse();
        Search { index: Occurrences::of(text), pieces, left }
    }

    /// The place of a piece that nothing stands before, from a byte on.
    fn next(&mut self, piece: usize, from: usize) -> Result<usize, Unfound> {
        let text = self.pieces.get(piece).filter(|text| !text.is_empty()).ok_or(Unfound::Empty)?;
        let (found, _) = self.index.from(text, from).ok_or(Unfound::Gone)?;
        let between = self.index.text().get(from..found).unwrap_or_default();
        if between.trim().is_empty() { Ok(found) } else { Err(Unfound::Gone) }
    }

    /// The first place of a piece from a byte on, where it stands as often as it has to.
    fn only(&mut self, piece: usize, from: usize) -> Result<usize, Unfound> {
        let text = self.pieces.get(piece).filter(|text| !text.is_empty()).ok_or(Unfound::Empty)?;
        let (found, count) = self.index.from(text, from).ok_or(Unfound::Gone)?;
        let left = self.left.get(piece).copied().unwrap_or(0);
        if count == left { Ok(found) } else { Err(Unfound::Often) }
    }
}

/// The place of a piece with the comments, line ends and spaces around its tokens, as far as they stand there; from a byte on.
fn outer(
    (now, there): (&str, &[Element]),
    inner: (usize, usize),
    least: usize,
    (piece, syntax): (&Replaced, Syntax),
) -> (usize, usize) {
    let written = piece.written.as_str();
    let own = bare::elements(written, syntax);
    let first = own.iter().position(Element::counts).unwrap_or(0);
    let last = own.iter().rposition(Element::counts).map_or(own.len(), |at| at + 1);
    let is_free = |e: &&Element| !e.counts() && e.start >= least;
    let before = there.partition_point(|e| e.start < inner.0);
    let above: Vec<&Element> =
        there.get(..before).unwrap_or_default().iter().rev().take_while(is_free).collect();
    let behind = there.partition_point(|e| e.start < inner.1);
    let below: Vec<&Element> = there.get(behind..).unwrap_or_default().iter().take_while(is_free).collect();
    let up = reached(own.get(..first).unwrap_or_default().iter().rev(), &above, (written, now));
    let down = reached(own.get(last..).unwrap_or_default().iter(), &below, (written, now));
    let farthest =
        |all: &[&Element], count: usize| count.checked_sub(1).and_then(|i| all.get(i).copied().copied());
    let mut start = farthest(&above, up).map_or(inner.0, |e| e.start);
    let mut end = farthest(&below, down).map_or(inner.1, |e| e.end);
    let spaces = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
    if spaces(written) > 0 {
        let line = now.get(least..start).unwrap_or_default();
        start -= line.len() - line.trim_end_matches([' ', '\t']).len();
    }
    if written.ends_with([' ', '\t']) {
        end += spaces(now.get(end..).unwrap_or_default());
    }
    (start, end)
}

/// Returns the number of comments and line ends up to the farthest one that a piece has as well.
fn reached<'e>(
    piece: impl Iterator<Item = &'e Element>,
    there: &[&Element],
    (written, now): (&str, &str),
) -> usize {
    let mut at = 0;
    for own in piece {
        // An editor may lay out anew what stands between comment marks.
        let said = own.of(written).split_whitespace();
        let same = |e: &&Element| e.kind == own.kind && e.of(now).split_whitespace().eq(said.clone());
        at += there.get(at..).unwrap_or_default().iter().position(same).map_or(0, |found| found + 1);
    }
    at
}

/// A copy that was edited: what it was made from is where the edit belongs.
fn edited_copy(file: &FileRecord, now: &str) -> Issue {
    let path = unslashed(&file.path);
    let behind_link = file.link.as_ref().map(|to| join(path.parent().unwrap_or(Path::new("")), to));
    let issue = edited(file, "It was written by tf-phi and changed since.");
    let anew = format!("rm {} && tf-phi check --fix", shell_path(&file.path));
    match behind_link.or_else(|| origin_of(now)) {
        Some(origin) => {
            let title = format!("Make the edit in {}, and have this file written anew:", slashed(&origin));
            Issue { fixes: issue.fixes.into_iter().skip(1).collect(), ..issue }.fix(title, anew)
        }
        None => issue.fix("Or have it written anew, without the edit:", anew),
    }
}

/// A file into which pieces were written: of one that is gone, with the line that isn't there any more.
fn edited_at(file: &FileRecord, why: &str, edit: Option<Edit>) -> Issue {
    let Some(Edit { line, missing }) = edit else { return edited(file, why) };
    let issue = match (why.starts_with(GONE), missing) {
        (true, Some(missing)) => edited(file, &format!("{GONE}{}", shown(&missing))),
        (true, None) => edited(file, "Lines were typed into what tf-phi wrote here."),
        (false, _) => edited(file, why),
    };
    issue.in_path(format!("{}:{line}", file.path))
}

fn edited(file: &FileRecord, why: &str) -> Issue {
    Issue::error(Code::Edited, "a file that tf-phi wrote was edited, and can't be put back", why)
        .in_path(file.path.clone())
        .fix("Take the edit back, run `tf-phi restore`, and make it in the original text.", "")
        .fix(WHERE_MERGED, MERGE)
}

/// Returns true if what was written into a text stands there but for the ends of its lines.
fn is_hidden_by_line_ends(file: &FileRecord, now: &str) -> bool {
    let even = with_newlines(now);
    even != now && file.replaced.iter().any(|p| !now.contains(&p.written) && even.contains(&p.written))
}

/// A merge or a patch brought lines into a file that end otherwise than its others.
fn of_two_line_ends(file: &FileRecord) -> Issue {
    let why = "Some of its lines end in CR LF and others in LF alone, so that what was written isn't found. A merge, a patch or an editor does that.";
    Issue::error(Code::Edited, "a file that tf-phi wrote has two kinds of line ends", why)
        .in_path(file.path.clone())
        .fix(
            "Give all lines the same end, then run again:",
            format!("perl -pi -e 's/\\r$//' {}", shell_path(&file.path)),
        )
}

/// Both sides of a merge changed what was written.
fn in_conflict(file: &FileRecord, why: &str) -> Issue {
    let why = format!("It holds the conflict markers of a merge. {why}");
    let summary = "a file that tf-phi wrote is in conflict, and can't be put back";
    merge_originals(Issue::error(Code::Edited, summary, why).in_path(file.path.clone()))
}

/// Says when that command helps.
pub const WHERE_MERGED: &str = "Where a merge or a rebase made it, have the originals of both sides merged:";

/// Says what to do about a patch that was applied without the records.
pub const WHERE_PATCHED: &str =
    "If it is a patch of `tf-phi diff`, take it back, and apply that with the records:";

/// The command that merges the originals of both sides.
pub const MERGE: &str = "tf-phi check --fix";

/// The way out of a merge of specialised trees that Git couldn't finish.
pub fn merge_originals(issue: Issue) -> Issue {
    issue
        .fix("Merge the originals of both sides, and have the copies written anew:", MERGE)
        .fix(
            "Abort the merge, put the originals back on both branches, commit, and merge those:",
            "git merge --abort && tf-phi restore",
        )
        .fix("In a rebase:", "git rebase --abort && tf-phi restore")
}

/// Git writes what a link says into a file where it is told that there are no links. So many files hold that.
fn said(first: &FileRecord, files: usize) -> Issue {
    let what = if files == 1 { "This file holds" } else { &format!("This file and {} more hold", files - 1) };
    let why = format!(
        "{what} the path that a link says. Git writes that where `core.symlinks` is false, and Terraform can't read it. Whenever \
         tf-phi writes, it puts links in their places, or whole files where the file system has no links."
    );
    Issue::warning(Code::Edited, "symbolic links were checked out as files", why)
        .in_path(first.path.clone())
        .fix("Have them written:", "tf-phi check --fix")
        .fix("To use no links at all, say so in `phi.hcl`:", "settings {\n  links = false\n}")
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::restore::*;

    fn record(original: &str, written: &str) -> FileRecord {
        let piece = |at, w: &str, o: &str| Replaced { at, written: w.into(), original: o.into() };
        assert_eq!(original, "a OLD b OLD c");
        FileRecord {
            path: "main.tf".into(),
            created: false,
            sha256: hash(written),
            shape: None,
            comments: None,
            link: None,
            replaced: vec![piece(2, "NEW1", "OLD"), piece(9, "NEW2", "OLD")],
            ..FileRecord::default()
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
        let why = "This is not there any more as it was written: NEW1";
        assert_eq!(original(&file, "a NEW b NEW2 c").unwrap_err(), why);
        assert_eq!(shown("# phi: a — gate: b\nmodule \"x\" {\n"), "module \"x\" {");
        assert!(original(&file, "a NEW1 b NEW2 c NEW1").is_err());
    }

    #[test]
    fn a_byte_of_the_original_is_found_where_it_stands() {
        let written = "# phi: a\nmodule \"a_2\" {\n  v = 2\n}\n\n# phi: b\nmodule \"a_1\" {\n  v = 1\n}\n";
        let piece =
            Replaced { at: 2, written: written.into(), original: "module \"a\" {\n  v = var.v\n}\n".into() };
        let file = FileRecord { path: "main.tf".into(), replaced: vec![piece], ..FileRecord::default() };
        let now = format!("x\n{written}y\n");
        let original = "x\nmodule \"a\" {\n  v = var.v\n}\ny\n";
        let line = |text: &str| find_line(&file, &now, original.find(text).unwrap());
        assert_eq!((line("x"), line("var.v"), line("y")), (Some(1), Some(3), Some(11)));
    }
}
