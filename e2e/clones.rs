//! CI: each run in a clone made anew, one state for all, and no history that anybody committed. Every plan and apply beside a twin under plain
//! Terraform. What docs/ci.md says to run is read from there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::kept::twin::{Mode, Twin, same};
use crate::support::{INIT, Ran, Scratch, terraform};

const CHOICE: &str = "var.env == \"prod\" ? \"15.4\" : \"14.9\"";
const ENV: &str = "variable \"env\" {\n  default = \"dev\"\n}\n";
const PIN: &str = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";

/// A resource whose `input` has a value that may be pinned.
fn resource(name: &str, repeat: &str, v: &str, tag: &str) -> String {
    format!(
        "resource \"terraform_data\" \"{name}\" {{\n  {repeat}\n  input = {{ v = {v}, tag = \"{name} {tag}\" }}\n}}\n"
    )
}

/// A state of its own for each side, outside of every clone.
fn keep_state_outside(twin: &Twin) {
    for scratch in [&twin.phi, &twin.plain] {
        let path = scratch.aside("shared.tfstate");
        let path = path.display();
        scratch.write(
            "backend.tf",
            &format!("terraform {{\n  backend \"local\" {{\n    path = \"{path}\"\n  }}\n}}\n"),
        );
    }
}

/// Every kind of unit: a resource, counted and keyed ones, keys that sit in different copies, and calls of the same kinds.
fn all_kinds() -> Vec<(&'static str, String)> {
    let keys = format!("for_each = {{ a = \"1\", b = {CHOICE} }}");
    let inner = [
        "variable \"release\" {}\nvariable \"tag\" {}\n".to_owned(),
        resource("db", "", "var.release", "${var.tag}"),
        resource("more", "count = 2", "\"m\"", "${var.tag} ${count.index}"),
    ];
    let main = [
        ENV.to_owned(),
        resource("one", "", CHOICE, ""),
        resource("counted", "count = 2", CHOICE, "${count.index}"),
        resource("keyed", &keys, "each.value", "${each.key}"),
        format!("module \"call\" {{\n  source  = \"./m\"\n  release = {CHOICE}\n  tag     = \"call\"\n}}\n"),
        format!(
            "module \"calls\" {{\n  source   = \"./m\"\n  {keys}\n  release  = each.value\n  tag      = each.key\n}}\n"
        ),
    ];
    vec![("main.tf", main.concat()), ("m/main.tf", inner.concat())]
}

/// What a clone has in `phi.hcl`, and how it is run.
#[derive(Clone, Copy, Debug)]
struct Clone {
    pin: bool,
    keep: Option<bool>,
    env: &'static str,
}

impl Clone {
    fn phi_hcl(self) -> String {
        let keep = self.keep.map(|keep| format!("settings {{\n  keep = {keep}\n}}\n"));
        format!("{}{}", if self.pin { PIN } else { "" }, keep.unwrap_or_default())
    }
}

/// Nothing of earlier runs is there: what is committed, and what `tf-phi init` installs.
fn clone_anew(twin: &Twin, files: &[(&str, String)], phi_hcl: &str) {
    fs::remove_dir_all(twin.phi.dir()).unwrap();
    for (path, text) in files {
        twin.phi.write(path, text);
    }
    keep_state_outside(twin);
    if !phi_hcl.is_empty() {
        twin.phi.write("phi.hcl", phi_hcl);
    }
    twin.phi.tf_phi(INIT).expect(0);
}

/// Plans in one clone and applies in another, or in the same one.
#[track_caller]
fn step(twin: &Twin, files: &[(&str, String)], clone: Clone, elsewhere: bool) {
    let what = format!("{clone:?}");
    clone_anew(twin, files, &clone.phi_hcl());
    let env = format!("-var=env={}", clone.env);
    let saved = twin.phi.aside("saved.plan");
    let out = format!("-out={}", saved.display());
    let mut words = vec!["plan", "-input=false", "-no-color", &out, &env];
    words.extend(clone.keep.is_none().then_some("--ephemeral"));
    let ran = twin.phi.tf_phi(&words);
    assert!(ran.code == 0, "{what}: {}", ran.stderr);
    same(&twin.plain.plan(&[&env]), &twin.phi.show(&saved), &what);
    if elsewhere {
        clone_anew(twin, files, &clone.phi_hcl());
    }
    let words = ["apply", "-input=false", "-no-color", saved.to_str().unwrap()];
    twin.apply_by(&[&env], 0, &what, || twin.phi.tf_phi(&words));
}

/// A tree and its twin, both with their states outside.
fn begun(files: &[(&str, String)]) -> Twin {
    let all: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let twin = Twin::beside(Mode::Ephemeral, &all, &all);
    keep_state_outside(&twin);
    twin.plain.init();
    twin
}

/// Values flip, pins come and go, and `keep` is one thing here and another there. Nobody is asked anything.
#[test]
fn one_state_and_no_history() {
    let files = all_kinds();
    let twin = begun(&files);
    for (at, (keep, pin, env)) in [
        (None, true, "prod"),
        (Some(false), true, "prod"),
        (Some(true), true, "dev"),
        (None, true, "prod"),
        (None, false, "prod"),
        (Some(true), true, "prod"),
        (Some(true), false, "dev"),
        (None, true, "dev"),
        (None, false, "prod"),
    ]
    .into_iter()
    .enumerate()
    {
        step(&twin, &files, Clone { pin, keep, env }, at % 2 == 0);
    }
}

/// The pin is gone, and with it all that tells of it. What the present sources have no branch for may be anybody's.
#[test]
fn what_no_branch_says_is_asked() {
    let own = |v: &str| resource("one_v13_1", "count = 1", v, "");
    let text = |more: &str| vec![("main.tf", format!("{ENV}{}{more}", resource("one", "", CHOICE, "")))];
    // A value that no branch has; a value of a branch under another's name.
    for v in ["\"13.1\"", "\"15.4\""] {
        let before = vec![("main.tf", format!("{ENV}{}", own(v)))];
        let twin = begun(&before);
        twin.phi.init();
        twin.both(&["apply", "-auto-approve", "-input=false"]);
        clone_anew(&twin, &text(""), "");
        let ran = twin.phi.tf_phi(&["plan", "-input=false", "--ephemeral", "-var=env=prod"]).expect(1);
        let summary = "state holds terraform_data.one_v13_1[0], which may be a copy of terraform_data.one";
        assert!(ran.stderr.contains(summary), "{}", ran.stderr);
        // Both answers work; committed, they hold in every clone.
        twin.phi.tf_phi(&["history", "--own", "terraform_data.one_v13_1[0]"]).expect(0);
        let history = twin.phi.read(".phi/history.jsonl");
        let files = [text(""), vec![(".phi/history.jsonl", history)]].concat();
        twin.plain.write("main.tf", &text("")[0].1);
        step(&twin, &files, Clone { pin: false, keep: None, env: "prod" }, true);
    }
}

/// The text of a file that docs/ci.md has whole, by its first line.
fn on_the_page(name: &str) -> String {
    let page = include_str!("../docs/ci.md");
    let (_, text) = page.split_once(&format!("```yaml\n# {name}\n")).unwrap_or_else(|| panic!("no {name}"));
    text.split_once("```").unwrap().0.to_owned()
}

/// The commands of a step or a script, in order, but those that install tf-phi.
fn commands(text: &str) -> Vec<String> {
    let runs = text.lines().map(str::trim).filter_map(|line| {
        line.strip_prefix("- run: ").or_else(|| line.strip_prefix("- ")).filter(|c| c.starts_with("tf-phi"))
    });
    runs.map(str::to_owned).collect()
}

/// Runs a line as a shell of the service does.
fn shell(scratch: &Scratch, line: &str, env: &[(&str, &str)]) -> Ran {
    let programs = scratch.aside("programs");
    fs::create_dir_all(&programs).unwrap();
    for (name, to) in [("tf-phi", Path::new(env!("CARGO_BIN_EXE_tf-phi"))), ("terraform", terraform())] {
        let _ = std::os::unix::fs::symlink(to, programs.join(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all: Vec<PathBuf> = std::iter::once(programs).chain(std::env::split_paths(&path)).collect();
    let mut command = scratch.command(Path::new("sh"));
    command.env("PATH", std::env::join_paths(all).unwrap()).envs(env.iter().copied());
    Ran::of(&command.args(["-ec", line]).output().unwrap())
}

const PROTECTED: &str = "variable \"env\" {\n  default = \"dev\"\n}\nresource \"terraform_data\" \"db\" {\n  input = { tag = \"db\", env = \
    var.env }\n  lifecycle {\n    prevent_destroy = PROTECT\n  }\n}\n";

/// The flows that plan in one step and apply in another, on a tree that Terraform rejects: each pull request in a clone of its own.
#[test]
fn atlantis_and_jobs_that_apply() {
    for name in ["repos.yaml", ".github/workflows/apply.yml"] {
        let text = |protect: &str| vec![("main.tf", PROTECTED.replace("PROTECT", protect))];
        let (files, plain) = (text("var.env == \"prod\""), text("false"));
        let twin = begun(&plain);
        let lines = commands(&on_the_page(name));
        assert_eq!(lines.len(), 3, "{name}: {lines:?}");
        for env in ["dev", "prod", "dev"] {
            fs::remove_dir_all(twin.phi.dir()).unwrap();
            files.iter().for_each(|(path, text)| twin.phi.write(path, text));
            keep_state_outside(&twin);
            let saved = twin.phi.aside("plan");
            let given = [("PLANFILE", saved.to_str().unwrap()), ("TF_VAR_env", env)];
            let line = |at: usize| shell(&twin.phi, &lines[at], &given);
            line(0).expect(0);
            line(1).expect(0);
            twin.apply_by(&[&format!("-var=env={env}")], 0, name, || line(2));
        }
    }
}

/// A specialised tree in the repository: what GitLab runs in a merge request, and what HCP Terraform plans from the clone without tf-phi.
#[test]
fn gitlab_and_hcp_with_a_committed_tree() {
    let files = [("main.tf", format!("{ENV}{}", resource("one", "", CHOICE, "")))];
    let twin = begun(&files);
    let prod = "-var=env=prod";
    let git = |args: &[&str]| {
        let own = ["-c", "user.name=t", "-c", "user.email=t@t"];
        assert!(twin.phi.command(Path::new("git")).args(own).args(args).status().unwrap().success());
    };
    twin.phi.write("live/app/phi.hcl", PIN);
    for path in ["main.tf", "backend.tf"] {
        twin.phi.write(&format!("live/app/{path}"), &twin.phi.read(path));
        fs::remove_file(twin.phi.dir().join(path)).unwrap();
    }
    twin.phi.write(".gitignore", ".terraform/\n");
    let own = |args: &[&str]| twin.phi.tf_phi(&[&["-chdir=live/app"][..], args].concat());
    own(INIT).expect(0);
    own(&["plan", "-input=false", prod]).expect(0);
    for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "base"]] {
        git(args);
    }
    let base = twin.phi.command(Path::new("git")).args(["rev-parse", "HEAD"]).output().unwrap().stdout;
    let base = String::from_utf8(base).unwrap();
    // HCP's clone: bare Terraform, for the values of the last run.
    let bare = |args: &[&str]| twin.phi.terraform(&[&["-chdir=live/app"][..], args].concat());
    bare(INIT).expect(0);
    let applied = ["apply", "-auto-approve", "-input=false", "-no-color", prod];
    twin.apply_by(&[prod], 0, "committed", || bare(&applied));
    // Other values stop there, and destroy nothing.
    let ran = bare(&["plan", "-input=false", "-no-color", "-var=env=dev"]).expect(1);
    assert!(ran.stderr.contains("Moved object still exists"), "{}", ran.stderr);
    // An edit, and the next merge request.
    let path = "live/app/main.tf";
    own(&["restore"]).expect(0);
    for (scratch, path) in [(&twin.phi, path), (&twin.plain, "main.tf")] {
        scratch.write(path, &scratch.read(path).replace("15.4", "16.2"));
    }
    own(&["plan", "-input=false", prod]).expect(0);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "head"]);
    let lines = commands(&on_the_page(".gitlab-ci.yml"));
    assert_eq!(lines.len(), 2, "{lines:?}");
    for line in lines {
        shell(&twin.phi, &line, &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", base.trim())]).expect(0);
    }
    assert!(twin.phi.read("review.md").contains("16.2"), "{}", twin.phi.read("review.md"));
    twin.apply_by(&[prod], 0, "committed", || bare(&applied));
}
