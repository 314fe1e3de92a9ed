//! Terraform's other commands, in a tree that Terraform rejects: `source` is an expression.
//!
//! The oracle is a twin with literal sources, in which Terraform itself runs the same commands.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::support::{Ran, Scratch, terraform};

/// Which module is called, in a tree that Terraform rejects.
const CHOSEN: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";

const PROD: &str = "-var=env=prod";
const DEV: &str = "-var=env=dev";

fn main_file(source: &str) -> String {
    format!(
        "variable \"env\" {{\n  validation {{\n    condition     = contains([\"prod\", \"dev\"], var.env)\n    error_message = \
         \"No.\"\n  }}\n}}\nmodule \"db\" {{\n  source = {source}\n}}\nresource \"terraform_data\" \"own\" {{}}\noutput \"tag\" \
         {{\n  value = module.db.tag\n}}\n"
    )
}

fn module_file(tag: &str) -> String {
    format!(
        "resource \"terraform_data\" \"db\" {{\n  input = \"{tag}\"\n}}\noutput \"tag\" {{\n  value = terraform_data.db.output\n}}\n"
    )
}

/// Two modules, of which an expression chooses one; nothing is kept between runs.
fn tree(source: &str) -> Scratch {
    let (a, b) = (module_file("a"), module_file("b"));
    Scratch::with(&[
        ("main.tf", &main_file(source)),
        ("phi.hcl", "settings {\n  keep = false\n}\n"),
        ("a/main.tf", &a),
        ("b/main.tf", &b),
    ])
}

/// The tree, applied for production, and its twin.
fn applied() -> (Scratch, Scratch) {
    let (phi, plain) = (tree(CHOSEN), tree("\"./a\""));
    phi.tf_phi(&["init", "-input=false"]).expect(0);
    phi.tf_phi(&["apply", "-auto-approve", "-input=false", PROD]).expect(0);
    plain.init();
    plain.apply(&[PROD]);
    (phi, plain)
}

/// Runs a program with this text on standard input.
fn fed(scratch: &Scratch, program: &Path, args: &[&str], input: &str) -> Ran {
    let mut command = scratch.command(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Ran::of(&child.wait_with_output().unwrap())
}

/// Runs tf-phi. What Terraform prints has no schema of ours.
fn ran(scratch: &Scratch, args: &[&str]) -> Ran {
    fed(scratch, ours(), args, "")
}

fn ours() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tf-phi"))
}

/// Terraform's words about an object, without what is random in them.
fn without_ids(text: &str) -> String {
    text.lines().filter(|line| !line.contains(" id ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_asks_state_alone_needs_no_value_and_says_what_terraform_says() {
    let (phi, plain) = applied();
    let (before, all) = (phi.sources(), phi.everything());
    phi.terraform(&["output"]).expect(1);
    for args in [
        &["output"][..],
        &["output", "-json"],
        &["output", "-raw", "tag"],
        &["output", "-no-color", "nothing"],
        &["state", "show", "-no-color", "terraform_data.own"],
        &["state", "show", "-no-color", "module.nothing.terraform_data.x"],
        &["workspace", "list"],
        &["workspace", "show"],
        &["workspace", "select", "-no-color", "nothing"],
        &["force-unlock", "-force", "-no-color", "00000000-0000-0000-0000-000000000000"],
        &["show", "-no-color", "nothing.tfplan"],
        &["output", "-unknown"],
    ] {
        let (got, wanted) = (ran(&phi, args), plain.terraform(args));
        assert_eq!(
            (got.code, without_ids(&got.stdout)),
            (wanted.code, without_ids(&wanted.stdout)),
            "{args:?}"
        );
        assert_eq!(got.stderr, wanted.stderr, "{args:?}");
    }
    assert_eq!(ran(&phi, &["output", "-raw", "tag"]).stdout, "a");
    assert!(phi.everything() == all, "nothing is written, not for a moment");
    // The decision can't be made any more, and what state holds can be read all the same.
    phi.write("b/main.tf", "locals {\n");
    assert_eq!(ran(&phi, &["output", "-raw", "tag"]).expect(0).stdout, "a");
    ran(&phi, &["state", "pull"]).expect(0);
    phi.write("b/main.tf", &module_file("b"));
    assert_eq!(phi.sources(), before);
}

/// Terraform's own `state mv` stops there; a call that was added since is no reason to.
#[test]
fn state_moves_beside_a_module_that_is_not_installed() {
    let own = "resource \"terraform_data\" \"own\" {\n}\n";
    let scratch = Scratch::with(&[("main.tf", own), ("m/main.tf", "")]);
    scratch.init();
    scratch.apply(&[]);
    scratch.write("main.tf", &format!("{own}module \"m\" {{\n  source = \"./m\"\n}}\n"));
    let words = ["state", "mv", "terraform_data.own", "terraform_data.other"];
    assert!(scratch.terraform(&words).expect(1).stderr.contains("Module not installed"));
    ran(&scratch, &words).expect(0);
    assert_eq!(ran(&scratch, &["state", "list"]).expect(0).stdout, "terraform_data.other\n");
}

#[test]
fn addresses_are_the_originals_or_a_copys() {
    let (phi, _) = applied();
    let (original, copy) = ("module.db.terraform_data.db", "module.db_a[0].terraform_data.db");
    let stdout = |args: &[&str]| ran(&phi, args).expect(0).stdout;
    assert_eq!(stdout(&["state", "list"]), format!("terraform_data.own\n{copy}\n"));
    assert_eq!(stdout(&["state", "list", "--original"]), format!("terraform_data.own\n{original}\n"));
    assert_eq!(stdout(&["state", "list", "module.db"]), format!("{copy}\n"));
    for address in [original, copy] {
        let shown = stdout(&["state", "show", "-no-color", address]);
        assert!(shown.starts_with(&format!("# {copy}:")), "{shown}");
        assert!(stdout(&["taint", address]).contains(copy));
        assert!(stdout(&["untaint", address]).contains(copy));
    }
    // A plan that is saved, in the original's addresses.
    let (_, file) = phi.phi_plan(&[DEV]);
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["show", "-json", file.to_str().unwrap(), "--original"])).unwrap();
    let changes = json["resource_changes"].as_array().unwrap();
    let found = changes.iter().find(|c| c["type"] == "terraform_data" && c["name"] == "db").unwrap();
    assert_eq!((&found["address"], &found["module_address"]), (&original.into(), &"module.db".into()));
    assert_eq!(
        (&found["previous_address"], &found["change"]["actions"][0]),
        (&serde_json::Value::Null, &"update".into())
    );
    let text = json.to_string();
    let configuration = json["configuration"].to_string();
    assert!(!text.replace(&configuration, "").contains("module.db_"), "{text}");
    // Moved and forgotten by the original's address. State's own backups are kept; the second is in their names.
    stdout(&["state", "mv", original, "module.db.terraform_data.other"]);
    stdout(&["state", "mv", "module.db.terraform_data.other", original]);
    stdout(&["state", "rm", "module.db"]);
    assert_eq!(stdout(&["state", "list"]), "terraform_data.own\n");
    let backups = std::fs::read_dir(phi.dir()).unwrap();
    let backups = backups.filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().ends_with(".backup"));
    assert!(backups.count() > 1);
    // Imported to the copy that this run chooses; once only.
    let import = ["import", "-input=false", "-no-color", PROD, original, "x"];
    stdout(&import);
    assert_eq!(stdout(&["state", "list"]), format!("terraform_data.own\n{copy}\n"));
    let again = phi.tf_phi(&["import", "-input=false", "-no-color", DEV, original, "x"]).expect(1);
    assert!(again.stderr.contains("already managed"), "{}", again.stderr);
    let (plan, _) = phi.phi_plan(&[PROD]);
    assert!(plan.resource_changes.iter().all(|c| !c.change.actions.contains(&"delete".to_owned())));
}

#[test]
fn what_reads_the_configuration_runs_on_the_specialised_tree() {
    let (phi, plain) = applied();
    let before = phi.sources();
    let console =
        fed(&phi, ours(), &["console", PROD], "upper(var.env)\nterraform_data.own.output\n").expect(0);
    let wanted = fed(&plain, terraform(), &["console", PROD], "upper(var.env)\nterraform_data.own.output\n");
    assert_eq!(console.stdout, wanted.stdout);
    let wrong = fed(&phi, ours(), &["console", PROD], "nothing.x\n");
    assert_eq!(wrong.code, fed(&plain, terraform(), &["console", PROD], "nothing.x\n").code);
    let shown = phi.tf_phi(&["providers"]).expect(0).stdout;
    assert!(shown.contains("module.db_a") && shown.contains("module.db_b"), "{shown}");
    for args in
        [&["providers", "schema", "-json"][..], &["version", "--json"], &["metadata", "functions", "-json"]]
    {
        assert!(
            serde_json::from_str::<serde_json::Value>(&ran(&phi, args).expect(0).stdout).is_ok(),
            "{args:?}"
        );
    }
    phi.tf_phi(&["get"]).expect(0);
    phi.tf_phi(&["refresh", "-input=false", PROD]).expect(0);
    assert_eq!(phi.tf_phi(&["logout", "-no-color"]).code, plain.terraform(&["logout", "-no-color"]).code);
    // Formatting needs nothing specialised, and says in its status what there is to do.
    phi.write("c.tf", "locals {\na=1\n}\n");
    assert_eq!(phi.tf_phi(&["fmt", "-check", "-recursive"]).expect(3).stdout, "c.tf\n");
    phi.tf_phi(&["fmt", "-recursive"]).expect(0);
    assert_eq!(phi.read("c.tf"), "locals {\n  a = 1\n}\n");
    std::fs::remove_file(phi.dir().join("c.tf")).unwrap();
    // Any other program, with its own status, streams and options; in the folder of -chdir.
    let ran = fed(
        &phi,
        ours(),
        &["run", "--", "sh", "-c", "cat; grep -c db_a main.tf; exit 7", "--format"],
        "in\n",
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (7, "in\n2\n"), "{}", ran.stderr);
    let mut command = phi.command(ours());
    command.current_dir(phi.aside("")).args(["-chdir=work", "run", "sh", "-c", "pwd; test -f a/main.tf"]);
    let ran = Ran::of(&command.output().unwrap()).expect(0);
    assert_eq!(Path::new(ran.stdout.trim()), phi.dir().canonicalize().unwrap());
    let refused = phi.tf_phi(&["run", "--", "terraform", "apply"]).expect(1);
    assert!(refused.stderr.contains("tf-phi apply"), "{}", refused.stderr);
    assert_eq!(phi.tf_phi(&["run", "--", "no-such-program"]).code, 1);
    assert_eq!(phi.sources(), before);
}

/// A Terraform that waits before it plans, as long as a file stands there, and says that it does.
fn slow(scratch: &Scratch) -> std::path::PathBuf {
    let (hold, waits) = (scratch.aside("hold"), scratch.aside("waits"));
    scratch.fake(&format!(
        "case \" $* \" in *' plan '*) : > '{}'; while [ -e '{}' ]; do sleep 0.05; done;; esac\nexec '{}' \"$@\"",
        waits.display(),
        hold.display(),
        terraform().display()
    ))
}

/// Begins a plan that waits within Terraform.
fn begun(scratch: &Scratch) -> std::process::Child {
    std::fs::write(scratch.aside("hold"), "").unwrap();
    let mut command = scratch.command(ours());
    command.env("TF_PHI_TERRAFORM", slow(scratch)).args(["plan", "-input=false", PROD]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !scratch.aside("waits").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child
}

#[test]
fn what_reads_runs_beside_a_plan_and_what_writes_waits_for_it() {
    let (phi, _) = applied();
    phi.phi_plan(&[DEV]);
    let file = phi.aside("phi.out");
    let before = phi.sources();
    let reading = [
        &["output", "-json"][..],
        &["state", "list", "module.db"],
        &["show", "-json"],
        &["matrix", "--format", "json"],
        &["check"],
        &["trace", "module.db.source"],
        &["validate"],
        &["diff"],
        &["plan", "--dry-run", DEV],
    ];
    let said = |args: &&[&str]| {
        let ran = ran(&phi, args);
        (ran.code, ran.stdout, ran.stderr)
    };
    let alone: Vec<_> = reading.iter().map(said).collect();
    let child = begun(&phi);
    assert!(phi.read("main.tf").contains("module \"db_a\""), "the tree is specialised while Terraform runs");
    for (args, alone) in reading.iter().zip(&alone) {
        assert_eq!(said(args), *alone, "{args:?}");
    }
    // What was planned before is applied, and who writes is told who is in the way.
    phi.tf_phi(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
    let refused = phi.tf_phi(&["plan", "-input=false", DEV]).expect(1);
    assert!(
        refused.stderr.contains("Code: locked") && refused.stderr.contains("-lock-timeout=5m"),
        "{}",
        refused.stderr
    );
    phi.tf_phi(&["fmt", "-check"]).expect(1);
    let waiting: Vec<_> = ["plan", "init", "apply"]
        .iter()
        .map(|name| {
            let mut command = phi.command(ours());
            command.arg(name).args(["-input=false", "-lock-timeout=1m"]);
            let values: &[&str] = match *name {
                "init" => &[],
                "apply" => &["-auto-approve", PROD],
                _ => &[DEV],
            };
            command.args(values).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    std::fs::remove_file(phi.aside("hold")).unwrap();
    let mut told = 0;
    for child in waiting {
        let ran = Ran::of(&child.wait_with_output().unwrap()).expect(0);
        told += usize::from(ran.stderr.contains("tf-phi: waiting for process"));
        assert!(
            !ran.stderr.contains("waiting") || ran.stderr.contains("(-lock-timeout=1m)"),
            "{}",
            ran.stderr
        );
    }
    assert_eq!(told, 3, "all of them began while the plan ran");
    // Nothing holds for the plan that waited longest: state has changed since, and it only plans.
    Ran::of(&child.wait_with_output().unwrap()).expect(0);
    assert_eq!(phi.sources(), before);
    assert_eq!(ran(&phi, &["output", "-raw", "tag"]).stdout, "a");
}

#[test]
fn state_is_where_terraform_has_it() {
    let start = |source: &str| {
        let mut scratch = tree(source);
        scratch.write(
            "backend.tf.json",
            "{\"terraform\": {\"backend\": {\"local\": {\"path\": \"../states/own.tfstate\"}}}}",
        );
        scratch.env("TF_DATA_DIR", ".tfdata");
        scratch
    };
    let (mut phi, mut plain) = (start(CHOSEN), start("\"./a\""));
    phi.tf_phi(&["init", "-input=false"]).expect(0);
    phi.tf_phi(&["apply", "-auto-approve", "-input=false", PROD]).expect(0);
    plain.init();
    plain.apply(&[PROD]);
    for scratch in [&mut phi, &mut plain] {
        scratch.env("TF_CLI_ARGS_output", "-no-color");
        std::fs::write(scratch.dir().join("broken.tfstate"), "{").unwrap();
    }
    let own = "terraform_data.own";
    for args in [
        &["output", "tag"][..],
        &["state", "rm", "-state=../states/own.tfstate", own],
        &["state", "list", own],
        &["workspace", "new", "-no-color", "other"],
        &["output", "tag"],
        &["workspace", "list"],
        &["workspace", "select", "default"],
        &["workspace", "delete", "-no-color", "other"],
        &["state", "list", "-state=broken.tfstate"],
    ] {
        let (got, wanted) = (ran(&phi, args), plain.terraform(args));
        assert_eq!((got.code, got.stdout), (wanted.code, wanted.stdout), "{args:?}");
        assert_eq!(got.stderr, wanted.stderr, "{args:?}");
    }
    // What a state is pushed from, and what is new, counts from the folder; a lock that somebody has is respected.
    let state = ran(&phi, &["state", "pull"]).expect(0).stdout;
    phi.write("pulled.json", &state);
    ran(&phi, &["state", "push", "pulled.json"]).expect(0);
    let mut command = phi.command(ours());
    command.current_dir(phi.aside("")).args(["-chdir=work", "output", "-raw", "tag"]);
    assert_eq!(Ran::of(&command.output().unwrap()).expect(0).stdout, "a");
    let names = |folder: &str| {
        let all = std::fs::read_dir(phi.aside(folder)).unwrap();
        let mut all: Vec<String> =
            all.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        all.retain(|name| !name.contains(".backup"));
        all.sort();
        all
    };
    assert_eq!(names("states"), ["own.tfstate"]);
    assert!(!names("work").contains(&".terraform".to_owned()), "{:?}", names("work"));
}
