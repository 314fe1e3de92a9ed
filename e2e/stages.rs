//! A custom resource as `kubernetes_manifest`, in two stages, as docs/services.md says.

use crate::manifests::{faults, scratch};
use crate::provider::Provider;
use crate::support::actions;

const CLUSTER: &str = include_str!("provider/cnpg.tsv");

const MAIN: &str = "resource \"aws_db_instance\" \"app\" {\n  identifier        = \"app\"\n  engine            = \"postgres\"\n  \
    engine_version    = \"16\"\n  instance_class    = \"db.t3.micro\"\n  allocated_storage = 20\n}\n";

const PHI: &str = "settings {\n  form_factor = \"on-prem\"\n}\nform_factor \"on-prem\" {\n  environment = \"kubernetes\"\n  services    = \
    [\"cloudnative-pg\"]\n}\n";

/// The lines that the document puts in the place of the release.
fn documented() -> String {
    let text = std::fs::read_to_string("docs/services.md").unwrap();
    let (_, rest) = text.split_once("# services/pg/cluster/main.tf: instead of").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split_once("\n  # lifecycle").unwrap().0.to_owned()
}

#[test]
fn a_manifest_takes_the_operator_first() {
    let provider = Provider::start();
    let tree = scratch(&provider, &[("main.tf", MAIN), ("phi.hcl", PHI)]);
    tree.tf_phi(&["restore"]).expect(0);
    let blocks = tree.tf_phi(&["services", "eject", "cloudnative-pg", "services/pg"]).expect(0).stdout;
    tree.write("phi.hcl", &format!("{PHI}\n{blocks}"));
    let text = tree.read("services/pg/cluster/main.tf");
    let (front, rest) = text.split_once("resource \"helm_release\" \"cluster\" {\n").unwrap();
    let (_, rest) = rest.split_once("\n  lifecycle {\n").unwrap();
    tree.write("services/pg/cluster/main.tf", &format!("{front}{}\n  lifecycle {{\n{rest}", documented()));
    let plain = ["-input=false", "-no-color"];
    tree.tf_phi(&["init", "-input=false", "-no-color"]).expect(0);
    // On a new cluster one apply isn't enough.
    let ran = tree.tf_phi(&[&["plan"][..], &plain].concat()).expect(1);
    assert!(ran.stderr.contains("API did not recognize GroupVersionKind"), "{}", ran.stderr);
    tree.tf_phi(&[&["apply", "-auto-approve", "-target=module.pg_operator"][..], &plain].concat()).expect(0);
    assert_eq!(provider.made(), ["cloudnative-pg"]);
    let planned = actions(&tree.phi_plan(&[]).0);
    let own = &planned["module.app.module.cluster.kubernetes_manifest.cluster"];
    let manifest = &own.after["manifest"];
    let mut without = manifest.clone();
    let namespace = without["metadata"].as_object_mut().unwrap().remove("namespace");
    assert_eq!((own.actions.as_str(), namespace), ("create", Some("default".into())));
    assert!(faults(&without, CLUSTER).is_empty(), "{:?}", faults(&without, CLUSTER));
    tree.tf_phi(&[&["apply", "-auto-approve"][..], &plain].concat()).expect(0);
    assert_eq!(provider.made(), ["cloudnative-pg", "app"]);
    let after = actions(&tree.phi_plan(&[]).0);
    assert!(after.values().all(|a| a.actions == "no-op"), "{after:?}");
}

/// What the provider doesn't have is refused, so that the rest of this proves something.
#[test]
fn a_manifest_takes_no_other_argument() {
    let provider = Provider::start();
    for (more, said) in
        [("  values = []\n", "Unsupported argument"), ("  set {\n  }\n", "Unsupported block type")]
    {
        let main = format!("resource \"kubernetes_manifest\" \"x\" {{\n  manifest = {{}}\n{more}}}\n");
        let tree = scratch(&provider, &[("main.tf", &main)]);
        let ran = tree.terraform(&["validate", "-no-color"]).expect(1);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}
