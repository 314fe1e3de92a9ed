//! `stacks`.

use crate::cli::Spec;
use crate::ops::Start;
use crate::ops::stacks::from_root::{Request, run};
use crate::report::issue::Format;
use clap::{Arg, ArgMatches, Command};
use std::path::PathBuf;

/// `tf-phi stacks`
pub(in crate::cli) const STACKS: Spec = Spec {
    name: "stacks",
    about: "Propose a Stack for a root module with environments",
    arguments: |command: Command| {
        command
            .subcommand_required(true)
            .arg_required_else_help(true)
            .disable_help_subcommand(true)
            .subcommand(
                Command::new("from-root")
                    .about(
                        "Print a Stack whose deployments plan what a root module plans in its environments",
                    )
                    .arg(
                        Arg::new("dir")
                            .value_name("DIR")
                            .value_parser(clap::value_parser!(PathBuf))
                            .help("The root module; without it the working directory"),
                    )
                    .arg(
                        Arg::new("out")
                            .long("out")
                            .value_name("FOLDER")
                            .value_parser(clap::value_parser!(PathBuf))
                            .help("Write the files to a new folder below the root module"),
                    ),
            )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let path = |m: &ArgMatches, name: &str| m.get_one::<PathBuf>(name).cloned();
        let request = match matches.subcommand() {
            Some((_, own)) => Request { dir: path(own, "dir"), out: path(own, "out") },
            None => Request { dir: None, out: None },
        };
        start.finish(run(start, &request), Format::Text)
    },
    among_terraforms: false,
};
