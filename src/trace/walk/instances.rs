//! What is repeated, as a whole: the instances of calls and of resources, as their `count` and `for_each` say.
//!
//! In: what a call or a resource is repeated by. Out: a tuple or an object of its instances, as Terraform has it while it plans. Of a
//! resource nothing but that is known: what its instances hold is known after apply.

use crate::addr::{CallName, Key, Mode, ResourceAddr, call_prefix};
use crate::eval::{At, EvalError};
use crate::issue::Code;
use crate::trace::{
    Decl, Frame, Guarded, Hops, Origin, Part, Reason, ResourceInstance,
    guarded::alt::Attrs,
    repetition::axis::{known_bool, known_count, known_keys},
};
use crate::value::{Marks, Type, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What OpenTofu says of an output of a call that isn't enabled.
const NO_ATTRIBUTE: Option<&str> =
    Some("Attempt to get attribute from null value: This value is null, so it does not have any attributes.");

impl Frame<'_, '_> {
    /// Returns a value under the conditions under which the instance exists. Elsewhere the reference is an error, which a `try`
    /// around it would catch.
    pub fn where_it_exists(
        &mut self,
        name: &Arc<str>,
        key: Option<&Key>,
        at: At,
        read: &mut dyn FnMut(&mut Self, At) -> Guarded,
    ) -> Guarded {
        let Some(call) = self.call_of(name) else { return self.not_loaded(name, at) };
        let Some(key) = key else { return self.where_enabled(name, at, read, NO_ATTRIBUTE) };
        if call.count.is_none() && call.for_each.is_none() {
            return read(self, at);
        }
        self.by_repetition(Decl::Repetition(name.clone()), at, &mut |frame, over| {
            Some(match has_instance(over, call.count.is_some(), key)? {
                true => read(frame, at),
                false => {
                    let text =
                        "Invalid index: The given key does not identify an element in this collection value.";
                    Guarded::failed(EvalError::new(text).at(at.place()))
                }
            })
        })
    }

    /// Returns a value of a call where that is enabled. Elsewhere OpenTofu has null in the place of the whole, of which nothing can be read.
    fn where_enabled(
        &mut self,
        name: &Arc<str>,
        at: At,
        read: &mut dyn FnMut(&mut Self, At) -> Guarded,
        elsewhere: Option<&str>,
    ) -> Guarded {
        let repeated = self.call_of(name);
        if repeated.is_none_or(|c| c.enabled.is_none() || c.count.is_some() || c.for_each.is_some()) {
            return read(self, at);
        }
        self.by_repetition(Decl::Repetition(name.clone()), at, &mut |frame, enabled| {
            Some(match (known_bool(enabled)?, elsewhere) {
                (true, _) => read(frame, at),
                (false, None) => Guarded::of(Value::null(Type::Dynamic)),
                (false, Some(error)) => Guarded::failed(EvalError::new(error).at(at.place())),
            })
        })
    }

    /// Returns what follows from the collection or number that repeats a declaration; nothing follows from one that isn't known. It may
    /// refer to the declaration itself, which is a cycle.
    fn by_repetition(
        &mut self,
        decl: Decl,
        at: At,
        then: &mut dyn FnMut(&mut Self, &Part) -> Option<Guarded>,
    ) -> Guarded {
        let over = self.tracer.declared(self.instance, decl.clone(), at).behind_a_reference();
        self.by_alternative(&over, at, &mut |frame, alt| {
            Ok(match &alt.part {
                Part::Failed(_) => alt.alone(),
                part => then(frame, part).unwrap_or_else(|| match &decl {
                    Decl::Instances(addr) if !is_whole(&frame.text(at)) => {
                        let reason = frame.why_of_apply(addr, at);
                        let follows = frame.tracer.inputs.follows_configured;
                        let over =
                            if follows { frame.tracer.variables_in(over.values()) } else { BTreeSet::new() };
                        frame.nothing(reason.over(over))
                    }
                    Decl::Instances(addr) => frame.unknown_iteration(&addr.to_string(), &over, at),
                    Decl::Repetition(name) => {
                        frame.unknown_iteration(&format!("{}{name}", call_prefix(name)), &over, at)
                    }
                    _ => Guarded::of(Value::dynamic()),
                }),
            })
        })
    }

    /// A module call as a whole: its outputs, per instance where it is iterated.
    pub fn whole_call(&mut self, name: &Arc<str>, key: Option<&Key>, at: At) -> Guarded {
        let Some(call) = self.call_of(name) else { return self.not_loaded(name, at) };
        if key.is_some() {
            return self
                .where_it_exists(name, key, at, &mut |frame, exists| frame.outputs(name, key, exists));
        }
        if call.count.is_none() && call.for_each.is_none() {
            let mut outputs = |frame: &mut Self, at: At| frame.outputs(name, None, at);
            return self.where_enabled(name, at, &mut outputs, None);
        }
        self.by_repetition(Decl::Repetition(name.clone()), at, &mut |frame, over| {
            frame.whole_instances(name, over, call.count.is_some(), at)
        })
    }

    /// The instances of a call whose `count` or `for_each` has this value.
    fn whole_instances(&mut self, name: &Arc<str>, over: &Part, counted: bool, at: At) -> Option<Guarded> {
        self.collect_instances(over, counted, &mut |frame, key| frame.outputs(name, Some(&key), at))
    }

    /// What is there under each key, as one value.
    fn collect_instances(
        &mut self,
        over: &Part,
        counted: bool,
        each: &mut dyn FnMut(&mut Self, Key) -> Guarded,
    ) -> Option<Guarded> {
        if counted {
            let n = known_count(over).filter(|n| *n <= self.tracer.inputs.limits.combinations)?;
            let items: Vec<Guarded> = (0i64..).take(n).map(|n| each(self, Key::Index(n))).collect();
            return Some(Guarded::always(Part::Tuple(items.into()), Hops::NONE));
        }
        let keys = known_keys(over)?;
        let attrs: Attrs = keys.into_iter().map(|k| (k.clone(), each(self, Key::Name(k)))).collect();
        Some(Guarded::always(Part::Object(Arc::new(attrs)), Hops::NONE))
    }

    fn unknown_iteration(&mut self, name: &str, over: &Guarded, at: At) -> Guarded {
        // What is known to stand in the way says more than that something does.
        let known = over.values().find_map(|v| self.tracer.origins.of(v)?.reason().cloned());
        if let Some(reason) = known {
            let value = self.tracer.opaque_of(Type::Dynamic, reason);
            return Guarded::of(value);
        }
        let depends = self.tracer.behind(over).depended_on("depends on values that are not narrowed");
        let why = format!("how many instances `{name}` has {depends}.");
        let reason = Reason::new(Code::IterationDependent, why, Some(at.place()))
            .fix("Narrow its `count` or `for_each` to what is written out.", "")
            .over(self.tracer.variables_over(over));
        self.nothing(reason)
    }

    pub fn outputs(&mut self, call: &Arc<str>, key: Option<&Key>, at: At) -> Guarded {
        let each =
            self.for_each_source(call, key, at, &mut |frame, module| frame.outputs_of(module, key, at));
        each.unwrap_or_else(|| self.outputs_of(&call.clone().into(), key, at))
    }

    /// Returns the outputs of one module.
    fn outputs_of(&mut self, module: &CallName, key: Option<&Key>, at: At) -> Guarded {
        let instance = match self.enter(module, key, at) {
            Ok(instance) => instance,
            Err(refusal) => return refusal,
        };
        let outputs = self.tracer.module_of(instance).into_iter().flat_map(|m| m.outputs.keys().cloned());
        let attrs = outputs
            .map(|o| (o.clone(), self.tracer.declared(instance, Decl::Output(o), at).behind_a_reference()))
            .collect();
        Guarded::always(Part::Object(Arc::new(attrs)), Hops::NONE)
    }

    /// A resource: which instances there are.
    pub fn resource(&mut self, addr: &ResourceAddr, at: At) -> Guarded {
        let reason = self.why_of_apply(addr, at);
        let found = self.module().and_then(|module| module.resources.get(addr));
        let Some(resource) = found.filter(|_| addr.mode == Mode::Managed) else {
            return self.nothing(reason);
        };
        let repeated = resource.count.is_some() || resource.for_each.is_some();
        let counted = repeated.then_some(resource.count.is_some());
        let reason = Arc::new(reason);
        let Some(counted) = counted else { return self.one_instance(addr, None, &reason) };
        self.by_repetition(Decl::Instances(addr.clone()), at, &mut |frame, over| {
            frame.collect_instances(over, counted, &mut |frame, key| {
                frame.one_instance(addr, Some(key), &reason)
            })
        })
    }

    /// An instance of a resource. Which one it is counts only where its arguments are followed.
    fn one_instance(&mut self, addr: &ResourceAddr, key: Option<Key>, reason: &Arc<Reason>) -> Guarded {
        let key = key.filter(|_| self.tracer.inputs.follows_configured);
        let object = ResourceInstance { module: self.instance.0, addr: addr.clone(), key };
        let mark = self.tracer.origins.mark(Origin::Object(reason.clone(), Arc::new(object)));
        // It is an object, whatever is in it.
        let value = Value::unknown_not_null(Type::Dynamic).with_marks(&Marks::one(mark));
        Guarded::always(Part::Value(value), Hops::one("Unbounded", reason.place))
    }

    /// Why nothing is known of what a resource gives.
    fn why_of_apply(&mut self, addr: &ResourceAddr, at: At) -> Reason {
        let code = if addr.mode == Mode::Ephemeral { Code::Ephemeral } else { Code::ApplyTimeValue };
        let text = self.text(at);
        let why = match code {
            Code::Ephemeral => format!("`{text}` is ephemeral."),
            _ if is_whole(&text) => {
                format!("selector depends on an apply-time value: `{text}` is a resource.")
            }
            _ => format!("selector depends on an apply-time value: `{text}` is an attribute of a resource."),
        };
        Reason::new(code, why, Some(at.place()))
            .because_of(text)
            .fix("Use a variable or a local for the choice, and give it to the resource as well.", "")
    }
}

/// Returns true if a reference ends with the name of a resource, or with one of its instances.
fn is_whole(text: &str) -> bool {
    let instance = text.strip_suffix(']').and_then(|t| t.rsplit_once('['));
    instance.map_or(text, |(name, _)| name).matches('.').count() < 2
}

/// Returns true if there is an instance with this key; `None` if that isn't known.
fn has_instance(over: &Part, counted: bool, key: &Key) -> Option<bool> {
    if counted {
        let n = known_count(over)?;
        return Some(matches!(key, Key::Index(i) if usize::try_from(*i).is_ok_and(|i| i < n)));
    }
    let keys = known_keys(over)?;
    Some(matches!(key, Key::Name(name) if keys.contains(name)))
}
