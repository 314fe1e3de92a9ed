//! Plans that are made again write nothing again.

use super::{DEV, ENV, Mode, PIN, PROD, Twin, cases, moved};
use crate::support::Scratch;

/// A resource is renamed by `moved`, and keeps `count`; the second plan writes what the first wrote.
fn planned_again(restored: bool) {
    let main = |name: &str| {
        format!(
            "{ENV}resource \"terraform_data\" \"{name}\" {{\n  count = 2\n  input = {{ v = var.env == \"prod\" ? \"15\" : \"14\", tag = \"db ${{count.index}}\" }}\n}}\n"
        )
    };
    let pin = |name: &str| format!("specialize \"terraform_data.{name}\" {{\n  fields = [\"input.v\"]\n}}\n");
    let twin = Twin::applied(Mode::InPlace, &[("main.tf", &main("db")), ("phi.hcl", &pin("db"))], DEV);
    twin.write("main.tf", &main("main"));
    twin.write("moved.tf", &moved("terraform_data.db", "terraform_data.main"));
    twin.phi.write("phi.hcl", &pin("main"));
    twin.step(DEV, "renamed");
    if restored {
        twin.restore();
    }
    twin.compare(PROD, "first");
    let first = twin.phi.everything();
    for what in ["second", "third"] {
        twin.compare(PROD, what);
        let now = twin.phi.everything();
        let changed: Vec<_> = now.iter().filter(|(path, file)| first.get(*path) != Some(file)).collect();
        let named: Vec<_> = changed.iter().map(|(path, _)| path).collect();
        assert!(named.is_empty() && now.len() == first.len(), "the {what} plan writes {named:?}");
    }
    twin.phi.tf_phi(&["check"]).expect(0);
}

cases! { planned_again:
    in_the_specialised_tree(false),
    after_restore(true),
}

/// The pin is gone before anything was made: what `plan` leaves is what `check` wants.
#[test]
fn checked_once_nothing_is_specialised_any_more() {
    let main = format!(
        "{ENV}variable \"on\" {{\n  default = true\n}}\nmodule \"m\" {{\n  source   = \"./m\"\n  for_each = {{ for k in [\"a\"] : k => k \
         if var.on }}\n  env      = var.env\n}}\n"
    );
    let module = "variable \"env\" {}\nresource \"terraform_data\" \"db\" {\n  for_each = toset([\"a\"])\n  input = { v = var.env == \
                  \"prod\" ? 1 : 2, tag = each.key }\n}\n";
    let scratch = Scratch::with(&[("main.tf", &*main), ("m/main.tf", module), PIN]);
    scratch.init();
    scratch.phi_plan(&["-var=on=false"]);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write("phi.hcl", "");
    for on in ["-var=on=false", "-var=on=true"] {
        scratch.tf_phi(&["plan", "-input=false", on]).expect(0);
        scratch.tf_phi(&["check"]).expect(0);
    }
}
