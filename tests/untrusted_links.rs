//! Links in the folders that are Terraform's and tf-phi's own: nothing is installed, written or removed through one.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;
mod sample;

use cli_common::{Done, Scratch};
use sample::sampled;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const MAIN: &str = "variable \"env\" {\n  default = \"dev\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  v      = var.env == \"prod\" ? \"2\" : \"1\"\n}\n";
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v }\n}\n";
const PIN: &str = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";
/// What a local module's source chosen by an expression asks of `init`.
const CHOSEN: &str = "variable \"env\" {\n  default = \"m\"\n}\nmodule \"m\" {\n  source = \"./${var.env}\"\n  v      = \"1\"\n}\n";

/// The place of a provider below the folder of providers.
const PROVIDER: &str = "registry.terraform.io/hashicorp/null/3.2.3/linux_amd64";

/// Every place below a data folder through which Terraform or tf-phi would write; `true`: what stands there is a file.
fn places() -> Vec<(PathBuf, bool)> {
    let data = Path::new(".terraform");
    let mut all = vec![(data.to_path_buf(), false)];
    let files = ["modules/modules.json", "modules/tf-phi.json", "terraform.tfstate", "environment"];
    all.extend(files.map(|name| (data.join(name), true)));
    all.extend(["modules", "providers", "plugins"].map(|name| (data.join(name), false)));
    let mut at = data.join("providers");
    for name in Path::new(PROVIDER) {
        at.push(name);
        all.push((at.clone(), false));
    }
    all.push((at.join("terraform-provider-null_v3.2.3_x5"), true));
    all.push((at.join("docs"), false));
    all
}

fn tree(main: &str) -> Scratch {
    let scratch = Scratch::new([("main.tf", main), ("m/main.tf", MODULE), ("phi.hcl", PIN)]);
    for name in ["outside", "tree/.git/hooks", "tree/inside"] {
        std::fs::create_dir_all(scratch.path(name)).unwrap();
        std::fs::write(scratch.path(name).join("file"), "kept\n").unwrap();
    }
    scratch
}

/// Puts a link there, in place of what may stand there. What it leads to is named from the tree.
fn link(scratch: &Scratch, at: &Path, to: &str) {
    let path = scratch.tree().join(at);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let ups = "../".repeat(at.components().count() - 1);
    symlink(format!("{ups}{to}"), path).unwrap();
}

/// What links of the tree lead to.
fn kept(scratch: &Scratch) -> Vec<Vec<String>> {
    let list = |dir: PathBuf| -> Vec<String> {
        let mut names: Vec<String> =
            std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.push(std::fs::read_to_string(dir.join("file")).unwrap());
        names
    };
    ["outside", "tree/.git/hooks", "tree/inside"].map(|name| list(scratch.path(name))).into()
}

#[test]
fn nothing_is_installed_through_a_link() {
    for (at, is_file) in places() {
        let name = at.display().to_string();
        for to in sampled(["../outside", ".git/hooks", "inside", "../nowhere"], 2, &name) {
            for main in sampled([MAIN, CHOSEN], 2, &format!("{name}{to}")) {
                let all = [&["init"][..], &["init", "--ephemeral"], &["init", "--modules"]];
                for args in sampled(all, 2, &format!("{to}{name}")) {
                    let scratch = tree(main);
                    link(&scratch, &at, &if is_file { format!("{to}/file") } else { to.to_owned() });
                    let before = kept(&scratch);
                    let done = scratch.run(args);
                    let what = format!("{} -> {to}: {args:?}\n{}", at.display(), done.err);
                    assert_eq!(done.code, Some(1), "{what}");
                    assert!(done.err.contains("link") && done.err.contains("rm .terraform"), "{what}");
                    assert!(scratch.calls().iter().all(|call| call.starts_with("version")), "{what}");
                    assert_eq!(kept(&scratch), before, "{what}");
                    assert!(!scratch.path("nowhere").exists(), "{what}");
                }
            }
        }
    }
}

/// Terraform's commands that write below its data folder, as tf-phi starts them.
const WRITING: &[&[&str]] = &[
    &["get"],
    &["get", "-update"],
    &["workspace", "new", "foo"],
    &["workspace", "select", "-or-create", "foo"],
    &["run", "--", "terraform", "get"],
    &["run", "--", "terraform", "-chdir=.", "get", "-update"],
    &["run", "--", "terraform", "init", "-backend=false"],
    &["run", "--", "terraform", "workspace", "new", "foo"],
    &["init"],
    &["init", "--modules"],
];

/// A tree in which nothing is to be specialised.
const ALONE: &str = "module \"m\" {\n  source = \"./m\"\n  v      = \"1\"\n}\n";

/// The tree, with nothing that is to be specialised.
fn alone() -> Scratch {
    let scratch = tree(ALONE);
    std::fs::remove_file(scratch.tree().join("phi.hcl")).unwrap();
    scratch
}

/// Whatever is to be specialised: Terraform gets none of these commands where a link stands in the way.
#[test]
fn no_command_writes_through_a_link_below_the_data_folder() {
    for (at, is_file) in places() {
        let name = at.display().to_string();
        for main in [ALONE, MAIN] {
            for args in sampled(WRITING.iter().copied(), 5, &format!("{name}{main}")) {
                for data in sampled([None, Some("data"), Some("m/../data")], 2, &format!("{name}{args:?}")) {
                    let scratch = if main == ALONE { alone() } else { tree(main) };
                    let below = at.strip_prefix(".terraform").unwrap();
                    let folder = Path::new(if data.is_some() { "data" } else { ".terraform" });
                    let at: PathBuf = folder.components().chain(below.components()).collect();
                    link(&scratch, &at, if is_file { "../outside/file" } else { "../outside" });
                    let before = kept(&scratch);
                    let mut command = scratch.command(args);
                    command.envs(data.map(|data| ("TF_DATA_DIR", data)));
                    let done = Done::new(command.output().unwrap());
                    let what = format!("{} ({data:?}): {args:?}\n{}", at.display(), done.err);
                    assert_eq!(done.code, Some(1), "{what}");
                    assert!(done.err.contains("link"), "{what}");
                    assert!(scratch.calls().iter().all(|call| call.starts_with("version")), "{what}");
                    assert_eq!(kept(&scratch), before, "{what}");
                }
            }
        }
    }
}

/// What only reads goes on beside such a link, and so does a program that isn't Terraform.
#[test]
fn what_writes_nothing_below_the_data_folder_runs_beside_a_link() {
    for args in [
        &["workspace", "list"][..],
        &["workspace", "show"],
        &["output"],
        &["run", "--", "terraform", "validate"],
        &["run", "--", "terraform", "workspace", "list"],
        &["run", "--", "true"],
    ] {
        let scratch = alone();
        link(&scratch, Path::new(".terraform"), "../outside");
        let done = scratch.run(args);
        assert_eq!(done.code, Some(0), "{args:?}\n{}", done.err);
    }
}

/// The folder that `-chdir` names has a data folder of its own.
#[test]
fn a_program_that_changes_folders_writes_through_no_link_there() {
    for program in ["terraform", "tofu", "terraform-1.11.4"] {
        let scratch = alone();
        let _ = std::fs::hard_link(scratch.path("bin/terraform"), scratch.path("bin").join(program));
        link(&scratch, Path::new("m/.terraform/modules"), "../outside");
        let done = scratch.run(&["run", "--", program, "-chdir=m", "get"]);
        assert!(done.code == Some(1) && done.err.contains("link"), "{program}: {}", done.err);
        assert!(scratch.calls().iter().all(|call| call.starts_with("version")), "{program}");
    }
}

/// What an action needs of a stranger's tree: modules, by `terraform get`, and nothing that runs.
#[test]
fn modules_alone_are_installed_by_get_alone() {
    for main in [MAIN, CHOSEN] {
        let scratch = tree(main);
        let before = std::fs::read_to_string(scratch.path("tree/main.tf")).unwrap();
        let done = scratch.run(&["init", "--modules"]);
        assert_eq!(done.code, Some(0), "{}", done.err);
        let calls = scratch.calls();
        assert!(calls.iter().any(|call| call.starts_with("get")), "{calls:?}");
        let allowed = |call: &String| call.starts_with("get") || call.starts_with("version");
        assert!(calls.iter().all(allowed), "{calls:?}");
        assert_eq!(std::fs::read_to_string(scratch.path("tree/main.tf")).unwrap(), before);
        assert_eq!(scratch.run(&["init", "--modules", "--dry-run"]).code, Some(0));
        assert_eq!(scratch.calls().iter().filter(|call| call.starts_with("get")).count(), 1);
        let done = scratch.run(&["init", "--modules", "-upgrade"]);
        assert_eq!(done.code, Some(1));
        assert!(done.err.contains("tf-phi init --modules"), "{}", done.err);
    }
}

/// `plan` and `apply` install the calls that they add.
#[test]
fn no_run_installs_through_a_link() {
    for (at, is_file) in places() {
        let all = [
            &["plan", "-input=false"][..],
            &["plan", "--ephemeral"],
            &["apply", "-auto-approve"],
            &["verify"],
        ];
        for args in sampled(all, 2, &at.display().to_string()) {
            let scratch = tree(MAIN);
            let list = scratch.tree().join(".terraform/modules/modules.json");
            if at != Path::new(".terraform") && at != Path::new(".terraform/modules") {
                std::fs::create_dir_all(list.parent().unwrap()).unwrap();
                // A module that isn't there has to be installed.
                std::fs::write(&list, "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"}]}")
                    .unwrap();
            }
            if at.ends_with("modules.json") {
                std::fs::remove_file(&list).unwrap();
            }
            link(&scratch, &at, if is_file { "../outside/file" } else { "../outside" });
            let before = kept(&scratch);
            let done = scratch.run(args);
            let what = format!("{}: {args:?}\n{}\n{}", at.display(), done.err, scratch.log());
            assert_eq!(kept(&scratch), before, "{what}");
            let installs =
                scratch.calls().iter().any(|call| call.starts_with("get") || call.starts_with("init"));
            assert!(!installs, "{what}");
        }
    }
}

/// Links that Terraform itself makes: to a module of this machine, and to a provider in a cache.
#[test]
fn terraforms_own_links_are_none_of_a_strangers() {
    let scratch = tree(MAIN);
    let cached = format!("outside/{PROVIDER}");
    std::fs::create_dir_all(scratch.path(&cached)).unwrap();
    link(&scratch, &Path::new(".terraform/providers").join(PROVIDER), &format!("../{cached}"));
    link(&scratch, Path::new(".terraform/modules/far"), "../outside");
    let done = scratch.run(&["init"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(scratch.log().contains("arg init"), "{}", scratch.log());
}

/// The user's own word puts the folder where they like.
#[test]
fn a_data_folder_that_the_user_names_is_theirs() {
    let scratch = tree(MAIN);
    link(&scratch, Path::new(".terraform"), "../outside");
    let run = |dir: PathBuf| Done::new(scratch.command(&["init"]).env("TF_DATA_DIR", dir).output().unwrap());
    assert_eq!(run(scratch.tree().join(".terraform")).code, Some(1));
    assert_eq!(run(PathBuf::from(".terraform")).code, Some(1));
    let done = run(scratch.path("outside"));
    assert_eq!(done.code, Some(0), "{}", done.err);
}

/// What tf-phi keeps is not written through links either, not within the tree.
#[test]
fn nothing_of_our_own_is_written_through_a_link() {
    let remote = MAIN.replace("./m\"", "git::https://example.com/m\"");
    for (at, to) in [
        (".phi", "../outside"),
        (".phi", "inside"),
        (".phi/modules", "../outside"),
        (".phi/modules", "inside"),
        (".phi/modules", ".git/hooks"),
        (".phi/modules/m-v1", "inside"),
        (".phi/provenance.json", "inside/file"),
        (".phi/provenance.json", "../outside/file"),
        (".phi/history.jsonl", "inside/file"),
        (".phi/.gitattributes", "inside/file"),
    ] {
        let all = [&["check", "--fix"][..], &["plan"], &["restore"], &["plan", "--ephemeral"]];
        for args in sampled(all, 2, &format!("{at}{to}")) {
            let scratch = tree(&remote);
            let at_ = |name: &str| scratch.tree().join(name);
            std::fs::create_dir_all(at_(".terraform/modules/m")).unwrap();
            std::fs::write(at_(".terraform/modules/m/main.tf"), MODULE).unwrap();
            let list = r#"{"Modules": [{"Key": "m", "Source": "git::https://example.com/m", "Dir": ".terraform/modules/m"}]}"#;
            std::fs::write(at_(".terraform/modules/modules.json"), list).unwrap();
            link(&scratch, Path::new(at), to);
            let before = kept(&scratch);
            let done = scratch.run(args);
            assert_eq!(kept(&scratch), before, "{at} -> {to}: {args:?}\n{}", done.err);
        }
    }
}

/// Dry runs: with nothing but a plan of what would be written.
const DRY: &[&[&str]] = &[
    &["plan", "--dry-run"],
    &["plan", "--dry-run", "--ephemeral"],
    &["apply", "--dry-run"],
    &["init", "--dry-run"],
    &["restore", "--dry-run"],
];

/// A dry run takes no lock: it may go on beside another run, and no file of it is there for a moment.
#[test]
fn a_dry_run_takes_no_lock() {
    let scratch = tree(MAIN);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    let lock = scratch.tree().join(".phi/lock");
    let held = std::fs::File::create(&lock).unwrap();
    held.lock().unwrap();
    for args in DRY {
        let before = scratch.snapshot();
        let done = scratch.run(args);
        assert_eq!(done.code, Some(0), "{args:?}\n{}", done.err);
        assert_eq!(scratch.snapshot(), before, "{args:?}");
    }
    assert_eq!(scratch.run(&["restore"]).code, Some(1));
}

/// What a killed run left is put back by a run that writes; a dry one says that it is there.
#[test]
fn a_dry_run_puts_nothing_back() {
    let scratch = tree(MAIN);
    let killed = scratch
        .command(&["plan", "--ephemeral"])
        .env("HOME", scratch.path(""))
        .env("FAKE_DURING", "kill -9 $PPID")
        .output();
    assert_eq!(killed.unwrap().status.code(), None);
    assert!(scratch.tree().join(".phi/ephemeral.json").exists());
    let _ = std::fs::remove_file(scratch.tree().join(".phi/lock"));
    let before = scratch.snapshot();
    let run =
        |args: &[&str]| Done::new(scratch.command(args).env("HOME", scratch.path("")).output().unwrap());
    for args in DRY {
        let done = run(args);
        assert_eq!(scratch.snapshot(), before, "{args:?}\n{}", done.err);
        assert!(
            done.code == Some(1) && done.err.contains("tf-phi restore"),
            "{args:?} {:?}\n{}",
            done.code,
            done.err
        );
    }
    assert_eq!(run(&["restore"]).code, Some(0));
    assert!(!scratch.tree().join(".phi/ephemeral.json").exists());
}

/// The lock goes from the folder in which it was taken, whatever has its name by then.
#[test]
fn a_lock_is_removed_where_it_was_taken() {
    let scratch = tree(MAIN);
    std::fs::write(scratch.path("outside/lock"), "kept\n").unwrap();
    let swap = "mv .phi moved && ln -s ../outside .phi";
    let done = scratch.command(&["plan", "-input=false"]).env("FAKE_DURING", swap).output().unwrap();
    assert_eq!(std::fs::read_to_string(scratch.path("outside/lock")).unwrap(), "kept\n", "{done:?}");
    assert!(!scratch.tree().join("moved/lock").exists());
}

/// What functions read is the configuration: no repository, in which tokens stand, no state, and no record, by no link either.
#[test]
fn functions_read_no_repository_and_no_state() {
    let read =
        |path: &str| format!("output \"o\" {{\n  value = try(strrev(file(\"{path}\")), \"none\")\n}}\n");
    for (path, to) in [
        (".git/config", None),
        (".git", None),
        (".hg/hgrc", None),
        ("terraform.tfstate", None),
        ("g/config", Some((".git", "g"))),
        ("s", Some(("terraform.tfstate", "s"))),
        ("t", Some((".terraform/terraform.tfstate", "t"))),
        ("p/x", Some((".phi", "p"))),
    ] {
        let scratch = Scratch::new([
            ("main.tf", &*read(path)),
            (".git/config", "canary"),
            (".hg/hgrc", "canary"),
            ("terraform.tfstate", "canary"),
            (".terraform/terraform.tfstate", "canary"),
            (".phi/x", "canary"),
        ]);
        if let Some((to, from)) = to {
            symlink(to, scratch.path("tree").join(from)).unwrap();
        }
        for args in [&["matrix", "--all"][..], &["trace", "--all"], &["trace", "--all", "--json"]] {
            let done = scratch.run(args);
            assert!(!format!("{}{}", done.out, done.err).contains("yranac"), "{path} {to:?}: {}", done.out);
        }
    }
    // A link to what is part of the configuration is read.
    let scratch = Scratch::new([("main.tf", &*read("l")), ("text", "canary")]);
    symlink("text", scratch.path("tree").join("l")).unwrap();
    let done = scratch.run(&["matrix", "--all"]);
    assert!(done.out.contains("yranac"), "{}", done.out);
}
