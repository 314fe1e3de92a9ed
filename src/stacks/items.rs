//! Copies blocks and objects item by item, with the comments and blank lines between them.

use crate::specialise::{heredocs, laid};
use crate::syntax::{Attribute, Block, Body, Expr, Item, ObjectItem, ObjectKey, parse_expr};
use crate::text::{Edit, EditSet, Place, SourceId, Sources, Span};
use crate::value::hcl;

/// A file that is copied from.
#[derive(Clone, Copy)]
pub(super) struct From<'s> {
    pub sources: &'s Sources,
    pub file: SourceId,
    pub json: bool,
}

impl<'s> From<'s> {
    /// Returns the text of a part of the file as it stands.
    pub fn raw(&self, span: Span) -> &'s str {
        self.sources.slice(Place { file: self.file, span })
    }

    /// Returns a copy of a block, in which each argument is what `write` returns. It is left out if that is `None`.
    pub fn copied(&self, block: &Block, write: &mut dyn FnMut(&Attribute) -> Option<String>) -> String {
        let items = self.block(block, |item| match item {
            Item::Attribute(attr) => write(attr),
            Item::Block(inner) => Some(self.copied(inner, write)),
        });
        format!("{} {{{items}}}", header(block))
    }

    /// Returns the comments and line ends between two bytes of a native file. Returns a line end for a JSON file.
    pub fn gap(&self, from: u32, to: u32) -> String {
        let Some(source) = self.sources.get(self.file).filter(|_| !self.json && from < to) else {
            return "\n".to_owned();
        };
        let text = source.slice(Span { start: from, end: to });
        let text = text.trim_start_matches([' ', '\t']);
        let text = text.strip_prefix(',').unwrap_or(text).trim_end_matches([' ', '\t']);
        if text.contains('\n') {
            let first = if text.starts_with(['\n', '\r']) { "" } else { " " };
            return format!("{first}{text}");
        }
        if text.is_empty() { "\n".to_owned() } else { format!(" {text}\n") }
    }

    /// Returns the comments and line ends behind an item. If the item is left out, so is the comment on its line.
    fn gap_after(&self, from: u32, to: u32, left_out: bool) -> String {
        let gap = self.gap(from, to);
        match gap.find('\n').filter(|_| left_out) {
            Some(end) => gap.get(end..).unwrap_or_default().to_owned(),
            None => gap,
        }
    }

    /// Returns the items of a block, each as `write` returns it. An item is left out if `write` returns `None`.
    pub fn block(&self, block: &Block, write: impl FnMut(&Item) -> Option<String>) -> String {
        let within = (block.braces.start.saturating_add(1), block.braces.end.saturating_sub(1));
        self.items(within, &block.body.items, write)
    }

    /// Returns the items of a file, each as `write` returns it, without those for which it returns `None`.
    pub fn body(&self, body: &Body, write: impl FnMut(&Item) -> Option<String>) -> String {
        self.items((body.span.start, body.span.end), &body.items, write)
    }

    fn items(
        &self,
        within: (u32, u32),
        items: &[Item],
        write: impl FnMut(&Item) -> Option<String>,
    ) -> String {
        let span = |item: &Item| match item {
            Item::Attribute(attr) => attr.span,
            Item::Block(block) => block.span,
        };
        self.between(within, items, span, write)
    }

    /// Returns the items of an object, each as `write` returns it, without those for which it returns `None`.
    pub fn object(
        &self,
        object: &Expr,
        items: &[ObjectItem],
        write: impl FnMut(&ObjectItem) -> Option<String>,
    ) -> String {
        let within = (object.span.start.saturating_add(1), object.span.end.saturating_sub(1));
        let span = |item: &ObjectItem| match &item.key {
            ObjectKey::Name(name) => name.span.to(item.value.span),
            ObjectKey::Expr(key) => key.span.to(item.value.span),
        };
        self.between(within, items, span, write)
    }

    /// Returns what stands between two places: the items there, each as `write` returns it, and the text around them.
    fn between<T>(
        &self,
        (start, end): (u32, u32),
        items: &[T],
        span: impl Fn(&T) -> Span,
        mut write: impl FnMut(&T) -> Option<String>,
    ) -> String {
        let mut out = String::new();
        let (mut at, mut left_out) = (start, false);
        for item in items {
            let span = span(item);
            let gap = self.gap_after(at, span.start, left_out);
            let text = write(item);
            left_out = text.is_none();
            match text {
                Some(text) => out.extend([&*gap, text.trim_end()]),
                None => out.push_str(gap.trim_end_matches('\n')),
            }
            at = span.end;
        }
        out.push_str(&self.gap_after(at, end, left_out));
        out
    }
}

/// Returns the type of a block with its labels.
pub(super) fn header(block: &Block) -> String {
    let labels = block.labels.iter().map(|label| format!(" {}", hcl::quote(&label.text)));
    block.kind.text.to_string() + &labels.collect::<String>()
}

/// Returns the text of an expression with the edits that `edits` makes of it; a text that is none as it is. The word that ends a
/// heredoc stays alone in its line.
pub(super) fn rewritten(mut text: String, edits: impl FnOnce(&Expr, &str) -> Vec<Edit>) -> String {
    if text.contains("<<") && !text.ends_with('\n') {
        text.push('\n');
    }
    let Ok(expr) = parse_expr(&text) else { return text };
    let edits = edits(&expr, &text);
    EditSet::of(edits).ok().and_then(|set| set.apply(&text).ok()).unwrap_or(text)
}

/// Formats a text as `terraform fmt` does, with at most one empty line in a row. Heredocs stay as they are.
pub(super) fn laid_out(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let heredocs = heredocs(text);
    let mut next = 0;
    for line in text.split('\n') {
        let at = next;
        next += line.len() + 1;
        match line.trim().is_empty() {
            _ if heredocs.iter().any(|h| h.start < at && at < h.end) => lines.push(line),
            true if lines.last().is_some_and(|last| last.is_empty()) => {}
            true => lines.push(""),
            false => lines.push(line.strip_suffix('\r').unwrap_or(line)),
        }
    }
    let first = lines.iter().take_while(|line| line.is_empty()).count();
    let text = format!("{}\n", lines.get(first..).unwrap_or_default().join("\n").trim_end());
    laid(&text)
}

/// Returns an expression in parentheses. The word that ends a heredoc stays alone in its line.
pub(super) fn enclosed(text: &str) -> String {
    let text = text.trim_end();
    if text.contains("<<") { format!("({text}\n)") } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heredocs_stay_as_they_are() {
        let text = "\n\na {\n  \n\n  b = <<-E\n  x\n\n\n   \n  y\r\n  E\n  c = 1 # <\n}\n\n";
        assert_eq!(laid_out(text), "a {\n\n  b = <<-E\n  x\n\n\n   \n  y\r\n  E\n  c = 1 # <\n}\n");
        assert_eq!(enclosed("a"), "(a)");
        assert_eq!(enclosed("<<E\nx\nE\n"), "(<<E\nx\nE\n)");
    }
}
