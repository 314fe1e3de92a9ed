//! Test files: what passes on the original passes on the specialised tree.

use crate::support::{Ran, Scratch};

const PROD: &str = "-var=env=prod";

const MAIN: &str = r#"variable "env" { type = string }

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}

module "many" {
  source   = "./db"
  for_each = toset(["a", "b"])
  release  = var.env == "prod" ? "15.4" : "14.9"
}

resource "terraform_data" "vm" {
  input = var.env == "prod" ? "large" : "small"
  lifecycle {
    postcondition {
      condition     = self.input != "small" || terraform.workspace == "default"
      error_message = "too small"
    }
  }
}

output "release" { value = module.db.release }
"#;

const DB: &str = r#"variable "release" { type = string }
resource "terraform_data" "db" { input = var.release }
module "below" {
  source = "./below"
  size   = var.release == "15.4" ? 100 : 20
}
output "release" { value = terraform_data.db.output }
output "size" { value = module.below.size }
"#;

const BELOW: &str = r#"variable "size" { type = number }
resource "terraform_data" "disk" { input = var.size }
output "size" { value = terraform_data.disk.output }
"#;

/// Every form in which a test names what is split; each run passes whatever `ENV` is.
const TEST: &str = r#"# tests of the original
variables {
  env = "ENV"
}

override_resource {
  target = module.many["a"].terraform_data.db # a key of its own
  values = { output = "mock" }
}

run "overridden" {
  command = plan

  override_module {
    target  = module.db
    outputs = { release = "none", size = 1 }
  }
  override_resource {
    target = terraform_data.vm
    values = { output = "mock" }
  }
  plan_options {
    replace = [terraform_data.vm, module.many["b"].terraform_data.db]
  }

  assert {
    condition     = module.db.release == "none" && output.release == "none"
    error_message = "is ${module.db.release}, ${output.release}"
  }
}

run "values" {
  command = apply
  assert {
    condition     = module.db.release == (var.env == "prod" ? "15.4" : "14.9") && module.db.size == (var.env == "prod" ? 100 : 20)
    error_message = "is ${module.db.release}"
  }
  assert {
    condition     = terraform_data.vm.input == (var.env == "prod" ? "large" : "small")
    error_message = "is ${jsonencode(terraform_data.vm)}"
  }
  assert {
    condition     = join(",", [for k, m in module.many : m.release]) == "mock,${module.db.release}" && module.many["b"].release == output.release
    error_message = "${length(module.many)} of them"
  }
}

run "targeted" {
  command = plan
  plan_options {
    target = [module.db, terraform_data.vm]
  }
}

run "the_module_itself" {
  variables {
    release = "13"
  }
  module {
    source = "./db"
  }
  assert {
    condition     = module.below.size == 20 && output.release == "13"
    error_message = "${output.release}"
  }
}
"#;

fn scratch(tests: &[(&str, String)]) -> Scratch {
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[
        ("main.tf", MAIN),
        ("db/main.tf", DB),
        ("db/below/main.tf", BELOW),
        ("phi.hcl", pin),
    ]);
    for (path, text) in tests {
        scratch.write(path, text);
    }
    scratch.init();
    scratch
}

fn test(env: &str) -> String {
    TEST.replace("ENV", env)
}

#[track_caller]
fn passes(ran: Ran, count: usize) {
    let ran = ran.expect(0);
    assert!(ran.stdout.contains(&format!("{count} passed, 0 failed")), "{}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn what_tests_name_leads_to_the_copies() {
    let tests =
        [("root.tftest.hcl", test("prod")), ("tests/crlf.tftest.hcl", test("prod").replace('\n', "\r\n"))];
    let scratch = scratch(&tests);
    passes(scratch.terraform(&["test", "-no-color"]), 8);
    let before = scratch.sources();
    let ran = scratch.phi(&[PROD]);
    assert!(!ran.stderr.contains("Warning"), "{}", ran.stderr);
    for (path, text) in &tests {
        let written = scratch.read(path);
        assert!(written.contains("module.db_v15_4[*].release"), "{written}");
        assert!(written.contains("target = module.many_v14_9[\"a\"].terraform_data.db"), "{written}");
        assert!(written.contains("terraform_data.vm_large[0], terraform_data.vm_small[0]"), "{written}");
        assert_eq!(written.contains("\r\n"), text.contains("\r\n"));
    }
    passes(scratch.terraform(&["test", "-no-color"]), 8);
    scratch.terraform(&["validate", "-no-color"]).expect(0);
    let written = scratch.sources();
    scratch.phi(&[PROD]);
    assert_eq!(scratch.sources(), written);
    scratch.tf_phi(&["check"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
}

/// The chain of a plan is for its variables. `tf-phi test` runs without one.
#[test]
fn runs_with_other_variables() {
    let scratch = scratch(&[("tests/prod.tftest.hcl", test("prod")), ("tests/dev.tftest.hcl", test("dev"))]);
    passes(scratch.terraform(&["test", "-no-color"]), 8);
    let before = scratch.sources();
    passes(scratch.tf_phi(&["test", "-no-color"]), 8);
    assert_eq!(scratch.sources(), before);
    scratch.phi(&[PROD]);
    let ran = scratch.terraform(&["test", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("Moved object still exists"), "{}", ran.stderr);
    let kept = scratch.sources();
    passes(scratch.tf_phi(&["test", "-no-color", "-filter=tests/dev.tftest.hcl"]), 4);
    assert_eq!(scratch.sources(), kept);
}

#[test]
fn tests_in_another_folder() {
    let scratch = scratch(&[("more/x.tftest.hcl", test("dev"))]);
    scratch.terraform(&["init", "-input=false", "-test-directory=more"]).expect(0);
    let before = scratch.sources();
    passes(scratch.tf_phi(&["test", "-no-color", "-test-directory=more"]), 4);
    assert_eq!(scratch.sources(), before);
    let failing = test("dev").replace("output.release == \"none\"", "false");
    scratch.write("more/x.tftest.hcl", &failing);
    scratch.tf_phi(&["test", "-test-directory", "more"]).expect(1);
    assert_eq!(scratch.read("more/x.tftest.hcl"), failing);
}

/// An original that Terraform takes no tests of, because an argument is an expression.
#[test]
fn tests_of_what_takes_no_expression() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" { type = string }\nmodule \"db\" {\n  source = var.env == \"prod\" ? \"./a\" : \"./b\"\n}\n",
        ),
        ("a/main.tf", "output \"name\" { value = \"a\" }\n"),
        ("b/main.tf", "output \"name\" { value = \"b\" }\n"),
        (
            "db.tftest.hcl",
            "run \"a\" {\n  variables {\n    env = \"prod\"\n  }\n  assert {\n    condition     = module.db.name == \"a\"\n    error_message = \"no\"\n  }\n}\nrun \"b\" {\n  variables {\n    env = \"dev\"\n  }\n  assert {\n    condition     = module.db.name == \"b\"\n    error_message = \"no\"\n  }\n}\n",
        ),
    ]);
    scratch.terraform(&["init", "-no-color"]).expect(1);
    let before = scratch.sources();
    passes(scratch.tf_phi(&["test", "-no-color"]), 2);
    assert_eq!(scratch.sources(), before);
}

/// A tree whose resources fail where they are small.
const FAILING: &str = r#"variable "env" {
  type    = string
  default = "dev"
}

locals {
  keys = { a = "small", b = var.env == "prod" ? "large" : "small" }
}

resource "terraform_data" "vm" {
  input = var.env == "prod" ? "large" : "small"
  lifecycle {
    postcondition {
      condition     = self.input != "small"
      error_message = "too small"
    }
  }
}

resource "terraform_data" "each" {
  for_each = local.keys
  input    = each.value
  lifecycle {
    postcondition {
      condition     = self.input != "small"
      error_message = "too small"
    }
  }
}

resource "terraform_data" "free" {
  input = var.env
}
"#;

const EXPECTING: &str = r#"variables {
  env = "prod"
}

run "free" {
  command = plan
  assert {
    condition     = terraform_data.free.input == "prod" && length(terraform_data.each) == 2 && terraform_data.vm.input == "large"
    error_message = "no"
  }
  expect_failures = [terraform_data.each["a"]]
}

run "fails" {
  command = plan
  variables {
    env = "dev"
  }
  expect_failures = [
    terraform_data.vm, # the whole
    resource.terraform_data.each["a"],
    terraform_data.each["b"],
  ]
}
"#;

const FAILING_PIN: &str = "specialize \"terraform_data.vm\" {\n  fields = [\"input\"]\n}\nspecialize \"terraform_data.each\" {\n  fields = [\"input\"]\n}\n";

/// What a run's variables say is which copy has to fail, in either syntax.
#[test]
fn failures_that_tests_expect() {
    let json = r#"{"run": {
  "fails": {
    "command": "plan",
    "expect_failures": ["terraform_data.vm", "terraform_data.each[\"a\"]", "terraform_data.each[\"b\"]"]
  }
}}
"#;
    let scratch = Scratch::with(&[
        ("main.tf", FAILING),
        ("phi.hcl", FAILING_PIN),
        ("tests/a.tftest.hcl", EXPECTING),
        ("tests/b.tftest.json", json),
    ]);
    scratch.init();
    passes(scratch.terraform(&["test", "-no-color"]), 3);
    let before = scratch.sources();
    passes(scratch.tf_phi(&["test", "-no-color"]), 3);
    assert_eq!(scratch.sources(), before);
    // Of the defaults the JSON file's run fails; variable files and the command line say otherwise.
    let prod = scratch.terraform(&["test", "-no-color", PROD]).expect(1);
    assert_eq!(prod.stderr.matches("Missing expected failure").count(), 2, "{}", prod.stderr);
    let own = scratch.tf_phi(&["test", "-no-color", PROD]).expect(1);
    assert_eq!(own.stderr.matches("Missing expected failure").count(), 2, "{}", own.stderr);
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    let written = scratch.read("tests/a.tftest.hcl");
    assert!(written.contains("terraform_data.vm_small, # the whole"), "{written}");
    assert!(written.contains("[terraform_data.each_small[\"a\"]]"), "{written}");
    assert!(scratch.read("tests/b.tftest.json").contains(r#"terraform_data.each_small[\"b\"]"#));
    std::fs::remove_file(scratch.dir().join("phi.moved.tf")).unwrap();
    passes(scratch.terraform(&["test", "-no-color"]), 3);
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.tf_phi(&["check"]).expect(0);
    scratch.write("tests/terraform.tfvars", "env = \"prod\"\n");
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    assert!(scratch.read("tests/b.tftest.json").contains(r#"terraform_data.vm_large"#));
    std::fs::remove_file(scratch.dir().join("tests/terraform.tfvars")).unwrap();
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
}

/// A run that leaves open which copy it is.
#[test]
fn failures_that_no_one_copy_stands_for() {
    let open = EXPECTING.replace("    env = \"dev\"", "    env = lower(\"DEV\")");
    let several = EXPECTING.replace("terraform_data.each[\"a\"]]", "terraform_data.each]");
    let scratch =
        Scratch::with(&[("main.tf", FAILING), ("phi.hcl", FAILING_PIN), ("a.tftest.hcl", open.as_str())]);
    scratch.init();
    let before = scratch.sources();
    let refused = |line: &str, why: &str| {
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", PROD]).expect(1);
        let text = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("a test expects terraform_data"), "{text}");
        assert!(text.contains(line) && text.contains(why), "{text}");
    };
    refused("a.tftest.hcl:20", "of which the run's variables say nothing");
    assert_eq!(scratch.sources(), before);
    scratch.write("a.tftest.hcl", &several);
    refused("a.tftest.hcl:11", "Name the instance that has to fail");
}

/// Tests in JSON: what is split becomes lists of blocks, and joins within strings.
#[test]
fn tests_in_json() {
    let json = r#"{
  "//": "of the original",
  "variables": {"env": "dev"},
  "override_resource": {"target": "module.many[\"a\"].terraform_data.db", "values": {"output": "mock"}},
  "run": {
    "overridden": {
      "command": "plan",
      "override_module": [
        {"target": "module.db", "outputs": {"release": "none", "size": 1}},
        {"target": "module.db.module.below", "outputs": {"size": 2}}
      ],
      "override_resource": {"target": "terraform_data.vm", "values": {"output": "mock"}},
      "plan_options": {"replace": ["terraform_data.vm", "module.many[\"b\"].terraform_data.db"]},
      "assert": {
        "condition": "${module.db.release == \"none\" && output.release == \"none\"}",
        "error_message": "is \"${module.db.release}\""
      }
    },
    "values": {
      "command": "apply",
      "assert": [
        {"condition": "${terraform_data.vm.input == \"small\" && module.db.size == 20}", "error_message": "no"},
        {"condition": "${join(\",\", [for k, m in module.many : m.release]) == \"mock,14.9\"}", "error_message": "no"}
      ]
    },
    "targeted": {"command": "plan", "plan_options": {"target": ["module.db", "terraform_data.vm"]}},
    "elsewhere": {"variables": {"release": "13"}, "module": {"source": "./db"}}
  }
}
"#;
    let scratch = scratch(&[("tests/all.tftest.json", json.to_owned())]);
    passes(scratch.terraform(&["test", "-no-color"]), 4);
    let before = scratch.sources();
    let ran = scratch.phi(&["-var=env=dev"]);
    assert!(!ran.stderr.contains("Warning"), "{}", ran.stderr);
    let written = scratch.read("tests/all.tftest.json");
    assert!(
        written.contains("[terraform_data.vm_large[*].input") || written.contains("one(concat("),
        "{written}"
    );
    passes(scratch.terraform(&["test", "-no-color"]), 4);
    let kept = scratch.sources();
    scratch.phi(&["-var=env=dev"]);
    assert_eq!(scratch.sources(), kept);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
    // What can't be read is named.
    scratch.write("tests/all.tftest.json", &json.replace("},\n  \"run\"", "}\n  \"run\""));
    let ran = scratch.phi(&["-var=env=dev"]);
    assert!(ran.stderr.contains("a test names module.db, which is split"), "{}", ran.stderr);
}
