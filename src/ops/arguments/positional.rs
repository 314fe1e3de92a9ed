//! Words that are no flags.

use super::fault::{Edit, Fault};
use super::line::{flag_of, shown};
use super::said::is_secret;
use super::scan::Scan;
use crate::config::nearest::nearest;
use crate::host::{EntryKind, Host as _, Machine};
use crate::ops::Start;
use crate::terraform::flags::{self, Takes};
use crate::text::shell_word;

impl Scan<'_> {
    /// A word that is no flag, the `count`th of them.
    pub fn positional(&self, at: usize, word: &str, count: usize) -> Option<Fault> {
        let command = self.passed.command;
        if self.means_a_switch(at) && matches!(word, "true" | "false") {
            return Some(self.switch(at, word));
        }
        if command == "plan" && is_directory(self.start, word) {
            return None;
        }
        // It may be the second half of a value that has to be quoted, and that a secret.
        let hidden = (0..at).any(|before| is_secret(self.written(before)));
        if command == "apply" && count == 1 {
            // A deployment's plans lie in its folder.
            if Machine.kind(&self.start.dir.join(word)).is_some() || crate::ops::stacks::is_stack(self.start)
            {
                return None;
            }
            let why = "What stands behind the flags of `apply` is the file of a saved plan.";
            let name = if hidden { "of the name that is given" } else { shown(word) };
            let fault = Fault::new(at, format!("there is no saved plan {name}"), why);
            let fix = match self.nearest_flag(word) {
                // What may be a value isn't repeated.
                None if !hidden && shown(word) == word => {
                    format!("Save one first: tf-phi plan -out={}", shell_word(word))
                }
                _ => self.instead(word),
            };
            return Some(fault.fix(fix, Vec::new()));
        }
        let why = match command {
            "apply" => "`apply` takes one file of a saved plan at most, behind all flags.".to_owned(),
            "test" => "Terraform passes over it and over every flag behind it.".to_owned(),
            "plan" => {
                "`plan` takes flags and directories, and there is no directory of this name.".to_owned()
            }
            _ => format!("`{command}` takes flags only."),
        };
        let summary = match hidden {
            true => "there is a word too many".to_owned(),
            false => format!("`{}` is a word too many", shown(word)),
        };
        let fault = Fault::new(at, summary, why);
        let dir = Machine.kind(&self.start.dir.join(word)) == Some(EntryKind::Dir);
        if dir && self.start.chdir.is_none() && command != "test" && !word.is_empty() {
            let edits = vec![Edit::Drop(at), Edit::Front(format!("-chdir={word}"))];
            return Some(fault.fix("To work in that directory", edits));
        }
        Some(fault.fix(self.instead(word), Vec::new()))
    }

    fn nearest_flag(&self, word: &str) -> Option<&str> {
        let names = self.names().into_iter().filter(|n| *n != "chdir");
        nearest(shown(word), names)
    }

    fn instead(&self, word: &str) -> String {
        match self.nearest_flag(word) {
            Some(name) if self.passed.own.iter().any(|(o, _)| *o == name) => {
                format!("Did you mean --{name}?")
            }
            Some(name) => format!("Did you mean -{name}?"),
            None if self.passed.command == "test" => "To choose test files, write -filter=FILE.".to_owned(),
            None => "Leave it out; a value with blanks needs quotes around it.".to_owned(),
        }
    }

    /// `-refresh false`: a boolean flag takes its value behind `=` only.
    fn means_a_switch(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|b| self.line.get(b)).and_then(flag_of);
        let flag = before.and_then(|b| flags::find(self.command(), b, self.version));
        flag.is_some_and(|f| f.takes == Takes::Bool)
    }

    fn switch(&self, at: usize, word: &str) -> Fault {
        let before = at.saturating_sub(1);
        let flag = self.line.get(before).unwrap_or_default();
        let why = "Without `=` a flag of this kind is on, whatever word follows.";
        let edits = vec![Edit::Replace(before, format!("{flag}={word}")), Edit::Drop(at)];
        Fault::new(at, format!("{flag} takes its value behind `=`"), why).fix("Write it so", edits)
    }

    /// A flag that Terraform would take for one more positional word.
    pub fn behind_the_plan(&self, at: usize, plan: usize) -> Fault {
        let why = "Terraform reads no flags behind it.";
        let dashed = shown(self.written(at));
        let fault = Fault::new(at, format!("{dashed} stands behind the saved plan"), why);
        fault.fix("Put the plan last", vec![Edit::Last(plan)])
    }
}

/// Returns true if a word names a directory. `-refresh false` is another mistake, whatever is called so.
pub(super) fn is_directory(start: &Start, word: &str) -> bool {
    let is_switch = matches!(word, "" | "true" | "false");
    !is_switch && Machine.kind(&start.dir.join(word)) == Some(EntryKind::Dir)
}
