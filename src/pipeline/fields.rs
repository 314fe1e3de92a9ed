//! Which fields an address names, and all fields there are.

pub use super::every_field::{all, reviewed};
pub use super::field::Field;
use super::session::Session;

use super::unknown;
use crate::addr::{FieldAddr, FieldPath, Mode, Target};
use crate::config::In;
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::syntax::{self, Attribute, Ident};
use crate::text::{Place, SourceFile, Sources, Span};
use crate::trace::site::{FieldSite, locate_all};
use std::collections::BTreeSet;
use std::sync::Arc;

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
