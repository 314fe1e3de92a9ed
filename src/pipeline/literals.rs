//! This run's values of driven meta-arguments, as literals in their place.
//!
//! In: a session, driven fields, what the run gives to variables. Out: texts with the literals of those fields that have one value in this
//! run. It is the tracer of every other way, with each variable held to this run's value. A field behind a `source` that is an
//! expression has to wait until that is a literal, so that a run takes several rounds: [`put_literals`], [`Session::read_over`], until
//! nothing is left. Invariant: a field without one value in this run is an issue that names it, never a guess. Absent on purpose: pins of
//! ordinary arguments, which Terraform takes as they are; writing anything.

use super::decide::{Run, run_values};
use super::session::Session;
use crate::addr::{FieldAddr, FieldPath, Mode, ResourceAddr};
use crate::config::phi::own_modules;
use crate::config::variables::{self, VarArg, VarValues};
use crate::config::{Config, View};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::literals::{self, InPlace, Texts};
use crate::text::{EditSet, SourceFile};
use crate::trace::reading::Reading;
use crate::trace::{Driven, Trace, Traced, Tracer, Universe, Universes, issue_of, trace_driven};
use crate::value::{Value, hcl};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A field whose value is put in place.
#[derive(Clone, Debug)]
pub struct Valued {
    /// The field.
    pub field: FieldAddr,
    /// Its value in this run.
    pub value: Value,
    /// The expression that stands there in the user's file; nothing for references, which have no value.
    pub text: Option<String>,
}

/// What is known of the values of data sources.
#[derive(Clone, Copy, Debug)]
pub enum DataValues<'a> {
    /// Nothing, and nobody asks.
    Unasked,
    /// These. Where they aren't enough, any value stands in that Terraform can read.
    StandIns(&'a Universes),
    /// These, from a plan.
    Told(&'a Universes),
}

/// What a run says of values.
#[derive(Clone, Copy, Debug)]
pub struct Says<'a> {
    /// Its options for variables.
    pub vars: &'a [VarArg],
    /// Its workspace.
    pub workspace: &'a str,
    /// What data sources gave.
    pub data: DataValues<'a>,
}

/// A field in whose place anything stands until a plan was asked.
#[derive(Clone, Debug)]
pub struct StandIn {
    /// The field.
    pub field: FieldAddr,
    /// Why it has no value yet.
    pub issue: Issue,
}

impl StandIn {
    /// Returns true if no data source can give another value because of what stands there. What depends on a managed resource is never read
    /// off a data source.
    pub fn is_inert(&self) -> bool {
        let inert = ["prevent_destroy", "create_before_destroy", "ignore_changes"];
        self.field.path.0.last().is_some_and(|name| inert.contains(&&**name))
    }
}

/// What one round puts in place.
pub struct Round {
    /// The texts.
    pub texts: Texts,
    /// The fields.
    pub fields: Vec<Valued>,
    /// Those of them that have no value of their own yet.
    pub stand_ins: Vec<StandIn>,
    /// Values of this run that the rules of their own variables refuse.
    pub refused: Vec<Issue>,
}

/// Returns true for a field that becomes a literal where there are no copies.
pub fn becomes_literal(driven: &Driven) -> bool {
    driven.is_meta() && !driven.copies && !driven.site.reading.is_plain(&driven.site.attr.expr)
}

/// Puts the values of driven fields in place, of as many as have one by now.
///
/// # Errors
/// Why none has one; values of variables that can't be taken; forms that can't be rewritten.
pub fn put_literals<H: Host + Clone>(
    session: &mut Session<H>,
    driven: &[Driven],
    says: Says<'_>,
) -> Result<Round, Vec<Issue>> {
    let values = run_values(session, says.vars);
    if session.is_blocked() {
        return Err(Vec::new());
    }
    let listed = match says.data {
        DataValues::StandIns(_) => session.universes(),
        DataValues::Unasked | DataValues::Told(_) => Universes::new(),
    };
    let session = &*session;
    let run = Run::of(session, values, says.workspace, &BTreeSet::new())?;
    let universes = with_data(run.universes(), says.data, listed);
    // What stands behind a chosen source is read once that is a literal.
    let now: Vec<Driven> = driven.iter().filter(|d| !d.field.module.is_by_source()).cloned().collect();
    let (mut tracer, traces, _) =
        trace_driven(&session.config, session.limits(), &universes, session.outside(), &now);
    let mut all = Vec::new();
    let (mut open, mut stand_ins) = (Vec::new(), Vec::new());
    for (driven, trace) in now.iter().zip(&traces) {
        match &trace.result {
            Traced::Resolved(branch) => all.push(InPlace { driven, trace, value: &branch.value }),
            _ => {
                let issue = open_issue(session, &mut tracer, trace, (run.values(), says.data));
                let issue = session.conceal_issue(trace, issue);
                let is_told = issue.code != Code::MissingValue && is_told_by_data(session, &tracer, trace);
                let value = is_told.then(|| stand_in(driven, trace)).flatten();
                open.push((driven, trace, value, issue));
            }
        }
    }
    if all.is_empty() {
        let stands_in = matches!(says.data, DataValues::StandIns(_));
        if !stands_in || open.iter().any(|(_, _, value, _)| value.is_none()) {
            // With a value that is refused an expression needn't have one.
            let refused = run.find_refused(session).into_iter().map(|(_, issue)| issue).collect::<Vec<_>>();
            let open = open.into_iter().map(|(.., issue)| issue);
            return Err(if refused.is_empty() { open.collect() } else { refused });
        }
        for (driven, trace, value, issue) in &open {
            all.extend(value.iter().map(|value| InPlace { driven, trace, value }));
            stand_ins.push(StandIn { field: driven.field.plain(), issue: issue.clone() });
        }
    }
    let view = View { host: &session.host, overlay: &session.loaded };
    let own = own_modules(view, &session.config);
    let texts = literals::put_literals(&session.config, &all, &own)?;
    let fields = all.iter().map(|one| Valued {
        field: one.driven.field.plain(),
        value: one.value.clone(),
        text: expression(&session.config, one.driven),
    });
    let fields = fields.collect();
    let refused = run.find_refused(session).into_iter().map(|(_, issue)| issue).collect();
    Ok(Round { texts, fields, stand_ins, refused })
}

/// The universes of a run, with what data sources gave. Where anything may stand in, that is one of the values that are listed for a data
/// source.
fn with_data(run: &Universes, data: DataValues<'_>, listed: Universes) -> Universes {
    let mut all = run.clone();
    let (DataValues::StandIns(told) | DataValues::Told(told)) = data else { return all };
    all.extend(told.iter().map(|(name, universe)| (name.clone(), universe.clone())));
    let is_data = |name: &str| name.starts_with("data.") || name.contains(".data.");
    for (name, universe) in listed.into_iter().filter(|(name, _)| is_data(name)) {
        all.entry(name).or_insert(Universe { enforced: false, ..universe });
    }
    all
}

/// Returns true if a plan may tell a field's value, since it asks data sources.
fn is_told_by_data<H: Host + Clone>(session: &Session<H>, tracer: &Tracer<'_>, trace: &Trace) -> bool {
    let is_data = |addr: &ResourceAddr| addr.mode == Mode::Data;
    match &trace.result {
        Traced::Bounded(_) => tracer.is_behind_data(trace),
        Traced::Unbounded(reason) => {
            let any = session.config.modules.iter().any(|module| module.resources.keys().any(is_data));
            reason.code == Code::NoUniverse && any
        }
        Traced::Resolved(_) | Traced::Rejected(_) => false,
    }
}

/// A value that Terraform can read in a field's place, and that hinders no plan.
fn stand_in(driven: &Driven, trace: &Trace) -> Option<Value> {
    match driven.field.path.0.last().map(|name| &**name) {
        Some("prevent_destroy" | "create_before_destroy") => Some(Value::bool(false)),
        _ => trace.branches().first().map(|branch| branch.value.clone()),
    }
}

/// The text of a driven expression.
fn expression(config: &Config, driven: &Driven) -> Option<String> {
    let site = driven.site.own().filter(|_| driven.site.reading == Reading::Value)?;
    let file =
        config.sources.get(driven.site.attr.file).filter(|_| !config.is_json(driven.site.attr.file))?;
    Some(file.slice(site.span).to_owned())
}

/// Why a field has no value of its own in a run.
fn open_issue<H: Host + Clone>(
    session: &Session<H>,
    tracer: &mut Tracer<'_>,
    trace: &Trace,
    (values, data): (&VarValues, DataValues<'_>),
) -> Issue {
    let field = trace.field.plain();
    let path = field.path.clone();
    let target = FieldAddr { path: FieldPath::default(), ..field.clone() };
    let missing = missing_variables(&session.config, tracer, trace, values);
    if !missing.is_empty() {
        let why = format!("It depends on var.{}, and this run gives it no value.", missing.join(", var."));
        let summary = format!("the value of {path} on {target} isn't known");
        let issue = Issue::error(Code::MissingValue, summary, why).at(trace.at).about(field.to_string());
        let issue = missing.iter().fold(issue, |issue, name| {
            issue.fix("Give it one, here or in a variable file:", format!("-var '{name}=…'"))
        });
        return issue.fix(
            "Or in the environment, where a command takes no variables:",
            format!("export TF_VAR_{}=…", missing.first().map(|name| &**name).unwrap_or_default()),
        );
    }
    let own = match &trace.result {
        Traced::Bounded(outcomes) => {
            let values: Vec<String> =
                outcomes.branches.iter().filter_map(|branch| hcl::to_hcl(&branch.value)).collect();
            let decides = tracer.decides(outcomes.branches.iter().map(|branch| branch.when));
            let decides = decides.map(|text| format!(" {text}.")).unwrap_or_default();
            let why = format!(
                "It may be {}.{decides} Without copies it is one literal, the same for every instance.",
                values.join(" or ")
            );
            Issue::error(Code::Unsupported, format!("{path} on {target} has several values in this run"), why)
                .at(trace.at)
                .about(field.to_string())
        }
        _ => match issue_of(trace) {
            Some(issue) => issue,
            None => Issue::error(
                Code::Unsupported,
                format!("{path} on {target} has no value in this run"),
                "There is no instance that would have it.",
            )
            .at(trace.at)
            .about(field.to_string()),
        },
    };
    if matches!(trace.result, Traced::Rejected(_)) {
        return own;
    }
    if let Some(marked) = without_mark(&own) {
        return marked;
    }
    let own = match data {
        DataValues::Unasked | DataValues::StandIns(_) if !is_told_by_data(session, tracer, trace) => own,
        DataValues::Unasked => {
            Issue { why: format!("{} A plan tells it, and this command makes none.", own.why), ..own }
        }
        DataValues::Told(_) => Issue {
            why: format!(
                "{} A first plan didn't tell it: it tells texts, numbers and bools that are no secrets, of data sources without \
                 `count` and `for_each` that are read before anything is applied.",
                own.why
            ),
            ..own
        },
        DataValues::StandIns(_) => own,
    };
    let mut block = format!("specialize \"{target}\" {{\n  fields = [\"{path}\"]\n  copies = true\n}}");
    let mut own = own;
    // Copies need the values of which they are made.
    let listing = own.fixes.iter().position(|fix| fix.paste.starts_with("variable \""));
    if let Some(listing) = listing.and_then(|at| own.fixes.get(at)) {
        block = format!("{block}\n{}", listing.paste);
    }
    if let (Some(at), DataValues::Told(_)) = (listing, data) {
        own.fixes.remove(at);
    }
    own.fix("Have copies of this field alone, in `phi.hcl`:", block)
}

/// The issue for a value that may stand in no file, or that nobody knows before something is applied. Copies would be no help.
fn without_mark(own: &Issue) -> Option<Issue> {
    let (why, fix) = match own.code {
        Code::Sensitive => (
            own.why.replace("a specialization", "this run"),
            "Where the value itself is no secret, take the mark off: put `nonsensitive(…)` around the expression.",
        ),
        Code::Ephemeral => (
            own.why.clone(),
            "Take `ephemeral = true` away from what it comes from, or choose by a variable that isn't ephemeral.",
        ),
        Code::ApplyTimeValue => return Some(own.clone()),
        _ => return None,
    };
    Some(Issue { why, fixes: Vec::new(), ..own.clone() }.fix(fix, ""))
}

/// The variables behind a field that a run gives no value.
fn missing_variables(
    config: &Config,
    tracer: &mut Tracer<'_>,
    trace: &Trace,
    values: &VarValues,
) -> Vec<String> {
    let behind = tracer.variables_behind(trace);
    let culprit = match &trace.result {
        Traced::Unbounded(reason) => reason.culprit.clone(),
        _ => None,
    };
    let is_behind = |name: &Arc<str>| {
        let named = culprit.as_deref().and_then(|culprit| culprit.strip_prefix("var."));
        let named = named.map(|rest| rest.split('.').next().unwrap_or(rest));
        behind.contains(name) || named == Some(&**name)
    };
    let unset = variables::unset(config, values).into_iter().map(|variable| &variable.name);
    unset.filter(|name| is_behind(name)).map(ToString::to_string).collect()
}

/// The texts of all rounds together, against the files as they are.
#[derive(Clone, Debug, Default)]
pub struct Literals {
    /// The files that are there, and what changes in them.
    pub edited: BTreeMap<PathBuf, (SourceFile, EditSet)>,
    /// Files of residuals.
    pub created: BTreeMap<PathBuf, String>,
    /// The fields.
    pub fields: Vec<Valued>,
    /// Those of them that have no value of their own yet.
    pub stand_ins: Vec<StandIn>,
}

impl Literals {
    /// Returns true if nothing is put in place.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Adds what a round puts in place. Gives the texts, by path.
    ///
    /// # Errors
    /// Edits that don't fit together.
    pub fn add(&mut self, config: &Config, round: Round) -> Result<Vec<(PathBuf, String)>, Issue> {
        let mut texts = Vec::new();
        for (path, set) in round.texts.edited {
            let Some(source) = config.sources.find(&path).and_then(|id| config.sources.get(id)) else {
                continue;
            };
            let text = set.apply(&source.text).map_err(literals::broken_edits)?;
            if let Some(created) = self.created.get_mut(&path) {
                created.clone_from(&text);
            } else {
                let first = self.edited.remove(&path);
                let all = match first {
                    Some((file, earlier)) => {
                        let both = earlier.then(&set, &file.text).map_err(literals::broken_edits)?;
                        (file, both)
                    }
                    None => (source.clone(), set),
                };
                self.edited.insert(path.clone(), all);
            }
            texts.push((path, text));
        }
        texts.extend(round.texts.created.iter().map(|(path, text)| (path.clone(), text.clone())));
        self.created.extend(round.texts.created);
        self.fields.extend(round.fields);
        self.stand_ins.extend(round.stand_ins);
        Ok(texts)
    }

    /// Drops residuals that a later round has replaced. Gives their paths.
    pub fn drop_unused(&mut self, config: &Config) -> Vec<PathBuf> {
        let used: BTreeSet<&PathBuf> = config.modules.iter().map(|module| &module.dir).collect();
        let is_unused = |path: &&PathBuf| path.parent().is_some_and(|dir| !used.contains(&dir.to_path_buf()));
        let unused: Vec<PathBuf> = self.created.keys().filter(is_unused).cloned().collect();
        unused.iter().for_each(|path| drop(self.created.remove(path)));
        unused
    }
}

impl<H: Host + Clone> Session<H> {
    /// Reads the configuration again as if these texts stood in it. What is said of them is said of the files that they were made from.
    pub fn read_over(&mut self, texts: Vec<(PathBuf, String)>, literals: &Literals) {
        // Files of modules that nothing calls any more are read no more.
        let read: Vec<PathBuf> = self.config.sources.iter().map(|(_, file)| file.path.clone()).collect();
        for path in read {
            if let Some(bytes) = self.analysed(&path).map(<[u8]>::to_vec) {
                self.seen.insert(path, bytes);
            }
        }
        self.overlay.extend(texts.into_iter().map(|(path, text)| (path, Some(text))));
        self.issues.retain(|issue| !issue.is_error() && issue.place.is_none());
        let (partly, copies) = (self.partly, self.phi.settings.copies);
        // What calls a copy that isn't on record was found when the original was read.
        self.loaded = self.overlay.clone();
        self.load(partly);
        self.phi.settings.copies = copies;
        for (path, (file, edits)) in &literals.edited {
            self.config.sources.made_from(path, file, edits);
        }
    }
}
