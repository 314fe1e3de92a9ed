//! What people do to a specialised tree: edits, merges, deletions, other versions. Each is taken in, or a stack issue
//! says what is in the way; nothing that was typed is lost, and nothing is destroyed.

use std::fs;
use std::path::Path;

use crate::compare::nothing_is_destroyed;
use crate::support::{Ran, Scratch};

const MAIN: &str = r#"# head
variable "env" { type = string }

module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9" # which
}

output "o" { value = module.db.release }
# tail
"#;
const FILES: [(&str, &str); 3] = [
    ("main.tf", MAIN),
    (
        "db/main.tf",
        "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\noutput \"release\" {\n  value = terraform_data.db.output\n}\n",
    ),
    ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
];
const PROD: &str = "-var=env=prod";
const DEV: &str = "-var=env=dev";

/// Specialised and applied for prod.
fn applied() -> Scratch {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    apply(&scratch, PROD);
    scratch
}

fn apply(scratch: &Scratch, arg: &str) {
    let (_, file) = scratch.phi_plan(&[arg]);
    scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
}

#[track_caller]
fn edit(scratch: &Scratch, path: &str, from: &str, to: &str) {
    let text = scratch.read(path);
    assert!(text.contains(from), "{from} is not in {path}:\n{text}");
    scratch.write(path, &text.replacen(from, to, 1));
}

/// A plan is refused with this code and nothing else; no file is touched, Terraform doesn't run.
#[track_caller]
fn refused(scratch: &Scratch, code: &str) -> Ran {
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", PROD]).expect(1);
    let code = format!("Code: {code}");
    assert!(ran.stderr.contains(&code), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("Blocking").count(), ran.stderr.matches(&code).count(), "{}", ran.stderr);
    assert_eq!(scratch.everything(), before);
    ran
}

#[track_caller]
fn nothing_changes(scratch: &Scratch, what: &str) {
    for (arg, idle) in [(PROD, true), (DEV, false), (PROD, true)] {
        let (plan, _) = scratch.phi_plan(&[arg]);
        nothing_is_destroyed(&plan, what);
        if idle {
            assert!(
                plan.resource_changes.iter().all(|c| c.change.actions == ["no-op"]),
                "{what}: {:?}",
                plan.resource_changes
            );
        }
    }
}

#[test]
fn what_is_typed_around_is_kept() {
    let scratch = applied();
    edit(&scratch, "main.tf", "# head\n", "# head\nlocals {\n  mine = 1\n}\n");
    edit(&scratch, "main.tf", "# tail", "output \"mine\" {\n  value = local.mine\n}\n# tail");
    nothing_changes(&scratch, "around");
    scratch.tf_phi(&["restore"]).expect(0);
    let want = MAIN
        .replace("# head\n", "# head\nlocals {\n  mine = 1\n}\n")
        .replace("# tail", "output \"mine\" {\n  value = local.mine\n}\n# tail");
    assert_eq!(scratch.read("main.tf"), want);
}

#[test]
fn what_is_typed_into_a_generated_block_is_named() {
    for (from, to) in [
        ("  source = \"./db-v15-4\"", "  source = \"./db-v15-4\"\n  providers = {}"),
        ("var.env == \"prod\" ? 1 : 0", "var.env != \"dev\" ? 1 : 0"),
    ] {
        let scratch = applied();
        edit(&scratch, "main.tf", from, to);
        let ran = refused(&scratch, "edited");
        assert!(ran.stderr.contains("main.tf"), "{}", ran.stderr);
        let before = scratch.everything();
        scratch.tf_phi(&["restore"]).expect(1);
        assert_eq!(scratch.everything(), before);
        // The way out that is named: the edit goes back, and is made in the original.
        edit(&scratch, "main.tf", to, from);
        scratch.tf_phi(&["restore"]).expect(0);
        assert_eq!(scratch.read("main.tf"), MAIN);
    }
    for path in ["db-v15-4/main.tf", "phi.moved.tf"] {
        let scratch = applied();
        let text = scratch.read(path);
        scratch.write(path, &format!("{text}# mine\n\nlocals {{}}\n"));
        let ran = refused(&scratch, "edited");
        assert!(ran.stderr.contains(path), "{}", ran.stderr);
        // A comment is no edit, and stays where it is typed.
        scratch.write(path, &format!("{text}# mine\n"));
        nothing_changes(&scratch, path);
        assert_eq!(scratch.read(path), format!("{text}# mine\n"));
    }
}

#[test]
fn what_is_deleted_comes_again() {
    for path in ["db-v15-4/main.tf", "phi.moved.tf", "db-v14-9/main.tf"] {
        let scratch = applied();
        let text = scratch.read(path);
        fs::remove_file(scratch.dir().join(path)).unwrap();
        nothing_changes(&scratch, path);
        assert_eq!(scratch.read(path), text);
    }
}

#[test]
fn without_a_record_the_copies_are_not_taken_for_the_original() {
    let scratch = applied();
    fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    let ran = refused(&scratch, "edited");
    assert!(ran.stderr.contains("is not on record"), "{}", ran.stderr);
    // The same without the move chain, which is what would stop Terraform.
    fs::remove_file(scratch.dir().join("phi.moved.tf")).unwrap();
    refused(&scratch, "edited");
    // Back from version control, state is found again.
    scratch.write("main.tf", MAIN);
    fs::remove_dir_all(scratch.dir().join("db-v15-4")).unwrap();
    fs::remove_dir_all(scratch.dir().join("db-v14-9")).unwrap();
    nothing_changes(&scratch, "from the original sources");
}

#[test]
fn branches_come_and_go() {
    let scratch = applied();
    let versions = |a: &str, b: &str| MAIN.replace("15.4", a).replace("14.9", b);
    for (a, b) in [("16.2", "14.9"), ("16.2", "13.1"), ("15.4", "16.2"), ("15.4", "15.4"), ("15.4", "14.9")] {
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.write("main.tf", &versions(a, b));
        for arg in [PROD, DEV, PROD] {
            let (plan, file) = scratch.phi_plan(&[arg]);
            nothing_is_destroyed(&plan, &format!("{a} {b} {arg}"));
            scratch.terraform(&["apply", "-no-color", "-input=false", file.to_str().unwrap()]).expect(0);
        }
    }
}

/// What the scheme called `module.db_v15_4` was once called something else.
#[test]
fn names_of_an_older_scheme_are_former_addresses() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    scratch.phi(&[PROD]);
    let older = |text: &str| {
        let text = text.replace("db_v15_4", "db_is_15_4").replace("db_v14_9", "db_is_14_9");
        text.replace("\"naming\": 2", "\"naming\": 0")
    };
    for path in ["main.tf", "phi.moved.tf", ".phi/provenance.json"] {
        scratch.write(path, &older(&scratch.read(path)));
    }
    // The record of a created file is its hash.
    let moved = tf_phi::specialise::record::hash(&scratch.read("phi.moved.tf"));
    let mut record: serde_json::Value = serde_json::from_str(&scratch.read(".phi/provenance.json")).unwrap();
    let files = record["files"].as_array_mut().unwrap();
    files.iter_mut().find(|f| f["path"] == "phi.moved.tf").unwrap()["sha256"] = moved.into();
    scratch.write(".phi/provenance.json", &serde_json::to_string_pretty(&record).unwrap());
    scratch.init();
    scratch.apply(&[PROD]);
    for arg in [DEV, PROD] {
        let (plan, _) = scratch.phi_plan(&[arg]);
        nothing_is_destroyed(&plan, "an older scheme");
        let one = plan.resource_changes.iter().find(|c| c.name == "db").unwrap();
        assert_eq!(one.previous_address.as_deref(), Some("module.db_is_15_4[0].terraform_data.db"));
    }
    assert!(scratch.read(".phi/provenance.json").contains("\"naming\": 2"));
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.read("main.tf"), MAIN);
}

#[test]
fn records_of_other_versions() {
    // One that decided the same.
    let scratch = applied();
    let version = format!("tf-phi {}", env!("CARGO_PKG_VERSION"));
    for path in ["main.tf", ".phi/provenance.json"] {
        scratch.write(path, &scratch.read(path).replace(&version, "tf-phi 0.0.1"));
    }
    scratch.phi(&[PROD]);
    assert!(scratch.read("main.tf").contains("compiler: tf-phi 0.0.1"));
    nothing_changes(&scratch, "an earlier version");
    // Formats that may hold what would be lost, and none at all.
    let format = |version: &str| format!("\"format_version\": \"{version}\"");
    for (from, to) in
        [(format("1.2"), format("1.7")), (format("1.2"), format("2.0")), ("{".into(), "{{".into())]
    {
        let (from, to) = (from.as_str(), to.as_str());
        let scratch = applied();
        edit(&scratch, ".phi/provenance.json", from, to);
        refused(&scratch, "edited");
        scratch.tf_phi(&["restore"]).expect(1);
        edit(&scratch, ".phi/provenance.json", to, from);
        nothing_changes(&scratch, "the record is back");
    }
}

fn git(scratch: &Scratch, args: &[&str]) -> Ran {
    let mut command = scratch.command(Path::new("git"));
    command.args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=trunk"]).args(args);
    Ran::of(&command.output().unwrap())
}

fn commit(scratch: &Scratch, what: &str) {
    git(scratch, &["add", "-A"]).expect(0);
    git(scratch, &["commit", "-q", "-m", what]).expect(0);
}

/// Two branches that both specialised: one another value, the other another unit.
#[test]
fn a_merge_of_two_specialised_branches() {
    let scratch = applied();
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write(".gitignore", ".terraform\n*.tfstate*\n");
    git(&scratch, &["init", "-q"]).expect(0);
    commit(&scratch, "base");
    git(&scratch, &["checkout", "-q", "-b", "theirs"]).expect(0);
    scratch.write("main.tf", &MAIN.replace("15.4", "16.2"));
    scratch.phi(&[PROD]);
    commit(&scratch, "another value");
    git(&scratch, &["checkout", "-q", "trunk"]).expect(0);
    let more =
        "\nresource \"terraform_data\" \"more\" {\n  input = var.env == \"prod\" ? \"big\" : \"small\"\n}\n";
    scratch.write("main.tf", &format!("{MAIN}{more}"));
    scratch.write(
        "phi.hcl",
        &format!("{}specialize \"terraform_data.more\" {{\n  fields = [\"input\"]\n}}\n", FILES[2].1),
    );
    scratch.phi(&[PROD]);
    commit(&scratch, "another unit");
    git(&scratch, &["merge", "-q", "theirs"]);
    assert!(scratch.read("main.tf").contains("<<<<<<<"), "both sides wrote copies of one unit");
    let ran = refused(&scratch, "edited");
    assert!(ran.stderr.contains("conflict markers"), "{}", ran.stderr);
    assert!(ran.stderr.contains("git merge --abort"), "{}", ran.stderr);

    // One side's text beside both sides' record: it tells of ours, too, and gives it back.
    git(&scratch, &["checkout", "--theirs", "--", "."]).expect(0);
    let ours = git(&scratch, &["show", "trunk:main.tf"]).expect(0).stdout;
    scratch.write("main.tf", &ours);
    let (plan, _) = scratch.phi_plan(&[PROD]);
    nothing_is_destroyed(&plan, "one side's text");
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.read("main.tf"), format!("{MAIN}{more}"));

    // The way that is named.
    git(&scratch, &["reset", "-q", "--hard"]).expect(0);
    for branch in ["theirs", "trunk"] {
        git(&scratch, &["checkout", "-q", branch]).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
        commit(&scratch, "originals");
    }
    git(&scratch, &["merge", "-q", "theirs", "-m", "merged"]).expect(0);
    assert_eq!(scratch.read("main.tf"), format!("{MAIN}{more}").replace("15.4", "16.2"));
    for arg in [PROD, DEV] {
        let (plan, _) = scratch.phi_plan(&[arg]);
        nothing_is_destroyed(&plan, "merged");
    }
}

/// The record is another branch's: state tells of the copy that it doesn't know.
#[test]
fn state_of_another_branch() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    scratch.phi(&[PROD]);
    let kept: Vec<(std::path::PathBuf, Vec<u8>)> = scratch.sources().into_iter().collect();
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write("main.tf", &MAIN.replace("15.4", "16.2"));
    apply(&scratch, PROD);
    scratch.tf_phi(&["restore"]).expect(0);
    for (path, bytes) in kept {
        let path = scratch.dir().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    for arg in [PROD, DEV] {
        let (plan, _) = scratch.phi_plan(&[arg]);
        nothing_is_destroyed(&plan, arg);
        let one = plan.resource_changes.iter().find(|c| c.name == "db").unwrap();
        assert_eq!(one.previous_address.as_deref(), Some("module.db_v16_2[0].terraform_data.db"));
    }
}

/// `terraform fmt` over a specialised tree whose original isn't laid out by it; an edit within a string is none of layout.
#[test]
fn what_is_only_laid_out_anew() {
    let main = "variable \"env\" { type = string }\nresource \"terraform_data\" \"vm\" {\n    input = var.env == \"prod\" ? \"large\" : \"small\"\n    triggers_replace = [ \"a  b\" ] # why  so\n}\nmodule \"db\" {\n  source = \"./db\"\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\noutput \"vm\" { value = terraform_data.vm.input }\n";
    let db = "variable \"release\" { type = string }\nresource \"terraform_data\" \"db\" {\n    input = var.release\n    triggers_replace = { a = 1, bbb = \"x  y\" }\n}\n";
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("db/main.tf", db), ("phi.hcl", pin)]);
    scratch.init();
    scratch.phi(&["-var=env=prod"]);
    let written = scratch.sources();
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    assert_ne!(scratch.sources(), written);
    let laid_out = scratch.sources();
    scratch.phi(&["-var=env=prod"]);
    assert!(scratch.read("main.tf").contains("db_v15_4") || scratch.read("main.tf").contains("vm_large"));
    for file in ["main.tf", "db-v15-4/main.tf"] {
        let path = std::path::Path::new(file);
        for (from, to) in [("a  b", "a b"), ("x  y", "x y")] {
            std::fs::write(scratch.dir().join(file), &laid_out[path]).unwrap();
            let text = scratch.read(file);
            if text.contains(from) {
                scratch.write(file, &text.replacen(from, to, 1));
                let ran = scratch.tf_phi(&["plan", "-input=false", "-var=env=prod"]).expect(1);
                assert!(ran.stderr.contains("was edited"), "{}", ran.stderr);
                std::fs::write(scratch.dir().join(file), &written[path]).unwrap();
            }
        }
    }
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.terraform(&["fmt", "-recursive"]).expect(0);
    let original = scratch.sources();
    assert!(original.keys().all(|path| !path.starts_with(".phi") && !path.starts_with("db-v15-4")));
    // What is laid out stays so.
    scratch.phi(&["-var=env=prod"]);
    scratch.terraform(&["fmt", "-check", "-diff", "-recursive"]).expect(0);
}

#[test]
fn a_file_that_was_renamed() {
    let main = "variable \"env\" { type = string }\nmodule \"db\" {\n  source  = \"./db\"\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n";
    let db = "variable \"release\" { type = string }\nresource \"terraform_data\" \"db\" { input = var.release }\n";
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("db/main.tf", db), ("phi.hcl", pin)]);
    scratch.init();
    scratch.phi(&["-var=env=prod"]);
    let at = |name: &str| scratch.dir().join(name);
    std::fs::rename(at("main.tf"), at("other.tf")).unwrap();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=env=prod"]).expect(1);
    assert!(
        ran.stderr.contains("mv other.tf main.tf && tf-phi restore && mv main.tf other.tf"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.matches("Blocking").count(), 1, "{}", ran.stderr);
    // What is said there.
    std::fs::rename(at("other.tf"), at("main.tf")).unwrap();
    scratch.tf_phi(&["restore"]).expect(0);
    std::fs::rename(at("main.tf"), at("other.tf")).unwrap();
    assert_eq!(scratch.read("other.tf"), main);
    scratch.phi(&["-var=env=prod"]);
    assert!(scratch.read("other.tf").contains("db_v15_4"));
}
