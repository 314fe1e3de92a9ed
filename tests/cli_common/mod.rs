//! A working directory, a stand-in for Terraform that writes down how it was called, and the binary under test.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    dead_code,
    missing_docs
)]

pub mod git;
pub mod schemas;
pub mod signals;
pub mod terminal;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FAKE: &str = "#!/bin/sh\n\
    { echo \"call\"; for a in \"$@\"; do echo \"arg $a\"; done; echo \"pwd $(pwd)\"; echo \"auto $TF_IN_AUTOMATION\"; } \
    >> \"$FAKE_LOG\"\n\
    if [ \"$1\" = state ]; then eval \"$FAKE_DURING\"; exit 0; fi\n\
    printf 'fake \\033[1mplan\\033[0m\\n'\n\
    if [ -n \"$FAKE_DURING\" ]; then eval \"$FAKE_DURING\"; fi\n\
    if [ \"$1\" = get ]; then exit \"${FAKE_GET_EXIT:-0}\"; fi\n\
    exit \"${FAKE_EXIT:-0}\"\n";

/// A scratch folder with a tree, a fake Terraform, and its log.
pub struct Scratch {
    dir: tempfile::TempDir,
}

impl Scratch {
    /// A tree of files below `tree/`.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Scratch {
        let scratch = Scratch { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(scratch.tree()).unwrap();
        for (path, text) in files {
            let path = scratch.tree().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::create_dir(scratch.path("bin")).unwrap();
        fs::write(scratch.path("bin/terraform"), FAKE).unwrap();
        fs::set_permissions(scratch.path("bin/terraform"), fs::Permissions::from_mode(0o755)).unwrap();
        scratch
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn tree(&self) -> PathBuf {
        self.path("tree")
    }

    /// The binary in the tree, with the fake as the only program on PATH besides the system's.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tf-phi"));
        command.args(args).current_dir(self.tree()).env_clear();
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        command.env("FAKE_LOG", self.path("log"));
        command
    }

    pub fn run(&self, args: &[&str]) -> Done {
        Done::new(self.command(args).output().unwrap())
    }

    /// What the fake wrote down; nothing where it was not started.
    pub fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// The arguments of the fake's calls.
    pub fn calls(&self) -> Vec<String> {
        let log = self.log();
        let calls = log.split("call\n").skip(1);
        calls
            .map(|c| c.lines().filter_map(|l| l.strip_prefix("arg ")).collect::<Vec<_>>().join(" "))
            .collect()
    }

    /// Every file and folder of the tree.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        walk(&self.tree(), &mut found);
        found
    }
}

fn walk(dir: &Path, found: &mut BTreeMap<PathBuf, Option<Vec<u8>>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            // Where it leads is not looked at.
            let to = fs::read_link(&path).unwrap();
            found.insert(path, Some(to.into_os_string().into_encoded_bytes()));
        } else if path.is_dir() {
            found.insert(path.clone(), None);
            walk(&path, found);
        } else {
            found.insert(path.clone(), fs::read(&path).ok());
        }
    }
}

/// What a run gave.
pub struct Done {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Done {
    /// Whatever JSON it printed has to be as its schema says.
    #[track_caller]
    pub fn new(output: Output) -> Done {
        let out = String::from_utf8(output.stdout).unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        schemas::judge(&out);
        schemas::judge(&err);
        Done { code: output.status.code(), out, err }
    }
}
