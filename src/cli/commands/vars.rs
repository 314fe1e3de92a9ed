//! `-var` and `-var-file` of commands whose arguments are all ours.

use crate::config::variables::VarArg;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// Adds both.
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
