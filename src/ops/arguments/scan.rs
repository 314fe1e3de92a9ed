//! Reads the words as Terraform does, and finds those that it refuses.

use super::Passed;
use super::fault::Fault;
use super::line::{Line, flag_of, shown};
use crate::ops::Start;
use crate::terraform::Version;
use crate::terraform::flags::{self, Takes};

/// One reading of a line.
pub(super) struct Scan<'a> {
    pub passed: Passed<'a>,
    pub line: &'a Line,
    pub start: &'a Start,
    /// The version in use; `None` stands for any.
    pub version: Option<&'a Version>,
}

/// The kind of a word, as Terraform reads it.
pub(super) enum Word {
    /// A flag whose value, if any, ends before this index.
    Flag(usize),
    /// The end of all flags.
    End,
    Positional,
}

impl Scan<'_> {
    /// Every fault, in the order of the words.
    pub fn faults(&self) -> Vec<Fault> {
        let mut found = Vec::new();
        if self.line.asks_for_help() {
            return found;
        }
        let (mut at, mut ended) = (0, false);
        let mut positional: Vec<usize> = Vec::new();
        while let Some(word) = self.line.get(at) {
            let kind = if ended { Word::Positional } else { self.kind(at, word, &mut found) };
            match kind {
                // What is taken out of the line before flags are read may stand anywhere.
                _ if self.is_anywhere(word) => at += 1,
                Word::Flag(next) => {
                    let plan = positional.first().filter(|p| found.iter().all(|f| f.at != **p));
                    if let (Some(plan), "apply") = (plan, self.passed.command) {
                        found.retain(|f| f.at != at || f.ours);
                        if !found.iter().any(|f| f.at == at) {
                            found.push(self.behind_the_plan(at, *plan));
                        }
                    }
                    at = next;
                }
                Word::End => (at, ended) = (at + 1, true),
                Word::Positional => {
                    positional.push(at);
                    found.extend(self.positional(at, word, positional.len()));
                    at += 1;
                }
            }
        }
        found
    }

    fn kind(&self, at: usize, word: &str, found: &mut Vec<Fault>) -> Word {
        if word == "--" {
            return Word::End;
        }
        let Some(flag) = flag_of(word) else { return Word::Positional };
        if self.is_anywhere(word) {
            return Word::Flag(at + 1);
        }
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (flag, None),
        };
        if name.is_empty() || name.starts_with('-') {
            let why = "A flag has one dash or two, and then its name.";
            found.push(Fault::new(at, format!("`{}` is no flag", shown(word)), why));
            return Word::Flag(at + 1);
        }
        match flags::find(self.command(), name, self.version) {
            Some(flag) => self.known(at, flag, value, found),
            None => {
                let (fault, next) = self.not_known(at, name, value);
                found.push(fault);
                Word::Flag(next)
            }
        }
    }

    /// Words that Terraform takes out of the line wherever they stand.
    fn is_anywhere(&self, word: &str) -> bool {
        let Some(flag) = word.strip_prefix('-').filter(|f| !f.starts_with('-')) else { return false };
        let (name, value) = flag.split_once('=').map_or((flag, None), |(n, v)| (n, Some(v)));
        let row = flags::find(self.command(), name, self.version);
        row.is_some_and(|row| match row.takes {
            Takes::Nothing => value.is_none(),
            Takes::Setting => value.is_none_or(|v| row.takes.wants(v).is_none()),
            Takes::Module => value.is_some_and(|v| row.takes.wants(v).is_none()),
            _ => false,
        })
    }

    /// A word's text.
    pub fn written(&self, at: usize) -> &str {
        self.line.get(at).unwrap_or_default()
    }

    /// The command of Terraform.
    pub fn command(&self) -> &str {
        self.passed.terraforms()
    }
}
