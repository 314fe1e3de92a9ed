//! The words of a run that say which values it has and where its state is, for another command that is printed.
//!
//! In: the words as they were typed. Absent on purpose: what is secret. A variable that is declared sensitive stands there with a gap
//! for its value.

use crate::config::Config;
use crate::ops::Start;
use crate::terraform::args;
use crate::text::shell_word;
use std::ffi::OsString;

/// The flags that matter for another command of the same state.
const KEPT: &[&str] = &["var", "var-file", "state", "lock", "lock-timeout"];

/// Returns a command with the values of a run.
pub fn with_values(
    command: &str,
    start: &Start,
    config: &Config,
    (environment, words): (Option<&str>, &[OsString]),
) -> String {
    let mut out = command.to_owned();
    let mut add = |word: &str| {
        out.push(' ');
        out.push_str(&shell_word(word));
    };
    for (flag, named) in [("--form-factor", start.form_factor.as_deref()), ("--env", environment)] {
        if let Some(name) = named {
            add(flag);
            add(name);
        }
    }
    let words: Vec<String> = words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
    for flag in args::flags_of(&words).0.into_iter().filter(|flag| KEPT.contains(&flag.name)) {
        match flag.value.and_then(|value| value.split_once('=')) {
            Some((name, _)) if flag.name == "var" && is_secret(config, name.trim()) => {
                add(&format!("-var={}=…", name.trim()));
            }
            _ => flag.words.iter().for_each(|word| add(word)),
        }
    }
    out
}

/// Returns true if a root variable is declared sensitive.
pub fn is_secret(config: &Config, name: &str) -> bool {
    config.root().and_then(|root| root.variables.get(name)).is_some_and(|variable| variable.sensitive)
}
