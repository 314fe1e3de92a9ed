//! What `tf-phi doctor` found, as a table of lines.
//!
//! In: what was looked at, each with what was found. Out: a line for each, its further lines below it, and what is to be done. Absent: looking.

use super::Style;

/// One thing that was looked at.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Its name.
    pub what: &'static str,
    /// What was found.
    pub found: String,
    /// More of it, a line each.
    pub details: Vec<String>,
    /// What to do, where something is in the way; empty where nothing is.
    pub advice: Vec<String>,
}

impl Examined {
    /// Found, and nothing is in the way.
    pub fn new(what: &'static str, found: impl Into<String>) -> Examined {
        Examined { what, found: found.into(), details: Vec::new(), advice: Vec::new() }
    }

    /// Adds lines.
    #[must_use]
    pub fn detailed(mut self, details: impl IntoIterator<Item = String>) -> Examined {
        self.details.extend(details);
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn advised(mut self, advice: impl Into<String>) -> Examined {
        self.advice.push(advice.into());
        self
    }
}

/// The text of all.
pub fn write_text(all: &[Examined], style: Style) -> String {
    let width = all.iter().map(|one| one.what.len()).max().unwrap_or_default();
    let mut out = String::new();
    for one in all {
        let mark = if one.advice.is_empty() { "ok" } else { "! " };
        let what = style.strong(&format!("{:width$}", one.what));
        let lines = one.found.lines().chain(one.details.iter().flat_map(|detail| detail.lines()));
        for (at, line) in lines.enumerate() {
            match at {
                0 => out.push_str(&format!("{mark}  {what}  {line}\n")),
                _ => out.push_str(&format!("    {:width$}  {line}\n", "")),
            }
        }
        for advice in &one.advice {
            for (at, line) in advice.lines().enumerate() {
                let mark = if at == 0 { "→" } else { "   " };
                out.push_str(&format!("    {:width$}  {mark} {line}\n", ""));
            }
        }
    }
    out
}
