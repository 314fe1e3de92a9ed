//! Arguments that neither tf-phi nor Terraform knows: refused with what is meant, before anything is written.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::{Done, Scratch};
use std::fs;
use tf_phi::terraform::flags;

const PHI: (&str, &str) = ("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n");
const MAIN: (&str, &str) = (
    "main.tf",
    "variable \"on\" {\n  type    = bool\n  default = true\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.on ? \"x\" : \"y\"\n}\n",
);

fn driven() -> Scratch {
    Scratch::new([MAIN, PHI])
}

/// A stand-in that says which version it is.
fn version(scratch: &Scratch, says: &str) {
    let path = scratch.path("bin/terraform");
    let fake = fs::read_to_string(&path).unwrap();
    let answer = format!("#!/bin/sh\nif [ \"$1\" = version ]; then echo '{says}'; exit 0; fi\n");
    fs::write(&path, fake.replacen("#!/bin/sh\n", &answer, 1)).unwrap();
}

/// Runs a line, which has to be refused with all of `words`, and gives what was said.
#[track_caller]
fn refused_with(scratch: &Scratch, args: &[&str], env: &[(&str, &str)], words: &[&str]) -> String {
    let before = scratch.snapshot();
    let done = Done::new(scratch.command(args).envs(env.iter().copied()).output().unwrap());
    let plain = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(plain.contains(word), "{args:?}: {word:?} is not in\n{}", done.err);
    }
    assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{args:?}: {}", done.err);
    let started: Vec<String> = scratch.calls().into_iter().filter(|c| c != "version").collect();
    assert!(started.is_empty(), "{args:?}: Terraform was started: {started:?}");
    assert_eq!(scratch.snapshot(), before, "{args:?}: the tree was changed");
    done.err
}

#[track_caller]
fn refused(args: &[&str], words: &[&str]) -> String {
    refused_with(&driven(), args, &[], words)
}

/// Runs a line that has to be taken.
#[track_caller]
fn taken(scratch: &Scratch, args: &[&str]) {
    let done = scratch.run(args);
    assert_eq!(done.code, Some(0), "{args:?}: {}", done.err);
}

/// The text to paste of the first fix.
fn paste(said: &str) -> String {
    let rest = said.split("\n  1. ").nth(1).unwrap();
    rest.lines().find_map(|l| l.strip_prefix("       ")).unwrap().to_owned()
}

#[test]
fn a_misspelt_option_of_ours() {
    for (typo, right) in [
        ("--dryrun", "--dry-run"),
        ("-dryrun", "--dry-run"),
        ("--dry_run", "--dry-run"),
        ("--dryrun=true", "--dry-run"),
        ("--ephemral", "--ephemeral"),
        ("--ephemeral-", "--ephemeral"),
        ("--formt=json", "--format=json"),
    ] {
        let said = refused(
            &["plan", typo],
            &[&format!("If {} is meant:", right.split('=').next().unwrap()), "Code: config"],
        );
        assert_eq!(paste(&said), format!("tf-phi plan {right}"));
    }
    refused(&["apply", "-auto-approve", "--dryrun"], &["--dry-run"]);
    refused(&["test", "--fromat=json"], &["If --format is meant"]);
}

#[test]
fn a_misspelt_flag_of_terraform() {
    for (typo, right) in [
        ("-detailed-exit-code", "-detailed-exitcode"),
        ("-varfile=a.tfvars", "-var-file=a.tfvars"),
        ("--targte=a.b", "-target=a.b"),
        ("-Target=a.b", "-target=a.b"),
        ("-lock_timeout=3s", "-lock-timeout=3s"),
    ] {
        let said = refused(&["plan", typo], &["of neither tf-phi nor Terraform", right]);
        assert_eq!(paste(&said), format!("tf-phi plan {right}"));
    }
    let said = refused(&["plan", "-varfile", "a.tfvars", "--dryrun"], &["-varfile", "--dryrun"]);
    assert_eq!(paste(&said), "tf-phi plan -var-file a.tfvars --dry-run");
    refused(&["plan", "-nothing-of-the-kind"], &["of neither", "`terraform plan -help`"]);
    refused(&["plan", "---out=x"], &["is no flag"]);
    refused(&["plan", "-=x"], &["is no flag"]);
    refused(&["verify", "-detailed-exit-code"], &["-detailed-exitcode"]);
}

#[test]
fn what_is_to_be_pasted_works() {
    let scratch = driven();
    let line = ["plan", "--format", "json", "-outt", "my plan", "--dryrun", "-refresh", "false"];
    let done = scratch.run(&line);
    let json: serde_json::Value = serde_json::from_str(&done.err).unwrap();
    let paste = json["issues"][0]["fixes"][0]["paste"].as_str().unwrap();
    assert_eq!(paste, "tf-phi plan --format json -out 'my plan' --dry-run -refresh=false");
    let mut command = std::process::Command::new("sh");
    let line = paste.replacen("tf-phi", env!("CARGO_BIN_EXE_tf-phi"), 1);
    let done = Done::new(command.args(["-c", &line]).current_dir(scratch.tree()).output().unwrap());
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("+++"), "{}", done.out);
}

#[test]
fn a_late_chdir() {
    for line in
        [&["plan", "-chdir=sub dir"][..], &["plan", "-chdir", "sub dir"], &["plan", "--chdir=sub dir"]]
    {
        let said = refused(line, &["-chdir goes before the command"]);
        assert_eq!(paste(&said), "tf-phi '-chdir=sub dir' plan");
    }
    assert_eq!(paste(&refused(&["apply", "-chdri=."], &["-chdri"])), "tf-phi -chdir=. apply");
    refused(&["-chdir=.", "plan", "-chdir=."], &["once"]);
}

#[test]
fn a_word_too_many() {
    let scratch = Scratch::new([MAIN, PHI, ("sub/a.txt", "")]);
    refused_with(&scratch, &["plan", "now"], &[], &["`now` is a word too many", "flags and directories"]);
    refused_with(&scratch, &["plan", "dry-run"], &[], &["Did you mean --dry-run?"]);
    refused_with(&scratch, &["plan", "-"], &[], &["a word too many"]);
    refused_with(&scratch, &["plan", "--", "-destroy"], &[], &["a word too many"]);
    let said =
        refused_with(&scratch, &["verify", "sub"], &[], &["To work in that directory", "takes flags only"]);
    assert_eq!(paste(&said), "tf-phi -chdir=sub verify");
    let said = refused_with(&scratch, &["plan", "-input", "false"], &[], &["takes its value behind `=`"]);
    assert_eq!(paste(&said), "tf-phi plan -input=false");
    refused_with(&scratch, &["test", "a.tftest.hcl"], &[], &["-filter=FILE"]);
    taken(&scratch, &["plan", "--"]);
}

#[test]
fn a_saved_plan_that_is_not_there() {
    let scratch = driven();
    let save = "Save one first: tf-phi plan -out=gone.plan";
    refused_with(&scratch, &["apply", "gone.plan"], &[], &["there is no saved plan gone.plan", save]);
    let said = refused_with(&scratch, &["apply", "p"], &[], &["Save one first: tf-phi plan -out=p"]);
    assert!(!said.contains("Did you mean"), "no flag is meant\n{said}");
    refused_with(&scratch, &["apply", "dry-run"], &[], &["Did you mean --dry-run?"]);
    fs::write(scratch.tree().join("a.plan"), "").unwrap();
    refused_with(&scratch, &["apply", "a.plan", "b.plan"], &[], &["`b.plan` is a word too many"]);
    let said = refused_with(&scratch, &["apply", "a.plan", "-auto-approve"], &[], &["behind the saved plan"]);
    assert_eq!(paste(&said), "tf-phi apply -auto-approve a.plan");
    refused_with(&scratch, &["apply", "a.plan", "--dryrun"], &[], &["--dry-run"]);
    taken(&scratch, &["apply", "-auto-approve", "a.plan", "-no-color"]);
}

#[test]
fn values() {
    let said = refused(&["plan", "-refresh=no"], &["-refresh takes true or false, and not \"no\""]);
    assert_eq!(paste(&said), "tf-phi plan -refresh=false");
    refused(&["plan", "-refresh=maybe"], &["true or false"]);
    refused(&["plan", "-parallelism=many"], &["a whole number"]);
    refused(&["plan", "-parallelism", "-1"], &["a whole number"]);
    assert_eq!(
        paste(&refused(&["plan", "-lock-timeout", "5"], &["its unit"])),
        "tf-phi plan -lock-timeout=5s"
    );
    refused(&["plan", "-out"], &["-out needs a value"]);
    refused(&["plan", "-out", "--dry-run"], &["-out needs a value", "would not be heard"]);
    refused(&["plan", "-var"], &["-var needs a value"]);
    assert_eq!(paste(&refused(&["plan", "--no-color"], &["one dash"])), "tf-phi plan -no-color");
    assert_eq!(paste(&refused(&["plan", "-no-color=false"], &["no value"])), "tf-phi plan");
    taken(&driven(), &["plan", "-refresh=T", "-parallelism", "0x10", "-lock-timeout=1m30s", "--input=0"]);
}

#[test]
fn secrets_are_not_repeated() {
    for line in [
        &["plan", "-var", "hunter2"][..],
        &["plan", "-var", "password=hunter2", "--dryrun"],
        &["plan", "-vra=password=hunter2"],
        &["plan", "-vra", "password=hunter2"],
        &["plan", "-var", "password=my", "hunter2", "hunter2", "--dryrun"],
        &["plan", "-var", "password=my", "hunter2"],
        &["plan", "-var", "password", "=hunter2"],
    ] {
        let said = refused(line, &[]);
        assert!(!said.contains("hunter2"), "{said}");
    }
    let said = refused(&["plan", "-var", "password=hunter2", "--dryrun"], &["put this in its place"]);
    assert_eq!(paste(&said), "--dry-run");
    let said = refused(&["plan", "-var", "password=hunter2", "-chdir=sub"], &["before the command"]);
    assert_eq!(paste(&said), "-chdir=sub");
}

#[test]
fn options_of_other_commands() {
    refused(
        &["test", "--dry-run"],
        &["--dry-run is no option of tf-phi test", "tf-phi plan and tf-phi apply"],
    );
    refused(&["plan", "-auto-approve"], &["no option of tf-phi plan", "terraform apply"]);
    refused(&["verify", "--ephemeral"], &["no option of tf-phi verify"]);
    refused(&["apply", "-out=x"], &["terraform plan"]);
}

#[test]
fn the_environments_words() {
    let scratch = driven();
    let env = [("TF_CLI_ARGS_plan", "-lock=false -varfile='a b'")];
    let said = refused_with(&scratch, &["plan"], &env, &["environment variable TF_CLI_ARGS_plan"]);
    assert_eq!(paste(&said), r"export TF_CLI_ARGS_plan='-lock=false '\''-var-file=a b'\'''");
    refused_with(
        &scratch,
        &["plan"],
        &[("TF_CLI_ARGS", "--dry-run")],
        &["variable TF_CLI_ARGS.", "on the command line"],
    );
    refused_with(
        &scratch,
        &["verify"],
        &[("TF_CLI_ARGS_plan", "-chdir=x")],
        &["TF_CLI_ARGS_plan", "once, as -chdir=DIR"],
    );
    let words = ["give it on the command line: tf-phi plan --dry-run."];
    refused_with(&scratch, &["plan"], &[("TF_CLI_ARGS_plan", "-lock=false --dryrun")], &words);
    refused_with(
        &scratch,
        &["plan"],
        &[("TF_CLI_ARGS", "stray")],
        &["variable TF_CLI_ARGS.", "word too many"],
    );
    refused_with(&scratch, &["plan"], &[("TF_CLI_ARGS", "-var 'x=1")], &["TF_CLI_ARGS can't be split"]);
    let done = Done::new(scratch.command(&["plan"]).env("TF_CLI_ARGS_apply", "-x").output().unwrap());
    assert_eq!(done.code, Some(0), "{}", done.err);
}

#[test]
fn the_version_in_use_decides() {
    let scratch = driven();
    version(&scratch, "Terraform v1.11.4");
    let words = ["Terraform 1.11.4 has no -exclude for plan", "OpenTofu 1.9 or later"];
    refused_with(&scratch, &["plan", "-exclude=a.b"], &[], &words);
    refused_with(&scratch, &["test", "-parallelism=3"], &[], &["Terraform 1.12 or later"]);
    refused_with(&scratch, &["plan", "-concise"], &[], &["OpenTofu 1.7 or later"]);
    let scratch = driven();
    version(&scratch, "OpenTofu v1.10.2");
    taken(&scratch, &["plan", "-exclude=a.b", "-concise", "-deprecation=module:all"]);
    refused_with(&Scratch::new([MAIN, PHI]), &["plan", "-exclud=a.b"], &[], &["-exclude"]);
    // Where the version can't be told, what any version has is taken.
    taken(&driven(), &["plan", "-exclude=a.b"]);
}

#[test]
fn a_terraform_that_is_newer_than_the_table() {
    let scratch = driven();
    version(&scratch, "Terraform v1.99.0");
    let path = scratch.path("bin/terraform");
    let fake = fs::read_to_string(&path).unwrap();
    let help = "if [ \"$2\" = -help ]; then echo '  -refresh-onyx=x  New.'; exit 0; fi\n";
    fs::write(&path, fake.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{help}"), 1)).unwrap();
    refused_with(&scratch, &["plan", "-detailed-exit-code"], &[], &["-detailed-exitcode"]);
    refused_with(&scratch, &["plan", "--dryrun"], &[], &["--dry-run"]);
    taken(&scratch, &["plan", "-refresh-onyx=1"]);
    taken(&scratch, &["plan", "-quite-another-thing"]);
}

#[test]
fn where_nothing_is_driven_only_our_options_are_judged() {
    let scratch = Scratch::new([MAIN]);
    refused_with(&scratch, &["plan", "--dryrun"], &[], &["--dry-run"]);
    refused_with(&scratch, &["apply", "--ephemral", "-unknown"], &[], &["--ephemeral"]);
    for args in
        [&["plan", "-detailed-exit-code"][..], &["plan", "stray"], &["plan", "-chdir=x"], &["test", "x"]]
    {
        taken(&scratch, args);
    }
}

#[test]
fn help_is_still_help() {
    let scratch = driven();
    for args in [&["plan", "-help"][..], &["plan", "--dryrun", "-h"], &["apply", "stray", "--help"]] {
        taken(&scratch, args);
    }
    assert_eq!(scratch.log(), "");
}

#[test]
fn another_run_keeps_the_lock() {
    let scratch = driven();
    let lock = tf_phi::txn::Lock::acquire(&scratch.tree()).unwrap();
    refused_with(&scratch, &["plan", "--dryrun"], &[], &["--dry-run"]);
    drop(lock);
}

/// Every slip of one letter in a flag's name is refused, and something is suggested.
#[test]
fn every_slip_of_one_letter() {
    let own = ["dry-run", "ephemeral", "format", "terraform", "form-factor", "h", "help"];
    let scratch = driven();
    let before = scratch.snapshot();
    let mut names: Vec<&str> = flags::of("plan").map(|f| f.name).chain(own).collect();
    names.sort_unstable();
    names.dedup();
    let mut slips: Vec<String> = Vec::new();
    for name in &names {
        let letters: Vec<char> = name.chars().collect();
        for at in 0..letters.len() {
            let mut fewer = letters.clone();
            fewer.remove(at);
            slips.push(fewer.into_iter().collect());
            if at + 1 < letters.len() {
                let mut swapped = letters.clone();
                swapped.swap(at, at + 1);
                slips.push(swapped.into_iter().collect());
            }
        }
    }
    slips.retain(|s| !s.is_empty() && !names.contains(&s.as_str()));
    slips.sort();
    slips.dedup();
    assert!(slips.len() > 400, "{}", slips.len());
    let helps = |fix: &serde_json::Value| fix["title"].as_str().unwrap().ends_with(':');
    for part in slips.chunks(30) {
        let dashed = part.iter().map(|s| format!("--{s}"));
        let line: Vec<String> =
            ["plan", "--format", "json"].map(str::to_owned).into_iter().chain(dashed).collect();
        let done = scratch.run(&line.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{part:?}: {}", done.err);
        let json: serde_json::Value = serde_json::from_str(&done.err).unwrap();
        let issues = json["issues"].as_array().unwrap();
        assert_eq!(issues.len(), part.len(), "{part:?}: {}", done.err);
        for (slip, issue) in part.iter().zip(issues) {
            assert!(helps(&issue["fixes"][0]), "{slip}: {issue}");
            assert!(issue["summary"].as_str().unwrap().contains(slip), "{slip}: {issue}");
        }
    }
    // On their own, too.
    for slip in slips.iter().step_by(25) {
        let done = scratch.run(&["plan", &format!("--{slip}")]);
        assert_eq!((done.code, done.out.as_str()), (Some(1), ""), "{slip}: {}", done.err);
    }
    assert_eq!(scratch.snapshot(), before);
    assert!(scratch.calls().iter().all(|c| c == "version"));
}
