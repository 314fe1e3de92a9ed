//! Clusters of MSK on Strimzi, planned and applied by the real Terraform against a provider that makes nothing.

use crate::manifests::{faults, manifest, scratch, values};
use crate::provider::Provider;
use crate::support::Scratch;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const FIELDS: &str = include_str!("provider/strimzi.tsv");

const PHI: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["strimzi"]
  drops       = ["aws_security_group", "aws_secretsmanager_secret"]

  inputs "strimzi" {
    namespace     = "streams"
    storage_class = "fast"
    users         = ["alice"]
  }
}
"#;

/// A cluster as people write it, with what belongs to it.
fn cluster(name: &str, version: &str, login: &str) -> String {
    format!(
        r#"
resource "aws_security_group" "{name}" {{
  name = "kafka"
}}
resource "aws_secretsmanager_secret" "{name}" {{
  name = "AmazonMSK_{name}"
}}
resource "aws_msk_configuration" "{name}" {{
  name              = "{name}"
  kafka_versions    = ["{version}"]
  server_properties = <<-EOT
    # What the application counts on.
    auto.create.topics.enable = true
    log.retention.hours=24
  EOT
}}
resource "aws_msk_cluster" "{name}" {{
  cluster_name           = "{name}"
  kafka_version          = "{version}"
  number_of_broker_nodes = 3

  broker_node_group_info {{
    instance_type   = "kafka.m7g.large"
    client_subnets  = ["a", "b", "c"]
    security_groups = [aws_security_group.{name}.id]
    storage_info {{
      ebs_storage_info {{
        volume_size = 100
        provisioned_throughput {{
          enabled = false
        }}
      }}
    }}
  }}
  configuration_info {{
    arn      = aws_msk_configuration.{name}.arn
    revision = aws_msk_configuration.{name}.latest_revision
  }}
  {login}
  logging_info {{
    broker_logs {{
      cloudwatch_logs {{
        enabled = false
      }}
    }}
  }}
  tags = {{ team = "streams" }}
}}
resource "aws_msk_scram_secret_association" "{name}" {{
  cluster_arn     = aws_msk_cluster.{name}.arn
  secret_arn_list = [aws_secretsmanager_secret.{name}.arn]
}}
output "{name}" {{
  value = [
    aws_msk_cluster.{name}.bootstrap_brokers,
    aws_msk_cluster.{name}.bootstrap_brokers_tls,
    aws_msk_cluster.{name}.bootstrap_brokers_sasl_scram,
  ]
}}
"#
    )
}

const SCRAM: &str = "client_authentication {\n    sasl {\n      scram = true\n    }\n  }";

fn sound(values: &BTreeMap<String, Json>) -> usize {
    let all: Vec<&Json> = values.values().flat_map(|v| v["manifests"].as_array().unwrap()).collect();
    all.iter().for_each(|m| assert_eq!(faults(m, FIELDS), [] as [String; 0], "{m:#}"));
    all.len()
}

fn listeners(values: &BTreeMap<String, Json>, name: &str) -> Vec<(u64, bool, Option<String>)> {
    let kafka = manifest(values, "Kafka", name);
    let all = kafka["spec"]["kafka"]["listeners"].as_array().unwrap().clone();
    let login = |l: &Json| l["authentication"]["type"].as_str().map(str::to_owned);
    all.iter().map(|l| (l["port"].as_u64().unwrap(), l["tls"].as_bool().unwrap(), login(l))).collect()
}

#[test]
fn every_version_of_kafka_is_planned() {
    let provider = Provider::start();
    let versions = ["4.2.0", "4.2.1", "4.3.0", "4.3.1", "4.2.x", "4.3.x.kraft"];
    let name = |at: usize| format!("k{at}");
    let main: String = versions.iter().enumerate().map(|(at, v)| cluster(&name(at), v, SCRAM)).collect();
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", PHI)]);
    let all = values(&scratch, &[]);
    assert_eq!((all.len(), sound(&all)), (6, 24));
    let planned = ["4.2.0", "4.2.1", "4.3.0", "4.3.1", "4.2.1", "4.3.1"];
    for (at, version) in planned.iter().enumerate() {
        let kafka = &manifest(&all, "Kafka", &name(at))["spec"]["kafka"];
        let metadata = if version.starts_with("4.2") { "4.2-IV1" } else { "4.3-IV0" };
        assert_eq!((&kafka["version"], &kafka["metadataVersion"]), (&json!(version), &json!(metadata)));
    }
    let kafka = manifest(&all, "Kafka", "k0");
    let config = &kafka["spec"]["kafka"]["config"];
    let set = ["auto.create.topics.enable", "log.retention.hours", "min.insync.replicas"].map(|k| &config[k]);
    assert_eq!(set, [&json!("true"), &json!("24"), &json!("2")]);
    let pool = &manifest(&all, "KafkaNodePool", "k0-broker")["spec"];
    assert_eq!((&pool["replicas"], &pool["resources"]["requests"]["memory"]), (&json!(3), &json!("8Gi")));
    assert_eq!(
        pool["storage"]["volumes"][0],
        json!({ "id": 0, "type": "persistent-claim", "size": "100Gi", "class": "fast" })
    );
    assert_eq!(listeners(&all, "k0"), [(9096, true, Some("scram-sha-512".to_owned()))]);
    let (plan, _) = scratch.phi_plan(&[]);
    assert_eq!(plan.output_changes["k0"].after, json!(["", "", "k0-kafka-bootstrap.streams.svc:9096"]));
    // The proof can fail.
    let mut broken = kafka.clone();
    broken["spec"]["kafka"]["replicas"] = 3.into();
    broken["spec"]["kafka"]["metadataVersion"] = "4.1".into();
    broken["spec"]["kafka"]["listeners"][0]["port"] = 9091.into();
    assert_eq!(faults(&broken, FIELDS).len(), 3);
}

#[test]
fn every_kind_of_login_has_its_listener() {
    let provider = Provider::start();
    let transit = |how: &str| {
        format!(
            "encryption_info {{\n    encryption_in_transit {{\n      client_broker = \"{how}\"\n    }}\n  }}"
        )
    };
    let login = |inner: &str| format!("client_authentication {{\n{inner}\n  }}");
    let cases = [
        ("none", String::new()),
        ("both", transit("TLS_PLAINTEXT")),
        ("plain", transit("PLAINTEXT")),
        ("mutual", login("tls {\n certificate_authority_arns = [\"arn:aws:acm-pca:x\"]\n }")),
        ("all", login("unauthenticated = true\nsasl {\n scram = true\n iam = false\n }")),
    ];
    let main: String = cases.iter().map(|(name, more)| cluster(name, "4.3.1", more)).collect();
    let phi = PHI.replace("    users         = [\"alice\"]\n", "");
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", &phi)]);
    let all = values(&scratch, &[]);
    sound(&all);
    let (open, tls) = ((9094, true, None), Some("tls".to_owned()));
    assert_eq!(listeners(&all, "none"), std::slice::from_ref(&open));
    assert_eq!(listeners(&all, "both"), [(9092, false, None), open.clone()]);
    assert_eq!(listeners(&all, "plain"), [(9092, false, None)]);
    assert_eq!(listeners(&all, "mutual"), [(9094, true, tls)]);
    assert_eq!(listeners(&all, "all"), [open, (9096, true, Some("scram-sha-512".to_owned()))]);
}

#[test]
fn a_cluster_with_all_that_belongs_to_it_takes_one_apply() {
    let provider = Provider::start();
    let child = cluster("app", "4.3.1", SCRAM);
    let main = "module \"streams\" {\n  source = \"./streams\"\n}\noutput \"brokers\" {\n  value = module.streams.app\n}\n";
    let scratch = scratch(&provider, &[("main.tf", main), ("streams/main.tf", &child), ("phi.hcl", PHI)]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color"]).expect(0);
    assert_eq!(provider.made(), ["strimzi", "app"]);
    let before = scratch.sources();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-detailed-exitcode"]).expect(0);
    assert_eq!(scratch.sources(), before, "a second run changed something");
    assert!(!ran.stdout.contains("resource \"aws_"), "{}", ran.stdout);
}

#[test]
fn what_strimzi_can_not_do_stops_the_plan() {
    let stopped = |main: &str, phi: &str| {
        Scratch::with(&[("main.tf", main), ("phi.hcl", phi)]).tf_phi(&["plan", "-input=false"])
    };
    let ran = stopped(&cluster("app", "3.6.0", SCRAM), PHI).expect(1);
    assert!(
        ran.stderr.contains("can't do \"3.6.0\"") && ran.stderr.contains("kafka_version = \"4.3.1\""),
        "{}",
        ran.stderr
    );
    let ran = stopped(&cluster("app", "4.3.1", &SCRAM.replace("scram", "iam")), PHI).expect(1);
    assert!(ran.stderr.contains("knows no IAM"), "{}", ran.stderr);
    let provider = Provider::start();
    let main = cluster("app", "4.3.1", SCRAM);
    let cases = [
        (main.replace("        volume_size = 100\n", ""), "form factor's inputs: storage"),
        (main.replace("kafka.m7g.large", "kafka.x1.large"), "large to 24xlarge"),
        (main.replace("aws_msk_configuration.app.arn", "\"arn:aws:kafka:x\""), "can't be read"),
        (
            main.replace("log.retention.hours=24", "allow.everyone.if.no.acl.found=false"),
            "no access control lists",
        ),
        (main.replace(SCRAM, ""), "Users need a listener"),
        (main.replace("sasl {", "tls {}\n    unauthenticated = true\n    sasl {"), "Choose between"),
    ];
    for (own, said) in cases {
        let scratch = scratch(&provider, &[("main.tf", &own), ("phi.hcl", PHI)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
    }
    // The way out of an old version.
    let phi = PHI.replace("    namespace ", "    kafka_version = \"4.3.1\"\n    namespace ");
    let scratch = scratch(&provider, &[("main.tf", &cluster("app", "3.6.0", SCRAM)), ("phi.hcl", &phi)]);
    assert_eq!(manifest(&values(&scratch, &[]), "Kafka", "app")["spec"]["kafka"]["version"], "4.3.1");
}

#[test]
fn a_variable_chooses_among_the_versions_of_kafka() {
    let provider = Provider::start();
    let main = format!(
        "variable \"kafka\" {{\n  type = string\n}}\n{}",
        cluster("app", "", SCRAM).replace("kafka_versions    = [\"\"]", "").replace("= \"\"", "= var.kafka")
    );
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", PHI)]);
    for version in ["4.2.0", "4.3.1"] {
        let all = values(&scratch, &[&format!("-var=kafka={version}")]);
        assert_eq!(manifest(&all, "Kafka", "app")["spec"]["kafka"]["version"], version);
    }
    let ran = scratch.tf_phi(&["plan", "-input=false", "-var=kafka=3.6.0"]);
    assert!(ran.code == 1 && ran.stderr.contains("isn't among the values"), "{}", ran.stderr);
}
