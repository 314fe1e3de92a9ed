//! Copies that share a file and have values of their own in override files, under a real Terraform.

use crate::compare::{nothing_is_destroyed, same};
use crate::support::{Scratch, actions};
use std::fs;
use std::path::{Path, PathBuf};

const ENVS: [&str; 3] = ["-var=env=prod", "-var=env=stage", "-var=env=qa"];
const CASE: &str = "tests/golden/links/shared/in";
const INSTANCE: &str = "modules/db/modules/instance/main.tf";
const WHOLE: &str = "settings {\n  links = false\n}\n";

fn scratch() -> Scratch {
    let scratch = Scratch::copy_of(CASE);
    scratch.init();
    scratch
}

/// The same with objects, specialised for an environment.
fn applied(env: &str) -> Scratch {
    let scratch = scratch();
    scratch.apply(&[env]);
    specialise(&scratch, env);
    scratch
}

fn specialise(scratch: &Scratch, env: &str) {
    let (plan, file) = scratch.phi_plan(&[env]);
    nothing_is_destroyed(&plan, env);
    scratch.terraform(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
}

/// Plain Terraform plans nothing.
#[track_caller]
fn nothing_is_planned(scratch: &Scratch, env: &str) {
    scratch.terraform(&["plan", "-input=false", "-no-color", "-detailed-exitcode", env]).expect(0);
}

/// The override files of copies, and the links, by path below the scratch folder.
fn written(scratch: &Scratch) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut files, mut links, mut open) = (Vec::new(), Vec::new(), vec![scratch.dir().join("modules")]);
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(scratch.dir()).unwrap().to_path_buf();
            match path.is_dir() {
                true => open.push(path),
                false if path.is_symlink() => links.push(name),
                false if path.ends_with("phi_override.tf") => files.push(name),
                false => {}
            }
        }
    }
    (files, links)
}

#[test]
fn copies_are_what_the_whole_ones_are() {
    let original = scratch();
    let specialised = scratch();
    for env in ENVS {
        let (plan, _) = specialised.phi_plan(&[env]);
        same(&original.plan(&[env]), &plan, &specialised, env);
        specialised.tf_phi(&["verify", env]).expect(0);
    }
    let (files, links) = written(&specialised);
    assert_eq!((files.len(), links.len()), (6, 4), "{files:?} {links:?}");
    specialised.terraform(&["validate", "-no-color"]).expect(0);
    let before = specialised.sources();
    assert_eq!(specialised.terraform(&["fmt", "-recursive"]).expect(0).stdout, "");
    assert_eq!(specialised.sources(), before);
    specialised.tf_phi(&["check"]).expect(0);
    specialised.tf_phi(&["restore"]).expect(0);
    assert!(written(&specialised).0.is_empty());
}

#[test]
fn a_copy_without_its_own_file_is_an_error() {
    let scratch = applied("-var=env=prod");
    let state = scratch.read("terraform.tfstate");
    let env = "-var=env=prod";
    // The copy that is active, one that isn't, and the source of a call.
    for lost in [
        "modules/db/modules/instance-v15-4/phi_override.tf",
        "modules/db/modules/instance-v16-2/phi_override.tf",
        "modules/db-v15-4/phi_override.tf",
    ] {
        fs::remove_file(scratch.dir().join(lost)).unwrap();
        for args in [
            &["validate", "-no-color"][..],
            &["plan", "-no-color", env],
            &["plan", "-no-color", "-destroy", env],
            &["plan", "-no-color", "-target=module.db_v17_1", env],
            &["apply", "-no-color", "-auto-approve", env],
            &["apply", "-no-color", "-refresh-only", "-auto-approve", env],
            &["destroy", "-no-color", "-auto-approve", env],
        ] {
            let ran = scratch.terraform(args).expect(1);
            assert!(
                ran.stderr.replace('-', "_").contains("set_in_phi_override"),
                "{lost} {args:?}: {}",
                ran.stderr
            );
        }
        assert_eq!(scratch.read("terraform.tfstate"), state);
        let ran = scratch.tf_phi(&["check"]).expect(3);
        assert!(ran.stdout.contains(lost), "{}", ran.stdout);
        scratch.tf_phi(&["check", "--fix"]).expect(0);
        nothing_is_planned(&scratch, env);
    }
}

#[test]
fn whole_and_shared_files_are_one_state() {
    let scratch = scratch();
    let phi = scratch.read("phi.hcl");
    scratch.apply(&["-var=env=stage"]);
    // As a program that knows nothing of shared files writes it.
    scratch.write("phi.hcl", &format!("{WHOLE}{phi}"));
    specialise(&scratch, "-var=env=stage");
    assert_eq!(written(&scratch), (Vec::new(), Vec::new()));
    for _ in 0..2 {
        for (text, shared) in [(phi.clone(), 6), (format!("{WHOLE}{phi}"), 0)] {
            scratch.write("phi.hcl", &text);
            scratch.tf_phi(&["check", "--fix"]).expect(0);
            assert_eq!(written(&scratch).0.len(), shared);
            scratch.terraform(&["get"]).expect(0);
            nothing_is_planned(&scratch, "-var=env=stage");
            let (plan, _) = scratch.phi_plan(&["-var=env=stage"]);
            assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
        }
    }
}

#[test]
fn an_edit_of_the_original_reaches_no_copy_by_itself() {
    let scratch = applied("-var=env=stage");
    // A resource moves to a file of its own.
    let text = scratch.read(INSTANCE);
    let from = text.find("# The disk outlives").unwrap();
    let to = text.find("resource \"terraform_data\" \"this\"").unwrap();
    scratch.write("modules/db/modules/instance/disk.tf", &text[from..to]);
    scratch.write(INSTANCE, &format!("{}{}", &text[..from], &text[to..]));
    nothing_is_planned(&scratch, "-var=env=stage");
    let (plan, _) = scratch.phi_plan(&["-var=env=stage"]);
    assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
    assert!(written(&scratch).1.iter().any(|link| link.ends_with("instance-v16-2/disk.tf")));
    nothing_is_planned(&scratch, "-var=env=stage");
}

#[test]
fn another_copy_holds_the_file_where_the_first_one_goes() {
    let scratch = applied("-var=env=stage");
    let link = scratch.dir().join("modules/db/modules/instance-v16-2/main.tf");
    assert!(link.is_symlink());
    let root = |scratch: &Scratch, from: &str, to: &str| {
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.write("main.tf", &scratch.read("main.tf").replace(from, to));
        let (plan, _) = scratch.phi_plan(&["-var=env=stage"]);
        assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
        nothing_is_planned(scratch, "-var=env=stage");
    };
    root(&scratch, "var.env == \"prod\" ? \"15.4\" : ", "");
    assert!(!link.is_symlink());
    assert!(!scratch.dir().join("modules/db/modules/instance-v15-4").exists());
    root(&scratch, "engine = var.env", "engine = var.env == \"prod\" ? \"15.4\" : var.env");
    assert!(link.is_symlink());
    // One value alone shares nothing.
    scratch.tf_phi(&["restore"]).expect(0);
    let text = scratch.read("main.tf");
    let from = text.find("engine = var.env").unwrap();
    let to = from + text[from..].find('\n').unwrap();
    scratch.write("main.tf", &format!("{}engine = \"16.2\"{}", &text[..from], &text[to..]));
    let (plan, _) = scratch.phi_plan(&["-var=env=stage"]);
    assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
    assert!(written(&scratch).0.is_empty());
}

#[test]
fn a_checkout_without_links_is_as_good_or_an_error() {
    let scratch = applied("-var=env=stage");
    let (_, links) = written(&scratch);
    let all: Vec<(PathBuf, PathBuf, Vec<u8>)> = links
        .iter()
        .map(|name| {
            let path = scratch.dir().join(name);
            (path.clone(), fs::read_link(&path).unwrap(), fs::read(&path).unwrap())
        })
        .collect();
    let replaced = |text: &dyn Fn(&Path, &[u8]) -> Vec<u8>| {
        for (path, to, whole) in &all {
            fs::remove_file(path).unwrap();
            fs::write(path, text(to, whole)).unwrap();
        }
    };
    replaced(&|_, whole| whole.to_vec());
    nothing_is_planned(&scratch, "-var=env=stage");
    scratch.tf_phi(&["check"]).expect(0);
    let (plan, _) = scratch.phi_plan(&["-var=env=stage"]);
    assert!(actions(&plan).values().all(|a| a.actions == "no-op"));
    // As Git writes them with `core.symlinks = false`.
    replaced(&|to, _| to.display().to_string().into_bytes());
    scratch.terraform(&["plan", "-input=false", "-no-color", "-var=env=stage"]).expect(1);
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    assert_eq!(written(&scratch).1, links);
    nothing_is_planned(&scratch, "-var=env=stage");
}

const BASE: &str = "locals {\n  a = local.set_in_phi_override_tf\n  b = 2\n}\n\nresource \"terraform_data\" \"r\" {\n  \
    count            = local.set_in_phi_override_tf\n  input            = local.set_in_phi_override_tf\n  triggers_replace = [\"x\"]\n\n  \
    lifecycle {\n    create_before_destroy = true\n    prevent_destroy       = true\n    ignore_changes        = [triggers_replace]\n\n    \
    postcondition {\n      condition     = self.output != \"z\"\n      error_message = \"z\"\n    }\n  }\n}\n\n\
    data \"terraform_remote_state\" \"s\" {\n  backend = \"local\"\n  config  = local.set_in_phi_override_tf\n  defaults = {\n    k = 1\n  }\n}\n\n\
    module \"inner\" {\n  source = \"./set-in-phi_override.tf\"\n  name   = local.set_in_phi_override_tf\n  other  = \"o\"\n}\n\n\
    output \"o\" {\n  value       = local.set_in_phi_override_tf\n  description = \"d\"\n}\n\noutput \"s\" {\n  \
    value = data.terraform_remote_state.s.config\n}\n\noutput \"i\" {\n  value = module.inner.what\n}\n\noutput \"r\" {\n  \
    value = terraform_data.r[*].input\n}\n";
const OWN: &str = "locals {\n  a = 20\n}\n\nresource \"terraform_data\" \"r\" {\n  count = 2\n  input = <<-E\n    b${local.a}-${count.index}\n  E\n}\n\n\
    data \"terraform_remote_state\" \"s\" {\n  config = {\n    path = \"${path.module}/s.tfstate\"\n  }\n}\n\nmodule \"inner\" {\n  source = \"./two\"\n  \
    name   = \"m\"\n}\n\noutput \"o\" {\n  value = [local.b, local.a, path.module]\n}\n";
const INNER: &str = "variable \"name\" {}\nvariable \"other\" {}\noutput \"what\" {\n  value = \"${var.name}-${var.other}\"\n}\n";
const STATE: &str = "{\"version\":4,\"terraform_version\":\"1.11.4\",\"serial\":1,\"lineage\":\"x\",\"outputs\":{},\"resources\":[]}";

/// The facts about override files that this rests on.
#[test]
fn terraform_merges_arguments_and_leaves_the_rest() {
    let root = "module \"m\" {\n  source = \"./m\"\n}\n\noutput \"all\" {\n  value = module.m\n}\n";
    let scratch = Scratch::with(&[
        ("main.tf", root),
        ("m/main.tf", BASE),
        ("m/phi_override.tf", OWN),
        ("m/two/main.tf", INNER),
        ("m/s.tfstate", STATE),
    ]);
    scratch.init();
    scratch.terraform(&["validate"]).expect(0);
    scratch.apply(&[]);
    let said = scratch.terraform(&["output", "-json", "all"]).expect(0).stdout;
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    let want = serde_json::json!({
        "o": [2, 20, "m"],
        "s": {"path": "m/s.tfstate"},
        "i": "m-o",
        "r": ["b20-0\n", "b20-1\n"],
    });
    assert_eq!(said, want);
    // What is in `lifecycle` holds as before.
    let ran = scratch.terraform(&["plan", "-destroy", "-no-color"]).expect(1);
    assert!(ran.stderr.contains("Instance cannot be destroyed"), "{}", ran.stderr);
    scratch
        .write("m/phi_override.tf", &OWN.replace("  count = 2", "  triggers_replace = [\"y\"]\n  count = 2"));
    scratch.terraform(&["plan", "-no-color", "-detailed-exitcode"]).expect(0);
    // An argument that isn't overridden is an error even where nothing is made of it.
    scratch.write("m/phi_override.tf", &OWN.replace("locals {\n  a = 20\n}\n", ""));
    scratch.write("main.tf", &root.replace("./m\"", "./m\"\n  count = 0"));
    let ran = scratch.terraform(&["plan", "-no-color"]).expect(1);
    assert!(
        ran.stderr.contains("A local value with the name \"set_in_phi_override_tf\" has not been declared"),
        "{}",
        ran.stderr
    );
}
