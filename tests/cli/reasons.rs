//! Why a field is Unbounded: reasons name the variable, the data source, the attribute, and stand where these do.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;

/// What `trace ADDRESS` says of a tree.
fn traced(main: &str, args: &[&str]) -> String {
    let scratch = Scratch::new([("main.tf", main)]);
    let done = scratch.run(&[&["trace"], args].concat());
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    done.out
}

const OPEN: &str = r#"variable "name" {}
variable "names" { type = set(string) }
variable "rules" { type = list(object({ port = number })) }
variable "token" {
  type      = string
  ephemeral = true
}
variable "password" {
  default   = "x"
  sensitive = true
}
data "aws_region" "current" {}
resource "aws_kms_key" "k" {}
data "aws_secret" "s" { key = aws_kms_key.k.arn }
data "aws_version" "v" { secret = data.aws_secret.s.id }
locals {
  a = local.b
  b = local.a
}
resource "aws_thing" "t" {
  workspace = "${lower(terraform.workspace)}-main"
  region    = join("-", ["x", data.aws_region.current.name])
  both      = "${terraform.workspace}-${data.aws_region.current.name}"
  decoded   = jsondecode(var.name).a
  cycle     = local.a
  whole     = aws_kms_key.k
  version   = data.aws_version.v.text
  token     = var.token
  password  = var.password
}
resource "aws_thing" "each" {
  for_each = var.names
  value    = upper(each.value)
}
resource "aws_thing" "keyed" {
  for_each = toset([data.aws_region.current.name])
  value    = each.key
}
resource "aws_thing" "counted" {
  count = length(data.aws_region.current.name)
  value = count.index
}
resource "aws_thing" "dynamic" {
  dynamic "rule" {
    for_each = var.rules
    content {
      port = rule.value.port
    }
  }
}
"#;

#[test]
fn reasons_name_what_is_to_blame() {
    for (field, want) in [
        ("t.workspace", "`terraform.workspace` may take any value"),
        ("t.region", "`data.aws_region.current.name` may take any value"),
        ("t.both", "`data.aws_region.current.name` and `terraform.workspace` may take any value"),
        ("t.decoded", "this one depends on var.name, whose values nothing lists"),
        ("t.cycle", "depends on itself: local.a → local.b → local.a."),
        ("t.whole", "`aws_kms_key.k` is a resource."),
        ("t.version", "it needs `aws_kms_key.k.arn`, which is known only after apply"),
        ("t.token", "var.token is ephemeral"),
        ("t.password", "var.password is sensitive"),
        ("each.value", "`for_each` depends on var.names, whose values nothing lists"),
        ("keyed.value", "`for_each` depends on `data.aws_region.current.name`, whose values nothing lists"),
        ("counted.value", "has depends on `data.aws_region.current.name`, whose values nothing lists"),
        ("dynamic.rule.port", "the `dynamic` block depends on var.rules, whose values nothing lists"),
    ] {
        let said = traced(OPEN, &[&format!("aws_thing.{field}")]);
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(want), "{field}: {said}");
    }
}

#[test]
fn too_many_values_are_said_by_what_decides() {
    let numbers: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
    let main = format!(
        "variable \"size\" {{\n  type = number\n  validation {{\n    condition = contains([{}], var.size)\n    error_message = \"No.\"\n  }}\n}}\n\
         resource \"aws_thing\" \"t\" {{\n  v = var.size + 1\n}}\n",
        numbers.join(", ")
    );
    let said = traced(&main, &["aws_thing.t.v"]);
    assert!(said.contains("20 values, which var.size decides, and the limit is 16."), "{said}");
}

#[test]
fn nested_fields_are_marked_where_they_stand() {
    let main = "variable \"v\" {}\nresource \"aws_thing\" \"t\" {\n  input = {\n    a = 1\n    b = {\n      c = aws_x.y.id\n    }\n  }\n}\n\
                resource \"aws_x\" \"y\" {}\n";
    let scratch = Scratch::new([
        ("main.tf", main),
        ("phi.hcl", "specialize \"aws_thing\" {\n  fields = [\"input.b.c\"]\n}\n"),
    ]);
    let done = scratch.run(&["plan", "--dry-run"]);
    assert!(done.err.contains("--> main.tf:6:11"), "{}", done.err);
    assert!(done.err.contains("      c = aws_x.y.id"), "{}", done.err);
}

#[test]
fn what_was_known_in_an_object_has_its_own_way() {
    let main = "locals {\n  v = \"15\"\n}\nresource \"aws_thing\" \"t\" {\n  input = {\n    a = 1\n    version = local.v\n  }\n}\n";
    let said = traced(main, &["aws_thing.t.input.version"]);
    assert!(said.contains("main.tf:7  version = local.v\n    main.tf:2  v = \"15\"\n"), "{said}");
    assert!(!said.contains("input = {"), "{said}");
}

/// A provider's configuration is no resource, and what is read with one can be listed and held as any other.
#[test]
fn a_data_source_with_a_provider_of_its_own() {
    let main = "provider \"aws\" {\n  alias = \"eu\"\n}\ndata \"aws_region\" \"here\" {\n  provider = aws.eu\n}\n\
                resource \"aws_thing\" \"t\" {\n  v = data.aws_region.here.name\n}\n";
    let said = traced(main, &["aws_thing.t.v"]);
    assert!(said.contains("`data.aws_region.here.name` may take any value"), "{said}");
    let phi = "specialize \"aws_thing\" {\n  fields = [\"v\"]\n}\nvariable \"data.aws_region.here.name\" {\n  universe = [\"a\", \"b\"]\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let done = scratch.run(&["plan", "--dry-run"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(
        done.out.contains("+    postcondition {") && done.out.contains("self.name), false)"),
        "{}",
        done.out
    );
}

#[test]
fn computed_element_by_element() {
    let main = "variable \"a\" { type = list(string) }\ndata \"x\" \"y\" {}\nresource \"aws_thing\" \"t\" {\n  \
                v = [for z in data.x.y.zones : \"${z}-1\"]\n  w = { for k in var.a : k => upper(k) }\n}\n";
    for (field, want) in [("v", "`data.x.y.zones` may take any value"), ("w", "var.a")] {
        let said = traced(main, &[&format!("aws_thing.t.{field}")]);
        assert!(said.contains(want), "{said}");
    }
}

const CHOSEN: &str = "variable \"env\" {\n  type = string\n}\nvariable \"secret\" {\n  type      = string\n  sensitive = true\n}\n\
                      variable \"other\" {}\nresource \"aws_thing\" \"t\" {\n  v = var.env == \"prod\" ? \"a\" : \"b\"\n  own = var.env\n  \
                      shown = var.secret == \"x\" ? 1 : 2\n  s = nonsensitive(var.secret) == \"x\" ? 1 : 2\n}\n";

#[test]
fn what_the_command_line_gives_stays_on_the_way() {
    let env = "main.tf:1   var.env = \"prod\", given by -var";
    let said = traced(CHOSEN, &["aws_thing.t.v", "-var=env=prod", "-var=other=1"]);
    assert!(said.contains("always \"a\"") && said.contains(env), "{said}");
    assert!(!said.contains("var.other"), "{said}");
    assert!(traced(CHOSEN, &["aws_thing.t.own", "-var=env=prod"]).contains(env));
    let said = traced(CHOSEN, &["aws_thing.t.s", "-var=secret=x"]);
    assert!(said.contains("var.secret = (sensitive value), given by -var"), "{said}");
    assert!(traced(CHOSEN, &["aws_thing.t.shown", "-var=secret=x"]).contains("var.secret is sensitive"));
    let json = traced(CHOSEN, &["aws_thing.t.v", "-var=env=prod", "--json"]);
    assert!(json.contains("Given var.env = \\\"prod\\\", given by -var"), "{json}");
}

/// Where the variable files list what there is, no instance is there under any of it.
#[test]
fn no_instance_under_anything_listed_is_no_error() {
    let main = "variable \"all\" {\n  type = map(object({ outer = bool, inner = bool, protect = bool }))\n}\n\
                locals {\n  env = lower(terraform.workspace)\n  own = contains(keys(var.all), local.env) ? var.all[local.env] : var.all[\"dev\"]\n}\n\
                module \"m\" {\n  source = \"./m\"\n  count = local.own.outer ? 1 : 0\n  inner = local.own.inner\n  protect = local.own.protect\n}\n";
    let inner = "variable \"inner\" { type = bool }\nvariable \"protect\" { type = bool }\nresource \"aws_thing\" \"t\" {\n  \
                 count = var.inner ? 1 : 0\n  protect = var.protect\n}\n";
    let values = "all = {\n  dev  = { outer = false, inner = true, protect = false }\n  prod = { outer = true, inner = false, protect = true }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("m/main.tf", inner), ("terraform.tfvars", values)]);
    let done = scratch.run(&["trace", "module.m.aws_thing.t.protect"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    assert!(done.out.contains("never has a value"), "{}", done.out);
}
