//! Making a failing history small.

use super::model::Root;
use super::report::{Counts, Failure};
use super::run::Runner;
use super::steps::{Act, Step};
use super::world::Place;
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct History {
    pub root: Root,
    pub by_arguments: bool,
    pub place: Place,
    pub steps: Vec<Step>,
}

impl History {
    /// What is done in it, each thing once.
    pub fn names(&self) -> Vec<String> {
        let mut out: Vec<String> = self.steps.iter().flat_map(Step::names).collect();
        out.sort();
        out.dedup();
        out
    }

    /// Runs it; what went wrong, what was refused, and the log.
    pub fn run(&self) -> (Option<Failure>, Counts, String) {
        let mut runner = Runner::new(&self.root, self.by_arguments, self.place);
        for step in &self.steps {
            if let Err(failure) = runner.step(step) {
                return (Some(failure), runner.counts, runner.log);
            }
        }
        (None, runner.counts, runner.log)
    }

    /// Does it end like this, with a failure of a kind or with a refusal?
    fn ends(&self, how: &End) -> bool {
        let (failure, counts, _) = self.run();
        match how {
            End::Failed(kind) => failure.is_some_and(|f| f.kind == *kind),
            End::Refused(reason) => failure.is_none() && counts.refused.contains_key(*reason),
        }
    }
}

/// What the last step of a history comes to.
pub enum End<'r> {
    Failed(&'r str),
    Refused(&'r str),
}

/// Histories that are a little smaller.
fn smaller(history: &History) -> Vec<History> {
    let mut out = Vec::new();
    let mut with = |change: &dyn Fn(&mut History)| {
        let mut copy = history.clone();
        change(&mut copy);
        out.push(copy);
    };
    let last = history.steps.len() - 1;
    if last > 2 {
        // The last step, and one before it.
        for i in (0..last).rev() {
            with(&|h| h.steps = vec![h.steps[i].clone(), h.steps[last].clone()]);
        }
        with(&|h| drop(h.steps.drain(1..last / 2 + 1)));
    }
    for i in 0..last {
        with(&|h| drop(h.steps.remove(i)));
    }
    for (module, body) in &history.root.modules {
        for i in 0..body.resources.len() {
            with(&|h| drop(h.root.modules.get_mut(module).unwrap().resources.remove(i)));
            let res = &body.resources[i];
            let mut less = |change: &dyn Fn(&mut super::model::Res)| {
                with(&|h| change(&mut h.root.modules.get_mut(module).unwrap().resources[i]));
            };
            if res.w.is_some() {
                less(&|r| r.w = None);
            }
            if res.triggers.is_some() {
                less(&|r| r.triggers = None);
            }
            if res.protect.is_some() {
                less(&|r| r.protect = None);
            }
            if res.trouble.is_some() {
                less(&|r| r.trouble = None);
            }
            if res.served {
                less(&|r| r.served = false);
            }
            if res.tag_replaces || res.create_first || res.ignore {
                less(&|r| (r.tag_replaces, r.create_first, r.ignore) = (false, false, false));
            }
            if !matches!(res.v, super::model::Val::Lit(_) | super::model::Val::Env(..)) {
                less(&|r| r.v = super::model::Val::Env("\"16.2\"".to_owned(), "\"14.9\"".to_owned()));
            }
            if res.repeat != super::model::Repeat::One {
                less(&|r| r.repeat = super::model::Repeat::One);
            }
        }
        for i in 0..body.calls.len() {
            with(&|h| {
                h.root.modules.get_mut(module).unwrap().calls.remove(i);
                h.root.sweep();
            });
            if body.calls[i].other.is_some() {
                with(&|h| {
                    h.root.modules.get_mut(module).unwrap().calls[i].other = None;
                    h.root.sweep();
                });
            }
            if body.calls[i].repeat != super::model::Repeat::One {
                with(&|h| {
                    h.root.modules.get_mut(module).unwrap().calls[i].repeat = super::model::Repeat::One
                });
            }
        }
    }
    out.extend(smaller_settings(history));
    out.extend(smaller_steps(history));
    out
}

/// Histories with less beside the sources.
fn smaller_settings(history: &History) -> Vec<History> {
    let mut out = Vec::new();
    let mut with = |change: &dyn Fn(&mut History)| {
        let mut copy = history.clone();
        change(&mut copy);
        out.push(copy);
    };
    if history.place != Place::Workspaces {
        with(&|h| h.place = Place::Workspaces);
    }
    if history.root.not_kept {
        with(&|h| h.root.not_kept = false);
    }
    if history.root.service {
        with(&|h| h.root.service = false);
    }
    if history.root.edit_in_place {
        with(&|h| h.root.edit_in_place = false);
    }
    for i in 0..history.root.pins.len() {
        with(&|h| drop(h.root.pins.remove(i)));
    }
    out
}

/// Histories with less in one step.
fn smaller_steps(history: &History) -> Vec<History> {
    let mut out = Vec::new();
    let mut with = |change: &dyn Fn(&mut History)| {
        let mut copy = history.clone();
        change(&mut copy);
        out.push(copy);
    };
    for (i, step) in history.steps.iter().enumerate() {
        let Step::Run { edits, act, vars, .. } = step else { continue };
        // The values of the run before.
        let before = history.steps[..i].iter().rev().find_map(|s| match s {
            Step::Run { vars, .. } => Some(vars.clone()),
            _ => None,
        });
        if let Some(before) = before.filter(|b| b != vars) {
            with(&|h| {
                if let Step::Run { vars, .. } = &mut h.steps[i] {
                    *vars = before.clone();
                }
            });
        }
        for j in 0..edits.len() {
            with(&|h| {
                if let Step::Run { edits, .. } = &mut h.steps[i] {
                    edits.remove(j);
                }
            });
        }
        if *act == Act::Direct {
            with(&|h| {
                if let Step::Run { act, .. } = &mut h.steps[i] {
                    *act = Act::Saved;
                }
            });
        }
    }
    out
}

/// The smallest history found, within a time, that ends in the same way.
pub fn shrink(history: &History, how: &End, time: Duration) -> History {
    let until = Instant::now() + time;
    let mut best = history.clone();
    'again: loop {
        for one in smaller(&best) {
            if Instant::now() > until {
                return best;
            }
            if one.ends(how) {
                best = one;
                continue 'again;
            }
        }
        return best;
    }
}
