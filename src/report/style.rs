//! Colours, or none.

use owo_colors::OwoColorize as _;

/// The markup of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// None.
    Plain,
    /// With terminal escapes.
    Coloured,
}

impl Style {
    /// Marks up the beginning of an error.
    pub fn error(self, text: &str) -> String {
        self.on(text, |t| t.red().bold().to_string())
    }

    /// Marks up the beginning of a warning.
    pub fn warning(self, text: &str) -> String {
        self.on(text, |t| t.yellow().bold().to_string())
    }

    /// Headings.
    pub fn strong(self, text: &str) -> String {
        self.on(text, |t| t.bold().to_string())
    }

    /// Marks up text that may be skipped.
    pub fn faint(self, text: &str) -> String {
        self.on(text, |t| t.dimmed().to_string())
    }

    /// Added lines.
    pub fn added(self, text: &str) -> String {
        self.on(text, |t| t.green().to_string())
    }

    /// Removed lines.
    pub fn removed(self, text: &str) -> String {
        self.on(text, |t| t.red().to_string())
    }

    /// Places within a diff.
    pub fn place(self, text: &str) -> String {
        self.on(text, |t| t.cyan().to_string())
    }

    fn on(self, text: &str, paint: impl Fn(&str) -> String) -> String {
        match self {
            Style::Coloured if !text.is_empty() => paint(text),
            Style::Coloured | Style::Plain => text.to_owned(),
        }
    }
}
