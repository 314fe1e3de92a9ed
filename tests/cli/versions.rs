//! The versions of Terraform that a tree allows: what they answer alike is answered, and what differs isn't. No Terraform is asked.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use serde_json::{Value, json};

/// A module's output that is declared sensitive although its value isn't; Terraform marks it in the caller from 1.13 on.
const MAIN: &str = "variable \"s\" {\n  type = string\n}\nmodule \"m\" {\n  source = \"./m\"\n  s      = var.s\n}\noutput \"told\" {\n  \
                    value = issensitive(module.m.tok) ? \"marked\" : \"plain\"\n}\noutput \"shown\" {\n  value = module.m.tok\n}\n\
                    resource \"terraform_data\" \"each\" {\n  for_each = toset([module.m.tok])\n  input    = 1\n}\noutput \"own\" {\n  \
                    value     = var.s\n  sensitive = true\n}\n";
const MODULE: &str =
    "variable \"s\" {\n}\noutput \"tok\" {\n  value     = \"tok-${var.s}\"\n  sensitive = true\n}\n";

fn scratch(required: &str) -> Scratch {
    let versions = match required {
        "" => String::new(),
        required => format!("terraform {{\n  required_version = \"{required}\"\n}}\n"),
    };
    Scratch::new([
        ("main.tf", MAIN),
        ("m/main.tf", MODULE),
        ("versions.tf", &versions),
        ("env/dev.tfvars", "s = \"s3cr3t\"\n"),
    ])
}

fn told(required: &str) -> Value {
    let done = scratch(required).run(&["trace", "output.told.value", "--json"]);
    let trace: Value = serde_json::from_str(&done.out).unwrap();
    let branches = trace["traces"][0]["branches"].as_array().cloned().unwrap_or_default();
    match branches.as_slice() {
        [only] => only["value"].clone(),
        _ => trace["traces"][0]["result"].clone(),
    }
}

#[test]
fn an_output_declared_sensitive_is_marked_from_1_13_on() {
    for before in ["~> 1.11.0", "= 1.12.2", "< 1.13", ">= 1.9, < 1.13.0", "<= 1.12.5"] {
        assert_eq!(told(before), "plain", "{before}");
    }
    for since in [">= 1.13", "~> 1.14.0", "> 1.13.1", ">= 1.9, >= 1.15"] {
        assert_eq!(told(since), "marked", "{since}");
    }
    for several in ["", ">= 1.11", "~> 1.5", "!= 1.12.0", "< 1.13.1", ">= 1.13.0-rc1"] {
        assert_eq!(told(several), "unbounded", "{several}");
    }
}

#[test]
fn what_only_some_versions_refuse_is_no_finding() {
    for required in ["", "~> 1.11.0", "< 1.13"] {
        let done = scratch(required).run(&["validate"]);
        assert_eq!(done.code, Some(0), "{required}: {}{}", done.out, done.err);
    }
    let done = scratch(">= 1.13").run(&["validate"]);
    assert_eq!(done.code, Some(3), "{}", done.out);
    for fault in ["Invalid for_each argument", "Output refers to sensitive values"] {
        assert!(done.out.contains(fault), "{fault}: {}", done.out);
    }
}

/// Whatever Terraform makes of it: what is declared sensitive is printed nowhere, and written nowhere.
#[test]
fn what_is_declared_sensitive_is_not_printed() {
    for required in ["", "~> 1.11.0", ">= 1.13"] {
        let scratch = scratch(required);
        for fields in [&["output.own.value"][..], &["output.shown.value"], &["module.m.output.tok.value"]] {
            for form in ["text", "json", "markdown", "html"] {
                let done = scratch.run(&[&["matrix"], fields, &["--format", form]].concat());
                assert!(!(done.out.clone() + &done.err).contains("s3cr3t"), "{fields:?}: {}", done.out);
                assert_eq!(done.code, Some(0), "{}", done.err);
            }
            let done = scratch.run(&[&["trace"], fields].concat());
            assert!(!(done.out.clone() + &done.err).contains("s3cr3t"), "{fields:?}: {}", done.out);
            assert!(done.out.contains("(sensitive)"), "{}", done.out);
        }
        let done = scratch.run(&["trace", "--expr", "module.m.tok"]);
        assert!(done.out.contains("\"code\":\"sensitive\""), "{}", done.out);
        // What is taken off is off.
        let done = scratch.run(&["trace", "--expr", "nonsensitive(module.m.tok)"]);
        assert!(done.out.contains("tok-s3cr3t"), "{}", done.out);
    }
}

/// `a != null && a.x` is an error before 1.12 where `a` is null, and false since.
#[test]
fn a_range_of_versions_decides() {
    let ask = |required: &str| {
        let main = format!(
            "terraform {{\n  required_version = \"{required}\"\n}}\nvariable \"a\" {{\n  type    = object({{ x = bool }})\n  \
             default = null\n}}\nresource \"terraform_data\" \"d\" {{\n  input = var.a != null && var.a.x ? \"yes\" : \"no\"\n}}\n"
        );
        let scratch = Scratch::new([("main.tf", main.as_str()), ("env/dev.tfvars", "a = null\n")]);
        let done = scratch.run(&["matrix", "terraform_data.d.input", "--format", "json"]);
        assert_eq!(scratch.log(), "", "nothing is started");
        let matrix: Value = serde_json::from_str(&done.out).unwrap();
        matrix["rows"][0]["cells"]["dev"].clone()
    };
    assert_eq!(ask(">= 1.12"), json!({"result": "resolved", "value": "no"}));
    assert_eq!(ask("~> 1.12, != 1.14.0"), json!({"result": "resolved", "value": "no"}));
    assert_eq!(ask("~> 1.11.0")["result"], "error");
    assert_eq!(ask("< 1.12")["result"], "error");
    for several in [">= 1.11", "!= 1.12.0", "~> 1.9"] {
        assert_eq!(ask(several)["result"], "unbounded", "{several}");
    }
}

/// Terraform checks the constraints of every module that it loads.
#[test]
fn constraints_of_all_modules_count() {
    let main = "variable \"a\" {\n  type    = object({ x = bool })\n  default = null\n}\nresource \"terraform_data\" \"d\" {\n  \
                input = var.a != null && var.a.x ? \"yes\" : \"no\"\n}\n";
    let call = |source: &str| format!("module \"m\" {{\n  source = {source}\n}}\n");
    let required = |text: &str| format!("terraform {{\n  required_version = \"{text}\"\n}}\n");
    let ask = |root: &str, child: &str, source: &str| {
        let kind = "variable \"kind\" {\n  default = \"m\"\n}\n";
        let root = format!("{}{main}{kind}{}", required(root), call(source));
        let (child, inner) = (format!("{}{}", required(">= 1.5"), call("\"./n\"")), required(child));
        let files = [("main.tf", root.as_str()), ("m/main.tf", &child), ("m/n/main.tf", &inner)];
        let done = Scratch::new(files).run(&["matrix", "terraform_data.d.input", "--format", "json"]);
        let matrix: Value = serde_json::from_str(&done.out).unwrap();
        matrix["rows"][0]["cells"]["default"]["result"].clone()
    };
    assert_eq!(ask(">= 1.9", ">= 1.12", "\"./m\""), "resolved");
    assert_eq!(ask(">= 1.9", "< 1.12", "\"./m\""), "error");
    assert_eq!(ask(">= 1.9", ">= 1.9", "\"./m\""), "unbounded");
    assert_eq!(ask(">= 1.9", ">= 1.12", "\"./${var.kind}\""), "unbounded");
}
