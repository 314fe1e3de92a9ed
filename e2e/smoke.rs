//! The harness itself, and the stage that runs Terraform, on a tiny configuration.

use std::path::Path;

use tf_phi::host::Machine;
use tf_phi::terraform::init::{Call, Need, need};
use tf_phi::terraform::locate::locate;

use crate::support::{Scratch, actions, terraform};

const MAIN: &str = r#"
variable "text" {
  type    = string
  default = "hello"
}
resource "terraform_data" "greeting" {
  input = var.text
}
"#;

#[test]
fn plan_apply_and_plan_again() {
    let scratch = Scratch::with(&[("main.tf", MAIN)]);
    scratch.init();
    let plan = actions(&scratch.plan(&[]));
    let greeting = &plan["terraform_data.greeting"];
    assert_eq!((greeting.actions.as_str(), &greeting.after["input"]), ("create", &"hello".into()));
    scratch.apply(&[]);
    let plan = scratch.plan(&["-var", "text=bye"]);
    let greeting = &actions(&plan)["terraform_data.greeting"];
    assert_eq!((greeting.actions.as_str(), &greeting.after["input"]), ("update", &"bye".into()));
    assert_eq!(scratch.sources().len(), 1);
}

#[test]
fn the_terraform_stage_runs_the_real_one() {
    let call = "module \"m\" {\n  source = \"./m\"\n}\n";
    let scratch = Scratch::with(&[("main.tf", call), ("m/main.tf", MAIN)]);
    let tool = locate(&Machine, Some(terraform().to_str().unwrap()), None).unwrap();
    assert!(tool.version().unwrap().major >= 1);
    let calls = [Call { key: "m".to_owned(), source: "./m".to_owned(), version: None }];
    let needed = || {
        let manifest = std::fs::read(scratch.dir().join(".terraform/modules/modules.json")).ok();
        need(manifest.as_deref(), &calls, false)
    };
    assert_eq!(needed(), Need::Get);
    tool.install(&scratch.dir(), Need::Get).unwrap();
    assert_eq!(needed(), Need::Nothing);
    let out = ["plan", "-input=false", "-out=p", "-detailed-exitcode"].map(Into::into);
    assert_eq!(tool.capture(&scratch.dir(), &out).unwrap().exit.code, 2);
    let plan = tool.show_plan(&scratch.dir(), Path::new("p")).unwrap();
    assert_eq!(plan.resource_changes[0].address, "module.m.terraform_data.greeting");
}

#[test]
fn the_command_line_reads_variables_as_terraform_does() {
    // The precedence that `terraform::args` rests on.
    let mut scratch = Scratch::with(&[("main.tf", MAIN)]);
    scratch.init();
    let text = |scratch: &Scratch, args: &[&str]| {
        let plan = scratch.plan(args);
        actions(&plan)["terraform_data.greeting"].after["input"].as_str().unwrap().to_owned()
    };
    scratch.env("TF_CLI_ARGS_plan", r"-var 'text=the \special one'");
    assert_eq!(text(&scratch, &[]), r"the \special one");
    scratch.env("TF_CLI_ARGS", r#"-var "text=the \"general one\"""#);
    // `show` takes no -var, so TF_CLI_ARGS can't stay while the plan is read.
    let ran = scratch.terraform(&["plan", "-input=false", "-no-color"]).expect(0);
    assert!(ran.stdout.contains(r#"the \"general one\""#), "{}", ran.stdout);
    let ran = scratch.terraform(&["plan", "-input=false", "-no-color", "-var", "text=mine"]).expect(0);
    assert!(ran.stdout.contains("mine"), "{}", ran.stdout);
}
