//! What counts as changed: bytes as Git stores and writes them, names as bytes, links, and whatever a change puts beside them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use crate::cli_common::git::{git, repository_of};
use crate::roots::{commit, write};
use std::fs;
use std::os::unix::fs::symlink;

const RUN: &str = "resource \"terraform_data\" \"a\" {\n  input = filesha256(\"${path.module}/run.sh\")\n}\n";

/// A repository with these files.
fn committed<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Scratch {
    let scratch = Scratch::new(files);
    repository_of(&scratch.tree());
    scratch
}

/// The root modules that depend on what differs from the last commit.
fn concerned(scratch: &Scratch) -> String {
    let done = scratch.run(&["roots", "--recursive", "--changed-since", "HEAD"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    done.out
}

#[test]
fn attributes_that_change_contents_are_a_change_of_all_they_govern() {
    let eol = "*.sh text eol=crlf\n";
    let tree = |before: &str, after: &str, at: &str| {
        let files = [("live/a/main.tf", RUN), ("live/a/run.sh", "true\n"), ("live/b/main.tf", RUN)];
        let scratch = committed(files.into_iter().chain([("live/b/run.sh", "true\n"), (at, before)]));
        match after {
            "" => fs::remove_file(scratch.tree().join(at)).unwrap(),
            text => write(&scratch, at, text),
        }
        git(&scratch.tree(), &["add", "-A", "--", at]);
        scratch
    };
    let both = "live/a\nlive/b\n";
    for (before, after, at, want) in [
        (eol, "", ".gitattributes", both),
        (eol, "", "live/.gitattributes", both),
        (eol, "", "live/b/.gitattributes", "live/b\n"),
        (eol, "*.sh text eol=lf\n", ".gitattributes", both),
        ("*.md diff\n", "*.md diff\n*.sh ident\n", ".gitattributes", both),
        ("*.md diff\n", "*.sh working-tree-encoding=UTF-16\n", ".gitattributes", both),
        ("*.md diff\n", "[attr]diff text eol=crlf\n*.sh diff\n", ".gitattributes", both),
        ("*.md diff\n", "*.md -diff linguist-vendored\n", ".gitattributes", ""),
        (eol, "*.sh  text eol=crlf\n# as in a shell\n", ".gitattributes", ""),
    ] {
        let scratch = tree(before, after, at);
        assert_eq!(concerned(&scratch), want, "{at}: {after}");
        let done = scratch.run(&["review", "live/b", "--base=HEAD", "--fail-on=finding"]);
        let shown = format!("{at}: {after}: {}{}", done.out, done.err);
        if want.is_empty() {
            assert!(done.code == Some(0) && done.out.contains("nothing differs"), "{shown}");
            continue;
        }
        assert!(done.code == Some(3) && !done.out.contains("nothing differs"), "{shown}");
        assert!(done.out.contains("says otherwise how Git writes files"), "{shown}");
        assert!(done.out.contains(&format!("git diff HEAD -- :/{at}")), "{shown}");
        let done = scratch.run(&["review", "live/b", "--base=HEAD", "--fail-on=change"]);
        assert_eq!(done.code, Some(3), "{shown}");
    }
}

/// A stranger's commit that merges two commits of `main` and keeps what one of them has.
#[test]
fn what_equals_one_of_several_merge_bases_still_undoes_the_other() {
    let resource = |name: &str| format!("resource \"terraform_data\" \"{name}\" {{\n}}\n");
    let scratch = committed([("a.tf", &*resource("a"))]);
    let tree = scratch.tree();
    let own = |words: &[&str]| git(&tree, words).trim().to_owned();
    own(&["branch", "feature"]);
    write(&scratch, "firewall.tf", &resource("firewall"));
    commit(&scratch);
    let one = own(&["rev-parse", "HEAD"]);
    own(&["checkout", "-q", "feature"]);
    write(&scratch, "f.tf", &resource("f"));
    commit(&scratch);
    let other = own(&["rev-parse", "HEAD"]);
    own(&["checkout", "-q", "main"]);
    own(&["merge", "-q", "--no-ff", "feature", "-m", "both"]);
    for (kept, lost) in [(&one, "- terraform_data.f"), (&other, "- terraform_data.firewall")] {
        let of_tree = format!("{kept}^{{tree}}");
        let made = own(&["commit-tree", "-p", &one, "-p", &other, "-m", "evil", &of_tree]);
        own(&["checkout", "-q", &made]);
        assert_eq!(own(&["merge-base", "--all", "main", "HEAD"]).lines().count(), 2);
        let done = scratch.run(&["review", "--base", "main", "--fail-on", "destroy"]);
        assert!(done.code == Some(3) && done.out.contains(lost), "{lost}: {}{}", done.out, done.err);
        assert!(done.err.contains("the head and main have several last commits in common"), "{}", done.err);
    }
}

#[test]
fn ends_of_lines_that_are_committed_are_a_change() {
    for (before, after) in [("true\n", "true\r\n"), ("true\r\n", "true\n")] {
        let scratch = committed([("a/main.tf", RUN), ("a/run.sh", before)]);
        write(&scratch, "a/run.sh", after);
        commit(&scratch);
        let done = scratch.run(&["roots", "--recursive", "--changed-since", "HEAD~1"]);
        assert_eq!(done.out, "a\n", "{}", done.err);
        let review = ["review", "a", "--base=HEAD~1", "--changed-since=HEAD~1", "--fail-on=change"];
        let done = scratch.run(&review);
        assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    }
}

/// What Git writes by itself is no change, and what somebody else writes is one: Terraform reads it.
#[test]
fn ends_of_lines_in_the_work_tree_are_a_change_unless_git_writes_them() {
    let concerned_with = |attributes: &str, config: &[&str], after: &str| {
        let files = [("a/main.tf", RUN), ("a/run.sh", "one\ntwo\n"), (".gitattributes", attributes)];
        let scratch = committed(files);
        config.chunks(2).for_each(|pair| drop(git(&scratch.tree(), &["config", pair[0], pair[1]])));
        write(&scratch, "a/run.sh", after);
        concerned(&scratch)
    };
    let all = "one\r\ntwo\r\n";
    let auto = ["core.autocrlf", "true"];
    let usual = ["core.eol", "crlf"];
    for (attributes, config, after, want) in [
        ("", &[][..], all, "a\n"),
        ("", &auto, all, ""),
        ("", &usual, all, "a\n"),
        ("*.sh text\n", &usual, all, ""),
        ("*.sh text=auto\n", &auto, all, ""),
        ("*.sh text=auto\n", &[], all, "a\n"),
        ("*.sh eol=crlf\n", &[], all, ""),
        ("*.sh eol=crlf\n", &[], "one\ntwo\r\n", "a\n"),
        ("*.sh eol=lf\n", &auto, all, "a\n"),
        ("*.sh -text\n", &auto, all, "a\n"),
    ] {
        assert_eq!(concerned_with(attributes, config, after), want, "{attributes}{config:?}");
    }
}

#[test]
fn a_source_beside_variable_files_hides_none() {
    let main = "variable \"v\" {}\nresource \"terraform_data\" \"a\" {\n  triggers_replace = var.v\n}\n";
    let scratch = committed([("root/main.tf", main), ("root/env/prod.tfvars", "v = \"1\"\n")]);
    write(&scratch, "root/env/prod.tfvars", "v = \"2\"\n");
    write(&scratch, "root/env/decoy.tf", "variable \"v\" {}\n");
    let done = scratch.run(&["review", "root", "--base=HEAD", "--changed-since=HEAD", "--fail-on=change"]);
    assert!(done.code == Some(3) && done.out.contains("prod (gone)"), "{}{}", done.out, done.err);
    // Nor where files are named.
    let named = ["roots", "root", "--files", "root/env/prod.tfvars", "root/env/decoy.tf"];
    assert_eq!(scratch.run(&named).out, "root\n");
    // Nor does one that goes.
    let files = ["variable \"v\" {}\n", "v = \"1\"\n"];
    let files = [("root/main.tf", main), ("root/env/main.tf", files[0]), ("root/env/prod.tfvars", files[1])];
    let scratch = committed(files);
    fs::remove_file(scratch.tree().join("root/env/main.tf")).unwrap();
    let done = scratch.run(&["roots", "root", "--changed-since=HEAD"]);
    assert_eq!(done.out, "root\n", "{}", done.err);
}

#[test]
fn a_source_beside_data_hides_none() {
    // Each reads `policies/a.json`, whatever stands beside it and since when.
    let each = |set: &str, name: &str| {
        format!("resource \"terraform_data\" \"p\" {{\n  for_each = {set}\n  input    = file({name})\n}}\n")
    };
    let mains = [
        each("fileset(path.module, \"**/*.json\")", "\"${path.module}/${each.key}\""),
        each("fileset(\".\", \"**/*.json\")", "each.key"),
        each("fileset(path.module, \"*/a.json\")", "\"${path.module}/x.json\""),
        each("toset([\"policies/a.json\"])", "each.value"),
        each("toset([\"a\"])", "\"${path.module}/policies/${each.value}.json\""),
        each("toset([\"a\"])", "\"pol${\"icies\"}/${each.value}.json\""),
        each("toset([\"a\"])", "join(\"/\", [path.module, \"policies\", \"a.json\"])"),
        each("toset([\"policies/a.json\"])", "\"${abspath(path.module)}/${each.value}\""),
        "locals {\n  at = path.module\n  in = file(\"${local.at}/policies/a.json\")\n}\n".to_owned(),
    ];
    let json = "{\"locals\": {\"in\": \"${[for f in fileset(path.module, \\\"**\\\") : f]}\"}}".to_owned();
    let native = mains.iter().map(|main| ("main.tf", main));
    for (name, main) in native.chain([("main.tf.json", &json)]) {
        for since in [false, true] {
            let root = format!("root/{name}");
            let mut files = vec![(&*root, &**main), ("root/policies/a.json", "{}\n")];
            files.extend(since.then_some(("root/policies/decoy.tf", "locals {}\n")));
            let scratch = committed(files);
            write(&scratch, "root/policies/a.json", "[]\n");
            write(&scratch, "root/policies/decoy.tf", "locals {}\n");
            assert!(concerned(&scratch).starts_with("root\n"), "{since}: {main}");
        }
    }
    // Of what reads the folder itself alone, another configuration below is none.
    let main = each("fileset(path.module, \"*.json\")", "\"${path.module}/x.json\"");
    let scratch = committed([("root/main.tf", &*main), ("root/other/main.tf", "locals {}\n")]);
    write(&scratch, "root/other/a.json", "[]\n");
    assert_eq!(concerned(&scratch), "root/other\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_a_change() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let name = OsStr::from_bytes(b"x\xff.tf");
    let scratch = committed([("a/main.tf", "locals {}\n"), ("b/main.tf", "locals {}\n")]);
    let odd = scratch.tree().join("a").join(name);
    fs::write(&odd, "resource \"terraform_data\" \"evil\" {}\n").unwrap();
    assert_eq!(concerned(&scratch), "a\n");
    let review = ["review", "--recursive", "--base=HEAD", "--changed-since=HEAD"];
    let done = scratch.run(&review);
    assert!(done.code == Some(1) && done.out.contains("not UTF-8"), "{}{}", done.out, done.err);
    // One that nobody changed, and one that goes: the revision is read by it.
    commit(&scratch);
    assert_eq!(concerned(&scratch), "a\n", "nobody can tell what it leads to");
    fs::remove_file(&odd).unwrap();
    assert_eq!(concerned(&scratch), "a\n");
    let done = scratch.run(&review);
    assert!(done.out.contains("- terraform_data.evil"), "{}{}", done.out, done.err);
}

#[test]
fn a_root_module_that_is_a_link_depends_on_where_it_leads() {
    let main = |name: &str| format!("resource \"terraform_data\" \"a\" {{\n  input = \"{name}\"\n}}\n");
    let scratch = Scratch::new([("in/q/main.tf", &*main("q")), ("in/q2/main.tf", &main("q2"))]);
    let tree = scratch.tree();
    symlink("in/q", tree.join("live")).unwrap();
    symlink("in", tree.join("envs")).unwrap();
    repository_of(&tree);
    let concerned = |dir: &str| scratch.run(&["roots", dir, "--changed-since=HEAD"]).out;
    assert_eq!((&*concerned("live"), &*concerned("envs/q2")), ("", ""));
    write(&scratch, "in/q2/main.tf", &main("q3"));
    assert_eq!((&*concerned("live"), &*concerned("envs/q2")), ("", "envs/q2\n"));
    git(&tree, &["checkout", "-q", "."]);
    fs::remove_file(tree.join("live")).unwrap();
    symlink("in/q2", tree.join("live")).unwrap();
    assert_eq!((&*concerned("live"), &*concerned("envs/q2")), ("live\n", ""));
    let done = scratch.run(&["review", "live", "--base=HEAD", "--changed-since=HEAD", "--fail-on=change"]);
    assert!(done.code == Some(3) && done.out.contains("\"q2\""), "{}{}", done.out, done.err);
    // A link on the way to it.
    fs::create_dir_all(tree.join("out/q2")).unwrap();
    write(&scratch, "out/q2/main.tf", &main("out"));
    commit(&scratch);
    fs::remove_file(tree.join("envs")).unwrap();
    symlink("out", tree.join("envs")).unwrap();
    assert_eq!((&*concerned("live"), &*concerned("envs/q2")), ("", "envs/q2\n"));
}

#[test]
fn a_provisioners_script_of_other_ends_of_lines_is_a_row() {
    let main = "resource \"terraform_data\" \"a\" {\n  provisioner \"local-exec\" {\n    command = \"sh ${path.module}/x.sh\"\n  }\n}\n";
    let scratch = committed([("main.tf", main), ("x.sh", "echo >out\n")]);
    write(&scratch, "x.sh", "echo >out\r\n");
    commit(&scratch);
    let done = scratch.run(&["review", "--base=HEAD~1", "--fail-on=change"]);
    let row = "terraform_data.a.provisioner x.sh  (the file)  (the file, of other contents)";
    assert!(done.code == Some(3) && done.out.contains(row), "{}{}", done.out, done.err);
}
