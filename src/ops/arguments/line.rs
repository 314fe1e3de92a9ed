//! The words that Terraform gets, each with where it comes from.

use crate::terraform::flags;
use std::ffi::OsString;

/// The words in the order in which Terraform reads them.
pub(super) struct Line {
    words: Vec<(Option<String>, String)>,
}

impl Line {
    /// The environment's words by variable, then those of the command line.
    pub fn new(environment: Vec<(String, Vec<String>)>, explicit: &[OsString]) -> Line {
        let named = |(name, words): (String, Vec<String>)| {
            words.into_iter().map(move |w| (Some(name.clone()), w)).collect::<Vec<_>>()
        };
        let mut words: Vec<_> = environment.into_iter().flat_map(named).collect();
        words.extend(explicit.iter().map(|w| (None, w.to_string_lossy().into_owned())));
        Line { words }
    }

    /// A word.
    pub fn get(&self, at: usize) -> Option<&str> {
        self.words.get(at).map(|(_, text)| text.as_str())
    }

    /// The variable of the environment that a word comes from.
    pub fn origin(&self, at: usize) -> Option<&str> {
        self.words.get(at)?.0.as_deref()
    }

    /// The words from one place, with their indices.
    pub fn from<'a>(&'a self, origin: Option<&'a str>) -> impl Iterator<Item = (usize, &'a str)> {
        let all = self.words.iter().enumerate();
        all.filter(move |(_, (o, _))| o.as_deref() == origin).map(|(at, (_, text))| (at, text.as_str()))
    }

    /// Returns true if help is asked for: Terraform then does nothing else.
    pub fn asks_for_help(&self) -> bool {
        let flags = self.words.iter().map(|(_, w)| w.as_str()).take_while(|w| *w != "--");
        flags.into_iter().any(|w| matches!(w, "-h" | "-help" | "--help"))
    }

    /// Returns true if a word may be a flag that some versions lack.
    pub fn depends_on_version(&self, command: &str) -> bool {
        self.words.iter().any(|(_, w)| name_of(w).is_some_and(|n| flags::depends_on_version(command, n)))
    }
}

/// The text behind one dash or two, where there is any.
pub(super) fn flag_of(word: &str) -> Option<&str> {
    word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|f| !f.is_empty())
}

/// The name of a flag.
pub(super) fn name_of(word: &str) -> Option<&str> {
    flag_of(word).map(|f| f.split('=').next().unwrap_or(f))
}

/// A word without what may be a value.
pub(super) fn shown(word: &str) -> &str {
    word.split('=').next().unwrap_or(word)
}
