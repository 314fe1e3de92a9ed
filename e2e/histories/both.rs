//! One command in both worlds, and what has to be the same of it.

use super::compare;
use super::model::{Vars, decided};
use super::plan::{self, Change, Plan};
use super::report::{Failure, refusal};
use super::run::{Outcome, Runner, strings};
use super::steps::{Act, Mode};
use super::support::Ran;
use super::world::{Place, World};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// The paths in which two states of a folder differ; with what tf-phi keeps for itself, or without.
fn changed(
    before: &BTreeMap<PathBuf, Vec<u8>>,
    after: &BTreeMap<PathBuf, Vec<u8>>,
    without_records: bool,
) -> Vec<String> {
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    // The way home stays between runs that put the sources back.
    let is_record = |p: &PathBuf| p.starts_with(".phi") || p.ends_with("phi.moved.tf");
    // A deployment's folder is written before anything is planned there, which is said.
    let is_own = |p: &PathBuf| p.starts_with(".phi/stacks") || (without_records && is_record(p));
    let counts = |p: &&PathBuf| !is_own(p) && before.get(*p) != after.get(*p);
    paths.into_iter().filter(counts).map(|p| p.display().to_string()).collect()
}

/// What Terraform says where `prevent_destroy` stops it.
pub const PROTECTED: &str = "Instance cannot be destroyed";

/// How many objects an apply has added and destroyed.
fn summary(ran: &Ran) -> Option<(usize, usize)> {
    let line = ran.stdout.lines().find(|l| l.contains("Apply complete! Resources:"))?;
    let number = |word: &str| {
        let part = line.split(['.', ',', ':']).find(|p| p.trim().ends_with(word))?;
        part.split_whitespace().next()?.parse().ok()
    };
    Some((number("added")?, number("destroyed")?))
}

impl Runner {
    /// The arguments of a command; those of a run in place say nothing of it.
    pub fn args(&self, command: &str, vars: &Vars, mode: Mode, more: &[String]) -> Vec<String> {
        let mut out = strings(&[command, "-input=false", "-no-color"]);
        if mode == Mode::Ephemeral {
            out.push("--ephemeral".to_owned());
        }
        out.extend(self.phi.values(vars));
        out.extend_from_slice(more);
        out
    }

    /// The same for Terraform in the twin's folder.
    pub fn plain_args(&self, command: &str, vars: &Vars, more: &[String]) -> Vec<String> {
        let mut out = strings(&[command, "-input=false", "-no-color"]);
        out.extend(self.twin.values(vars));
        out.extend_from_slice(more);
        out
    }

    /// Runs tf-phi, which ends as it should and writes what it may.
    fn phi_run(&mut self, command: &str, vars: &Vars, mode: Mode, more: &[String]) -> Result<Ran, Failure> {
        let before = self.phi.scratch.sources();
        let mut all = more.to_vec();
        if command == "plan" {
            all.push(format!("-out={}", self.phi.plan_file().display()));
        }
        let args = self.args(command, vars, mode, &all);
        let phi = self.phi.run(true, &args);
        let said = self.args(command, vars, mode, more).join(" ");
        let values = if self.phi.by_arguments { String::new() } else { format!(" with {vars:?}") };
        writeln!(self.log, "    tf-phi {said}{values}: {}", phi.code).unwrap();
        if !(0..=2).contains(&phi.code) || phi.stderr.contains("panicked at") {
            return Err(Failure { kind: "panic", detail: format!("status {}\n{}", phi.code, phi.stderr) });
        }
        let refused = refusal(&phi).is_some();
        self.stands = None;
        let put_back = mode == Mode::Ephemeral || self.root.not_kept;
        if !refused && !put_back {
            self.killed = false;
            self.stands = (self.place != Place::Deployments).then(|| vars.clone());
            return Ok(phi);
        }
        // What a run that was killed has left is settled first.
        if !std::mem::take(&mut self.killed) && !std::mem::take(&mut self.hooked) {
            let after = self.phi.scratch.sources();
            // What is written before a refusal has to be said.
            let is_stack =
                |path: &&PathBuf| path.starts_with(".phi/stacks") && before.get(*path) != after.get(*path);
            let untrue =
                phi.stderr.contains("Nothing was written") && !phi.stderr.contains("Nothing was written but");
            if refused && untrue && after.keys().any(|path| is_stack(&path)) {
                return Err(Failure { kind: "wrote", detail: phi.stderr });
            }
            let changed = changed(&before, &after, !refused);
            if !changed.is_empty() {
                let kind = if refused { "wrote" } else { "ephemeral" };
                return Err(Failure { kind, detail: format!("{}\n{}", changed.join(", "), phi.stderr) });
            }
        }
        Ok(phi)
    }

    /// Runs the same command in both worlds.
    fn both(
        &mut self,
        command: &str,
        vars: &Vars,
        mode: Mode,
        more: &[String],
    ) -> Result<(Ran, Ran), Failure> {
        self.face(vars);
        let mut all = more.to_vec();
        if command == "plan" {
            all.push(format!("-out={}", self.twin.plan_file().display()));
        }
        let twin = self.twin.run(false, &self.plain_args(command, vars, &all));
        let phi = self.phi_run(command, vars, mode, more)?;
        writeln!(self.log, "      Terraform: {}", twin.code).unwrap();
        Ok((twin, phi))
    }

    /// Whether the twin protects what tf-phi has to protect: where that differs from key to key, Terraform can't say it.
    pub fn is_strict(&self, vars: &Vars) -> bool {
        self.root.resources().filter_map(|r| r.protect.as_ref()).all(|p| decided(p, vars).is_some())
    }

    /// Whether Terraform rejects the tree with the sources that other values choose. Beside tf-phi all sources stand in one tree, and Terraform
    /// checks the types of each.
    pub fn is_other_source_rejected(&mut self, vars: &Vars) -> bool {
        let other = Vars { env: if vars.env == "prod" { "dev" } else { "prod" }, ..vars.clone() };
        self.face_twin(&other);
        let is_rejected = self.twin.scratch.terraform(&["validate", "-no-color"]).code != 0;
        self.face_twin(vars);
        is_rejected
    }

    /// What one of the two refused; nothing where both go on.
    fn refused(&mut self, twin: &Ran, phi: &Ran, vars: &Vars, losses: bool) -> Result<bool, Failure> {
        match (twin.code, phi.code) {
            (0, 0) => return Ok(false),
            (0, _) => {}
            // What the user's own `moved` block leads elsewhere may be where it belongs already under the name of a copy.
            (_, 0) if twin.stderr.contains("Moved resource instances excluded by targeting") => {
                self.counts.rejected += 1;
                return Ok(true);
            }
            (_, 0) => {
                let kind = if twin.stderr.contains(PROTECTED) { "unprotected" } else { "accepts" };
                return Err(Failure { kind, detail: format!("Terraform alone:\n{}", twin.stderr) });
            }
            _ => {
                self.counts.rejected += 1;
                self.counts.protected += u64::from(twin.stderr.contains(PROTECTED));
                return Ok(true);
            }
        }
        if let Some(reason) = refusal(phi) {
            writeln!(self.log, "    refused: {reason}").unwrap();
            self.counts.refuse(reason, &phi.stderr);
            self.follow(vars, phi)?;
            return Ok(true);
        }
        if phi.stderr.contains(PROTECTED) && !self.is_strict(vars) && losses {
            self.counts.protected += 1;
            self.log += "    protected\n";
            return Ok(true);
        }
        if self.is_other_source_rejected(vars) {
            self.counts.rejected += 1;
            self.log += "    Terraform rejects another source\n";
            return Ok(true);
        }
        let kind = if phi.stderr.contains(PROTECTED) { "protects" } else { "stops" };
        Err(Failure { kind, detail: phi.stderr.clone() })
    }

    /// Plans in both worlds and compares; nothing where one refused.
    pub fn plans(&mut self, vars: &Vars, mode: Mode, more: &[String]) -> Result<Option<Plan>, Failure> {
        let (twin, phi) = self.both("plan", vars, mode, more)?;
        let theirs = (twin.code == 0).then(|| Plan::parse(&self.twin.show()).unwrap());
        let losses = theirs.as_ref().is_some_and(|p| p.changes.values().any(Change::loses));
        if self.refused(&twin, &phi, vars, losses)? {
            return Ok(None);
        }
        let (theirs, ours) = (theirs.unwrap_or_default(), Plan::parse(&self.phi.show()).unwrap());
        let forgotten = self.forgot;
        let narrowed = |found: &Failure| !more.is_empty() && found.kind == "keeps";
        match self.compare(&theirs, &ours) {
            // Nothing tells any more what a target that is gone was called. A narrowed plan doesn't show what would be created
            // under another key.
            Err(found)
                if found.kind == compare::REKEYED
                    || narrowed(&found) && (forgotten || found.detail.contains("[0]")) =>
            {
                self.counts.rejected += 1;
                Ok(None)
            }
            other => other.map(|()| Some(theirs)),
        }
    }

    fn compare(&mut self, theirs: &Plan, ours: &Plan) -> Outcome {
        self.counts.plans += 1;
        self.counts.losses += theirs.changes.values().filter(|c| c.loses()).count();
        let printed = format!("      Terraform:\n{}      tf-phi:\n{}", theirs.print(), ours.print());
        self.log += &printed;
        match compare::plans(theirs, ours, &self.pairs) {
            Some((kind, text)) => self.fail(kind, text),
            None => self.guarded(ours),
        }
    }

    /// Nothing is replaced whose values say that it is protected.
    fn guarded(&self, plan: &Plan) -> Outcome {
        let stale = self.root.modules.values().flat_map(|b| &b.resources).any(|r| r.ignore);
        match plan.changes.values().find(|c| c.loses() && c.guarded && !stale) {
            Some(change) => self.fail("unprotected", change.address.clone()),
            None => Ok(()),
        }
    }

    /// False where the edit before it has to be undone.
    pub fn act(&mut self, vars: &Vars, mode: Mode, act: &Act) -> Result<bool, Failure> {
        if *act == Act::Nothing {
            return Ok(true);
        }
        if *act == Act::Direct && self.is_strict(vars) {
            return self.direct(vars, mode);
        }
        let yes = strings(&["-auto-approve"]);
        if *act == Act::Refresh {
            let more = strings(&["-auto-approve", "-refresh-only"]);
            let before = std::fs::read(self.twin.state_file());
            let (twin, phi) = self.both("apply", vars, mode, &more)?;
            // Under a `count`, Terraform's refresh asks postconditions of instances that don't exist yet.
            let unborn = phi.stderr.contains("collection has no elements") && phi.stderr.contains("self.");
            if !unborn && !self.refused(&twin, &phi, vars, false)? {
                return self.states().map(|()| true);
            }
            // One of them went on.
            if let Ok(state) = before {
                std::fs::write(self.twin.state_file(), state).unwrap();
            }
            return Ok(false);
        }
        let more = match act {
            Act::Target(address) => vec![format!("-target={address}")],
            Act::Replace(address) => vec![format!("-replace={address}")],
            Act::Destroy(address) => vec!["-destroy".to_owned(), format!("-target={address}")],
            Act::DestroyAll => vec!["-destroy".to_owned()],
            _ => Vec::new(),
        };
        self.narrowed.clone_from(&more);
        let plan = self.plans(vars, mode, &more);
        self.narrowed.clear();
        let Some(plan) = plan? else { return Ok(false) };
        let losses = plan.changes.values().any(Change::loses);
        if *act == Act::Plan {
            if self.stands.is_some() {
                let ran = self.phi.run(true, &strings(&["check"]));
                if ran.code != 0 {
                    self.fail("check", format!("status {}\n{}{}", ran.code, ran.stdout, ran.stderr))?;
                }
            }
            return Ok(true);
        }
        let (twin, phi) = if *act == Act::Direct {
            self.both("apply", vars, mode, &yes)?
        } else {
            let args = |world: &World| strings(&["apply", "-no-color", world.plan_file().to_str().unwrap()]);
            let ran = (self.twin.run(false, &args(&self.twin)), self.phi.run(true, &args(&self.phi)));
            writeln!(self.log, "    apply of the saved plan: {}, Terraform: {}", ran.1.code, ran.0.code)
                .unwrap();
            ran
        };
        if (twin.code == 0) != (phi.code == 0) {
            self.refused(&twin, &phi, vars, losses)?;
        }
        self.counts.applies += 1;
        self.counts.halfway += u64::from(twin.code != 0);
        self.states()?;
        Ok(true)
    }

    /// An apply in both worlds, without a plan before: states are compared, and how many objects Terraform says it destroyed.
    /// False where the edit before it has to be undone.
    fn direct(&mut self, vars: &Vars, mode: Mode) -> Result<bool, Failure> {
        let yes = strings(&["-auto-approve"]);
        self.face(vars);
        let phi = self.phi_run("apply", vars, mode, &yes)?;
        if refusal(&phi).is_some() {
            let twin = self.twin.run(false, &self.plain_args("plan", vars, &[]));
            self.refused(&twin, &phi, vars, true)?;
            return Ok(false);
        }
        let before = std::fs::read(self.twin.state_file()).ok();
        // Terraform's own count of what it destroys differs from run to run where an address has several objects.
        let is_deposed = plan::state(&self.twin.state_file()).values().any(|o| o.status.contains("deposed"));
        let twin = self.twin.run(false, &self.plain_args("apply", vars, &yes));
        writeln!(self.log, "      Terraform: {}", twin.code).unwrap();
        if (twin.code == 0) != (phi.code == 0) {
            self.refused(&twin, &phi, vars, true)?;
            return Ok(false);
        }
        let halfway = twin.code != 0;
        if halfway && std::fs::read(self.twin.state_file()).ok() == before {
            self.counts.rejected += 1;
            self.counts.protected += u64::from(twin.stderr.contains(PROTECTED));
            self.states()?;
            return Ok(false);
        }
        self.counts.applies += 1;
        self.counts.halfway += u64::from(halfway);
        let (theirs, ours) = (summary(&twin), summary(&phi));
        self.counts.losses += theirs.as_ref().map_or(0, |s| s.1);
        self.states()?;
        if theirs == ours || is_deposed {
            return Ok(true);
        }
        self.fail("counts", format!("{} instead of {}", phi.stdout, twin.stdout)).map(|()| true)
    }

    /// Terraform itself may be run in tf-phi's folder.
    pub fn stands(&self) -> bool {
        self.stands.is_some()
    }

    /// The addresses of what Terraform alone has.
    pub fn objects(&self) -> Vec<String> {
        let mut out: Vec<String> =
            plan::state(&self.twin.state_file()).into_values().map(|o| o.address).collect();
        // Not in the order of ids, which are random.
        out.sort();
        out
    }

    pub fn states(&mut self) -> Outcome {
        let twin = plan::state(&self.twin.state_file());
        let phi = plan::state(&self.phi.state_file());
        match compare::states(&twin, &phi, &mut self.pairs) {
            Some((kind, text)) => self.fail(kind, text),
            None => Ok(()),
        }
    }
}
