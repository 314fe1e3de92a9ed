//! A history, run in both worlds at once.

use super::compare::Pairs;
use super::cover;
use super::home::Form;
use super::model::{Root, Vars};
use super::render::{self, Files};
use super::report::{Counts, Failure};
use super::stack;
use super::steps::Step;
use super::world::{Place, World};
use std::collections::{BTreeMap, BTreeSet};
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
    /// And so was the way home.
    pub astray: bool,
    /// A run was killed, and none has settled what it left.
    pub killed: bool,
    /// Something has written the sources and moved nothing.
    pub hooked: bool,
    pub place: Place,
    /// The states in which something was run.
    pub states: BTreeSet<String>,
    /// The step before, and what it came to.
    last: Vec<String>,
    /// What the twin deletes by itself, while it has forgotten what services made.
    pub doomed: BTreeSet<String>,
    /// The sources and the values with which something was run last in a state.
    pub ran: BTreeMap<String, (Root, Vars)>,
    /// The values that each deployment of a Stack has.
    deployed: BTreeMap<String, Vars>,
    /// The sources that the twin's calls have, as they are installed.
    pub installed: Vec<String>,
    /// What the step narrows its run to.
    pub narrowed: Vec<String>,
    /// A way home that was found beside sources which were written out, and these.
    pub settled: Option<(String, Vec<String>)>,
}

/// What the calls in these files call.
pub fn sources(files: &Files) -> Vec<String> {
    let lines = files.iter().flat_map(|(path, text)| text.lines().map(move |line| (path, line)));
    lines
        .filter(|(_, line)| line.starts_with("module ") || line.starts_with("  source "))
        .map(|(path, line)| format!("{path}: {line}"))
        .collect()
}

pub fn strings(args: &[&str]) -> Vec<String> {
    args.iter().map(|a| (*a).to_owned()).collect()
}

impl Runner {
    pub fn new(root: &Root, by_arguments: bool, place: Place) -> Runner {
        let twins = if place == Place::Deployments { Place::Workspaces } else { place };
        let mut out = Runner {
            root: Root::default(),
            counts: Counts::default(),
            log: String::new(),
            twin: World::new(by_arguments || place == Place::Deployments, twins),
            phi: World::new(by_arguments, place),
            pairs: Pairs::new(),
            stands: None,
            forgot: false,
            astray: false,
            last: Vec::new(),
            ran: BTreeMap::new(),
            doomed: BTreeSet::new(),
            killed: false,
            hooked: false,
            place,
            states: BTreeSet::new(),
            deployed: BTreeMap::new(),
            installed: Vec::new(),
            narrowed: Vec::new(),
            settled: None,
        };
        if place == Place::Deployments {
            out.twin.workspace("one");
            out.phi.workspace("one");
            let two = Vars { env: "prod", tier: "l", on: true, protect: false };
            out.deployed = [("one", Vars::default()), ("two", two)].map(|(n, v)| (n.to_owned(), v)).into();
        }
        writeln!(out.log, "  states: {place:?}; sources:").unwrap();
        out.show(&Files::new(), &out.files(root));
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

    /// The sources for tf-phi.
    pub fn files(&self, root: &Root) -> Files {
        if self.place == Place::Deployments {
            stack::files(root, &self.deployed)
        } else {
            render::files(root, None)
        }
    }

    /// The twin's folder has the sources of a run with these values.
    pub fn face_twin(&mut self, vars: &Vars) {
        let files = render::files(&self.root, Some(vars));
        let sources = sources(&files);
        self.twin.write(&files);
        if self.installed != sources {
            self.twin.scratch.terraform(&["get", "-no-color"]);
            self.installed = sources;
        }
        let _ = (self.twin.values(vars), self.phi.values(vars));
    }

    /// The same; so have the inputs of a deployment.
    pub fn face(&mut self, vars: &Vars) {
        self.face_twin(vars);
        self.states.insert(self.twin.workspace.clone());
        self.ran.insert(self.twin.workspace.clone(), (self.root.clone(), vars.clone()));
        if self.place == Place::Deployments {
            self.deployed.insert(self.phi.workspace.clone(), vars.clone());
            self.phi.write(&self.files(&self.root));
        }
    }

    /// Writes the sources into tf-phi's folder; those of the twin come with the values of a run.
    pub fn put(&mut self, root: &Root) -> Outcome {
        let files = self.files(root);
        let others = sources(&files) != sources(&self.files(&self.root));
        if !self.phi.untouched(&files) {
            self.restore()?;
        }
        if self.files(&self.root) != files {
            // What is specialised there is what was edited before.
            self.stands = None;
        }
        self.phi.write(&files);
        self.root = root.clone();
        // As one does for Terraform; a specialised tree is tf-phi's own affair, once anything is installed.
        let first = !self.phi.scratch.dir().join(".terraform/modules").is_dir();
        let stack = self.place == Place::Deployments;
        if others && !stack && (first || self.phi.foreign().is_empty()) {
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
            self.fail("restore", format!("status {}\n{}\n{}", ran.code, ran.stderr, self.moved_file()))?;
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
        let mut there = cover::constructs(&self.root);
        there.insert(cover::of_place(self.place));
        let refused = self.counts.all_refused();
        let outcome = self.take(step);
        let refused = self.counts.all_refused() > refused;
        self.counts.cover(&there, &step.names(), refused);
        self.counts.follow_on(&self.last, &step.names());
        self.last = step.names();
        outcome
    }

    fn take(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Run { edits, vars, mode, act } => {
                let before = self.root.clone();
                let mut root = before.clone();
                for edit in edits {
                    let done = edit.apply(&mut root);
                    writeln!(self.log, "  edit: {edit:?}{}", if done { "" } else { " (means nothing)" })
                        .unwrap();
                }
                self.show(&self.files(&before), &self.files(&root));
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
            Step::Lose(home) => {
                writeln!(self.log, "  .phi is lost{}", if *home { ", and the way home" } else { "" })
                    .unwrap();
                (self.forgot, self.astray) = (true, self.astray || *home);
                self.restore()?;
                let _ = if self.place == Place::Deployments {
                    // States are below it.
                    std::fs::remove_file(self.phi.scratch.dir().join(".phi/history.jsonl"))
                } else {
                    std::fs::remove_dir_all(self.phi.scratch.dir().join(".phi"))
                };
                if *home {
                    let _ = std::fs::remove_file(self.phi.scratch.dir().join("phi.moved.tf"));
                }
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
            // A smaller history may not come to what it needs.
            Step::Bare(..) if !self.is_bare() => Ok(()),
            Step::Bare(vars, applied) => {
                self.log += "  plain Terraform in between\n";
                self.bare(vars, *applied, Form::Original).map(drop)
            }
            Step::Leave(vars, way, applied) => self.leave(vars, *way, *applied),
            Step::Verify(vars) => self.verify(vars),
            Step::Hook => self.writes_only(&["check", "--fix"]),
            Step::Init => self.writes_only(&["init", "-input=false", "-no-color"]),
            Step::DryRun(vars) => self.dry_run(vars),
        }
    }
}
