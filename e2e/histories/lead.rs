//! Which histories are made. They are chosen one after the other and before any runs, so that each takes steps that none
//! before it has taken where its constructs stand; a history is the same one, however many run and whichever runs first.

use super::cover::{self, Construct};
use super::generate;
use super::model::{Root, Vars};
use super::rng::Rng;
use super::shrink::History;
use super::steps::{self, Act, Habit, Step};
use super::world::Place;
use std::collections::{BTreeMap, BTreeSet};

/// How many roots are looked at for a history.
const ROOTS: usize = 6;
/// How many things that could be done next are looked at for a step.
const CANDIDATES: usize = 12;
/// Per cent of the steps that are led; what else people do most comes by itself.
const LED: usize = 75;

/// What a pair of steps counts that never followed each other, beside a construct that never met a step.
const PAIR: usize = 3;

/// What the histories before have met, if each of their steps goes through.
#[derive(Default)]
pub struct Lead {
    /// Step → what stood where when it was taken.
    met: BTreeMap<String, BTreeSet<Construct>>,
    /// Construct at a position → how many steps it has met.
    steps: BTreeMap<Construct, usize>,
    /// Two steps, one right after the other.
    pairs: BTreeSet<(String, String)>,
}

/// The histories of a seed up to a number, from another one on.
pub fn histories(seed: u64, from: u64, until: u64) -> Vec<History> {
    let mut lead = Lead::default();
    let mut out = Vec::new();
    for at in 0..until {
        let history = lead.history(&mut Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(at)));
        if at >= from {
            out.push(history);
        }
    }
    out
}

fn pairs(before: &[String], names: &[String]) -> impl Iterator<Item = (String, String)> {
    before.iter().flat_map(move |b| names.iter().map(move |n| (b.clone(), n.clone())))
}

impl Lead {
    fn history(&mut self, rng: &mut Rng) -> History {
        let habit = steps::habit(rng);
        let root = self.root(rng, &habit);
        let mut now = root.clone();
        let mut vars = generate::vars(rng);
        let mode = steps::mode(rng, &habit);
        let mut taken = vec![Step::Run { edits: Vec::new(), vars: vars.clone(), mode, act: Act::Direct }];
        for _ in 0..3 + rng.below(5) {
            let before = taken.last().map(Step::names).unwrap_or_default();
            let step = self.step(rng, (&now, &vars, &before), &habit);
            self.meet(&cover::constructs(&now), &step, habit.place);
            self.pairs.extend(pairs(&before, &step.names()));
            if let Step::Run { edits, vars: used, .. } = &step {
                vars = used.clone();
                for edit in edits {
                    edit.apply(&mut now);
                }
            }
            taken.push(step);
        }
        History { root, by_arguments: habit.by_arguments, place: habit.place, steps: taken }
    }

    /// A root whose constructs have met few steps.
    fn root(&self, rng: &mut Rng, habit: &Habit) -> Root {
        let fits = |root: &Root| habit.place != Place::Deployments || steps::fits_stack(root);
        let mut best = (0, Root::default());
        for _ in 0..ROOTS {
            let mut root = generate::root(rng);
            while !fits(&root) {
                root = generate::root(rng);
            }
            let most = self.met.len() + 1;
            let open = |c: &Construct| most - self.steps.get(c).copied().unwrap_or_default().min(most);
            let score: usize = 1 + cover::constructs(&root).iter().map(open).sum::<usize>();
            if score > best.0 {
                best = (score, root);
            }
        }
        best.1
    }

    /// The step that meets most of what no step like it has met.
    fn step(&self, rng: &mut Rng, (root, vars, before): (&Root, &Vars, &[String]), habit: &Habit) -> Step {
        let there = cover::constructs(root);
        let mut best = steps::next(rng, root, vars, habit);
        if !rng.chance(LED) {
            return best;
        }
        let news = |step: &Step| {
            let fresh = pairs(before, &step.names()).filter(|pair| !self.pairs.contains(pair)).count();
            self.news(&there, step, habit.place) + PAIR * fresh
        };
        let mut most = news(&best);
        for _ in 1..CANDIDATES {
            let step = steps::next(rng, root, vars, habit);
            let news = news(&step);
            if news > most {
                (most, best) = (news, step);
            }
        }
        best
    }

    fn news(&self, there: &BTreeSet<Construct>, step: &Step, place: Place) -> usize {
        let new = |name: &String| match self.met.get(name) {
            None => there.len() + 1,
            Some(met) => there.difference(met).count() + usize::from(!met.contains(&cover::of_place(place))),
        };
        step.names().iter().map(new).sum()
    }

    fn meet(&mut self, there: &BTreeSet<Construct>, step: &Step, place: Place) {
        for name in step.names() {
            let met = self.met.entry(name).or_default();
            for construct in there.iter().copied().chain([cover::of_place(place)]) {
                if met.insert(construct) {
                    *self.steps.entry(construct).or_default() += 1;
                }
            }
        }
    }
}
