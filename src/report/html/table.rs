//! Tables of a page: rows that can be filtered; on a phone a row is a card.

use super::{Tone, escaped, prose, tag};
use crate::matrix::Cell;
use crate::report::table::{Entry, Table};
use crate::text::one_line;
use std::fmt::Write as _;
use std::sync::Arc;

/// Longer texts are folded.
const LONG: usize = 320;

/// The number of characters that are visible of a folded text.
const SEEN: usize = 120;

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// The caption that screen readers read out.
    pub caption: String,
    /// The columns; the first one names the row.
    pub columns: Vec<String>,
    /// The rows, each as wide as the columns.
    pub rows: Vec<Vec<Item>>,
}

/// The content of a cell.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// Text of a configuration.
    Code(String),
    /// The same, which stands out.
    Marked(String),
    /// The same of before.
    Old(String),
    /// An empty cell.
    None,
    /// Words.
    Words(String),
    /// A label.
    Tag(Tone, String),
    /// A label, and its reason.
    Why(Tone, String, String),
}

impl Rows {
    /// A table of these columns.
    pub fn of<'a>(caption: &str, columns: impl IntoIterator<Item = &'a str>) -> Rows {
        let columns = columns.into_iter().map(|name| one_line(name).into_owned()).collect();
        Rows { caption: caption.to_owned(), columns, rows: Vec::new() }
    }

    /// Makes a table of one for people: what is strong is marked, and `other` says how the rest stands.
    pub fn of_table(caption: &str, table: &Table, other: fn(String) -> Item) -> Rows {
        let item = |(at, entry): (usize, &Entry)| match (&*entry.text, entry.strong) {
            ("", _) | ("—", false) => Item::None,
            (text, _) if at == 0 => Item::Code(text.to_owned()),
            (text, true) => Item::Marked(text.to_owned()),
            (text, false) => other(text.to_owned()),
        };
        let row = |row: &Vec<Entry>| row.iter().enumerate().map(item).collect();
        let rows = table.rows.iter().map(row).collect();
        Rows { rows, ..Rows::of(caption, table.head.iter().map(String::as_str)) }
    }

    /// The same, in which some cells behind the names are said otherwise.
    #[must_use]
    pub fn with_cells(
        mut self,
        rows: impl IntoIterator<Item = Vec<Arc<Cell>>>,
        said: fn(&Cell) -> Option<Item>,
    ) -> Rows {
        for (items, cells) in self.rows.iter_mut().zip(rows) {
            let own = items.iter_mut().skip(1).zip(&cells);
            own.for_each(|(item, cell)| {
                *item = said(cell).unwrap_or_else(|| std::mem::replace(item, Item::None))
            });
        }
        self
    }

    /// Returns the table as HTML. The roles keep its meaning where a style turns rows into cards.
    pub fn html(&self) -> String {
        let mut out = String::with_capacity(256 + self.rows.len() * 64 * self.columns.len());
        let caption = escaped(&self.caption);
        let _ = write!(
            out,
            "<div class=\"scroll\" role=\"region\" aria-label=\"{caption}\" tabindex=\"0\"><table role=\"table\">\n\
             <caption class=\"sr\">{caption}</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">"
        );
        for name in &self.columns {
            let _ = write!(out, "<th role=\"columnheader\" scope=\"col\">{}</th>", escaped(name));
        }
        out.push_str("</tr></thead>\n<tbody role=\"rowgroup\">\n");
        for row in &self.rows {
            out.push_str("<tr role=\"row\" data-row>");
            for (at, (name, item)) in self.columns.iter().zip(row).enumerate() {
                item.write(at == 0, name, &mut out);
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table></div>\n");
        out
    }
}

impl Item {
    fn write(&self, names: bool, column: &str, out: &mut String) {
        let class = match self {
            Item::Code(_) => "code",
            Item::Marked(_) => "code d",
            Item::Old(_) => "code old",
            Item::None => "none",
            Item::Words(_) | Item::Tag(..) | Item::Why(..) => "words",
        };
        let _ = match names {
            true => write!(out, "<th role=\"rowheader\" scope=\"row\" class=\"{class}\">"),
            false => write!(out, "<td role=\"cell\" class=\"{class}\" data-label=\"{}\">", escaped(column)),
        };
        match self {
            Item::Code(text) if names => out.push_str(&breakable(text)),
            Item::Code(text) | Item::Marked(text) | Item::Old(text) | Item::Words(text) => folded(text, out),
            Item::None => out.push('—'),
            Item::Tag(tone, text) => out.push_str(&tag(*tone, text)),
            Item::Why(tone, text, why) => {
                let _ = write!(
                    out,
                    "<details><summary>{}</summary><p>{}</p></details>",
                    tag(*tone, text),
                    prose(why)
                );
            }
        }
        out.push_str(if names { "</th>" } else { "</td>" });
    }
}

/// An address, which may end a line behind each of its parts.
fn breakable(text: &str) -> String {
    escaped(text).replace('.', ".<wbr>")
}

/// A text; a long one behind its beginning.
fn folded(text: &str, out: &mut String) {
    // On a phone the cell is a grid, of which a text is one part.
    if text.chars().nth(LONG).is_none() {
        let _ = write!(out, "<span>{}</span>", escaped(text));
        return;
    }
    let seen: String = text.chars().take(SEEN).collect();
    let _ = write!(
        out,
        "<details><summary>{}…</summary><span>{}</span></details>",
        escaped(&seen),
        escaped(text)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_text() {
        let mut rows = Rows::of("a \"caption\"", ["<f>", "c&d"]);
        rows.rows.push(vec![Item::Code("x</td>".into()), Item::Marked("<script>".into())]);
        rows.rows
            .push(vec![Item::Words("y".repeat(400)), Item::Why(Tone::Destroy, "e".into(), "<b>".into())]);
        let html = rows.html();
        for part in [
            "aria-label=\"a &quot;caption&quot;\"",
            "&lt;f&gt;",
            "data-label=\"c&amp;d\"",
            "x&lt;/td&gt;",
            "&lt;script&gt;",
            "&lt;b&gt;",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert_eq!((html.matches("<details>").count(), html.matches("data-row").count()), (2, 2));
    }
}
