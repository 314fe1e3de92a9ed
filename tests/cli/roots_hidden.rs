//! Root modules that a change tries to hide from those who look at all of them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::git;
use crate::cli_common::{Done, Scratch};
use crate::roots::{commit, json, repository, write};
use std::fs;

/// One root with two environments, to which something evil is done, and one beside it.
fn attacked() -> Scratch {
    const APP: &str =
        "variable \"v\" {}\nresource \"terraform_data\" \"x\" {\n  input = \"good ${var.v}\"\n}\n";
    let scratch = Scratch::new([
        ("live/app/main.tf", APP),
        ("live/app/env/prod.tfvars", "v = \"p\"\n"),
        ("live/zz/main.tf", "resource \"terraform_data\" \"q\" {}\n"),
    ]);
    repository(&scratch);
    write(&scratch, "live/app/main.tf", &APP.replace("good", "evil"));
    scratch
}

const REVIEW: [&str; 6] = ["review", "--recursive", "live", "--base=HEAD", "--fail-on", "change,finding"];

/// The directories of the review, and what it shows of what was done.
fn reviewed(scratch: &Scratch) -> Done {
    let done = scratch.run(&REVIEW);
    assert!(
        done.out.contains("live/app\nprod\n") && done.out.contains("\"evil p\""),
        "{}{}",
        done.out,
        done.err
    );
    let since = scratch.run(&[&REVIEW[..], &["--changed-since=HEAD"]].concat());
    assert!(since.out.contains("\"evil p\""), "{}{}", since.out, since.err);
    done
}

#[test]
fn folders_that_call_each_other_hide_no_root() {
    let scratch = attacked();
    write(
        &scratch,
        "live/docs/a/main.tf",
        "module \"x\" {\n  source = \"../../app\"\n}\nmodule \"b\" {\n  source = \"../b\"\n}\n",
    );
    write(&scratch, "live/docs/b/main.tf", "module \"a\" {\n  source = \"../a\"\n}\n");
    assert_eq!(reviewed(&scratch).code, Some(1), "the circle can't be read");
    let all = "live/app\nlive/docs/a\nlive/docs/b\nlive/zz\n";
    assert_eq!(scratch.run(&["roots", "--recursive"]).out, all);
    let done = scratch.run(&["validate", "--recursive"]);
    assert!(done.code == Some(1) && done.out.contains("Module calls itself"), "{}", done.out);
    // Nothing is written into what another one calls, whoever that is.
    let done = scratch.run(&["check", "--recursive", "--fix"]);
    assert!(done.out.contains("1 of 1 directory"), "{}", done.out);
}

#[test]
fn a_source_that_nobody_knows_hides_no_folder_that_is_made_to_be_a_root() {
    let scratch = attacked();
    let provider = "provider \"local\" {}\n";
    let backend = "terraform {\n  backend \"local\" {}\n}\n";
    let cloud = "{\"terraform\": [{\"cloud\": [{\"organization\": \"x\"}]}]}";
    for (file, text) in [
        ("provider/main.tf", provider),
        ("backend/main.tf", backend),
        ("cloud/main.tf.json", cloud),
        ("plain/main.tf", "locals {}\n"),
    ] {
        write(&scratch, &format!("live/{file}"), text);
    }
    let docs = "variable \"kind\" {\n  default = \"x\"\n}\nmodule \"e\" {\n  source = \"../${var.kind}\"\n  count  = 0\n}\n";
    write(&scratch, "live/docs/main.tf", docs);
    assert_eq!(reviewed(&scratch).code, Some(3));
    let all = "live/app\nlive/backend\nlive/cloud\nlive/docs\nlive/provider\n";
    assert_eq!(scratch.run(&["roots", "--recursive"]).out, all);
    let done = scratch.run(&["check", "--recursive", "--fix"]);
    assert!(done.out.contains("0 of 1 directory"), "only the caller would be written into: {}", done.out);
    assert!(done.err.contains("The folder ../x "), "and it calls what isn't there: {}", done.err);
}

#[test]
fn a_root_that_something_calls_now_is_reviewed_all_the_same() {
    let scratch = attacked();
    write(
        &scratch,
        "live/docs/main.tf",
        "module \"a\" {\n  source = \"../app\"\n  v      = 1\n  count  = 0\n}\n",
    );
    assert_eq!(scratch.run(&["roots", "--recursive"]).out, "live/docs\nlive/zz\n");
    assert_eq!(scratch.run(&["roots", "--recursive", "--base=HEAD"]).out, "live/docs\nlive/zz\nlive/app\n");
    assert_eq!(reviewed(&scratch).code, Some(3));
    // What was called before is no root that was lost.
    commit(&scratch);
    assert_eq!(scratch.run(&["roots", "--recursive", "--base=HEAD"]).out, "live/docs\nlive/zz\n");
    let done = scratch.run(&["roots", "--recursive", "--base=nope"]);
    assert!(done.code == Some(1) && done.err.contains("there is no revision \"nope\""), "{}", done.err);
}

#[test]
fn a_root_behind_a_link_is_reviewed_all_the_same() {
    for to in ["live/.app", "aside"] {
        let scratch = attacked();
        let tree = scratch.tree();
        fs::rename(tree.join("live/app"), tree.join(to)).unwrap();
        std::os::unix::fs::symlink(format!("../{to}"), tree.join("live/app")).unwrap();
        git(&tree, &["add", "-A"]);
        assert_eq!(reviewed(&scratch).code, Some(3), "{to}");
        // Named by itself, it is compared with what its name led to.
        let done = scratch.run(&["-chdir=live/app", "review", "--base=HEAD"]);
        assert!(done.out.contains("\"good p\"  \"evil p\""), "{}", done.out);
    }
}

#[test]
fn a_link_that_leads_elsewhere_now_is_compared_with_where_it_led() {
    let scratch = attacked();
    let tree = scratch.tree();
    commit(&scratch);
    std::os::unix::fs::symlink("live/zz", tree.join("named")).unwrap();
    commit(&scratch);
    fs::remove_file(tree.join("named")).unwrap();
    std::os::unix::fs::symlink("live/app", tree.join("named")).unwrap();
    let done = scratch.run(&["review", "named", "--base=HEAD"]);
    assert!(done.out.contains("- terraform_data.q"), "{}{}", done.out, done.err);
}

#[test]
fn a_root_that_is_gone_is_a_finding() {
    let scratch = attacked();
    let tree = scratch.tree();
    let tell = |done: Done, code| {
        assert_eq!(done.code, Some(code), "{}{}", done.out, done.err);
        let said = "live/app was a root module at the base and is none any more";
        assert!(done.out.contains(said), "{}", done.out);
    };
    let outside = scratch.path("outside");
    fs::rename(tree.join("live/app"), &outside).unwrap();
    tell(scratch.run(&REVIEW), 3);
    tell(scratch.run(&["review", "--recursive", "live", "--base=HEAD"]), 0);
    let found = json(&scratch, &["roots", "--recursive", "--base=HEAD", "--format=json"]);
    assert_eq!(found["root_modules"].as_array().unwrap().len(), 1);
    assert_eq!(found["gone"][0]["directory"], "live/app");
    // What lies outside of the work tree, or isn't tracked, isn't looked at.
    std::os::unix::fs::symlink(&outside, tree.join("live/app")).unwrap();
    tell(scratch.run(&REVIEW), 3);
    fs::remove_file(tree.join("live/app")).unwrap();
    fs::rename(&outside, tree.join("aside")).unwrap();
    std::os::unix::fs::symlink("../aside", tree.join("live/app")).unwrap();
    tell(scratch.run(&REVIEW), 3);
    fs::remove_file(tree.join("live/app")).unwrap();
    // What has another name is compared with what it was.
    fs::rename(tree.join("aside"), tree.join("live/new")).unwrap();
    fs::write(tree.join("live/new/main.tf"), git_show(&tree, "live/app/main.tf")).unwrap();
    let done = scratch.run(&REVIEW);
    assert!(done.code == Some(0) && !done.out.contains("live/app"), "{}{}", done.out, done.err);
}

fn git_show(tree: &std::path::Path, path: &str) -> String {
    let mut command = std::process::Command::new("git");
    let done = command.arg("-C").arg(tree).args(["show", &format!("HEAD:{path}")]).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn a_root_depends_on_each_link_on_the_way() {
    let main = "module \"m\" {\n  source = \"../first/m\"\n}\n";
    let scratch = Scratch::new([
        ("r/main.tf", main),
        ("lib/m/main.tf", "locals {}\n"),
        ("other/m/main.tf", "locals {}\n"),
        ("s/main.tf", "locals {}\n"),
    ]);
    let tree = scratch.tree();
    std::os::unix::fs::symlink("second", tree.join("first")).unwrap();
    std::os::unix::fs::symlink("lib", tree.join("second")).unwrap();
    repository(&scratch);
    fs::remove_file(tree.join("second")).unwrap();
    std::os::unix::fs::symlink("other", tree.join("second")).unwrap();
    let done = scratch.run(&["roots", "r", "s", "--changed-since=HEAD"]);
    assert_eq!(done.out, "r\n", "{}", done.err);
}

#[test]
fn a_root_depends_on_what_its_templates_read() {
    let main = "output \"q\" {\n  value = templatefile(\"../x/t.tpl\", {})\n}\n";
    let own = "output \"q\" {\n  value = templatefile(\"t/own.tpl\", {})\n}\n";
    let scratch = Scratch::new([
        ("r/main.tf", main),
        ("o/main.tf", own),
        ("o/t/own.tpl", "${file(\"../y/a.txt\")}"),
        ("s/main.tf", "locals {}\n"),
        ("x/t.tpl", "${jsondecode(file(\"../y/next.json\")).p}"),
        ("y/next.json", "{\"p\": \"../x/t.tpl\", \"q\": \"./a.txt\"}"),
        ("y/a.txt", "good"),
    ]);
    repository(&scratch);
    write(&scratch, "y/a.txt", "evil");
    let done = scratch.run(&["roots", "--recursive", "--changed-since=HEAD"]);
    assert_eq!(done.out, "o\nr\n", "{}", done.err);
}
