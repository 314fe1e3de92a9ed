//! What every end-to-end test needs: a scratch copy of a tree, the two programs, and plans as data.

#[path = "../tests/cli_common/schemas.rs"]
pub mod schemas;
#[path = "short_lived.rs"]
pub mod short_lived;
#[path = "../tests/sample/mod.rs"]
pub mod sample;

use short_lived::SHORT_LIVED;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

use tf_phi::terraform::plan_json::Plan;

/// The words of `init` that asks nothing.
pub const INIT: &[&str] = &["init", "-input=false", "-no-color"];

/// The environment variable that names the Terraform to test with.
pub const ENV: &str = "TF_PHI_E2E_TERRAFORM";

/// What stays when the originals are back.
const HISTORY: &[&str] = &["history.jsonl", ".gitattributes", "local.json", ".gitignore"];

/// Variables of the person who runs the tests that would change what Terraform does.
const REMOVED: &[&str] = &[
    "TF_IN_AUTOMATION",
    "TF_INPUT",
    "TF_CLI_ARGS",
    "TF_CLI_ARGS_plan",
    "TF_CLI_ARGS_apply",
    "TF_CLI_ARGS_init",
    "TF_DATA_DIR",
    "TF_WORKSPACE",
    "TF_LOG",
    "TF_PHI_TERRAFORM",
    "NO_COLOR",
];

static TERRAFORM: LazyLock<PathBuf> = LazyLock::new(|| {
    let named = std::env::var_os(ENV).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = || std::env::split_paths(&path).map(|d| d.join("terraform")).find(|p| p.is_file());
    let fetched = || {
        let bin = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/bin");
        let mut found: Vec<PathBuf> = fs::read_dir(bin).ok()?.map(|e| e.unwrap().path()).collect();
        found.sort();
        found.pop()
    };
    named.or_else(on_path).or_else(fetched).unwrap_or_else(|| {
        panic!("no Terraform: run scripts/test e2e, which gets one, or set {ENV} to the path of one")
    })
});

/// The Terraform under test.
pub fn terraform() -> &'static Path {
    &TERRAFORM
}

/// What a program printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    pub fn of(output: &Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Fails the test unless it ended with this status.
    #[track_caller]
    pub fn expect(self, code: i32) -> Ran {
        assert!(
            self.code == code,
            "status {} instead of {code}\n{}\n{}",
            self.code,
            self.stdout,
            self.stderr
        );
        self
    }
}

/// A directory of its own for one test, removed in the end.
pub struct Scratch {
    temp: tempfile::TempDir,
    env: BTreeMap<String, String>,
}

impl Scratch {
    /// With files given as (path, text).
    pub fn with(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch { temp: tempfile::tempdir().unwrap(), env: BTreeMap::new() };
        fs::create_dir(scratch.dir()).unwrap();
        fs::write(scratch.cli_config(), "").unwrap();
        for (path, text) in files {
            scratch.write(path, text);
        }
        scratch
    }

    /// With a copy of a folder of the repository.
    pub fn copy_of(folder: &str) -> Scratch {
        let scratch = Scratch::with(&[]);
        scratch.copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), "");
        scratch
    }

    /// Copies a folder into one of the working directory, over what is there.
    pub fn copy(&self, from: &Path, to: &str) {
        copy(from, &self.dir().join(to));
    }

    /// The working directory.
    pub fn dir(&self) -> PathBuf {
        self.temp.path().join("work")
    }

    /// The CLI configuration, outside the working directory; empty unless a test writes one.
    pub fn cli_config(&self) -> PathBuf {
        self.temp.path().join("cli.tfrc")
    }

    /// Sets an environment variable for both programs.
    pub fn env(&mut self, name: &str, value: &str) {
        self.env.insert(name.to_owned(), value.to_owned());
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.dir().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.dir().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    /// Path → bytes of the sources: everything but `.terraform`, state and lock files, the history, which outlives sources, and what
    /// leads home beside them.
    pub fn sources(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(&self.dir(), &self.dir(), &mut found);
        let leads_home = |text: &[u8]| text.starts_with(b"# Generated by tf-phi: the way home.");
        found.retain(|path, text| path != Path::new("phi.moved.tf") || !leads_home(text));
        found
    }

    /// Path → bytes and time of last change of everything, whatever its name.
    pub fn everything(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        let mut found = BTreeMap::new();
        stamped(&self.dir(), &mut found);
        found
    }

    /// A path outside the working directory.
    pub fn aside(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// A program called `terraform`, alone in a folder outside the working directory, made from a shell script.
    pub fn fake(&self, script: &str) -> PathBuf {
        let path = self.aside("fake/terraform");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A command in the working directory, with the environment cleaned.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir()).stdin(Stdio::null());
        for name in REMOVED {
            command.env_remove(name);
        }
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TF_VAR_") {
                command.env_remove(name);
            }
        }
        command
            .env("TF_CLI_CONFIG_FILE", self.cli_config())
            .env("CHECKPOINT_DISABLE", "1")
            .envs(SHORT_LIVED)
            .env("TF_PHI_TERRAFORM", terraform())
            .envs(&self.env);
        command
    }

    /// Runs Terraform itself.
    pub fn terraform(&self, args: &[&str]) -> Ran {
        let output = self.command(terraform()).args(args).output().unwrap();
        Ran::of(&output)
    }

    /// The version of the Terraform that is tested, as its `version -json` says it.
    pub fn version(&self) -> String {
        let said = self.terraform(&["version", "-json"]).expect(0).stdout;
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        said["terraform_version"].as_str().unwrap().to_owned()
    }

    /// Runs tf-phi. Whatever JSON it prints, and its record, have to be as their schemas say.
    #[track_caller]
    pub fn tf_phi(&self, args: &[&str]) -> Ran {
        let output = self.command(Path::new(env!("CARGO_BIN_EXE_tf-phi"))).args(args).output().unwrap();
        let ran = Ran::of(&output);
        schemas::judge(&ran.stdout);
        schemas::judge(&ran.stderr);
        let record = self.dir().join(".phi/provenance.json");
        if ran.code == 0
            && let Ok(text) = fs::read_to_string(record)
        {
            schemas::judge(&text);
        }
        ran
    }

    /// `tf-phi plan` with these arguments, which has to succeed.
    #[track_caller]
    pub fn phi(&self, args: &[&str]) -> Ran {
        self.tf_phi(&[&["plan", "-input=false", "-no-color"][..], args].concat()).expect(0)
    }

    /// Plans with tf-phi and reads the plan, which stays in the file that is given back.
    #[track_caller]
    pub fn phi_plan(&self, args: &[&str]) -> (Plan, PathBuf) {
        let file = self.aside("phi.out");
        let out = format!("-out={}", file.display());
        self.phi(&[&[out.as_str()][..], args].concat());
        (self.show(&file), file)
    }

    /// Makes a Git repository of it, with one commit.
    pub fn commit(&self) {
        let own = ["-c", "user.name=t", "-c", "user.email=t@t"];
        for args in [&["init", "-q"][..], &["add", "-A"], &["commit", "-q", "-m", "first"]] {
            assert!(self.command(Path::new("git")).args(own).args(args).status().unwrap().success());
        }
    }

    #[track_caller]
    pub fn init(&self) {
        self.terraform(&["init", "-input=false", "-no-color"]).expect(0);
    }

    /// Plans with Terraform itself and reads the plan.
    #[track_caller]
    pub fn plan(&self, args: &[&str]) -> Plan {
        let file = self.temp.path().join("plan.out");
        let out = format!("-out={}", file.display());
        let all = [&["plan", "-input=false", "-no-color", &out][..], args].concat();
        self.terraform(&all).expect(0);
        self.show(&file)
    }

    /// Reads a saved plan.
    #[track_caller]
    pub fn show(&self, file: &Path) -> Plan {
        let shown = self.terraform(&["show", "-json", file.to_str().unwrap()]).expect(0);
        Plan::parse(shown.stdout.as_bytes()).unwrap()
    }

    #[track_caller]
    pub fn apply(&self, args: &[&str]) {
        let all = [&["apply", "-auto-approve", "-input=false", "-no-color"][..], args].concat();
        self.terraform(&all).expect(0);
    }
}

/// What a plan does with one resource instance.
#[derive(Debug, PartialEq)]
pub struct Action {
    /// `create`, `no-op`, `delete create`…
    pub actions: String,
    pub after: serde_json::Value,
    pub from: Option<String>,
}

/// Address → what is done.
pub fn actions(plan: &Plan) -> BTreeMap<String, Action> {
    let one = |c: &tf_phi::terraform::plan_json::ResourceChange| Action {
        actions: c.change.actions.join(" "),
        after: c.change.after.clone(),
        from: c.previous_address.clone(),
    };
    plan.resource_changes.iter().map(|c| (c.address.clone(), one(c))).collect()
}

fn stamped(dir: &Path, found: &mut BTreeMap<PathBuf, (Vec<u8>, SystemTime)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            stamped(&path, found);
            continue;
        }
        let time = fs::symlink_metadata(&path).unwrap().modified().unwrap();
        found.insert(path.clone(), (fs::read(&path).unwrap(), time));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap_or_else(|e| panic!("{}: {e}", from.display())) {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.file_name().is_some_and(|name| name == ".git") {
            continue;
        }
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn collect(root: &Path, dir: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == ".terraform"
            || name == ".terraform.lock.hcl"
            || name.contains(".tfstate")
            || HISTORY.contains(&&*name)
        {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, found);
        } else if let Ok(to) = fs::read_link(&path) {
            // Another link to the same text is another source.
            found.insert(path.strip_prefix(root).unwrap().into(), to.into_os_string().into_encoded_bytes());
        } else {
            found.insert(path.strip_prefix(root).unwrap().into(), fs::read(&path).unwrap());
        }
    }
}
