//! Override files: `override.tf`, `*_override.tf` and their JSON forms.
//!
//! The merges are exactly Terraform's: an argument replaces the argument; nested blocks of a type replace all blocks
//! (and `dynamic` blocks) of that type; `lifecycle` merges argument by argument, its conditions are not merged; of a
//! `variable`, validations are not merged; a local is replaced as a whole; `depends_on` can't be overridden. A
//! `resource`, `data`, `module`, `variable`, `output`, local or aliased `provider` without a base is an error. The
//! rules are read from Terraform's `configs` package, 1.11 to 1.15.

use super::decode::FileDecls;
use super::decode::default::check_merged;
use super::{Call, Decl, In, Local, MergedBody, Module, Output, Provider, Resource, Variable};
use crate::addr::Mode;
use crate::config::literal::literal;
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Expr, ExprKind};
use crate::value::Type;
use crate::value::convert::convert;

/// Merges what an override file declares into the module.
pub(super) fn merge(module: &mut Module, over: FileDecls, issues: &mut Vec<Issue>) {
    for v in over.variables {
        let (base, named) = (module.variables.get_mut(&v.name), format!("variable named \"{}\"", v.name));
        into(base, v, |v| &v.decl, ("variable declaration", &named), variable, issues);
    }
    for l in over.locals {
        let (base, named) = (module.locals.get_mut(&l.name), format!("local value named \"{}\"", l.name));
        into(base, l, |l| &l.decl, ("local value definition", &named), local, issues);
    }
    for o in over.outputs {
        let (base, named) = (module.outputs.get_mut(&o.name), format!("output named \"{}\"", o.name));
        into(base, o, |o| &o.decl, ("output definition", &named), output, issues);
    }
    for c in over.calls {
        let (base, named) = (module.calls.get_mut(&c.name), format!("module call named \"{}\"", c.name));
        into(base, c, |c| &c.decl, ("module call", &named), call, issues);
    }
    for r in over.resources {
        let named = format!("resource {}", r.addr);
        let base = match module.resources.contains_key(&r.addr) {
            true => module.resources.get_mut(&r.addr),
            false => module.scoped_mut(&r.addr),
        };
        into(base, r, |r| &r.decl, ("resource", &named), resource, issues);
    }
    for p in over.providers {
        provider(module, p, issues);
    }
    for (blocks, kind) in [(over.moved, "moved"), (over.imports, "import")] {
        for decl in blocks {
            let why = format!("A \"{kind}\" block can appear only in normal files, not in override files.");
            let summary = format!("Cannot override '{kind}' blocks");
            issues.push(Issue::error(Code::Invalid, summary, why).at(decl.place()));
        }
    }
    // Settings of a later file win where they clash, so the order of the list says it all.
    module.terraform.extend(over.terraform);
}

/// Merges a declaration into its base, which has to be there.
fn into<T>(
    base: Option<&mut T>,
    over: T,
    decl: fn(&T) -> &Decl,
    (what, named): (&str, &str),
    merge: fn(&mut T, T, &mut Vec<Issue>),
    issues: &mut Vec<Issue>,
) {
    match base {
        Some(base) => merge(base, over, issues),
        None => missing(issues, decl(&over), what, named),
    }
}

fn missing(issues: &mut Vec<Issue>, decl: &Decl, what: &str, named: &str) {
    let why = format!(
        "There is no {named}. An override file can only override what is declared in a primary configuration file."
    );
    issues
        .push(Issue::error(Code::Invalid, format!("Missing base {what} to override"), why).at(decl.place()));
}

fn replace<T>(base: &mut Option<T>, over: Option<T>) {
    if over.is_some() {
        *base = over;
    }
}

/// The same for what Terraform takes as a literal alone. It reads what is replaced as well.
fn replace_literal(base: &mut Option<In<Attribute>>, over: Option<In<Attribute>>, issues: &mut Vec<Issue>) {
    if let (Some(before), Some(now)) = (&*base, &over)
        && literal(&before.expr).is_err()
        && literal(&now.expr).is_ok()
    {
        let name = &before.name.text;
        let summary = format!("Terraform reads the {name} that an override file replaces");
        let why = "It takes no expression there, and reads this one before it merges the override file, so that it stops.";
        let issue = Issue::warning(Code::Invalid, summary, why).at(before.place());
        issues.push(issue.fix("Take the argument out here, or the one in the override file.", ""));
    }
    replace(base, over);
}

/// Takes a flag over where the override sets it.
fn flag(base: &mut bool, over: bool, decl: &Decl, name: &str) {
    if decl.block.body.attribute(name).is_some() {
        *base = over;
    }
}

/// `[]` and `{}`, which Terraform can't tell from an absent argument where it keeps a list of what was given.
fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Tuple(items) => items.is_empty(),
        ExprKind::Object(items) => items.is_empty(),
        _ => false,
    }
}

fn is_all(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Variable(name) if &**name == "all")
}

/// Says so where base and override repeat in two ways: Terraform takes `count` and drops the other without a word.
fn one_repetition<T>(count: &Option<T>, for_each: &Option<T>, decl: &Decl, issues: &mut Vec<Issue>) {
    if count.is_some() && for_each.is_some() {
        unsupported(issues, decl, "With the override merged there are both \"count\" and \"for_each\".");
    }
}

fn refuse_depends_on(over: Option<&In<Attribute>>, issues: &mut Vec<Issue>) {
    if let Some(attr) = over.filter(|a| !is_empty(&a.expr)) {
        let why = "The depends_on argument may not be overridden.";
        issues.push(Issue::error(Code::Invalid, "Unsupported override", why).at(attr.place()));
    }
}

/// Reports a combination that Terraform takes in a way that is not followed here.
fn unsupported(issues: &mut Vec<Issue>, decl: &Decl, why: &str) {
    issues.push(Issue::error(Code::Unsupported, "Override that can't be followed", why).at(decl.place()));
}

/// Returns true if the base's default reads the same under the new type alone as it does by way of the base's type,
/// which is how Terraform takes it.
fn same_default(base: &Variable, new: &Type) -> bool {
    let Some(default) = &base.default else { return true };
    let Ok(value) = literal(&default.expr) else { return base.ty == *new };
    let by_way = convert(&value, &base.ty).and_then(|v| convert(&v, new));
    match (by_way, convert(&value, new)) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => true,
        _ => false,
    }
}

fn variable(base: &mut Variable, over: Variable, issues: &mut Vec<Issue>) {
    if over.type_attr.is_some() {
        // Terraform keeps the base's defaults of optional attributes for values from outside, and applies the
        // override's to the override's default alone.
        if base.defaults.is_some() || over.defaults.is_some() {
            let why = "An override file changes a type that gives defaults to optional attributes.";
            unsupported(issues, &over.decl, why);
        }
        if over.default.is_none() && !same_default(base, &over.ty) {
            let why = "An override file changes a variable's type so that its default means something else.";
            unsupported(issues, &over.decl, why);
        }
    }
    flag(&mut base.sensitive, over.sensitive, &over.decl, "sensitive");
    flag(&mut base.ephemeral, over.ephemeral, &over.decl, "ephemeral");
    flag(&mut base.nullable, over.nullable, &over.decl, "nullable");
    if over.type_attr.is_some() {
        base.ty = over.ty.clone();
        base.type_attr = over.type_attr.clone();
    }
    replace(&mut base.default, over.default.clone());
    if issues.iter().all(|i| i.place != base.default.as_ref().map(In::value_place)) {
        issues.extend(check_merged(base, &over));
    }
    base.decl.overrides.push(over.decl.block);
}

fn local(base: &mut Local, over: Local, _: &mut Vec<Issue>) {
    base.attr = over.attr;
    base.decl.overrides.push(over.decl.block);
}

fn output(base: &mut Output, over: Output, issues: &mut Vec<Issue>) {
    flag(&mut base.sensitive, over.sensitive, &over.decl, "sensitive");
    flag(&mut base.ephemeral, over.ephemeral, &over.decl, "ephemeral");
    refuse_depends_on(over.depends_on.as_ref(), issues);
    replace(&mut base.value, over.value);
    base.decl.overrides.push(over.decl.block);
}

fn call(base: &mut Call, over: Call, issues: &mut Vec<Issue>) {
    refuse_depends_on(over.depends_on.as_ref(), issues);
    replace_literal(&mut base.source, over.source, issues);
    replace_literal(&mut base.version, over.version, issues);
    replace(&mut base.count, over.count);
    replace(&mut base.for_each, over.for_each);
    replace(&mut base.enabled, over.enabled);
    replace(&mut base.providers, over.providers.filter(|p| !is_empty(&p.expr)));
    attributes(&mut base.args, over.args);
    one_repetition(&base.count, &base.for_each, &over.decl, issues);
    base.decl.overrides.push(over.decl.block);
}

fn resource(base: &mut Resource, over: Resource, issues: &mut Vec<Issue>) {
    refuse_depends_on(over.depends_on.as_ref(), issues);
    replace(&mut base.count, over.count);
    replace(&mut base.for_each, over.for_each);
    replace(&mut base.lifecycle.enabled, over.lifecycle.enabled.clone());
    replace(&mut base.provider, over.provider);
    replace(&mut base.connection, over.connection);
    if !over.provisioners.is_empty() {
        base.provisioners = over.provisioners;
    }
    if base.addr.mode == Mode::Managed {
        let lifecycle = &mut base.lifecycle;
        let over_lifecycle = over.lifecycle;
        replace_literal(&mut lifecycle.create_before_destroy, over_lifecycle.create_before_destroy, issues);
        replace_literal(&mut lifecycle.prevent_destroy, over_lifecycle.prevent_destroy, issues);
        let keep_all = lifecycle.ignore_changes.as_ref().is_some_and(|a| is_all(&a.expr));
        if !keep_all {
            let ignored = over_lifecycle.ignore_changes.filter(|a| !is_empty(&a.expr));
            replace(&mut lifecycle.ignore_changes, ignored);
        }
        lifecycle.blocks.extend(over_lifecycle.blocks);
    }
    body(&mut base.body, over.body);
    one_repetition(&base.count, &base.for_each, &over.decl, issues);
    base.decl.overrides.push(over.decl.block);
}

fn provider(module: &mut Module, over: Provider, issues: &mut Vec<Issue>) {
    let found = module.providers.iter_mut().find(|p| p.name == over.name && p.alias == over.alias);
    match (found, &over.alias) {
        (Some(base), _) => {
            body(&mut base.body, over.body);
            base.decl.overrides.push(over.decl.block);
        }
        // No provider block stands for an empty one, so there is always something to override.
        (None, None) => module.providers.push(over),
        (None, Some(alias)) => {
            let named = format!("{} provider configuration with the alias \"{alias}\"", over.name);
            missing(issues, &over.decl, "provider configuration", &named);
        }
    }
}

/// Arguments replace arguments of the same name where they stand; new ones come last.
fn attributes(base: &mut Vec<In<Attribute>>, over: Vec<In<Attribute>>) {
    for attr in over {
        match base.iter_mut().find(|a| a.name.text == attr.name.text) {
            Some(slot) => *slot = attr,
            None => base.push(attr),
        }
    }
}

fn body(base: &mut MergedBody, over: MergedBody) {
    attributes(&mut base.attributes, over.attributes);
    let made = |b: &crate::syntax::Block| match (&*b.kind.text, b.label(0)) {
        ("dynamic", Some(kind)) => kind.to_owned(),
        (kind, _) => kind.to_owned(),
    };
    let replaced: Vec<String> = over.blocks.iter().map(|b| made(b)).collect();
    base.blocks.retain(|b| !replaced.contains(&made(b)));
    base.blocks.extend(over.blocks);
}
