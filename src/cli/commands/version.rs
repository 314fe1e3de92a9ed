//! `version`.

use crate::cli::Spec;
use crate::ops::{DONE, Start};
use crate::report::Reader;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::json;

/// The version, as Cargo knows it.
pub(in crate::cli) const NUMBER: &str = env!("CARGO_PKG_VERSION");
const COMMIT: Option<&str> = option_env!("TF_PHI_COMMIT");
const DATE: Option<&str> = option_env!("TF_PHI_DATE");

/// `0.1.0 (1a2b3c4 2026-11-24)`; the number alone where nothing else is known of the build.
pub(in crate::cli) fn line() -> String {
    match (COMMIT, DATE) {
        (Some(commit), Some(date)) => format!("{NUMBER} ({commit} {date})"),
        _ => NUMBER.to_owned(),
    }
}

/// `tf-phi version`
pub(in crate::cli) const VERSION: Spec = Spec {
    name: "version",
    about: "Print the version, with the commit that it was built from and its date",
    arguments: |command: Command| {
        command.arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("As JSON; what isn't known is null"),
        )
    },
    run: |start: &Start, matches: &ArgMatches| {
        if matches.get_flag("json") {
            let document =
                json!({ "format_version": "1.0", "version": NUMBER, "commit": COMMIT, "date": DATE });
            start.console.print(Reader::Json, &format!("{document:#}\n"));
        } else {
            start.console.report(&format!("tf-phi {}\n", line()));
        }
        DONE
    },
    among_terraforms: false,
};
