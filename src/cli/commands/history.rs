//! `history`.

use super::formats;
use crate::cli::Spec;
use crate::ops::{Start, history};
use crate::report::issue::Format;
use clap::{Arg, ArgAction, ArgMatches, Command};

/// `tf-phi history`
pub(in crate::cli) const HISTORY: Spec = Spec {
    name: "history",
    about: "What state holds under names of copies, and how that is known",
    arguments: |command: Command| {
        command
            .arg(
                Arg::new("rebuild")
                    .long("rebuild")
                    .action(ArgAction::SetTrue)
                    .help("Write down what names and values say where the history was lost"),
            )
            .arg(
                Arg::new("copy")
                    .long("copy")
                    .value_name("HELD=ORIGINAL")
                    .action(ArgAction::Append)
                    .help("The object HELD in state is the copy of ORIGINAL"),
            )
            .arg(
                Arg::new("own")
                    .long("own")
                    .value_name("ADDRESS")
                    .action(ArgAction::Append)
                    .help("The object in state is no copy, whatever its name"),
            )
            .args(formats::arguments(["text", "json"], "How it is printed"))
    },
    run: |start: &Start, matches: &ArgMatches| {
        let format = formats::read(matches);
        let all = |name: &str| matches.get_many::<String>(name).into_iter().flatten().cloned().collect();
        let request = history::Request {
            copies: all("copy"),
            own: all("own"),
            rebuild: matches.get_flag("rebuild"),
            json: format == Format::Json,
        };
        start.finish(history::run(start, &request), format)
    },
    among_terraforms: false,
};
