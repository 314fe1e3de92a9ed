//! A trace as it is reported: everything that is printed of it, taken out of the prover.

use crate::addr::ModulePath;
use crate::cond::Condition;
use crate::eval::EvalError;
use crate::gate::{Choice, Gate, Prover};
use crate::issue::{Code, Fix, Issue};
use crate::matrix::shown;
use crate::text::{Place, Sources, one_line};
use crate::trace::{Branch, HopText, Hops, Outcomes, Reason, Trace, Traced};
use crate::value::{Data, Value, hcl};
use std::sync::Arc;

/// One trace, ready to print.
#[derive(Clone, Debug)]
pub struct TraceReport {
    /// The field's address, or the expression.
    pub field: String,
    /// The result.
    pub found: Found,
    /// The expression whose numbers are rounded up to the values, where bins cut its range.
    pub rounded_from: Option<String>,
}

/// The result of a trace.
#[derive(Clone, Debug)]
pub enum Found {
    /// One value.
    Resolved(Box<Row>),
    /// A finite set.
    Bounded {
        /// The expression on which all branches disagree, where they share one.
        selector: Option<String>,
        /// The branches.
        rows: Vec<Row>,
        /// True if there are cases in which Terraform would stop instead.
        fails: bool,
    },
    /// Nothing finite.
    Unbounded {
        /// The code.
        code: Code,
        /// Sentences.
        why: String,
        /// The place that stands in the way.
        place: Option<Place>,
        /// The fixes.
        fixes: Vec<Fix>,
    },
    /// Terraform would stop.
    Error(EvalError),
}

/// One branch.
#[derive(Clone, Debug)]
pub struct Row {
    /// The value itself.
    pub given: Value,
    /// True if it must not be shown as JSON.
    pub secret: bool,
    /// The condition.
    pub condition: Arc<Condition>,
    /// Values that must not be shown in it.
    pub secrets: Vec<Value>,
    /// The gate: a boolean expression that is valid in `scope`.
    pub gate: String,
    /// The module in which the gate is valid.
    pub module: ModulePath,
    /// `""` for the root, else `module.a`.
    pub scope: String,
    /// The hops from the field to where the value stands, each with its place.
    pub path: Hops,
    /// The block that holds the field.
    pub block: Place,
}

/// A selector speaks of few values.
const MOST_SECRETS: usize = 256;

pub use crate::pipeline::{ERROR_OF_SECRET, HIDDEN};

/// A text with something else in the place of values that aren't shown.
pub(super) fn without(text: &str, secrets: &[Value]) -> String {
    let texts = secrets.iter().filter(|secret| !is_plain_word(secret)).filter_map(hcl::to_hcl);
    texts.fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), HIDDEN))
}

/// Hops without the values that aren't shown.
pub(super) fn concealed(hops: &Hops, secrets: &[Value]) -> Hops {
    let all: Vec<(&HopText, Option<Place>)> = hops.iter().collect();
    let said = |hop: &HopText| -> HopText {
        match hop {
            HopText::Literal(_) => HopText::Concealed(format!("Prim {HIDDEN}").into()),
            hop => HopText::Concealed(without(&hop.to_string(), secrets).into()),
        }
    };
    all.into_iter().rfold(Hops::NONE, |rest, (hop, place)| rest.before(said(hop), place))
}

/// Hops, some of them with other words.
pub(super) fn concealed_where(hops: &Hops, other: &dyn Fn(&str) -> Option<String>) -> Hops {
    let all: Vec<(&HopText, Option<Place>)> = hops.iter().collect();
    let others: Vec<Option<String>> = all.iter().map(|(hop, _)| other(&hop.to_string())).collect();
    if others.iter().all(Option::is_none) {
        return hops.clone();
    }
    all.into_iter().zip(others).rfold(Hops::NONE, |rest, ((hop, place), other)| {
        let hop = other.map_or_else(|| hop.clone(), |other| HopText::Concealed(other.into()));
        rest.before(hop, place)
    })
}

/// Returns true for values that stand everywhere, and whose places would only be lost.
fn is_plain_word(value: &Value) -> bool {
    value.is_null() || matches!(value.data, Data::Bool(_)) || value.as_str() == Some("")
}

impl Row {
    /// Takes the value out of everything that is said of it.
    fn conceal(&mut self) {
        self.secret = true;
        self.gate = without(&self.gate, &self.secrets);
        self.path = concealed(&self.path, &self.secrets);
    }

    /// The value as HCL. Found where it is read: JSON needs none.
    pub fn text(&self) -> String {
        if self.secret {
            return HIDDEN.to_owned();
        }
        let other = || if self.given.is_plain() { shown(&self.given) } else { HIDDEN.to_owned() };
        hcl::to_hcl(&self.given).unwrap_or_else(other)
    }

    /// The line that the value comes from: of the hops in a file the last.
    pub(super) fn origin(&self, sources: &Sources) -> Option<String> {
        let hops = self.path.iter().filter(|(hop, _)| !hop.is_given());
        hops.filter_map(|(_, place)| line_of(sources, place?)).last()
    }
}

/// The facts about a traced field that the trace itself doesn't hold.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The name of the field.
    pub name: &'a str,
    /// The module in which `text` is valid.
    pub scope: ModulePath,
    /// The field's own expression, where its text can stand elsewhere in the module.
    pub text: Option<String>,
    /// True if the first hop only repeats the name.
    pub skip_first: bool,
    /// Values that must not be shown.
    pub secrets: &'a [Value],
}

impl Found {
    /// Returns the values, where they are known.
    pub fn rows(&self) -> &[Row] {
        match self {
            Found::Resolved(row) => std::slice::from_ref(row),
            Found::Bounded { rows, .. } => rows,
            Found::Unbounded { .. } | Found::Error(_) => &[],
        }
    }

    /// Returns true if there is an error wherever no value is given.
    pub fn fails(&self) -> bool {
        matches!(self, Found::Bounded { fails: true, .. })
    }
}

impl TraceReport {
    /// Reads a trace off, with the gates of its branches.
    pub fn new(prover: &mut Prover<'_, '_>, trace: &Trace, subject: &Subject<'_>) -> TraceReport {
        let found = match &trace.result {
            Traced::Resolved(branch) => {
                let always =
                    Gate { text: "true".into(), negated: false, condition: Condition::Always.into() };
                Found::Resolved(Box::new(row(branch, &always, &ModulePath::ROOT, trace.block, subject)))
            }
            Traced::Bounded(outcomes) => bounded(prover, outcomes, trace, subject),
            Traced::Unbounded(reason) => unbounded(reason, trace.at),
            Traced::Rejected(e) if e.limit => {
                unbounded(&Reason::new(Code::TooLarge, e.message.to_string(), e.place), trace.at)
            }
            Traced::Rejected(e) => Found::Error(e.clone()),
        };
        let rounded_from = trace.rounded.as_ref().map(|rounded| rounded.text.clone());
        TraceReport { field: subject.name.to_owned(), found, rounded_from }
    }

    /// Takes the values out of everything that is said of a field that is secret by its name.
    pub fn conceal(&mut self) {
        self.rounded_from = None;
        match &mut self.found {
            Found::Resolved(row) => row.conceal(),
            Found::Bounded { selector, rows, .. } => {
                let secrets: Vec<Value> =
                    rows.iter().flat_map(|row| row.secrets.clone()).take(MOST_SECRETS).collect();
                *selector = selector.take().map(|text| without(&text, &secrets));
                rows.iter_mut().for_each(Row::conceal);
            }
            // Words about a value may quote it.
            Found::Unbounded { why, .. } if why.contains('"') => {
                "it holds a secret, of which no more is said.".clone_into(why);
            }
            Found::Unbounded { .. } => {}
            Found::Error(e) => e.message = ERROR_OF_SECRET.into(),
        }
    }

    /// The finding that it is, where nothing finite was found.
    pub fn issue(&self) -> Option<Issue> {
        let field = self.field.clone();
        match &self.found {
            Found::Resolved(_) | Found::Bounded { .. } => None,
            Found::Unbounded { code, why, place, fixes } => {
                let issue = Issue::error(*code, format!("can't determine the value of {field}"), why.clone());
                Some(Issue { fixes: fixes.clone(), ..issue }.at(*place).about(field))
            }
            Found::Error(e) => {
                let issue =
                    Issue::error(Code::Invalid, format!("{field} is an error"), e.message.to_string());
                Some(issue.at(e.place).about(field))
            }
        }
    }

    /// The same, where values of variables are given: of which variable, how it is said, and where that is declared.
    pub fn under(&mut self, given: &[(Arc<str>, HopText, Place)]) {
        let rows = match &mut self.found {
            Found::Resolved(row) => std::slice::from_mut(&mut **row),
            Found::Bounded { rows, .. } => rows.as_mut_slice(),
            Found::Unbounded { .. } | Found::Error(_) => return,
        };
        let more = given.iter().rfold(Hops::NONE, |rest, (_, hop, at)| rest.before(hop.clone(), Some(*at)));
        let of = |hop: &HopText| hop.variable().map(|name| name.split('.').next().unwrap_or(name).to_owned());
        let said = |hop: &HopText| of(hop).is_some_and(|name| given.iter().any(|(n, ..)| **n == *name));
        for row in rows {
            row.path = row.path.and_then(|hop| !said(hop), more.clone());
        }
    }

    /// `resolved`, `bounded`, `unbounded` or `error`, and the code where there is one.
    pub fn kind(&self) -> (&'static str, Option<Code>) {
        match &self.found {
            Found::Resolved(_) => ("resolved", None),
            Found::Bounded { .. } => ("bounded", None),
            Found::Unbounded { code, .. } => ("unbounded", Some(*code)),
            Found::Error(_) => ("error", None),
        }
    }
}

fn unbounded(reason: &Reason, expr: Place) -> Found {
    Found::Unbounded {
        code: reason.code,
        why: reason.why.clone(),
        place: Some(reason.place.unwrap_or(expr)),
        fixes: reason.fixes.clone(),
    }
}

fn bounded(prover: &mut Prover<'_, '_>, outcomes: &Outcomes, trace: &Trace, subject: &Subject<'_>) -> Found {
    let branches = &outcomes.branches;
    // An error under values that nobody listed is kept out by the variable's validation.
    let fails = !prover.formulas().is_false(outcomes.failing).unwrap_or(false);
    let choices: Vec<Choice> = branches
        .iter()
        .map(|b| Choice {
            when: b.when,
            shown: b.shown.clone(),
            equals: subject.text.iter().map(|t| (t.clone(), b.value.clone())).collect(),
            own: Vec::new(),
        })
        .collect();
    let (scope, target) = (&subject.scope, &trace.field.target);
    let gates = match &trace.per_entry {
        Some(per_entry) => prover.gates_per_entry(&choices, scope, target, &per_entry.dynamics),
        None => prover.gates(&choices, scope, target),
    };
    let Some(gates) = gates else {
        let values = match branches.len() {
            1 => "takes one value or is an error".to_owned(),
            n => format!("takes one of {n} values"),
        };
        let by = prover.tracer().decides(branches.iter().map(|b| b.when));
        let by = by.filter(|_| branches.len() > 1).map_or_else(String::new, |by| format!(", which {by}"));
        let why =
            format!("it {values}{by}, but no expression that one module can hold was shown to tell when.");
        if let Some(per_entry) = &trace.per_entry {
            return unbounded(&per_entry.reason, trace.at);
        }
        let reason = Reason::new(Code::IterationDependent, why, Some(trace.at)).fix(
            "Choose by an expression in one module, and hand its result down to where it is needed.",
            "",
        );
        return unbounded(&reason, trace.at);
    };
    let rows = branches.iter().zip(&gates.gates);
    let rows = rows.map(|(b, g)| row(b, g, &gates.scope, trace.block, subject)).collect();
    Found::Bounded { selector: selector(gates.gates.iter().map(|g| &*g.condition)), rows, fails }
}

/// The one expression that all conditions speak of.
fn selector<'c>(conditions: impl Iterator<Item = &'c Condition>) -> Option<String> {
    let mut sites = conditions.flat_map(|c| c.sites());
    let first = sites.next()?;
    sites.all(|s| s.text == first.text && s.scope == first.scope).then(|| first.text.to_string())
}

fn row(branch: &Branch, gate: &Gate, scope: &ModulePath, block: Place, subject: &Subject<'_>) -> Row {
    Row {
        given: branch.value.clone(),
        secret: subject.secrets.contains(&branch.value),
        condition: gate.condition.clone(),
        secrets: subject.secrets.to_vec(),
        gate: if gate.negated { format!("!({})", gate.text) } else { gate.text.clone() },
        module: scope.clone(),
        scope: scope.to_string(),
        path: hops(&branch.hops, subject),
        block,
    }
}

fn hops(hops: &Hops, subject: &Subject<'_>) -> Hops {
    let hops = if subject.skip_first { hops.rest() } else { hops.clone() };
    if subject.secrets.is_empty() {
        return hops;
    }
    let secrets: Vec<String> = subject.secrets.iter().filter_map(hcl::to_hcl).collect();
    let shown = |hop: &HopText| -> HopText {
        let text = hop.to_string();
        match secrets.iter().any(|s| text.ends_with(s.as_str())) {
            true => secrets.iter().fold(text, |t, s| t.replace(s.as_str(), "(sensitive value)")).into(),
            false => hop.clone(),
        }
    };
    let all: Vec<(&HopText, Option<Place>)> = hops.iter().collect();
    all.into_iter().rfold(Hops::NONE, |rest, (hop, place)| rest.before(shown(hop), place))
}

/// Returns the place of a hop as `file:line`.
pub(super) fn line_of(sources: &Sources, place: Place) -> Option<String> {
    // A name in angle brackets stands for a text that is in no file.
    let file = sources.get(place.file).filter(|f| !f.path.to_string_lossy().starts_with('<'))?;
    Some(format!("{}:{}", one_line(&file.shown().to_string_lossy()), file.line_col(place.span.start).line))
}
