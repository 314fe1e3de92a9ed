//! The root modules that a command works on: directories, and what is taken of those below them.

use crate::ops::roots::{Asked, Shard};
use clap::builder::RangedU64ValueParser;
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use std::path::PathBuf;

/// The directories.
pub(super) fn directories() -> Arg {
    Arg::new("dirs")
        .value_name("DIR")
        .num_args(0..)
        .value_parser(value_parser!(PathBuf))
        .help("Directories of root modules; none stands for the current one")
}

/// Which of those below them.
pub(super) fn selection() -> [Arg; 3] {
    [
        Arg::new("recursive")
            .long("recursive")
            .action(ArgAction::SetTrue)
            .help("Every root module below the directories"),
        Arg::new("shard")
            .long("shard")
            .value_name("K/N")
            .value_parser(value_parser!(Shard))
            .help("The Kth of N parts of them; a root stays in its part whatever others come or go"),
        Arg::new("changed-since")
            .long("changed-since")
            .value_name("REV")
            .help("Those alone that depend on a file which differs from this revision"),
    ]
}

/// Those that files belong to.
pub(super) fn files() -> Arg {
    Arg::new("files").long("files").action(ArgAction::SetTrue).conflicts_with("changed-since").help(
        "Those alone that depend on one of the files that stand beside the directories, as pre-commit passes them",
    )
}

/// How many at a time.
pub(super) fn jobs(help: &'static str) -> Arg {
    let positive = RangedU64ValueParser::<usize>::new().range(1..);
    Arg::new("jobs").long("jobs").value_name("N").value_parser(positive).help(help)
}

/// How many analyses there are at a time.
pub(super) fn analyses() -> Arg {
    jobs("How many are looked at at a time; else as many as there are processors and memory for")
}

/// Reads the options that choose root modules.
pub(super) fn read(matches: &ArgMatches) -> Asked {
    let dirs = matches.try_get_many::<PathBuf>("dirs").ok().flatten();
    Asked {
        dirs: dirs.into_iter().flatten().cloned().collect(),
        recursive: matches.get_flag("recursive"),
        jobs: matches.try_get_one::<usize>("jobs").ok().flatten().copied(),
        shard: matches.get_one::<Shard>("shard").copied(),
        changed_since: matches.get_one::<String>("changed-since").cloned(),
        files: matches!(matches.try_get_one::<bool>("files"), Ok(Some(true))),
    }
}

/// Returns true if any number of root modules may be meant.
pub(in crate::cli) fn selects(matches: &ArgMatches) -> bool {
    let given = |name: &str| matches!(matches.try_contains_id(name), Ok(true));
    let recursive = matches!(matches.try_get_one::<bool>("recursive"), Ok(Some(true)));
    recursive || given("shard") || given("changed-since")
}
