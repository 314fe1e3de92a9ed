//! Parameter groups of RDS as parameters of PostgreSQL, those of ElastiCache as lines of valkey.conf, and the Aurora module of the registry, planned by the real Terraform.

use crate::manifests::{faults, manifests, scratch};
use crate::provider::Provider;

const CLUSTER: &str = include_str!("provider/cnpg.tsv");

fn phi(more: &str) -> String {
    format!(
        "settings {{\n  form_factor = \"on-prem\"\n}}\nform_factor \"on-prem\" {{\n  environment = \"kubernetes\"\n  services    = \
         [\"cloudnative-pg\"]\n\n  inputs \"cloudnative-pg\" {{\n    storage = 50\n{more}  }}\n}}\n"
    )
}

fn parameter(name: &str, value: &str) -> String {
    format!(
        "  parameter {{\n    name         = \"{name}\"\n    value        = {value}\n    apply_method = \"pending-reboot\"\n  }}\n"
    )
}

fn group(kind: &str, name: &str, parameters: &str) -> String {
    format!(
        "resource \"{kind}\" \"{name}\" {{\n  name   = \"{name}\"\n  family = \"postgres16\"\n\n{parameters}}}\n"
    )
}

fn database(name: &str, group: &str) -> String {
    format!(
        "resource \"aws_db_instance\" \"{name}\" {{\n  identifier           = \"{name}\"\n  engine               = \"postgres\"\n  \
         engine_version       = \"16\"\n  instance_class       = \"db.t3.micro\"\n  allocated_storage    = 20\n  \
         parameter_group_name = {group}\n}}\n"
    )
}

/// A group's parameters stand in the cluster of each database that names it; inputs go before, and may leave some out.
#[test]
fn a_parameter_group_becomes_parameters() {
    let provider = Provider::start();
    let shared =
        [parameter("max_connections", "var.connections"), parameter("log_min_duration_statement", "\"500\"")]
            .concat();
    let aurora = "resource \"aws_rds_cluster\" \"many\" {\n  cluster_identifier              = \"many\"\n  engine                          = \
                  \"aurora-postgresql\"\n  engine_version                  = \"16.4\"\n  db_cluster_parameter_group_name = \
                  aws_rds_cluster_parameter_group.many.name\n}\n";
    let main = [
        "variable \"connections\" {\n  type    = number\n  default = 200\n}\n".to_owned(),
        group("aws_db_parameter_group", "shared", &[shared, parameter("rds.force_ssl", "\"1\"")].concat()),
        database("one", "aws_db_parameter_group.shared.name"),
        database("two", "aws_db_parameter_group.shared.id"),
        database("other", "\"default.postgres16\""),
        group("aws_rds_cluster_parameter_group", "many", &parameter("work_mem", "\"65536\"")),
        aurora.to_owned(),
    ];
    let inputs = "    without_parameters = [\"rds.force_ssl\"]\n    parameters = { idle_session_timeout = \"60000\" }\n";
    let tree = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", &phi(inputs))]);
    let all = manifests(&tree);
    assert_eq!(all.len(), 4, "{all:#?}");
    for (address, manifest) in &all {
        assert!(faults(manifest, CLUSTER).is_empty(), "{address}: {:?}", faults(manifest, CLUSTER));
    }
    let of = |name: &str| {
        all[&format!("module.{name}.module.cluster.helm_release.cluster")]["spec"]["postgresql"]["parameters"]
            .clone()
    };
    let common = serde_json::json!({
        "idle_session_timeout": "60000", "log_min_duration_statement": "500", "max_connections": "200",
    });
    assert_eq!((of("one"), of("two")), (common.clone(), common));
    assert_eq!(of("other"), serde_json::json!({ "idle_session_timeout": "60000" }));
    assert_eq!(of("many"), serde_json::json!({ "idle_session_timeout": "60000", "work_mem": "65536" }));
}

#[test]
fn parameters_that_only_rds_or_the_operator_has_stop_the_plan() {
    let provider = Provider::start();
    for (name, value, said) in [
        ("rds.force_ssl", "\"1\"", "without_parameters = [\"rds.force_ssl\"]"),
        ("shared_preload_libraries", "\"pg_stat_statements\"", "CloudNativePG sets these parameters itself"),
        (
            "shared_buffers",
            "\"{DBInstanceClassMemory/32768}\"",
            "Only RDS takes formulas in braces, for shared_buffers",
        ),
    ] {
        let main = [
            group("aws_db_parameter_group", "own", &parameter(name, value)),
            database("app", "aws_db_parameter_group.own.name"),
        ];
        let tree = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", &phi(""))]);
        let ran = tree.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
    }
}

/// Nobody installs the module; both of its forms are taken.
#[test]
fn the_aurora_module_is_replaced() {
    let provider = Provider::start();
    let call = |name: &str, more: &str| {
        format!(
            "module \"{name}\" {{\n  source         = \"terraform-aws-modules/rds-aurora/aws\"\n  name           = \"{name}\"\n  engine         = \
             \"aurora-postgresql\"\n  engine_version = \"16.4\"\n  vpc_id         = \"vpc-1\"\n{more}}}\n"
        )
    };
    let nine = "  instance_class = \"db.r6g.xlarge\"\n  instances = {\n    one = {}\n    two = {}\n    three = {}\n  }\n  \
                db_cluster_parameter_group_parameters = [\n    { name = \"work_mem\", value = 65536, apply_method = \"immediate\" },\n  ]\n";
    let ten = "  instances = {\n    one = { instance_class = \"db.r6g.large\" }\n  }\n  cluster_parameter_group = {\n    family     = \
               \"aurora-postgresql16\"\n    parameters = [{ name = \"work_mem\", value = \"1024\" }]\n  }\n  db_parameter_group = {\n    family     = \
               \"aurora-postgresql16\"\n    parameters = [{ name = \"work_mem\", value = \"2048\" }]\n  }\n";
    let outputs = "output \"all\" {\n  value = [module.nine.cluster_endpoint, module.nine.cluster_reader_endpoint, \
                   module.ten.cluster_reader_endpoint, module.ten.cluster_port]\n}\n";
    let main = [call("nine", nine), call("ten", ten), outputs.to_owned()];
    let tree = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", &phi(""))]);
    let all = manifests(&tree);
    assert_eq!(all.len(), 2, "{all:#?}");
    for (address, manifest) in &all {
        assert!(faults(manifest, CLUSTER).is_empty(), "{address}: {:?}", faults(manifest, CLUSTER));
    }
    let of = |name: &str| &all[&format!("module.on_prem_{name}.module.cluster.helm_release.cluster")]["spec"];
    assert_eq!((&of("nine")["instances"], &of("ten")["instances"]), (&3.into(), &1.into()));
    assert_eq!(of("nine")["resources"]["limits"]["memory"], "32Gi");
    assert_eq!(of("ten")["resources"]["limits"]["memory"], "16Gi");
    assert_eq!(of("nine")["postgresql"]["parameters"]["work_mem"], "65536");
    assert_eq!(of("ten")["postgresql"]["parameters"]["work_mem"], "2048");
    let (plan, _) = tree.phi_plan(&[]);
    assert_eq!(
        plan.output_changes["all"].after,
        serde_json::json!(["nine-rw.default.svc", "nine-ro.default.svc", "ten-r.default.svc", 5432])
    );
}

fn caches(more: &str) -> String {
    phi("").replace("cloudnative-pg", "valkey").replace("storage = 50\n", &format!("storage = 8\n{more}"))
}

fn cache_group(name: &str, parameters: &[(&str, &str)]) -> String {
    let all: String = parameters
        .iter()
        .map(|(name, value)| format!("  parameter {{\n    name  = \"{name}\"\n    value = {value}\n  }}\n"))
        .collect();
    format!(
        "resource \"aws_elasticache_parameter_group\" \"{name}\" {{\n  name   = \"{name}\"\n  family = \"redis7\"\n\n{all}}}\n"
    )
}

fn cache(name: &str, group: &str) -> String {
    format!(
        "resource \"aws_elasticache_cluster\" \"{name}\" {{\n  cluster_id           = \"{name}\"\n  engine               = \"redis\"\n  \
         engine_version       = \"7.1\"\n  node_type            = \"cache.t3.micro\"\n  num_cache_nodes      = 1\n  \
         parameter_group_name = {group}\n}}\n"
    )
}

/// A group's parameters are lines of valkey.conf; what is ElastiCache's own is left out by name.
#[test]
fn a_parameter_group_of_a_cache_becomes_lines() {
    let provider = Provider::start();
    let shared = [
        ("maxmemory-policy", "\"allkeys-lru\""),
        ("notify-keyspace-events", "\"\""),
        ("timeout", "var.timeout"),
        ("reserved-memory-percent", "\"25\""),
    ];
    let replicated = "resource \"aws_elasticache_replication_group\" \"many\" {\n  replication_group_id = \"many\"\n  description          = \"c\"\n  \
                      node_type            = \"cache.r6g.large\"\n  num_cache_clusters   = 2\n  parameter_group_name = \
                      aws_elasticache_parameter_group.many.id\n}\n";
    let main = [
        "variable \"timeout\" {\n  type    = number\n  default = 300\n}\n".to_owned(),
        cache_group("shared", &shared),
        cache_group("many", &shared),
        cache("one", "aws_elasticache_parameter_group.shared.name"),
        cache("other", "\"default.redis7\""),
        replicated.to_owned(),
    ];
    let inputs =
        "    without_parameters = [\"reserved-memory-percent\"]\n    config             = \"hz 20\"\n";
    let tree = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", &caches(inputs))]);
    let all = manifests(&tree);
    let of = |name: &str| {
        all[&format!("module.{name}.module.release.helm_release.valkey")]["valkeyConfig"].clone()
    };
    let lines = "maxmemory-policy allkeys-lru\nnotify-keyspace-events \"\"\ntimeout 300\n";
    assert_eq!(of("one"), format!("maxmemory 512mb\n{lines}hz 20"));
    assert_eq!(of("many"), format!("maxmemory 13383mb\n{lines}hz 20"));
    assert_eq!(of("other"), "maxmemory 512mb\nhz 20");
}

#[test]
fn parameters_that_valkey_does_not_have_stop_the_plan() {
    let provider = Provider::start();
    for (name, value, said) in [
        ("reserved-memory-percent", "\"25\"", "without_parameters = [\"reserved-memory-percent\"]"),
        (
            "cluster-enabled",
            "\"yes\"",
            "Valkey doesn't have these parameters of ElastiCache, or the service decides them: cluster-enabled",
        ),
        ("timeout", "\"1\\nrequirepass x\"", "The values of timeout are more than one word"),
    ] {
        let main =
            [cache_group("own", &[(name, value)]), cache("app", "aws_elasticache_parameter_group.own.name")];
        let tree = scratch(&provider, &[("main.tf", &main.concat()), ("phi.hcl", &caches(""))]);
        let ran = tree.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
    }
}
