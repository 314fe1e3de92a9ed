//! Repeated keys of object constructors.
//!
//! Terraform lets the last one win; hcl-edit rejects the file. In the shadow the later ones get other names.

use super::state::{Frame, Renamed, Scanner};
use crate::issue::Code;
use crate::syntax::error::ParseError;
use crate::syntax::limits;
use crate::text::Span;
use rustc_hash::FxHashSet;

/// Objects up to this size are compared pairwise.
const SMALL: usize = 8;

impl Scanner<'_> {
    pub(super) fn record_key(&mut self, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("");
        let length = text.trim_end_matches([' ', '\t']).len();
        self.keys.push(Span::new(start, start + length));
    }

    fn key(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Limits an object's size and gives its repeated keys new names.
    pub(super) fn check_keys(&mut self, open: Frame) -> Result<(), ParseError> {
        let spans = self.keys.get(open.keys..).unwrap_or(&[]).to_vec();
        let n = spans.len();
        self.key_work = self.key_work.saturating_add(n * n);
        if n > limits::OBJECT_KEYS {
            let message =
                format!("an object constructor with {n} keys; at most {} are read", limits::OBJECT_KEYS);
            return Err(ParseError::at(open.start, message).beyond(Code::TooLarge));
        }
        if self.key_work > limits::OBJECT_WORK {
            let message = "too many large object constructors in one text";
            return Err(ParseError::at(open.start, message).beyond(Code::TooLarge));
        }
        let repeated = self.repeated(&spans);
        if repeated.is_empty() {
            return Ok(());
        }
        let mut taken: FxHashSet<String> = spans.iter().map(|s| self.key(*s).to_string()).collect();
        for span in repeated {
            let Some(name) = fresh(span.len(), &taken) else {
                let message = "a key that is repeated too often to be read";
                return Err(ParseError::over(span, message).beyond(Code::TooLarge));
            };
            for (i, b) in name.bytes().enumerate() {
                let at = span.range().start + i;
                self.fill(at, at + 1, b);
            }
            taken.insert(name);
        }
        Ok(())
    }

    /// The keys whose text stood before.
    fn repeated(&self, spans: &[Span]) -> Vec<Span> {
        if self.renamed == Renamed::Computed {
            let mut seen: FxHashSet<&str> = FxHashSet::default();
            return spans
                .iter()
                .filter(|s| !seen.insert(self.key(**s)) || !is_plain(self.key(**s)))
                .copied()
                .collect();
        }
        if spans.len() <= SMALL {
            let before = |i: usize, s: &Span| spans.iter().take(i).any(|p| self.key(*p) == self.key(*s));
            return spans.iter().enumerate().filter(|(i, s)| before(*i, s)).map(|(_, s)| *s).collect();
        }
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        spans.iter().filter(|s| !seen.insert(self.key(**s))).copied().collect()
    }
}

/// Returns true if a key is a name, or a string that stands for itself.
fn is_plain(key: &str) -> bool {
    let text = key.strip_prefix('"').and_then(|k| k.strip_suffix('"')).unwrap_or(key);
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ');
    text.chars().all(word) && (text.len() < key.len() || !text.starts_with(|c: char| c.is_ascii_digit()))
}

/// A name of that many bytes which nobody has.
fn fresh(length: usize, taken: &FxHashSet<String>) -> Option<String> {
    const LETTERS: &[u8] = b"zyxwvutsrqponmlkjihgfedcba_ZYXWVUTSRQPONMLKJIHGFEDCBA";
    for n in 0..=limits::OBJECT_KEYS * 2 {
        let mut rest = n;
        let mut name = String::with_capacity(length);
        for _ in 0..length {
            name.push(char::from(LETTERS.get(rest % LETTERS.len()).copied().unwrap_or(b'z')));
            rest /= LETTERS.len();
        }
        if rest > 0 {
            return None;
        }
        if !taken.contains(&name) && !matches!(&*name, "null" | "true" | "false" | "for") {
            return Some(name);
        }
    }
    None
}
