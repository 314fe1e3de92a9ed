//! Copies that state still holds, where no record tells of them.
//!
//! A record is lost by `restore`, by deleting `.phi`, or by planning from another checkout. What was applied from the
//! specialised form then stands in state under addresses that nothing in the sources names, and Terraform would destroy
//! it. The names are a contract (`<unit>_<slug>`), so state itself can be asked.

use super::Stop;
use super::decide::{Decided, decide};
use super::session::Session;
use crate::addr::{FieldAddr, Target};
use crate::host::Host;
use crate::issue::Issue;
use crate::specialise::record::UnitRecord;
use crate::specialise::{SplitUnit, originals, renames};
use crate::terraform::args::RunArgs;
use crate::terraform::{Terraform, init};
use crate::trace::Driven;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// Decides anew with what state holds, where no record tells of it.
///
/// # Errors
/// Those of [`in_state`] and of the decision.
pub(super) fn take_in(
    session: &mut Session,
    decided: &mut Decided,
    driven: &[Driven],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<(), Box<Stop>> {
    if session.record.is_some() {
        return Ok(());
    }
    let held = in_state(session, &decided.specialised.splits, read, terraform)?;
    if held.is_empty() {
        return Ok(());
    }
    session.kept.extend(held);
    *decided = decide(session, driven, &super::plan::vars(read)).map_err(|issues| {
        session.extend(issues);
        Box::new(Stop { issues: session.issues.clone(), sources: session.config.sources.clone() })
    })?;
    Ok(())
}

/// The units of which state holds copies that aren't among those to be written.
///
/// # Errors
/// Where Terraform can't be started. A directory without state, or one that isn't initialised, has none.
fn in_state(
    session: &Session,
    splits: &[SplitUnit],
    read: &RunArgs,
    terraform: &Terraform,
) -> Result<Vec<UnitRecord>, Issue> {
    // A tree of built-in providers alone needs no `init` to have a state.
    let local = ["terraform.tfstate", "terraform.tfstate.d"].map(Path::new);
    let has_state = |host: &dyn Host| local.iter().any(|path| host.kind(path).is_some());
    let may_be = init::is_initialised(&session.host, Path::new("")) || has_state(&session.host);
    if splits.is_empty() || !(may_be || read.state.is_some()) {
        return Ok(Vec::new());
    }
    let mut words: Vec<OsString> = ["state", "list"].iter().map(Into::into).collect();
    words.extend(read.state.iter().map(|path| format!("-state={path}").into()));
    let listed = terraform.capture_without(&session.host.root, &words, &["TF_CLI_ARGS"])?;
    let text = String::from_utf8_lossy(&listed.stdout);
    let held: Vec<&str> = text.lines().collect();
    let mut out: Vec<UnitRecord> = Vec::new();
    for unit in splits {
        for name in names(session, &unit.original) {
            let own = if name == unit.original { unit.addresses.as_slice() } else { &[] };
            out.extend(copies(session, &name, own, &held));
        }
    }
    Ok(out)
}

/// A unit's address, and those that `moved` blocks of the user's lead to it from.
fn names(session: &Session, original: &str) -> Vec<String> {
    let renames = renames(&session.config);
    let mut names = vec![original.to_owned()];
    let mut at = 0;
    while let Some(name) = names.get(at).cloned() {
        for (from, to) in &renames {
            let (from, to) = (originals::without_keys(from), originals::without_keys(to));
            let rest = name.strip_prefix(to.as_str());
            let earlier =
                rest.filter(|r| r.is_empty() || r.starts_with('.')).map(|rest| format!("{from}{rest}"));
            names.extend(earlier.filter(|e| !names.contains(e)));
        }
        at += 1;
    }
    names
}

/// The copies of one unit in state that aren't among those to be written.
fn copies(session: &Session, original: &str, own: &[String], held: &[&str]) -> Option<UnitRecord> {
    let mut former = BTreeSet::new();
    let mut repeated = false;
    for address in held {
        let Some(copy) = copy_of(original, &originals::without_keys(address)) else { continue };
        if own.contains(&copy) || declared(session, &copy) {
            continue;
        }
        repeated |= originals::key_within(&copy, address).is_some_and(|key| key != "[0]");
        former.insert(copy);
    }
    (!former.is_empty()).then(|| UnitRecord {
        original: original.to_owned(),
        addresses: Vec::new(),
        former_addresses: former.into_iter().collect(),
        repeated,
    })
}

/// The address of the unit's copy that holds an address, where one does.
fn copy_of(original: &str, address: &str) -> Option<String> {
    let rest = address.strip_prefix(original)?;
    let slug = rest.strip_prefix('_')?.split('.').next()?;
    Some(format!("{original}_{slug}"))
}

/// Whether the configuration declares what an address names: then it is somebody's own, and only named alike.
fn declared(session: &Session, address: &str) -> bool {
    let Ok(field) = address.parse::<FieldAddr>() else { return true };
    session.config.at(&field.module).is_some_and(|module| match &field.target {
        Target::Call(name) => module.calls.contains_key(name),
        Target::Resource(addr) => module.resources.contains_key(addr),
        Target::Output(_) | Target::Local(_) | Target::Variable(_) => true,
    })
}
