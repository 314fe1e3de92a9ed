//! JSON as text with indentation that begins at a level of its own, so that the parts of a large document can be written
//! by several threads.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// How most lines begin.
const LINE: &[u8] = b"\n                                                                ";

/// Two spaces a level, as `serde_json` writes it.
pub(super) struct Pretty {
    level: usize,
    any: bool,
}

impl Pretty {
    /// A value's text. It stands behind something on a line that is `level` levels deep.
    pub fn text(value: &impl Serialize, level: usize) -> String {
        let mut out = Vec::with_capacity(2048);
        let mut serializer = Serializer::with_formatter(&mut out, Pretty { level, any: false });
        // Writing to memory can't fail, and what is written are maps with text keys.
        let _ = value.serialize(&mut serializer);
        String::from_utf8(out).unwrap_or_default()
    }

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
    use serde_json::json;

    #[test]
    fn parts_look_as_in_a_whole_document() {
        let part =
            json!({ "a": [1, { "b": [] }, {}], "c": { "d": null, "e": "x\n" }, "f": [[1], []], "g": 1.5 });
        assert_eq!(Pretty::text(&part, 0), format!("{part:#}"));
        let whole = json!({ "outer": [part.clone()] });
        assert_eq!(
            format!("{{\n  \"outer\": [\n    {}\n  ]\n}}", Pretty::text(&part, 2)),
            format!("{whole:#}")
        );
    }
}
