//! References: what the declaration is to which one leads.

use super::apply::failed;
use super::domain::Reader;
use crate::addr::{CallName, Key, Mode, PathAttr, Reference, Referent, ResourceAddr, Target};
use crate::config::{In, Variable};
use crate::eval::{At, Bindings, Domain as _, Step, eval};
use crate::syntax::{Attribute, ExprKind};
use crate::trace::{
    Decl, Frame, Identity, InstanceId, Iteration, Known, Repetition, ResourceInstance, Tracer, name_step,
};
use crate::value::{Type, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A call of more instances is not looked at as a whole.
const MOST_INSTANCES: usize = 256;

impl Reader<'_, '_> {
    pub(super) fn referred(&mut self, root: &str, steps: &[Step<'_>], at: At) -> (Identity, usize) {
        let (guarded, used) = self.frame.reference(root, steps, at);
        let known = match self.frame.tracer.only_of(&guarded, at) {
            Ok(value) => return (Identity::Known(value), used),
            Err(known) => known,
        };
        let names: Vec<_> = steps.iter().map(name_step).collect();
        let Ok(Reference { referent, consumed }) = Reference::parse(root, &names) else {
            return (failed(&known).unwrap_or(Identity::Untold), used);
        };
        (self.referent(&referent, &known, at), consumed)
    }

    fn referent(&mut self, referent: &Referent, known: &Known, at: At) -> Identity {
        let instance = self.frame.instance;
        match referent {
            Referent::Variable(name) => self.declared(instance, Decl::Variable(name.clone())),
            Referent::Local(name) => self.declared(instance, Decl::Local(name.clone())),
            Referent::Output { call, key, name } => self.output(call, key.as_ref(), name, at),
            Referent::Call(call, key) => self.outputs(call, key.as_ref()),
            Referent::Resource(addr) => self.resource(addr),
            Referent::EachKey | Referent::CountIndex => self.any_key(known),
            Referent::EachValue => self.each_value(known),
            Referent::SelfValue => Identity::leaf("builtin", "self"),
            Referent::Applying => Identity::leaf("builtin", "terraform.applying"),
            Referent::Workspace => Identity::varying("builtin", "terraform.workspace"),
            Referent::Path(PathAttr::Cwd) => Identity::leaf("builtin", "path.cwd"),
            Referent::Path(PathAttr::Module | PathAttr::Root) => Identity::Untold,
        }
    }

    /// The key at hand, where all instances are looked at together.
    fn any_key(&mut self, known: &Known) -> Identity {
        let Some(target) = &self.target else { return failed(known).unwrap_or(Identity::Untold) };
        let address = self.frame.tracer.place_of(self.frame.instance);
        Identity::leaf("any key", &format!("{address}{target}"))
    }

    fn each_value(&mut self, known: &Known) -> Identity {
        let module = self.frame.module();
        let for_each = module.zip(self.target.as_ref()).and_then(|(m, t)| Repetition::of(m, t).for_each);
        let Some(for_each) = for_each else { return failed(known).unwrap_or(Identity::Untold) };
        let own = self.frame.iteration.key.clone();
        let at = At::new(for_each.value_place());
        let key = own.and_then(|key| self.frame.tracer.only_of(&key, at).ok());
        let key = key.map_or_else(|| self.any_key(known), Identity::Known);
        let frame = self.frame.tracer.frame(self.frame.instance);
        let collection = Reader { frame, target: None, depth: 0 }.argument(&for_each);
        self.apply(&crate::eval::Op::Index, vec![collection, key], at)
    }

    /// An argument that stands here.
    pub(super) fn argument(&mut self, attr: &In<Attribute>) -> Identity {
        eval(self, attr.file, &attr.expr, &Bindings::default())
    }

    /// What a declaration is, read once.
    pub(super) fn declared(&mut self, instance: InstanceId, decl: Decl) -> Identity {
        let tracer = &mut *self.frame.tracer;
        let key = (instance, decl);
        if let Some(known) = tracer.memo.identities.get(&key) {
            return known.clone().unwrap_or(Identity::Untold);
        }
        if tracer.scope.nesting >= tracer.inputs.limits.nesting {
            return Identity::Untold;
        }
        tracer.memo.identities.insert(key.clone(), None);
        tracer.scope.nesting += 1;
        let found = tracer.read_declared(&key);
        tracer.scope.nesting -= 1;
        match tracer.exhausted() {
            true => drop(tracer.memo.identities.remove(&key)),
            false => drop(tracer.memo.identities.insert(key, Some(found.clone()))),
        }
        found
    }

    fn output(&mut self, call: &Arc<str>, key: Option<&Key>, name: &Arc<str>, at: At) -> Identity {
        let repeated = self.frame.module().and_then(|m| m.calls.get(call));
        let repeated = repeated.is_some_and(|c| c.count.is_some() || c.for_each.is_some());
        if repeated != key.is_some() {
            let whole = self.outputs(call, None);
            let whole = match key {
                Some(key) => {
                    self.apply(&crate::eval::Op::Index, vec![whole, Identity::Known(value_of(key))], at)
                }
                None => whole,
            };
            return self.apply(&crate::eval::Op::GetAttr(name), vec![whole], at);
        }
        match self.child(call, key) {
            Some(child) => self.declared(child, Decl::Output(name.clone())),
            None => match self.outside(call, key) {
                Some(outside) => self.apply(&crate::eval::Op::GetAttr(name), vec![outside], at),
                None => Identity::Untold,
            },
        }
    }

    /// The instance of a call, of the source that is taken.
    fn child(&mut self, call: &Arc<str>, key: Option<&Key>) -> Option<InstanceId> {
        let (tracer, instance) = (&mut *self.frame.tracer, self.frame.instance);
        let path = tracer.instances.get(instance)?.path.child(call.clone());
        let sources = tracer.inputs.config.chosen.get(&path).cloned().unwrap_or_default();
        let plain = CallName::from(call.clone());
        if sources.is_empty() {
            return tracer.called(instance, &plain, key.cloned());
        }
        let names = sources.iter().map(|source| CallName::by_source(call.clone(), source.as_str()));
        let taken: Vec<CallName> =
            names.filter(|name| tracer.is_taken(instance, name, key) == Some(true)).collect();
        match taken.as_slice() {
            [only] => tracer.called(instance, only, key.cloned()),
            _ => None,
        }
    }

    /// The object of a module that isn't there: of one source and one version it is one thing. Its arguments are fields of their own.
    fn outside(&self, call: &Arc<str>, key: Option<&Key>) -> Option<Identity> {
        let written = |attr: Option<&In<Attribute>>| match attr.map(|attr| &attr.expr.kind) {
            None => Some(String::new()),
            Some(ExprKind::String(text)) => Some(text.to_string()),
            Some(_) => None,
        };
        let of = self.frame.module()?.calls.get(call)?;
        let (source, version) = (written(of.source.as_ref())?, written(of.version.as_ref())?);
        if source.starts_with('.') {
            return None;
        }
        let key = key.map(Key::to_string).unwrap_or_default();
        let place = self.frame.tracer.place_of(self.frame.instance);
        Some(Identity::made(
            &format!("installed {source} {version}"),
            &[Identity::leaf("object", &format!("{place}module.{call}{key}"))],
            |_| format!("{place}module.{call}{key}"),
        ))
    }

    /// A resource as a whole: its instances, where it is known which there are.
    fn resource(&mut self, addr: &ResourceAddr) -> Identity {
        let address = format!("{}{addr}", self.frame.tracer.place_of(self.frame.instance));
        let target = Target::Resource(addr.clone());
        let found = self.frame.module().filter(|_| addr.mode == Mode::Managed);
        let repetition = found.map(|module| Repetition::of(module, &target)).unwrap_or_default();
        let module = self.frame.instance;
        let object = |key: Option<Key>| {
            let address = format!("{address}{}", key.as_ref().map(Key::to_string).unwrap_or_default());
            Identity::object(&address, ResourceInstance { module: module.0, addr: addr.clone(), key })
        };
        if repetition.is_none() {
            return object(None);
        }
        match self.frame.tracer.keys(module, &target) {
            Ok(keys) if keys.len() <= MOST_INSTANCES => match repetition.count {
                Some(_) => Identity::Tuple(keys.into_iter().map(object).collect()),
                None => {
                    let named = |key: Option<Key>| match &key {
                        Some(Key::Name(name)) => Some((name.clone(), object(key))),
                        _ => None,
                    };
                    Identity::Object(Arc::new(keys.into_iter().filter_map(named).collect()))
                }
            },
            _ => Identity::leaf("object", &address),
        }
    }

    /// A call as a whole.
    fn outputs(&mut self, call: &Arc<str>, key: Option<&Key>) -> Identity {
        let Some(found) = self.frame.module().and_then(|m| m.calls.get(call)) else {
            return Identity::Untold;
        };
        if key.is_some() || (found.count.is_none() && found.for_each.is_none()) {
            return self.outputs_of(call, key);
        }
        let target = Target::Call(call.clone().into());
        let Ok(keys) = self.frame.tracer.keys(self.frame.instance, &target) else {
            return self.any_outputs(call);
        };
        if keys.len() > MOST_INSTANCES {
            return Identity::Untold;
        }
        if found.count.is_some() {
            return Identity::Tuple(keys.iter().map(|key| self.outputs_of(call, key.as_ref())).collect());
        }
        let mut attrs = BTreeMap::new();
        for key in keys {
            if let Some(Key::Name(name)) = &key {
                attrs.insert(name.clone(), self.outputs_of(call, key.as_ref()));
            }
        }
        Identity::Object(Arc::new(attrs))
    }

    /// The instances of a call of which nobody knows how many there are: what repeats it, and what each of them gives.
    fn any_outputs(&mut self, call: &Arc<str>) -> Identity {
        let target = Target::Call(call.clone().into());
        let over = self.frame.module().and_then(|m| Repetition::of(m, &target).attribute().cloned());
        let Some(over) = over else { return Identity::Untold };
        let frame = self.frame.tracer.frame(self.frame.instance);
        let over = Reader { frame, target: None, depth: 0 }.argument(&over);
        let each = self.outputs_of(call, None);
        let address = self.frame.tracer.place_of(self.frame.instance);
        Identity::made(&format!("instances of {address}module.{call}"), &[over, each], |_| {
            format!("{address}module.{call}")
        })
    }

    fn outputs_of(&mut self, call: &Arc<str>, key: Option<&Key>) -> Identity {
        let Some(child) = self.child(call, key) else {
            return self.outside(call, key).unwrap_or(Identity::Untold);
        };
        let names: Vec<Arc<str>> =
            self.frame.tracer.module_of(child).into_iter().flat_map(|m| m.outputs.keys().cloned()).collect();
        let attrs = names.into_iter().map(|name| (name.clone(), self.declared(child, Decl::Output(name))));
        Identity::Object(Arc::new(attrs.collect()))
    }
}

fn value_of(key: &Key) -> Value {
    match key {
        Key::Index(n) => Value::number(*n),
        Key::Name(name) => Value::string(name),
    }
}

impl<'a> Tracer<'a> {
    /// The address of an instance, with a dot behind it; empty for the root.
    pub(super) fn place_of(&self, id: InstanceId) -> String {
        let mut names = Vec::new();
        let mut at = self.instances.get(id);
        while let Some(instance) = at {
            let Some((caller, call)) = &instance.caller else { break };
            let key = instance.key.as_ref().map(Key::to_string).unwrap_or_default();
            names.push(format!("module.{}{key}.", call.name));
            at = self.instances.get(*caller);
        }
        names.into_iter().rev().collect()
    }

    fn read_declared(&mut self, (instance, decl): &(InstanceId, Decl)) -> Identity {
        let Some(module) = self.module_of(*instance) else { return Identity::Untold };
        match decl {
            Decl::Local(name) => match module.locals.get(name) {
                Some(local) => self.read_in(*instance, &local.attr),
                None => Identity::leaf("missing", &format!("local.{name}")),
            },
            Decl::Output(name) => match module.outputs.get(name).map(|output| (output, &output.value)) {
                Some((output, Some(value))) => {
                    let value = self.read_in(*instance, value);
                    match output.sensitive || output.ephemeral {
                        true => Identity::made("hidden output", &[value], |_| "(sensitive value)".to_owned()),
                        false => value,
                    }
                }
                _ => Identity::leaf("missing", &format!("output.{name}")),
            },
            Decl::Variable(name) | Decl::Held(name) => match module.variables.get(name) {
                Some(variable) => self.read_variable(*instance, variable),
                None => Identity::leaf("missing", &format!("var.{name}")),
            },
            Decl::Argument(of, name) => self.read_argument(of, name),
            Decl::Repetition(_) | Decl::Instances(_) => Identity::Untold,
        }
    }

    fn read_argument(&mut self, of: &ResourceInstance, name: &str) -> Identity {
        match self.place_of_argument(of, name) {
            Some((frame, attr)) => {
                Reader { frame, target: Some(Target::Resource(of.addr.clone())), depth: 0 }.argument(&attr)
            }
            None => Identity::Untold,
        }
    }

    fn read_in(&mut self, instance: InstanceId, attr: &In<Attribute>) -> Identity {
        let frame = self.frame(instance);
        Reader { frame, target: None, depth: 0 }.argument(attr)
    }

    fn read_variable(&mut self, instance: InstanceId, variable: &Variable) -> Identity {
        let found = self.instances.get(instance).map(|i| (i.caller.clone(), i.key.clone()));
        let Some((caller, key)) = found else { return Identity::Untold };
        let Some((caller, name)) = caller else { return self.root_variable_read(variable) };
        let Some(call) = self.module_of(caller).and_then(|m| m.call(&name)) else { return Identity::Untold };
        let value = match (call.arg(&variable.name), &variable.default) {
            (Some(passed), _) => {
                let target = Target::Call(call.name.clone().into());
                let iteration = match key {
                    Some(key) => self.iteration(caller, &target, Some(&key)),
                    None => Iteration::default(),
                };
                let repeats = call.count.is_some() || call.for_each.is_some();
                let iteration =
                    if repeats && iteration.is_none() { self.axis(caller, &target) } else { iteration };
                let frame = Frame { tracer: self, instance: caller, iteration };
                Reader { frame, target: Some(target), depth: 0 }.argument(passed)
            }
            (None, Some(default)) => self.read_in(instance, default),
            (None, None) => return Identity::leaf("missing", &format!("argument {}", variable.name)),
        };
        let is_passed = call.arg(&variable.name).is_some();
        self.read_as(instance, variable, value, is_passed)
    }

    /// A value as its variable gives it.
    fn read_as(
        &mut self,
        instance: InstanceId,
        variable: &Variable,
        value: Identity,
        is_passed: bool,
    ) -> Identity {
        let value = match &variable.default {
            Some(default) if is_passed && !variable.nullable => {
                let default = self.read_in(instance, default);
                Identity::made("or, where it is null,", &[value.clone(), default], |terms| match terms {
                    [value, _] => value.text.to_string(),
                    _ => String::new(),
                })
            }
            _ => value,
        };
        let hidden = variable.sensitive || variable.ephemeral;
        let value = match &variable.defaults {
            Some(_) => {
                let ty = variable.type_attr.as_ref().map(|attr| self.text(At::new(attr.value_place())));
                Identity::made(&format!("with defaults {}", ty.unwrap_or_default()), &[value], first_text)
            }
            None => typed(value, &variable.ty),
        };
        if hidden { Identity::made("hidden", &[value], |_| "(sensitive value)".to_owned()) } else { value }
    }

    fn root_variable_read(&mut self, variable: &Variable) -> Identity {
        match self.universe_of(&variable.name) {
            Some(_) => Identity::Untold,
            None => {
                let ty = variable.ty.to_string();
                let leaf = Identity::varying("variable", &format!("var.{}", variable.name));
                let is_open = !variable.nullable;
                let kind = format!("of {ty} {is_open} {} {:?}", variable.is_hidden(), variable.defaults);
                match leaf {
                    leaf @ Identity::Open(_) => Identity::made(&kind, &[leaf], first_text),
                    other => other,
                }
            }
        }
    }
}

fn first_text(terms: &[Arc<crate::trace::Term>]) -> String {
    terms.first().map(|term| term.text.to_string()).unwrap_or_default()
}

/// A value that is converted to a type, part by part.
fn typed(value: Identity, ty: &Type) -> Identity {
    match (value, ty) {
        (value, Type::Dynamic) => value,
        (Identity::Object(attrs), Type::Object(of)) => {
            let own = |(name, part): (&Arc<str>, &Identity)| {
                Some((name.clone(), typed(part.clone(), of.attrs.get(name)?)))
            };
            Identity::Object(Arc::new(attrs.iter().filter_map(own).collect()))
        }
        (Identity::Object(attrs), Type::Map(of)) if **of != Type::Dynamic => {
            let own = |(name, part): (&Arc<str>, &Identity)| (name.clone(), typed(part.clone(), of));
            Identity::Object(Arc::new(attrs.iter().map(own).collect()))
        }
        (Identity::Tuple(items), Type::List(of)) if **of != Type::Dynamic => {
            Identity::Tuple(items.iter().map(|item| typed(item.clone(), of)).collect())
        }
        (Identity::Known(value), ty) => match crate::value::convert::convert(&value, ty) {
            Ok(value) => Identity::Known(value),
            Err(error) => Identity::leaf("fails", &error.message),
        },
        (Identity::Open(term), Type::String) if term.is_text() => Identity::Open(term),
        (value, ty) => Identity::made(&format!("as {ty}"), &[value], first_text),
    }
}

/// Keys of what is iterated, in a form that addresses have.
pub(super) fn label(key: &Value) -> String {
    crate::value::hcl::to_hcl(key).unwrap_or_else(|| "?".to_owned())
}
