//! References: the bridges from a use to the declaration that gives the value.

use super::undeclared;
use crate::addr::{
    CallName, Key, Mode, ModulePath, PathAttr, Reference, Referent, Step as NameStep, call_prefix,
};
use crate::cond::Domain as TermDomain;
use crate::config::{Call, In};
use crate::eval::{At, Bindings, EvalError, Op, Step, eval};
use crate::issue::Code;
use crate::syntax::{Attribute, ExprKind};
use crate::trace::{
    Decl, Frame, Guarded, Home, HopText, Hops, InstanceId, Part, Reason, Subject, TermInfo, Tracer,
};
use crate::value::{Marks, Type, Value};
use std::sync::Arc;

/// No more declarations are named on the way from one back to itself.
const LONGEST_ROUND: usize = 8;

/// A step of a traversal as the address rules see it.
pub fn name_step<'s>(step: &Step<'s>) -> NameStep<'s> {
    match step {
        Step::Attr(name) => NameStep::Attr(&name.text),
        Step::Legacy(n) => n.as_i64().map_or(NameStep::Other, |n| NameStep::Index(Key::Index(n))),
        Step::Index(key) => match &key.kind {
            ExprKind::String(s) => NameStep::Index(Key::Name(s.clone())),
            ExprKind::Number(n) => n.as_i64().map_or(NameStep::Other, |n| NameStep::Index(Key::Index(n))),
            _ => NameStep::Other,
        },
    }
}

impl Frame<'_, '_> {
    pub fn refer(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Guarded, usize) {
        // Most references are these two, whose names are at hand.
        let own = match (root, steps.first()) {
            ("var", Some(Step::Attr(name))) => Some(Referent::Variable(name.text.clone())),
            ("local", Some(Step::Attr(name))) => Some(Referent::Local(name.text.clone())),
            _ => None,
        };
        let parsed = || Reference::parse(root, &steps.iter().map(name_step).collect::<Vec<NameStep<'_>>>());
        let reference = match own.map_or_else(parsed, |referent| Ok(Reference { referent, consumed: 1 })) {
            Ok(reference) => reference,
            Err(e) => {
                let error = EvalError::new(e.to_string()).at(at.place());
                return (Guarded::failed(error), steps.len());
            }
        };
        let (value, consumed) = match &reference.referent {
            Referent::Resource(addr) if addr.mode == Mode::Data => {
                self.data(addr, steps, reference.consumed, at)
            }
            referent => (self.referent(referent, at), reference.consumed),
        };
        if self.tracer.scope.gate_text.is_some() {
            // Of a gate nobody asks how its values came about.
            return (value, consumed);
        }
        // Each of several alternatives is kept once more, with a hop of its own.
        self.tracer.effort.work += value.alts().len() / 2;
        let hop = HopText::Name(reference.referent);
        (value.hop(|h| h.before(hop.clone(), Some(at.place()))), consumed)
    }

    fn referent(&mut self, referent: &Referent, at: At) -> Guarded {
        match referent {
            Referent::Variable(name) => {
                let decl = self.tracer.variable_seen(self.instance, name);
                self.tracer.declared(self.instance, decl, at).behind_a_reference()
            }
            Referent::Local(name) => {
                self.tracer.declared(self.instance, Decl::Local(name.clone()), at).behind_a_reference()
            }
            Referent::Call(name, key) => self.whole_call(name, key.as_ref(), at),
            Referent::Output { call, key, name } => self.output(call, key.as_ref(), name, at),
            Referent::Resource(addr) => self.resource(addr, at),
            Referent::EachKey => self.iterated(self.iteration.key.clone(), "each.key", at),
            Referent::EachValue => self.iterated(self.iteration.value.clone(), "each.value", at),
            Referent::CountIndex => self.iterated(self.iteration.index.clone(), "count.index", at),
            Referent::Path(PathAttr::Module | PathAttr::Root) if self.tracer.inputs.config.is_stack() => {
                let why = "the folder in which HCP keeps a Stack's modules isn't known.";
                let reason = Reason::new(Code::NoUniverse, why, Some(at.place()));
                self.nothing(reason.fix("Choose by a variable whose values are listed, instead.", ""))
            }
            Referent::Workspace if self.tracer.inputs.config.is_stack() => {
                let text = "Invalid reference: The terraform.workspace attribute is only available for modules used in \
                            Terraform workspaces. Use input variables instead to create variations between different \
                            instances of this module.";
                self.fail_here(text, at)
            }
            Referent::Path(PathAttr::Module) => {
                let dir = self.module().map(|m| m.dir.to_string_lossy().into_owned()).unwrap_or_default();
                Guarded::of(Value::string(if dir.is_empty() { "." } else { &dir }))
            }
            Referent::Path(PathAttr::Root) => Guarded::of(Value::string(".")),
            Referent::Path(PathAttr::Cwd) => self.builtin_term("path.cwd", at),
            Referent::Workspace => self.builtin_term(crate::trace::WORKSPACE, at),
            Referent::Applying | Referent::SelfValue => {
                let why = "it depends on a value that is known only during apply.";
                let reason = Reason::new(Code::ApplyTimeValue, why, Some(at.place()))
                    .fix("Choose by a variable or a local.", "");
                self.nothing(reason)
            }
        }
    }

    pub fn nothing(&mut self, reason: Reason) -> Guarded {
        let place = reason.place;
        let value = self.tracer.opaque(reason);
        Guarded::always(Part::Value(value), Hops::one("Unbounded", place))
    }

    fn iterated(&mut self, value: Option<Guarded>, name: &str, at: At) -> Guarded {
        value.unwrap_or_else(|| {
            let why =
                format!("`{name}` differs from instance to instance, and no gate can be put on one of them.");
            let reason = Reason::new(Code::IterationDependent, why, Some(at.place()))
                .fix("Write a block per instance instead of the iteration.", "");
            self.nothing(reason)
        })
    }

    /// A term that every module can write.
    pub fn builtin_term(&mut self, text: &str, at: At) -> Guarded {
        let scope = crate::addr::ModulePath::ROOT;
        let info = TermInfo {
            ty: Type::String,
            home: Some(Home { scope, text: text.into() }),
            variables: Default::default(),
            subject: (text == crate::trace::WORKSPACE).then_some(Subject::Workspace),
            place: Some(at.place()),
        };
        if let Some(universe) = self.tracer.universe_of(text) {
            return self.tracer.over_universe(text, info, &universe, &Marks::NONE, at);
        }
        let value = self.tracer.symbol(text, TermDomain::Open, info, &Marks::NONE).1;
        Guarded::of(value)
    }

    /// Returns an error that Terraform reports before it evaluates anything, so that no `try` catches it.
    pub fn fail_here(&self, text: &str, at: At) -> Guarded {
        let error = EvalError { elsewhere: true, ..EvalError::new(text).at(at.place()) };
        Guarded::failed(error)
    }

    fn undeclared_variable(&self, name: &str, at: At) -> Guarded {
        self.fail_here(&undeclared::no_variable(name), at)
    }

    pub fn call_of(&self, name: &str) -> Option<Call> {
        let call = self.module()?.calls.get(name)?.clone();
        let (config, path) = (self.tracer.inputs.config, self.path().child(name));
        let chosen = config.chosen.get(&path).is_some_and(|sources| !sources.is_empty());
        (config.at(&path).is_some() || chosen).then_some(call)
    }

    /// Returns the unknown for a call whose module isn't loaded.
    pub fn not_loaded(&mut self, name: &str, at: At) -> Guarded {
        let path = self.path().child(name);
        let declared = self.module().and_then(|m| m.calls.get(name));
        let declared = declared.map(|call| call.source_text().is_some() && !call.is_version_chosen());
        let reason = match declared {
            None => return self.fail_here(&undeclared::no_call(name), at),
            Some(true) => Reason::new(
                Code::NotInstalled,
                format!("`{path}` is not installed, so that nothing is known of what it gives."),
                Some(at.place()),
            )
            .fix("Install the modules that this configuration calls:", "tf-phi init"),
            Some(false) => Reason::new(
                Code::Unsupported,
                format!(
                    "which module `{path}` is depends on an expression, and what it gives is not followed."
                ),
                Some(at.place()),
            )
            .fix("Write a call per source, and choose between what they give.", ""),
        };
        self.nothing(reason)
    }

    /// The instance of a call, for one key or for all.
    pub fn enter(&mut self, call: &CallName, key: Option<&Key>, at: At) -> Result<InstanceId, Guarded> {
        let path = self.path().child(call.clone());
        let Some(module) = self.tracer.inputs.config.at(&path).map(|m| m.id) else {
            return Err(self.not_loaded(&call.name, at));
        };
        let depth = path.depth();
        if depth > self.tracer.inputs.limits.depth {
            let reason = too_deep(depth, self.tracer.inputs.limits.depth, at.place());
            return Err(self.nothing(reason));
        }
        Ok(self.tracer.instances.child(self.instance, call, key.cloned(), module))
    }

    fn output(&mut self, call: &Arc<str>, key: Option<&Key>, name: &Arc<str>, at: At) -> Guarded {
        let iterated = self.call_of(call).is_some_and(|c| c.count.is_some() || c.for_each.is_some());
        if iterated != key.is_some() {
            // `module.m.out` of an iterated call is an attribute of its whole collection, and the reverse.
            let mut value = self.whole_call(call, None, at);
            if let Some(key) = key {
                let key = match key {
                    Key::Index(n) => Value::number(*n),
                    Key::Name(s) => Value::string(s),
                };
                value = self.operate(&Op::Index, vec![value, Guarded::of(key)], at);
            }
            return self.operate(&Op::GetAttr(name), vec![value], at);
        }
        let hop = HopText::Output { name: name.clone(), call: call.clone() };
        let read = |frame: &mut Self, module: &CallName, exists: At| match frame.enter(module, key, exists) {
            Ok(instance) => {
                let value = frame.tracer.declared(instance, Decl::Output(name.clone()), exists);
                // A missing output is found where it is named, so that a `try` there sees it.
                let value =
                    if frame.tracer.has_output(instance, name) { value.behind_a_reference() } else { value };
                value.hop(|h| h.before(hop.clone(), Some(exists.place())))
            }
            Err(refusal) => refusal,
        };
        self.where_it_exists(call, key, at, &mut |frame, exists| {
            let by_source =
                frame.for_each_source(call, key, exists, &mut |frame, module| read(frame, module, exists));
            by_source.unwrap_or_else(|| read(frame, &call.clone().into(), exists))
        })
    }

    /// An argument's value where this frame stands.
    pub fn argument(&mut self, attr: &In<Attribute>) -> Guarded {
        if let Some(error) = self.undeclared(attr.file, &attr.expr, &Bindings::default()) {
            return Guarded::failed(error);
        }
        eval(self, attr.file, &attr.expr, &Bindings::default())
    }
}

/// Why no more module boundaries are crossed; `depth` of them were to be, at the least.
pub(in crate::trace) fn too_deep(depth: usize, limit: usize, place: crate::text::Place) -> Reason {
    let why = format!("the value crosses more module boundaries than the limit of {limit}.");
    let paste = format!("settings {{\n  depth = {}\n}}", depth * 2);
    Reason::new(Code::TooDeep, why, Some(place)).fix("Raise the limit in `phi.hcl`:", paste)
}

/// Why there is no value of what leads back to itself.
pub(in crate::trace) fn depends_on_itself(what: &str, at: At) -> Reason {
    Reason::new(Code::Cycle, format!("its value depends on itself: {what}."), Some(at.place()))
        .fix("Break the cycle: one of the declarations has to take its value from elsewhere.", "")
}

impl Tracer<'_> {
    /// Why a chain of references is followed no further.
    pub(in crate::trace) fn nested_too_deep(&self, at: At) -> Reason {
        let why = format!("more than {} references lead from one to the next.", self.inputs.limits.nesting);
        Reason::new(Code::TooDeep, why, Some(at.place()))
            .fix("Shorten the chain: give the field the expression that stands at its end.", "")
    }

    /// A variable as what refers to it sees it.
    fn variable_seen(&self, instance: InstanceId, name: &Arc<str>) -> Decl {
        let bare = |holds: &Vec<_>| holds.iter().any(|(at, of)| *at == instance && of == name);
        match &self.scope.holds {
            Some(holds) if !bare(holds) => Decl::Held(name.clone()),
            _ => Decl::Variable(name.clone()),
        }
    }

    /// The value of a declaration of an instance, computed once.
    pub(in crate::trace) fn declared(&mut self, instance: InstanceId, decl: Decl, at: At) -> Guarded {
        let key = (instance, decl);
        if let Some(done) = self.memo.values.get(&key) {
            return done.clone();
        }
        let too_deep = self.scope.nesting >= self.inputs.limits.nesting;
        if too_deep || self.memo.open.contains_key(&key) {
            let reason = match too_deep {
                true => self.nested_too_deep(at),
                false => depends_on_itself(&self.round_from(&key), at),
            };
            return Guarded::of(self.opaque(reason));
        }
        self.memo.open.insert(key.clone(), self.scope.nesting);
        let value = self.in_a_declaration(|tracer| {
            let value = tracer.compute_declared(key.0, &key.1, at);
            tracer.unmasked(value)
        });
        self.memo.open.remove(&key);
        self.memo.values.insert(key, value.clone());
        value
    }

    /// The way from a declaration back to itself.
    fn round_from(&self, key: &(InstanceId, Decl)) -> String {
        let start = self.memo.open.get(key).copied().unwrap_or_default();
        let mut on_the_way: Vec<_> = self.memo.open.iter().filter(|(_, at)| **at >= start).collect();
        on_the_way.sort_by_key(|(_, at)| **at);
        let mut names: Vec<String> = Vec::new();
        for (key, _) in on_the_way.into_iter().take(LONGEST_ROUND) {
            let name = self.name_of(key);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        names.push(self.name_of(key));
        names.join(" → ")
    }

    /// A declaration's name, with its module's where that isn't the root.
    fn name_of(&self, (instance, decl): &(InstanceId, Decl)) -> String {
        let path = self.instances.get(*instance).map(|i| i.path.clone()).unwrap_or(ModulePath::ROOT);
        let name = match decl {
            Decl::Local(name) => format!("local.{name}"),
            Decl::Variable(name) | Decl::Held(name) => format!("var.{name}"),
            Decl::Output(name) => format!("output.{name}"),
            Decl::Repetition(name) => format!("{}{name}", call_prefix(name)),
            Decl::Instances(addr) => addr.to_string(),
            Decl::Argument(of, name) => format!("{}.{name}", of.addr),
        };
        path.address_of(name)
    }

    fn has_output(&self, instance: InstanceId, name: &Arc<str>) -> bool {
        self.module_of(instance).is_some_and(|m| m.outputs.contains_key(name))
    }

    fn compute_declared(&mut self, instance: InstanceId, decl: &Decl, at: At) -> Guarded {
        let Some(module) = self.module_of(instance) else { return Guarded::of(Value::dynamic()) };
        let mut frame = self.frame(instance);
        match decl {
            Decl::Local(name) => match module.locals.get(name) {
                Some(local) => frame.argument(&local.attr),
                None => frame.fail_here(&undeclared::no_local(name), at),
            },
            Decl::Output(name) => match module.outputs.get(name) {
                Some(output) => {
                    let value = frame.output_value(output, at);
                    frame.held_output(output, value)
                }
                None => {
                    let text = format!(
                        "Unsupported attribute: This object does not have an attribute named {name:?}."
                    );
                    Guarded::failed(EvalError::new(text).at(at.place()))
                }
            },
            Decl::Argument(of, name) => self.argument_of(of, name),
            Decl::Instances(addr) => {
                let repeated = module.resources.get(addr);
                match repeated.and_then(|r| r.count.as_ref().or(r.for_each.as_ref())) {
                    Some(over) => frame.argument(over),
                    None => frame.fail_here(&undeclared::no_resource(module, addr), at),
                }
            }
            Decl::Repetition(name) => {
                let over = module.calls.get(name).and_then(|c| c.repeated_by());
                match over {
                    Some(over) => frame.argument(over),
                    None => frame.not_loaded(name, at),
                }
            }
            Decl::Held(name) => match module.variables.get(name) {
                Some(variable) => frame.held(variable, at),
                None => frame.undeclared_variable(name, at),
            },
            Decl::Variable(name) => match module.variables.get(name) {
                Some(variable) => frame.variable(variable, at),
                None => frame.undeclared_variable(name, at),
            },
        }
    }
}
