//! What is counted, and what is printed of it.

use super::cover::{Construct, POSITIONS};
use super::support::Ran;
use std::collections::{BTreeMap, BTreeSet};

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
    /// What was done as a refused run's advice says, and what came of it → how often.
    pub followed: BTreeMap<String, u64>,
    /// Construct, position, and step → in how many steps.
    pub covered: BTreeMap<(&'static str, &'static str, String), u64>,
    /// Two steps, one right after the other → how often.
    pub pairs: BTreeMap<(String, String), u64>,
    /// Step → how often, and how often it was refused.
    pub taken: BTreeMap<String, (u64, u64)>,
    /// Kind, and what was done in the history → the cases.
    pub failures: BTreeMap<String, Vec<u64>>,
}

impl Counts {
    pub fn refuse(&mut self, reason: String, text: &str) {
        let entry = self.refused.entry(reason).or_insert_with(|| (0, text.to_owned()));
        entry.0 += 1;
    }

    /// How many runs tf-phi alone refused.
    pub fn all_refused(&self) -> u64 {
        self.refused.values().map(|r| r.0).sum()
    }

    /// A step was taken while these constructs stood there.
    pub fn cover(&mut self, there: &BTreeSet<Construct>, names: &[String], refused: bool) {
        for name in names {
            for (construct, position) in there {
                *self.covered.entry((*construct, *position, name.clone())).or_default() += 1;
            }
            let taken = self.taken.entry(name.clone()).or_default();
            taken.0 += 1;
            taken.1 += u64::from(refused);
        }
    }

    /// One step was taken right after another.
    pub fn follow_on(&mut self, before: &[String], names: &[String]) {
        for (before, name) in before.iter().flat_map(|b| names.iter().map(move |n| (b, n))) {
            *self.pairs.entry((before.clone(), name.clone())).or_default() += 1;
        }
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
        for (what, n) in &other.followed {
            *self.followed.entry(what.clone()).or_default() += n;
        }
        for (what, n) in &other.covered {
            *self.covered.entry(what.clone()).or_default() += n;
        }
        for (pair, n) in &other.pairs {
            *self.pairs.entry(pair.clone()).or_default() += n;
        }
        for (step, (n, refused)) in &other.taken {
            let taken = self.taken.entry(step.clone()).or_default();
            *taken = (taken.0 + n, taken.1 + refused);
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
        let all = self.all_refused();
        let share = all as f64 * 100.0 / self.steps.max(1) as f64;
        println!("{all} runs refused by tf-phi alone, {share:.1} % of all steps");
        let mut reasons: Vec<_> = self.refused.iter().collect();
        reasons.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
        for (reason, (n, text)) in reasons {
            println!("  {n:5} {reason}");
            if verbose {
                text.lines().for_each(|line| println!("          {line}"));
            }
        }
        println!("advice followed:");
        for (what, n) in &self.followed {
            println!("  {n:5} {what}");
        }
        self.print_coverage(verbose);
        for (kind, cases) in &self.failures {
            println!("FAILED {} {kind}: {cases:?}", cases.len());
        }
    }
}

impl Counts {
    /// Constructs by positions, and by steps. What never met is a hole.
    fn print_coverage(&self, whole: bool) {
        let constructs: BTreeSet<&str> = self.covered.keys().map(|k| k.0).collect();
        let steps: Vec<&String> = self.taken.keys().collect();
        println!("steps, and how many of them were refused by tf-phi alone:");
        for (step, (n, refused)) in &self.taken {
            println!("  {n:6} {refused:5}  {step}");
        }
        println!("constructs: steps while they stood at each position, and steps that never met them");
        let (mut met, mut all) = (0, 0);
        for construct in constructs {
            let at = |position: &str| -> u64 {
                let here = self.covered.iter().filter(|(k, _)| k.0 == construct && k.1 == position);
                here.map(|(_, n)| n).sum()
            };
            let counts: Vec<String> = POSITIONS
                .iter()
                .map(|p| (p, at(p)))
                .filter(|(_, n)| *n > 0)
                .map(|(p, n)| format!("{p} {n}"))
                .collect();
            println!("  {construct}: {}", counts.join(", "));
            let mut never = Vec::new();
            for position in POSITIONS.iter().filter(|p| at(p) > 0) {
                for step in &steps {
                    all += 1;
                    if self.covered.contains_key(&(construct, *position, (*step).clone())) {
                        met += 1;
                    } else {
                        never.push(format!("{step} ({position})"));
                    }
                }
            }
            if whole && !never.is_empty() {
                println!("    never with {}", never.join(", "));
            }
        }
        println!("{met} of {all} triples of construct, position and step occurred");
        self.print_pairs(whole);
    }

    /// Steps by the steps right before them.
    fn print_pairs(&self, whole: bool) {
        let steps: Vec<&String> = self.taken.keys().collect();
        let mut met = 0;
        for before in &steps {
            let is_new = |name: &&&String| !self.pairs.contains_key(&((*before).clone(), (**name).clone()));
            let never: Vec<&str> = steps.iter().filter(is_new).map(|s| s.as_str()).collect();
            met += steps.len() - never.len();
            if whole && !never.is_empty() {
                println!("  {before} is never followed by {}", never.join(", "));
            }
        }
        println!("{met} of {} pairs of a step and the next one occurred", steps.len() * steps.len());
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
        // What only warns says no summary here.
        if let Some(code) = line.strip_prefix("Code: ").filter(|_| !summary.is_empty()) {
            reasons.push(format!("{code}: {}", plain(&std::mem::take(&mut summary))));
        }
    }
    reasons.sort();
    reasons.dedup();
    (!reasons.is_empty()).then(|| reasons.join(" + "))
}

/// A text without the names of a single tree.
pub fn plain(text: &str) -> String {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        let named = word.contains(['_', '.', '[', '/', '"']) || word.chars().any(|c| c.is_ascii_digit());
        out.push(if named { "…" } else { word });
    }
    out.dedup();
    out.join(" ")
}
