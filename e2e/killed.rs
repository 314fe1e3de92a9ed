//! Real deaths: `SIGKILL` at growing delays, a disk that is full, files that can't be written or are gone. After the next
//! start the tree is exactly the old one or exactly the new one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::support::{Ran, Scratch};

const UNITS: usize = 12;
const PROD: &str = "-var=env=prod";
const MODULE: &str =
    "variable \"v\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.v\n}\n";

/// A tree in which much is written: a unit and two residual folders for each module.
fn wide() -> Scratch {
    let mut main = String::from("variable \"env\" { type = string }\n");
    let scratch =
        Scratch::with(&[("phi.hcl", "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n")]);
    for i in 0..UNITS {
        write!(
            main,
            "module \"m{i}\" {{\n  source = \"./m{i}\"\n  v      = var.env == \"prod\" ? \"a{i}\" : \"b{i}\"\n}}\n"
        )
        .unwrap();
        scratch.write(&format!("m{i}/main.tf"), MODULE);
    }
    scratch.write("main.tf", &main);
    scratch
}

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// Old and new form; written without Terraform, which has no part in it.
fn forms() -> (Tree, Tree) {
    let scratch = wide();
    let old = scratch.sources();
    specialise(&scratch).expect(1);
    (old, scratch.sources())
}

/// The specialised form is written, and then Terraform fails at once.
fn specialise(scratch: &Scratch) -> Ran {
    let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
    command.env("TF_PHI_TERRAFORM", failing(scratch)).args(["plan", "-input=false", PROD]);
    Ran::of(&command.output().unwrap())
}

fn failing(scratch: &Scratch) -> PathBuf {
    // It installs what it is asked to, since the tree would be as it was without.
    scratch
        .fake("case $1 in version) echo '{\"terraform_version\": \"1.11.4\"}' ;; get) ;; *) exit 1 ;; esac")
}

/// Whatever was left is settled by the next start, one that writes nothing of its own.
#[track_caller]
fn settled(scratch: &Scratch, forms: &(Tree, Tree), what: &str) -> bool {
    let ran = scratch.tf_phi(&["history"]);
    assert!(ran.code == 0, "{what}: {}", ran.stderr);
    let now = scratch.sources();
    let hidden = now.keys().find(|p| p.to_string_lossy().contains('~'));
    assert!(hidden.is_none(), "{what}: {hidden:?}");
    assert!(now == forms.0 || now == forms.1, "{what}: neither old nor new: {:?}", now.keys());
    now == forms.1
}

#[test]
fn killed_at_any_moment() {
    let forms = forms();
    let (mut ends, mut delay) = ([0, 0], Duration::ZERO);
    for round in 0..60 {
        let scratch = wide();
        let mut command = scratch.command(Path::new(env!("CARGO_BIN_EXE_tf-phi")));
        command.env("TF_PHI_TERRAFORM", failing(&scratch)).args(["plan", "-input=false", PROD]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(delay);
        let ended = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        ends[usize::from(settled(&scratch, &forms, &format!("round {round}, after {delay:?}")))] += 1;
        // Over the time that one run takes, again and again.
        delay = if ended { Duration::ZERO } else { delay + Duration::from_micros(3700 + 173 * round) };
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}

/// No file may grow beyond a size: writing fails as on a full disk.
#[test]
fn a_full_disk() {
    let forms = forms();
    let mut ends = [0, 0];
    for kilobytes in [0, 1, 2, 4, 8, 64] {
        let scratch = wide();
        let mut command = scratch.command(Path::new("bash"));
        let program = env!("CARGO_BIN_EXE_tf-phi");
        let script =
            format!("trap '' XFSZ; ulimit -f {kilobytes}; exec '{program}' plan -input=false {PROD}");
        command.env("TF_PHI_TERRAFORM", failing(&scratch)).args(["-c", &script]);
        let ran = Ran::of(&command.output().unwrap());
        assert_ne!(ran.code, 0);
        let is_new = settled(&scratch, &forms, &format!("{kilobytes} kB"));
        assert!(
            is_new || ran.stderr.contains("Code: io") || ran.stderr.contains("Code: environment"),
            "{}",
            ran.stderr
        );
        ends[usize::from(is_new)] += 1;
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}

#[test]
fn a_folder_that_cannot_be_written() {
    let forms = forms();
    let scratch = wide();
    // A file stands where the folder of a residual would.
    scratch.write("m7-a7", "");
    let ran = specialise(&scratch).expect(1);
    assert!(ran.stderr.contains("m7-a7"), "{}", ran.stderr);
    fs::remove_file(scratch.dir().join("m7-a7")).unwrap();
    assert!(!settled(&scratch, &forms, "a file in the way"));
    // Root writes into read-only files as well; then there is nothing to see.
    let path = scratch.dir().join("main.tf");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let is_free = fs::OpenOptions::new().append(true).open(&path).is_ok();
    let ran = specialise(&scratch).expect(1);
    assert!(is_free || ran.stderr.contains("main.tf"), "{}", ran.stderr);
    assert!(!settled(&scratch, &forms, "a file that is read-only") || is_free);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o444);
}

#[test]
fn a_file_that_is_gone() {
    let forms = forms();
    // Of the original: what it declared is said to be missing, and nothing is written.
    let scratch = wide();
    fs::remove_file(scratch.dir().join("m3/main.tf")).unwrap();
    let before = scratch.sources();
    specialise(&scratch).expect(1);
    assert_eq!(scratch.sources(), before);
    // Of what was written: it is written again.
    let scratch = wide();
    specialise(&scratch).expect(1);
    fs::remove_file(scratch.dir().join("m3-a3/main.tf")).unwrap();
    specialise(&scratch).expect(1);
    assert!(settled(&scratch, &forms, "written again"));
}
