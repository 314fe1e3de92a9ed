//! What a clone brings with it in `.phi`: nothing is written, deleted or printed because of it.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

#[path = "untrusted_records/addresses.rs"]
mod addresses;
#[path = "untrusted_records/believed.rs"]
mod believed;
mod cli_common;
mod sample;
#[path = "untrusted_records/strangers.rs"]
mod strangers;

use cli_common::{Done, Scratch};
use sample::{sampled, whole};
use serde_json::json;
use std::os::unix::fs::symlink;

const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "--fix"],
    &["check", "--diff"],
    &["trace"],
    &["validate"],
    &["matrix"],
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
    // The user's own, which Git may ignore.
    "vars/secret.tfvars",
    "terraform.tfvars.json",
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
        ("vars/secret.tfvars", "a = \"hunter2\"\n# [core]\n"),
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

/// Every second command, or with `TF_PHI_WHOLE` every one, leaves all as it was and prints nothing from elsewhere. How many were tried.
fn harmless(make: &dyn Fn(&Scratch), what: &str) -> usize {
    let commands = sampled(COMMANDS, 2, what);
    for args in &commands {
        let scratch = tree();
        make(&scratch);
        let before = all(&scratch);
        let done = scratch.run(args);
        assert_eq!(all(&scratch), before, "{what}: {args:?}\n{}", done.err);
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("hunter2") && !said.contains("root:x"), "{what}: {args:?} prints\n{said}");
        assert_eq!(done.code, Some(1), "{what}: {args:?}\n{said}");
    }
    commands.len()
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
    assert!(tried > 200, "{tried}");
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
    assert!(tried > 500, "{tried}");
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
    assert!(tried > 250, "{tried}");
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
    for (n, name) in NAMES.iter().enumerate() {
        for (o, (what, make)) in ODD.iter().enumerate() {
            let some = COMMANDS.iter().enumerate().filter(|(c, _)| whole() || (n + o + c) % 3 == 0);
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

/// A source, where it stands in the tree or outside of it, and what leads from the tree's `main.tf` and `phi.hcl` to it.
struct Source {
    /// The name of the link in the tree, and what it leads to; none where the tree names the place by itself.
    link: Option<(&'static str, &'static str)>,
    /// What stands there: a file below the folder that is `own` or `../other`, and its text.
    file: (&'static str, &'static str),
    /// `FOLDER` is the folder.
    main: &'static str,
    settings: &'static str,
}

const TAKES_LOCAL: &str = "resource \"terraform_data\" \"a\" {\n  input = { v = local.v }\n}\n";
const TAKES_VARIABLE: &str =
    "variable \"v\" {\n  type = string\n}\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v }\n}\n";
const OUTPUT: &str = "output \"v\" {\n  value = \"hunter2\"\n}\n";
const LOCAL: &str = "locals {\n  v = \"hunter2\"\n}\n";
const GIVEN: &str = "v = \"hunter2\"\n";

fn sources() -> Vec<Source> {
    let takes = |source: &str| {
        let call = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
        let text = format!("{call}{}", TAKES_LOCAL.replace("local.v", "module.m.v"));
        &*Box::leak(text.into_boxed_str())
    };
    let overridden =
        "locals {\n  v = \"x\"\n}\nresource \"terraform_data\" \"a\" {\n  input = { v = local.v }\n}\n";
    let source = |link, file, main, settings| Source { link, file, main, settings };
    vec![
        source(Some(("z.tf", "z.txt")), ("z.txt", LOCAL), TAKES_LOCAL, ""),
        source(
            Some(("z.tf.json", "z.txt")),
            ("z.txt", "{\"locals\": {\"v\": \"hunter2\"}}"),
            TAKES_LOCAL,
            "",
        ),
        source(Some(("z_override.tf", "z.txt")), ("z.txt", LOCAL), overridden, ""),
        source(Some(("m", "m")), ("m/main.tf", OUTPUT), takes("./m"), ""),
        source(Some(("m/main.tf", "m.txt")), ("m.txt", OUTPUT), takes("./m"), ""),
        source(Some(("l", ".")), ("m/main.tf", OUTPUT), takes("./l/m"), ""),
        source(None, ("m/main.tf", OUTPUT), takes("./FOLDER/m"), ""),
        source(
            Some(("e.tfvars", "e.txt")),
            ("e.txt", GIVEN),
            TAKES_VARIABLE,
            "environments = [\"e.tfvars\"]",
        ),
        source(
            Some(("e.tfvars", "e.txt")),
            ("e.txt", GIVEN),
            TAKES_VARIABLE,
            "environments = [\"*.tfvars\"]",
        ),
        source(None, ("e.tfvars", GIVEN), TAKES_VARIABLE, "environments = [\"FOLDER/*.tfvars\"]"),
        source(
            None,
            ("e.json", "{\"v\": \"hunter2\"}"),
            TAKES_VARIABLE,
            "environments = [\"FOLDER/e.json\"]",
        ),
        source(
            Some((".terraform/modules/m", "m")),
            ("m/main.tf", OUTPUT),
            takes("git::https://example.com/m"),
            "",
        ),
    ]
}

/// A pinned field that one variable decides.
const KNOWN: &str = "variable \"v\" {\n  type    = bool\n  default = false\n}\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v ? 1 : 2 }\n}\n";

/// The tree with such a source in `own`, or in `../other`.
fn with_source(source: &Source, folder: &str) -> Scratch {
    let scratch = tree();
    let at = |name: &str| scratch.tree().join(name);
    let write = |path: &std::path::Path, text: &str| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let settings = source.settings.replace("FOLDER", folder);
    let pin = format!(
        "settings {{\n  {settings}\n}}\nspecialize \"terraform_data.a\" {{\n  fields = [\"input.v\"]\n}}\n"
    );
    write(&at("phi.hcl"), &pin);
    write(&at("main.tf"), &source.main.replace("./FOLDER", if folder == "own" { "./own" } else { folder }));
    write(&at(folder).join(source.file.0), source.file.1);
    if let Some((link, to)) = source.link {
        let ups = "../".repeat(link.matches('/').count());
        std::fs::create_dir_all(at(link).parent().unwrap()).unwrap();
        symlink(format!("{ups}{folder}/{to}"), at(link)).unwrap();
    }
    if source.main.contains("git::") {
        let list = r#"{"Modules": [{"Key": "m", "Source": "git::https://example.com/m", "Dir": ".terraform/modules/m"}]}"#;
        write(&at(".terraform/modules/modules.json"), list);
    }
    scratch
}

/// All but the empty folder that a run that writes may leave or take away.
fn sources_of(scratch: &Scratch) -> Vec<(std::path::PathBuf, Option<Vec<u8>>)> {
    all(scratch).into_iter().filter(|(path, _)| *path != scratch.tree().join(".phi")).collect()
}

/// A source that a link or a path leads to out of the tree is not read: no value of it is shown or written. Inside of the tree
/// links are as good as files, and so they are in folders that the user trusts.
#[test]
fn no_value_of_an_outside_source_is_shown() {
    const ALL: &[&[&str]] =
        &[&["check"], &["check", "--fix"], &["trace"], &["trace", "--all"], &["diff"], &["graph"], &["plan"]];
    for source in sources() {
        let what = (source.link, source.file, source.settings);
        for args in ALL {
            let scratch = with_source(&source, "../other");
            let before = sources_of(&scratch);
            let done = scratch.run(args);
            let said = format!("{}{}", done.out, done.err);
            assert!(sources_of(&scratch) == before, "{what:?} {args:?}\n{said}");
            assert!(!said.contains("hunter2"), "{what:?} {args:?}\n{said}");
            assert_eq!(done.code, Some(1), "{what:?} {args:?}\n{said}");
            assert!(
                said.contains("outside") && said.contains("TF_PHI_TRUSTED_DIRS"),
                "{what:?} {args:?}\n{said}"
            );
        }
        let done = with_source(&source, "own").run(&["trace"]);
        assert!(done.out.contains("hunter2"), "{what:?}\n{}{}", done.out, done.err);
        let scratch = with_source(&source, "../other");
        let other = scratch.path("other");
        // What the tree might choose is no place that the user has named.
        for (dirs, shows) in [
            (other.display().to_string(), true),
            (format!(":/nowhere:{}", other.display()), true),
            ("../other".to_owned(), false),
            (scratch.tree().join("out/other").display().to_string(), false),
        ] {
            let done =
                Done::new(scratch.command(&["trace"]).env("TF_PHI_TRUSTED_DIRS", &dirs).output().unwrap());
            assert_eq!(done.out.contains("hunter2"), shows, "{what:?} {dirs}\n{}{}", done.out, done.err);
        }
    }
}

/// Patterns list nothing outside of the tree, and none of them is too much for the program.
#[test]
fn patterns_stay_inside_and_are_answered() {
    let deep = |n: usize| format!("{}a{}", "{".repeat(n), "}".repeat(n));
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("hunter2.tfvars"), "v = true\n").unwrap();
    let away = format!("{}/*", outside.path().display());
    for (setting, pattern) in [
        ("environments", away.clone()),
        ("environments", format!("{}/*.tfvars", outside.path().display())),
        ("environments", deep(1_000)),
        ("environments", "{".repeat(100_000)),
        ("edit", deep(1_000)),
        ("edit", away),
    ] {
        for args in [&["check"][..], &["matrix"], &["trace"], &["diff"], &["validate"]] {
            let scratch = tree();
            std::fs::write(scratch.tree().join("main.tf"), KNOWN).unwrap();
            let phi = format!("settings {{\n  {setting} = [\"{pattern}\"]\n}}\n");
            std::fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
            let done = scratch.run(args);
            let said = format!("{}{}", done.out, done.err);
            assert!(done.code.is_some_and(|code| code <= 3), "{setting} {args:?}: {said}");
            assert!(!said.contains("hunter2") && !said.contains("panicked"), "{setting} {args:?}: {said}");
        }
    }
}

/// Whether a file stands outside is nobody's to ask: the answer is the same where there is none.
#[test]
fn nothing_tells_whether_a_file_stands_outside() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("seen1.tfvars"), "v = true\n").unwrap();
    let away = outside.path().canonicalize().unwrap().display().to_string();
    let said = |name: &str| -> Vec<String> {
        let scratch = tree();
        symlink(format!("{away}/{name}.tfvars"), scratch.tree().join("link.tfvars")).unwrap();
        symlink(&away, scratch.tree().join("folder")).unwrap();
        let block = |file: &str| format!("environment \"e\" {{\n  var_files = [\"{file}\"]\n}}\n");
        let texts = [
            block(&format!("{away}/{name}.tfvars")),
            block("link.tfvars"),
            block(&format!("folder/{name}.tfvars")),
            format!("settings {{\n  environments = [\"{away}/{name}.tfvars\"]\n}}\n"),
            "settings {\n  environments = [\"link.tfvars\"]\n}\n".to_owned(),
            format!("settings {{\n  environments = [\"folder/{name}.tfvars\", \"folder/{name}*\"]\n}}\n"),
        ];
        std::fs::write(scratch.tree().join("main.tf"), KNOWN).unwrap();
        let each = texts.iter().flat_map(|phi| {
            std::fs::write(scratch.tree().join("phi.hcl"), phi).unwrap();
            ["check", "trace", "matrix", "validate"].map(|command| {
                let done = scratch.run(&[command]);
                assert!(done.err.contains("TF_PHI_TRUSTED_DIRS"), "{phi} {command}: {}", done.err);
                format!("{:?} {}{}", done.code, done.out, done.err).replace(name, "NAME")
            })
        });
        each.collect()
    };
    for (there, gone) in said("seen1").into_iter().zip(said("gone1")) {
        assert_eq!(there, gone);
    }
}

/// A test file that can't be read stops no plan, and is not passed over without a word.
#[test]
fn a_test_file_outside_is_a_warning() {
    for (name, text) in [
        ("a.tftest.hcl", "run \"hunter2\" {}\n"),
        ("tests/a.tftest.hcl", "run \"hunter2\" {}\n"),
        ("a.tftest.json", "{\"run\": {\"hunter2\": {}}}"),
    ] {
        let source = Source { link: Some((name, "t.txt")), file: ("t.txt", text), main: KNOWN, settings: "" };
        for args in [&["check", "--fix"][..], &["check"], &["trace"], &["diff"]] {
            let done = with_source(&source, "../other").run(args);
            let said = format!("{}{}", done.out, done.err);
            assert!(
                said.contains("TF_PHI_TRUSTED_DIRS") && said.contains(name) && !said.contains("hunter2"),
                "{name} {args:?}\n{said}"
            );
            assert_ne!(done.code, Some(1), "{name} {args:?}\n{said}");
            let done = with_source(&source, "own").run(args);
            assert!(!done.err.contains("TF_PHI_TRUSTED_DIRS"), "{name} {args:?}\n{}", done.err);
        }
    }
}

/// What this run gives to variables may stand elsewhere only where the user names the file.
#[test]
fn values_of_a_run_come_from_outside_only_by_name() {
    let main = "variable \"v\" {\n  type = string\n  validation {\n    condition = contains([\"a\", \"b\"], var.v)\n    \
                error_message = \"No.\"\n  }\n}\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v }\n}\n";
    for name in ["terraform.tfvars", "terraform.tfvars.json", "z.auto.tfvars", "z.auto.tfvars.json"] {
        let text = if name.ends_with("json") {
            "{\"hunter2\": \"b\", \"v\": \"b\"}"
        } else {
            "hunter2 = 1\nv = \"b\"\n"
        };
        let source =
            Source { link: Some((name, name)), file: (name, text), main, settings: "environments = []" };
        let scratch = with_source(&source, "../other");
        let before = sources_of(&scratch);
        let done = scratch.run(&["plan"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(
            done.code == Some(1) && !said.contains("hunter2") && said.contains("TF_PHI_TRUSTED_DIRS"),
            "{said}"
        );
        assert!(sources_of(&scratch) == before, "{said}");
        std::fs::remove_file(scratch.tree().join(name)).unwrap();
        let done = scratch.run(&["plan", "-var-file", &format!("../other/{name}")]);
        assert_eq!(done.code, Some(0), "{}", done.err);
    }
}

/// Where `TF_DATA_DIR` has Terraform install modules outside of the tree, they are the user's.
#[test]
fn modules_are_installed_where_the_user_says() {
    let source = sources().pop().unwrap();
    let scratch = with_source(&source, "own");
    let data = scratch.path("data");
    std::fs::create_dir_all(data.join("modules/m")).unwrap();
    std::fs::write(data.join("modules/m/main.tf"), OUTPUT).unwrap();
    let list = serde_json::json!({ "Modules": [{ "Key": "m", "Source": "git::https://example.com/m", "Dir": data.join("modules/m") }] });
    std::fs::write(data.join("modules/modules.json"), list.to_string()).unwrap();
    std::fs::remove_dir_all(scratch.tree().join(".terraform")).unwrap();
    symlink(&data, scratch.tree().join(".terraform")).unwrap();
    let shows = |dir: &std::path::Path| {
        let done = Done::new(scratch.command(&["trace"]).env("TF_DATA_DIR", dir).output().unwrap());
        done.out.contains("hunter2")
    };
    assert!(shows(&data));
    // Where the tree's own link leads is not the user's word.
    assert!(!shows(&scratch.tree().join(".terraform")) && !shows(std::path::Path::new(".terraform")));
}

/// Where nothing is pinned, a source that can't be read may hold what has to be specialised.
#[test]
fn a_check_says_what_it_did_not_read() {
    for (what, make) in ODD.iter().filter(|(what, _)| *what != "a folder") {
        for name in ["z.tf", "z.tf.json", "z_override.tf"] {
            let (said, code) = odd(name, *make, &["check"], "");
            assert!(code == Some(1) && said.contains(name), "{name} is {what}: {code:?}\n{said}");
        }
    }
    for text in ["locals {", "locals {\n  v = ?\n}\n"] {
        let scratch = tree();
        std::fs::write(scratch.tree().join("z.tf"), text).unwrap();
        let done = scratch.run(&["check"]);
        assert!(done.code == Some(1) && done.err.contains("z.tf"), "{text}\n{}", done.err);
    }
    // What is there and has nothing to do with it says nothing.
    let scratch = tree();
    std::fs::write(scratch.tree().join("z.tf"), "resource \"a\" \"b\" {\n  count = none\n}\n").unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}

/// A link may lead a written file elsewhere within the tree, but into no folder of another program's.
#[test]
fn links_inside_lead_into_no_other_programs_folder() {
    let main = "variable \"env\" {}\nmodule \"m\" {\n  source = \"./m\"\n  v      = var.env == \"a\" ? \"1\" : \"2\"\n}\n";
    let child = "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v }\n}\n";
    let phi = "specialize \"terraform_data.a\" {\n  fields = [\"input.v\"]\n}\n";
    // What a link is called, where it leads, and whether it may.
    for (name, to, fine) in [
        ("m-v1", ".git", false),
        ("m-v1", ".github", false),
        ("m-v1", "sub/.git", false),
        ("m-v1", "sub", true),
        ("main.tf", ".github/main.tf", false),
        ("main.tf", ".git/main.tf", false),
        ("main.tf", "notes.txt", false),
        ("main.tf", "sub/shared.tf", true),
        (".phi", ".git", false),
        (".phi", "sub", false),
    ] {
        let scratch = tree();
        let at = |name: &str| scratch.tree().join(name);
        for (path, text) in [("main.tf", main), ("m/main.tf", child), ("phi.hcl", phi), (".github/x", "")] {
            std::fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            std::fs::write(at(path), text).unwrap();
        }
        if name == "main.tf" {
            std::fs::rename(at("main.tf"), at(to)).unwrap();
        }
        if name == ".phi" {
            std::fs::remove_dir(at(".phi")).unwrap();
        }
        symlink(to, at(name)).unwrap();
        let before = sources_of(&scratch);
        let done = scratch.run(&["check", "--fix"]);
        assert_eq!(done.code, Some(i32::from(!fine)), "{name} -> {to}\n{}{}", done.out, done.err);
        assert_eq!(sources_of(&scratch) == before, !fine, "{name} -> {to}");
    }
}

/// Terraform's list of modules is written where Terraform has it, but not behind a link, wherever that leads.
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
        let before = all(&scratch);
        for args in [&["init"][..], &["plan", "-input=false"], &["restore"]] {
            let done = scratch.run(args);
            let refused = args != ["restore"];
            assert_eq!(done.code, Some(i32::from(refused)), "{args:?}\n{}", done.err);
            // A list outside of the tree isn't even read.
            let names_it = ["through a symbolic link", "It lies outside of the tree"];
            let named = names_it.iter().any(|words| done.err.contains(words));
            assert_eq!(named, refused, "{args:?}\n{}", done.err);
            assert!(before == all(&scratch), "{args:?}");
        }
        let now = std::fs::read_to_string(data.join("modules/modules.json")).unwrap();
        assert_eq!(now, list);
    }
}

/// The configuration, and `phi.hcl`, that name a path.
type Named<'n> = &'n dyn Fn(&str) -> (String, String);

/// Of what lies outside nothing is told, not even whether it is there: both answers are the same but for the name.
#[test]
fn nothing_is_told_of_what_stands_outside() {
    let module = |path: &str| (format!("module \"m\" {{\n  source = \"{path}\"\n}}\n"), String::new());
    let service = |path: &str| {
        let main = "resource \"aws_db_instance\" \"a\" {\n  engine = \"postgres\"\n}\n".to_owned();
        let service =
            format!("service \"s\" {{\n  replaces = \"aws_db_instance\"\n  module   = \"{path}\"\n}}\n");
        (
            main,
            format!(
                "settings {{\n  form_factor = \"f\"\n}}\nform_factor \"f\" {{\n  services = [\"s\"]\n}}\n{service}"
            ),
        )
    };
    let file = |path: &str| {
        let main = format!("output \"o\" {{\n  value = fileexists(\"{path}\") ? \"yes\" : \"no\"\n}}\n");
        (main, String::new())
    };
    let variables = |path: &str| {
        let main = "variable \"v\" {\n  default = 1\n}\n".to_owned();
        (main, format!("environment \"e\" {{\n  var_files = [\"{path}\"]\n}}\n"))
    };
    let kinds: [Named; 4] = [&module, &service, &file, &variables];
    for (number, kind) in kinds.into_iter().enumerate() {
        for (there, gone, link) in [("../other", "../grave", false), ("./leads-a", "./leads-b", true)] {
            for args in [&["check"][..], &["trace", "--all"], &["matrix", "--all"], &["plan"]] {
                let answers = [there, gone].map(|name| {
                    let scratch = tree();
                    std::fs::create_dir_all(scratch.path("other")).unwrap();
                    std::fs::create_dir_all(scratch.tree().join(".git")).unwrap();
                    if link {
                        let to = scratch.path(if name == there { "other" } else { "nowhere" });
                        symlink(to, scratch.tree().join(name)).unwrap();
                    }
                    let (main, settings) = kind(name);
                    std::fs::write(scratch.tree().join("main.tf"), main).unwrap();
                    std::fs::write(scratch.tree().join("phi.hcl"), settings).unwrap();
                    let done = scratch.run(args);
                    let name = name.trim_start_matches(['.', '/']);
                    let same = |text: &str| {
                        let text = text.replace(&*scratch.path("").to_string_lossy(), "TEMP/");
                        text.replace(name, "NAME")
                            .replace("nowhere", "NAME")
                            .replace("^", "")
                            .replace("TEMP/other", "TEMP/NAME")
                    };
                    (done.code, same(&done.out), same(&done.err))
                });
                assert_eq!(answers[0], answers[1], "{number} {args:?} {link}");
            }
        }
    }
}
