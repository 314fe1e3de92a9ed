//! What passes between tf-phi and Terraform: arguments, output, status, signals, and what has to be installed.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::signals::heard_by_children;
use crate::support::{Ran, Scratch, terraform};
use crate::trees::{POSTGRES, UNIVERSE};

const PROD: &str = "-var=customer_env=prod";
const DEV: &str = "-var=customer_env=dev";

#[test]
fn stdout_is_terraforms() {
    let scratch = POSTGRES.scratch();
    for args in
        [&["-no-color", PROD][..], &[PROD], &["-json", PROD], &["-no-color", "-compact-warnings", DEV]]
    {
        let all = [&["plan", "-input=false"][..], args].concat();
        let ours = scratch.tf_phi(&all).expect(0);
        let theirs = scratch.terraform(&all).expect(0);
        // `-json` stamps every line with the time.
        let plain = |text: &str| {
            let lines = text.lines().map(|l| l.split("\"@timestamp\"").next().unwrap().to_owned());
            lines.collect::<Vec<_>>()
        };
        if args.contains(&"-json") {
            assert_eq!(plain(&ours.stdout), plain(&theirs.stdout));
        } else {
            assert_eq!(ours.stdout, theirs.stdout, "{args:?}");
        }
    }
}

#[test]
fn the_detailed_exit_code() {
    let scratch = POSTGRES.scratch();
    let plan =
        |args: &[&str]| scratch.tf_phi(&[&["plan", "-input=false", "-detailed-exitcode"][..], args].concat());
    plan(&[PROD]).expect(2);
    let (_, file) = scratch.phi_plan(&[PROD]);
    scratch.terraform(&["apply", "-input=false", file.to_str().unwrap()]).expect(0);
    plan(&[PROD]).expect(0);
    plan(&[DEV]).expect(2);
    plan(&[PROD]).expect(0);
    plan(&[PROD, "-no-such-option"]).expect(1);
    plan(&[PROD, "-var=nobody=1"]).expect(1);
}

#[test]
fn apply_goes_the_same_way() {
    let scratch = POSTGRES.scratch();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color", PROD]).expect(0);
    let out = scratch.terraform(&["output", "-raw", "database_address"]).expect(0);
    assert_eq!(out.stdout, "postgres-15.4.internal:5432");
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-no-color", DEV]).expect(0);
    let out = scratch.terraform(&["output", "-raw", "database_address"]).expect(0);
    assert_eq!(out.stdout, "postgres-14.9.internal:5432");
}

#[test]
fn another_directory() {
    let scratch = POSTGRES.scratch();
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.current_dir(scratch.aside("")).args(["-chdir=work", "plan", "-input=false", "-no-color", PROD]);
    let ran = Ran::of(&command.output().unwrap()).expect(0);
    assert!(ran.stdout.contains("module.database_v15_4[0]."), "{}", ran.stdout);
    assert!(scratch.dir().join("phi.moved.tf").exists());
}

/// A Terraform that notes how it is called and then does what it is asked to.
fn noted(scratch: &mut Scratch) -> impl Fn(&Scratch) -> Vec<String> + use<> {
    let log = scratch.aside("log");
    let script = format!("echo \"$1\" >> '{}'\nexec '{}' \"$@\"", log.display(), terraform().display());
    let fake = scratch.fake(&script);
    scratch.env("TF_PHI_TERRAFORM", fake.to_str().unwrap());
    move |_| {
        let text = fs::read_to_string(&log).unwrap_or_default();
        let _ = fs::remove_file(&log);
        text.lines().filter(|l| *l != "version").map(str::to_owned).collect()
    }
}

#[test]
fn new_calls_of_local_modules_need_no_installation() {
    let mut scratch = POSTGRES.scratch();
    let calls = noted(&mut scratch);
    scratch.phi(&[PROD]);
    // State is asked first for copies that no record tells of.
    assert_eq!(calls(&scratch), ["state", "plan"]);
    scratch.phi(&[PROD]);
    assert_eq!(calls(&scratch), ["state", "plan"]);
    scratch.phi(&[DEV]);
    assert_eq!(calls(&scratch), ["state", "plan"]);
}

#[test]
fn a_directory_that_was_never_initialised() {
    // What is missing then, Terraform says itself, as it would have said of the original.
    let scratch = POSTGRES.raw();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", PROD]);
    if ran.code == 0 {
        assert!(ran.stdout.contains("module.database_v15_4[0]."), "{}", ran.stdout);
    } else {
        assert!(ran.stderr.contains("terraform init"), "{}", ran.stderr);
        scratch.init();
        scratch.phi(&[PROD]);
    }
}

#[track_caller]
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A plan that lasts until it is interrupted; the interrupt goes to tf-phi alone or to its whole group.
fn interrupted(whole_group: bool) {
    let mut scratch = UNIVERSE.scratch();
    let before = scratch.sources();
    let (started, log) = (scratch.aside("started"), scratch.aside("log"));
    let fake = scratch.fake(&format!(
        "[ \"$1\" = plan ] || exec '{real}' \"$@\"\n\
         trap 'echo interrupted >> \"{log}\"; exit 1' INT\n\
         : > '{started}'\nwhile :; do sleep 0.05; done",
        real = terraform().display(),
        log = log.display(),
        started = started.display(),
    ));
    scratch.env("TF_PHI_TERRAFORM", fake.to_str().unwrap());
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.args(["plan", "-input=false", "-var=instance_size=small"]).process_group(0);
    heard_by_children();
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("start of Terraform", || started.exists());
    let pid = Pid::from_child(&child);
    if whole_group {
        kill_process_group(pid, Signal::INT).unwrap();
    } else {
        kill_process(pid, Signal::INT).unwrap();
    }
    let ran = Ran::of(&child.wait_with_output().unwrap()).expect(1);
    assert_eq!(fs::read_to_string(&log).unwrap_or_default(), "interrupted\n", "{}", ran.stderr);

    // The tree is whole: it plans, and it goes back.
    scratch.env("TF_PHI_TERRAFORM", terraform().to_str().unwrap());
    scratch.terraform(&["validate", "-no-color"]).expect(0);
    let written = scratch.sources();
    scratch.phi(&["-var=instance_size=small"]);
    assert_eq!(written, scratch.sources());
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(before, scratch.sources());
}

#[test]
fn an_interrupt_to_tf_phi_alone() {
    interrupted(false);
}

#[test]
fn an_interrupt_to_the_whole_group() {
    interrupted(true);
}

#[test]
fn a_tree_without_drivers_is_terraform_plan() {
    let scratch = Scratch::with(&[("main.tf", "resource \"terraform_data\" \"a\" {\n  input = \"x\"\n}\n")]);
    scratch.init();
    let before = scratch.everything();
    let all = ["plan", "-input=false", "-no-color"];
    let ours = scratch.tf_phi(&all).expect(0);
    assert_eq!(before, scratch.everything());
    assert_eq!(ours.stdout, scratch.terraform(&all).expect(0).stdout);
    assert_eq!(ours.stderr.trim().lines().count(), 1, "{}", ours.stderr);
}
