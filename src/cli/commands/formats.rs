//! `--format` of commands that report.

use crate::report::issue::Format;
use clap::{Arg, ArgMatches};

/// The option; text where it isn't given.
pub(super) fn argument() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(Format::NAMES.map(|(name, _)| name))
        .help("How findings are printed")
}

/// What was asked for; text where the command has no such option.
pub(in crate::cli) fn read(matches: &ArgMatches) -> Format {
    let asked = matches.try_get_one::<String>("format").ok().flatten().map_or("text", String::as_str);
    Format::NAMES.iter().find(|(name, _)| *name == asked).map_or(Format::Text, |(_, format)| *format)
}
