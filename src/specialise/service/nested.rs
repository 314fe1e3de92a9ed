//! Nested blocks as values of a call's arguments, by the type of the template's variable: an object for one block, a list of objects
//! for several.
//!
//! In: the blocks of one name and a type. Out: edits, and what the type has no attribute for, which goes. Invariant: nothing is
//! evaluated, and what stays has its own text. Absent on purpose: `dynamic` blocks, whose number isn't written down.

use super::removals::{aligned, removals};
use crate::config::Module;
use crate::specialise::written::laid;
use crate::syntax::{Block, Body, Item, trivia};
use crate::text::{Edit, Span};
use crate::value::{ObjectType, Type};
use std::sync::Arc;

/// Blocks that are written as one value.
#[derive(Default)]
pub(super) struct Value {
    /// In bytes of the file.
    pub edits: Vec<Edit>,
    /// The items that the type has no attribute for, each by its path below the resource.
    pub lost: Vec<(String, Span)>,
}

/// Blocks that can't be written as one value: the first that doesn't fit.
pub(super) struct Misfit {
    /// Its path below the resource.
    pub path: String,
    /// Its type.
    pub span: Span,
}

/// Returns an item's name and place. A `dynamic` block has the name of the blocks that it generates.
pub(super) fn named(item: &Item) -> (&str, Span) {
    match item {
        Item::Attribute(a) => (&*a.name.text, a.span),
        Item::Block(b) if is_dynamic(b) => (b.label(0).unwrap_or("dynamic"), b.span),
        Item::Block(b) => (b.kind.text.as_ref(), b.span),
    }
}

/// Returns true for a `dynamic` block.
pub(super) fn is_dynamic(block: &Block) -> bool {
    &*block.kind.text == "dynamic"
}

/// Returns every argument and nested block of a resource by its path, outer ones first.
pub(super) fn all(body: &Body) -> Vec<(String, &Item)> {
    fn walk<'b>(body: &'b Body, above: &str, out: &mut Vec<(String, &'b Item)>) {
        for item in &body.items {
            let path = format!("{above}{}", named(item).0);
            out.push((path.clone(), item));
            let Item::Block(block) = item else { continue };
            let made = is_dynamic(block).then(|| block.body.blocks_of("content").next()).flatten();
            let inner = made.unwrap_or(block);
            if made.is_some() || !is_dynamic(block) {
                walk(&inner.body, &format!("{path}."), out);
            }
        }
    }
    let mut out = Vec::new();
    walk(body, "", &mut out);
    out
}

/// Returns the items in nested blocks that the template's variables have no attribute for.
pub(super) fn lost(template: &Module, body: &Body) -> Vec<Span> {
    let values = body.blocks().filter(|b| first(body, b)).filter_map(|block| {
        let kind = &*block.kind.text;
        value("", body, kind, &template.variables.get(kind)?.ty).ok()
    });
    values.flat_map(|v| v.lost).map(|(_, span)| span).collect()
}

/// Returns true if a block is the first of its name.
pub(super) fn first(body: &Body, block: &Arc<Block>) -> bool {
    body.blocks_of(&block.kind.text).next().is_some_and(|b| Arc::ptr_eq(b, block))
}

/// Writes all blocks of one name as one value of the given type. `text` is the whole file.
///
/// # Errors
/// Returns the first block that can't be written as such a value.
pub(super) fn value(text: &str, body: &Body, kind: &str, ty: &Type) -> Result<Value, Misfit> {
    let mut walk = Walk { text, out: Value::default() };
    walk.group(body, kind, ty, kind)?;
    Ok(walk.out)
}

/// Writes the body of a whole block as the value of an argument `name`.
///
/// # Errors
/// Returns the first nested block that can't be written as a value.
pub(super) fn content(text: &str, block: &Block, ty: &Type, name: &str) -> Result<Value, Misfit> {
    let mut walk = Walk { text, out: Value::default() };
    let object = match ty {
        Type::Object(object) => Some(&**object),
        _ => None,
    };
    walk.body(block, object, name)?;
    Ok(walk.out)
}

struct Walk<'t> {
    text: &'t str,
    out: Value,
}

impl Walk<'_> {
    /// Writes all blocks of a name in a body.
    fn group(&mut self, body: &Body, kind: &str, ty: &Type, path: &str) -> Result<(), Misfit> {
        let misfit = |block: &Block| Misfit { path: path.to_owned(), span: block.kind.span };
        let at: Vec<(usize, &Arc<Block>)> = body
            .items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| match item {
                Item::Block(b) if &*b.kind.text == kind => Some((at, b)),
                _ => None,
            })
            .collect();
        let (object, list) = match ty {
            Type::Dynamic => (None, false),
            Type::Object(object) => (Some(&**object), false),
            Type::List(of) | Type::Set(of) => match &**of {
                Type::Object(object) => (Some(&**object), true),
                _ => (None, true),
            },
            _ => return at.first().map_or(Ok(()), |(_, b)| Err(misfit(b))),
        };
        if let Some((_, block)) = at.iter().find(|(_, b)| !b.labels.is_empty()) {
            return Err(misfit(block));
        }
        for (one, next) in at.iter().zip(at.iter().skip(1)) {
            if !list || one.0 + 1 != next.0 {
                return Err(misfit(next.1));
            }
        }
        for (_, block) in &at {
            self.body(block, object, path)?;
        }
        let blocks: Vec<&Block> = at.iter().map(|(_, b)| &***b).collect();
        match list {
            true => self.list(&blocks),
            false => {
                let ends = blocks.iter().map(|b| b.kind.span.end);
                self.out.edits.extend(ends.map(|end| insert(end, " =")));
            }
        }
        Ok(())
    }

    /// Writes the arguments and nested blocks of a block.
    fn body(&mut self, block: &Block, object: Option<&ObjectType>, path: &str) -> Result<(), Misfit> {
        let mut gone = Vec::new();
        for item in &block.body.items {
            let (name, span) = named(item);
            let path = format!("{path}.{name}");
            let known = match object {
                None => Some(&Type::Dynamic),
                Some(object) => object.attrs.get(name),
            };
            match (item, known) {
                (_, None) => {
                    self.out.lost.push((path, span));
                    let alone = Span { start: block.braces.start + 1, end: block.braces.end - 1 };
                    gone.push(match block.one_line {
                        true => alone,
                        false => trivia::item_full_lines(self.text, span),
                    });
                }
                (Item::Attribute(_), _) => {}
                (Item::Block(inner), _) if object.is_none() || is_dynamic(inner) => {
                    return Err(Misfit { path, span: inner.kind.span });
                }
                (Item::Block(inner), Some(ty)) if first(&block.body, inner) => {
                    self.group(&block.body, name, ty, &path)?;
                }
                (Item::Block(_), _) => {}
            }
        }
        // Who asks without a text asks for what is lost.
        if !gone.is_empty() && !self.text.is_empty() {
            let gone = removals(self.text, block.braces, gone);
            // What comes to stand one below the other is aligned.
            self.out.edits.extend(aligned(self.text, block.span, &gone, &laid::columns).unwrap_or(gone));
        }
        Ok(())
    }

    /// `x { … } x { … }` as `x = [{ … }, { … }]`, in the lines that `terraform fmt` gives it.
    fn list(&mut self, blocks: &[&Block]) {
        for (at, block) in blocks.iter().enumerate() {
            let head = Span { start: block.kind.span.end, end: block.braces.start };
            if at == 0 {
                self.out.edits.push(Edit { span: head, text: " = [".to_owned() });
            }
            let Some(next) = blocks.get(at + 1) else {
                self.out.edits.push(insert(block.braces.end, "]"));
                continue;
            };
            let between = Span { start: block.braces.end, end: next.braces.start };
            self.out.edits.push(Edit { span: between, text: ", ".to_owned() });
            self.comments(Span { end: next.kind.span.start, ..between }, next);
            let rest = blocks.get(at + 1..).unwrap_or_default();
            if !block.one_line && rest.iter().any(|b| !b.one_line) {
                self.out.edits.push(insert(block.braces.end - 1, "  "));
            }
        }
    }

    /// Comments above a block of a list go into it.
    fn comments(&mut self, between: Span, block: &Block) {
        let Some(at) = trivia::after_opening_brace(self.text, block.braces) else { return };
        let indent = trivia::inner_indent(self.text, block.span.start);
        let newline = trivia::line_ending(self.text);
        let lines = self.text.get(between.range()).unwrap_or_default().lines().map(str::trim);
        let text: String = lines.filter(|l| !l.is_empty()).map(|l| format!("{indent}{l}{newline}")).collect();
        if !text.is_empty() {
            self.out.edits.push(insert(at, &text));
        }
    }
}

fn insert(at: u32, text: &str) -> Edit {
    Edit { span: Span { start: at, end: at }, text: text.to_owned() }
}
