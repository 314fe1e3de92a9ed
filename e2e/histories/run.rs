//! A history, run in both worlds at once.

use super::compare::Pairs;
use super::model::{Root, Vars};
use super::render::{self, Files};
use super::report::{Counts, Failure};
use super::steps::Step;
use super::world::World;
use std::fmt::Write as _;
use std::time::Duration;

/// A step went as it should, or the history ends with it.
pub type Outcome = Result<(), Failure>;

pub struct Runner {
    pub root: Root,
    pub counts: Counts,
    pub log: String,
    pub twin: World,
    pub phi: World,
    pub pairs: Pairs,
    /// The values for which the folder is specialised.
    pub stands: Option<Vars>,
    /// What tf-phi remembered was lost.
    pub forgot: bool,
    /// A run was killed, and none has settled what it left.
    pub killed: bool,
}

pub fn strings(args: &[&str]) -> Vec<String> {
    args.iter().map(|a| (*a).to_owned()).collect()
}

impl Runner {
    pub fn new(root: &Root, by_arguments: bool) -> Runner {
        let mut out = Runner {
            root: Root::default(),
            counts: Counts::default(),
            log: String::new(),
            twin: World::new(by_arguments),
            phi: World::new(by_arguments),
            pairs: Pairs::new(),
            stands: None,
            forgot: false,
            killed: false,
        };
        out.log += "  sources:\n";
        out.show(&Files::new(), &render::files(root, false));
        let put = out.put(root);
        assert!(put.is_ok(), "there is nothing to restore yet");
        out
    }

    /// Logs what differs between two texts of the sources.
    fn show(&mut self, before: &Files, after: &Files) {
        for path in before.keys().filter(|p| !after.contains_key(*p)) {
            writeln!(self.log, "    --- {path} goes").unwrap();
        }
        for (path, text) in after.iter().filter(|(p, t)| before.get(*p) != Some(*t)) {
            // The same in every module.
            if path.ends_with("variables.tf") {
                continue;
            }
            writeln!(self.log, "    --- {path}").unwrap();
            for line in text.lines() {
                writeln!(self.log, "    {line}").unwrap();
            }
        }
    }

    pub fn fail(&self, kind: &'static str, detail: impl Into<String>) -> Outcome {
        Err(Failure { kind, detail: detail.into() })
    }

    /// Writes the sources into both folders.
    fn put(&mut self, root: &Root) -> Outcome {
        self.twin.write(&render::files(root, true));
        let calls = |root: &Root| root.modules.values().flat_map(|b| b.calls.clone()).collect::<Vec<_>>();
        let others = calls(root) != calls(&self.root);
        if others {
            self.twin.scratch.terraform(&["get", "-no-color"]);
        }
        let files = render::files(root, false);
        if !self.phi.untouched(&files) {
            self.restore()?;
        }
        if render::files(&self.root, false) != files {
            // What is specialised there is what was edited before.
            self.stands = None;
        }
        self.phi.write(&files);
        self.root = root.clone();
        // As one does for Terraform; a specialised tree is tf-phi's own affair, once anything is installed.
        let first = !self.phi.scratch.dir().join(".terraform").is_dir();
        if others && (first || self.phi.foreign().is_empty()) {
            self.phi.scratch.terraform(&["get", "-no-color"]);
        }
        Ok(())
    }

    /// What it said.
    pub fn restore(&mut self) -> Result<String, Failure> {
        self.stands = None;
        self.killed = false;
        let ran = self.phi.run(true, &strings(&["restore"]));
        self.log += "    tf-phi restore\n";
        if ran.code != 0 {
            self.fail("restore", format!("status {}\n{}", ran.code, ran.stderr))?;
        }
        self.as_written("restore")?;
        Ok(ran.stderr)
    }

    /// The folder holds what was written into it and nothing else.
    fn as_written(&self, kind: &'static str) -> Outcome {
        let foreign = self.phi.foreign();
        if foreign.is_empty() {
            return Ok(());
        }
        self.fail(kind, format!("not as they were: {}", foreign.join(", ")))
    }

    pub fn step(&mut self, step: &Step) -> Outcome {
        self.counts.steps += 1;
        match step {
            Step::Run { edits, vars, mode, act } => {
                let before = self.root.clone();
                let mut root = before.clone();
                for edit in edits {
                    let done = edit.apply(&mut root);
                    writeln!(self.log, "  edit: {edit:?}{}", if done { "" } else { " (means nothing)" })
                        .unwrap();
                }
                self.show(&render::files(&before, false), &render::files(&root, false));
                self.put(&root)?;
                if !self.act(vars, *mode, act)? {
                    self.log += "    undone\n";
                    self.put(&before)?;
                }
                Ok(())
            }
            Step::Restore => {
                self.log += "  restore\n";
                self.restore().map(drop)
            }
            Step::Workspace(name) => {
                writeln!(self.log, "  workspace {name}").unwrap();
                self.stands = None;
                self.twin.workspace(name);
                self.phi.workspace(name);
                Ok(())
            }
            Step::Lose => {
                self.log += "  .phi is lost\n";
                self.forgot = true;
                self.restore()?;
                let _ = std::fs::remove_dir_all(self.phi.scratch.dir().join(".phi"));
                Ok(())
            }
            Step::Merge(pins, vars) => self.merge(pins, vars),
            Step::Kill(after, vars, mode) => {
                let args = self.args("plan", vars, *mode, &[]);
                writeln!(self.log, "  killed after {after} ms: tf-phi {}", args.join(" ")).unwrap();
                self.stands = None;
                self.killed = true;
                self.phi.kill(&args, Duration::from_millis(*after));
                Ok(())
            }
            Step::Plain(vars) => self.plain(vars),
            Step::Leave(vars) => self.leave(vars),
            Step::Verify(vars) => self.verify(vars),
        }
    }
}
