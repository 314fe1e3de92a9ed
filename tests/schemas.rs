//! The schemas of JSON that is printed: `tf-phi schema`, and that they say what is printed and nothing else. That each document of
//! each test is as its schema says, is in `cli_common`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

mod cli_common;

use boon::{Compiler, Schemas};
use cli_common::git::{git, repository_of};
use cli_common::schemas::{documents, kind, refused};
use cli_common::{Done, Scratch};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::process::Command;
use tf_phi::report::schema;

const MAIN: &str = "variable \"env\" {\n  type = string\n}\nvariable \"key\" {\n  sensitive = true\n  default = \"k\"\n}\n\
    variable \"n\" {\n  type = number\n  default = 1\n}\nvariable \"open\" {\n  type = string\n  default = null\n}\n\
    module \"db\" {\n  source = \"./modules/db\"\n  v = var.env == \"prod\" ? \"a\" : var.env == \"qa\" ? \"b\" : \"c\"\n}\n\
    resource \"terraform_data\" \"each\" {\n  for_each = toset(var.env == \"prod\" ? [\"x\", \"y\"] : [\"x\"])\n  input = each.key\n}\n\
    resource \"terraform_data\" \"some\" {\n  count = var.env == \"prod\" ? 1 : 0\n  input = var.key\n}\n\
    resource \"terraform_data\" \"later\" {\n  input = terraform_data.each[\"x\"].id\n}\n\
    resource \"terraform_data\" \"bad\" {\n  input = var.env == \"qa\" ? tonumber(var.env) : 2\n}\n\
    output \"lazy\" {\n  value = var.open == null || length(var.open) > 1\n}\n";
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"app\" {\n  input = var.v\n}\n";
const OTHER: &str = "output \"o\" {\n  value = 1\n}\n";
const PHI: &str = "specialize \"terraform_data.app\" {\n  fields = [\"input\"]\n}\nvariable \"env\" {\n  universe = [\"dev\", \
    \"qa\", \"prod\"]\n}\n";

/// A tree in which every kind of answer occurs.
fn scratch() -> Scratch {
    Scratch::new([
        ("main.tf", MAIN),
        ("modules/db/main.tf", MODULE),
        ("modules/db/other.tf", OTHER),
        ("phi.hcl", PHI),
        ("env/dev.tfvars", "env = \"dev\"\n"),
        ("env/qa.tfvars", "env = \"qa\"\n"),
        ("env/prod.tfvars", "env = \"prod\"\n"),
    ])
}

/// Documents of every kind.
struct Samples(BTreeMap<&'static str, Vec<Json>>);

impl Samples {
    fn take(&mut self, name: &'static str, text: &str) {
        let found = documents(text);
        assert!(!found.is_empty(), "{name}: no JSON in {text}");
        for document in found {
            assert_eq!(kind(&document), Some(name), "{document:#}");
            self.0.entry(name).or_default().push(document);
        }
    }

    fn run(&mut self, name: &'static str, scratch: &Scratch, words: &[&str]) {
        let done = scratch.run(words);
        self.take(name, if name == "findings" { &done.err } else { &done.out });
    }
}

/// A field that only hands a value on, which is marked as such.
fn handed_on() -> Scratch {
    Scratch::new([
        ("main.tf", "variable \"v\" {}\nmodule \"m\" {\n  source = \"./m\"\n  v      = var.v\n}\n"),
        ("m/main.tf", "variable \"v\" {}\nresource \"terraform_data\" \"x\" {\n  input = var.v\n}\n"),
        ("env/a.tfvars", "v = 1\n"),
        ("env/b.tfvars", "v = 2\n"),
    ])
}

/// A number that is cut into bins.
fn rounded() -> Scratch {
    Scratch::new([
        (
            "main.tf",
            "variable \"n\" {\n  type = number\n}\nresource \"terraform_data\" \"x\" {\n  input = var.n\n}\n",
        ),
        ("phi.hcl", "specialize \"terraform_data\" {\n  field \"input\" { bins = [1, 2] }\n}\n"),
    ])
}

/// Reports of several root modules.
fn of_many(all: &mut Samples) {
    let roots =
        Scratch::new([("a/main.tf", MAIN), ("a/modules/db/main.tf", MODULE), ("b/main.tf", "resource {\n")]);
    all.run("roots", &roots, &["matrix", "--recursive", "--format", "json"]);
    all.run("roots", &roots, &["validate", "--recursive", "--format", "json"]);
    all.run("root-modules", &roots, &["roots", "--recursive", "--format", "json"]);
    repository_of(&roots.tree());
    all.run("roots", &roots, &["review", "--base", "HEAD", "--recursive", "--format", "json"]);
    fs::remove_dir_all(roots.tree().join("b")).unwrap();
    all.run("root-modules", &roots, &["roots", "--recursive", "--base", "HEAD", "--format", "json"]);
}

fn samples() -> Samples {
    let mut all = Samples(BTreeMap::new());
    let tree = scratch();
    repository_of(&tree.tree());
    all.run("trace", &tree, &["trace", "--all", "--json"]);
    all.run("trace", &tree, &["trace", "--json"]);
    let wrong =
        Scratch::new([("main.tf", "resource \"terraform_data\" \"x\" {\n  input = tonumber(\"x\")\n}\n")]);
    all.run("trace", &wrong, &["trace", "--all", "--json"]);
    all.run("trace", &rounded(), &["trace", "--json"]);
    let followed = "resource \"aws_instance\" \"a\" {\n  ami = \"x\"\n}\noutput \"o\" {\n  value = aws_instance.a.ami\n}\n";
    let followed = Scratch::new([("main.tf", followed)]);
    all.run("matrix", &followed, &["matrix", "--all", "--format", "json"]);
    for expr in
        ["var.env", "1 / 0", "nope(", "[for i in range(2) : i]", "timestamp()", "var.key", "1e400 * 1e400"]
    {
        all.run("expression", &tree, &["trace", "--expr", expr]);
    }
    all.run("matrix", &tree, &["matrix", "--all", "--format", "json"]);
    all.run("matrix", &handed_on(), &["matrix", "--format", "json"]);
    all.run("validate", &tree, &["validate", "--format", "json"]);
    of_many(&mut all);
    all.run("check", &tree, &["check", "--format", "json"]);
    all.run("explain", &tree, &["explain", "module.db_a[0]", "--format", "json"]);
    let stack = Scratch::new([
        ("main.tfcomponent.hcl", "component \"db\" {\n  source = \"./m\"\n}\n"),
        ("m/main.tf", OTHER),
        ("main.tfdeploy.hcl", "deployment \"dev\" {\n  inputs = {}\n}\n"),
    ]);
    all.run("explain", &stack, &["explain", "module.db", "--format", "json"]);
    all.run("explain-code", &tree, &["explain", "no-universe", "--format", "json"]);
    all.run("version", &tree, &["version", "--json"]);
    all.run("services", &tree, &["services", "--json"]);
    let changed =
        MAIN.replace("\"x\", \"y\"", "\"x\"").replace("? \"a\"", "? \"z\"").replace(": 2", ": 3 / 0");
    fs::write(tree.tree().join("main.tf"), &changed).unwrap();
    all.run("review", &tree, &["review", "--base", "HEAD", "--format", "json"]);
    let open = changed.replace("var.env == \"prod\" ? \"z\"", "timestamp() == \"\" ? \"z\"");
    fs::write(tree.tree().join("main.tf"), open).unwrap();
    all.run("review", &tree, &["review", "--base", "HEAD", "--format", "json"]);
    let unread = "resource \"terraform_data\" \"x\" {\n  input = file(\"~/../nowhere\")\n}\n";
    let unread = Scratch::new([("main.tf", unread)]);
    repository_of(&unread.tree());
    let edit =
        "resource \"terraform_data\" \"x\" {\n  input = file(\"~/../nowhere\")\n  depends_on = []\n}\n";
    fs::write(unread.tree().join("main.tf"), edit).unwrap();
    all.run("review", &unread, &["review", "--base", "HEAD", "--format", "json"]);
    let marked = "resource \"terraform_data\" \"x\" {\n  input = sensitive(\"a\")\n}\n";
    let marked = Scratch::new([("main.tf", marked)]);
    repository_of(&marked.tree());
    let edit = "resource \"terraform_data\" \"x\" {\n  input = [sensitive(\"a\")]\n}\n";
    fs::write(marked.tree().join("main.tf"), edit).unwrap();
    all.run("review", &marked, &["review", "--base", "HEAD", "--format", "json"]);
    all.run("findings", &tree, &["plan", "--dry-run", "--format", "json"]);
    all.run("check", &tree, &["check", "--format", "json"]);
    git(&tree.tree(), &["checkout", "-q", "main.tf"]);
    tree.run(&["check", "--fix"]);
    records(&mut all, &tree);
    for case in ["units/inside-chosen-sources", "service/references", "links/pinned"] {
        let text = fs::read_to_string(format!("tests/golden/{case}/out/.phi/provenance.json"));
        text.into_iter().for_each(|text| all.take("provenance", &text));
    }
    let phi = "settings {\n  form_factor = \"f\"\n}\nform_factor \"f\" {\n  providers = [\"terraform\"]\n  services  = [\"x\"]\n}\nservice \"x\" {\n  replaces = \"terraform_data\"\n  module   = \"./s\"\n}\n";
    let db = "resource \"terraform_data\" \"db\" {\n  input = \"a\"\n}\n";
    let served = Scratch::new([("main.tf", db), ("s/main.tf", "variable \"input\" {}\n"), ("phi.hcl", phi)]);
    served.run(&["check", "--fix"]);
    all.take("history-line", &fs::read_to_string(served.tree().join(".phi/history.jsonl")).unwrap());
    // What was single gets a `count`, and was applied before.
    let main = "variable \"env\" {\n  type = string\n}\n";
    let single = "resource \"terraform_data\" \"db\" {\n  input = var.env == \"prod\" ? \"a\" : \"b\"\n}\n";
    let pin = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let rekeyed = Scratch::new([("main.tf", &*format!("{main}{single}")), ("phi.hcl", pin)]);
    rekeyed.run(&["apply", "-auto-approve", "-var=env=prod"]);
    rekeyed.run(&["restore"]);
    fs::write(rekeyed.tree().join("main.tf"), format!("{main}{}", single.replace("{\n", "{\n  count = 2\n")))
        .unwrap();
    rekeyed.run(&["check", "--fix"]);
    let read = |name: &str| fs::read_to_string(rekeyed.tree().join(".phi").join(name)).unwrap();
    all.take("provenance", &read("provenance.json"));
    all.take("history-line", &read("history.jsonl"));
    all
}

fn records(all: &mut Samples, tree: &Scratch) {
    let read = |name: &str| fs::read_to_string(tree.tree().join(".phi").join(name)).unwrap();
    all.take("provenance", &read("provenance.json"));
    all.take("history-line", &read("history.jsonl"));
    let object = json!({ "mode": "managed", "module": "module.db_a[0]", "type": "terraform_data", "name": "app",
        "provider": "provider[\"terraform.io/builtin/terraform\"]",
        "instances": [{ "schema_version": 0, "attributes": { "id": "1", "input": { "value": "a", "type": "string" } } }] });
    let state = json!({ "version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l", "outputs": {}, "resources": [object] });
    fs::write(tree.path("state"), state.to_string()).unwrap();
    fs::write(tree.tree().join("terraform.tfstate"), state.to_string()).unwrap();
    let mut command = tree.command(&["history", "--format", "json"]);
    let done = Done::new(
        command.env("FAKE_DURING", format!("cat {}", tree.path("state").display())).output().unwrap(),
    );
    all.take("history", &done.out);
    // What is applied may stand below a copy.
    let mut command = tree.command(&["apply", "-auto-approve", "-var=env=prod"]);
    let done = Done::new(
        command.env("FAKE_DURING", format!("cat {}", tree.path("state").display())).output().unwrap(),
    );
    assert_eq!(done.code, Some(0), "{}", done.err);
    all.take("history-line", &read("history.jsonl"));
}

/// Every member that a schema tells of, by where it stands.
fn told(root: &Json, at: &Json, path: &str, seen: &mut BTreeSet<String>, out: &mut BTreeSet<String>) {
    if let Some(name) = at["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        if seen.insert(name.to_owned()) {
            told(root, &root["$defs"][name], name, seen, out);
        }
        return;
    }
    for (name, member) in at["properties"].as_object().into_iter().flatten() {
        out.insert(format!("{path}.{name}"));
        told(root, member, &format!("{path}.{name}"), seen, out);
    }
    for key in ["items", "additionalProperties"] {
        told_below(root, &at[key], path, seen, out);
    }
    for part in ["anyOf", "prefixItems"].iter().flat_map(|key| at[*key].as_array().into_iter().flatten()) {
        told_below(root, part, path, seen, out);
    }
}

fn told_below(root: &Json, at: &Json, path: &str, seen: &mut BTreeSet<String>, out: &mut BTreeSet<String>) {
    if at.is_object() {
        told(root, at, path, seen, out);
    }
}

/// Every member of a document, by where its schema tells of it.
fn printed(root: &Json, at: &Json, path: &str, document: &Json, out: &mut BTreeSet<String>) {
    if let Some(name) = at["$ref"].as_str().and_then(|r| r.strip_prefix("#/$defs/")) {
        return printed(root, &root["$defs"][name], name, document, out);
    }
    for part in at["anyOf"].as_array().into_iter().flatten() {
        printed(root, part, path, document, out);
    }
    for (name, member) in document.as_object().into_iter().flatten() {
        match at["properties"].get(name) {
            Some(schema) => {
                out.insert(format!("{path}.{name}"));
                printed(root, schema, &format!("{path}.{name}"), member, out);
            }
            None => printed(root, &at["additionalProperties"], path, member, out),
        }
    }
    for (index, item) in document.as_array().into_iter().flatten().enumerate() {
        printed(root, at["prefixItems"].get(index).unwrap_or(&at["items"]), path, item, out);
    }
}

/// What only a plan of a real Terraform prints, and what no form of this tree does: `e2e/review.rs`, `tests/cli/accepts.rs`, `tests/cli/review_unshown.rs`, what is too much for
/// one report `tests/hostile_trees.rs`.
const ELSEWHERE: &[&str] = &[
    "review_body.environments.plan.",
    "review_body.environments.may_go",
    "review_body.left_out",
    "matrix_body.left_out",
    "matrix_body.uncompared",
    "counts.",
    "provenance.accepts",
    // What earlier versions wrote.
    "provenance.files.replaced",
    // `src/specialise/record/lines.rs`.
    "provenance.replaced.at",
];

#[test]
fn every_member_of_a_schema_is_printed() {
    let samples = samples();
    let (mut want, mut got) = (BTreeSet::new(), BTreeSet::new());
    for name in schema::NAMES {
        let root = schema::named(name).unwrap();
        told(&root, &root, name, &mut BTreeSet::new(), &mut want);
        let documents = samples.0.get(name).unwrap_or_else(|| panic!("no sample of {name}"));
        documents.iter().for_each(|document| printed(&root, &root, name, document, &mut got));
    }
    let elsewhere = |member: &String| ELSEWHERE.iter().any(|e| member.starts_with(e));
    let dead: Vec<_> = want.difference(&got).filter(|m| !elsewhere(m)).collect();
    assert!(dead.is_empty(), "nothing prints {dead:#?}");
}

/// Below these any JSON may stand.
const FREE: &[&str] = &["value", "branch_value"];
/// The members of these have names of the configuration.
const MAPS: &[&str] = &["cells", "variables", "summary", "instances", "merges"];
/// These may be missing.
const OPTIONAL: &[&str] = &[
    "uncompared",
    "may_go",
    "outputs",
    "term",
    "rounded_from",
    "summary",
    "module",
    "resource",
    "services",
    // Of a record; a line of a history has nothing else.
    "within",
    "accepts",
    "shape",
    "comments",
    "sha256",
    "link",
    "replaced",
    "repeated",
    "rekeyed_addresses",
    "applied",
    "terraform",
    "code",
    "field",
    "file",
    "line",
    "column",
    "source_span",
    "value",
    "infinite",
    "sensitive",
    "sensitive_at",
    "left_out",
    "folded",
    // Of `roots --base` alone.
    "gone",
];

/// A document with one thing wrong with it, and what.
fn broken(document: &Json, pointer: &str, name: &str, out: &mut Vec<(String, String, Json)>) {
    let at = document.pointer(pointer).unwrap();
    let is_value = FREE.contains(&name)
        || pointer.ends_with("/eq/1")
        || pointer.contains("/specializations/") && matches!(name, "before" | "after");
    if is_value {
        return;
    }
    match at {
        Json::Object(members) => {
            if !MAPS.contains(&name) || pointer.ends_with(char::is_numeric) {
                out.push((pointer.to_owned(), "more".into(), json!({})));
            }
            for key in members.keys() {
                let below = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                if !FREE.contains(&key.as_str()) && name != "variables" {
                    let other = if at[key].is_object() || at[key].is_array() {
                        json!(7)
                    } else {
                        json!({ "of": [7] })
                    };
                    out.push((below.clone(), "other".into(), other));
                }
                if !OPTIONAL.contains(&key.as_str()) && !MAPS.contains(&name) {
                    out.push((below.clone(), "less".into(), Json::Null));
                }
                broken(document, &below, key, out);
            }
        }
        // One of many tells enough.
        Json::Array(items) if !items.is_empty() => broken(document, &format!("{pointer}/0"), name, out),
        _ => {}
    }
}

fn with(document: &Json, (pointer, what, new): &(String, String, Json)) -> Json {
    let mut changed = document.clone();
    if what == "less" {
        let (above, key) = pointer.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/").replace("~0", "~");
        changed.pointer_mut(above).unwrap().as_object_mut().unwrap().remove(&key);
        return changed;
    }
    let at = changed.pointer_mut(pointer).unwrap();
    match what.as_str() {
        "more" => drop(at.as_object_mut().unwrap().insert("and more".into(), new.clone())),
        _ => *at = new.clone(),
    }
    changed
}

#[test]
fn a_broken_document_is_refused() {
    let (mut tried, mut accepted) = (0, BTreeSet::new());
    for (name, documents) in &samples().0 {
        for document in documents {
            let mut all = Vec::new();
            broken(document, "", "", &mut all);
            for change in all {
                tried += 1;
                let changed = with(document, &change);
                if refused(name, &changed).is_none() {
                    accepted.insert(format!("{name}: {} {}", change.1, change.0));
                }
            }
        }
    }
    assert!(accepted.is_empty(), "accepted: {accepted:#?}");
    assert!(tried > 500, "{tried}");
}

/// By the schema that OASIS published; where it can't be had it says SKIPPED.
#[test]
fn sarif_is_sarif() {
    let got = Command::new("scripts/sarif-get").output().unwrap();
    if !got.status.success() {
        // What a test prints is not shown unless it fails; this is to be seen.
        std::io::stderr().write_all(&got.stderr).unwrap();
        return;
    }
    let path = String::from_utf8(got.stdout).unwrap();
    let mut schema: Json = serde_json::from_str(&fs::read_to_string(path.trim()).unwrap()).unwrap();
    schema["id"] = "https://tf-phi.invalid/sarif".into();
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.enable_format_assertions();
    compiler.add_resource("https://tf-phi.invalid/sarif", schema).unwrap();
    let known = compiler.compile("https://tf-phi.invalid/sarif", &mut schemas).unwrap();
    let tree = scratch();
    let open = Scratch::new([
        ("main.tf", MAIN),
        ("modules/db/main.tf", MODULE),
        ("phi.hcl", &PHI.replace("\"env\"", "\"n\"")),
    ]);
    let lines = [
        (&tree, "validate"),
        (&tree, "trace"),
        (&tree, "check"),
        (&open, "check"),
        (&open, "plan"),
        (&open, "trace"),
    ];
    let mut results = 0;
    for (tree, command) in lines {
        let done = tree.run(&[command, "--format", "sarif"]);
        for document in documents(&format!("{}{}", done.out, done.err)) {
            let found = document["runs"][0]["results"].as_array().unwrap().clone();
            results += found.len();
            assert!(
                schemas.validate(&document, known).is_ok(),
                "{:#}",
                schemas.validate(&document, known).unwrap_err()
            );
            let mut broken = document;
            broken["runs"][0]["results"] = json!([{ "level": "fatal" }]);
            assert!(schemas.validate(&broken, known).is_err());
        }
    }
    assert!(results > 3, "{results}");
}

#[test]
fn the_command_prints_them() {
    let tree = Scratch::new([]);
    let list = tree.run(&["schema"]);
    assert_eq!((list.code, list.out.lines().count()), (Some(0), schema::NAMES.len()));
    for name in schema::NAMES {
        assert!(list.out.lines().any(|l| l.split(' ').next() == Some(name)), "{}", list.out);
        let done = tree.run(&["schema", name]);
        let printed: Json = serde_json::from_str(&done.out).unwrap();
        assert_eq!((done.code, &printed), (Some(0), &schema::named(name).unwrap()));
        assert_eq!(printed["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    let wrong = tree.run(&["schema", "traces"]);
    assert!(wrong.code == Some(1) && wrong.err.contains("'trace'"), "{}", wrong.err);
}
