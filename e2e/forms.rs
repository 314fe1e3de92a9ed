//! Forms that real configurations have and small examples don't: each is planned from nothing and carried through all
//! pairs of branches.

use crate::compare::same;
use crate::running::same_from_nothing;
use crate::state::every_pair;
use crate::support::Scratch;
use crate::trees::Tree;
use std::fs;

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
            restored(&FORM);
            every_pair(&FORM);
        })*
    };
}

/// Plans are the same from nothing, a second run changes nothing, and `restore` gives back what was there.
fn restored(tree: &Tree) {
    let (scratch, before) = same_from_nothing(tree);
    let written = scratch.sources();
    scratch.phi(tree.assignments.last().unwrap());
    assert_eq!(written, scratch.sources(), "{}: a second run changes something", tree.name);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(before, scratch.sources(), "{}", tree.name);
}

/// How many instances there are differs, too: then Terraform destroys what it would destroy of the original.
#[test]
fn listed_by_a_count_that_differs() {
    let main = r#"
variable "env" { type = string }
locals {
  sizes = { prod = ["xl", "l", "l"], dev = ["l", "s"] }
}
resource "terraform_data" "by_stage" {
  count = var.env == "prod" ? 3 : 2
  input = local.sizes[var.env == "prod" ? "prod" : "dev"][count.index]
}
resource "terraform_data" "same" {
  count = var.env == "prod" ? 3 : 1
  input = { at = 2 * count.index }
}
resource "terraform_data" "one_stage" {
  count = var.env == "prod" ? 0 : 4
  input = count.index % 2 == 0 ? null : count.index
}
output "all" { value = [terraform_data.by_stage[*].output, terraform_data.same[*].output, terraform_data.one_stage[*].input] }
"#;
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let files = Vec::leak(vec![("main.tf", main), ("phi.hcl", phi)]);
    let tree = tree("listed_by_a_count_that_differs", files);
    restored(&tree);
    for pair in [[0, 1], [1, 0]] {
        let [prior, next] = pair.map(|at| tree.assignments[at]);
        let (original, specialised) = (tree.scratch(), tree.scratch());
        original.apply(prior);
        fs::copy(original.dir().join("terraform.tfstate"), specialised.dir().join("terraform.tfstate"))
            .unwrap();
        let (plan, file) = specialised.phi_plan(next);
        same(&original.plan(next), &plan, &specialised, &format!("{prior:?}, then {next:?}"));
        specialised.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
        original.apply(next);
        let value = |scratch: &Scratch| -> serde_json::Value {
            serde_json::from_str(&scratch.terraform(&["output", "-json", "all"]).expect(0).stdout).unwrap()
        };
        assert_eq!(value(&original), value(&specialised), "{prior:?}, then {next:?}");
    }
}

forms! {
    listed_by_count = [("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input.size\", \"triggers_replace\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
locals {
  sizes = { prod = ["xl", "l", "l"], dev = ["l", "s", "s"] }
}
resource "terraform_data" "by_stage" {
  count = 3
  input = {
    size = local.sizes[var.env == "prod" ? "prod" : "dev"][count.index]
    name = "n${count.index}"
  }
  triggers_replace = [tostring(count.index), tolist(["a"])]
}
resource "terraform_data" "same" {
  count            = 3
  triggers_replace = tomap({ at = 2 * count.index })
}
resource "terraform_data" "odd" {
  count            = 4
  triggers_replace = count.index % 2 == 0 ? null : count.index
}
output "all" { value = [terraform_data.by_stage[*].output, terraform_data.same[*].id, terraform_data.odd[*].triggers_replace] }
output "one" { value = terraform_data.by_stage[1].output.size }
"#)];

    listed_by_count_in_a_module = [("phi.hcl", "specialize \"terraform_data.node\" {\n  fields = [\"input\"]\n}\n"), ("node/main.tf", r#"
variable "sizes" { type = list(string) }
resource "terraform_data" "node" {
  count = length(var.sizes)
  input = "${var.sizes[count.index]}-${count.index}"
}
output "sizes" { value = terraform_data.node[*].output }
"#), ("main.tf", r#"
variable "env" { type = string }
module "node" {
  source = "./node"
  sizes  = var.env == "prod" ? ["xl", "l"] : ["s", "l"]
}
module "each" {
  source   = "./node"
  for_each = { a = ["m"], b = var.env == "prod" ? ["m", "n"] : ["o", "n"] }
  sizes    = each.value
}
output "all" { value = [module.node.sizes, module.each["a"].sizes, module.each["b"].sizes] }
"#)];

    listed_arguments_of_calls_with_a_count = [DB, ("phi.hcl", "specialize \"module.db\" {\n  fields = [\"release\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
module "db" {
  source  = "./db"
  count   = 2
  release = var.env == "prod" ? "15.${count.index}" : "14.${count.index}"
}
output "all" { value = module.db[*].release }
"#)];

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

    types_of_values = [("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\", \"triggers_replace\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "null" {
  input = var.env == "prod" ? 1 : null
}
resource "terraform_data" "list" {
  input            = var.env == "prod" ? ["a"] : ["a", "b"]
  triggers_replace = tomap({ k = var.env == "never" ? 1 : 2 })
}
resource "terraform_data" "set" {
  input = var.env == "prod" ? { s = toset(["x"]) } : { s = toset(["y"]) }
}
output "list" { value = terraform_data.list.input == tolist(["a"]) }
output "set" { value = setunion(terraform_data.set.input.s, ["z"]) }
output "null" { value = terraform_data.null.input }
"#)];

    types_of_arguments = [("m/main.tf", r#"
variable "list" {}
variable "empty" { type = any }
variable "map" {}
variable "set" {}
variable "null" {}
variable "objects" {}
variable "object" {}
variable "typed" { type = list(string) }
variable "partly" { type = object({ a = any, b = optional(string, "x") }) }
variable "strings" {
  type    = list(string)
  default = []
}
resource "terraform_data" "all" {
  input = [var.list, var.empty, var.map, var.set, var.null, var.objects, var.object, var.typed, var.partly]
}
output "same" {
  value = [var.list == tolist(["a", "b"]), var.empty == var.strings, var.set == toset(["a"]), var.typed == tolist(["a"]), var.null == null]
}
output "unified" {
  value = [true ? var.null : ["a", 1], true ? var.empty : [1], true ? var.map : { a = "b" }]
}
"#), ("phi.hcl", "specialize \"module.m\" {\n  fields = [\"list\", \"empty\", \"map\", \"set\", \"null\", \"objects\", \"object\", \"typed\", \"partly\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
module "m" {
  source  = "./m"
  list    = var.env == "prod" ? tolist(["a", "b"]) : tolist([])
  empty   = var.env == "prod" ? tolist(["a"]) : slice(tolist(["x"]), 0, 0)
  map     = var.env == "prod" ? tomap({ a = 1 }) : tomap({})
  set     = var.env == "prod" ? toset(["a"]) : setsubtract(["a"], ["a"])
  null    = var.env == "prod" ? tolist(["a"]) : null
  objects = var.env == "prod" ? slice([{ a = 1, "b c" = tomap({ k = true }), d = [""] }], 0, 0) : null
  object  = var.env == "prod" ? { l = tolist(["a"]), n = tostring(null) } : null
  typed   = var.env == "prod" ? tolist(["a"]) : []
  partly  = var.env == "prod" ? { a = tolist(["a"]) } : { a = tolist([]) }
}
output "same" { value = module.m.same }
output "unified" { value = module.m.unified }
"#)];

    keys_that_a_module_gives = [DB, ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"), ("main.tf", r#"
variable "env" { type = string }
module "db" {
  source  = "./db"
  count   = 2
  release = var.env == "prod" ? "15.4" : "14.9"
}
resource "terraform_data" "after" {
  for_each = { for i, db in module.db : tostring(i) => db }
  input    = each.key == "0" ? "first" : "more"
}
output "all" { value = [for a in terraform_data.after : a.input] }
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

    every_form_of_reference = [DB, PIN, ("main.tf", r#"
variable "env" { type = string }
module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
module "many" {
  source   = "./db"
  for_each = toset(["a", "b"])
  release  = var.env == "prod" ? "15.4" : "14.9"
}
module "n" {
  source  = "./db"
  count   = 2
  release = var.env == "prod" ? "15.4" : "14.9"
}
module "per_key" {
  source   = "./db"
  for_each = { a = "x", b = "y" }
  release  = each.key == "a" ? "15.4" : var.env == "prod" ? "15.4" : "14.9"
}
locals {
  all = [module.db, module.db["release"], module.many["a"].release, module.n[0].release, module.n.*.release, module.n[*].release]
  for = [for k, v in module.many : "${k}${v.release}"]
  map = { for k in keys(module.per_key) : k => module.many[k].release }
  i   = [for i in range(length(module.n)) : module.n[i].release]
  try = [try(module.many["zz"].release, "none"), lookup(module.many, "zz", null) == null]
}
output "all" { value = [local.all, local.for, local.map, local.i, local.try] }
output "objects" { value = [module.n, module.many, values(module.per_key)[*].release] }
resource "terraform_data" "each" {
  for_each = module.many
  input    = each.value.release
}
module "after" {
  source     = "./db"
  release    = "x"
  depends_on = [module.db, module.many["a"], module.n[0]]
}
"#)];

    every_form_of_reference_to_a_resource = [PIN, ("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "db" {
  input = var.env == "prod" ? "15.4" : "14.9"
}
resource "terraform_data" "ref" {
  input = [
    terraform_data.db, terraform_data.db.output, "${terraform_data.db.input}-x",
    resource.terraform_data.db.input, terraform_data.db[*].input, terraform_data.db.*.input,
  ]
}
locals {
  key  = "input"
  text = <<-EOT
    ${terraform_data.db.input}
    %{ if terraform_data.db.input == "15.4" ~}
    yes
    %{ endif ~}
  EOT
}
output "text" { value = local.text }
data "terraform_remote_state" "x" {
  backend    = "local"
  config     = { path = "${path.module}/none.tfstate" }
  defaults   = { v = terraform_data.db.input }
  depends_on = [terraform_data.db]
}
output "o" {
  value      = terraform_data.db.input
  depends_on = [terraform_data.db]
  precondition {
    condition     = terraform_data.db.input != ""
    error_message = "is ${terraform_data.db.input}"
  }
}
"#), ("none.tfstate", r#"{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"x","outputs":{},"resources":[]}"#)];

    provisioners_and_connections = [PIN, ("main.tf", r#"
variable "env" { type = string }
resource "terraform_data" "db" {
  input = var.env == "prod" ? "15.4" : "14.9"
  lifecycle {
    ignore_changes        = [input]
    create_before_destroy = true
  }
  connection {
    host = self.id
  }
  provisioner "local-exec" {
    command     = "echo ${self.input} ${terraform_data.other.output}"
    environment = { V = var.env == "prod" ? "p" : "d" }
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id}"
  }
}
resource "terraform_data" "other" { input = "x" }
resource "terraform_data" "reader" {
  provisioner "local-exec" {
    command = "echo ${terraform_data.db.input}"
  }
}
check "c" {
  data "terraform_remote_state" "y" {
    backend  = "local"
    config   = { path = "${path.module}/none.tfstate" }
    defaults = { v = terraform_data.db.input }
  }
  assert {
    condition     = terraform_data.db.input == data.terraform_remote_state.y.outputs.v
    error_message = "is ${terraform_data.db.input}"
  }
}
"#), ("none.tfstate", r#"{"version":4,"terraform_version":"1.5.0","serial":1,"lineage":"x","outputs":{},"resources":[]}"#)];

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

/// The original's value is sensitive because its choice is, and so is the copy's.
#[test]
fn a_sensitive_selector() {
    const FORM: Tree = tree("a_sensitive_selector", &SENSITIVE);
    same_from_nothing(&FORM);
    every_pair(&FORM);
    restored(&FORM);
    let scratch = FORM.scratch();
    for args in ENVS {
        scratch.tf_phi(&["verify", args[0]]).expect(0);
    }
    let ran = scratch.tf_phi(&["plan", "-no-color", "-input=false", ENVS[0][0]]).expect(0);
    assert!(!ran.stdout.contains("15.4"), "{}", ran.stdout);
}

#[test]
fn a_sensitive_selector_of_keys_is_refused() {
    let mut files = SENSITIVE;
    let text = files[2].1.replace("module \"db\" {", "module \"db\" {\n  for_each = toset([\"a\"])");
    files[2].1 = &text;
    let ran = crate::support::Scratch::with(&files).tf_phi(&["plan", "-input=false", ENVS[0][0]]).expect(1);
    assert!(ran.stderr.contains("Code: sensitive"), "{}", ran.stderr);
}

const SENSITIVE: [(&str, &str); 3] = [
    (
        "db/main.tf",
        r#"
variable "release" { type = string }
resource "terraform_data" "db" { input = var.release }
resource "terraform_data" "name" { input = "v${var.release}" }
output "release" {
  value     = terraform_data.db.output
}
"#,
    ),
    ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"),
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
resource "terraform_data" "vm" {
  input = nonsensitive(var.env == "prod" ? "large" : "small")
}
output "release" {
  value     = module.db.release
  sensitive = true
}
"#,
    ),
];

/// What a `for_each` goes over may be known in no way before a run: a set and a map do as before, and a list is rejected as before.
#[test]
fn a_for_each_over_a_set_or_a_map() {
    const FORM: Tree = Tree {
        name: "a_for_each_over_a_set_or_a_map",
        files: &[
            ("phi.hcl", "specialize \"terraform_data.vm\" {\n  fields = [\"input\"]\n}\n"),
            (
                "main.tf",
                r#"
variable "env" { type = string }
variable "names" { type = any }
resource "terraform_data" "vm" {
  for_each         = var.names
  input            = var.env == "prod" ? "large" : "small"
  triggers_replace = [each.key, each.value]
}
resource "terraform_data" "last" {
  for_each = terraform_data.vm
  input    = "${each.key} ${each.value.output}"
}
output "all" { value = { for k, v in terraform_data.vm : k => v.triggers_replace } }
"#,
            ),
        ],
        folder: "",
        assignments: &[
            &["-var=env=prod", "-var=names={\"a\"=\"x\",\"b\"=\"y\"}"],
            &["-var=env=dev", "-var=names={\"a\"=\"x\",\"b\"=\"y\"}"],
        ],
    };
    same_from_nothing(&FORM);
    every_pair(&FORM);
    restored(&FORM);
    let scratch = FORM.scratch();
    scratch.phi(FORM.assignments[0]);
    let list = ["plan", "-input=false", "-no-color", "-var=env=prod", "-var=names=[\"a\",\"b\"]"];
    let ran = scratch.terraform(&list).expect(1);
    assert!(ran.stderr.contains("length"), "{}", ran.stderr);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.terraform(&list).expect(1);
}
