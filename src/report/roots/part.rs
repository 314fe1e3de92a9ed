//! The report of one root module, as a part of a report of many.

use crate::issue::Issue;
use crate::report::document::Document;
use crate::report::html::Page;
use crate::report::issue::Format;
use crate::report::table::Table;
use crate::text::{Sources, one_line};
use std::path::{Path, PathBuf};

/// The result of one root module.
#[derive(Debug)]
pub struct Part {
    /// The directory, as it was named.
    pub dir: PathBuf,
    /// The exit status of this directory alone.
    pub status: u8,
    /// Warnings for standard error, where reports are for programs.
    pub aside: String,
    /// True if the report says anything.
    pub tells: bool,
    /// True if it may stand together with those of other directories that say the same.
    pub joins: bool,
    /// Its report.
    pub report: Piece,
}

impl Part {
    /// Makes the part of a directory in which all went well.
    pub fn of(dir: &Path, report: Piece) -> Part {
        let tells = !matches!(&report, Piece::Text(text) if text.trim().is_empty());
        Part { dir: dir.to_owned(), status: 0, aside: String::new(), tells, joins: false, report }
    }
}

/// A report of one root module.
#[derive(Debug)]
pub enum Piece {
    /// For people.
    Text(String),
    /// An object.
    Json(Document),
    /// Findings.
    Findings(Vec<Issue>, Sources),
    /// A table.
    Csv(Table),
    /// A page.
    Html(Page),
}

/// The form of reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// For people.
    Text,
    /// For comments.
    Markdown,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// Findings alone, for other programs.
    Findings(Format),
    /// A page.
    Html,
}

/// The form and the words of a command's report on many root modules.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The form.
    pub shape: Shape,
    /// The words of the progress line.
    pub doing: &'static str,
    /// The sentence about directories with nothing to report.
    pub nothing: &'static str,
}

/// A directory as a heading has it.
pub fn heading(dir: &Path) -> String {
    one_line(&dir.display().to_string()).into_owned()
}

/// `No input makes Terraform stop in 998 of 1000 directories.` Nothing if each directory has something to report.
pub(super) fn counted(form: &Form, all: usize, telling: usize) -> Option<String> {
    let noun = if all == 1 { "directory" } else { "directories" };
    (telling < all).then(|| format!("{} in {} of {all} {noun}.", form.nothing, all - telling))
}
