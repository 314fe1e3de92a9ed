//! `tf-phi services`: the list, a page, and what becomes a user's own.

use crate::cli_common::Scratch;
use serde_json::Value as Json;
use std::fs;
use std::os::unix::fs::symlink;

const PHI: &str = "settings {\n  form_factor = \"on-prem\"\n}\nform_factor \"on-prem\" {\n  services = [\"cloudnative-pg\"]\n}\n";
const MAIN: &str = "resource \"aws_db_instance\" \"app\" {\n  identifier        = \"app\"\n  engine            = \"postgres\"\n  \
    instance_class    = \"db.t3.micro\"\n  allocated_storage = 20\n  kms_key_id        = \"k\"\n}\n";

#[test]
fn the_list_says_what_is_replaced() {
    let tree = Scratch::new([]);
    let done = tree.run(&["services"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.out.contains("aws_db_instance with engine = \"postgres\""), "{}", done.out);
    let done = tree.run(&["services", "--json"]);
    let document: Json = serde_json::from_str(&done.out).unwrap();
    let first = &document["services"][0];
    assert_eq!(
        (first["name"].as_str(), first["replaces"].as_str()),
        (Some("cloudnative-pg"), Some("aws_db_instance"))
    );
    assert_eq!(first["fields"][0]["universe"][0], "\"14\"");
    let done = tree.run(&["services", "show", "cloudnative-pg"]);
    assert!(done.out.contains("| `password` | **refused.**"), "{}", done.out);
    // What replaces a call has outputs, and what goes with either is named alike.
    let (front, call) = done.out.split_once("#### module:terraform-aws-modules/rds/aws").unwrap();
    assert!(
        front.contains("Attributes: ") && call.contains("Outputs: `db_instance_address`"),
        "{}",
        done.out
    );
    assert!(
        call.contains("| what goes with it | why |") && !done.out.contains("| resource type |"),
        "{}",
        done.out
    );
    let done = tree.run(&["services", "show", "cloudnative-gp"]);
    assert!(done.code == Some(1) && done.err.contains("Did you mean \"cloudnative-pg\"?"), "{}", done.err);
}

/// What is ejected and pasted does what the service did that comes with the program.
#[test]
fn what_is_ejected_is_the_users() {
    let tree = Scratch::new([("main.tf", MAIN), ("phi.hcl", PHI)]);
    assert_eq!(tree.run(&["check", "--fix"]).code, Some(0));
    let before = fs::read_to_string(tree.tree().join("main.tf")).unwrap();
    assert_eq!(tree.run(&["restore"]).code, Some(0));
    let done = tree.run(&["services", "eject", "cloudnative-pg", "services/pg"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    fs::write(tree.tree().join("phi.hcl"), format!("{PHI}\n{}", done.out)).unwrap();
    let done = tree.run(&["check", "--fix"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let after = fs::read_to_string(tree.tree().join("main.tf")).unwrap();
    let renamed = before
        .replace("./.phi/services/cloudnative-pg/", "./services/pg/")
        .replace("cloudnative_pg_operator", "pg_operator");
    assert_eq!(after.replace(' ', ""), renamed.replace(' ', ""));
    assert!(!tree.tree().join(".phi/services").exists());
}

#[test]
fn nothing_is_written_over_or_through_a_link() {
    let tree = Scratch::new([("main.tf", MAIN), ("services/pg/main.tf", "# mine\n"), ("file", "")]);
    let outside = tree.path("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, tree.tree().join("link")).unwrap();
    symlink("nowhere", tree.tree().join("dangling")).unwrap();
    for (dir, why) in [
        ("services/pg", "is there already"),
        ("link/pg", "symbolic link"),
        ("link", "symbolic link"),
        ("dangling", "symbolic link"),
        ("file/pg", "no folder"),
        ("../pg", "below the working directory"),
        ("/pg", "below the working directory"),
        (".", "below the working directory"),
        (".git/pg", "another program"),
    ] {
        let done = tree.run(&["services", "eject", "cloudnative-pg", dir]);
        assert!(done.code == Some(1) && done.err.contains(why), "{dir}: {}", done.err);
    }
    assert_eq!(fs::read_to_string(tree.tree().join("services/pg/main.tf")).unwrap(), "# mine\n");
    assert!(fs::read_dir(&outside).unwrap().next().is_none());
}

/// Each argument that is left out has its reason, once; `-q` says nothing.
#[test]
fn what_is_left_out_has_its_reason() {
    let tree = Scratch::new([("main.tf", MAIN), ("phi.hcl", PHI)]);
    let done = tree.run(&["plan", "--dry-run"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.contains("aws_db_instance.app becomes module.app"), "{}", done.err);
    let reason = "without kms_key_id  The storage class decides whether the volume is encrypted.";
    assert_eq!(done.err.matches(reason).count(), 1, "{}", done.err);
    let done = tree.run(&["plan", "--dry-run", "-q"]);
    assert!(!done.err.contains("becomes"), "{}", done.err);
}

/// Every image and chart, with its name in the mirror; the form factor is named or stands in the settings.
#[test]
fn what_has_to_be_mirrored_is_listed() {
    let phi = PHI.replace(
        "  services",
        "  connectivity = \"air-gapped\"\n  mirror = \"registry.example/m\"\n  services",
    );
    let tree = Scratch::new([("main.tf", MAIN), ("phi.hcl", &phi)]);
    let done = tree.run(&["services", "images"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let operator = "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0  registry.example/m/cloudnative-pg/cloudnative-pg:1.30.0";
    assert!(done.out.lines().any(|l| l == operator), "{}", done.out);
    let chart = "https://cloudnative-pg.github.io/charts/cloudnative-pg:0.29.0  registry.example/m/charts/cloudnative-pg:0.29.0";
    assert!(done.out.lines().any(|l| l == chart), "{}", done.out);
    assert_eq!(tree.run(&["services", "images", "--form-factor", "on-prem"]).out, done.out);
    let done = tree.run(&["services", "images", "--form-factor", ""]);
    assert!(done.code == Some(1) && done.err.contains("no form factor is on"), "{}", done.err);
    // What is written names nothing else.
    assert_eq!(tree.run(&["check", "--fix"]).code, Some(0));
    assert!(fs::read_to_string(tree.tree().join("main.tf")).unwrap().contains("registry.example/m"));
}

/// Where conditions choose among services, `explain` names each with its condition, and the copies of each.
#[test]
fn every_service_that_stands_in_is_explained() {
    let main = "variable \"env\" {\n  type = string\n}\nresource \"aws_db_instance\" \"app\" {\n  engine         = var.env == \"prod\" ? \
                \"postgres\" : \"mysql\"\n  engine_version = var.env == \"prod\" ? \"15.4\" : \"8.0\"\n}\n";
    let service = |name: &str, engine: &str, version: &str| {
        format!(
            "service \"{name}\" {{\n  replaces = \"aws_db_instance\"\n  when     = {{ engine = \"{engine}\" }}\n  module   = \
             \"./services/{name}\"\n  field \"engine_version\" {{\n    universe = [\"{version}\"]\n  }}\n}}\n"
        )
    };
    let phi = format!(
        "settings {{\n  form_factor = \"on-prem\"\n}}\nform_factor \"on-prem\" {{\n  services = [\"pg\", \"my\"]\n}}\n{}{}",
        service("pg", "postgres", "15.4"),
        service("my", "mysql", "8.0")
    );
    let template = "variable \"engine_version\" {\n  type = string\n}\n";
    let files = [
        ("main.tf", main),
        ("phi.hcl", &phi),
        ("services/pg/main.tf", template),
        ("services/my/main.tf", template),
    ];
    let tree = Scratch::new(files);
    let done = tree.run(&["explain", "aws_db_instance.app", "-var=env=prod"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    for said in [
        "aws_db_instance.app is replaced by module.app_postgres where var.env == \"prod\": the service \"pg\" of",
        "aws_db_instance.app is replaced by module.app_mysql where not (var.env == \"prod\"): the service \"my\" of",
        "module.app_postgres.engine_version = \"15.4\"",
        "module.app_mysql.engine_version = \"8.0\"",
    ] {
        assert!(done.out.contains(said), "{said}: {}", done.out);
    }
    let done = tree.run(&["explain", "aws_db_instance.app", "-var=env=prod", "--format=json"]);
    let document: Json = serde_json::from_str(&done.out).unwrap();
    assert_eq!(document["copies"].as_array().unwrap().len(), 2, "{document:#}");
    assert_eq!(document["address"], "aws_db_instance.app");
}

/// Who leaves under a form factor has the service's modules as folders of the tree, and nothing names tf-phi.
#[test]
fn what_is_left_under_a_form_factor_is_the_users() {
    for (more, folder) in [(None, "services"), (Some("services/cloudnative-pg/own.tf"), "services_2")] {
        let main =
            MAIN.replace("engine    ", "# Ours.\n  engine    ").replace("  kms_key_id        = \"k\"\n", "");
        let tree = Scratch::new([("main.tf", &*main), ("phi.hcl", PHI)]);
        if let Some(more) = more {
            fs::create_dir_all(tree.tree().join(more).parent().unwrap()).unwrap();
            fs::write(tree.tree().join(more), "locals {}\n").unwrap();
        }
        assert_eq!(tree.run(&["check", "--fix"]).code, Some(0));
        let shown = tree.run(&["leave", "--dry-run"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            shown.contains(&format!("source = \"./{folder}/cloudnative-pg/aws_db_instance\"")),
            "{shown}"
        );
        let done = tree.run(&["leave"]);
        assert_eq!(done.code, Some(0), "{}", done.err);
        let read = |path: &str| fs::read_to_string(tree.tree().join(path)).unwrap();
        let all = read("main.tf") + &read("services.tf");
        assert!(
            all.contains(&format!("./{folder}/cloudnative-pg/operator")) && !all.contains("phi"),
            "{all}"
        );
        assert!(tree.tree().join(folder).join("cloudnative-pg/cluster/chart/Chart.yaml").exists());
        assert!(!tree.tree().join(".phi").exists() && !tree.tree().join("phi.hcl").exists());
        assert_eq!(more.is_some(), tree.tree().join("services/cloudnative-pg/own.tf").exists());
    }
}
