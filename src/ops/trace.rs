//! `tf-phi trace`: what a field can be, and when.

use super::fields::{self, Field};
use super::given;
use super::narrowing::{Tracers, narrowed};
use super::session::Session;
use super::{DONE, FAILED, Outcome, Start, Stop, expr};
use crate::config::variables::VarArg;
use crate::issue::Issue;
use crate::report::issue::Format;
use crate::report::outcome::Subject;
use crate::report::progress::Progress;
use crate::report::{Found, Group, TraceReport, issue, trace_json, trace_text};
use crate::trace::{Tracer, Universes, trace_driven};

/// What is traced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The driven fields, together, as `plan` traces them.
    Driven,
    /// Every argument there is.
    All,
    /// One field, or all fields of a declaration.
    Address(String),
    /// An expression in the root module; `-` reads one a line from standard input.
    Expression(String),
}

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is traced.
    pub what: What,
    /// How it is printed.
    pub format: Format,
    /// `-var` and `-var-file`, in order.
    pub vars: Vec<VarArg>,
}

/// Runs the command.
///
/// # Errors
/// Blocking issues of the configuration, an address that names nothing.
pub fn run(start: &Start, request: &Request) -> Outcome {
    if let What::Expression(text) = &request.what {
        return expr::run(start, Session::open(&start.dir)?, text, &request.vars);
    }
    let (session, reports) = reports(start, request)?;
    print(start, request, &session, &reports);
    Ok(verdict(start, request, &session, &reports))
}

/// The traces that are asked for, and the session they belong to.
///
/// # Errors
/// As [`run`].
pub(super) fn reports(start: &Start, request: &Request) -> Result<(Session, Vec<TraceReport>), Box<Stop>> {
    let mut session = Session::open(&start.dir)?;
    let mut universes = session.universes();
    if !request.vars.is_empty() {
        let mut values = session.values(&request.vars);
        // Files that Terraform reads by itself differ from one environment to the next: only what is asked for counts.
        values.retain(|_, v| named_here(v, &request.vars));
        universes = narrowed(universes, &given::evaluated(&mut session, &values));
    }
    let driven = match &request.what {
        What::Driven => session.driven(),
        What::All | What::Address(_) | What::Expression(_) => Vec::new(),
    };
    let fields = match &request.what {
        What::All => fields::all(&session.config),
        What::Address(text) if !session.is_blocked() => match fields::named(&mut session, text) {
            Ok(fields) => fields,
            Err(issue) => {
                session.issues.push(issue);
                Vec::new()
            }
        },
        What::Address(_) | What::Expression(_) | What::Driven => {
            driven.iter().map(|d| Field { addr: d.field.clone(), site: d.site.clone() }).collect()
        }
    };
    let session = session.go_on(start)?;
    let progress = Progress::start(start.console, "tracing");
    let reports = match &request.what {
        What::Driven => {
            let (mut tracer, traces, _) =
                trace_driven(&session.config, session.limits(), &universes, session.outside(), &driven);
            let pairs = fields.iter().zip(&traces);
            pairs.map(|(field, trace)| read(&mut tracer, trace, field, &session)).collect()
        }
        _ => apart(&session, &universes, &fields),
    };
    drop(progress);
    Ok((session, reports))
}

/// Whether a value comes from the command line's own options.
fn named_here(value: &crate::config::variables::VarValue, vars: &[VarArg]) -> bool {
    use crate::config::variables::VarOrigin;
    match &value.origin {
        VarOrigin::CommandLine => true,
        VarOrigin::Env(_) => false,
        VarOrigin::File(path) => {
            vars.iter().any(|v| matches!(v, VarArg::File(f) if f.ends_with(path) || path == f))
        }
    }
}

/// Each field by itself.
fn apart(session: &Session, universes: &Universes, fields: &[Field]) -> Vec<TraceReport> {
    let mut tracers = Tracers::new(session, universes);
    let one = |field: &Field| {
        tracers.trace(&field.addr, &field.site, |tracer, trace| read(tracer, trace, field, session))
    };
    fields.iter().map(one).collect()
}

fn read(
    tracer: &mut Tracer<'_>,
    trace: &crate::trace::Trace,
    field: &Field,
    session: &Session,
) -> TraceReport {
    let name = field.addr.to_string();
    let subject = Subject {
        name: &name,
        scope: field.addr.module.clone(),
        text: field.text(&session.config.sources),
        skip_first: false,
        secrets: &[],
    };
    TraceReport::new(tracer, trace, &subject)
}

fn print(start: &Start, request: &Request, session: &Session, reports: &[TraceReport]) {
    let sources = &session.config.sources;
    let console = start.console;
    let all = request.what == What::All;
    match request.format {
        Format::Text => {}
        Format::Json => {
            console.report(&format!("{:#}\n", trace_json::document(reports, sources, all)));
            return;
        }
        Format::Markdown => {
            console.report(&trace_text::markdown(reports, sources));
            return;
        }
        format => {
            let issues: Vec<Issue> = reports.iter().filter_map(TraceReport::issue).collect();
            let group = Group { dir: &start.dir, issues: &issues, sources };
            console.report(&issue::rendered(format, &[group], console.out));
            return;
        }
    }
    if reports.is_empty() {
        console.note("no driven field: `phi.hcl` pins none, and no meta-argument is an expression.");
    }
    for (at, report) in reports.iter().enumerate() {
        let text = match all {
            true => trace_text::line(report, console.out),
            false if at > 0 => format!("\n{}", trace_text::full(report, sources, console.out)),
            false => trace_text::full(report, sources, console.out),
        };
        if !console.report(&text) {
            return;
        }
    }
    if all {
        console.report(&trace_text::summary(reports, console.out));
    }
}

/// A field that Terraform itself would reject is an error, with its place.
fn verdict(start: &Start, request: &Request, session: &Session, reports: &[TraceReport]) -> u8 {
    let errors = reports.iter().filter(|r| matches!(r.found, Found::Error(_)));
    let issues: Vec<Issue> = errors.filter_map(TraceReport::issue).collect();
    if issues.is_empty() || request.what == What::All {
        return DONE;
    }
    issue::print(start.console, issue::Format::Text, &issues, &session.config.sources);
    FAILED
}
