//! The text between spans: comments, blank lines, indentation, line endings.
//!
//! Input: an original text and spans of its tree. Invariant: nothing here looks inside of a string, because it starts
//! from the edge of a node and stops at the first byte that is no trivia. Absent on purpose: any change of the text.

use crate::text::Span;

fn get(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or("")
}

/// Behind spaces, tabs and `/* … */` comments from byte `at` on.
pub fn skip_inline(text: &str, at: u32) -> u32 {
    let mut rest = get(text, at as usize, text.len());
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        let comment = rest.strip_prefix("/*").and_then(|r| r.find("*/"));
        match comment {
            Some(n) => rest = get(rest, n + 4, rest.len()),
            None => return Span::new(text.len() - rest.len(), 0).start,
        }
    }
}

/// Behind whitespace, newlines and comments of every kind from byte `at` on.
pub fn skip_trivia(text: &str, at: u32) -> u32 {
    let mut at = at as usize;
    loop {
        at = skip_inline(text, Span::new(at, 0).start) as usize;
        let rest = get(text, at, text.len());
        let length = if rest.starts_with('#') || rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            rest.len() - rest.trim_start_matches(['\r', '\n']).len()
        };
        if length == 0 {
            return Span::new(at, 0).start;
        }
        at += length;
    }
}

/// The start of the line in which byte `at` stands.
pub fn line_start(text: &str, at: u32) -> u32 {
    let before = get(text, 0, (at as usize).min(text.len()));
    Span::new(before.rfind('\n').map_or(0, |n| n + 1), 0).start
}

/// Returns the offset after the line ending of the line that holds byte `at`, or the end of the text.
pub fn line_end(text: &str, at: u32) -> u32 {
    let rest = get(text, at as usize, text.len());
    Span::new(rest.find('\n').map_or(text.len(), |n| at as usize + n + 1), 0).start
}

/// The spaces and tabs that the line of byte `at` begins with.
pub fn line_indent(text: &str, at: u32) -> &str {
    let line = get(text, line_start(text, at) as usize, text.len());
    get(line, 0, line.len() - line.trim_start_matches([' ', '\t']).len())
}

/// `"\r\n"` where most lines end so, else `"\n"`.
pub fn line_ending(text: &str) -> &'static str {
    let all = text.bytes().filter(|b| *b == b'\n').count();
    if text.matches("\r\n").count() * 2 > all { "\r\n" } else { "\n" }
}

/// The comment lines directly above an item, from the first one's line start to the item's line start.
///
/// Empty (at the item's line start) where there are none. A blank line detaches what stands above it, so a licence
/// header at a file's start belongs to nobody. A block comment counts only where it fills its lines alone; a line
/// like `// */` may be the end of one.
pub fn leading_comments(text: &str, item: Span) -> Span {
    let end = line_start(text, item.start);
    let mut start = end;
    while start > 0 {
        let above = line_start(text, start - 1);
        let line = get(text, above as usize, start as usize).trim();
        if (line.starts_with('#') || line.starts_with("//")) && !line.contains("*/") {
            start = above;
        } else if line.ends_with("*/") {
            match block_comment(text, above, start) {
                Some(open) => start = open,
                None => break,
            }
        } else {
            break;
        }
    }
    Span { start, end }
}

/// The line on which the block comment begins that ends in the line `above..end`.
fn block_comment(text: &str, above: u32, end: u32) -> Option<u32> {
    let close = above as usize + get(text, above as usize, end as usize).rfind("*/")?;
    let open = get(text, 0, close).rfind("/*")?;
    let start = line_start(text, Span::new(open, 0).start);
    let before = get(text, start as usize, open);
    // What looks like a comment's start may stand in a `#` comment or a string: then something precedes it.
    (before.trim().is_empty() && !get(text, open + 2, close).contains("*/")).then_some(start)
}

/// The whole lines of an item: its own leading comments, its lines, what trails on the last one, the line ending.
///
/// Returns the span that deleting an item has to remove. If something else than a comment shares its first or last line (a one-line
/// block), it is the item alone.
pub fn item_full_lines(text: &str, item: Span) -> Span {
    let first = line_start(text, item.start);
    // A block comment behind the item may end on a later line.
    let behind = skip_inline(text, item.end);
    let end = line_end(text, behind);
    let before = get(text, first as usize, item.start as usize);
    let after = get(text, behind as usize, end as usize).trim_end();
    let alone =
        before.trim().is_empty() && (after.is_empty() || after.starts_with('#') || after.starts_with("//"));
    if !alone {
        return item;
    }
    Span { start: leading_comments(text, item).start, end }
}

/// The start of the blank lines above the line that begins at byte `at`, or `at`.
pub fn behind_text_above(text: &str, at: u32) -> u32 {
    let mut start = at;
    while start > 0 {
        let above = line_start(text, start - 1);
        if !get(text, above as usize, start as usize).trim().is_empty() {
            break;
        }
        start = above;
    }
    start
}

/// An item with its lines, and with the blank line behind it where one stands before it, too, or nothing does.
pub fn item_with_blank(text: &str, span: Span) -> Span {
    let full = item_full_lines(text, span);
    if full == span {
        return full;
    }
    let above = text.get(..full.start as usize).unwrap_or("").trim_end_matches([' ', '\t']);
    let above = above.strip_suffix('\n').map(|a| a.trim_end_matches('\r'));
    let apart = above.is_none_or(|a| a.is_empty() || a.ends_with('\n') || a.ends_with('{'));
    let end = line_end(text, full.end);
    let blank = text.get(full.end as usize..end as usize).is_some_and(|l| l.trim().is_empty());
    if blank && apart { Span { end, ..full } } else { full }
}

/// Returns the offset at which a new first line of a block goes: after the line of the opening brace.
///
/// `None` if the block's only item stands after the brace on its line. Such a block has to be written anew. It may
/// still span several lines, because the item's brackets may hold newlines.
pub fn after_opening_brace(text: &str, braces: Span) -> Option<u32> {
    let at = skip_inline(text, braces.start + 1);
    let end = line_end(text, at);
    let rest = get(text, at as usize, end as usize);
    let open = rest.trim().is_empty() || rest.starts_with('#') || rest.starts_with("//");
    (open && end < braces.end).then_some(end)
}

/// Returns the offset at which a new last line of a block goes: the start of the closing brace's line.
///
/// `None` for a block on one line, and if something else stands before the closing brace on its line.
pub fn before_closing_brace(text: &str, braces: Span) -> Option<u32> {
    let start = line_start(text, braces.end.saturating_sub(1));
    let before = get(text, start as usize, braces.end.saturating_sub(1) as usize);
    after_opening_brace(text, braces)?;
    (start > braces.start && before.trim().is_empty()).then_some(start)
}

/// The indentation of items in a block: its own line's and two spaces.
pub fn inner_indent(text: &str, block_start: u32) -> String {
    format!("{}  ", line_indent(text, block_start))
}
