//! What services hand to Helm, put to a real API server: `kubectl apply --dry-run=server` with strict fields.
//!
//! `TF_PHI_E2E_KUBECONFIG` names the kubeconfig of a cluster for tests, and `TF_PHI_E2E_CRDS` a folder or file with definitions of
//! custom resources that are put there first. Without a cluster this says SKIPPED, and so it does of each kind that the cluster
//! doesn't define. In the cluster a namespace is made and removed, and definitions stay.

use crate::manifests::{all_values, scratch};
use crate::provider::Provider;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const CLUSTER: &str = "TF_PHI_E2E_KUBECONFIG";
const CRDS: &str = "TF_PHI_E2E_CRDS";
const OWN: &str = "services/rabbitmq/operator/chart/crds";

const PHI: &str = r#"
settings {
  form_factor = "on-prem"
}
form_factor "on-prem" {
  environment = "kubernetes"
  services    = ["cloudnative-pg", "rabbitmq", "seaweedfs", "strimzi"]

  inputs "cloudnative-pg" {
    parameters = { max_connections = "200" }
  }
  inputs "rabbitmq" {
    user_secret = ""
  }
}
"#;

const MAIN: &str = r#"
resource "aws_db_instance" "app" {
  identifier        = "database"
  engine            = "postgres"
  engine_version    = "16"
  instance_class    = "db.t3.micro"
  allocated_storage = 20
}
resource "aws_mq_broker" "app" {
  broker_name        = "queue"
  engine_type        = "RabbitMQ"
  engine_version     = "4.2"
  host_instance_type = "mq.m5.large"

  user {
    username = "app"
    password = "not carried over"
  }
}
resource "aws_s3_bucket" "app" {
  bucket = "bucket"
}
resource "aws_msk_cluster" "app" {
  cluster_name           = "events"
  kafka_version          = "4.3.1"
  number_of_broker_nodes = 3

  broker_node_group_info {
    instance_type = "kafka.m7g.large"

    storage_info {
      ebs_storage_info {
        volume_size = 100
      }
    }
  }
}
"#;

/// A cluster, as `kubectl` reaches it.
struct Cluster {
    kubeconfig: String,
    namespace: String,
}

impl Cluster {
    fn kubectl(&self, arguments: &[&str], input: Option<&str>) -> Output {
        let mut command = Command::new("kubectl");
        command.args(["--kubeconfig", &self.kubeconfig, "--request-timeout=60s"]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("kubectl has to be on PATH: {e}"));
        child.stdin.take().unwrap().write_all(input.unwrap_or_default().as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    #[track_caller]
    fn expect(&self, arguments: &[&str], input: Option<&str>) -> String {
        let out = self.kubectl(arguments, input);
        assert!(out.status.success(), "kubectl {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    }

    /// The kinds that the cluster knows, each with its API group and version.
    fn kinds(&self) -> BTreeSet<(String, String)> {
        let listed = self.expect(&["api-resources", "--no-headers"], None);
        let kind = |line: &str| {
            let cells: Vec<&str> = line.split_whitespace().rev().take(3).collect();
            Some(((*cells.get(2)?).to_owned(), (*cells.first()?).to_owned()))
        };
        listed.lines().filter_map(kind).collect()
    }

    fn refused(&self, manifest: &Json) -> Option<String> {
        let own = ["apply", "--dry-run=server", "--validate=strict", "-n", &self.namespace, "-f", "-"];
        let out = self.kubectl(&own, Some(&manifest.to_string()));
        (!out.status.success()).then(|| String::from_utf8_lossy(&out.stderr).into_owned())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.kubectl(&["delete", "namespace", &self.namespace, "--ignore-not-found", "--wait=false"], None);
    }
}

fn skipped(what: &str) {
    eprintln!("SKIPPED: {what}");
}

/// The manifests of all releases of a plan, those of operators too, by release and name.
fn rendered(all: BTreeMap<String, Json>) -> Vec<(String, Json)> {
    let of = |(address, values): (String, Json)| {
        let own = values["manifests"].as_array().cloned().unwrap_or_default();
        own.into_iter().map(move |m| (format!("{address}: {} {}", m["kind"], m["metadata"]["name"]), m))
    };
    all.into_iter().flat_map(of).collect()
}

#[test]
fn a_real_api_server_takes_every_manifest() {
    let provider = Provider::start();
    let tree = scratch(&provider, &[("main.tf", MAIN), ("phi.hcl", PHI)]);
    let manifests = rendered(all_values(&tree, &[]));
    let kinds: BTreeSet<&str> = manifests.iter().filter_map(|(_, m)| m["kind"].as_str()).collect();
    for kind in ["Cluster", "RabbitmqCluster", "Bucket", "Kafka", "KafkaNodePool", "Deployment"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
    let Ok(kubeconfig) = std::env::var(CLUSTER) else {
        skipped(
            "manifests on a real API server, since there is none; name the kubeconfig of a cluster for tests:",
        );
        return skipped(&format!(
            "{CLUSTER}=~/.kube/config {CRDS}=FOLDER cargo test --test e2e -- apiserver::"
        ));
    };
    let cluster = Cluster { kubeconfig, namespace: format!("tf-phi-{}", std::process::id()) };
    cluster.expect(&["version"], None);
    cluster.expect(&["create", "namespace", &cluster.namespace], None);
    for definitions in std::iter::once(OWN.to_owned()).chain(std::env::var(CRDS)) {
        cluster.expect(&["apply", "--server-side", "--force-conflicts", "-f", &definitions], None);
        cluster.expect(&["wait", "--for=condition=Established", "--timeout=60s", "-f", &definitions], None);
    }
    let known = cluster.kinds();
    let is_known = |m: &Json| {
        let (version, kind) =
            (m["apiVersion"].as_str().unwrap_or_default(), m["kind"].as_str().unwrap_or_default());
        known.contains(&(version.to_owned(), kind.to_owned()))
    };
    let (asked, unknown): (Vec<_>, Vec<_>) = manifests.iter().partition(|(_, m)| is_known(m));
    for (name, _) in &unknown {
        skipped(&format!(
            "{name}, which the cluster doesn't define; {CRDS} names a folder with its definition"
        ));
    }
    assert!(asked.iter().any(|(_, m)| m["kind"] == "RabbitmqCluster"), "nothing was asked: {known:?}");
    let refused = asked.iter().filter_map(|(name, m)| Some(format!("{name}: {}", cluster.refused(m)?)));
    assert_eq!(refused.collect::<Vec<_>>(), Vec::<String>::new());
    // The proof can fail.
    for (name, manifest) in &asked {
        let mut broken = manifest.clone();
        broken["nothing"] = json!(1);
        assert!(cluster.refused(&broken).is_some(), "{name} with a field that there isn't");
    }
}
