//! Values that are given to variables: by files of any name, by `phi.hcl`, and by deployments.

use super::{silent, words};
use crate::cli_common::Scratch;

const READING: &[&str] = &["trace --all", "trace --all --format json", "validate", "diff", "check"];

const MAIN: &str = "variable \"pw\" {\n  type      = number\n  sensitive = true\n}\nvariable \"tok\" {\n  type = object({ a = number })\n}\n\
    resource \"aws_db_instance\" \"d\" {\n  password = var.tok.a\n}\noutput \"o\" {\n  value = var.pw\n}\n";

/// What is read as a variable file is quoted nowhere, whatever its name.
#[test]
fn what_is_read_as_a_variable_file_is_in_no_excerpt() {
    let native = "pw = \"hunter2-pw\"\ntok = { a = \"hunter2-tok\" }\n";
    let json = "{\"pw\": \"hunter2-pw\", \"tok\": {\"a\": \"hunter2-tok\"}}\n";
    for (name, text) in [
        ("prod.vars", native),
        ("prod", native),
        ("main.hcl", native),
        ("values/prod.tf.txt", native),
        ("prod.json", json),
        ("prod.vars", "pw = \"hunter2-pw\" \"hunter2-more\n"),
        ("prod.json", "{\"pw\": \"hunter2-pw\", hunter2-more}\n"),
        (
            "prod.vars",
            "pw = nosuch(\"hunter2-pw\")\ntok = { a = tonumber(\"hunter2-tok\") }\nx { y = \"hunter2-x\" }\n",
        ),
    ] {
        let phi = format!("environment \"prod\" {{\n  var_files = [\"{name}\"]\n}}\n");
        let scratch = Scratch::new([("main.tf", MAIN), ("phi.hcl", &*phi), (name, text)]);
        for line in READING {
            silent(&scratch.run(&words(line)), &format!("{name}: {line}"));
        }
        let given = Scratch::new([("main.tf", MAIN), (name, text)]);
        silent(&given.run(&["trace", "--all", "-var-file", name]), name);
        let said = scratch.run(&["trace", "--all"]);
        assert!(format!("{}{}", said.out, said.err).contains(name), "{name}: {}{}", said.out, said.err);
    }
}

/// What `phi.hcl` gives to variables, services and backends isn't quoted, in blocks or arguments, and whatever is misspelt.
#[test]
fn what_settings_give_is_in_no_excerpt() {
    let factor = |inside: &str| {
        format!(
            "environment \"prod\" {{\n  variables = {{ pw = 1 }}\n}}\nform_factor \"k8s\" {{\n  environment = \"kubernetes\"\n  \
             services    = [\"cloudnative-pg\"]\n{inside}\n}}\n"
        )
    };
    let all = [
        factor("  inputs \"cloudnative-pg\" { passwrod = \"hunter2-typo\" }"),
        factor(
            "  inputs \"cloudnative-pg\" {\n    x = \"hunter2-x${nosuch.x}\"\n    y = upper(\"hunter2-y\")\n  }",
        ),
        factor("  inputs \"nosuch\" { x = \"hunter2-x\" }"),
        factor("  input \"cloudnative-pg\" { x = \"hunter2-x\" }"),
        factor("  inputs = { x = \"hunter2-x\" }"),
        factor("  values = { x = \"hunter2-x\" }"),
        "backend \"s3\" { secret = \"hunter2-one\" }\nbackend \"pg\" { conn = \"hunter2-two\" }\n".to_owned(),
        "backend \"s3\" {\n  key = \"hunter2-one${var.nope}\"\n}\n".to_owned(),
        "backend { conn = \"hunter2-two\" }\n".to_owned(),
        "backnd \"s3\" { conn = \"hunter2-two\" }\n".to_owned(),
        "environment \"prod\" {\n  variabels = { pw = \"hunter2-pw\" }\n}\n".to_owned(),
        "environment \"prod\" {\n  variables { pw = \"hunter2-pw\" }\n}\n".to_owned(),
        "enviroment \"prod\" { variabels = { pw = \"hunter2-pw\" } }\n".to_owned(),
        "variable \"pw\" {\n  universes = [\"hunter2-pw\"]\n}\n".to_owned(),
        "variables = { pw = \"hunter2-pw\" }\npw = \"hunter2-pw\"\n".to_owned(),
    ];
    for phi in all {
        let scratch = Scratch::new([("main.tf", MAIN), ("phi.hcl", &*phi)]);
        for line in ["trace --all", "trace --all --form-factor k8s", "check"] {
            silent(&scratch.run(&words(line)), &format!("{phi}: {line}"));
        }
    }
    let scratch = Scratch::new([("main.tf", MAIN), ("phi.hcl", "settings {\n  branchs = 3\n}\n")]);
    let done = scratch.run(&["trace", "--all"]);
    assert!(format!("{}{}", done.out, done.err).contains("branchs = 3"), "{}{}", done.out, done.err);
}

/// An error in what a deployment gives quotes no value, whatever the Stack says of the variable.
#[test]
fn an_error_of_a_deployment_quotes_no_value() {
    let component = |sensitive: bool| {
        format!(
            "variable \"pw\" {{\n  type      = string\n  sensitive = {sensitive}\n}}\nrequired_providers {{\n}}\n\
             component \"m\" {{\n  source = \"./m\"\n  inputs = {{\n    pw = var.pw\n  }}\n}}\n"
        )
    };
    for input in [
        "lookup({ a = 1 }, \"hunter2-key\")",
        "tonumber(\"hunter2-number\")",
        "parseint(local.p, 10)",
        "local.p + 1",
        "{ a = 1 }[local.p]",
        "{ for k in [local.p, local.p] : k => 1 }",
        "regex(\"x\", local.p)",
        "cidrhost(local.p, 1)",
        "local.q",
        "jsondecode(\"hunter2-json\")",
        "uuidv5(local.p, \"x\")",
        "[for x in local.p : x]",
    ] {
        let deployment = format!(
            "locals {{\n  p = \"hunter2-local\"\n  q = tonumber(local.p)\n}}\ndeployment \"prod\" {{\n  inputs = {{\n    pw = {input}\n  }}\n}}\n"
        );
        for line in ["matrix", "validate", "check", "plan --env prod --dry-run"] {
            // Whatever it is marked as: each of both is asked by half of the commands.
            let component = component(line.len() % 2 == 0);
            let files = [
                ("a.tfcomponent.hcl", &*component),
                ("d.tfdeploy.hcl", &*deployment),
                ("m/main.tf", "variable \"pw\" {}\n"),
            ];
            let done = Scratch::new(files).run(&words(line));
            silent(&done, &format!("{input}: {line}"));
            let printed = format!("{}{}", done.out, done.err);
            assert!(printed.contains("Invalid input of a deployment"), "{input}: {line}: {printed}");
        }
    }
}
