//! The cost of compiling a pattern.
//!
//! Input: a pattern of the `regex` crate's syntax. Output: a count that depends on the text alone, in expressions. A class
//! is compiled anew for each repetition, range by range. Absent on purpose: what searching takes, which counts where it is
//! done: one search is bounded by the lengths of the pattern and the text, but each of many may go to the end of the text.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The cost of any pattern, in parts of an expression.
const LEAST: u64 = 320;
/// The cost of a class besides its ranges, in parts of an expression.
const ASCII: u64 = 50;
const UNICODE: u64 = 480;
/// The cost of a range in a class.
const RANGE: u64 = 4;
/// The same for a byte of literal text.
const BYTE: u64 = 16;
/// The number of parts that count as one expression.
const PARTS: u64 = 16;

/// Returns the cost of compiling a pattern, as a number of expressions.
pub(in crate::func) fn of(pattern: &str) -> u64 {
    let parsed = ParserBuilder::new().nest_limit(100).build().parse(pattern);
    parsed.map_or(LEAST, |hir| LEAST.saturating_add(parts(&hir))) / PARTS
}

/// Returns the most bytes that a match may have; `None` where there is no such bound.
pub(in crate::func) fn longest_match(pattern: &str) -> Option<usize> {
    let parsed = ParserBuilder::new().nest_limit(100).build().parse(pattern).ok()?;
    parsed.properties().maximum_len()
}

/// The depth is the parser's, at most a hundred.
fn parts(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(text) => BYTE * text.0.len() as u64,
        HirKind::Class(Class::Unicode(class)) if !class.is_ascii() => {
            UNICODE + RANGE * class.ranges().len() as u64
        }
        HirKind::Class(_) => ASCII,
        HirKind::Repetition(r) => {
            parts(&r.sub).saturating_mul(u64::from(r.max.unwrap_or(r.min.saturating_add(1)).max(1)))
        }
        HirKind::Capture(c) => parts(&c.sub),
        HirKind::Concat(all) | HirKind::Alternation(all) => {
            all.iter().fold(1, |sum, hir| sum.saturating_add(parts(hir)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn by_what_is_repeated() {
        assert!(of("^[a-z]+$") < 40);
        assert!(of(r"^(?:\d{1,3}\.){3}\d{1,3}$") < 600);
        assert!(of(r"\pL{500}") > 20_000);
        assert!(of(r"(?:(?:\pL{9}){9}){9}") > 20_000);
    }
}
