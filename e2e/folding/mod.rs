//! What a driven value decides is gone from a copy, and each copy plans what the original plans.

mod first_pass;
mod random;

use crate::compare;
use crate::support::Scratch;

const MAIN: &str = r#"
variable "env" {
  type = string
}
variable "here" {
  type = string
}
module "database" {
  source         = "./database"
  engine_version = var.env == "prod" ? "15.4" : var.env == "dev" ? "17.2" : "16.1"
  replicas       = var.env == "prod" ? 2 : 1
  here           = var.here
}
output "all" {
  value = module.database.all
}
"#;

const PHI: &str = r#"
specialize "terraform_data" {
  fields = ["input.version", "input.replicas"]
}
variable "env" {
  universe = ["prod", "dev", "qa"]
}
"#;

const MODULE: &str = r#"
variable "engine_version" {
  type = string
}
variable "replicas" {
  type = number
}
variable "here" {
  type = string
}
variable "there" {
  type    = string
  default = "there"
}
variable "size" {
  type    = number
  default = 7
}
variable "loose" {
  type    = any
  default = 7
}
variable "secret" {
  type      = string
  default   = "s"
  sensitive = true
}
variable "nothing" {
  type    = string
  default = null
}
locals {
  charts = {
    "15" = "0.19"
    "16" = "0.20"
    "17" = "0.21"
  }
  major  = split(".", var.engine_version)[0]
  chart  = local.charts[local.major]
  old    = local.major == "15"
  by_name = { image = "pg:${local.major}", plain = "x" }
  several = [local.major, var.here]
}
resource "terraform_data" "database" {
  input = {
    version  = var.engine_version
    replicas = var.replicas
    chart    = local.charts[local.major]
    again    = local.chart
  }
}
resource "terraform_data" "standby" {
  count = var.replicas > 1 ? 1 : 0
  input = local.by_name["image"]
}
output "all" {
  value = {
    given   = local.old ? var.loose : "none"
    other   = local.old ? "none" : var.loose
    later   = local.old ? terraform_data.database.output.replicas : "none"
    several = local.old ? one(terraform_data.standby[*].input) : var.there
    arm     = local.old ? var.here : var.there
    inner   = local.old ? var.here : var.replicas == 1 ? "${var.there}-b" : var.there
    number  = local.old ? var.size : 3
    mixed   = local.old ? var.here : var.size
    list    = local.old ? [var.here] : []
    null    = local.old ? var.nothing : null
    typed   = local.old ? var.nothing : var.here
    alone   = local.old ? "${var.size}" : var.here
    shadow  = [for local in [{ major = "z" }] : local.major == "15" ? "yes" : "no"]
    index   = local.several[var.replicas - 1]
    secret  = try(nonsensitive(var.replicas == 2 ? var.here : var.secret), "x") == "x"
    format  = format("%s-%d", local.major, var.replicas) == "15-2"
    missing = try({ "15" = 1 }[local.major], "none")
    logic   = var.here == "h" && var.replicas > 1
  }
}
"#;

#[test]
fn each_copy_plans_what_the_original_plans() {
    let files = [("main.tf", MAIN), ("phi.hcl", PHI), ("database/main.tf", MODULE)];
    let (original, specialised) = (Scratch::with(&files), Scratch::with(&files));
    original.init();
    specialised.init();
    for env in ["prod", "dev", "qa"] {
        let args = [&*format!("-var=env={env}"), "-var=here=h"];
        let (plan, _) = specialised.phi_plan(&args);
        compare::same(&original.plan(&args), &plan, &specialised, env);
    }
    let copies: Vec<String> = specialised
        .sources()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().starts_with("database-"))
        .map(|(_, text)| String::from_utf8_lossy(text.as_ref()).into_owned())
        .collect();
    assert_eq!(copies.len(), 3);
    for copy in &copies {
        let chart = ["0.19", "0.20", "0.21"].iter().filter(|c| copy.contains(&format!("\"{c}\""))).count();
        assert_eq!(chart, 1, "the table is gone, and one of its values is left: {copy}");
        for gone in ["var.engine_version", "var.replicas", "local.old ? var.here : var.there", "charts ="] {
            assert!(!copy.contains(gone), "{gone}: {copy}");
        }
        assert!(copy.contains("tostring(var.loose)"), "{copy}");
        // Where the other arm decides on the type, that is written out, or the conditional stays.
        assert!(!copy.contains("local.old ? var.here : var.size"), "{copy}");
    }
}

/// A module with every form of block that a version decides the instances of, and every form of reference to one.
const WITHOUT: &str = "tests/golden/units/without-instances/in";

fn pair_without(changed: &dyn Fn(String) -> String) -> (Scratch, Scratch) {
    let made = || {
        let scratch = Scratch::copy_of(WITHOUT);
        let text = scratch.read("modules/database/main.tf");
        scratch.write("modules/database/main.tf", &changed(text));
        scratch.init();
        scratch
    };
    (made(), made())
}

#[test]
fn copies_without_the_blocks_plan_what_the_original_plans() {
    let (original, specialised) = pair_without(&|text| text);
    for env in ["prod", "dev"] {
        let args = [&*format!("-var=env={env}")];
        let (plan, _) = specialised.phi_plan(&args);
        compare::same(&original.plan(&args), &plan, &specialised, env);
    }
    let newer = specialised.read("modules/database-v16/main.tf");
    for gone in ["upgrade\"", "mirror\"", "replica\"", "local.", "retention", "try(", "? "] {
        assert!(!newer.contains(gone), "{gone}: {newer}");
    }
    for kept in ["\"waits\"", "\"counted\"", "\"counts\"", "\"kept\"", "\"says\""] {
        assert!(newer.contains(kept), "{kept}: {newer}");
    }
}

#[test]
fn objects_of_blocks_that_go_end_as_in_the_original() {
    for (first, second) in [("dev", "prod"), ("prod", "dev")] {
        let (original, specialised) = pair_without(&|text| text.replace("prevent_destroy = true", ""));
        let (before, after) = (format!("-var=env={first}"), format!("-var=env={second}"));
        original.apply(&[&before]);
        specialised.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color", &before]).expect(0);
        let (plan, _) = specialised.phi_plan(&[&after]);
        compare::same(&original.plan(&[&after]), &plan, &specialised, second);
        let destroyed = plan.resource_changes.iter().filter(|c| c.change.actions == ["delete"]).count();
        assert_eq!(destroyed, if first == "dev" { 10 } else { 1 }, "{first}");
    }
}

#[test]
fn what_must_not_be_destroyed_is_not_because_its_block_went() {
    let (original, specialised) = pair_without(&|text| text);
    original.apply(&["-var=env=dev"]);
    specialised.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color", "-var=env=dev"]).expect(0);
    let plan = ["plan", "-input=false", "-no-color", "-var=env=prod"];
    for ran in [original.terraform(&plan), specialised.tf_phi(&plan)] {
        let ran = ran.expect(1);
        assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
    }
}

/// The call that a service makes, written out.
const BY_HAND: &str = r#"
variable "env" {
  type = string
}
module "app" {
  source            = "./services/pg"
  engine_version    = var.env == "prod" ? "16.2" : "15.4"
  allocated_storage = 20
}
output "address" {
  value = module.app.host
}
"#;

#[test]
fn modules_that_a_template_calls_are_specialised_with_it() {
    let tree = "tests/golden/service/nested-template/in";
    let (original, specialised) = (Scratch::copy_of(tree), Scratch::copy_of(tree));
    original.write("main.tf", BY_HAND);
    original.init();
    specialised.tf_phi(&["init", "-input=false", "-no-color"]).expect(0);
    for env in ["prod", "dev"] {
        let args = [&*format!("-var=env={env}")];
        let (plan, _) = specialised.phi_plan(&args);
        compare::same(&original.plan(&args), &plan, &specialised, env);
    }
    let folders = |part: &str| {
        let all = specialised.sources().into_keys().map(|path| path.to_string_lossy().into_owned());
        all.filter(|path| path.contains(part)).count()
    };
    assert_eq!((folders("storage-"), folders("class-"), folders("legacy-")), (2, 1, 1));
    let text: String = specialised
        .sources()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().contains('-'))
        .map(|(_, text)| String::from_utf8_lossy(text.as_ref()).into_owned())
        .collect();
    assert!(!text.contains("engine_version") && !text.contains("release"), "{text}");
}

#[test]
fn modules_that_get_what_a_template_computes_are_specialised_with_it() {
    let tree = "tests/golden/service/nested-computed/in";
    let (original, specialised) = (Scratch::copy_of(tree), Scratch::copy_of(tree));
    let class = "  instance_class    = var.env == \"prod\" ? \"db.r5.large\" : \"db.t3.small\"\n";
    original
        .write("main.tf", &BY_HAND.replace("  allocated_storage", &format!("{class}  allocated_storage")));
    original.init();
    specialised.tf_phi(&["init", "-input=false", "-no-color"]).expect(0);
    for env in ["prod", "dev"] {
        let args = [&*format!("-var=env={env}")];
        let (plan, _) = specialised.phi_plan(&args);
        compare::same(&original.plan(&args), &plan, &specialised, env);
    }
    let paths = specialised.sources().into_keys().map(|path| path.to_string_lossy().into_owned());
    let paths: Vec<String> = paths.filter(|path| path.contains('-')).collect();
    let folders = |part: &str| paths.iter().filter(|path| path.contains(part)).count();
    assert_eq!(
        (folders("image-"), folders("storage-"), folders("class-"), folders("plain-")),
        (2, 2, 2, 0),
        "{paths:?}"
    );
}

#[test]
fn templates_are_specialised_by_fields_with_one_value_and_within_modules() {
    let tree = "tests/golden/service/one-of-two/in";
    let (original, specialised) = (Scratch::copy_of(tree), Scratch::copy_of(tree));
    let text = original
        .read("main.tf")
        .replace("  engine            = \"postgres\"\n", "  source            = \"./services/pg\"\n");
    let text =
        text.replace("resource \"aws_db_instance\" ", "module ").replace("aws_db_instance.", "module.");
    original.write("main.tf", &text.replace(".address", ".host"));
    original.init();
    specialised.tf_phi(&["init", "-input=false", "-no-color"]).expect(0);
    for env in ["prod", "dev"] {
        let args = [&*format!("-var=env={env}")];
        let (plan, _) = specialised.phi_plan(&args);
        compare::same(&original.plan(&args), &plan, &specialised, env);
    }
    for copy in ["services/pg-db-r5-large/main.tf", "services/pg-db-t3-small/main.tf"] {
        let text = specialised.read(copy);
        assert!(
            text.contains("chart = \"0.21\"") && !text.contains("upgrade") && !text.contains("major"),
            "{text}"
        );
    }
    assert!(
        specialised.read("main.tf").contains("\"./services/pg\"\n"),
        "one value in the root module copies nothing"
    );
}
