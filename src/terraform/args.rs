//! Reads the arguments of `plan` and `apply`, which are passed on unchanged.
//!
//! Terraform puts the words of `TF_CLI_ARGS_<command>` and then those of `TF_CLI_ARGS` right after the command,
//! before the explicit arguments (seen on 1.11.4: `-var` in `TF_CLI_ARGS` wins over one in `TF_CLI_ARGS_plan`).
//! Its flags are Go's: one or two dashes, `-name=value` or `-name value`, and the first word that is no flag
//! ends them.

pub use super::flags::takes_value;
use super::words;
use crate::config::variables::VarArg;
use crate::host::Host;
use crate::issue::{Code, Issue};

/// The reading of one command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunArgs {
    /// Variables, in order of rising precedence.
    pub vars: Vec<VarArg>,
    /// `-target` addresses.
    pub targets: Vec<String>,
    /// `-exclude` addresses (OpenTofu).
    pub excludes: Vec<String>,
    /// `-out`.
    pub out: Option<String>,
    /// `-state`.
    pub state: Option<String>,
    /// `-lock`, as it was given.
    pub lock: Option<String>,
    /// `-lock-timeout`.
    pub lock_timeout: Option<String>,
    /// `-destroy`.
    pub destroy: bool,
    /// `-refresh-only`.
    pub refresh_only: bool,
    /// `-detailed-exitcode`.
    pub detailed_exitcode: bool,
    /// `-json`.
    pub json: bool,
    /// `-no-color`.
    pub no_color: bool,
    /// `-help` or `-h`: nothing is planned.
    pub help: bool,
    /// The arguments after the flags; for `apply`, the first is a saved plan.
    pub positional: Vec<String>,
}

impl RunArgs {
    /// Reads the arguments of a command (`plan`, `apply`) together with the environment's.
    ///
    /// # Errors
    /// [`Code::Config`] where a flag lacks its value or an environment variable can't be split for sure.
    pub fn read(host: &dyn Host, command: &str, explicit: &[String]) -> Result<RunArgs, Issue> {
        let all = words_of(host, command, explicit)?;
        let mut read = RunArgs::default();
        read.parse(&all)?;
        Ok(read)
    }

    fn parse(&mut self, all: &[String]) -> Result<(), Issue> {
        let (flags, rest) = flags_of(all);
        for Given { name, value, .. } in flags {
            match value {
                None if takes_value(name) => {
                    let summary = format!("-{name} needs a value");
                    return Err(Issue::error(Code::Config, summary, "Nothing follows it."));
                }
                Some(value) if takes_value(name) => self.set(name, value.to_owned())?,
                value => self.switch(name, value),
            }
        }
        // A bare `--` ends the flags and vanishes; a bare `-` is an ordinary word.
        let skipped = usize::from(rest.first().is_some_and(|word| word == "--"));
        self.positional.extend(rest.iter().skip(skipped).cloned());
        Ok(())
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), Issue> {
        match name {
            "var" => {
                let (name, text) = value.split_once('=').ok_or_else(|| {
                    let summary = "-var needs NAME=VALUE".to_owned();
                    // The value may be a secret, so it is not repeated.
                    Issue::error(Code::Config, summary, "There is no `=` in what follows it.")
                })?;
                // The name is trimmed as Terraform does, the value is as written.
                self.vars.push(VarArg::Var(format!("{}={text}", name.trim())));
            }
            "var-file" => self.vars.push(VarArg::File(value.into())),
            "target" => self.targets.push(value),
            "exclude" => self.excludes.push(value),
            "out" => self.out = Some(value),
            "state" => self.state = Some(value),
            "lock-timeout" => self.lock_timeout = Some(value),
            _ => {}
        }
        Ok(())
    }

    fn switch(&mut self, name: &str, value: Option<&str>) {
        let on = value.is_none_or(|v| !is_false(v));
        match name {
            "destroy" => self.destroy = on,
            "lock" => self.lock = Some(value.unwrap_or("true").to_owned()),
            "refresh-only" => self.refresh_only = on,
            "detailed-exitcode" => self.detailed_exitcode = on,
            "json" => self.json = on,
            "no-color" => self.no_color = on,
            "help" | "h" => self.help = on,
            _ => {}
        }
    }
}

/// The variables of the environment that add words to a command, in the order of their words.
pub fn variables(command: &str) -> [String; 2] {
    [format!("TF_CLI_ARGS_{command}"), "TF_CLI_ARGS".to_owned()]
}

/// The words that a command gets: those of the environment first.
///
/// # Errors
/// As [`RunArgs::read`].
pub fn words_of(host: &dyn Host, command: &str, explicit: &[String]) -> Result<Vec<String>, Issue> {
    let words = words_of_environment(host, command)?;
    let mut all: Vec<String> = words.into_iter().flat_map(|(_, words)| words).collect();
    all.extend(explicit.iter().cloned());
    Ok(all)
}

/// The words that each variable of the environment adds to a command, in their order.
///
/// # Errors
/// [`Code::Config`] where one can't be split for sure.
pub fn words_of_environment(host: &dyn Host, command: &str) -> Result<Vec<(String, Vec<String>)>, Issue> {
    let split = |name: String| {
        let line = host.env(&name).unwrap_or_default();
        let words = words::split(&line).map_err(|why| {
            Issue::error(Code::Config, format!("{name} can't be split into arguments"), why)
                .fix("Put values in single quotes.", "")
        })?;
        Ok((name, words))
    };
    variables(command).into_iter().map(split).collect()
}

/// The last value of a flag, in a command's arguments together with the environment's.
///
/// # Errors
/// As [`RunArgs::read`].
pub fn value_of(
    host: &dyn Host,
    command: &str,
    explicit: &[String],
    flag: &str,
) -> Result<Option<String>, Issue> {
    let words = words_of(host, command, explicit)?;
    let last = flags_of(&words).0.into_iter().rfind(|given| given.name == flag);
    Ok(last.and_then(|given| given.value).map(str::to_owned))
}

/// Arguments without those flags, their values included.
pub fn without(words: &[String], names: &[&str]) -> Vec<String> {
    let (flags, rest) = flags_of(words);
    let kept = flags.iter().filter(|flag| !names.contains(&flag.name)).flat_map(|flag| flag.words);
    kept.chain(rest).cloned().collect()
}

/// A flag on a command line.
#[derive(Clone, Copy, Debug)]
pub struct Given<'w> {
    /// Its words: one, or two where the value stands apart.
    pub words: &'w [String],
    /// Its name, without dashes.
    pub name: &'w str,
    /// Its value, if there is one.
    pub value: Option<&'w str>,
}

/// Returns the flags in front, and the words from the first one on that is none.
pub fn flags_of(words: &[String]) -> (Vec<Given<'_>>, &[String]) {
    let (mut found, mut rest) = (Vec::new(), words);
    while let Some((word, more)) = rest.split_first()
        && let Some(text) = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))
        && !text.is_empty()
    {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let apart = more.first().filter(|_| value.is_none() && takes_value(name));
        let (own, others) = rest.split_at(1 + usize::from(apart.is_some()));
        found.push(Given { words: own, name, value: value.or(apart.map(String::as_str)) });
        rest = others;
    }
    (found, rest)
}

/// Returns true if Go's `strconv.ParseBool` reads false.
fn is_false(text: &str) -> bool {
    matches!(text, "0" | "f" | "F" | "false" | "FALSE" | "False")
}

#[cfg(test)]
mod tests;
