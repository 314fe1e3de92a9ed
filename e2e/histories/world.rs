//! A folder with sources and a state, and the commands that are run in it.

use super::model::Vars;
use super::render::Files;
use super::support::{Ran, Scratch, terraform};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where states are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Workspaces,
    /// `-state=`
    Argument,
    /// Deployments of a Stack; under Terraform alone its twin has workspaces.
    Deployments,
}

pub struct World {
    pub scratch: Scratch,
    /// What was written last into the folder, as it was before anyone changed it.
    pub files: Files,
    /// The state that is in use.
    pub workspace: String,
    /// Arguments instead of a file of values.
    pub by_arguments: bool,
    place: Place,
}

impl World {
    pub fn new(by_arguments: bool, place: Place) -> World {
        let scratch = Scratch::with(&[]);
        if place == Place::Argument {
            fs::create_dir(scratch.dir().join("st")).unwrap();
        }
        World { scratch, files: Files::new(), workspace: "default".to_owned(), by_arguments, place }
    }

    /// Writes what differs; what is gone is removed.
    pub fn write(&mut self, files: &Files) {
        for path in self.files.keys().filter(|p| !files.contains_key(*p)) {
            let path = self.scratch.dir().join(path);
            let _ = fs::remove_file(&path);
            let _ = fs::remove_dir(path.parent().unwrap());
        }
        for (path, text) in files {
            if self.files.get(path) != Some(text) || !self.scratch.dir().join(path).exists() {
                self.scratch.write(path, text);
            }
        }
        self.files = files.clone();
    }

    /// Are the files that change on the way to others as they were written?
    pub fn untouched(&self, files: &Files) -> bool {
        let same = |path: &String| {
            let text = fs::read_to_string(self.scratch.dir().join(path)).ok();
            text.as_ref() == self.files.get(path)
        };
        files.iter().filter(|(p, t)| self.files.get(*p) != Some(*t)).all(|(p, _)| same(p))
            && self.files.keys().filter(|p| !files.contains_key(*p)).all(same)
    }

    /// The paths whose text is not what was written, or that nobody wrote.
    pub fn foreign(&self) -> Vec<String> {
        let mut found: BTreeMap<String, Vec<u8>> = self
            .scratch
            .sources()
            .into_iter()
            .map(|(p, bytes)| (p.to_string_lossy().into_owned(), bytes))
            .filter(|(p, _)| !p.starts_with(".phi/") && p != "terraform.tfvars" && p != "phi.moved.tf")
            .collect();
        let mut out = Vec::new();
        for (path, text) in &self.files {
            if found.remove(path).as_deref() != Some(text.as_bytes()) {
                out.push(path.clone());
            }
        }
        out.extend(found.into_keys());
        out
    }

    /// The arguments of a run with these values.
    pub fn values(&self, vars: &Vars) -> Vec<String> {
        if self.place == Place::Deployments {
            return vec!["--env".to_owned(), self.workspace.clone()];
        }
        let mut out = Vec::new();
        if self.by_arguments {
            out = vars.args();
        } else if fs::read_to_string(self.scratch.dir().join("terraform.tfvars")).ok() != Some(vars.file()) {
            self.scratch.write("terraform.tfvars", &vars.file());
        }
        if self.place == Place::Argument {
            out.push(format!("-state=st/{}.tfstate", self.workspace));
        }
        out
    }

    pub fn state_file(&self) -> PathBuf {
        let dir = self.scratch.dir();
        match (self.place, self.workspace.as_str()) {
            (Place::Deployments, name) => dir.join(".phi/stacks").join(name).join("terraform.tfstate"),
            (Place::Argument, name) => dir.join("st").join(format!("{name}.tfstate")),
            (Place::Workspaces, "default") => dir.join("terraform.tfstate"),
            (Place::Workspaces, name) => dir.join("terraform.tfstate.d").join(name).join("terraform.tfstate"),
        }
    }

    /// Goes to another state, which is made where there is none. A workspace is selected as Terraform does it, without a start.
    pub fn workspace(&mut self, name: &str) {
        name.clone_into(&mut self.workspace);
        if self.place == Place::Workspaces {
            let dir = self.scratch.dir();
            fs::create_dir_all(dir.join(".terraform")).unwrap();
            fs::create_dir_all(dir.join("terraform.tfstate.d").join(name)).unwrap();
            fs::write(dir.join(".terraform/environment"), name).unwrap();
        }
    }

    pub fn run(&self, phi: bool, args: &[String]) -> Ran {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if !phi {
            return self.scratch.terraform(&args);
        }
        // A document that isn't as its schema says is a failure of the run.
        let run = std::panic::AssertUnwindSafe(|| self.scratch.tf_phi(&args));
        std::panic::catch_unwind(run).unwrap_or_else(|why| {
            let text = why.downcast_ref::<String>().cloned().unwrap_or_default();
            Ran { code: 99, stdout: String::new(), stderr: text }
        })
    }

    /// Where the plan is saved, outside of the folder.
    pub fn plan_file(&self) -> PathBuf {
        self.scratch.aside("plan.out")
    }

    pub fn show(&self) -> String {
        let file = self.plan_file();
        self.scratch.terraform(&["show", "-json", file.to_str().unwrap()]).expect(0).stdout
    }

    /// Starts tf-phi and kills it, and what it started, after a while.
    pub fn kill(&self, args: &[String], after: Duration) {
        let program = Path::new(env!("CARGO_BIN_EXE_tf-phi"));
        let mut command = self.scratch.command(program);
        command.args(args).process_group(0);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(after);
        let group = rustix::process::Pid::from_child(&child);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        child.wait().unwrap();
    }

    /// A copy of the folder as it is.
    pub fn copy(&self) -> PathBuf {
        let to = self.scratch.aside("branch");
        let _ = fs::remove_dir_all(&to);
        copy(&self.scratch.dir(), &to);
        to
    }

    /// tf-phi in a folder beside this one.
    pub fn beside(&self, dir: &Path, args: &[String]) -> Ran {
        self.beside_with("tf-phi", dir, args)
    }

    /// One of the two programs in a folder beside this one.
    pub fn beside_with(&self, program: &str, dir: &Path, args: &[String]) -> Ran {
        let program = match program {
            "tf-phi" => Path::new(env!("CARGO_BIN_EXE_tf-phi")),
            "terraform" => terraform(),
            other => Path::new(other),
        };
        let mut command = self.scratch.command(program);
        command.env("TF_PHI_TERRAFORM", terraform());
        Ran::of(&command.current_dir(dir).args(args).output().unwrap())
    }
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if let Ok(link) = fs::read_link(&path) {
            let _ = fs::remove_file(&target);
            std::os::unix::fs::symlink(link, &target).unwrap();
        } else if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
