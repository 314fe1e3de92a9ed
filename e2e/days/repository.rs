//! One side of a day: a clone with its state outside, and the programs that run in it.

use crate::support::{Ran, Scratch, terraform};
use crate::trees::Files;
use std::fs;
use std::path::{Path, PathBuf};

pub struct Repository {
    pub dir: PathBuf,
}

impl Repository {
    pub fn begin(scratch: &Scratch, name: &str, files: &Files) -> Repository {
        let dir = scratch.aside(name).join("0");
        fs::create_dir_all(&dir).unwrap();
        let out = Repository { dir };
        files.iter().for_each(|(path, text)| out.write(path, text));
        let state = scratch.aside(&format!("{name}.tfstate"));
        let backend =
            format!("terraform {{\n  backend \"local\" {{\n    path = \"{}\"\n  }}\n}}\n", state.display());
        out.write("backend.tf", &backend);
        out
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.dir.join(path)).ok()
    }

    /// Runs a line of a shell in the clone. Both programs are on its path, and Git has no configuration but the clone's.
    pub fn sh(&self, scratch: &Scratch, line: &str) -> Ran {
        let programs = scratch.aside("programs");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all: Vec<PathBuf> = std::iter::once(programs).chain(std::env::split_paths(&path)).collect();
        let mut command = scratch.command(Path::new("sh"));
        command.current_dir(&self.dir).args(["-c", line]).env("PATH", std::env::join_paths(all).unwrap());
        for (name, value) in [
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
            ("GIT_EDITOR", "true"),
            ("GIT_AUTHOR_NAME", "n"),
            ("GIT_AUTHOR_EMAIL", "n@example.org"),
            ("GIT_COMMITTER_NAME", "n"),
            ("GIT_COMMITTER_EMAIL", "n@example.org"),
            ("NO_COLOR", "1"),
        ] {
            command.env(name, value);
        }
        Ran::of(&command.output().unwrap())
    }

    /// Puts links to both programs where [`Repository::sh`] looks for them.
    pub fn link_programs(scratch: &Scratch) {
        let programs = scratch.aside("programs");
        fs::create_dir_all(&programs).unwrap();
        for (name, to) in [("tf-phi", Path::new(env!("CARGO_BIN_EXE_tf-phi"))), ("terraform", terraform())] {
            std::os::unix::fs::symlink(to, programs.join(name)).unwrap();
        }
    }

    /// The sources as they stand, without what tf-phi keeps for itself and what differs between the two sides anyway.
    pub fn sources(&self) -> Files {
        let mut out = Files::new();
        collect(&self.dir, "", &mut out);
        out.retain(|path, _| !["phi.moved.tf", "backend.tf"].contains(&path.as_str()));
        out
    }
}

fn collect(dir: &Path, prefix: &str, out: &mut Files) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let full = format!("{prefix}{name}");
        if path.is_dir() {
            if ![".git", ".phi", ".terraform"].contains(&name.as_str()) {
                collect(&path, &format!("{full}/"), out);
            }
        } else if name.ends_with(".tf") || name == "phi.hcl" {
            out.insert(full, fs::read_to_string(&path).unwrap());
        }
    }
}
