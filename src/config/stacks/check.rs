//! Checks that need the folders behind components and embedded Stacks.

use super::computed;
use crate::addr::ModulePath;
use crate::config::{Config, In, ModuleId, Role};
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Ident};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many Stacks there may be within one another below the topmost.
pub const MAX_NESTING: usize = 20;

/// Takes away inputs that nothing declares, which Terraform passes over, and says which; says which required ones are missing, and
/// what a component's module must not have.
pub(in crate::config) fn inputs(config: &mut Config) -> Vec<Issue> {
    let mut issues = Vec::new();
    let stacks: Vec<(ModulePath, ModuleId)> = config
        .paths
        .iter()
        .filter(|(_, id)| config.module(**id).is_some_and(|m| m.role == Role::Stack))
        .map(|(path, id)| (path.clone(), *id))
        .collect();
    issues.extend(stacks.iter().filter_map(|(path, _)| nested_too_deep(config, path)));
    let mut seen = BTreeSet::new();
    for (path, id) in stacks.into_iter().filter(|(_, id)| seen.insert(*id)) {
        let names: Vec<Arc<str>> =
            config.module(id).into_iter().flat_map(|m| m.calls.keys().cloned()).collect();
        for name in names {
            of_call(config, &path, id, &name, &mut issues);
        }
    }
    for module in config.modules.iter().filter(|m| m.role == Role::Component) {
        for provider in &module.providers {
            let why = "A component's module has no configuration of a provider: the Stack declares it, and hands it over in the \
                       component's \"providers\".";
            let issue = Issue::error(Code::Invalid, "Inline provider configuration not allowed", why);
            issues.push(issue.at(provider.decl.place()));
        }
    }
    issues
}

/// Terraform's limit: of Stacks within one another there are so many below the topmost.
fn nested_too_deep(config: &Config, path: &ModulePath) -> Option<Issue> {
    let (outer, name) = path.parent().filter(|_| path.depth() == MAX_NESTING + 1)?;
    let call = config.at(&outer)?.call(&name)?;
    let why = format!(
        "This embedded stack call is nested {MAX_NESTING} levels deep, which is greater than Terraform's nesting safety limit."
    );
    Some(Issue::error(Code::Invalid, "Too much embedded stack nesting", why).at(call.decl.place()))
}

fn of_call(config: &mut Config, path: &ModulePath, id: ModuleId, name: &Arc<str>, issues: &mut Vec<Issue>) {
    let Some(child) = config.child(path, name) else { return };
    let declared: BTreeSet<Arc<str>> = child.variables.keys().cloned().collect();
    let required = child.variables.values().filter(|v| v.default.is_none()).map(|v| v.name.clone());
    let required: Vec<Arc<str>> = required.collect();
    let Some(call) = config.modules.get_mut(id.0 as usize).and_then(|m| m.calls.get_mut(name)) else {
        return;
    };
    if let Some(inputs) = call.computed.clone() {
        let one = |name: &Arc<str>| {
            let ident = Ident { text: name.clone(), span: inputs.expr.span };
            let expr = computed::taken(&inputs.expr, name);
            In::new(inputs.file, Attribute { span: inputs.expr.span, name: ident, expr })
        };
        call.args = declared.iter().map(one).collect();
        return;
    }
    for arg in call.args.iter().filter(|a| !declared.contains(&a.name.text)) {
        let why =
            format!("{name} declares no variable \"{}\". Terraform passes over the value.", arg.name.text);
        issues.push(
            Issue::warning(Code::Config, "Value for undeclared variable", why).at(arg.at(arg.name.span)),
        );
    }
    for missing in required.iter().filter(|v| call.arg(v).is_none()) {
        let why = format!("{name} needs a value for the variable \"{missing}\", and its inputs have none.");
        issues.push(Issue::error(Code::Invalid, "Missing input", why).at(call.decl.place()));
    }
    call.args.retain(|a| declared.contains(&a.name.text));
}
