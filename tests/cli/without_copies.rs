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

/// Places for an expression over several lines, with what may stand around it. The marks enclose the expressions.
const SHAPES: [&str; 4] = [
    "    prevent_destroy = «var.on» # tail\n    # below\n    ignore_changes = «var.on ? [input] : []» // other\n",
    "    prevent_destroy = «(\n      var.on\n    )»\n\n    create_before_destroy = «var.on»\n    # why\n    # more\n",
    "    # above\n    ignore_changes = «(var.on ?\n      [input]\n    : [])» # tail\n    create_before_destroy = true\n",
    "    ignore_changes = «(var.on ?\n      [input] /* b */\n    : [] # inner\n    )»\n    /* below\n       two */\n",
];

/// The source of a shape, and the numbers of the lines above which an edit isn't one within an expression.
fn shaped(shape: &str) -> (String, Vec<usize>) {
    let marked = format!(
        "variable \"on\" {{\n  default = true\n}}\nresource \"terraform_data\" \"x\" {{\n  input = 1\n  lifecycle {{\n{shape}  }}\n}}\n"
    );
    let mut open = false;
    let mut outside = vec![0];
    for (at, line) in marked.lines().enumerate() {
        open = match (line.rfind('«'), line.rfind('»')) {
            (Some(from), to) => to.is_none_or(|to| to < from),
            (None, Some(_)) => false,
            (None, None) => open,
        };
        if !open {
            outside.push(at + 1);
        }
    }
    (marked.replace(['«', '»'], ""), outside)
}

/// The text with a line more, behind so many.
fn with_line(text: &str, line: &str, behind: usize) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    lines.insert(behind, line);
    lines.concat()
}

/// An edit that is made while values are in place is the same edit of the original: at each line, whatever stands around the expression.
#[test]
fn a_line_that_is_typed_meanwhile() {
    for shape in SHAPES {
        let (main, outside) = shaped(shape);
        let count = main.lines().count();
        let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", NONE)]);
        for behind in 0..=count {
            for line in ["# MINE\n", "\n"] {
                let main_tf = scratch.tree().join("main.tf");
                fs::write(&main_tf, &main).unwrap();
                let typed = line.trim_end();
                let script = format!(
                    "test $(wc -l < main.tf) = {count} || exit 9; {{ head -n {behind} main.tf; echo '{typed}'; tail -n +{} main.tf; }} > \
                     ../new; cat ../new > main.tf",
                    behind + 1
                );
                let done = scratch.run(&["run", "--", "sh", "-c", &script]);
                if !outside.contains(&behind) && done.code == Some(1) {
                    // It can't be told apart from an equal value elsewhere, and nothing is guessed.
                    assert!(done.err.contains("main.tf can't be put back"), "{behind} {typed}: {}", done.err);
                    fs::remove_dir_all(scratch.tree().join(".phi")).unwrap();
                    continue;
                }
                assert_eq!(done.code, Some(0), "{shape}{behind} {typed}: {}", done.err);
                let now = fs::read_to_string(&main_tf).unwrap();
                if outside.contains(&behind) {
                    let lost = done.err.contains(&format!(": {typed}"));
                    let wanted = if lost { main.clone() } else { with_line(&main, line, behind) };
                    assert_eq!(now, wanted, "{behind} {typed}: {}", done.err);
                    continue;
                }
                // Within an expression there is no place for it; no text goes, and what is left is read.
                let words = |text: &str| -> Vec<String> {
                    let text = text.replace("# MINE\n", "").replace("/*", "").replace("*/", "");
                    text.split_whitespace().map(str::to_owned).collect()
                };
                assert_eq!(words(&now), words(&main), "{behind} {typed}: {now}");
                assert_eq!(now.contains("# MINE"), typed == "# MINE", "{now}");
            }
        }
    }
}

/// `git clean` in another window takes away what tells how the sources were.
#[test]
fn what_is_removed_meanwhile_is_put_back_all_the_same() {
    let main = protected("var.on") + "variable \"on\" {\n  default = true\n}\n# not committed\n";
    for (flag, edit) in
        [("--no-copies", ""), ("--no-copies", "; echo '# MINE' >> main.tf"), ("--form-factor=", "")]
    {
        let phi = if flag == "--no-copies" { NONE } else { "settings {\n  keep = false\n}\n" };
        let scratch = Scratch::new([("main.tf", &*main), ("phi.hcl", phi)]);
        let script = format!("grep -q 'prevent_destroy = true' main.tf || exit 9; rm -rf .phi{edit}");
        let done = scratch.run(&[flag, "run", "--", "sh", "-c", &script]);
        assert_eq!(done.code, Some(0), "{flag}: {}", done.err);
        let typed = if edit.is_empty() { "" } else { "# MINE\n" };
        let now = fs::read_to_string(scratch.tree().join("main.tf")).unwrap();
        assert_eq!(now, format!("{main}{typed}"), "{flag}");
        assert!(!scratch.tree().join(".phi/ephemeral.json").exists());
        assert!(!scratch.tree().join(".phi/provenance.json").exists());
    }
}

/// A module whose calls want different values, in a folder that the root looks at.
fn called_twice() -> Scratch {
    let module = "variable \"on\" {}\nlocals {\n  word = \"hidden\"\n}\n".to_owned() + &protected("var.on");
    let main = "module \"a\" {\n  source = \"./modules/m\"\n  on     = true\n}\nmodule \"b\" {\n  source = \"./modules/m\"\n  on     \
                = false\n}\nresource \"terraform_data\" \"each\" {\n  for_each = fileset(\"modules\", \"**\")\n}\n";
    Scratch::new([("main.tf", main), ("modules/m/main.tf", &*module), ("phi.hcl", NONE)])
}

/// No function of the configuration sees what stands there for the run.
#[test]
fn copies_of_modules_stand_apart() {
    let scratch = called_twice();
    let script =
        "find . -name main.tf | sort > ../seen; grep -l 'prevent_destroy = true' -r .phi/modules > ../found";
    let done = scratch.run(&["run", "--", "sh", "-c", script]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let seen = fs::read_to_string(scratch.path("seen")).unwrap();
    let apart = seen.lines().filter(|path| path.starts_with("./.phi/modules/")).count();
    assert_eq!(apart, 2, "{seen}");
    assert_eq!(seen.lines().filter(|path| path.starts_with("./modules/")).count(), 1, "{seen}");
    assert_eq!(fs::read_to_string(scratch.path("found")).unwrap().lines().count(), 1);
}

/// Copies, and the record that holds their texts, may be read by nobody else than the module's files.
#[test]
fn copies_have_the_modes_of_their_modules() {
    let scratch = called_twice();
    let secret = scratch.tree().join("modules/m/main.tf");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    let script =
        "find . -type f -perm /044 -exec grep -l hidden '{}' ';' > ../open; grep -rl hidden .phi > ../all";
    let done = scratch.run(&["run", "--", "sh", "-c", script]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert_eq!(fs::read_to_string(scratch.path("open")).unwrap(), "");
    assert!(fs::read_to_string(scratch.path("all")).unwrap().lines().count() > 1);
}

/// A text that is no name isn't called a part of its argument.
#[test]
fn what_is_no_reference() {
    let main = "variable \"list\" {\n  type    = list(string)\n  default = [\"input /* x */\"]\n}\nresource \"terraform_data\" \"x\" \
                {\n  lifecycle {\n    ignore_changes = var.list\n  }\n}\n";
    let done = Scratch::new([("main.tf", main), ("phi.hcl", NONE)]).run(&["diff"]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.err.contains("value is no reference") && done.err.contains("main.tf:7:22"), "{}", done.err);
    // What is said works.
    let main = main.replace(" /* x */", "");
    let done = Scratch::new([("main.tf", &*main), ("phi.hcl", NONE)]).run(&["diff"]);
    assert!(done.out.contains("ignore_changes = [input]"), "{}\n{}", done.out, done.err);
}
