//! Tables: on a terminal as wide as that, in Markdown, as CSV.
//!
//! In: a head and rows of cells, some of which stand out. Out: text. On a terminal what doesn't fit is turned (a block for each row,
//! a line for each column), and long values are cut with `…`. Invariant: in each form every cell is text and nothing else.
//! Absent on purpose: what the cells mean.

use super::Style;
use super::markdown;
use crate::text::{one_line, shorten_apart, shorten_to_width};
use unicode_width::UnicodeWidthStr as _;

/// A cell is cut to no less than this.
const LEAST: usize = 8;
/// Without a terminal nothing is cut. A column is no wider than this then, and a longer cell pushes the rest of its row to the right.
const WIDEST: usize = 80;
/// Columns stand this far apart.
const GAP: usize = 2;

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, as wide as the head. One of a single cell is a line by itself.
    pub rows: Vec<Vec<Entry>>,
}

/// One cell.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its text.
    pub text: String,
    /// True if it stands out.
    pub strong: bool,
}

impl Entry {
    /// A cell as others.
    pub fn plain(text: impl Into<String>) -> Entry {
        Entry { text: text.into(), strong: false }
    }
}

impl Table {
    /// For people, within so many columns of a terminal; as wide as it is where there is no terminal.
    pub fn text(&self, width: Option<usize>, style: Style) -> String {
        let columns = self.head.len();
        let wide = |at: usize| {
            let rows = self.rows.iter().filter(|row| row.len() > 1 || columns == 1);
            let cells = rows.filter_map(|r| r.get(at)).map(|e| one_line(&e.text).width());
            cells.chain(self.head.get(at).map(|h| one_line(h).width())).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(wide).collect();
        if let Some(width) = width {
            let gaps = GAP * columns.saturating_sub(1);
            // What names the row is not cut: two of them would look alike.
            let fits = match widths.split_first_mut() {
                Some((first, rest)) => fit(rest, width.saturating_sub(gaps + *first)),
                None => true,
            };
            if !fits {
                return self.turned(width, style);
            }
        } else {
            widths.iter_mut().skip(1).for_each(|one| *one = (*one).min(WIDEST));
        }
        let is_cut = width.is_some();
        let mut out = String::new();
        let head: Vec<Entry> = self.head.iter().map(Entry::plain).collect();
        line(&head, (&widths, is_cut), &mut out, |text, _| style.strong(text));
        for row in &self.rows {
            line(row, (&widths, is_cut), &mut out, |text, strong| {
                if strong { style.warning(text) } else { text.to_owned() }
            });
        }
        out
    }

    /// A block for each row, a line for each column.
    fn turned(&self, width: usize, style: Style) -> String {
        let names = self.head.iter().skip(1).map(|h| one_line(h).width()).max().unwrap_or(0);
        let names = names.min(width / 3);
        let mut out = String::new();
        for row in &self.rows {
            let mut cells = row.iter();
            let Some(first) = cells.next() else { continue };
            let room = width.saturating_sub(names + GAP + 2);
            let texts: Vec<String> = cells.clone().map(|entry| one_line(&entry.text).into_owned()).collect();
            let texts = shorten_apart(&texts.iter().map(|text| (text.as_str(), room)).collect::<Vec<_>>());
            let name = shorten_to_width(&one_line(&first.text), width);
            let is_name = first.strong || row.len() > 1;
            out.push_str(&if is_name { style.strong(&name) } else { name });
            out.push('\n');
            for ((name, entry), text) in self.head.iter().skip(1).zip(cells).zip(texts) {
                let name = padded(&shorten_to_width(&one_line(name), names), names);
                let text = if entry.strong { style.warning(&text) } else { text };
                out.push_str(format!("  {name}{}{text}", " ".repeat(GAP)).trim_end());
                out.push('\n');
            }
        }
        out
    }

    /// GitHub's tables.
    pub fn markdown(&self) -> String {
        let mut out = String::from("|");
        for name in &self.head {
            out.push_str(&format!(" {} |", markdown::plain_cell(name)));
        }
        out.push_str("\n|");
        self.head.iter().for_each(|_| out.push_str(" --- |"));
        out.push('\n');
        for row in &self.rows {
            out.push('|');
            for entry in row {
                let code = if entry.text.is_empty() { String::new() } else { markdown::cell(&entry.text) };
                let code = if entry.strong { format!("**{code}**") } else { code };
                out.push_str(&format!(" {code} |"));
            }
            out.push('\n');
        }
        out
    }

    /// Comma-separated values (RFC 4180, but with a line feed alone, as logs have it). What a spreadsheet would take for a formula begins with an apostrophe.
    pub fn csv(&self) -> String {
        let mut out = String::new();
        let head = self.head.iter().map(|h| field(h)).collect::<Vec<_>>().join(",");
        out.push_str(&head);
        out.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|e| field(&e.text)).collect();
            out.push_str(&cells.join(","));
            out.push('\n');
        }
        out
    }
}

fn line(
    row: &[Entry],
    (widths, is_cut): (&[usize], bool),
    out: &mut String,
    paint: impl Fn(&str, bool) -> String,
) {
    let last = row.len().saturating_sub(1);
    let texts: Vec<String> = row.iter().map(|entry| one_line(&entry.text).into_owned()).collect();
    let widest = |width: &usize| if is_cut { *width } else { usize::MAX };
    let fitted: Vec<(&str, usize)> =
        texts.iter().map(String::as_str).zip(widths.iter().map(widest)).collect();
    for (at, ((entry, width), text)) in row.iter().zip(widths).zip(shorten_apart(&fitted)).enumerate() {
        let pad = if at == last { 0 } else { width.saturating_sub(text.width()) + GAP };
        out.push_str(&paint(&text, entry.strong));
        out.push_str(&" ".repeat(pad));
    }
    out.push('\n');
}

/// Makes the widest columns narrower until all fit. `false` where they can't, or values would lose most of their text.
fn fit(widths: &mut [usize], room: usize) -> bool {
    let sum: usize = widths.iter().sum();
    if sum <= room {
        return true;
    }
    // The largest width that all columns may have so that they fit.
    let mut limit = room;
    while limit > LEAST && widths.iter().map(|w| (*w).min(limit)).sum::<usize>() > room {
        limit -= 1;
    }
    let fits = widths.iter().map(|w| (*w).min(limit)).sum::<usize>() <= room && limit >= LEAST;
    let readable = widths.iter().all(|w| *w <= limit || limit >= 2 * LEAST);
    widths.iter_mut().for_each(|w| *w = (*w).min(limit));
    fits && readable
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// A field of CSV.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests;
