//! `roots`.

use super::roots;
use crate::cli::Spec;
use crate::ops::Start;
use crate::ops::roots::list;
use crate::report::issue::Format;
use clap::{Arg, ArgMatches, Command};

/// `tf-phi roots`
pub(in crate::cli) const ROOTS: Spec = Spec {
    name: "roots",
    about: "List root modules: all, a part, or those that a change concerns",
    arguments: |command: Command| {
        command.arg(roots::directories()).args(roots::selection()).arg(roots::files()).arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["text", "json"])
                .help("How they are printed: one a line, or as JSON"),
        )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let json = matches.get_one::<String>("format").is_some_and(|format| format == "json");
        start.finish(list(start, &roots::read(matches), json), if json { Format::Json } else { Format::Text })
    },
    among_terraforms: false,
};
