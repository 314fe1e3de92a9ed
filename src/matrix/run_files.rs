//! The files that provisioners run or copy.
//!
//! In: a configuration. Out: for each resource the paths that stand in its provisioners as they are, from the root module on: `script`, `scripts`, `source` of a
//! `file`, words of a `command` that begin with `${path.module}/`, `./` and their like. Invariant: from syntax alone. Absent on purpose: paths that are computed, what a
//! shell makes of a command, and what the files run in turn.

use crate::addr::ModulePath;
use crate::config::{Config, paths};
use crate::syntax::{Block, Expr, ExprKind, TemplatePart, traversal::absolute_traversal};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Stands in a text for `path.module`, for `path.root` and `path.cwd`, and for what isn't known. No path holds them.
const MODULE: char = '\u{1}';
const ROOT: char = '\u{2}';
const OPEN: char = '\0';

/// The characters that end a word of a command, besides white space.
const ENDS: &str = "'\"`;|&<>()=,$\\";

/// Files of provisioners, each with the address of its resource, and a path from the root module on. Only resources that are declared in `before`, too.
pub fn run_files(config: &Config, before: &Config) -> BTreeSet<(String, PathBuf)> {
    let mut out = BTreeSet::new();
    for (path, id) in &config.paths {
        let (Some(module), Some(old)) = (config.module(*id), before.at(path)) else { continue };
        let known = module.resources.values().filter(|own| old.resources.contains_key(&own.addr));
        for resource in known {
            let address = address_of(path, &resource.addr);
            for block in &resource.provisioners {
                let found = paths_of(block, &module.dir).into_iter();
                out.extend(found.map(|file| (address.clone(), file)));
            }
        }
    }
    out
}

fn address_of(path: &ModulePath, own: &impl std::fmt::Display) -> String {
    path.plain().address_of(own)
}

/// The paths in a provisioner of a module.
fn paths_of(block: &Block, dir: &Path) -> Vec<PathBuf> {
    let argument = |name: &str| block.body.attribute(name).map(|attr| &attr.expr);
    let whole = |expr: Option<&Expr>| {
        Some(expr?).and_then(text_of).and_then(|text| path_of(&text, dir, Path::new("")))
    };
    match block.label(0) {
        Some("file") => whole(argument("source")).into_iter().collect(),
        Some("remote-exec") => {
            let listed = match argument("scripts").map(|scripts| &scripts.kind) {
                Some(ExprKind::Tuple(items)) => items.iter().filter_map(|item| whole(Some(item))).collect(),
                _ => Vec::new(),
            };
            whole(argument("script")).into_iter().chain(listed).collect()
        }
        Some("local-exec") => {
            let Some(command) = argument("command").and_then(text_of) else { return Vec::new() };
            let from = match argument("working_dir") {
                Some(at) => whole(Some(at)),
                None => Some(PathBuf::new()),
            };
            let words = command.split(|c: char| c.is_whitespace() || ENDS.contains(c));
            let is_path = |word: &&str| {
                word.starts_with([MODULE, ROOT]) || word.starts_with("./") || word.starts_with("../")
            };
            let named = words.filter(is_path);
            named.filter_map(|word| path_of(word, dir, from.as_deref()?)).collect()
        }
        _ => Vec::new(),
    }
}

/// A path that a text is, from the root module on; nothing where a part of it isn't known.
fn path_of(text: &str, dir: &Path, from: &Path) -> Option<PathBuf> {
    if text.is_empty() || text.contains(OPEN) {
        return None;
    }
    let below = |rest: &str| rest.trim_start_matches('/').to_owned();
    let path = match text.strip_prefix(MODULE) {
        Some(rest) => paths::join(dir, below(rest)),
        None => match text.strip_prefix(ROOT) {
            Some(rest) => paths::clean(Path::new(&below(rest))),
            None => paths::join(from, text),
        },
    };
    Some(path)
}

/// A text with what isn't written out in it marked; nothing where an expression is none.
fn text_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::String(text) => Some(text.to_string()),
        ExprKind::Template(template) => {
            let part = |part: &TemplatePart| match part {
                TemplatePart::Literal(text, _) => text.to_string(),
                TemplatePart::Interpolation(expr, _) => folder_of(expr).to_string(),
                _ => OPEN.to_string(),
            };
            Some(template.parts.iter().map(part).collect())
        }
        _ => None,
    }
}

/// What stands for an interpolation.
fn folder_of(expr: &Expr) -> char {
    let name = absolute_traversal(expr).filter(|name| &*name.root.text == "path");
    let first = name.as_ref().and_then(|name| name.names().next());
    match first.map(|name| &*name.text) {
        Some("module") => MODULE,
        Some("root" | "cwd") => ROOT,
        _ => OPEN,
    }
}
