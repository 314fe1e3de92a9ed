//! What a run without copies refuses: said once, with the reason and what to type.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use crate::cli_common::Scratch;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

const NONE: &str = "settings {\n  copies = false\n}\n";

fn protected(by: &str) -> String {
    format!("resource \"terraform_data\" \"x\" {{\n  lifecycle {{\n    prevent_destroy = {by}\n  }}\n}}\n")
}

#[test]
fn a_form_factor_needs_copies() {
    let factor = "form_factor \"kubernetes\" {\n  services = [\"cloudnative-pg\"]\n}\n";
    let database = "resource \"aws_db_instance\" \"app\" {\n  identifier = \"app\"\n  engine = \"postgres\"\n  instance_class = \
                    \"db.t3.micro\"\n  allocated_storage = 20\n}\n";
    let main = database.to_owned() + &protected("var.on") + "variable \"on\" {\n  default = true\n}\n";
    let with = |phi: &str| Scratch::new([("main.tf", &*main), ("phi.hcl", &*format!("{phi}{factor}"))]);
    let none = with(NONE);
    for (scratch, args, fix) in [
        (&none, &["plan", "--form-factor", "kubernetes"][..], "copies = true"),
        (&with(""), &["apply", "--no-copies", "--form-factor", "kubernetes"], "Leave `--no-copies` out."),
    ] {
        let done = scratch.run(args);
        assert_eq!(done.code, Some(1), "{}", done.err);
        assert_eq!(
            done.err.matches("the form factor \"kubernetes\" needs copies").count(),
            1,
            "{}",
            done.err
        );
        assert!(done.err.contains(fix) && done.err.contains("--form-factor=\"\""), "{}", done.err);
    }
    // What is printed works.
    let done = none.run(&["diff", "--form-factor="]);
    assert!(done.out.contains("+    prevent_destroy = true"), "{}\n{}", done.out, done.err);
    let done = with("settings {\n  copies = true\n}\n").run(&["diff", "--form-factor", "kubernetes"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn what_is_secret_is_not_written() {
    let secret =
        "variable \"secret\" {\n  type = string\n  sensitive = true\n  default = \"hidden-word\"\n}\n";
    for by in ["var.secret == \"hidden-word\"", "sensitive(true)", "tobool(sensitive(\"true\"))"] {
        let scratch = Scratch::new([("main.tf", &*(secret.to_owned() + &protected(by))), ("phi.hcl", NONE)]);
        let done = scratch.run(&["diff"]);
        assert_eq!(done.code, Some(1), "{}", done.out);
        assert!(
            done.err.contains("Code: sensitive") && done.err.contains("`nonsensitive(…)`"),
            "{}",
            done.err
        );
        assert!(!done.err.contains("hidden-word") && !done.err.contains("copies = true"), "{}", done.err);
        assert!(done.err.contains(":8:23") || !by.starts_with("var"), "{}", done.err);
        // What is said works.
        let by = format!("nonsensitive({by})");
        let scratch = Scratch::new([("main.tf", &*(secret.to_owned() + &protected(&by))), ("phi.hcl", NONE)]);
        let done = scratch.run(&["diff"]);
        assert!(done.out.contains("prevent_destroy = true"), "{}\n{}", done.out, done.err);
    }
    // A choice may be secret where its values are none; here the value tells the choice.
    let source = "module \"m\" {\n  source = \"./${var.secret}\"\n}\n";
    let scratch = Scratch::new([
        ("main.tf", &*(secret.to_owned() + source)),
        ("phi.hcl", NONE),
        ("hidden-word/main.tf", ""),
    ]);
    let done = scratch.run(&["diff"]);
    assert!(done.code == Some(1) && !done.err.contains("hidden-word"), "{}", done.err);
}

#[test]
fn what_is_ephemeral_is_not_written() {
    let short =
        |ephemeral: &str| format!("variable \"short\" {{\n  type = bool\n{ephemeral}  default = true\n}}\n");
    let marked = short("  ephemeral = true\n") + &protected("var.short");
    let done = Scratch::new([("main.tf", &*marked), ("phi.hcl", NONE)]).run(&["diff"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    for part in ["Code: ephemeral", "Take `ephemeral = true` away", "main.tf:8:23"] {
        assert!(done.err.contains(part), "{part}: {}", done.err);
    }
    assert!(!done.err.contains("copies = true"), "{}", done.err);
    let plain = short("") + &protected("var.short");
    let done = Scratch::new([("main.tf", &*plain), ("phi.hcl", NONE)]).run(&["diff"]);
    assert!(done.out.contains("prevent_destroy = true"), "{}\n{}", done.out, done.err);
}

#[test]
fn what_is_known_only_after_apply_is_no_literal() {
    let other = "resource \"terraform_data\" \"y\" {}\n";
    for by in ["terraform_data.y.id == \"a\"", "can(regex(\"a\", terraform_data.y.id))"] {
        let scratch = Scratch::new([("main.tf", &*(other.to_owned() + &protected(by))), ("phi.hcl", NONE)]);
        let done = scratch.run(&["diff"]);
        assert_eq!(done.code, Some(1), "{}", done.out);
        for part in ["Code: apply-time-value", "main.tf:4:23", "Use a variable or a local for the choice"] {
            assert!(done.err.contains(part), "{part}: {}", done.err);
        }
        assert!(!done.err.contains("copies = true"), "{}", done.err);
    }
}

/// An index behind a name in `ignore_changes` may be chosen, too.
#[test]
fn an_index_of_what_is_ignored() {
    let main = "variable \"key\" {\n  default = \"a b\"\n}\nresource \"aws_vpc\" \"x\" {\n  lifecycle {\n    ignore_changes = \
                [tags[var.key], cidr_block]\n  }\n}\n";
    let done = Scratch::new([("main.tf", main), ("phi.hcl", NONE)]).run(&["diff"]);
    assert!(
        done.out.contains("+    ignore_changes = [tags[\"a b\"], cidr_block]"),
        "{}\n{}",
        done.out,
        done.err
    );
}

/// Where modules aren't installed nothing is called specialised, and `tf-phi init` is what installs them.
#[test]
fn modules_that_are_not_installed() {
    let call = "module \"m\" {\n  source  = \"terraform-aws-modules/rds-proxy/aws\"\n  version = var.version_of_m\n}\nvariable \
                \"version_of_m\" {}\n";
    let other = "variable \"on\" {\n  default = true\n}\nmodule \"m\" {\n  source = \"git::https://git.example/m\"\n}\n".to_owned()
        + &protected("var.on");
    for (main, var) in [(call, "-var=version_of_m=2.1.2"), (&*other, "-var=on=false")] {
        let scratch = Scratch::new([("main.tf", main)]);
        for args in [&["plan", "--no-copies", "--dry-run", var][..], &["diff", "--no-copies", var]] {
            let done = scratch.run(args);
            assert_eq!(done.code, Some(1), "{}", done.err);
            assert!(
                done.err.contains("tf-phi init") && !done.err.contains("nothing to specialise"),
                "{}",
                done.err
            );
        }
    }
    // Terraform is started with the version in place.
    let scratch = Scratch::new([("main.tf", call)]);
    let program = scratch.path("bin/terraform");
    let script = "#!/bin/sh\n[ \"$1\" = version ] && echo 'Terraform v1.11.4' && exit 0\n[ \"$1\" = init ] || exit 0\ngrep -q 'version = \
                  \"2.1.2\"' main.tf || exit 7\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    let done = scratch.run(&["init", "--no-copies", "--terraform", program, "-var=version_of_m=2.1.2"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

/// Each start of Terraform takes 50 ms. A literal is right for every version, and where nothing was applied there is no state to ask for.
#[test]
fn terraform_is_started_once() {
    let main = protected("var.on") + "variable \"on\" {\n  default = true\n}\n";
    let backend = "terraform {\n  backend \"local\" {\n    path = \"a.tfstate\"\n  }\n}\n";
    let started = |name: &str, version: &str, more: &str| {
        let scratch = Scratch::new([("main.tf", &*(main.clone() + more)), ("phi.hcl", NONE)]);
        let (program, log) = (scratch.path(&format!("bin/{name}")), scratch.path("log"));
        if !more.is_empty() {
            fs::create_dir(scratch.tree().join(".terraform")).unwrap();
            fs::write(
                scratch.tree().join(".terraform/terraform.tfstate"),
                "{\"version\":3,\"backend\":{\"type\":\"local\"}}",
            )
            .unwrap();
        }
        let script = format!(
            "#!/bin/sh\necho \"$1\" >> {}\ncase $1 in\n  version) echo '{version}' ;;\n  state) echo 'No state file was found!' >&2; \
             exit 1 ;;\nesac\n",
            log.display()
        );
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let done = scratch.run(&["plan", "--terraform", program.to_str().unwrap()]);
        assert_eq!(done.code, Some(0), "{}", done.err);
        (fs::read_to_string(&log).unwrap(), done.err)
    };
    let (log, said) = started("terraform", "Terraform v1.11.4", "");
    assert_eq!(log, "plan\n", "{said}");
    let (log, said) = started("terraform", "Terraform v1.11.4", backend);
    assert_eq!(log, "state\nplan\n", "{said}");
    // Of OpenTofu, a version takes the expression as it is.
    let (log, said) = started("tofu", "OpenTofu v1.12.0", "");
    assert!(log == "version\nplan\n" && said.contains("nothing to specialise"), "{log}{said}");
    let (log, said) = started("tofu", "OpenTofu v1.9.0", "");
    assert!(log == "version\nplan\n" && said.contains("1 field specialised"), "{log}{said}");
}
