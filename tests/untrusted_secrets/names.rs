//! What is secret by its name alone, and what stands beside it and is none.

use super::{CANARY, READING, silent, words};
use crate::cli_common::Scratch;

/// Of a call whose module isn't installed, names tell: what such an argument is, and what it comes from, isn't shown.
#[test]
fn arguments_of_modules_that_are_not_there_are_told_by_their_names() {
    let main = "variable \"env\" {}\nlocals {\n  pw = \"hunter2-local\"\n}\n\
        module \"db\" {\n  source   = \"acme/db/aws\"\n  password = var.env == \"prod\" ? \"hunter2-a\" : \"hunter2-b\"\n  \
        settings = { api_token = \"hunter2-c\", size = \"shown-size\" }\n  size     = \"shown-own\"\n}\n\
        module \"other\" {\n  source       = \"acme/other/aws\"\n  client_secret = local.pw\n}\n\
        resource \"helm_release\" \"h\" {\n  set_wo = [{ name = \"a\", value = \"hunter2-d\" }]\n  \
        set    = [{ name = \"a\", value = \"shown-set\" }]\n}\n\
        output \"pw\" {\n  value = local.pw\n}\n";
    let phi = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    for line in READING.iter().filter(|line| line.contains("--all")) {
        silent(&scratch.run(&words(line)), line);
    }
    for field in
        ["module.db.password", "module.db.settings", "module.other.client_secret", "helm_release.h.set_wo"]
    {
        for line in ["trace F", "trace F --format json", "graph F", "graph F --format html"] {
            silent(&scratch.run(&words(&line.replace('F', field))), line);
        }
    }
    let shown = scratch.run(&["matrix", "--all"]);
    for text in ["shown-own", "shown-set"] {
        assert!(shown.out.contains(text), "{}", shown.out);
    }
}

/// An object that is written out in an argument which is secret as a whole: entries by names that are no secret's make nothing secret that they name.
#[test]
fn names_in_a_secret_object_stay_shown() {
    let main = "variable \"env\" {}\nvariable \"url\" {}\n\
        resource \"kubernetes_secret\" \"a\" {\n  data = { name = var.env, url = var.url, password = var.env == \"prod\" ? \"hunter2\" : \"\" }\n}\n\
        output \"shown\" {\n  value = var.env\n}\noutput \"hidden\" {\n  value = var.url\n}\n";
    let phi = "environment \"prod\" {\n  variables = { env = \"prod\", url = \"hunter2-url\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let done = scratch.run(&["matrix", "--all"]);
    assert!(!done.out.contains(CANARY), "{}", done.out);
    let line = done.out.lines().find(|line| line.starts_with("output.shown.value"));
    assert!(line.is_some_and(|line| line.contains("prod")), "{}", done.out);
}

/// A parameter that is stored as a plain text makes nothing secret that is stored in it.
#[test]
fn what_is_stored_as_a_plain_parameter_stays_shown() {
    let main = "locals {\n  url  = \"shown-url\"\n  hush = \"hunter2\"\n}\n\
        resource \"aws_ssm_parameter\" \"plain\" {\n  type  = \"String\"\n  value = local.url\n}\n\
        resource \"aws_ssm_parameter\" \"secret\" {\n  type  = \"SecureString\"\n  value = local.hush\n}\n\
        output \"url\" {\n  value = local.url\n}\noutput \"hush\" {\n  value = local.hush\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    let done = scratch.run(&["matrix", "--all"]);
    assert!(done.out.contains("shown-url") && !done.out.contains(CANARY), "{}", done.out);
}
