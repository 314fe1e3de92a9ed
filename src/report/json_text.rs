//! JSON as text with indentation that begins at a level of its own, so that the parts of a large document can be written
//! by several threads.

use serde::Serialize;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// The beginning of most lines: the comma after the previous member, and the indentation.
const LINE: &str = ",\n                                                                ";

/// The capacity for a text that is formatted first; most need less.
const USUAL: usize = 128;

/// JSON in the making: what there is much of is written straight into it, member by member.
pub(super) struct Text {
    out: String,
    level: usize,
    /// True if the container at hand has anything in it.
    any: bool,
    /// The last text that was made to be written.
    made: String,
}

impl Text {
    /// Makes an empty text that stands `level` levels deep.
    pub fn new(level: usize) -> Text {
        Text::behind(String::new(), level)
    }

    /// The same, behind that text.
    pub fn behind(out: String, level: usize) -> Text {
        Text { out, level, any: false, made: String::new() }
    }

    /// The whole.
    pub fn finished(self) -> String {
        self.out
    }

    /// An object.
    pub fn object(&mut self, members: impl FnOnce(&mut Text)) {
        self.within(['{', '}'], members);
    }

    /// A list.
    pub fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Text, T)) {
        self.within(['[', ']'], |text| {
            for item in items {
                text.next();
                write(text, item);
            }
        });
    }

    /// A member of the object at hand; its value has to follow.
    pub fn member(&mut self, name: &str) -> &mut Text {
        self.next();
        self.string(name);
        self.out.push_str(": ");
        self
    }

    /// A member with a name of ours: `"name": ` as it stands in the document.
    #[inline]
    pub fn named(&mut self, name: &'static str) -> &mut Text {
        self.next();
        self.out.push_str(name);
        self
    }

    /// A string that is put together of several texts.
    pub fn joined(&mut self, texts: &[&str]) {
        self.made(|made| made.extend(texts.iter().copied()));
    }

    /// A string.
    pub fn string(&mut self, text: &str) {
        match is_plain(text.as_bytes()) {
            true => self.out.extend(["\"", text, "\""]),
            false => self.scalar(&text),
        }
    }

    /// Appends the displayed form of a value, as a string.
    pub fn shown(&mut self, what: &impl Display) {
        self.made(|made| {
            // Writing to memory can't fail.
            let _ = write!(made, "{what}");
        });
    }

    /// A string that is made first.
    fn made(&mut self, make: impl FnOnce(&mut String)) {
        let mut made = std::mem::take(&mut self.made);
        made.clear();
        made.reserve(USUAL);
        make(&mut made);
        self.string(&made);
        self.made = made;
    }

    /// A value that holds no others.
    pub fn scalar(&mut self, value: &impl Serialize) {
        // Writing to memory can't fail.
        let _ = serde_json::to_writer(Utf8(&mut self.out), value);
    }

    fn within(&mut self, [open, close]: [char; 2], parts: impl FnOnce(&mut Text)) {
        self.out.push(open);
        self.level += 1;
        self.any = false;
        parts(self);
        self.level -= 1;
        if std::mem::replace(&mut self.any, true) {
            self.line(false);
        }
        self.out.push(close);
    }

    fn next(&mut self) {
        let behind = std::mem::replace(&mut self.any, true);
        self.line(behind);
    }

    /// The next line, `behind` a comma or not.
    fn line(&mut self, behind: bool) {
        match LINE.get(usize::from(!behind)..2 + 2 * self.level) {
            Some(line) => self.out.push_str(line),
            None => {
                self.out.push_str(if behind { ",\n" } else { "\n" });
                (0..self.level).for_each(|_| self.out.push_str("  "));
            }
        }
    }
}

/// Returns true if every byte stands for itself in a string.
fn is_plain(text: &[u8]) -> bool {
    match text.last_chunk::<8>() {
        // The last bytes once more: they may be fewer than eight.
        Some(last) => {
            let (words, _) = text.as_chunks::<8>();
            words.iter().chain([last]).all(|word| specials(*word) == 0)
        }
        None => text.iter().all(|byte| *byte >= b' ' && !matches!(byte, b'"' | b'\\')),
    }
}

/// Not zero where one of eight bytes doesn't stand for itself; looked at all at once.
fn specials(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(bytes);
    // A byte's high bit is set where the byte is below `limit`; above the first such byte it may be set for nothing.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & HIGH;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    below(word, b' ') | is(b'"') | is(b'\\')
}

/// Text as what `serde_json` writes into, piece by piece.
struct Utf8<'t>(&'t mut String);

impl Write for Utf8<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.push_str(text);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn member_by_member_as_serde_json_does() {
        let odd: String =
            (0u8..=130).map(char::from).chain("plain text \u{10ffff} of some length".chars()).collect();
        let expected = json!({ "a": [odd, [], {}, { "b": [odd] }], "c": { "d": 1 }, "e": null });
        let written = |level| {
            let mut text = Text::new(level);
            text.object(|text| {
                text.member("a").list(0..4, |text, at| match at {
                    0 => text.string(&odd),
                    1 => text.list(0..0, |_, _| {}),
                    2 => text.object(|_| {}),
                    _ => text.object(|text| text.member("b").list([&odd], |text, odd| text.shown(odd))),
                });
                text.member("c").object(|text| text.member("d").scalar(&1));
                text.member("e").scalar(&None::<bool>);
            });
            text.finished()
        };
        assert_eq!(written(0), format!("{expected:#}"));
        // As a part it looks as in the whole document.
        let whole = json!({ "outer": [expected] });
        assert_eq!(format!("{{\n  \"outer\": [\n    {}\n  ]\n}}", written(2)), format!("{whole:#}"));
    }
}
