//! Forms that real configurations have and small examples don't: each is planned from nothing and carried through all
//! pairs of branches.

use crate::compare::nothing_is_destroyed;
use crate::running::same_from_nothing;
use crate::state::every_pair;
use crate::trees::Tree;

const DB: (&str, &str) = (
    "db/main.tf",
    "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\noutput \"release\" {\n  value = terraform_data.db.output\n}\n",
);
const PIN: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n");
const ENVS: &[&[&str]] = &[&["-var=env=prod"], &["-var=env=dev"]];

const fn tree(name: &'static str, files: &'static [(&'static str, &'static str)]) -> Tree {
    Tree { name, files, folder: "", assignments: ENVS }
}

macro_rules! forms {
    ($($name:ident = $files:expr;)*) => {
        $(#[test] fn $name() {
            const FORM: Tree = tree(stringify!($name), &$files);
            same_from_nothing(&FORM);
            every_pair(&FORM);
            restored(&FORM);
        })*
    };
}

fn restored(tree: &Tree) {
    let scratch = tree.scratch();
    let before = scratch.sources();
    scratch.phi(tree.assignments[0]);
    let written = scratch.sources();
    scratch.phi(tree.assignments[0]);
    assert_eq!(written, scratch.sources(), "{}: a second run changes something", tree.name);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(before, scratch.sources(), "{}", tree.name);
}

forms! {
    a_call_with_a_count = [DB, PIN, ("main.tf", r#"
variable "env" { type = string }
module "db" {
  source  = "./db"
  count   = 2
  release = var.env == "prod" ? "15.4" : "14.9"
}
output "all" { value = module.db[*].release }
output "one" { value = module.db[1].release }
"#)];

    a_call_that_may_be_absent = [DB, PIN, ("main.tf", r#"
variable "env" { type = string }
variable "on" {
  type    = bool
  default = true
}
module "db" {
  source  = "./db"
  count   = var.on ? 1 : 0
  release = var.env == "prod" ? "15.4" : "14.9"
}
output "one" { value = one(module.db[*].release) }
"#)];

    a_resource_with_for_each = [PIN, ("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "db" {
  for_each = { a = 1, b = 2 }
  input    = var.env == "prod" ? "15.4" : "14.9"
}
output "a" { value = terraform_data.db["a"].output }
output "all" { value = { for k, v in terraform_data.db : k => v.output } }
"#)];

    one_module_called_twice = [DB, PIN, ("main.tf", r#"
variable "env" { type = string }
module "one" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
module "two" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "13.1"
}
module "three" {
  source  = "./db"
  release = "15.4"
}
output "all" { value = [module.one.release, module.two.release, module.three.release] }
"#)];

    through_three_modules = [DB, PIN, ("main.tf", r#"
variable "env" { type = string }
module "stack" {
  source = "./stack"
  env    = var.env
}
output "release" { value = module.stack.release }
"#), ("stack/main.tf", r#"
variable "env" { type = string }
locals { release = var.env == "prod" ? "15.4" : "14.9" }
module "data" {
  source  = "./data"
  release = local.release
}
resource "terraform_data" "other" { input = module.data.release }
output "release" { value = "v${module.data.release}" }
"#), ("stack/data/main.tf", r#"
variable "release" { type = string }
module "db" {
  source  = "../../db"
  release = var.release
}
output "release" { value = module.db.release }
"#)];

    paths_and_files = [PIN, ("main.tf", r#"
variable "env" { type = string }
module "db" {
  source  = "./modules/db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
output "text" { value = module.db.text }
"#), ("modules/db/main.tf", r#"
variable "release" { type = string }
resource "terraform_data" "db" { input = var.release }
module "child" { source = "../child" }
resource "terraform_data" "path" { input = path.module }
output "text" { value = "${file("${path.module}/note.txt")}${module.child.text}" }
"#), ("modules/db/note.txt", "a note\n"), ("modules/child/main.tf", r#"
output "text" { value = basename(path.module) }
"#)];

    odd_text = [("phi.hcl", "specialize \"terraform_data.db\" {\r\n fields = [\"input\"]\r\n}\r\n"), ("main.tf",
        "\u{feff}variable \"env\" { type = string }\r\n/* a */ resource \"terraform_data\" \"db\" { input = var.env == \"prod\" ? \"a\" : \"b\" }\r\n# ü\r\noutput \"o\" {\r\n  value = <<-EOT\r\n    x ${terraform_data.db.output}\r\n  EOT\r\n}\r\n# no newline")];

    a_name_that_is_taken = [DB, PIN, ("main.tf", r#"
variable "env" { type = string }
module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
resource "terraform_data" "db_v15_4" { input = 1 }
module "db_v15_4" { source = "./db-v15-4" }
output "both" { value = [module.db.release, module.db_v15_4.here] }
"#), ("db-v15-4/main.tf", "output \"here\" {\n  value = \"here\"\n}\n")];

    values_of_other_types = [("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input.on\", \"input.size\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "db" {
  input = {
    on   = var.env == "prod"
    size = var.env == "prod" ? 100 : 0.5
    rest = ["x", var.env]
  }
}
output "o" { value = terraform_data.db.output.size }
"#)];

    meta_arguments = [("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "db" {
  input = var.env == "prod" ? "15.4" : "14.9"
  lifecycle {
    ignore_changes = [triggers_replace]
    precondition {
      condition     = var.env != ""
      error_message = "no env"
    }
    postcondition {
      condition     = self.input != ""
      error_message = "no input"
    }
  }
}
resource "terraform_data" "follower" {
  input = "x"
  lifecycle {
    replace_triggered_by = [terraform_data.other]
  }
}
resource "terraform_data" "other" {
  input      = "y"
  depends_on = [terraform_data.db]
}
check "c" {
  assert {
    condition     = terraform_data.db.input != "z"
    error_message = "z"
  }
}
"#)];

    prevent_destroy = [("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "db" {
  input = "x"
  lifecycle {
    prevent_destroy = false
  }
}
"#), ("phi.hcl", "specialize \"terraform_data.db2\" {\n  fields = [\"input\"]\n}\n"), ("more.tf", r#"
resource "terraform_data" "db2" {
  input = { prod = "15.4", dev = "14.9" }[var.env]
}
"#)];
}

/// The original's value is sensitive because its choice is; the copy's literal is not. Terraform counts that as an update,
/// once, and nothing is destroyed.
#[test]
fn a_sensitive_selector() {
    const FORM: Tree = tree("a_sensitive_selector", &SENSITIVE);
    same_from_nothing(&FORM);
    let scratch = FORM.scratch();
    scratch.apply(ENVS[0]);
    for args in ENVS {
        nothing_is_destroyed(&scratch.phi_plan(args).0, "a sensitive selector");
    }
}

const SENSITIVE: [(&str, &str); 3] = [
    DB,
    PIN,
    (
        "main.tf",
        r#"
variable "env" {
  type      = string
  sensitive = true
}
module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
output "release" {
  value     = module.db.release
  sensitive = true
}
"#,
    ),
];
