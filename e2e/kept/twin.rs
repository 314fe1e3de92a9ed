//! A tree under tf-phi, and its twin: the same original sources in another directory under plain Terraform. Every step is
//! taken in both.
//!
//! What an object is says the `tag` in its `input`, which holds its key as well; addresses say nothing, for those of
//! copies differ.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tf_phi::terraform::plan_json::Plan;

use crate::support::{Ran, Scratch};

/// How the tree under tf-phi is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// Specialised in place; restored before each edit.
    InPlace,
    /// Every run is an ephemeral one.
    Ephemeral,
    /// Specialised in place; at the first edit restored, and `phi.hcl` removed. There is nothing to specialise then, and
    /// what state holds of copies has to come home.
    Unpinned,
}

/// What a plan does with one object.
#[derive(Clone, Debug, PartialEq)]
pub struct Fate {
    pub tag: String,
    pub actions: String,
    pub before: Value,
    pub after: Value,
    pub unknown: Value,
}

impl Fate {
    /// Whether the object ends.
    fn ends(&self) -> bool {
        ["delete", "forget"].iter().any(|a| self.actions.contains(a))
    }
}

/// An object in state.
#[derive(Clone, Debug, PartialEq)]
struct Object {
    tag: String,
    id: String,
    place: String,
    /// Whether it is tainted or deposed.
    status: String,
    values: Value,
}

pub struct Twin {
    /// The tree under tf-phi.
    pub phi: Scratch,
    /// The one under plain Terraform.
    pub plain: Scratch,
    mode: Mode,
    unpinned: Cell<bool>,
}

impl Twin {
    /// With these files in both; `phi.hcl` in the one under tf-phi alone.
    #[track_caller]
    pub fn with(mode: Mode, files: &[(&str, &str)]) -> Twin {
        let plain: Vec<(&str, &str)> = files.iter().copied().filter(|(path, _)| *path != "phi.hcl").collect();
        let twin = Twin::beside(mode, files, &plain);
        twin.init();
        twin
    }

    /// With files of its own for the twin: where Terraform takes no expression.
    #[track_caller]
    pub fn beside(mode: Mode, phi: &[(&str, &str)], plain: &[(&str, &str)]) -> Twin {
        let (phi, plain) = (Scratch::with(phi), Scratch::with(plain));
        Twin { phi, plain, mode, unpinned: Cell::new(false) }
    }

    /// With these files, applied.
    #[track_caller]
    pub fn applied(mode: Mode, files: &[(&str, &str)], args: &[&str]) -> Twin {
        let twin = Twin::with(mode, files);
        twin.step(args, "first");
        twin
    }

    /// `terraform init` in both.
    #[track_caller]
    pub fn init(&self) {
        self.phi.init();
        self.plain.init();
    }

    /// The original sources are back, as the mode has it.
    #[track_caller]
    pub fn restore(&self) {
        if self.mode != Mode::Ephemeral {
            self.phi.tf_phi(&["restore"]).expect(0);
        }
        if self.mode == Mode::Unpinned {
            self.unpin();
        }
    }

    /// Removes `phi.hcl`, without `restore` where the tree is specialised in place.
    #[track_caller]
    pub fn unpin(&self) {
        if self.mode == Mode::Unpinned {
            self.phi.tf_phi(&["restore"]).expect(0);
        }
        let path = self.phi.dir().join("phi.hcl");
        if path.exists() {
            fs::remove_file(path).unwrap();
        }
        self.unpinned.set(true);
    }

    /// A pin stands again: copies come again, and have places of their own.
    pub fn pinned(&self) {
        self.unpinned.set(false);
    }

    /// Edits a file of the original in both.
    #[track_caller]
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        self.restore();
        for scratch in [&self.phi, &self.plain] {
            let text = scratch.read(path);
            assert!(text.contains(from), "{from} is not in {path}:\n{text}");
            scratch.write(path, &text.replacen(from, to, 1));
        }
    }

    /// Writes a file of the original in both.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        self.restore();
        for scratch in [&self.phi, &self.plain] {
            scratch.write(path, text);
        }
    }

    /// Appends to a file of the original in both.
    #[track_caller]
    pub fn append(&self, path: &str, text: &str) {
        self.restore();
        for scratch in [&self.phi, &self.plain] {
            scratch.write(path, &format!("{}{text}", scratch.read(path)));
        }
    }

    /// The same Terraform command in both.
    #[track_caller]
    pub fn both(&self, args: &[&str]) {
        self.phi.terraform(args).expect(0);
        self.plain.terraform(args).expect(0);
    }

    /// Runs `tf-phi plan` or `apply`.
    pub fn run(&self, command: &str, args: &[&str]) -> Ran {
        let mut all = vec![command, "-input=false", "-no-color"];
        if self.mode == Mode::Ephemeral {
            all.push("--ephemeral");
        }
        all.extend(args);
        self.phi.tf_phi(&all)
    }

    /// Plans in both: the same happens to the same objects.
    #[track_caller]
    pub fn compare(&self, args: &[&str], what: &str) {
        let want = self.plain.plan(args);
        let file = self.phi.aside("compared.out");
        let out = format!("-out={}", file.display());
        let ran = self.run("plan", &[&[out.as_str()][..], args].concat());
        assert!(ran.code == 0, "{what}: refused, status {}\n{}", ran.code, ran.stderr);
        let got = self.phi.show(&file);
        same(&want, &got, what);
        if self.unpinned.get() {
            assert_eq!(places(&want), places(&got), "{what}: not all are at home");
        }
    }

    /// Whether a plain plan of the tree under tf-phi stops. Where it doesn't, the same happens as in the twin.
    #[track_caller]
    pub fn plain_stops(&self, args: &[&str], what: &str) -> bool {
        let want = self.plain.plan(args);
        let file = self.phi.aside("plain.out");
        let out = format!("-out={}", file.display());
        let ran = self.phi.terraform(&[&["plan", "-input=false", "-no-color", &out][..], args].concat());
        if ran.code == 0 {
            same(&want, &self.phi.show(&file), what);
        }
        ran.code != 0
    }

    /// Applies in both: the same objects survive, and state holds the same.
    #[track_caller]
    pub fn apply(&self, args: &[&str], what: &str) {
        self.apply_to(args, 0, what);
    }

    /// Applies in both, which fails in both.
    #[track_caller]
    pub fn apply_fails(&self, args: &[&str], what: &str) {
        self.apply_to(args, 1, what);
    }

    #[track_caller]
    fn apply_to(&self, args: &[&str], code: i32, what: &str) {
        self.apply_by(args, code, what, || self.run("apply", &[&["-auto-approve"][..], args].concat()));
    }

    /// Applies in both, under tf-phi by something else than `apply` in place.
    #[track_caller]
    pub fn apply_by(&self, args: &[&str], code: i32, what: &str, by: impl FnOnce() -> Ran) {
        let before = [objects(&self.plain), objects(&self.phi)];
        let all = [&["apply", "-auto-approve", "-input=false", "-no-color"][..], args].concat();
        self.plain.terraform(&all).expect(code);
        let ran = by();
        assert!(ran.code == code, "{what}: apply ends with {}\n{}\n{}", ran.code, ran.stdout, ran.stderr);
        let after = [objects(&self.plain), objects(&self.phi)];
        let [want, got] = [0, 1].map(|at| survivors(&before[at], &after[at]));
        assert!(want == got, "{what}: states differ\noriginal {want:#?}\ntf-phi   {got:#?}");
        if self.unpinned.get() && code == 0 {
            let held = |objects: &[Object]| -> BTreeSet<String> {
                objects.iter().map(|o| o.place.clone()).collect()
            };
            assert_eq!(held(&after[0]), held(&after[1]), "{what}: not all came home");
        }
    }

    /// Plans and applies in both.
    #[track_caller]
    pub fn step(&self, args: &[&str], what: &str) {
        self.compare(args, what);
        self.apply(args, what);
    }

    /// Plans, applies, and plans again in both.
    #[track_caller]
    pub fn settles(&self, args: &[&str], what: &str) {
        self.step(args, what);
        self.compare(args, &format!("{what}, again"));
    }

    /// State of both is edited by hand.
    #[track_caller]
    pub fn edit_state(&self, from: &str, to: &str) {
        for scratch in [&self.phi, &self.plain] {
            let text = scratch.terraform(&["state", "pull"]).expect(0).stdout;
            assert!(text.contains(from), "{from} is not in state:\n{text}");
            let mut state: Value = serde_json::from_str(&text.replace(from, to)).unwrap();
            state["serial"] = (state["serial"].as_u64().unwrap() + 1).into();
            let file = scratch.aside("pushed.json");
            fs::write(&file, state.to_string()).unwrap();
            scratch.terraform(&["state", "push", file.to_str().unwrap()]).expect(0);
        }
    }
}

/// Fails unless the same happens to the same objects.
#[track_caller]
pub fn same(original: &Plan, specialised: &Plan, what: &str) {
    let (want, got) = (fates(original), fates(specialised));
    let ends = [ended(original), ended(specialised)];
    assert!(ends[0] == ends[1], "{what}: other objects end\noriginal {:?}\ntf-phi   {:?}", ends[0], ends[1]);
    assert!(want == got, "{what}: the plans differ\noriginal {want:#?}\ntf-phi   {got:#?}");
}

/// What a plan does with each object, in the order of their tags.
pub fn fates(plan: &Plan) -> Vec<Fate> {
    let managed = plan.resource_changes.iter().filter(|c| c.mode == "managed");
    let one = |c: &tf_phi::terraform::plan_json::ResourceChange| {
        let tag = |v: &Value| v["input"]["tag"].as_str().map(str::to_owned);
        let found = tag(&c.change.before).or_else(|| tag(&c.change.after));
        Fate {
            tag: found.unwrap_or_else(|| panic!("{} has no tag", c.address)),
            actions: c.change.actions.join(" "),
            before: plain(&c.change.before),
            after: plain(&c.change.after),
            unknown: plain(&c.change.after_unknown),
        }
    };
    let mut all: Vec<Fate> = managed.map(one).collect();
    all.sort_by_key(|f| (f.tag.clone(), f.actions.clone(), f.after.to_string()));
    all
}

/// The objects that a plan ends, and how.
pub fn ended(plan: &Plan) -> Vec<String> {
    fates(plan).iter().filter(|f| f.ends()).map(|f| format!("{}: {}", f.tag, f.actions)).collect()
}

/// Whether a plan ends no object.
pub fn ends_nothing(plan: &Plan) -> bool {
    ended(plan).is_empty()
}

/// Without the id, which is made up at each creation.
fn plain(value: &Value) -> Value {
    let mut value = value.clone();
    if let Some(map) = value.as_object_mut() {
        map.remove("id");
    }
    value
}

/// Where the objects are that go on.
fn places(plan: &Plan) -> BTreeSet<&str> {
    let managed = plan.resource_changes.iter().filter(|c| c.mode == "managed");
    let stays = managed.filter(|c| !c.change.actions.iter().any(|a| a == "delete" || a == "forget"));
    stays.map(|c| c.address.as_str()).collect()
}

/// State as it lies on disk, of the workspace that is selected.
fn state(scratch: &Scratch) -> Value {
    let workspace = fs::read_to_string(scratch.dir().join(".terraform/environment")).unwrap_or_default();
    let path = match workspace.trim() {
        _ if scratch.aside("shared.tfstate").is_file() => scratch.aside("shared.tfstate"),
        "" | "default" => scratch.dir().join("terraform.tfstate"),
        name => scratch.dir().join("terraform.tfstate.d").join(name).join("terraform.tfstate"),
    };
    fs::read_to_string(path).map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
}

/// The objects in state.
fn objects(scratch: &Scratch) -> Vec<Object> {
    let state = state(scratch);
    let mut found = Vec::new();
    for resource in state["resources"].as_array().into_iter().flatten().filter(|r| r["mode"] == "managed") {
        let text = |name: &str| resource[name].as_str().unwrap_or_default().to_owned();
        for instance in resource["instances"].as_array().unwrap() {
            let values = &instance["attributes"];
            let deposed = &instance["deposed"];
            let place = [text("module"), text("type"), text("name")].join(".");
            found.push(Object {
                tag: values["input"]["value"]["tag"].as_str().unwrap().to_owned(),
                id: values["id"].as_str().unwrap().to_owned(),
                place: format!("{}[{}]", place.trim_start_matches('.'), instance["index_key"]),
                status: format!("{}{deposed}", instance["status"].as_str().unwrap_or_default()),
                values: plain(values),
            });
        }
    }
    found
}

/// Each object after an apply, with the tag that it had before, where it was there before.
fn survivors(before: &[Object], after: &[Object]) -> Vec<(Option<String>, String, String, Value)> {
    let was = |id: &str| before.iter().find(|o| o.id == id).map(|o| o.tag.clone());
    let one = |o: &Object| (was(&o.id), o.tag.clone(), o.status.clone(), o.values.clone());
    let mut all: Vec<_> = after.iter().map(one).collect();
    all.sort_by_key(|o| (o.1.clone(), o.0.clone(), o.3.to_string()));
    all
}
