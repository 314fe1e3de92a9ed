//! Brokers of Amazon MQ on RabbitMQ's operator, planned and applied by the real Terraform against a provider that makes nothing.

use crate::manifests::{all_values, faults, manifest, scratch, values, yaml};
use crate::provider::Provider;
use crate::support::Scratch;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const FIELDS: &str = include_str!("provider/rabbitmq.tsv");

const DEFINITION: &str = include_str!("../services/rabbitmq/operator/chart/crds/rabbitmqclusters.yaml");

const PHI: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment  = "kubernetes"
  connectivity = "air-gapped"
  posture      = "restricted"
  mirror       = "registry.example"
  services     = ["rabbitmq"]
  drops        = ["aws_security_group"]

  inputs "rabbitmq" {
    namespace     = "queues"
    storage_class = "fast"
    user_secret   = ""
  }
}
"#;

/// A broker as people write it, with what belongs to it.
fn broker(name: &str, version: &str, more: &str) -> String {
    format!(
        r#"
variable "{name}_password" {{
  type      = string
  default   = "secret"
  sensitive = true
}}
resource "aws_security_group" "{name}" {{
  name = "queue"
}}
resource "aws_mq_configuration" "{name}" {{
  name           = "{name}"
  engine_type    = "RabbitMQ"
  engine_version = "{version}"
  data           = <<-EOT
    # Half an hour
    consumer_timeout = 1800000
  EOT
}}
resource "aws_mq_broker" "{name}" {{
  broker_name         = "{name}"
  engine_type         = "RabbitMQ"
  engine_version      = "{version}"
  host_instance_type  = "mq.m7g.large"
  publicly_accessible = false
  security_groups     = [aws_security_group.{name}.id]
  subnet_ids          = ["a"]
  {more}
  configuration {{
    id       = aws_mq_configuration.{name}.id
    revision = aws_mq_configuration.{name}.latest_revision
  }}
  user {{
    username = "app"
    password = var.{name}_password
  }}
  logs {{
    general = true
  }}
}}
output "{name}" {{
  value = aws_mq_broker.{name}.instances[0].endpoints[0]
}}
"#
    )
}

fn sound(values: &BTreeMap<String, Json>) -> usize {
    let all: Vec<&Json> = values.values().flat_map(|v| v["manifests"].as_array().unwrap()).collect();
    all.iter().for_each(|m| assert_eq!(faults(m, FIELDS), [] as [String; 0], "{m:#}"));
    all.len()
}

#[test]
fn every_version_of_rabbitmq_is_planned() {
    let provider = Provider::start();
    let cluster = "deployment_mode = \"CLUSTER_MULTI_AZ\"";
    let main = [broker("one", "4.2", ""), broker("many_nodes", "4.2.3", cluster)].concat();
    let scratch = scratch(&provider, &[("main.tf", &main), ("phi.hcl", PHI)]);
    let all = all_values(&scratch, &[]);
    assert_eq!(sound(&all), 8);
    let one = manifest(&all, "RabbitmqCluster", "one");
    assert_eq!(
        one["spec"],
        json!({
            "replicas": 1,
            "image": "registry.example/library/rabbitmq:4.2.6-management",
            "persistence": { "storage": "200Gi", "storageClassName": "fast" },
            "rabbitmq": { "additionalConfig": "default_user = app\n# Half an hour\nconsumer_timeout = 1800000" },
            "resources": { "requests": { "cpu": "2", "memory": "8Gi" }, "limits": { "cpu": "2", "memory": "8Gi" } },
        })
    );
    let many = manifest(&all, "RabbitmqCluster", "many-nodes");
    assert_eq!((&many["spec"]["replicas"], &many["spec"]["image"]), (&json!(3), &one["spec"]["image"]));
    let operator = manifest(&all, "Deployment", "rabbitmq-cluster-operator");
    let pod = &operator["spec"]["template"]["spec"];
    assert_eq!(pod["containers"][0]["image"], "registry.example/rabbitmq/cluster-operator:2.22.3");
    let (plan, _) = scratch.phi_plan(&[]);
    assert_eq!(plan.output_changes["one"].after, "amqp://one.queues.svc:5672");
    let everything = serde_json::to_string(&all).unwrap();
    assert!(!everything.contains("secret\""), "a password: {everything}");
    // The proof can fail.
    let mut broken = one.clone();
    broken["spec"]["persistence"]["storage"] = "much".into();
    broken["spec"]["version"] = "4.2".into();
    assert_eq!(faults(&broken, FIELDS).len(), 2);
}

#[test]
fn a_secret_of_the_customer_s_gives_login_and_certificate() {
    let provider = Provider::start();
    let phi =
        PHI.replace("user_secret   = \"\"", "user_secret   = \"login\"\n    tls_secret    = \"certificate\"");
    let scratch = scratch(&provider, &[("main.tf", &broker("one", "4.2", "")), ("phi.hcl", &phi)]);
    let all = values(&scratch, &[]);
    sound(&all);
    let spec = &manifest(&all, "RabbitmqCluster", "one")["spec"];
    assert_eq!(spec["secretBackend"], json!({ "externalSecret": { "name": "login" } }));
    assert_eq!(spec["tls"], json!({ "secretName": "certificate", "disableNonTLSListeners": true }));
    let lines = spec["rabbitmq"]["additionalConfig"].as_str().unwrap();
    assert!(!lines.contains("default_user"), "{lines}");
    assert_eq!(scratch.phi_plan(&[]).0.output_changes["one"].after, "amqps://one.queues.svc:5671");
}

#[test]
fn a_broker_with_all_that_belongs_to_it_takes_one_apply() {
    let provider = Provider::start();
    let scratch = scratch(&provider, &[("main.tf", &broker("one", "4.2", "")), ("phi.hcl", PHI)]);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color"]).expect(0);
    assert_eq!(provider.made(), ["rabbitmq-cluster-operator", "one"]);
    let before = scratch.sources();
    scratch.tf_phi(&["plan", "-input=false", "-no-color", "-detailed-exitcode"]).expect(0);
    assert_eq!(scratch.sources(), before, "a second run changed something");
}

#[test]
fn what_rabbitmq_can_not_do_stops_the_plan() {
    let main = broker("one", "4.2", "");
    let stopped = |main: &str, phi: &str, said: &str| {
        let scratch = Scratch::with(&[("main.tf", main), ("phi.hcl", phi)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    };
    stopped(&broker("one", "3.13", ""), PHI, "engine_version = \"4.2\"");
    stopped(&main.replace("\"RabbitMQ\"", "\"ActiveMQ\""), PHI, "stands in for ActiveMQ");
    stopped(&main, &PHI.replace("    user_secret   = \"\"\n", ""), "Where the user's password comes from");
    stopped(&broker("one", "4.2", "ldap_server_metadata {\n hosts = []\n}\n"), PHI, "has its users itself");
    let provider = Provider::start();
    for (own, said) in [
        (main.replace("mq.m7g.large", "mq.c5.large"), "medium to 16xlarge"),
        (main.replace("aws_mq_configuration.one.id", "\"c-0a1b\""), "can't be read"),
        (broker("one", "4.2", "deployment_mode = \"ACTIVE_STANDBY_MULTI_AZ\""), "the deployment modes"),
    ] {
        let scratch = scratch(&provider, &[("main.tf", &own), ("phi.hcl", PHI)]);
        let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color"]).expect(1);
        let text = ran.stderr.split_whitespace().filter(|w| *w != "│").collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "{}", ran.stderr);
    }
}

/// The definition that comes with the service knows each field by its type, or lets it be as it is.
#[test]
fn the_definition_takes_what_the_service_writes() {
    let scratch = Scratch::with(&[]);
    let all = yaml(&scratch, &BTreeMap::from([("definition".to_owned(), DEFINITION.to_owned())]));
    let definition = &all["definition"];
    assert_eq!(definition["metadata"]["name"], "rabbitmqclusters.rabbitmq.com");
    let version = &definition["spec"]["versions"][0];
    assert_eq!((&version["name"], &version["storage"]), (&json!("v1beta1"), &json!(true)));
    let schema = &version["schema"]["openAPIV3Schema"];
    let mut typed = 0;
    for row in FIELDS.lines().filter_map(|l| l.strip_prefix("RabbitmqCluster:spec.")) {
        let (path, rest) = row.split_once('\t').unwrap();
        let mut at = &schema["properties"]["spec"];
        for step in path.trim_end_matches(".*").split('.') {
            let next = &at["properties"][step];
            if next.is_null() {
                assert_eq!(at["x-kubernetes-preserve-unknown-fields"], true, "{path} would be pruned");
                at = next;
                break;
            }
            at = next;
        }
        let kind = rest.split('\t').next().unwrap();
        if let Some(own) = at["type"].as_str().filter(|own| *own != "object") {
            assert_eq!(own, kind, "{path}");
            typed += 1;
        }
    }
    assert!(typed >= 3, "{typed}");
}
