//! Finds the conditions under which a check fails: the errors among the alternatives of its expression.
//!
//! In: a check, a tracer. Out: [`Fault`]s. Invariant: an unknown value is no fault. An error that comes from another declaration
//! counts there, not here.

use super::checks::{Check, Kind, Rule, Whose};
use super::ephemeral::{EPHEMERAL_PASSED, ephemeral_kept, is_ephemeral};
use super::repeated;
use crate::addr::Target;
use crate::cond::FormulaId;
use crate::config::{CheckRule, In, Module, Output, Role, Variable};
use crate::eval::{At, Bindings, EvalError, eval};
use crate::issue::Code;
use crate::syntax::Attribute;
use crate::syntax::traversal::input_variables;
use crate::text::Place;
use crate::trace::repetition::never_instantiated::calls_to;
use crate::trace::{Alt, Decl, Frame, Guarded, IN_NO_FILE, InstanceId, Origin, Part, Tracer};
use crate::value::{Mark, Type, Value, convert};
use std::sync::Arc;

/// A way in which a check fails.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// The condition under which it fails, instances and entries included.
    pub when: FormulaId,
    /// Terraform's summary and detail.
    pub error: Arc<str>,
    /// The expression that fails.
    pub place: Place,
    /// True if a rule is false, so that Terraform shows its message.
    pub is_false: bool,
}

/// The faults of one check.
#[derive(Clone, Default, Debug)]
pub(super) struct Faults {
    /// The faults.
    pub list: Vec<Fault>,
    /// True if some case couldn't be decided.
    pub undecided: bool,
}

impl Faults {
    pub(super) fn add(&mut self, when: FormulaId, error: impl Into<Arc<str>>, place: Place) {
        self.list.push(Fault { when, error: error.into(), place, is_false: false });
    }

    /// Notes the errors among the alternatives of a value that stand at a place; the others, for a closer look.
    pub(super) fn errors<'v>(
        &mut self,
        frame: &Frame<'_, '_>,
        value: &'v Guarded,
        place: Place,
    ) -> Vec<&'v Alt> {
        let mut values = Vec::new();
        for alt in value.alts() {
            match &alt.part {
                Part::Failed(e) if e.limit => self.undecided = true,
                Part::Failed(e) => match e.place {
                    Some(at) if within(at, place) => self.add(alt.when, e.message.clone(), at),
                    None if !e.elsewhere => self.add(alt.when, e.message.clone(), place),
                    _ => {}
                },
                Part::Value(v) => {
                    self.undecided |= is_declined(frame.tracer, v);
                    values.push(alt);
                }
                Part::Object(_) | Part::Tuple(_) => values.push(alt),
            }
        }
        values
    }
}

/// Returns true if a value is unknown because it was too large to compute, or can't be computed at all.
fn is_declined(tracer: &Tracer<'_>, value: &Value) -> bool {
    if value.is_wholly_known() {
        return false;
    }
    let declined = [Code::TooLarge, Code::TooDeep, Code::UnknownFunction, Code::Undecodable];
    let reason = |mark| tracer.origins.get(mark).and_then(Origin::reason);
    value.marks_deep().iter().any(|mark| reason(mark).is_some_and(|reason| declined.contains(&reason.code)))
}

fn within(inner: Place, outer: Place) -> bool {
    inner.file == outer.file && outer.span.start <= inner.span.start && inner.span.end <= outer.span.end
}

impl<'a> Tracer<'a> {
    /// Returns the faults of a check.
    pub(super) fn faults(&mut self, check: &Check<'_>) -> Faults {
        self.begin();
        let mut found = self.of_instances(check);
        for fault in self.unexpanded(check) {
            // What fails for every input fails where there is an instance as well.
            let same = |f: &Fault| f.place == fault.place && f.error == fault.error;
            match found.list.iter_mut().find(|f| same(f)) {
                Some(known) => known.when = self.formulas.or(known.when, fault.when).unwrap_or(known.when),
                None => found.list.push(fault),
            }
        }
        found
    }

    /// Returns the faults of a check in instances that exist.
    fn of_instances(&mut self, check: &Check<'_>) -> Faults {
        self.scope.masked = FormulaId::FALSE;
        let mut found = Faults::default();
        let Some(instance) = self.instance_at(check.path) else { return found };
        if check.path.depth() > self.inputs.limits.depth {
            found.undecided = true;
            return found;
        }
        let mut frame = self.frame_of(check, instance);
        let own = frame.iteration.exists;
        let target = match &check.name.of {
            Whose::Target(target) => target.clone(),
            Whose::Check(name) => Target::Local(format!("check {name}").into()),
            Whose::Block(name) => Target::Local(name.clone()),
        };
        let axes = frame.within(&check.dynamics, &target);
        frame.ask(check, &axes.names, &mut found);
        let masked = self.scope.masked;
        if found.list.is_empty() || matches!(check.kind, Kind::Refused(..)) {
            return found;
        }
        let repeated = check.of.as_ref().is_some_and(|of| self.repeats(instance, of));
        let own = if repeated { Some(own) } else { own.map(Some) };
        let inner = own.into_iter().chain(axes.entries.iter().map(|entries| entries.exists));
        let Some(exists) = self.existence_if_known(check, inner, masked) else {
            return Faults { list: Vec::new(), undecided: true };
        };
        let held = self.holding(check, instance);
        found.list.retain_mut(|fault| {
            let Ok(there) = self.formulas.and(fault.when, exists) else {
                found.undecided = true;
                return false;
            };
            fault.when = there;
            // A rule that fails first is what Terraform says; where it always does, this is said as well.
            if let Ok(first) = self.formulas.and(there, held)
                && first != FormulaId::FALSE
            {
                fault.when = first;
            }
            there != FormulaId::FALSE
        });
        found
    }

    /// Returns the condition under which the module of a check has instances and something within it exists, apart from where it
    /// refers to what fails; nothing if that isn't known.
    fn existence_if_known(
        &mut self,
        check: &Check<'_>,
        mut inner: impl Iterator<Item = Option<FormulaId>>,
        masked: FormulaId,
    ) -> Option<FormulaId> {
        let mut all = FormulaId::TRUE;
        for (path, target) in calls_to(check.path) {
            let at = self.instance_at(&path)?;
            if self.repeats(at, &target) {
                let own = self.axis(at, &target).exists?;
                all = self.formulas.and(all, own).ok()?;
            }
        }
        all = inner.try_fold(all, |all, own| self.formulas.and(all, own?).ok())?;
        self.formulas.minus(all, masked).ok()
    }

    /// A place in the declaration of a check.
    fn frame_of(&mut self, check: &Check<'_>, instance: InstanceId) -> Frame<'_, 'a> {
        match &check.of {
            Some(of) => self.frame_in(instance, of),
            None => self.frame(instance),
        }
    }

    /// Returns the condition under which all rules hold that are evaluated before a check.
    fn holding(&mut self, check: &Check<'_>, instance: InstanceId) -> FormulaId {
        let mut failing = FormulaId::FALSE;
        for rule in check.after {
            let mut found = Faults::default();
            self.frame_of(check, instance).rule(rule, Rule::Precondition, &mut found);
            for fault in found.list {
                failing = self.formulas.or(failing, fault.when).unwrap_or(failing);
            }
        }
        for attr in check.planned.into_iter().flat_map(|body| &body.attributes) {
            let value = self.frame_of(check, instance).argument(attr);
            for alt in value.alts().iter().filter(|alt| alt.part.error().is_some_and(|e| !e.limit)) {
                failing = self.formulas.or(failing, alt.when).unwrap_or(failing);
            }
        }
        self.formulas.not(failing).unwrap_or(FormulaId::TRUE)
    }

    /// Returns the message of a rule that is false under a condition; nothing if it isn't known or is secret.
    pub(super) fn message(&mut self, check: &Check<'_>, under: FormulaId) -> Option<String> {
        let Kind::Rule(rule, whose) = &check.kind else { return None };
        let message = rule.error_message.as_ref()?;
        let module = self.inputs.config.at(check.path)?;
        let hides = |name: Arc<str>| module.variables.get(&name).is_some_and(|v| v.is_hidden());
        if input_variables(message).any(hides) {
            return None;
        }
        let instance = self.instance_at(check.path)?;
        let mut frame = self.frame_of(check, instance);
        let value =
            frame.with_bare(bare(whose), |frame| eval(frame, message.file, message, &Bindings::default()));
        let alt = value
            .alts()
            .iter()
            .find(|alt| self.formulas.and(alt.when, under).is_ok_and(|both| both != FormulaId::FALSE))?;
        let Part::Value(value) = &alt.part else { return None };
        let secret = value.marks_deep().is_secret() || value.has_mark_deep(Mark::Ephemeral);
        value.as_str().filter(|_| !secret).map(str::to_owned)
    }
}

/// The variable that is what was passed while a rule is evaluated, whatever its rules say.
fn bare<'r>(whose: &Rule<'r>) -> Option<&'r Arc<str>> {
    match whose {
        Rule::Validation(variable, _) => Some(&variable.name),
        _ => None,
    }
}

impl Tracer<'_> {
    /// A declaration's value; an error of another one where it refers to what fails.
    pub(in crate::trace) fn unmasked(&mut self, value: Guarded) -> Guarded {
        if self.scope.holds.is_none() || self.scope.masked == FormulaId::FALSE {
            return value;
        }
        // The error is none of the reference's: it stands nowhere near it.
        self.failing_where(self.scope.masked, value, IN_NO_FILE.place())
    }

    /// A value, and an error of another declaration under a condition.
    fn failing_where(&mut self, failing: FormulaId, value: Guarded, place: Place) -> Guarded {
        let Ok(sound) = self.formulas.not(failing) else { return value };
        let error = EvalError { elsewhere: true, ..EvalError::new("What it refers to fails.") };
        let failed = Guarded::failed(error.at(place));
        let mut out = Vec::new();
        let shown = crate::cond::Condition::always();
        let mut both = [(&value, sound), (&failed, failing)].into_iter();
        let made = both.try_for_each(|(part, when)| self.extend_under(&mut out, part, when, &shown));
        let made = made.map(|()| self.guarded(out, Some(place)));
        self.or_unknown(made)
    }
}

impl Frame<'_, '_> {
    /// Notes where what a reference leads to is an error of its own declaration.
    pub(in crate::trace) fn mask(&mut self, value: &Guarded, at: At) {
        if self.tracer.scope.holds.is_none() {
            return;
        }
        for alt in value.alts() {
            // What isn't declared is an error of the reference itself.
            let other = |e: &EvalError| e.elsewhere && !e.limit && e.place != Some(at.place());
            if alt.part.error().is_some_and(other) {
                let masked = self.tracer.scope.masked;
                self.tracer.scope.masked = self.tracer.formulas.or(masked, alt.when).unwrap_or(masked);
            }
        }
    }

    fn ask(&mut self, check: &Check<'_>, names: &Bindings<Guarded>, found: &mut Faults) {
        match &check.kind {
            Kind::Refused(error, place) => found.add(FormulaId::TRUE, error.clone(), *place),
            &Kind::Value(file, expr) => {
                let value = eval(self, file, expr, names);
                let place = Place { file, span: expr.span };
                found.errors(self, &value, place);
                for when in self.kept_where(check, &value) {
                    found.add(when, ephemeral_kept(check), place);
                }
            }
            &Kind::Entries(file, expr) => {
                let value = eval(self, file, expr, names);
                self.suits(&value, Place { file, span: expr.span }, repeated::entries, found);
            }
            &Kind::Local(name, place) => {
                let value = self.tracer.declared(self.instance, Decl::Local(name.clone()), At::new(place));
                found.errors(self, &value, place);
            }
            &Kind::Output(name, place) => self.output_faults(check, name, place, found),
            &Kind::Count(attr) => {
                let value = self.argument(attr);
                self.suits(&value, attr.value_place(), repeated::count, found);
            }
            &Kind::ForEach(attr) => {
                let value = self.argument(attr);
                self.suits(&value, attr.value_place(), repeated::for_each, found);
            }
            &Kind::Source(attr, unreadable) => {
                let value = self.argument(attr);
                for alt in value.alts() {
                    let source = alt.part.value().and_then(Value::as_str);
                    for issue in source.and_then(|source| unreadable.get(source)).into_iter().flatten() {
                        found.add(alt.when, format!("{}: {}", issue.summary, issue.why), attr.value_place());
                    }
                }
            }
            &Kind::Passed(variable, passed) => self.passed_faults(check, variable, passed, found),
            &Kind::Trigger(file, expr) => self.trigger_faults(check, (file, expr), found),
            &Kind::Rule(rule, whose) => {
                self.with_bare(bare(&whose), |frame| frame.rule(rule, whose, found));
            }
        }
    }

    fn suits(
        &self,
        value: &Guarded,
        place: Place,
        suits: fn(&Part) -> Result<(), String>,
        found: &mut Faults,
    ) {
        for alt in found.errors(self, value, place) {
            if let Err(e) = suits(&alt.part) {
                found.add(alt.when, e, place);
            }
        }
    }

    /// An output's value; what is sensitive in one of the root has to be said.
    fn output_faults(&mut self, check: &Check<'_>, name: &Arc<str>, place: Place, found: &mut Faults) {
        let value = self.tracer.declared(self.instance, Decl::Output(name.clone()), At::new(place));
        found.errors(self, &value, place);
        let config = self.tracer.inputs.config;
        let is_root = |m: &&Module| match m.role {
            Role::Module => check.path.is_root(),
            Role::Component => true,
            Role::Stack => false,
        };
        let own = config.at(check.path).filter(|m| m.role == Role::Module).and_then(|m| m.outputs.get(name));
        if own.is_some_and(|output| !output.ephemeral) {
            for alt in value.alts().iter().filter(|alt| is_ephemeral(alt)) {
                let why = "Ephemeral value not allowed: This output value is not declared as returning an ephemeral value, so it cannot be set \
                           to a result derived from an ephemeral value.";
                found.add(alt.when, why, place);
            }
        }
        let output = config.at(check.path).filter(is_root).and_then(|m| m.outputs.get(name));
        if let Some(output) = output.filter(|o| !o.sensitive && !o.ephemeral) {
            let when = self.tracer.sensitive_where(&value);
            if when != FormulaId::FALSE {
                found.add(when, SHOWS_SENSITIVE, output.decl.block.header());
            }
        }
    }

    /// Adds the faults of a module's argument: errors of the argument itself, and of its conversion.
    fn passed_faults(
        &mut self,
        check: &Check<'_>,
        variable: &Variable,
        passed: Option<&In<Attribute>>,
        found: &mut Faults,
    ) {
        let header = variable.decl.place();
        let place = passed.map_or(header, In::<Attribute>::value_place);
        let value =
            self.tracer.declared(self.instance, Decl::Variable(variable.name.clone()), At::new(place));
        let known = found.list.len();
        let values = found.errors(self, &value, place);
        let module = self.tracer.inputs.config.at(check.path);
        if !variable.ephemeral && module.is_some_and(|module| module.role == Role::Module) {
            for alt in values.iter().filter(|alt| is_ephemeral(alt)) {
                found.add(alt.when, EPHEMERAL_PASSED, place);
            }
        }
        if passed.is_some() && !variable.nullable && variable.default.is_none() {
            let null = |alt: &&&Alt| alt.part.value().is_some_and(Value::is_null);
            for alt in values.iter().filter(null) {
                let why = "required variable may not be set to null.";
                let error = format!(
                    "Required variable not set: The given value is not suitable for {}.var.{}: {why}",
                    check.path, variable.name
                );
                found.add(alt.when, error, place);
            }
        }
        let own: Vec<usize> = (known..found.list.len()).collect();
        if own.is_empty() || passed.is_none() {
            return;
        }
        // Of the whole argument, it may be the argument that fails, or what the variable makes of it.
        let mut argument = Faults::default();
        let given = self.argument_given(check);
        if let Some(given) = given {
            argument.errors(self, &given, place);
        }
        let errors: Vec<Arc<str>> = argument.list.into_iter().map(|f| f.error).collect();
        for fault in found.list.iter_mut().skip(known).filter(|f| f.place == place) {
            if !errors.contains(&fault.error) && !fault.error.starts_with("Required variable") {
                let text = fault.error.trim_end_matches('.');
                fault.error = format!("Invalid value for input variable: The given value is not suitable for {}.var.{}: {text}.", check.path, variable.name).into();
            }
        }
    }

    /// Returns the argument that a call passes to the variable of a check.
    fn argument_given(&mut self, check: &Check<'_>) -> Option<Guarded> {
        let Kind::Passed(_, Some(attr)) = check.kind else { return None };
        let (caller, call) = self.tracer.instances.get(self.instance)?.caller.clone()?;
        Some(self.tracer.frame_in(caller, &Target::Call(call)).argument(attr))
    }

    /// Adds the faults of a rule: it is false, it is an error, or its message is one.
    pub(super) fn rule(&mut self, rule: &CheckRule, whose: Rule<'_>, found: &mut Faults) {
        let place = rule.condition.place();
        let value = eval(self, place.file, &rule.condition, &Bindings::default());
        let summary = match whose {
            Rule::Validation(..) => "Invalid variable validation result: Validation condition",
            _ => "Invalid condition result: Condition",
        };
        let mut usable = Vec::new();
        for alt in found.errors(self, &value, place) {
            match no_condition(&alt.part) {
                Some(NoCondition::Null) => {
                    let error = format!("{summary} expression must return either true or false, not null.");
                    found.add(alt.when, error, place);
                }
                Some(NoCondition::NoBool(why)) => {
                    let summary = summary.split(':').next().unwrap_or_default();
                    found.add(alt.when, format!("{summary}: Invalid condition result value: {why}."), place);
                }
                None => usable.push(alt.clone()),
            }
        }
        if !usable.is_empty() {
            match self.bools(&Guarded::new(usable), At::new(place)) {
                Err(_) => found.undecided = true,
                Ok(alts) => {
                    for alt in alts {
                        if alt.part.value().is_some_and(|v| v.as_bool() == Some(false)) {
                            let place = shown_at(whose, place);
                            let error: Arc<str> = broken(whose).into();
                            found.list.push(Fault { when: alt.when, error, place, is_false: true });
                        }
                    }
                }
            }
        }
        if let Some(message) = &rule.error_message {
            let value = eval(self, message.file, message, &Bindings::default());
            found.errors(self, &value, message.place());
        }
    }

    /// A variable as what refers to it sees it: where its rules don't hold, Terraform evaluates nothing that needs it.
    pub(in crate::trace) fn held(&mut self, variable: &Variable, at: At) -> Guarded {
        let value = self.tracer.declared(self.instance, Decl::Variable(variable.name.clone()), at);
        let required = !variable.nullable && variable.default.is_none();
        if variable.validations.is_empty() && !required {
            return value;
        }
        let mut found = Faults::default();
        self.with_bare(Some(&variable.name), |frame| {
            for rule in &variable.validations {
                frame.rule(rule, Rule::Validation(variable, None), &mut found);
            }
        });
        if required {
            for alt in value.alts() {
                if alt.part.value().is_some_and(Value::is_null) {
                    found.add(alt.when, "", variable.decl.place());
                }
            }
        }
        self.unless(&found, value, variable.decl.place())
    }

    /// An output as what refers to it sees it.
    pub(in crate::trace) fn held_output(&mut self, output: &Output, value: Guarded) -> Guarded {
        if self.tracer.scope.holds.is_none() || output.preconditions.is_empty() {
            return value;
        }
        let mut found = Faults::default();
        for rule in &output.preconditions {
            self.rule(rule, Rule::Output, &mut found);
        }
        self.unless(&found, value, output.decl.place())
    }

    /// A value, and an error of another declaration where there is a fault.
    fn unless(&mut self, found: &Faults, value: Guarded, place: Place) -> Guarded {
        let failing = self.tracer.formulas.or_all(found.list.iter().map(|f| f.when));
        match failing {
            Ok(FormulaId::FALSE) | Err(_) => value,
            Ok(failing) => self.tracer.failing_where(failing, value, place),
        }
    }
}

/// Terraform's words for an output of the root module that shows what is sensitive.
pub(super) const SHOWS_SENSITIVE: &str = "Output refers to sensitive values: any root module output containing sensitive data has to be marked as sensitive.";

/// Returns the place at which Terraform shows that a rule is false. For a validation, that is the argument.
pub(super) fn shown_at(whose: Rule<'_>, condition: Place) -> Place {
    match whose {
        Rule::Validation(variable, passed) => {
            passed.map_or(variable.decl.place(), In::<Attribute>::value_place)
        }
        _ => condition,
    }
}

/// Terraform's summary where a rule is false.
pub(super) fn broken(whose: Rule<'_>) -> &'static str {
    match whose {
        Rule::Validation(..) => "Invalid value for variable",
        Rule::Precondition => "Resource precondition failed",
        Rule::Postcondition => "Resource postcondition failed",
        Rule::Output => "Module output value precondition failed",
        Rule::Assert => "Check block assertion failed",
    }
}

pub(super) enum NoCondition {
    Null,
    NoBool(String),
}

/// Why a value is none that a rule takes.
pub(super) fn no_condition(part: &Part) -> Option<NoCondition> {
    match part {
        Part::Value(v) if v.is_known() && v.is_null() => Some(NoCondition::Null),
        Part::Value(v) => {
            let plain = v.clone().unmark_deep().0;
            convert::convert(&plain, &Type::Bool).err().map(|e| NoCondition::NoBool(e.message))
        }
        Part::Object(_) | Part::Tuple(_) => Some(NoCondition::NoBool("bool required".to_owned())),
        Part::Failed(_) => None,
    }
}

impl Tracer<'_> {
    /// Returns the condition under which any part of a value is sensitive.
    fn sensitive_where(&mut self, value: &Guarded) -> FormulaId {
        let mut all = FormulaId::FALSE;
        for alt in value.alts() {
            let within: Vec<FormulaId> = match &alt.part {
                Part::Value(v) if v.has_mark_deep(Mark::Sensitive) => vec![FormulaId::TRUE],
                Part::Value(_) | Part::Failed(_) => Vec::new(),
                Part::Object(attrs) => attrs.values().map(|part| self.sensitive_where(part)).collect(),
                Part::Tuple(items) => items.iter().map(|part| self.sensitive_where(part)).collect(),
            };
            for when in within {
                if let Ok(both) = self.formulas.and(alt.when, when) {
                    all = self.formulas.or(all, both).unwrap_or(all);
                }
            }
        }
        all
    }
}
