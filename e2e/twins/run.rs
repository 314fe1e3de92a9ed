//! One history: steps, each followed by a plan beside the twin's.

use crate::rng::Rng;
use crate::support::{Ran, Scratch, terraform};
use crate::tree::{Tree, Values, console};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

/// So many steps has a history.
const STEPS: usize = 5;

/// What has happened in all histories.
#[derive(Default)]
pub struct Counts(BTreeMap<&'static str, usize>);

impl Counts {
    fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(|(what, count)| format!("{what}: {count}")).collect();
        f.write_str(&all.join(", "))
    }
}

struct World {
    ours: Scratch,
    twin: Scratch,
    tree: Tree,
    values: Values,
    show: bool,
}

/// Plays one history.
pub fn history(rng: &mut Rng, show: bool, counts: &mut Counts) {
    let tree = Tree::random(rng);
    let world =
        World { ours: Scratch::with(&[]), twin: Scratch::with(&[]), tree, values: Values::random(rng), show };
    let mut world = world;
    world.write();
    for _ in 0..STEPS {
        let step = world.step(rng, counts);
        world.say(step);
        counts.add(step);
        world.compare(counts);
        if rng.chance(70) {
            world.apply(counts);
        }
    }
}

impl World {
    fn say(&self, what: &str) {
        if self.show {
            println!("{what}: {:?}", self.values);
        }
    }

    fn write(&self) {
        clear(&self.ours.dir());
        for (path, text) in self.tree.files() {
            self.ours.write(&path, &text);
        }
    }

    fn words(&self, front: &[&str]) -> Vec<String> {
        front.iter().map(|word| (*word).to_owned()).chain(self.values.words()).collect()
    }

    fn phi(&self, front: &[&str]) -> Ran {
        let words = self.words(front);
        self.ours.tf_phi(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn step(&mut self, rng: &mut Rng, counts: &mut Counts) -> &'static str {
        match rng.below(7) {
            0 | 1 => {
                self.values = Values::random(rng);
                "values flip"
            }
            2 => {
                let what = self.tree.edit(rng);
                self.write();
                what
            }
            3 => self.import(rng, counts),
            4 => self.there_and_back(rng),
            5 => {
                let _ = fs::remove_dir_all(self.ours.dir().join(".terraform"));
                self.phi(&["init", "-input=false", "-no-color"]).expect(0);
                self.unchanged("init");
                "a lost .terraform"
            }
            _ => {
                self.killed(rng);
                "a kill"
            }
        }
    }

    fn listed(&self) -> Vec<String> {
        if !self.ours.dir().join("terraform.tfstate").exists() {
            return Vec::new();
        }
        self.ours.tf_phi(&["state", "list"]).expect(0).stdout.lines().map(str::to_owned).collect()
    }

    /// An object leaves the state and is imported again.
    fn import(&self, rng: &mut Rng, counts: &mut Counts) -> &'static str {
        let all = self.listed();
        if all.is_empty() {
            return "nothing to import";
        }
        let address = rng.pick(&all).clone();
        self.ours.tf_phi(&["state", "rm", &address]).expect(0);
        let words = self.words(&["import", "-input=false"]);
        let words: Vec<&str> = words.iter().map(String::as_str).chain([address.as_str(), "an-id"]).collect();
        // What the tree doesn't declare any more can't be.
        let ran = self.ours.tf_phi(&words);
        if ran.code != 0 {
            assert!(ran.stderr.contains("does not exist in the configuration"), "{}", ran.stderr);
            counts.add("refused imports");
        }
        self.unchanged("import");
        "import"
    }

    fn there_and_back(&self, rng: &mut Rng) -> &'static str {
        let all = self.listed();
        if all.is_empty() {
            return "nothing to move";
        }
        let address = rng.pick(&all).clone();
        self.ours.tf_phi(&["state", "mv", &address, "terraform_data.aside"]).expect(0);
        self.ours.tf_phi(&["state", "mv", "terraform_data.aside", &address]).expect(0);
        self.unchanged("state mv");
        "state mv"
    }

    /// tf-phi is killed while the values are in place, by the Terraform that it has started.
    fn killed(&self, rng: &mut Rng) {
        let real = terraform().display();
        let script = match rng.below(2) {
            0 => format!("case $1 in plan) kill -9 $PPID; sleep 0.2 ;; *) exec {real} \"$@\" ;; esac"),
            _ => format!("case $1 in plan) {real} \"$@\"; kill -9 $PPID ;; *) exec {real} \"$@\" ;; esac"),
        };
        let program = self.ours.fake(&script);
        let mut command = self.ours.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
        command.env("TF_PHI_TERRAFORM", program).args(self.words(&["plan", "-input=false"]));
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(!status.success());
        self.ours.tf_phi(&["history"]).expect(0);
        self.unchanged("a kill");
    }

    /// The work tree is what the user wrote, byte for byte.
    fn unchanged(&self, after: &str) {
        let mut now: BTreeMap<String, String> = BTreeMap::new();
        for (path, (bytes, _)) in self.ours.everything() {
            let path = path.strip_prefix(self.ours.dir()).unwrap().to_string_lossy().into_owned();
            let terraforms = path.starts_with(".terraform") || path.contains("terraform.tfstate");
            if !terraforms && !path.ends_with("made.txt") {
                now.insert(path, String::from_utf8(bytes).unwrap());
            }
        }
        assert_eq!(now, self.tree.files(), "after {after}");
    }

    /// What Terraform makes of expressions in the root module.
    fn answers(&self) -> BTreeMap<String, bool> {
        let questions = self.tree.questions();
        let aside = self.twin.aside("console");
        fs::create_dir_all(&aside).unwrap();
        fs::write(aside.join("main.tf"), console()).unwrap();
        let mut command = self.twin.command(terraform());
        command.current_dir(&aside).arg("console").args(self.values.words());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // It prints the last result alone.
        let flat: Vec<String> =
            questions.iter().map(|q| q.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let line = format!("jsonencode([{}])\n", flat.join(", "));
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let said = child.wait_with_output().unwrap();
        let said = String::from_utf8(said.stdout).unwrap();
        let answers: Vec<bool> = serde_json::from_str(said.trim().trim_matches('"')).expect("bools");
        assert_eq!(answers.len(), questions.len(), "{said}");
        questions.into_iter().zip(answers).collect()
    }

    /// Plans both over one state, and holds one plan against the other.
    fn compare(&self, counts: &mut Counts) {
        clear(&self.twin.dir());
        let _ = fs::remove_file(self.twin.dir().join("terraform.tfstate"));
        for (path, text) in self.tree.by_hand(&self.answers(), self.values.kind) {
            self.twin.write(&path, &text);
        }
        let state = self.ours.dir().join("terraform.tfstate");
        if state.exists() {
            fs::copy(&state, self.twin.dir().join("terraform.tfstate")).unwrap();
        }
        self.twin.init();
        let file = |scratch: &Scratch| scratch.aside("planned");
        let out = |scratch: &Scratch| format!("-out={}", file(scratch).display());
        let words = self.words(&["plan", "-input=false", "-no-color", &out(&self.twin)]);
        let theirs = self.twin.terraform(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let ours = self.phi(&["plan", "-input=false", "-no-color", &out(&self.ours)]);
        self.unchanged("plan");
        assert_eq!(ours.code, theirs.code, "{}\n{}", ours.stderr, theirs.stderr);
        if theirs.code != 0 {
            let what = "Instance cannot be destroyed";
            assert_eq!(ours.stderr.matches(what).count(), theirs.stderr.matches(what).count());
            counts.add("plans that a lifecycle stops");
            return;
        }
        assert_eq!(shown(&self.ours, &file(&self.ours)), shown(&self.twin, &file(&self.twin)));
        assert!(!self.ours.dir().join(".phi").exists());
        counts.add("equal plans");
    }

    fn apply(&self, counts: &mut Counts) {
        let ran = self.phi(&["apply", "-auto-approve", "-input=false", "-no-color"]);
        self.unchanged("apply");
        if ran.code == 0 {
            counts.add("applies");
            let again = self.phi(&["plan", "-input=false", "-no-color", "-detailed-exitcode"]);
            assert_eq!(again.code, 0, "{}{}", again.stdout, again.stderr);
        } else {
            assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
        }
    }
}

/// What a plan does, with all values.
fn shown(scratch: &Scratch, file: &Path) -> Value {
    let text = scratch.terraform(&["show", "-json", file.to_str().unwrap()]).expect(0).stdout;
    let all: Value = serde_json::from_str(&text).unwrap();
    let parts = ["resource_changes", "planned_values", "prior_state", "output_changes"];
    parts.into_iter().map(|part| (part.to_owned(), all.get(part).cloned().unwrap_or_default())).collect()
}

/// Removes everything but what Terraform keeps.
fn clear(dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with(".terraform") || name.starts_with("terraform.tfstate") {
            continue;
        }
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }
}
