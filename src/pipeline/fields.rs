//! Which fields an address names, and all fields there are.

pub use super::field::Field;
use super::session::Session;

use super::unknown;
use crate::addr::{FieldAddr, FieldPath, Mode, ModulePath, Target};
use crate::config::{Config, In, MergedBody, Module};
use crate::host::{Host, threads};
use crate::issue::{Code, Issue};
use crate::syntax::{self, Attribute, Block, Ident};
use crate::text::{Place, SourceFile, Sources, Span};
use crate::trace::site::{FieldSite, blocks_in, inside, locate_all, makes};
use std::collections::BTreeSet;
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
        call.args.iter().for_each(|a| found.add(vec![a.name.text.clone()], Some(a)));
    }
    for provider in &module.providers {
        let block = provider.decl.block.place();
        let name = match &provider.alias {
            Some(alias) => format!("{}.{alias}", provider.name).into(),
            None => provider.name.clone(),
        };
        Found { module: path, target: Target::Provider(name), block, out }.body(&provider.body);
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
        for (at, block) in blocks.iter().enumerate() {
            let Some(kind) = makes(block) else { continue };
            let same = |other: &&In<Block>| makes(other) == Some(kind);
            let dynamic = &*block.kind.text == "dynamic";
            let mut own = vec![kind.clone()];
            if blocks.iter().filter(same).count() > 1 {
                own.push(blocks.iter().take(at).filter(same).count().to_string().into());
            }
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

/// The fields that an address names: one, or all of a declaration. Instance keys, as a plan's addresses have them, are
/// passed over: a trace is one of all instances.
///
/// # Errors
/// An issue that names the nearest addresses there are.
pub fn named<H: Host + Clone>(session: &mut Session<H>, text: &str) -> Result<Vec<Field>, Issue> {
    let every = all(&session.config);
    let asked = without_keys(text);
    let below = format!("{asked}.");
    let literal = |f: &&Field| {
        let names = [f.addr.to_string(), f.addr.plain().to_string()];
        names.iter().any(|name| *name == asked || name.starts_with(&below))
    };
    let found: Vec<Field> = every.iter().filter(literal).cloned().collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let fault = |why: String| Issue::error(Code::Config, format!("\"{text}\" names no field"), why);
    let parsed: Result<FieldAddr, _> = asked.parse();
    if let Ok(addr) = &parsed {
        for reading in [Some(addr.clone()), addr.as_call_field()].into_iter().flatten() {
            let found = exactly(session, &every, &reading);
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    let labelled = labelled(session, &every, &asked);
    if !labelled.is_empty() {
        return Ok(labelled);
    }
    let near = unknown::Asked { config: &session.config, every: &every, text: &asked };
    Err(fault(match parsed {
        Ok(addr) => near.address(&addr),
        Err(e) => near.text(&e.to_string()),
    }))
}

/// The fields of what a label of `phi.hcl` names: all resources of a type, or those of a type and name in whatever module; and one
/// field of these.
fn labelled<H: Host + Clone>(session: &mut Session<H>, every: &[Field], text: &str) -> Vec<Field> {
    let names: Vec<&str> = text.split('.').collect();
    let (mode, names) = match names.as_slice() {
        ["data", names @ ..] => (Mode::Data, names),
        names => (Mode::Managed, names),
    };
    let [kind, rest @ ..] = names else { return Vec::new() };
    let is_meant = |field: &&Field| {
        let Target::Resource(own) = &field.addr.target else { return false };
        own.mode == mode && *own.kind == **kind && rest.first().is_none_or(|name| *own.name == **name)
    };
    let path = FieldPath(rest.iter().skip(1).map(|name| Arc::from(*name)).collect());
    let declared = every.iter().filter(is_meant).map(|f| FieldAddr { path: path.clone(), ..f.addr.clone() });
    let declared: BTreeSet<FieldAddr> = declared.collect();
    declared.iter().flat_map(|addr| exactly(session, every, addr)).collect()
}

/// An address without its instance keys.
fn without_keys(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for c in text.trim().chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if depth > 0 => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted && depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

fn exactly<H: Host + Clone>(session: &mut Session<H>, every: &[Field], addr: &FieldAddr) -> Vec<Field> {
    let same = |f: &&Field| f.addr.module == addr.module && f.addr.target == addr.target;
    let below: Vec<Field> =
        every.iter().filter(same).filter(|f| f.addr.path.0.starts_with(&addr.path.0)).cloned().collect();
    if !below.is_empty() {
        return below;
    }
    let Some(module) = session.config.at(&addr.module) else { return Vec::new() };
    if let Ok(found) = locate_all(module, &addr.target, &addr.path.0) {
        let field = |(path, site)| Field {
            addr: FieldAddr { path: FieldPath(path), ..addr.clone() },
            site,
            said: None,
        };
        return found.into_iter().map(field).collect();
    }
    match &addr.target {
        Target::Local(name) if addr.path.is_empty() => {
            let local = module.locals.get(name);
            let site = |attr: &In<Attribute>| FieldSite::new(attr.clone(), attr.place(), Vec::new());
            local.map(|l| Field { addr: addr.clone(), site: site(&l.attr), said: None }).into_iter().collect()
        }
        Target::Variable(name) => {
            let Some(block) = module.variables.get(name).map(|v| v.decl.block.place()) else {
                return Vec::new();
            };
            let expression = format!("var.{name}");
            let site = expression_site(&mut session.config.sources, &expression, "variable");
            let site = site.map(|s| FieldSite { block, rest: addr.path.0.clone(), ..s });
            site.map(|site| Field { addr: addr.clone(), site, said: None }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// A site for an expression that stands in no file. `None` where it can't be parsed.
pub fn expression_site(sources: &mut Sources, text: &str, what: &str) -> Option<FieldSite> {
    let expr = syntax::parse_expr(text).ok()?;
    let file = sources.add(SourceFile::new(format!("<{what}>"), text));
    let span = Span::new(0, text.len());
    let name = Ident { text: "expression".into(), span: Span::default() };
    let attr = In::new(file, Attribute { span, name, expr });
    Some(FieldSite::new(attr, Place { file, span }, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::without_keys;

    #[test]
    fn keys_are_passed_over() {
        assert_eq!(without_keys("module.a[\"x.y]\"].t.n[0].field"), "module.a.t.n.field");
        assert_eq!(without_keys("t.n[\"a\\\"]\"].f"), "t.n.f");
        assert_eq!(without_keys("t.n.f"), "t.n.f");
    }
}
