//! Terraform's list of installed modules, where the original and the specialised tree call something else by one name: neither
//! has to be installed again.

use std::fs;
use std::path::Path;

use crate::support::Scratch;

const ENV: &str = "-var=env=prod";
const PIN: &str = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";

fn main(source: &str) -> String {
    format!(
        "variable \"env\" {{ type = string }}\nmodule \"db\" {{\n  source = \"{source}\"\n  release = \"${{\"15\"}}.4\"\n}}\noutput \"db\" {{ value = module.db.release }}\n"
    )
}

fn module(prefix: &str) -> String {
    format!(
        "variable \"release\" {{ type = string }}\nresource \"terraform_data\" \"db\" {{ input = var.release }}\nmodule \"below\" {{\n  source  = \"./below/../below\"\n  release = var.release\n}}\noutput \"release\" {{ value = \"{prefix}${{terraform_data.db.input}}\" }}\n"
    )
}

const BELOW: &str =
    "variable \"release\" { type = string }\nresource \"terraform_data\" \"db\" { input = var.release }\n";

/// A repository with the module at two tags.
fn remote() -> Scratch {
    let remote = Scratch::with(&[("below/main.tf", BELOW)]);
    let git = |args: &[&str]| {
        let own = ["-c", "user.name=t", "-c", "user.email=t@t"];
        assert!(remote.command(Path::new("git")).args(own).args(args).status().unwrap().success());
    };
    git(&["init", "-q"]);
    for (tag, prefix) in [("v1", ""), ("v2", "second ")] {
        remote.write("main.tf", &module(prefix));
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", tag]);
        git(&["tag", tag]);
    }
    remote
}

/// Bare plans of the original and runs of tf-phi, in turn, so many times.
fn in_turn(scratch: &Scratch, rounds: usize) {
    let before = scratch.sources();
    let bare = || scratch.terraform(&["plan", "-input=false", ENV]).expect(0);
    bare();
    for _ in 0..rounds {
        scratch.phi(&[ENV]);
        scratch.terraform(&["validate"]).expect(0);
        scratch.terraform(&["plan", "-input=false", ENV]).expect(0);
        scratch.terraform(&["get"]).expect(0);
        scratch.phi(&[ENV]);
        scratch.tf_phi(&["verify", ENV]).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
        assert_eq!(scratch.sources(), before);
        bare();
        scratch.phi(&["--ephemeral", ENV]);
        bare();
    }
}

#[test]
fn a_local_module_with_one_value() {
    let scratch = Scratch::with(&[
        ("main.tf", &main("./db")),
        ("db/main.tf", &module("")),
        ("db/below/main.tf", BELOW),
        ("phi.hcl", PIN),
    ]);
    scratch.init();
    in_turn(&scratch, 2);
}

#[test]
fn a_remote_module_with_one_value() {
    remote_with_one_value(".terraform", |_| {});
}

/// Terraform's data folder lies outside of the tree.
#[test]
fn a_remote_module_in_a_data_folder_elsewhere() {
    remote_with_one_value("../data", |scratch| scratch.env("TF_DATA_DIR", "../data"));
    remote_with_one_value("../data", |scratch| {
        let data = scratch.aside("data");
        scratch.env("TF_DATA_DIR", data.to_str().unwrap());
    });
}

fn remote_with_one_value(data: &str, environment: impl FnOnce(&mut Scratch)) {
    let remote = remote();
    let source = format!("git::file://{}", remote.dir().display());
    let first = main(&format!("{source}?ref=v1"));
    let mut scratch = Scratch::with(&[("main.tf", &first), ("phi.hcl", PIN)]);
    environment(&mut scratch);
    scratch.init();
    in_turn(&scratch, 2);
    // A checkout of the specialised tree, in which nothing is installed but what that calls.
    scratch.phi(&[ENV]);
    fs::remove_dir_all(scratch.dir().join(data)).unwrap();
    scratch.init();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", ENV]).expect(1);
    assert!(ran.stderr.contains("tf-phi init"), "{}", ran.stderr);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.init();
    in_turn(&scratch, 1);
    // What is installed is not what is asked for any more.
    scratch.write("main.tf", &main(&format!("{source}?ref=v2")));
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", ENV]).expect(1);
    assert!(ran.stderr.contains("Module source has changed"), "{}", ran.stderr);
    scratch.init();
    let (plan, _) = scratch.phi_plan(&[ENV]);
    assert_eq!(plan.output_changes["db"].after, "second 15.4");
    scratch.tf_phi(&["restore"]).expect(0);
    in_turn(&scratch, 1);
    assert_eq!(scratch.dir().join(".terraform").is_dir(), data == ".terraform");
    let left = |path: &Path| fs::read_dir(path).unwrap().any(|e| e.unwrap().file_name() == ".phi");
    assert!(!left(&scratch.dir().join(data)) && !left(&scratch.dir().join(data).join("modules")));
}
