//! Secrets that no field of a report holds: how a provisioner connects, what it gives to a program, and what a `check` asks.

use super::{CANARY, READING, silent, words};
use crate::cli_common::Scratch;

/// The blocks, of which each hands `local.sN` to a secret argument.
const BLOCKS: &[&str] = &[
    "resource \"null_resource\" \"r\" {\n  connection {\n    host     = local.plain\n    password = S\n  }\n}\n",
    "resource \"terraform_data\" \"r\" {\n  connection {\n    private_key = S\n    host        = local.plain\n  }\n}\n",
    "resource \"aws_instance\" \"r\" {\n  connection {\n    bastion_password = S\n    user             = local.plain\n  }\n}\n",
    "resource \"aws_instance\" \"r\" {\n  connection {\n    certificate = S\n  }\n}\n",
    "resource \"aws_instance\" \"r\" {\n  connection {\n    bastion_private_key = S\n    host_key            = local.plain\n  }\n}\n",
    "resource \"aws_instance\" \"r\" {\n  connection {\n    proxy_user_password = S\n  }\n}\n",
    "resource \"null_resource\" \"r\" {\n  provisioner \"remote-exec\" {\n    inline = [local.plain]\n    connection {\n      password = S\n    }\n  }\n}\n",
    "resource \"terraform_data\" \"r\" {\n  input = local.plain\n  provisioner \"local-exec\" {\n    command     = local.plain\n    \
     environment = { DB_PASSWORD = S, REGION = local.plain }\n  }\n}\n",
    "resource \"null_resource\" \"r\" {\n  provisioner \"local-exec\" {\n    command     = \"x\"\n    \
     environment = { \"PGPASSWORD\" = S }\n  }\n}\n",
    "resource \"aws_instance\" \"r\" {\n  provisioner \"local-exec\" {\n    command     = \"x\"\n    \
     environment = { AWS_SECRET_ACCESS_KEY = S, AWS_ACCESS_KEY_ID = local.plain }\n  }\n}\n",
    "resource \"aws_instance\" \"r\" {\n  for_each = { a = S }\n  connection {\n    password = each.value\n  }\n}\n",
    "check \"c\" {\n  data \"http\" \"h\" {\n    url      = local.plain\n    password = S\n  }\n  assert {\n    \
     condition     = data.http.h.status_code == 200\n    error_message = \"x\"\n  }\n}\n",
    "check \"c\" {\n  data \"vault_thing\" \"h\" {\n    name = local.plain\n    dynamic \"auth\" {\n      for_each = [S]\n      content {\n        \
     token = auth.value\n      }\n    }\n  }\n  assert {\n    condition     = true\n    error_message = \"x\"\n  }\n}\n",
];

#[test]
fn what_a_connection_or_a_check_is_given_is_not_shown() {
    let mut failures = Vec::new();
    for (at, block) in BLOCKS.iter().enumerate() {
        let block = block.replace("= S", "= var.s").replace("[S]", "[var.s]");
        let main = format!(
            "variable \"s\" {{}}\nvariable \"p\" {{}}\nlocals {{\n  plain = var.p\n  copy  = upper(var.s)\n}}\n{block}\
             output \"o\" {{\n  value = var.s\n}}\noutput \"c\" {{\n  value = \"x-${{local.copy}}\"\n}}\noutput \"p\" {{\n  value = local.plain\n}}\n"
        );
        let phi = "environment \"dev\" {\n  variables = { s = \"hunter2-s\", p = \"shown-p\" }\n}\n";
        let scratch = Scratch::new([("main.tf", main.as_str()), ("phi.hcl", phi)]);
        let whole = |line: &&&str| at % 6 == 0 || ["matrix --all", "trace --all"].contains(*line);
        let lines =
            READING.iter().filter(|l| !["aws_", "module.", "given", "pw"].iter().any(|own| l.contains(own)));
        for line in lines.filter(whole) {
            let done = scratch.run(&words(line));
            let all = format!("{}{}", done.out, done.err);
            let is_loud = |l: &&str| l.to_lowercase().contains(CANARY);
            failures.extend(all.lines().filter(is_loud).map(|l| format!("{block}{line}: {l}")));
        }
        let shown = scratch.run(&["matrix", "--all"]);
        let line = shown.out.lines().find(|line| line.starts_with("output.p.value"));
        if !line.is_some_and(|line| line.contains("shown-p")) {
            failures.push(format!("{block}withheld: {line:?}"));
        }
    }
    assert!(failures.is_empty(), "{} of them: {failures:#?}", failures.len());
}

/// An excerpt of what fails in such a block holds no literal of it.
#[test]
fn no_excerpt_of_a_connection_holds_a_secret() {
    for block in BLOCKS {
        let block = block
            .replace("= S", "= join(nosuch.thing, [\"hunter2-a\"])")
            .replace("[S]", "[\"hunter2-b\", nosuch.x]");
        let scratch = Scratch::new([("main.tf", format!("locals {{\n  plain = 1\n}}\n{block}").as_str())]);
        for line in
            ["validate", "validate --format json", "validate --format github", "check", "matrix --all"]
        {
            silent(&scratch.run(&words(line)), &format!("{block}{line}"));
        }
    }
}

/// What only sounds alike is shown: names of secrets, policies, flags, and entries of an environment that are none.
#[test]
fn what_is_no_secret_stays_shown() {
    let main = "variable \"a\" {}\nlocals {\n  a = var.a\n}\n\
        resource \"null_resource\" \"r\" {\n  triggers = { password = local.a }\n  connection {\n    host = local.a\n    user = var.a\n    port = local.a\n  }\n  \
        provisioner \"local-exec\" {\n    command     = local.a\n    environment = { SECRET_NAME = var.a, PWD = var.a, TOKEN_URL = local.a, PASSWORD_POLICY = var.a }\n  }\n}\n\
        resource \"some_thing\" \"r\" {\n  password_policy = local.a\n  login_secret_name = local.a\n  login_secret_id = var.a\n  db_secret_arn = var.a\n  \
        manage_user_password = local.a\n  db_password_length = local.a\n  image_pull_secret = local.a\n}\n\
        output \"o\" {\n  value = local.a\n}\n";
    let phi = "environment \"dev\" {\n  variables = { a = \"shown-a\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let done = scratch.run(&["matrix", "--all"]);
    assert!(done.out.contains("shown-a") && !done.out.contains("sensitive"), "{}", done.out);
}
