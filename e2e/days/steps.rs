//! What people run. Each step runs on both sides and compares what it does.

use crate::day::Day;
use crate::rng::Rng;
use crate::support::Ran;
use crate::{trees, twin};
use std::fs;

/// What became of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Became {
    Ran = 0,
    /// It stopped, and its advice led out.
    LedOut = 1,
    /// There was nothing for it to do.
    LeftOut = 2,
}

use Became::{LedOut, LeftOut};

type Step = fn(&mut Day, &mut Rng) -> Result<Became, String>;

pub const STEPS: &[(&str, Step)] = &[
    ("an edit", edit),
    ("an edit", edit),
    ("an edit", edit),
    ("an edit", edit),
    ("git commit", |day, _| day.commit().map(|()| Became::Ran)),
    ("git checkout -b", branch),
    ("git checkout BRANCH", checkout),
    ("git merge", |day, rng| put_together(day, rng, "merge")),
    ("git merge", |day, rng| put_together(day, rng, "merge")),
    ("git rebase", |day, rng| put_together(day, rng, "rebase")),
    ("git cherry-pick", |day, rng| put_together(day, rng, "cherry-pick")),
    ("git revert", revert),
    ("git reset --hard", reset),
    ("git checkout COMMIT .", take_back),
    ("git checkout FILE", discard),
    ("git clean", clean),
    ("git commit --amend", amend),
    ("git stash", |day, rng| stash(day, rng, "git stash -q")),
    ("git stash -u", |day, rng| stash(day, rng, "git stash -q -u")),
    ("git checkout .", |day, _| day.both("git checkout -q .").map(|()| Became::Ran)),
    ("git restore .", |day, _| day.both("git restore .").map(|()| Became::Ran)),
    ("git clone", clone),
    ("git worktree", worktree),
    ("git sparse-checkout", |day, _| {
        day.both("git sparse-checkout set --no-cone '/*' '!/docs/'").map(|()| Became::Ran)
    }),
    ("terraform fmt", |day, _| day.both("terraform fmt -recursive -list=false .").map(|()| Became::Ran)),
    ("sed -i", |day, _| over_all(day, "s/[[:space:]]*$//")),
    ("line endings", |day, _| over_all(day, "s/\\r*$/\\r/")),
    ("check --fix", |day, _| day.led("tf-phi check --fix", &[0]).map(|(_, became)| became)),
    ("check", |day, _| day.led("tf-phi check", &[0, 3]).map(|(_, became)| became)),
    ("restore", |day, _| day.led("tf-phi restore", &[0]).map(|(_, became)| became)),
    ("tf-phi plan", plan),
    ("tf-phi plan", plan),
    ("tf-phi apply", apply),
    ("tf-phi apply", apply),
    ("tf-phi output", |day, _| prints(day, "output -json", "output -json")),
    ("tf-phi state list", |day, _| prints(day, "state list --original", "state list")),
    ("tf-phi console", console),
    ("terraform plan", bare_plan),
    ("terraform apply", bare_apply),
    ("terraform output", bare_output),
];

pub fn edit(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    day.number += 1;
    let kind = rng.below(5);
    let (path, from, to) = trees::edit(day.tree, kind, day.number);
    let Some(plain) = day.plain.read(&path).or_else(|| from.is_empty().then(String::new)) else {
        return Ok(LeftOut);
    };
    if !plain.contains(&from) {
        return Ok(LeftOut);
    }
    let text = |day: &Day| day.phi.read(&path).unwrap_or_default();
    let mut became = Became::Ran;
    // What isn't specialised can be edited where it stands.
    let is_around = matches!(kind, 1 | 2 | 4) && rng.chance(50);
    if !is_around || text(day).matches(&from).count() != plain.matches(&from).count() {
        became = day.led("tf-phi restore", &[0])?.1;
    }
    let phi = text(day);
    if !phi.contains(&from) {
        return Err(format!("{path} holds no {from:?} after tf-phi restore:\n{phi}"));
    }
    day.phi.write(&path, &phi.replacen(&from, &to, 1));
    day.plain.write(&path, &plain.replacen(&from, &to, 1));
    Ok(became)
}

fn branch(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    day.commit()?;
    let name = format!("b{}", day.branches.len());
    day.both(&format!("git checkout -q -b {name}"))?;
    day.branches.push(name);
    Ok(Became::Ran)
}

/// Another branch than the one that is checked out, with everything committed.
fn another(day: &mut Day, rng: &mut Rng) -> Result<Option<String>, String> {
    day.commit()?;
    let now = day.in_plain("git branch --show-current").stdout.trim().to_owned();
    let others: Vec<String> = day.branches.iter().filter(|name| **name != now).cloned().collect();
    Ok((!others.is_empty()).then(|| rng.pick(&others).clone()))
}

fn checkout(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    let Some(other) = another(day, rng)? else { return Ok(LeftOut) };
    let line = format!("git checkout -q {other}");
    // A branch may be checked out in another work tree.
    if day.in_plain(&line).code != 0 {
        return Ok(LeftOut);
    }
    let history = |day: &Day| day.phi.read(".phi/history.jsonl").unwrap_or_default();
    let before = history(day);
    match day.in_phi(&line).code {
        0 => {
            // What was applied on one branch, another one doesn't know of before both are merged.
            let now = history(day);
            day.is_history_lost |= before.lines().any(|line| !now.contains(line));
            Ok(Became::Ran)
        }
        _ => Err(format!("{line} fails with tf-phi alone")),
    }
}

/// The commands that put branches together, each with the one that goes on where Git stopped. Originals are merged whatever ends their lines.
const TOGETHER: &[(&str, &str, &str)] = &[
    ("merge", "git merge -q --no-edit -X ignore-cr-at-eol", "git commit -q --no-edit"),
    ("rebase", "git rebase -q -X ignore-cr-at-eol", "git rebase --continue"),
    (
        "cherry-pick",
        "git cherry-pick -X ignore-cr-at-eol --allow-empty --keep-redundant-commits",
        "{ git cherry-pick --continue || git commit -q --allow-empty --no-edit; }",
    ),
];

fn put_together(day: &mut Day, rng: &mut Rng, how: &str) -> Result<Became, String> {
    let Some(other) = another(day, rng)? else { return Ok(LeftOut) };
    let (_, line, go_on) = TOGETHER.iter().find(|(name, ..)| *name == how).unwrap();
    let tip = |ran: Ran| ran.stdout.trim() == "work 1";
    let subject = format!("git log -1 --format='%s %P' {other} | awk '{{print $1, NF - 1}}'");
    // What is taken over has to be the same work on both sides.
    if how == "cherry-pick" && !(tip(day.in_plain(&subject)) && tip(day.in_phi(&subject))) {
        return Ok(LeftOut);
    }
    let line = format!("{line} {other}");
    if day.in_plain(&line).code != 0 {
        // Somebody takes the other side's lines.
        let unmerged = day.in_plain("git diff --name-only --diff-filter=U").stdout;
        let way = "git checkout -q --theirs . && git add -A && git commit -q --no-edit";
        if how != "merge" || unmerged.is_empty() || day.in_plain(way).code != 0 {
            day.in_plain(&format!("git {how} --abort"));
            return Ok(LeftOut);
        }
    }
    if day.in_phi(&line).code == 0 {
        return Ok(Became::Ran);
    }
    for _ in 0..6 {
        let mut ran = day.in_phi("tf-phi check --fix");
        for _ in 0..4 {
            if ran.code != 0 {
                resolve(day, &ran)?;
                ran = day.in_phi("tf-phi check --fix");
            }
        }
        if day.in_phi(&format!("git add -A && {go_on}")).code == 0 {
            return Ok(LedOut);
        }
    }
    Err(format!("check --fix never gets to the end of {line}"))
}

/// Chooses between lines of originals as was chosen where nothing is specialised.
fn resolve(day: &mut Day, ran: &Ran) -> Result<(), String> {
    let said = format!("{}{}", ran.stdout, ran.stderr);
    let names: Vec<String> =
        said.lines().filter_map(|line| line.trim().strip_prefix("--> ")).map(str::to_owned).collect();
    let is_conflict =
        said.contains("both sides of the merge changed the same lines") || said.contains("| <<<<<<<");
    if !is_conflict || names.is_empty() {
        return Err(format!("the merge stops: {said}"));
    }
    for name in names {
        // Of what can't be parsed the place is told.
        let name = name.split(':').next().unwrap_or_default();
        let plain = day.plain.read(name).ok_or_else(|| format!("{name} is no file of the original"))?;
        let marked = day.phi.read(name).unwrap_or_default();
        if !marked.contains("<<<<<<< ") || marked.contains("# phi: ") {
            return Err(format!("{name} isn't an original with marks: {marked}"));
        }
        day.phi.write(name, &trees::from_hand(day.tree, &plain));
    }
    Ok(())
}

/// The commit before the last one, where it isn't a merge.
fn has_before(day: &mut Day) -> Result<bool, String> {
    day.commit()?;
    let is_one = |ran: Ran| ran.stdout.trim() == "1";
    let parents = "git log -1 --format=%P | wc -w";
    Ok(is_one(day.in_plain(parents)) && is_one(day.in_phi(parents)))
}

fn revert(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    if !has_before(day)? {
        return Ok(LeftOut);
    }
    day.both("git revert --no-edit HEAD || { git revert --skip; true; }").map(|()| Became::Ran)
}

fn reset(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    if !has_before(day)? {
        return Ok(LeftOut);
    }
    day.both("git reset -q --hard HEAD~1").map(|()| Became::Ran)
}

/// Everything as it was a commit ago; what came since stays.
fn take_back(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    if !has_before(day)? {
        return Ok(LeftOut);
    }
    day.both("git checkout -q HEAD~1 -- .").map(|()| Became::Ran)
}

fn discard(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    let file = rng.word(&["main.tf", "outputs.tf", "phi.hcl"]);
    day.both(&format!("git checkout -q {file}")).map(|()| Became::Ran)
}

fn clean(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    let is_all = rng.chance(50);
    if is_all {
        commit_for_others(day)?;
    }
    day.both(if is_all { "git clean -qfdx" } else { "git clean -qfd" })?;
    day.init()?;
    Ok(Became::Ran)
}

fn amend(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    day.both("git add -A && git commit -q --allow-empty --amend -m work").map(|()| Became::Ran)
}

fn stash(day: &mut Day, rng: &mut Rng, line: &str) -> Result<Became, String> {
    day.both(line)?;
    let mut became = Became::Ran;
    if rng.chance(50) {
        became = day.led("tf-phi check", &[0, 3])?.1;
    }
    for line in ["git stash list", "git stash pop -q"] {
        let (plain, phi) = (day.in_plain(line), day.in_phi(line));
        if phi.code != 0 && !phi.stderr.contains("No stash entries found") {
            return Err(format!("{line}: {} and {}", plain.code, phi.stderr));
        }
    }
    Ok(became)
}

fn move_to(day: &mut Day, line: &dyn Fn(&str) -> String) -> Result<Became, String> {
    day.number += 1;
    let to = format!("../{}", day.number);
    day.both(&line(&to))?;
    for side in [&mut day.phi, &mut day.plain] {
        side.dir = side.dir.parent().unwrap().join(to.trim_start_matches("../"));
    }
    day.init()?;
    Ok(Became::Ran)
}

/// Commits for a place that has nothing of what Git ignores. A file that is new may be on no record but the one that Git ignores: then the commit
/// goes through the hook, without which nobody commits copies.
fn commit_for_others(day: &mut Day) -> Result<(), String> {
    let is_new = !day.in_phi("git ls-files --others --exclude-standard '*.tf'").stdout.trim().is_empty();
    if is_new && day.keep {
        day.led("tf-phi check --fix", &[0])?;
    }
    day.commit()
}

fn clone(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    commit_for_others(day)?;
    let setting = rng.word(&[
        "core.autocrlf=true",
        "core.autocrlf=input",
        "core.symlinks=false",
        "core.fileMode=false",
    ]);
    let all = "git fetch -q --update-head-ok origin '+refs/heads/*:refs/heads/*'";
    move_to(day, &|to| format!("git clone -q -c {setting} . {to} && cd {to} && {all}"))
}

fn worktree(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    commit_for_others(day)?;
    let name = format!("b{}", day.branches.len());
    day.branches.push(name.clone());
    move_to(day, &|to| format!("git worktree add -q -b {name} {to}"))
}

fn over_all(day: &mut Day, script: &str) -> Result<Became, String> {
    day.both(&format!("find . -name .terraform -prune -o -name '*.tf' -exec sed -i '{script}' {{}} +"))?;
    Ok(Became::Ran)
}

/// The changes that a plan of Terraform alone makes.
fn plain_changes(day: &mut Day) -> Result<std::collections::BTreeMap<String, usize>, String> {
    let out = day.scratch.aside("plain.plan");
    let line = format!("terraform plan -input=false -out={} -var=env={}", out.display(), day.env);
    let ran = day.in_plain(&line);
    if ran.code != 0 {
        return Err(format!("Terraform alone fails: {}", ran.stderr));
    }
    Ok(twin::changes(&day.in_plain(&format!("terraform show -json {}", out.display())).stdout))
}

fn plan(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    day.env = if rng.chance(50) { "prod" } else { "dev" };
    let want = plain_changes(day)?;
    let out = day.scratch.aside("phi.plan");
    let line = format!("tf-phi plan -input=false -out={} -var=env={}", out.display(), day.env);
    let (_, became) = day.led(&line, &[0])?;
    let got = twin::changes(&day.in_phi(&format!("terraform show -json {}", out.display())).stdout);
    if got != want {
        return Err(format!("the plans differ: {got:#?} and Terraform's alone {want:#?}"));
    }
    Ok(became)
}

fn apply(day: &mut Day, rng: &mut Rng) -> Result<Became, String> {
    let became = plan(day, rng)?;
    let line = format!("apply -input=false -auto-approve -var=env={}", day.env);
    let plain = day.in_plain(&format!("terraform {line}"));
    if plain.code != 0 {
        return Err(format!("Terraform alone fails: {}", plain.stderr));
    }
    day.led(&format!("tf-phi {line}"), &[0])?;
    have_same_objects(day)?;
    Ok(became)
}

fn have_same_objects(day: &mut Day) -> Result<(), String> {
    let state =
        |side: &str| twin::objects(fs::read_to_string(day.scratch.aside(&format!("{side}.tfstate"))).ok());
    let (phi, plain) = (state("phi"), state("plain"));
    if phi != plain {
        Err(format!("the states differ: {phi:#?} and Terraform's alone {plain:#?}"))
    } else {
        Ok(())
    }
}

/// What a command prints is what Terraform prints for the original.
fn prints(day: &mut Day, with_phi: &str, alone: &str) -> Result<Became, String> {
    let plain = day.in_plain(&format!("terraform {alone}"));
    if plain.code != 0 {
        // No state yet.
        return Ok(LeftOut);
    }
    let (ran, became) = day.led(&format!("tf-phi {with_phi}"), &[0])?;
    let sources: String = day.plain.sources().into_values().collect();
    let sorted = |text: &str| {
        // What another branch alone declares has the name there that it was applied with.
        let is_here = |line: &&str| {
            let name = line.strip_prefix("terraform_data.more_").map(|rest| rest.split(['_', '[']).next());
            name.flatten().is_none_or(|number| sources.contains(&format!("\"more_{number}\"")))
        };
        // Git took the history back, and nobody ran since: a copy in state has the name there that it was applied with.
        let named =
            |line: &str| if day.is_history_lost { twin::without_copies(line) } else { line.to_owned() };
        let mut lines: Vec<String> = text.lines().filter(is_here).map(named).collect();
        lines.sort();
        lines
    };
    if sorted(&ran.stdout) != sorted(&plain.stdout) {
        return Err(format!("{with_phi} prints {}and Terraform alone {}", ran.stdout, plain.stdout));
    }
    Ok(became)
}

fn console(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    let env = day.env;
    let line = |program: &str| format!("echo 'local.of_a' | {program} console -var=env={env}");
    let plain = day.in_plain(&line("terraform"));
    let (ran, became) = day.led(&line("tf-phi"), &[0])?;
    if ran.stdout.trim() != plain.stdout.trim() {
        return Err(format!("console says {:?} and Terraform alone {:?}", ran.stdout, plain.stdout));
    }
    Ok(became)
}

/// Somebody's plan without tf-phi destroys nothing that Terraform alone keeps, as long as nobody takes the file away that leads home.
fn bare(day: &mut Day) -> Result<Option<bool>, String> {
    if day.is_history_lost {
        return Ok(None);
    }
    let want = plain_changes(day)?;
    let out = day.scratch.aside("bare.plan");
    let line = format!("terraform plan -input=false -out={} -var=env={}", out.display(), day.env);
    if day.in_phi(&line).code != 0 {
        return Ok(None);
    }
    let got = twin::changes(&day.in_phi(&format!("terraform show -json {}", out.display())).stdout);
    match twin::destroyed_besides(&want, &got) {
        Some(what) => Err(format!("a bare plan destroys: {what}")),
        None => Ok(Some(got == want)),
    }
}

fn bare_plan(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    Ok(if bare(day)?.is_some() { Became::Ran } else { LeftOut })
}

fn bare_apply(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    if bare(day)? != Some(true) {
        return Ok(LeftOut);
    }
    let out = day.scratch.aside("bare.plan");
    day.in_plain(&format!("terraform apply -input=false -auto-approve -var=env={}", day.env));
    day.in_phi(&format!("terraform apply -input=false {}", out.display()));
    have_same_objects(day)?;
    Ok(Became::Ran)
}

fn bare_output(day: &mut Day, _: &mut Rng) -> Result<Became, String> {
    let (plain, phi) = (day.in_plain("terraform output -json"), day.in_phi("terraform output -json"));
    if phi.code != 0 || plain.code != 0 {
        return Ok(LeftOut);
    }
    if phi.stdout != plain.stdout {
        return Err(format!("output is {} and alone {}", phi.stdout, plain.stdout));
    }
    Ok(Became::Ran)
}
