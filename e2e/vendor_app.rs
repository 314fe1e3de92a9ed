//! `examples/vendor-app`: three modules deep, two environments, from AWS to a cluster of Kubernetes.

use crate::manifests::{manifest, values};
use crate::provider::Provider;
use crate::support::Scratch;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

const FACTOR: [&str; 2] = ["--form-factor", "on-prem"];

/// The tree as it is to be, over a provider that makes nothing.
fn prepared(provider: &Provider) -> Scratch {
    let mut scratch = Scratch::copy_of("examples/vendor-app");
    scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
    scratch.env("TF_PHI_FORM_FACTOR", "on-prem");
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.init();
    scratch
}

fn env_of(container: &Json) -> BTreeMap<String, Json> {
    let all = container["env"].as_array().unwrap();
    all.iter().map(|e| (e["name"].as_str().unwrap().to_owned(), e.clone())).collect()
}

#[test]
fn each_environment_is_planned_in_kubernetes() {
    let provider = Provider::start();
    let scratch = prepared(&provider);
    assert!(!scratch.dir().join(".terraform/providers").exists(), "a provider was installed");
    scratch.terraform(&["fmt", "-check", "-recursive"]).expect(0);
    let of = |env: &str| values(&scratch, &[&format!("-var-file=env/{env}.tfvars")]);
    let (dev, prod) = (of("dev"), of("prod"));
    let replicas = |all: &BTreeMap<String, Json>, name: &str| {
        manifest(all, "Deployment", name)["spec"]["replicas"].as_u64().unwrap()
    };
    assert_eq!((replicas(&dev, "acme-dev-web"), replicas(&prod, "acme-prod-web")), (1, 2));
    assert_eq!((replicas(&dev, "acme-dev-worker"), replicas(&prod, "acme-prod-worker")), (1, 3));
    let web = &manifest(&prod, "Deployment", "acme-prod-web")["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(web["image"], "registry.example/vendor/app:2.7.3");
    assert_eq!(web["resources"]["limits"], json!({ "cpu": "500m", "memory": "1024Mi" }));
    let env = env_of(web);
    assert_eq!(env["DATABASE_HOST"]["value"], "acme-prod-postgres-rw.app.svc");
    assert_eq!(env["QUEUE"]["value"], "amqp://acme-prod-queue.app.svc:5672");
    assert_eq!(env["BUCKET"]["value"], "acme-prod-files");
    let secret = &env["DATABASE_PASSWORD"]["valueFrom"]["secretKeyRef"];
    assert_eq!(secret, &json!({ "name": "acme-prod-postgres-app", "key": "password" }));
    assert_eq!(manifest(&prod, "Service", "acme-prod-web")["spec"]["ports"], json!([{ "port": 8080 }]));
    let image = |all: &BTreeMap<String, Json>, name: &str| {
        manifest(all, "Cluster", name)["spec"]["imageName"].as_str().unwrap().to_owned()
    };
    let front = "registry.example/cloudnative-pg/postgresql:";
    assert!(image(&dev, "acme-dev-postgres").starts_with(&format!("{front}17.")));
    assert!(image(&prod, "acme-prod-postgres").starts_with(&format!("{front}16.")));
    assert_eq!(manifest(&prod, "Bucket", "acme-prod-files")["spec"]["versioning"], "Enabled");
    assert_eq!(manifest(&dev, "Bucket", "acme-dev-files")["spec"]["versioning"], "Suspended");
    assert_eq!(manifest(&prod, "RabbitmqCluster", "acme-prod-queue")["spec"]["replicas"], 3);
}

#[test]
fn it_takes_one_apply_and_comes_back() {
    let provider = Provider::start();
    let scratch = prepared(&provider);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var-file=env/prod.tfvars"]).expect(0);
    let mut made = provider.made();
    made.sort_unstable();
    let own = ["cache", "files", "postgres", "queue", "web", "worker"].map(|n| format!("acme-prod-{n}"));
    let once =
        ["cloudnative-pg", "rabbitmq-cluster-operator", "seaweedfs", "seaweedfs-operator"].map(str::to_owned);
    assert_eq!(made, [&own[..], &once].concat());
    let before = scratch.sources();
    let again = ["plan", "-input=false", "-detailed-exitcode", "-var-file=env/prod.tfvars"];
    scratch.tf_phi(&again).expect(0);
    assert_eq!(scratch.sources(), before, "a second run changed something");
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), Scratch::copy_of("examples/vendor-app").sources());
}

/// Where the modules are called.
const CALLS: [(&str, &[&str]); 8] = [
    ("app", &["module.app"]),
    ("network", &["module.app.module.network"]),
    ("data", &["module.app.module.data"]),
    ("postgres", &["module.app.module.data.module.postgres"]),
    ("cache", &["module.app.module.data.module.cache"]),
    ("bucket", &["module.app.module.data.module.bucket"]),
    ("queue", &["module.app.module.data.module.queue"]),
    ("container", &["module.app.module.web", "module.app.module.worker"]),
];

/// Everything that the origin declares is replaced or goes, and the report says so of each.
#[test]
fn the_report_leaves_nothing_out() {
    let scratch = Scratch::copy_of("examples/vendor-app");
    let ran = scratch.tf_phi(&["diff", "--form-factor", "on-prem"]).expect(0);
    let said: Vec<&str> = ran.stderr.lines().map(str::trim_start).collect();
    let declared = regex::Regex::new(r#"(?m)^(resource|data) "(\w+)" "(\w+)""#).unwrap();
    let mut found = 0;
    for (folder, calls) in CALLS {
        let text = std::fs::read_to_string(scratch.dir().join(format!("modules/{folder}/main.tf"))).unwrap();
        for one in declared.captures_iter(&text) {
            let mode = if &one[1] == "data" { "data." } else { "" };
            for call in calls {
                let address = format!("{call}.{mode}{}.{}", &one[2], &one[3]);
                let fates = [format!("{address} becomes "), format!("{address} goes: ")];
                let lines = said.iter().filter(|l| fates.iter().any(|f| l.starts_with(f)));
                assert_eq!(lines.count(), 1, "{address}\n{}", ran.stderr);
                found += 1;
            }
        }
    }
    assert_eq!(found, 27);
    // What each service does without is said, too.
    assert!(said.iter().any(|l| l.starts_with("without db_subnet_group_name")), "{}", ran.stderr);
}
