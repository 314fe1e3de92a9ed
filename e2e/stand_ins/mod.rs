//! What services made, beside plain Terraform with the same edits of the original: it goes where the original's objects go.

mod advice;
mod chosen;
mod held;
mod left;
mod lost;

use crate::support::{Scratch, actions};
use tf_phi::terraform::plan_json::Plan;

/// A service whose template holds one object, with its form factor on.
pub const PHI: &str = "settings {\n  form_factor = \"on-prem\"\n}\nform_factor \"on-prem\" {\n  providers = [\"terraform\"]\n  \
                       services  = [\"x\"]\n}\nservice \"x\" {\n  replaces = \"terraform_data\"\n  module   = \"./services/x\"\n}\n";

pub const TEMPLATE: &str = "variable \"input\" {\n  type = string\n}\nresource \"terraform_data\" \"pg\" {\n  input = \"svc ${var.input}\"\n}\n";

/// Makes copies of the service's call, one per value.
const FIELD: &str = "  field \"input\" {\n    universe = [\"14.9\", \"15.4\"]\n  }\n}\n";

const ENV: &str = "variable \"env\" {\n  default = \"prod\"\n}\n";

/// `phi.hcl`, with copies per value or without.
fn phi(pinned: bool) -> String {
    match pinned {
        true => PHI.strip_suffix("}\n").unwrap().to_owned() + FIELD,
        false => PHI.to_owned(),
    }
}

/// Where the resource stands.
#[derive(Clone, Copy, Debug)]
enum Place {
    Root,
    Module,
    /// In a module whose call is renamed by the same edit.
    Renamed,
    Keys,
}

/// The files of a tree, the resource's module filled in.
fn tree(place: Place, inner: &str) -> Vec<(&'static str, String)> {
    let call =
        |keys: &str| format!("{ENV}module \"m\" {{\n  source = \"./m\"\n{keys}  env    = var.env\n}}\n");
    let module = ("m/main.tf", format!("variable \"env\" {{}}\n{inner}"));
    match place {
        Place::Root => vec![("main.tf", format!("{ENV}{inner}"))],
        Place::Module | Place::Renamed => vec![("main.tf", call("")), module],
        Place::Keys => vec![("main.tf", call("  for_each = toset([\"k\", \"l\"])\n")), module],
    }
}

fn resource(name: &str, repeated: &str) -> String {
    format!(
        "resource \"terraform_data\" \"{name}\" {{\n{repeated}  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
    )
}

fn moved(from: &str, to: &str) -> String {
    format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n")
}

const DB: &str = "terraform_data.db";
const COUNT: &str = "  count = 1\n";
const TWO: &str = "  count = 2\n";
const EACH: &str = "  for_each = toset([\"a\"])\n";
const BOTH: &str = "  for_each = toset([\"a\", \"b\"])\n";
const OTHER: &str = "  for_each = toset([\"b\", \"c\"])\n";

/// What an edit makes of the resource: its name, what it had before, and what it has now.
fn edits() -> Vec<(&'static str, String, String)> {
    let main = "terraform_data.main";
    let (db_a, db_b, db_c) =
        ("terraform_data.db[\"a\"]", "terraform_data.db[\"b\"]", "terraform_data.db[\"c\"]");
    let db = |repeated: &str| resource("db", repeated);
    let release =
        |what: &str| format!("removed {{\n  from = {what}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n");
    // As long as anything is replaced, the user's moves are carried over.
    let beside = |own: String| resource("beside", "") + &own;
    vec![
        ("rename", db(""), resource("main", "") + &moved(DB, main)),
        (
            "renames",
            db(""),
            resource("main", "") + &moved(DB, "terraform_data.mid") + &moved("terraform_data.mid", main),
        ),
        ("rename with keys", db(BOTH), resource("main", BOTH) + &moved(DB, main)),
        ("count", db(""), db(COUNT)),
        ("uncount", db(COUNT), db("")),
        ("each", db(""), db(EACH) + &moved(DB, db_a)),
        ("each of count", db(COUNT), db(EACH) + &moved("terraform_data.db[0]", db_a)),
        ("no each", db(EACH), db("") + &moved(db_a, DB)),
        ("other keys", db(BOTH), db(OTHER) + &moved(db_a, db_c)),
        ("a key less", db(BOTH), db(EACH)),
        (
            "swapped keys",
            db(BOTH),
            resource("main", BOTH)
                + &moved(db_a, "terraform_data.main[\"b\"]")
                + &moved(db_b, "terraform_data.main[\"a\"]"),
        ),
        ("one less", db(TWO), db(COUNT)),
        ("deleted", db(""), String::new()),
        ("released", db(""), release(DB)),
        ("deleted beside another", beside(db(BOTH)), beside(String::new())),
        ("released beside another", beside(db(BOTH)), beside(release(DB))),
        ("renamed and released", db(""), moved(DB, main) + &release(main)),
        ("renamed and released beside another", beside(db(BOTH)), beside(moved(DB, main) + &release(main))),
        (
            "a key renamed and released beside another",
            beside(db(EACH)),
            beside(moved(db_a, "terraform_data.main[\"b\"]") + &release(main)),
        ),
        ("renamed and deleted beside another", beside(db(BOTH)), beside(moved(DB, main))),
    ]
}

/// What is done to each object.
fn done(plan: &Plan) -> Vec<String> {
    let mut all: Vec<String> = actions(plan).into_values().map(|a| a.actions).collect();
    all.sort();
    all
}

/// `terraform init` makes no folder where there is nothing to install.
pub fn init(scratch: &Scratch) {
    std::fs::create_dir_all(scratch.dir().join(".terraform")).unwrap();
    scratch.init();
}

fn write(scratch: &Scratch, files: &[(&str, String)]) {
    files.iter().for_each(|(path, text)| scratch.write(path, text));
}

/// Runs one edit in both worlds: what happens to the objects is the same, and after an apply nothing is left to do.
#[track_caller]
fn alike(what: &str, pinned: bool, before: &[(&str, String)], after: &[(&str, String)]) {
    let phi = phi(pinned);
    alike_with(what, &[("phi.hcl", &phi), ("services/x/main.tf", TEMPLATE)], before, after);
}

/// The same with these files beside the tree.
#[track_caller]
fn alike_with(what: &str, beside: &[(&str, &str)], before: &[(&str, String)], after: &[(&str, String)]) {
    let twin = Scratch::with(&[]);
    let phi = Scratch::with(beside);
    let pinned = beside.iter().any(|(_, text)| text.contains("universe") || text.contains("\"y\""));
    for scratch in [&twin, &phi] {
        write(scratch, before);
        init(scratch);
    }
    let apply = ["apply", "-auto-approve", "-input=false"];
    twin.apply(&[]);
    phi.tf_phi(&apply).expect(0);
    phi.tf_phi(&["restore"]).expect(0);
    for scratch in [&twin, &phi] {
        write(scratch, after);
        scratch.terraform(&["get"]).expect(0);
    }
    let (wanted, found) = (twin.plan(&[]), phi.phi_plan(&[]).0);
    assert_eq!(done(&found), done(&wanted), "{what}: {:?}", actions(&found));
    // What is given up is where it was.
    let is_kept = |actions: &str| !matches!(actions, "forget" | "delete");
    let moved =
        |plan: &Plan| actions(plan).values().filter(|a| a.from.is_some() && is_kept(&a.actions)).count();
    assert!(pinned || moved(&found) >= moved(&wanted), "{what}: {:?}", actions(&found));
    phi.tf_phi(&["verify"]).expect(0);
    phi.tf_phi(&apply).expect(0);
    let again = phi.phi_plan(&[]).0;
    assert!(done(&again).iter().all(|a| a == "no-op"), "{what}, applied: {:?}", actions(&again));
}

#[track_caller]
fn edited(place: Place, pinned: bool, name: &str) {
    let all = edits();
    let (_, before, after) = all.iter().find(|(own, ..)| *own == name).unwrap();
    let mut after = tree(place, after);
    if matches!(place, Place::Renamed) {
        after[0].1 = after[0].1.replace("module \"m\"", "module \"n\"") + &moved("module.m", "module.n");
    }
    alike(&format!("{name} {place:?} {pinned}"), pinned, &tree(place, before), &after);
}

#[test]
fn a_rename_with_moved_keeps_what_a_service_made() {
    edited(Place::Module, false, "rename");
    edited(Place::Root, true, "rename");
}

#[test]
fn count_that_comes_or_goes_keeps_what_a_service_made() {
    edited(Place::Module, false, "count");
    edited(Place::Root, true, "count");
    edited(Place::Root, true, "uncount");
}

#[test]
fn a_key_keeps_what_a_service_made() {
    edited(Place::Module, false, "each");
    edited(Place::Root, true, "each");
}

#[test]
fn what_the_original_gives_up_a_service_gives_up() {
    edited(Place::Root, true, "deleted");
    edited(Place::Module, false, "released");
    edited(Place::Renamed, false, "released");
    edited(Place::Renamed, true, "released");
    edited(Place::Keys, false, "renamed and released beside another");
    edited(Place::Module, true, "renamed and released beside another");
}

#[test]
fn a_sample_of_all_edits_in_all_places() {
    let mut all = Vec::new();
    for place in [Place::Root, Place::Module, Place::Renamed, Place::Keys] {
        for pinned in [false, true] {
            let edits = edits().into_iter().map(|(name, ..)| name);
            // In a module that is renamed as well, Terraform makes no moves of its own, and so deletes the resource; a call is kept. Moves of
            // single keys are refused beside copies.
            let differs = |name: &&str| match place {
                Place::Renamed => {
                    ["count", "uncount"].contains(name)
                        || pinned && ["each of count", "no each", "other keys"].contains(name)
                }
                _ => false,
            };
            all.extend(edits.filter(|name| !differs(name)).map(|name| (place, pinned, name)));
        }
    }
    for (place, pinned, name) in crate::support::sample::sampled(all, 17, "stand-ins") {
        edited(place, pinned, name);
    }
}

#[test]
fn a_call_around_it_that_is_renamed_keeps_what_a_service_made() {
    let before = tree(Place::Module, &resource("db", ""));
    let main = before[0].1.replace("module \"m\"", "module \"n\"") + &moved("module.m", "module.n");
    alike("a call renamed", false, &before, &[("main.tf", main)]);
}

#[test]
fn a_move_into_a_module_keeps_what_a_service_made() {
    let before = tree(Place::Root, &resource("db", ""));
    let mut after = tree(Place::Module, &resource("db", ""));
    after[0].1.push_str(&moved(DB, "module.m.terraform_data.db"));
    alike("into a module", true, &before, &after);
}

/// A call that a service replaces, renamed with `moved`; its module is not the service's.
#[test]
fn a_replaced_call_that_is_renamed_keeps_what_a_service_made() {
    let phi = phi(true)
        .replace("\"terraform_data\"\n", "\"module:./modules/db\"\n")
        .replace("field \"input\"", "field \"release\"");
    let release = "variable \"release\" {\n  type = string\n}\n";
    let root = format!(
        "{ENV}module \"app\" {{\n  source  = \"./modules/app\"\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
    );
    let app = |name: &str, more: &str| {
        format!("{release}module \"{name}\" {{\n  source  = \"../db\"\n{more}  release = var.release\n}}\n")
    };
    let db = format!("{release}resource \"terraform_data\" \"db\" {{\n  input = var.release\n}}\n");
    let service = TEMPLATE.replace("\"input\"", "\"release\"").replace("var.input", "var.release");
    let (root, db) = (root.as_str(), db.as_str());
    let edits = [
        app("pg", "") + &moved("module.db", "module.pg"),
        app("db", "  for_each = toset([\"a\"])\n") + &moved("module.db", "module.db[\"a\"]"),
        app("db", COUNT),
    ];
    for after in edits {
        let files = [
            ("main.tf", root),
            ("modules/db/main.tf", db),
            ("modules/app/main.tf", &*app("db", "")),
            ("services/x/main.tf", &*service),
            ("phi.hcl", &*phi),
        ];
        let scratch = Scratch::with(&files);
        init(&scratch);
        scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.write("modules/app/main.tf", &after);
        scratch.terraform(&["get"]).expect(0);
        let found = actions(&scratch.phi_plan(&[]).0);
        assert!(found.len() == 1 && found.values().all(|a| a.actions == "no-op"), "{found:?}");
        assert!(found.values().all(|a| a.from.is_some()), "{found:?}");
    }
}

/// The name of the form factor is part of a replaced call's name inside of modules.
#[test]
fn another_name_for_the_form_factor_keeps_what_a_service_made() {
    let phi = PHI.replace("\"terraform_data\"\n", "\"module:./modules/db\"\n");
    let root = "module \"db\" {\n  source = \"./modules/db\"\n  input  = \"15.4\"\n}\n";
    let db = "variable \"input\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.input\n}\n";
    let scratch = Scratch::with(&[
        ("main.tf", root),
        ("modules/db/main.tf", db),
        ("services/x/main.tf", TEMPLATE),
        ("phi.hcl", &phi),
    ]);
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    scratch.write("phi.hcl", &phi.replace("on-prem", "on-site"));
    let found = actions(&scratch.phi_plan(&[]).0);
    let pg = &found["module.on_site_db.terraform_data.pg"];
    assert_eq!(
        (pg.actions.as_str(), pg.from.as_deref()),
        ("no-op", Some("module.on_prem_db.terraform_data.pg"))
    );
}

/// `-target` and `-replace` with the original's address mean what stands in.
#[test]
fn targets_and_replacements_reach_what_a_service_made() {
    let scratch = Scratch::with(&[("phi.hcl", &phi(true)), ("services/x/main.tf", TEMPLATE)]);
    write(&scratch, &tree(Place::Root, &resource("db", "")));
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    let plan = |args: &[&str]| {
        let found = actions(&scratch.phi_plan(args).0);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().map(|(address, action)| (address, action.actions)).unwrap()
    };
    let is = |address: &str, what: &str| (address.to_owned(), what.to_owned());
    let prod = "module.db_v15_4[0].terraform_data.pg";
    assert_eq!(plan(&["-target=terraform_data.db"]), is(prod, "no-op"));
    assert_eq!(plan(&["-replace=terraform_data.db"]), is(prod, "delete create"));
    assert_eq!(plan(&["-destroy", "-target=terraform_data.db"]), is(prod, "delete"));
    let flipped = plan(&["-var=env=dev", "-target=terraform_data.db"]);
    assert_eq!(flipped, is("module.db_v14_9[0].terraform_data.pg", "update"));
}

/// The user's own resource and call, whose names begin like one that a service replaces.
#[test]
fn what_is_named_alike_is_the_users_own() {
    let old = "resource \"terraform_data\" \"db_old\" {\n  input            = \"x\"\n  triggers_replace = \"keep\"\n}\n";
    let phi = phi(true).replace("  module   =", "  when     = { triggers_replace = null }\n  module   =");
    let scratch = Scratch::with(&[("phi.hcl", &phi), ("services/x/main.tf", TEMPLATE)]);
    let own = "module \"db_2\" {\n  source = \"./n\"\n}\n";
    scratch.write("n/main.tf", &old.replace("db_old", "q"));
    write(&scratch, &tree(Place::Root, &(resource("db", "") + old + own)));
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    write(&scratch, &tree(Place::Root, &resource("db", "")));
    let found = actions(&scratch.phi_plan(&[]).0);
    assert_eq!(found["terraform_data.db_old"].actions, "delete");
    assert_eq!(found["module.db_2.terraform_data.q"].actions, "delete");
    assert_eq!(found["module.db_v15_4[0].terraform_data.pg"].actions, "no-op");
}

/// Moves of single keys of a copy in a module that the same edit renames form a cycle for Terraform. They are refused, and nothing is lost.
#[test]
fn keys_of_a_copy_in_a_renamed_module_are_held() {
    let phi = phi(true);
    let scratch = Scratch::with(&[("phi.hcl", &*phi), ("services/x/main.tf", TEMPLATE)]);
    write(&scratch, &tree(Place::Module, &resource("db", EACH)));
    init(&scratch);
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    let mut after = tree(Place::Module, &(resource("db", "") + &moved("terraform_data.db[\"a\"]", DB)));
    after[0].1 = after[0].1.replace("module \"m\"", "module \"n\"") + &moved("module.m", "module.n");
    write(&scratch, &after);
    scratch.terraform(&["get"]).expect(0);
    let refused = scratch.tf_phi(&["plan", "-input=false"]).expect(1);
    assert!(refused.stderr.contains("Code: held"), "{}", refused.stderr);
    // One move at a time leads out.
    write(&scratch, &tree(Place::Module, &(resource("db", "") + &moved("terraform_data.db[\"a\"]", DB))));
    scratch.tf_phi(&["apply", "-auto-approve", "-input=false"]).expect(0);
    scratch.tf_phi(&["restore"]).expect(0);
    after[1].1 = format!("variable \"env\" {{}}\n{}", resource("db", ""));
    write(&scratch, &after);
    scratch.terraform(&["get"]).expect(0);
    let found = scratch.phi_plan(&[]).0;
    assert_eq!(done(&found), ["no-op"], "{:?}", actions(&found));
}
