//! The folder of a Stack as a module.

use super::removed::{self, Removed};
use super::rewrite::{Named, Rewriter};
use super::{calls, cycles, files, providers};
use crate::config::decode::{self, Ctx};
use crate::config::nearest::nearest;
use crate::config::{Call, Module, ModuleId, Origin, Provider, Role, View, build};
use crate::issue::{Code, Issue};
use crate::syntax::{self, Attribute, Block, Body, Expr, ExprKind, Ident, Item};
use crate::text::{Place, SourceId, Sources};
use std::path::Path;
use std::sync::Arc;

/// The only edition of the language.
const EDITION: &str = "TFStack2023";

/// The module that the Stack in a folder stands for, and what is wrong with its files.
pub(in crate::config) fn module(
    view: View<'_>,
    dir: &Path,
    (id, origin): (ModuleId, Origin),
    sources: &mut Sources,
) -> (Module, Vec<Issue>) {
    let mut module = Module { role: Role::Stack, ..Module::empty(id, dir.to_path_buf(), origin) };
    let (found, mut issues) = files::of_stack(view, dir, sources);
    let mut all = Declared::default();
    for file in &found {
        let mut ctx =
            Ctx { file: file.source, json: file.json, is_override: false, tofu: false, issues: Vec::new() };
        let plain = body(&mut ctx, &file.body, &mut all);
        let decls = decode::file(&mut ctx, &plain);
        issues.append(&mut ctx.issues);
        build::append(&mut module, decls, sources, &mut issues);
    }
    module.files = found;
    declare(&mut module, &mut all, sources, &mut issues);
    for variable in module.variables.values_mut() {
        // Null is no value to a Stack: a variable that has a default then has that, and another one has none.
        variable.nullable = false;
    }
    undeclared(&module, &all.named, &mut issues);
    not_configured(&module, &all.handed, &mut issues);
    issues.extend(cycles::found(&module));
    removed::conflicts(&module, &all.removed, &mut issues);
    (module, issues)
}

/// The declarations that only a Stack's files have.
#[derive(Default)]
struct Declared {
    calls: Vec<Call>,
    providers: Vec<Provider>,
    removed: Vec<(SourceId, Removed)>,
    named: Vec<(SourceId, Named)>,
    handed: Vec<(SourceId, Ident, Ident)>,
}

/// The part of a file that a module has as well, rewritten; the rest is put into `all`.
fn body(ctx: &mut Ctx, body: &Body, all: &mut Declared) -> Body {
    let file = ctx.file;
    let mut plain = Body { span: body.span, items: Vec::new() };
    let mut rewriter = Rewriter::new(ctx);
    for attr in body.attributes() {
        match &attr.expr.kind {
            ExprKind::Variable(edition) if &*attr.name.text == "language" && &**edition == EDITION => {}
            ExprKind::String(edition) if &*attr.name.text == "language" && &**edition == EDITION => {}
            _ if &*attr.name.text == "language" => {
                let why = format!("The only edition of the language of Stacks is {EDITION}.");
                rewriter.ctx.invalid(attr.expr.span, "Invalid language edition", why);
            }
            _ => rewriter.ctx.unexpected(attr),
        }
    }
    for block in body.blocks() {
        rewriter.within(block);
        match &*block.kind.text {
            "component" | "stack" => all.calls.extend(calls::call(&mut rewriter, block)),
            "provider" => all.providers.extend(providers::declared(&mut rewriter, block)),
            "removed" => all.removed.extend(removed::declared(&mut rewriter, block).map(|r| (file, r))),
            "required_providers" => plain.items.push(Item::Block(within_terraform(block))),
            "variable" => {
                let known = ["type", "default", "description", "sensitive", "ephemeral"];
                rewriter.ctx.only(block, &known, &["validation"]);
                has_type(&mut rewriter, block);
                plain.items.push(Item::Block(rewriter.block(block, &["type"])));
            }
            "output" => {
                let known = ["type", "value", "description", "sensitive", "ephemeral"];
                rewriter.ctx.only(block, &known, &[]);
                has_type(&mut rewriter, block);
                plain.items.push(Item::Block(converted(&rewriter.block(block, &["type"]))));
            }
            "locals" => plain.items.push(Item::Block(rewriter.block(block, &[]))),
            _ => rewriter.ctx.unexpected_block(block),
        }
    }
    all.handed.extend(rewriter.handed.into_iter().map(|(kind, name)| (file, kind, name)));
    all.named.extend(rewriter.named.into_iter().map(|named| (file, named)));
    plain
}

/// An output whose value is converted to its type, which a Stack's is and a module's isn't.
fn converted(block: &Block) -> Arc<Block> {
    let Some(ty) = block.body.attribute("type").map(|a| a.expr.clone()) else {
        return Arc::new(block.clone());
    };
    let of = |attr: &Attribute| {
        let name = Ident { text: "convert".into(), span: attr.expr.span };
        let call = syntax::Call { name, args: vec![attr.expr.clone(), ty.clone()], expand_final: false };
        let expr = Expr { span: attr.expr.span, kind: ExprKind::Call(Box::new(call)) };
        Item::Attribute(Arc::new(Attribute { expr, ..attr.clone() }))
    };
    let item = |item: &Item| match item {
        Item::Attribute(attr) if &*attr.name.text == "value" => of(attr),
        item => item.clone(),
    };
    let items = block.body.items.iter().map(item).collect();
    Arc::new(Block { body: Body { span: block.body.span, items }, ..block.clone() })
}

/// In a module `required_providers` stands in a `terraform` block.
fn within_terraform(block: &Arc<Block>) -> Arc<Block> {
    let body = Body { span: block.span, items: vec![Item::Block(block.clone())] };
    let kind = Ident { text: "terraform".into(), span: block.kind.span };
    Arc::new(Block { kind, body, ..(**block).clone() })
}

/// A Stack has to know the types of what goes in and out.
fn has_type(rewriter: &mut Rewriter<'_>, block: &Block) {
    let Some(attr) = block.body.attribute("type") else {
        rewriter.ctx.lacks(block, "type");
        return;
    };
    let mut any = None;
    syntax::walk::walk(&attr.expr, &mut |e| {
        any = any.or(matches!(&e.kind, ExprKind::Variable(name) if &**name == "any").then_some(e.span));
        true
    });
    if let Some(span) = any {
        let why = "There is no automatic type inference placeholder \"any\". Write an explicit type constraint instead.";
        rewriter.ctx.invalid(span, "Invalid type specification", why);
    }
}

fn declare(module: &mut Module, all: &mut Declared, sources: &Sources, issues: &mut Vec<Issue>) {
    let twice = |what: &str, first: Place, second: Place| {
        let why = format!("A {what} was already declared at {}.", sources.span_text(first));
        let kind = what.split([' ', '.']).next().unwrap_or(what).to_owned();
        Issue::error(Code::Invalid, format!("Duplicate {kind} declaration"), why).at(second)
    };
    for call in std::mem::take(&mut all.calls) {
        match module.calls.get(&call.name) {
            Some(first) => issues.push(twice(&call.name, first.decl.place(), call.decl.place())),
            None => {
                module.calls.insert(call.name.clone(), call);
            }
        }
    }
    for own in std::mem::take(&mut all.providers) {
        match module.providers.iter().find(|p| p.name == own.name && p.alias == own.alias) {
            Some(first) => {
                let what = format!("provider configuration \"{}\"", own.name);
                issues.push(twice(&what, first.decl.place(), own.decl.place()));
            }
            None => module.providers.push(own),
        }
    }
}

/// Says which components and embedded stacks are named and not declared.
fn undeclared(module: &Module, named: &[(SourceId, Named)], issues: &mut Vec<Issue>) {
    for (file, Named { call, span }) in named.iter().filter(|(_, n)| !module.calls.contains_key(&n.call)) {
        let (kind, name) = call.split_once('.').unwrap_or(("component", call));
        let kind = if kind == "stack" { "embedded stack" } else { kind };
        let mut why = format!("There is no {kind} \"{name}\" declared in this Stack.");
        if let Some(near) = nearest(call, module.calls.keys().map(|n| &**n)) {
            why.push_str(&format!(" Did you mean {near}?"));
        }
        let issue = Issue::error(Code::Invalid, format!("Reference to undeclared {kind}"), why);
        issues.push(issue.at(Place { file: *file, span: *span }));
    }
}

/// Says which configurations of providers are handed over and not declared.
fn not_configured(module: &Module, handed: &[(SourceId, Ident, Ident)], issues: &mut Vec<Issue>) {
    for (file, kind, name) in handed {
        let same = |p: &Provider| p.name == kind.text && p.alias.as_ref() == Some(&name.text);
        if module.providers.iter().any(same) {
            continue;
        }
        let why = format!("No block declares provider \"{}\" \"{}\" in this Stack.", kind.text, name.text);
        let issue = Issue::error(Code::Invalid, "Reference to undeclared provider configuration", why);
        issues.push(issue.at(Place { file: *file, span: kind.span.to(name.span) }));
    }
}
