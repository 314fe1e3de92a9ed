//! `tf-phi trace`: what a field can be, and when.

use super::options::{Colours, Findings, RunValues};
use super::stream::Stream;
use super::{Command, DONE, FAILED, Outcome, Start, Stop, expr};
use crate::config::phi::FieldDecl;
use crate::config::variables::VarArg;
use crate::gate::{GateCache, Prover};
use crate::host::threads;
use crate::issue::{Code, Issue};
use crate::ops::read::environment::under;
use crate::ops::read::given::Given;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::pipeline::Veil;
use crate::pipeline::fields::{self, Field};
use crate::pipeline::narrowing::{Tracers, each, in_parts, narrowed};
use crate::pipeline::run_values;
use crate::report::issue::Format;
use crate::report::outcome::Subject;
use crate::report::progress::Progress;
use crate::report::trace_text::Tally;
use crate::report::{Found, Group, Reader, TraceReport, issue, trace_json, trace_text};
use crate::trace::{Driven, Universes, drivers, trace_driven};
use clap::Args;
use std::fmt::Write;

/// The number of variable files named.
const MOST_FILES: usize = 8;

/// The fields or the expression to trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The driven fields, together, as `plan` traces them.
    Driven,
    /// Every argument there is.
    All,
    /// One field, or all fields of a declaration.
    Address(String),
}

/// The arguments of `tf-phi trace`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    #[command(flatten)]
    values: RunValues,
    /// One field, or all fields of a declaration; none traces the driven fields
    #[arg(value_name = "ADDRESS[.FIELD]")]
    address: Option<String>,
    /// Trace every argument of every resource, data source, module call, provider and output
    #[arg(long, conflicts_with = "address")]
    all: bool,
    /// Trace an expression in the root module, as one line of JSON; - reads one a line
    #[arg(long, allow_hyphen_values = true, conflicts_with_all = ["address", "all"])]
    expr: Option<String>,
    #[command(flatten)]
    findings: Findings,
    #[command(flatten)]
    colours: Colours,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let (start, vars) = &under(start, &self.values)?;
        if let Some(text) = &self.expr {
            return expr::run(start, Session::open_partly(start)?, text, vars);
        }
        let (format, what) = (self.findings.format(), What::named(self.address.as_deref()));
        if self.all && matches!(format, Format::Text | Format::Json) {
            return threads::inside(|| everything(start, format == Format::Json, vars));
        }
        let what = if self.all { What::All } else { what };
        let (session, reports) = reports(start, &what, vars)?;
        print(start, format, &session, &reports);
        let verdict = if self.all { DONE } else { verdict(start, &session, &reports) };
        // The process ends: taking a large configuration apart would only take time.
        std::mem::forget((session, reports));
        Ok(verdict)
    }
}

impl What {
    /// Returns the fields under an address, or without one the driven fields.
    pub(super) fn named(address: Option<&str>) -> What {
        address.map_or(What::Driven, |address| What::Address(address.to_owned()))
    }
}

/// Every argument, each written out where it is traced, as soon as those before it are: of a large tree there are too
/// many to keep.
fn everything(start: &Start, json: bool, vars: &[VarArg]) -> Outcome {
    let (session, universes, asked) = asked(start, &What::All, vars)?;
    let sources = &session.config.sources;
    let progress = Progress::counted(start.console, "tracing", asked.fields.len());
    let stream = Stream::new(start.console, json);
    let tallies = in_parts(&session, &universes, &asked.fields, |number, tracers, part| {
        let (mut tally, mut out) = (Tally::default(), stream.part(number));
        for field in part {
            let report = alone(tracers, field, &session);
            progress.step();
            tally.add(&report);
            out.put(|out| match json {
                true => trace_json::push(out, &report, sources),
                false => out.push_str(&trace_text::line(&report, start.console.out)),
            });
        }
        out.done();
        tally
    });
    drop(progress);
    stream.end(&Tally::sum(tallies));
    // The process ends: taking a large configuration apart would only take time.
    std::mem::forget((session, universes, asked));
    Ok(DONE)
}

/// The traces that are asked for, and the session they belong to.
///
/// # Errors
/// Blocking issues of the configuration, an address that names nothing.
pub(super) fn reports(
    start: &Start,
    what: &What,
    vars: &[VarArg],
) -> Result<(Session, Vec<TraceReport>), Box<Stop>> {
    let (session, universes, asked) = asked(start, what, vars)?;
    let progress = Progress::start(start.console, "tracing");
    let mut reports = found(&session, &universes, what, &asked);
    if let Some(given) = &asked.given {
        given.note(&session, &asked.fields, &mut reports);
    }
    drop(progress);
    Ok((session, reports))
}

fn found(session: &Session, universes: &Universes, what: &What, asked: &Asked) -> Vec<TraceReport> {
    let Asked { driven, fields, .. } = asked;
    match what {
        What::Driven => {
            let (mut tracer, traces, _) =
                trace_driven(&session.config, session.limits(), universes, session.outside(), driven);
            let pairs = fields.iter().zip(&traces);
            let mut gates = GateCache::default();
            let mut prover = Prover::new(&mut tracer, &mut gates);
            let reports = pairs.map(|(field, trace)| read(&mut prover, trace, field, session)).collect();
            std::mem::forget((tracer, gates, traces));
            reports
        }
        _ => each(session, universes, fields, |tracers, field| alone(tracers, field, session)),
    }
}

/// The fields that are to be traced.
struct Asked {
    /// Those that are traced together.
    driven: Vec<Driven>,
    /// All of them.
    fields: Vec<Field>,
    /// The values that the command line gives.
    given: Option<Given>,
}

fn asked(start: &Start, what: &What, vars: &[VarArg]) -> Result<(Session, Universes, Asked), Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    let mut universes = session.universes();
    let mut given = None;
    if !vars.is_empty() {
        let mut values = session.values(vars);
        // Files that Terraform reads by itself differ from one environment to the next: only what is asked for counts.
        values.retain(|_, v| v.is_of(vars));
        let accepted = run_values::evaluated(&mut session, &values);
        let unlisted = crate::ops::read::unlisted::issues(&session, &universes, &accepted);
        session.extend(unlisted);
        given = Some(Given { listed: universes.clone(), values, accepted: accepted.clone() });
        universes = narrowed(universes, &accepted);
    }
    let (mut driven, mut fields) = (Vec::new(), Vec::new());
    match what {
        What::Driven => {
            driven = session.driven(start);
            let field =
                |d: &Driven| Field { addr: d.field.clone(), site: d.site.clone(), said: d.said.clone() };
            fields.extend(driven.iter().map(field));
        }
        What::All => fields = fields::all(&session.config),
        What::Address(_) if session.is_blocked() => {}
        What::Address(text) => match fields::named(&mut session, text) {
            Ok(found) => fields = found,
            Err(issue) => session.issues.push(issue),
        },
    }
    let session = session.go_on(start)?;
    said_of(&session, &mut fields);
    Ok((session, universes, Asked { driven, fields, given }))
}

/// Notes what pins say of fields besides.
fn said_of(session: &Session, fields: &mut [Field]) {
    let says = |f: &FieldDecl| f.universe.is_some() || f.bins.is_some();
    if !session.phi.specialize.iter().flat_map(|p| &p.fields).any(says) {
        return;
    }
    // What is wrong with pins is said where they are asked for.
    let (driven, _) = drivers(&session.config, &session.phi, Vec::new());
    for d in driven.into_iter().filter(|d| d.said.is_some()) {
        fields.iter_mut().filter(|f| f.addr == d.field).for_each(|f| f.said = d.said.clone());
    }
}

/// A field by itself.
pub(super) fn alone(tracers: &mut Tracers<'_, RootedHost>, field: &Field, session: &Session) -> TraceReport {
    if tracers.is_spent() {
        let why =
            "the fields before it cost all the work that there is for a run; name it to have it traced."
                .to_owned();
        let found = Found::Unbounded {
            code: Code::TooLarge,
            why,
            place: Some(field.site.place()),
            fixes: Vec::new(),
        };
        return TraceReport { field: field.addr.to_string(), found, rounded_from: None };
    }
    tracers.trace(&field.addr, &field.site, field.said.as_ref(), |prover, trace| {
        read(prover, trace, field, session)
    })
}

fn read(
    prover: &mut Prover<'_, '_>,
    trace: &crate::trace::Trace,
    field: &Field,
    session: &Session,
) -> TraceReport {
    let mut name = String::with_capacity(64);
    // Writing to memory can't fail.
    let _ = write!(name, "{}", field.addr);
    let subject = Subject {
        name: &name,
        scope: field.addr.module.clone(),
        text: field.text(&session.config.sources),
        skip_first: false,
        secrets: &[],
    };
    let known = session.secrets();
    let hidden = session.hides(&field.addr);
    let touched = session.touched();
    let veil = Veil { secrets: known, touched, is_touched: touched.has(&field.addr), hidden };
    if !hidden {
        let mut report = TraceReport::new(prover, trace, &subject);
        match known.hides_keys(&field.addr) {
            true => report.conceal_keys(),
            false => report.conceal_secrets(&veil, trace),
        }
        report.conceal_words(&session.config.sources);
        return report;
    }
    let secrets: Vec<_> = trace.branches().iter().map(|branch| branch.value.clone()).collect();
    let mut report = TraceReport::new(prover, trace, &Subject { text: None, secrets: &secrets, ..subject });
    report.conceal();
    match known.hides_keys(&field.addr) {
        true => report.conceal_keys(),
        false => report.conceal_secrets(&veil, trace),
    }
    report.conceal_words(&session.config.sources);
    report
}

fn print(start: &Start, format: Format, session: &Session, reports: &[TraceReport]) {
    let sources = &session.config.sources;
    let console = start.console;
    match format {
        Format::Text => {}
        Format::Json => {
            console.print(Reader::Json, &trace_json::document(reports, sources));
            return;
        }
        Format::Markdown => {
            console.report(&trace_text::markdown(reports, sources));
            return;
        }
        format => {
            let issues: Vec<Issue> = reports.iter().filter_map(TraceReport::issue).collect();
            let group = Group { dir: &start.dir, issues: &issues, sources };
            console.print(format.reader(), &issue::rendered(format, &[group], console.out));
            return;
        }
    }
    if reports.is_empty() {
        console.note("no driven field: `phi.hcl` pins none, and no meta-argument is an expression.");
    }
    for (at, report) in reports.iter().enumerate() {
        let text = match at {
            1.. => format!("\n{}", trace_text::full(report, sources, console.out)),
            0 => trace_text::full(report, sources, console.out),
        };
        if !console.report(&text) {
            return;
        }
    }
    let mut files: Vec<String> = session.environments.iter().map(|e| e.path.display().to_string()).collect();
    // Each block of `phi.hcl` is one.
    files.dedup();
    if let (Some((first, rest)), false) = (files.split_first(), reports.is_empty()) {
        let shown: Vec<&str> = [first].into_iter().chain(rest).take(MOST_FILES).map(String::as_str).collect();
        let more = files.len().saturating_sub(MOST_FILES);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        console.note(&format!("values taken from: {}{more}.", shown.join(", ")));
    }
}

/// A field that Terraform itself would reject is an error, with its place.
fn verdict(start: &Start, session: &Session, reports: &[TraceReport]) -> u8 {
    let errors = reports.iter().filter(|r| matches!(r.found, Found::Error(_)));
    let issues: Vec<Issue> = errors.filter_map(TraceReport::issue).collect();
    if issues.is_empty() {
        return DONE;
    }
    session.print(start, Format::Text, &issues);
    FAILED
}
