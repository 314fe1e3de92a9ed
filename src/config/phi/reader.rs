//! Reading literals of an expected shape, with errors that say what was expected.

use super::Placed;
use crate::config::literal::{key_text, literal};
use crate::config::nearest::question;
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, Body, Expr, ExprKind, Ident};
use crate::text::{Place, SourceId, Span};
use crate::value::{Data, Distinct, Number, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) struct Reader {
    pub file: SourceId,
    pub issues: Vec<Issue>,
}

impl Reader {
    pub fn at(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    pub fn fail(&mut self, span: Span, summary: impl Into<String>, why: impl Into<String>) {
        let issue = Issue::error(Code::Config, summary, why).at(self.at(span));
        self.issues.push(issue);
    }

    /// Reports arguments and blocks other than these, and blocks with the wrong number of labels.
    pub fn allow_only(&mut self, inside: &str, body: &Body, attrs: &[&str], blocks: &[(&str, usize)]) {
        for attr in body.attributes() {
            if !attrs.contains(&&*attr.name.text) {
                self.unknown("argument", inside, &attr.name, attrs);
            }
        }
        let names: Vec<&str> = blocks.iter().map(|(n, _)| *n).collect();
        for block in body.blocks() {
            match blocks.iter().find(|(n, _)| **n == *block.kind.text) {
                None => self.unknown("block", inside, &block.kind, &names),
                Some((name, labels)) if block.labels.len() != *labels => {
                    let span = block.labels.get(*labels).map_or(block.kind.span, |l| l.span);
                    let why = match labels {
                        0 => format!("A {name} block has no label."),
                        _ => format!("A {name} block has one label in quotes."),
                    };
                    self.fail(span, format!("Wrong labels of {name}"), why);
                }
                Some(_) => {}
            }
        }
    }

    fn unknown(&mut self, what: &str, inside: &str, name: &Ident, valid: &[&str]) {
        let place = if inside.is_empty() { "phi.hcl".to_owned() } else { format!("a {inside} block") };
        let more = match question(&name.text, valid.iter().copied()) {
            none if none.is_empty() && valid.is_empty() => format!(" It takes no {what}s."),
            none if none.is_empty() => format!(" It takes {}.", valid.join(", ")),
            question => question,
        };
        let why = format!("There is no {what} \"{}\" in {place}.{more}", name.text);
        self.fail(name.span, format!("Unknown {what} \"{}\"", name.text), why);
    }

    fn shape<T>(&mut self, attr: &Attribute, span: Span, expected: &str) -> Option<T> {
        let why = format!("\"{}\" takes {expected}.", attr.name.text);
        self.fail(span, format!("Wrong type of \"{}\"", attr.name.text), why);
        None
    }

    /// A required argument of a block.
    pub fn required<'a>(&mut self, block: &'a Block, name: &str) -> Option<&'a Attribute> {
        let attr = block.body.attribute(name);
        if attr.is_none() {
            let why = format!("A {} block needs the argument \"{name}\".", block.kind.text);
            self.fail(block.kind.span, format!("Missing \"{name}\""), why);
        }
        attr.map(|a| &**a)
    }

    pub fn text(&mut self, attr: &Attribute) -> Option<Placed<String>> {
        match literal(&attr.expr).map(|v| v.data) {
            Ok(Data::String(s)) => Some((s.to_string(), self.at(attr.expr.span))),
            _ => self.shape(attr, attr.expr.span, "a string in quotes"),
        }
    }

    /// Reads one of several names.
    pub fn one_of<T: Copy>(&mut self, attr: &Attribute, names: &[(&str, T)]) -> Option<T> {
        let (text, place) = self.text(attr)?;
        if let Some((_, found)) = names.iter().find(|(name, _)| *name == text) {
            return Some(*found);
        }
        let all: Vec<String> = names.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let question = question(&text, names.iter().map(|(name, _)| *name));
        let why = format!("\"{}\" takes {}.{question}", attr.name.text, all.join(" or "));
        self.fail(place.span, format!("Unknown value \"{text}\" of \"{}\"", attr.name.text), why);
        None
    }

    pub fn truth(&mut self, attr: &Attribute) -> Option<bool> {
        match literal(&attr.expr).map(|v| v.data) {
            Ok(Data::Bool(b)) => Some(b),
            _ => self.shape(attr, attr.expr.span, "true or false"),
        }
    }

    /// Any literal.
    pub fn value(&mut self, attr: &Attribute) -> Option<Placed<Value>> {
        match literal(&attr.expr) {
            Ok(value) => Some((value, self.at(attr.expr.span))),
            Err(span) => self.shape(attr, span, "a literal"),
        }
    }

    /// A whole number of at least `least`.
    pub fn count(&mut self, attr: &Attribute, least: usize) -> Option<usize> {
        if let Ok(Data::Number(n)) = literal(&attr.expr).map(|v| v.data)
            && let Some(n) = n.as_usize().filter(|n| *n >= least)
        {
            return Some(n);
        }
        self.shape(attr, attr.expr.span, &format!("a whole number of at least {least}"))
    }

    fn items<'a>(&mut self, attr: &'a Attribute, of: &str) -> Option<&'a [Expr]> {
        match &attr.expr.kind {
            ExprKind::Tuple(items) => Some(items),
            _ => self.shape(attr, attr.expr.span, &format!("a list of {of}")),
        }
    }

    /// A list of strings.
    pub fn texts(&mut self, attr: &Attribute) -> Option<Vec<Placed<String>>> {
        let mut out = Vec::new();
        for item in self.items(attr, "strings in quotes")? {
            match literal(item).map(|v| v.data) {
                Ok(Data::String(s)) => out.push((s.to_string(), self.at(item.span))),
                _ => return self.shape(attr, item.span, "a list of strings in quotes"),
            }
        }
        Some(out)
    }

    /// A list of literals with at least one element, each once.
    pub fn values(&mut self, attr: &Attribute) -> Option<Vec<Placed<Value>>> {
        let mut out: Vec<Placed<Value>> = Vec::new();
        let mut known = Distinct::default();
        for item in self.items(attr, "literals")? {
            match literal(item) {
                Ok(value) if !known.add(&value) => {}
                Ok(value) => out.push((value, self.at(item.span))),
                Err(span) => return self.shape(attr, span, "a list of literals"),
            }
        }
        if out.is_empty() {
            return self.shape(attr, attr.expr.span, "a list with at least one element");
        }
        Some(out)
    }

    /// A list of numbers that ascend.
    pub fn ascending(&mut self, attr: &Attribute) -> Option<Vec<Placed<Number>>> {
        let mut out: Vec<Placed<Number>> = Vec::new();
        for (value, place) in self.values(attr)? {
            match value.data {
                Data::Number(n) if out.last().is_none_or(|(last, _)| *last < *n) => {
                    out.push((Arc::unwrap_or_clone(n), place));
                }
                _ => {
                    return self.shape(
                        attr,
                        place.span,
                        "a list of numbers, each larger than the one before",
                    );
                }
            }
        }
        Some(out)
    }

    /// An object of literals.
    pub fn object(&mut self, attr: &Attribute) -> Option<BTreeMap<Arc<str>, Placed<Value>>> {
        let ExprKind::Object(items) = &attr.expr.kind else {
            return self.shape(attr, attr.expr.span, "an object of literals");
        };
        let mut out = BTreeMap::new();
        for item in items {
            match (key_text(&item.key), literal(&item.value)) {
                (Some(key), Ok(value)) => {
                    let place = self.at(item.value.span);
                    if out.insert(key, (value, place)).is_some() {
                        return self.shape(attr, item.value.span, "an object in which each key stands once");
                    }
                }
                _ => return self.shape(attr, item.value.span, "an object of literals"),
            }
        }
        Some(out)
    }

    /// Says that a name was given twice.
    pub fn twice(&mut self, kind: &str, name: &str, place: Place) {
        let why = format!("There is already a {kind} block \"{name}\".");
        self.fail(place.span, format!("Duplicate {kind} \"{name}\""), why);
    }
}
