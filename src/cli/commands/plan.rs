//! `plan` and `apply`.

use super::{detail, formats, roots};
use crate::cli::Spec;
use crate::ops::{Start, plan, plans, stacks};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::ffi::OsString;

/// `tf-phi plan`
pub(in crate::cli) const PLAN: Spec = Spec {
    name: "plan",
    about: "Trace, specialise, and run terraform plan",
    arguments: |command| {
        let directories =
            "Directories of root modules. Everything else is Terraform's own and reaches it unchanged";
        arguments(command)
            .args(roots::selection())
            .arg(roots::jobs(
                "How many root modules are planned at a time, without input; else one after the other",
            ))
            .mut_arg("arguments", |arg| arg.value_name("DIR|TERRAFORM'S ARGUMENTS").help(directories))
    },
    run: |start, matches| {
        let (start, request) = request(start, matches, "plan");
        start.finish(plans::run(&start, &roots::read(matches), &request), request.format)
    },
    among_terraforms: true,
};

/// `tf-phi apply`
pub(in crate::cli) const APPLY: Spec = Spec {
    name: "apply",
    about: "The same before terraform apply",
    arguments,
    run: |start, matches| {
        let (start, request) = request(start, matches, "apply");
        start.finish(stacks::run(&start, &request), request.format)
    },
    among_terraforms: true,
};

fn arguments(command: Command) -> Command {
    command
        .arg(
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Show the diff that would be written; write nothing and don't start Terraform"),
        )
        .arg(ephemeral())
        .arg(environment())
        .arg(formats::argument())
        .args(detail::arguments())
        .arg(terraforms())
}

/// `--env`, once.
pub(super) fn environment() -> Arg {
    Arg::new("env")
        .long("env")
        .value_name("NAME")
        .help("Give the variables and the workspace of this environment; in a Stack, the deployment")
}

/// `--ephemeral`
pub(super) fn ephemeral() -> Arg {
    Arg::new("ephemeral")
        .long("ephemeral")
        .action(ArgAction::SetTrue)
        .help("Put the sources back once Terraform has ended, however it ended")
}

/// Everything that is Terraform's own.
pub(super) fn terraforms() -> Arg {
    Arg::new("arguments")
        .value_name("TERRAFORM'S ARGUMENTS")
        .num_args(0..)
        .allow_hyphen_values(true)
        .trailing_var_arg(true)
        .value_parser(value_parser!(OsString))
        .help("Everything else is Terraform's own and reaches it unchanged")
}

fn request(start: &Start, matches: &ArgMatches, command: &'static str) -> (Start, plan::Request) {
    let format = formats::read(matches);
    let start = detail::start(start, matches);
    let args = matches.get_many::<OsString>("arguments").into_iter().flatten().cloned().collect();
    let (dry_run, ephemeral) = (matches.get_flag("dry-run"), matches.get_flag("ephemeral"));
    let environment = matches.get_one::<String>("env").cloned();
    (start, plan::Request { command, args, dry_run, ephemeral, environment, format })
}
