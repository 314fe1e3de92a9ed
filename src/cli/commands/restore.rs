//! `restore`.

use super::detail;
use crate::cli::Spec;
use crate::ops::{Start, restore};
use crate::report::issue::Format;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// `tf-phi restore`
pub(in crate::cli) const RESTORE: Spec = Spec {
    name: "restore",
    about: "Put the original sources back",
    arguments: |command: Command| {
        let dry_run = Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue);
        command.arg(dry_run.help("Show the diff and write nothing")).args(detail::arguments())
    },
    run: |start: &Start, matches: &ArgMatches| {
        let start = &detail::start(start, matches);
        start.finish(restore::run(start, matches.get_flag("dry-run")), Format::Text)
    },
    among_terraforms: false,
};
