//! Proposes a Stack for a root module with environments.
//!
//! In: a root module that was read, and the values of its environments. Out: the files of a Stack whose deployments plan what the
//! root module plans for these environments. A module call becomes a component if a component can express it. Everything else goes
//! into the module of an added component, or of several if one needs the outputs of another. Invariants: equal inputs give equal
//! bytes; expressions and comments are the root module's own. Parts that a Stack can't have are left out, each with a note. Absent
//! on purpose: state, files on the disk, and Terraform.

mod deployments;
mod inner;
mod kept;
mod levels;
mod notes;
mod own;
mod providers;
mod read;
mod sheet;
mod types;
mod variables;
mod words;

pub use variables::Environment;

use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::pipeline::Session;
use crate::syntax::on_big_stack;
use crate::trace::{Assumptions, MOST_WORK, Tracer};
use levels::Levels;
use read::{Node, Root};
use sheet::Sheet;
use std::collections::BTreeMap;
use std::path::PathBuf;
use words::Words;

/// A proposed Stack.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// The Stack's files, by their paths in its folder.
    pub files: BTreeMap<PathBuf, String>,
    /// The parts of the root module that the Stack can't express, and the parts that a person should check.
    pub notes: Vec<Issue>,
    /// Addresses of the root module, each with the address of the same objects in the Stack.
    pub moves: Vec<(String, String)>,
}

/// Proposes a Stack, for a folder `depth` levels below the root module's.
///
/// # Errors
/// Returns an error for each part of the root module that makes a Stack impossible.
pub fn propose<H: Host + Clone + Sync>(
    session: &Session<H>,
    environments: &[Environment],
    depth: usize,
) -> Result<Proposal, Vec<Issue>> {
    on_big_stack(|| proposed(session, environments, depth))
}

fn proposed<H: Host + Clone>(
    session: &Session<H>,
    environments: &[Environment],
    depth: usize,
) -> Result<Proposal, Vec<Issue>> {
    let config = &session.config;
    let Some(module) = config.root() else { return Err(Vec::new()) };
    let refused: Vec<Issue> = module.files.iter().filter_map(|entry| unreadable(config, entry)).collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    let share = MOST_WORK / u64::try_from(environments.len()).unwrap_or(u64::MAX).max(1);
    let mut tracers: Vec<Tracer<'_>> = environments
        .iter()
        .map(|env| {
            let universes = &env.assigned.universes;
            Tracer::new(config, session.limits(), universes, Assumptions::default(), session.outside())
                .within(share)
        })
        .collect();
    let mut root = Root::new(config, module);
    kept::decide(&mut root, &mut tracers)?;
    let levels = Levels::of(&root).map_err(|issue| vec![issue])?;
    let workspace = words::free("workspace".to_owned(), |name| module.variables.contains_key(name));
    let mut words = Words {
        root: &root,
        levels: &levels,
        up: "../".repeat(depth.saturating_add(1)).trim_end_matches('/').to_owned(),
        workspace,
        asks_workspace: false,
        inner: BTreeMap::new(),
        locals: Default::default(),
        paths: Default::default(),
    };
    let mut sheet = Sheet::new(&root);
    let mut issues = notes::of(&root, &levels);
    let declared = variables::declared(&root, environments);
    issues.extend(declared.issues.iter().cloned());
    own::written(&mut words, &mut sheet, &declared, depth);
    own::outputs(&mut words, &mut sheet, &mut tracers, &mut issues);
    inner::written(&mut words, &mut sheet, depth);
    own::locals(&mut words, &mut sheet);
    inner::declared(&mut words, &mut sheet);
    own::providers(&mut words, &mut sheet);
    issues.extend(notes::after(&words));
    if words.asks_workspace {
        let text = format!("variable \"{}\" {{\ntype = string\n}}", words.workspace);
        sheet.add(sheet::stack_file("variables"), text);
    }
    let (text, more) = deployments::written(&words, &declared, environments);
    issues.extend(more);
    sheet.add("deployments.tfdeploy.hcl".into(), text);
    if issues.iter().any(Issue::is_error) {
        return Err(issues);
    }
    Ok(Proposal { files: sheet.files(), notes: issues, moves: moves(&root, &levels) })
}

/// Returns an error for a JSON file or an override file, which can't be taken over.
fn unreadable(config: &crate::config::Config, entry: &crate::config::FileEntry) -> Option<Issue> {
    let path = config.sources.get(entry.source).map(|s| s.path.clone()).unwrap_or_default();
    let (what, fix) = match (entry.is_override, entry.json) {
        (true, _) => ("It is merged into other files", "Make its changes in those files first."),
        (_, true) => ("It is JSON", "Write it in HCL's native syntax first."),
        _ => return None,
    };
    let summary = format!("{} can't be taken over into a Stack", crate::config::paths::shown(&path));
    let why = format!("{what}, and what is proposed is made of blocks as they stand.");
    Some(Issue::error(Code::Unsupported, summary, why).fix(fix, ""))
}

/// Returns addresses of the root module, each with the address of the same objects in the Stack.
fn moves(root: &Root<'_>, levels: &Levels) -> Vec<(String, String)> {
    let module = root.module;
    let mut out = Vec::new();
    for call in module.calls.keys() {
        let node = Node::Call(call.clone());
        let own = format!("module.{call}");
        match levels.at(&node) {
            Some(at) => out.push((own.clone(), format!("component.{}.{own}", levels.name(at)))),
            None => out.push((own, format!("component.{call}"))),
        }
    }
    for resource in module.managed() {
        if let Some(at) = levels.at(&Node::Resource(resource.addr.clone())) {
            out.push((resource.addr.to_string(), format!("component.{}.{}", levels.name(at), resource.addr)));
        }
    }
    out
}
