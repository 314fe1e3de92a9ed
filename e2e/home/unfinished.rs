//! An apply fails where a `source` is chosen, and then tf-phi goes: Terraform keeps resources without instances of it, at which moves of modules stop.

use super::chosen::{choose, started};
use super::{DEV, ENV, Mode, PROD, Twin, moved, plain_is_right};

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";

fn call(source: &str) -> String {
    format!("{ENV}module \"m\" {{\n  source = {source}\n  env    = var.env\n}}\n")
}

/// A module whose last resource can't be made.
fn module(repeated: &str, beside: &str) -> String {
    format!(
        "variable \"env\" {{}}\nresource \"terraform_data\" \"stays\" {{\n  input = {{ tag = \"stays\" }}\n}}\nresource \"terraform_data\" \"db\" {{\n{repeated}  input = {{\n    tag = \"db\"\n    v   = var.env == \"x\" ? 1 : 2\n  }}\n}}\nresource \"terraform_data\" \"fails\" {{\n  input            = {{ tag = \"fails\" }}\n  triggers_replace = var.env\n  depends_on       = [terraform_data.stays, terraform_data.db]\n  provisioner \"local-exec\" {{\n    command = \"exit 1\"\n  }}\n}}\n{beside}"
    )
}

fn write_out(twin: &Twin, folder: &str) {
    choose(twin, &call(SIDES), SIDES, folder);
    twin.phi.write("main.tf", &call(&format!("\"./{folder}\"")));
    twin.phi.init();
}

/// Each run fails in its last resource, and the objects go from one source to the other. In the end that one stays.
fn fails_in_every_run(pins: &str, runs: &[(&[&str], &str)]) {
    let a = module("", &moved("terraform_data.db[0]", "terraform_data.db"));
    let b = module("  count = 1\n", "");
    let files = [("a/main.tf", a.as_str()), ("b/main.tf", b.as_str()), ("phi.hcl", pins)];
    let twin = started(&call(SIDES), &files, SIDES, "b");
    for (at, (args, folder)) in runs.iter().enumerate() {
        choose(&twin, &call(SIDES), SIDES, folder);
        twin.apply_fails(args, &format!("run {at}"));
    }
    assert!(
        twin.phi.read("terraform.tfstate").contains("\"instances\": []"),
        "nothing is left of what failed"
    );
    let Some((args, folder)) = runs.last() else { return };
    twin.phi.tf_phi(&["restore"]).expect(0);
    write_out(&twin, folder);
    for command in ["restore", "leave"] {
        twin.phi.tf_phi(&[command]).expect(0);
        let file = if command == "leave" { "moved.tf" } else { "phi.moved.tf" };
        let words = "terraform apply -refresh-only";
        assert!(twin.phi.read(file).contains(words), "{}", twin.phi.read(file));
        if command == "leave" {
            twin.phi
                .terraform(&[&["apply", "-refresh-only", "-auto-approve", "-input=false"][..], args].concat())
                .expect(0);
            plain_is_right(&twin, args, "left");
        }
    }
}

#[test]
fn one_object_at_a_time() {
    fails_in_every_run(
        "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n",
        &[(DEV, "b"), (PROD, "a")],
    );
}

/// The pin is about what only the other source declares, and who writes a source out needn't know of it.
#[test]
fn a_pin_of_what_is_declared_no_longer() {
    let resource = |name: &str| {
        format!(
            "variable \"env\" {{}}\nresource \"terraform_data\" \"{name}\" {{\n  input = {{ tag = \"db\", v = var.env == \"prod\" ? 1 : 2 }}\n}}\n"
        )
    };
    let new = format!("{}{}", resource("new"), moved("terraform_data.old", "terraform_data.new"));
    let old = resource("old");
    let pins = "specialize \"module.m.terraform_data.old\" {\n  fields = [\"input.v\"]\n}\n";
    let files = [("a/main.tf", new.as_str()), ("b/main.tf", old.as_str()), ("phi.hcl", pins)];
    for command in ["restore", "leave"] {
        let twin = started(&call(SIDES), &files, SIDES, "b");
        twin.step(DEV, "first");
        choose(&twin, &call(SIDES), SIDES, "a");
        twin.step(PROD, "second");
        twin.phi.tf_phi(&["restore"]).expect(0);
        write_out(&twin, "a");
        let said = twin.phi.tf_phi(&[command]).expect(0).stderr;
        assert!(!said.contains("may not be whole"), "{said}");
        plain_is_right(&twin, PROD, command);
    }
}

/// Where the way home can't be found, nothing of what is known is thrown away.
#[test]
fn what_cannot_be_read_costs_no_way_home() {
    let files = [
        ("a/main.tf", "resource \"terraform_data\" \"db\" {\n  input = { tag = \"db\" }\n}\n"),
        ("b/main.tf", "resource \"terraform_data\" \"db\" {\n  input = { tag = \"db\" }\n}\n"),
    ];
    let main = call(SIDES).replace("  env    = var.env\n", "");
    let twin = started(&main, &files, SIDES, "b");
    twin.step(DEV, "first");
    twin.phi.tf_phi(&["restore"]).expect(0);
    let home = twin.phi.read("phi.moved.tf");
    twin.phi.write("broken.tf", "resource {\n");
    let said = twin.phi.tf_phi(&["restore"]).expect(1).stderr;
    assert!(said.contains("can't be found"), "{said}");
    twin.phi.tf_phi(&["leave"]).expect(1);
    assert_eq!(twin.phi.read("phi.moved.tf"), home);
    std::fs::remove_file(twin.phi.dir().join("broken.tf")).unwrap();
    twin.phi.tf_phi(&["restore"]).expect(0);
    assert_eq!(twin.phi.read("phi.moved.tf"), home);
}

/// What is left of a copy goes to the original's name with a move of the whole, and stands there when something else is to come.
#[test]
fn moved_to_where_something_is_left() {
    let fails = "resource \"terraform_data\" \"fails\" {\n  input = { tag = \"fails\", env = var.env }\n  provisioner \"local-exec\" {\n    command = \"exit 1\"\n  }\n}\n";
    let db = "resource \"terraform_data\" \"db\" {\n  count = 2\n  input = { tag = \"db ${count.index}\", v = var.env == \"prod\" ? 1 : 2 }\n}\n";
    let call =
        "module \"m\" {\n  source = \"./m\"\n  env    = var.env\n  v      = var.env == \"prod\" ? 1 : 2\n}\n";
    let module = "variable \"env\" {}\nvariable \"v\" {}\n";
    let first = format!("{ENV}{fails}{db}");
    let pin = "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n";
    let pins = format!("{pin}specialize \"module.m\" {{\n  fields = [\"v\"]\n}}\n");
    let plain = [("main.tf", first.as_str()), ("m/main.tf", module)];
    let files = [&plain[..], &[("phi.hcl", pin)]].concat();
    for mode in [Mode::InPlace, Mode::Ephemeral] {
        let twin = Twin::beside(mode, &files, &plain);
        twin.init();
        twin.apply_fails(PROD, "first");
        twin.write("main.tf", &format!("{ENV}{fails}{call}"));
        twin.write("m/main.tf", &format!("{module}{db}"));
        twin.phi.write("phi.hcl", &pins);
        twin.init();
        twin.apply_fails(PROD, "into");
        let moved = moved("module.m.terraform_data.db", "terraform_data.db");
        twin.write("main.tf", &format!("{ENV}{fails}{call}{db}{moved}"));
        twin.write("m/main.tf", module);
        twin.compare(PROD, "out of");
        twin.apply_fails(PROD, "out of");
    }
}
