//! Line endings, which Git converts between a repository and a work tree (`core.autocrlf`, `eol`).

use std::borrow::Cow;

/// Returns a text as Git stores it where it converts line endings: with `\n` in place of `\r\n`, if every line ends so. A text of which
/// some lines end otherwise is returned as it is, since it couldn't be told any more which.
pub fn to_stored(text: &str) -> Cow<'_, str> {
    match ends_in_crlf(text) {
        true => Cow::Owned(text.replace("\r\n", "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Returns a text with `\n` in place of each `\r\n`, to compare what it says.
pub fn with_newlines(text: &str) -> Cow<'_, str> {
    match text.contains("\r\n") {
        true => Cow::Owned(text.replace("\r\n", "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Returns a stored text with the line endings of another one.
pub fn with_line_ends_of(stored: String, model: &str) -> String {
    match ends_in_crlf(model) && !stored.contains('\r') {
        true => stored.replace('\n', "\r\n"),
        false => stored,
    }
}

/// Returns true if every line ends in `\r\n`, and there is one.
pub fn ends_in_crlf(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut ends = memchr::memchr_iter(b'\n', bytes).peekable();
    ends.peek().is_some()
        && ends.all(|at| at.checked_sub(1).and_then(|at| bytes.get(at)) == Some(&b'\r'))
        && memchr::memchr_iter(b'\r', bytes).all(|at| bytes.get(at + 1) == Some(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_converts_comes_back() {
        for text in ["a\r\nb\r\n", "a\r\n", "\r\n\r\nx"] {
            let stored = to_stored(text);
            assert!(!stored.contains('\r'), "{text:?}");
            assert_eq!(with_line_ends_of(stored.into_owned(), text), text);
        }
        for text in ["a\nb\r\n", "a\r\nb\n", "", "a", "a\rb\r\n", "\r", "a\n"] {
            assert_eq!(to_stored(text), text, "{text:?}");
            assert_eq!(with_line_ends_of(text.to_owned(), text), text, "{text:?}");
        }
    }
}
