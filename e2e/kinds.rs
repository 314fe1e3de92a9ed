//! Kinds of runs: targets, replacements, destruction, refreshes, saved plans, workspaces, backends. `tf-phi verify` says of
//! each that it does what the original does.

use crate::compare::nothing_is_destroyed;
use crate::support::Scratch;
use crate::support::sample::sampled;

const FILES: [(&str, &str); 3] = [
    (
        "main.tf",
        r#"variable "env" { type = string }
module "db" {
  source  = "./db"
  release = var.env == "prod" ? "15.4" : "14.9"
}
module "many" {
  source   = "./db"
  for_each = toset(["a", "b"])
  release  = var.env == "prod" ? "15.4" : "14.9"
}
resource "terraform_data" "other" { input = var.env }
output "o" { value = module.db.release }
"#,
    ),
    (
        "db/main.tf",
        r#"variable "release" { type = string }
resource "terraform_data" "db" { input = var.release }
output "release" { value = terraform_data.db.output }
"#,
    ),
    ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n"),
];
const ENVS: [&str; 2] = ["-var=env=prod", "-var=env=dev"];

#[track_caller]
fn equal(scratch: &Scratch, args: &[&str]) {
    let ran = scratch.tf_phi(&[&["verify"][..], args].concat());
    assert!(ran.code == 0, "{args:?}: {}\n{}", ran.stdout, ran.stderr);
}

#[test]
fn narrowed_runs() {
    let many = FILES[0].1.find("module \"many\"").unwrap()..FILES[0].1.find("resource").unwrap();
    let mut main = FILES[0].1.to_owned();
    main.replace_range(many, "");
    let files = [("main.tf", &*main), FILES[1], FILES[2]];
    let original = Scratch::with(&files);
    original.init();
    original.apply(&[ENVS[0]]);
    let specialised = Scratch::with(&files);
    specialised.init();
    specialised.tf_phi(&["apply", "-auto-approve", "-input=false", ENVS[0]]).expect(0);
    for (scratch, name) in [(&original, "original"), (&specialised, "specialised")] {
        for env in ENVS {
            let kinds = [
                &["-destroy"][..],
                &["-refresh=false"],
                &["-target=module.db"],
                &["-target", "module.db.terraform_data.db"],
                &["-target=module.db_v15_4"],
                &["-target=module.db", "-target=terraform_data.other"],
                &["-replace=module.db.terraform_data.db"],
            ];
            for kind in sampled(kinds, 3, &format!("{name} {env}")) {
                equal(scratch, &[&[env][..], kind].concat());
            }
        }
    }
    for env in ENVS {
        equal(&original, &["-refresh-only", env]);
    }
    // What is written is planned: nothing beside the target, and nothing but the instance that is named.
    let (plan, _) = specialised.phi_plan(&[ENVS[1], "-target=module.db"]);
    nothing_is_destroyed(&plan, "a target");
    let changed: Vec<&str> = plan
        .resource_changes
        .iter()
        .filter(|c| c.change.actions != ["no-op"])
        .map(|c| c.address.as_str())
        .collect();
    assert_eq!(changed, ["module.db_v14_9[0].terraform_data.db"]);
    let (plan, _) = specialised.phi_plan(&[ENVS[0], "-refresh-only"]);
    assert!(plan.resource_changes.iter().all(|c| c.change.actions == ["no-op"]));
    specialised.tf_phi(&["apply", "-destroy", "-auto-approve", "-input=false", ENVS[0]]).expect(0);
    assert_eq!(specialised.terraform(&["state", "list"]).stdout, "");
}

#[test]
fn one_instance_of_a_repeated_unit() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", ENVS[0]]).expect(0);
    equal(&scratch, &[ENVS[0], "-replace=module.many[\"b\"].terraform_data.db"]);
    let (plan, _) = scratch.phi_plan(&[ENVS[0], "-replace=module.many[\"b\"].terraform_data.db"]);
    let changed = plan.resource_changes.iter().filter(|c| c.change.actions != ["no-op"]);
    let changed: Vec<&str> = changed.map(|c| c.address.as_str()).collect();
    assert_eq!(changed, ["module.many_v15_4[\"b\"].terraform_data.db"]);
}

/// Where two units move and a target names one, Terraform would plan nothing. What helps is said before.
#[test]
fn a_target_that_leaves_out_what_moves() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    scratch.apply(&[ENVS[0]]);
    let narrowed = |env: &'static str| ["plan", "-input=false", "-no-color", env, "-target=module.db"];
    for env in ENVS {
        let before = scratch.everything();
        let ran = scratch.tf_phi(&narrowed(env)).expect(1);
        assert!(ran.stderr.contains("state has to move before a narrowed run"), "{}", ran.stderr);
        assert!(
            !ran.stdout.contains("Terraform") && !ran.stderr.contains("excluded by targeting"),
            "{ran:?}"
        );
        assert_eq!(scratch.everything(), before);
        // The second way that is named.
        let line = ran.stderr.lines().find(|l| l.contains("'-target=")).unwrap();
        let more: Vec<&str> = line.split_whitespace().map(|w| w.trim_matches('\'')).collect();
        scratch.tf_phi(&[&narrowed(env)[..], &more].concat()).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
        // And the first.
        scratch.tf_phi(&["apply", "-refresh-only", "-auto-approve", "-input=false", env]).expect(0);
        equal(&scratch, &[env, "-target=module.db"]);
        let (plan, _) = scratch.phi_plan(&[env, "-target=module.db"]);
        let named = |a: &str| a.starts_with("module.db_");
        assert!(plan.resource_changes.iter().all(|c| named(&c.address) || c.change.actions == ["no-op"]));
        nothing_is_destroyed(&plan, env);
    }
}

/// What depends on a target that is destroyed goes with it, as with the original.
#[test]
fn a_target_that_is_destroyed() {
    let main = format!("{}resource \"terraform_data\" \"dep\" {{ input = module.db.release }}\n", FILES[0].1);
    let files = [("main.tf", &*main), FILES[1], FILES[2]];
    let (original, specialised) = (Scratch::with(&files), Scratch::with(&files));
    for scratch in [&original, &specialised] {
        scratch.init();
        scratch.apply(&[ENVS[0]]);
    }
    let kind = ["-destroy", "-target=module.db", ENVS[0]];
    let deleted = |plan: &tf_phi::terraform::plan_json::Plan| {
        let gone = plan.resource_changes.iter().filter(|c| c.change.actions == ["delete"]);
        gone.map(|c| c.name.clone()).collect::<Vec<_>>()
    };
    let ran = specialised.tf_phi(&[&["plan", "-input=false"][..], &kind].concat()).expect(1);
    assert!(ran.stderr.contains("state has to move before a narrowed run"), "{}", ran.stderr);
    specialised.tf_phi(&["apply", "-refresh-only", "-auto-approve", "-input=false", ENVS[0]]).expect(0);
    let (plan, _) = specialised.phi_plan(&kind);
    assert_eq!(deleted(&plan), ["dep", "db"]);
    let mut want = deleted(&original.plan(&kind));
    want.sort_by(|a, b| b.cmp(a));
    assert_eq!(deleted(&plan), want);
}

/// Addresses in the environment count as those on the command line do.
#[test]
fn addresses_in_the_environment() {
    let mut scratch = Scratch::with(&FILES);
    scratch.init();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", ENVS[0]]).expect(0);
    let planned = |scratch: &Scratch, args: &[&str]| -> Vec<String> {
        let (plan, _) = scratch.phi_plan(&[&[ENVS[0]][..], args].concat());
        let changed = plan.resource_changes.iter().filter(|c| c.change.actions != ["no-op"]);
        changed.map(|c| c.address.clone()).collect()
    };
    scratch.env("TF_CLI_ARGS_plan", "-replace=module.db.terraform_data.db -parallelism=3");
    assert_eq!(planned(&scratch, &[]), ["module.db_v15_4[0].terraform_data.db"]);
    equal(&scratch, &[ENVS[0]]);
    scratch.env("TF_CLI_ARGS_plan", "-target 'module.many[\"b\"]'");
    let both = ["-replace=module.db.terraform_data.db", "-replace=module.many[\"b\"].terraform_data.db"];
    assert_eq!(planned(&scratch, &both), ["module.many_v15_4[\"b\"].terraform_data.db"]);
    equal(&scratch, &[&[ENVS[0]][..], &both].concat());
}

#[test]
fn a_saved_plan_is_what_is_applied() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    for (env, release) in [(ENVS[0], "15.4"), (ENVS[1], "14.9"), (ENVS[0], "15.4")] {
        let (_, file) = scratch.phi_plan(&[env]);
        // In between somebody plans for another environment.
        scratch.phi(&[ENVS[0]]);
        scratch.tf_phi(&["apply", "-input=false", "-no-color", file.to_str().unwrap()]).expect(0);
        assert_eq!(scratch.terraform(&["output", "-raw", "o"]).stdout, release);
    }
}

#[test]
fn workspaces_have_states_of_their_own() {
    let scratch = Scratch::with(&FILES);
    scratch.init();
    let apply = |env: &str| {
        scratch.tf_phi(&["apply", "-auto-approve", "-input=false", env]).expect(0);
    };
    apply(ENVS[0]);
    scratch.terraform(&["workspace", "new", "two"]).expect(0);
    apply(ENVS[1]);
    for (workspace, own) in [("default", ENVS[0]), ("two", ENVS[1]), ("default", ENVS[0])] {
        scratch.terraform(&["workspace", "select", workspace]).expect(0);
        for env in ENVS {
            equal(&scratch, &[env]);
            let (plan, _) = scratch.phi_plan(&[env]);
            nothing_is_destroyed(&plan, workspace);
            let idle = plan.resource_changes.iter().all(|c| c.change.actions == ["no-op"]);
            assert_eq!(idle, env == own, "{workspace} {env}");
        }
    }
}

/// State that lies elsewhere: a backend with a path, one with partial configuration, and `-state`.
#[test]
fn backends() {
    let backend = ("backend.tf", "terraform {\n  backend \"local\" {}\n}\n");
    for (files, init, state) in [
        (&[backend][..], &["-backend-config=path=../elsewhere.tfstate"][..], &[][..]),
        (
            &[("backend.tf", "terraform {\n  backend \"local\" {\n    path = \"st/x.tfstate\"\n  }\n}\n")],
            &[],
            &[],
        ),
        (&[], &[], &["-state=../by-flag.tfstate"]),
    ] {
        let scratch = Scratch::with(&[&FILES[..], files].concat());
        scratch.terraform(&[&["init", "-input=false"][..], init].concat()).expect(0);
        let original = [&["apply", "-auto-approve", "-input=false", ENVS[0]][..], state].concat();
        scratch.terraform(&original).expect(0);
        for env in [ENVS[1], ENVS[0], ENVS[1]] {
            equal(&scratch, &[&[env][..], state].concat());
            let (plan, _) = scratch.phi_plan(&[&[env][..], state].concat());
            nothing_is_destroyed(&plan, env);
            assert!(
                plan.resource_changes.iter().all(|c| c.change.actions != ["create"]),
                "{env}: state is not found"
            );
            scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false", env][..], state].concat()).expect(0);
            // Nothing tells of the copies but the state that lies elsewhere.
            scratch.tf_phi(&["restore"]).expect(0);
            scratch.write("main.tf", &FILES[0].1.replace("15.4", "16.2"));
        }
    }
}

/// Modules that `terraform init` fetched: their residuals stand under `.phi/modules`.
#[test]
fn a_remote_module() {
    let remote = Scratch::with(&[
        FILES[1],
        ("db/text/note.txt", "a note\n"),
        ("child/main.tf", "output \"c\" {\n  value = basename(path.module)\n}\n"),
    ]);
    let text = format!(
        "{}output \"note\" {{ value = \"${{file(\"${{path.module}}/text/note.txt\")}}${{module.child.c}}\" }}\nmodule \"child\" {{ source = \"../child\" }}\n",
        FILES[1].1
    );
    remote.write("db/main.tf", &text);
    for args in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "first"],
    ] {
        let mut command = remote.command(std::path::Path::new("git"));
        assert!(command.args(args).status().unwrap().success());
    }
    let source = format!("git::file://{}//db", remote.dir().display());
    let main = FILES[0].1.replace("./db", &source) + "output \"note\" { value = module.db.note }\n";
    let scratch = Scratch::with(&[("main.tf", &main), FILES[2]]);
    scratch.init();
    scratch.apply(&[ENVS[0]]);
    let before = scratch.sources();
    for env in ENVS {
        equal(&scratch, &[env]);
        let (plan, _) = scratch.phi_plan(&[env]);
        nothing_is_destroyed(&plan, env);
        scratch.terraform(&["validate", "-no-color"]).expect(0);
    }
    assert!(scratch.dir().join(".phi/modules").is_dir());
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", ENVS[1]]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    assert_eq!(scratch.sources(), before);
    // The original's modules are still installed.
    scratch.terraform(&["validate", "-no-color"]).expect(0);
}
