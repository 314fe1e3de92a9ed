//! What a run says before and after Terraform speaks, beside what Terraform does.

use crate::support::Scratch;
use crate::trees::POSTGRES;
use std::collections::BTreeSet;

#[test]
fn moves_are_said_before_terraform_speaks() {
    let scratch = POSTGRES.scratch();
    scratch.apply(&["-var=customer_env=dev"]);
    // State stands where the original has it.
    let first = scratch.phi(&["-var=customer_env=prod"]);
    assert!(
        first.stderr.contains("  state moves      module.database → module.database_v15_4[0]\n"),
        "{}",
        first.stderr
    );
    let apply = ["apply", "-input=false", "-no-color", "-auto-approve", "-var=customer_env=prod"];
    scratch.tf_phi(&apply).expect(0);
    let still = scratch.phi(&["-var=customer_env=prod"]);
    assert_eq!(still.stderr, "tf-phi: 1 field specialised, no file changed\n");
    let flip = scratch.phi(&["-var=customer_env=dev"]);
    let moved = "  state moves      module.database_v15_4[0] → module.database_v14_9[0]\n";
    assert!(flip.stderr.ends_with(moved), "{}", flip.stderr);
    // Terraform says the same.
    assert!(
        flip.stdout.contains("moved from module.database_v15_4[0].terraform_data.postgres"),
        "{}",
        flip.stdout
    );
}

const REPLACED: &str = r#"
variable "env" { type = string }
variable "size" { default = 2 }

variable "token" {
  default   = "s3cret"
  sensitive = true
}

resource "terraform_data" "db" {
  count            = var.size
  input            = var.env == "prod" ? "15.4" : "14.9"
  triggers_replace = [var.env == "prod" ? "15.4" : "14.9", var.token]
}

resource "terraform_data" "beside" {
  triggers_replace = var.env
}
"#;

#[test]
fn what_goes_is_said_again_after_a_saved_plan() {
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", REPLACED), ("phi.hcl", phi)]);
    let apply = ["apply", "-input=false", "-no-color", "-auto-approve", "-var=env=prod"];
    scratch.tf_phi(&apply).expect(0);
    for mode in [&[][..], &["--ephemeral"]] {
        let plan = [&["-out=plan.out", "-var=env=dev", "-var=size=1", "-var=token=0ther"][..], mode].concat();
        let ran = scratch.phi(&plan);
        let said = "tf-phi: this plan destroys or replaces specialised objects:\n\
                    \x20 destroyed  terraform_data.db[1]  count has no such index any more\n\
                    \x20 replaced   terraform_data.db[0]  triggers_replace: (sensitive value) → (sensitive value)\n";
        assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
        assert!(!ran.stderr.contains("s3cret") && !ran.stderr.contains("0ther"), "{}", ran.stderr);
        let quiet = scratch.phi(&[&plan[..], &["-q"]].concat());
        assert_eq!(quiet.stderr, "");
        // stdout is Terraform's own.
        let terraform = ["plan", "-input=false", "-no-color", "-out=plan.out"];
        if mode.is_empty() {
            let own = scratch
                .terraform(&[&terraform[..], &["-var=env=dev", "-var=size=1", "-var=token=0ther"]].concat());
            // Objects are refreshed in any order.
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
            assert_eq!(lines(&own.expect(0).stdout), lines(&ran.stdout));
        }
    }
}

#[test]
fn a_replacement_that_the_choice_asks_for() {
    let main = "variable \"env\" { type = string }\n\nmodule \"db\" {\n  source = \"./db\"\n  v      = var.env == \"prod\" ? \
                \"15.4\" : \"14.9\"\n}\n";
    let module = "variable \"v\" { type = string }\n\nresource \"terraform_data\" \"app\" {\n  triggers_replace = var.v\n}\n";
    let phi = "specialize \"terraform_data.app\" {\n  fields = [\"triggers_replace\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("db/main.tf", module), ("phi.hcl", phi)]);
    scratch.init();
    scratch.tf_phi(&["apply", "-input=false", "-no-color", "-auto-approve", "-var=env=prod"]).expect(0);
    let ran = scratch.phi(&["-out=plan.out", "-var=env=dev"]);
    let said = "  replaced   module.db.terraform_data.app  triggers_replace: \"15.4\" → \"14.9\", since not (var.env == \"prod\")\n";
    assert!(ran.stderr.ends_with(said), "{}", ran.stderr);
}

/// Two objects of a split unit, one beside; the unit's go or are replaced in `dev`.
fn replaced() -> Scratch {
    let phi = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", REPLACED), ("phi.hcl", phi)]);
    scratch.tf_phi(&["apply", "-input=false", "-no-color", "-auto-approve", "-var=env=prod"]).expect(0);
    scratch
}

const SAID: &str = "tf-phi: this plan destroys or replaces specialised objects:\n\
    \x20 destroyed  terraform_data.db[1]  count has no such index any more\n\
    \x20 replaced   terraform_data.db[0]  triggers_replace: (sensitive value) → (sensitive value)\n";

/// Objects are refreshed in any order.
fn lines(text: &str) -> BTreeSet<String> {
    text.lines().map(str::to_owned).collect()
}

#[test]
fn what_goes_is_said_again_after_a_plan_that_nobody_saves() {
    let mut scratch = replaced();
    let temp = scratch.aside("temp");
    std::fs::create_dir(&temp).unwrap();
    scratch.env("TMPDIR", temp.to_str().unwrap());
    let (log, real) = (scratch.aside("log"), crate::support::terraform().display().to_string());
    // What it is called with, and who may read what it saves. A first plan says where the objects are, and is another matter.
    let fake = scratch.fake(&format!(
        "{real} \"$@\"\ns=$?\ncase \"$*\" in *phi-first*) exit $s;; esac\nif [ \"$1\" = plan ]; then echo \"$@\" >> {log}\nfor a in \"$@\"; do case $a in -out=*) f=${{a#-out=}}; \
         stat -c 'folder %a' \"$(dirname \"$f\")\" >> {log};; esac; done; fi\nexit $s",
        log = log.display()
    ));
    scratch.env("TF_PHI_TERRAFORM", fake.to_str().unwrap());
    let given = ["-var=env=dev", "-var=size=1", "-var=token=0ther"];
    let plans = |mode: &[&str]| {
        let _ = std::fs::remove_file(&log);
        let ran = scratch.tf_phi(&[&["plan", "-input=false", "-no-color"], &given[..], mode].concat());
        (
            ran,
            std::fs::read_to_string(&log).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>(),
        )
    };
    for mode in [&[][..], &["--ephemeral"]] {
        let (ran, called) = plans(mode);
        let ran = ran.expect(0);
        assert!(ran.stderr.ends_with(SAID), "{}", ran.stderr);
        assert!(!ran.stderr.contains("s3cret") && !ran.stderr.contains("0ther"), "{}", ran.stderr);
        let [first, second, folder] = called.as_slice() else { panic!("{called:?}") };
        assert!(!first.contains("-out=") && second.contains("-target=terraform_data.db"), "{called:?}");
        assert_eq!(folder, "folder 700");
        assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 0, "nothing is left");
        if mode.is_empty() {
            // stdout is Terraform's own, its last words included.
            let own =
                scratch.terraform(&[&["plan", "-input=false", "-no-color"], &given[..]].concat()).expect(0);
            assert!(own.stdout.contains("didn't use the -out option"), "{}", own.stdout);
            assert_eq!(lines(&own.stdout), lines(&ran.stdout));
        }
    }
    // Terraform's status, where it is asked for.
    let (ran, _) = plans(&["-detailed-exitcode"]);
    assert!(ran.code == 2 && ran.stderr.ends_with(SAID), "{} {}", ran.code, ran.stderr);
    // Nothing is planned once more where nothing would be said.
    for mode in [&["-q"][..], &["-json"], &["-destroy"], &["-refresh-only"]] {
        let (ran, called) = plans(mode);
        assert!(called.len() == 1 && !ran.stderr.contains("destroys or replaces"), "{mode:?} {called:?}");
    }
    let (ran, called) = plans(&["-var=env=prod", "-var=size=2", "-var=token=s3cret"]);
    assert!(ran.code == 0 && called.len() == 1, "no change: {called:?} {}", ran.stderr);
    // What the user narrows down stays so.
    let (ran, called) = plans(&["-target=terraform_data.db"]);
    assert!(ran.code == 0 && ran.stderr.ends_with(SAID), "{}", ran.stderr);
    let targets = |words: &str| words.matches("-target=").count();
    assert_eq!(targets(&called[0]), targets(&called[1]), "{called:?}");
    // A plan that fails is Terraform's alone.
    let (ran, called) = plans(&["-var=size=many"]);
    assert!(ran.code == 1 && called.len() <= 1, "{called:?} {}", ran.stderr);
}

#[test]
fn an_interrupted_look_leaves_no_plan() {
    let mut scratch = replaced();
    let (temp, mark) = (scratch.aside("temp"), scratch.aside("mark"));
    std::fs::create_dir(&temp).unwrap();
    scratch.env("TMPDIR", temp.to_str().unwrap());
    let real = crate::support::terraform().display().to_string();
    // The second plan has been saved, and takes its time.
    let fake = scratch.fake(&format!(
        "{real} \"$@\"\ns=$?\ncase \"$*\" in plan*.phi-again*) echo x > {}; sleep 1;; esac\nexit $s",
        mark.display()
    ));
    scratch.env("TF_PHI_TERRAFORM", fake.to_str().unwrap());
    let mut command = scratch.command(std::path::Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.args(["plan", "-input=false", "-var=env=dev", "-var=size=1", "-var=token=0ther"]);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut child = command.spawn().unwrap();
    while !mark.is_file() {
        assert!(child.try_wait().unwrap().is_none(), "it came to its end");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
        .unwrap();
    let ended = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended), Some(15), "{ended:?}");
    assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 0, "nothing is left");
}
