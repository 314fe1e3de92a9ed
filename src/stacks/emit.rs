//! Writes one instance of a Stack as the files of a module.

use super::items::From;
use super::unit::{Instance, Unit, line_end};
use super::words::{Stand, indexed};
use super::{names, outputs, providers, removed, requirements};
use crate::addr::Target;
use crate::config::{Call, Config, FileEntry, In, Role, module_source, paths};
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, ExprKind, Item, ObjectItem};
use crate::trace::Known;
use crate::value::hcl;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of folders between a Stack and the root modules of its deployments.
const ABOVE: usize = 3;

impl<'a> Unit<'_, '_, 'a> {
    /// Writes the Stack's files, and those of the Stacks embedded in it.
    pub fn write(&mut self) {
        self.expand();
        let module = self.module;
        for (name, call) in &module.calls {
            self.embedded(name, call);
        }
        for entry in &module.files {
            let text = self.file(entry);
            let path = self.path(&file_name(self.config, entry));
            self.out.files.insert(path, text);
        }
        requirements::remaining(self);
        removed::declared(self);
    }

    /// Finds the instances of components, embedded Stacks and providers.
    fn expand(&mut self) {
        let module = self.module;
        for (name, call) in &module.calls {
            let target = Target::Call(name.clone().into());
            let found = self.asking.keys(&self.spot, &target, call.decl.place());
            let found = found.unwrap_or_else(|issue| {
                self.fault(issue);
                Vec::new()
            });
            let plain = name.replace('.', "_");
            let local = self.free(&format!("each_{plain}"));
            let mut all = Vec::new();
            for (key, standing) in found {
                let otherwise = indexed(&format!("local.{local}"), key.as_deref().unwrap_or_default());
                let each = self.asking.each(&self.spot.path, &target, &standing, otherwise);
                all.push(Instance { label: names::call(name, key.as_deref()), key, standing, each });
            }
            let calls = all.iter().map(|i| format!("module.{}", i.label)).collect();
            let text = match &call.for_each {
                None => format!("module.{}", names::call(name, None)),
                Some(_) => format!("local.{}", self.free(&plain)),
            };
            self.stands.insert(name.clone(), Stand { text, calls });
            self.instances.insert(name.clone(), all);
        }
        self.providers = providers::expanded(self);
    }

    fn file(&mut self, entry: &FileEntry) -> String {
        let from = From { sources: &self.config.sources, file: entry.source, json: entry.json };
        let shown = self.config.sources.get(entry.source).map(|s| paths::shown(&s.path)).unwrap_or_default();
        let mut out = format!("# {} {shown}.\n# {}\n\n", self.head, EDIT);
        out.push_str(
            from.body(&entry.body, |item| match item {
                Item::Attribute(_) => None,
                Item::Block(block) if &*block.kind.text == "removed" => None,
                Item::Block(block) => Some(self.block(from, block)),
            })
            .trim_start_matches('\n'),
        );
        let mut locals = std::mem::take(&mut self.locals);
        locals.retain(|(name, _)| !name.starts_with("each_") || out.contains(&format!("local.{name}")));
        if !locals.is_empty() {
            let lines: Vec<String> =
                locals.iter().map(|(name, text)| format!("{name} = {}", text.trim_end())).collect();
            out.push_str(&format!("\nlocals {{\n{}\n}}\n", lines.join("\n")));
        }
        super::items::laid_out(&out)
    }

    fn block(&mut self, from: From<'_>, block: &Arc<Block>) -> String {
        let label = |at: usize| block.labels.get(at).map(|l| l.text.clone()).unwrap_or_default();
        match &*block.kind.text {
            kind @ ("component" | "stack") => self.calls(from, block, &format!("{kind}.{}", label(0)).into()),
            "provider" => providers::written(self, from, block, (&label(0), &label(1))),
            "required_providers" => requirements::written(self, from, block),
            "variable" => self.variable(from, block, &label(0)),
            "output" => outputs::written(self, from, block, &label(0)),
            "locals" => self.copied(from, block, None),
            _ => String::new(),
        }
    }

    /// Returns the block of a variable. It isn't nullable, as a Stack treats null as no value. A variable that the deployment sets has no
    /// default, even if only HCP knows the value.
    fn variable(&mut self, from: From<'_>, block: &Block, name: &Arc<str>) -> String {
        let given = self.labels.is_empty() && self.given.contains(name);
        let body = from.block(block, |item| match item {
            Item::Attribute(attr) if &*attr.name.text == "default" && given => None,
            Item::Attribute(attr) => Some(match &attr.expr.kind {
                ExprKind::String(ty) if &*attr.name.text == "type" => format!("type = {ty}"),
                _ => self.argument(from, attr, None),
            }),
            Item::Block(block) => Some(self.copied(from, block, None)),
        });
        format!("variable {} {{{}nullable = false\n}}", hcl::quote(name), line_end(body))
    }

    /// Returns the module calls for the instances of a component or an embedded Stack.
    fn calls(&mut self, from: From<'_>, block: &Arc<Block>, name: &Arc<str>) -> String {
        let module = self.module;
        let Some(call) = module.calls.get(name) else { return String::new() };
        let instances = self.instances.remove(name).unwrap_or_default();
        let mut out = Vec::new();
        for instance in &instances {
            let body = self.call(from, block, (name, call), instance);
            out.push(format!("module {} {{{body}}}", hcl::quote(&instance.label)));
            let labels: Vec<String> = self.labels.iter().cloned().chain([instance.label.clone()]).collect();
            let key = instance.key.as_ref().map(|key| format!("[{}]", hcl::quote(key))).unwrap_or_default();
            let outer = self.spot.standing.module.to_string();
            let dot = if outer.is_empty() { "" } else { "." };
            let address = format!("{outer}{dot}{name}{key}");
            let all = if Role::of_call(name) == Role::Stack {
                &mut self.out.stacks
            } else {
                &mut self.out.components
            };
            all.insert(labels, address);
        }
        if let Some(for_each) = &call.for_each {
            self.joined(from, name, (for_each, block), &instances);
        }
        self.instances.insert(name.clone(), instances);
        out.join("\n\n")
    }

    /// Adds a local with all instances, and one with the value of `for_each` if an instance needs it for `each.value`.
    fn joined(
        &mut self,
        from: From<'_>,
        name: &Arc<str>,
        (for_each, block): (&In<Attribute>, &Block),
        all: &[Instance],
    ) {
        let plain = name.replace('.', "_");
        let one = |i: &Instance| {
            format!("{} = module.{}", hcl::quote(i.key.as_deref().unwrap_or_default()), i.label)
        };
        let lines: Vec<String> = all.iter().map(one).collect();
        let text = if lines.is_empty() { "{}".to_owned() } else { format!("{{\n{}\n}}", lines.join("\n")) };
        self.locals.push((self.free(&plain), text));
        if all.iter().filter_map(|i| i.each.as_ref()).any(|each| each.value.is_none()) {
            let own = block.body.attribute("for_each").map_or(&for_each.expr, |attr| &attr.expr);
            let text = self.words().text(own, (from.file, from.json), None);
            self.locals.push((self.free(&format!("each_{plain}")), text));
        }
    }

    fn call(
        &mut self,
        from: From<'_>,
        block: &Block,
        (name, call): (&Arc<str>, &Call),
        instance: &Instance,
    ) -> String {
        let each = instance.each.as_ref();
        from.block(block, |item| {
            let Item::Attribute(attr) = item else { return None };
            match &*attr.name.text {
                "source" => self.source(name, call, instance),
                "inputs" => self.inputs(from, attr, (name, call), instance),
                "providers" => providers::handed(self, from, attr, (name, instance)),
                "depends_on" => self.depends_on(attr),
                "for_each" => None,
                _ => Some(self.argument(from, attr, each)),
            }
        })
    }

    fn source(&mut self, name: &Arc<str>, call: &Call, instance: &Instance) -> Option<String> {
        let text = call.source_text()?;
        if Role::of_call(name) == Role::Stack {
            let providers = requirements::handed(self, &instance.label);
            return Some(format!("source = \"./{}\"{providers}", instance.label));
        }
        if !module_source::is_local(text) {
            return Some(format!("source = {}", hcl::quote(text)));
        }
        let child = self.config.child(&self.spot.path, name).map(|m| m.dir.clone());
        let dir = child.unwrap_or_else(|| paths::join(&self.module.dir, text));
        let up = "../".repeat(ABOVE + self.labels.len());
        let path = format!("{up}{}", dir.display());
        Some(format!("source = {}", hcl::quote(path.trim_end_matches('/'))))
    }

    fn inputs(
        &mut self,
        from: From<'_>,
        attr: &Attribute,
        (name, call): (&Arc<str>, &Call),
        instance: &Instance,
    ) -> Option<String> {
        let each = instance.each.as_ref();
        let passed: Vec<&In<Attribute>> =
            call.args.iter().filter(|arg| !self.is_null(name, arg, instance)).collect();
        let ExprKind::Object(items) = &attr.expr.kind else {
            let local = self.free(&format!("inputs_{}", instance.label));
            let text = self.words().text(&attr.expr, (from.file, from.json), each);
            self.locals.push((local.clone(), text));
            let one = |arg: &&In<Attribute>| {
                let name = &arg.name.text;
                format!("{name} = lookup(local.{local}, {}, null)", hcl::quote(name))
            };
            return Some(passed.iter().map(one).collect::<Vec<_>>().join("\n"));
        };
        let item = |item: &ObjectItem| {
            let own = passed.iter().find(|arg| arg.expr.span == item.value.span)?;
            let text = self.words().text(&item.value, (from.file, from.json), each);
            Some(format!("{} = {text}", own.name.text))
        };
        let text = from.object(&attr.expr, items, item);
        Some(text.trim_matches([' ', '\n', '\r']).to_owned()).filter(|text| !text.is_empty())
    }

    /// Returns true if an input is null and its variable has a default. A Stack then uses the default, but a module call would pass null.
    fn is_null(&mut self, name: &Arc<str>, arg: &In<Attribute>, instance: &Instance) -> bool {
        let child = self.config.child(&self.spot.path, name);
        let falls_back =
            child.and_then(|m| m.variables.get(&arg.name.text)).is_some_and(|v| v.default.is_some());
        if !falls_back {
            return false;
        }
        let target = Target::Call(name.clone().into());
        let known = self.asking.value(&self.spot.path, &target, &instance.standing, arg.clone());
        matches!(known, Known::Value(value) if value.is_null())
    }

    fn depends_on(&self, attr: &Attribute) -> Option<String> {
        let ExprKind::Tuple(items) = &attr.expr.kind else { return None };
        let all = self.words().listed(items);
        (!all.is_empty()).then(|| format!("depends_on = [{}]", all.join(", ")))
    }

    fn embedded(&mut self, name: &Arc<str>, call: &'a Call) {
        if Role::of_call(name) != Role::Stack {
            return;
        }
        let Some(module) = self.config.child(&self.spot.path, name) else {
            let why = "tf-phi reads the embedded Stacks that a path names.";
            let issue = Issue::error(Code::NotInstalled, format!("{name} isn't there"), why);
            return self.fault(issue.at(call.decl.place()));
        };
        let instances = self.instances.remove(name).unwrap_or_default();
        for instance in &instances {
            let spot = match self.asking.inside(&self.spot, name, instance.key.as_ref(), call.decl.place()) {
                Ok(spot) => spot,
                Err(issue) => return self.fault(issue),
            };
            let passed = requirements::passed(self, (name, call), module, instance);
            let labels = self.labels.iter().cloned().chain([instance.label.clone()]).collect();
            let mut unit = Unit {
                asking: &mut *self.asking,
                config: self.config,
                module,
                spot,
                labels,
                head: self.head,
                given: self.given,
                instances: BTreeMap::new(),
                stands: BTreeMap::new(),
                providers: BTreeMap::new(),
                needs: Vec::new(),
                passed,
                locals: Vec::new(),
                out: &mut *self.out,
            };
            unit.write();
            let needs = requirements::all(&unit);
            self.needs.extend(needs.into_iter().map(|need| need.seen_from_above(&instance.label)));
        }
        self.instances.insert(name.clone(), instances);
    }
}

/// The second line of each file.
const EDIT: &str = "Edit that file: the next plan writes this one anew.";

/// Returns the name of the file that is written for a file of the Stack. It is never that of an override file, which Terraform
/// would merge into the others.
fn file_name(config: &Config, entry: &FileEntry) -> String {
    let path = config.sources.get(entry.source).map(|s| s.path.clone()).unwrap_or_default();
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = name
        .split_once(".tfcomponent.")
        .or_else(|| name.split_once(".tfstack."))
        .map_or(&*name, |(stem, _)| stem);
    let stem =
        if stem == "override" || stem.ends_with("_override") { format!("{stem}_") } else { stem.to_owned() };
    if entry.json { format!("{stem}_json.tf") } else { format!("{stem}.tf") }
}
