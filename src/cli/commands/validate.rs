//! `validate`.

use super::{formats, roots, vars};
use crate::cli::Spec;
use crate::ops::{Start, validate};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// `tf-phi validate`
pub(in crate::cli) const VALIDATE: Spec = Spec {
    name: "validate",
    about: "Every input under which Terraform would stop, in all environments",
    arguments,
    run,
    among_terraforms: false,
};

fn arguments(command: Command) -> Command {
    vars::arguments(command)
        .arg(roots::directories())
        .args(roots::selection())
        .arg(roots::files())
        .arg(roots::analyses())
        .arg(
            Arg::new("env")
                .long("env")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Look at this environment alone; may be repeated"),
        )
        .args(formats::findings())
        .arg(
            Arg::new("verbose")
                .short('v')
                .long("verbose")
                .action(ArgAction::SetTrue)
                .help("List what could not be decided"),
        )
        .arg(Arg::new("no-color").long("no-color").action(ArgAction::SetTrue).help("No colours"))
}

fn run(start: &Start, matches: &ArgMatches) -> u8 {
    let format = formats::read(matches);
    let start = Start { console: start.console.plain_if(matches.get_flag("no-color")), ..start.clone() };
    let environments = matches.get_many::<String>("env").into_iter().flatten().cloned().collect();
    let (vars, verbose) = (vars::read(matches), matches.get_flag("verbose"));
    let request = validate::Request { roots: roots::read(matches), format, vars, environments, verbose };
    start.finish(validate::run(&start, &request), format)
}
