//! This run's values of driven meta-arguments, as literals in their place.
//!
//! In: a session, driven fields, what the run gives to variables. Out: texts with the literals of those fields that have one value in this
//! run. It is the tracer of every other way, with each variable held to this run's value. A field behind a `source` that is an
//! expression has to wait until that is a literal, so that a run takes several rounds: [`put_literals`], [`Session::read_over`], until
//! nothing is left. Invariant: a field without one value in this run is an issue that names it, never a guess. Absent on purpose: pins of
//! ordinary arguments, which Terraform takes as they are; writing anything.

use super::decide::{Run, run_values};
use super::session::Session;
use crate::addr::{FieldAddr, FieldPath};
use crate::config::phi::own_modules;
use crate::config::variables::{self, VarArg, VarValues};
use crate::config::{Config, View};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::literals::{self, InPlace, Texts};
use crate::text::{EditSet, SourceFile};
use crate::trace::reading::Reading;
use crate::trace::{Driven, Trace, Traced, Tracer, issue_of, trace_driven};
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

/// What one round puts in place.
pub struct Round {
    /// The texts.
    pub texts: Texts,
    /// The fields.
    pub fields: Vec<Valued>,
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
    vars: &[VarArg],
    workspace: &str,
) -> Result<Round, Vec<Issue>> {
    let values = run_values(session, vars);
    if session.is_blocked() {
        return Err(Vec::new());
    }
    let session = &*session;
    let run = Run::of(session, values, workspace, &BTreeSet::new())?;
    // What stands behind a chosen source is read once that is a literal.
    let now: Vec<Driven> = driven.iter().filter(|d| !d.field.module.is_by_source()).cloned().collect();
    let (mut tracer, traces, _) =
        trace_driven(&session.config, session.limits(), run.universes(), session.outside(), &now);
    let mut all = Vec::new();
    let mut issues = Vec::new();
    for (driven, trace) in now.iter().zip(&traces) {
        match &trace.result {
            Traced::Resolved(branch) => all.push(InPlace { driven, trace, value: &branch.value }),
            _ => issues
                .push(session.conceal_issue(trace, open_issue(session, &mut tracer, trace, run.values()))),
        }
    }
    if all.is_empty() {
        return Err(issues);
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
    Ok(Round { texts, fields })
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
    values: &VarValues,
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
                "It may be {}.{decides} Without copies it is one literal, the same for every instance, and known before Terraform \
                 starts.",
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
    let block = format!("specialize \"{target}\" {{\n  fields = [\"{path}\"]\n  copies = true\n}}");
    own.fix("Have copies of this field alone, in `phi.hcl`:", block)
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
        for (path, text) in texts {
            if let Some(bytes) = self.analysed(&path).map(<[u8]>::to_vec) {
                self.seen.insert(path.clone(), bytes);
            }
            self.overlay.insert(path, Some(text));
        }
        self.issues.retain(|issue| !issue.is_error() && issue.place.is_none());
        let (partly, copies) = (self.partial, self.phi.settings.copies);
        // What calls a copy that isn't on record was found when the original was read.
        self.loaded = self.overlay.clone();
        self.load(partly);
        self.phi.settings.copies = copies;
        for (path, (file, edits)) in &literals.edited {
            self.config.sources.made_from(path, file, edits);
        }
    }
}
