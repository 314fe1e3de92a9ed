//! Steps of a history that are no run of tf-phi as usual.

use super::compare;
use super::model::{Pin, Vars};
use super::plan::Plan;
use super::render;
use super::run::{Outcome, Runner, strings};
use super::steps::Mode;
use super::world;
use std::fmt::Write as _;

impl Runner {
    /// Another branch, with other pins, has its own record, which replaces ours.
    pub fn merge(&mut self, pins: &[Pin], vars: &Vars) -> Outcome {
        writeln!(self.log, "  merge of a branch that was planned for {vars:?} with this phi.hcl").unwrap();
        self.restore()?;
        let mut root = self.root.clone();
        root.pins = pins.to_vec();
        let dir = self.phi.copy();
        let text = render::files(&root, None).remove("phi.hcl").unwrap_or_default();
        for line in text.lines() {
            writeln!(self.log, "    {line}").unwrap();
        }
        std::fs::write(dir.join("phi.hcl"), text).unwrap();
        let args = self.args("plan", vars, Mode::Ephemeral, &[]);
        let ran = self.phi.beside(&dir, &args);
        writeln!(self.log, "    tf-phi in the branch: {}", ran.code).unwrap();
        if dir.join(".phi").is_dir() {
            world::copy(&dir.join(".phi"), &self.phi.scratch.dir().join(".phi"));
        }
        Ok(())
    }

    /// Terraform itself in the specialised folder: for the same values it plans what the twin plans, for others it
    /// destroys nothing besides.
    pub fn plain(&mut self, vars: &Vars) -> Outcome {
        let Some(stands) = self.stands.clone() else { return Ok(()) };
        let more = |world: &world::World| vec![format!("-out={}", world.plan_file().display())];
        self.face(vars);
        let twin = self.twin.run(false, &self.plain_args("plan", vars, &more(&self.twin)));
        let phi = self.phi.run(false, &self.args("plan", vars, Mode::InPlace, &more(&self.phi)));
        let said = self.args("plan", vars, Mode::InPlace, &[]).join(" ");
        writeln!(
            self.log,
            "  terraform {said} in the specialised folder: {}, Terraform: {}",
            phi.code, twin.code
        )
        .unwrap();
        if (twin.code, phi.code) != (0, 0) {
            if twin.code == 0 && stands == *vars && !phi.stderr.contains("Instance cannot be destroyed") {
                return self.fail("plain", phi.stderr);
            }
            self.counts.stopped += 1;
            return Ok(());
        }
        let theirs = Plan::parse(&self.twin.show()).unwrap();
        let ours = Plan::parse(&self.phi.show()).unwrap();
        self.counts.plain += 1;
        let printed = format!("      Terraform:\n{}      in the folder:\n{}", theirs.print(), ours.print());
        self.log += &printed;
        match compare::plans(&theirs, &ours, &self.pairs) {
            Some(("destroys", text)) => self.fail("plain destroys", text),
            Some((_, text)) if stands == *vars => self.fail("plain", text),
            _ => Ok(()),
        }
    }

    /// Something that writes the sources and moves nothing.
    pub fn writes_only(&mut self, args: &[&str]) -> Outcome {
        writeln!(self.log, "  tf-phi {}", args.join(" ")).unwrap();
        self.stands = None;
        self.hooked = true;
        let ran = self.phi.run(true, &strings(args));
        writeln!(self.log, "    {}", ran.code).unwrap();
        if (0..=3).contains(&ran.code) && !ran.stderr.contains("panicked at") {
            return Ok(());
        }
        self.fail("panic", format!("status {}\n{}", ran.code, ran.stderr))
    }

    /// What would be written is shown, and nothing is written.
    pub fn dry_run(&mut self, vars: &Vars) -> Outcome {
        let _ = self.phi.values(vars);
        let before = self.phi.scratch.sources();
        let args = self.args("plan", vars, Mode::InPlace, &strings(&["--dry-run"]));
        writeln!(self.log, "  tf-phi {}", args.join(" ")).unwrap();
        let ran = self.phi.run(true, &args);
        if self.phi.scratch.sources() != before && !self.killed {
            return self.fail("wrote", format!("a dry run\n{}", ran.stderr));
        }
        Ok(())
    }

    /// Where the plans are equal, `verify` says so.
    pub fn verify(&mut self, vars: &Vars) -> Outcome {
        self.log += "  verify\n";
        if self.plans(vars, Mode::Ephemeral, &[])?.is_none() {
            return Ok(());
        }
        // An original that takes an expression where Terraform takes none can't be planned.
        if !self.root.is_plain() {
            return Ok(());
        }
        let ran = self.phi.run(true, &self.args("verify", vars, Mode::InPlace, &[]));
        self.counts.verified += 1;
        if ran.code == 0 {
            return Ok(());
        }
        self.fail("verify", format!("status {}\n{}{}", ran.code, ran.stdout, ran.stderr))
    }
}
