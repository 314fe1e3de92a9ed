//! `--format` and `--json` of commands that report.

use crate::report::issue::Format;
use clap::{Arg, ArgAction, ArgMatches};

/// Returns `--format`, for a command that leaves `-json` to Terraform.
pub(super) fn argument() -> Arg {
    form(NAMES, "How findings are printed")
}

/// Returns `--format` for findings, and `--json`.
pub(super) fn findings() -> [Arg; 2] {
    arguments(NAMES, "How findings are printed")
}

/// Returns `--format`, for a command that prints in these forms, and `--json`, which stands for `--format json`.
pub(super) fn arguments<const N: usize>(forms: [&'static str; N], help: &'static str) -> [Arg; 2] {
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON");
    [form(forms, help).conflicts_with("json"), json]
}

const NAMES: [&str; Format::NAMES.len()] = {
    let [(a, _), (b, _), (c, _), (d, _), (e, _)] = Format::NAMES;
    [a, b, c, d, e]
};

fn form<const N: usize>(forms: [&'static str; N], help: &'static str) -> Arg {
    Arg::new("format").long("format").value_name("FORMAT").value_parser(forms).help(help)
}

/// Returns the name of the form; `text` where none is given.
pub(super) fn named(matches: &ArgMatches) -> &str {
    if matches.try_get_one::<bool>("json").is_ok_and(|json| json == Some(&true)) {
        return "json";
    }
    matches.try_get_one::<String>("format").ok().flatten().map_or("text", String::as_str)
}

/// Returns the form of findings; text where the command has no such option.
pub(in crate::cli) fn read(matches: &ArgMatches) -> Format {
    let asked = named(matches);
    Format::NAMES.iter().find(|(name, _)| *name == asked).map_or(Format::Text, |(_, format)| *format)
}
