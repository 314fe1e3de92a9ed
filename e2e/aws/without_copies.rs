//! Objects of the real provider at a loopback AWS API: from copies to none and back, and no object is touched.

use crate::moto::Moto;
use crate::offer;
use crate::support::Scratch;

const MAIN: &str = r#"variable "protect" {
  type = bool
}
resource "aws_ssm_parameter" "own" {
  name  = "/own"
  type  = "String"
  value = "first"

  lifecycle {
    prevent_destroy = var.protect
    ignore_changes  = var.protect ? [value] : []
  }
}
module "one" {
  source  = "./m"
  name    = "one"
  protect = var.protect
}
module "other" {
  source  = "./m"
  name    = "other"
  protect = !var.protect
}
"#;

const MODULE: &str = r#"variable "name" {
  type = string
}
variable "protect" {
  type = bool
}
resource "aws_ssm_parameter" "it" {
  name  = "/m/${var.name}"
  type  = "String"
  value = basename(path.module)

  lifecycle {
    prevent_destroy = var.protect
  }
}
"#;

/// Fails where an object changes or anything is left that isn't the user's.
pub fn to_none_and_back(moto: &Moto) {
    let scratch = Scratch::with(&[("main.tf", MAIN), ("m/main.tf", MODULE)]);
    offer::offer(&scratch);
    let endpoints: String = ["ssm", "sts"].map(|s| format!("    {s} = \"{}\"\n", moto.url())).concat();
    let keys = "  region                      = \"eu-central-1\"\n  access_key                  = \"dummy\"\n  secret_key                  \
                = \"dummy\"\n  skip_credentials_validation = true\n  skip_metadata_api_check     = true\n  skip_requesting_account_id  = true\n";
    scratch
        .write("provider.tf", &format!("provider \"aws\" {{\n{keys}  endpoints {{\n{endpoints}  }}\n}}\n"));
    let sources = ["main.tf", "m/main.tf", "provider.tf"].map(|path| (path, scratch.read(path)));
    let list = |scratch: &Scratch| scratch.tf_phi(&["state", "list"]).expect(0).stdout;
    scratch.write("phi.hcl", "settings {\n  copies = false\n}\n");
    scratch.tf_phi(&["init", "-input=false", "-var=protect=true"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var=protect=true"]).expect(0);
    let plain =
        ["aws_ssm_parameter.own", "module.one.aws_ssm_parameter.it", "module.other.aws_ssm_parameter.it"];
    assert_eq!(list(&scratch).lines().collect::<Vec<_>>(), plain);
    for (round, protect) in [true, false].into_iter().enumerate() {
        let var = format!("-var=protect={protect}");
        for (phi, copies) in
            [("settings {\n  keep = false\n}\n", true), ("settings {\n  copies = false\n}\n", false)]
        {
            scratch.write("phi.hcl", phi);
            let (plan, file) = scratch.phi_plan(&[&var]);
            for change in &plan.resource_changes {
                assert_eq!(change.change.actions, ["no-op"], "{round} {copies}: {change:?}");
            }
            assert!(
                plan.resource_changes.iter().all(|change| change.previous_address.is_some()),
                "{round} {copies}"
            );
            scratch.tf_phi(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
            let listed = list(&scratch);
            assert_eq!(
                listed.lines().filter(|address| address.contains("[0]")).count(),
                if copies { 3 } else { 0 },
                "{listed}"
            );
            sources.iter().for_each(|(path, text)| assert_eq!(scratch.read(path), *text, "{path}"));
        }
        assert_eq!(list(&scratch).lines().collect::<Vec<_>>(), plain);
        // What protects is the value of the run.
        let guarded = scratch.tf_phi(&["apply", "-destroy", "-auto-approve", "-input=false", &var]).expect(1);
        let protected = if protect { "aws_ssm_parameter.own" } else { "module.other.aws_ssm_parameter.it" };
        assert!(
            guarded.stderr.contains(&format!("{protected} has lifecycle.prevent_destroy")),
            "{}",
            guarded.stderr
        );
    }
    // An edit is ignored where the value says so, and made elsewhere.
    scratch.write("main.tf", &MAIN.replace("\"first\"", "\"second\""));
    for (protect, actions) in [(true, "no-op"), (false, "update")] {
        let (plan, _) = scratch.phi_plan(&[&format!("-var=protect={protect}")]);
        let own = plan.resource_changes.iter().find(|change| change.address == plain[0]).unwrap();
        assert_eq!(own.change.actions, [actions]);
    }
}
