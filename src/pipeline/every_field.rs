//! All fields that there are.
//!
//! In: a configuration. Out: every argument of every declaration, with where it is defined. Absent on purpose: addresses that somebody names.

use super::field::Field;
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::{Config, In, MergedBody, Module, Provider};
use crate::host::threads;
use crate::syntax::{Attribute, Block};
use crate::text::Place;
use crate::trace::site::{FieldSite, blocks_in, inside, makes};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Every argument of every resource, data source, module call, provider and output, module by module.
pub fn all(config: &Config) -> Vec<Field> {
    let each = threads::map(config.paths.iter().collect(), |(path, id)| {
        let mut fields = Vec::new();
        if let Some(module) = config.module(*id) {
            of_module(path, module, &mut fields);
        }
        fields
    });
    let mut all = Vec::with_capacity(each.iter().map(Vec::len).sum());
    each.into_iter().for_each(|fields| all.extend(fields));
    all
}

/// What no report shows, and what secrets go to all the same: how provisioners connect, what they are given, what the data sources of `check` blocks ask,
/// what a Stack's providers are repeated over, and arguments that are references, which an expression may choose.
pub fn unlisted(config: &Config) -> Vec<Field> {
    let mut all = Vec::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        add_effects(path, module, &mut all);
        for resource in module.resources.values() {
            let target = Target::Resource(resource.addr.clone());
            let block = resource.decl.block.place();
            let mut found = Found { module: path, target, block, out: &mut all };
            found.add(vec!["provider".into()], resource.provider.as_ref());
            found.add(
                vec!["lifecycle".into(), "ignore_changes".into()],
                resource.lifecycle.ignore_changes.as_ref(),
            );
        }
        for call in module.calls.values() {
            let target = Target::Call(call.name.clone().into());
            let mut found = Found { module: path, target, block: call.decl.block.place(), out: &mut all };
            found.add(vec!["providers".into()], call.providers.as_ref());
        }
        for provider in module.providers.iter().filter(|provider| provider.for_each.is_some()) {
            let (target, block) = (target_of(provider), provider.decl.block.place());
            let mut found = Found { module: path, target, block, out: &mut all };
            found.add(vec!["for_each".into()], provider.for_each.as_ref());
        }
    }
    all
}

/// What no matrix shows, and what a change can reach through names all the same: what provisioners and `check` blocks start, conditions,
/// what is imported, and what actions do.
pub fn reviewed(config: &Config) -> Vec<Field> {
    let mut all = Vec::new();
    for (path, id) in &config.paths {
        let Some(module) = config.module(*id) else { continue };
        add_effects(path, module, &mut all);
        for resource in module.resources.values() {
            let target = Target::Resource(resource.addr.clone());
            let mut found = Found { module: path, target, block: resource.decl.block.place(), out: &mut all };
            let lifecycle = &resource.lifecycle;
            let rules = lifecycle.preconditions.iter().chain(&lifecycle.postconditions);
            found.blocks(
                &["lifecycle".into()],
                &rules.map(|rule| rule.block.clone()).collect::<Vec<_>>(),
                &[],
            );
        }
        for output in module.outputs.values() {
            let target = Target::Output(output.name.clone());
            let rules: Vec<In<Block>> = output.preconditions.iter().map(|rule| rule.block.clone()).collect();
            Found { module: path, target, block: output.decl.block.place(), out: &mut all }.blocks(
                &[],
                &rules,
                &[],
            );
        }
        for check in &module.checks {
            let target = Target::Block(format!("check.{}", check.name).into());
            let rules: Vec<In<Block>> = check.asserts.iter().map(|rule| rule.block.clone()).collect();
            Found { module: path, target, block: check.decl.block.place(), out: &mut all }.blocks(
                &[],
                &rules,
                &[],
            );
        }
        for (name, block) in module.named_blocks() {
            let mut found = Found {
                module: path,
                target: Target::Block(name.as_str().into()),
                block: block.place(),
                out: &mut all,
            };
            for attr in block.body.attributes().filter(|attr| !matches!(&*attr.name.text, "to" | "provider"))
            {
                found.add(vec![attr.name.text.clone()], Some(&In::new(block.file, attr.clone())));
            }
            found.blocks(&[], &blocks_in(&block.body, block.file), &[]);
        }
    }
    all
}

/// What is started or asked besides resources: provisioners with their connections, and the data sources of `check` blocks.
fn add_effects(path: &ModulePath, module: &Module, out: &mut Vec<Field>) {
    for resource in module.resources.values() {
        let blocks: Vec<In<Block>> =
            resource.provisioners.iter().chain(&resource.connection).cloned().collect();
        let target = Target::Resource(resource.addr.clone());
        Found { module: path, target, block: resource.decl.block.place(), out }.blocks(&[], &blocks, &[]);
    }
    for data in module.checks.iter().filter_map(|check| check.data.as_ref()) {
        let target = Target::Resource(data.addr.clone());
        Found { module: path, target, block: data.decl.block.place(), out }.body(&data.body);
    }
}

fn of_module(path: &ModulePath, module: &Module, out: &mut Vec<Field>) {
    for resource in module.resources.values() {
        let block = resource.decl.block.place();
        let mut found = Found { module: path, target: Target::Resource(resource.addr.clone()), block, out };
        let meta = [("count", &resource.count), ("for_each", &resource.for_each)];
        meta.into_iter().for_each(|(name, attr)| found.add(vec![name.into()], attr.as_ref()));
        let lifecycle = &resource.lifecycle;
        for (name, attr) in [
            ("create_before_destroy", &lifecycle.create_before_destroy),
            ("prevent_destroy", &lifecycle.prevent_destroy),
            ("enabled", &lifecycle.enabled),
        ] {
            found.add(vec!["lifecycle".into(), name.into()], attr.as_ref());
        }
        found.body(&resource.body);
    }
    for call in module.calls.values() {
        let block = call.decl.block.place();
        let mut found = Found { module: path, target: Target::Call(call.name.clone().into()), block, out };
        for (name, attr) in [
            ("source", &call.source),
            ("version", &call.version),
            ("count", &call.count),
            ("for_each", &call.for_each),
        ] {
            found.add(vec![name.into()], attr.as_ref());
        }
        found.add(vec!["lifecycle".into(), "enabled".into()], call.enabled.as_ref());
        call.args.iter().for_each(|a| found.add(vec![a.name.text.clone()], Some(a)));
    }
    for provider in &module.providers {
        let block = provider.decl.block.place();
        Found { module: path, target: target_of(provider), block, out }.body(&provider.body);
    }
    for output in module.outputs.values() {
        let block = output.decl.block.place();
        let mut found = Found { module: path, target: Target::Output(output.name.clone()), block, out };
        found.add(vec!["value".into()], output.value.as_ref());
        if let (Some(field), Some(_)) = (out.last_mut(), &output.value) {
            field.site.sensitive = output.sensitive;
        }
    }
}

/// A provider as a target.
fn target_of(provider: &Provider) -> Target {
    Target::Provider(match &provider.alias {
        Some(alias) => format!("{}.{alias}", provider.name).into(),
        None => provider.name.clone(),
    })
}

/// The fields of one declaration.
struct Found<'a> {
    module: &'a ModulePath,
    target: Target,
    block: Place,
    out: &'a mut Vec<Field>,
}

impl Found<'_> {
    fn add(&mut self, path: Vec<Arc<str>>, attr: Option<&In<Attribute>>) {
        self.within(path, attr, &[]);
    }

    fn within(&mut self, path: Vec<Arc<str>>, attr: Option<&In<Attribute>>, dynamics: &[In<Block>]) {
        if let Some(attr) = attr {
            let addr =
                FieldAddr { module: self.module.clone(), target: self.target.clone(), path: FieldPath(path) };
            let dynamics = dynamics.to_vec();
            let site = FieldSite { dynamics, ..FieldSite::new(attr.clone(), self.block, Vec::new()) };
            self.out.push(Field { addr, site, said: None });
        }
    }

    fn body(&mut self, body: &MergedBody) {
        body.attributes.iter().for_each(|a| self.add(vec![a.name.text.clone()], Some(a)));
        self.blocks(&[], &body.blocks, &[]);
    }

    /// Nested blocks, and what `dynamic` ones make. Where several of a type stand side by side, each is named by its index.
    fn blocks(&mut self, path: &[Arc<str>], blocks: &[In<Block>], around: &[In<Block>]) {
        let mut counts: FxHashMap<Arc<str>, (usize, usize)> = FxHashMap::default();
        for kind in blocks.iter().filter_map(|block| makes(block)) {
            counts.entry(kind.clone()).or_default().0 += 1;
        }
        for block in blocks {
            let Some(kind) = makes(block) else { continue };
            let Some((all, before)) = counts.get_mut(kind) else { continue };
            let dynamic = &*block.kind.text == "dynamic";
            let mut own = vec![kind.clone()];
            if *all > 1 {
                own.push(before.to_string().into());
            }
            *before += 1;
            let joined = |more: &[Arc<str>]| [path, &own, more].concat();
            let mut dynamics = around.to_vec();
            if dynamic {
                // What repeats it has a name apart from what is repeated.
                let head = [path, &["dynamic".into()], &own].concat();
                let own = [around, std::slice::from_ref(block)].concat();
                for (name, within) in [("for_each", around), ("labels", &own)] {
                    let attr = block.body.attribute(name).map(|a| In::new(block.file, a.clone()));
                    self.within([&*head, &[name.into()]].concat(), attr.as_ref(), within);
                }
            }
            let labels: Vec<Arc<str>> = match dynamic {
                true => Vec::new(),
                false => block.labels.iter().map(|l| l.text.clone()).collect(),
            };
            let Some(body) = inside(block, &mut dynamics) else { continue };
            for a in body.attributes() {
                let path = [&*joined(&labels), std::slice::from_ref(&a.name.text)].concat();
                self.within(path, Some(&In::new(block.file, a.clone())), &dynamics);
            }
            self.blocks(&joined(&labels), &blocks_in(body, block.file), &dynamics);
        }
    }
}
