//! `-var`, `-var-file` and `--env` of commands whose arguments are all ours.

use super::plan::environment;
use crate::config::variables::VarArg;
use crate::ops::{Start, environment::under};
use crate::report::issue::Format;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// Adds `-var` and `-var-file`.
pub(super) fn arguments(command: Command) -> Command {
    let repeated = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).action(ArgAction::Append).allow_hyphen_values(true)
    };
    command.arg(repeated("var", "NAME=VALUE").help("Take a root variable for this value")).arg(
        repeated("var-file", "FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Take root variables for the values in a file"),
    )
}

/// Adds these and `--env`, for a command that looks at one run's values.
pub(super) fn of_a_run(command: Command) -> Command {
    arguments(command).arg(environment())
}

/// Runs a command with the values and in the workspace that [`of_a_run`]'s arguments name. Gives the exit status.
pub(super) fn with(
    start: &Start,
    matches: &ArgMatches,
    format: Format,
    run: impl FnOnce(&Start, Vec<VarArg>) -> u8,
) -> u8 {
    let name = matches.get_one::<String>("env").map(String::as_str);
    match under(start, name, read(matches)) {
        Ok((start, vars)) => run(&start, vars),
        Err(stop) => start.finish(Err(stop), format),
    }
}

/// `-var` and `-var-file` in the order they were given, which is their precedence.
pub(super) fn read(matches: &ArgMatches) -> Vec<VarArg> {
    let mut all: Vec<(usize, VarArg)> = Vec::new();
    let indices = |name: &str| matches.indices_of(name).into_iter().flatten();
    let values = matches.get_many::<String>("var").into_iter().flatten();
    all.extend(indices("var").zip(values.map(|v| VarArg::Var(v.clone()))));
    let files = matches.get_many::<PathBuf>("var-file").into_iter().flatten();
    all.extend(indices("var-file").zip(files.map(|f| VarArg::File(f.clone()))));
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, arg)| arg).collect()
}
