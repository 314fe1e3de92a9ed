//! The services that come with the program, planned and applied by the real Terraform against a provider that serves the schemas of
//! the real ones and makes nothing. What they hand to it is held against the fields of the custom resources.

use crate::manifests::{faults, manifests, scratch};
use crate::provider::Provider;
use crate::support::{Scratch, actions};

const CLUSTER: &str = include_str!("provider/cnpg.tsv");

const VALUES: &str = include_str!("provider/valkey.tsv");

const CACHES: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["valkey"]
  mirror   = "registry.example"

  inputs "valkey" {
    auth_secret = "cache"
    tls_secret  = "certificate"
  }
}
"#;

const PHI: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  services = ["cloudnative-pg"]

  inputs "cloudnative-pg" {
    namespace         = "databases"
    storage           = 50
    storage_class     = "fast"
    parameters        = { max_connections = "200" }
    image_pull_secret = "registry"
  }
}
"#;

fn instance(name: &str, version: &str, more: &str) -> String {
    format!(
        "resource \"aws_db_instance\" \"{name}\" {{\n  identifier = \"{name}\"\n  engine = \"postgres\"\n  \
         engine_version = \"{version}\"\n  instance_class = \"db.t3.micro\"\n  allocated_storage = 20\n{more}}}\n"
    )
}

fn aurora(name: &str, version: &str) -> String {
    format!(
        "resource \"aws_rds_cluster\" \"{name}\" {{\n  cluster_identifier = \"{name}\"\n  engine = \"aurora-postgresql\"\n  \
         engine_version = \"{version}\"\n  manage_master_user_password = true\n}}\n\
         resource \"aws_rds_cluster_instance\" \"{name}\" {{\n  count = 2\n  cluster_identifier = aws_rds_cluster.{name}.id\n  \
         instance_class = \"db.r6g.large\"\n  engine = aws_rds_cluster.{name}.engine\n}}\n"
    )
}

#[test]
fn every_version_of_postgres_is_planned() {
    let provider = Provider::start();
    let mut main: String =
        ["14", "15", "16", "17", "18"].iter().map(|v| instance(&format!("v{v}"), v, "")).collect();
    main.push_str(&instance("minor", "15.4", "  multi_az = true\n"));
    ["14", "15", "16.4", "17"].iter().for_each(|v| main.push_str(&aurora(&format!("a{}", &v[..2]), v)));
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", PHI)]);
    let all = manifests(&scratch);
    assert_eq!(all.len(), 10, "{all:#?}");
    for (address, manifest) in &all {
        assert!(faults(manifest, CLUSTER).is_empty(), "{address}: {:?}", faults(manifest, CLUSTER));
    }
    let of = |name: &str| &all[&format!("module.{name}.module.cluster.helm_release.cluster")]["spec"];
    for version in ["14", "15", "16", "17", "18"] {
        let image = of(&format!("v{version}"))["imageName"].as_str().unwrap();
        let front = format!("ghcr.io/cloudnative-pg/postgresql:{version}.");
        assert!(image.starts_with(&front) && image.contains("@sha256:"), "{image}");
    }
    assert_eq!(of("minor")["imageName"], of("v15")["imageName"]);
    assert_eq!((&of("minor")["instances"], &of("v15")["instances"]), (&2.into(), &1.into()));
    assert_eq!(of("v15")["resources"]["requests"]["cpu"], "200m");
    assert_eq!(of("a16")["resources"]["limits"]["memory"], "16Gi");
    assert_eq!(
        (&of("a16")["storage"]["size"], &of("v16")["storage"]["size"]),
        (&"50Gi".into(), &"20Gi".into())
    );
    // The proof can fail.
    let mut broken = all["module.v15.module.cluster.helm_release.cluster"].clone();
    broken["spec"]["replicas"] = 3.into();
    broken["spec"]["instances"] = "two".into();
    broken["kind"] = "Clusters".into();
    assert_eq!(faults(&broken, CLUSTER).len(), 3);
}

#[test]
fn a_variable_chooses_among_the_versions() {
    let provider = Provider::start();
    let main = format!(
        "variable \"engine_version\" {{\n  type = string\n}}\n{}output \"version\" {{\n  value = \
         aws_db_instance.app.engine_version_actual\n}}\n",
        instance("app", "", "").replace("\"\"", "var.engine_version")
    );
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", PHI)]);
    for version in ["14", "18"] {
        let (plan, _) = scratch.phi_plan(&[&format!("-var=engine_version={version}")]);
        let said = plan.output_changes["version"].after.as_str().unwrap().to_owned();
        assert!(said.starts_with(&format!("{version}.")), "{said}");
    }
    let ran = scratch.tf_phi(&["plan", "-input=false", "-var=engine_version=13"]);
    assert!(ran.code == 1 && ran.stderr.contains("isn't among the values"), "{}", ran.stderr);
}

#[test]
fn a_new_cluster_takes_it_in_one_apply() {
    let provider = Provider::start();
    let child = format!(
        "{}output \"address\" {{\n  value = aws_db_instance.app.address\n}}\n",
        instance("app", "16", "")
    );
    let main = "module \"database\" {\n  source = \"./database\"\n}\noutput \"address\" {\n  value = module.database.address\n}\n";
    let files = [
        ("main.tf", &*format!("{main}{}", instance("other", "17", ""))),
        ("database/main.tf", &child),
        ("phi.hcl", PHI),
    ];
    let scratch = scratch(&provider, &files);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color"]).expect(0);
    let before = scratch.sources();
    let made = provider.made();
    assert_eq!(made.first().map(String::as_str), Some("cloudnative-pg"), "{made:?}");
    assert_eq!(made.len(), 3, "{made:?}");
    let found = actions(&scratch.phi_plan(&[]).0);
    assert!(found.values().all(|a| a.actions == "no-op"), "{found:?}");
    assert_eq!(scratch.sources(), before, "a second run changed something");
    let shown = scratch.terraform(&["output", "-raw", "address"]).expect(0);
    assert_eq!(shown.stdout, "app-rw.databases.svc");
    // Where the operator is there already, nobody makes another one.
    let provider = Provider::start();
    let phi = PHI.replace("    namespace ", "    operator          = \"installed\"\n    namespace ");
    let scratch = self::scratch(&provider, &[("main.tf", &instance("app", "16", "")), ("phi.hcl", &phi)]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color"]).expect(0);
    assert_eq!(provider.made(), ["app"]);
}

#[test]
fn what_the_operator_can_not_do_stops_the_plan() {
    let provider = Provider::start();
    for (more, said) in [
        ("  port = 5433\n", "listens on port 5432 only"),
        ("  username = \"postgres\"\n", "keeps the roles postgres"),
        ("  instance_class = \"db.x1e.large\"\n", "micro to 24xlarge"),
    ] {
        let own = instance("app", "16", more);
        let own = if more.contains("class") {
            own.replacen("  instance_class = \"db.t3.micro\"\n", "", 1)
        } else {
            own
        };
        let scratch = scratch(&provider, &[("main.tf", &own), ("phi.hcl", PHI)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
    }
    // An argument that the provider doesn't have is refused, so that the rest of this proves something.
    let scratch = scratch(
        &provider,
        &[(
            "main.tf",
            "resource \"helm_release\" \"x\" {\n  name = \"x\"\n  chart = \"x\"\n  replicas = 1\n}\n",
        )],
    );
    let ran = scratch.terraform(&["validate", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("Unsupported argument"), "{}", ran.stderr);
}

fn group(name: &str, more: &str) -> String {
    format!(
        "resource \"aws_elasticache_replication_group\" \"{name}\" {{\n  replication_group_id = \"{name}\"\n  description = \
         \"c\"\n  node_type = \"cache.r6g.large\"\n{more}}}\n"
    )
}

fn cache(name: &str, engine: &str) -> String {
    format!(
        "resource \"aws_elasticache_cluster\" \"{name}\" {{\n  cluster_id = \"{name}\"\n  engine = \"{engine}\"\n  node_type = \
         \"cache.t3.micro\"\n  num_cache_nodes = 1\n}}\n"
    )
}

#[test]
fn every_form_of_a_cache_is_planned() {
    let provider = Provider::start();
    let main = [
        group("alone", "  automatic_failover_enabled = false\n"),
        group(
            "many",
            "  num_cache_clusters = 3\n  transit_encryption_enabled = true\n  engine_version = \"7.1\"\n",
        ),
        cache("redis", "redis"),
        cache("valkey", "valkey"),
        "output \"all\" {\n  value = [aws_elasticache_replication_group.many.reader_endpoint_address, \
         aws_elasticache_cluster.redis.cache_nodes[0].address]\n}\n"
            .to_owned(),
    ];
    let scratch = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", CACHES)]);
    let all = manifests(&scratch);
    assert_eq!(all.len(), 4, "{all:#?}");
    for (address, values) in &all {
        assert!(faults(values, VALUES).is_empty(), "{address}: {:?}", faults(values, VALUES));
    }
    let of = |name: &str| &all[&format!("module.{name}.module.release.helm_release.valkey")];
    assert_eq!(
        (&of("alone")["replica"]["enabled"], &of("alone")["dataStorage"]["enabled"]),
        (&false.into(), &true.into())
    );
    assert_eq!(
        (&of("many")["replica"]["replicas"], &of("many")["tls"]["enabled"]),
        (&2.into(), &true.into())
    );
    assert_eq!(of("many")["global"]["imageRegistry"], "registry.example");
    assert_eq!(of("redis")["resources"]["requests"]["memory"], "768Mi");
    let (plan, _) = scratch.phi_plan(&[]);
    let said = &plan.output_changes["all"].after;
    assert_eq!(said, &serde_json::json!(["many-read.default.svc", "redis.default.svc"]));
}

/// Each version has an image of its own line; without one it is the newest.
#[test]
fn every_version_of_a_cache_is_planned() {
    let provider = Provider::start();
    let lines = [
        ("7.0", "7.2."),
        ("7.1", "7.2."),
        ("7.2", "7.2."),
        ("8.0", "8.0."),
        ("8.1", "8.1."),
        ("9.0", "9.0."),
        ("9.1", "9.1."),
    ];
    let name = |version: &str| format!("v{}", version.replace('.', "-"));
    let asked = |version: &str| format!("  engine_version = \"{version}\"\n");
    let mut main: String = lines.iter().map(|(v, _)| group(&name(v), &asked(v))).collect();
    main.push_str(&group("new", "  engine = \"valkey\"\n"));
    main.push_str(
        &cache("alone", "valkey").replace("  node_type", "  engine_version = \"8.1\"\n  node_type"),
    );
    main.push_str(
        "output \"actual\" {\n  value = aws_elasticache_replication_group.new.engine_version_actual\n}\n",
    );
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", CACHES)]);
    let all = manifests(&scratch);
    assert_eq!(all.len(), 9, "{all:#?}");
    for (address, values) in &all {
        assert!(faults(values, VALUES).is_empty(), "{address}: {:?}", faults(values, VALUES));
    }
    let expected = lines.iter().map(|(v, front)| (name(v), *front));
    let more = [("new", "9.1."), ("alone", "8.1.")].map(|(n, front)| (n.to_owned(), front));
    for (name, front) in expected.chain(more) {
        let own = all.iter().find(|(_, values)| values["fullnameOverride"] == *name).unwrap().1;
        assert!(own["image"]["tag"].as_str().unwrap().starts_with(front), "{name}: {own}");
    }
    let (plan, _) = scratch.phi_plan(&[]);
    assert_eq!(plan.output_changes["actual"].after, "9.1.4");
    let old = Scratch::with(&[("main.tf", &group("c", &asked("6.2"))), ("phi.hcl", CACHES)]);
    let ran = old.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
    let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("can't do \"6.2\"") && said.contains("jumps over a major version"),
        "{}",
        ran.stderr
    );
    assert!(said.contains("engine_version = \"9.1\""), "{}", ran.stderr);
}

#[test]
fn what_valkey_can_not_do_stops_the_plan() {
    let provider = Provider::start();
    let failover = "  automatic_failover_enabled = true\n";
    for (more, phi, said) in [
        (failover, CACHES.to_owned(), "has no failover"),
        ("  num_node_groups = 2\n", CACHES.to_owned(), "has no shards"),
        ("  auth_token = \"t\"\n", CACHES.to_owned(), "would stand in the state"),
    ] {
        let scratch = Scratch::with(&[("main.tf", &group("c", more)), ("phi.hcl", &phi)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let phi = CACHES.replace("    tls_secret  = \"certificate\"\n", "");
    let tls = group("c", "  transit_encryption_enabled = true\n");
    let scratch = scratch(&provider, &[("main.tf", &tls), ("phi.hcl", &phi)]);
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("needs a secret with a certificate"), "{}", ran.stderr);
}
