//! What is left of a block when items of it go: blank lines and columns.

use crate::issue::Issue;
use crate::specialise::residual::{applied, broken};
use crate::syntax::trivia;
use crate::text::{Edit, EditSet, Span};

/// Returns the edits that remove items, with the blank lines that no longer separate anything.
pub(super) fn removals(text: &str, braces: Span, mut gone: Vec<Span>) -> Vec<Edit> {
    gone.sort_unstable();
    let blank =
        |start: u32, end: u32| text.get(start as usize..end as usize).is_some_and(|t| t.trim().is_empty());
    let mut merged: Vec<Span> = Vec::new();
    for span in gone {
        match merged.last_mut() {
            Some(last) if last.end <= span.start && blank(last.end, span.start) => *last = last.to(span),
            _ => merged.push(span),
        }
    }
    let at_line = |at: u32| trivia::line_start(text, at) == at;
    for span in merged.iter_mut().filter(|s| at_line(s.start) && at_line(s.end)) {
        let above = trivia::line_start(text, span.start.saturating_sub(1));
        let first = above <= braces.start;
        while span.end < braces.end && (first || blank(above, span.start)) {
            let next = trivia::line_end(text, span.end);
            if !blank(span.end, next) || next <= span.end {
                break;
            }
            span.end = next;
        }
        let last = text.get(span.end as usize..braces.end as usize).is_some_and(|t| t.trim() == "}");
        if last && !first && blank(above, span.start) {
            span.start = above;
        }
    }
    merged.into_iter().map(|span| Edit { span, text: String::new() }).collect()
}

/// Returns the edits within a block, with those that `alignment` makes of the block's text then. `edits` are in bytes of the file.
pub(super) fn aligned(
    text: &str,
    block: Span,
    edits: &[Edit],
    alignment: &dyn Fn(&str) -> Vec<Edit>,
) -> Result<Vec<Edit>, Issue> {
    let own = text.get(block.range()).unwrap_or("");
    let inner: Vec<Edit> = edits.iter().map(|e| e.clone().moved(|at| at - block.start)).collect();
    let (first, between) = applied(own, &inner)?;
    // A comment above is no line of the block.
    let above = if between.starts_with('#') { between.find('\n') } else { None };
    let start = above.map_or(0, |n| n + 1);
    let body = between.get(start..).unwrap_or("");
    let second = alignment(body).into_iter().map(|e| e.moved(|at| at + Span::new(start, start).start));
    let second = EditSet::of(second.collect()).map_err(broken)?;
    let both = first.then(&second, own).map_err(broken)?;
    Ok(both.edits().iter().map(|e| e.clone().moved(|at| at + block.start)).collect())
}
