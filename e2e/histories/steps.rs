//! What people do, and the choice of the next thing they do.

use super::edits::Edit;
use super::generate;
use super::model::{Form, Repeat, Root, Trouble, Val, Vars};
use super::rng::Rng;
use super::world::Place;

/// How a run of tf-phi leaves the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    InPlace,
    Ephemeral,
}

/// What is run in both worlds, after the edits.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// Nothing: the edit is in the folder.
    Nothing,
    /// A plan that nobody applies.
    Plan,
    /// A plan, and what it says applied.
    Saved,
    /// An apply.
    Direct,
    /// `apply -refresh-only`
    Refresh,
    /// A plan of a declaration's or an object's address alone, and what it says applied.
    Target(String),
    /// A plan that replaces an object, and what it says applied.
    Replace(String),
    /// A plan that destroys an object and what needs it, and what it says applied.
    Destroy(String),
    /// A plan that destroys everything, and what it says applied.
    DestroyAll,
}

/// How somebody leaves tf-phi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Restored,
    Command,
    /// By the command, and the form factor's form stays.
    Served,
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
    /// `.phi` is deleted, after the sources were restored; with the way home, or without.
    Lose(bool),
    /// The record of a branch with other pins, in which tf-phi has run, is taken over.
    Merge(Vec<super::model::Pin>, Vars),
    /// A run is killed after so many milliseconds.
    Kill(u64, Vars, Mode),
    /// Somebody runs Terraform itself in tf-phi's folder.
    Plain(Vars),
    /// Terraform itself plans the original in tf-phi's folder, in every state; and applies it, or not.
    Bare(Vars, bool),
    /// The same after `restore`, or after `tf-phi leave`.
    Leave(Vars, Way, bool),
    /// `tf-phi check --fix`, as a hook does it.
    Hook,
    /// `tf-phi init`
    Init,
    /// `tf-phi plan --dry-run`
    DryRun(Vars),
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
                if out.is_empty() || !matches!(act, Act::Saved | Act::Plan | Act::Direct) {
                    out.push(word(format!("{act:?}")));
                }
                out
            }
            Step::Bare(_, applied) => vec![["Bare", "Bare applied"][usize::from(*applied)].to_owned()],
            Step::Leave(_, way, applied) => {
                vec![format!("Leave {way:?}{}", ["", " applied"][usize::from(*applied)])]
            }
            Step::Lose(home) => vec![["Lose", "Lose all"][usize::from(*home)].to_owned()],
            Step::Merge(..) => vec!["Merge".to_owned()],
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
    pub place: Place,
}

pub fn habit(rng: &mut Rng) -> Habit {
    let place = match rng.below(100) {
        0..=9 => Place::Argument,
        10..=19 => Place::Deployments,
        _ => Place::Workspaces,
    };
    let ephemeral = if place == Place::Deployments { 0 } else { *rng.pick(&[0, 0, 0, 100, 40]) };
    Habit { ephemeral, by_arguments: rng.chance(75), place }
}

pub fn mode(rng: &mut Rng, habit: &Habit) -> Mode {
    if rng.chance(habit.ephemeral) { Mode::Ephemeral } else { Mode::InPlace }
}

/// The next step, in whatever way the steps before it have gone.
pub fn next(rng: &mut Rng, root: &Root, last: &Vars, habit: &Habit) -> Step {
    let mode = mode(rng, habit);
    let vars = if rng.chance(55) { generate::vars(rng) } else { last.clone() };
    if habit.place == Place::Deployments {
        let act = if rng.chance(25) { Act::Plan } else { Act::Direct };
        return match rng.below(100) {
            0..=19 => Step::Workspace(rng.word(&["one", "two"])),
            20..=22 => Step::Lose(false),
            23..=26 => Step::Leave(vars, Way::Command, rng.chance(50)),
            27..=29 => Step::Restore,
            30..=32 => Step::Hook,
            33 => Step::DryRun(vars),
            34..=48 => Step::Run { edits: Vec::new(), vars, mode, act },
            _ => Step::Run { edits: edits(rng, root, fits_stack), vars, mode, act },
        };
    }
    let act = act(rng, root, habit.place);
    match rng.below(100) {
        _ if !root.not_kept && habit.ephemeral < 100 && rng.chance(6) => Step::Plain(vars),
        _ if rng.chance(6) => Step::Bare(vars, rng.chance(30)),
        _ if rng.chance(7) => {
            let way = match rng.below(10) {
                0..=3 if root.service => Way::Served,
                0..=6 => Way::Restored,
                _ => Way::Command,
            };
            Step::Leave(vars, way, way == Way::Command || rng.chance(30))
        }
        0..=3 => Step::Restore,
        4..=11 => Step::Workspace(rng.word(&["default", "other"])),
        12..=14 => Step::Lose(rng.chance(50)),
        15 | 16 => Step::Merge(generate::pins(rng, root), vars),
        17 | 18 => Step::Kill(1 + rng.next() % 90, vars, mode),
        19 => Step::Verify(vars),
        20..=25 => Step::Hook,
        26 | 27 => Step::Init,
        28 => Step::DryRun(vars),
        29..=44 => Step::Run { edits: Vec::new(), vars, mode, act },
        _ => {
            let edits = edits(rng, root, |_| true);
            // A hook, or `init`, between an edit and the run is a step by itself: the edit has to be in the folder then.
            let act = if rng.chance(15) { Act::Nothing } else { act };
            Step::Run { edits, vars, mode, act }
        }
    }
}

/// The address of an object that is chosen when it is time for the step.
const ANY: &str = "";

impl Step {
    /// The steps that are taken for this one, now that something is known of the folder: where the objects' addresses are
    /// these, and the folder is specialised, or as it was written.
    pub fn settle(&self, rng: &mut Rng, objects: &[String], stands: bool, bare: bool) -> Vec<Step> {
        let mut step = self.clone();
        if let Step::Run { act, .. } = &mut step {
            match act {
                Act::Replace(at) | Act::Target(at) | Act::Destroy(at) if at == ANY => match objects {
                    [] => *act = Act::Saved,
                    _ => rng.pick(objects).clone_into(at),
                },
                _ => {}
            }
        }
        let before = match self {
            Step::Plain(vars) if !stands => {
                Step::Run { edits: Vec::new(), vars: vars.clone(), mode: Mode::InPlace, act: Act::Plan }
            }
            Step::Bare(..) if !bare => Step::Restore,
            _ => return vec![step],
        };
        vec![before, step]
    }
}

/// Whether a Stack can say it: calls and nothing else, which are single or have keys.
pub fn fits_stack(root: &Root) -> bool {
    let top = &root.modules[""];
    top.resources.is_empty()
        && top.statements.is_empty()
        && !top.calls.is_empty()
        && top.calls.iter().all(|c| !matches!(c.repeat, Repeat::Count(..)))
        && root.calls().all(|c| c.other.is_none())
        && root.pins.iter().all(|p| p.form != Form::Call)
        && !root.service
}

fn act(rng: &mut Rng, root: &Root, place: Place) -> Act {
    if place == Place::Argument {
        return if rng.chance(25) { Act::Plan } else { Act::Direct };
    }
    match rng.below(43) {
        40 | 41 => Act::Destroy(ANY.to_owned()),
        42 => Act::DestroyAll,
        0..=5 => Act::Plan,
        6..=14 => Act::Saved,
        15..=33 => Act::Direct,
        34 | 37 => Act::Replace(ANY.to_owned()),
        35 | 36 => Act::Refresh,
        38 => Act::Target(ANY.to_owned()),
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
fn edits(rng: &mut Rng, root: &Root, fits: fn(&Root) -> bool) -> Vec<Edit> {
    let mut now = root.clone();
    let mut out = Vec::new();
    let most = if rng.chance(20) { 2 } else { 1 };
    for _ in 0..30 {
        let Some(edit) = one(rng, &mut now.clone()) else { continue };
        let before = now.clone();
        if !edit.apply(&mut now) {
            continue;
        }
        if !fits(&now) {
            now = before;
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
    let resources: Vec<_> = root.resources().cloned().collect();
    let calls: Vec<_> = root.calls().cloned().collect();
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
        let mut res = generate::resource(rng, root, false);
        if root.service {
            generate::unburden(&mut res);
            res.served = rng.chance(60);
        }
        return Some(Edit::Add(Box::new(res)));
    }
    if whole < 19 {
        return Some(Edit::Tidy);
    }
    if whole == 19 {
        return Some(if rng.chance(60) {
            Edit::Keep(root.not_kept)
        } else {
            Edit::InPlace(!root.edit_in_place)
        });
    }
    if whole < 26 && root.service {
        let label = rng.pick(&resources).label.clone();
        return Some(if rng.chance(50) {
            Edit::Factor(!root.factor)
        } else {
            Edit::Serve(label, rng.chance(50))
        });
    }
    if !calls.is_empty() && rng.chance(30) {
        let call = rng.pick(&calls);
        let label = call.label.clone();
        return Some(match rng.below(9) {
            7 | 8 if call.other.is_some() => Edit::Choose(label, None),
            7 | 8 if !root.service && root.call(&label).is_some_and(|(module, _)| module.is_empty()) => {
                Edit::Choose(label, Some(generate::choice(rng, root, call)))
            }
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
    // What a service replaces has no lifecycle.
    let most = if root.service { 14 } else { 20 };
    Some(match rng.below(most) + if root.service { 10 } else { 0 } {
        0..=4 | 20..=23 => Edit::Value(label, changed(rng, &res.v, &res.repeat, inside)),
        5 => Edit::Second(label, rng.chance(70).then(|| generate::value(rng, &res.repeat, inside))),
        6 => Edit::Triggers(label, rng.chance(50).then(|| generate::value(rng, &res.repeat, inside))),
        7 if rng.chance(60) => Edit::Ignore(label, !res.ignore),
        7 | 8 if res.protect.is_some() || rng.chance(60) => {
            Edit::Protect(label, rng.chance(70).then(|| generate::protect(rng, &res.repeat)))
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
