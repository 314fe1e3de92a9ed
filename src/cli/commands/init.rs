//! `init`.

use super::formats;
use super::plan::{ephemeral, terraforms};
use crate::cli::Spec;
use crate::ops::{Start, init};
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::ffi::OsString;

/// `tf-phi init`
pub(in crate::cli) const INIT: Spec = Spec {
    name: "init",
    about: "Specialise, and run terraform init: also where Terraform rejects the original",
    arguments,
    run,
    among_terraforms: true,
};

fn arguments(command: Command) -> Command {
    let dry_run = Arg::new("dry-run")
        .long("dry-run")
        .action(ArgAction::SetTrue)
        .help("Show the diff that would be written; write nothing and don't start Terraform");
    command.arg(dry_run).arg(ephemeral()).arg(formats::argument()).arg(terraforms())
}

fn run(start: &Start, matches: &ArgMatches) -> u8 {
    let format = formats::read(matches);
    let args: Vec<OsString> =
        matches.get_many::<OsString>("arguments").into_iter().flatten().cloned().collect();
    let request = init::request(args, matches.get_flag("dry-run"), matches.get_flag("ephemeral"), format);
    start.finish(init::run(start, &request), format)
}
