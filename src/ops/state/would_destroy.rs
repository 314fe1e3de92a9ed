//! Finds objects in state that a form factor would make Terraform destroy.
//!
//! No object can be moved from a resource into the module that replaces it, so it would be destroyed. In: the addresses in state.
//! Out: an issue for each object, unless a `removed` block releases it. Both directions are checked: resources that a service
//! replaces, and modules that a service made before. Absent: writing anything.

use crate::addr::{FieldAddr, Target};
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::state::State;
use crate::ops::state::flipped;
use crate::pipeline::Run;
use crate::specialise::moves::originals::{self, without_keys};
use crate::specialise::{released, removals, renames};
use crate::text::shell_word;
use std::collections::BTreeSet;

/// The objects that would be lost in a run.
///
/// # Errors
/// Returns an error if Terraform can't be started.
pub fn lost(state: &State<'_>, run: &Run) -> Result<Vec<Issue>, Issue> {
    let State { session, read, .. } = *state;
    let before = session.record.iter().flat_map(|r| &r.services);
    let concerned =
        session.rewrite.is_some() || !session.possible.is_empty() || before.clone().next().is_some();
    // Whoever destroys everything means it.
    if !concerned || read.destroy {
        return Ok(Vec::new());
    }
    let listed = state.held()?.objects;
    let released = released(&session.config);
    let given_up = |address: &str| released.iter().any(|r| is_within(address, r));
    let held: BTreeSet<String> =
        listed.iter().map(|a| without_keys(&a.to_string())).filter(|a| !given_up(a)).collect();
    let mut issues = Vec::new();
    let gone = session.rewrite.iter().flat_map(|r| {
        let dropped = r.dropped.iter().filter(|d| d.is_managed()).map(|d| (d.original(), !d.is_call()));
        r.replaced.iter().map(|r| (r.original(), !r.is_call())).chain(dropped)
    });
    for (original, whole) in gone {
        let names = names(session, &original);
        let lost = held.iter().find(|a| names.iter().any(|n| stands_for(session, a, (n, whole), true)));
        issues.extend(lost.map(|address| resource(session, address, &original)));
    }
    let now: BTreeSet<String> = session
        .rewrite
        .iter()
        .flat_map(|r| &r.replaced)
        .map(crate::specialise::service::Replaced::address)
        .collect();
    let possible = session.possible.iter().map(|(factor, r)| (factor.clone(), r.address()));
    // What was dropped made nothing.
    let before = before.filter_map(|s| Some((s.form_factor.clone(), s.module.clone()?)));
    let once: BTreeSet<(String, String)> = possible.chain(before).filter(|(_, m)| !now.contains(m)).collect();
    let mut seen = BTreeSet::new();
    for (factor, module) in once {
        // What conditions split has names that begin alike, and is still called.
        let called = |a: &str| now.iter().any(|n| stands_for(session, a, (n, false), true));
        let mut found = held.iter().filter(|a| stands_for(session, a, (&module, false), false));
        let lost = found.find(|a| !called(a));
        if let Some(address) = lost.filter(|a| seen.insert((*a).clone())) {
            issues.push(made(address, &factor));
        }
    }
    let replaced = session.rewrite.iter().flat_map(|r| &r.replaced).cloned().collect::<Vec<_>>();
    let turned_away = run.ask(session, |prover| flipped::objects(prover, &replaced, &listed));
    for (object, call) in turned_away {
        let address = without_keys(&object.to_string());
        if !given_up(&address) {
            issues.push(turned(session, &address, &call));
        }
    }
    Ok(issues)
}

fn turned(session: &Session, address: &str, call: &str) -> Issue {
    let factor = session.rewrite.as_ref().map_or("", |r| &r.factor);
    let why = format!(
        "Under the form factor \"{factor}\" a condition chooses which service stands in, and in this run it chooses another one than \
         {call}, so Terraform would destroy it. Nothing was written, and Terraform was not started to plan."
    );
    let issue = Issue::error(Code::Held, format!("state holds {address}"), why).about(address);
    issue
        .fix(
            "Plan with the values that this state belongs to, and give others a state of their own:",
            "terraform workspace new NAME",
        )
        .fix(
            "Or give the objects up without destroying them:",
            format!("terraform state rm {}", shell_word(call)),
        )
}

fn is_within(address: &str, outer: &str) -> bool {
    address.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns true if a state address is `original` itself, or one in which copies of it or of its modules appear. With `whole`, an
/// address within it doesn't count. With `known`, its own name counts whatever the configuration declares.
fn stands_for(session: &Session, held: &str, (original, whole): (&str, bool), known: bool) -> bool {
    let (held, wanted): (Vec<&str>, Vec<&str>) = (held.split('.').collect(), original.split('.').collect());
    if held.len() < wanted.len() || (whole && held.len() != wanted.len()) {
        return false;
    }
    let mut copied = false;
    for (at, (own, name)) in held.iter().zip(&wanted).enumerate() {
        if own == name {
            continue;
        }
        // Names are at every second place, behind `module` or a type.
        if at % 2 == 0 || !own.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')) {
            return false;
        }
        copied = true;
    }
    let part = held.get(..wanted.len()).unwrap_or_default().join(".");
    // What the configuration declares is somebody's own, and only named alike.
    (known && !copied) || !declared(session, &part)
}

fn resource(session: &Session, address: &str, original: &str) -> Issue {
    let factor = session.rewrite.as_ref().map_or("", |r| &r.factor);
    let why = format!(
        "Under the form factor \"{factor}\" a service replaces or drops {original}, so Terraform would destroy what state holds as \
         {address}. Nothing was written, and Terraform was not started to plan."
    );
    fixed(Issue::error(Code::Held, format!("state holds {original}"), why), address, original, factor)
}

fn made(address: &str, factor: &str) -> Issue {
    let why = format!(
        "A service made it under the form factor \"{factor}\", which is not on in this run or doesn't make it any more, so \
         Terraform would destroy it. Nothing was written, and Terraform was not started to plan."
    );
    let issue = Issue::error(Code::Held, format!("state holds {address}"), why);
    let module = address.split('.').take(2).collect::<Vec<_>>().join(".");
    let issue = issue.fix(
        "Plan with the form factor that this state belongs to:",
        format!("--form-factor {}", shell_word(factor)),
    );
    fixed(issue, address, &module, "another")
}

fn fixed(issue: Issue, address: &str, from: &str, factor: &str) -> Issue {
    issue
        .about(address)
        .fix(
            "Give each form factor a state of its own, a workspace for example:",
            format!("terraform workspace new {}", shell_word(factor)),
        )
        .fix(
            "Or give the object up without destroying it; apply this, and take it out again:",
            format!("removed {{\n  from = {from}\n\n  lifecycle {{\n    destroy = false\n  }}\n}}"),
        )
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

/// Returns true if the configuration declares the address, moves it or removes it: then it belongs to the user and is no copy.
fn declared(session: &Session, address: &str) -> bool {
    let Ok(field) = address.parse::<FieldAddr>() else { return true };
    let is = |from: &String| originals::without_keys(from) == address;
    if renames(&session.config).iter().any(|(from, _)| is(from)) || removals(&session.config).iter().any(is) {
        return true;
    }
    session.config.at(&field.module).is_some_and(|module| match &field.target {
        Target::Call(name) => module.call(name).is_some(),
        Target::Resource(addr) => module.resources.contains_key(addr),
        Target::Output(_) | Target::Local(_) | Target::Variable(_) | Target::Provider(_) => true,
    })
}
