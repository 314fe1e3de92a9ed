//! `diff`.

use super::{detail, vars};
use crate::cli::Spec;
use crate::ops::{Start, stacks};
use crate::report::issue::Format;
use clap::{ArgMatches, Command};

/// `tf-phi diff`
pub(in crate::cli) const DIFF: Spec = Spec {
    name: "diff",
    about: "The unified diff that plan would write",
    arguments: |command: Command| vars::of_a_run(command).args(detail::arguments()),
    run: |start: &Start, matches: &ArgMatches| {
        let start = &detail::start(start, matches);
        vars::with(start, matches, Format::Text, |start, vars| {
            start.finish(stacks::differences(start, &vars), Format::Text)
        })
    },
    among_terraforms: false,
};
