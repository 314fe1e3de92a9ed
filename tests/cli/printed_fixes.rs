//! What a trace prints as a fix, pasted where it says: for every kind of source, and every type that it can have.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing, clippy::panic)]

use crate::cli_common::Scratch;
use serde_json::Value;
use std::collections::BTreeSet;

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

/// What kind of value there is once the values of a variable are listed, or a literal is written. An untyped one can be anything.
fn kind(trace: &Value, title: &str) -> Option<&'static str> {
    let listed = title.contains("phi.hcl") || title.starts_with("Hardcode");
    let value = trace["branches"].as_array().filter(|_| listed)?.first()?.get("value")?;
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
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
        let mut kinds = BTreeSet::new();
        for fix in &fixes {
            let Some((title, paste)) = fix.split_once('\n') else { continue };
            let Some(after) = pasted(&case, title, paste) else { continue };
            tried += 1;
            if !finite(&after) {
                wrong.push(format!("{}: {fix}\n  gives {after}", case.name));
                continue;
            }
            helped += 1;
            kinds.extend(kind(&after, title));
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
        // A literal in the field's place is what the field would be.
        if kinds.len() > 1 {
            wrong.push(format!("{}: {kinds:?} in {fixes:#?}", case.name));
        }
        if helped == 0 {
            wrong.push(format!("{}: nothing that is printed helps: {before}", case.name));
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What is listed for a variable whose default is null has its type.
#[test]
fn what_is_listed_beside_a_default_of_null_has_its_type() {
    for ty in TYPES.iter().filter(|ty| **ty != "any") {
        let main = format!(
            "variable \"v\" {{\n  type    = object({{ at = {ty}, other = string }})\n  default = null\n}}\n"
        );
        let case = of_root(format!("a default of null, {ty}"), &main, "var.v.at", false);
        let before = traced(&case, &case.main, "", "");
        let fixes: Vec<&str> = before["fixes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let listed: Vec<_> = fixes.iter().filter_map(|fix| fix.split_once('\n')).collect();
        let [(title, paste), ..] = listed.as_slice() else { panic!("{ty}: {before}") };
        assert!(title.contains("phi.hcl"), "{ty}: {title}");
        let after = traced(&case, &case.main, paste, "");
        assert!(finite(&after), "{ty}: {paste}\n{after}");
    }
}

const NEW: &str = "variable \"environment\" {\n  type = string\n}\nlocals {\n  versions = { dev = \"16.3\", prod = \"15.4\" }\n}\n\
                   resource \"terraform_data\" \"db\" {\n  input = { version = local.versions[var.environment] }\n}\n";

/// A new environment whose key the map lacks: that is what is wrong, whatever is listed. With the entry it is planned.
#[test]
fn a_new_environment_that_a_map_lacks() {
    let pin = "specialize \"terraform_data.db\" {\n  fields = [\"input.version\"]\n}\n";
    let listed =
        format!("{pin}variable \"environment\" {{\n  universe = [\"dev\", \"prod\", \"perf\"]\n}}\n");
    let plan = |main: &str, phi: &str| {
        let file = |name: &str| format!("environment = \"{name}\"\n");
        let files = [
            ("main.tf", main),
            ("phi.hcl", phi),
            ("env/dev.tfvars", &file("dev")),
            ("env/prod.tfvars", &file("prod")),
            ("env/perf.tfvars", &file("perf")),
        ];
        Scratch::new(files).run(&["plan", "--env", "perf"])
    };
    for phi in [pin, &listed] {
        let done = plan(NEW, phi);
        assert_eq!(done.code, Some(1), "{}", done.err);
        assert!(done.err.contains("is an error with var.environment = \"perf\""), "{}", done.err);
        assert!(done.err.contains("Give `local.versions` an entry with the key \"perf\"."), "{}", done.err);
        assert!(!done.err.contains("universe"), "{}", done.err);
        let done = plan(&NEW.replace("{ dev", "{ \"perf\" = \"17\", dev"), phi);
        assert_eq!(done.code, Some(0), "{}", done.err);
    }
}

/// What is Terraform's to evaluate isn't called unset where it is set.
#[test]
fn a_pin_on_what_repeats() {
    for kept in ["count", "for_each"] {
        let main = format!(
            "resource \"terraform_data\" \"x\" {{\n  {kept} = {}\n  input = 1\n}}\n",
            match kept {
                "count" => "1",
                _ => "toset([\"a\"])",
            }
        );
        let phi = |fields: &str| format!("specialize \"terraform_data.x\" {{\n  fields = [{fields}]\n}}\n");
        let pinned = phi(&format!("\"input\", \"{kept}\""));
        let done = Scratch::new([("main.tf", main.as_str()), ("phi.hcl", &pinned)]).run(&["check"]);
        assert!(done.err.contains(&format!("`{kept}` can't be pinned")), "{}{}", done.out, done.err);
        assert!(!done.err.contains("sets"), "{}", done.err);
        // As it says: taken out of `fields`.
        let done = Scratch::new([("main.tf", main.as_str()), ("phi.hcl", &phi("\"input\""))]).run(&["check"]);
        assert!(!done.err.contains("Warning"), "{}", done.err);
    }
}

/// What goes into a JSON file is printed as members of its objects.
#[test]
fn what_is_printed_for_a_json_file_is_json() {
    let (mut wrong, mut tried) = (Vec::new(), std::collections::BTreeMap::<String, usize>::new());
    for ty in TYPES {
        let tree = serde_json::json!({
            "variable": { "v": { "type": ty } },
            "resource": { "terraform_data": { "x": { "input": "${var.v}" } } },
        });
        let traced = |tree: &Value, phi: &str| {
            let main = tree.to_string();
            let done = Scratch::new([("main.tf.json", main.as_str()), ("phi.hcl", phi)]).run(&[
                "trace",
                "terraform_data.x.input",
                "--json",
            ]);
            serde_json::from_str::<Value>(&done.out).unwrap()["traces"][0].clone()
        };
        let before = traced(&tree, "");
        for fix in before["fixes"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let Some((title, paste)) = fix.split_once('\n') else { continue };
            let mut fixed = tree.clone();
            let members = || serde_json::from_str::<Value>(&format!("{{{paste}}}")).unwrap_or_default();
            let (at, phi) = match title {
                _ if title.contains("phi.hcl") => ("", paste),
                _ if title.contains("(in `variable") => ("/variable/v", ""),
                _ => ("/resource/terraform_data/x", ""),
            };
            if !at.is_empty() {
                let added = members();
                let added = added.as_object().unwrap_or_else(|| panic!("no members: {fix}"));
                let own = fixed.pointer_mut(at).unwrap().as_object_mut().unwrap();
                own.extend(added.clone());
            }
            *tried.entry(title.split(' ').next().unwrap().to_owned()).or_default() += 1;
            let after = traced(&fixed, phi);
            if !finite(&after) {
                wrong.push(format!("{ty}: {fix}\n  gives {after}"));
            }
        }
    }
    eprintln!("fixes that were pasted beside JSON: {tried:?}");
    assert!(tried.len() > 3, "{tried:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is printed for a source names folders that are there; where there is none, nothing is to be hardcoded.
#[test]
fn a_source_names_what_is_there() {
    let module = "output \"x\" {\n  value = 1\n}\n";
    for (source, folders, wanted) in [
        ("\"./modules/${var.v}\"", vec!["modules/a", "modules/b"], "./modules/a"),
        ("\"./modules/${var.v}/aws\"", vec!["modules/a", "modules/b/aws"], "./modules/b/aws"),
        ("\"./modules/db-${var.v}\"", vec!["modules/a", "modules/db-x", "modules/db-y"], "./modules/db-x"),
        ("\"../sibling/${var.v}\"", vec![], ""),
        ("var.v", vec!["modules/a"], "./modules/a"),
        ("\"./${lower(var.v)}\"", vec!["a"], "./a"),
        ("\"./modules/${var.v}\"", vec![], ""),
        ("\"git::https://example.com/${var.v}\"", vec!["a"], ""),
    ] {
        let main =
            format!("variable \"v\" {{\n  type = string\n}}\nmodule \"m\" {{\n  source = {source}\n}}\n");
        let paths: Vec<String> = folders.iter().map(|folder| format!("{folder}/main.tf")).collect();
        let run = |main: &str, phi: &str| {
            let mut files = vec![("main.tf", main), ("phi.hcl", phi)];
            files.extend(paths.iter().map(|path| (path.as_str(), module)));
            let done = Scratch::new(files).run(&["trace", "module.m.source", "--json"]);
            serde_json::from_str::<Value>(&done.out).unwrap()["traces"][0].clone()
        };
        let before = run(&main, "");
        let fixes: Vec<&str> = before["fixes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let own: Vec<&&str> = fixes.iter().filter(|fix| fix.starts_with("Hardcode")).collect();
        match wanted {
            "" => assert!(own.is_empty(), "{source}: {own:?}"),
            wanted => assert!(own[0].ends_with(&format!("source = \"{wanted}\"")), "{source}: {own:?}"),
        }
        if wanted.is_empty() || source.contains("lower") {
            continue;
        }
        // Each way out leads to a module that is there.
        for fix in &fixes {
            let Some((title, paste)) = fix.split_once('\n') else { continue };
            let after = match title {
                _ if title.contains("phi.hcl") => run(&main, paste),
                _ if title.contains("(in `variable") => {
                    run(&main.replace("  type = string\n", &format!("  type = string\n{paste}\n")), "")
                }
                _ => run(&main.replace(&format!("source = {source}"), paste), ""),
            };
            // What Terraform takes by itself isn't driven any more.
            assert!(finite(&after) || after.is_null(), "{source}: {fix}\n  gives {after}");
        }
    }
}
