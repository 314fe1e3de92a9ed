//! Which module calls can't be components of their own, and why.

use super::providers;
use super::read::{Root, arguments, beyond};
use crate::addr::{FieldAddr, FieldPath, ModulePath, Referent, Target};
use crate::config::{Call, In};
use crate::graph::uses_of;
use crate::issue::{Code, Issue};
use crate::syntax::Attribute;
use crate::trace::site::FieldSite;
use crate::trace::{Known, Tracer};
use std::sync::Arc;

/// Decides it for all calls; `tracers` have the values of one environment each.
///
/// # Errors
/// Modules that a Stack doesn't take in any form.
pub(super) fn decide(root: &mut Root<'_>, tracers: &mut [Tracer<'_>]) -> Result<(), Vec<Issue>> {
    let calls: Vec<&Call> = root.module.calls.values().collect();
    let mut issues = Vec::new();
    for call in calls {
        let path = ModulePath::ROOT.child(call.name.clone());
        if root.config.configures_providers(&path) {
            let why = "A Stack configures all providers itself and hands them to its components.";
            let summary = format!("The module behind module.{} configures a provider", call.name);
            let issue = Issue::error(Code::Unsupported, summary, why).at(call.decl.place());
            issues.push(issue.fix(
                "Move its provider blocks to the root module first, and pass them with \"providers\".",
                "",
            ));
            continue;
        }
        if call.source_text().is_none() {
            let why = "A component's source is a string as it is, and so is that of a call in its module.";
            let issue =
                Issue::error(Code::Unsupported, format!("The source of module.{} is chosen", call.name), why);
            issues.push(
                issue
                    .at(call.decl.place())
                    .fix("Have tf-phi plan specialise it, or write one call for each source.", ""),
            );
            continue;
        }
        if let Some(why) = why(root, call, tracers) {
            root.kept.insert(call.name.clone(), why);
            continue;
        }
        for arg in call.args.iter().chain(&call.for_each) {
            root.part(Some(arg), &format!("{}_{}", call.name, arg.name.text).into());
        }
    }
    if issues.is_empty() { Ok(()) } else { Err(issues) }
}

fn why(root: &Root<'_>, call: &Call, tracers: &mut [Tracer<'_>]) -> Option<String> {
    if call.count.is_some() {
        return Some("it has a count, and components are repeated by for_each alone".to_owned());
    }
    if call.is_version_chosen() {
        return Some("an expression chooses its version".to_owned());
    }
    for arg in call.args.iter().chain(&call.for_each) {
        let each = |r: &Referent| matches!(r, Referent::EachKey | Referent::EachValue);
        let per_key = uses_of(&arg.expr, arg.file).iter().any(|used| each(&used.referent));
        if let Some(why) = beyond(&arg.expr, arg.file).filter(|_| per_key) {
            return Some(format!("{} differs from key to key, and {why}", arg.name.text));
        }
        if root.is_ephemeral(&arg.expr, arg.file) {
            return Some(format!("{} takes an ephemeral value", arg.name.text));
        }
    }
    if arguments(&call.decl.block).iter().any(beyond_count) {
        return Some("its arguments name one instance".to_owned());
    }
    if let Err(why) = providers::of_call(root, call) {
        return Some(why);
    }
    let child = root.config.at(&ModulePath::ROOT.child(call.name.clone()))?;
    call.args.iter().find_map(|arg| {
        let variable = child.variables.get(&arg.name.text)?;
        let default = variable.default.as_ref()?;
        let has = !matches!(default.expr.kind, crate::syntax::ExprKind::Null) && variable.nullable;
        let name = &arg.name.text;
        let text = || format!("{name} is null in an environment, for which a component takes the default");
        (has && tracers.iter_mut().any(|tracer| is_null(tracer, &call.name, arg))).then(text)
    })
}

fn beyond_count(attr: &In<Attribute>) -> bool {
    uses_of(&attr.expr, attr.file).iter().any(|used| used.referent == Referent::CountIndex)
}

/// Returns true if an argument is null in an instance.
fn is_null(tracer: &mut Tracer<'_>, call: &Arc<str>, arg: &In<Attribute>) -> bool {
    let target = Target::Call(call.clone().into());
    let Ok(outer) = tracer.module_standings(&ModulePath::ROOT) else { return false };
    let Ok(all) = tracer.standings(&outer, &target) else { return false };
    let path = FieldPath(vec![arg.name.text.clone()]);
    let addr = FieldAddr { module: ModulePath::ROOT, target, path };
    let site = FieldSite::new(arg.clone(), arg.value_place(), Vec::new());
    all.iter().any(|standing| {
        let found = tracer.known(&addr, &site, standing);
        found.iter().any(|(_, known)| matches!(known, Known::Value(value) if value.is_null()))
    })
}
