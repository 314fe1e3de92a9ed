//! Makes untrusted text visible.
//!
//! Names of files and folders, values, and sources may hold anything. In: such a text. Out: the same where control characters,
//! and those that change the direction of writing, stand as `\u{…}`: nothing ends a line or a comment, moves the cursor, or looks like
//! something else. Absent on purpose: what a format asks for beyond that (quotes, Markdown, HTML); each writer escapes for its own.

use std::borrow::Cow;

/// Returns the text on one line: line breaks are made visible, too.
pub fn one_line(text: &str) -> Cow<'_, str> {
    shown(text, &|_| false)
}

/// Returns the text on several lines: line breaks and tabs are kept.
pub fn visible(text: &str) -> Cow<'_, str> {
    shown(text, &|c| matches!(c, '\n' | '\t'))
}

fn shown<'t>(text: &'t str, stays: &dyn Fn(char) -> bool) -> Cow<'t, str> {
    // Most texts hold nothing that could be hidden, and reports are long.
    if text.bytes().all(|b| matches!(b, b' '..=b'~') || (b.is_ascii() && stays(char::from(b)))) {
        return Cow::Borrowed(text);
    }
    let hidden = |c: char| is_hidden(c) && !stays(c);
    if !text.chars().any(hidden) {
        return Cow::Borrowed(text);
    }
    let each = |c: char| if hidden(c) { format!("\\u{{{:x}}}", u32::from(c)) } else { c.to_string() };
    Cow::Owned(text.chars().map(each).collect())
}

/// Returns true if a character is invisible or changes how others are shown: control characters, those that change
/// the direction of writing, those without width, tags, and what XML can't hold.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_line() {
        assert_eq!(one_line("a\nresource \"x\" {}"), "a\\u{a}resource \"x\" {}");
        assert_eq!(one_line("\u{1b}[2J\u{202e}\u{2028}\u{85}"), "\\u{1b}[2J\\u{202e}\\u{2028}\\u{85}");
        assert_eq!(one_line("ä — ✓"), "ä — ✓");
        assert_eq!(visible("a\n\tb\r"), "a\n\tb\\u{d}");
    }
}
