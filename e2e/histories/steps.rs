//! What people do, and the choice of the next thing they do.

use super::edits::Edit;
use super::generate;
use super::model::{Repeat, Root, Trouble, Val, Vars};
use super::rng::Rng;

/// How a run of tf-phi leaves the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    InPlace,
    Ephemeral,
}

/// What is run in both worlds, after the edits.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// A plan that nobody applies.
    Plan,
    /// A plan, and what it says applied.
    Saved,
    /// A plan, and then an apply of its own.
    Direct,
    /// `apply -refresh-only`
    Refresh,
    /// A plan of a declaration's or an object's address alone, and what it says applied.
    Target(String),
    /// A plan that replaces an object, and what it says applied.
    Replace(String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Run {
        edits: Vec<Edit>,
        vars: Vars,
        mode: Mode,
        act: Act,
    },
    Restore,
    Workspace(&'static str),
    /// `.phi` is deleted, after the sources were restored.
    Lose,
    /// The record of a branch with other pins, in which tf-phi has run, is taken over.
    Merge(Vec<super::model::Pin>, Vars),
    /// A run is killed after so many milliseconds.
    Kill(u64, Vars, Mode),
    /// Somebody runs Terraform itself in tf-phi's folder.
    Plain(Vars),
    /// Sources are restored, and Terraform itself is run with the `moved` blocks that `restore` prints.
    Leave(Vars),
    /// `tf-phi verify`
    Verify(Vars),
}

impl Step {
    /// What it is, for a table of failures.
    pub fn names(&self) -> Vec<String> {
        let word =
            |text: String| text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
        match self {
            Step::Run { edits, act, .. } => {
                let mut out: Vec<String> = edits.iter().map(super::edits::Edit::name).collect();
                if !matches!(act, Act::Saved | Act::Plan | Act::Direct) {
                    out.push(word(format!("{act:?}")));
                }
                out
            }
            other => vec![word(format!("{other:?}"))],
        }
    }
}

/// What a history is like as a whole.
#[derive(Clone, Debug)]
pub struct Habit {
    /// Per cent of the runs that are ephemeral.
    pub ephemeral: usize,
    pub by_arguments: bool,
}

pub fn habit(rng: &mut Rng) -> Habit {
    Habit { ephemeral: *rng.pick(&[0, 0, 100, 100, 40]), by_arguments: rng.chance(75) }
}

pub fn mode(rng: &mut Rng, habit: &Habit) -> Mode {
    if rng.chance(habit.ephemeral) { Mode::Ephemeral } else { Mode::InPlace }
}

/// What the next step is chosen by.
pub struct Seen<'r> {
    pub root: &'r Root,
    /// The addresses of the objects that Terraform alone has.
    pub objects: &'r [String],
    /// The folder is specialised.
    pub stands: bool,
}

/// The next step.
pub fn next(rng: &mut Rng, seen: &Seen, last: &Vars, habit: &Habit) -> Step {
    let Seen { root, objects, .. } = *seen;
    let mode = mode(rng, habit);
    let vars = if rng.chance(55) { generate::vars(rng) } else { last.clone() };
    match rng.below(100) {
        _ if seen.stands && rng.chance(12) => Step::Plain(vars),
        _ if seen.stands && rng.chance(5) => Step::Leave(vars),
        0..=4 => Step::Restore,
        5..=8 => Step::Workspace(rng.word(&["default", "other"])),
        9..=11 => Step::Lose,
        12..=14 => Step::Merge(generate::pins(rng, root), vars),
        15..=17 => Step::Kill(1 + rng.next() % 90, vars, mode),
        18..=20 => Step::Verify(vars),
        21..=40 => Step::Run { edits: Vec::new(), vars, mode, act: act(rng, root, objects) },
        _ => Step::Run { edits: edits(rng, root), vars, mode, act: act(rng, root, objects) },
    }
}

fn act(rng: &mut Rng, root: &Root, objects: &[String]) -> Act {
    match rng.below(40) {
        0..=5 => Act::Plan,
        6..=27 => Act::Saved,
        28..=34 => Act::Direct,
        35 | 36 => Act::Refresh,
        37 if !objects.is_empty() => Act::Replace(rng.pick(objects).clone()),
        37 | 38 if !objects.is_empty() => Act::Target(rng.pick(objects).clone()),
        _ => {
            let body = &root.modules[""];
            let all: Vec<String> = body
                .resources
                .iter()
                .map(|r| format!("terraform_data.{}", r.name))
                .chain(body.calls.iter().map(|c| format!("module.{}", c.name)))
                .collect();
            if all.is_empty() { Act::Saved } else { Act::Target(rng.pick(&all).clone()) }
        }
    }
}

/// One edit, or two at once.
fn edits(rng: &mut Rng, root: &Root) -> Vec<Edit> {
    let mut now = root.clone();
    let mut out = Vec::new();
    let most = if rng.chance(20) { 2 } else { 1 };
    for _ in 0..30 {
        let Some(edit) = one(rng, &mut now.clone()) else { continue };
        if !edit.apply(&mut now) {
            continue;
        }
        // An apply fails where something is created.
        if let Edit::Trouble(label, Some(_)) = &edit {
            let word = format!("\"t{}\"", now.made);
            let force = Edit::Triggers(label.clone(), Some(Val::Env(word, "\"t\"".to_owned())));
            if rng.chance(80) && force.apply(&mut now) {
                out.push(force);
            }
        }
        out.push(edit);
        if out.len() >= most {
            break;
        }
    }
    out
}

fn one(rng: &mut Rng, root: &mut Root) -> Option<Edit> {
    let resources: Vec<_> = root.modules.values().flat_map(|b| b.resources.clone()).collect();
    let calls: Vec<_> = root.modules.values().flat_map(|b| b.calls.clone()).collect();
    let moved = rng.chance(70);
    let whole = rng.below(100);
    if whole < 12 {
        return Some(if rng.chance(35) {
            Edit::Pins(Vec::new())
        } else {
            Edit::Pins(generate::pins(rng, root))
        });
    }
    if whole < 16 || resources.is_empty() {
        return Some(Edit::Add(Box::new(generate::resource(rng, root, false))));
    }
    if whole < 19 {
        return Some(Edit::Tidy);
    }
    if !calls.is_empty() && rng.chance(30) {
        let call = rng.pick(&calls);
        let label = call.label.clone();
        return Some(match rng.below(7) {
            0 | 1 => Edit::Rename(label, root.fresh("m"), moved),
            2 => Edit::Repeat(label, generate::repeat(rng), moved),
            3 => keys(rng, root, &label, &call.repeat)?,
            4 => Edit::Drop(label, rng.chance(40)),
            5 => {
                let name = root.fresh("m");
                Edit::Again(call.module.clone(), name.clone(), name)
            }
            _ => Edit::Value(label, changed(rng, &call.v, &call.repeat, false)),
        });
    }
    let res = rng.pick(&resources);
    let label = res.label.clone();
    let inside = root.resource(&label).is_some_and(|(m, _)| !m.is_empty());
    Some(match rng.below(20) {
        0..=4 => Edit::Value(label, changed(rng, &res.v, &res.repeat, inside)),
        5 => Edit::Second(label, rng.chance(70).then(|| generate::value(rng, &res.repeat, inside))),
        6 => Edit::Triggers(label, rng.chance(50).then(|| generate::value(rng, &res.repeat, inside))),
        7 if rng.chance(60) => Edit::Ignore(label, !res.ignore),
        7 | 8 if res.protect.is_some() || rng.chance(60) => {
            Edit::Protect(label, rng.chance(60).then(|| generate::protect(rng, &res.repeat)))
        }
        8 | 9 if res.trouble.is_some() || rng.chance(70) => {
            let trouble = rng.pick(&[Trouble::Provisioner, Trouble::Postcondition]);
            Edit::Trouble(label, res.trouble.is_none().then_some(*trouble))
        }
        7..=9 => Edit::CreateFirst(label, !res.create_first),
        10 | 11 => Edit::Repeat(label, generate::repeat(rng), moved),
        12 | 13 => keys(rng, root, &label, &res.repeat)?,
        14 | 15 => Edit::Rename(label, root.fresh("r"), moved),
        16 | 17 if !inside => Edit::Into(label, root.fresh("mod"), root.fresh("m"), moved),
        16 | 17 => Edit::OutOf(label, moved),
        _ => Edit::Drop(label, rng.chance(50)),
    })
}

/// Another value, or the same form with a word changed: two that join, or one that splits.
fn changed(rng: &mut Rng, val: &Val, repeat: &Repeat, inside: bool) -> Val {
    if rng.chance(35) {
        return generate::value(rng, repeat, inside);
    }
    let word = generate::literal(rng);
    match val {
        Val::Env(a, b) if rng.chance(50) => {
            Val::Env(if rng.chance(40) { b.clone() } else { word }, b.clone())
        }
        Val::Env(a, _) => Val::Env(a.clone(), word),
        Val::EnvMap(_, b) => Val::EnvMap(if rng.chance(40) { b.clone() } else { word }, b.clone()),
        Val::Two(a, b, _) if rng.chance(50) => Val::Two(a.clone(), b.clone(), word),
        Val::Two(_, b, c) => Val::Two(word, b.clone(), c.clone()),
        Val::KeyIs(k, a, _) => {
            Val::KeyIs(k.clone(), a.clone(), if rng.chance(40) { a.clone() } else { word })
        }
        Val::Key(map, other) => {
            let mut map = map.clone();
            let at = rng.below(map.len());
            map[at].1 = word;
            Val::Key(map, other.clone())
        }
        _ => generate::value(rng, repeat, inside),
    }
}

/// A key more, a key less, or another key.
fn keys(rng: &mut Rng, root: &mut Root, label: &str, repeat: &Repeat) -> Option<Edit> {
    let Repeat::Each { keys, set, sometimes } = repeat else { return None };
    let mut keys = keys.clone();
    let at = rng.below(keys.len());
    let fresh = root.fresh("k");
    match rng.below(4) {
        0 => keys.push((fresh, generate::literal(rng))),
        1 if keys.len() > 1 => drop(keys.remove(at)),
        2 => keys[at].1 = generate::literal(rng),
        _ => return Some(Edit::Key(label.to_owned(), keys[at].0.clone(), fresh, rng.chance(70))),
    }
    let sometimes = sometimes.clone().filter(|s| keys.iter().any(|(k, _)| k == s));
    Some(Edit::Repeat(label.to_owned(), Repeat::Each { keys, set: *set, sometimes }, false))
}
