//! `.tofu` files, as OpenTofu reads them (OpenTofu 1.8, "Files and Directories").

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::repository_of;
use crate::cli_common::{Done, Scratch};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const SETTING: (&str, &str) = ("phi.hcl", "settings {\n  terraform = \"tofu\"\n}\n");
const VARIABLE: (&str, &str) = ("variables.tf", "variable \"on\" {\n  type = bool\n}\n");

fn resource(name: &str) -> String {
    format!(
        "resource \"terraform_data\" \"{name}\" {{\n  lifecycle {{\n    prevent_destroy = var.on\n  }}\n}}\n"
    )
}

/// What `trace` finds driven.
fn driven(files: &[(&str, &str)]) -> Vec<String> {
    let done = Scratch::new(files.iter().copied()).run(&["trace"]);
    let heads = done.out.lines().filter(|l| l.starts_with("terraform_data."));
    heads.filter_map(|l| l.split('.').nth(1)).map(str::to_owned).collect()
}

#[test]
fn tofu_files_count_where_the_tree_is_for_tofu() {
    let (a, b, c) = (resource("a"), resource("b"), resource("c"));
    let files = [("main.tf", &*a), ("main.tofu", &*b), ("more.tofu", &*c), VARIABLE];
    assert_eq!(driven(&files), ["a"]);
    assert_eq!(driven(&[&files[..], &[SETTING]].concat()), ["b", "c"]);
}

/// Overrides go by their suffix, too; JSON hides JSON alone.
#[test]
fn overrides_and_json() {
    let a = resource("a");
    let literal = "resource \"terraform_data\" \"a\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n";
    let json =
        |input: u8| format!(r#"{{ "resource": {{ "terraform_data": {{ "j": {{ "input": {input} }} }} }} }}"#);
    let (one, two) = (json(1), json(2));
    let files = [
        ("main.tf", &*a),
        ("main.tf.json", &*one),
        ("main.tofu.json", &*two),
        ("x_override.tofu", literal),
        VARIABLE,
    ];
    let all = |files: &[(&str, &str)]| Scratch::new(files.iter().copied()).run(&["trace", "--all"]).out;
    let terraforms = all(&files);
    for said in ["a.lifecycle.prevent_destroy\n  bounded    true | false\n", "j.input\n  resolved   1\n"] {
        assert!(terraforms.contains(said), "{terraforms}");
    }
    let tofus = all(&[&files[..], &[SETTING]].concat());
    for said in ["a.lifecycle.prevent_destroy\n  resolved   true\n", "j.input\n  resolved   2\n"] {
        assert!(tofus.contains(said), "{tofus}");
    }
}

fn program(scratch: &Scratch, says: &str) -> String {
    let path = scratch.path("bin/tofu");
    fs::write(&path, format!("#!/bin/sh\n[ \"$1\" = version ] && echo '{says}' && exit 0\nexit 0\n"))
        .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// A program that reads other files than were read plans nothing.
#[test]
fn a_program_that_reads_other_files() {
    let (a, b) = (resource("a"), resource("b"));
    let files = [("main.tf", &*a), ("main.tofu", &*b), VARIABLE];
    for (says, setting, want) in [
        ("OpenTofu v1.9.0", false, Some("settings {\n         terraform = \"tofu\"\n       }")),
        ("OpenTofu v1.9.0", true, None),
        ("OpenTofu v1.7.0", true, Some("export TF_PHI_TERRAFORM=tofu")),
        ("Terraform v1.11.4", true, Some("export TF_PHI_TERRAFORM=tofu")),
        ("Terraform v1.11.4", false, None),
    ] {
        let all = [&files[..], if setting { &[SETTING] } else { &[] }].concat();
        let scratch = Scratch::new(all);
        let program = program(&scratch, says);
        let done = scratch.run(&["plan", "--terraform", &program, "-var", "on=true"]);
        match want {
            Some(fix) => {
                assert!(done.err.contains(fix) && done.code == Some(1), "{says} {setting}\n{}", done.err)
            }
            None => assert_eq!(done.code, Some(0), "{says} {setting}\n{}", done.err),
        }
    }
}

const KEYED: &str = r#"variable "regions" {
  type    = set(string)
  default = ["eu", "us"]
}
provider "aws" {
  alias    = "by_region"
  for_each = var.regions
  region   = each.value
}
resource "aws_vpc" "all" {
  for_each = var.regions
  provider = aws.by_region[each.key]
}
module "m" {
  source    = "./m"
  for_each  = var.regions
  providers = { aws = aws.by_region[each.key] }
}
"#;

/// OpenTofu chooses among the configurations of a provider with `for_each` itself, since 1.9.
#[test]
fn keys_of_provider_configurations_stay_expressions() {
    let module = ("m/main.tofu", "resource \"aws_vpc\" \"x\" {}\n");
    for phi in [
        "settings {\n  terraform = \"tofu\"\n}\n",
        "settings {\n  terraform = \"tofu\"\n  copies = false\n}\n",
    ] {
        let scratch = Scratch::new([("main.tofu", KEYED), ("phi.hcl", phi), module]);
        let program = program(&scratch, "OpenTofu v1.9.0");
        let done = scratch.run(&["plan", "--terraform", &program]);
        assert!(done.code == Some(0) && done.err.contains("nothing to specialise"), "{}", done.err);
    }
    // Beside an expression that it doesn't take, the value stands there with its key.
    let main = KEYED.replace(
        "aws.by_region[each.key]\n}\nmodule",
        "var.regions == null ? aws : aws.by_region[one([\"eu\"])]\n}\nmodule",
    );
    let scratch = Scratch::new([("main.tofu", &*main), SETTING, module]);
    let done = scratch.run(&["diff", "--no-copies"]);
    assert!(done.out.contains("+  provider = aws.by_region[\"eu\"]"), "{}\n{}", done.out, done.err);
}

const TOFU: &str = "settings {\n  terraform = \"tofu\"\n}\n";

/// A review of `head` beside a base, each a `main.tf` for OpenTofu with a module `m` in a folder.
fn reviewed(base: &str, head: &str, args: &[&str]) -> Done {
    let module = "variable \"size\" {\n  default = 1\n}\nresource \"terraform_data\" \"x\" {\n  input = var.size\n}\n\
                  output \"o\" {\n  value = \"there\"\n}\n";
    let scratch = Scratch::new([("main.tf", base), ("m/main.tf", module), ("phi.hcl", TOFU)]);
    repository_of(&scratch.tree());
    fs::write(scratch.path("tree/main.tf"), head).unwrap();
    scratch.run(&[&["review", "--base", "HEAD"], args].concat())
}

fn enabled(on: &str, kind: &str, enabled: &str) -> String {
    let block = match kind {
        "resource" => "resource \"terraform_data\" \"x\" {\n  input = 1",
        _ => "module \"m\" {\n  source = \"./m\"",
    };
    format!(
        "locals {{\n  on = {on}\n}}\nresource \"terraform_data\" \"other\" {{}}\n{block}\n  lifecycle {{\n    enabled = {enabled}\n  }}\n}}\n"
    )
}

/// OpenTofu destroys what isn't enabled any more: it goes as with `count = 0`.
#[test]
fn what_is_not_enabled_any_more_is_gone() {
    for (kind, gone) in [("resource", "terraform_data.x"), ("module", "module.m.terraform_data.x")] {
        for (before, after) in [
            (enabled("true", kind, "true"), enabled("true", kind, "false")),
            (enabled("true", kind, "local.on"), enabled("false", kind, "local.on")),
            (enabled("1", kind, "local.on == 1"), enabled("2", kind, "local.on == 1")),
        ] {
            let done = reviewed(&before, &after, &["--fail-on", "destroy"]);
            assert_eq!(done.code, Some(3), "{after}\n{}\n{}", done.out, done.err);
            let done = reviewed(&before, &after, &["--format", "json"]);
            let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
            let instances = report["environments"][0]["instances"].to_string();
            assert!(instances.contains(gone), "{after}\n{}", done.out);
            // The other way round it comes.
            let done = reviewed(&after, &before, &["--fail-on", "destroy"]);
            assert_eq!(done.code, Some(0), "{after}\n{}\n{}", done.out, done.err);
        }
    }
}

/// What nobody knows may go.
#[test]
fn what_may_not_be_enabled_any_more_may_go() {
    let unknown = "terraform_data.other.id == \"x\"";
    for (kind, gone) in [("resource", "terraform_data.x"), ("module", "module.m.terraform_data.x")] {
        let (before, after) = (enabled("true", kind, "true"), enabled("true", kind, unknown));
        let done = reviewed(&before, &after, &["--fail-on", "destroy"]);
        assert!(done.code == Some(3) && done.out.contains("may go"), "{}\n{}", done.out, done.err);
        assert!(done.out.contains(gone), "{}", done.out);
    }
}

/// A call that isn't enabled is null, and none of its outputs can be read.
#[test]
fn a_call_that_is_not_enabled_has_no_outputs() {
    let outputs = "output \"o\" {\n  value = try(module.m.o, \"none\")\n}\noutput \"n\" {\n  value = module.m == null\n}\n";
    for (on, want) in [("true", ["\"there\"", "false"]), ("false", ["\"none\"", "true"])] {
        let main = enabled(on, "module", "local.on") + outputs;
        let module = "output \"o\" {\n  value = \"there\"\n}\n";
        let scratch = Scratch::new([("main.tf", &*main), ("m/main.tf", module), ("phi.hcl", TOFU)]);
        let done = scratch.run(&["matrix", "--all", "--format", "json"]);
        let all = done.out.replace("\\\"", "\"");
        let value =
            |name: &str| all.split(&format!("output.{name}.value")).nth(1).unwrap_or_default().to_owned();
        assert!(value("o").contains(want[0].trim_matches('"')), "{all}");
        assert!(value("n").contains(want[1]), "{all}");
        let done = scratch.run(&["validate"]);
        assert_eq!(done.code, Some(0), "{}\n{}", done.out, done.err);
        let read = format!("{main}output \"fails\" {{\n  value = module.m.o\n}}\n");
        fs::write(scratch.path("tree/main.tf"), read).unwrap();
        let done = scratch.run(&["validate"]);
        assert_eq!(done.code == Some(0), on == "true", "{}\n{}", done.out, done.err);
    }
}

/// Of what isn't enabled, no values are asked.
#[test]
fn nothing_fails_in_what_is_not_enabled() {
    let fails = "input = { a = 1 }[var.key]";
    let variable = "variable \"key\" {\n  default = \"b\"\n}\n";
    for (on, code) in [("true", Some(3)), ("false", Some(0))] {
        let main = enabled(on, "resource", "local.on").replace("input = 1", fails) + variable;
        let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", TOFU)]);
        let done = scratch.run(&["validate"]);
        assert_eq!(done.code, code, "{}\n{}", done.out, done.err);
    }
}

/// Terraform has no such argument, and no such block in a call.
#[test]
fn enabled_is_not_terraforms() {
    for (kind, want) in [("resource", "enabled"), ("module", "lifecycle")] {
        let scratch =
            Scratch::new([("main.tf", &*enabled("true", kind, "true")), ("m/main.tf", "locals {}\n")]);
        let done = scratch.run(&["validate"]);
        let said = format!("{}{}", done.out, done.err);
        assert!(done.code != Some(0) && said.contains("Unsupported") && said.contains(want), "{said}");
    }
    // OpenTofu's takes nothing else there.
    let more = enabled("true", "module", "true").replace("enabled =", "prevent_destroy =");
    let scratch = Scratch::new([("main.tf", &*more), ("m/main.tf", "locals {}\n"), ("phi.hcl", TOFU)]);
    let done = scratch.run(&["validate"]);
    assert!(done.err.contains("prevent_destroy"), "{}{}", done.out, done.err);
}
