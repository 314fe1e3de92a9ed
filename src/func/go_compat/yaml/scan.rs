//! The tokens of a YAML text, as libyaml finds them.
//!
//! Positions are in characters. Block structure is made explicit: indentation opens and closes collections, and the
//! `Key` before a simple key is put in when its `:` is found. Input: a text without control characters.
//! Deliberately absent: directives, percent-escapes in tags and byte order marks within the text, all of them declined.
//! Source of the semantics: go-cty-yaml 1.1 `scannerc.go`.

use super::chars::{Chars, Mark, is_blank, is_blank_or_end, is_break};
use crate::func::FuncError;
use crate::func::args::MAX_ELEMENTS;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::func) enum Token {
    DocumentStart,
    DocumentEnd,
    BlockSequence,
    BlockMapping,
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(String),
    Anchor(String),
    /// The whole tag, its handle resolved.
    Tag(String),
    Scalar(String, Style),
    End,
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::func) enum Style {
    Plain,
    Quoted,
    Block,
}

/// The number of levels that flow collections may nest.
const MAX_FLOW: usize = 128;

/// A value has no more than a few tokens: with more there are more values than a text may hold.
const MAX_TOKENS: usize = 4 * MAX_ELEMENTS;

/// A simple key is on one line and at most this long.
const MAX_SIMPLE_KEY: usize = 1024;

/// The place at which a simple key may have begun.
#[derive(Clone, Copy, Default)]
struct SimpleKey {
    possible: bool,
    required: bool,
    token: usize,
    mark: Mark,
}

pub(in crate::func) struct Scanner {
    pub(in crate::func) chars: Chars,
    tokens: Vec<Token>,
    /// The column of the innermost block collection; -1 outside of all.
    pub(in crate::func) indent: i64,
    indents: Vec<i64>,
    /// A key per flow level; the first is that of the block context.
    keys: Vec<SimpleKey>,
    pub(in crate::func) key_allowed: bool,
}

/// All tokens of a text, `End` last.
///
/// # Errors
/// Returns an error for text that libyaml's scanner rejects, and beyond limits.
pub(in crate::func) fn tokens(text: &str) -> Result<Vec<Token>, FuncError> {
    let mut scanner = Scanner {
        chars: Chars::new(text)?,
        tokens: Vec::new(),
        indent: -1,
        indents: Vec::new(),
        keys: vec![SimpleKey::default()],
        key_allowed: true,
    };
    while scanner.tokens.last() != Some(&Token::End) {
        scanner.fetch()?;
        if scanner.tokens.len() > MAX_TOKENS {
            return Err(FuncError::declined("the YAML text has too many values"));
        }
    }
    Ok(scanner.tokens)
}

impl Scanner {
    /// Returns true if a flow collection is open.
    pub(in crate::func) fn in_flow(&self) -> bool {
        self.keys.len() > 1
    }

    /// The column, comparable to indentation.
    pub(in crate::func) fn column(&self) -> i64 {
        self.chars.mark().column
    }

    fn fetch(&mut self) -> Result<(), FuncError> {
        self.seek_token();
        self.drop_stale_keys()?;
        self.close_blocks(self.column());
        let (here, next) = (self.chars.peek(0), self.chars.peek(1));
        let Some(c) = here else { return self.end() };
        let apart = is_blank_or_end(next);
        if self.column() == 0 {
            if c == '%' {
                return Err(FuncError::unsupported("YAML directives are not supported"));
            }
            if let Some(token) = self.document_indicator() {
                self.close_blocks(-1);
                self.drop_key()?;
                self.key_allowed = false;
                return self.indicator(token, 3);
            }
        }
        match c {
            '[' => self.open_flow(Token::FlowSequence),
            '{' => self.open_flow(Token::FlowMapping),
            ']' => self.close_flow(Token::FlowSequenceEnd),
            '}' => self.close_flow(Token::FlowMappingEnd),
            ',' => {
                self.drop_key()?;
                self.key_allowed = true;
                self.indicator(Token::FlowEntry, 1)
            }
            '-' if apart => self.block_entry(),
            '?' if self.in_flow() || apart => self.key(),
            ':' if self.in_flow() || apart => self.value(),
            '*' | '&' => self.anchor(c == '*'),
            '!' => self.tag(),
            '|' | '>' if !self.in_flow() => {
                self.drop_key()?;
                self.key_allowed = true;
                let text = self.block_scalar(c == '|')?;
                self.push(Token::Scalar(text, Style::Block))
            }
            '\'' | '"' => {
                self.save_key()?;
                self.key_allowed = false;
                let text = self.quoted_scalar(c == '\'')?;
                self.push(Token::Scalar(text, Style::Quoted))
            }
            _ if starts_plain(c, next, self.in_flow()) => {
                self.save_key()?;
                self.key_allowed = false;
                let text = self.plain_scalar()?;
                self.push(Token::Scalar(text, Style::Plain))
            }
            _ => Err(FuncError::new("found character that cannot start any token")),
        }
    }

    fn push(&mut self, token: Token) -> Result<(), FuncError> {
        self.tokens.push(token);
        Ok(())
    }

    /// A token of so many characters.
    fn indicator(&mut self, token: Token, width: usize) -> Result<(), FuncError> {
        (0..width).for_each(|_| self.chars.skip());
        self.push(token)
    }

    /// `---` or `...` at the beginning of a line.
    pub(in crate::func) fn document_indicator(&self) -> Option<Token> {
        let all = |c| (0..3).all(|at| self.chars.peek(at) == Some(c));
        let token = if all('-') {
            Token::DocumentStart
        } else if all('.') {
            Token::DocumentEnd
        } else {
            return None;
        };
        is_blank_or_end(self.chars.peek(3)).then_some(token)
    }

    /// Passes over white space and comments. Tabs count as white space where no key could begin.
    fn seek_token(&mut self) {
        loop {
            let tabs = self.in_flow() || !self.key_allowed;
            while self.chars.peek(0).is_some_and(|c| c == ' ' || (tabs && c == '\t')) {
                self.chars.skip();
            }
            if self.chars.peek(0) == Some('#') {
                while self.chars.peek(0).is_some_and(|c| !is_break(c)) {
                    self.chars.skip();
                }
            }
            if !self.chars.peek(0).is_some_and(is_break) {
                return;
            }
            self.chars.read_line();
            if !self.in_flow() {
                self.key_allowed = true;
            }
        }
    }

    fn drop_stale_keys(&mut self) -> Result<(), FuncError> {
        let mark = self.chars.mark();
        for key in &mut self.keys {
            let stale = key.mark.line < mark.line || key.mark.index + MAX_SIMPLE_KEY < mark.index;
            if key.possible && stale {
                if key.required {
                    return Err(FuncError::new("could not find expected ':'"));
                }
                key.possible = false;
            }
        }
        Ok(())
    }

    fn save_key(&mut self) -> Result<(), FuncError> {
        if self.key_allowed {
            let required = !self.in_flow() && self.indent == self.column();
            self.drop_key()?;
            let key =
                SimpleKey { possible: true, required, token: self.tokens.len(), mark: self.chars.mark() };
            if let Some(last) = self.keys.last_mut() {
                *last = key;
            }
        }
        Ok(())
    }

    fn drop_key(&mut self) -> Result<(), FuncError> {
        if let Some(key) = self.keys.last_mut() {
            if key.possible && key.required {
                return Err(FuncError::new("could not find expected ':'"));
            }
            key.possible = false;
        }
        Ok(())
    }

    /// Opens a block collection where the column is deeper than the innermost one.
    fn open_block(&mut self, column: i64, at: usize, token: Token) {
        if !self.in_flow() && self.indent < column {
            self.indents.push(self.indent);
            self.indent = column;
            self.tokens.insert(at.min(self.tokens.len()), token);
        }
    }

    fn close_blocks(&mut self, column: i64) {
        if self.in_flow() {
            return;
        }
        while self.indent > column {
            self.tokens.push(Token::BlockEnd);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    fn end(&mut self) -> Result<(), FuncError> {
        self.close_blocks(-1);
        self.drop_key()?;
        self.push(Token::End)
    }

    fn open_flow(&mut self, token: Token) -> Result<(), FuncError> {
        self.save_key()?;
        if self.keys.len() > MAX_FLOW {
            return Err(FuncError::declined("the YAML text is nested too deeply"));
        }
        self.keys.push(SimpleKey::default());
        self.key_allowed = true;
        self.indicator(token, 1)
    }

    fn close_flow(&mut self, token: Token) -> Result<(), FuncError> {
        self.drop_key()?;
        if self.in_flow() {
            self.keys.pop();
        }
        self.key_allowed = false;
        self.indicator(token, 1)
    }

    fn block_entry(&mut self) -> Result<(), FuncError> {
        if !self.in_flow() {
            if !self.key_allowed {
                return Err(FuncError::new("block sequence entries are not allowed in this context"));
            }
            self.open_block(self.column(), self.tokens.len(), Token::BlockSequence);
        }
        self.drop_key()?;
        self.key_allowed = true;
        self.indicator(Token::BlockEntry, 1)
    }

    fn key(&mut self) -> Result<(), FuncError> {
        if !self.in_flow() {
            if !self.key_allowed {
                return Err(FuncError::new("mapping keys are not allowed in this context"));
            }
            self.open_block(self.column(), self.tokens.len(), Token::BlockMapping);
        }
        self.drop_key()?;
        self.key_allowed = !self.in_flow();
        self.indicator(Token::Key, 1)
    }

    fn value(&mut self) -> Result<(), FuncError> {
        let simple = self.keys.last().copied().unwrap_or_default();
        if simple.possible {
            self.tokens.insert(simple.token.min(self.tokens.len()), Token::Key);
            self.open_block(simple.mark.column, simple.token, Token::BlockMapping);
            if let Some(key) = self.keys.last_mut() {
                key.possible = false;
            }
            self.key_allowed = false;
        } else {
            if !self.in_flow() {
                if !self.key_allowed {
                    return Err(FuncError::new("mapping values are not allowed in this context"));
                }
                self.open_block(self.column(), self.tokens.len(), Token::BlockMapping);
            }
            self.key_allowed = !self.in_flow();
        }
        self.indicator(Token::Value, 1)
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.chars.peek(0).filter(|c| is_word(*c)) {
            word.push(c);
            self.chars.skip();
        }
        word
    }

    fn anchor(&mut self, alias: bool) -> Result<(), FuncError> {
        self.save_key()?;
        self.key_allowed = false;
        self.chars.skip();
        let name = self.word();
        let after = self.chars.peek(0);
        let ended = is_blank_or_end(after) || after.is_some_and(|c| "?:,]}%@`".contains(c));
        if name.is_empty() || !ended {
            return Err(FuncError::new("did not find expected alphabetic or numeric character"));
        }
        self.push(if alias { Token::Alias(name) } else { Token::Anchor(name) })
    }

    fn tag(&mut self) -> Result<(), FuncError> {
        self.save_key()?;
        self.key_allowed = false;
        self.chars.skip();
        let tag = if self.chars.peek(0) == Some('<') {
            self.chars.skip();
            let uri = self.uri()?;
            if uri.is_empty() {
                return Err(FuncError::new("did not find expected tag URI"));
            }
            if self.chars.peek(0) != Some('>') {
                return Err(FuncError::new("did not find the expected '>'"));
            }
            self.chars.skip();
            uri
        } else {
            let name = self.word();
            if self.chars.peek(0) == Some('!') {
                self.chars.skip();
                let suffix = self.uri()?;
                if suffix.is_empty() {
                    return Err(FuncError::new("did not find expected tag URI"));
                }
                if !name.is_empty() {
                    return Err(FuncError::new("found undefined tag handle"));
                }
                format!("tag:yaml.org,2002:{suffix}")
            } else {
                format!("!{name}{}", self.uri()?)
            }
        };
        if !is_blank_or_end(self.chars.peek(0)) {
            return Err(FuncError::new("did not find expected whitespace or line break"));
        }
        self.push(Token::Tag(tag))
    }

    fn uri(&mut self) -> Result<String, FuncError> {
        let mut uri = String::new();
        while let Some(c) = self.chars.peek(0) {
            match c {
                '%' => return Err(FuncError::unsupported("escapes in YAML tags are not supported")),
                c if is_word(c) || ";/?:@&=+$,.!~*'()[]".contains(c) => uri.push(c),
                _ => break,
            }
            self.chars.skip();
        }
        Ok(uri)
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn starts_plain(c: char, next: Option<char>, flow: bool) -> bool {
    let indicator = "-?:,[]{}#&*!|>'\"%@`".contains(c) || is_blank(c) || is_break(c);
    !indicator
        || (c == '-' && !next.is_some_and(is_blank))
        || (!flow && (c == '?' || c == ':') && !is_blank_or_end(next))
}
