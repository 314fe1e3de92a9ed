//! A folder with sources and a state, and the commands that are run in it.

use super::model::Vars;
use super::render::Files;
use super::support::{Ran, Scratch, terraform};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub struct World {
    pub scratch: Scratch,
    /// What was written last into the folder, as it was before anyone changed it.
    pub files: Files,
    pub workspace: String,
    /// Arguments instead of a file of values.
    pub by_arguments: bool,
}

impl World {
    pub fn new(by_arguments: bool) -> World {
        let scratch = Scratch::with(&[]);
        World { scratch, files: Files::new(), workspace: "default".to_owned(), by_arguments }
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
            .filter(|(p, _)| !p.starts_with(".phi/") && p != "terraform.tfvars")
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
        if self.by_arguments {
            return vars.args();
        }
        self.scratch.write("terraform.tfvars", &vars.file());
        Vec::new()
    }

    pub fn state_file(&self) -> PathBuf {
        match self.workspace.as_str() {
            "default" => self.scratch.dir().join("terraform.tfstate"),
            other => self.scratch.dir().join("terraform.tfstate.d").join(other).join("terraform.tfstate"),
        }
    }

    /// Goes to a workspace, which is made where there is none. Where Terraform can't read the sources, it is done by hand.
    pub fn workspace(&mut self, name: &str) {
        self.workspace = name.to_owned();
        let ran = self.scratch.terraform(&["workspace", "select", "-or-create", "-no-color", name]);
        if ran.code != 0 {
            let data = self.scratch.dir().join(".terraform");
            fs::create_dir_all(&data).unwrap();
            fs::write(data.join("environment"), name).unwrap();
        }
    }

    pub fn run(&self, phi: bool, args: &[String]) -> Ran {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        if phi { self.scratch.tf_phi(&args) } else { self.scratch.terraform(&args) }
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
        let mut command = self.scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
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
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
