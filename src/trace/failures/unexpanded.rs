//! Finds what fails before Terraform expands anything, and so for every input.
//!
//! `plan` validates first: it evaluates each expression of each module once, with every variable, key, index and object unknown,
//! whether or not there is an instance (measured on 1.11). Only the workspace, locals, and the arguments in a variable's own rules
//! have values there. In: a check. Out: [`Fault`]s. Invariant: no fault depends on an input other than the workspace. Absent on
//! purpose: false conditions of resources, which are evaluated for instances alone.

use super::checks::{Check, Kind, Rule};
use super::ephemeral::{EPHEMERAL_PASSED, ephemeral_kept, is_kept};
use super::faults::{Fault, Faults, NoCondition, SHOWS_SENSITIVE, broken, no_condition, shown_at};
use super::repeated;
use crate::addr::{PathAttr, Reference, Referent};
use crate::cond::FormulaId;
use crate::config::{CheckRule, In, Module, Role, Variable};
use crate::eval::concrete::{Concrete, Resolve};
use crate::eval::standalone::eval_constant;
use crate::eval::{At, Bindings, EvalError, Outcome, Step, eval};
use crate::func::{Context, Surroundings, Work};
use crate::syntax::{Attribute, Expr};
use crate::text::{Place, SourceId};
use crate::trace::{
    IN_NO_FILE, Part, Tracer, WORKSPACE, tracer::effort::MOST_BYTES, tracer::memo::Locals,
    walk::refer::name_step, walk::undeclared::undeclared,
};
use crate::value::{Mark, Type, Value};
use std::cell::Cell;
use std::sync::Arc;

impl Tracer<'_> {
    /// Returns the faults of a check that don't depend on variables.
    pub(super) fn unexpanded(&mut self, check: &Check<'_>) -> Vec<Fault> {
        let Some(module) = self.inputs.config.at(check.path) else { return Vec::new() };
        // Terraform validates a component's module by itself, and of a Stack no values.
        let passed = matches!(check.kind, Kind::Passed(..) | Kind::Rule(..));
        if module.role == Role::Stack || module.role == Role::Component && passed {
            return Vec::new();
        }
        let mut locals = std::mem::take(&mut self.memo.unexpanded);
        let (config, nesting) = (self.inputs.config, self.inputs.limits.nesting);
        let outside = self.surroundings();
        let outer = check.path.parent().and_then(|(outer, _)| config.at(&outer));
        let made = self.bytes_made();
        let counted = Cell::new((0, 0));
        let mut run = |workspace: Option<Arc<str>>| {
            let mut pass = Pass {
                outside: &outside,
                locals: &mut locals,
                workspace,
                in_stack: config.is_stack(),
                nesting,
                asked: false,
                bound: !check.dynamics.is_empty(),
                made,
                counted: &counted,
            };
            let mut found = Faults::default();
            pass.ask(check, module, outer, &mut found);
            (found.list, pass.asked)
        };
        let (mut found, asked) = run(None);
        if asked {
            found.clear();
            for (workspace, when) in self.workspaces() {
                found.extend(run(workspace).0.into_iter().map(|fault| Fault { when, ..fault }));
            }
        }
        self.memo.unexpanded = locals;
        self.count_beside(counted.get());
        found
    }

    /// The workspaces that there may be, each with its condition; nothing for one that isn't known.
    fn workspaces(&mut self) -> Vec<(Option<Arc<str>>, FormulaId)> {
        let instance = self.root_instance();
        let mut frame = self.frame(instance);
        let value = frame.builtin_term(WORKSPACE, IN_NO_FILE);
        let known = |part: &Part| match part {
            Part::Value(v) => v.as_str().map(Arc::from),
            _ => None,
        };
        value.alts().iter().map(|alt| (known(&alt.part), alt.when)).collect()
    }
}

/// One evaluation of everything in one workspace.
struct Pass<'p> {
    outside: &'p dyn Surroundings,
    locals: &'p mut Locals,
    workspace: Option<Arc<str>>,
    /// True in a Stack, whose folders aren't known.
    in_stack: bool,
    /// The number of locals that may still be nested.
    nesting: usize,
    /// True if the workspace was read.
    asked: bool,
    /// True if names of `dynamic` blocks may occur.
    bound: bool,
    /// The bytes of values that were made before.
    made: u64,
    /// What was spent and made since.
    counted: &'p Cell<(u64, u64)>,
}

impl Pass<'_> {
    fn ask(&mut self, check: &Check<'_>, module: &Module, outer: Option<&Module>, found: &mut Faults) {
        if !self.dynamics_may_exist(check, module) {
            return;
        }
        match &check.kind {
            // What a trigger names is looked for as a plan is made, and a source is judged with its values.
            Kind::Refused(..) | Kind::Trigger(..) | Kind::Source(..) => {}
            &Kind::Value(file, expr) | &Kind::Entries(file, expr) => {
                let value = self.marked(module, (file, expr), None, found);
                if is_kept(module, check) && value.is_some_and(|v| v.has_mark_deep(Mark::Ephemeral)) {
                    found.add(FormulaId::TRUE, ephemeral_kept(check), Place { file, span: expr.span });
                }
            }
            Kind::Local(name, _) => {
                if let Some(local) = module.locals.get(*name) {
                    self.marked(module, (local.attr.file, &local.attr.expr), None, found);
                }
            }
            Kind::Output(name, _) => {
                if let Some((output, attr)) =
                    module.outputs.get(*name).and_then(|o| Some((o, o.value.as_ref()?)))
                {
                    let value = self.marked(module, (attr.file, &attr.expr), None, found);
                    let is_shown = check.path.is_root() && module.role == Role::Module;
                    if is_shown
                        && !output.sensitive
                        && !output.ephemeral
                        && value.is_some_and(|v| v.has_mark_deep(Mark::Sensitive))
                    {
                        found.add(FormulaId::TRUE, SHOWS_SENSITIVE, output.decl.block.header());
                    }
                }
            }
            Kind::Count(attr) => self.repetition(module, attr, repeated::count, found),
            Kind::ForEach(attr) => self.repetition(module, attr, repeated::for_each, found),
            Kind::Passed(variable, passed) => {
                if let Some(outer) = outer {
                    self.passed(check, outer, (variable, *passed), found);
                }
            }
            Kind::Rule(rule, whose) => self.rule(check, (module, outer), (rule, *whose), found),
        }
    }

    /// Returns true unless one of the `dynamic` blocks around a check has no entries for sure.
    fn dynamics_may_exist(&mut self, check: &Check<'_>, module: &Module) -> bool {
        check.dynamics.iter().all(|block| {
            let Some(over) = block.node.body.attribute("for_each") else { return true };
            let value = self.value(module, (block.file, &over.expr), None, &mut Faults::default());
            value.is_some_and(|v| !v.is_known() || v.length().is_none_or(|n| n > 0))
        })
    }

    /// The value of an expression, without marks; nothing, and a fault, where there is none.
    fn value(
        &mut self,
        module: &Module,
        (file, expr): (SourceId, &Expr),
        own: Option<(&str, &Value)>,
        found: &mut Faults,
    ) -> Option<Value> {
        self.marked(module, (file, expr), own, found).map(|value| value.unmark_deep().0)
    }

    /// The same with its marks: of an arm that isn't chosen yet, too.
    fn marked(
        &mut self,
        module: &Module,
        (file, expr): (SourceId, &Expr),
        own: Option<(&str, &Value)>,
        found: &mut Faults,
    ) -> Option<Value> {
        let missing = if self.bound { None } else { undeclared(module, (file, expr), &|_| false) };
        match missing.map_or_else(|| self.evaluate(module, (file, expr), own), Err) {
            Ok(value) => Some(value),
            Err(e) => {
                if !e.limit {
                    let place = Place { file, span: expr.span };
                    found.add(FormulaId::TRUE, e.message.clone(), e.place.unwrap_or(place));
                }
                None
            }
        }
    }

    fn evaluate(&mut self, module: &Module, at: (SourceId, &Expr), own: Option<(&str, &Value)>) -> Outcome {
        let outside = self.outside;
        let counted = self.counted;
        let made = self.made.saturating_add(counted.get().1);
        let work = Work::with_room(MOST_BYTES.saturating_sub(made));
        let resolver = Names { pass: self, module, own };
        let mut domain = Concrete { resolver, context: Context { outside, work: &work } };
        let outcome = eval(&mut domain, at.0, at.1, &Bindings::default());
        let (units, bytes) = counted.get();
        counted.set((units.saturating_add(work.spent()), bytes.saturating_add(work.bytes_made())));
        outcome
    }

    fn repetition(
        &mut self,
        module: &Module,
        attr: &In<Attribute>,
        suits: fn(&Part) -> Result<(), String>,
        found: &mut Faults,
    ) {
        let Some(marked) = self.marked(module, (attr.file, &attr.expr), None, found) else { return };
        // Marks count though the value isn't known; it itself doesn't then.
        let told = marked.has_mark_deep(Mark::Ephemeral) || marked.marks.has(Mark::Sensitive);
        if (told || marked.is_known())
            && let Err(e) = suits(&Part::Value(marked))
        {
            found.add(FormulaId::TRUE, e, attr.value_place());
        }
    }

    /// Returns the argument of a call, converted to the variable's type.
    fn passed(
        &mut self,
        check: &Check<'_>,
        outer: &Module,
        (variable, passed): (&Variable, Option<&In<Attribute>>),
        found: &mut Faults,
    ) -> Option<Value> {
        let default = || {
            let default = variable.default.as_ref()?;
            variable.accept(&eval_constant(&default.expr, default.file).ok()?).ok()
        };
        let Some(attr) = passed else { return default() };
        let given = self.marked(outer, (attr.file, &attr.expr), None, found)?;
        let unsuitable = format!("The given value is not suitable for {}.var.{}:", check.path, variable.name);
        let value = match variable.accept(&given) {
            Ok(value) => {
                if !variable.ephemeral && value.has_mark_deep(Mark::Ephemeral) {
                    found.add(FormulaId::TRUE, EPHEMERAL_PASSED, attr.value_place());
                }
                value.unmark_deep().0
            }
            Err(e) => {
                let why = EvalError::from(e).message;
                let text =
                    format!("Invalid value for input variable: {unsuitable} {}.", why.trim_end_matches('.'));
                found.add(FormulaId::TRUE, text, attr.value_place());
                return None;
            }
        };
        if !value.is_known() || !value.is_null() || variable.nullable {
            return Some(value);
        }
        if variable.default.is_none() {
            let text =
                format!("Required variable not set: {unsuitable} required variable may not be set to null.");
            found.add(FormulaId::TRUE, text, attr.value_place());
        }
        default()
    }

    fn rule(
        &mut self,
        check: &Check<'_>,
        (module, outer): (&Module, Option<&Module>),
        (rule, whose): (&CheckRule, Rule<'_>),
        found: &mut Faults,
    ) {
        let own = match (whose, outer) {
            (Rule::Validation(variable, passed), Some(outer)) => {
                // Of a value that isn't suitable Terraform asks no rule.
                let value = self.passed(check, outer, (variable, passed), &mut Faults::default());
                let Some(value) = value else { return };
                Some((&*variable.name, value))
            }
            _ => None,
        };
        let own = own.as_ref().map(|(name, value)| (*name, value));
        let condition = (rule.condition.file, &*rule.condition);
        let place = Place { file: condition.0, span: condition.1.span };
        let value = self.value(module, condition, own, found);
        if let Some(message) = &rule.error_message {
            self.value(module, (message.file, message), own, found);
        }
        let Some(value) = value.filter(Value::is_known) else { return };
        let summary = match whose {
            Rule::Validation(..) => "Invalid variable validation result: Validation condition",
            Rule::Output => "Invalid condition result: Condition",
            _ => return,
        };
        let part = Part::Value(value);
        match (no_condition(&part), &part) {
            (Some(NoCondition::Null), _) => {
                let error = format!("{summary} expression must return either true or false, not null.");
                found.add(FormulaId::TRUE, error, place);
            }
            (None, Part::Value(value)) if is_false(value) => {
                let error = broken(whose).into();
                let place = shown_at(whose, place);
                found.list.push(Fault { when: FormulaId::TRUE, error, place, is_false: true });
            }
            _ => {}
        }
    }

    /// A local as references have it.
    fn local(&mut self, module: &Module, name: &Arc<str>) -> Value {
        let Some(local) = module.locals.get(name) else { return take_sample(Value::dynamic()) };
        let key = (module.id, name.clone(), self.workspace.clone());
        if !self.locals.contains_key(&key) {
            // Until it is known; a local that depends on itself is an error of Terraform's anyway.
            self.locals.insert(key.clone(), (take_sample(Value::dynamic()), false));
            let Some(nesting) = self.nesting.checked_sub(1) else { return take_sample(Value::dynamic()) };
            let (outer, before) =
                (std::mem::replace(&mut self.nesting, nesting), std::mem::take(&mut self.asked));
            let value = self.evaluate(module, (local.attr.file, &local.attr.expr), None);
            let asked = std::mem::replace(&mut self.asked, before);
            self.nesting = outer;
            // Its own place has the error; Terraform does not come to what names it.
            self.locals.insert(key.clone(), (take_sample(value.unwrap_or_else(|_| Value::dynamic())), asked));
        }
        let Some((value, asked)) = self.locals.get(&key) else { return take_sample(Value::dynamic()) };
        self.asked |= asked;
        value.clone()
    }
}

/// What an untyped value is told by: it is Terraform's own unknown, and stands for no value of another type.
fn take_sample(value: Value) -> Value {
    if value.is_untyped() { value.with_mark(Mark::Sample) } else { value }
}

fn is_false(value: &Value) -> bool {
    crate::value::convert::convert(value, &Type::Bool).is_ok_and(|v| v.as_bool() == Some(false))
}

/// The values of names before anything is expanded.
struct Names<'n, 'p> {
    pass: &'n mut Pass<'p>,
    module: &'n Module,
    /// The variable whose rule is evaluated, with its value.
    own: Option<(&'n str, &'n Value)>,
}

impl Names<'_, '_> {
    fn variable(&self, name: &str) -> Value {
        if let Some((_, value)) = self.own.filter(|(own, _)| *own == name) {
            return value.clone();
        }
        let Some(variable) = self.module.variables.get(name) else { return Value::dynamic() };
        let unknown = Value::unknown(variable.ty.clone());
        let unknown = if variable.sensitive { unknown.with_mark(Mark::Sensitive) } else { unknown };
        if variable.ephemeral { unknown.with_mark(Mark::Ephemeral) } else { unknown }
    }
}

impl Resolve for Names<'_, '_> {
    fn resolve(&mut self, root: &str, steps: &[Step<'_>], _: At) -> (Outcome, usize) {
        let Ok(reference) = Reference::parse(root, &steps.iter().map(name_step).collect::<Vec<_>>()) else {
            return (Ok(Value::dynamic()), steps.len());
        };
        let value = match &reference.referent {
            Referent::Variable(name) => self.variable(name),
            Referent::Local(name) => {
                return (Ok(self.pass.local(self.module, name)), reference.consumed);
            }
            Referent::CountIndex => Value::unknown(Type::Number),
            Referent::EachKey | Referent::Path(PathAttr::Cwd) => Value::unknown(Type::String),
            Referent::Path(_) if self.pass.in_stack => Value::unknown(Type::String),
            Referent::Path(PathAttr::Root) => Value::string("."),
            Referent::Path(PathAttr::Module) => {
                let dir = self.module.dir.to_string_lossy();
                Value::string(if dir.is_empty() { "." } else { &dir })
            }
            Referent::Workspace => {
                self.pass.asked = true;
                self.pass.workspace.as_ref().map_or(Value::unknown(Type::String), Value::string)
            }
            _ => Value::dynamic(),
        };
        (Ok(take_sample(value)), reference.consumed)
    }
}
