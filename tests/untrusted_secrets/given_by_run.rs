//! What a run gives to secrets, and a tree that takes the mark off, or a change that drops it.

use super::cli_common::git::{git, repository_of};
use super::cli_common::{Done, Scratch};

/// Neither of letters alone nor with digits is it shown.
const GIVEN: [&str; 2] = ["swordfishes", "hunter2-zq9"];

const MARKED: &str = "variable \"s\" {\n  type      = string\n  sensitive = true\n}\n";
const SHOWN: &str = "resource \"terraform_data\" \"a\" {\n  input = nonsensitive(var.s)\n}\nresource \"terraform_data\" \"b\" {\n  input = \"x-${nonsensitive(upper(var.s))}-y\"\n}\noutput \"c\" {\n  value = parseint(nonsensitive(var.s), 10)\n}\n";

const READING: &[&[&str]] = &[
    &["matrix", "--all"],
    &["matrix", "--all", "--json"],
    &["matrix", "--all", "--format", "csv"],
    &["matrix", "--all", "--format", "markdown"],
    &["matrix", "--all", "--format", "html"],
    &["validate"],
    &["validate", "--json"],
    &["validate", "--format", "sarif"],
    &["trace", "--all"],
    &["trace", "--all", "--json"],
    &["trace", "terraform_data.a"],
    &["explain", "terraform_data.a"],
    &["graph", "terraform_data.a", "--format", "html"],
];

fn assert_kept(done: &Done, secret: &str, what: &str) {
    let all = format!("{}{}", done.out, done.err).to_lowercase();
    assert!(!all.contains(secret), "{what}: {all}");
    assert!(all.len() > 10 && !all.contains("panicked"), "{what}: {all}");
}

#[test]
fn what_a_run_gives_is_shown_by_no_tree() {
    for secret in GIVEN {
        let file = format!("s = \"{secret}\"\n");
        let main = format!("{MARKED}{SHOWN}");
        let by_file = |name: &str| Scratch::new([("main.tf", main.as_str()), (name, file.as_str())]);
        for name in ["terraform.tfvars", "x.auto.tfvars", "live/prod.tfvars"] {
            let scratch = by_file(name);
            for args in READING {
                assert_kept(&scratch.run(args), secret, &format!("{args:?} with {name}"));
            }
        }
        let scratch = Scratch::new([("main.tf", main.as_str())]);
        for args in READING {
            let done = scratch.command(args).env("TF_VAR_s", secret).output().unwrap();
            assert_kept(&Done::new(done), secret, &format!("{args:?} with TF_VAR_s"));
            let takes_values = ["validate", "trace", "explain", "graph"].contains(&args[0]);
            if takes_values && !args.contains(&"--all") {
                let given = format!("--var=s={secret}");
                assert_kept(
                    &scratch.run(&[args, &[given.as_str()][..]].concat()),
                    secret,
                    &format!("{args:?} {given}"),
                );
            }
        }
    }
}

/// A change that drops the mark, or hands the value to something new.
#[test]
fn what_was_a_secret_before_a_change_is_one_after_it() {
    let after = "variable \"s\" {\n  type = string\n}\nresource \"terraform_data\" \"a\" {\n  input = var.s\n}\noutput \"b\" {\n  value = upper(var.s)\n}\n";
    for secret in GIVEN {
        for (before, after) in [
            (format!("{MARKED}{SHOWN}"), after.to_owned()),
            (MARKED.to_owned(), after.to_owned()),
            (after.to_owned(), format!("{MARKED}{SHOWN}")),
        ] {
            let scratch = Scratch::new([("main.tf", before.as_str())]);
            repository_of(&scratch.tree());
            let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
            std::fs::write(scratch.tree().join("main.tf"), &after).unwrap();
            for format in ["text", "json", "markdown", "html"] {
                let args = ["review", &base, "--all", "--format", format];
                let done = scratch.command(&args).env("TF_VAR_s", secret).output().unwrap();
                assert_kept(&Done::new(done), secret, format);
            }
            std::fs::write(scratch.tree().join("terraform.tfvars"), format!("s = \"{secret}\"\n")).unwrap();
            let done = scratch.run(&["review", &base, "--all"]);
            assert_kept(&done, secret, "terraform.tfvars");
        }
    }
}

/// Whatever the change makes of the value, and whatever it looks like.
#[test]
fn parts_of_what_was_a_secret_are_shown_by_no_change() {
    let after = "variable \"s\" {\n  type = string\n}\noutput \"c\" {\n  value = split(\"\", var.s)\n}\noutput \"a\" {\n  value = substr(var.s, 0, 7)\n}\noutput \"n\" {\n  value = var.s\n}\noutput \"j\" {\n  value = join(\"_1x_\", split(\"\", var.s))\n}\n";
    for secret in
        ["hunter2zqPLOKM99", "correct horse battery staple", "p@ss-w0rd", "4929-1234-5678", "hunter", "31415"]
    {
        let scratch = Scratch::new([("main.tf", MARKED)]);
        repository_of(&scratch.tree());
        let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
        std::fs::write(scratch.tree().join("main.tf"), after).unwrap();
        for format in ["text", "json", "markdown", "html"] {
            let args = ["review", &base, "--all", "--format", format];
            let done = Done::new(scratch.command(&args).env("TF_VAR_s", secret).output().unwrap());
            assert_kept(&done, secret, format);
            let head = format!("\"{}\"", &secret[..1]);
            let part = format!("\"{}\"", secret.get(..7).unwrap_or(secret));
            assert!(!done.out.contains(&head) && !done.out.contains(&part), "{secret} {}", done.out);
            assert!(format != "text" || done.out.contains("output.n"), "{}", done.out);
        }
    }
}

/// What the base alone declares has its name, whatever a change writes into a secret.
#[test]
fn a_name_that_goes_is_said() {
    let base_text = "resource \"aws_db_instance\" \"prod_db1\" {\n  engine = \"x\"\n}\n";
    let head =
        "variable \"s\" {\n  sensitive = true\n  default   = \"aws_db_instance.prod_db1 orders-prod1\"\n}\n";
    let scratch = Scratch::new([("main.tf", base_text)]);
    repository_of(&scratch.tree());
    let base = format!("--base={}", git(&scratch.tree(), &["rev-parse", "HEAD"]).trim());
    std::fs::write(scratch.tree().join("main.tf"), head).unwrap();
    for format in ["text", "json", "markdown"] {
        let done = scratch.run(&["review", &base, "--format", format]);
        assert!(done.out.contains("prod_db1") || done.out.contains("prod\\_db1"), "{}", done.out);
    }
}

/// A tree that writes names of its own into a secret loses none of them.
#[test]
fn a_name_in_a_secret_stays_one() {
    let main = "variable \"env\" {}\nmodule \"m1\" {\n  source = \"./m\"\n  env    = var.env\n}\nresource \"aws_db_instance\" \"x\" {\n  password = \"module.m1.aws_db_instance.database1.engine_version module.m1.aws_db_instance.database1\"\n}\n";
    let inner = "variable \"env\" {}\nresource \"aws_db_instance\" \"database1\" {\n  engine_version = var.env\n  for_each = toset([\"key1a2b3c4\"])\n}\n";
    let phi = "environment \"dev\" {\n  variables = { env = \"dev\" }\n}\nenvironment \"prod\" {\n  variables = { env = \"prod\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("m/main.tf", inner), ("phi.hcl", phi)]);
    let done = scratch.run(&["matrix", "--all"]);
    assert!(done.out.contains("module.m1.aws_db_instance.database1.engine_version"), "{}", done.out);
    let done = scratch.run(&["matrix", "--all", "--json"]);
    assert!(done.out.contains("module.m1.aws_db_instance.database1.engine_version"), "{}", done.out);
}

/// Keys of a document that hold secrets are told apart.
#[test]
fn keys_that_hold_secrets_stay_several() {
    let main = "variable \"env\" {}\nvariable \"a\" {\n  sensitive = true\n}\nvariable \"b\" {\n  sensitive = true\n}\nresource \"aws_instance\" \"x\" {\n  tags = { (nonsensitive(var.a)) = var.env, (nonsensitive(var.b)) = var.env }\n}\n";
    let phi = "environment \"dev\" {\n  variables = { env = \"dev\", a = \"hunter2-a1\", b = \"swordfish-b2\" }\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let more = main.replace(
        "(nonsensitive(var.b)) = var.env",
        "(nonsensitive(var.b)) = var.env, \"(sensitive value)\" = \"own\"",
    );
    let done =
        Scratch::new([("main.tf", more.as_str()), ("phi.hcl", phi)]).run(&["matrix", "--all", "--json"]);
    assert!(
        done.out.contains("\"(sensitive value 2)\":") && done.out.contains("\"(sensitive value 3)\":"),
        "{}",
        done.out
    );
    let done = scratch.run(&["matrix", "--all", "--json"]);
    assert!(!done.out.contains("hunter2") && !done.out.contains("swordfish"), "{}", done.out);
    assert!(
        done.out.contains("\"(sensitive value)\":") && done.out.contains("\"(sensitive value 2)\":"),
        "{}",
        done.out
    );
}
