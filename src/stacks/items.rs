//! Copies blocks and objects item by item, with the comments and blank lines between them.

use crate::specialise::laid;
use crate::syntax::{Block, Body, Expr, Item, ObjectItem, ObjectKey};
use crate::text::{SourceId, Sources, Span};

/// A file that is copied from.
#[derive(Clone, Copy)]
pub(super) struct From<'s> {
    pub sources: &'s Sources,
    pub file: SourceId,
    pub json: bool,
}

impl From<'_> {
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
        self.between(within, &block.body.items, write)
    }

    /// Returns the items of a file, each as `write` returns it, without those for which it returns `None`.
    pub fn body(&self, body: &Body, write: impl FnMut(&Item) -> Option<String>) -> String {
        self.between((body.span.start, body.span.end), &body.items, write)
    }

    fn between(
        &self,
        (start, end): (u32, u32),
        items: &[Item],
        mut write: impl FnMut(&Item) -> Option<String>,
    ) -> String {
        let mut out = String::new();
        let mut left_out = false;
        let mut at = start;
        for item in items {
            let span = match item {
                Item::Attribute(attr) => attr.span,
                Item::Block(block) => block.span,
            };
            let gap = self.gap_after(at, span.start, left_out);
            match write(item) {
                Some(text) => {
                    out.push_str(&gap);
                    out.push_str(text.trim_end());
                    left_out = false;
                }
                None => {
                    out.push_str(gap.trim_end_matches('\n'));
                    left_out = true;
                }
            }
            at = span.end;
        }
        out.push_str(&self.gap_after(at, end, left_out));
        out
    }

    /// Returns the items of an object, each as `write` returns it, without those for which it returns `None`.
    pub fn object(
        &self,
        object: &Expr,
        items: &[ObjectItem],
        mut write: impl FnMut(&ObjectItem) -> Option<String>,
    ) -> String {
        let mut out = String::new();
        let mut left_out = false;
        let mut at = object.span.start.saturating_add(1);
        for item in items {
            let start = match &item.key {
                ObjectKey::Name(name) => name.span.start,
                ObjectKey::Expr(key) => key.span.start,
            };
            if let Some(text) = write(item) {
                out.push_str(&self.gap_after(at, start, left_out));
                out.push_str(text.trim_end());
                left_out = false;
            } else {
                out.push_str(self.gap_after(at, start, left_out).trim_end_matches('\n'));
                left_out = true;
            }
            at = item.value.span.end;
        }
        out.push_str(&self.gap_after(at, object.span.end.saturating_sub(1), left_out));
        out
    }
}

/// Formats a text as `terraform fmt` does, with at most one empty line in a row. Heredocs stay as they are.
pub(super) fn laid_out(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut heredoc: Option<&str> = None;
    for line in text.split('\n') {
        if let Some(end) = heredoc {
            heredoc = Some(end).filter(|end| line.trim() != *end);
            lines.push(line);
            continue;
        }
        heredoc = begun(line);
        match line.trim().is_empty() {
            true if lines.last().is_some_and(|last| last.is_empty()) => {}
            true => lines.push(""),
            false => lines.push(line.strip_suffix('\r').unwrap_or(line)),
        }
    }
    let first = lines.iter().take_while(|line| line.is_empty()).count();
    let text = format!("{}\n", lines.get(first..).unwrap_or_default().join("\n").trim_end());
    laid(&text)
}

/// Returns the word that ends the heredoc, if a line begins one.
fn begun(line: &str) -> Option<&str> {
    let (_, word) = line.trim_end().rsplit_once("<<")?;
    let word = word.strip_prefix('-').unwrap_or(word);
    let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    (!word.is_empty() && word.chars().all(fits)).then_some(word)
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
