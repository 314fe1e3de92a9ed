//! One tree against the oracle.

use super::model::{Files, Module, Repeat, Tree, WORKSPACE};
use super::oracle::{Answer, Given, Question, Scratch};
use super::pipeline::{self, Assignment, Refusal, Wrong};
use super::rng::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use tf_phi::specialise::Active;

/// What is wrong with a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Its kind: shrinking keeps it.
    pub kind: &'static str,
    pub detail: String,
}

/// What was seen of a tree.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    pub fields: usize,
    pub bounded: usize,
    pub refusals: Vec<Refusal>,
    /// Pins that are passed over.
    pub idle: usize,
    /// Assignments that Terraform accepts.
    pub accepted: usize,
    pub rejected: usize,
    /// Rejected originals whose specialised form is accepted.
    pub laxer: Vec<String>,
    /// Outputs whose values agree, and whose types don't.
    pub types: Vec<String>,
    /// Why originals are rejected.
    pub reasons: Vec<String>,
    pub specialised: bool,
    /// States that the original left and the specialised tree was planned with.
    pub flips: usize,
    /// Whether an edit of an undriven argument was looked at.
    pub undriven: usize,
    pub failure: Option<Failure>,
}

/// Of a hundred trees that are looked at as a root module, so many are looked at with states too.
const STATES: usize = 20;

/// Assignments that a state is planned with.
const FLIPS: usize = 4;

fn failure(kind: &'static str, detail: impl Into<String>) -> Option<Failure> {
    Some(Failure { kind, detail: detail.into() })
}

/// Assignments of the root variables: whether all values are inside, and the values.
pub fn assignments(tree: &Tree, most: usize, rng: &mut Rng) -> Vec<(bool, Assignment)> {
    let root = &tree.modules[0];
    let workspaces = tree.workspaces.iter().cloned().map(Some).collect::<Vec<_>>();
    let workspaces = (!workspaces.is_empty()).then_some((WORKSPACE, workspaces));
    let choices: Vec<(&str, Vec<Option<String>>)> = root
        .variables
        .iter()
        .map(|v| {
            let mut values: Vec<Option<String>> = v.inside.iter().cloned().map(Some).collect();
            if v.default.is_some() {
                values.push(None);
            }
            (v.name.as_str(), values)
        })
        .chain(workspaces)
        .collect();
    let product = choices.iter().fold(1usize, |n, (_, v)| n.saturating_mul(v.len().max(1)));
    let mut out: Vec<(bool, Assignment)> = Vec::new();
    for round in 0..product.min(most) {
        let mut at = round;
        let one = choices.iter().map(|(name, values)| {
            let pick = if product <= most { at % values.len() } else { rng.below(values.len()) };
            at /= values.len();
            ((*name).to_owned(), values[pick].clone())
        });
        let one: Assignment = one.collect();
        if !out.iter().any(|o| o.1 == one) {
            out.push((true, one));
        }
    }
    let foreign: Vec<_> = root.variables.iter().filter(|v| !v.outside.is_empty()).collect();
    for _ in 0..2.min(foreign.len()) {
        let v = rng.pick(&foreign);
        let mut one = out[rng.below(out.len())].1.clone();
        one.insert(v.name.clone(), Some(rng.pick(&v.outside).clone()));
        if !out.iter().any(|o| o.1 == one) {
            out.push((false, one));
        }
    }
    if !tree.workspaces.is_empty() {
        let mut one = out[rng.below(out.len())].1.clone();
        one.insert(WORKSPACE.to_owned(), Some("\"other\"".to_owned()));
        out.push((false, one));
    }
    out
}

/// Whether all assignments' values count, now that it is known which defaults are pinned.
fn inside(tree: &Tree, pinned: &[String], assignment: &Assignment) -> bool {
    let workspace = assignment.get(WORKSPACE).cloned().flatten();
    if workspace.is_some_and(|w| !tree.workspaces.contains(&w)) {
        return false;
    }
    tree.modules[0].variables.iter().all(|v| {
        let value = assignment.get(&v.name).cloned().flatten();
        match value {
            None => true,
            Some(value) if pinned.contains(&v.name) => v.default.as_ref() == Some(&value),
            Some(value) => v.inside.contains(&value),
        }
    })
}

/// Whether anything in a module has `count` or `for_each`.
fn repeated(module: &Module) -> bool {
    let calls = module.calls.iter().map(|c| &c.repeat);
    calls.chain(module.resources.iter().map(|r| &r.repeat)).any(|r| *r != Repeat::No)
}

/// A tree with what tf-phi made of it.
struct Prepared {
    seen: Seen,
    files: Files,
    tree: Tree,
    values: Vec<Assignment>,
    /// Whether each assignment's values are all inside.
    inner: Vec<bool>,
    outcome: Option<pipeline::Outcome>,
    /// What tf-phi rejected it for.
    wrong: Option<Wrong>,
    rng: Rng,
}

fn prepare(tree: &Tree, most: usize, seed: u64) -> Prepared {
    let mut seen = Seen::default();
    let files = tree.files();
    let mut rng = Rng::new(seed);
    let values: Vec<Assignment> = assignments(tree, most, &mut rng).into_iter().map(|a| a.1).collect();
    let (mut outcome, mut wrong) = (None, None);
    match catch_unwind(AssertUnwindSafe(|| pipeline::run(&files, &values))) {
        Err(_) => seen.failure = failure("panic", "the pipeline panics"),
        Ok(Err(w)) => wrong = Some(w),
        Ok(Ok(mut done)) => {
            (seen.fields, seen.bounded, seen.idle) = (done.fields, done.bounded, done.idle.len());
            seen.refusals = std::mem::take(&mut done.refusals);
            seen.specialised = done.done.is_some();
            outcome = Some(done);
        }
    }
    let pinned = outcome.as_ref().map_or(&[][..], |o| &o.pinned);
    let inner = values.iter().map(|a| inside(tree, pinned, a)).collect();
    Prepared { seen, files, tree: tree.clone(), values, inner, outcome, wrong, rng }
}

impl Prepared {
    /// Writes the trees and says what is to be asked of them: of each assignment the original's folder and, where there
    /// is one, that of the specialised tree with the move chains of the assignment.
    fn write<'a>(&'a self, at: usize, scratch: &mut Scratch, questions: &mut Vec<Question<'a>>) {
        if !self.tree.chooses() {
            scratch.tree(&format!("t{at}o"), &self.files);
        }
        let done = self.outcome.as_ref().and_then(|o| Some((o, o.done.as_ref()?)));
        if let Some((_, done)) = &done {
            scratch.tree(&format!("t{at}s"), &pipeline::applied(&self.files, done));
        }
        for (i, values) in self.values.iter().enumerate() {
            let mut tree = format!("t{at}o");
            if self.tree.chooses() {
                tree = format!("t{at}c{i}");
                scratch.tree(&tree, &self.original(i));
            }
            questions.push(Question { name: format!("t{at}o{i}"), tree, values });
            let Some((outcome, done)) = &done else { continue };
            let mut tree = format!("t{at}s");
            if let Ok(active) = &outcome.active[i]
                && !done.splits.is_empty()
            {
                tree = format!("t{at}m{i}");
                scratch.tree(&tree, &pipeline::applied(&self.files, &(*done).clone().finished(active)));
            }
            questions.push(Question { name: format!("t{at}s{i}"), tree, values });
        }
    }

    /// The tree that Terraform is asked of: it takes no `source` that is chosen.
    fn original(&self, i: usize) -> Files {
        match self.tree.chooses() {
            true => self.tree.settled(&self.values[i]).files(),
            false => self.files.clone(),
        }
    }

    /// An answer as it is to be compared: numbers that are cut into bins are rounded up where a driven field holds them.
    fn rounded(&self, answer: Answer) -> Answer {
        let mut given = answer?;
        let done = self.outcome.as_ref().and_then(|o| o.done.as_ref());
        let written = done.into_iter().flat_map(|d| &d.record.specializations);
        let driven: Vec<&str> = written.map(|s| s.source_field.as_str()).collect();
        for (mark, input) in &mut given.resources {
            *input = self.tree.rounded(mark, std::mem::take(input), &driven);
        }
        given.resources.sort();
        Ok(given)
    }

    /// Judges the answers to what [`Prepared::write`] asked, in the same order.
    fn judge(&mut self, answers: &mut impl Iterator<Item = Answer>, scratch: &Scratch, root: bool) {
        let specialised = self.seen.specialised;
        let mut next = || answers.next().unwrap_or_else(|| Err("no answer".into()));
        let results: Vec<(Answer, Option<Answer>)> =
            self.values.iter().map(|_| (self.rounded(next()), specialised.then(&mut next))).collect();
        for (original, _) in &results {
            match original {
                Ok(_) => self.seen.accepted += 1,
                Err(e) => {
                    self.seen.rejected += 1;
                    self.seen.reasons.push(e.clone());
                }
            }
        }
        if self.seen.failure.is_some() {
            return;
        }
        if let Some(wrong) = self.wrong.take() {
            self.seen.failure = self.rejected(&wrong, &results);
            return;
        }
        self.seen.failure = self.there_after_all(&results);
        for (i, (original, specialised)) in results.iter().enumerate() {
            let Some(specialised) = specialised else { continue };
            let place = format!("{:?} (inside: {})", self.values[i], self.inner[i]);
            let broken = specialised.as_ref().is_err_and(|e| self.broken_choice(&results, Some(e)));
            let found = compare(original, specialised, self.inner[i] && !broken, &place, &mut self.seen);
            self.seen.failure = self.seen.failure.take().or(found);
        }
        self.seen.failure = self.seen.failure.take().or_else(|| self.whole(&results, scratch, root));
    }

    /// Whether Terraform rejects as well what tf-phi takes for an error.
    fn rejected(&self, wrong: &Wrong, results: &[(Answer, Option<Answer>)]) -> Option<Failure> {
        if matches!(wrong, Wrong::Rejected(_)) && self.broken_choice(results, None) {
            return None;
        }
        if matches!(wrong, Wrong::Rejected(_)) && self.tree.modules.iter().any(repeated) {
            // A field of something that there are no instances of may well be an error.
            return None;
        }
        let (_, values) = results.iter().zip(&self.values).find(|r| r.0.0.is_ok())?;
        let (kind, text) = match wrong {
            Wrong::Issues(all) => ("issues", all.join("\n")),
            Wrong::Rejected(text) => ("rejected", text.clone()),
        };
        failure(kind, format!("Terraform accepts {values:?}, but: {text}"))
    }

    /// Whether a source is chosen among modules of which Terraform rejects one, with that error: it looks at all modules that
    /// a specialised tree calls, though no instance of one may be left.
    fn broken_choice(&self, results: &[(Answer, Option<Answer>)], error: Option<&str>) -> bool {
        let summary = |text: &str| text.lines().take(2).collect::<Vec<_>>().join("\n");
        let same = |found: &String| error.is_none_or(|e| found.contains(&summary(e)));
        self.tree.chooses() && results.iter().any(|(original, _)| original.as_ref().is_err_and(same))
    }

    /// Something that is passed over because there is never an instance of it, and Terraform plans one. What the
    /// specialised tree keeps out (by another field's pinned default, say) isn't there.
    fn there_after_all(&self, results: &[(Answer, Option<Answer>)]) -> Option<Failure> {
        let idle = &self.outcome.as_ref()?.idle;
        let kept_out = |specialised: &Option<Answer>| specialised.as_ref().is_some_and(Result::is_err);
        results.iter().zip(&self.values).filter(|((_, s), _)| !kept_out(s)).find_map(
            |((original, _), values)| {
                let planned = original.as_ref().ok()?.addresses.iter().map(|a| bare(a));
                let one = planned.into_iter().find(|a| idle.contains(a))?;
                failure("idle", format!("{values:?}: there is an instance of {one}"))
            },
        )
    }

    /// What holds of the tree as a whole: the active copies are known, it is stable, and a root module is no different.
    fn whole(
        &mut self,
        results: &[(Answer, Option<Answer>)],
        scratch: &Scratch,
        root: bool,
    ) -> Option<Failure> {
        let outcome = self.outcome.as_ref()?;
        let done = outcome.done.as_ref()?;
        let usable: Vec<usize> =
            (0..self.values.len()).filter(|i| self.inner[*i] && results[*i].0.is_ok()).collect();
        // What a data source decides is known only from a first plan.
        let planned_first = self.tree.reads_data() && usable.iter().any(|i| outcome.active[*i].is_err());
        if planned_first {
            return None;
        }
        for i in &usable {
            if let Err(e) = &outcome.active[*i] {
                return failure("active", format!("{:?}: {e}", self.values[*i]));
            }
        }
        // Whatever Terraform says of the tree: with the chains of a run that it accepts, or with none.
        let active = usable.first().and_then(|i| outcome.active[*i].clone().ok());
        let active = active.unwrap_or_else(|| vec![Vec::new(); done.splits.len()]);
        if let Err(detail) = pipeline::stable(&self.files, done, &active) {
            return failure("stable", detail);
        }
        match pipeline::undriven(&self.files) {
            Ok(looked) => self.seen.undriven += usize::from(looked.is_some()),
            Err(detail) => return failure("stable", detail),
        }
        if !root || done.splits.is_empty() || usable.is_empty() {
            return None;
        }
        let i = *self.rng.pick(&usable);
        let original = results[i].0.clone().unwrap_or_default();
        let found = rooted(
            scratch,
            &original,
            &self.original(i),
            (&self.files, &outcome.active[i]),
            done,
            &self.values[i],
        );
        if found.is_some() || !self.rng.chance(STATES) {
            return found;
        }
        self.flips(scratch, i, &usable)
    }

    /// Whether nothing is destroyed on the way from one assignment, applied to the original, to others, that the
    /// original would have kept.
    fn flips(&mut self, scratch: &Scratch, from: usize, usable: &[usize]) -> Option<Failure> {
        let outcome = self.outcome.as_ref()?;
        let done = outcome.done.as_ref()?;
        let workspace = pipeline::workspace(&self.values[from]);
        let state = scratch.state(&self.original(from), &self.values[from])?;
        for to in usable.iter().filter(|i| pipeline::workspace(&self.values[**i]) == workspace).take(FLIPS) {
            let (values, Ok(active)) = (&self.values[*to], &outcome.active[*to]) else { continue };
            // What the original can't be brought to says nothing.
            let Ok(kept) = scratch.destroyed(&self.original(*to), values, &state) else { continue };
            let mut after = pipeline::applied(&self.files, &done.clone().finished(active));
            after.remove(Path::new("phi.hcl"));
            self.seen.flips += 1;
            let what = format!("{:?} applied, then {values:?}", self.values[from]);
            match scratch.destroyed(&after, values, &state) {
                Ok(gone) if gone == kept => {}
                Ok(gone) => {
                    return failure("destroys", format!("{what}: {gone:?}, and the original {kept:?}"));
                }
                Err(e) => return failure("root-stricter", format!("{what}\n{e}")),
            }
        }
        None
    }
}

/// An address within the call that stands for the tree's root, without instance keys.
fn bare(address: &str) -> String {
    let parts = address.split('[').enumerate().map(|(i, part)| match i {
        0 => part,
        _ => part.split_once(']').map_or("", |(_, rest)| rest),
    });
    let whole: String = parts.collect();
    whole.splitn(3, '.').nth(2).unwrap_or_default().to_owned()
}

/// Checks trees, together: `root` says of which it is also looked at as a root module.
pub fn check_all(trees: &[(Tree, u64)], most: usize, root: &dyn Fn(u64) -> bool) -> Vec<Seen> {
    let mut prepared: Vec<Prepared> = trees.iter().map(|(t, seed)| prepare(t, most, *seed)).collect();
    let mut scratch = Scratch::new();
    let mut questions = Vec::new();
    for (at, p) in prepared.iter().enumerate() {
        p.write(at, &mut scratch, &mut questions);
    }
    let answers = scratch.ask(&questions);
    drop(questions);
    let mut answers = answers.into_iter();
    for (p, (_, seed)) in prepared.iter_mut().zip(trees) {
        p.judge(&mut answers, &scratch, root(*seed));
    }
    prepared.into_iter().map(|p| p.seen).collect()
}

/// Checks a tree.
pub fn check(tree: &Tree, most: usize, seed: u64) -> Seen {
    check_all(&[(tree.clone(), seed)], most, &|_| true).pop().unwrap_or_default()
}

fn compare(
    original: &Answer,
    specialised: &Answer,
    inside: bool,
    at: &str,
    seen: &mut Seen,
) -> Option<Failure> {
    match (original, specialised) {
        (Ok(o), Ok(s)) if !o.same_resources(s) => failure(
            "value",
            format!("{at}\n original {:?}\n specialised {:?} {:?}", o.resources, s.resources, s.addresses),
        ),
        (Ok(o), Ok(s)) if !o.same_outputs(s) => {
            failure("output", format!("{at}\n original {}\n specialised {}", o.outputs, s.outputs))
        }
        (Ok(o), Ok(s)) if o.outputs == s.outputs && o.types != s.types => {
            // A literal carries no type of its own: a list comes out as a tuple where any type is taken.
            seen.types.push(format!("{at}\n original {}\n specialised {}", o.types, s.types));
            None
        }
        (Ok(_), Err(e)) if inside => failure("stricter", format!("{at}\n{e}")),
        (Err(e), Ok(s)) => {
            seen.laxer.push(format!("{at}\n plans {:?}\n{e}", s.resources));
            None
        }
        _ => None,
    }
}

/// The same as a root module, with the move chains of this run.
fn rooted(
    scratch: &Scratch,
    original: &Given,
    before: &Files,
    (files, active): (&Files, &Result<Vec<Vec<Active>>, String>),
    done: &tf_phi::specialise::Specialised,
    values: &Assignment,
) -> Option<Failure> {
    let active = match active {
        Ok(active) => active,
        Err(e) => return failure("active", format!("{values:?}: {e}")),
    };
    let mut after = pipeline::applied(files, &done.clone().finished(active));
    after.remove(Path::new("phi.hcl"));
    match scratch.alone(&after, values) {
        // A root module takes values in another way than a call does.
        Err(_) if scratch.alone(before, values).is_err() => None,
        Err(e) => failure("root-stricter", format!("{values:?} active {active:?}\n{e}")),
        Ok(s) if !original.same_resources(&s) || !original.same_outputs(&s) => {
            failure("root-value", format!("{values:?}\n original {original:?}\n specialised {s:?}"))
        }
        Ok(_) => None,
    }
}
