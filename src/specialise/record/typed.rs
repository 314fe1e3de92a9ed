//! Comments and blank lines that a user typed into written files.
//!
//! In: a file's record, its text now, and the text that is to stand there. Out: that text with the user's comments and blank
//! lines, and those that have no place in it. A text's lines are compared by their tokens: a comment goes with the line it
//! stood above, or behind. Invariant: nothing but comments and white space is added. Absent: whether a file has to change.

use crate::specialise::record::restore::places;
use crate::specialise::record::{FileRecord, short_hash, unslashed};
use crate::specialise::written::bare::{self, Bare, Kind, Syntax};
use crate::specialise::written::head::is_head_line;
use crate::specialise::written::laid;
use crate::syntax::trivia::{line_ending, line_indent, line_start};
use crate::text::{Edit, EditSet, Span, to_stored, with_line_ends_of};
use rustc_hash::{FxHashMap, FxHashSet};
use similar::{Algorithm, DiffOp};
use std::path::Path;

/// The place of comments whose statement is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Homeless {
    /// Above the block that follows.
    Above,
    /// Nowhere: only what stands between two statements that are both there, one after the other, is kept.
    Nowhere,
}

/// A comment that a user typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// Its line, from 1 on.
    pub line: usize,
    /// Its text.
    pub text: String,
    at: usize,
}

/// The comments that a user typed into what was written, in order. Of a file whose record doesn't tell what was written, those
/// that aren't in `new`.
pub fn typed(file: &FileRecord, now: &str, new: &str) -> Vec<Typed> {
    let (now, new) = (&*to_stored(now), &*to_stored(new));
    base(file, now, new).map_or_else(Vec::new, |base| base.typed)
}

/// The user's own comments and blank lines in a text.
struct Base {
    syntax: Syntax,
    typed: Vec<Typed>,
    /// The lines above which a blank line stood when they were written, by their first bytes.
    spaced: FxHashSet<usize>,
    /// The places that were written.
    written: Vec<(usize, usize)>,
}

fn base(file: &FileRecord, now: &str, new: &str) -> Option<Base> {
    let syntax = Syntax::of(&unslashed(&file.path))?;
    let mut base = Base { syntax, typed: Vec::new(), spaced: FxHashSet::default(), written: Vec::new() };
    let comments = |text: &str| -> Vec<(usize, String)> {
        let all = bare::elements(text, syntax);
        let own = all.iter().filter(|e| e.kind == Kind::Comment).map(|e| (e.start, e.of(text)));
        // Nobody types these. Where a path was replaced in all files, they differ.
        own.filter(|(_, comment)| !is_head_line(comment))
            .map(|(at, comment)| (at, comment.to_owned()))
            .collect()
    };
    let counted = |all: &mut dyn Iterator<Item = String>| {
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        all.for_each(|key| *known.entry(key).or_default() += 1);
        known
    };
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut add = |known: &mut FxHashMap<String, usize>, hashed: bool, from: usize, text: &str| {
        for (at, comment) in comments(text) {
            let key = if hashed { short_hash(&comment) } else { spaced_once(&comment) };
            match known.get_mut(&key).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None => found.push((from + at, comment)),
            }
        }
    };
    if file.created {
        let recorded = file.recorded_comments();
        let hashed = recorded.is_some();
        let mut known = match recorded {
            Some(all) => counted(&mut all.into_iter()),
            None => counted(&mut comments(new).into_iter().map(|(_, text)| spaced_once(&text))),
        };
        add(&mut known, hashed, 0, now);
        base.written.push((0, now.len()));
    } else {
        base.written = places(file, now).ok()?;
        for ((from, to), piece) in base.written.iter().zip(&file.replaced) {
            let own = now.get(*from..*to).unwrap_or_default();
            let mut known =
                counted(&mut comments(&piece.written).into_iter().map(|(_, text)| spaced_once(&text)));
            add(&mut known, false, *from, own);
            let (was, is) = (lines(&piece.written, syntax), lines(own, syntax));
            let spaced = was.iter().zip(&is).filter(|(was, _)| was.is_spaced());
            base.spaced.extend(spaced.map(|(_, line)| from + line.first));
        }
    }
    let mut line = 1;
    let mut last = 0;
    for (at, text) in found {
        line += now.get(last..at).unwrap_or_default().matches('\n').count();
        last = at;
        base.typed.push(Typed { line, text, at });
    }
    Some(base)
}

/// A comment with one space where there is any: an editor lays it out anew.
fn spaced_once(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text with what the user typed into the one that stands there now.
pub fn carried(path: &Path, file: &FileRecord, now: &str, new: &str, homeless: Homeless) -> String {
    let made = carried_stored(path, file, &to_stored(now), &to_stored(new), homeless);
    with_line_ends_of(made, new)
}

fn carried_stored(path: &Path, file: &FileRecord, now: &str, new: &str, homeless: Homeless) -> String {
    let Some(base) = base(file, now, new) else { return new.to_owned() };
    let edits = Carrier::of(&base, now, new, homeless).edits();
    let made = EditSet::of(edits).ok().and_then(|set| set.apply(new).ok());
    // What is no comment to the parser would change what is configured.
    let is_sound = |made: &String| {
        Bare::of(made, base.syntax).text == Bare::of(new, base.syntax).text
            && (base.syntax == Syntax::Json || crate::syntax::parse(made).is_ok())
    };
    let Some(made) = made.filter(is_sound) else { return new.to_owned() };
    let laid = EditSet::of(laid::kept(path, new, &made)).ok().and_then(|set| set.apply(&made).ok());
    laid.unwrap_or(made)
}

/// The comments that a user typed and that are not in a text.
pub fn lost(file: &FileRecord, now: &str, new: &str) -> Vec<Typed> {
    let all = typed(file, now, new);
    if all.is_empty() {
        return all;
    }
    let syntax = Syntax::of(&unslashed(&file.path)).unwrap_or(Syntax::Native);
    let mut there: FxHashMap<&str, usize> = FxHashMap::default();
    for element in bare::elements(new, syntax).iter().filter(|e| e.kind == Kind::Comment) {
        *there.entry(element.of(new)).or_default() += 1;
    }
    let is_gone = |comment: &Typed| match there.get_mut(comment.text.as_str()).filter(|left| **left > 0) {
        Some(left) => {
            *left -= 1;
            false
        }
        None => true,
    };
    all.into_iter().filter(is_gone).collect()
}

/// A line above another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Above {
    Blank,
    Comment(usize, usize),
}

/// A line of tokens, and what belongs to it.
struct Line {
    /// The tokens; nothing at the end of the text.
    bare: String,
    /// Its first byte, and the one behind its last token.
    first: usize,
    last: usize,
    above: Vec<Above>,
    /// Comments among the tokens, and behind them.
    within: Vec<(usize, usize)>,
    behind: Option<(usize, usize)>,
    /// The number of brackets that are open at its beginning.
    depth: usize,
}

impl Line {
    fn is_spaced(&self) -> bool {
        self.above.contains(&Above::Blank)
    }
}

/// The lines of a text, with an empty one at its end.
fn lines(text: &str, syntax: Syntax) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let mut above = Vec::new();
    let (mut open, mut newlines, mut depth) = (false, 1, 0usize);
    for element in bare::elements(text, syntax) {
        let place = (element.start, element.end);
        match (element.kind, out.last_mut().filter(|_| open)) {
            (Kind::Newline, _) => {
                (open, newlines) = (false, newlines + 1);
                if newlines == 2 {
                    above.push(Above::Blank);
                }
                continue;
            }
            (Kind::Comment, None) => above.push(Above::Comment(place.0, place.1)),
            (Kind::Comment, Some(line)) => line.within.extend(line.behind.replace(place)),
            (_, None) => {
                let (bare, within, behind) = (String::new(), Vec::new(), None);
                let above = std::mem::take(&mut above);
                out.push(Line { bare, first: place.0, last: place.1, above, within, behind, depth });
                open = true;
            }
            (_, Some(line)) => {
                line.last = place.1;
                line.within.extend(line.behind.take());
            }
        }
        newlines = 0;
        match element.of(text) {
            _ if element.kind != Kind::Token => {}
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    for line in &mut out {
        line.bare = Bare::of(text.get(line.first..line.last).unwrap_or_default(), syntax).text;
    }
    let (first, last) = (text.len(), text.len());
    let (within, behind) = (Vec::new(), None);
    out.push(Line { bare: String::new(), first, last, above, within, behind, depth: 0 });
    out
}

/// Two texts, line by line.
struct Carrier<'a> {
    base: &'a Base,
    now: &'a str,
    new: &'a str,
    homeless: Homeless,
    old: Vec<Line>,
    lines: Vec<Line>,
    /// The new line of each old one.
    map: Vec<Option<usize>>,
    /// The new lines of which there is one each, by their tokens.
    only: FxHashMap<String, Option<usize>>,
    out: Vec<(usize, String)>,
}

impl<'a> Carrier<'a> {
    fn of(base: &'a Base, now: &'a str, new: &'a str, homeless: Homeless) -> Carrier<'a> {
        let (old, lines) = (lines(now, base.syntax), lines(new, base.syntax));
        let texts = |all: &[Line]| all.iter().map(|line| line.bare.clone()).collect::<Vec<_>>();
        let mut map = vec![None; old.len()];
        for op in similar::capture_diff_slices(Algorithm::Patience, &texts(&old), &texts(&lines)) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                let pairs = map.iter_mut().skip(old_index).take(len).zip(new_index..);
                pairs.for_each(|(known, line)| *known = Some(line));
            }
        }
        // The ends are one another's, whatever stands above.
        if let Some(last) = map.last_mut() {
            *last = lines.len().checked_sub(1);
        }
        let mut only: FxHashMap<String, Option<usize>> = FxHashMap::default();
        for (to, line) in lines.iter().enumerate() {
            only.entry(line.bare.clone()).and_modify(|known| *known = None).or_insert(Some(to));
        }
        Carrier { base, now, new, homeless, old, lines, map, only, out: Vec::new() }
    }

    fn edits(mut self) -> Vec<Edit> {
        let typed: FxHashSet<usize> = self.base.typed.iter().map(|comment| comment.at).collect();
        for at in 0..self.old.len() {
            self.line(at, &typed);
        }
        let mut edits: Vec<Edit> = Vec::new();
        self.out.sort_by_key(|(at, _)| *at);
        for (at, text) in self.out {
            match edits.last_mut().filter(|edit| edit.span.start as usize == at) {
                Some(edit) => edit.text.push_str(&text),
                None => edits.push(Edit { span: Span::new(at, at), text }),
            }
        }
        edits
    }

    fn line(&mut self, at: usize, typed: &FxHashSet<usize>) {
        let Some(line) = self.old.get(at) else { return };
        let (above, within, behind) = (line.above.clone(), line.within.clone(), line.behind);
        for (i, part) in above.iter().enumerate() {
            match part {
                Above::Blank if self.is_own_blank(at) => self.blank(at, above.get(i..).unwrap_or_default()),
                Above::Comment(from, to) if typed.contains(from) => {
                    self.above(at, (*from, *to), above.get(i..).unwrap_or_default());
                }
                _ => {}
            }
        }
        for place in within.into_iter().filter(|(from, _)| typed.contains(from)) {
            if self.homeless == Homeless::Above {
                self.above(at, place, &[]);
            }
        }
        let Some(place) = behind.filter(|(from, _)| typed.contains(from)) else { return };
        let target = self.target(at).and_then(|to| self.lines.get_mut(to));
        match target.filter(|line| line.behind.is_none()) {
            Some(line) => {
                line.behind = Some(place);
                let last = line.last;
                self.out.push((last, format!(" {}", self.text(place))));
            }
            None if self.homeless == Homeless::Above => self.above(at, place, &[]),
            None => {}
        }
    }

    fn text(&self, (from, to): (usize, usize)) -> &'a str {
        self.now.get(from..to).unwrap_or_default()
    }

    /// Returns true if a blank line above an old line is the user's: it lies in what was written, and none was
    /// written there.
    fn is_own_blank(&self, at: usize) -> bool {
        let Some(line) = self.old.get(at) else { return false };
        let after = self.base.written.partition_point(|(from, _)| *from < line.first);
        let within = after.checked_sub(1).and_then(|i| self.base.written.get(i));
        within.is_some_and(|(_, to)| line.first <= *to) && !self.base.spaced.contains(&line.first)
    }

    /// The new line of an old one. One of several copies has the line of the only one, where that is what comes back.
    fn target(&self, at: usize) -> Option<usize> {
        let known = self.map.get(at).copied().flatten();
        known.or_else(|| self.only.get(&self.old.get(at)?.bare).copied().flatten())
    }

    /// The new line of an old one whose neighbour above is the same.
    fn between(&self, at: usize) -> Option<usize> {
        let to = self.target(at)?;
        let above = |lines: &'_ [Line], at: usize| Some(lines.get(at.checked_sub(1)?)?.bare.clone());
        (above(&self.old, at) == above(&self.lines, to)).then_some(to)
    }

    /// A blank line, where there is none between the same two lines.
    fn blank(&mut self, at: usize, rest: &[Above]) {
        let Some(to) = self.between(at) else { return };
        if self.lines.get(to).is_some_and(|line| !line.is_spaced()) {
            let place = self.place(to, rest);
            let ending = line_ending(self.new).to_owned();
            self.out.push((place, ending));
        }
    }

    /// A comment above the line that an old one has become; `rest` is what stands between the two.
    fn above(&mut self, at: usize, comment: (usize, usize), rest: &[Above]) {
        let text = self.text(comment);
        let indent = line_indent(self.now, start(comment.0));
        let own = |to: usize, rest: &[Above], indent: &str, this: &Self| {
            let place = this.place(to, rest);
            let ending = line_ending(this.new);
            // The last line may have no end.
            let open = place == this.new.len() && !this.new.is_empty() && !this.new.ends_with('\n');
            let before = if open { ending } else { "" };
            (place, format!("{before}{indent}{text}{ending}"))
        };
        let found = match (self.between(at), self.homeless) {
            (Some(to), _) => Some(own(to, rest, indent, self)),
            (None, Homeless::Nowhere) => None,
            (None, Homeless::Above) => {
                let known = self.target(at);
                let above = at.checked_sub(1).and_then(|i| self.map.get(i).copied().flatten());
                match known.or(above.map(|to| to + 1)) {
                    Some(to) => Some(own(to, rest, indent, self)),
                    None => Some(own(self.block_behind(at), &[], "", self)),
                }
            }
        };
        self.out.extend(found);
    }

    /// The first line outside of all brackets behind what became of the lines above an old one.
    fn block_behind(&self, at: usize) -> usize {
        let known = self.map.iter().take(at).rev().find_map(|to| *to).map_or(0, |to| to + 1);
        let outer = self.lines.iter().enumerate().skip(known).find(|(_, line)| line.depth == 0);
        outer.map_or(self.lines.len().saturating_sub(1), |(to, _)| to)
    }

    /// Returns the place above a new line: above the first comment there that was below it, or right above the line.
    fn place(&self, to: usize, rest: &[Above]) -> usize {
        let Some(line) = self.lines.get(to) else { return self.new.len() };
        let own = |part: &Above| match part {
            Above::Comment(from, to) => Some((*from, *to)),
            Above::Blank => None,
        };
        let below: FxHashSet<&str> =
            rest.iter().skip(1).filter_map(own).map(|place| self.text(place)).collect();
        let there = line.above.iter().filter_map(own);
        let mut there =
            there.filter(|(from, to)| below.contains(self.new.get(*from..*to).unwrap_or_default()));
        let anchor = there.next().map_or(line.first, |(from, _)| from);
        if anchor == self.new.len() { anchor } else { line_start(self.new, start(anchor)) as usize }
    }
}

fn start(at: usize) -> u32 {
    Span::new(at, at).start
}

#[cfg(test)]
#[path = "typed/tests.rs"]
mod tests;
