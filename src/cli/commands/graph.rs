//! `graph`.

use super::vars;
use crate::cli::Spec;
use crate::ops::{Start, graph};
use crate::report::graph::Form;
use crate::report::issue::Format;
use clap::{Arg, ArgMatches, Command};

const FORMS: [(&str, Form); 4] =
    [("dot", Form::Dot), ("mermaid", Form::Mermaid), ("svg", Form::Svg), ("html", Form::Html)];

/// `tf-phi graph`
pub(in crate::cli) const GRAPH: Spec = Spec {
    name: "graph",
    about: "The picture of a trace; with a run's values, the way that it takes",
    arguments: |command: Command| {
        vars::of_a_run(command)
            .arg(
                Arg::new("address")
                    .value_name("ADDRESS[.FIELD]")
                    .help("One field, or all fields of a declaration; none draws the driven fields"),
            )
            .arg(
                Arg::new("format")
                    .long("format")
                    .value_name("FORMAT")
                    .value_parser(FORMS.map(|(name, _)| name))
                    .default_value("dot")
                    .help("dot, mermaid, svg or html"),
            )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let form = matches.get_one::<String>("format").map_or("dot", String::as_str);
        let form = FORMS.iter().find(|(name, _)| *name == form).map_or(Form::Dot, |(_, form)| *form);
        let address = matches.get_one::<String>("address").cloned();
        vars::with(start, matches, Format::Text, |start, vars| {
            start.finish(graph::run(start, address.as_deref(), &vars, form), Format::Text)
        })
    },
    among_terraforms: false,
};
