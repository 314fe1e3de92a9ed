//! JSON as text with indentation that begins at a level of its own, so that the parts of a large document can be written
//! by several threads.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
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

    /// Appends a text that is JSON already.
    pub fn literal(&mut self, json: &'static str) {
        self.out.push_str(json);
    }

    /// A string that is put together of several texts.
    pub fn joined(&mut self, texts: &[&str]) {
        self.out.push('"');
        texts.iter().for_each(|text| self.characters(text));
        self.out.push('"');
    }

    /// A string.
    pub fn string(&mut self, text: &str) {
        self.out.push('"');
        self.characters(text);
        self.out.push('"');
    }

    /// Characters of a string.
    #[inline]
    fn characters(&mut self, text: &str) {
        match is_plain(text.as_bytes()) {
            true => self.out.push_str(text),
            false => self.escaped(text),
        }
    }

    fn escaped(&mut self, text: &str) {
        let mut rest = text;
        loop {
            let (plain, others) = rest.split_at_checked(plain_length(rest.as_bytes())).unwrap_or((rest, ""));
            self.out.push_str(plain);
            let mut others = others.chars();
            let Some(special) = others.next() else { break };
            escape(special, &mut self.out);
            rest = others.as_str();
        }
    }

    /// Appends the displayed form of a value, as a string.
    pub fn shown(&mut self, what: &impl Display) {
        let mut made = std::mem::take(&mut self.made);
        made.clear();
        made.reserve(USUAL);
        // Writing to memory can't fail.
        let _ = write!(made, "{what}");
        self.string(&made);
        self.made = made;
    }

    /// A value of any kind.
    pub fn value(&mut self, value: &impl Serialize) {
        let pretty = Pretty { level: self.level, any: false };
        // Writing to memory can't fail, and what is written are maps with text keys.
        let _ = value.serialize(&mut Serializer::with_formatter(Utf8(&mut self.out), pretty));
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

/// Returns the number of bytes at the beginning that need no escape in a string.
fn plain_length(text: &[u8]) -> usize {
    let mut plain = 0;
    let mut rest = text;
    while let Some((word, more)) = rest.split_first_chunk::<8>() {
        match first_special(*word) {
            Some(at) => return plain + at,
            None => plain += word.len(),
        }
        rest = more;
    }
    let mut last = [b' '; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    plain + first_special(last).unwrap_or(rest.len())
}

/// Returns the index of the first of eight bytes that needs an escape.
fn first_special(bytes: [u8; 8]) -> Option<usize> {
    let special = specials(bytes);
    (special != 0).then(|| special.trailing_zeros() as usize / 8)
}

/// Not zero where one of eight bytes doesn't stand for itself; looked at all at once. The lowest bit that is set tells the first.
fn specials(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(bytes);
    // A byte's high bit is set where the byte is below `limit`; above the first such byte it may be set for nothing.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & HIGH;
    let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    below(word, b' ') | is(b'"') | is(b'\\')
}

/// A character that may not stand in a string as it is.
fn escape(special: char, out: &mut String) {
    let short = match special {
        '"' | '\\' => special,
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\x08' => 'b',
        '\x0c' => 'f',
        _ => {
            let _ = write!(out, "\\u{:04x}", u32::from(special));
            return;
        }
    };
    out.extend(['\\', short]);
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

/// Two spaces a level, as `serde_json` writes it.
struct Pretty {
    level: usize,
    any: bool,
}

impl Pretty {
    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        match LINE.get(1..2 + 2 * self.level) {
            Some(line) => writer.write_all(line.as_bytes()),
            None => {
                writer.write_all(b"\n")?;
                (0..self.level).try_for_each(|_| writer.write_all(b"  "))
            }
        }
    }

    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level += 1;
        self.any = false;
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.line(writer)
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level = self.level.saturating_sub(1);
        if std::mem::replace(&mut self.any, true) {
            self.line(writer)?;
        }
        writer.write_all(bracket)
    }
}

impl Formatter for Pretty {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.any = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.any = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn text(value: &Json, level: usize) -> String {
        let mut text = Text::new(level);
        text.value(value);
        text.finished()
    }

    #[test]
    fn parts_look_as_in_a_whole_document() {
        let part =
            json!({ "a": [1, { "b": [] }, {}], "c": { "d": null, "e": "x\n" }, "f": [[1], []], "g": 1.5 });
        assert_eq!(text(&part, 0), format!("{part:#}"));
        let whole = json!({ "outer": [part.clone()] });
        assert_eq!(format!("{{\n  \"outer\": [\n    {}\n  ]\n}}", text(&part, 2)), format!("{whole:#}"));
    }

    #[test]
    fn member_by_member_as_serde_json_does() {
        let odd: String =
            (0u8..=130).map(char::from).chain("plain text \u{10ffff} of some length".chars()).collect();
        let expected = json!({ "a": [odd, [], {}, { "b": [odd] }], "c": { "d": 1 }, "e": "x" });
        let mut text = Text::new(0);
        text.object(|text| {
            text.member("a").list(0..4, |text, at| match at {
                0 => text.string(&odd),
                1 => text.list(0..0, |_, _| {}),
                2 => text.object(|_| {}),
                _ => text.object(|text| text.member("b").list([&odd], |text, odd| text.shown(odd))),
            });
            text.member("c").value(&json!({ "d": 1 }));
            text.member("e").string("x");
        });
        assert_eq!(text.finished(), format!("{expected:#}"));
    }
}
