//! The scanner's state: what it has read, and the brackets that are open.

use crate::text::Span;

/// The result of a scan.
pub(in crate::syntax) struct Scan {
    /// The neutralised text; `None` where the original needs nothing.
    pub shadow: Option<String>,
    /// Every heredoc, by the position of its `<<`.
    pub heredocs: Vec<Heredoc>,
    /// The deepest nesting of brackets, templates and operators in a row.
    pub depth: usize,
}

/// The scanner's state; `at` is the next byte.
pub(super) struct Scanner<'a> {
    pub text: &'a str,
    pub bytes: &'a [u8],
    pub at: usize,
    pub frames: Vec<Frame>,
    pub shadow: Option<Vec<u8>>,
    pub heredocs: Vec<Heredoc>,
    pub keys: Vec<Span>,
    pub renamed: Renamed,
    pub key_work: usize,
    pub directives: Vec<Directive>,
    pub depth: usize,
    /// `!` and `-` read in a row.
    pub operators: usize,
    /// `?` read in the open frames' current expressions: each nests the rest of its expression.
    pub conditionals: usize,
    /// The last comment.
    pub comment: Option<Span>,
    /// The last byte that was no space, comment or ignored newline.
    pub last: u8,
}

/// The kind of an open bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A file or a block.
    Body,
    /// An object constructor.
    Object,
    /// `{for …}`
    ForObject,
    /// `(`, and a standalone expression.
    Paren,
    /// `[`
    Bracket,
    /// `${`
    Interpolation,
    /// `%{`
    Directive,
    /// `"`
    Quote,
    /// A template without quotes.
    Bare,
    /// A heredoc; `index` into the list of heredocs.
    Heredoc { index: usize },
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Body => "block",
            Kind::Object | Kind::ForObject => "brace",
            Kind::Paren => "parenthesis",
            Kind::Bracket => "bracket",
            Kind::Interpolation => "template interpolation",
            Kind::Directive => "template directive",
            Kind::Quote => "string",
            Kind::Bare => "template",
            Kind::Heredoc { .. } => "heredoc",
        }
    }
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: Kind,
    /// The offset at which it opened.
    pub start: usize,
    /// True in a body after the `=` of an attribute, and in an object after the `=` or `:` of an item.
    pub in_value: bool,
    /// The number of conditionals in the current key of an object that wait for their colon.
    pub asked: usize,
    /// The offset at which the current item of a body or object begins.
    pub item: Option<usize>,
    /// The newline after the last item of an object, with the line comment before it.
    pub newline: Option<Span>,
    /// The number of keys that were recorded outside.
    pub keys: usize,
    /// The number of conditionals that were open outside.
    pub conditionals: usize,
    /// The number of template directives that were open outside.
    pub directives: usize,
    /// True in a heredoc if the next text begins a line.
    pub line_start: bool,
}

impl Frame {
    pub(super) fn new(kind: Kind, start: usize) -> Frame {
        Frame {
            kind,
            start,
            in_value: false,
            asked: 0,
            item: None,
            newline: None,
            keys: 0,
            conditionals: 0,
            directives: 0,
            line_start: true,
        }
    }

    /// Returns true if newlines are tokens here.
    pub(super) fn newlines_count(self) -> bool {
        matches!(self.kind, Kind::Body | Kind::Object)
    }
}

/// An open `%{ if }` or `%{ for }`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Directive {
    pub start: usize,
    pub kind: Opened,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opened {
    If,
    Else,
    For,
}

/// Bytes of the identifier that `text` starts with; 0 where it starts with none.
pub(super) fn word_length(text: &str) -> usize {
    let ascii = ascii_length(text.as_bytes());
    if text.as_bytes().get(ascii).is_none_or(u8::is_ascii) {
        return ascii;
    }
    // Identifiers beyond ASCII: hcl-edit checks them exactly, here only their extent matters.
    text.char_indices()
        .find(|(_, c)| !(c.is_alphanumeric() || matches!(c, '_' | '-') || !c.is_ascii()))
        .map_or(text.len(), |(i, _)| i)
}

/// The place of a heredoc; all offsets in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Heredoc {
    /// The first `<`.
    pub start: usize,
    /// The first byte after the introducing line.
    pub body: usize,
    /// The end of the body, which is the start of the terminator's line.
    pub body_end: usize,
    /// The end of the terminator's word.
    pub end: usize,
    /// `<<-`: the common indentation is removed.
    pub flush: bool,
    /// The offset at which the terminator's word was introduced.
    pub word: usize,
    pub word_length: usize,
}

/// The keys of an object that get other names in the shadow.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::syntax) enum Renamed {
    /// Keys whose text an earlier key has.
    Repeated,
    /// Besides, all that are neither names nor plain strings.
    Computed,
}

/// Bytes of the identifier's ASCII part that `text` starts with.
pub(super) fn ascii_length(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count()
}
