//! Calls that Terraform refuses whatever it is given: it stops at the specialised tree in every environment, as at the original with the source
//! written out. `tests/cli/calls.rs` says what tf-phi tells of each.

use std::fs;

use crate::called::{Case, Fault, Source, cases};
use crate::support::{Ran, Scratch};

/// A tree as tf-phi writes it while the module is there to be read, with the fault behind its back.
fn specialised(case: Case) -> Scratch {
    let right = match case.fault.is_unreadable() {
        true => Case { fault: Fault::Nothing, ..case },
        false => case,
    };
    let files = right.files();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let scratch = Scratch::with(&files);
    if case.source != Source::Literal {
        scratch.tf_phi(&["check", "--fix"]).expect(0);
    }
    let module = scratch.dir().join("modules/b");
    match case.fault {
        Fault::Missing => fs::remove_dir_all(&module).unwrap(),
        Fault::Empty => fs::remove_file(module.join("main.tf")).unwrap(),
        Fault::Unparsable => {
            let broken = case.files().into_iter().find(|(path, _)| *path == "modules/b/main.tf").unwrap();
            scratch.write(broken.0, &broken.1);
        }
        _ => {}
    }
    scratch
}

/// Terraform's own words.
fn summary_of(fault: Fault) -> &'static str {
    match fault {
        // It takes such a folder for an empty module, and Git keeps none.
        Fault::Empty => "Unsupported argument",
        Fault::Unparsable => "Unclosed configuration block",
        fault => fault.summary(),
    }
}

#[test]
fn terraform_stops_at_what_is_told_of_calls() {
    for case in cases() {
        let scratch = specialised(case);
        let init = scratch.terraform(&["init", "-no-color", "-input=false"]);
        for env in ["dev", "prod"] {
            let file = format!("-var-file=env/{env}.tfvars");
            let plan = ["plan", "-no-color", "-input=false", &file];
            let ran = match (init.code, case.fault.is_unreadable()) {
                (0, true) => {
                    // The moves are those of another run, and of a folder that isn't there tf-phi plans nothing.
                    let _ = fs::remove_file(scratch.dir().join("phi.moved.tf"));
                    scratch.terraform(&plan)
                }
                (0, false) => scratch.tf_phi(&plan),
                _ => Ran { stdout: init.stdout.clone(), stderr: init.stderr.clone(), ..init },
            };
            assert_eq!(ran.code != 0, case.fault != Fault::Nothing, "{case}, {env}: {}", ran.stderr);
            assert!(ran.stderr.contains(summary_of(case.fault)), "{case}, {env}: {}", ran.stderr);
        }
    }
}

/// A folder that holds no configuration is an empty module, for Terraform as for tf-phi.
#[test]
fn a_folder_without_configuration_is_an_empty_module() {
    for source in ["\"./modules/b\"", "\"./modules/${var.kind}\""] {
        let main = format!(
            "variable \"kind\" {{\n  default = \"b\"\n}}\nmodule \"m\" {{\n  source = {source}\n}}\n"
        );
        let scratch = Scratch::with(&[("main.tf", &main), ("modules/b/README.md", "Nothing.\n")]);
        scratch.tf_phi(&["validate"]).expect(0);
        scratch.tf_phi(&["check", "--fix"]).expect(0);
        scratch.init();
        scratch.tf_phi(&["plan", "-no-color", "-input=false"]).expect(0);
    }
}
