//! `-q` and `-v` of commands that write.

use crate::ops::Start;
use crate::report::Console;
use crate::report::summary::Detail;
use clap::{Arg, ArgAction, ArgMatches};

/// The two options. With two dashes their letters count as well, as Terraform's own do.
pub(super) fn arguments() -> [Arg; 2] {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    [
        flag("quiet").short('q').alias("q").help("Say only what is wrong").conflicts_with("verbose"),
        flag("verbose").short('v').alias("v").help("Say every value, condition and hop, and name every file"),
    ]
}

/// A start with what was asked for. Who wants to hear only of what is wrong sees no progress either.
pub(super) fn start(start: &Start, matches: &ArgMatches) -> Start {
    let detail = match (matches.get_flag("quiet"), matches.get_flag("verbose")) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    };
    let watched = start.console.watched && detail != Detail::Quiet;
    Start { detail, console: Console { watched, ..start.console }, ..start.clone() }
}
