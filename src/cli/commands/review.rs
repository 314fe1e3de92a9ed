//! `review`.

use super::matrix::environments;
use super::{formats, roots};
use crate::cli::Spec;
use crate::ops::Start;
use crate::ops::review::{FailOn, Request, run};
use crate::report::issue::Format;
use crate::report::roots::Shape;
use clap::{Arg, ArgAction, ArgMatches, Command};

const FORMS: [(&str, Shape); 4] =
    [("text", Shape::Text), ("json", Shape::Json), ("markdown", Shape::Markdown), ("html", Shape::Html)];

const FAIL_ON: [(&str, FailOn); 4] = [
    ("destroy", FailOn::Destroy),
    ("replace", FailOn::Replace),
    ("change", FailOn::Change),
    ("finding", FailOn::Finding),
];

/// `tf-phi review`
pub(in crate::cli) const REVIEW: Spec = Spec {
    name: "review",
    about: "What a change means: values, instances and plans that differ from a revision",
    arguments: |command: Command| {
        command
            .arg(
                Arg::new("base")
                    .long("base")
                    .value_name("REV")
                    .required(true)
                    .help("The revision to compare the work tree with"),
            )
            .arg(
                Arg::new("plan")
                    .long("plan")
                    .action(ArgAction::SetTrue)
                    .help("Plan both aside, too, and compare the plans resource by resource"),
            )
            .arg(roots::directories())
            .args(roots::selection())
            .arg(roots::jobs(
                "How many roots are looked at at a time, or with --plan how many plans are made; else as many as there \
                 are processors and memory for",
            ))
            .arg(
                Arg::new("fail-on")
                    .long("fail-on")
                    .value_name("WHAT")
                    .value_delimiter(',')
                    .value_parser(FAIL_ON.map(|(name, _)| name))
                    .help(
                        "Exit with status 3 where there is any of these: destroy, replace, change, finding",
                    ),
            )
            .arg(environments())
            .args(formats::arguments(FORMS.map(|(name, _)| name), "How it is printed"))
            .arg(Arg::new("no-color").long("no-color").action(ArgAction::SetTrue).help("No colours"))
            .after_help("Only git is started, and with --plan Terraform. The work tree is not touched.")
    },
    run: |start: &Start, matches: &ArgMatches| {
        let texts = |name: &str| -> Vec<String> {
            matches.get_many::<String>(name).into_iter().flatten().cloned().collect()
        };
        let form = formats::named(matches);
        let form = FORMS.iter().find(|(name, _)| *name == form).map_or(Shape::Text, |(_, form)| *form);
        let start = Start { console: start.console.plain_if(matches.get_flag("no-color")), ..start.clone() };
        let asked = texts("fail-on");
        let request = Request {
            roots: roots::read(matches),
            base: matches.get_one::<String>("base").cloned().unwrap_or_default(),
            plan: matches.get_flag("plan"),
            fail_on: FAIL_ON
                .iter()
                .filter(|(name, _)| asked.iter().any(|a| a == name))
                .map(|(_, f)| *f)
                .collect(),
            environments: texts("env"),
            shape: form,
        };
        let format = if form == Shape::Json { Format::Json } else { Format::Text };
        start.finish(run(&start, &request), format)
    },
    among_terraforms: false,
};
