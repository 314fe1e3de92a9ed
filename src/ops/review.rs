//! `tf-phi review`: what a change means, against a revision.

use super::commits::Commits;
use super::matrix::environments;
use super::options::{Colours, one_of, positive};
use super::review_absent::{Side as Told, add_absent};
use super::review_attributes::add_attributes;
use super::review_changed::ChangedFiles;
use super::review_leads::add_leads;
use super::review_own_files::add_own_files;
use super::review_stack::add_unread_stack;
use super::review_values::{self, add_unread_values};
use super::review_written::{add_run_files, add_written, trace_back};
use super::roots::{self, Asked, Lost, Purpose, Selection};
use super::{Command, DIFFERENT, DONE, FAILED, Outcome, Start, Stop};
use crate::addr::FieldAddr;
use crate::config::Config;
use crate::config::variables::Named;
use crate::config::writable::PHI_HCL;
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::matrix::review::{self, Action, Review, Specialization};
use crate::matrix::{
    self, Assigned, Doubts, Matrix, Missing, Origins, Reads, leave_out_beyond, unset_variables,
    values_outside,
};
use crate::ops::read::by_environment::{give_arguments, keep_known_arguments};
use crate::ops::read::inputs::{self, Failing};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::as_recorded::{as_error, find_doubt};
use crate::ops::validate::find_left_out;
use crate::pipeline::fields::{self, Field};
use crate::pipeline::{self, Traces};
use crate::report::matrix::{left_out, open_workspace};
use crate::report::review::{self as report, Shown};
use crate::report::roots::{Form as Many, Part, Piece, Shape};
use crate::terraform::git::{Base, Revision};
use crate::text::Sources;
use crate::trace::Driven;
use crate::trace::failures::{Failure, Found, news};
use crate::value::Value;
use clap::{ArgAction, Args};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The forms of the report.
const FORMS: [(&str, Shape); 4] =
    [("text", Shape::Text), ("json", Shape::Json), ("markdown", Shape::Markdown), ("html", Shape::Html)];

/// The differences that may make the exit status 3, by name.
const FAIL_ON: [(&str, FailOn); 4] = [
    ("destroy", FailOn::Destroy),
    ("replace", FailOn::Replace),
    ("change", FailOn::Change),
    ("finding", FailOn::Finding),
];

/// The arguments of `tf-phi review`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Only git is started, and with --plan Terraform. The work tree is not touched.")]
pub struct Request {
    /// The revision to compare the work tree with: the last commit that it has in common with the head
    #[arg(long, value_name = "REV")]
    base: String,
    /// Compare with the revision itself, whatever came there since
    #[arg(long)]
    base_exact: bool,
    /// Plan both aside, too, and compare the plans resource by resource
    #[arg(long)]
    plan: bool,
    /// Directories of root modules; none stands for the current one
    #[arg(value_name = "DIR", num_args(0..))]
    dirs: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// How many roots are looked at at a time, or with --plan how many plans are made; else as many as there are processors and
    /// memory for
    #[arg(long, value_name = "N", value_parser = positive())]
    jobs: Option<usize>,
    /// Exit with status 3 where there is any of these: destroy, replace, change, finding
    #[arg(long, value_name = "WHAT", action = ArgAction::Set, value_delimiter = ',', value_parser = one_of(&FAIL_ON))]
    fail_on: Vec<FailOn>,
    /// Only this environment; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    environments: Vec<String>,
    /// Show every row: what only hands a value on, and each argument of what is wholly new or gone
    #[arg(long)]
    all: bool,
    /// How it is printed
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&FORMS), conflicts_with = "json")]
    format: Option<Shape>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    colours: Colours,
}

impl Request {
    fn compared(&self) -> Base {
        Base::written(&self.base, self.base_exact)
    }

    fn shape(&self) -> Shape {
        if self.json { Shape::Json } else { self.format.unwrap_or(Shape::Text) }
    }
}

/// A difference that may make the exit status 3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailOn {
    /// Something goes.
    Destroy,
    /// Something is replaced.
    Replace,
    /// Anything differs.
    Change,
    /// There is a finding.
    Finding,
}

/// The review of one working directory.
struct Made {
    review: Review,
    failing: Failing,
    head: Session,
    /// Warnings about the head.
    warnings: Vec<Issue>,
    /// Everything else that was read. It is kept to the end, because freeing it takes time.
    _rest: (Matrix, Option<Side<Revision>>),
}

impl Made {
    fn shown<'s>(&'s self, start: &'s Start, is_whole: bool) -> Shown<'s> {
        Shown { review: &self.review, failures: self.failing.report(start, &self.head), is_whole }
    }

    /// A plan that was asked for and isn't there says nothing of what is destroyed.
    fn status(&self, request: &Request) -> u8 {
        if self.review.environments.iter().any(review::Environment::is_unplanned) {
            return FAILED;
        }
        if request.fail_on.iter().any(|what| self.holds(*what)) { DIFFERENT } else { DONE }
    }

    fn holds(&self, what: FailOn) -> bool {
        let plans = || self.review.environments.iter().filter_map(review::Environment::made);
        let planned = |action: Action| plans().any(|made| made.count(action) > 0);
        let goes = || {
            self.review
                .environments
                .iter()
                .filter(|e| e.made().is_none())
                .flat_map(|e| &e.instances)
                .any(|(_, before, after)| *before && !after)
        };
        let may_go = || self.review.environments.iter().any(|env| !env.may_go().is_empty());
        // Of what isn't compared nobody can say what becomes of it.
        let is_open = !self.review.left_out.is_empty();
        match what {
            FailOn::Destroy => planned(Action::Delete) || goes() || may_go() || is_open,
            FailOn::Replace => planned(Action::Replace) || is_open,
            FailOn::Change => {
                let differs = |e: &review::Environment| {
                    !e.values.is_empty() || !e.instances.is_empty() || !e.uncompared.is_empty()
                };
                is_open
                    || self.review.environments.iter().any(differs)
                    || may_go()
                    || !self.review.specializations.is_empty()
                    || plans().any(|plan| !plan.is_none())
            }
            FailOn::Finding => {
                !self.review.unable.is_empty() || self.failing.found.failures.iter().any(Failure::stops)
            }
        }
    }
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let form = Many { shape: self.shape(), doing: "reviewing", nothing: "Nothing differs" };
        let commits = Commits::default();
        // Plans are made several at a time, for one root after the other.
        let jobs = if self.plan { Some(1) } else { self.jobs };
        let asked = Asked {
            dirs: self.dirs.clone(),
            selection: self.selection.clone(),
            files: false,
            jobs,
            purpose: Purpose::Read,
        };
        let all = asked.all(start)?;
        // A revision that can't be read is told of each root module.
        let commit = |root: &Path| Ok(commits.open_around(root, &self.compared()).ok());
        let lost = asked.lost(start, &all, &commit)?;
        let mut chosen = asked.narrowed(start, &[], all)?;
        chosen.add(lost.iter().filter(|one| one.gone.is_none()).map(|one| one.dir.clone()));
        let one = |start: &Start, dir: &Path| part(start, dir, self, &commits);
        let mut made = roots::reports_of(start, &asked, chosen, &form, one)?;
        made.add(lost.iter().filter_map(|one| gone(start, self, &form, one)));
        made.print(start, &asked, &form, |_| {})
    }
}

/// The report of a root module that is none any more and can't be looked at.
fn gone(start: &Start, request: &Request, form: &Many, lost: &Lost) -> Option<Part> {
    let why = format!("{} What it declared is compared with nothing.", lost.gone.as_ref()?);
    let issue = Issue::error(Code::Missing, lost.summary(), why);
    let part = form.stopped(&lost.dir, vec![issue], Sources::default(), start.console);
    let status = if request.fail_on.contains(&FailOn::Finding) { DIFFERENT } else { DONE };
    Some(Part { status, ..part })
}

/// The report of one root module.
fn part(start: &Start, dir: &Path, request: &Request, commits: &Commits) -> Result<(Part, Made), Box<Stop>> {
    let root = RootedHost::new(&start.dir)?.root;
    let base = request.compared();
    let mut changed = ChangedFiles::new(|| commits.find_changes(&root, &base));
    let mut made = made(start, request, commits.open_revision(&root, &start.dir, &base)?, &mut changed)?;
    made.review.unable.extend(commits.find_replaced(&root, &base)?);
    made.warnings.extend(commits.find_several_bases(&root, &base)?);
    let (shown, console) = (made.shown(start, request.all), start.console);
    let report = match request.shape() {
        Shape::Json => Piece::Json(report::object(&shown)),
        Shape::Markdown => Piece::Text(report::markdown(&shown)),
        Shape::Html => Piece::Html(report::page(&shown)),
        Shape::Text | Shape::Csv | Shape::Findings(_) => {
            Piece::Text(report::text(&shown, console.columns(), console.out))
        }
    };
    let tells = report::says_anything(&shown);
    let aside = Many::warned(&made.warnings, &made.head.config.sources, console);
    Ok((
        Part { status: made.status(request), aside, tells, joins: !request.all, ..Part::of(dir, report) },
        made,
    ))
}

fn made(
    start: &Start,
    request: &Request,
    revision: Revision,
    changed: &mut ChangedFiles,
) -> Result<Made, Box<Stop>> {
    // A revision has no other files.
    let mut head = Session::open_partly(&Start { tracked_only: true, ..start.clone() })?;
    let before = match revision.has_directory() {
        true => Some(read_base(start, &revision, &mut head)?),
        false => None,
    };
    let ((mut head, head_matrix, head_driven, lacks, given), mut warnings) =
        side_of_head(start, request, head)?;
    let mut made = Review { base: request.base.clone(), ..Review::default() };
    let mut base = match before {
        Some(session) => side_of_base(request, session, &head, &mut warnings)?,
        None => None,
    };
    let none = Matrix::default();
    let base_matrix = base.as_ref().map_or(&none, |(_, matrix, ..)| matrix);
    match &base {
        Some((base, matrix, _, _, before)) => {
            let mut is_changed = |reads: &Reads| changed.is_any(reads);
            let mut origins = Origins::new(&base.config, &head.config);
            let mut doubts = Doubts::new(&origins, [before, &given], &mut is_changed);
            made.environments = review::environments(matrix, &head_matrix, Some(&mut doubts));
            add_written(&mut made, base, &head, &mut doubts);
            add_leads(&mut made, base, &head);
            trace_back(&mut made, before, (&head.config, &given), &mut origins);
            add_run_files(&mut made, &base.config, &head, changed.all());
        }
        None => made.environments = review::environments(&none, &head_matrix, None),
    }
    // Of a module that isn't there nobody knows what is lost.
    for env in &mut made.environments {
        let (name, left) = (env.name.clone(), &lacks.modules);
        let before = env.instances.len() + env.values.len();
        env.instances.retain(|(address, ..)| !left.hides(&name, address));
        env.values.retain(|(field, ..)| !left.hides(&name, field));
        env.wholes.retain(|whole| !left.hides(&name, &whole.address));
        if env.instances.len() + env.values.len() < before {
            env.uncompared.extend(left.calls(&name));
        }
    }
    made.left_out = base_matrix.left_out.union(&head_matrix.left_out).cloned().collect();
    made.left_out.extend(leave_out_beyond(&mut made.environments));
    warnings.extend(left_out(&made.left_out));
    warnings.extend(open_workspace(&head_matrix));
    let before = base.as_ref().map(|(session, _, driven, ..)| branches(session, driven));
    let (before, mut known) = before.unwrap_or_default();
    if let Some((_, _, _, own, _)) = &base {
        known.extend(own.findings.iter().cloned());
    }
    let (after, unable) = branches(&head, &head_driven);
    let said = |issue: &Issue| (issue.field.clone(), issue.summary.clone(), issue.why.clone());
    let known: BTreeSet<_> = known.iter().map(said).collect();
    made.unable.extend(unable.into_iter().chain(lacks.findings).filter(|new| !known.contains(&said(new))));
    made.unable.extend(find_doubt(start, &head).map(as_error));
    add_own_files(&mut made, &head.config, &head.host.root, changed.all());
    add_unread_stack(&mut made, &head.config, (&head.host, &head.host.root), changed.all());
    if let Some((base, ..)) = &base {
        let sides = [&review_values::Side::of(base), &review_values::Side::of(&head)];
        warnings.extend(add_unread_values(&mut made, sides, &head.host.root, changed.all()));
    }
    add_attributes(&mut made, &head.host.root, &request.compared().revision, changed.all());
    let sides: Vec<Told<'_>> =
        base.iter().map(|(base, ..)| Told::of(base)).chain([Told::of(&head)]).collect();
    add_absent(&mut made, &sides, &head.host.root, &revision, changed.all());
    made.unable.extend(find_unread(base.as_ref().map(|(base, ..)| &base.config), &head.config));
    let told: BTreeSet<&str> = made.unable.iter().map(|issue| &*issue.summary).collect();
    warnings.retain(|warning| !told.contains(&*warning.summary));
    made.unable.extend(base.as_ref().and_then(|(base, ..)| find_other_program(&base.config, &head.config)));
    made.specializations = specializations(&before, after);
    let mut failing = failing(&mut head, request);
    if let Some((base, ..)) = &mut base {
        failing.found = new_failures(base, std::mem::take(&mut failing.found), request);
    }
    made.unable.extend(find_left_out(&failing.found).map(as_error));
    if request.plan {
        super::review_plan::plans(start, &head, &revision, request.jobs, &mut made)?;
    }
    Ok(Made { review: made, failing, head, warnings, _rest: (head_matrix, base) })
}

/// A finding for each file of a Stack that isn't read on one side or the other: nobody compares it.
fn find_unread(base: Option<&Config>, head: &Config) -> Vec<Issue> {
    let of_base = base.into_iter().flat_map(|base| &base.unread);
    let mut known = BTreeSet::new();
    let mut all: Vec<&Issue> = head.unread.iter().chain(of_base).collect();
    all.retain(|issue| known.insert(&issue.summary));
    all.into_iter().cloned().map(as_error).collect()
}

/// A change of the program that a tree is read for: OpenTofu reads files of its own, in place of Terraform's of the same name.
fn find_other_program(base: &Config, head: &Config) -> Option<Issue> {
    if base.tofu == head.tofu {
        return None;
    }
    let name = |tofu: bool| if tofu { "OpenTofu" } else { "Terraform" };
    let summary = format!("the tree is read as {} reads it", name(head.tofu));
    let why = format!(
        "`phi.hcl` says so; before, it was {}. OpenTofu reads files whose names end in `.tofu` in place of those that end in `.tf`, so that \
         who runs the other one runs other text.",
        name(base.tofu)
    );
    let fix = "Look at `phi.hcl`, and see that the program is the one that your runs start:";
    Some(Issue::error(Code::Config, summary, why).in_path(PHI_HCL).fix(fix, "tf-phi doctor"))
}

/// Returns what `validate` finds on one side.
fn failing<H: Host + Clone>(session: &mut pipeline::Session<H>, request: &Request) -> Failing {
    let named = chosen(session, request);
    Failing::of(session, &[], named)
}

/// Returns the failures that the head has and the base hasn't.
fn new_failures(base: &mut pipeline::Session<Revision>, head: Found, request: &Request) -> Found {
    if head.failures.is_empty() {
        return head;
    }
    let before = failing(base, request).found;
    news(&before, head, |witnesses| inputs::failing(base, &inputs::witnesses(base, witnesses)))
}

/// The environments that are asked for and that a side has.
fn chosen<H: Host + Clone>(session: &pipeline::Session<H>, request: &Request) -> Vec<Named> {
    let asked =
        |n: &&Named| request.environments.is_empty() || request.environments.iter().any(|a| **a == *n.name);
    session.named.iter().filter(asked).cloned().collect()
}

/// A side with its environments' values.
type Side<H> = (pipeline::Session<H>, Matrix, Vec<Driven>, Lacks, Vec<Assigned>);

/// What a side lacks: modules that its sources name, and the findings about these and about variables without a value.
#[derive(Default)]
struct Lacks {
    modules: Missing,
    findings: Vec<Issue>,
}

impl Lacks {
    fn of<H: Host + Clone>(
        session: &pipeline::Session<H>,
        environments: &[Assigned],
        matrix: &Matrix,
    ) -> Lacks {
        let modules = Missing::of(session, &fields::all(&session.config), matrix);
        let mut findings = modules.issues();
        findings.extend(unset_variables(session, environments));
        findings.extend(values_outside(session, environments));
        Lacks { modules, findings }
    }
}

/// Reads the base. A variable that is a secret on one side is one on the other, too: a change doesn't say by itself that it is none. And what is a name on one side is
/// withheld on none.
fn read_base(
    start: &Start,
    revision: &Revision,
    head: &mut Session,
) -> Result<pipeline::Session<Revision>, Box<Stop>> {
    let kept_back = start.console.kept_back;
    let mut base = pipeline::Session::read(revision.clone(), true, start.form_factor().as_deref())?;
    kept_back.add(base.config.sources.told());
    base.kept_back = Some(kept_back);
    let hidden: BTreeSet<Arc<str>> =
        head.hidden_variables().union(&base.hidden_variables()).cloned().collect();
    head.hide_variables(&hidden);
    base.hide_variables(&hidden);
    kept_back.keep_names(head.collect_names().all());
    kept_back.keep_names(base.collect_names().all());
    Ok(base)
}

fn side_of_head(
    start: &Start,
    request: &Request,
    mut session: Session,
) -> Result<(Side<RootedHost>, Vec<Issue>), Box<Stop>> {
    let environments = environments(&mut session, &request.environments)?;
    let driven = session.driven(start);
    let (session, warnings) = session.cleared()?;
    let matrix = whole(&session, &environments, &driven);
    let lacks = Lacks::of(&session, &environments, &matrix);
    Ok(((session, matrix, driven, lacks, environments), warnings))
}

/// The base, under the environments of the head. One that is no configuration yet is none: the change mends it.
fn side_of_base(
    request: &Request,
    mut session: pipeline::Session<Revision>,
    head: &Session,
    warnings: &mut Vec<Issue>,
) -> Result<Option<Side<Revision>>, Box<Stop>> {
    let accepts = crate::ops::read::presumed::accepts(&session);
    let driven = session.driven_where(&|_| accepts);
    if !session.config.is_stack() {
        give_arguments(&session.host, &mut session.named);
        session.named =
            Named::of_head(&head.named, &session.named, &|path| session.host.kind(path).is_some());
        keep_known_arguments(&session.host, &session.config, &mut session.named);
    }
    let named = chosen(&session, request);
    let mut environments = Vec::new();
    if !session.is_blocked() {
        let workspace = crate::ops::run::decide::workspace_of_user(head);
        match matrix::assigned(&mut session, &named, &workspace) {
            Ok(found) => environments = found,
            Err(issues) => session.extend(issues),
        }
    }
    if session.issues.iter().any(|issue| issue.is_error() && issue.code == Code::Unparsable) {
        let why = "It can't be parsed, so nothing is compared with it: all that the head has is shown.";
        let summary = format!("{} is no configuration", request.base);
        warnings.push(Issue::warning(Code::Unparsable, summary, why));
        return Ok(None);
    }
    if session.is_blocked() {
        let of_base =
            |issue: Issue| Issue { summary: format!("{} (in {})", issue.summary, request.base), ..issue };
        let issues = session.issues.into_iter().filter(Issue::is_error).map(of_base).collect();
        return Err(Box::new(Stop { issues, sources: session.config.sources }));
    }
    let matrix = whole(&session, &environments, &driven);
    let lacks = Lacks::of(&session, &environments, &matrix);
    Ok(Some((session, matrix, driven, lacks, environments)))
}

/// Every field and every instance.
fn whole<H: Host + Clone>(
    session: &pipeline::Session<H>,
    environments: &[Assigned],
    driven: &[Driven],
) -> Matrix {
    let mut all = fields::all(&session.config);
    all.extend(fields::reviewed(&session.config));
    // What is driven may be no value: `provider`, `providers`, `ignore_changes`.
    let known: BTreeSet<_> = all.iter().map(|field| field.addr.clone()).collect();
    let is_told = |field: &FieldAddr| {
        let mut own = field.clone();
        // A part of an argument is told with it.
        while !known.contains(&own) && own.path.0.pop().is_some() {}
        known.contains(&own)
    };
    let more = driven.iter().filter(|own| !is_told(&own.field));
    all.extend(more.map(|own| Field { addr: own.field.clone(), site: own.site.clone(), said: None }));
    matrix::of(session, environments, &all, &matrix::declarations(session))
}

/// The values that driven fields are specialised by, and what can't be.
fn branches<H: Host + Clone>(
    session: &pipeline::Session<H>,
    driven: &[Driven],
) -> (BTreeMap<String, Vec<Value>>, Vec<Issue>) {
    let (limits, outside) = (session.limits(), session.outside());
    let (universes, _) =
        crate::trace::universes(&session.config, &session.phi, &session.environments, limits, outside);
    let traced = Traces::of(session, &universes, driven);
    let mut values = BTreeMap::new();
    for trace in &traced.traces {
        let field = trace.field.plain().to_string();
        let secret = session.hides(&trace.field);
        let shown = |value: &Value| if secret { Value::string("(sensitive value)") } else { value.clone() };
        values.insert(field, trace.branches().iter().map(|b| shown(&b.value)).collect());
    }
    // What Terraform itself rejects is found as such.
    let unable =
        traced.issues(session, driven).into_iter().filter(|issue| issue.code != Code::Invalid).collect();
    (values, unable)
}

fn specializations(
    before: &BTreeMap<String, Vec<Value>>,
    after: BTreeMap<String, Vec<Value>>,
) -> Vec<Specialization> {
    let gone = before.iter().filter(|(unit, _)| !after.contains_key(*unit));
    let mut out: Vec<Specialization> = gone
        .map(|(unit, values)| Specialization {
            unit: unit.clone(),
            before: values.clone(),
            after: Vec::new(),
        })
        .collect();
    for (unit, after) in after {
        let before = before.get(&unit).cloned().unwrap_or_default();
        if before != after {
            out.push(Specialization { unit, before, after });
        }
    }
    out
}
