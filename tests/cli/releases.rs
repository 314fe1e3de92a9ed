//! Two Helm releases of one name in one namespace, which an apply would find out first.

use crate::cli_common::{Done, Scratch};

const PHI: &str = "settings {\n  form_factor = \"on-prem\"\n}\nform_factor \"on-prem\" {\n  services = [\"cloudnative-pg\", \
                   \"valkey\"]\n}\n";

fn database(name: &str, more: &str) -> String {
    format!(
        "resource \"aws_db_instance\" \"database\" {{\n{more}  identifier        = {name}\n  engine            = \"postgres\"\n  \
         instance_class    = \"db.t3.micro\"\n  allocated_storage = 20\n}}\n"
    )
}

fn cache(name: &str, more: &str) -> String {
    format!(
        "resource \"aws_elasticache_cluster\" \"cache\" {{\n{more}  cluster_id = {name}\n  engine     = \"valkey\"\n  node_type  = \
         \"cache.t3.micro\"\n}}\n"
    )
}

fn planned(main: &str, phi: &str, arguments: &[&str]) -> Done {
    let tree = Scratch::new([("main.tf", main), ("phi.hcl", phi)]);
    let done = tree.run(&[&["plan", "--dry-run"], arguments].concat());
    assert!(done.code == Some(0) || done.err.contains("two Helm releases"), "{}", done.err);
    done
}

#[test]
fn two_releases_of_one_name_stop_the_plan() {
    let main = format!("{}\n{}", database("\"app\"", ""), cache("\"App\"", ""));
    let done = planned(&main, PHI, &[]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    for said in [
        "two Helm releases \"app\" in the namespace \"default\"",
        "aws_db_instance.database (main.tf:1) becomes module.database.module.cluster.helm_release.cluster",
        "aws_elasticache_cluster.cache (main.tf:8) becomes module.cache.module.release.helm_release.valkey",
        "inputs \"valkey\" {",
    ] {
        assert!(done.err.contains(said), "{said}: {}", done.err);
    }
    // What it says to paste is enough.
    let phi = PHI.replace("]\n}", "]\n  inputs \"valkey\" {\n    namespace = \"valkey\"\n  }\n}");
    assert_eq!(planned(&main, &phi, &[]).code, Some(0));
}

/// Where names differ from run to run, the values of this run count.
#[test]
fn the_names_of_this_run_count() {
    let variable = "variable \"env\" {\n  type = string\n}\n";
    let name = "var.env == \"prod\" ? \"app\" : \"cache\"";
    let main = format!("{variable}{}{}", database("\"app\"", ""), cache(name, ""));
    assert_eq!(planned(&main, PHI, &["-var=env=prod"]).code, Some(1));
    assert_eq!(planned(&main, PHI, &["-var=env=dev"]).code, Some(0));
    // Not known before the plan: nothing is said.
    assert_eq!(planned(&main, PHI, &[]).code, Some(0));
}

/// Two that are never there together don't clash, and instances of one resource do.
#[test]
fn only_what_is_there_clashes() {
    let variable = "variable \"env\" {\n  type = string\n}\n";
    let first = database("\"app\"", "  count             = var.env == \"prod\" ? 1 : 0\n");
    let second = cache("\"app\"", "  count      = var.env == \"prod\" ? 0 : 1\n");
    let main = format!("{variable}{first}{second}");
    for env in ["-var=env=prod", "-var=env=dev"] {
        assert_eq!(planned(&main, PHI, &[env]).code, Some(0));
    }
    let done = planned(&database("\"app\"", "  count             = 2\n"), PHI, &[]);
    assert_eq!(done.code, Some(1), "{}", done.err);
    assert!(done.err.contains("module.database[1].module.cluster.helm_release.cluster"), "{}", done.err);
    let named = database("\"app-${count.index}\"", "  count             = 2\n");
    assert_eq!(planned(&named, PHI, &[]).code, Some(0));
}

/// Several clusters may each have a release of the name.
#[test]
fn releases_of_several_clusters_are_left_alone() {
    let providers = "provider \"helm\" {\n}\nprovider \"helm\" {\n  alias = \"other\"\n}\n";
    let main = format!("{providers}{}{}", database("\"app\"", ""), cache("\"app\"", ""));
    assert_eq!(planned(&main, PHI, &[]).code, Some(0));
}
