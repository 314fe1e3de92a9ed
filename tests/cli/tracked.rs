//! Variable files that `.gitignore` excludes, and that Git tracks all the same: they are part of the tree.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;
use crate::cli_common::git::git;

const MAIN: &str = "variable \"x\" {\n  type    = string\n  default = \"x\"\n}\nresource \"terraform_data\" \"d\" {\n  input = var.x\n}\n";
const PIN: &str = "specialize \"terraform_data.d\" {\n  fields = [\"input\"]\n}\n";

fn scratch(ignored: &str) -> Scratch {
    Scratch::new([
        ("main.tf", MAIN),
        ("phi.hcl", PIN),
        (".gitignore", ignored),
        ("common.auto.tfvars", "x = \"auto\"\n"),
        ("live/prod.tfvars", "x = \"prod\"\n"),
        ("live/dev.tfvars", "x = \"dev\"\n"),
    ])
}

/// The values that the field can have.
fn values(scratch: &Scratch) -> Vec<String> {
    let done = scratch.run(&["trace", "--json"]);
    let trace: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let branches =
        trace.pointer("/traces/0/branches").and_then(|b| b.as_array()).cloned().unwrap_or_default();
    let mut all: Vec<String> = branches.iter().map(|b| b["value"].as_str().unwrap().to_owned()).collect();
    all.sort();
    all
}

#[test]
fn what_was_added_by_force_counts() {
    for ignored in ["*.auto.tfvars\nlive/\n", "*.auto.tfvars\n/live\n", "*.tfvars\n"] {
        let scratch = scratch(ignored);
        git(&scratch.tree(), &["init", "--quiet"]);
        git(&scratch.tree(), &["add", "."]);
        assert_eq!(values(&scratch), ["x"], "{ignored}");
        git(&scratch.tree(), &["add", "--force", "common.auto.tfvars"]);
        assert_eq!(values(&scratch), ["auto", "x"], "{ignored}");
        // In an excluded folder the tracked file alone counts.
        git(&scratch.tree(), &["add", "--force", "live/prod.tfvars"]);
        assert_eq!(values(&scratch), ["auto", "prod", "x"], "{ignored}");
        git(&scratch.tree(), &["rm", "--quiet", "--cached", "common.auto.tfvars"]);
        assert_eq!(values(&scratch), ["prod", "x"], "{ignored}");
    }
}

#[test]
fn each_form_of_the_index_is_read() {
    for version in ["2", "3", "4"] {
        for format in ["sha1", "sha256"] {
            let scratch = scratch("*.tfvars\n");
            git(&scratch.tree(), &["init", "--quiet", "--object-format", format]);
            git(&scratch.tree(), &["update-index", "--index-version", version]);
            git(&scratch.tree(), &["add", "--force", "."]);
            // Version 3 is written where an entry needs it.
            git(&scratch.tree(), &["add", "--force", "--intent-to-add", "."]);
            assert_eq!(values(&scratch), ["auto", "dev", "prod", "x"], "{version} {format}");
        }
    }
}

/// A revision holds what is tracked, and nothing else.
#[test]
fn a_revision_has_all_that_it_holds() {
    let scratch = scratch("*.tfvars\n");
    let tree = scratch.tree();
    git(&tree, &["init", "--quiet", "--initial-branch", "main"]);
    git(&tree, &["add", "--force", "."]);
    git(&tree, &["commit", "--quiet", "-m", "all"]);
    std::fs::write(tree.join("live/prod.tfvars"), "x = \"changed\"\n").unwrap();
    let done = scratch.run(&["review", "--base", "main"]);
    assert!(done.out.contains("\"prod\"") && done.out.contains("\"changed\""), "{}{}", done.out, done.err);
}

#[test]
fn a_linked_worktree_has_an_index_of_its_own() {
    let scratch = scratch("*.tfvars\n");
    let tree = scratch.tree();
    git(&tree, &["init", "--quiet", "--initial-branch", "main"]);
    git(&tree, &["add", "--force", ".gitignore", "main.tf", "phi.hcl", "live/prod.tfvars"]);
    git(&tree, &["commit", "--quiet", "-m", "all"]);
    let beside = scratch.path("beside");
    git(&tree, &["worktree", "add", "--quiet", "--detach", beside.to_str().unwrap()]);
    git(&tree, &["rm", "--quiet", "--cached", "live/prod.tfvars"]);
    assert_eq!(values(&scratch), ["x"]);
    let at = format!("-chdir={}", beside.display());
    let done = scratch.run(&[&at, "trace", "--json"]);
    assert!(done.out.contains("\"prod\""), "{}{}", done.out, done.err);
}

/// Whatever stands there is read to an end, and counts for nothing.
#[test]
fn what_is_no_index_tracks_nothing() {
    let hostile: [&[u8]; 5] =
        [b"", b"DIRC", b"DIRC\0\0\0\x02\xff\xff\xff\xff", b"DIRC\0\0\0\x04\0\0\0\x01", &[0xFF; 5000]];
    for bytes in hostile {
        let scratch = scratch("*.tfvars\n");
        git(&scratch.tree(), &["init", "--quiet"]);
        std::fs::write(scratch.tree().join(".git/index"), bytes).unwrap();
        assert_eq!(values(&scratch), ["x"]);
    }
    // A `.git` that leads to another repository doesn't say what is tracked here.
    let (scratch, other) = (scratch("*.tfvars\n"), scratch("*.tfvars\n"));
    git(&other.tree(), &["init", "--quiet"]);
    git(&other.tree(), &["add", "--force", "."]);
    let leads = format!("gitdir: {}\n", other.tree().join(".git").display());
    std::fs::write(scratch.tree().join(".git"), leads).unwrap();
    assert_eq!(values(&scratch), ["x"]);
}

/// A split index: files that were added before and after it was split, that went, and that changed.
#[test]
fn a_split_index_is_put_together() {
    for (version, format) in [("2", "sha1"), ("2", "sha256"), ("4", "sha1")] {
        let scratch = scratch("*.tfvars\n");
        let tree = scratch.tree();
        git(&tree, &["init", "--quiet", "--object-format", format]);
        git(&tree, &["update-index", "--index-version", version]);
        git(&tree, &["add", "--force", "."]);
        git(&tree, &["update-index", "--split-index"]);
        assert_eq!(values(&scratch), ["auto", "dev", "prod", "x"], "{version} {format}");
        git(&tree, &["config", "splitIndex.maxPercentChange", "100"]);
        git(&tree, &["config", "core.splitIndex", "true"]);
        git(&tree, &["rm", "--quiet", "--cached", "live/dev.tfvars"]);
        assert_eq!(values(&scratch), ["auto", "prod", "x"], "{version} {format}");
        std::fs::write(tree.join("live/prod.tfvars"), "x = \"changed\"\n").unwrap();
        std::fs::write(tree.join("live/test.tfvars"), "x = \"test\"\n").unwrap();
        git(&tree, &["add", "--force", "live/prod.tfvars"]);
        assert_eq!(values(&scratch), ["auto", "changed", "x"], "{version} {format}");
        git(&tree, &["add", "--force", "live/test.tfvars"]);
        assert_eq!(values(&scratch), ["auto", "changed", "test", "x"], "{version} {format}");
        let shared = std::fs::read_dir(tree.join(".git")).unwrap().flatten();
        assert!(shared.into_iter().any(|f| f.file_name().to_string_lossy().starts_with("sharedindex.")));
    }
}

/// What a job leaves in the folder is nothing for a report: credentials stand among it.
#[test]
fn what_git_does_not_track_is_not_shown_to_others() {
    let main = "output \"named\" {\n  value = file(\"creds-1.json\")\n}\noutput \"found\" {\n  value = [for f in fileset(path.module, \"creds-*\") : \
                file(f)]\n}\noutput \"is\" {\n  value = fileexists(\"creds-1.json\")\n}\noutput \"own\" {\n  value = file(\"own.txt\")\n}\n";
    let scratch = Scratch::new([("main.tf", "\n"), ("own.txt", "mine")]);
    git(&scratch.tree(), &["init", "--quiet"]);
    git(&scratch.tree(), &["add", "."]);
    git(&scratch.tree(), &["commit", "--quiet", "-m", "x"]);
    std::fs::write(scratch.tree().join("main.tf"), main).unwrap();
    std::fs::write(scratch.tree().join("creds-1.json"), "hunter2").unwrap();
    let review = scratch.run(&["review", "--base", "HEAD", "--all"]);
    assert!(!review.out.contains("hunter2") && !review.err.contains("hunter2"), "{}", review.out);
    assert!(review.out.contains("mine"), "{}", review.out);
    assert!(review.out.contains("(not known)"), "{}", review.out);
    for words in [&["matrix", "--all"][..], &["trace", "--all", "--json"], &["validate"]] {
        let ran = scratch.command(words).env("TF_PHI_TRACKED_ONLY", "1").output().unwrap();
        let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        assert!(!said.contains("hunter2"), "{said}");
        assert!(words[0] != "trace" || said.contains("Git doesn't track creds-1.json"), "{said}");
    }
    // Who works on the tree sees it, and so does everybody once it is added.
    assert!(scratch.run(&["trace", "--all"]).out.contains("hunter2"));
    git(&scratch.tree(), &["add", "creds-1.json"]);
    assert!(scratch.run(&["review", "--base", "HEAD", "--all"]).out.contains("hunter2"));
}

/// Values of a file that Git doesn't track are no more for others than its text.
#[test]
fn values_that_git_does_not_track_are_not_shown_to_others() {
    let main = "variable \"v\" {\n  default = \"none\"\n}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";
    for (name, settings) in [
        ("creds.txt", "settings {\n  environments = [\"creds.txt\"]\n}\n"),
        ("creds.txt", "settings {\n  environments = [\"cred*\"]\n}\n"),
        ("creds.txt", "settings {\n  common = [\"creds.txt\"]\n}\nenvironment \"dev\" {}\n"),
        ("creds.txt", "environment \"dev\" {\n  var_files = [\"creds.txt\"]\n}\n"),
        ("linked.tfvars", "environment \"dev\" {\n  var_files = [\"linked.tfvars\"]\n}\n"),
        ("terraform.tfvars", ""),
        ("x.auto.tfvars", ""),
        ("live/prod.tfvars", ""),
    ] {
        let scratch = Scratch::new([("main.tf", main), ("phi.hcl", settings)]);
        let tree = scratch.tree();
        if name == "linked.tfvars" {
            std::os::unix::fs::symlink("creds.txt", tree.join(name)).unwrap();
        }
        git(&tree, &["init", "--quiet"]);
        git(&tree, &["add", "."]);
        git(&tree, &["commit", "--quiet", "-m", "x"]);
        let file = if name == "linked.tfvars" { "creds.txt" } else { name };
        std::fs::create_dir_all(tree.join(file).parent().unwrap()).unwrap();
        std::fs::write(tree.join(file), "v = \"hunter2\"\n").unwrap();
        for words in [
            &["matrix", "--all"][..],
            &["matrix", "--all", "--json"],
            &["trace", "--all"],
            &["validate"],
            &["review", "--base", "HEAD", "--all"],
        ] {
            let ran = scratch.command(words).env("TF_PHI_TRACKED_ONLY", "1").output().unwrap();
            let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
            assert!(!said.contains("hunter2"), "{name} {words:?}\n{said}");
            assert!(
                ["trace", "review"].contains(&words[0])
                    || said.contains("isn't read")
                    || said.contains("aren't read"),
                "{name} {words:?}\n{said}"
            );
        }
        assert!(scratch.run(&["matrix", "--all"]).out.contains("hunter2"), "{name}");
        git(&tree, &["add", "--force", "."]);
        let ran = scratch.command(&["matrix", "--all"]).env("TF_PHI_TRACKED_ONLY", "1").output().unwrap();
        assert!(String::from_utf8_lossy(&ran.stdout).contains("hunter2"), "{name}");
    }
    // What the command line names is the user's own word.
    let scratch = Scratch::new([("main.tf", main)]);
    git(&scratch.tree(), &["init", "--quiet"]);
    git(&scratch.tree(), &["add", "."]);
    std::fs::write(scratch.tree().join("own.tfvars"), "v = \"mine\"\n").unwrap();
    let words = ["trace", "terraform_data.a", "--var-file=own.tfvars"];
    let ran = scratch.command(&words).env("TF_PHI_TRACKED_ONLY", "1").output().unwrap();
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("mine"),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
}

/// A link that Git tracks leads to nothing that it doesn't.
#[test]
fn links_show_nothing_that_git_does_not_track() {
    let creds = "{\"auths\":{\"ghcr.io\":{\"auth\":\"hunter2\"}}}";
    let workspace = "output \"w\" {\n  value = terraform.workspace\n}\n";
    let called = "module \"m\" {\n  source = \"./m\"\n}\noutput \"w\" {\n  value = module.m.v\n}\n";
    for (link, to, main) in [
        ("x.tf.json", "creds", ""),
        ("x.tf", "creds", ""),
        ("x.tf", ".git/config", ""),
        ("phi.hcl", "creds", ""),
        ("m", "left", called),
        ("m/main.tf", "../left/main.tf", called),
        (".terraform/environment", "../creds", workspace),
        (".terraform/environment", "../.git/config", workspace),
        (".terraform/environment", "../token", workspace),
    ] {
        let scratch = Scratch::new([("main.tf", "\n")]);
        let tree = scratch.tree();
        git(&tree, &["init", "--quiet"]);
        git(&tree, &["add", "."]);
        git(&tree, &["commit", "--quiet", "-m", "x"]);
        git(&tree, &["config", "http.x.extraheader", "hunter2"]);
        std::fs::write(tree.join("main.tf"), main).unwrap();
        std::fs::create_dir_all(tree.join(link).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, tree.join(link)).unwrap();
        git(&tree, &["add", "--force", "."]);
        std::fs::create_dir_all(tree.join("left")).unwrap();
        std::fs::write(tree.join("left/main.tf"), "output \"v\" {\n  value = \"hunter2\"\n}\n").unwrap();
        std::fs::write(tree.join("creds"), creds).unwrap();
        std::fs::write(tree.join("token"), "hunter2").unwrap();
        for words in [
            &["review", "--base", "HEAD", "--all"][..],
            &["review", "--base", "HEAD", "--all", "--json"],
            &["matrix", "--all"],
            &["trace", "--all"],
            &["validate"],
            &["check", "--diff"],
            &["diff"],
        ] {
            let ran = scratch.command(words).env("TF_PHI_TRACKED_ONLY", "1").output().unwrap();
            let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
            assert!(!said.contains("hunter2"), "{link} to {to} {words:?}\n{said}");
        }
    }
}

/// An index that can't be read tells of no file that it is tracked.
#[test]
fn without_an_index_nothing_is_tracked() {
    let main = "variable \"v\" {\n  default = \"none\"\n}\noutput \"a\" {\n  value = var.v\n}\noutput \"b\" {\n  value = file(\"creds\")\n}\n";
    for index in [None, Some(&b"DIRC\0\0\0\x09"[..]), Some(b"")] {
        let scratch = Scratch::new([
            ("main.tf", main),
            ("terraform.tfvars", "v = \"hunter2\"\n"),
            ("creds", "hunter2"),
        ]);
        git(&scratch.tree(), &["init", "--quiet"]);
        if let Some(index) = index {
            std::fs::write(scratch.tree().join(".git/index"), index).unwrap();
        }
        let ran = scratch.command(&["matrix", "--all"]).env("TF_PHI_TRACKED_ONLY", "1").output().unwrap();
        let said = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        assert!(!said.contains("hunter2"), "{index:?}\n{said}");
    }
}
