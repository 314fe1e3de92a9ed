//! Our hooks beside `terraform fmt` in one configuration of the real pre-commit: what the first attempt at a commit writes, the
//! second one takes as it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Ran, Scratch, terraform};

/// Names a `pre-commit`.
const ENV: &str = "TF_PHI_E2E_PRE_COMMIT";

const MAIN: &str = "variable \"env\" {\n  type = string\n}\n\nmodule \"db\" {\n    source = \"./db\"\n    release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n";
const MODULE: &str = "variable \"release\" {\n  type=string\n}\n\nresource \"terraform_data\" \"app\" {\n  # What the engine is.\n  input=var.release\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\n";

/// `TF_PHI_E2E_PRE_COMMIT`, one on `PATH`, or what `scripts/pre-commit-get` got.
fn pre_commit() -> Option<PathBuf> {
    let named = std::env::var_os(ENV).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = || std::env::split_paths(&path).map(|d| d.join("pre-commit")).find(|p| p.is_file());
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/pre-commit/bin/pre-commit");
    named.or_else(on_path).or_else(|| own.is_file().then_some(own))
}

struct Repository {
    scratch: Scratch,
    program: PathBuf,
}

impl Repository {
    fn run(&self, dir: &Path, program: &str, args: &[&str]) -> Ran {
        let folders = [
            env!("CARGO_BIN_EXE_tf-phi"),
            &terraform().display().to_string(),
            &self.program.display().to_string(),
        ]
        .map(|program| Path::new(program).parent().unwrap().display().to_string());
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(program);
        command.args(args).current_dir(dir);
        command.env("PATH", format!("{}:{path}", folders.join(":")));
        command.env("PRE_COMMIT_HOME", self.scratch.aside("cache")).env("HOME", self.scratch.aside("home"));
        for (name, value) in
            [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("GIT_AUTHOR_NAME", "a")]
        {
            command.env(name, value);
        }
        for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
            command.env(name, "a");
        }
        Ran::of(&command.output().unwrap())
    }

    fn git(&self, args: &[&str]) -> Ran {
        self.run(&self.scratch.dir(), "git", args)
    }

    /// A repository that holds our manifest, as a tag of ours does; its commit.
    fn hooks(&self) -> (PathBuf, String) {
        let dir = self.scratch.aside("hooks");
        fs::create_dir_all(&dir).unwrap();
        fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml"),
            dir.join(".pre-commit-hooks.yaml"),
        )
        .unwrap();
        for args in [&["init", "-q", "."][..], &["add", "-A"], &["commit", "-qm", "hooks"]] {
            self.run(&dir, "git", args).expect(0);
        }
        let commit = self.run(&dir, "git", &["rev-parse", "HEAD"]).expect(0).stdout.trim().to_owned();
        (dir, commit)
    }
}

/// Commits twice under these hooks, of which `fmt` is Terraform's; what both attempts say.
fn converges(program: &Path, hooks: &[&str]) {
    let files = [("main.tf", MAIN), ("db/main.tf", MODULE), ("phi.hcl", PHI)];
    let repository = Repository { scratch: Scratch::with(&files), program: program.to_path_buf() };
    let (dir, commit) = repository.hooks();
    let each = hooks.iter().map(|id| match *id {
        "fmt" => "  - repo: local\n    hooks:\n      - id: fmt\n        name: fmt\n        entry: terraform fmt -recursive\n        \
                  language: system\n        files: \\.tf$\n        pass_filenames: false\n"
            .to_owned(),
        id => format!("  - repo: {}\n    rev: {commit}\n    hooks:\n      - id: {id}\n", dir.display()),
    });
    repository.scratch.write(".pre-commit-config.yaml", &format!("repos:\n{}", each.collect::<String>()));
    repository.git(&["init", "-q", "."]).expect(0);
    let here = repository.scratch.dir();
    repository.run(&here, program.to_str().unwrap(), &["install"]).expect(0);
    repository.git(&["add", "-A"]).expect(0);
    let first = repository.git(&["commit", "-m", "first"]);
    assert_eq!(first.code, 1, "{hooks:?}: {}{}", first.stdout, first.stderr);
    assert!(
        repository.scratch.read("main.tf").contains("module \"db_v15_4\" {"),
        "{hooks:?}: {}",
        first.stderr
    );
    repository.git(&["add", "-A"]).expect(0);
    let second = repository.git(&["commit", "-m", "second"]);
    assert_eq!(second.code, 0, "{hooks:?}: {}{}", second.stdout, second.stderr);
    assert_eq!(repository.git(&["status", "--porcelain"]).expect(0).stdout, "", "{hooks:?}");
    repository.scratch.tf_phi(&["check"]).expect(0);
}

/// Two roots that call one module, a third by itself, and a commit of all.
fn three_roots(program: &Path, hooks: &str) -> Repository {
    let root = MAIN.replace("./db", "../../modules/db");
    let files = [
        ("live/a/main.tf", &*root),
        ("live/a/phi.hcl", PHI),
        ("live/b/main.tf", &*root),
        ("live/b/phi.hcl", PHI),
        ("live/c/main.tf", "locals {\n  x = 1\n}\n"),
        ("modules/db/main.tf", MODULE),
        ("README.md", "x\n"),
    ];
    let repository = Repository { scratch: Scratch::with(&files), program: program.to_path_buf() };
    let (dir, commit) = repository.hooks();
    let config = format!("repos:\n  - repo: {}\n    rev: {commit}\n    hooks:\n{hooks}", dir.display());
    repository.scratch.write(".pre-commit-config.yaml", &config);
    repository.git(&["init", "-q", "."]).expect(0);
    repository.git(&["add", "-A"]).expect(0);
    repository.git(&["commit", "-qm", "first"]).expect(0);
    repository
}

impl Repository {
    /// What the hooks say of what is staged, and how they end.
    fn hooked(&self, more: &[&str]) -> Ran {
        self.git(&["add", "-A"]).expect(0);
        let words = [&["run", "--color=never", "--verbose"], more].concat();
        self.run(&self.scratch.dir(), self.program.to_str().unwrap(), &words)
    }
}

#[test]
fn a_hook_looks_at_what_a_commit_concerns() {
    let Some(program) = pre_commit() else {
        println!("SKIPPED: scripts/pre-commit-get gets a pre-commit, or {ENV} names one");
        return;
    };
    let repository = three_roots(&program, "      - id: tf-phi-check\n");
    let change = |path: &str| {
        let text = repository.scratch.read(path);
        repository.scratch.write(path, &format!("{text}# x\n"));
    };
    let of = |ran: &Ran| {
        let all = ["live/a", "live/b", "live/c"];
        all.into_iter()
            .filter(|root| ran.stdout.contains(&format!("{root}: would change")))
            .collect::<Vec<_>>()
    };
    change("live/a/main.tf");
    let one = repository.hooked(&[]);
    assert_eq!((one.code, of(&one)), (1, vec!["live/a"]), "{}{}", one.stdout, one.stderr);
    assert!(one.stdout.contains("0 of 1 directory up to date"), "{}", one.stdout);
    repository.git(&["reset", "-q", "--hard"]).expect(0);
    change("modules/db/main.tf");
    let both = repository.hooked(&[]);
    assert_eq!((both.code, of(&both)), (1, vec!["live/a", "live/b"]), "{}{}", both.stdout, both.stderr);
    repository.git(&["reset", "-q", "--hard"]).expect(0);
    change("README.md");
    let none = repository.hooked(&[]);
    assert!(none.code == 0 && none.stdout.contains("Skipped"), "{}{}", none.stdout, none.stderr);
    change("live/c/main.tf");
    assert_eq!(repository.hooked(&[]).code, 0, "the others aren't looked at");
    // A file that the commit takes away beside it isn't named.
    fs::remove_file(repository.scratch.dir().join("modules/db/main.tf")).unwrap();
    let gone = repository.hooked(&[]);
    assert!(gone.code == 1 && gone.stdout.contains("modules/db"), "{}{}", gone.stdout, gone.stderr);
    repository.git(&["reset", "-q", "--hard"]).expect(0);
    let all = repository.hooked(&["--all-files"]);
    assert!(all.code == 1 && all.stdout.contains("1 of 3 directories up to date"), "{}", all.stdout);
}

#[test]
fn a_hook_takes_arguments() {
    let Some(program) = pre_commit() else {
        println!("SKIPPED: scripts/pre-commit-get gets a pre-commit, or {ENV} names one");
        return;
    };
    let hooks = "      - id: tf-phi-check\n        args: [live/b, --format, github]\n      - id: tf-phi-validate\n        \
                 args: [--var, env=prod, --format=json]\n";
    let repository = three_roots(&program, hooks);
    repository.scratch.write("modules/db/new.tf", "locals {\n  y = 2\n}\n");
    let ran = repository.hooked(&[]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("::error file=live/b/main.tf"),
        "the form, and the directory: {}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("::error file=live/a"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\"directory\": \"live/a\"") && ran.stdout.contains("\"undecided\""),
        "{}",
        ran.stdout
    );
}

/// `language: rust` builds every binary of the package and runs what `entry` names.
#[test]
fn the_manifest_is_one_of_pre_commit() {
    let Some(program) = pre_commit() else {
        println!("SKIPPED: scripts/pre-commit-get gets a pre-commit, or {ENV} names one");
        return;
    };
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let mut command = Command::new(program);
    let judged = Ran::of(&command.arg("validate-manifest").arg(&manifest).output().unwrap());
    assert_eq!(judged.code, 0, "{}{}", judged.stdout, judged.stderr);
    let binary = Path::new(env!("CARGO_BIN_EXE_tf-phi")).file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(manifest).unwrap();
    let entries: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("entry: ")).collect();
    assert_eq!(entries.len(), 3);
    for entry in entries {
        let words: Vec<&str> = entry.split(' ').collect();
        assert_eq!(words[0], binary);
        // Its options are there.
        let help =
            Command::new(env!("CARGO_BIN_EXE_tf-phi")).args(&words[1..]).arg("--help").output().unwrap();
        assert!(help.status.success(), "{entry}");
    }
}

#[test]
fn the_second_commit_passes() {
    let Some(program) = pre_commit() else {
        println!("SKIPPED: scripts/pre-commit-get gets a pre-commit, or {ENV} names one");
        return;
    };
    converges(&program, &["tf-phi-fix", "fmt", "tf-phi-validate", "tf-phi-check"]);
    converges(&program, &["fmt", "tf-phi-fix", "tf-phi-check"]);
}
