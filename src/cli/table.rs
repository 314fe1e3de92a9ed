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
    /// True if its options stand among arguments that are otherwise Terraform's.
    pub among_terraforms: bool,
}

impl Spec {
    /// Its options, those of its subcommands included, with all their names, without dashes, and whether each takes a value.
    pub fn options(&self) -> Vec<(String, bool)> {
        let command = (self.arguments)(Command::new(self.name));
        let of = |arg: &clap::Arg| {
            let long = arg.get_long().into_iter();
            let names = long.chain(arg.get_all_aliases().into_iter().flatten()).map(str::to_owned);
            names.map(|name| (name, arg.get_action().takes_values())).collect::<Vec<_>>()
        };
        let below = command.get_subcommands().flat_map(Command::get_arguments);
        command.get_arguments().chain(below).flat_map(of).collect()
    }
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
    commands::list::ROOTS,
    commands::diff::DIFF,
    commands::verify::VERIFY,
    commands::restore::RESTORE,
    commands::history::HISTORY,
    commands::graph::GRAPH,
    commands::services::SERVICES,
    commands::stacks::STACKS,
    commands::schema::SCHEMA,
    commands::manual::COMPLETIONS,
    commands::manual::MAN,
    commands::version::VERSION,
];
