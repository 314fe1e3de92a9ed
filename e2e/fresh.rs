//! A fresh checkout: nothing is installed, and Terraform rejects a line of the original, so that `terraform init` fails.

use std::fs;

use crate::registry::Registry;
use crate::support::{INIT, Scratch};

const PROTECTED: &str = r#"
variable "protect" {
  type    = bool
  default = true
}
module "store" {
  source  = "./store"
  protect = var.protect
}
"#;

const STORE: &str = r#"
variable "protect" { type = bool }
resource "terraform_data" "x" {
  input = "kept"
  lifecycle {
    prevent_destroy = var.protect
  }
}
"#;

fn protected() -> Scratch {
    Scratch::with(&[("main.tf", PROTECTED), ("store/main.tf", STORE)])
}

/// Terraform fails on the line, and after tf-phi everything is there that a plan needs.
fn becomes_usable(scratch: &Scratch, first: &[&str], vars: &[&str]) {
    assert_ne!(scratch.terraform(INIT).code, 0, "Terraform takes the original");
    fs::remove_dir_all(scratch.dir().join(".terraform")).unwrap_or_default();
    let before = scratch.sources();
    scratch.tf_phi(first).expect(0);
    scratch.phi(vars);
    scratch.terraform(&["validate"]).expect(0);
    scratch.terraform(&[&["plan", "-input=false"], vars].concat()).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
    // Once more, with what is installed by now.
    scratch.tf_phi(INIT).expect(0);
    scratch.phi(vars);
}

#[test]
fn a_line_that_terraform_rejects() {
    becomes_usable(&protected(), INIT, &[]);
    becomes_usable(&protected(), &["plan", "-input=false"], &[]);
}

/// Nothing but the original stays; what is installed serves the next run.
#[test]
fn without_a_trace_in_the_sources() {
    for keep in [true, false] {
        let scratch = protected();
        if !keep {
            scratch.write("phi.hcl", "settings {\n  keep = false\n}\n");
        }
        let before = scratch.sources();
        let ephemeral: &[&str] = if keep { &["--ephemeral"] } else { &[] };
        scratch.tf_phi(&[INIT, ephemeral].concat()).expect(0);
        assert_eq!(scratch.sources(), before);
        assert!(scratch.dir().join(".terraform").is_dir());
        scratch.tf_phi(&[&["plan", "-input=false"], ephemeral].concat()).expect(0);
        assert_eq!(scratch.sources(), before);
    }
}

/// A local source by expression, beside a remote module that has to be installed before anything in it can be traced.
#[test]
fn a_source_by_expression_beside_a_remote_module() {
    let remote = Scratch::with(&[(
        "main.tf",
        "variable \"v\" {}\nresource \"terraform_data\" \"x\" { input = var.v }\n",
    )]);
    remote.commit();
    let main = format!(
        "variable \"kind\" {{\n  type    = string\n  default = \"a\"\n  validation {{\n    condition     = contains([\"a\", \"b\"], \
         var.kind)\n    error_message = \"No.\"\n  }}\n}}\nmodule \"chosen\" {{\n  source = \"./${{var.kind}}\"\n}}\nmodule \"far\" \
         {{\n  source = \"git::file://{}\"\n  v      = var.kind == \"a\" ? \"1\" : \"2\"\n}}\n",
        remote.dir().display()
    );
    let files = [
        ("main.tf", main.as_str()),
        ("a/main.tf", "resource \"terraform_data\" \"a\" {}\n"),
        ("b/main.tf", "resource \"terraform_data\" \"b\" {}\n"),
        ("phi.hcl", "specialize \"module.far.terraform_data.x\" {\n  fields = [\"input\"]\n}\n"),
    ];
    for first in [INIT, &["plan", "-input=false"]] {
        let scratch = Scratch::with(&files);
        becomes_usable(&scratch, first, &["-var=kind=b"]);
        assert!(scratch.read("main.tf").contains("module \"far_"), "the pin in the remote module counts");
    }
}

/// Modules of a registry, in as many versions as there are specializations.
#[test]
fn a_version_by_expression() {
    let main = |version: &str| {
        format!(
            "variable \"env\" {{\n  type    = string\n  default = \"dev\"\n}}\nmodule \"db\" {{\n  source  = \
             \"modules.test/team/db/any\"\n  version = {version}\n}}\n"
        )
    };
    let chosen = main("var.env == \"prod\" ? \"1.0.0\" : \"2.0.0\"");
    let only = main("join(\".\", [\"1\", \"0\", \"0\"])");
    for text in [&chosen, &only] {
        for first in [INIT, &["plan", "-input=false"]] {
            let mut scratch = Scratch::with(&[("main.tf", text)]);
            let registry = Registry::serving(&scratch, &["1.0.0", "2.0.0"]);
            fs::write(scratch.cli_config(), registry.cli_config("modules.test")).unwrap();
            // What is served from a folder is installed as a link to it.
            scratch.env("TF_PHI_TRUSTED_DIRS", &scratch.aside("registry").display().to_string());
            becomes_usable(&scratch, first, &["-var=env=prod"]);
            let listed = scratch.read(".terraform/modules/modules.json");
            assert!(listed.contains("\"Version\":\"1.0.0\""), "{listed}");
            assert_eq!(listed.contains("\"Version\":\"2.0.0\""), text == &chosen, "{listed}");
        }
    }
}

/// What the user says reaches Terraform, and is judged before anything is written.
#[test]
fn arguments_are_terraforms_own() {
    let scratch = protected();
    scratch.write("backend.tf", "terraform {\n  backend \"local\" {}\n}\n");
    let before = scratch.sources();
    let ran = scratch.tf_phi(&["init", "-upgarde"]).expect(1);
    assert!(ran.stderr.contains("-upgrade"), "{}", ran.stderr);
    assert_eq!(scratch.sources(), before);
    scratch.tf_phi(&[INIT, &["-backend-config=path=named.tfstate", "-upgrade"]].concat()).expect(0);
    scratch.tf_phi(&["apply", "-input=false", "-auto-approve"]).expect(0);
    assert!(scratch.dir().join("named.tfstate").is_file());
    scratch.tf_phi(&[INIT, &["-reconfigure", "-backend-config=path=other.tfstate"]].concat()).expect(0);
    // Terraform's own exit status.
    assert_ne!(scratch.tf_phi(&[INIT, &["-backend-config=nothing=1"]].concat()).code, 0);
}

/// Where Terraform rejects nothing and nothing is pinned, it is `terraform init`.
#[test]
fn a_tree_without_a_driven_field() {
    let files = [
        ("main.tf", "module \"m\" {\n  source = \"./m\"\n}\n"),
        ("m/main.tf", "output \"o\" {\n  value = 1\n}\n"),
    ];
    let (ours, theirs) = (Scratch::with(&files), Scratch::with(&files));
    let (ran, own) = (ours.tf_phi(INIT).expect(0), theirs.terraform(INIT).expect(0));
    assert_eq!(ran.stdout, own.stdout);
    assert_eq!(ours.sources(), theirs.sources());
    assert!(!ours.dir().join(".phi").exists());
    let broken = Scratch::with(&[("main.tf", "module \"m\" {\n  source = \"./gone\"\n}\n")]);
    assert_eq!(broken.tf_phi(INIT).code, broken.terraform(INIT).code);
}

/// The diff is shown, and nothing is written or started.
#[test]
fn a_dry_run() {
    let scratch = protected();
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["init", "--dry-run"]).expect(0);
    assert!(ran.stdout.contains("prevent_destroy"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(scratch.everything(), before);
}
