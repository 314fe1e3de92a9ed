//! Leaving tf-phi, or doing without it for a while: what plain Terraform makes of the original, in every state.

use super::compare;
use super::model::Vars;
use super::plan::{self, Plan};
use super::render;
use super::report::Failure;
use super::run::{Outcome, Runner, sources, strings};
use super::steps::{Act, Mode, Way};
use super::support::{Ran, Scratch};
use super::world::{Place, World};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;

/// Does the tf-phi under test know `leave`?
static LEAVES: LazyLock<bool> = LazyLock::new(|| Scratch::with(&[]).tf_phi(&["leave", "--help"]).code == 0);

/// What Terraform itself is to plan in tf-phi's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Original,
    /// What the form factor makes of it.
    Served,
}

/// The `moved` blocks in what was printed.
fn printed(said: &str) -> &str {
    said.find("moved {").map_or("", |at| &said[at..])
}

impl Runner {
    /// The folder is as it was written, and what is run in it leaves it so.
    pub fn is_bare(&self) -> bool {
        self.stands.is_none()
            && !self.states.is_empty()
            && !self.killed
            && !self.astray
            && self.place != Place::Deployments
            && self.phi.foreign().is_empty()
    }

    /// Without tf-phi from now on.
    pub fn leave(&mut self, vars: &Vars, way: Way, applied: bool) -> Outcome {
        writeln!(self.log, "  leave: {way:?}").unwrap();
        if self.is_stack() {
            return self.leave_stack(applied);
        }
        if self.astray || self.states.is_empty() {
            return self.restore().map(drop);
        }
        if way == Way::Served && self.root.factor {
            return self.leave_served(vars, applied);
        }
        if way == Way::Command && *LEAVES {
            return self.leave_by_command(vars);
        }
        let said = self.restore()?;
        let left = self.phi.scratch.dir().join("left.tf");
        if !self.phi.scratch.dir().join("phi.moved.tf").exists() && !printed(&said).is_empty() {
            fs::write(&left, printed(&said)).unwrap();
        }
        let outcome = self.bare(vars, applied, Form::Original);
        let _ = fs::remove_file(&left);
        outcome.map(drop)
    }

    /// `tf-phi leave`, everything applied, and the blocks taken away; then somebody comes back.
    fn leave_by_command(&mut self, vars: &Vars) -> Outcome {
        self.stands = None;
        self.killed = false;
        let mut leave = strings(&["leave"]);
        if self.root.service {
            leave.extend(strings(&["--form-factor", ""]));
        }
        let mut ran = self.phi.run(true, &leave);
        writeln!(self.log, "    tf-phi leave: {}", ran.code).unwrap();
        if ran.code == 1 && ran.stderr.contains("depends on the source of") {
            if !self.settle_sources(vars)? {
                return Ok(());
            }
            ran = self.phi.run(true, &leave);
            writeln!(self.log, "    tf-phi leave, with sources written out: {}", ran.code).unwrap();
        }
        if ran.code != 0 {
            return self.fail("leave", ran.stderr);
        }
        for path in ["phi.hcl", ".phi", "phi.moved.tf"] {
            if self.phi.scratch.dir().join(path).exists() {
                return self.fail("leave", format!("{path} is left"));
            }
        }
        let others: Vec<String> = self.phi.foreign().into_iter().filter(|p| p != "phi.hcl").collect();
        if others.len() > 1 {
            return self.fail("leave", format!("not as they were: {}", others.join(", ")));
        }
        for path in &others {
            writeln!(self.log, "{}", self.phi.scratch.read(path)).unwrap();
        }
        // Who comes back comes back to what was applied.
        self.root.factor = false;
        if !self.bare(vars, true, Form::Original)? {
            // What couldn't be applied is where it was, and the blocks stay. Who comes back gives them back.
            for path in others {
                let path = self.phi.scratch.dir().join(path);
                fs::rename(path, self.phi.scratch.dir().join("phi.moved.tf")).unwrap();
            }
            self.forgot = true;
            return Ok(());
        }
        self.astray = false;
        for path in others {
            fs::remove_file(self.phi.scratch.dir().join(path)).unwrap();
        }
        self.log += "    without the blocks\n";
        self.bare(vars, false, Form::Original)?;
        self.forgot = true;
        Ok(())
    }

    /// Terraform itself in tf-phi's folder, with the twin's sources, in every state in which something was run. Returns true if all of
    /// them were applied.
    pub fn bare(&mut self, vars: &Vars, applied: bool, form: Form) -> Result<bool, Failure> {
        let files = render::files(&self.root, Some(vars));
        let home = self.moved_file();
        // Who writes out another source than the one beside which the way was found has the way to find again.
        let is_beside_others =
            self.settled.as_ref().is_some_and(|(found, beside)| *found == home && *beside != sources(&files));
        if (is_beside_others || home.contains("But not beside every source")) && !self.settle_sources(vars)? {
            return Ok(false);
        }
        if form == Form::Original {
            self.phi.write(&files);
        }
        self.phi.scratch.terraform(&["get", "-no-color"]);
        let here = self.twin.workspace.clone();
        let mut outcome = Ok(applied);
        for state in self.states.clone() {
            self.twin.workspace(&state);
            self.phi.workspace(&state);
            writeln!(self.log, "    in {state}, for {vars:?}").unwrap();
            match self.bare_state(vars, applied, form) {
                Ok(done) => outcome = outcome.map(|all| all && done),
                Err(failure) => {
                    outcome = Err(failure);
                    break;
                }
            }
        }
        self.twin.workspace(&here);
        self.phi.workspace(&here);
        if form == Form::Original {
            let files = self.files(&self.root);
            self.phi.write(&files);
        }
        outcome
    }

    /// What is printed where the way home depends on a source: every state is applied with the values that decide for it, and the
    /// source is written out. Returns false if one of them can't be applied.
    fn settle_sources(&mut self, vars: &Vars) -> Result<bool, Failure> {
        let here = self.twin.workspace.clone();
        self.log += "    sources are settled\n";
        let mut outcome = Ok(true);
        for state in self.states.clone() {
            self.twin.workspace(&state);
            self.phi.workspace(&state);
            let done = self.act(vars, Mode::InPlace, &Act::Direct);
            outcome = outcome.and_then(|all| done.map(|one| all && one));
        }
        self.twin.workspace(&here);
        self.phi.workspace(&here);
        let done = outcome?;
        self.restore()?;
        if done {
            let files = render::files(&self.root, Some(vars));
            self.phi.write(&files);
            self.restore()?;
            self.settled = Some((self.moved_file(), sources(&files)));
        }
        Ok(done)
    }

    /// The objects, by their ids in the twin's world, that this form doesn't declare: what services made, and what they stand in for.
    fn unfit(&self, form: Form) -> BTreeSet<String> {
        let is_served = |tag: &str| {
            let label = tag.rsplit('.').next().and_then(|t| t.split('-').next()).unwrap_or_default();
            form == Form::Served && self.root.resource_served(label)
        };
        let objects = plan::state(&self.phi.state_file()).into_iter();
        let unfit = objects.filter(|(_, object)| object.is_made() != is_served(&object.tag));
        unfit.filter_map(|(id, _)| self.pairs.get(&id).cloned()).collect()
    }

    /// In one state. Returns true if it was applied.
    fn bare_state(&mut self, vars: &Vars, applied: bool, form: Form) -> Result<bool, Failure> {
        let unfit = self.unfit(form);
        if unfit.is_empty() {
            return self.bare_plan(vars, applied, &unfit);
        }
        let file = self.twin.state_file();
        let before = fs::read(&file).unwrap();
        // What the original itself deletes is deleted.
        let wanted = self.twin_deletes(vars);
        // Nothing can be moved between a resource and a module, and so Terraform forgets the one and makes the other.
        plan::forget(&file, &unfit);
        let without = fs::read(&file).unwrap();
        self.doomed = wanted;
        let done = self.bare_plan(vars, applied, &unfit);
        self.doomed.clear();
        if fs::read(&file).unwrap() == without {
            fs::write(&file, before).unwrap();
        }
        done
    }

    /// The objects that the twin's plan deletes.
    fn twin_deletes(&mut self, vars: &Vars) -> BTreeSet<String> {
        self.face_twin(vars);
        let out = vec![format!("-out={}", self.twin.plan_file().display())];
        if self.twin.run(false, &self.plain_args("plan", vars, &out)).code != 0 {
            return BTreeSet::new();
        }
        let changes = Plan::parse(&self.twin.show()).unwrap().changes.into_iter();
        changes.filter(|(_, change)| change.actions == "delete").map(|(id, _)| id).collect()
    }

    /// Does what the file of moves says for a state in which an apply failed; returns true if something was to be done.
    fn refresh_after_failure(&mut self, vars: &Vars) -> bool {
        let is_needed = self.moved_file().contains("terraform apply -refresh-only")
            && plan::has_husks(&self.phi.state_file());
        if is_needed {
            let more = strings(&["-refresh-only", "-auto-approve"]);
            let ran = self.phi.run(false, &self.args("apply", vars, Mode::InPlace, &more));
            writeln!(self.log, "    terraform apply -refresh-only: {}", ran.code).unwrap();
        }
        is_needed
    }

    fn bare_plan(&mut self, vars: &Vars, applied: bool, unfit: &BTreeSet<String>) -> Result<bool, Failure> {
        let is_refreshed = self.refresh_after_failure(vars);
        if unfit.is_empty() {
            self.face(vars);
        } else {
            self.face_twin(vars);
        }
        if is_refreshed {
            // It carries out the user's moves, too.
            let more = strings(&["-refresh-only", "-auto-approve"]);
            let ran = self.twin.run(false, &self.plain_args("apply", vars, &more));
            writeln!(self.log, "    Terraform: {}", ran.code).unwrap();
        }
        let more = |world: &World| vec![format!("-out={}", world.plan_file().display())];
        let _ = self.phi.values(vars);
        let twin = self.twin.run(false, &self.plain_args("plan", vars, &more(&self.twin)));
        let phi = self.phi.run(false, &self.args("plan", vars, Mode::InPlace, &more(&self.phi)));
        let moved = self.moved_file();
        if !self.compare_home_without(&twin, &phi, &moved, unfit)? {
            return Ok(false);
        }
        let mut done = false;
        if applied {
            let args = |world: &World| {
                let mut args = strings(&["apply", "-no-color"]);
                args.extend(world.values(vars).into_iter().filter(|a| a.starts_with("-state=")));
                args.push(world.plan_file().display().to_string());
                args
            };
            let ran = (self.twin.run(false, &args(&self.twin)), self.phi.run(false, &args(&self.phi)));
            writeln!(self.log, "    applied: {}, Terraform: {}", ran.1.code, ran.0.code).unwrap();
            self.states()?;
            done = ran.0.code == 0 && ran.1.code == 0;
        }
        Ok(done)
    }

    /// Compares a plan of Terraform itself in tf-phi's folder with the twin's. Returns false if both stopped.
    pub fn compare_home(&mut self, twin: &Ran, phi: &Ran, moved: &str) -> Result<bool, Failure> {
        self.compare_home_without(twin, phi, moved, &BTreeSet::new())
    }

    /// The same; `unfit` are objects that the twin has forgotten already.
    fn compare_home_without(
        &mut self,
        twin: &Ran,
        phi: &Ran,
        moved: &str,
        unfit: &BTreeSet<String>,
    ) -> Result<bool, Failure> {
        writeln!(self.log, "    terraform plan: {}, Terraform: {}", phi.code, twin.code).unwrap();
        match (twin.code, phi.code) {
            (0, 0) => {}
            (0, _) => return self.fail("home", format!("{}\n{moved}", phi.stderr)).map(|()| false),
            (_, 0) => return self.fail("home accepts", twin.stderr.clone()).map(|()| false),
            _ => return Ok(false),
        }
        let mut theirs = Plan::parse(&self.twin.show()).unwrap();
        let mut ours = Plan::parse(&self.phi.show()).unwrap();
        self.counts.left += 1;
        let printed = format!("      Terraform:\n{}      in the folder:\n{}", theirs.print(), ours.print());
        self.log += &printed;
        let is_unfit = |id: &String| self.pairs.get(id).is_some_and(|id| unfit.contains(id));
        let is_doomed = |id: &String| self.pairs.get(id).is_some_and(|id| self.doomed.contains(id));
        ours.changes.retain(|id, change| {
            !is_unfit(id) || change.actions != "forget" && (change.actions != "delete" || !is_doomed(id))
        });
        // What services made is forgotten, also where the original's is deleted: whoever takes the edit back wants it.
        for (id, _) in plan::state(&self.phi.state_file()).into_iter().filter(|(_, object)| object.is_made())
        {
            let Some(other) = self.pairs.get(&id) else { continue };
            let is =
                |plan: &Plan, id: &str, what: &str| plan.changes.get(id).is_some_and(|c| c.actions == what);
            if is(&ours, &id, "forget") && is(&theirs, other, "delete") {
                ours.changes.remove(&id);
                theirs.changes.remove(other);
            }
        }
        if let Some((kind, text)) = compare::plans(&theirs, &ours, &self.pairs) {
            let kind = if kind == "destroys" { "home destroys" } else { "home" };
            return self.fail(kind, format!("{text}\n{moved}")).map(|()| false);
        }
        Ok(true)
    }

    /// The blocks that lead home, wherever they stand.
    pub fn moved_file(&self) -> String {
        let files = fs::read_dir(self.phi.scratch.dir()).unwrap().map(|entry| entry.unwrap().path());
        let is_one = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.contains("moved") && name.ends_with(".tf")
        };
        files.filter(is_one).map(|path| fs::read_to_string(path).unwrap()).collect()
    }
}
