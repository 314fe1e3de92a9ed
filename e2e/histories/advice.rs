//! What a refused run prints as advice is followed to the letter, in a copy of the folder, and has to lead out.

use super::both::PROTECTED;
use super::compare;
use super::model::Vars;
use super::plan::{self, Plan};
use super::report::refusal;
use super::run::{Outcome, Runner, strings};
use super::steps::Mode;
use super::support::Ran;
use super::world::Place;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// One of the numbered ways out.
#[derive(Debug)]
struct Advice {
    title: String,
    /// What is to be typed, or pasted.
    lines: Vec<String>,
}

/// The ways out in what was printed. Where several issues print one with the same words, it is one: each takes its part of it.
fn advices(said: &str) -> Vec<Advice> {
    let mut out: Vec<Advice> = Vec::new();
    for issue in said.split("Blocking: ") {
        let known = out.len();
        for advice in advices_of_issue(issue) {
            match out.iter_mut().take(known).find(|a| a.title == advice.title) {
                Some(same) if !same.lines.windows(advice.lines.len().max(1)).any(|w| w == advice.lines) => {
                    same.lines.extend(advice.lines);
                }
                Some(_) => {}
                None => out.push(advice),
            }
        }
    }
    out
}

/// The numbered ways out of one issue: a title, and lines that stand further in.
fn advices_of_issue(said: &str) -> Vec<Advice> {
    let mut out: Vec<Advice> = Vec::new();
    let mut within = false;
    for line in said.lines() {
        if line.starts_with("Fix") {
            within = true;
        } else if line.starts_with("Code:") {
            within = false;
        } else if within {
            let text = line.trim_start();
            let number = text.split_once(". ").filter(|(n, _)| n.parse::<usize>().is_ok());
            match (number, out.last_mut()) {
                (Some((_, title)), _) if line.starts_with("  ") && !line.starts_with("    ") => {
                    out.push(Advice { title: title.to_owned(), lines: Vec::new() });
                }
                (_, Some(last)) if line.starts_with("       ") => {
                    last.lines.push(line.get(7..).unwrap_or_default().to_owned());
                }
                (_, Some(last)) if !text.is_empty() => {
                    last.title += " ";
                    last.title += text;
                }
                _ => {}
            }
        }
    }
    out
}

/// The words of a command, as a shell takes them apart.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = None;
    for c in line.chars() {
        match (c, quoted) {
            ('\'' | '"', None) => quoted = Some(c),
            (c, Some(q)) if c == q => quoted = None,
            (' ', None) => words.push(String::new()),
            (c, _) => words.last_mut().unwrap().push(c),
        }
    }
    words.into_iter().filter(|w| !w.is_empty()).collect()
}

/// A kind of thing to type or paste.
enum Thing {
    Command(Vec<String>),
    Flags(Vec<String>),
    /// For `phi.hcl`.
    Setting(String),
    /// For a source file.
    Block(String),
}

impl Advice {
    fn things(&self) -> Vec<Thing> {
        let mut out = Vec::new();
        if self.title.contains("in place of the component") {
            return out;
        }
        let mut block = String::new();
        let mut depth = 0_usize;
        for line in &self.lines {
            if depth == 0 && ["tf-phi ", "terraform ", "mv "].iter().any(|program| line.starts_with(program))
            {
                out.push(Thing::Command(words(line)));
                continue;
            }
            if depth == 0 && line.trim_start_matches('\'').starts_with('-') {
                out.push(Thing::Flags(words(line)));
                continue;
            }
            depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
            block.push_str(line);
            block.push('\n');
            if depth == 0 && !line.trim().is_empty() {
                let first = block.split_whitespace().next().unwrap_or_default().to_owned();
                let setting = ["settings", "specialize", "form_factor", "service"].contains(&first.as_str())
                    || block.contains("universe");
                let text = std::mem::take(&mut block);
                out.push(if setting { Thing::Setting(text) } else { Thing::Block(text) });
            }
        }
        out
    }
}

/// The rest of an address below another one.
fn within<'a>(address: &'a str, unit: &str) -> Option<&'a str> {
    address.strip_prefix(unit).filter(|r| r.is_empty() || r.starts_with(['.', '[']))
}

/// The address of what a service makes for a resource.
fn made(resource: &str) -> String {
    let (module, own) = resource.rsplit_once("terraform_data.").unwrap_or(("", resource));
    format!("{module}module.{own}.terraform_data.pg")
}

fn append(path: &Path, text: &str) {
    let before = fs::read_to_string(path).unwrap_or_default();
    fs::write(path, format!("{before}\n{text}")).unwrap();
}

impl Runner {
    /// Each advice of a refused run leads to a plan that destroys nothing besides what the twin's does.
    pub fn follow(&mut self, vars: &Vars, phi: &Ran) -> Outcome {
        let reason = refusal(phi).unwrap_or_default();
        let all = advices(&phi.stderr);
        if all.is_empty() {
            *self.counts.followed.entry(format!("NO ADVICE: {reason}")).or_default() += 1;
            return self.fail("no advice", &phi.stderr);
        }
        // What Terraform takes of the original is not wrong. In a Stack, what goes has to be named in a `removed` block.
        let unclaimed = phi.stderr.contains("component instance component.");
        if reason.split(" + ").any(|r| r.starts_with("invalid:")) && !unclaimed {
            return self.fail("untrue", &phi.stderr);
        }
        let mut out = false;
        let mut said = String::new();
        for advice in &all {
            let dir = self.phi.copy();
            let (how, text) = self.follow_one(vars, advice, &dir, 0)?;
            out |= how.starts_with("leads out") || how == "wants an edit";
            writeln!(said, "    {how}: {} {text}", advice.title).unwrap();
            let what = format!("{how}: {reason}: {}", super::report::plain(&advice.title));
            *self.counts.followed.entry(what).or_default() += 1;
        }
        self.log += &said;
        if !out {
            *self.counts.followed.entry(format!("NO WAY OUT: {reason}")).or_default() += 1;
            return self.fail("no way out", format!("{}\n{said}", phi.stderr));
        }
        Ok(())
    }

    /// Whether an answer is so: the object at the copy's address is the twin's at the original's.
    fn is_true(&mut self, vars: &Vars, words: &[String]) -> bool {
        let Some(at) = words.iter().position(|w| w.starts_with("--copy") || w.starts_with("--own")) else {
            return true;
        };
        let option = if words[at].starts_with("--own") { "--own" } else { "--copy" };
        let rest = words[at].strip_prefix(option).unwrap_or_default().trim_start_matches('=');
        let said = if rest.is_empty() { words.get(at + 1).map_or("", String::as_str) } else { rest };
        let (copy, original) = said.split_once('=').unwrap_or((said, ""));
        let twins = self.twin_addresses(vars);
        let mut found = false;
        for (id, object) in plan::state(&self.phi.state_file()) {
            let (Some(rest), Some(other)) = (within(&object.address, copy), self.pairs.get(&id)) else {
                continue;
            };
            found = true;
            let twins = twins.get(other).into_iter().flatten();
            let twins: Vec<String> =
                twins.map(|at| if object.is_made() { made(at) } else { at.clone() }).collect();
            let agrees = |twin: &String| {
                within(twin, original).is_some_and(|t| t == rest || rest.ends_with(t) || t.is_empty())
            };
            let is_so = match option {
                "--own" => !object.is_made() && twins.contains(&object.address),
                _ => twins.iter().any(agrees),
            };
            if !is_so {
                return false;
            }
        }
        found || option == "--own"
    }

    /// The addresses of the twin's objects, by their ids: in its state, and as the user's own moves lead them.
    fn twin_addresses(&mut self, vars: &Vars) -> BTreeMap<String, Vec<String>> {
        // A run that tf-phi refused may have led them on by now.
        let file = self.twin.state_file();
        let before = file.with_extension("tfstate.backup");
        let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (id, object) in
            [file, before].iter().filter(|file| file.exists()).flat_map(|file| plan::state(file))
        {
            out.entry(id).or_default().push(object.address);
        }
        self.face(vars);
        let args =
            self.plain_args("plan", vars, &strings(&[&format!("-out={}", self.twin.plan_file().display())]));
        if self.twin.run(false, &args).code == 0 {
            for (id, change) in Plan::parse(&self.twin.show()).unwrap().changes {
                out.entry(id).or_default().push(change.address);
            }
        }
        out
    }

    /// What came of it, and what was said. The folder holds what was answered before.
    fn follow_one(
        &mut self,
        vars: &Vars,
        advice: &Advice,
        dir: &Path,
        depth: usize,
    ) -> Result<(&'static str, String), super::report::Failure> {
        let mut flags = Vec::new();
        let mut blocks = String::new();
        let mut failed = String::new();
        let mut planned = false;
        let things = advice.things();
        if things.is_empty() {
            return Ok(("wants an edit", String::new()));
        }
        for thing in things {
            match thing {
                Thing::Flags(more) => flags.extend(more),
                Thing::Setting(text) => append(&dir.join("phi.hcl"), &text),
                Thing::Block(text) => blocks.push_str(&text),
                Thing::Command(words) if !self.is_true(vars, &words) => {
                    return Ok(("isn't so", words.join(" ")));
                }
                Thing::Command(words) => {
                    let (program, args) = words.split_first().unwrap();
                    let args: Vec<String> = args.to_vec();
                    let ran = self.phi.beside_with(program, dir, &args);
                    // It may answer one of two questions, and end as the other one does.
                    let plans = matches!(args.first().map(String::as_str), Some("plan" | "apply"));
                    // What it plans isn't what the refused run would have planned. It starts from the same state.
                    planned |= plans && ran.code == 0 && args.iter().any(|arg| arg == "--form-factor");
                    if ran.code != 0 && !plans {
                        failed = format!("{}: {}{}", words.join(" "), ran.stdout, ran.stderr);
                    }
                }
            }
        }
        if !blocks.is_empty() {
            let file =
                if self.place == Place::Deployments { "statements.tfcomponent.hcl" } else { "statements.tf" };
            append(&dir.join(file), &blocks);
        }
        let file = self.phi.scratch.aside("advised.out");
        let mut more = flags;
        more.push(format!("-out={}", file.display()));
        let ran = self.phi.beside(dir, &self.args("plan", vars, Mode::InPlace, &more));
        if ran.code != 0 && refusal(&ran).is_none() {
            self.face(vars);
            let twin = self.twin.run(false, &self.plain_args("plan", vars, &[]));
            if twin.code != 0 || ran.stderr.contains(PROTECTED) && !self.is_strict(vars) {
                return Ok(("leads out to where the twin stops as well", String::new()));
            }
            if self.is_other_source_rejected(vars) {
                return Ok(("leads out to where Terraform rejects another source", String::new()));
            }
        }
        if planned {
            return Ok(("leads out to a plan of its own", String::new()));
        }
        if ran.code != 0 && !self.narrowed.is_empty() {
            // What holds the whole plan needn't hold the narrowed one.
            let ran = self.phi.beside(dir, &self.args("plan", vars, Mode::InPlace, &self.narrowed));
            if ran.code == 0 {
                return Ok(("leads out to the narrowed run", String::new()));
            }
        }
        if ran.code != 0 {
            let again = refusal(&ran).unwrap_or_else(|| "Terraform stops".to_owned());
            // Another question, which is answered in the same folder.
            for next in advices(&ran.stderr).iter().filter(|next| depth < 8 && next.lines != advice.lines) {
                // Other ways out, such as a workspace of one's own, answer nothing, and lead here again.
                let mut asked = |t: &Thing| {
                    match t {
                        Thing::Command(words) => {
                            let answers = |w: &String| w == "history" || w == "state";
                            words.get(1).is_some_and(answers) && self.is_true(vars, words)
                        }
                        // It gives something up.
                        Thing::Block(_) => true,
                        Thing::Flags(_) | Thing::Setting(_) => false,
                    }
                };
                if next.things().iter().any(&mut asked) {
                    let found = self.follow_one(vars, next, dir, depth + 1)?;
                    if found.0.starts_with("leads out") {
                        return Ok(found);
                    }
                }
            }
            return Ok(("doesn't lead out", format!("({again})\n{failed}\n{}", ran.stderr)));
        }
        self.compare_advised(vars, advice, &file, failed)
    }

    /// Compares the plan that an advice led to with the twin's.
    fn compare_advised(
        &mut self,
        vars: &Vars,
        advice: &Advice,
        file: &Path,
        failed: String,
    ) -> Result<(&'static str, String), super::report::Failure> {
        let shown = self.phi.scratch.terraform(&["show", "-json", file.to_str().unwrap()]);
        let ours = Plan::parse(&shown.stdout).unwrap();
        self.face(vars);
        let twin =
            self.plain_args("plan", vars, &strings(&[&format!("-out={}", self.twin.plan_file().display())]));
        if self.twin.run(false, &twin).code != 0 {
            return Ok(("leads to a plan where the twin stops", String::new()));
        }
        let theirs = Plan::parse(&self.twin.show()).unwrap();
        match compare::plans(&theirs, &ours, &self.pairs) {
            // In a Stack, the objects of a component that goes are destroyed, whatever the module forgets: it is planned as by `-destroy`.
            Some(("destroys", text))
                if self.place == Place::Deployments
                    && advice.title.starts_with("To have its objects destroyed")
                    && text.starts_with("delete instead of forget") =>
            {
                Ok(("leads out as a Stack does", String::new()))
            }
            Some(("destroys", text)) if !text.starts_with("forget") => Err(super::report::Failure {
                kind: "advice destroys",
                detail: format!(
                    "{text}\n{advice:#?}\n      Terraform:\n{}      tf-phi:\n{}",
                    theirs.print(),
                    ours.print()
                ),
            }),
            _ if failed.is_empty() => Ok(("leads out", String::new())),
            _ => Ok(("leads out, but its command fails", failed)),
        }
    }
}
