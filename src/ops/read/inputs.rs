//! The environments of a working directory as values.

use crate::addr::{FieldAddr, ModulePath, Target};
use crate::config::variables::{Named, VarArg, VarValues, collect, of_environment};
use crate::config::{Call, Config, PartsLeft, Variable, View, paths};
use crate::eval::EvalError;
use crate::host::{Host, threads};
use crate::issue::{Code, Issue};
use crate::ops::Start;
use crate::ops::read::presumed;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::review_plan::arguments;
use crate::pipeline::Session;
use crate::pipeline::Veil;
use crate::report::outcome::{ERROR_OF_SECRET, HIDDEN};
use crate::report::validate::Report;
use crate::text::Place;
use crate::trace::failures::{
    Environment, Failure, Found, Inputs, Listed, Unreadable, Unsuitable, Witness, failures, listed,
};
use crate::trace::{Driven, WORKSPACE, statics};
use crate::value::{Type, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The arguments with which a run of Terraform gets each environment's values.
type ByEnvironment = BTreeMap<Arc<str>, Vec<VarArg>>;

/// The inputs under which Terraform would stop, and how environments are given to it.
pub struct Failing {
    /// The inputs.
    pub found: Found,
    /// Calls of modules that nobody could look into: they aren't installed, or nothing says which are meant.
    pub unseen: Vec<String>,
    /// What keeps the files and options of a run from being read, so that nobody can say what Terraform does with them.
    pub faults: Vec<Issue>,
    given: ByEnvironment,
    environments: usize,
}

impl Failing {
    /// Looks for them in these environments; `vars` count in each, above its own values.
    pub fn of<H: Host + Clone>(session: &mut Session<H>, vars: &[VarArg], named: Vec<Named>) -> Failing {
        let (inputs, given, faults) = inputs(session, vars, named);
        let (found, unseen) = (failing(session, &inputs), find_unseen_calls(&session.config));
        Failing { found, unseen, faults, given, environments: inputs.environments.len() }
    }

    /// What is to be said of them, where they are of the directory that was started in.
    pub fn report<'s>(&'s self, start: &'s Start, session: &'s Session<RootedHost>) -> Report<'s> {
        Report {
            found: &self.found,
            sources: &session.config.sources,
            unseen: &self.unseen,
            given: &self.given,
            environments: self.environments,
            in_stack: session.config.is_stack(),
            chdir: start.chdir.as_deref(),
            program: if is_rejected(session) { "tf-phi" } else { "terraform" },
        }
    }
}

/// The calls of which no module is there.
fn find_unseen_calls(config: &Config) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (path, id) in &config.paths {
        let calls = config.module(*id).into_iter().flat_map(|module| module.calls.values());
        // Of a source that an expression chooses, each value is one to look into. What Terraform stops at is a finding.
        let is_passed_over = |call: &&Call| {
            let sources = config.unattached.get(&path.child(call.name.clone()));
            sources.is_some_and(|sources| sources.values().any(Vec::is_empty))
        };
        let unseen = calls
            .filter(|call| config.behind(path, &call.name.clone().into()).is_empty() || is_passed_over(call));
        found.extend(unseen.map(|call| path.plain().child(call.name.clone()).to_string()));
    }
    found.into_iter().collect()
}

/// Returns true if Terraform rejects the original, so that no command of its own shows anything there.
fn is_rejected(session: &Session<RootedHost>) -> bool {
    !find_rejected(session).is_empty()
}

/// The fields in which an expression stands that the tree's Terraform rejects there.
pub fn find_rejected(session: &Session<RootedHost>) -> Vec<Driven> {
    let accepts = presumed::accepts(session);
    let mut rejected = statics(&session.config);
    rejected.retain(|fixed| !accepts.takes(&session.config, &fixed.field, &fixed.site.attr));
    rejected
}

/// The inputs among these under which Terraform would stop.
pub fn failing<H: Host + Clone>(session: &Session<H>, inputs: &Inputs) -> Found {
    let mut found =
        threads::inside(|| failures(&session.config, session.limits(), inputs, session.outside()));
    if found.failures.is_empty() {
        return found;
    }
    let (secrets, touched) = (session.secrets(), session.touched());
    // The rules of all variables are part of each condition.
    let veil = Veil { secrets, touched, is_touched: !touched.is_empty(), hidden: false };
    let naming = session.secrets().rules_naming(&session.config);
    let is_told = |failure: &Failure| {
        let field = failure.of.as_ref();
        naming.iter().any(|rule| {
            let of_variable = field.zip(rule.variable.as_ref()).is_some_and(|(field, own)| {
                field.module == rule.module && matches!(&field.target, Target::Variable(name) if name == own)
            });
            of_variable
                || rule.place.file == failure.place.file && rule.place.span.contains(failure.place.span)
        })
    };
    for failure in &mut found.failures {
        if is_told(failure) {
            failure.error = format!("{}: {ERROR_OF_SECRET}.", failure.summary());
            continue;
        }
        if let Some(other) = veil.condition(&failure.condition) {
            failure.condition = other;
            HIDDEN.clone_into(&mut failure.gate);
        }
        if veil.tells_in(&ModulePath::ROOT, &failure.gate) {
            HIDDEN.clone_into(&mut failure.gate);
        }
        // A value that nobody gave was looked for among those that something compares with.
        let witness = &mut failure.witness;
        let found = witness.set.iter().filter(|name| {
            let value = witness.variables.get(*name);
            value.is_some_and(|value| veil.is_touched && !touched.is_plain(value))
        });
        witness.secret.extend(found.cloned().collect::<Vec<_>>());
        let is_touched = failure.of.as_ref().is_none_or(|field| touched.has(field));
        if is_touched && veil.is_told_in_error(&failure.error) {
            failure.error = format!("{}: {ERROR_OF_SECRET}.", failure.summary());
        }
        // Terraform's words quote what a function can't take. What a variable's rule says was judged as it was evaluated.
        let is_own = |field: &FieldAddr| !matches!(field.target, Target::Variable(_));
        if failure.of.as_ref().is_some_and(|field| is_own(field) && session.hides(field)) {
            failure.error = format!("{}: {ERROR_OF_SECRET}.", failure.summary());
        }
    }
    found
}

/// The inputs of environments, with how each is given to Terraform, and the faults that have no place in any file.
fn inputs<H: Host + Clone>(
    session: &mut Session<H>,
    vars: &[VarArg],
    named: Vec<Named>,
) -> (Inputs, ByEnvironment, Vec<Issue>) {
    let (over, of_options) = values_of_options(session, vars);
    let (of_options, mut faults) = split_refused(session, of_options);
    let listed = listed(&session.config, &session.phi, session.limits(), session.outside());
    let mut environments = Vec::new();
    let mut sources = BTreeMap::new();
    let mut left = PartsLeft::default();
    let mut given_to_all = Vec::new();
    for env in named {
        let view = View { host: &session.host, overlay: &session.overlay };
        let (mut given, found) = of_environment(view, &mut session.config, &env);
        let (mut unreadable, further) = split_refused(session, found);
        unreadable.extend(of_options.clone());
        faults.extend(further.into_iter().filter(|fault| !faults.contains(fault)).collect::<Vec<_>>());
        given.extend(over.clone());
        let values = given.iter().map(|(name, value)| (name, value.given.value(), value.place));
        let mut made = environment(session, env.name.clone(), values, &mut left);
        let selected = || workspace(&listed.listed, &env.name).or_else(|| session.host.env("TF_WORKSPACE"));
        made.unreadable.extend(unreadable);
        made.workspace = env.workspace.clone().or_else(selected).map(Arc::from);
        environments.push(made);
        sources.insert(env.name.clone(), arguments(&env));
        given_to_all.push(given);
    }
    session.keep_back(&given_to_all);
    (Inputs { environments, ..listed }, sources, faults)
}

/// The values of a run's own options, and what is wrong with these.
fn values_of_options<H: Host + Clone>(session: &mut Session<H>, vars: &[VarArg]) -> (VarValues, Vec<Issue>) {
    let view = View { host: &session.host, overlay: &session.overlay };
    // What is wrong without them is no fault of theirs.
    let (_, known) = collect(view, &mut session.config, &[]);
    let (mut values, mut issues) = collect(view, &mut session.config, vars);
    values.retain(|_, v| v.is_of(vars));
    issues.retain(|issue| issue.is_error() && known.iter().all(|other| !is_same(issue, other)));
    session.keep_back([&values]);
    (values, issues)
}

/// Returns true if two issues say the same, in whichever reading of a file.
fn is_same(one: &Issue, other: &Issue) -> bool {
    let span = |issue: &Issue| issue.place.map(|place| place.span);
    (one.code, &one.summary, &one.why, span(one)) == (other.code, &other.summary, &other.why, span(other))
}

/// What Terraform refuses in variable files, and what is wrong besides: files that can't be read, options that aren't right.
fn split_refused<H: Host + Clone>(session: &Session<H>, faults: Vec<Issue>) -> (Vec<Unreadable>, Vec<Issue>) {
    let mut refused = Vec::new();
    let mut others = Vec::new();
    for fault in faults.into_iter().filter(Issue::is_error) {
        match fault.place {
            Some(place) if matches!(fault.code, Code::Unparsable | Code::Invalid) => {
                let of = session.config.sources.get(place.file).map(|file| paths::shown(&file.path));
                let error = format!("{}: {}", fault.summary, fault.why);
                refused.push(Unreadable { of: of.unwrap_or_default(), error, place });
            }
            _ => others.push(fault),
        }
    }
    (refused, others)
}

/// Inputs of another configuration, each as an environment of this one that is named by its number.
pub fn witnesses<H: Host + Clone>(session: &Session<H>, witnesses: &[&Witness]) -> Inputs {
    let one = |(number, witness): (usize, &&Witness)| {
        let given = witness.variables.iter().map(|(name, value)| (name, Ok(value.clone()), None));
        let made = environment(session, number.to_string().into(), given, &mut PartsLeft::default());
        Environment { workspace: Some(witness.workspace.clone()), ..made }
    };
    Inputs { environments: witnesses.iter().enumerate().map(one).collect(), ..Inputs::default() }
}

/// The workspace of an environment: among those that are listed, the one that is named like it, else the default one.
fn workspace(listed: &Listed, name: &str) -> Option<String> {
    let all: Vec<&str> = listed.get(WORKSPACE)?.iter().filter_map(Value::as_str).collect();
    let found = [name, "default"].into_iter().find(|w| all.contains(w)).or(all.first().copied());
    found.map(str::to_owned)
}

/// A value that Terraform doesn't evaluate: one that refers to something, or calls a function.
fn no_constant(variable: &Variable, error: &EvalError, place: Option<Place>) -> Unreadable {
    let said = error.message.to_string();
    let summary = said.split(':').next().unwrap_or_default();
    let error = if variable.is_hidden() { format!("{summary}: {ERROR_OF_SECRET}.") } else { said };
    let place = place.unwrap_or(variable.decl.place());
    Unreadable { of: format!("var.{}", variable.name), error, place }
}

fn environment<'a, H: Host + Clone>(
    session: &Session<H>,
    name: Arc<str>,
    given: impl Iterator<Item = (&'a Arc<str>, Result<Value, EvalError>, Option<Place>)>,
    left: &mut PartsLeft,
) -> Environment {
    let mut made = Environment { name, ..Environment::default() };
    for (name, value, place) in given {
        let Some(variable) = session.config.root().and_then(|m| m.variables.get(name)) else { continue };
        let raw = match value {
            Ok(raw) => raw,
            // What is too much to compute is no failure.
            Err(error) if error.limit => continue,
            Err(error) => {
                made.unreadable.push(no_constant(variable, &error, place));
                continue;
            }
        };
        let required = !variable.nullable && variable.default.is_none();
        let accepted = variable.accept(&raw).and_then(|own| left.take(&own).map(|()| own));
        let why = match accepted {
            Ok(own) if !(required && own.is_known() && own.is_null()) => {
                made.values.insert(name.clone(), own.unmark_deep().0);
                made.places.extend(place.map(|place| (name.clone(), place)));
                continue;
            }
            Ok(_) => ("Required variable not set", "required variable may not be set to null".to_owned()),
            Err(e) => ("Invalid value for input variable", EvalError::from(e).message.to_string()),
        };
        let (summary, text) = (why.0, why.1.trim_end_matches('.'));
        made.unsuitable.push(Unsuitable {
            name: name.clone(),
            value: if variable.sensitive { Value::null(Type::Dynamic) } else { raw },
            error: format!("{summary}: The given value is not suitable for var.{name}: {text}."),
            place,
        });
    }
    made
}
