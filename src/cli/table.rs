//! The one table of commands.

use super::commands;
use crate::ops::Start;
use clap::{ArgMatches, Command};

/// A command.
#[derive(Debug)]
pub struct Spec {
    /// Its name.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Adds its arguments.
    pub arguments: fn(Command) -> Command,
    /// Runs it and gives the exit status.
    pub run: fn(&Start, &ArgMatches) -> u8,
    /// Options of our own, without dashes, among arguments that are otherwise Terraform's; and whether each takes a
    /// value. `None` where all arguments are ours.
    pub among_terraforms: Option<&'static [(&'static str, bool)]>,
}

/// Every command, in the order of the help.
pub const COMMANDS: &[Spec] = &[
    commands::init::INIT,
    commands::plan::PLAN,
    commands::plan::APPLY,
    commands::test::TEST,
    commands::suggest::SUGGEST,
    commands::trace::TRACE,
    commands::explain::EXPLAIN,
    commands::matrix::MATRIX,
    commands::review::REVIEW,
    commands::validate::VALIDATE,
    commands::check::CHECK,
    commands::diff::DIFF,
    commands::verify::VERIFY,
    commands::restore::RESTORE,
    commands::history::HISTORY,
    commands::graph::GRAPH,
    commands::services::SERVICES,
    commands::schema::SCHEMA,
    commands::manual::COMPLETIONS,
    commands::manual::MAN,
    commands::version::VERSION,
];
