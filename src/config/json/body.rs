//! Objects as bodies.

use super::expr;
use super::node::JsonError;
use super::schema::Schema;
use crate::syntax::{Attribute, Block, Body, Ident, Item};
use crate::text::Span;
use crate::value::json::scan::{Kind, Member, Node};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An object, or a list of objects that are read as one, in a file with this text.
pub(super) fn body(node: &Node, schema: &Schema, text: &str) -> Result<Body, JsonError> {
    let mut out = Body { span: node.span, items: Vec::new() };
    let mut seen = BTreeSet::new();
    for part in parts(node, "a body is an object, or a list of objects")? {
        for member in members(part)? {
            item(member, schema, text, &mut out, &mut seen)?;
        }
    }
    Ok(out)
}

/// `seen` are the arguments that are there already.
fn item<'m>(
    member: &'m Member,
    schema: &Schema,
    text: &str,
    out: &mut Body,
    seen: &mut BTreeSet<&'m str>,
) -> Result<(), JsonError> {
    // A property of this name is a comment.
    if &*member.key == "//" {
        return Ok(());
    }
    let name = ident(member);
    if let Some((_, labels, inner)) = schema.blocks.iter().find(|(n, _, _)| **n == *member.key) {
        let mut open = Open { kind: name, schema: inner, text, items: &mut out.items };
        return open.labelled(&member.value, *labels, &mut Vec::new());
    }
    if !seen.insert(&member.key) {
        let message = format!("The argument \"{}\" was already set.", member.key);
        return Err(JsonError::new(member.key_span, message));
    }
    let expr = expr::expr(&member.value, schema.mode(&member.key), text)?;
    let span = member.key_span.to(member.value.span);
    out.items.push(Item::Attribute(Arc::new(Attribute { span, name, expr })));
    Ok(())
}

fn ident(member: &Member) -> Ident {
    Ident { text: member.key.clone(), span: member.key_span }
}

/// Blocks of one type under construction.
struct Open<'a> {
    kind: Ident,
    schema: &'a Schema,
    /// The text of the file.
    text: &'a str,
    items: &'a mut Vec<Item>,
}

impl Open<'_> {
    fn labelled(&mut self, node: &Node, left: usize, labels: &mut Vec<Ident>) -> Result<(), JsonError> {
        if left == 0 {
            return self.bodies(node, labels);
        }
        let mut is_labelled = false;
        for part in parts(node, "an object of labels is expected here")? {
            for member in members(part)?.iter().filter(|m| &*m.key != "//") {
                is_labelled = true;
                labels.push(ident(member));
                self.labelled(&member.value, left - 1, labels)?;
                labels.pop();
            }
        }
        if is_labelled {
            return Ok(());
        }
        let kind = &self.kind.text;
        let message =
            format!("At least one object property is required, whose name is a label of the {kind} block.");
        Err(JsonError { summary: "Missing block label", ..JsonError::new(node.span, message) })
    }

    /// Returns the blocks of a JSON value: one for an object, one for each object of a list, none for null.
    fn bodies(&mut self, node: &Node, labels: &[Ident]) -> Result<(), JsonError> {
        for part in parts(node, "a block is an object, or a list of objects")? {
            let body = body(part, self.schema, self.text)?;
            let start = labels.last().map_or(self.kind.span, |l| l.span);
            // In a list the label stands before its first block only.
            let span = if part.span == node.span { start.to(part.span) } else { part.span };
            self.items.push(Item::Block(Arc::new(Block {
                span,
                kind: self.kind.clone(),
                labels: labels.to_vec(),
                body,
                braces: part.span,
                one_line: false,
            })));
        }
        Ok(())
    }
}

/// The elements of a list, or the node itself; nothing of null.
fn parts<'a>(node: &'a Node, expected: &str) -> Result<Vec<&'a Node>, JsonError> {
    match &node.kind {
        Kind::Null => Ok(Vec::new()),
        Kind::Array(items) => items
            .iter()
            .map(|i| if matches!(i.kind, Kind::Object(_)) { Ok(i) } else { wrong(i.span, expected) })
            .collect(),
        Kind::Object(_) => Ok(vec![node]),
        _ => wrong(node.span, expected),
    }
}

fn members(node: &Node) -> Result<&[Member], JsonError> {
    match &node.kind {
        Kind::Object(members) => Ok(members),
        _ => wrong(node.span, "an object is expected here"),
    }
}

fn wrong<T>(span: Span, expected: &str) -> Result<T, JsonError> {
    let error = JsonError::new(span, format!("What stands here is of another type: {expected}."));
    Err(JsonError { summary: "Incorrect JSON value type", ..error })
}
