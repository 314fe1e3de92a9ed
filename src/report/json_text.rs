//! JSON as text with indentation that begins at a level of its own, so that the parts of a large document can be written
//! by several threads.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// How most lines begin.
const LINE: &[u8] = b"\n                                                                ";

/// JSON in the making: what there is much of is written straight into it, member by member.
pub(super) struct Text {
    out: Vec<u8>,
    level: usize,
    /// Whether the container at hand has anything in it.
    any: bool,
    /// The last text that was made to be written.
    made: String,
}

impl Text {
    /// Of what stands behind something on a line that is `level` levels deep.
    pub fn new(level: usize) -> Text {
        Text { out: Vec::with_capacity(4096), level, any: false, made: String::new() }
    }

    /// The whole.
    pub fn finished(self) -> String {
        String::from_utf8(self.out).unwrap_or_default()
    }

    /// An object.
    pub fn object(&mut self, members: impl FnOnce(&mut Text)) {
        self.within([b'{', b'}'], members);
    }

    /// A list.
    pub fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Text, T)) {
        self.within([b'[', b']'], |text| {
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
        self.out.extend_from_slice(b": ");
        self
    }

    /// A string.
    pub fn string(&mut self, text: &str) {
        self.out.push(b'"');
        let mut rest = text.as_bytes();
        loop {
            let (plain, others) = rest.split_at_checked(plain_length(rest)).unwrap_or((rest, &[]));
            self.out.extend_from_slice(plain);
            let Some((special, after)) = others.split_first() else { break };
            escape(*special, &mut self.out);
            rest = after;
        }
        self.out.push(b'"');
    }

    /// What something looks like, as a string.
    pub fn shown(&mut self, what: &impl Display) {
        let mut made = std::mem::take(&mut self.made);
        made.clear();
        // Writing to memory can't fail.
        let _ = write!(made, "{what}");
        self.string(&made);
        self.made = made;
    }

    /// A value of any kind.
    pub fn value(&mut self, value: &impl Serialize) {
        let pretty = Pretty { level: self.level, any: false };
        // Writing to memory can't fail, and what is written are maps with text keys.
        let _ = value.serialize(&mut Serializer::with_formatter(&mut self.out, pretty));
    }

    fn within(&mut self, [open, close]: [u8; 2], parts: impl FnOnce(&mut Text)) {
        self.out.push(open);
        self.level += 1;
        self.any = false;
        parts(self);
        self.level -= 1;
        if std::mem::replace(&mut self.any, true) {
            self.line();
        }
        self.out.push(close);
    }

    fn next(&mut self) {
        if std::mem::replace(&mut self.any, true) {
            self.out.push(b',');
        }
        self.line();
    }

    fn line(&mut self) {
        let _ = Pretty { level: self.level, any: false }.line(&mut self.out);
    }
}

/// How many bytes at the beginning stand for themselves in a string.
fn plain_length(text: &[u8]) -> usize {
    let special = |b: &u8| *b < b' ' || *b == b'"' || *b == b'\\';
    // Without a way out in the middle, several are looked at at once.
    let whole =
        text.chunks_exact(16).take_while(|chunk| !chunk.iter().fold(false, |any, b| any | special(b)));
    let whole = 16 * whole.count();
    let rest = text.get(whole..).unwrap_or_default();
    whole + rest.iter().position(special).unwrap_or(rest.len())
}

/// A byte that may not stand in a string as it is.
fn escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let _ = Write::write_fmt(out, format_args!("\\u{byte:04x}"));
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Two spaces a level, as `serde_json` writes it.
struct Pretty {
    level: usize,
    any: bool,
}

impl Pretty {
    fn line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        match LINE.get(..1 + 2 * self.level) {
            Some(line) => writer.write_all(line),
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
