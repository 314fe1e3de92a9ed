//! Records that say what tf-phi never wrote: they hide nothing from whoever only reads.

use super::cli_common::Scratch;
use super::cli_common::git::{git, repository_of};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

const MAIN: &str = "variable \"env\" {\n  validation {\n    condition     = contains([\"dev\", \"prod\"], var.env)\n    error_message = \"no\"\n  }\n}\nresource \"terraform_data\" \"a\" {\n  input = var.env == \"prod\" ? \"15\" : \"14\"\n}\n";
const PHI: &str = "specialize \"terraform_data.a\" {\n  fields = [\"input\"]\n}\n";
const EVIL: &str = "resource \"terraform_data\" \"evil\" {\n  input = \"evil\"\n}\n";

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A specialised tree in a repository, and its record.
fn specialised() -> (Scratch, Json) {
    let scratch = Scratch::new([("main.tf", MAIN), ("phi.hcl", PHI)]);
    assert_eq!(scratch.run(&["check", "--fix"]).code, Some(0));
    repository_of(&scratch.tree());
    let text = std::fs::read_to_string(scratch.tree().join(".phi/provenance.json")).unwrap();
    (scratch, serde_json::from_str(&text).unwrap())
}

fn put(scratch: &Scratch, path: &str, text: &str) {
    std::fs::write(scratch.tree().join(path), text).unwrap();
}

/// A tree with a record that names a file as tf-phi's.
fn forged(file: &str, text: &str, entry: Json) -> (Scratch, String) {
    let (scratch, mut record) = specialised();
    let base = git(&scratch.tree(), &["rev-parse", "HEAD"]).trim().to_owned();
    put(&scratch, file, text);
    record["files"].as_array_mut().unwrap().push(entry);
    put(&scratch, ".phi/provenance.json", &record.to_string());
    (scratch, base)
}

/// What each command that only reads has to say, and its status.
fn assert_told(scratch: &Scratch, base: &str, told: &str) {
    let base = format!("--base={base}");
    for (args, code) in [
        (&["matrix", "--all"][..], Some(0)),
        (&["matrix", "--json"], Some(0)),
        (&["trace"], Some(0)),
        (&["graph"], Some(0)),
        (&["validate"], Some(1)),
        (&["validate", "--json"], Some(1)),
        (&["review", &base, "--fail-on", "finding"], Some(3)),
        (&["review", &base, "--fail-on", "finding", "--json"], Some(3)),
        (&["review", &base, "--format", "markdown"], Some(0)),
        (&["check"], Some(3)),
    ] {
        let done = scratch.run(args);
        let said = format!("{}{}", done.out, done.err);
        assert!(said.contains(told), "{args:?} is silent\n{said}");
        assert_eq!(done.code, code, "{args:?}\n{said}");
    }
}

#[test]
fn a_file_that_tf_phi_never_wrote() {
    let entry = json!({ "path": "evil.tf", "created": true, "sha256": hash(EVIL), "replaced": [] });
    let (scratch, base) = forged("evil.tf", EVIL, entry);
    assert_told(&scratch, &base, "evil.tf");
}

#[test]
fn an_original_that_never_was() {
    let harmless = EVIL.replace("\"evil\"\n", "\"harmless\"\n");
    let piece = json!({ "at": 0, "written": EVIL, "original": harmless });
    let entry = json!({ "path": "evil.tf", "created": false, "sha256": hash(EVIL), "replaced": [piece] });
    let (scratch, base) = forged("evil.tf", EVIL, entry);
    assert_told(&scratch, &base, "evil.tf");
}

/// Moves are written anew for each run, so that nobody compares them; but nothing else may stand there.
#[test]
fn a_file_of_moves_that_holds_more() {
    let runs = "removed {\n  from = terraform_data.gone\n\n  lifecycle {\n    destroy = true\n  }\n\n  provisioner \"local-exec\" {\n    when    = destroy\n    command = \"evil\"\n  }\n}\n";
    let output = "output \"evil\" {\n  value = null\n}\n";
    let says = "output \"tf_phi_moves_stale\" {\n  value = null\n\n  precondition {\n    condition     = false\n    error_message = file(\"creds\")\n  }\n}\n";
    let imports = "import {\n  to = terraform_data.a\n  id = file(\"creds\")\n}\n";
    let says_value = "output \"tf_phi_moves_stale\" {\n  value = null\n\n  precondition {\n    condition     = false\n    error_message = \"is ${var.env}\"\n  }\n}\n";
    let [by_core, plain] = ["core::file(\"creds\")", "nonsensitive(var.env)"].map(|call| {
        format!("output \"tf_phi_moves_stale\" {{\n  value = null\n\n  precondition {{\n    condition     = {call} == \"\"\n    error_message = \"no\"\n  }}\n}}\n")
    });
    let moves = "moved {\n  from = terraform_data.gone\n  to   = terraform_data.a\n\n  provisioner \"local-exec\" {\n    command = \"evil\"\n  }\n}\n";
    let broken = "moved {\n  from = terraform_data.gone\n";
    [EVIL, runs, output, says, imports, says_value, &by_core, &plain, moves, broken]
        .into_iter()
        .for_each(assert_no_moves);
}

fn assert_no_moves(text: &str) {
    let (scratch, mut record) = specialised();
    let entry = json!({ "path": "phi.moved.tf", "created": true, "sha256": hash(text), "replaced": [] });
    let files = record["files"].as_array_mut().unwrap();
    files.retain(|file| file["path"] != "phi.moved.tf");
    files.push(entry);
    put(&scratch, "phi.moved.tf", text);
    put(&scratch, ".phi/provenance.json", &record.to_string());
    for args in [
        &["check"][..],
        &["check", "--fix"],
        &["matrix"],
        &["validate"],
        &["trace"],
        &["plan", "--dry-run"],
        &["restore"],
    ] {
        let done = scratch.run(args);
        assert!(
            done.code == Some(1) && done.err.contains("phi.moved.tf"),
            "{args:?} {:?}\n{}{}",
            done.code,
            done.out,
            done.err
        );
    }
    assert_eq!(std::fs::read_to_string(scratch.tree().join("phi.moved.tf")).unwrap(), text);
}

/// Nor without a record, behind the first words of a way home.
#[test]
fn a_way_home_that_holds_more() {
    let runs = "# Generated by tf-phi: the way home.\nremoved {\n  from = terraform_data.gone\n\n  lifecycle {\n    destroy = true\n  }\n\n  provisioner \"local-exec\" {\n    when    = destroy\n    command = \"evil\"\n  }\n}\n";
    let scratch = Scratch::new([("main.tf", MAIN)]);
    repository_of(&scratch.tree());
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    put(&scratch, "phi.moved.tf", runs);
    let done = scratch.run(&["review", &base, "--fail-on", "finding,change"]);
    assert!(done.code == Some(3) && done.out.contains("removed"), "{}{}", done.out, done.err);
}

/// Nothing that is on record is a source, and sources below `.phi` are looked at as others are.
#[test]
fn a_source_below_our_own_folder() {
    for folder in [".phi/m", ".phi"] {
        let call = format!("module \"m\" {{\n  source = \"./{folder}\"\n}}\n");
        let scratch = Scratch::new([("main.tf", "locals {}\n")]);
        repository_of(&scratch.tree());
        let base = git(&scratch.tree(), &["rev-parse", "HEAD"]).trim().to_owned();
        put(&scratch, "main.tf", &call);
        let file = format!("{folder}/evil.tf");
        std::fs::create_dir_all(scratch.tree().join(folder)).unwrap();
        put(&scratch, &file, EVIL);
        let piece = json!({ "at": 0, "written": EVIL, "original": "locals {}\n" });
        let entry = json!({ "path": file, "created": false, "sha256": hash(EVIL), "replaced": [piece] });
        let record = json!({ "format_version": "1.0", "naming": 1, "specializations": [], "units": [], "files": [entry] });
        put(&scratch, ".phi/provenance.json", &record.to_string());
        assert_told(&scratch, &base, "evil.tf");
    }
}

/// In the folder of a Stack nothing is ever on record.
#[test]
fn a_module_of_a_stack() {
    let piece = json!({ "at": 0, "written": EVIL, "original": EVIL.replace("\"evil\"\n", "\"harmless\"\n") });
    let entry = json!({ "path": "m/evil.tf", "created": false, "sha256": hash(EVIL), "replaced": [piece] });
    let record =
        json!({ "format_version": "1.0", "naming": 1, "specializations": [], "units": [], "files": [entry] });
    let scratch = Scratch::new([
        ("x.tfcomponent.hcl", "component \"m\" {\n  source = \"./m\"\n}\n"),
        ("x.tfdeploy.hcl", "deployment \"dev\" {\n  inputs = {}\n}\n"),
        ("m/main.tf", "resource \"terraform_data\" \"a\" {\n  input = \"x\"\n}\n"),
        ("m/evil.tf", EVIL),
        (".phi/provenance.json", &record.to_string()),
    ]);
    for (args, code) in [(&["matrix", "--all"][..], Some(0)), (&["validate"], Some(1)), (&["trace"], Some(0))]
    {
        let done = scratch.run(args);
        let said = format!("{}{}", done.out, done.err);
        assert!(said.contains("m/evil.tf") && done.code == code, "{args:?} {:?}\n{said}", done.code);
    }
}

/// A record of tf-phi's own is worth no word, and one of sources that were edited since is.
#[test]
fn a_record_that_is_right() {
    let (scratch, _) = specialised();
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    let review = ["review", &base, "--fail-on", "finding"];
    for args in [&["matrix"][..], &["trace"], &["validate"], &review] {
        let done = scratch.run(args);
        assert_eq!(done.code, Some(0), "{args:?}\n{}{}", done.out, done.err);
        assert!(!done.err.contains("would write"), "{args:?}\n{}", done.err);
    }
    put(&scratch, "phi.hcl", "");
    let done = scratch.run(&["validate"]);
    assert!(done.code == Some(1) && done.err.contains("tf-phi check --diff"), "{}", done.err);
}
