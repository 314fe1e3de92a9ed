//! The end of a file whose last declarations go: the blank line before them goes as well.

use super::edits::{Edits, FileEdits};
use crate::config::Config;
use crate::text::{Edit, Span};

/// Lets no file end in a blank line that didn't before.
pub(super) fn without_blank_ends(config: &Config, edits: &mut FileEdits) {
    for (file, own) in edits {
        if let Some(source) = config.sources.get(*file) {
            shorten(&source.text, own);
        }
    }
}

/// Extends edits that remove everything up to the end of a file: blank lines before them are removed as well.
fn shorten(text: &str, edits: &mut Edits) {
    let mut start = text.len();
    let mut goes = false;
    while let Some(last) = edits.iter().max_by_key(|e| (e.span.end, e.span.start)) {
        let range = last.span.range();
        let between = text.get(range.end..start).unwrap_or("?");
        if !last.text.is_empty() || range.is_empty() || range.start >= start || !between.trim().is_empty() {
            break;
        }
        (start, goes) = (range.start, true);
        let gone = last.span;
        edits.retain(|e| e.span != gone);
    }
    if !goes {
        return;
    }
    let kept = text.get(..start).unwrap_or("");
    let end = kept.trim_end().len();
    // What ends the last line that is kept stays.
    let line = kept.get(end..).and_then(|rest| rest.find('\n')).map_or(start, |at| end + at + 1);
    // A file of which nothing is left is none that ends.
    let from = if end == 0 { start } else { line };
    edits.push(Edit { span: Span::new(from, text.len()), text: String::new() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::EditSet;

    fn shortened(text: &str, gone: &[&str]) -> String {
        let span = |piece: &&str| {
            let at = text.find(piece).unwrap();
            Edit { span: Span::new(at, at + piece.len()), text: String::new() }
        };
        let mut edits: Edits = gone.iter().map(span).collect();
        shorten(text, &mut edits);
        EditSet::of(edits.into_iter().collect()).unwrap().apply(text).unwrap()
    }

    #[test]
    fn the_last_blank_line_goes_with_what_followed() {
        assert_eq!(shortened("a {}\n\nb {}\n", &["b {}\n"]), "a {}\n");
        assert_eq!(shortened("a {}\n\nb {}\n\nc {}\n", &["b {}\n\n", "c {}\n"]), "a {}\n");
        assert_eq!(shortened("a {}\r\n\r\nb {}", &["b {}"]), "a {}\r\n");
        assert_eq!(shortened("a {}\n\nb {}\n\nc {}\n", &["b {}\n\n"]), "a {}\n\nc {}\n");
        assert_eq!(shortened("a {}\n\nb {}\n\n\n", &["b {}\n"]), "a {}\n");
        assert_eq!(shortened("a {}\n", &["a {}\n"]), "");
    }
}
