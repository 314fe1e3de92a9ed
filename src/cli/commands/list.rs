//! `roots`.

use super::{formats, roots};
use crate::cli::Spec;
use crate::ops::Start;
use crate::ops::roots::list;
use crate::report::issue::Format;
use clap::{ArgMatches, Command};

/// `tf-phi roots`
pub(in crate::cli) const ROOTS: Spec = Spec {
    name: "roots",
    about: "List root modules: all, a part, or those that a change concerns",
    arguments: |command: Command| {
        let format = formats::arguments(["text", "json"], "How they are printed: one a line, or as JSON");
        command.arg(roots::directories()).args(roots::selection()).arg(roots::files()).args(format)
    },
    run: |start: &Start, matches: &ArgMatches| {
        let format = formats::read(matches);
        start.finish(list(start, &roots::read(matches), format == Format::Json), format)
    },
    among_terraforms: false,
};
