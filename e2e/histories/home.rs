//! Leaving tf-phi, or doing without it for a while: what plain Terraform makes of the original, in every state.

use super::compare;
use super::model::Vars;
use super::plan::Plan;
use super::render;
use super::report::Failure;
use super::run::{Outcome, Runner, strings};
use super::steps::{Act, Mode, Way};
use super::support::Scratch;
use super::world::{Place, World};
use std::fmt::Write as _;
use std::fs;
use std::sync::LazyLock;

/// Does the tf-phi under test know `leave`?
static LEAVES: LazyLock<bool> = LazyLock::new(|| Scratch::with(&[]).tf_phi(&["leave", "--help"]).code == 0);

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
            && !self.forgot
            && !self.root.service
            && self.place != Place::Deployments
            && self.phi.foreign().is_empty()
    }

    /// Without tf-phi from now on.
    pub fn leave(&mut self, vars: &Vars, way: Way, applied: bool) -> Outcome {
        writeln!(self.log, "  leave: {way:?}").unwrap();
        if self.forgot || self.root.service || self.place == Place::Deployments {
            return self.restore().map(drop);
        }
        if way == Way::Command && *LEAVES {
            return self.leave_by_command(vars);
        }
        let said = self.restore()?;
        let left = self.phi.scratch.dir().join("left.tf");
        if !self.phi.scratch.dir().join("phi.moved.tf").exists() && !printed(&said).is_empty() {
            fs::write(&left, printed(&said)).unwrap();
        }
        let outcome = self.bare(vars, applied);
        let _ = fs::remove_file(&left);
        outcome.map(drop)
    }

    /// `tf-phi leave`, everything applied, and the blocks taken away; then somebody comes back.
    fn leave_by_command(&mut self, vars: &Vars) -> Outcome {
        self.stands = None;
        self.killed = false;
        let mut ran = self.phi.run(true, &strings(&["leave"]));
        writeln!(self.log, "    tf-phi leave: {}", ran.code).unwrap();
        if ran.code == 1 && ran.stderr.contains("depends on the source of") {
            if !self.settle_sources(vars)? {
                return Ok(());
            }
            ran = self.phi.run(true, &strings(&["leave"]));
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
        if !self.bare(vars, true)? {
            // What couldn't be applied is where it was, and the blocks stay. Who comes back gives them back.
            for path in others {
                let path = self.phi.scratch.dir().join(path);
                fs::rename(path, self.phi.scratch.dir().join("phi.moved.tf")).unwrap();
            }
            self.forgot = true;
            return Ok(());
        }
        for path in others {
            fs::remove_file(self.phi.scratch.dir().join(path)).unwrap();
        }
        self.log += "    without the blocks\n";
        self.bare(vars, false)?;
        self.forgot = true;
        Ok(())
    }

    /// Terraform itself in tf-phi's folder, with the twin's sources, in every state in which something was run. Returns true if all of
    /// them were applied.
    pub fn bare(&mut self, vars: &Vars, applied: bool) -> Result<bool, Failure> {
        let files = render::files(&self.root, Some(vars));
        if self.moved_file().contains("But not beside every source") && !self.settle_sources(vars)? {
            return Ok(false);
        }
        self.phi.write(&files);
        self.phi.scratch.terraform(&["get", "-no-color"]);
        let here = self.twin.workspace.clone();
        let mut outcome = Ok(applied);
        for state in self.states.clone() {
            self.twin.workspace(&state);
            self.phi.workspace(&state);
            writeln!(self.log, "    in {state}, for {vars:?}").unwrap();
            match self.bare_state(vars, applied) {
                Ok(done) => outcome = outcome.map(|all| all && done),
                Err(failure) => {
                    outcome = Err(failure);
                    break;
                }
            }
        }
        self.twin.workspace(&here);
        self.phi.workspace(&here);
        let files = self.files(&self.root);
        self.phi.write(&files);
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
            self.phi.write(&render::files(&self.root, Some(vars)));
            self.restore()?;
        }
        Ok(done)
    }

    /// In one state. Returns true if it was applied.
    fn bare_state(&mut self, vars: &Vars, applied: bool) -> Result<bool, Failure> {
        self.face(vars);
        let more = |world: &World| vec![format!("-out={}", world.plan_file().display())];
        let _ = self.phi.values(vars);
        let twin = self.twin.run(false, &self.plain_args("plan", vars, &more(&self.twin)));
        let phi = self.phi.run(false, &self.args("plan", vars, Mode::InPlace, &more(&self.phi)));
        writeln!(self.log, "    terraform plan: {}, Terraform: {}", phi.code, twin.code).unwrap();
        match (twin.code, phi.code) {
            (0, 0) => {}
            (0, _) => {
                return self.fail("home", format!("{}\n{}", phi.stderr, self.moved_file())).map(|()| false);
            }
            (_, 0) => return self.fail("home accepts", twin.stderr).map(|()| false),
            _ => return Ok(false),
        }
        let theirs = Plan::parse(&self.twin.show()).unwrap();
        let ours = Plan::parse(&self.phi.show()).unwrap();
        self.counts.left += 1;
        let printed = format!("      Terraform:\n{}      in the folder:\n{}", theirs.print(), ours.print());
        self.log += &printed;
        if let Some((kind, text)) = compare::plans(&theirs, &ours, &self.pairs) {
            let kind = if kind == "destroys" { "home destroys" } else { "home" };
            return self.fail(kind, format!("{text}\n{}", self.moved_file())).map(|()| false);
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

    fn moved_file(&self) -> String {
        fs::read_to_string(self.phi.scratch.dir().join("phi.moved.tf")).unwrap_or_default()
    }
}
