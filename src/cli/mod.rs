//! The command line: one table of commands, from which parser, help and everything else is made.
//!
//! Input: the words that the process was started with. Output: its exit status. Terraform's own habits are kept:
//! `-chdir=DIR` before the command, one dash or two. Deliberately absent: what a command does.

mod about;
mod pages;
mod table;
mod words;

use crate::host::Machine;
use crate::ops::{FAILED, Start, arguments};
use crate::report::Console;
use crate::report::summary::Detail;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;
use std::path::PathBuf;

pub use table::{COMMANDS, Spec};

/// Runs a command line, the program's own name included, and gives the exit status.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let console = Console::new(&Machine, false);
    let words = match words::normalised(words.into_iter().skip(1).collect()) {
        Ok(words) => words,
        Err(message) => {
            console.note(&message);
            return FAILED;
        }
    };
    let with_name = std::iter::once("tf-phi".into()).chain(words.iter().cloned());
    let status = match program().try_get_matches_from(with_name) {
        Ok(matches) => dispatch(&matches, console, &words),
        Err(e) => explain(&e, console),
    };
    let Some(why) = console.unwritten() else { return status };
    console.note(&format!("standard output can't be written: {why}. The report is not complete."));
    FAILED
}

/// The whole command line as clap knows it.
pub fn program() -> Command {
    Command::new("tf-phi")
        .version(about::line())
        .about("Writes one copy per value of the fields that Terraform wants as literals, then runs the real Terraform.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .max_term_width(100)
        .arg(
            Arg::new("chdir")
                .long("chdir")
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .help("Work in DIR; stands before the command, as -chdir=DIR"),
        )
        .arg(
            Arg::new("terraform")
                .long("terraform")
                .value_name("PATH")
                .global(true)
                .help("The Terraform or OpenTofu binary"),
        )
        .arg(
            Arg::new("form-factor")
                .long("form-factor")
                .value_name("NAME")
                .global(true)
                .help("The form factor of phi.hcl to use; an empty name turns form factors off"),
        )
        .arg(
            Arg::new("no-copies").long("no-copies").action(ArgAction::SetTrue).global(true).help(
                "Write this run's values in place of expressions that Terraform rejects, and no copies",
            ),
        )
        .arg(
            Arg::new("strict")
                .long("strict")
                .action(ArgAction::SetTrue)
                .global(true)
                .help("Treat warnings as errors"),
        )
        .subcommands(COMMANDS.iter().map(|spec| {
            let command = (spec.arguments)(Command::new(spec.name).disable_version_flag(true));
            command.about(spec.about).long_about(None)
        }))
}

fn dispatch(matches: &ArgMatches, console: Console, words: &[OsString]) -> u8 {
    let Some((name, own)) = matches.subcommand() else { return FAILED };
    let Some(spec) = COMMANDS.iter().find(|s| s.name == name) else { return FAILED };
    let has = |name: &str| table::has(own, name);
    let detail = match (has("quiet"), has("verbose")) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    };
    // Who wants to hear only of what is wrong sees no progress either.
    let watched = console.watched && detail != Detail::Quiet;
    let chdir = matches.get_one::<PathBuf>("chdir").cloned();
    let start = Start {
        dir: chdir.clone().unwrap_or_else(|| PathBuf::from(".")),
        seen: PathBuf::new(),
        chdir,
        terraform: own.get_one::<String>("terraform").cloned(),
        asks: spec.among_terraforms && !has("dry_run"),
        workspace: None,
        beside: None,
        form_factor: own.get_one::<String>("form-factor").cloned(),
        tracked_only: false,
        no_copies: own.get_flag("no-copies"),
        roots_of_run: 1,
        strict: own.get_flag("strict"),
        console: Console { watched, ..console }.plain_if(has("no_color")),
        detail,
    };
    match judged(&start, spec, own, words) {
        Some(status) => status,
        None => (spec.run)(&start, own),
    }
}

/// Judges Terraform's arguments before the command does anything. Returns an exit status if Terraform would refuse them.
fn judged(start: &Start, spec: &Spec, matches: &ArgMatches, words: &[OsString]) -> Option<u8> {
    if !spec.among_terraforms || spec.is_for_terraform {
        return None;
    }
    let own = spec.options();
    let own: Vec<(&str, bool)> =
        own.iter().map(|(o, v)| (&**o, *v)).chain(words::ANYWHERE.iter().copied()).collect();
    let others = COMMANDS.iter().filter(|s| s.among_terraforms && s.name != spec.name);
    let options = |s: &'static Spec| s.options().into_iter().map(|(option, _)| (option, s.name));
    let elsewhere: Vec<(String, &str)> = others.flat_map(options).collect();
    let elsewhere: Vec<(&str, &str)> = elsewhere.iter().map(|(option, of)| (&**option, *of)).collect();
    let (front, theirs) = words.split_at(words.iter().position(|w| w == "--").unwrap_or(words.len()));
    let passed = arguments::Passed {
        command: spec.name,
        own: &own,
        elsewhere: &elsewhere,
        front,
        words: theirs.get(1..).unwrap_or_default(),
        many: table::has(matches, "recursive")
            || ["shard", "changed_since"]
                .iter()
                .any(|name| matches!(matches.try_contains_id(name), Ok(true))),
    };
    let refused = arguments::judge(start, passed).err()?;
    let plain = theirs.iter().any(|w| w == "-no-color");
    let start = Start { console: start.console.plain_if(plain), ..start.clone() };
    Some(start.finish(Err(refused), table::format(matches)))
}

/// Help and version go to stdout and are no failure.
fn explain(error: &clap::Error, console: Console) -> u8 {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            console.report(&styled(&text, console.out));
            crate::ops::DONE
        }
        ErrorKind::InvalidSubcommand => {
            let named = match error.get(ContextKind::InvalidSubcommand) {
                Some(ContextValue::String(name)) => words::instead(name),
                _ => None,
            };
            match named {
                Some(instead) => console.note(&instead),
                None => console.say(&styled(&text, console.err)),
            }
            FAILED
        }
        _ => {
            console.say(&styled(&text, console.err));
            FAILED
        }
    }
}

fn styled(text: &clap::builder::StyledStr, style: crate::report::Style) -> String {
    match style {
        crate::report::Style::Coloured => text.ansi().to_string(),
        crate::report::Style::Plain => text.to_string(),
    }
}

#[cfg(test)]
mod tests;
