//! `suggest`.

use super::version;
use crate::cli::Spec;
use crate::ops::{Start, suggest};
use crate::report::issue::Format;
use clap::{ArgMatches, Command};

/// `tf-phi suggest`
pub(in crate::cli) const SUGGEST: Spec = Spec {
    name: "suggest",
    about: "Print a phi.hcl to begin with: what is worth pinning, and which universes are missing",
    arguments: |command: Command| command,
    run: |start: &Start, _: &ArgMatches| start.finish(suggest::run(start, version::NUMBER), Format::Text),
    among_terraforms: false,
};
