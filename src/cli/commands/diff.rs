//! `diff`.

use super::{detail, vars};
use crate::cli::Spec;
use crate::ops::{Start, diff};
use crate::report::issue::Format;
use clap::{ArgMatches, Command};

/// `tf-phi diff`
pub(in crate::cli) const DIFF: Spec = Spec {
    name: "diff",
    about: "The unified diff that plan would write",
    arguments: |command: Command| vars::arguments(command).args(detail::arguments()),
    run: |start: &Start, matches: &ArgMatches| {
        let start = &Start { detail: detail::read(matches), ..start.clone() };
        start.finish(diff::run(start, &vars::read(matches)), Format::Text)
    },
    among_terraforms: None,
};
