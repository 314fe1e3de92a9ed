//! Stacks: what each command says of one. Whether values are right is for `e2e/stacks`, beside Terraform's own runtime.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use serde_json::{Value, json};
use std::fs;

const STACK: &str = r#"variable "env" {
  type = string
}
variable "token" {
  type    = string
  default = "none"
}
variable "regions" {
  type    = set(string)
  default = ["eu"]
}
provider "aws" "main" {
  for_each = var.regions
  config {
    region = each.value
  }
}
component "net" {
  for_each  = var.regions
  source    = "./net"
  inputs    = { name = "${var.env}-${each.key}", token = var.token }
  providers = { aws = provider.aws.main[each.key] }
}
stack "child" {
  source = "./child"
  inputs = { name = component.net["eu"].name }
}
output "name" {
  type  = string
  value = stack.child.name
}
"#;

const NET: &str = r#"variable "name" {}
variable "token" {}
resource "terraform_data" "n" {
  input = [var.name, var.token]
}
output "name" {
  value = var.name
}
"#;

const CHILD: &str = r#"variable "name" {
  type = string
}
component "again" {
  source = "../net"
  inputs = { name = upper(var.name), token = "t" }
}
output "name" {
  type  = string
  value = component.again.name
}
"#;

const DEPLOYMENTS: &str = r#"identity_token "aws" {
  audience = ["aws"]
}
locals {
  regions = ["eu", "us"]
}
deployment "dev" {
  inputs = {
    env   = "dev"
    token = identity_token.aws.jwt
  }
}
deployment "prod" {
  inputs = {
    env     = "prod"
    regions = local.regions
  }
}
"#;

fn with(more: &[(&str, &str)]) -> Scratch {
    let own = [
        ("main.tfcomponent.hcl", STACK),
        ("main.tfdeploy.hcl", DEPLOYMENTS),
        ("net/main.tf", NET),
        ("child/main.tfcomponent.hcl", CHILD),
    ];
    let kept = own.into_iter().filter(|(path, _)| !more.iter().any(|(other, _)| other == path));
    Scratch::new(kept.chain(more.iter().copied()))
}

fn cells(done: &Done) -> Value {
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let matrix: Value = serde_json::from_str(&done.out).unwrap();
    let rows = matrix["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["field"].as_str().unwrap().to_owned(), row["cells"].clone())).collect()
}

fn says(done: &Done, text: &str) {
    let all = format!("{}{}", done.out, done.err);
    assert!(all.contains(text), "{text} isn't in\n{all}");
}

#[test]
fn deployments_are_the_environments() {
    let scratch = with(&[]);
    let cells = cells(&scratch.run(&["matrix", "--all", "--format", "json"]));
    let known = |v: Value| json!({"result": "resolved", "value": v});
    let of = |field: &str, env: &str| cells[field][env].clone();
    assert_eq!(of("output.name.value", "dev"), known(json!("DEV-EU")));
    assert_eq!(of("stack.child.component.again.name", "prod"), known(json!("PROD-EU")));
    let region = json!({"result": "instances", "instances": {
        "[\"eu\"]": known(json!("eu")), "[\"us\"]": known(json!("us")),
    }});
    assert_eq!(of("provider.aws.main.region", "prod"), region);
    let name = &of("component.net.terraform_data.n.input", "prod")["instances"]["[\"us\"]"];
    assert_eq!(*name, known(json!(["prod-us", "none"])));
}

#[test]
fn strict_stops_at_an_environment_block() {
    let scratch = with(&[("phi.hcl", "environment \"prod\" {\n  variables = { env = \"prod\" }\n}\n")]);
    for command in [&["matrix"][..], &["trace"], &["validate"], &["plan", "--env", "dev"], &["check"]] {
        let done = scratch.run(&[command, &["--strict"]].concat());
        assert_eq!(done.code, Some(1), "{command:?}: {}{}", done.out, done.err);
        assert!(done.err.contains("Blocking: An environment block in a Stack"), "{command:?}: {}", done.err);
    }
    assert_eq!(scratch.log(), "", "nothing was started");
    let done = scratch.run(&["matrix"]);
    assert!(done.code == Some(0) && done.err.contains("Warning: An environment block"), "{}", done.err);
}

/// Nobody but HCP knows a token, and the default is no answer.
#[test]
fn what_hcp_knows_is_unknown() {
    let scratch = with(&[]);
    let cells = cells(&scratch.run(&["matrix", "--all", "--format", "json"]));
    let token = &cells["component.net.token"]["dev"]["instances"]["[\"eu\"]"];
    assert_eq!(token["result"], "unbounded");
    let text = STACK.replace("${each.key}", "${file(\"main.tfcomponent.hcl\")}");
    let done = with(&[("main.tfcomponent.hcl", &text)]).run(&["trace", "component.net.name"]);
    says(&done, "differs from machine to machine");
    assert_eq!(scratch.run(&["validate"]).code, Some(0));
}

#[test]
fn addresses_are_those_of_the_stack() {
    let scratch = with(&[]);
    let done = scratch.run(&["trace", "stack.child.component.again.terraform_data.n.input"]);
    says(&done, "stack.child.component.again.terraform_data.n.input: 2 values");
    let done = scratch.run(&["trace", "stack.child.component.again.name"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    says(&done, "child/main.tfcomponent.hcl:6");
    says(&done, "main.tfdeploy.hcl");
    let wrong = scratch.run(&["trace", "component.nett.name"]);
    assert_eq!(wrong.code, Some(1));
    says(&wrong, "component.net.");
}

#[test]
fn one_deployment_by_name() {
    let scratch = with(&[]);
    let done = scratch.run(&["trace", "output.name.value", "--env", "prod"]);
    says(&done, "output.name.value: always \"PROD-EU\"");
    let wrong = scratch.run(&["matrix", "--env", "qa"]);
    assert_eq!(wrong.code, Some(1));
    says(&wrong, "There is dev, prod.");
}

/// Modules of components and embedded Stacks are no roots of their own.
#[test]
fn a_stack_is_one_root() {
    let scratch = with(&[]);
    let done = scratch.run(&["matrix", "--recursive", ".", "--format", "csv"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let roots: std::collections::BTreeSet<&str> =
        done.out.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(roots.len(), 1, "{}", done.out);
}

#[test]
fn what_writes_stops_and_says_so() {
    let scratch = with(&[]);
    let before = scratch.tree();
    for command in ["suggest", "test", "verify"] {
        let done = scratch.run(&[command]);
        assert_eq!(done.code, Some(1), "{command}: {}", done.err);
        says(&done, "This command doesn't work in a Stack");
    }
    assert!(!before.join(".phi").exists());
}

#[test]
fn a_deployment_has_to_be_named() {
    let scratch = with(&[]);
    for (words, said) in
        [(&["plan"][..], "There are: dev, prod."), (&["apply", "--env", "pod"], "Did you mean \"prod\"?")]
    {
        let done = scratch.run(words);
        assert_eq!(done.code, Some(1), "{}", done.err);
        says(&done, said);
    }
    assert!(!scratch.tree().join(".phi/stacks").exists());
}

/// `e2e/stacks` plans what is written; this is about its form.
#[test]
fn a_deployment_as_a_root_module() {
    let scratch = with(&[(
        "phi.hcl",
        "backend \"s3\" {\n  key = \"x/${deployment}.tfstate\"\n}\nspecialize \"component.net.terraform_data.n\" {\n  fields = [\"input\"]\n}\n",
    )]);
    let done = scratch.run(&["plan", "--env", "prod", "--dry-run"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    for said in [
        "+provider \"aws\" {\n+  alias  = \"main__us\"\n+  region = \"us\"\n+}",
        "+module \"net__us\" {\n+  source = \"../../../net\"\n+  name   = \"${var.env}-us\"",
        "+    aws = aws.main__us",
        "+module \"stack_child\" {\n+  source = \"./stack_child\"\n+  name   = local.component_net[\"eu\"].name",
        "+module \"again\" {\n+  source = \"../../../../net\"",
        "+regions = [\"eu\", \"us\"]",
        "+    key = \"x/prod.tfstate\"",
        "+specialize \"module.net__us.terraform_data.n\"",
    ] {
        says(&done, said);
    }
    assert!(!scratch.tree().join(".phi/stacks").exists());
    let done = scratch.run(&["explain", "module.net__us.terraform_data.n"]);
    says(&done, "component.net[\"us\"].terraform_data.n in the deployment \"prod\"");
    let done = scratch.run(&["explain", "component.net[\"eu\"]", "--format", "json"]);
    let told: Value = serde_json::from_str(&done.out).unwrap();
    let of = |name: &str| json!({"deployment": name, "address": "module.net__eu"});
    assert_eq!(told["deployments"], json!([of("dev"), of("prod")]));
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn the_same_in_json() {
    let text = r#"{
      "variable": {"env": {"type": "string"}, "regions": {"type": "set(string)", "default": ["eu"]}, "token": {"type": "string", "default": "x"}},
      "component": {"net": {"source": "./net", "for_each": "${var.regions}", "inputs": {"name": "${upper(each.key)}-${var.env}", "token": 1}}},
      "output": {"name": {"type": "number", "value": "${component.net[\"eu\"].name}"}}
    }"#;
    let scratch = with(&[]);
    fs::remove_file(scratch.tree().join("main.tfcomponent.hcl")).unwrap();
    fs::write(scratch.tree().join("main.tfcomponent.json"), text).unwrap();
    let done = scratch.run(&["plan", "--env", "prod", "--dry-run"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    says(&done, "+  name   = \"${upper(\"us\")}-${var.env}\"");
    says(&done, "+  type     = set(string)");
    says(&done, "tonumber(local.component_net[\"eu\"].name)");
}

#[test]
fn inputs_that_an_expression_computes() {
    let text = STACK.replace(
        "{ name = \"${var.env}-${each.key}\", token = var.token }",
        "merge(local.common, { name = \"${var.env}-${each.key}\" })",
    );
    let text = format!("{text}locals {{\n  common = {{ token = \"t\", other = 1 }}\n}}\n");
    let deployed = DEPLOYMENTS.replace(
        "inputs = {\n    env     = \"prod\"\n    regions = local.regions\n  }",
        "inputs = merge({ env = \"prod\" }, { regions = local.regions })",
    );
    let scratch = with(&[("main.tfcomponent.hcl", &text), ("main.tfdeploy.hcl", &deployed)]);
    let cells = cells(&scratch.run(&["matrix", "--all", "--format", "json"]));
    assert_eq!(
        cells["component.net.terraform_data.n.input"]["prod"]["instances"]["[\"us\"]"]["value"],
        json!(["prod-us", "t"])
    );
    let done = scratch.run(&["plan", "--env", "prod", "--dry-run"]);
    says(&done, "lookup(local.inputs_net__us, \"token\", null)");
    says(&done, "inputs_net__us = merge(local.common, { name = \"${var.env}-us\" })");
}

#[test]
fn a_review_is_one_of_deployments() {
    let scratch = with(&[]);
    repository_of(&scratch.tree());
    let text = STACK.replace("${var.env}-", "${var.env}_");
    fs::write(scratch.tree().join("main.tfcomponent.hcl"), text).unwrap();
    let done = scratch.run(&["review", "--base", "HEAD", "--format", "json"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let review: Value = serde_json::from_str(&done.out).unwrap();
    let names: Vec<&str> =
        review["environments"].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["dev", "prod"]);
    says(&done, "stack.child.component.again.terraform_data.n.input");
}

#[test]
fn errors_name_the_place_in_the_stack() {
    let edited = |from: &str, to: &str| STACK.replace(from, to);
    for (text, said) in [
        (edited("component.net[\"eu\"]", "component.nett[\"eu\"]"), "Did you mean component.net?"),
        (edited("var.env}", "path.module}"), "There is no symbol \"path\""),
        (edited("  source    = \"./net\"", "  count     = 1\n  source    = \"./net\""), "named \"count\""),
        (edited("token = var.token", "other = 1"), "needs a value for the variable \"token\""),
        (edited("name = component", "name = stack.child.name, x = component"), "declares no variable \"x\""),
        (edited("  type = string\n", ""), "The argument \"type\" is required"),
        (edited("value = stack.child.name", "value = each.key"), "Invalid 'each' reference"),
        (
            format!("{STACK}removed {{\n  from   = component.net\n  source = \"./net\"\n}}\n"),
            "Component exists for removed block",
        ),
        (format!("{STACK}component \"net\" {{\n  source = \"./net\"\n}}\n"), "Duplicate component"),
    ] {
        let done = with(&[("main.tfcomponent.hcl", &text)]).run(&["matrix"]);
        says(&done, said);
        says(&done, "main.tfcomponent.hcl:");
    }
}

#[test]
fn errors_of_deployments_name_their_place() {
    for (from, to, said) in [
        ("env   = \"dev\"", "", "gives no value to var.env"),
        ("local.regions", "local.region", "has not been declared"),
        ("local.regions", "var.regions", "There is no symbol \"var\" in a deployment"),
        ("identity_token.aws.jwt", "identity_token.azure.jwt", "No block declares identity_token.azure"),
        ("env     =", "envv    = 1\n    env     =", "Did you mean \"env\"?"),
        ("deployment \"prod\"", "deployment \"dev\"", "Duplicate deployment"),
        ("deployment \"prod\"", "deploymnet \"prod\"", "Did you mean \"deployment\"?"),
        ("[\"eu\", \"us\"]", "local.more\n  more = local.regions", "depends on itself"),
    ] {
        let text = DEPLOYMENTS.replacen(from, to, 1);
        let done = with(&[("main.tfdeploy.hcl", &text)]).run(&["matrix"]);
        says(&done, said);
        says(&done, "main.tfdeploy.hcl:");
    }
}

/// Locals that follow each other in thousands don't end the program.
#[test]
fn a_long_chain_of_locals() {
    let locals: String = (0..20_000).map(|n| format!("  l{n} = local.l{}\n", n + 1)).collect();
    let text = format!(
        "locals {{\n{locals}  l20000 = \"dev\"\n}}\ndeployment \"dev\" {{\n  inputs = {{ env = local.l0 }}\n}}\n"
    );
    let scratch = with(&[("main.tfdeploy.hcl", &text)]);
    let cells = cells(&scratch.run(&["matrix", "--all", "--format", "json"]));
    assert_eq!(cells["output.name.value"]["dev"]["value"], json!("DEV-EU"));
}

#[test]
fn a_cycle_is_named() {
    let text = "locals {\n  a = component.c.name\n}\ncomponent \"c\" {\n  source = \"./net\"\n  inputs = { name = local.a, token = 1 }\n}\n";
    let done = with(&[("main.tfcomponent.hcl", text), ("main.tfdeploy.hcl", "")]).run(&["validate"]);
    assert_eq!(done.code, Some(1));
    says(&done, "Self-dependent items in configuration");
    says(&done, "component.c, local.a");
}

#[test]
fn which_files_count() {
    let former = with(&[]);
    fs::rename(former.tree().join("main.tfcomponent.hcl"), former.tree().join("main.tfstack.hcl")).unwrap();
    let done = former.run(&["matrix"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    says(&done, "Rename the Stack's files");
    says(&done, "output.name.value");
    let beside = with(&[("main.tf", "resource \"terraform_data\" \"own\" {}\n")]);
    let done = beside.run(&["matrix", "--all"]);
    says(&done, "The Stack in this folder is not read");
    let modules = with(&[(
        "net/main.tf",
        "module \"m\" {\n  source = \"a/b/c\"\n}\nvariable \"name\" {}\nvariable \"token\" {}\noutput \"name\" {\n  value = module.m.x\n}\n",
    )]);
    let done = modules.run(&["matrix"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    says(&done, "HCP fetches them");
}

const ROOT: &[(&str, &str)] = &[
    (
        "main.tf",
        "variable \"env\" {\n  type = string\n}\nmodule \"net\" {\n  source = \"./net\"\n  name   = var.env\n}\nresource \"aws_vpc\" \"v\" {\n  tags = { n = module.net.name }\n}\noutput \"vpc\" {\n  value = aws_vpc.v.id\n}\noutput \"cidr\" {\n  value = aws_vpc.v.cidr_block\n}\n",
    ),
    ("net/main.tf", "variable \"name\" {\n  type = string\n}\noutput \"name\" {\n  value = var.name\n}\n"),
    ("env/dev.tfvars", "env = \"dev\"\n"),
];

/// `e2e/stacks` plans what is proposed; this is about the command.
#[test]
fn a_stack_is_proposed_for_a_root_module() {
    let scratch = Scratch::new(ROOT.iter().copied());
    let before = scratch.tree();
    let printed = scratch.run(&["stacks", "from-root"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    for said in [
        "# stack/main.tfcomponent.hcl\n\nvariable \"env\" {",
        "component \"net\" {\n  source = \"../net\"\n\n  inputs = {\n    name = var.env\n  }\n}",
        "component \"main\" {\n  source = \"./main\"\n\n  inputs = {\n    module_net_name = component.net.name\n  }",
        "deployment \"dev\" {\n  inputs = {\n    env = \"dev\"",
        "tags = { n = var.module_net_name }",
        "#   aws_vpc.v  → component.main.aws_vpc.v",
        "# output \"cidr\" {\n#   type  = …",
        "The type of output.vpc is presumed",
    ] {
        says(&printed, said);
    }
    assert!(!before.join("stack").exists());
    let done = scratch.run(&["stacks", "from-root", ".", "-out", "a/b"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let text = fs::read_to_string(before.join("a/b/main.tfcomponent.hcl")).unwrap();
    assert!(text.contains("source = \"../../net\""), "{text}");
    let again = scratch.run(&["stacks", "from-root", "--out", "a/b"]);
    assert_eq!(again.code, Some(1));
    says(&again, "It is there already, and nothing is written over.");
    let outside = scratch.run(&["stacks", "from-root", "--out", "../x"]);
    assert_eq!(outside.code, Some(1));
    says(&outside, "The folder of the Stack lies below the root module.");
    // What is written is a Stack that tf-phi reads.
    let read = scratch.run(&["-chdir=a/b", "matrix", "--all"]);
    assert_eq!(read.code, Some(0), "{}", read.err);
    says(&read, "component.net.name");
}

#[test]
fn what_no_stack_can_have_is_refused() {
    for (path, text, said) in [
        (
            "main.tf",
            "module \"m\" {\n  source = \"./net\"\n}\n",
            "The module behind module.m configures a provider",
        ),
        ("main.tf", "variable \"v\" {}\n", "var.v has no type"),
        ("main_override.tf", "locals {}\n", "main_override.tf can't be taken over into a Stack"),
        ("main.tf.json", "{}", "It is JSON"),
        ("main.tfcomponent.hcl", "locals {}\n", "This is a Stack already"),
    ] {
        let files = [(path, text), ("net/main.tf", "provider \"aws\" {\n  region = \"x\"\n}\n")];
        let done = Scratch::new(files).run(&["stacks", "from-root"]);
        assert_eq!(done.code, Some(1), "{path}: {}", done.out);
        says(&done, said);
    }
}

/// The root module configures it, so that the value is handed up. What the provider does with it is in `e2e/stacks/handed.rs`.
#[test]
fn a_provider_of_an_embedded_stack_that_takes_what_a_component_gives() {
    let child = "provider \"aws\" \"in\" {\n  config {\n    region = component.a.name\n  }\n}\ncomponent \"a\" {\n  source = \"../net\"\n  inputs = { name = \"x\", token = 1 }\n}\noutput \"name\" {\n  type  = string\n  value = component.a.name\n}\nvariable \"name\" {\n  type = string\n}\n";
    let scratch = with(&[("child/main.tfcomponent.hcl", child)]);
    let done = scratch.run(&["plan", "--env", "dev", "--dry-run"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    says(&done, "+  region = (module.stack_child.phi_a__name)");
    says(&done, "+output \"phi_a__name\" {\n+  value = module.a.name\n+}");
}

/// Nothing is planned without a deployment, whatever a variable's type and validations let through.
#[test]
fn only_what_deployments_give_counts() {
    let stack = "variable \"size\" {\n  type    = number\n  default = 9\n}\nvariable \"zone\" {\n  type    = string\n  default = \"a\"\n  \
                 validation {\n    condition     = contains([\"a\", \"b\", \"c\"], var.zone)\n    error_message = \"No.\"\n  }\n}\n\
                 variable \"on\" {\n  type    = bool\n  default = true\n}\n\
                 component \"net\" {\n  source = \"./net\"\n  inputs = { name = var.size, token = [var.zone, var.on] }\n}\n";
    let deployed = "deployment \"dev\" {\n  inputs = { size = 1, zone = \"b\" }\n}\ndeployment \"prod\" {\n  inputs = { size = 2 }\n}\n";
    let scratch = Scratch::new([
        ("main.tfcomponent.hcl", stack),
        ("main.tfdeploy.hcl", deployed),
        ("net/main.tf", NET),
    ]);
    let values = |field: &str| {
        let done = scratch.run(&["trace", field, "--json"]);
        let trace: Value = serde_json::from_str(&done.out).unwrap();
        let branches = trace["traces"][0]["branches"].as_array().unwrap().clone();
        branches.iter().map(|b| b["value"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(values("component.net.name"), [json!(1), json!(2)]);
    assert_eq!(
        values("component.net.token"),
        [json!(["b", true]), json!(["a", true])],
        "prod takes defaults"
    );
}

#[test]
fn deployments_alone_are_no_stack_yet() {
    let done = Scratch::new([("main.tfdeploy.hcl", DEPLOYMENTS)]).run(&["validate"]);
    assert_eq!(done.code, Some(1));
    says(&done, "contains no .tfcomponent.hcl file, which would say what a Stack consists of");
}

#[test]
fn one_deployment_differs_from_no_other() {
    let deployed = "deployment \"dev\" {\n  inputs = { env = \"dev\" }\n}\n";
    let done = with(&[("main.tfdeploy.hcl", deployed)]).run(&["matrix"]);
    assert_eq!(done.code, Some(0));
    says(&done, "dev is one environment, and differs from no other. --all shows its fields.");
}

/// A component is always handed configurations by their names, whatever these are.
#[test]
fn providers_are_no_expression() {
    let stack = "provider \"local\" \"this\" {}\nprovider \"null\" \"this\" {}\n\
                 component \"net\" {\n  source    = \"./net\"\n  inputs    = { name = \"a\", token = \"b\" }\n  \
                 providers = { local = provider.local.this, null = provider.null.this }\n}\n";
    let done = with(&[
        ("main.tfcomponent.hcl", stack),
        ("main.tfdeploy.hcl", "deployment \"dev\" {\n  inputs = {}\n}\n"),
    ])
    .run(&["graph"]);
    assert_eq!(done.code, Some(0));
    says(&done, "no driven field");
}

/// Whether there is an instance comes with an apply. HCP plans one whose keys it doesn't know.
#[test]
fn an_input_that_fails_where_an_apply_gives_the_keys_is_not_decided() {
    let stack = "component \"none\" {\n  for_each = toset([])\n  source   = \"./net\"\n  inputs   = { name = \"a\", token = \"b\" }\n}\n\
                 component \"net\" {\n  source = \"./id\"\n}\n\
                 component \"many\" {\n  for_each = { (component.net.id) = 1 }\n  source   = \"./net\"\n  \
                 inputs   = { name = component.none[\"x\"].name, token = \"b\" }\n}\n";
    let id = "resource \"terraform_data\" \"n\" {}\noutput \"id\" {\n  value = terraform_data.n.id\n}\n";
    let scratch = with(&[
        ("main.tfcomponent.hcl", stack),
        ("main.tfdeploy.hcl", "deployment \"dev\" {\n  inputs = {}\n}\n"),
        ("id/main.tf", id),
    ]);
    let done = scratch.run(&["validate", "-v"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    says(&done, "not decided: component.many.var.name");
}

/// Terraform passes over it in silence.
#[test]
fn validate_names_inputs_that_nothing_declares() {
    let text = STACK.replace("token = var.token }", "token = var.token, region = each.key }");
    let done = with(&[("main.tfcomponent.hcl", &text)]).run(&["validate"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    says(&done, "component.net declares no variable \"region\"");
}

/// A variable that HCP alone knows takes what `phi.hcl` lists.
#[test]
fn what_comes_from_outside_may_be_listed() {
    let listed = "variable \"token\" {\n  universe = [\"a\", \"b\"]\n}\n";
    let deployed = "upstream_input \"net\" {\n  type   = \"stack\"\n  source = \"app.terraform.io/o/p/net\"\n}\n\
                    deployment \"dev\" {\n  inputs = { env = \"dev\", token = upstream_input.net.token }\n}\n";
    let known = |more: &[(&str, &str)]| {
        let done = with(more).run(&["trace", "component.net.token", "--json"]);
        assert_ne!(done.out, "", "{}", done.err);
        let trace: Value = serde_json::from_str(&done.out).unwrap();
        trace["traces"][0].clone()
    };
    let open = known(&[("main.tfdeploy.hcl", deployed)]);
    assert_eq!(open["result"], "unbounded", "the default is no answer: {open}");
    assert_eq!(open["reason"], "a deployment takes var.token from HCP, which alone knows the value.");
    let found = known(&[("main.tfdeploy.hcl", deployed), ("phi.hcl", listed)]);
    let branches = found["branches"].as_array().unwrap();
    assert_eq!(branches.iter().map(|b| b["value"].clone()).collect::<Vec<_>>(), [json!("a"), json!("b")]);
}

/// What other programs may read, and tf-phi doesn't, is said by name, and isn't compared in silence.
#[test]
fn files_of_a_stack_that_are_not_read() {
    let component =
        "component \"net\" {\n  source = \"./net\"\n  inputs = { name = \"n\", token = \"t\" }\n}\n";
    let deployment = "deployment \"dev\" {\n  inputs = {}\n}\n";
    let files =
        [("main.tfcomponent.hcl", component), ("main.tfdeploy.hcl", deployment), ("net/main.tf", NET)];
    let deploys = r#"{"deployment": {"evil": {"inputs": {}}}}"#;
    let former = "component \"old\" {\n  source = \"./net\"\n}\n";
    for (name, text, is_passed_over) in
        [("evil.tfdeploy.json", deploys, false), ("old.tfstack.hcl", former, true)]
    {
        let scratch = Scratch::new(files);
        repository_of(&scratch.tree());
        assert_eq!(scratch.run(&["validate"]).code, Some(0));
        fs::write(scratch.path("tree").join(name), text).unwrap();
        git(&scratch.tree(), &["add", "-A"]);
        git(&scratch.tree(), &["commit", "-qm", "next"]);
        let said = format!("{name} is not read");
        let done = scratch.run(&["validate"]);
        let status = Some(i32::from(!is_passed_over));
        assert!(done.code == status && done.err.matches(&said).count() == 1, "{}\n{}", done.out, done.err);
        let done = scratch.run(&["matrix"]);
        assert!(done.err.contains(&said), "{}\n{}", done.out, done.err);
        // Terraform passes that one over, too: nothing of it can differ.
        if is_passed_over {
            continue;
        }
        // It comes, it stays, and it goes.
        for (base, is_there) in [("HEAD~1", true), ("HEAD", true), ("HEAD", false)] {
            if !is_there {
                fs::remove_file(scratch.path("tree").join(name)).unwrap();
            }
            let done = scratch.run(&["review", "--base", base, "--fail-on", "finding"]);
            let all = format!("{}{}", done.out, done.err);
            assert!(done.code == Some(3) && all.matches(&said).count() == 1, "{base} {is_there}\n{all}");
        }
    }
}
