//! `.tofu` files, as OpenTofu reads them (OpenTofu 1.8, "Files and Directories").

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;
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
