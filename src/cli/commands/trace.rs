//! `trace`.

use crate::cli::Spec;
use crate::config::variables::VarArg;
use crate::ops::{Start, trace};
use crate::report::issue::Format;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::PathBuf;

/// `tf-phi trace`
pub(in crate::cli) const TRACE: Spec = Spec {
    name: "trace",
    about: "Which values a field can take, and when",
    arguments,
    run,
    among_terraforms: None,
};

fn arguments(command: Command) -> Command {
    let repeated = |name: &'static str, value: &'static str| {
        Arg::new(name).long(name).value_name(value).action(ArgAction::Append).allow_hyphen_values(true)
    };
    command
        .arg(
            Arg::new("address")
                .value_name("ADDRESS[.FIELD]")
                .help("One field, or all fields of a declaration; none traces the driven fields"),
        )
        .arg(
            Arg::new("all")
                .long("all")
                .action(ArgAction::SetTrue)
                .conflicts_with("address")
                .help("Trace every argument of every resource, data source, module call and output"),
        )
        .arg(
            Arg::new("expr")
                .long("expr")
                .value_name("EXPR")
                .allow_hyphen_values(true)
                .conflicts_with_all(["address", "all"])
                .help("Trace an expression in the root module, as one line of JSON; - reads one a line"),
        )
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["text", "json"])
                .conflicts_with("json")
                .help("text or json"),
        )
        .arg(repeated("var", "NAME=VALUE").help("Take a root variable for this value"))
        .arg(
            repeated("var-file", "FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Take root variables for the values in a file"),
        )
        .arg(Arg::new("no-color").long("no-color").action(ArgAction::SetTrue).help("No colours"))
}

fn run(start: &Start, matches: &ArgMatches) -> u8 {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let json = matches.get_flag("json") || text("format").as_deref() == Some("json");
    let what = match (text("expr"), text("address")) {
        (Some(expr), _) => trace::What::Expression(expr),
        (None, Some(address)) => trace::What::Address(address),
        (None, None) if matches.get_flag("all") => trace::What::All,
        (None, None) => trace::What::Driven,
    };
    let start = Start { console: start.console.plain_if(matches.get_flag("no-color")), ..start.clone() };
    let request = trace::Request { what, json, vars: vars(matches) };
    start.finish(trace::run(&start, &request), if json { Format::Json } else { Format::Text })
}

/// `-var` and `-var-file` in the order they were given, which is their precedence.
fn vars(matches: &ArgMatches) -> Vec<VarArg> {
    let mut all: Vec<(usize, VarArg)> = Vec::new();
    let indices = |name: &str| matches.indices_of(name).into_iter().flatten();
    let values = matches.get_many::<String>("var").into_iter().flatten();
    all.extend(indices("var").zip(values.map(|v| VarArg::Var(v.clone()))));
    let files = matches.get_many::<PathBuf>("var-file").into_iter().flatten();
    all.extend(indices("var-file").zip(files.map(|f| VarArg::File(f.clone()))));
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, arg)| arg).collect()
}
