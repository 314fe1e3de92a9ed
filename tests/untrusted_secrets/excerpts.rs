//! Excerpts: of what can't be read as a whole, of what is compared with a secret, and of what a deployment gives.

use super::CANARY;
use crate::cli_common::Scratch;

/// What can't be read as a whole: the file, its text, and the line that is named.
const BROKEN: &[(&str, &str)] = &[
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = \"hunter2zq\" oops\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default = \"hunter2zq\"\n  default = \"hunter2zq\"\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = \"hunter2zq\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = \"a${upper(\"hunter2zq\")} b\" oops\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = \"a${lookup(x, \"hunter2zq\")}\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = <<EOT\nhunter2zq\n${ oops oops\nEOT\n}\n",
    ),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = <<EOT\nhunter2zq ${ oops oops }\nEOT\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = oops oops # was hunter2zq\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = oops oops // was \"hunter2zq\" once\n}\n",
    ),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = [oops \"x\", hunter2zq, \"y\"]\n}\n"),
    ("main.tf", "variable \"t\" {\n  sensitive = true\n  default   = upper(\"hunter2zq\")\n}\n"),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  type      = number\n  default   = \"hunter2zq\"\n}\n",
    ),
    (
        "main.tf",
        "variable \"t\" {\n  sensitive = true\n  default   = \"hunter2zq\"\n}\nvariable \"t\" {\n  default = \"hunter2zq\"\n}\n",
    ),
    ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = \"hunter2zq\"\n  pw = \"hunter2zq\"\n}\n"),
    ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = \"hunter2zq\"\n  nope = \"x\"\n}\n"),
    ("main.tf", "module \"m\" {\n  source = \"./m\"\n  pw = [\"hunter2zq\"]\n  count = nope.nope\n}\n"),
    (
        "main.tf",
        "locals {\n  t = \"hunter2zq\"\n  t = \"hunter2zq\"\n}\nresource \"aws_db_instance\" \"a\" {\n  password = local.t\n}\n",
    ),
    (
        "main.tf",
        "locals {\n  pin = 739120\n  pin = 739120\n}\nresource \"aws_db_instance\" \"a\" {\n  password = local.pin\n}\n",
    ),
    ("main.tf.json", "{\"variable\": {\"t\": {\"sensitive\": true, \"default\": \"hunter2zq\" oops}}}\n"),
    ("main.tf.json", "{\"variable\": {\"t\": {\"default\": \"hunter2zq\", \"default\": \"hunter2zq\"}}}\n"),
    ("main.tf.json", "{\n\"locals\": {\"t\": \"${hunter2zq \\\"hunter2zq\\\" oops}\"}\n}\n"),
];

/// Of what can't be read as a whole nobody knows what is secret: excerpts of it hold no literal, and tell where it is.
#[test]
fn an_excerpt_of_what_cannot_be_read_holds_no_literal() {
    let mut failures = Vec::new();
    for (name, text) in BROKEN {
        let child = "variable \"pw\" {\n  sensitive = true\n  type = string\n}\n";
        let scratch = Scratch::new([(*name, *text), ("m/main.tf", child)]);
        for line in [
            "validate",
            "validate --format json",
            "validate --format markdown",
            "validate --format github",
            "trace --all",
            "matrix --all",
            "plan --dry-run",
            "check",
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            let done = scratch.run(&words);
            let all = format!("{}{}", done.out, done.err);
            assert!(!all.contains("panicked"), "{all}");
            for canary in
                ["hunter2zq\"", "\"hunter2zq", "hunter2zq\n", "was hunter2zq", "739120", "hunter2zq $"]
            {
                if all.contains(canary) {
                    failures.push(format!("{line}: {text}\n{all}"));
                    break;
                }
            }
            if line == "validate" && !all.contains(&format!("{name}:")) && done.code != Some(0) {
                failures.push(format!("no place: {line}: {text}\n{all}"));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of them: {}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n----\n")
    );
}

/// What is compared with a sensitive value is no less secret.
#[test]
fn a_literal_beside_a_sensitive_value_is_not_shown() {
    let main = "variable \"token\" {\n  sensitive = true\n}\nvariable \"env\" {}\n\
        output \"a\" {\n  value = nonsensitive(var.token == \"hunter2zq\") ? \"a\" : \"b\"\n}\n\
        output \"b\" {\n  sensitive = true\n  value = var.token == \"hunter2zq\" ? \"a\" : \"b\"\n}\n\
        output \"c\" {\n  value = var.env == \"shown\" ? \"a\" : \"b\"\n}\n\
        resource \"terraform_data\" \"d\" {\n  count = nonsensitive(contains([\"hunter2zq\"], var.token)) ? 1 : 0\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    for line in [
        "trace --all",
        "trace --all --format json",
        "trace --all --format markdown",
        "trace output.a.value",
        "trace output.b.value",
        "graph output.a.value",
        "graph output.b.value --format svg",
        "matrix --all --format json",
        "validate",
        "validate --format json",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let done = scratch.run(&words);
        assert!(
            !format!("{}{}", done.out, done.err).contains("hunter2zq"),
            "{line}: {}{}",
            done.out,
            done.err
        );
    }
    let shown = scratch.run(&["trace", "output.c.value"]);
    assert!(shown.out.contains("var.env == \"shown\""), "{}", shown.out);
}

/// No excerpt shows what a deployment gives to a variable.
#[test]
fn what_a_deployment_gives_is_in_no_excerpt() {
    let component = "variable \"pw\" {\n  type      = string\n  sensitive = true\n}\nrequired_providers {\n}\n\
                     component \"m\" {\n  source = \"./m\"\n  inputs = {\n    pw = var.pw\n  }\n}\n";
    let deployment = "deployment \"prod\" {\n  inputs = {\n    pw          = \"hunter2-${nosuch.x}\"\n    db_password = \
                      \"hunter2-undeclared\"\n  }\n}\n";
    let files = [
        ("a.tfcomponent.hcl", component),
        ("d.tfdeploy.hcl", deployment),
        ("m/main.tf", "variable \"pw\" {}\n"),
    ];
    let scratch = Scratch::new(files);
    for args in
        [&["matrix"][..], &["trace", "--all"], &["validate"], &["suggest"], &["check"], &["graph", "--all"]]
    {
        let done = scratch.run(args);
        assert!(
            !done.out.contains(CANARY) && !done.err.contains(CANARY),
            "{args:?}\n{}\n{}",
            done.out,
            done.err
        );
    }
}

/// Ways in which what a secret is compared or combined with says what it may be. `S`: the secret.
const MEETINGS: &[&str] = &[
    "S == \"hunter2zq\"",
    "S < \"hunter2zq\"",
    "S > \"hunter2zq\"",
    "!(S == \"hunter2zq\")",
    "{ \"hunter2zq\" = 1 }[S]",
    "{ hunter2zq = 1 }[S]",
    "!can({ \"hunter2zq\" = 1 }[S])",
    "lookup({ \"hunter2zq\" = 1 }, S, 0)",
    "(var.env == \"p\" ? \"hunter2zq\" : \"y\") == S",
    "{ a = \"hunter2zq\" } == { a = S }",
    "[\"hunter2zq\"] == [S]",
    "\"${S}\" == \"hunter2zq\"",
    "S == \"${var.env}hunter2zq\"",
    "startswith(S, \"hunter2zq\")",
    "can(regex(\"hunter2zq\", S))",
    "index([\"hunter2zq\"], S)",
    "contains(concat([\"hunter2zq\"], [var.env]), S)",
    "[for v in [S] : v == \"hunter2zq\"]",
    "[for v in [S] : v if v != \"hunter2zq\"]",
    "anytrue([for v in [\"hunter2zq\"] : v == S])",
    "{ for k in [S] : k => 1 }[\"hunter2zq\"]",
    "\"%{if S == \"hunter2zq\"}a%{endif}\"",
    "nonsensitive(S == \"hunter2zq\" ? \"a\" : \"b\")",
    "var.env == \"p\" && S == \"hunter2zq\"",
    "zipmap([\"hunter2zq\"], [1])[S]",
];

/// Names of one value: what is declared, and in whose places an expression stands. `E`: the expression, which is in a list with one that fails.
const NAMES: &[(&str, &str, &str)] = &[
    ("var.pw", "", "output \"oN\" {\n  value = E\n}\n"),
    ("var.pw", "", "locals {\n  lN = E\n}\noutput \"oN\" {\n  value = local.lN\n}\n"),
    ("local.l", "locals {\n  l = var.pw\n}\n", "output \"oN\" {\n  value = E\n}\n"),
    ("each.value", "", "resource \"terraform_data\" \"rN\" {\n  for_each = { a = var.pw }\n  input = E\n}\n"),
    (
        "each.value",
        "",
        "resource \"terraform_data\" \"rN\" {\n  for_each = { a = var.pw }\n  lifecycle {\n    precondition {\n      \
         condition     = E\n      error_message = \"x\"\n    }\n  }\n}\n",
    ),
    (
        "self.password",
        "",
        "resource \"aws_db_instance\" \"rN\" {\n  password = var.pw\n  lifecycle {\n    postcondition {\n      \
         condition     = E\n      error_message = \"x\"\n    }\n  }\n}\n",
    ),
    (
        "it.value",
        "",
        "resource \"aws_instance\" \"rN\" {\n  dynamic \"tag\" {\n    for_each = { a = var.pw }\n    iterator = it\n    \
         content {\n      list = E\n    }\n  }\n}\n",
    ),
    ("u", "", "output \"oN\" {\n  value = [for u in [var.pw] : E]\n}\n"),
    ("var.pw", "", "check \"cN\" {\n  assert {\n    condition     = E\n    error_message = \"x\"\n  }\n}\n"),
    (
        "module.m.out",
        "module \"m\" {\n  source = \"./m\"\n  pw     = var.pw\n}\n",
        "output \"oN\" {\n  value = E\n}\n",
    ),
];

/// What makes `var.pw` a secret: that it is handed to an argument of such a name, or a mark; and what doesn't.
const REASONS: &[(&str, bool)] = &[
    ("variable \"pw\" {}\nresource \"aws_db_instance\" \"d\" {\n  password = var.pw\n}\n", true),
    ("variable \"pw\" {\n  sensitive = true\n}\n", true),
    ("variable \"pw\" {}\n", false),
];

/// Whatever names a secret, and however a literal meets it: no excerpt shows the literal. Of something plain they do.
#[test]
fn what_meets_a_secret_is_in_no_excerpt() {
    let mut failures = Vec::new();
    let (mut shown, mut plain) = (0, 0);
    for (reason, is_secret) in REASONS {
        for (name, declared, around) in NAMES {
            let mut main = format!("{reason}variable \"env\" {{}}\n{declared}");
            for (number, meeting) in MEETINGS.iter().enumerate() {
                let own = meeting.replace("hunter2zq", &format!("hunter2zq{number}x")).replace('S', name);
                // Equal findings share one excerpt.
                let failing = format!("[{own}, parseint(\"zz{number}\", 10)]");
                main += &around.replace('N', &number.to_string()).replace('E', &failing);
            }
            let module = "variable \"pw\" {}\noutput \"out\" {\n  value = var.pw\n}\n";
            let phi = "environment \"p\" {\n  variables = { env = \"p\", pw = \"other\" }\n}\n";
            let scratch = Scratch::new([("main.tf", &*main), ("m/main.tf", module), ("phi.hcl", phi)]);
            let mut all = String::new();
            for line in ["validate", "validate --format json", "trace --all", "trace --all --format json"] {
                let words: Vec<&str> = line.split(' ').collect();
                let done = scratch.run(&words);
                all += &format!("{}{}", done.out, done.err);
            }
            assert!(!all.contains("panicked"), "{all}");
            for (number, meeting) in MEETINGS.iter().enumerate() {
                let told = all.lines().find(|line| line.contains(&format!("hunter2zq{number}x")));
                match (is_secret, told) {
                    (true, Some(line)) => failures.push(format!("{name}: {meeting}: {around}\n{line}")),
                    (false, told) => {
                        plain += 1;
                        shown += usize::from(told.is_some());
                    }
                    (true, None) => {}
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of them:\n{}", failures.len(), failures.join("\n----\n"));
    assert!(shown * 10 > plain * 6, "{shown} of {plain} are shown where nothing is secret");
}

/// A default in the type of a secret variable is in no excerpt; that of a plain one is.
#[test]
fn a_default_in_the_type_of_a_secret_is_in_no_excerpt() {
    let handed = "resource \"aws_db_instance\" \"d\" {\n  password = var.v.pw\n}\n";
    for (mark, more, is_secret) in [("  sensitive = true\n", "", true), ("", handed, true), ("", "", false)] {
        let main = format!(
            "variable \"v\" {{\n{mark}  type = object({{ pw = optional(string, \"hunter2zq\"), n = optional(number, \"x\") }})\n  \
             default = {{}}\n}}\n{more}"
        );
        let scratch = Scratch::new([("main.tf", &*main)]);
        let mut all = String::new();
        for line in ["validate", "validate --format json", "trace --all", "check", "matrix --all"] {
            let words: Vec<&str> = line.split(' ').collect();
            let done = scratch.run(&words);
            all += &format!("{}{}", done.out, done.err);
        }
        assert_eq!(all.contains("hunter2zq"), !is_secret, "{mark}{more}: {all}");
    }
}

/// What is written out in the `for_each` of a Stack's provider is in no excerpt where it goes to a secret or meets one.
#[test]
fn what_repeats_a_provider_of_a_stack_is_in_no_excerpt() {
    let around = "required_providers {\n  aws = {\n    source  = \"hashicorp/aws\"\n    version = \"5.0\"\n  }\n}\n\
                  variable \"pw\" {\n  type = string\n}\nprovider \"aws\" \"own\" {\n  config {\n    secret_key = var.pw\n  }\n}\n";
    for (over, key) in [
        ("{ a = \"hunter2zq\", b = nosuch.x }", "secret_key"),
        ("{ hunter2zq = var.pw, b = nosuch.x }[var.pw]", "region"),
        ("{ for k in [var.pw] : k => nosuch.x if k != \"hunter2zq\" }", "region"),
        ("{ a = \"hunter2zq\", b = nosuch.x }", "region"),
    ] {
        let component = format!(
            "{around}provider \"aws\" \"p\" {{\n  for_each = {over}\n  config {{\n    {key} = each.value\n  }}\n}}\n"
        );
        let deployment = "deployment \"d\" {\n  inputs = {\n    pw = \"x\"\n  }\n}\n";
        let scratch = Scratch::new([("a.tfcomponent.hcl", &*component), ("d.tfdeploy.hcl", deployment)]);
        let mut all = String::new();
        for line in ["validate", "validate --format json", "trace --all", "matrix --all"] {
            let words: Vec<&str> = line.split(' ').collect();
            let done = scratch.run(&words);
            all += &format!("{}{}", done.out, done.err);
        }
        let is_plain = key == "region" && over.starts_with("{ a");
        assert_eq!(all.contains("hunter2zq"), is_plain, "{over} {key}: {all}");
    }
}
