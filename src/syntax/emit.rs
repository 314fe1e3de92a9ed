//! New text: attributes and blocks as `terraform fmt` leaves them, string literals, parentheses.
//!
//! Input: names and expression texts. Invariant: what is written passes `terraform fmt -check` where every value does
//! by itself, and lines inside a heredoc are never moved. Absent on purpose: printing of parsed nodes; text that
//! exists is copied by span.

use super::error::ParseError;
use super::parse::{parse, parse_expr};
use super::scan::{self, Mode, Renamed};
use super::tree::{Expr, ExprKind};
use crate::text::Span;
pub use crate::value::hcl::is_identifier;
/// A quoted string literal that evaluates to a text.
pub use crate::value::hcl::quote as string_literal;

/// Binding strengths of expressions. An operand that binds less than its operator needs is put in parentheses.
pub mod strength {
    /// Anything: an attribute's value, an argument, an item.
    pub const ANY: u8 = 0;
    /// The operand of `!` and `-`.
    pub const UNARY: u8 = 7;
    /// A term: it can be followed by `.name`, `[key]` or a splat.
    pub const TERM: u8 = 8;
    /// Parentheses, whatever the expression.
    pub const ALWAYS: u8 = 9;
}

/// Returns the binding strength of `expr`: 0 for a conditional, then
/// [`BinaryOp::precedence`](super::BinaryOp::precedence), 7 for unary operators, 8 for everything else.
///
/// A left operand needs its operator's precedence, a right one that plus one.
pub fn strength_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Conditional(..) => strength::ANY,
        ExprKind::Binary(op, ..) => op.precedence(),
        ExprKind::Unary(..) => strength::UNARY,
        _ => strength::TERM,
    }
}

/// The expression text, in parentheses where it would fall apart in its new place.
///
/// Text with newlines that only count as space inside brackets gets them too, and so does a heredoc, which nothing
/// may follow on its last line.
///
/// # Errors
/// Returns an error if the text is no expression.
pub fn paren_if_needed(text: &str, needed: u8) -> Result<String, ParseError> {
    let ends_line = text.contains("<<") && !text.ends_with('\n');
    let closed = if ends_line { format!("{text}\n") } else { text.to_string() };
    let expr = parse_expr(&closed)?;
    let ends_in_heredoc = ends_line && parse_expr(&format!("({text})")).is_err();
    let text = text.trim();
    let newline = if ends_in_heredoc { "\n" } else { "" };
    let falls_apart = strength_of(&expr) < needed || (ends_in_heredoc && needed > strength::ANY);
    if falls_apart || (text.contains('\n') && parse(&format!("x = {text}\n")).is_err()) {
        return Ok(format!("({text}{newline})"));
    }
    Ok(text.to_string())
}

/// Writes attributes and blocks.
#[derive(Debug)]
pub struct Writer {
    out: String,
    indent: String,
    newline: String,
    /// Attributes whose `=` will be aligned with each other.
    group: Vec<(String, String)>,
}

impl Writer {
    /// A writer at an indentation, with `"\n"` or `"\r\n"` between lines.
    pub fn new(indent: &str, newline: &str) -> Writer {
        Writer {
            out: String::new(),
            indent: indent.to_string(),
            newline: newline.to_string(),
            group: Vec::new(),
        }
    }

    /// `name = value`; further lines of the value are indented to stand here, except within heredocs.
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Self {
        self.group.push((name.to_string(), value.to_string()));
        self
    }

    /// Comment lines; `# ` is put before each line of the text.
    pub fn comment(&mut self, text: &str) -> &mut Self {
        self.close_group();
        for line in text.lines() {
            let line = format!("# {line}");
            self.line(line.trim_end());
        }
        self
    }

    /// An empty line, unless one stands there already or nothing does.
    pub fn blank(&mut self) -> &mut Self {
        self.close_group();
        let twice = format!("{0}{0}", self.newline);
        if !self.out.is_empty() && !self.out.ends_with(&twice) {
            self.out.push_str(&self.newline);
        }
        self
    }

    /// A block, after an empty line where something other than a comment stands before it.
    pub fn block(&mut self, kind: &str, labels: &[&str], body: impl FnOnce(&mut Writer)) -> &mut Self {
        self.noted_block(kind, labels, "", body)
    }

    /// The same with a comment behind the opening brace; an empty note is none.
    pub fn noted_block(
        &mut self,
        kind: &str,
        labels: &[&str],
        note: &str,
        body: impl FnOnce(&mut Writer),
    ) -> &mut Self {
        self.close_group();
        let last = self.out.trim_end().lines().last().unwrap_or("").trim_start();
        if !last.starts_with('#') {
            self.blank();
        }
        let mut head = kind.to_string();
        for label in labels {
            head.push(' ');
            head.push_str(&string_literal(label));
        }
        let mut inner = Writer::new(&format!("{}  ", self.indent), &self.newline);
        body(&mut inner);
        let inner = inner.finish();
        if inner.is_empty() {
            self.line(&format!("{head} {{}}"));
        } else {
            let note = if note.is_empty() { String::new() } else { format!(" # {note}") };
            self.line(&format!("{head} {{{note}"));
            self.out.push_str(&inner);
            self.line("}");
        }
        self
    }

    /// Returns the text; every line ends with a newline.
    pub fn finish(mut self) -> String {
        self.close_group();
        self.out
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(&self.indent);
        self.out.push_str(text);
        self.out.push_str(&self.newline);
    }

    /// Writes the attributes that wait, aligned as `terraform fmt` does: one whose first line leaves a bracket open
    /// is aligned with nothing and ends a group; a heredoc is one line to it.
    fn close_group(&mut self) {
        let group = std::mem::take(&mut self.group);
        let mut aligned: Vec<(String, Value)> = Vec::new();
        for (name, value) in group {
            let value = Value::new(&value, &self.indent, &self.newline);
            if value.opens {
                self.aligned(std::mem::take(&mut aligned));
                self.aligned(vec![(name, value)]);
            } else {
                aligned.push((name, value));
            }
        }
        self.aligned(aligned);
    }

    fn aligned(&mut self, group: Vec<(String, Value)>) {
        let width = group.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in group {
            let pad = " ".repeat(width - name.chars().count());
            self.line(&format!("{name}{pad} = {}", value.text));
        }
    }
}

/// A value's text in its place.
struct Value {
    text: String,
    /// True if its first line leaves a bracket open.
    opens: bool,
}

impl Value {
    fn new(text: &str, indent: &str, newline: &str) -> Value {
        let text = text.trim();
        if !text.contains('\n') {
            return Value { text: text.to_string(), opens: false };
        }
        let closed = format!("{text}\n");
        let fixed: Vec<Span> = scan::scan(&closed, Mode::Expression, Renamed::Repeated)
            .map(|s| s.heredocs.iter().map(|h| Span::new(h.body, h.end)).collect())
            .unwrap_or_default();
        let mut out = String::new();
        let mut at = 0;
        for (lines, line) in text.split_inclusive('\n').enumerate() {
            let inside = fixed.iter().any(|s| s.range().contains(&at));
            at += line.len();
            let content = line.trim_end_matches(['\n', '\r']);
            if lines > 0 && !inside && !content.trim().is_empty() {
                out.push_str(indent);
            }
            let inside_next = fixed.iter().any(|s| s.range().contains(&at));
            out.push_str(if inside && inside_next { line.trim_end_matches('\n') } else { content });
            if line.ends_with('\n') {
                out.push_str(if inside && inside_next { "\n" } else { newline });
            }
        }
        let first = text.lines().next().unwrap_or("");
        let opens = !fixed.iter().any(|s| s.range().start == first.len() + 1) || unbalanced(first);
        Value { text: out, opens }
    }
}

/// Returns true if the line that introduces a heredoc opens a bracket before it.
fn unbalanced(line: &str) -> bool {
    let count = |set: [char; 3]| line.matches(set).count();
    count(['(', '[', '{']) > count([')', ']', '}'])
}
