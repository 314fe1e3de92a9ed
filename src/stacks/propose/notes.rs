//! Notes on the parts of a root module that a Stack can't express, each with what to do about it.

use super::levels::Levels;
use super::own::from;
use super::read::{Node, Root};
use super::variables;
use super::words::Words;
use crate::issue::{Code, Issue};
use crate::syntax::Block;
use crate::text::Place;

fn note(place: Place, summary: impl Into<String>, why: &str, fix: &str) -> Issue {
    Issue::warning(Code::Unsupported, summary, why).at(place).fix(fix, "")
}

/// Returns the notes on blocks and arguments of the root module.
pub(super) fn of(root: &Root<'_>, levels: &Levels) -> Vec<Issue> {
    let module = root.module;
    let mut out = Vec::new();
    for decl in &module.terraform {
        let block = &decl.block;
        for inner in block.body.blocks() {
            let place = Place { file: block.file, span: inner.kind.span };
            match &*inner.kind.text {
                kind @ ("backend" | "cloud") => out.push(note(
                    place,
                    format!("The {kind} is left out"),
                    "HCP keeps the state of each deployment.",
                    "Move the state with HCP's migration before the first plan. Which objects go where stands at the end of what is printed.",
                )),
                "required_providers" => {}
                kind => out.push(note(
                    place,
                    format!("The block {kind} is left out"),
                    "A Stack has none.",
                    "See whether its components need it.",
                )),
            }
        }
        if let Some(attr) = block.body.attribute("required_version") {
            out.push(note(
                Place { file: block.file, span: attr.span },
                "required_version is left out",
                "A Stack takes its version of Terraform from a file.",
                "Write the version into .terraform-version beside the Stack.",
            ));
        }
    }
    for (name, why) in &root.kept {
        let Some(call) = module.calls.get(name) else { continue };
        let own = levels.at(&Node::Call(name.clone())).map(|at| levels.name(at)).unwrap_or_default();
        let why = format!("It stays a call in the module of component.{own}, since {why}.");
        let issue = Issue::warning(Code::Unsupported, format!("module.{name} is no component"), why);
        out.push(issue.at(call.decl.place()));
    }
    for resource in module.resources.values() {
        for block in resource.provisioners.iter().chain(&resource.connection) {
            out.push(note(
                place(block),
                format!("{} has a {}", resource.addr, block.kind.text),
                "It runs where HCP runs the plan, which reaches neither your network nor your programs.",
                "Do it without one, or see that an agent can.",
            ));
        }
    }
    for (decls, kind, fix) in [
        (
            &module.imports,
            "import",
            "Import before you migrate, or give the deployment import = true with the blocks in a component's module.",
        ),
        (&module.removed, "removed", "Apply it before you migrate."),
        (&module.moved, "moved", "Apply it before you migrate."),
        (&module.others, "other", "See whether its components need it."),
    ] {
        for decl in decls {
            let kind = if kind == "other" { &*decl.block.kind.text } else { kind };
            out.push(note(
                decl.place(),
                format!("A block {kind} is left out"),
                "It is about addresses of the root module.",
                fix,
            ));
        }
    }
    for output in module.outputs.values().filter(|o| !o.preconditions.is_empty()) {
        out.push(note(
            output.decl.place(),
            format!("A precondition of output.{} is left out", output.name),
            "A Stack's outputs have none.",
            "Put it on what gives the value.",
        ));
    }
    out
}

fn place(block: &crate::config::In<Block>) -> Place {
    Place { file: block.file, span: block.kind.span }
}

/// Returns the notes that follow from the files that were written.
pub(super) fn after(words: &Words<'_, '_>) -> Vec<Issue> {
    let root = words.root;
    let mut out = Vec::new();
    for variable in root.module.variables.values() {
        let block = &variable.decl.block;
        let own = |inner: &super::words::Inner| inner.checks.get(&variable.name).map_or(0, Vec::len);
        let written = words.inner.values().map(own).max().unwrap_or_default();
        if variables::further(from(root, block), block, &variable.name).len() > written {
            out.push(note(
                variable.decl.place(),
                format!("A validation of var.{} is left out", variable.name),
                "A Stack's validations ask for nothing but their variable.",
                "Put it on what the variable is used for.",
            ));
        }
    }
    out.extend(paths(words));
    out
}

fn paths<'w>(words: &'w Words<'_, '_>) -> impl Iterator<Item = Issue> + 'w {
    let why = "A component's module lies in another folder, and HCP keeps that where it likes.";
    words.paths.iter().map(|place| {
        note(
            *place,
            "A path isn't the same in a Stack",
            why,
            "Use it to read files of the repository, and for nothing that is planned.",
        )
    })
}
