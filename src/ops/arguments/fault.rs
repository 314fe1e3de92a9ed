//! One word that can't stay as it is.

/// A correction of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Edit {
    /// Another word in its place.
    Replace(usize, String),
    /// The word goes.
    Drop(usize),
    /// The word goes to the end.
    Last(usize),
    /// A word before the command.
    Front(String),
}

/// A fault.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Fault {
    /// The index of the word.
    pub at: usize,
    /// The summary of the issue.
    pub summary: String,
    /// Sentences: why.
    pub why: String,
    /// The title of the fix: without a colon if there is text to paste, else a sentence.
    pub title: String,
    /// The corrections; empty if only the user can make them.
    pub edits: Vec<Edit>,
    /// True if it looks like a misspelt option of ours.
    pub ours: bool,
    /// The name, where no command knows it.
    unknown: Option<String>,
    /// True if the name is like a known one.
    similar: bool,
}

impl Fault {
    /// A fault that only the user can put right.
    pub fn new(at: usize, summary: impl Into<String>, why: impl Into<String>) -> Fault {
        Fault { at, summary: summary.into(), why: why.into(), ..Fault::default() }
    }

    /// With what to do.
    #[must_use]
    pub fn fix(mut self, title: impl Into<String>, edits: Vec<Edit>) -> Fault {
        (self.title, self.edits) = (title.into(), edits);
        self
    }

    /// Says whether the word looks like an option of tf-phi.
    #[must_use]
    pub fn ours(self, ours: bool) -> Fault {
        Fault { ours, ..self }
    }

    /// Says that no command knows this name, and whether it resembles one that is known.
    #[must_use]
    pub fn unknown(mut self, name: &str, similar: bool) -> Fault {
        (self.unknown, self.similar) = (Some(name.to_owned()), similar);
        self
    }

    /// Returns true if no command knows the name.
    pub fn is_unknown(&self) -> bool {
        self.unknown.is_some()
    }

    /// Returns true if it may be a flag of a Terraform that is newer than the table: its help has it, or nothing is
    /// like it.
    pub fn may_be_new(&self, help: &str) -> bool {
        let listed = |name: &String| {
            let flag = format!("-{name}");
            let inner = |c: char| c.is_alphanumeric() || c == '-';
            help.split(|c: char| !inner(c)).any(|word| word == flag)
        };
        !self.ours && self.unknown.as_ref().is_some_and(|name| !self.similar || listed(name))
    }
}
