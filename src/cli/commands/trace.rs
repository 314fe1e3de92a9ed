//! `trace`.

use super::{formats, vars};
use crate::cli::Spec;
use crate::ops::{Start, trace};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// `tf-phi trace`
pub(in crate::cli) const TRACE: Spec = Spec {
    name: "trace",
    about: "Which values a field can take, and when",
    arguments,
    run,
    among_terraforms: false,
};

fn arguments(command: Command) -> Command {
    vars::of_a_run(command)
        .arg(
            Arg::new("address")
                .value_name("ADDRESS[.FIELD]")
                .help("One field, or all fields of a declaration; none traces the driven fields"),
        )
        .arg(
            Arg::new("all").long("all").action(ArgAction::SetTrue).conflicts_with("address").help(
                "Trace every argument of every resource, data source, module call, provider and output",
            ),
        )
        .arg(
            Arg::new("expr")
                .long("expr")
                .value_name("EXPR")
                .allow_hyphen_values(true)
                .conflicts_with_all(["address", "all"])
                .help("Trace an expression in the root module, as one line of JSON; - reads one a line"),
        )
        .args(formats::findings())
        .arg(Arg::new("no-color").long("no-color").action(ArgAction::SetTrue).help("No colours"))
}

fn run(start: &Start, matches: &ArgMatches) -> u8 {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let format = formats::read(matches);
    let what = match (text("expr"), text("address")) {
        (Some(expr), _) => trace::What::Expression(expr),
        (None, Some(address)) => trace::What::Address(address),
        (None, None) if matches.get_flag("all") => trace::What::All,
        (None, None) => trace::What::Driven,
    };
    let start = Start { console: start.console.plain_if(matches.get_flag("no-color")), ..start.clone() };
    vars::with(&start, matches, format, |start, vars| {
        start.finish(trace::run(start, &trace::Request { what, format, vars }), format)
    })
}
