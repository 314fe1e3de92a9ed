//! Data sources whose values `phi.hcl` lists: each of them specialised, all others stopped by a postcondition.

use crate::compare::nothing_is_destroyed;
use crate::support::{Scratch, actions};

const MAIN: &str = r#"
data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${path.module}/net.tfstate" }
}

module "site" {
  source = "./site"
}

resource "terraform_data" "db" {
  input = data.terraform_remote_state.net.outputs.env
}

resource "terraform_data" "web" {
  input = "web-${module.site.zone}"
}

output "both" {
  value = [terraform_data.db.input, terraform_data.web.input]
}
"#;

const SITE: &str = r#"
data "terraform_remote_state" "zone" {
  backend = "local"
  config  = { path = "./zone.tfstate" }
}

output "zone" {
  value = data.terraform_remote_state.zone.outputs.zone
}
"#;

const PHI: &str = r#"
specialize "terraform_data" {
  fields = ["input"]
}

variable "data.terraform_remote_state.net.outputs.env" {
  universe = ["prod", "dev"]
}

variable "module.site.data.terraform_remote_state.zone.outputs.zone" {
  universe = ["a", "b"]
}
"#;

fn answers(scratch: &Scratch, file: &str, name: &str, json: &str) {
    let state = format!(
        "{{\"version\": 4, \"terraform_version\": \"1.5.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": \
         {{\"{name}\": {{\"value\": {json}, \"type\": \"string\"}}}}, \"resources\": []}}\n"
    );
    scratch.write(file, &state);
}

fn tree() -> Scratch {
    let scratch = Scratch::with(&[("main.tf", MAIN), ("site/main.tf", SITE), ("phi.hcl", PHI)]);
    answers(&scratch, "net.tfstate", "env", "\"prod\"");
    answers(&scratch, "zone.tfstate", "zone", "\"a\"");
    scratch.init();
    scratch
}

#[test]
fn each_listed_value_is_what_terraform_computes() {
    let scratch = tree();
    scratch.apply(&[]);
    for (env, zone) in [("prod", "a"), ("dev", "a"), ("dev", "b"), ("prod", "b")] {
        answers(&scratch, "net.tfstate", "env", &format!("\"{env}\""));
        answers(&scratch, "zone.tfstate", "zone", &format!("\"{zone}\""));
        let (plan, file) = scratch.phi_plan(&[]);
        nothing_is_destroyed(&plan, env);
        for address in [format!("terraform_data.db_{env}[0]"), format!("terraform_data.web_web_{zone}[0]")] {
            assert!(actions(&plan).contains_key(&address), "{address}: {:?}", actions(&plan));
        }
        scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
        let ran = scratch.tf_phi(&["verify"]).expect(0);
        assert!(ran.stdout.contains("equal"), "{}", ran.stdout);
    }
}

#[test]
fn what_is_not_listed_stops_the_plan() {
    let scratch = tree();
    scratch.phi_plan(&[]);
    for (file, name, json) in [("net.tfstate", "env", "\"stage\""), ("zone.tfstate", "zone", "\"c\"")] {
        let before = scratch.read(file);
        answers(&scratch, file, name, json);
        let ran = scratch.terraform(&["plan", "-no-color", "-input=false"]).expect(1);
        assert!(ran.stderr.contains("Resource postcondition failed"), "{}", ran.stderr);
        assert!(ran.stderr.contains("must be one of"), "{}", ran.stderr);
        let ran = scratch.tf_phi(&["plan", "-no-color", "-input=false"]).expect(1);
        assert!(ran.stderr.contains("Resource postcondition failed"), "{}", ran.stderr);
        scratch.write(file, &before);
    }
}

#[test]
fn two_attributes_and_two_instances_are_different_values() {
    let main = r#"
module "site" {
  source   = "./site"
  for_each = toset(["x", "y"])
  name     = each.key
}

resource "terraform_data" "sites" {
  input = module.site["x"].outputs.a == "p" && module.site["y"].outputs.a == "q" ? "1" : "2"
}

resource "terraform_data" "outputs" {
  input = module.site["x"].outputs.a == "p" && module.site["x"].outputs.b == "q" ? "1" : "2"
}
"#;
    let site = r#"
variable "name" {
  type = string
}

data "terraform_remote_state" "zone" {
  backend = "local"
  config  = { path = "./${var.name}.tfstate" }
}

output "outputs" {
  value = data.terraform_remote_state.zone.outputs
}
"#;
    let state = |a: &str, b: &str| {
        format!(
            "{{\"version\": 4, \"terraform_version\": \"1.5.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": \
             {{\"a\": {{\"value\": \"{a}\", \"type\": \"string\"}}, \"b\": {{\"value\": \"{b}\", \"type\": \
             \"string\"}}}}, \"resources\": []}}\n"
        )
    };
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("site/main.tf", site), ("phi.hcl", phi)]);
    for (x, y) in [(("p", "q"), ("q", "r")), (("p", "p"), ("p", "q"))] {
        scratch.write("x.tfstate", &state(x.0, x.1));
        scratch.write("y.tfstate", &state(y.0, y.1));
        scratch.init();
        scratch.phi_plan(&[]);
        let ran = scratch.tf_phi(&["verify"]).expect(0);
        assert!(ran.stdout.contains("equal"), "{}", ran.stdout);
    }
}

/// `slice(x, 0, 3)` has three elements, whatever `x` is, or it fails.
#[test]
fn a_slice_of_a_data_source_has_a_length() {
    let main = r#"
data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${path.module}/net.tfstate" }
}

locals {
  zones = slice(data.terraform_remote_state.net.outputs.names, 0, 3)
}

module "site" {
  source = "./site"
  zones  = local.zones
}

resource "terraform_data" "site" {
  count = length(local.zones)
  input = length(toset(local.zones))
}
"#;
    let site = r#"
variable "zones" {
  type = list(string)
}

resource "terraform_data" "zone" {
  count = length(var.zones)
  input = var.zones[count.index]
}
"#;
    let scratch = Scratch::with(&[("main.tf", main), ("site/main.tf", site)]);
    let state = |names: &str, ty: &str| {
        let state = format!(
            "{{\"version\": 4, \"terraform_version\": \"1.5.0\", \"serial\": 1, \"lineage\": \"x\", \"outputs\": \
             {{\"names\": {{\"value\": {names}, \"type\": {ty}}}}}, \"resources\": []}}\n"
        );
        scratch.write("net.tfstate", &state);
    };
    let says = scratch.tf_phi(&["trace", "--all"]).expect(0).stdout;
    let is_three = |field: &str| says.contains(&format!("{field}\n  resolved   3\n"));
    assert!(
        is_three("terraform_data.site.count") && is_three("module.site.terraform_data.zone.count"),
        "{says}"
    );
    // Two of the three may be equal.
    assert!(!is_three("terraform_data.site.input"), "{says}");
    scratch.init();
    for (names, ty) in [
        (r#"["a", "b", "b", "d"]"#, r#"["list", "string"]"#),
        (r#"["a", "b", "b"]"#, r#"["tuple", ["string", "string", "string"]]"#),
    ] {
        state(names, ty);
        let planned = actions(&scratch.plan(&[]));
        let count = |of: &str| planned.keys().filter(|address| address.starts_with(of)).count();
        assert_eq!(
            (count("terraform_data.site["), count("module.site.terraform_data.zone[")),
            (3, 3),
            "{planned:?}"
        );
    }
    for (names, ty) in
        [(r#"["a", "b"]"#, r#"["list", "string"]"#), (r#"["a", "b", "c"]"#, r#"["set", "string"]"#)]
    {
        state(names, ty);
        let ran = scratch.terraform(&["plan", "-no-color", "-input=false"]).expect(1);
        assert!(ran.stderr.contains("Invalid function argument"), "{}", ran.stderr);
    }
}
