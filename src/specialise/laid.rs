//! Indentation and the columns of `=` and of comments, as `terraform fmt` sets them.
//!
//! In: the text of a file. Out: edits of white space alone. They are those of `hclwrite`: one level for each line that opens more
//! brackets than it closes; lines one after the other that are arguments, or end in comments, form a group with one column.
//! Invariant: strings, heredocs and comments stay as they are. Absent: spaces between other tokens; a file in which a quoted text
//! or a comment behind something goes over several lines, or that wasn't laid out like this before, is left alone.

use super::layout::Form;
use crate::text::{Edit, EditSet, Span};
use std::path::Path;
use unicode_segmentation::UnicodeSegmentation as _;

/// The edits that lay out `new`, made from `old`; none where that one is laid out otherwise.
pub(super) fn kept(path: &Path, old: &str, new: &str) -> Vec<Edit> {
    let is_json = path.extension().is_some_and(|e| e == "json");
    let laid = match edits(old) {
        Some(none) if none.is_empty() && !is_json => edits(new).unwrap_or_default(),
        _ => return Vec::new(),
    };
    // `Form` reads strings and heredocs on its own: what it takes for text has to stay.
    let after = EditSet::of(laid.clone()).ok().and_then(|set| set.apply(new).ok());
    let same = after.is_some_and(|after| Form::of(&after).text == Form::of(new).text);
    if same { laid } else { Vec::new() }
}

/// A text that was made from `old`, laid out where that one is.
pub(super) fn like(path: &Path, old: &str, new: String) -> String {
    let edits = EditSet::of(kept(path, old, &new)).ok();
    edits.and_then(|set| set.apply(&new).ok()).unwrap_or(new)
}

/// A text laid out as `terraform fmt` does; as it is where it has a form that isn't known here.
pub fn laid(text: &str) -> String {
    let edits = edits(text).and_then(|edits| EditSet::of(edits).ok());
    edits.and_then(|set| set.apply(text).ok()).unwrap_or_else(|| text.to_owned())
}

/// A line outside of heredocs and comments.
#[derive(Clone, Default)]
struct Line {
    /// The offset of the line's first token.
    start: usize,
    first: usize,
    /// The end of the part before `=`, or of everything but a comment.
    lead: usize,
    /// The `=` of an argument that ends in this line, and where the argument ends.
    assign: Option<(usize, usize)>,
    /// A comment behind something else.
    comment: Option<usize>,
    /// The number of brackets that it opens minus those that it closes.
    net: i32,
    /// True if it is one that may be laid out.
    laid: bool,
}

/// The edits that lay out a text; nothing where it has a form that isn't known here.
fn edits(text: &str) -> Option<Vec<Edit>> {
    let lines = lines(text)?;
    let mut out = Vec::new();
    let indents = indents(&lines);
    for (line, indent) in lines.iter().zip(&indents).filter(|(line, _)| line.laid) {
        set(text, (line.start, line.first), *indent, &mut out);
    }
    let width = |from: usize, to: usize| text.get(from..to).unwrap_or_default().graphemes(true).count();
    let lead: Vec<usize> = lines.iter().zip(&indents).map(|(l, i)| i + width(l.first, l.lead)).collect();
    let columns = |is_in: &dyn Fn(&Line) -> bool, own: &[usize]| -> Vec<usize> {
        let mut out = own.to_vec();
        let mut from = 0;
        while from < lines.len() {
            let count = lines.iter().skip(from).take_while(|line| is_in(line)).count();
            let widest = own.iter().skip(from).take(count).max().copied().unwrap_or(0);
            out.iter_mut().skip(from).take(count).for_each(|column| *column = widest + 1);
            from += count.max(1);
        }
        out
    };
    let equals = columns(&|line| line.assign.is_some(), &lead);
    let mut ends = Vec::with_capacity(lines.len());
    for ((line, lead), column) in lines.iter().zip(&lead).zip(&equals) {
        ends.push(match line.assign {
            Some((at, end)) => {
                set(text, (line.lead, at), column - lead, &mut out);
                column + width(at, end)
            }
            None => *lead,
        });
    }
    let comments = columns(&|line| line.comment.is_some(), &ends);
    for ((line, end), column) in lines.iter().zip(&ends).zip(&comments) {
        if let Some(at) = line.comment {
            let from = line.assign.map_or(line.lead, |(_, end)| end);
            set(text, (from, at), column - end, &mut out);
        }
    }
    out.sort_by_key(|edit| edit.span);
    Some(out)
}

/// Sets the number of spaces between two bytes.
fn set(text: &str, (from, to): (usize, usize), spaces: usize, out: &mut Vec<Edit>) {
    let wanted = " ".repeat(spaces);
    if text.get(from..to) != Some(wanted.as_str()) {
        out.push(Edit { span: Span::new(from, to), text: wanted });
    }
}

/// The indentation of each line, in spaces.
fn indents(lines: &[Line]) -> Vec<usize> {
    let mut open: Vec<i32> = Vec::new();
    let mut out = Vec::with_capacity(lines.len());
    for line in lines {
        if !line.laid {
            out.push(0);
            continue;
        }
        let mut closed = -line.net;
        while closed > 0
            && let Some(last) = open.pop()
        {
            if closed < last {
                open.push(last - closed);
            }
            closed -= last;
        }
        out.push(2 * open.len());
        if line.net > 0 {
            open.push(line.net);
        }
    }
    out
}

fn lines(text: &str) -> Option<Vec<Line>> {
    let mut out = Vec::new();
    let mut within: Option<Within<'_>> = None;
    let mut start = 0;
    for raw in text.split_inclusive('\n') {
        let mut line = Line { start, first: start, lead: start, ..Line::default() };
        match within {
            Some(Within::Heredoc(word)) => within = within.filter(|_| raw.trim() != word),
            Some(Within::Comment) => match raw.split_once("*/") {
                Some((_, behind)) if behind.trim().is_empty() => within = None,
                Some(_) => return None,
                None => {}
            },
            None => within = line.scan(raw)?,
        }
        out.push(line);
        start += raw.len();
    }
    Some(out)
}

/// The construct that goes on in the next line.
#[derive(Clone, Copy)]
enum Within<'t> {
    /// A heredoc, up to a line of this word.
    Heredoc(&'t str),
    /// A comment that begins its line.
    Comment,
}

impl Line {
    /// Reads a line; gives what it begins and doesn't end. Nothing where that is a string, or a comment behind something else.
    fn scan<'t>(&mut self, raw: &'t str) -> Option<Option<Within<'t>>> {
        let body = raw.trim_end();
        let first = body.len() - body.trim_start().len();
        self.first = self.start + first;
        if first == body.len() {
            return Some(None);
        }
        self.laid = true;
        let (mut at, mut equals, mut heredoc) = (first, None, None);
        let mut end = body.len();
        while let Some(tail) = body.get(at..).filter(|t| !t.is_empty()) {
            let before = body.get(..at).and_then(|b| b.chars().next_back());
            let c = tail.chars().next()?;
            match c {
                '"' => {
                    at += quoted(tail)?;
                    continue;
                }
                _ if c == '#' || tail.starts_with("//") => {
                    if at > first {
                        self.comment = Some(self.start + at);
                        end = body.get(..at)?.trim_end().len();
                    }
                    break;
                }
                _ if tail.starts_with("/*") && at == first && !tail.contains("*/") => {
                    self.lead = self.start + end;
                    return Some(Some(Within::Comment));
                }
                _ if tail.starts_with("/*") => {
                    at += tail.get(2..)?.find("*/")? + 4;
                    continue;
                }
                _ if tail.starts_with("<<") => {
                    heredoc = Some(tail.trim_start_matches('<').trim_start_matches('-').trim());
                    break;
                }
                '{' | '[' | '(' => self.net += 1,
                '}' | ']' | ')' => self.net -= 1,
                '=' if equals.is_none()
                    && at > first
                    && !tail.starts_with("==")
                    && !tail.starts_with("=>")
                    && !matches!(before, Some('=' | '!' | '<' | '>')) =>
                {
                    equals = Some((at, self.net));
                }
                _ => {}
            }
            at += c.len_utf8();
        }
        self.lead = self.start + end;
        if let Some((at, net)) = equals
            && self.net == net
        {
            self.lead = self.start + body.get(..at)?.trim_end().len();
            self.assign = Some((self.start + at, self.start + end));
        }
        Some(heredoc.map(Within::Heredoc))
    }
}

/// The length of a quoted text that a line begins with; nothing where it ends in another line.
fn quoted(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        let tail = text.get(at..)?;
        match c {
            '"' => return Some(at + 1),
            '\\' => drop(chars.next()),
            _ if tail.starts_with("$${") || tail.starts_with("%%{") => {
                chars.nth(1);
            }
            _ if tail.starts_with("${") || tail.starts_with("%{") => {
                let end = at + 2 + template(tail.get(2..)?)?;
                while chars.peek().is_some_and(|(next, _)| *next < end) {
                    chars.next();
                }
            }
            _ => {}
        }
    }
    None
}

/// The length of what stands in an interpolation, its bracket included.
fn template(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    while let Some(c) = text.get(at..)?.chars().next() {
        match c {
            '"' => {
                at += quoted(text.get(at..)?)?;
                continue;
            }
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at + 1),
            '}' => depth -= 1,
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(text: &str) -> String {
        EditSet::of(edits(text).unwrap()).unwrap().apply(text).unwrap()
    }

    #[test]
    fn columns_and_indentation() {
        let text = "module \"a\" {\ncount = x ? 1 : 0 # why\n    instance_class   = \"x${a[\"=\"]}\" # that\n  t = {\n  k=1 \n  }\n\n  l = [\n    (var.k == 1),\n]\n}\n";
        let want = "module \"a\" {\n  count          = x ? 1 : 0    # why\n  instance_class = \"x${a[\"=\"]}\" # that\n  t = {\n    k =1 \n  }\n\n  l = [\n    (var.k == 1),\n  ]\n}\n";
        assert_eq!(laid(text), want);
        assert_eq!(laid(want), want);
    }

    #[test]
    fn what_is_text_stays() {
        let text = "a \"b\" {\n  x  = <<-E\n c = 1\n   E\n  yy = 1\n  z = f(<<-E\n e\n E\n)\n}\n";
        let want = "a \"b\" {\n  x = <<-E\n c = 1\n   E\n  yy = 1\n  z = f(<<-E\n e\n E\n  )\n}\n";
        assert_eq!(laid(text), want);
        let text = "/**\n  * a = 1\n  */\na \"b\" {\n/* c\n d */\n  x  = 1\n}\n";
        let want = "/**\n  * a = 1\n  */\na \"b\" {\n  /* c\n d */\n  x = 1\n}\n";
        assert_eq!(laid(text), want);
        for unknown in ["a = \"${f(\n1)}\"\n", "a = 1 /* a\n */\n", "/* a\n */ b = 1\n"] {
            assert!(edits(unknown).is_none(), "{unknown}");
        }
        let kept = |name: &str, old, new| kept(Path::new(name), old, new).len();
        assert_eq!(kept("m.tf", "a  = 1\n", "a = 1\nbb = 2\n"), 0);
        assert_eq!(kept("m.tf", "a = 1\n", "a = 1\nbb = 2\n"), 1);
        assert_eq!(kept("m.tf.json", "a = 1\n", "a = 1\nbb = 2\n"), 0);
    }
}
