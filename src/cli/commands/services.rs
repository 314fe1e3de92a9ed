//! `services`.

use crate::cli::Spec;
use crate::ops::Start;
use crate::ops::services::{Request, run};
use crate::report::issue::Format;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

/// `tf-phi services`
pub(in crate::cli) const SERVICES: Spec = Spec {
    name: "services",
    about: "List the services that come with tf-phi, show one, or take one over",
    arguments: |command: Command| {
        let name = || Arg::new("name").value_name("NAME").required(true).help("The service");
        command
            .args_conflicts_with_subcommands(true)
            .disable_help_subcommand(true)
            .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("As JSON"))
            .subcommand(
                Command::new("show").about("Print what a service maps, drops and refuses").arg(name()),
            )
            .subcommand(
                Command::new("images").about(
                    "Print the images and charts that a form factor needs, and their names in its mirror",
                ),
            )
            .subcommand(
                Command::new("eject")
                    .about("Write the files of a service to a new folder, and print its blocks for phi.hcl")
                    .arg(name())
                    .arg(
                        Arg::new("dir")
                            .value_name("DIR")
                            .required(true)
                            .value_parser(clap::value_parser!(PathBuf))
                            .help("The folder, below the working directory; it must not be there yet"),
                    ),
            )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let name = |m: &ArgMatches| m.get_one::<String>("name").cloned().unwrap_or_default();
        let request = match matches.subcommand() {
            Some(("show", own)) => Request::Show(name(own)),
            Some(("images", _)) => Request::Images,
            Some(("eject", own)) => {
                let dir = own.get_one::<PathBuf>("dir").cloned().unwrap_or_default();
                Request::Eject { name: name(own), dir }
            }
            _ => Request::List { json: matches.get_flag("json") },
        };
        let json = request == Request::List { json: true };
        start.finish(run(start, &request), if json { Format::Json } else { Format::Text })
    },
    among_terraforms: false,
};
