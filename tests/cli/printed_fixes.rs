//! What a trace prints as a fix, pasted where it says: for every kind of source, and every type that it can have.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing, clippy::panic)]

use crate::cli_common::Scratch;
use serde_json::Value;

/// Types of variables.
const TYPES: &[&str] = &[
    "string",
    "number",
    "any",
    "list(string)",
    "list(number)",
    "list(bool)",
    "set(string)",
    "set(number)",
    "map(string)",
    "map(bool)",
    "tuple([string, number])",
    "object({ a = string, b = number })",
    "object({ a = optional(string), b = bool })",
    "list(object({ a = string }))",
    "set(object({ a = number }))",
    "map(list(number))",
    "map(object({ a = set(string) }))",
    "list(list(string))",
];

/// What is made of an attribute of a data source, which shows what type it has.
const USES: &[&str] = &[
    "D",
    "\"a-${D}\"",
    "\"${D}-a\"",
    "\"a-${D}-b\"",
    "upper(D)",
    "D == \"x\" ? D : \"y\"",
    "D + 1",
    "max(D, 3)",
    "!D",
    "D ? 1 : 2",
    "D && true",
    "D[0]",
    "D[1]",
    "element(D, 1)",
    "slice(D, 0, 3)",
    "slice(D, 1, 3)[1]",
    "join(\",\", D)",
    "concat(D, [\"z\"])",
    "[for x in D : upper(x)]",
    "[for x in D : x + 1]",
    "sort(D)",
    "reverse(D)",
    "toset(D)",
    "sort(tolist(D))",
    "tolist(toset(D))[0]",
    "setunion(D, [\"z\"])",
    "setproduct(D, [\"z\"])",
    "contains(D, \"a\")",
    "length(D)",
    "keys(D)",
    "values(D)",
    "merge(D, { z = \"z\" })",
    "{ for k, v in D : k => upper(v) }",
    "D.key",
    "D[\"key\"]",
    "lookup(D, \"key\", \"none\")",
    "D[0].key",
    "D[*].key",
    "[for x in D : x.key]",
    "jsonencode(D)",
    "coalesce(D, \"z\")",
    "try(D, \"z\")",
    "tostring(D)",
    "tonumber(D)",
];

/// A configuration with one field, and where its variable is declared.
struct Case {
    name: String,
    main: String,
    /// A child module.
    child: String,
    field: &'static str,
    /// Whether the field is what is listed, and nothing computed from it.
    plain: bool,
}

fn resource(input: &str) -> String {
    format!("\nresource \"terraform_data\" \"x\" {{\n  input = {input}\n}}\n")
}

fn of_root(name: String, declared: &str, input: &str, plain: bool) -> Case {
    let main = format!("{declared}{}", resource(input));
    Case { name, main, child: String::new(), field: "terraform_data.x.input", plain }
}

fn variable(ty: &str) -> String {
    format!("variable \"v\" {{\n  type = {ty}\n}}\n")
}

fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for ty in TYPES {
        out.push(of_root(format!("a variable, {ty}"), &variable(ty), "var.v", true));
        let main = format!("{}module \"m\" {{\n  source = \"./m\"\n  v = var.v\n}}\n", variable(ty));
        let child = format!("{}{}", variable(ty), resource("var.v"));
        let field = "module.m.terraform_data.x.input";
        out.push(Case { name: format!("in a module, {ty}"), main, child, field, plain: true });
        for (label, whole, input) in [
            ("an attribute", format!("object({{ at = {ty}, other = string }})"), "var.v.at"),
            (
                "an attribute of an attribute",
                format!("object({{ of = object({{ at = {ty} }}) }})"),
                "var.v.of.at",
            ),
            ("an element of a list", format!("list({ty})"), "var.v[0]"),
            ("an element of a map", format!("map({ty})"), "var.v[\"key\"]"),
            ("an attribute of an element", format!("map(object({{ at = {ty} }}))"), "var.v[\"key\"].at"),
        ] {
            out.push(of_root(format!("{label}, {ty}"), &variable(&whole), input, false));
        }
    }
    for ty in ["string", "number", "any"] {
        for input in ["\"a-${var.v}\"", "\"${var.v}-b\"", "\"a-${var.v}-b\"", "upper(\"a-${var.v}\")"] {
            out.push(of_root(format!("a template, {ty}, {input}"), &variable(ty), input, false));
        }
    }
    for input in ["terraform.workspace", "\"a-${terraform.workspace}\"", "upper(terraform.workspace)"] {
        out.push(of_root(format!("the workspace, {input}"), "", input, input == "terraform.workspace"));
    }
    let data = "data \"external\" \"d\" {\n  program = [\"x\"]\n}\n";
    for input in USES {
        let input = input.replace('D', "data.external.d.result");
        out.push(of_root(format!("a data source, {input}"), data, &input, false));
        let child = format!("{data}{}", resource(&input));
        let main = "module \"m\" {\n  source = \"./m\"\n}\n".to_owned();
        let field = "module.m.terraform_data.x.input";
        out.push(Case {
            name: format!("a data source in a module, {input}"),
            main,
            child,
            field,
            plain: false,
        });
    }
    out
}

fn traced(case: &Case, main: &str, phi: &str, child: &str) -> Value {
    let mut files = vec![("main.tf", main), ("phi.hcl", phi)];
    if !child.is_empty() {
        files.push(("m/main.tf", child));
    }
    let done = Scratch::new(files).run(&["trace", case.field, "--json"]);
    assert_eq!(done.code, Some(0), "{}: {phi}\n{}", case.name, done.err);
    serde_json::from_str::<Value>(&done.out).unwrap()["traces"][0].clone()
}

/// The values of the literals that a universe lists.
fn listed(paste: &str) -> Vec<Value> {
    let list = paste.split_once("universe = ").unwrap().1.trim_end().trim_end_matches('}');
    let said = Scratch::new([("main.tf", "")]).run(&["trace", "--json", "--expr", list.trim()]);
    let said: Value = serde_json::from_str(&said.out).unwrap();
    said["value"].as_array().unwrap().clone()
}

/// Attributes that are not given are null.
fn without_nulls(mut value: Value) -> Value {
    if let Some(attrs) = value.as_object_mut() {
        attrs.retain(|_, v| !v.is_null());
    }
    value
}

fn finite(trace: &Value) -> bool {
    matches!(trace["result"].as_str(), Some("resolved" | "bounded"))
}

/// Puts a fix where its title says.
fn pasted(case: &Case, title: &str, paste: &str) -> Option<Value> {
    if title.contains("phi.hcl") {
        return Some(traced(case, &case.main, paste, &case.child));
    }
    if title.contains("(in `variable \"v\"`)") {
        let head = "variable \"v\" {\n";
        let main = case.main.replace(head, &format!("{head}{paste}\n"));
        return Some(traced(case, &main, "", &case.child));
    }
    title.starts_with("Hardcode").then(|| {
        let line = |text: &str| {
            let all = text.lines().map(|l| if l.trim_start().starts_with("input =") { paste } else { l });
            all.collect::<Vec<_>>().join("\n")
        };
        traced(case, &line(&case.main), "", &line(&case.child))
    })
}

#[test]
fn what_is_printed_helps_whatever_the_type() {
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for case in cases() {
        let before = traced(&case, &case.main, "", &case.child);
        if finite(&before) {
            continue;
        }
        let fixes: Vec<&str> =
            before["fixes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut helped = 0;
        for fix in &fixes {
            let Some((title, paste)) = fix.split_once('\n') else { continue };
            let Some(after) = pasted(&case, title, paste) else { continue };
            tried += 1;
            if !finite(&after) {
                wrong.push(format!("{}: {fix}\n  gives {after}", case.name));
                continue;
            }
            helped += 1;
            if case.plain && paste.contains("universe = ") && after["result"] == "bounded" {
                let values: Vec<Value> = after["branches"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|b| without_nulls(b["value"].clone()))
                    .collect();
                let want = listed(paste);
                if values.len() != want.len() || !want.iter().all(|v| values.contains(v)) {
                    wrong.push(format!("{}: {fix}\n  gives {values:?}, not {want:?}", case.name));
                }
            }
        }
        if helped == 0 {
            wrong.push(format!("{}: nothing that is printed helps: {before}", case.name));
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
