//! `matrix`.

use super::{formats, roots};
use crate::cli::Spec;
use crate::ops::Start;
use crate::ops::matrix::{Request, run};
use crate::ops::roots::Asked;
use crate::report::issue::Format;
use crate::report::roots::Shape;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::PathBuf;

const FORMS: [(&str, Shape); 5] = [
    ("text", Shape::Text),
    ("json", Shape::Json),
    ("csv", Shape::Csv),
    ("markdown", Shape::Markdown),
    ("html", Shape::Html),
];

/// `tf-phi matrix`
pub(in crate::cli) const MATRIX: Spec = Spec {
    name: "matrix",
    about: "What fields are in every environment",
    arguments: |command: Command| {
        command
            .arg(Arg::new("words").value_name("DIR|ADDRESS[.FIELD]").num_args(0..).help(
                "Directories of root modules; fields, or all fields of a declaration: none shows the driven fields and \
                 what differs",
            ))
            .args(roots::selection())
            .arg(roots::analyses())
            .arg(
                Arg::new("all")
                    .long("all")
                    .action(ArgAction::SetTrue)
                    .help("Show every argument, whether it differs or not"),
            )
            .arg(environments())
            .args(formats::arguments(FORMS.map(|(name, _)| name), "How it is printed"))
            .arg(Arg::new("no-color").long("no-color").action(ArgAction::SetTrue).help("No colours"))
            .after_help("Terraform isn't started and no credentials are asked for.")
    },
    run: |start: &Start, matches: &ArgMatches| {
        let texts = |name: &str| -> Vec<String> {
            matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
        };
        let form = formats::named(matches);
        let form = FORMS.iter().find(|(name, _)| *name == form).map_or(Shape::Text, |(_, form)| *form);
        let start = Start { console: start.console.plain_if(matches.get_flag("no-color")), ..start.clone() };
        let (dirs, addresses): (Vec<String>, Vec<String>) =
            texts("words").into_iter().partition(|w| is_directory(w));
        let dirs = dirs.into_iter().map(PathBuf::from).collect();
        let request = Request {
            roots: Asked { dirs, ..roots::read(matches) },
            addresses,
            all: matches.get_flag("all"),
            environments: texts("env"),
            shape: form,
        };
        let format = if form == Shape::Json { Format::Json } else { Format::Text };
        start.finish(run(&start, &request), format)
    },
    among_terraforms: false,
};

/// Returns true if a word names a directory: an address has a dot, and a slash at most in a key.
fn is_directory(word: &str) -> bool {
    let name = word.split('[').next().unwrap_or(word);
    name.contains('/') || !name.trim_matches('.').contains('.')
}

/// `--env`, as often as one likes.
pub(super) fn environments() -> Arg {
    Arg::new("env")
        .long("env")
        .value_name("NAME")
        .action(ArgAction::Append)
        .help("Only this environment; may be repeated")
}
