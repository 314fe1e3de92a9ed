//! The model of moves (`tf_phi::moves`) against Terraform itself: random states, statements and configurations. What is
//! compared: where each object ends, which moves are blocked, and what is refused.
//!
//! `TF_PHI_MOVES_CASES` sets how many cases are tried (60; 300 with
//! `TF_PHI_WHOLE=1`), `TF_PHI_MOVES_SEED` which ones (1), `TF_PHI_MOVES_JOBS` how many
//! at a time (2). `TF_PHI_MOVES_ONE` is the seed of a single case, as a failure names it.

mod generate;
mod terraform;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::support::sample::whole;
use generate::Case;
use tf_phi::moves::{self, Outcome};

/// What one plan says, or what the model says, in the same words.
#[derive(Debug, PartialEq, Clone)]
pub enum Answer {
    /// Refused: the summaries.
    Refused(Vec<String>),
    /// Planned: from each object's address to where it ends, and the blocked moves.
    Planned(BTreeMap<String, String>, Vec<String>),
}

fn set(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().unwrap())
}

fn planned(outcome: &Outcome) -> Answer {
    let ends = outcome.ends.iter().map(|(before, after)| (before.to_string(), after.to_string()));
    let mut blocked: Vec<String> =
        outcome.blocked.iter().map(|b| format!("{} could not move to {}", b.actual, b.wanted)).collect();
    blocked.sort();
    Answer::Planned(ends.collect(), blocked)
}

/// What is right about one case or wrong.
enum Verdict {
    Agrees(&'static str),
    Differs(String),
}

fn look_at(seed: u64) -> Verdict {
    let case = Case::new(seed);
    let run = moves::run(&case.state, &case.statements(), &case);
    let seen = terraform::plan(&case);
    let differs = |what: &str, said: &dyn std::fmt::Debug| {
        Verdict::Differs(format!("seed {seed}: {what}\nmodel: {said:#?}\nTerraform: {seen:#?}\n{case}"))
    };
    if let Answer::Refused(found) = &seen.answer {
        let mut said: Vec<String> = run.refusals.iter().map(|r| r.summary().to_owned()).collect();
        said.sort();
        let told = |refusal: &moves::Refusal| {
            let names = terraform::addresses(refusal);
            seen.details.iter().any(|(summary, text)| {
                summary == refusal.summary() && names.iter().all(|name| text.contains(name.as_str()))
            })
        };
        return if said != *found || !run.refusals.iter().all(told) {
            differs("refused otherwise", &run.refusals)
        } else {
            Verdict::Agrees(run.refusals[0].summary())
        };
    }
    if !run.refusals.is_empty() {
        return differs("not refused", &run.refusals);
    }
    if seen.answer == planned(&run.outcome) && run.outcome.certain {
        let Answer::Planned(ends, blocked) = &seen.answer else { unreachable!() };
        let moved = ends.iter().any(|(before, after)| before != after);
        return Verdict::Agrees(match (moved, blocked.is_empty()) {
            (_, false) => "some moves blocked",
            (true, true) => "moved",
            (false, true) => "nothing moves",
        });
    }
    if run.outcome.certain {
        return differs("ends otherwise", &planned(&run.outcome));
    }
    let all = moves::outcomes(&case.state, &run.statements);
    Verdict::Agrees(match all.iter().any(|one| planned(one) == seen.answer) {
        true => "uncertain, one of the answers foreseen",
        false => "uncertain, another answer",
    })
}

#[test]
fn ends_are_where_terraform_puts_them() {
    let one = set("TF_PHI_MOVES_ONE", 0);
    let cases = if one == 0 { set("TF_PHI_MOVES_CASES", if whole() { 300 } else { 60 }) } else { 1 };
    let first = if one == 0 { set("TF_PHI_MOVES_SEED", 1).wrapping_mul(1_000_003) } else { one };
    let next = AtomicU64::new(0);
    let counts: Mutex<BTreeMap<&str, u64>> = Mutex::default();
    let wrong: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..set("TF_PHI_MOVES_JOBS", 2) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    if at >= cases {
                        return;
                    }
                    match look_at(first.wrapping_add(at)) {
                        Verdict::Agrees(how) => *counts.lock().unwrap().entry(how).or_default() += 1,
                        Verdict::Differs(text) => wrong.lock().unwrap().push(text),
                    }
                }
            });
        }
    });
    let (counts, wrong) = (counts.into_inner().unwrap(), wrong.into_inner().unwrap());
    eprintln!("moves: {cases} cases, {} differ: {counts:#?}", wrong.len());
    let shown: Vec<&String> = wrong.iter().take(10).collect();
    assert!(wrong.is_empty(), "{}", shown.iter().map(|s| s.as_str()).collect::<Vec<_>>().join("\n\n"));
    let uncertain: u64 = counts.iter().filter(|(how, _)| how.starts_with("uncertain")).map(|(_, n)| n).sum();
    assert!(uncertain * 20 <= cases || one != 0, "{uncertain} of {cases} left to chance");
}
