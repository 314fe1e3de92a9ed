//! What is counted, and what is printed of it.

use super::support::Ran;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: &'static str,
    pub detail: String,
}

#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub histories: u64,
    pub steps: u64,
    pub plans: u64,
    pub applies: u64,
    pub halfway: u64,
    /// Objects that Terraform alone destroys, replaces or forgets.
    pub losses: usize,
    /// Both Terraform alone and tf-phi refused.
    pub rejected: u64,
    pub protected: u64,
    pub plain: u64,
    pub stopped: u64,
    pub left: u64,
    pub verified: u64,
    /// Reason → how often, and what was printed the first time.
    pub refused: BTreeMap<String, (u64, String)>,
    /// Kind, and what was done in the history → the cases.
    pub failures: BTreeMap<String, Vec<u64>>,
}

impl Counts {
    pub fn refuse(&mut self, reason: String, text: &str) {
        let entry = self.refused.entry(reason).or_insert_with(|| (0, text.to_owned()));
        entry.0 += 1;
    }

    pub fn fail(&mut self, kind: &str, steps: &[String], case: u64) {
        let key = format!("{kind} ({})", steps.join(", "));
        self.failures.entry(key).or_default().push(case);
    }

    pub fn add(&mut self, other: &Counts) {
        self.histories += other.histories;
        self.steps += other.steps;
        self.plans += other.plans;
        self.applies += other.applies;
        self.halfway += other.halfway;
        self.losses += other.losses;
        self.rejected += other.rejected;
        self.protected += other.protected;
        self.plain += other.plain;
        self.stopped += other.stopped;
        self.left += other.left;
        self.verified += other.verified;
        for (reason, (n, text)) in &other.refused {
            self.refused.entry(reason.clone()).or_insert_with(|| (0, text.clone())).0 += n;
        }
        for (kind, cases) in &other.failures {
            self.failures.entry(kind.clone()).or_default().extend(cases);
        }
    }

    pub fn print(&self, verbose: bool) {
        println!("{} histories, {} steps", self.histories, self.steps);
        println!(
            "{} plans compared, in which Terraform alone destroys, replaces or forgets {} objects",
            self.plans, self.losses
        );
        println!("{} applies compared, {} of which failed halfway", self.applies, self.halfway);
        println!(
            "{} plain plans in the specialised folder compared, {} stopped by Terraform",
            self.plain, self.stopped
        );
        println!("{} plans with what restore prints, {} equal plans verified", self.left, self.verified);
        println!("{} runs rejected in both worlds, {} objects protected", self.rejected, self.protected);
        let all: u64 = self.refused.values().map(|r| r.0).sum();
        println!("{all} runs refused by tf-phi alone");
        let mut reasons: Vec<_> = self.refused.iter().collect();
        reasons.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
        for (reason, (n, text)) in reasons {
            println!("  {n:5} {reason}");
            if verbose {
                text.lines().for_each(|line| println!("          {line}"));
            }
        }
        for (kind, cases) in &self.failures {
            println!("FAILED {} {kind}: {cases:?}", cases.len());
        }
    }
}

/// The reason for which tf-phi itself refused: codes and summaries, without names.
pub fn refusal(ran: &Ran) -> Option<String> {
    if ran.code != 1 {
        return None;
    }
    let mut reasons: Vec<String> = Vec::new();
    let mut summary = String::new();
    for line in ran.stderr.lines() {
        if let Some((_, text)) = line.split_once("Blocking: ") {
            text.clone_into(&mut summary);
        }
        if let Some(code) = line.strip_prefix("Code: ") {
            reasons.push(format!("{code}: {}", plain(&summary)));
        }
    }
    reasons.sort();
    reasons.dedup();
    (!reasons.is_empty()).then(|| reasons.join(" + "))
}

/// A text without the names of a single tree.
fn plain(text: &str) -> String {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        let named = word.contains(['_', '.', '[', '/', '"']) || word.chars().any(|c| c.is_ascii_digit());
        out.push(if named { "…" } else { word });
    }
    out.dedup();
    out.join(" ")
}
