//! Calls whose `source` or `version` an expression chooses: each source gives a module of its own.
//!
//! In: the calls with such a source, and a module for each source that could be loaded, on a path that names the source. Out: the
//! values of the sources; and the outputs of the call, which are those of each module, under the condition for its source.
//! Deliberately absent: loading modules.

use crate::addr::{CallName, FieldAddr, FieldPath, Key, ModulePath, Target};
use crate::cond::FormulaId;
use crate::config::module_source::is_local;
use crate::config::{Call, Config};
use crate::eval::At;
use crate::func::Surroundings;
use crate::trace::{
    Driven, Driver, Frame, Guarded, InstanceId, Iteration, Limits, Part, Trace, Tracer, Universes,
    site::FieldSite, trace_driven,
};
use crate::value::{Type, Value};
use std::sync::Arc;

/// A call whose source, or whose version, is an expression.
#[derive(Clone, Debug)]
pub struct ChosenCall {
    /// The module that holds the call.
    pub at: ModulePath,
    /// The call.
    pub call: Call,
    /// The values of the expression.
    pub values: Vec<String>,
}

/// Returns the calls whose source or version is an expression, without those in [`Config::chosen`]. `universes` is asked only if
/// there is one. The values of an expression that isn't narrowed are none: to say so is the business of those who ask for it.
pub fn chosen_calls(
    config: &Config,
    limits: Limits,
    universes: &dyn Fn(&Config) -> Universes,
    outside: &dyn Surroundings,
) -> Vec<ChosenCall> {
    let open = open_calls(config);
    if open.is_empty() {
        return Vec::new();
    }
    let driven: Vec<Driven> = open.iter().filter_map(|(at, call)| chosen_of(at, call)).collect();
    let universes = universes(config);
    let (_, traces, _) = trace_driven(config, limits, &universes, outside, &driven);
    let values = |trace: &Trace| {
        let texts = trace.branches().iter().filter_map(|b| b.value.as_str().map(str::to_owned));
        texts.collect()
    };
    let each = open.into_iter().zip(traces.iter().map(values));
    each.map(|((at, call), values)| ChosenCall { at, call, values }).collect()
}

/// Calls whose source or version is an expression, and that were not looked at yet.
fn open_calls(config: &Config) -> Vec<(ModulePath, Call)> {
    let mut open = Vec::new();
    for (path, id) in &config.paths {
        for call in config.module(*id).into_iter().flat_map(|m| m.calls.values()) {
            let remote = |source: &str| !is_local(source);
            let chosen = call.source.is_some() && call.source_text().is_none()
                || call.is_version_chosen() && call.source_text().is_some_and(remote);
            if chosen && !config.chosen.contains_key(&path.child(call.name.clone())) {
                open.push((path.clone(), call.clone()));
            }
        }
    }
    open
}

/// The source of a call, or its version where the source is written out.
fn chosen_of(at: &ModulePath, call: &Call) -> Option<Driven> {
    let (name, attr) = match call.source_text() {
        None => ("source", &call.source),
        Some(_) => ("version", &call.version),
    };
    let field = FieldAddr {
        module: at.clone(),
        target: Target::Call(call.name.clone().into()),
        path: FieldPath(vec![name.into()]),
    };
    let site = FieldSite::new(attr.clone()?, call.decl.block.place(), Vec::new());
    Some(Driven { field, site, driver: Driver::Static, said: None, at: None, copies: false })
}

impl Tracer<'_> {
    /// Returns the condition under which the call on this path has the source that the path names; `None` if the path
    /// names none.
    pub(in crate::trace) fn where_chosen(
        &mut self,
        instance: InstanceId,
        name: &CallName,
        iteration: &Iteration,
    ) -> Option<FormulaId> {
        let source = Value::string(name.source.as_ref()?);
        let attr = self.module_of(instance)?.call(name)?.source.clone()?;
        let mut frame = Frame { tracer: self, instance, iteration: iteration.clone() };
        let given = frame.argument(&attr);
        let alts = frame.tracer.flatten(&given).ok()?;
        let same = alts.iter().filter(|a| a.part.value().is_some_and(|v| v.clone().unmark().0 == source));
        let when: Vec<FormulaId> = same.map(|a| a.when).collect();
        self.formulas.or_all(when).ok()
    }
}

impl Tracer<'_> {
    /// Returns true if the source is known to be another one.
    fn is_other_source(&mut self, instance: InstanceId, name: &CallName, iteration: &Iteration) -> bool {
        let attr = self.module_of(instance).and_then(|m| m.call(name)?.source.clone());
        let Some(attr) = attr else { return false };
        let mut frame = Frame { tracer: self, instance, iteration: iteration.clone() };
        let given = frame.argument(&attr);
        let Ok(alts) = frame.tracer.flatten(&given) else { return false };
        alts.iter().all(|alt| {
            alt.part.value().is_none_or(Value::is_wholly_known)
                || frame.tracer.formulas.is_false(alt.when).unwrap_or(false)
        })
    }

    /// Returns true if a call has the source that its name on a path names, or if the name has none; `None` if that
    /// isn't decided.
    pub fn is_taken(&mut self, instance: InstanceId, name: &CallName, key: Option<&Key>) -> Option<bool> {
        name.source.as_ref().map_or(Some(true), |_| {
            let target = Target::Call(name.plain());
            let iteration = key.map(|key| self.at_key(instance, &target, key)).unwrap_or_default();
            match self.where_chosen(instance, name, &iteration)? {
                FormulaId::TRUE => Some(true),
                FormulaId::FALSE if self.is_other_source(instance, name, &iteration) => Some(false),
                _ => None,
            }
        })
    }
}

impl Frame<'_, '_> {
    /// Returns the outputs of a call whose source an expression chooses: those of each of its modules. `None` for
    /// other calls.
    pub fn for_each_source(
        &mut self,
        call: &Arc<str>,
        key: Option<&Key>,
        at: At,
        read: &mut dyn FnMut(&mut Self, &CallName) -> Guarded,
    ) -> Option<Guarded> {
        let path = self.path();
        let config = self.tracer.inputs.config;
        let sources = config.chosen.get(&path.child(call.clone())).filter(|s| !s.is_empty())?;
        let attr = config.at(&path)?.calls.get(call)?.source.clone()?;
        let iteration = self.tracer.iteration(self.instance, &Target::Call(call.clone().into()), key);
        let mut frame = Frame { tracer: self.tracer, instance: self.instance, iteration };
        let given = frame.argument(&attr);
        let flat = self.tracer.flatten(&given).map(Guarded::new);
        let given = self.tracer.or_unknown(flat);
        Some(self.by_alternative(&given, at, &mut |frame, alt| {
            Ok(match &alt.part {
                Part::Value(v) if v.as_str().is_some_and(|s| sources.iter().any(|known| known == s)) => {
                    let source = v.as_str().unwrap_or_default();
                    read(frame, &CallName::by_source(call.clone(), source))
                }
                // A default may have to be pinned first; the source says which.
                Part::Value(v) if !v.is_known() => {
                    let value = Value::unknown(Type::Dynamic).with_marks(&v.marks);
                    Guarded::always(Part::Value(value), alt.hops.clone())
                }
                Part::Failed(_) => alt.alone(),
                _ => frame.not_loaded(call, at),
            })
        }))
    }
}
