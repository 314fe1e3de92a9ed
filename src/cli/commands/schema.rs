//! `schema`.

use crate::cli::Spec;
use crate::ops::{DONE, FAILED, Start};
use crate::report::{Reader, schema};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

/// `tf-phi schema`
pub(in crate::cli) const SCHEMA: Spec = Spec {
    name: "schema",
    about: "Print the JSON Schema of a report or record",
    arguments: |command: Command| {
        command.arg(
            Arg::new("name")
                .value_name("NAME")
                .value_parser(PossibleValuesParser::new(schema::NAMES))
                .hide_possible_values(true)
                .help("Whose schema; without a name, the list of names"),
        )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let Some(name) = matches.get_one::<String>("name") else {
            start.console.report(&schema::list());
            return DONE;
        };
        let Some(text) = schema::text(name) else { return FAILED };
        start.console.print(Reader::Json, &text);
        DONE
    },
    among_terraforms: false,
};
