//! The `moved` blocks of a configuration as statements of the model.
//!
//! In: a loaded configuration. Out: one statement per block, in the words of the module that holds it. Absent on purpose:
//! blocks that Terraform would reject for their form; it says so itself.

use crate::addr::{ModulePath, ResourceAddr};
use crate::config::{Config, Decl};
use crate::moves::{Endpoint, Refusal, Statement};
use crate::syntax::{Expr, ExprKind};
use crate::text::Place;

/// Every statement, each once: the module of a call stands once for each source that may be chosen.
pub fn statements(config: &Config) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::new();
    let mut seen: std::collections::BTreeSet<(ModulePath, String, String)> = Default::default();
    for (path, id) in &config.paths {
        for decl in config.module(*id).iter().flat_map(|m| &m.moved) {
            let Some((from, to)) = written(decl, "from").zip(written(decl, "to")) else { continue };
            let scope = path.plain();
            if !seen.insert((scope.clone(), from.clone(), to.clone())) {
                continue;
            }
            let ends = from.parse::<Endpoint>().ok().zip(to.parse::<Endpoint>().ok());
            out.extend(ends.and_then(|(from, to)| Statement::new(scope, from, to)));
        }
    }
    out
}

/// Returns the place of the block that Terraform would refuse; `None` for a cycle, which no single block makes.
pub fn place(config: &Config, refusal: &Refusal) -> Option<Place> {
    let (from, to) = refusal.ends()?;
    let is = |scope: &ModulePath, decl: &Decl, argument: &str, wanted: &str| {
        let own = written(decl, argument).map(|own| scope.address_of(own));
        own.and_then(|own| without_keys(&own)).is_some_and(|own| without_keys(wanted) == Some(own))
    };
    config.paths.iter().find_map(|(path, id)| {
        let scope = path.plain();
        let mut blocks = config.module(*id)?.moved.iter();
        let block = blocks.find(|decl| is(&scope, decl, "from", from) && is(&scope, decl, "to", to))?;
        Some(block.place())
    })
}

fn without_keys(address: &str) -> Option<(ModulePath, Option<ResourceAddr>)> {
    let end: Endpoint = address.parse().ok()?;
    Some((end.module.path(), end.resource.map(|(resource, _)| resource)))
}

/// The addresses without keys, seen from the root, that `removed` blocks give up without destroying what they name.
pub fn forgotten(config: &Config) -> Vec<String> {
    let mut out = Vec::new();
    for (path, id) in &config.paths {
        for decl in config.module(*id).iter().flat_map(|m| &m.removed).filter(|d| keeps(d)) {
            out.extend(written(decl, "from").map(|own| path.plain().address_of(own)));
        }
    }
    out
}

fn keeps(decl: &Decl) -> bool {
    let mut blocks = decl.block.body.blocks_of("lifecycle");
    blocks.any(|b| b.body.attribute("destroy").is_some_and(|a| matches!(a.expr.kind, ExprKind::Bool(false))))
}

/// The address in an argument of a block, without spaces.
fn written(decl: &Decl, argument: &str) -> Option<String> {
    let mut text = String::new();
    address(&decl.block.body.attribute(argument)?.expr, &mut text)?;
    Some(text)
}

fn address(expr: &Expr, out: &mut String) -> Option<()> {
    match &expr.kind {
        ExprKind::Variable(name) => out.push_str(name),
        ExprKind::GetAttr(base, name) => {
            address(base, out)?;
            out.push('.');
            out.push_str(&name.text);
        }
        ExprKind::Index(base, key) => {
            address(base, out)?;
            let key = match &key.kind {
                ExprKind::Number(n) => crate::addr::Key::Index(n.as_i64()?),
                ExprKind::String(s) => crate::addr::Key::Name(s.clone()),
                _ => return None,
            };
            out.push_str(&key.to_string());
        }
        _ => return None,
    }
    Some(())
}
