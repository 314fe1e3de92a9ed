//! Leaving for good, tried aside: in folders that are put back afterwards, so that the history goes on.

use super::home::Form;
use super::model::Vars;
use super::render;
use super::run::{Outcome, Runner, strings};
use super::world::{self, Place, World};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Removes what a folder holds.
fn empty(dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap();
        } else {
            fs::remove_file(path).unwrap();
        }
    }
}

fn keep(world: &World) -> PathBuf {
    let to = world.scratch.aside("kept");
    let _ = fs::remove_dir_all(&to);
    world::copy(&world.scratch.dir(), &to);
    to
}

impl Runner {
    /// Runs something, and puts back both folders with all that is in them.
    fn aside(&mut self, run: impl FnOnce(&mut Runner) -> Outcome) -> Outcome {
        let folders = (keep(&self.twin), keep(&self.phi));
        let files = (self.twin.files.clone(), self.phi.files.clone());
        let known = (self.pairs.clone(), self.stands.clone(), self.killed, self.ran.clone());
        let installed = self.installed.clone();
        let outcome = run(self);
        for (world, kept) in [(&self.twin, folders.0), (&self.phi, folders.1)] {
            empty(&world.scratch.dir());
            world::copy(&kept, &world.scratch.dir());
        }
        (self.twin.files, self.phi.files) = files;
        (self.pairs, self.stands, self.killed, self.ran) = known;
        self.installed = installed;
        outcome
    }

    /// `tf-phi leave` under a form factor: what it makes of the original stays.
    pub fn leave_served(&mut self, vars: &Vars, applied: bool) -> Outcome {
        self.aside(|runner| {
            runner.stands = None;
            let ran = runner.phi.run(true, &strings(&["leave", "--form-factor", "on-prem"]));
            writeln!(runner.log, "    tf-phi leave --form-factor on-prem: {}", ran.code).unwrap();
            if ran.code != 0 {
                return runner.fail("leave", ran.stderr);
            }
            for path in ["phi.hcl", ".phi", "phi.moved.tf"] {
                if runner.phi.scratch.dir().join(path).exists() {
                    return runner.fail("leave", format!("{path} is left"));
                }
            }
            for (path, bytes) in runner.phi.scratch.sources() {
                if path.extension().is_some_and(|e| e == "tf") && !path.ends_with("variables.tf") {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    if runner.phi.files.get(&path.display().to_string()) != Some(&text) {
                        writeln!(runner.log, "    --- {}\n{text}", path.display()).unwrap();
                    }
                }
            }
            if !runner.bare(vars, applied, Form::Served)? || !applied {
                return Ok(());
            }
            for path in runner.phi.foreign() {
                if path.starts_with("moved") {
                    fs::remove_file(runner.phi.scratch.dir().join(path)).unwrap();
                }
            }
            runner.log += "    without the blocks\n";
            runner.bare(vars, false, Form::Served).map(drop)
        })
    }

    /// `tf-phi leave` in a Stack: the folder of each deployment is an ordinary root module.
    pub fn leave_stack(&mut self, applied: bool) -> Outcome {
        self.aside(|runner| {
            runner.stands = None;
            let ran = runner.phi.run(true, &strings(&["leave"]));
            writeln!(runner.log, "    tf-phi leave: {}\n{}", ran.code, ran.stderr).unwrap();
            if ran.code != 0 {
                return runner.fail("leave", ran.stderr);
            }
            if runner.phi.scratch.dir().join("phi.hcl").exists() {
                return runner.fail("leave", "phi.hcl is left");
            }
            let here = runner.twin.workspace.clone();
            for (state, (root, vars)) in runner.ran.clone() {
                // The folder is as the last run wrote it.
                if root != runner.root {
                    continue;
                }
                runner.twin.workspace(&state);
                runner.phi.workspace(&state);
                runner.leave_deployment(&state, &vars, applied)?;
            }
            runner.twin.workspace(&here);
            runner.phi.workspace(&here);
            Ok(())
        })
    }

    fn leave_deployment(&mut self, name: &str, vars: &Vars, applied: bool) -> Outcome {
        let dir = self.phi.scratch.dir().join(".phi/stacks").join(name);
        if !self.phi.state_file().exists() {
            return Ok(());
        }
        // Terraform takes no expression for `prevent_destroy`.
        for (path, text) in render::files(&self.root, Some(vars)) {
            if path.starts_with("modules/") {
                self.phi.scratch.write(&path, &text);
            }
        }
        self.face_twin(vars);
        writeln!(self.log, "    in {name}, for {vars:?}").unwrap();
        let out = format!("-out={}", self.phi.plan_file().display());
        self.phi.beside_with("terraform", &dir, &strings(&["init", "-input=false", "-no-color"]));
        let phi =
            self.phi.beside_with("terraform", &dir, &strings(&["plan", "-input=false", "-no-color", &out]));
        let out = vec![format!("-out={}", self.twin.plan_file().display())];
        let twin = self.twin.run(false, &self.plain_args("plan", vars, &out));
        let moved = fs::read_to_string(dir.join("moved.tf")).unwrap_or_default();
        if !self.compare_home(&twin, &phi, &moved)? || !applied {
            return Ok(());
        }
        let args = |world: &World| {
            vec!["apply".to_owned(), "-no-color".to_owned(), world.plan_file().display().to_string()]
        };
        let ran = (
            self.twin.run(false, &args(&self.twin)),
            self.phi.beside_with("terraform", &dir, &args(&self.phi)),
        );
        writeln!(self.log, "    applied: {}, Terraform: {}", ran.1.code, ran.0.code).unwrap();
        self.states()
    }

    /// Whether this is a Stack.
    pub fn is_stack(&self) -> bool {
        self.place == Place::Deployments
    }
}
