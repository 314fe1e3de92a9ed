//! Variable files: the commonest setup is a default and a file for each environment, and nothing in `phi.hcl` says so.

use crate::running::same_from_nothing;
use crate::state::every_pair;
use crate::support::Scratch;
use crate::trees::Tree;

const PIN: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n");

const DEFAULT: (&str, &str) = (
    "main.tf",
    "variable \"pg\" {\n  default = \"15\"\n}\n\nresource \"terraform_data\" \"db\" {\n  input = var.pg\n}\n",
);

const OBJECT: (&str, &str) = (
    "main.tf",
    r#"
variable "cfg" {
  type    = object({ version = string, size = number, tags = optional(map(string), {}) })
  default = { version = "15", size = 1 }
}

variable "keys" {
  type    = map(string)
  default = { pg = "a", other = "b" }
}

module "m" {
  source = "./m"
  cfg    = var.cfg
}

resource "terraform_data" "db" {
  input = var.keys["pg"]
}

resource "terraform_data" "beside" {
  input = [var.cfg.size, var.cfg.tags, var.keys.other]
}
"#,
);

const MODULE: (&str, &str) = (
    "m/main.tf",
    r#"
variable "cfg" {
  type = object({ version = string, size = number, tags = optional(map(string), {}) })
}

resource "terraform_data" "db" {
  input = var.cfg.version
}

resource "terraform_data" "beside" {
  input = var.cfg.size
}
"#,
);

fn carried(tree: &Tree) {
    same_from_nothing(tree);
    every_pair(tree);
}

#[test]
fn a_default_and_a_file() {
    carried(&Tree {
        name: "a default and a file",
        files: &[PIN, DEFAULT, ("prod.tfvars", "pg = \"16\"\n")],
        folder: "",
        assignments: &[&[], &["-var-file=prod.tfvars"]],
    });
}

#[test]
fn a_file_that_is_loaded_automatically() {
    carried(&Tree {
        name: "a file that is loaded automatically",
        files: &[
            PIN,
            DEFAULT,
            ("terraform.tfvars", "pg = \"16\"\n"),
            ("envs/x.tfvars.json", "{ \"pg\": \"17\" }\n"),
        ],
        folder: "",
        assignments: &[&[], &["-var=pg=15"], &["-var-file=envs/x.tfvars.json"]],
    });
}

/// Whatever isn't driven may have any value: a size, a tag, another key.
#[test]
fn attributes_that_are_not_driven_are_free() {
    carried(&Tree {
        name: "attributes",
        files: &[
            PIN,
            OBJECT,
            MODULE,
            ("prod.tfvars", "cfg  = { version = \"16\", size = 8 }\nkeys = { pg = \"c\", other = \"d\" }\n"),
        ],
        folder: "",
        assignments: &[
            &[],
            &["-var-file=prod.tfvars"],
            &["-var=cfg={ version = \"15\", size = 77, tags = { a = \"b\" } }"],
            &[
                "-var=keys={ pg = \"c\", other = \"e\", third = \"f\" }",
                "-var=cfg={ version = \"16\", size = 0 }",
            ],
        ],
    });
}

/// What is excluded from version control differs from machine to machine: a run with such a value stops before it writes, and
/// goes on once it does what the finding says.
#[test]
fn a_file_that_is_ignored() {
    let files = [PIN, DEFAULT, (".gitignore", "*.tfvars\n"), ("prod.tfvars", "pg = \"16\"\n")];
    let scratch = Scratch::with(&files);
    scratch.init();
    let before = scratch.everything();
    let run = ["plan", "-input=false", "-no-color", "-var-file=prod.tfvars"];
    let ran = scratch.tf_phi(&run).expect(1);
    assert!(
        ran.stderr.contains("var.pg: \"16\" isn't among the values that are specialised"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("prod.tfvars:1"), "{}", ran.stderr);
    assert_eq!(scratch.everything(), before);
    let paste = ran.stderr.split("variable \"pg\" {").nth(1).unwrap().split('}').next().unwrap();
    scratch.write("phi.hcl", &format!("{}variable \"pg\" {{{paste}}}\n", PIN.1));
    scratch.tf_phi(&run).expect(0);
    scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(0);
}

/// A file that comes with a new value between two runs brings a new copy; what stands stays.
#[test]
fn a_file_that_comes() {
    let [original, specialised] = [(), ()].map(|()| {
        let scratch = Scratch::with(&[PIN, DEFAULT, ("prod.tfvars", "pg = \"16\"\n")]);
        scratch.init();
        scratch
    });
    original.apply(&["-var-file=prod.tfvars"]);
    specialised
        .tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color", "-var-file=prod.tfvars"])
        .expect(0);
    for scratch in [&original, &specialised] {
        scratch.write("qa.tfvars", "pg = \"17\"\n");
    }
    for file in ["qa.tfvars", "prod.tfvars"] {
        let arg = format!("-var-file={file}");
        let (plan, _) = specialised.phi_plan(&[&arg]);
        crate::compare::same(&original.plan(&[&arg]), &plan, &specialised, file);
    }
}
