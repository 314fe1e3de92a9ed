//! Residuals of modules that lie deep, read files, or are partly written in JSON; what a split resource triggers; guards.

use crate::running::same_from_nothing;
use crate::state::every_pair;
use crate::support::Scratch;
use crate::trees::Tree;
use crate::verify::every_way;

const ENVS: &[&[&str]] = &[&["-var=env=prod"], &["-var=env=dev"]];

/// Three levels of modules that read files by `path.module`, with JSON beside and references in it.
const FILES: Tree =
    Tree { name: "files", folder: "tests/golden/units/json-and-files/in", files: &[], assignments: ENVS };

#[test]
fn files_and_json_in_modules() {
    same_from_nothing(&FILES);
    every_pair(&FILES);
    let scratch = FILES.scratch();
    let before = scratch.sources();
    scratch.phi(ENVS[0]);
    scratch.terraform(&["validate", "-no-color"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
}

/// Every replacement of the original is one of the specialised tree, and there is no other.
#[test]
fn what_a_split_resource_triggers() {
    let folder = "tests/golden/units/triggers/in";
    every_way(&Tree { name: "triggers", folder, files: &[], assignments: ENVS });
}

/// A trigger of which two split resources are part can't be split along with both.
#[test]
fn triggers_of_two_choices_are_refused() {
    let main = "variable \"env\" { type = string }\nvariable \"big\" { type = bool }\n\
        resource \"terraform_data\" \"a\" { input = var.env == \"prod\" ? 1 : 2 }\n\
        resource \"terraform_data\" \"b\" { input = var.big ? 1 : 2 }\n\
        resource \"terraform_data\" \"c\" {\n  lifecycle {\n    replace_triggered_by = [terraform_data.a, terraform_data.b]\n  }\n}\n";
    let scratch = Scratch::with(&[
        ("main.tf", main),
        ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    let before = scratch.sources();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-var=env=prod", "-var=big=true"]).expect(1);
    assert!(ran.stderr.contains("a trigger on terraform_data.b can't be rewritten"), "{}", ran.stderr);
    assert_eq!(scratch.sources(), before);
}

/// Of several demands on a variable each is said once, and every value outside is kept out.
#[test]
fn guards_are_said_once() {
    let scratch = Scratch::copy_of("tests/golden/rule/universe-validated/in");
    scratch.init();
    let given = |same: &str, wider: &str, narrower: &str, pinned: &str, pinned2: &str| {
        [("same", same), ("wider", wider), ("narrower", narrower), ("pinned", pinned), ("pinned2", pinned2)]
            .map(|(name, value)| format!("-var={name}={value}"))
    };
    let fine = given("a", "b", "a", "a", "a");
    let plan = |args: &[String]| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        scratch.tf_phi(&[&["plan", "-input=false", "-no-color"][..], &args].concat())
    };
    plan(&fine).expect(0);
    let text = scratch.read("main.tf");
    for (name, count) in [("same", 1), ("wider", 2), ("narrower", 1), ("pinned", 1), ("pinned2", 2)] {
        let from = text.find(&format!("variable \"{name}\"")).unwrap();
        let block = &text[from..from + text[from..].find("\n}\n").unwrap()];
        assert_eq!(block.matches("validation {").count(), count, "{block}");
    }
    for (args, message) in [
        (given("c", "b", "a", "a", "a"), "a or b."),
        (given("a", "c", "a", "a", "a"), "wider must be one of \"a\", \"b\": only these are specialised."),
        (given("a", "b", "b", "a", "a"), "a."),
        (given("a", "b", "a", "b", "a"), "a."),
        (given("a", "b", "a", "a", "b"), "pinned2 must be \"a\": only the default is specialised."),
    ] {
        plan(&args).expect(1);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = scratch.terraform(&[&["plan", "-input=false", "-no-color"][..], &args].concat()).expect(1);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(message), "{args:?}: {said}");
    }
}

/// A plan's own addresses lead back, keys and nested copies included, and as whatever version the record names.
#[test]
fn explained_from_a_plan() {
    let scratch = Scratch::with(&[
        (
            "main.tf",
            "variable \"env\" { type = string }\nmodule \"app\" {\n  source   = \"./app\"\n  for_each = toset([\"x.y\", \"b\"])\n  \
             release  = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n",
        ),
        (
            "app/main.tf",
            "variable \"release\" { type = string }\nvariable \"big\" {\n  type    = bool\n  default = true\n}\n\
             module \"db\" {\n  source  = \"../db\"\n  release = var.release\n}\n\
             resource \"terraform_data\" \"vm\" {\n  count = 2\n  input = count.index == 0 ? \"first\" : \"rest\"\n}\n",
        ),
        (
            "db/main.tf",
            "variable \"release\" { type = string }\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\n",
        ),
        ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
    ]);
    scratch.init();
    let (plan, _) = scratch.phi_plan(ENVS[0]);
    let record = scratch.read(".phi/provenance.json");
    let mut explained = 0;
    for change in plan.resource_changes.iter().filter(|c| c.name == "db") {
        let ran = scratch.tf_phi(&["explain", &change.address, ENVS[0][0]]).expect(0);
        for part in
            ["stands for module.app where var.env == \"prod\"", "active with this run's values", "main.tf:5"]
        {
            assert!(ran.stdout.contains(part), "{}: {part}: {}", change.address, ran.stdout);
        }
        let original = change.address.replace("app_v15_4", "app");
        assert!(ran.stdout.contains(&format!("was {original} before")), "{}", ran.stdout);
        explained += 1;
    }
    assert_eq!(explained, 2);
    let version = format!("tf-phi {}", env!("CARGO_PKG_VERSION"));
    for path in ["main.tf", ".phi/provenance.json"] {
        scratch.write(path, &scratch.read(path).replace(&version, "tf-phi 0.0.1"));
    }
    scratch.phi(ENVS[0]);
    let decided =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["specializations"].clone();
    let now = decided(&scratch.read(".phi/provenance.json"));
    assert_eq!(now, decided(&record.replace(&version, "tf-phi 0.0.1")));
}
