//! `verify`.

use super::plan::{environment, terraforms};
use crate::cli::Spec;
use crate::ops::{Start, verify};
use crate::report::issue::Format;
use clap::{ArgMatches, Command};
use std::ffi::OsString;

/// `tf-phi verify`
pub(in crate::cli) const VERIFY: Spec = Spec {
    name: "verify",
    about: "Plan the original and the specialised tree aside, and compare the two plans",
    arguments: |command: Command| {
        command.arg(environment()).arg(terraforms().help("Arguments of terraform plan")).after_help(
            "Exit status: 0 where the plans are equal, 3 where they differ, 1 where one can't be made.",
        )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let args: Vec<OsString> =
            matches.get_many::<OsString>("arguments").into_iter().flatten().cloned().collect();
        let environment = matches.get_one::<String>("env").map(String::as_str);
        start.finish(verify::run(start, &args, environment), Format::Text)
    },
    among_terraforms: true,
};
