//! Which variable files count, held against Git itself: what `git check-ignore` says of each file in random trees.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods
)]

#[allow(dead_code)]
#[path = "cli_common/schemas.rs"]
mod schemas;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const FOLDERS: [&str; 7] = ["", "env/", "env/eu/", "env/us/", "vars/", "a b/", "env/eu/deep/"];
const NAMES: [&str; 5] = ["prod.tfvars", "dev.tfvars", "x.auto.tfvars", "terraform.tfvars", "q.tfvars.json"];
const PATTERNS: [&str; 24] = [
    "*.tfvars",
    "!prod.tfvars",
    "env/",
    "/env",
    "env/*",
    "!env/eu",
    "**/eu/*.tfvars",
    "dev.*",
    "/prod.tfvars",
    "eu/",
    "*.json",
    "!/vars/**",
    "vars/*",
    "# a comment",
    "\\#odd",
    "a b/",
    "a\\ b/dev.tfvars",
    "de[a-v].tfvars",
    "!*.auto.tfvars",
    "infra/env/us/",
    "infra/**/dev.tfvars",
    "*.tfvars   ",
    "en?/",
    "deep",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn list(&mut self) -> String {
        (0..1 + self.below(4)).map(|_| format!("{}\n", PATTERNS[self.below(PATTERNS.len())])).collect()
    }
}

fn git(dir: &Path, args: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.current_dir(dir).args(args).stdout(Stdio::null()).stderr(Stdio::null());
    // A user's own list is no part of the tree.
    command.env("HOME", dir).env("XDG_CONFIG_HOME", dir).env("GIT_CONFIG_NOSYSTEM", "1");
    command.status().unwrap().success()
}

#[test]
fn as_git_says() {
    let mut random = Random(17);
    let (mut counted, mut excluded) = (0, 0);
    for round in 0..60 {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        assert!(git(dir, &["init", "-q"]));
        let root = dir.join("infra");
        fs::create_dir_all(&root).unwrap();
        fs::write(
            root.join("main.tf"),
            "variable \"s\" {\n  type = string\n}\nresource \"terraform_data\" \"a\" {\n  input = var.s\n}\n",
        )
        .unwrap();
        let pin =
            "settings {\n  branches = 100\n}\nspecialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
        fs::write(root.join("phi.hcl"), pin).unwrap();
        let mut wanted = BTreeSet::new();
        let mut files = Vec::new();
        for folder in FOLDERS {
            for name in NAMES {
                let path = format!("{folder}{name}");
                let text = if name.ends_with("json") {
                    format!("{{\"s\": \"{path}\"}}")
                } else {
                    format!("s = \"{path}\"\n")
                };
                fs::create_dir_all(root.join(folder)).unwrap();
                fs::write(root.join(&path), text).unwrap();
                files.push(path);
            }
        }
        for at in ["", "infra/", "infra/env/", "infra/env/eu/"] {
            if random.below(2) == 0 {
                fs::write(dir.join(at).join(".gitignore"), random.list()).unwrap();
            }
        }
        for path in files {
            if git(dir, &["check-ignore", "-q", "--no-index", &format!("infra/{path}")]) {
                excluded += 1;
            } else {
                wanted.insert(path);
            }
        }
        counted += wanted.len();
        let out = Command::new(env!("CARGO_BIN_EXE_tf-phi"))
            .current_dir(&root)
            .args(["trace", "--json"])
            .output()
            .unwrap();
        schemas::judge(&String::from_utf8_lossy(&out.stdout));
        let told: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let trace = &told["traces"][0];
        let one = [trace.clone()];
        let branches = trace["branches"].as_array().map_or(&one[..], Vec::as_slice);
        let found: BTreeSet<String> =
            branches.iter().filter_map(|b| b["value"].as_str().map(str::to_owned)).collect();
        assert_eq!(found, wanted, "round {round}: {}", String::from_utf8_lossy(&out.stderr));
    }
    assert!(counted > 200 && excluded > 200, "{counted} counted, {excluded} excluded");
}
