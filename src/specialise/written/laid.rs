//! Indentation and the columns of `=` and of comments, as `terraform fmt` sets them.
//!
//! In: the text of a file. Out: edits of white space alone. They are those of `hclwrite`: one level for each line that opens more
//! brackets than it closes; lines one after the other that are arguments, or end in comments, form a group with one column.
//! Invariant: strings, heredocs and comments stay as they are. Absent: spaces between other tokens; a file in which a quoted text
//! or a comment behind something goes over several lines, or that wasn't laid out like this before, is left alone.

use crate::specialise::written::bare::{Element, Kind, Syntax, elements, form, heredocs};
use crate::text::{Edit, EditSet, Span};
use std::path::Path;
use unicode_segmentation::UnicodeSegmentation as _;

/// The edits that lay out `new`, made from `old`; none where that one is laid out otherwise.
pub(in crate::specialise) fn kept(path: &Path, old: &str, new: &str) -> Vec<Edit> {
    let is_json = path.extension().is_some_and(|e| e == "json");
    let laid = match edits(old) {
        Some(none) if none.is_empty() && !is_json => edits(new).unwrap_or_default(),
        _ => return Vec::new(),
    };
    let after = EditSet::of(laid.clone()).ok().and_then(|set| set.apply(new).ok());
    if after.is_some_and(|after| form(&after) == form(new)) { laid } else { Vec::new() }
}

/// A text that was made from `old`, laid out where that one is.
pub(in crate::specialise) fn like(path: &Path, old: &str, new: String) -> String {
    changed(&new, kept(path, old, &new))
}

/// A text laid out as `terraform fmt` does; as it is where it has a form that isn't known here.
pub fn laid(text: &str) -> String {
    changed(text, edits(text).unwrap_or_default())
}

/// A block's text with the `=` of its arguments aligned as `terraform fmt` does it.
pub(in crate::specialise) fn aligned(text: &str) -> String {
    changed(text, alignment(text))
}

/// A text whose lines begin with `from`, with `to` in its place but in the first line and where a heredoc keeps its indentation.
pub(in crate::specialise) fn moved(text: &str, from: &str, to: &str) -> String {
    let mut fixed = heredocs(text);
    fixed.retain(|heredoc| text.get(heredoc.clone()).is_some_and(|t| !t.starts_with("<<-")));
    let mut out = String::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let stays = at == 0 || line.trim().is_empty() || fixed.iter().any(|h| h.start < at && at < h.end);
        match line.strip_prefix(from).filter(|_| !stays) {
            Some(rest) => out.extend([to, rest]),
            None => out.push_str(line),
        }
        at += line.len();
    }
    out
}

fn changed(text: &str, edits: Vec<Edit>) -> String {
    let set = EditSet::of(edits).ok();
    set.and_then(|set| set.apply(text).ok()).unwrap_or_else(|| text.to_owned())
}

/// A line outside of heredocs and comments.
#[derive(Clone, Default)]
struct Line {
    /// The offset of the line's first token.
    start: usize,
    first: usize,
    /// The end of the part before `=`, or of everything but a comment.
    lead: usize,
    /// The first `=` outside of brackets.
    equals: Option<usize>,
    /// The same of an argument that ends in this line, and where the argument ends.
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

/// The edits that align the arguments at the outermost level of a block, each as small as it can be.
///
/// Blank lines, comments, nested blocks and values over several lines end a run; an argument with such a value is aligned with
/// no other. A heredoc is the last of its run.
pub(in crate::specialise) fn alignment(text: &str) -> Vec<Edit> {
    columns(text).iter().filter_map(|edit| least(text, edit.span, &edit.text)).collect()
}

/// The same, each of all that stands between a name and its value.
pub(in crate::specialise) fn columns(text: &str) -> Vec<Edit> {
    let mut out = Vec::new();
    let mut run: Vec<(Span, usize)> = Vec::new();
    let mut align = |run: &mut Vec<(Span, usize)>| {
        let widest = run.iter().map(|(_, width)| *width).max().unwrap_or(0);
        for (span, width) in run.drain(..) {
            let wanted = format!("{} = ", " ".repeat(widest - width));
            let now = text.get(span.range());
            out.extend(now.filter(|now| *now != wanted).map(|_| Edit { span, text: wanted }));
        }
    };
    let mut depth = 0;
    for line in lines(text).unwrap_or_default() {
        let before = depth;
        depth += line.net;
        let own = argument(text, &line).filter(|_| before == 1 && depth >= 1);
        if own.is_none() || depth > 1 {
            align(&mut run);
        }
        run.extend(own);
        if depth > 1 {
            align(&mut run);
        }
    }
    align(&mut run);
    out
}

/// The bytes between the name of an argument and its value, and how wide the name is with what stands before it.
fn argument(text: &str, line: &Line) -> Option<(Span, usize)> {
    let equals = line.equals?;
    let name = text.get(line.first..equals)?.trim_end();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let behind = text.get(equals + 1..)?;
    let spaces = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    let width = text.get(line.start..line.first + name.len())?.chars().count();
    is_name.then(|| (Span::new(line.first + name.len(), equals + 1 + spaces), width))
}

/// The least edit that puts a text in place of another one.
fn least(text: &str, span: Span, wanted: &str) -> Option<Edit> {
    let now = text.get(span.range())?;
    let alike = |(a, b): &(u8, u8)| a == b;
    let front = now.bytes().zip(wanted.bytes()).take_while(alike).count();
    let most = now.len().min(wanted.len()) - front;
    let back = now.bytes().rev().zip(wanted.bytes().rev()).take(most).take_while(alike).count();
    let start = span.range().start;
    let text = wanted.get(front..wanted.len() - back)?.to_owned();
    Some(Edit { span: Span::new(start + front, start + now.len() - back), text })
}

/// The lines of a text; nothing where a string goes over several, or a comment that has something before it or behind it.
fn lines(text: &str) -> Option<Vec<Line>> {
    let mut all = elements(text, Syntax::Native).into_iter().peekable();
    let mut out = Vec::new();
    let (mut start, mut within) = (0, 0);
    for raw in text.split_inclusive('\n') {
        let next = start + raw.len();
        let own: Vec<Element> = std::iter::from_fn(|| all.next_if(|e| e.start < next)).collect();
        let mut line = Line { start, first: start, lead: start, ..Line::default() };
        if within <= start {
            line.read(text, start + raw.trim_end().len(), &own)?;
        } else if own.iter().any(|e| e.kind != Kind::Newline) {
            return None;
        }
        if let Some(last) = own.last().filter(|e| e.end > next) {
            let begins = own.len() == 1 && last.kind == Kind::Comment;
            within = (begins || last.of(text).starts_with("<<")).then_some(last.end)?;
        }
        out.push(line);
        start = next;
    }
    Some(out)
}

impl Line {
    /// Reads a line that ends at a byte; nothing where a string ends in another line.
    fn read(&mut self, text: &str, mut end: usize, own: &[Element]) -> Option<()> {
        self.first = end - text.get(self.start..end)?.trim_start().len();
        self.laid = self.first < end;
        let mut equals = None;
        for element in own {
            let of = element.of(text);
            match of {
                "{" | "[" | "(" => self.net += 1,
                "}" | "]" | ")" => self.net -= 1,
                "=" if equals.is_none() && element.start > self.first && is_assign(text, element.start) => {
                    equals = Some((element.start, self.net));
                }
                _ if element.start > self.first && element.is_line_comment(text) => {
                    self.comment = Some(element.start);
                    end = text.get(..element.start)?.trim_end().len();
                }
                _ => {}
            }
        }
        self.lead = end;
        if let Some((at, net)) = equals {
            self.equals = (net == 0).then_some(at);
            if self.net == net {
                self.lead = text.get(..at)?.trim_end().len();
                self.assign = Some((at, end));
            }
        }
        Some(())
    }
}

/// Returns true if a `=` is no part of another sign.
fn is_assign(text: &str, at: usize) -> bool {
    let behind = text.get(at + 1..).unwrap_or_default();
    !behind.starts_with(['=', '>']) && !text.get(..at).unwrap_or_default().ends_with(['=', '!', '<', '>'])
}

#[cfg(test)]
mod tests {
    use crate::specialise::written::laid::*;

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

    #[test]
    fn runs_are_aligned_and_others_left() {
        let text = "module \"a\" {\n  count = x ? 1 : 0\n  instance_class = local.c\n\n  b = 1\n  tags = {\n    k = 2\n  }\n}";
        let want = "module \"a\" {\n  count          = x ? 1 : 0\n  instance_class = local.c\n\n  b = 1\n  tags = {\n    k = 2\n  }\n}";
        assert_eq!(aligned(text), want);
        assert_eq!(aligned(want), want);
    }

    #[test]
    fn a_value_over_several_lines_stands_alone() {
        let text =
            "module \"a\" {\n  for_each = {\n    a = 1\n  }\n  bb       = 2\n  c        = [\n    1]\n}";
        let want = "module \"a\" {\n  for_each = {\n    a = 1\n  }\n  bb = 2\n  c = [\n    1]\n}";
        assert_eq!(aligned(text), want);
        assert_eq!(
            aligned("module \"a\" {\n  dynamic \"b\" {\n  }\n}"),
            "module \"a\" {\n  dynamic \"b\" {\n  }\n}"
        );
    }

    #[test]
    fn what_stands_in_a_heredoc_stays() {
        let text = "module \"a\" {\n  b = 1\n  long = <<-EOT\n    a = 1\n    bbb = {\n  EOT\n  c = 2\n  dd = \"<<EOT\"\n  e = 1 # <<EOT\n}";
        let want = "module \"a\" {\n  b    = 1\n  long = <<-EOT\n    a = 1\n    bbb = {\n  EOT\n  c  = 2\n  dd = \"<<EOT\"\n  e  = 1 # <<EOT\n}";
        assert_eq!(aligned(text), want);
    }
}
