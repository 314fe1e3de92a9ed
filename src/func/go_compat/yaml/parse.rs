//! Values from the tokens of a YAML text.
//!
//! Mappings become objects, sequences tuples; `<<` merges one mapping; aliases repeat values. Invariant: the value, with
//! its aliases spelled out, has at most [`MAX_ELEMENTS`] parts and nests at most [`MAX_DEPTH`] levels.
//! Merging a sequence of mappings depends on Terraform's version; it was an error up to 1.15.
//! Sources of the semantics: go-cty-yaml 1.1 `parserc.go`, `decode.go`, `implied_type.go`.

use super::resolve::resolve;
use super::scan::{Style, Token, tokens};
use crate::func::args::MAX_ELEMENTS;
use crate::func::{FuncError, Obstacle};
use crate::value::convert::convert;
use crate::value::{Type, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of levels that collections may nest.
const MAX_DEPTH: usize = 128;

/// The value of a YAML text of one document.
///
/// # Errors
/// Returns an error for YAML that go-cty-yaml rejects, and beyond limits.
pub(in crate::func) fn parse(text: &str) -> Result<Value, FuncError> {
    let mut parser = Parser {
        tokens: tokens(text)?.into_iter().peekable(),
        anchors: FxHashMap::default(),
        parts: 0,
        depth: 0,
    };
    let value = match parser.peek() {
        Token::End => return Err(FuncError::new("missing start of document")),
        Token::DocumentStart => {
            parser.next();
            match parser.peek() {
                Token::DocumentStart | Token::DocumentEnd | Token::End => parser.empty()?,
                _ => parser.node(Context::Block)?,
            }
        }
        _ => parser.node(Context::Block)?,
    };
    while *parser.peek() == Token::DocumentEnd {
        parser.next();
    }
    match parser.peek() {
        Token::End => Ok(value),
        Token::DocumentStart => Err(FuncError::new("only a single document is allowed")),
        _ => Err(FuncError::new("did not find expected <document start>")),
    }
}

/// The place at which a node is expected, which decides what it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Flow,
    Block,
    /// A key or value of a block mapping, where a sequence needs no indentation.
    Entry,
}

/// The beginning of a node.
enum Event {
    Alias(String),
    Scalar { anchor: Option<String>, tag: Option<String>, text: String, style: Style },
    Collection { anchor: Option<String>, tag: Option<String>, kind: Kind },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    BlockSequence,
    IndentlessSequence,
    FlowSequence,
    BlockMapping,
    FlowMapping,
}

/// An anchor's value once it is complete.
struct Anchored {
    pending: usize,
    done: Option<(Value, usize)>,
}

type Entries = BTreeMap<Arc<str>, Value>;

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    anchors: FxHashMap<String, Anchored>,
    parts: usize,
    depth: usize,
}

impl Parser {
    fn peek(&mut self) -> &Token {
        self.tokens.peek().unwrap_or(&Token::End)
    }

    fn next(&mut self) {
        self.tokens.next();
    }

    fn count(&mut self, parts: usize) -> Result<(), FuncError> {
        self.parts = self.parts.saturating_add(parts);
        if self.parts > MAX_ELEMENTS {
            return Err(FuncError::declined("the YAML text has too many values"));
        }
        Ok(())
    }

    /// The value of nothing at all.
    fn empty(&mut self) -> Result<Value, FuncError> {
        self.count(1)?;
        Ok(Value::null(Type::Dynamic))
    }

    fn node(&mut self, context: Context) -> Result<Value, FuncError> {
        match self.event(context)? {
            Event::Alias(name) => self.alias(&name),
            Event::Scalar { anchor, tag, text, style } => {
                self.count(1)?;
                let value = scalar(tag.as_deref(), &text, style)?;
                if let Some(anchor) = anchor {
                    self.begin(&anchor);
                    self.complete(&anchor, &value, 1);
                }
                Ok(value)
            }
            Event::Collection { anchor, tag, kind } => {
                self.collection(anchor.as_deref(), tag.as_deref(), kind)
            }
        }
    }

    /// Passes over a node's anchor and tag, and its text where it is a scalar.
    fn event(&mut self, context: Context) -> Result<Event, FuncError> {
        let (mut anchor, mut tag) = (None, None);
        loop {
            match self.peek() {
                Token::Alias(name) if anchor.is_none() && tag.is_none() => {
                    let name = std::mem::take(&mut name.clone());
                    self.next();
                    return Ok(Event::Alias(name));
                }
                Token::Anchor(name) if anchor.is_none() => anchor = Some(name.clone()),
                Token::Tag(name) if tag.is_none() => tag = Some(name.clone()),
                _ => break,
            }
            self.next();
        }
        let block = context != Context::Flow;
        let kind = match self.peek() {
            Token::Scalar(text, style) => {
                let (text, style) = (text.clone(), *style);
                self.next();
                return Ok(Event::Scalar { anchor, tag, text, style });
            }
            Token::BlockEntry if context == Context::Entry => Kind::IndentlessSequence,
            Token::FlowSequence => Kind::FlowSequence,
            Token::FlowMapping => Kind::FlowMapping,
            Token::BlockSequence if block => Kind::BlockSequence,
            Token::BlockMapping if block => Kind::BlockMapping,
            _ if anchor.is_some() || tag.is_some() => {
                return Ok(Event::Scalar { anchor, tag, text: String::new(), style: Style::Plain });
            }
            _ => return Err(FuncError::new("did not find expected node content")),
        };
        Ok(Event::Collection { anchor, tag, kind })
    }

    fn begin(&mut self, name: &str) {
        let entry = self.anchors.entry(name.to_owned()).or_insert(Anchored { pending: 0, done: None });
        entry.pending += 1;
    }

    fn complete(&mut self, name: &str, value: &Value, parts: usize) {
        if let Some(entry) = self.anchors.get_mut(name) {
            entry.pending = entry.pending.saturating_sub(1);
            entry.done = Some((value.clone(), parts));
        }
    }

    fn alias(&mut self, name: &str) -> Result<Value, FuncError> {
        let (value, parts) = match self.anchors.get(name) {
            Some(Anchored { pending: 1.., .. }) => {
                let message = format!("cannot refer to anchor {name:?} from inside its own definition");
                return Err(FuncError::new(message));
            }
            Some(Anchored { done: Some((value, parts)), .. }) => (value.clone(), *parts),
            _ => return Err(FuncError::new(format!("reference to undefined anchor {name:?}"))),
        };
        self.count(parts)?;
        Ok(value)
    }

    fn collection(
        &mut self,
        anchor: Option<&str>,
        tag: Option<&str>,
        kind: Kind,
    ) -> Result<Value, FuncError> {
        let mapping = matches!(kind, Kind::BlockMapping | Kind::FlowMapping);
        let own = if mapping { "tag:yaml.org,2002:map" } else { "tag:yaml.org,2002:seq" };
        if let Some(tag) = tag.filter(|tag| *tag != own) {
            return Err(FuncError::new(format!("can't interpret a collection as {tag}")));
        }
        if self.depth >= MAX_DEPTH {
            return Err(FuncError::declined("the YAML text is nested too deeply"));
        }
        if let Some(anchor) = anchor {
            self.begin(anchor);
        }
        let before = self.parts;
        self.count(1)?;
        self.depth += 1;
        if kind != Kind::IndentlessSequence {
            self.next();
        }
        let value = match kind {
            Kind::BlockSequence => self.block_sequence(true)?,
            Kind::IndentlessSequence => self.block_sequence(false)?,
            Kind::FlowSequence => self.flow_sequence()?,
            Kind::BlockMapping => self.block_mapping()?,
            Kind::FlowMapping => self.flow_mapping()?,
        };
        self.depth -= 1;
        if let Some(anchor) = anchor {
            self.complete(anchor, &value, self.parts - before);
        }
        Ok(value)
    }

    fn block_sequence(&mut self, indented: bool) -> Result<Value, FuncError> {
        let mut elements = Vec::new();
        loop {
            match self.peek() {
                Token::BlockEntry => {}
                Token::BlockEnd if indented => {
                    self.next();
                    return tuple(elements);
                }
                _ if indented => return Err(FuncError::new("did not find expected '-' indicator")),
                _ => return tuple(elements),
            }
            self.next();
            let absent = match self.peek() {
                Token::BlockEntry | Token::BlockEnd => true,
                Token::Key | Token::Value => !indented,
                _ => false,
            };
            elements.push(if absent { self.empty()? } else { self.node(Context::Block)? });
        }
    }

    fn block_mapping(&mut self) -> Result<Value, FuncError> {
        let mut entries = Entries::new();
        loop {
            match self.peek() {
                Token::Key => self.next(),
                Token::BlockEnd => {
                    self.next();
                    return object(entries);
                }
                _ => return Err(FuncError::new("did not find expected key")),
            }
            let ends = |token: &Token| matches!(token, Token::Key | Token::Value | Token::BlockEnd);
            self.entry(&mut entries, Context::Entry, true, ends)?;
        }
    }

    /// Reads a key, its value and adds both; `ends` are the tokens before which either may be absent.
    fn entry(
        &mut self,
        entries: &mut Entries,
        context: Context,
        valued: bool,
        ends: fn(&Token) -> bool,
    ) -> Result<(), FuncError> {
        let key = match valued && ends(self.peek()) {
            true => Event::Scalar { anchor: None, tag: None, text: String::new(), style: Style::Plain },
            false => self.event(context)?,
        };
        let Event::Scalar { tag, text, style, .. } = key else {
            return Err(FuncError::new("only strings are allowed as mapping keys"));
        };
        let name = match (tag.as_deref(), text.as_str()) {
            (None, "<<") => None,
            (Some("tag:yaml.org,2002:merge"), _) => {
                return Err(FuncError::unsupported("merge tags in YAML are not supported"));
            }
            (tag, text) => Some(key_name(tag, text, style)?),
        };
        let given = valued && *self.peek() == Token::Value;
        if given {
            self.next();
        }
        let value = if given && !ends(self.peek()) { self.node(context)? } else { self.empty()? };
        match name {
            Some(name) => {
                entries.insert(name, value);
            }
            None => merge(entries, &value)?,
        }
        Ok(())
    }

    /// Returns true if another element follows in a flow collection. Skips what separates them.
    fn more(&mut self, first: bool, end: &Token) -> Result<bool, FuncError> {
        if self.peek() != end && !first {
            if *self.peek() != Token::FlowEntry {
                return Err(FuncError::new("did not find expected ',' or the end of the collection"));
            }
            self.next();
        }
        let more = self.peek() != end;
        if !more {
            self.next();
        }
        Ok(more)
    }

    fn flow_sequence(&mut self) -> Result<Value, FuncError> {
        let mut elements = Vec::new();
        while self.more(elements.is_empty(), &Token::FlowSequenceEnd)? {
            if *self.peek() != Token::Key {
                elements.push(self.node(Context::Flow)?);
                continue;
            }
            self.next();
            let ends = |token: &Token| matches!(token, Token::FlowEntry | Token::FlowSequenceEnd);
            if *self.peek() == Token::Value || ends(self.peek()) {
                return Err(FuncError::unsupported("an empty key in a YAML flow sequence is not supported"));
            }
            self.count(1)?;
            let mut entries = Entries::new();
            self.entry(&mut entries, Context::Flow, true, ends)?;
            elements.push(object(entries)?);
        }
        tuple(elements)
    }

    fn flow_mapping(&mut self) -> Result<Value, FuncError> {
        let mut entries = Entries::new();
        let mut first = true;
        while self.more(first, &Token::FlowMappingEnd)? {
            first = false;
            let keyed = *self.peek() == Token::Key;
            if keyed {
                self.next();
            }
            let ends =
                |token: &Token| matches!(token, Token::Value | Token::FlowEntry | Token::FlowMappingEnd);
            self.entry(&mut entries, Context::Flow, keyed, ends)?;
        }
        object(entries)
    }
}

/// A scalar's value; one that is not plain and has no tag is a string whatever it looks like.
fn scalar(tag: Option<&str>, text: &str, style: Style) -> Result<Value, FuncError> {
    let value = resolve(tag, text, style)?;
    if tag.is_none() && style != Style::Plain { Ok(convert(&value, &Type::String)?) } else { Ok(value) }
}

fn key_name(tag: Option<&str>, text: &str, style: Style) -> Result<Arc<str>, FuncError> {
    let key = convert(&resolve(tag, text, style)?, &Type::String)?;
    let name = key.as_str().ok_or_else(|| FuncError::new("mapping key cannot be null"))?;
    Ok(name.into())
}

fn merge(entries: &mut Entries, value: &Value) -> Result<(), FuncError> {
    match (&value.ty, value.as_map()) {
        (Type::Object(_), Some(more)) => {
            entries.extend(more.iter().map(|(name, value)| (name.clone(), value.clone())));
            Ok(())
        }
        (Type::Tuple(_), _) => {
            let message = "cannot merge tuple into mapping; whether it can depends on Terraform's version";
            Err(FuncError { obstacle: Obstacle::Version, ..FuncError::declined(message) })
        }
        (ty, _) => Err(FuncError::new(format!("cannot merge {} into mapping", ty.friendly_name()))),
    }
}

fn tuple(elements: Vec<Value>) -> Result<Value, FuncError> {
    Value::check_depth(&elements)?;
    Ok(Value::tuple(elements))
}

fn object(entries: Entries) -> Result<Value, FuncError> {
    Value::check_depth(entries.values())?;
    Ok(Value::object(entries))
}
