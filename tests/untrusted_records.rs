//! What a clone brings with it in `.phi`: nothing is written, deleted or printed because of it.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;

use cli_common::Scratch;
use serde_json::json;
use std::os::unix::fs::symlink;

const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "--fix"],
    &["check", "--diff"],
    &["trace"],
    &["diff"],
    &["graph"],
    &["explain", "terraform_data.a"],
    &["plan", "--dry-run"],
    &["plan"],
    &["restore"],
    &["restore", "--dry-run"],
    &["verify"],
    &["history"],
];

/// Paths that no record may name, or that lead out of the tree.
const PATHS: &[&str] = &[
    ".git/config",
    ".git/hooks/post-checkout",
    ".GIT/config",
    "sub/.git/config",
    ".git/modules/modules.json",
    "../outside.tf",
    "a/../../outside.tf",
    "/etc/hostname",
    "/tmp/x.tf",
    "out/outside.tf",
    "out.tf",
    "notes.txt",
    ".bashrc",
    ".github/workflows/x.tf",
    ".vscode/tasks.json",
    "a\nb.tf",
    "a\u{0}b.tf",
    "",
    ".",
    ".phi/../.git/config",
    "./.git/config",
];

const SECRET: &str = "resource \"secret\" \"of\" {}\n# token = \"hunter2\"\n";

fn tree() -> Scratch {
    let scratch = Scratch::new([
        ("main.tf", "resource \"terraform_data\" \"a\" {\n  input = \"x\"\n}\n"),
        (".git/config", "[core]\n"),
        (".git/HEAD", "ref: refs/heads/main\n"),
        ("sub/.git/config", "[core]\n"),
        ("notes.txt", "hunter2\n"),
        (".bashrc", "hunter2\n"),
    ]);
    std::fs::write(scratch.path("outside.tf"), SECRET).unwrap();
    std::fs::create_dir(scratch.tree().join(".phi")).unwrap();
    symlink("..", scratch.tree().join("out")).unwrap();
    scratch
}

/// Everything around the tree, too. Only what tf-phi keeps for itself may come.
fn all(scratch: &Scratch) -> Vec<(std::path::PathBuf, Option<Vec<u8>>)> {
    let mut out: Vec<_> =
        scratch.snapshot().into_iter().filter(|(p, _)| !p.starts_with(scratch.tree().join("out"))).collect();
    out.push((scratch.path("outside.tf"), std::fs::read(scratch.path("outside.tf")).ok()));
    out
}

/// Every command leaves all as it was, and prints nothing from elsewhere.
fn harmless(make: &dyn Fn(&Scratch), what: &str) -> usize {
    for args in COMMANDS {
        let scratch = tree();
        make(&scratch);
        let before = all(&scratch);
        let done = scratch.run(args);
        assert_eq!(all(&scratch), before, "{what}: {args:?}\n{}", done.err);
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("hunter2") && !said.contains("root:x"), "{what}: {args:?} prints\n{said}");
        assert_eq!(done.code, Some(1), "{what}: {args:?}\n{said}");
    }
    COMMANDS.len()
}

fn put(scratch: &Scratch, name: &str, text: &str) {
    std::fs::write(scratch.tree().join(".phi").join(name), text).unwrap();
}

#[test]
fn forged_records() {
    let mut tried = 0;
    for path in PATHS.iter().filter(|p| **p != "out.tf" && **p != "out/outside.tf") {
        for created in [true, false] {
            let file = json!({ "path": path, "created": created, "sha256": "00", "replaced": [
                { "at": 0, "written": "[core]\n", "original": "[core]\n  fsmonitor = evil\n" } ] });
            let record = json!({ "format_version": "1.0", "naming": 1, "specializations": [], "units": [], "files": [file] });
            tried +=
                harmless(&|s| put(s, "provenance.json", &record.to_string()), &format!("record of {path:?}"));
        }
    }
    assert!(tried > 400, "{tried}");
}

#[test]
fn forged_markers() {
    let mut tried = 0;
    for path in PATHS.iter().chain(&["main.tf"]) {
        for before in [json!("[core]\n  fsmonitor = evil\n"), json!(null)] {
            for seal in ["", "00", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"] {
                let file = json!({ "path": path, "before": before, "written": "00" });
                let marker = json!({ "format_version": "1.0", "files": [file], "dirs": ["sub", ".git"], "seal": seal });
                tried += harmless(
                    &|s| put(s, "ephemeral.json", &marker.to_string()),
                    &format!("marker of {path:?}"),
                );
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn forged_journals() {
    let mut tried = 0;
    for path in PATHS.iter().chain(&["main.tf"]) {
        for name in ["journal", "journal.committed"] {
            let side = json!({ "hash": "00", "beside": ".phi-0.old~" });
            let entry = json!({ "path": path, "old": side, "new": null });
            let journal = json!({ "format": 2, "created_dirs": [".git"], "own_dirs": ["sub"], "entries": [entry], "seal": "00" });
            tried += harmless(&|s| put(s, name, &journal.to_string()), &format!("{name} of {path:?}"));
        }
    }
    assert!(tried > 500, "{tried}");
}

type Make = fn(&std::path::Path);

/// What may stand where a file is expected.
const ODD: &[(&str, Make)] = &[
    ("a link out", |p| {
        let ups = p.components().rev().take_while(|c| c.as_os_str() != "tree").count();
        symlink(format!("{}outside.tf", "../".repeat(ups)), p).unwrap();
    }),
    ("a link to a device", |p| symlink("/dev/zero", p).unwrap()),
    ("a link to the environment", |p| symlink("/proc/self/environ", p).unwrap()),
    ("a dangling link", |p| symlink("nowhere", p).unwrap()),
    ("a folder", |p| std::fs::create_dir(p).unwrap()),
    ("a pipe", |p| assert!(std::process::Command::new("mkfifo").arg(p).status().unwrap().success())),
    ("10 GB", |p| std::fs::File::create(p).unwrap().set_len(10 << 30).unwrap()),
];

/// One run over a tree with an odd file: what it says, and its status.
fn odd(name: &str, make: Make, args: &[&str], pin: &str) -> (String, Option<i32>) {
    let scratch = tree();
    if !pin.is_empty() {
        std::fs::write(scratch.tree().join("phi.hcl"), pin).unwrap();
    }
    let path = scratch.tree().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    make(&path);
    let mut command = scratch.command(args);
    let done = command.env("TOKEN", "hunter2").env("CI", "true").output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(!said.contains("hunter2"), "{name}: {args:?} prints\n{said}");
    assert_eq!(std::fs::read_to_string(scratch.path("outside.tf")).unwrap(), SECRET);
    (said, done.status.code())
}

/// What tf-phi reads is a file of the tree's own: neither a link out of it, nor a device, a pipe, a folder, or something endless.
#[test]
fn odd_files_where_records_are() {
    for name in
        [".phi/provenance.json", ".phi/history.jsonl", ".phi/ephemeral.json", ".phi/journal", "phi.hcl"]
    {
        for (what, make) in ODD {
            for args in COMMANDS {
                let (said, code) = odd(name, *make, args, "");
                // What is restored doesn't depend on what is asked for.
                if (name, args[0]) != ("phi.hcl", "restore") {
                    assert_eq!(code, Some(1), "{name} is {what}: {args:?}\n{said}");
                }
            }
        }
    }
}

/// The same of everything else that is read; with `TF_PHI_WHOLE` each name with each odd file under each command. A link may lead a source elsewhere; nothing of what stands there is quoted.
#[test]
fn odd_files_where_sources_are() {
    const PIN: &str = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";
    const NAMES: &[&str] = &[
        "z.tf",
        "z.tf.json",
        "z_override.tf",
        "terraform.tfvars",
        "terraform.tfvars.json",
        "z.auto.tfvars",
        "z.tftest.hcl",
        "tests/z.tftest.json",
        ".terraform.lock.hcl",
        ".terraform/environment",
        ".terraform/modules/modules.json",
        "phi.moved.tf",
    ];
    let whole = std::env::var_os("TF_PHI_WHOLE").is_some();
    for (n, name) in NAMES.iter().enumerate() {
        for (o, (what, make)) in ODD.iter().enumerate() {
            let some = COMMANDS.iter().enumerate().filter(|(c, _)| whole || (n + o + c) % 3 == 0);
            for (_, args) in some {
                let (said, code) = odd(name, *make, args, PIN);
                assert!(matches!(code, Some(0 | 1 | 3)), "{name} is {what}: {args:?} {code:?}\n{said}");
                // Terraform reads no folder, and nothing that isn't there.
                let source = name.ends_with(".tf") || name.ends_with(".tf.json");
                let endless = ["a link to a device", "a pipe", "10 GB"].contains(what);
                if source && endless && args[0] != "restore" {
                    assert_eq!(code, Some(1), "{name} is {what}: {args:?}\n{said}");
                }
            }
        }
    }
}

#[test]
fn the_lock_is_no_way_out() {
    for target in ["../../outside.tf", "../main.tf", "../new", "/dev/full"] {
        let scratch = tree();
        symlink(target, scratch.tree().join(".phi/lock")).unwrap();
        let before = all(&scratch);
        for args in [&["plan"][..], &["check", "--fix"], &["restore"]] {
            let done = scratch.run(args);
            assert_eq!(done.code, Some(1), "{target} {args:?}\n{}", done.err);
            assert_eq!(all(&scratch), before, "{target} {args:?}");
        }
    }
}

/// What stands behind a comment's line break would be configuration.
#[test]
fn a_folder_with_a_line_break_in_its_name() {
    let name = "m\nresource \"terraform_data\" \"evil\" {}\n#";
    let child = "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";
    let main = "variable \"env\" {}\nmodule \"m\" {\n  source = \"./m\\nresource \\\"terraform_data\\\" \\\"evil\\\" {}\\n#\"\n  \
                v      = var.env == \"a\" ? \"1\" : \"2\"\n}\n";
    let inner = format!("{name}/main.tf");
    let phi = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::new([("main.tf", main), (inner.as_str(), child), ("phi.hcl", phi)]);
    for args in [&["diff"][..], &["check", "--fix"]] {
        let done = scratch.run(args);
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("\n+resource \"terraform_data\" \"evil\""), "{args:?}\n{said}");
        assert!(!said.contains("\nresource \"terraform_data\" \"evil\""), "{args:?}\n{said}");
    }
    let written = std::fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
    assert!(!written.lines().any(|l| l.starts_with("resource \"terraform_data\" \"evil\"")), "{written}");
}

/// A link may lead Terraform to a file of somebody else; tf-phi shows no line of it. What a link inside leads to is the tree's own.
#[test]
fn no_line_of_a_foreign_source_is_shown() {
    let text = "locals {\n  token = ? hunter2\n}\n";
    let pin = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";
    let shows = |make: &dyn Fn(&Scratch)| {
        let scratch = tree();
        std::fs::write(scratch.tree().join("phi.hcl"), pin).unwrap();
        std::fs::create_dir_all(scratch.path("other")).unwrap();
        std::fs::write(scratch.path("other/main.tf"), text).unwrap();
        std::fs::create_dir_all(scratch.tree().join("own")).unwrap();
        std::fs::write(scratch.tree().join("own/main.tf"), text).unwrap();
        make(&scratch);
        let mut shown = 0;
        for args in [&["check"][..], &["trace"], &["trace", "--all"], &["check", "--format", "markdown"]] {
            let done = scratch.run(args);
            let said = format!("{}{}", done.out, done.err);
            assert!(said.contains("main.tf") || said.contains("z.tf"), "{args:?}\n{said}");
            shown += usize::from(said.contains("hunter2"));
        }
        shown
    };
    let call = |scratch: &Scratch, source: &str| {
        let text = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
        std::fs::write(scratch.tree().join("m.tf"), text).unwrap();
    };
    let link = |scratch: &Scratch, to: &str, name: &str| symlink(to, scratch.tree().join(name)).unwrap();
    assert_eq!(shows(&|s| link(s, "../other/main.tf", "z.tf")), 0);
    assert_eq!(
        shows(&|s| {
            link(s, "../other", "m");
            call(s, "./m");
        }),
        0
    );
    // Beyond the work tree of Git, a call leads to somebody else's as well.
    assert_eq!(shows(&|s| call(s, "../other")), 0);
    assert!(shows(&|s| link(s, "own/main.tf", "z.tf")) > 2);
    assert!(shows(&|s| call(s, "./own")) > 2);
}

/// Terraform's list of modules is written where Terraform has it, but not behind a link out of the tree.
#[test]
fn no_list_of_modules_is_written_behind_a_link() {
    let main = "variable \"env\" {\n  default = \"dev\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  v      = var.env == \"prod\" ? \"2\" : \"1\"\n}\n";
    let list = "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},{\"Key\":\"m\",\"Source\":\"./m\",\"Dir\":\"m\"}]}";
    for outside in [true, false] {
        let scratch = Scratch::new([
            ("main.tf", main),
            (
                "m/main.tf",
                "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v }\n}\n",
            ),
            ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n"),
        ]);
        let data = if outside { scratch.path("data") } else { scratch.tree().join("data") };
        std::fs::create_dir_all(data.join("modules")).unwrap();
        std::fs::write(data.join("modules/modules.json"), list).unwrap();
        symlink(if outside { "../data" } else { "data" }, scratch.tree().join(".terraform")).unwrap();
        for args in [&["plan", "-input=false"][..], &["restore"]] {
            let done = scratch.run(args);
            assert_eq!(done.code, Some(0), "{args:?}\n{}", done.err);
        }
        let now = std::fs::read_to_string(data.join("modules/modules.json")).unwrap();
        assert_eq!(now == list, outside, "{now}");
    }
}
