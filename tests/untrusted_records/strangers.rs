//! Files that wait where tf-phi is going to write: no run takes them in.

use super::cli_common::Scratch;
use super::cli_common::git::{git, repository_of};
use serde_json::json;

const EVIL: &str = "resource \"terraform_data\" \"evil\" {\n  input = \"evil\"\n}\n";
const MODULE: &str = "variable \"rt\" {}\nresource \"terraform_data\" \"x\" {\n  input = \"good\"\n  lifecycle {\n    prevent_destroy = var.rt == \"a\"\n  }\n}\n";
const CALL: &str = "variable \"v\" {\n  validation {\n    condition     = contains([\"a\", \"b\"], var.v)\n    error_message = \"no\"\n  }\n}\nmodule \"fn\" {\n  source = \"./modules/fn\"\n  rt     = var.v\n}\n";

fn put(scratch: &Scratch, path: &str, text: &str) {
    let path = scratch.tree().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A file in the folder of a copy, under each name that some program reads, with and without copies that stay.
#[test]
fn a_file_waits_for_its_copy() {
    for settings in ["", "settings {\n  keep = false\n}\n"] {
        for name in ["evil.tf", "evil.tf.json", "evil.tofu", "main.tofu.json", "x_override.tf"] {
            let scratch =
                Scratch::new([("main.tf", CALL), ("modules/fn/main.tf", MODULE), ("phi.hcl", settings)]);
            let waiting = format!("modules/fn-split/{name}");
            put(&scratch, &waiting, EVIL);
            for args in [
                &["check"][..],
                &["check", "--fix"],
                &["diff", "--var=v=a"],
                &["plan", "--dry-run", "--var=v=a"],
            ] {
                let done = scratch.run(args);
                let said = format!("{}{}", done.out, done.err);
                assert!(
                    done.code == Some(1) && said.contains(&waiting),
                    "{settings} {args:?} {:?}\n{said}",
                    done.code
                );
            }
            assert_eq!(std::fs::read_to_string(scratch.tree().join(&waiting)).unwrap(), EVIL);
            assert!(!scratch.tree().join("modules/fn-split/main.tf").exists());
        }
    }
}

/// The folders of runs without copies have names that can be told as well.
#[test]
fn a_file_waits_for_a_run_without_copies() {
    let calls = "module \"a\" {\n  source = \"./modules/fn\"\n  rt     = \"a\"\n}\nmodule \"b\" {\n  source = \"./modules/fn\"\n  rt     = \"b\"\n}\n";
    let scratch = Scratch::new([
        ("main.tf", calls),
        ("modules/fn/main.tf", MODULE),
        ("phi.hcl", "settings {\n  copies = false\n}\n"),
    ]);
    let shown = scratch.run(&["diff"]).out;
    let made = shown.lines().find_map(|line| line.strip_prefix("+++ b/.phi/modules/fn-")).unwrap();
    let waiting = format!(".phi/modules/fn-{}/evil.tf", made.split('/').next().unwrap());
    put(&scratch, &waiting, EVIL);
    let done = scratch.run(&["diff"]);
    assert!(done.code == Some(1) && done.err.contains(&waiting), "{:?}\n{}{}", done.code, done.out, done.err);
}

/// Each folder on the way would be looked at.
#[test]
fn a_path_that_no_system_has() {
    let scratch = Scratch::new([("main.tf", EVIL)]);
    let path = format!("{}x.tf", "a/".repeat(40_000));
    let files = json!([{ "path": path, "created": true, "sha256": "00" }]);
    let record =
        json!({ "format_version": "1.0", "naming": 2, "specializations": [], "units": [], "files": files });
    put(&scratch, ".phi/provenance.json", &record.to_string());
    for args in [&["check"][..], &["validate"], &["matrix"]] {
        let done = scratch.run(args);
        assert!(done.code == Some(1) && done.err.contains(".phi/provenance.json"), "{args:?} {}", done.err);
        assert!(done.out.len() + done.err.len() < 20_000, "{}", done.err.len());
    }
}

/// Terraform would read it beside what is written for the deployment.
#[test]
fn a_file_waits_for_its_deployment() {
    let components = "variable \"v\" {\n  type = string\n}\ncomponent \"network\" {\n  source = \"./network\"\n  inputs = {\n    v = var.v\n  }\n}\n";
    let deployments = "deployment \"dev\" {\n  inputs = {\n    v = \"dev\"\n  }\n}\n";
    let network =
        "variable \"v\" {\n  type = string\n}\nresource \"terraform_data\" \"x\" {\n  input = var.v\n}\n";
    for name in ["evil.tf", "evil.tofu", "x_override.tf.json", "evil.auto.tfvars", "phi_removed.tf"] {
        let scratch = Scratch::new([
            ("components.tfcomponent.hcl", components),
            ("deployments.tfdeploy.hcl", deployments),
            ("network/main.tf", network),
        ]);
        let waiting = format!(".phi/stacks/dev/{name}");
        put(&scratch, &waiting, EVIL);
        for args in [&["check"][..], &["check", "--fix"], &["diff"]] {
            let done = scratch.run(args);
            let said = format!("{}{}", done.out, done.err);
            assert!(done.code == Some(1) && said.contains(&waiting), "{args:?} {:?}\n{said}", done.code);
        }
        assert_eq!(std::fs::read_to_string(scratch.tree().join(&waiting)).unwrap(), EVIL);
    }
}

/// Under `terraform = "tofu"` another file counts, and this one may hold anything.
#[test]
fn a_change_of_the_program_is_told() {
    let scratch = Scratch::new([("main.tf", EVIL)]);
    repository_of(&scratch.tree());
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    put(&scratch, "phi.hcl", "settings {\n  terraform = \"tofu\"\n}\n");
    put(&scratch, "main.tofu", EVIL);
    put(&scratch, "main.tf", &EVIL.replace("\"evil\"\n", "\"worse\"\n"));
    let done = scratch.run(&["review", &base, "--fail-on", "finding"]);
    assert!(
        done.code == Some(3) && done.out.contains("OpenTofu"),
        "{:?}\n{}{}",
        done.code,
        done.out,
        done.err
    );
}

/// A merge is nobody's attack: what both sides wrote is written anew. Where a line of somebody else's stands among it, nobody does that
/// for them, and the way out keeps one side.
#[test]
fn moves_in_conflict() {
    let phi = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";
    let main = "variable \"env\" {\n  validation {\n    condition     = contains([\"dev\", \"prod\"], var.env)\n    error_message = \"no\"\n  }\n}\nresource \"terraform_data\" \"a\" {\n  input = var.env == \"prod\" ? \"15\" : \"14\"\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    let path = scratch.tree().join("phi.moved.tf");
    let own = std::fs::read_to_string(&path).unwrap();
    let merged = format!("<<<<<<< ours\n{own}=======\n{own}>>>>>>> theirs\n");
    put(&scratch, "phi.moved.tf", &merged);
    let done = scratch.run(&["check"]);
    assert!(done.code == Some(3) && done.out.contains("phi.moved.tf"), "{}", done.err);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), own);
    put(&scratch, "phi.moved.tf", &format!("{merged}{EVIL}"));
    let done = scratch.run(&["check", "--fix"]);
    assert!(done.code == Some(1) && done.err.contains("git checkout --ours phi.moved.tf"), "{}", done.err);
    std::fs::write(&path, own).unwrap();
    assert_eq!(scratch.run(&["check"]).code, Some(0));
}
