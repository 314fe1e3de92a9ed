//! Where a field is split changes: at the call or at the resource, in a copy or in place. Whatever stood before, the next run
//! moves state there and destroys nothing.

use crate::compare::nothing_is_destroyed;
use crate::support::Scratch;
use crate::support::sample::sampled;

const MAIN: &str = r#"
variable "env" {
  type = string

  validation {
    condition     = contains(["dev", "qa", "prod"], var.env)
    error_message = "dev, qa or prod."
  }
}

locals {
  networks = {
    inner = { cidr = "10.0.0.0/16", protect = false }
    outer = { cidr = "10.1.0.0/16", protect = var.env == "prod" }
  }
}

module "net" {
  source   = "./modules/net"
  for_each = local.networks

  cidr    = each.value.cidr
  protect = each.value.protect
  release = var.env == "dev" ? "15" : "16"
}

module "other" {
  source = "./modules/net"

  cidr    = "10.2.0.0/16"
  protect = var.env == "qa"
  release = var.env == "prod" ? "16" : "15"
}

output "networks" {
  value = { for k, n in module.net : k => n.id }
}
"#;

const NET: &str = r#"
variable "cidr" { type = string }

variable "protect" { type = bool }

variable "release" { type = string }

resource "terraform_data" "net" {
  count = var.cidr == "" ? 0 : 1
  input = var.cidr

  lifecycle {
    create_before_destroy = var.protect
  }
}

resource "terraform_data" "release" {
  for_each = toset(["a", "b"])
  input    = { release = var.release, net = terraform_data.net[0].id, key = each.key }
}

output "id" {
  value = terraform_data.net[0].id
}
"#;

/// What `phi.hcl` may say, each with its name.
const PLACES: [(&str, &str); 5] = [
    (
        "both at the call",
        r#"
specialize "terraform_data.net" {
  fields = ["lifecycle.create_before_destroy"]
  at     = "call"
}
specialize "terraform_data.release" {
  fields = ["input.release"]
}
"#,
    ),
    (
        "the pin at the call, the meta-argument where it stands",
        r#"
specialize "terraform_data.release" {
  fields = ["input.release"]
  at     = "call"
}
"#,
    ),
    (
        "both at the resource",
        r#"
specialize "terraform_data.release" {
  fields = ["input.release"]
  at     = "resource"
}
"#,
    ),
    (
        "both at the resource, in place",
        r#"
settings {
  edit = ["modules/*"]
}
specialize "terraform_data.release" {
  fields = ["input.release"]
  at     = "resource"
}
"#,
    ),
    ("the meta-argument alone", "settings {\n  edit = [\"modules/*\"]\n}\n"),
];

/// Specialised and initialised. Terraform itself takes no expression for the meta-argument, so that the original can't be.
fn scratch(phi: &str) -> Scratch {
    let scratch = Scratch::with(&[("main.tf", MAIN), ("modules/net/main.tf", NET), ("phi.hcl", phi)]);
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.init();
    scratch
}

fn apply(scratch: &Scratch, phi: &str, args: &[&str], what: &str) {
    scratch.write("phi.hcl", phi);
    let (plan, file) = scratch.phi_plan(args);
    nothing_is_destroyed(&plan, what);
    scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
}

/// From each place to each other, with the same values: nothing changes, whatever else a run has.
#[test]
fn from_every_place_to_every_other() {
    for (before, from) in PLACES {
        let scratch = scratch(from);
        apply(&scratch, from, &["-var=env=dev"], before);
        for (after, to) in sampled(PLACES, 3, before) {
            let what = format!("{before} → {after}");
            scratch.write("phi.hcl", to);
            let (plan, file) = scratch.phi_plan(&["-var=env=dev"]);
            nothing_is_destroyed(&plan, &what);
            let idle = plan.resource_changes.iter().all(|c| c.change.actions == ["no-op"]);
            assert!(idle, "{what}: {:?}", plan.resource_changes);
            scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
            // Back, so that each move is made from the same place.
            apply(&scratch, from, &["-var=env=dev"], &format!("{after} → {before}"));
        }
    }
}

/// The place and the values change in one run; plain Terraform would update, and so do we.
#[test]
fn with_other_values_at_once() {
    let next = PLACES.iter().cycle().skip(1);
    let pairs = PLACES.iter().zip(next);
    let both = pairs.clone().chain(pairs.map(|(a, b)| (b, a)));
    for ((before, from), (after, to)) in sampled(both, 3, "values") {
        let scratch = scratch(from);
        apply(&scratch, from, &["-var=env=prod"], before);
        apply(&scratch, to, &["-var=env=qa"], &format!("{before} (prod) → {after} (qa)"));
        apply(&scratch, to, &["-var=env=dev"], &format!("{after} (qa → dev)"));
    }
}

/// What was edited in place is put back byte for byte, and so is the call of a copy.
#[test]
fn restored_from_every_place() {
    for (place, phi) in PLACES {
        let scratch = Scratch::with(&[("main.tf", MAIN), ("modules/net/main.tf", NET), ("phi.hcl", phi)]);
        let before = scratch.sources();
        scratch.tf_phi(&["check", "--fix"]).expect(0);
        let written = scratch.sources();
        assert_ne!(before, written, "{place}");
        let module = std::path::Path::new("modules/net/main.tf");
        assert_eq!(phi.contains("edit"), before[module] != written[module], "{place}");
        scratch.tf_phi(&["restore"]).expect(0);
        assert_eq!(before, scratch.sources(), "{place}");
    }
}

/// A root below that calls the module, too: an edit would change its plans.
#[test]
fn a_module_that_others_call_is_not_edited() {
    let caller = "module \"net\" {\n  source = \"../../modules/net\"\n}\n";
    let files = [("main.tf", MAIN), ("modules/net/main.tf", NET), ("phi.hcl", PLACES[3].1)];
    let scratch = Scratch::with(&[&files[..], &[("examples/simple/main.tf", caller)]].concat());
    let ran = scratch.tf_phi(&["check", "--fix"]).expect(0);
    assert!(ran.stderr.contains("modules/net is copied and not edited in place"), "{}", ran.stderr);
    assert!(ran.stderr.contains("examples/simple/main.tf calls it"), "{}", ran.stderr);
    assert_eq!(scratch.read("modules/net/main.tf"), NET);
}
