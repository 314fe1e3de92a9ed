//! `check`.

use super::{detail, formats, roots};
use crate::cli::Spec;
use crate::ops::{Start, check};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// `tf-phi check`
pub(in crate::cli) const CHECK: Spec = Spec {
    name: "check",
    about: "Is the tree specialised and up to date?",
    arguments,
    run,
    among_terraforms: false,
};

fn arguments(command: Command) -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    command
        .arg(roots::directories())
        .args(roots::selection())
        .arg(roots::files())
        .arg(roots::analyses())
        .arg(flag("diff").help("Show what would change"))
        .arg(flag("fix").help("Write what would change"))
        .args(formats::findings())
        .args(detail::arguments())
        .after_help(
            "Exit status: 0 where everything is up to date, 3 where something would change, 1 for stack issues. \
             Without the values of a run the move chain is not compared.",
        )
}

fn run(start: &Start, matches: &ArgMatches) -> u8 {
    let request = check::Request {
        roots: roots::read(matches),
        diff: matches.get_flag("diff"),
        fix: matches.get_flag("fix"),
        format: formats::read(matches),
    };
    let start = &detail::start(start, matches);
    start.finish(check::run(start, &request), request.format)
}
