//! A directory that was never initialised, or whose backend, providers or modules have changed since: what plain Terraform does with
//! the literal original is the right answer, and nothing is written before it is clear that Terraform can go on.

use std::fs;
use std::path::Path;

use crate::support::{INIT, Ran, Scratch};

/// The original, with a line that Terraform rejects; the literal one for the twin.
const VARIABLE: &str = "variable \"env\" {\n  type    = string\n  default = \"dev\"\n  validation {\n    condition     = contains([\"dev\", \"prod\"], \
     var.env)\n    error_message = \"No.\"\n  }\n}\n";
const PROTECTED: &str = "resource \"terraform_data\" \"db\" {\n  input = \"x\"\n  lifecycle {\n    prevent_destroy = var.env == \
                         \"prod\"\n  }\n}\n";
const LITERAL: &str = "resource \"terraform_data\" \"db\" {\n  input = \"x\"\n  lifecycle {\n    prevent_destroy = false\n  }\n}\n";
const PINNED: &str =
    "module \"m\" {\n  source = \"./m\"\n  v      = var.env == \"prod\" ? \"15\" : \"14\"\n}\n";
const MODULE: &str = "variable \"v\" {}\nresource \"terraform_data\" \"db\" {\n  input = var.v\n}\n";
const PIN: &str = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
const LOCAL: &str = "terraform {\n  backend \"local\" {}\n}\n";
const PARTIAL: &str = "terraform {\n  backend \"s3\" {}\n}\n";
const BACKEND: &str = "Backend initialization required";

const APPLY: &[&str] = &["apply", "-auto-approve", "-input=false", "-no-color"];
const PLAN: &[&str] = &["plan", "-input=false", "-no-color"];

/// A tree whose original Terraform rejects, and its twin with the literal.
fn protected(more: &[(&str, &str)]) -> (Scratch, Scratch) {
    let of = |text: &str| {
        let main = format!("{VARIABLE}{text}");
        Scratch::with(&[&[("main.tf", main.as_str())], more].concat())
    };
    (of(PROTECTED), of(LITERAL))
}

/// A tree with a pin in a local module; Terraform takes it as it is.
fn pinned(more: &[(&str, &str)]) -> (Scratch, Scratch) {
    let main = format!("{VARIABLE}{PINNED}");
    let of = || {
        Scratch::with(
            &[&[("main.tf", main.as_str()), ("m/main.tf", MODULE), ("phi.hcl", PIN)], more].concat(),
        )
    };
    (of(), of())
}

/// Terraform stops with a summary in the twin; so does tf-phi, with the same words, and leaves everything as it was.
#[track_caller]
fn stops_alike(ours: &Scratch, twin: &Scratch, args: &[&str], summary: &str) {
    let plain = twin.terraform(args).expect(1);
    assert!(plain.stderr.contains(summary), "{}", plain.stderr);
    let before = ours.everything();
    let ephemeral: &[&str] = &[args, &["--ephemeral"]].concat();
    for args in [args, ephemeral] {
        let ran = ours.tf_phi(args).expect(1);
        is_said(&ran, summary);
        assert_eq!(ours.everything(), before, "{args:?} wrote something");
    }
}

#[track_caller]
fn is_said(ran: &Ran, summary: &str) {
    // Where Terraform takes the original and a module is all that is missing, its own command does.
    let command = if summary.starts_with("Module") { " init" } else { "tf-phi init" };
    for part in [summary, command] {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert_eq!(ran.stdout, "");
}

#[test]
fn no_backend_is_configured() {
    for backend in [LOCAL, PARTIAL] {
        for (ours, twin) in [protected(&[("b.tf", backend)]), pinned(&[("b.tf", backend)])] {
            for args in [APPLY, PLAN] {
                stops_alike(&ours, &twin, args, BACKEND);
            }
        }
    }
    // A state that is named instead needs the backend as well.
    let (ours, twin) = protected(&[("b.tf", LOCAL)]);
    stops_alike(&ours, &twin, &[APPLY, &["-state=other.tfstate"]].concat(), BACKEND);
}

/// As the advice says, with what a partial backend needs: no second copy of anything is made.
#[test]
fn the_advice_about_a_backend_leads_out() {
    let (ours, _) = protected(&[("b.tf", LOCAL)]);
    ours.tf_phi(APPLY).expect(1);
    ours.tf_phi(&[INIT, &["-backend-config=path=named.tfstate"]].concat()).expect(0);
    ours.tf_phi(APPLY).expect(0);
    assert!(ours.dir().join("named.tfstate").is_file() && !ours.dir().join("terraform.tfstate").exists());
    assert!(ours.tf_phi(PLAN).expect(0).stdout.contains("No changes"));
    assert!(ours.tf_phi(&[PLAN, &["--ephemeral"]].concat()).expect(0).stdout.contains("No changes"));
}

/// The backend is another one than the directory was initialised for, with and without an object, and none at last.
#[test]
fn a_backend_that_has_changed() {
    for (ours, twin) in [protected(&[("b.tf", LOCAL)]), pinned(&[("b.tf", LOCAL)])] {
        ours.tf_phi(INIT).expect(0);
        twin.init();
        ours.tf_phi(APPLY).expect(0);
        twin.apply(&[]);
        ours.tf_phi(&["restore"]).expect(0);
        for text in ["terraform {\n  backend \"local\" {\n    path = \"moved.tfstate\"\n  }\n}\n", ""] {
            ours.write("b.tf", text);
            twin.write("b.tf", text);
            stops_alike(&ours, &twin, APPLY, BACKEND);
            stops_alike(&ours, &twin, &[PLAN, &["-state=terraform.tfstate"]].concat(), BACKEND);
        }
    }
}

const NULL: &str = "terraform {\n  required_providers {\n    null = {\n      source = \"example.test/team/null\"\n    }\n  }\n}\n\
     resource \"null_resource\" \"n\" {}\n";
const LOCKED: &str = "provider \"example.test/team/null\" {\n  version = \"3.2.4\"\n}\n";

/// A provider that no lock file names, and one that is locked and not installed.
#[test]
fn providers_that_are_missing() {
    let locks: [(&[(&str, &str)], &str); 2] = [
        (&[("null.tf", NULL)], "Inconsistent dependency lock file"),
        (&[("null.tf", NULL), (".terraform.lock.hcl", LOCKED)], "Required plugins are not installed"),
    ];
    for (files, summary) in locks {
        for (ours, twin) in [protected(files), pinned(files)] {
            // What Terraform says of modules comes before.
            twin.terraform(&["get"]).expect(0);
            stops_alike(&ours, &twin, APPLY, summary);
            stops_alike(&ours, &twin, PLAN, summary);
        }
    }
}

/// Providers that Terraform brings with it, and no backend: a plan needs nothing, and local modules are installed by themselves.
#[test]
fn nothing_but_what_terraform_brings() {
    let (ours, twin) = protected(&[]);
    twin.apply(&[]);
    ours.tf_phi(APPLY).expect(0);
    assert!(!ours.dir().join(".terraform").exists() && !twin.dir().join(".terraform").exists());
    let (ours, _) = pinned(&[]);
    ours.tf_phi(APPLY).expect(0);
    assert!(
        ours.read("main.tf").contains("module \"m_v14\"") || ours.read("main.tf").contains("module \"m_14\"")
    );
    assert!(!ours.dir().join(".terraform.lock.hcl").exists());
    for ephemeral in [&[][..], &["--ephemeral"]] {
        let (ours, _) = pinned(&[]);
        let before = ours.sources();
        ours.tf_phi(&[PLAN, ephemeral].concat()).expect(0);
        ours.tf_phi(&[APPLY, ephemeral, &["-var=env=prod"]].concat()).expect(0);
        if !ephemeral.is_empty() {
            // The way home stands there once something was applied.
            let mut now = ours.sources();
            now.remove(Path::new("phi.moved.tf"));
            assert_eq!(now, before);
        }
    }
}

/// Copies need modules where the original has none: `terraform init` made no data folder there.
#[test]
fn copies_that_need_the_first_modules() {
    let (ours, twin) = pinned(&[]);
    for scratch in [&ours, &twin] {
        scratch.init();
        fs::remove_dir_all(scratch.dir().join(".terraform")).unwrap();
        fs::create_dir(scratch.dir().join(".terraform")).unwrap();
    }
    ours.tf_phi(APPLY).expect(0);
    assert!(Path::new(&ours.dir()).join(".terraform/modules/modules.json").is_file());
}

/// A remote module that isn't installed stops a run before anything is written, and `tf-phi init` installs it.
#[test]
fn a_remote_module() {
    let remote = Scratch::with(&[("main.tf", MODULE)]);
    remote.commit();
    let call = format!(
        "module \"far\" {{\n  source = \"git::file://{}\"\n  v      = var.env == \"prod\" ? \"15\" : \"14\"\n}}\n",
        remote.dir().display()
    );
    let (ours, twin) = pinned(&[("far.tf", &call)]);
    stops_alike(&ours, &twin, APPLY, "Module not installed");
    ours.tf_phi(INIT).expect(0);
    ours.tf_phi(APPLY).expect(0);
    // Where Terraform rejects the original as well, a backend is what it asks for first.
    let (ours, twin) = protected(&[("far.tf", &call), ("b.tf", LOCAL), ("phi.hcl", PIN)]);
    stops_alike(&ours, &twin, APPLY, BACKEND);
    ours.tf_phi(INIT).expect(0);
    ours.tf_phi(APPLY).expect(0);
}
