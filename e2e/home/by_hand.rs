//! Commands on a state that are printed: they work where Terraform rejects the sources, and name the run's state.

use super::chosen::{choose, started};
use super::{DEV, ENV, PROD, commands, moved};

const SIDES: &str = "var.env == \"prod\" ? \"./a\" : \"./b\"";

/// One source moves into a key what the other renames, so that no `moved` block leads from one to the other.
fn led_by_hand(state: &[&str]) {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n}}\n");
    let module = |name: &str, count: &str| {
        format!("resource \"terraform_data\" \"{name}\" {{\n{count}  input = {{ tag = \"db\" }}\n}}\n")
    };
    let (old, new) = ("terraform_data.old", "terraform_data.new");
    let a = module("new", "") + &moved(old, new);
    let twin = started(&main, &[("a/main.tf", a.as_str()), ("b/main.tf", &module("old", ""))], SIDES, "b");
    let args = |own: &[&'static str]| [own, state].concat();
    let all = |own| [&["-auto-approve", "-input=false"][..], &args(own)].concat();
    twin.plain.apply(&args(DEV));
    twin.phi.tf_phi(&[&["apply"][..], &all(DEV)].concat()).expect(0);
    twin.phi.tf_phi(&["restore"]).expect(0);
    let repeated = module("old", "  count = 2\n") + &moved(old, "terraform_data.old[0]");
    [&twin.phi, &twin.plain].iter().for_each(|side| side.write("b/main.tf", &repeated));
    choose(&twin, &main, SIDES, "a");
    let refused = twin.run("plan", &args(PROD)).expect(1);
    let printed = commands(&refused, "tf-phi state mv");
    assert_eq!(printed.len(), 1, "{}", refused.stderr);
    let command: Vec<&str> = printed[0].iter().map(String::as_str).collect();
    assert!(state.iter().all(|option| command.contains(option)), "{command:?}");
    let before = twin.phi.sources();
    twin.phi.tf_phi(&command).expect(0);
    assert_eq!(twin.phi.sources(), before, "the sources are put back");
    twin.compare(&args(PROD), "by hand");
}

#[test]
fn what_is_printed_leads_out_where_terraform_rejects_the_sources() {
    led_by_hand(&[]);
}

#[test]
fn what_is_printed_names_the_state_of_the_run() {
    led_by_hand(&["-state=own.tfstate"]);
}

/// A state is read and listed in each form of the tree.
#[test]
fn a_state_is_listed_in_each_form_of_the_tree() {
    let main = format!("{ENV}module \"m\" {{\n  source = {SIDES}\n}}\n");
    let module = "resource \"terraform_data\" \"db\" {\n  input = { tag = \"db\" }\n}\n";
    let twin = started(&main, &[("a/main.tf", module), ("b/main.tf", module)], SIDES, "b");
    twin.step(DEV, "first");
    let list = || twin.phi.tf_phi(&["state", "list"]).expect(0).stdout;
    assert_eq!(list(), "module.m_b[0].terraform_data.db\n");
    twin.phi.tf_phi(&["restore"]).expect(0);
    assert_eq!(list(), "module.m_b[0].terraform_data.db\n");
    twin.phi
        .tf_phi(&["state", "mv", "module.m_b[0].terraform_data.db", "module.m.terraform_data.db"])
        .expect(0);
    assert_eq!(list(), "module.m.terraform_data.db\n");
}
