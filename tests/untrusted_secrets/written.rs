//! What is written into files that are committed holds no secret in clear that the sources don't hold there: no gate, no rule, no comment, no record.

use crate::CANARY;
use crate::cli_common::Scratch;
use std::fs;
use std::path::Path;

/// Where the passwords come from, what picks by them, and what makes them secret.
const SOURCES: &[(&str, &str)] = &[
    ("variable \"users\" {\n  default = [USERS]\n}\n", ""),
    ("variable \"users\" {}\n", "users = [USERS]\n"),
    (
        "variable \"users\" {\n  type = list(object({ password = string, size = string }))\n}\n",
        "users = [USERS]\n",
    ),
    ("variable \"users\" {\n  sensitive = true\n}\n", "users = [USERS]\n"),
    ("locals {\n  users = [USERS]\n}\n", ""),
];
const USERS: &str =
    "{ password = \"hunter2-a\", size = \"small\" }, { password = \"hunter2-b\", size = \"large\" }";
const PICKS: &[&str] = &[
    "local.sizes[var.env]",
    "lookup(local.sizes, var.env, \"none\")",
    "try(local.sizes[var.env], \"none\")",
    "contains(keys(local.sizes), var.env) ? \"small\" : \"large\"",
    "var.env == keys(local.sizes)[0] ? \"small\" : \"large\"",
    "{ (keys(local.sizes)[0]) = \"small\", other = \"large\" }[var.env]",
    "one([for k, v in local.sizes : v if k == var.env])",
    "startswith(var.env, keys(local.sizes)[0]) ? \"small\" : \"large\"",
];

/// The lines that a run put into a tree.
fn added(tree: &Path, before: &str, out: &mut Vec<String>) {
    for entry in fs::read_dir(tree).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            added(&path, before, out);
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        // Records hold what was replaced, as it was; what they say besides is looked at.
        let is_original = |line: &str| before.contains(line) || line.contains("\"original\"");
        out.extend(text.lines().filter(|line| !is_original(line)).map(str::to_owned));
    }
}

fn main_of(source: &str, pick: &str, with_secret: bool) -> String {
    let users = if source.starts_with("locals") { "local.users" } else { "var.users" };
    let (open, close) = if source.contains("sensitive") { ("nonsensitive(", ")") } else { ("", "") };
    let secret = match with_secret {
        true => format!("resource \"aws_db_instance\" \"d\" {{\n  password = {users}[0].password\n}}\n"),
        false => String::new(),
    };
    format!(
        "{}variable \"env\" {{}}\nlocals {{\n  sizes = {{ for u in {users} : u.password => u.size }}\n}}\n{secret}\
         resource \"terraform_data\" \"x\" {{\n  input = {open}{pick}{close}\n}}\n",
        source.replace("USERS", USERS),
    )
}

const PHI: &str = "specialize \"terraform_data.x\" {\n  fields = [\"input\"]\n}\n";

/// Gates, and the rules that hold variables to what is specialised, say no key of a map that is made of secrets.
#[test]
fn no_secret_is_written() {
    let mut failures = Vec::new();
    let (mut written, mut refused) = (0, 0);
    for (source, given) in SOURCES {
        for pick in PICKS {
            let main = main_of(source, pick, true);
            let given = given.replace("USERS", USERS);
            let scratch =
                Scratch::new([("main.tf", main.as_str()), ("terraform.tfvars", &given), ("phi.hcl", PHI)]);
            let shown = scratch.run(&["diff"]);
            let done = scratch.run(&["check", "--fix"]);
            let mut lines = Vec::new();
            added(&scratch.tree(), &format!("{main}{given}{PHI}"), &mut lines);
            let plus = shown.out.lines().filter(|line| line.starts_with('+')).map(str::to_owned);
            lines.extend(plus);
            lines.extend(done.out.lines().chain(done.err.lines()).map(str::to_owned));
            lines.retain(|line| line.contains(CANARY));
            if !lines.is_empty() || done.err.contains("panicked") {
                failures.push(format!("{source}{pick}\n{}", lines.join("\n")));
            }
            match done.code {
                Some(0) => written += 1,
                _ => refused += 1,
            }
        }
    }
    assert!(failures.is_empty(), "{} of them:\n{}", failures.len(), failures.join("\n----\n"));
    assert!(written >= 6 && refused >= 6, "{written} written, {refused} refused");
}

/// The refusal says what to do, and what it says does.
#[test]
fn a_secret_gate_is_refused_with_a_way_out() {
    let main = main_of(SOURCES[1].0, PICKS[0], true);
    let given = SOURCES[1].1.replace("USERS", USERS);
    let scratch = Scratch::new([("main.tf", main.as_str()), ("terraform.tfvars", &given), ("phi.hcl", PHI)]);
    let done = scratch.run(&["check"]);
    assert_eq!(done.code, Some(1));
    assert!(done.err.contains("Code: sensitive") && done.err.contains("nonsensitive("), "{}", done.err);
    let main = main_of(SOURCES[4].0, PICKS[0], true);
    let own = main.replace(": u.password =>", ": nonsensitive(u.password) =>");
    let scratch = Scratch::new([("main.tf", own.as_str()), ("phi.hcl", PHI)]);
    let done = scratch.run(&["diff"]);
    assert!(done.out.contains("+  count = var.env == \"hunter2-a\" ? 1 : 0"), "{}{}", done.out, done.err);
}

/// Where no secret has a part, keys are written as before; so are the words of the sources themselves about a secret.
#[test]
fn plain_gates_are_written_as_before() {
    let main = main_of(SOURCES[4].0, PICKS[0], false);
    let scratch = Scratch::new([("main.tf", main.as_str()), ("phi.hcl", PHI)]);
    let done = scratch.run(&["diff"]);
    assert!(done.out.contains("var.env == \"hunter2-a\""), "{}{}", done.out, done.err);
    let main = "variable \"token\" {\n  sensitive = true\n  validation {\n    condition     = contains([\"a\", \"b\"], var.token)\n    \
        error_message = \"a or b\"\n  }\n}\n\
        resource \"terraform_data\" \"x\" {\n  input = nonsensitive({ a = \"small\", b = \"large\" }[var.token])\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", PHI)]);
    let done = scratch.run(&["diff"]);
    assert!(done.out.contains("var.token == \"a\" ? 1 : 0"), "{}{}", done.out, done.err);
}
