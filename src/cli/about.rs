//! The commands about the program itself: `completions`, `man`, `schema` and `version`, made from the one table of commands.

use crate::ops::{Command, DONE, FAILED, Outcome, Start};
use crate::report::{Reader, schema};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use serde_json::json;

/// The arguments of `tf-phi completions`.
#[derive(Args, Clone, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(super) shell: Shell,
}

/// The arguments of `tf-phi man`.
#[derive(Args, Clone, Debug)]
pub struct Man {
    /// The command; none gives the overview
    #[arg(value_name = "COMMAND")]
    pub(super) command: Option<String>,
}

/// The arguments of `tf-phi schema`.
#[derive(Args, Clone, Debug)]
pub struct Schema {
    /// Whose schema; without a name, the list of names
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(schema::NAMES), hide_possible_values = true)]
    name: Option<String>,
}

impl Command for Schema {
    fn run(&self, start: &Start) -> Outcome {
        match &self.name {
            None => drop(start.console.report(&schema::list())),
            Some(name) => match schema::text(name) {
                Some(text) => drop(start.console.print(Reader::Json, &text)),
                None => return Ok(FAILED),
            },
        }
        Ok(DONE)
    }
}

/// The version, as Cargo knows it.
const NUMBER: &str = env!("CARGO_PKG_VERSION");
const COMMIT: Option<&str> = option_env!("TF_PHI_COMMIT");
const DATE: Option<&str> = option_env!("TF_PHI_DATE");

/// `0.1.0 (1a2b3c4 2026-11-24)`; the number alone where nothing else is known of the build.
pub(super) fn line() -> String {
    match (COMMIT, DATE) {
        (Some(commit), Some(date)) => format!("{NUMBER} ({commit} {date})"),
        _ => NUMBER.to_owned(),
    }
}

/// The arguments of `tf-phi version`.
#[derive(Args, Clone, Debug)]
pub struct Version {
    /// As JSON; what isn't known is null
    #[arg(long)]
    json: bool,
}

impl Command for Version {
    fn run(&self, start: &Start) -> Outcome {
        if self.json {
            let document =
                json!({ "format_version": "1.0", "version": NUMBER, "commit": COMMIT, "date": DATE });
            start.console.json(&document);
        } else {
            start.console.report(&format!("tf-phi {}\n", line()));
        }
        Ok(DONE)
    }
}
