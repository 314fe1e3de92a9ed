//! A module that configures a provider of its own.

use crate::compare::{nothing_is_destroyed, same};
use crate::provider::Provider;
use crate::support::Scratch;
use std::fs;

const ENVS: [&str; 2] = ["-var=env=prod", "-var=env=dev"];

const PROVIDER: &str = r#"
terraform {
  required_providers {
    helm = { source = "hashicorp/helm" }
  }
}
provider "helm" {
  helm_driver = "memory"
}
"#;

/// A call that takes no `count`: the split stands within, two levels down as well, and state moves there and back.
#[test]
fn a_module_that_configures_a_provider() {
    let db = format!(
        "{PROVIDER}\nvariable \"release\" {{}}\nresource \"terraform_data\" \"db\" {{\n  input = var.release\n}}\n\
         module \"inner\" {{\n  source  = \"../inner\"\n  release = var.release\n}}\n\
         output \"all\" {{\n  value = [terraform_data.db.output, module.inner.release]\n}}\n"
    );
    let inner = "variable \"release\" {}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\n\
        output \"release\" {\n  value = terraform_data.db.output\n}\n";
    let main = "variable \"env\" {}\nmodule \"db\" {\n  source  = \"./db\"\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n\
        output \"all\" {\n  value = module.db.all\n}\n";
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let files = [("main.tf", main), ("db/main.tf", &*db), ("inner/main.tf", inner), ("phi.hcl", phi)];
    let provider = Provider::start();
    let [original, specialised] = [(), ()].map(|()| {
        let mut scratch = Scratch::with(&files);
        scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
        scratch.init();
        scratch
    });
    original.apply(&[ENVS[0]]);
    let state = "terraform.tfstate";
    fs::copy(original.dir().join(state), specialised.dir().join(state)).unwrap();
    for env in ENVS {
        let (plan, file) = specialised.phi_plan(&[env]);
        same(&original.plan(&[env]), &plan, &specialised, env);
        nothing_is_destroyed(&plan, env);
        specialised.terraform(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
        original.apply(&[env]);
    }
    let written = specialised.read("main.tf");
    assert!(written.contains("module \"db\" {") && !written.contains("count"), "{written}");
    specialised.tf_phi(&["verify", ENVS[0]]).expect(0);
}
