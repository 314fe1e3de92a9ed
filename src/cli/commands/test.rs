//! `test`.

use super::formats;
use super::plan::terraforms;
use crate::cli::Spec;
use crate::ops::{Start, test};
use clap::{ArgMatches, Command};
use std::ffi::OsString;

/// `tf-phi test`
pub(in crate::cli) const TEST: Spec = Spec {
    name: "test",
    about: "Run terraform test on the specialised tree, and put the sources back",
    arguments: |command: Command| {
        command.arg(formats::argument()).arg(terraforms().help("Arguments of terraform test"))
    },
    run: |start: &Start, matches: &ArgMatches| {
        let format = formats::read(matches);
        let args: Vec<OsString> =
            matches.get_many::<OsString>("arguments").into_iter().flatten().cloned().collect();
        start.finish(test::run(start, &args, format), format)
    },
    among_terraforms: true,
};
