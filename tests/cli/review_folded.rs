//! `tf-phi review` and `tf-phi matrix` show what a person decides on; what is folded is counted, and stands in the JSON.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::Scratch;
use crate::cli_common::git::repository_of;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// Lines of a screen.
const SCREEN: usize = 24;

/// A review of an edit: the text, and the values of the JSON's only environment, each with why it has no row.
struct Reviewed {
    text: String,
    whole: String,
    markdown: String,
    html: String,
    folds: BTreeMap<String, Option<String>>,
}

impl Reviewed {
    fn of(files: &[(&str, &str)], edits: &[(&str, &str, &str)]) -> Reviewed {
        let scratch = Scratch::new(files.iter().copied());
        repository_of(&scratch.tree());
        for (file, from, to) in edits {
            let path = scratch.tree().join(file);
            let text = fs::read_to_string(&path).unwrap();
            assert!(text.contains(from), "{file}: {from}");
            fs::write(path, text.replace(from, to)).unwrap();
        }
        let run = |more: &[&str]| {
            let done = scratch.run(&[&["review", "--base", "HEAD", "--fail-on", "change"], more].concat());
            assert_eq!(done.code, Some(3), "folding changes no status: {}{}", done.out, done.err);
            done.out
        };
        let found: Value = serde_json::from_str(&run(&["--format", "json"])).unwrap();
        let values = found["environments"][0]["values"].as_array().unwrap();
        let fold = |v: &Value| {
            (v["field"].as_str().unwrap().to_owned(), v.get("folded").map(|f| f.as_str().unwrap().to_owned()))
        };
        Reviewed {
            folds: values.iter().map(fold).collect(),
            text: run(&[]),
            whole: run(&["--all"]),
            markdown: run(&["--format", "markdown"]),
            html: run(&["--format", "html"]),
        }
    }

    fn count(&self, fold: Option<&str>) -> usize {
        self.folds.values().filter(|own| own.as_deref() == fold).count()
    }

    /// `--all` has every field of the JSON, and what has a row of its own is named in each form.
    fn is_complete(&self) {
        for (field, fold) in &self.folds {
            assert!(self.whole.contains(&**field), "{field}\n{}", self.whole);
            if fold.is_none() && !self.folds.values().any(|f| f.as_deref() == Some("handed-on")) {
                assert!(self.text.contains(&**field), "{field}\n{}", self.text);
                assert!(self.markdown.contains(&**field), "{field}\n{}", self.markdown);
            }
        }
        assert!(self.text.lines().count() <= SCREEN, "{}", self.text);
    }

    fn says(&self, what: &str) {
        assert!(self.text.contains(what), "{what}\n{}", self.text);
    }
}

const LAYERS: [(&str, &str); 3] = [
    (
        "main.tf",
        "variable \"size\" {\n  type = string\n}\nlocals {\n  size = var.size\n}\nmodule \"outer\" {\n  source = \"./outer\"\n  size   = local.size\n}\noutput \"o\" {\n  value = module.outer.size\n}\n",
    ),
    (
        "outer/main.tf",
        "variable \"size\" {}\nlocals {\n  s = var.size\n}\nmodule \"inner\" {\n  source = \"../inner\"\n  size   = local.s\n}\noutput \"size\" {\n  value = module.inner.size\n}\n",
    ),
    (
        "inner/main.tf",
        "variable \"size\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.size\n}\noutput \"size\" {\n  value = var.size\n}\n",
    ),
];

#[test]
fn hops_are_folded_below_the_line_of_the_variable_file() {
    let files = [&LAYERS[..], &[("terraform.tfvars", "size = \"small\"\n")]].concat();
    let found = Reviewed::of(&files, &[("terraform.tfvars", "small", "large")]);
    found.says("from var.size (terraform.tfvars:1)");
    found.says("module.outer.module.inner.terraform_data.a.input");
    // Two arguments of calls and two outputs of modules.
    assert_eq!(found.count(Some("handed-on")), 4, "{:?}", found.folds);
    found.says("4 more fields only hand on values above: --all shows them.");
    assert!(found.markdown.contains("4 more fields") && found.html.contains("4 more fields"));
    assert!(!found.text.contains("module.outer.size"), "{}", found.text);
    found.is_complete();
}

#[test]
fn a_local_is_the_cause_of_the_parts_that_it_changes() {
    let main = "locals {\n  tags = { owner = \"a\", kind = \"x\" }\n}\nresource \"terraform_data\" \"a\" {\n  input = merge(local.tags, { name = \"a\" })\n}\nresource \"terraform_data\" \"b\" {\n  input = merge(local.tags, { name = \"b\" })\n}\nresource \"terraform_data\" \"c\" {\n  input = local.tags\n}\n";
    let found = Reviewed::of(&[("main.tf", main)], &[("main.tf", "owner = \"a\"", "owner = \"b\"")]);
    found.says("from local.tags (main.tf:2)");
    found.says("terraform_data.a.input.owner");
    found.says("also terraform_data.b.input.owner, terraform_data.c.input.owner");
    assert_eq!((found.count(None), found.count(Some("alike"))), (1, 2), "{:?}", found.folds);
    assert!(!found.text.contains("kind"), "{}", found.text);
}

#[test]
fn an_output_that_a_resource_reads_is_a_hop() {
    let files = [
        (
            "main.tf",
            "module \"m\" {\n  source = \"./m\"\n}\nresource \"terraform_data\" \"a\" {\n  input = module.m.out\n}\n",
        ),
        ("m/main.tf", "output \"out\" {\n  value = \"x\"\n}\n"),
    ];
    let found = Reviewed::of(&files, &[("m/main.tf", "\"x\"", "\"y\"")]);
    found.says("from module.m.output.out (m/main.tf:2)");
    found.says("terraform_data.a.input");
    assert_eq!(found.count(Some("handed-on")), 1, "{:?}", found.folds);
}

#[test]
fn a_new_resource_is_one_line_with_its_arguments() {
    let new = "resource \"terraform_data\" \"new\" {\n  input            = \"x\"\n  triggers_replace = [\"y\"]\n}\n";
    let main = "resource \"terraform_data\" \"a\" {\n  input = \"a\"\n}\n# here\n";
    let found = Reviewed::of(&[("main.tf", main)], &[("main.tf", "# here\n", new)]);
    found.says("+ terraform_data.new (2 arguments)");
    assert_eq!(found.count(Some("within")), 2, "{:?}", found.folds);
    assert!(found.markdown.contains("2 arguments") && found.html.contains("2 arguments"));
    assert_eq!(found.text.lines().count(), 3, "{}", found.text);
}

#[test]
fn a_module_that_goes_is_one_line_with_counts() {
    let call = "module \"outer\" {\n  source = \"./outer\"\n  size   = \"x\"\n}\n";
    let keep = "resource \"terraform_data\" \"keep\" {\n  input = \"k\"\n}\n";
    let main = format!("{call}{keep}");
    let files = [("main.tf", &*main), LAYERS[1], LAYERS[2]];
    let found = Reviewed::of(&files, &[("main.tf", call, "")]);
    let within = found.count(Some("within"));
    assert_eq!(within, found.folds.len());
    found.says(&format!("- module.outer (1 instance, {within} fields)"));
}

#[test]
fn keys_of_one_declaration_run_together() {
    let main = "resource \"terraform_data\" \"a\" {\n  for_each = toset([\"x\"])\n  input    = each.key\n}\n";
    let found = Reviewed::of(&[("main.tf", main)], &[("main.tf", "[\"x\"]", "[\"x\", \"y\", \"z\"]")]);
    found.says("+ terraform_data.a[\"y\"], [\"z\"]");
    assert_eq!(found.count(Some("instances")), found.folds.len(), "{:?}", found.folds);
    assert!(
        found.count(None) == 0 && found.text.contains("only say which instances there are"),
        "{}",
        found.text
    );
}

#[test]
fn a_value_of_a_key_that_stays_is_not_told_by_instances() {
    let main = "resource \"terraform_data\" \"a\" {\n  for_each = { x = \"1\" }\n}\n";
    let found = Reviewed::of(&[("main.tf", main)], &[("main.tf", "x = \"1\"", "x = \"2\", y = \"3\"")]);
    found.says("terraform_data.a.for_each.x");
    assert_eq!(found.count(None), 1, "{:?}", found.folds);
}

#[test]
fn roots_that_say_the_same_stand_together() {
    let root = "resource \"terraform_data\" \"a\" {\n  input = \"small\"\n}\n";
    let scratch = Scratch::new([("one/main.tf", root), ("two/main.tf", root), ("three/main.tf", root)]);
    repository_of(&scratch.tree());
    for dir in ["one", "two"] {
        fs::write(scratch.tree().join(dir).join("main.tf"), root.replace("small", "large")).unwrap();
    }
    let done = scratch.run(&["review", "--recursive", "--base", "HEAD"]);
    assert!(done.out.contains("one, two (these read alike; lines are those of one)"), "{}", done.out);
    assert!(done.out.contains("Nothing differs in 1 of 3 directories."), "{}", done.out);
    let all = scratch.run(&["review", "--recursive", "--base", "HEAD", "--all"]);
    assert!(all.out.contains("\ntwo\n"), "{}", all.out);
}

#[test]
fn matrix_folds_presence_and_hops() {
    let main = "variable \"on\" {\n  type = bool\n}\nvariable \"size\" {}\nresource \"terraform_data\" \"a\" {\n  count = var.on ? 1 : 0\n  input = \"x\"\n}\nmodule \"m\" {\n  source = \"./inner\"\n  size   = var.size\n}\n";
    let scratch = Scratch::new([
        ("main.tf", main),
        LAYERS[2],
        ("env/dev.tfvars", "on = false\nsize = \"s\"\n"),
        ("env/prod.tfvars", "on = true\nsize = \"l\"\n"),
    ]);
    let json: Value = serde_json::from_str(&scratch.run(&["matrix", "--json"]).out).unwrap();
    let rows = json["rows"].as_array().unwrap();
    let folded = |why: &str| rows.iter().filter(|row| row["folded"] == why).count();
    assert_eq!((rows.len(), folded("instances"), folded("handed-on")), (5, 2, 2), "{json:#}");
    let text = scratch.run(&["matrix"]).out;
    let note = "2 more fields only hand on values above, 2 more fields only say which instances there are: --all shows them.";
    assert!(text.contains(note), "{text}");
    assert!(
        text.contains("module.m.terraform_data.a.input") && !text.contains("terraform_data.a.count"),
        "{text}"
    );
    let all = scratch.run(&["matrix", "--all"]).out;
    assert!(rows.iter().all(|row| all.contains(row["field"].as_str().unwrap())), "{all}");
}
