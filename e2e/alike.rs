//! What state holds under a name that a copy has or could have, and no record tells of: taken for a copy only where its
//! values say so. Nothing is destroyed that the original would not destroy.

use crate::compare::{nothing_is_destroyed, same};
use crate::support::{Ran, Scratch};

const PROD: &str = "-var=env=prod";
const DB: &str = r#"variable "env" { type = string }
resource "terraform_data" "db" {
  input = var.env == "prod" ? "15.4" : "14.9"
}
"#;
const PIN: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n");

fn own(name: &str, more: &str) -> String {
    format!("resource \"terraform_data\" \"{name}\" {{\n{more}  input = \"mine\"\n}}\n")
}

/// The original with this text, applied.
fn applied(text: &str) -> Scratch {
    let scratch = Scratch::with(&[("main.tf", text)]);
    scratch.init();
    scratch.apply(&[PROD]);
    scratch
}

/// A run that stops before anything is written.
#[track_caller]
fn stopped(scratch: &Scratch, why: &str) -> Ran {
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", PROD]).expect(1);
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    assert_eq!(scratch.everything(), before);
    ran
}

/// Taken out of the configuration at the moment in which a copy would get its name.
#[test]
fn where_a_copy_is_to_stand() {
    for more in ["  count = 1\n", ""] {
        let scratch = applied(&format!("{DB}{}", own("db_v15_4", more)));
        scratch.write("main.tf", DB);
        scratch.write(PIN.0, PIN.1);
        let ran = stopped(&scratch, "where a copy of terraform_data.db is to stand");
        // What is said there: the copy gets another name, and the original's plan stays what it is.
        let held = if more.is_empty() { "terraform_data.db_v15_4" } else { "terraform_data.db_v15_4[0]" };
        assert!(ran.stderr.contains(&format!("tf-phi history --own '{held}'")), "{}", ran.stderr);
        scratch.tf_phi(&["history", "--own", held]).expect(0);
        let (plan, _) = scratch.phi_plan(&[PROD]);
        let done: Vec<(&str, &str)> =
            plan.resource_changes.iter().map(|c| (&*c.address, &*c.change.actions[0])).collect();
        assert!(done.contains(&(held, "delete")), "{done:?}");
        assert!(done.iter().all(|(address, action)| address == &held || *action == "no-op"), "{done:?}");
    }
}

/// The clash is older than the record: the copy's name ends in a hash, and gets its plain one when the other is gone.
#[test]
fn a_name_that_becomes_free() {
    let scratch = Scratch::with(&[("main.tf", &format!("{DB}{}", own("db_v15_4", "  count = 1\n"))), PIN]);
    scratch.init();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", PROD]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.phi(&[PROD]);
    let text = scratch.read("main.tf");
    let at = text.find("resource \"terraform_data\" \"db_v15_4\"").unwrap();
    scratch.write("main.tf", &text[..at]);
    stopped(&scratch, "where a copy of terraform_data.db is to stand");
    // What is said there.
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write("main.tf", DB);
    scratch.terraform(&["state", "mv", "terraform_data.db_v15_4[0]", "terraform_data.kept"]).expect(0);
    scratch.write("main.tf", &format!("{DB}{}", own("kept", "")));
    let (plan, _) = scratch.phi_plan(&[PROD]);
    nothing_is_destroyed(&plan, "renamed in state");
}

#[test]
fn what_only_sounds_like_a_copy() {
    let scratch =
        applied(&format!("variable \"env\" {{ type = string }}\n{}", own("db_backup", "  count = 1\n")));
    scratch.write(PIN.0, PIN.1);
    scratch.write("main.tf", DB);
    let ran = stopped(
        &scratch,
        "state holds terraform_data.db_backup[0], which may be a copy of terraform_data.db",
    );
    for said in
        ["--copy 'terraform_data.db_backup[0]=terraform_data.db'", "--own 'terraform_data.db_backup[0]'"]
    {
        assert!(ran.stderr.contains(&format!("tf-phi history {said}")), "{}", ran.stderr);
    }
    // Both ways that are named.
    let copy = "terraform_data.db_backup[0]=terraform_data.db";
    scratch.tf_phi(&["history", "--copy", copy]).expect(0);
    let (plan, _) = scratch.phi_plan(&[PROD]);
    nothing_is_destroyed(&plan, "it belongs there");
    assert_eq!(plan.resource_changes[0].previous_address.as_deref(), Some("terraform_data.db_backup[0]"));
    scratch.tf_phi(&["restore"]).expect(0);
    std::fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    // It would tell the history.
    let _ = std::fs::remove_file(scratch.dir().join("phi.moved.tf"));
    scratch.tf_phi(&["history", "--own", "terraform_data.db_backup[0]"]).expect(0);
    let (plan, _) = scratch.phi_plan(&[PROD]);
    scratch.tf_phi(&["restore"]).expect(0);
    let done = |plan: &tf_phi::terraform::plan_json::Plan| {
        let all = plan.resource_changes.iter().map(|c| c.change.actions.join(" "));
        all.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(done(&plan), done(&scratch.plan(&[PROD])));
}

/// Without a key it is no copy, and goes as the original lets it go.
#[test]
fn what_has_no_key_is_no_copy() {
    let scratch = applied(&format!("{DB}{}", own("db_backup", "")));
    scratch.write("main.tf", DB);
    let want = scratch.plan(&[PROD]);
    scratch.write(PIN.0, PIN.1);
    let (plan, _) = scratch.phi_plan(&[PROD]);
    same(&want, &plan, &scratch, "no key");
}

/// Two objects that moves would bring to one address: Terraform would destroy one of them.
#[test]
fn two_objects_for_one_address() {
    let scratch = Scratch::with(&[("main.tf", DB), PIN]);
    scratch.init();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", PROD]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    // Somebody applied the original in between, without moves and without the copies' objects in sight.
    let copy = scratch.read("terraform.tfstate");
    let mut state: serde_json::Value = serde_json::from_str(&copy).unwrap();
    let mut other = state["resources"][0].clone();
    other["name"] = "db".into();
    other["instances"][0].as_object_mut().unwrap().remove("index_key");
    other["instances"][0]["attributes"]["id"] = "22222222-2222-2222-2222-222222222222".into();
    state["resources"].as_array_mut().unwrap().push(other);
    scratch.write("terraform.tfstate", &state.to_string());
    let listed = scratch.terraform(&["state", "list"]).expect(0).stdout;
    assert_eq!(listed, "terraform_data.db\nterraform_data.db_v15_4[0]\n");
    stopped(&scratch, "two objects in state stand for terraform_data.db");
    let ran = scratch.tf_phi(&["verify", PROD]).expect(1);
    assert!(ran.stderr.contains("two objects in state"), "{}", ran.stderr);
}

/// Which source was chosen is not in state: what stands where a copy is to stand counts as one. Where that is wrong, the
/// original stands there as well, and the run stops because both would come to one address.
#[test]
fn what_state_does_not_show() {
    let chosen =
        "variable \"big\" { type = bool }\nmodule \"db\" {\n  source = var.big ? \"./a\" : \"./b\"\n}\n";
    let of = |text: &str| format!("resource \"terraform_data\" \"x\" {{\n  input = \"{text}\"\n}}\n");
    let tree = [("main.tf", chosen), ("a/main.tf", &*of("a")), ("b/main.tf", &*of("b"))];
    let scratch = Scratch::with(&tree);
    scratch.tf_phi(&["diff", "-var=big=true"]).expect(0);
    scratch.tf_phi(&["plan", "-input=false", "-var=big=true"]);
    scratch.init();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "-var=big=true"]).expect(0);
    for (big, actions) in [("true", "no-op"), ("false", "update")] {
        scratch.tf_phi(&["restore"]).expect(0);
        let (plan, _) = scratch.phi_plan(&[&format!("-var=big={big}")]);
        let found: Vec<&str> =
            plan.resource_changes.iter().flat_map(|c| &c.change.actions).map(|a| &**a).collect();
        assert_eq!(found, [actions], "{big}");
    }
    let own =
        "module \"db\" {\n  source = \"./b\"\n}\nmodule \"db_a\" {\n  source = \"./a\"\n  count  = 1\n}\n";
    let scratch = Scratch::with(&[("main.tf", own), tree[1], tree[2]]);
    scratch.init();
    scratch.apply(&[]);
    scratch.write("main.tf", chosen);
    let before = scratch.everything();
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=big=true"]).expect(1);
    assert!(ran.stderr.contains("where a copy of module.db is to stand"), "{}", ran.stderr);
    assert_eq!(scratch.everything(), before);
}

/// What is triggered by a split resource has no value that its copies are named by; the resource's copy beside it has.
#[test]
fn what_is_split_along_is_known_by_its_trigger() {
    let app = |db: &str| {
        format!(
            "variable \"env\" {{ type = string }}\nresource \"terraform_data\" \"db\" {{\n  input = {db}\n}}\n\
             resource \"terraform_data\" \"app\" {{\n  input = \"app\"\n  lifecycle {{\n    \
             replace_triggered_by = [terraform_data.db.id]\n  }}\n}}\n"
        )
    };
    let before = "var.env == \"prod\" ? \"15.4\" : \"14.9\"";
    let scratch = Scratch::with(&[("main.tf", &app(before)), PIN]);
    scratch.init();
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", PROD]).expect(0);
    for after in ["var.env == \"prod\" ? \"16.1\" : \"14.9\"", "\"15.4\"", before] {
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.write("main.tf", &app(after));
        let (plan, _) = scratch.phi_plan(&[PROD]);
        nothing_is_destroyed(&plan, after);
        let found = plan.resource_changes.iter().filter(|c| c.address.contains(".app"));
        assert!(found.into_iter().all(|c| c.change.actions == ["no-op"]), "{after}");
    }
    // By itself it could be anybody's.
    let listed = scratch.read("terraform.tfstate").replace("\"name\": \"db_v15_4\"", "\"name\": \"other\"");
    scratch.tf_phi(&["restore"]).expect(0);
    std::fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    // It would tell the history.
    let _ = std::fs::remove_file(scratch.dir().join("phi.moved.tf"));
    scratch.write("terraform.tfstate", &listed);
    scratch.write("main.tf", &app("var.env == \"prod\" ? \"16.1\" : \"14.9\""));
    stopped(&scratch, "state holds terraform_data.app_v15_4[0], which may be a copy of terraform_data.app");
}

/// A copy of a module holds several objects; that it is a copy is said once.
#[test]
fn a_copy_with_several_objects_is_said_once() {
    let main = "variable \"env\" {\n  default = \"dev\"\n}\nmodule \"app\" {\n  source = \"./app\"\n  env    = var.env\n}\n";
    let app = "variable \"env\" {}\nresource \"terraform_data\" \"db\" {\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n\
               resource \"terraform_data\" \"web\" {\n  input = \"web\"\n}\nresource \"terraform_data\" \"log\" {\n  input = \"log\"\n}\n";
    let pin = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n  at     = \"call\"\n}\n\
               variable \"env\" {\n  universe = [\"dev\", \"prod\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("app/main.tf", app), ("phi.hcl", pin)]);
    scratch.tf_phi(&["init", "-input=false"]).expect(0);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false", PROD]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    std::fs::remove_dir_all(scratch.dir().join(".phi")).unwrap();
    let _ = std::fs::remove_file(scratch.dir().join("phi.moved.tf"));
    let ran = scratch.tf_phi(&["plan", "-input=false", "-no-color", PROD]).expect(0);
    assert_eq!(
        ran.stderr.matches("by its name and values is a copy of module.app.").count(),
        1,
        "{}",
        ran.stderr
    );
}
