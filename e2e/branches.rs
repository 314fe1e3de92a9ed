//! Services that differ from branch to branch, on a real Terraform: each has addresses of its own, and a flip destroys nothing.

use crate::support::{Scratch, actions};

const MAIN: &str = r#"
variable "env" {
  type = string
}
resource "terraform_data" "db" {
  input = {
    engine  = var.env == "prod" ? "postgres" : "mysql"
    version = var.env == "prod" ? "15.4" : "8.0"
    port    = 1
  }
}
module "reports" {
  for_each = { a = "prod", b = var.env }
  source   = "./reports"
  env      = each.value
}
output "app" {
  value = [terraform_data.db.output.port, { for name, report in module.reports : name => report.ports }]
}
"#;

const REPORTS: &str = r#"
variable "env" {
  type = string
}
resource "terraform_data" "store" {
  for_each = toset(["x", "y"])
  input = {
    engine  = var.env == "prod" ? "postgres" : "mysql"
    version = "8.0"
    port    = 1
  }
}
output "ports" {
  value = { for name in ["x", "y"] : name => terraform_data.store[name].output.port }
}
"#;

const PHI: &str = r#"
form_factor "on-prem" {
  services = ["pg", "my"]
}
service "pg" {
  replaces = "terraform_data"
  when     = { "input.engine" = "postgres" }
  module   = "./services/pg"
  outputs  = { output = "release" }
}
service "my" {
  replaces = "terraform_data"
  when     = { "input.engine" = "mysql" }
  module   = "./services/my"
  outputs  = { output = "server" }
}
"#;

const PG: &str = r#"
variable "input" {
  type = object({ engine = string, version = string })
}
resource "terraform_data" "same" {
  input = "postgres ${var.input.version}"
}
output "release" {
  value = { port = 5432 }
}
"#;

const MY: &str = r#"
variable "input" {
  type = object({ engine = string, version = string })
}
resource "terraform_data" "same" {
  input = "mysql ${var.input.version}"
}
output "server" {
  value = { port = 3306 }
}
"#;

fn tree() -> Scratch {
    Scratch::with(&[
        ("main.tf", MAIN),
        ("reports/main.tf", REPORTS),
        ("phi.hcl", PHI),
        ("services/pg/main.tf", PG),
        ("services/my/main.tf", MY),
    ])
}

fn with<'a>(args: &[&'a str], env: &'a str) -> Vec<&'a str> {
    [args, &["--form-factor", "on-prem", env]].concat()
}

#[test]
fn each_branch_has_its_service() {
    let scratch = tree();
    let before = scratch.sources();
    scratch.tf_phi(&["check", "--fix", "--form-factor", "on-prem"]).expect(0);
    scratch.init();
    scratch.terraform(&["validate", "-no-color"]).expect(0);
    let ports =
        |x: i64, a: i64, b: i64| serde_json::json!([x, { "a": { "x": a, "y": a }, "b": { "x": b, "y": b } }]);
    for (env, input, port) in [("prod", "postgres 15.4", 5432), ("dev", "mysql 8.0", 3306)] {
        let (plan, _) = scratch.phi_plan(&with(&[], &format!("-var=env={env}")));
        let found = actions(&plan);
        assert_eq!(plan.output_changes["app"].after, ports(port, 5432, port), "{found:?}");
        let name = if env == "prod" { "postgres" } else { "mysql" };
        assert_eq!(found[&format!("module.db_{name}[0].terraform_data.same")].after["input"], input);
        assert_eq!(found.len(), 5, "{found:?}");
    }
    let written = scratch.sources();
    scratch.phi(&with(&[], "-var=env=dev"));
    assert_eq!(scratch.sources(), written, "a second run changed something");
    scratch.terraform(&["fmt", "-check", "-diff", "reports-split-on-prem"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
}

/// The objects of the two services have the same type and name in their templates: nothing may move from the one to the other.
#[test]
fn a_flip_to_another_service_destroys_nothing() {
    let scratch = tree();
    scratch.tf_phi(&["check", "--fix", "--form-factor", "on-prem"]).expect(0);
    scratch.init();
    let apply = ["apply", "-auto-approve", "-input=false"];
    scratch.tf_phi(&with(&apply, "-var=env=prod")).expect(0);
    let (plan, _) = scratch.phi_plan(&with(&[], "-var=env=prod"));
    assert!(actions(&plan).values().all(|a| a.actions == "no-op"), "{:?}", actions(&plan));
    let before = scratch.everything();
    let ran = scratch.tf_phi(&with(&["plan", "-input=false"], "-var=env=dev")).expect(1);
    let said: Vec<&str> =
        ran.stderr.lines().filter_map(|l| l.split_once("Blocking: state holds ")).map(|l| l.1).collect();
    // The instance of a that stays is no reason, and that of b is.
    assert_eq!(
        said,
        [
            "module.db_postgres.terraform_data.same",
            "module.reports.module.store_postgres.terraform_data.same"
        ]
    );
    assert_eq!(scratch.everything(), before, "something was written");
    // Given up as it is said, the other one is made.
    let commands = ran.stderr.lines().filter_map(|l| l.trim().strip_prefix("terraform state rm "));
    let calls: Vec<&str> = commands.map(|c| c.trim_matches('\'')).collect();
    assert_eq!(calls, ["module.db_postgres", "module.reports[\"b\"].module.store_postgres"]);
    calls.iter().for_each(|call| drop(scratch.terraform(&["state", "rm", call]).expect(0)));
    let (plan, _) = scratch.phi_plan(&with(&[], "-var=env=dev"));
    let found = actions(&plan);
    assert_eq!(found["module.db_mysql[0].terraform_data.same"].actions, "create");
    assert_eq!(
        found["module.reports[\"a\"].module.store_postgres[\"x\"].terraform_data.same"].actions,
        "no-op"
    );
    assert!(found.values().all(|a| !a.actions.contains("delete")), "{found:?}");
    // The original's objects are asked for by the original's address.
    let scratch = tree();
    scratch.init();
    scratch.apply(&["-var=env=prod"]);
    let ran = scratch.tf_phi(&with(&["plan", "-input=false"], "-var=env=dev")).expect(1);
    assert!(ran.stderr.contains("state holds terraform_data.db\n"), "{}", ran.stderr);
}
