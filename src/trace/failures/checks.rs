//! The expressions that Terraform evaluates while it plans: those of every declaration, module by module.
//!
//! In: a configuration. Out: [`Check`]s, each with the declaration that has to have an instance for it, and the
//! preconditions that have to hold before. Absent on purpose: provisioners and `connection` (evaluated during apply alone),
//! `import` blocks, and providers that nothing uses: Terraform doesn't configure these.

use super::providers::is_used;
use super::refused;
use crate::addr::{CallName, FieldAddr, FieldPath, ModulePath, Target};
use crate::config::{Call, CheckRule, Config, In, MergedBody, Module, Resource, Variable};
use crate::issue::Issue;
use crate::syntax::{Attribute, Block, Expr, ExprKind};
use crate::text::{Place, SourceId};
use crate::trace::site::{blocks_in, inside, makes};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// One expression that Terraform evaluates.
#[derive(Clone, Debug)]
pub(super) struct Check<'c> {
    /// The module.
    pub path: &'c ModulePath,
    /// The checked declaration, within the module.
    pub name: Name<'c>,
    /// The same as the field that it is: blocks beside others of their kind are told apart, what repeats a block has a name apart
    /// from what is repeated, and what a `check` block asks is a data source's. Nothing of what Terraform refuses by its names.
    pub field: Option<FieldAddr>,
    /// The resource or call that has to have an instance, and whose `each` and `count` stand in it.
    pub of: Option<Target>,
    /// The rules that have to hold before it is evaluated.
    pub after: &'c [CheckRule],
    /// The arguments without whose values it is not evaluated.
    pub planned: Option<&'c MergedBody>,
    /// The `dynamic` blocks around it, from the outside in.
    pub dynamics: Vec<In<Block>>,
    /// The kind of check.
    pub kind: Kind<'c>,
}

/// The address of a checked declaration within its module.
#[derive(Clone, Debug)]
pub(super) struct Name<'c> {
    /// The declaration.
    pub of: Whose<'c>,
    /// The path into it.
    pub path: Vec<Arc<str>>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(super) enum Whose<'c> {
    /// One that has fields.
    Target(Target),
    /// A `check` block.
    Check(&'c str),
    /// A block by its name, or what is in it.
    Block(Arc<str>),
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Whose::Target(target) => write!(f, "{target}")?,
            Whose::Check(name) => write!(f, "check.{name}")?,
            Whose::Block(name) => write!(f, "{name}")?,
        }
        self.path.iter().try_for_each(|name| write!(f, ".{name}"))
    }
}

/// A requirement on an expression.
#[derive(Clone, Debug)]
pub(super) enum Kind<'c> {
    /// It has a value.
    Value(SourceId, &'c Expr),
    /// A local has a value.
    Local(&'c Arc<str>, Place),
    /// An output has a value; an output of the root module doesn't show a sensitive one.
    Output(&'c Arc<str>, Place),
    /// It is a number of instances.
    Count(&'c In<Attribute>),
    /// Instances can be made of it.
    ForEach(&'c In<Attribute>),
    /// A `dynamic` block can iterate over it.
    Entries(SourceId, &'c Expr),
    /// The argument of a call, or the default, suits a variable.
    Passed(&'c Variable, Option<&'c In<Attribute>>),
    /// It names what a plan has a change for: an element of `replace_triggered_by`.
    Trigger(SourceId, &'c Expr),
    /// It is none of the sources that can't be read.
    Source(&'c In<Attribute>, &'c BTreeMap<String, Vec<Issue>>),
    /// A rule holds.
    Rule(&'c CheckRule, Rule<'c>),
    /// Nothing: Terraform refuses it before it evaluates anything.
    Refused(Arc<str>, Place),
}

/// The owner of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule<'c> {
    /// A `validation` of a variable, with what a call passes.
    Validation(&'c Variable, Option<&'c In<Attribute>>),
    /// A `precondition` of a resource, data source or ephemeral resource.
    Precondition,
    /// A `postcondition` of one.
    Postcondition,
    /// A `precondition` of an output.
    Output,
    /// An `assert` of a `check` block.
    Assert,
}

/// All checks, by module.
pub(super) fn all(config: &Config) -> Vec<Check<'_>> {
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        if let Some(module) = config.module(*id) {
            of_module(config, path, module, &mut out);
            for refused in refused::of_module(config, path, module) {
                let name = Name { of: Whose::Block(refused.at.into()), path: Vec::new() };
                let kind = Kind::Refused(refused.error.into(), refused.place);
                let field = path.address_of(&name).parse().ok();
                let (of, planned, dynamics) = (None, None, Vec::new());
                out.push(Check { path, name, field, of, after: &[], planned, dynamics, kind });
            }
        }
    }
    out
}

/// The rules of the variables of a module that is called by nobody.
pub(super) fn of_values<'c>(path: &'c ModulePath, module: &'c Module) -> Vec<Check<'c>> {
    let mut out = Vec::new();
    for variable in module.variables.values() {
        let mut decl = Of::single(path, Target::Variable(variable.name.clone()), &mut out);
        decl.rules("validation", &variable.validations, Rule::Validation(variable, None));
    }
    out
}

fn of_module<'c>(config: &'c Config, path: &'c ModulePath, module: &'c Module, out: &mut Vec<Check<'c>>) {
    let call = path.parent().and_then(|(outer, name)| config.at(&outer)?.call(&name));
    for variable in module.variables.values() {
        let mut decl = Of::single(path, Target::Variable(variable.name.clone()), out);
        let passed = call.and_then(|call| call.arg(&variable.name));
        match call {
            Some(call) if passed.is_none() && variable.default.is_none() => {
                let why = format!(
                    "Missing required argument: The argument \"{}\" is required, but no definition was found.",
                    variable.name
                );
                decl.add(Vec::new(), Kind::Refused(why.into(), call.decl.place()));
            }
            Some(_) => decl.add(Vec::new(), Kind::Passed(variable, passed)),
            None => {}
        }
        decl.rules("validation", &variable.validations, Rule::Validation(variable, passed));
    }
    for local in module.locals.values() {
        let mut decl = Of::single(path, Target::Local(local.name.clone()), out);
        decl.add(Vec::new(), Kind::Local(&local.name, local.attr.value_place()));
    }
    for output in module.outputs.values() {
        let mut decl = Of::single(path, Target::Output(output.name.clone()), out);
        decl.rules("precondition", &output.preconditions, Rule::Output);
        decl.after = &output.preconditions;
        if let Some(value) = &output.value {
            decl.add(vec!["value".into()], Kind::Output(&output.name, value.value_place()));
        }
    }
    for resource in module.resources.values() {
        of_resource(&mut Of::repeated(path, Target::Resource(resource.addr.clone()), out), resource);
    }
    for call in module.calls.values() {
        of_call(config, path, call, out);
    }
    for provider in module.providers.iter().filter(|p| is_used(config, path, module, p)) {
        let name = match &provider.alias {
            Some(alias) => format!("{}.{alias}", provider.name).into(),
            None => provider.name.clone(),
        };
        Of::single(path, Target::Provider(name), out).body(&provider.body);
    }
    for check in &module.checks {
        let mut decl = Of {
            path,
            whose: Whose::Check(&check.name),
            target: Target::Local(format!("check {}", check.name).into()),
            of: None,
            after: &[],
            planned: None,
            out: &mut *out,
        };
        if let Some(data) = &check.data {
            let own = std::mem::replace(&mut decl.target, Target::Resource(data.addr.clone()));
            decl.body(&data.body);
            decl.target = own;
        }
        decl.rules("assert", &check.asserts, Rule::Assert);
    }
}

fn of_resource<'c>(decl: &mut Of<'_, 'c>, resource: &'c Resource) {
    decl.repetition(resource.count.as_ref(), resource.for_each.as_ref(), resource.lifecycle.enabled.as_ref());
    let lifecycle = &resource.lifecycle;
    let path = |kind: &str| format!("lifecycle.{kind}");
    decl.rules(&path("precondition"), &lifecycle.preconditions, Rule::Precondition);
    decl.after = &lifecycle.preconditions;
    decl.body(&resource.body);
    decl.planned = Some(&resource.body);
    decl.rules(&path("postcondition"), &lifecycle.postconditions, Rule::Postcondition);
    if let Some(attr) = lifecycle.replace_triggered_by.as_ref()
        && let ExprKind::Tuple(items) = &attr.expr.kind
    {
        for item in items {
            decl.add(vec!["lifecycle".into(), "replace_triggered_by".into()], Kind::Trigger(attr.file, item));
        }
    }
}

/// Adds the checks of a call itself. Its arguments are checked with the variables of its module, if that is loaded.
fn of_call<'c>(config: &'c Config, path: &'c ModulePath, call: &'c Call, out: &mut Vec<Check<'c>>) {
    let mut decl = Of::repeated(path, Target::Call(call.name.clone().into()), out);
    decl.repetition(call.count.as_ref(), call.for_each.as_ref(), call.enabled.as_ref());
    let module = config.child(path, &call.name);
    for arg in &call.args {
        let name = vec![arg.name.text.clone()];
        match module {
            None => decl.add(name, Kind::Value(arg.file, &arg.expr)),
            Some(module) if !module.variables.contains_key(&arg.name.text) => {
                let is_json = config.at(path).is_some_and(|module| module.has_json(arg.file));
                let why = refused::describe_unexpected(is_json, &arg.name.text);
                decl.add(name, Kind::Refused(why.into(), arg.at(arg.name.span)));
            }
            Some(_) => {}
        }
    }
    if module.is_none() {
        of_sources(config, path, call, out);
    }
}

/// Adds the checks of a call whose source is chosen: what one of its modules doesn't take, and the sources that can't be read.
fn of_sources<'c>(config: &'c Config, path: &'c ModulePath, call: &'c Call, out: &mut Vec<Check<'c>>) {
    let own = path.child(call.name.clone());
    if let Some((unreadable, source)) = config.unattached.get(&own).zip(call.source.as_ref())
        && unreadable.values().any(|issues| !issues.is_empty())
    {
        let target = Target::Call(call.name.clone().into());
        // A folder is read where there is no instance, too.
        Of::single(path, target, out).add(vec!["source".into()], Kind::Source(source, unreadable));
    }
    for source in config.chosen.get(&own).into_iter().flatten() {
        let name = CallName::by_source(call.name.clone(), source.as_str());
        let Some(module) = config.at(&path.child(name.clone())) else { continue };
        let mut decl = Of::repeated(path, Target::Call(name), out);
        for arg in call.args.iter().filter(|arg| !module.variables.contains_key(&arg.name.text)) {
            let is_json = config.at(path).is_some_and(|module| module.has_json(arg.file));
            let why = refused::describe_unexpected(is_json, &arg.name.text);
            let kind = Kind::Refused(why.into(), arg.at(arg.name.span));
            decl.add(vec![arg.name.text.clone()], kind);
        }
    }
}

/// The checks of one declaration.
struct Of<'o, 'c> {
    path: &'c ModulePath,
    whose: Whose<'c>,
    /// The declaration whose fields are checked.
    target: Target,
    of: Option<Target>,
    after: &'c [CheckRule],
    planned: Option<&'c MergedBody>,
    out: &'o mut Vec<Check<'c>>,
}

impl<'o, 'c> Of<'o, 'c> {
    fn single(path: &'c ModulePath, target: Target, out: &'o mut Vec<Check<'c>>) -> Self {
        Of { path, whose: Whose::Target(target.clone()), target, of: None, after: &[], planned: None, out }
    }

    fn repeated(path: &'c ModulePath, target: Target, out: &'o mut Vec<Check<'c>>) -> Self {
        Of { of: Some(target.clone()), ..Of::single(path, target, out) }
    }

    fn add(&mut self, path: Vec<Arc<str>>, kind: Kind<'c>) {
        self.within(path.clone(), path, kind, &[]);
    }

    /// `field`: the path as that of a field.
    fn within(&mut self, path: Vec<Arc<str>>, field: Vec<Arc<str>>, kind: Kind<'c>, dynamics: &[In<Block>]) {
        let name = Name { of: self.whose.clone(), path };
        let (module, target) = (self.path.clone(), self.target.clone());
        let field = Some(FieldAddr { module, target, path: FieldPath(field) });
        let (of, after, dynamics) = (self.of.clone(), self.after, dynamics.to_vec());
        let planned = self.planned;
        self.out.push(Check { path: self.path, name, field, of, after, planned, dynamics, kind });
    }

    /// `count` and `for_each` are evaluated where there is no instance, too.
    fn repetition(
        &mut self,
        count: Option<&'c In<Attribute>>,
        for_each: Option<&'c In<Attribute>>,
        enabled: Option<&'c In<Attribute>>,
    ) {
        let of = self.of.take();
        if let Some(count) = count {
            self.add(vec!["count".into()], Kind::Count(count));
        }
        if let Some(for_each) = for_each {
            self.add(vec!["for_each".into()], Kind::ForEach(for_each));
        }
        if let Some(enabled) = enabled {
            let path = vec!["lifecycle".into(), "enabled".into()];
            self.add(path, Kind::Value(enabled.file, &enabled.expr));
        }
        self.of = of;
    }

    fn rules(&mut self, path: &str, rules: &'c [CheckRule], whose: Rule<'c>) {
        for rule in rules {
            self.add(path.split('.').map(Arc::from).collect(), Kind::Rule(rule, whose));
        }
    }

    fn body(&mut self, body: &'c MergedBody) {
        for attr in &body.attributes {
            self.add(vec![attr.name.text.clone()], Kind::Value(attr.file, &attr.expr));
        }
        let blocks: Vec<(SourceId, &'c Block, In<Block>)> =
            body.blocks.iter().map(|b| (b.file, &*b.node, b.clone())).collect();
        self.blocks((&[], &[]), blocks, &[]);
    }

    /// `field`: the path as that of a field.
    fn blocks(
        &mut self,
        (path, field): (&[Arc<str>], &[Arc<str>]),
        blocks: Vec<(SourceId, &'c Block, In<Block>)>,
        around: &[In<Block>],
    ) {
        let kinds: Vec<Option<&Arc<str>>> = blocks.iter().map(|(_, block, _)| makes(block)).collect();
        for (at, (file, block, own)) in blocks.into_iter().enumerate() {
            let Some(kind) = makes(block) else { continue };
            let joined = [path, std::slice::from_ref(kind)].concat();
            let is_same = |other: &&Option<&Arc<str>>| **other == Some(kind);
            let mut of_field = vec![kind.clone()];
            if kinds.iter().filter(is_same).count() > 1 {
                of_field.push(kinds.iter().take(at).filter(is_same).count().to_string().into());
            }
            let mut dynamics = around.to_vec();
            if &*block.kind.text == "dynamic"
                && let Some(over) = block.body.attribute("for_each")
            {
                let name = [&*joined, &["for_each".into()]].concat();
                let own = [field, &["dynamic".into()], &*of_field, &["for_each".into()]].concat();
                self.within(name, own, Kind::Entries(file, &over.expr), around);
            }
            if &*block.kind.text != "dynamic" {
                of_field.extend(block.labels.iter().map(|label| label.text.clone()));
            }
            let of_field = [field, &*of_field].concat();
            let _ = inside(&own, &mut dynamics);
            let body = match &*block.kind.text {
                "dynamic" => match block.body.blocks_of("content").next() {
                    Some(content) => &content.body,
                    None => continue,
                },
                _ => &block.body,
            };
            for attr in body.attributes() {
                let name = [&*joined, std::slice::from_ref(&attr.name.text)].concat();
                let own = [&*of_field, std::slice::from_ref(&attr.name.text)].concat();
                self.within(name, own, Kind::Value(file, &attr.expr), &dynamics);
            }
            let inner = body.blocks().zip(blocks_in(body, file));
            self.blocks((&joined, &of_field), inner.map(|(b, own)| (file, &**b, own)).collect(), &dynamics);
        }
    }
}
