//! `explain`.

use super::vars;
use crate::cli::Spec;
use crate::ops::{Start, explain};
use crate::report::issue::Format;
use clap::{Arg, ArgMatches, Command};

/// `tf-phi explain`
pub(in crate::cli) const EXPLAIN: Spec = Spec {
    name: "explain",
    about: "From an address in a plan back to why: value, gate, hops, version; or what a code means",
    arguments: |command: Command| {
        vars::of_a_run(command)
            .arg(
                Arg::new("address")
                    .value_name("ADDRESS|CODE")
                    .required(true)
                    .help("As a plan prints it, with or without instance keys; or the code of a finding"),
            )
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_name("FORMAT")
                    .value_parser(["text", "json"])
                    .default_value("text")
                    .help("text or json"),
            )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let json = matches.get_one::<String>("format").is_some_and(|f| f == "json");
        let address = matches.get_one::<String>("address").cloned().unwrap_or_default();
        let format = if json { Format::Json } else { Format::Text };
        vars::with(start, matches, format, |start, vars| {
            start.finish(explain::run(start, &explain::Request { address, json, vars }), format)
        })
    },
    among_terraforms: false,
};
