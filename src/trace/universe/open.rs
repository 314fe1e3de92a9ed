//! Why a value that nothing narrows has no end, and what would narrow it.

use super::culprit::cut;
use crate::addr::FieldAddr;
use crate::cond::{TermId, can_name};
use crate::config::Variable;
use crate::eval::{Bindings, eval};
use crate::issue::Code;
use crate::syntax::{self, Expr, ExprKind, traversal};
use crate::text::Place;
use crate::trace::{
    Home, NOWHERE, Part, Reason, ReasonKind, Tracer,
    tracer::samples::{sample, universes_of},
};
use crate::value::Type;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Expressions whose values depend on the machine.
const MACHINE: [&str; 3] = ["abspath(", "pathexpand(", "path.cwd"];

impl Tracer<'_> {
    /// Returns the reason for a value that is one of these terms, or is computed from them, and depends on these root
    /// variables.
    pub(in crate::trace) fn no_universe(
        &mut self,
        (field, ty): (&FieldAddr, &Type),
        terms: &[TermId],
        variables: &BTreeSet<Arc<str>>,
        place: Place,
    ) -> Reason {
        if let Some(reason) = self.open_axis_of(terms, field, place) {
            return reason;
        }
        if let Some(reason) = self.open_variables((field, ty), variables) {
            return reason;
        }
        if let Some(because) = terms.iter().find_map(|term| self.origins.because_of(*term)) {
            return Reason::clone(because);
        }
        let home = |t: &TermId| self.origins.info(*t)?.home.as_ref().map(|h| h.text.to_string());
        let met = |t: &TermId| self.quote(self.origins.info(*t)?.place?);
        let what =
            terms.iter().find_map(home).or_else(|| terms.iter().find_map(met)).or_else(|| self.quote(place));
        let said = what.as_ref().map_or_else(|| "the value".to_owned(), |what| format!("`{}`", cut(what)));
        let culprits = self.behind_terms(terms.iter().copied());
        let why = match what.as_ref().is_none_or(|what| culprits.is_empty() || culprits.is(what)) {
            true => format!("{said} may take any value, and nothing lists the ones that are meant."),
            false => format!(
                "{} may take any value, and nothing lists the ones that are meant. {said} is computed from {}.",
                culprits.listed(),
                if culprits.are_many() { "them" } else { "it" }
            ),
        };
        let reason = Reason::new(Code::NoUniverse, why, Some(place));
        let workspace = crate::trace::WORKSPACE;
        if what.as_ref().is_some_and(|what| what.contains(workspace)) {
            let paste = format!("variable \"{workspace}\" {{\n  universe = [\"default\", \"other\"]\n}}");
            return reason.fix("List the workspaces in `phi.hcl`:", paste);
        }
        let data = terms.iter().find_map(|t| {
            let within = || self.attribute_of_data_in(self.origins.info(*t)?.home.as_ref()?);
            self.attribute_of_data(self.formulas.key(*t)).or_else(within)
        });
        if let Some(label) = data {
            let homes: Vec<Home> = terms.iter().filter_map(|t| self.origins.info(*t)?.home.clone()).collect();
            return self.with_values_of(reason, &label, &homes);
        }
        if let Some(culprit) = terms.iter().find_map(|t| find_of_machine(self.formulas.key(*t))) {
            let computed = match what.is_some_and(|what| what.contains(culprit)) {
                true => String::new(),
                false => format!("is computed from `{}`, which ", cut(culprit)),
            };
            let why = format!(
                "{said} {computed}differs from machine to machine, and nothing lists the values that are meant."
            );
            return Reason::new(Code::NoUniverse, why, Some(place)).fix(
                "Write a path that begins with `path.module` or `path.root`, which are the same everywhere; or choose by a variable \
                 whose values are listed.",
                "",
            );
        }
        reason.fix("Choose by a variable whose values are listed, instead.", "")
    }
}

/// Finds the first part of an expression whose value depends on the machine: a call, or `path.cwd`.
fn find_of_machine(text: &str) -> Option<&str> {
    let (start, name) = MACHINE.iter().filter_map(|name| Some((text.find(name)?, name))).min()?;
    let rest = text.get(start..)?;
    if !name.ends_with('(') {
        return rest.get(..name.len());
    }
    let mut depth = 0_usize;
    let is_last = |c: char| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => return false,
        };
        depth == 0
    };
    let end = rest.find(is_last).map_or(rest.len(), |end| end + 1);
    rest.get(..end)
}

/// The usual type of a data source's attribute: two texts.
const TEXTS: (&str, &str) = ("\"a\"", "\"b\"");

/// Two values of each other type that it may have.
const SAMPLES: [(&str, &str); 9] = [
    ("[\"a\"]", "[\"b\"]"),
    ("[\"a\", \"b\"]", "[\"c\", \"d\"]"),
    ("[\"a\", \"b\", \"c\"]", "[\"d\", \"e\", \"f\"]"),
    ("[\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]", "[\"g\", \"h\", \"i\", \"j\", \"k\", \"l\"]"),
    ("1", "2"),
    ("true", "false"),
    ("{ key = \"a\" }", "{ key = \"b\" }"),
    ("[1]", "[2]"),
    ("[{ key = \"a\" }]", "[{ key = \"b\" }]"),
];

impl Tracer<'_> {
    /// Adds how to list values. A value that is computed element by element from an open one is no term, but the
    /// field's own expression may name a data source.
    pub(in crate::trace) fn with_listing(
        &mut self,
        reason: Arc<Reason>,
        field: &FieldAddr,
        place: Place,
    ) -> Arc<Reason> {
        let reason = self.with_names(reason, place);
        let said = !reason.defaults.is_empty() || reason.fixes.iter().any(|fix| !fix.paste.is_empty());
        if said || reason.code != Code::NoUniverse {
            return reason;
        }
        let home = Home { scope: field.module.clone(), text: self.inputs.config.sources.slice(place).into() };
        match self.attribute_of_data_in(&home) {
            Some(label) => Arc::new(self.with_values_of(Reason::clone(&reason), &label, &[home])),
            None => reason,
        }
    }

    /// A reason that says what a value is computed from.
    fn with_names(&self, reason: Arc<Reason>, place: Place) -> Arc<Reason> {
        if reason.kind != ReasonKind::Computed {
            return reason;
        }
        let culprits = self
            .behind_text(&reason.defaults, self.inputs.config.sources.slice(reason.place.unwrap_or(place)));
        if culprits.is_empty() {
            return reason;
        }
        let why = format!(
            "{} may take any value, and nothing lists the ones that are meant. The value is computed from {}.",
            culprits.listed(),
            if culprits.are_many() { "them" } else { "it" }
        );
        Arc::new(Reason { why, kind: ReasonKind::Said, ..Reason::clone(&reason) })
    }

    /// The reason's way out by two values for an attribute of a data source, of a type that the expressions around it take.
    fn with_values_of(&mut self, reason: Reason, label: &FieldAddr, homes: &[Home]) -> Reason {
        let (first, second) = self.samples_of(label, homes);
        let paste = format!("variable \"{label}\" {{\n  universe = [{first}, {second}]\n}}");
        reason.fix(format!("List the values of `{}` in `phi.hcl`:", label.local()), paste)
    }

    fn samples_of(&mut self, label: &FieldAddr, homes: &[Home]) -> (String, String) {
        let named = label.local().to_string();
        let fits =
            |value: &str, tracer: &mut Self| homes.iter().all(|home| tracer.would_take(home, &named, value));
        let found =
            [TEXTS].iter().chain(&SAMPLES).copied().find(|(first, _)| fits(first, self)).unwrap_or(TEXTS);
        (found.0.to_owned(), found.1.to_owned())
    }

    /// Returns true if an expression gives a value where what it names has this one.
    fn would_take(&mut self, home: &Home, named: &str, value: &str) -> bool {
        let Ok(whole) = syntax::parse_expr(&home.text) else { return true };
        let mut text = home.text.to_string();
        let found = traversal::variables(&whole).into_iter().filter(|v| &*v.root.text == "data");
        for at in found.map(|v| v.span.range().start).collect::<Vec<_>>().into_iter().rev() {
            if text.get(at..).is_some_and(|rest| rest.starts_with(named)) {
                text.replace_range(at..at + named.len(), &format!("({value})"));
            }
        }
        let (Ok(expr), Some(instance)) = (syntax::parse_expr(&text), self.instance_at(&home.scope)) else {
            return true;
        };
        let mut frame = self.frame(instance);
        let given = eval(&mut frame, NOWHERE, &expr, &Bindings::default());
        !given.alts().iter().all(|alt| matches!(alt.part, Part::Failed(_)))
    }
}

impl Tracer<'_> {
    /// Returns the reason for the root variables among these that nothing narrows and for which no default counts.
    fn open_variables(&self, field: (&FieldAddr, &Type), names: &BTreeSet<Arc<str>>) -> Option<Reason> {
        let root = self.inputs.config.root()?;
        let all = names.iter().filter(|n| self.universe_of(n).is_none());
        let outside = |v: &Variable| self.inputs.config.is_from_outside(&v.name);
        let open: Vec<&Variable> =
            all.filter_map(|n| root.variables.get(n)).filter(|v| v.default.is_none() || outside(v)).collect();
        match open.as_slice() {
            [] => None,
            [first, ..] if open.iter().all(|v| outside(v)) => Some(from_outside(first, &open)),
            [only] => Some(of_variable(field, only)),
            [first, ..] => Some(of_variables(field, first, &open)),
        }
    }

    /// Returns the reason for a field with two alternatives that can't be narrowed. If both are open variables, all
    /// are named, so that one fix is enough.
    pub(in crate::trace) fn both_open(
        &self,
        field: &FieldAddr,
        first: Option<Arc<Reason>>,
        second: Arc<Reason>,
    ) -> Arc<Reason> {
        let Some(first) = first else { return second };
        let open = |r: &Reason| r.code == Code::NoUniverse && !r.defaults.is_empty();
        if !open(&first) || !open(&second) || second.defaults.is_subset(&first.defaults) {
            return first;
        }
        let all = first.defaults.union(&second.defaults).cloned().collect();
        self.open_variables((field, &Type::Dynamic), &all).map_or(first, Arc::new)
    }
}

/// Returns the reason for variables that deployments take from HCP.
fn from_outside(first: &Variable, all: &[&Variable]) -> Reason {
    let names: Vec<String> = all.iter().map(|v| format!("var.{}", v.name)).collect();
    let why = format!("a deployment takes {} from HCP, which alone knows the value.", names.join(" and "));
    Reason::new(Code::NoUniverse, why, Some(first.decl.place()))
        .fix("If it takes a handful of values, list them in `phi.hcl`:", universes_of(all))
        .over(all.iter().map(|v| v.name.clone()).collect())
}

/// Returns the reason for several root variables without a default.
fn of_variables((field, ty): (&FieldAddr, &Type), first: &Variable, all: &[&Variable]) -> Reason {
    let names: Vec<String> = all.iter().map(|v| format!("var.{}", v.name)).collect();
    let why = match names.split_last() {
        Some((last, others)) => format!(
            "{} and {last} have no default values, and no validation blocks list the allowed ones.",
            others.join(", ")
        ),
        None => String::new(),
    };
    let last = field.path.0.last().map_or("value", |s| s.as_ref());
    let over = all.iter().map(|v| v.name.clone()).collect();
    Reason::new(Code::NoUniverse, why, Some(first.decl.place()))
        .fix("List their values in `phi.hcl`:", universes_of(all))
        .fix("Or give each of them a default, or a `validation` block that lists its values.", "")
        .fix(
            "Hardcode the value if it doesn't need to be configurable:",
            format!("{last} = {}", sample(ty, false)),
        )
        .over(over)
}

/// The place of a number in a validation block that no condition can name.
fn find_fraction(variable: &Variable) -> Option<Place> {
    fn find_literal(expr: &Expr) -> Option<&Expr> {
        match &expr.kind {
            ExprKind::Number(number) if !can_name(number) => Some(expr),
            _ => expr.children().into_iter().find_map(find_literal),
        }
    }
    let conditions = variable.validations.iter().map(|rule| &rule.condition);
    conditions.into_iter().find_map(|of| Some(Place { file: of.file, span: find_literal(&of.node)?.span }))
}

/// Returns the reason for a root variable without a default.
fn of_variable((field, ty): (&FieldAddr, &Type), variable: &Variable) -> Reason {
    let name = &variable.name;
    if let Some(place) = find_fraction(variable) {
        let why = format!(
            "var.{name} has no default value, and what its validation block lists are fractions of more than 15 significant digits. Which of \
             these are equal to Terraform hangs on how each was computed: no condition tells one from others."
        );
        return Reason::new(Code::PlanStability, why, Some(place))
            .fix("Write numbers with at most 15 significant digits; or make them strings, which are compared as they stand.", "")
            .over(BTreeSet::from([name.clone()]));
    }
    let why = format!("var.{name} has no default value, and no validation block lists the allowed values.");
    let (a, b) = (sample(&variable.ty, false), sample(&variable.ty, true));
    // What the variable may leave out may be left out of a literal of its type.
    let ty = if *ty == variable.ty.without_optional() { &variable.ty } else { ty };
    let last = field.path.0.last().map_or("value", |s| s.as_ref());
    let mut reason = Reason::new(Code::NoUniverse, why, Some(variable.decl.place()))
        .fix(format!("Give the variable a default (in `variable \"{name}\"`):"), format!("default = {a}"));
    // A collection that is written out is of another type than the variable's, and equal to none of its values.
    if matches!(variable.ty, Type::String | Type::Number | Type::Bool | Type::Dynamic) {
        reason = reason.fix(
            format!("Constrain the variable (in `variable \"{name}\"`):"),
            format!(
                "validation {{\n  condition     = contains([{a}, {b}], var.{name})\n  error_message = \"{name} must be one of the \
                 listed values.\"\n}}"
            ),
        );
    }
    reason
        .fix("List its values in `phi.hcl`:", universes_of(&[variable]))
        .fix(
            "Hardcode the value if it doesn't need to be configurable:",
            format!("{last} = {}", sample(ty, false)),
        )
        .over([name.clone()].into())
}
