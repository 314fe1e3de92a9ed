//! Text without comments, blank lines and layout: what a user may add to what was written without changing it.
//!
//! In: a text in HCL's native syntax or in JSON, or a piece of one that begins outside of strings and comments. Out: its tokens,
//! comments and line ends, and the tokens alone with the place of each byte. Invariant: strings and heredocs are tokens, so that
//! nothing in them counts as a comment. The comment of the contract (`# phi: …`) is a token too, but for the lines that it
//! names: those move with every line that is typed above. Absent: what the tokens mean.

use crate::text::{ends_in_crlf, to_stored};
use std::ops::Range;
use std::path::Path;

/// The beginning of a comment that is a contract.
const CONTRACT: &str = "# phi: ";

/// The syntaxes in which comments and blank lines have no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::specialise) enum Syntax {
    /// HCL's native syntax.
    Native,
    /// JSON, in which nothing is a comment.
    Json,
}

impl Syntax {
    /// Returns the syntax of a file; `None` if each byte of it may count.
    pub fn of(path: &Path) -> Option<Syntax> {
        let name = path.file_name()?.to_str()?;
        let ends = |all: &[&str]| all.iter().any(|end| name.ends_with(end));
        if ends(&[".tf", ".tofu", ".tftest.hcl"]) {
            return Some(Syntax::Native);
        }
        ends(&[".tf.json", ".tofu.json", ".tftest.json"]).then_some(Syntax::Json)
    }
}

/// The kind of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::specialise) enum Kind {
    /// A word, a sign, a quoted text, a heredoc.
    Token,
    /// The comment of the contract.
    Contract,
    /// Any other comment.
    Comment,
    /// The end of a line.
    Newline,
}

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::specialise) struct Element {
    /// Its kind.
    pub kind: Kind,
    /// Its first byte.
    pub start: usize,
    /// The byte behind its last one.
    pub end: usize,
}

impl Element {
    /// Returns true if it means something.
    pub fn counts(&self) -> bool {
        matches!(self.kind, Kind::Token | Kind::Contract)
    }

    /// Returns true if it is a comment that ends with its line.
    pub fn is_line_comment(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Comment | Kind::Contract) && !self.of(text).starts_with("/*")
    }

    /// Its text.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The elements of a text, in order. Spaces are none.
pub(in crate::specialise) fn elements(text: &str, syntax: Syntax) -> Vec<Element> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(tail) = text.get(at..).filter(|tail| !tail.is_empty()) {
        let (kind, length) = next(tail, syntax);
        if let Some(kind) = kind {
            out.push(Element { kind, start: at, end: at + length });
        }
        at += length.max(1);
    }
    out
}

/// Returns the kind and length of what a text begins with; no kind for a space.
fn next(tail: &str, syntax: Syntax) -> (Option<Kind>, usize) {
    let Some(c) = tail.chars().next() else { return (None, 1) };
    let native = syntax == Syntax::Native;
    match c {
        ' ' | '\t' | '\r' | '\u{feff}' => (None, c.len_utf8()),
        '\n' => (Some(Kind::Newline), 1),
        '"' if native => (Some(Kind::Token), quoted(tail)),
        '"' => (Some(Kind::Token), json_string(tail)),
        _ if native && (c == '#' || tail.starts_with("//")) => {
            let line = tail.lines().next().unwrap_or_default().trim_end();
            let kind = if line.starts_with(CONTRACT) { Kind::Contract } else { Kind::Comment };
            (Some(kind), line.len())
        }
        _ if native && tail.starts_with("/*") => (Some(Kind::Comment), block_comment(tail)),
        '<' if native => (Some(Kind::Token), heredoc(tail).unwrap_or(1)),
        _ if is_word(c) => (Some(Kind::Token), tail.find(|c| !is_word(c)).unwrap_or(tail.len())),
        _ => (Some(Kind::Token), c.len_utf8()),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn block_comment(tail: &str) -> usize {
    tail.get(2..).and_then(|rest| rest.find("*/")).map_or(tail.len(), |at| at + 4)
}

/// The length of the string that a JSON text begins with.
fn json_string(tail: &str) -> usize {
    let mut chars = tail.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
    tail.len()
}

/// The length of the quoted template that a text begins with, whatever stands in its interpolations.
fn quoted(tail: &str) -> usize {
    // Open quotes are `true`, open braces `false`.
    let mut open = vec![true];
    let mut at = 1;
    while let Some(rest) = tail.get(at..).filter(|rest| !rest.is_empty()) {
        let starts = |all: &[&str]| all.iter().any(|with| rest.starts_with(with));
        let length = rest.chars().next().map_or(1, char::len_utf8);
        at += match open.last() {
            Some(true) => match rest.as_bytes().first() {
                Some(b'\\') => length + rest.chars().nth(1).map_or(0, char::len_utf8),
                Some(b'"') => {
                    open.pop();
                    length
                }
                _ if starts(&["$${", "%%{"]) => 3,
                _ if starts(&["${", "%{"]) => {
                    open.push(false);
                    2
                }
                _ => length,
            },
            Some(false) => match rest.as_bytes().first() {
                Some(b'"') => {
                    open.push(true);
                    length
                }
                Some(b'{') => {
                    open.push(false);
                    length
                }
                Some(b'}') => {
                    open.pop();
                    length
                }
                _ if starts(&["#", "//"]) => rest.find('\n').unwrap_or(rest.len()),
                _ if starts(&["/*"]) => block_comment(rest),
                _ => length,
            },
            None => break,
        };
    }
    at.min(tail.len())
}

/// The length of the heredoc that a text begins with, up to the word that ends it.
fn heredoc(tail: &str) -> Option<usize> {
    let rest = tail.strip_prefix("<<")?;
    let word = rest.strip_prefix('-').unwrap_or(rest).lines().next()?.trim();
    if word.is_empty() || !word.chars().all(is_word) {
        return None;
    }
    let mut at = 0;
    for line in tail.split_inclusive('\n') {
        if at > 0 && line.trim() == word {
            return Some(at + line.trim_end().len());
        }
        at += line.len();
    }
    Some(tail.len())
}

/// The places of a text's heredocs, each up to the word that ends it.
pub fn heredocs(text: &str) -> Vec<Range<usize>> {
    let all = elements(text, Syntax::Native).into_iter().filter(|e| e.of(text).starts_with("<<"));
    all.map(|e| e.start..e.end).collect()
}

/// A text without spaces between its tokens: what `terraform fmt` may change and nothing else. Strings, heredocs and comments
/// stay as they are, so that two texts with one form differ in nothing that anybody typed but layout.
pub(in crate::specialise) fn form(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for element in elements(text, Syntax::Native) {
        let own = element.of(text);
        match own.split_once('\n').filter(|_| own.starts_with("<<")) {
            Some((head, body)) => {
                let word = body.rfind('\n').map_or(0, |at| at + 1);
                out.extend(head.split([' ', '\t', '\r']));
                out.extend(["\n", body.get(..word).unwrap_or_default()]);
                out.push_str(body.get(word..).unwrap_or_default().trim_start_matches([' ', '\t']));
            }
            None => out.push_str(own),
        }
    }
    out
}

/// A text's tokens.
pub(in crate::specialise) struct Bare {
    /// The tokens, with one line end where there are some between two of them.
    pub text: String,
    /// The original offset of each byte.
    places: Vec<usize>,
}

impl Bare {
    /// Reduces a text.
    pub fn of(text: &str, syntax: Syntax) -> Bare {
        let mut bare = Bare { text: String::new(), places: Vec::new() };
        let mut last: Option<Element> = None;
        let mut newline = false;
        for element in elements(text, syntax) {
            match element.kind {
                Kind::Comment => {}
                Kind::Newline => newline = true,
                Kind::Token | Kind::Contract => {
                    if let Some(last) = last {
                        let word = |part: Option<char>| part.is_some_and(is_word);
                        let (before, after) = (last.of(text).chars().last(), element.of(text).chars().next());
                        if newline {
                            bare.push("\n", last.end);
                        } else if word(before) && word(after) {
                            bare.push(" ", last.end);
                        }
                    }
                    bare.token(text, element);
                    (last, newline) = (Some(element), false);
                }
            }
        }
        bare
    }

    fn push(&mut self, part: &str, at: usize) {
        self.text.push_str(part);
        self.places.extend((0..part.len()).map(|i| at + i));
    }

    fn token(&mut self, text: &str, element: Element) {
        let own = element.of(text);
        if element.kind == Kind::Contract {
            let said = unplaced(own);
            self.text.push_str(&said);
            let last = element.end - element.start;
            self.places.extend((1..=said.len()).map(|i| element.start + (i - 1).min(last.saturating_sub(1))));
            if let Some(place) = self.places.last_mut() {
                *place = element.end.saturating_sub(1);
            }
            return;
        }
        // The last line of a heredoc may be indented anew.
        match own.rfind('\n').filter(|_| own.starts_with("<<")) {
            Some(at) => {
                let word = own.get(at + 1..).unwrap_or_default();
                self.push(own.get(..=at).unwrap_or_default(), element.start);
                self.push(word.trim_start(), element.end - word.trim_start().len());
            }
            None => self.push(own, element.start),
        }
    }

    /// The bytes of the text between two bytes of the bare one.
    pub fn place(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        Some((*self.places.get(from)?, *self.places.get(to.checked_sub(1)?)? + 1))
    }

    /// The first byte of the bare text that stood at a byte of the text or behind it.
    pub fn from(&self, at: usize) -> usize {
        self.places.partition_point(|place| *place < at)
    }
}

/// The contract's comment without the lines of its places.
fn unplaced(comment: &str) -> String {
    let Some((head, rest)) = comment.split_once(" — trace: ") else { return comment.to_owned() };
    let (places, tail) = rest.split_once(" — compiler: ").unwrap_or((rest, ""));
    let mut said = String::new();
    for (i, part) in places.split(':').enumerate() {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').len();
        match i {
            0 => said.push_str(part),
            _ if digits > 0 => said.push_str(part.get(digits..).unwrap_or_default()),
            _ => said.extend([":", part]),
        }
    }
    format!("{head} — trace: {said} — compiler: {tail}")
}

/// How a text begins that holds the ends of its lines.
const HEREDOC: &str = "<<";

/// Returns true if two texts of a file differ in comments, blank lines and layout alone. The ends of lines are layout, but for those of a
/// heredoc, which are in its value.
pub fn is_alike(path: &Path, one: &str, other: &str) -> bool {
    let has_other_ends = ends_in_crlf(one) != ends_in_crlf(other);
    if has_other_ends && one.contains(HEREDOC) && path.extension().is_none_or(|ext| ext != "json") {
        return false;
    }
    let (one, other) = (&*to_stored(one), &*to_stored(other));
    let Some(syntax) = Syntax::of(path) else { return one == other };
    one == other || Bare::of(one, syntax).text == Bare::of(other, syntax).text
}

#[cfg(test)]
mod tests {
    use crate::specialise::record::occurrences::Occurrences;
    use crate::specialise::written::bare::*;

    fn bare(text: &str) -> String {
        Bare::of(text, Syntax::Native).text
    }

    #[test]
    fn comments_and_blank_lines_go() {
        let plain = "a = 1\nb \"c\" {\n  d = [\n    1,\n  ]\n}\n";
        let noted = "\n# x\na   = /* y */ 1 // z\n\n\nb \"c\" { # \"\n  /* {\n   } */\n  d = [\n\n # 1\n   1,\n  ]\n}\n# end";
        assert_eq!(bare(plain), bare(noted));
        assert_eq!(bare("a   = x  y"), "a=x y");
        assert_ne!(bare("a = x y"), bare("a = xy"));
        assert_ne!(bare("a = [1, 2]"), bare("a = [1,\n2]"));
    }

    #[test]
    fn what_stands_in_strings_is_no_comment() {
        for (one, other) in [
            ("a = \"# x\"\n", "a = \"# y\"\n"),
            ("a = \"${b[\"}\"]} // x\"", "a = \"${b[\"}\"]} // y\""),
            ("a = <<E\n# x\nE\n", "a = <<E\n# y\nE\n"),
            ("a = <<E\n\nx\nE\n", "a = <<E\nx\nE\n"),
            ("a = \"$${ # x\"", "a = \"$${ # y\""),
        ] {
            assert_ne!(bare(one), bare(other), "{one}");
        }
        assert_eq!(bare("a = <<-E\n  x\n  E\nb = 1 << 2\n"), bare("a = <<-E\n  x\n    E\n# c\nb = 1 << 2\n"));
        let json = |text: &str| Bare::of(text, Syntax::Json).text;
        assert_eq!(json("{\"a\": \"${\"}\n\n"), "{\"a\":\"${\"}");
        assert_ne!(json("{\"//\": 1}"), json("{\"//\": 2}"));
    }

    #[test]
    fn the_contract_counts_but_for_lines() {
        let comment = |at: &str, gate: &str| {
            format!(
                "# phi: input (t.a) — gate: {gate} — trace: a/m.tf:{at}, b:c.tf:1-2 — compiler: v\na = 1\n"
            )
        };
        assert_eq!(bare(&comment("4-7", "x")), bare(&comment("14-17", "x")));
        assert_ne!(bare(&comment("4-7", "x")), bare(&comment("4-7", "y")));
        assert_ne!(bare(&comment("4-7", "x")), bare("a = 1\n"));
        let text = format!("b = 2\n{}c = 3\n", comment("4-7", "é"));
        let form = Bare::of(&text, Syntax::Native);
        let piece = bare(&comment("1-2", "é"));
        let (at, count) = Occurrences::of(&form.text).from(&piece, 0).unwrap();
        let (from, to) = form.place(at, at + piece.len()).unwrap();
        assert_eq!((&text[from..to], count), (comment("4-7", "é").trim_end(), 1));
    }

    #[test]
    fn comments_are_those_of_the_parser() {
        let text =
            "a = \"${b}# x\" # one\n/* two\n # */ c = <<-E\n # x\n  E\nd = [ # three\n  1, // four\n]\n";
        let mut found = elements(text, Syntax::Native);
        found.retain(|e| e.kind == Kind::Comment);
        let texts: Vec<&str> = found.iter().map(|e| e.of(text)).collect();
        assert_eq!(texts, ["# one", "/* two\n # */", "# three", "// four"]);
        let mut blank = text.to_owned();
        found.iter().for_each(|e| blank.replace_range(e.start..e.end, &" ".repeat(e.end - e.start)));
        let tree = |text: &str| format!("{:?}", crate::syntax::parse(text).unwrap());
        assert_eq!(tree(&blank), tree(text));
    }

    #[test]
    fn layout_alone_goes() {
        assert_eq!(form("a   = 1\n\tb = [ 2 ]  \r\n"), "a=1\nb=[2]\n");
        assert_eq!(form("a = \"x  y ${ z }\\\"  \"  # why  so \n"), "a=\"x  y ${ z }\\\"  \"# why  so\n");
        assert_eq!(form("a = <<-EOT\n  x  y\n  EOT\nb  = 1\n"), "a=<<-EOT\n  x  y\nEOT\nb=1\n");
        assert_ne!(form("a = \"x y\""), form("a = \"x  y\""));
        assert_ne!(form("# a b"), form("# ab"));
        for exact in ["\"${x[\"a  b\"]}  c\"\n", "/* a\n  b \"  */", "\"$${  x\"", "\"%{ if x }  {  } \""] {
            assert_eq!(form(exact), exact);
        }
        assert_eq!(form("a = \"${ { b = \"}\" }  }\"  + 1"), "a=\"${ { b = \"}\" }  }\"+1");
    }
}
