//! `tf-phi verify`: whether the specialised tree plans what the original plans.
//!
//! Both are planned in one copy of the working directory, one after the other, so that paths are the same, too. The
//! user's tree is not written. Moves are not compared: they are how state gets from one to the other.

use super::aside::{Aside, Words};
use super::compare::{Difference, compare};
use super::decide::{Decided, Tree, decide};
use super::plan::{find, read_words, vars};
use super::session::Session;
use super::{DIFFERENT, DONE, Outcome, Start};
use super::{targeted, targets};
use crate::host::Machine;
use crate::issue::{Code, Issue};
use crate::report::diff::unified;
use crate::report::progress::Progress;
use crate::specialise::record::UnitRecord;
use crate::specialise::service::{Replaced, Rewrite};
use crate::specialise::{moves, originals};
use crate::terraform::plan_json::Plan;
use crate::terraform::{Terraform, args};
use std::ffi::OsString;
use std::path::PathBuf;

/// Runs the command; `args` are those of `terraform plan`.
///
/// # Errors
/// Blocking issues; plans that can't be made.
pub fn run(start: &Start, args: &[OsString]) -> Outcome {
    let (words, read) = read_words("plan", args)?;
    let start = &Start { console: start.console.plain_if(read.no_color), ..start.clone() };
    let mut session = Session::open(start)?;
    let driven = session.driven(start);
    if session.is_blocked() {
        return Err(session.stop());
    }
    if session.is_idle(&driven) {
        start.console.note("nothing to verify: no field is driven, so nothing is specialised.");
        return Ok(DONE);
    }
    let mut decided = match decide(&mut session, &driven, &vars(&read)) {
        Ok(decided) => decided,
        Err(issues) => {
            session.extend(issues);
            return Err(session.stop());
        }
    };
    let progress = Progress::start(start.console, "planning the original and the specialised tree");
    let terraform = find(start, &session)?;
    let held = super::leftover::take_in(start, &mut session, &mut decided, &driven, &read, &terraform)?;
    super::first::settle(&session, &mut decided, &read, &terraform)?;
    super::likeness::collisions(&decided, &held)?;
    let words = args::words_of(&Machine, "plan", &words)?;
    targeted::check(&decided, &targets::translated(&words, &decided), &read, &held)?;
    let (original, specialised) = plans(&session, &decided, &terraform, words, &held)?;
    drop(progress);
    if let Some(rewrite) = &session.rewrite {
        start.console.report(&replaced(rewrite));
    }
    let splits = &decided.specialised.splits;
    let (count, differences) =
        compare(&original, &specialised, &|address| originals::original(splits, address));
    if differences.is_empty() {
        start.console.report(&format!("The two plans are equal: {count} resources and outputs compared.\n"));
        return Ok(DONE);
    }
    show(start, count, &differences);
    Ok(DIFFERENT)
}

/// What can't be compared, since something else stands in its place.
fn replaced(rewrite: &Rewrite) -> String {
    let one = |r: &Replaced| format!("  {} by {} (service {})\n", r.original(), r.address(), r.service);
    let all: String = rewrite.replaced.iter().map(one).collect();
    format!(
        "Replaced under the form factor \"{}\", and compared with the templates as they are before they are \
         specialised:\n{all}",
        rewrite.factor
    )
}

fn plans(
    session: &Session,
    decided: &Decided,
    terraform: &Terraform,
    words: Vec<String>,
    held: &[String],
) -> Result<(Plan, Plan), Issue> {
    let aside = Aside::new(session, terraform)?;
    let mut words = words;
    // Under a form factor, the original is the tree with what services replace replaced.
    let mut tree: Tree = session.loaded.clone();
    if holds_copies(held, &decided.specialised.record.units)
        && let Some(text) = decided.specialised.back(&decided.copies)
    {
        tree.insert(PathBuf::from(moves::FILE), Some(text));
        words = targets::widened(words, &decided.specialised.reversed(&decided.copies));
    }
    let own = Words::All(targets::original(&words, decided));
    let original = aside.plan(&tree, &own, "original").map_err(unplannable)?;
    tree.entry(PathBuf::from(moves::FILE)).or_insert(None);
    tree.insert(PathBuf::from(moves::FILE), None);
    tree.extend(decided.tree.clone());
    let words = Words::All(targets::translated(&words, decided));
    let specialised = aside.plan(&tree, &words, "specialised").map_err(|issue| Issue {
        summary: "the specialised tree can't be planned, although the original can".to_owned(),
        ..issue
    })?;
    Ok((original, specialised))
}

/// Whether state holds objects under addresses of copies, which the original knows nothing of. It has to be known before
/// the original is planned: Terraform plans nothing where a provider's configuration is gone with its module.
fn holds_copies(held: &[String], units: &[UnitRecord]) -> bool {
    let within = |copy: &str, address: &str| {
        let rest = address.strip_prefix(copy);
        rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    held.iter().any(|address| {
        let address = originals::without_keys(address);
        units.iter().any(|u| u.addresses.iter().chain(&u.former_addresses).any(|copy| within(copy, &address)))
    })
}

fn unplannable(issue: Issue) -> Issue {
    let why = format!(
        "Terraform says so of the original sources, and then there is nothing to compare with. That is so wherever an \
         argument takes no expression, which is what specialising is for.\n\n{}",
        issue.why
    );
    Issue::error(Code::Terraform, "the original can't be planned", why)
}

fn show(start: &Start, count: usize, differences: &[Difference]) {
    for one in differences {
        let text =
            unified(&one.address, one.original.as_deref(), one.specialised.as_deref(), start.console.out);
        if !start.console.report(&text) {
            return;
        }
    }
    let summary = format!(
        "\nThe two plans differ in {} of {count} resources and outputs (a: original, b: specialised).\n",
        differences.len()
    );
    start.console.report(&summary);
}
