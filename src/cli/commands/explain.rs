//! `explain`.

use super::{formats, vars};
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
            .args(formats::arguments(["text", "json"], "How it is printed"))
    },
    run: |start: &Start, matches: &ArgMatches| {
        let address = matches.get_one::<String>("address").cloned().unwrap_or_default();
        let format = formats::read(matches);
        let json = format == Format::Json;
        vars::with(start, matches, format, |start, vars| {
            start.finish(explain::run(start, &explain::Request { address, json, vars }), format)
        })
    },
    among_terraforms: false,
};
