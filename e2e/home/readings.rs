//! Which of an original's objects stands at which address, where instances become others by `moved` and something that moves
//! nothing (`check --fix`, `init`, a plan that isn't applied) has written the tree before.

use super::{DEV, ENV, Kind, Mode, PIN, PROD, Twin, cases, moved, right_or_answered};

/// What is run between the edit and the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Before {
    Nothing,
    Hook,
    Init,
    DryRun,
    Planned,
}

fn run_before(twin: &Twin, before: Before) {
    let args: &[&str] = match before {
        Before::Nothing => return,
        Before::Hook => &["check", "--fix"],
        Before::Init => &["init", "-input=false"],
        Before::DryRun => &["plan", "--dry-run"],
        Before::Planned => &["plan", "-input=false"],
    };
    twin.phi.tf_phi(args);
}

/// The root module: how the thing is repeated, its tag, and what stands below.
fn root(kind: Kind, repeat: &str, tag: &str, below: &str) -> String {
    let version = "var.env == \"prod\" ? \"15\" : \"14\"";
    match kind {
        Kind::Resource => format!(
            "{ENV}resource \"terraform_data\" \"db\" {{\n{repeat}  input = {{ tag = {tag}, v = {version} }}\n}}\n{below}"
        ),
        Kind::Call => format!(
            "{ENV}module \"db\" {{\n  source = \"./m\"\n{repeat}  tag = {tag}\n  v = {version}\n}}\n{below}"
        ),
    }
}

const MODULE: (&str, &str) = (
    "m/main.tf",
    "variable \"v\" {}\nvariable \"tag\" {}\nresource \"terraform_data\" \"db\" {\n  input = { tag = var.tag, v = var.v }\n}\n",
);

fn applied(kind: Kind, main: &str) -> Twin {
    let mut files = vec![("main.tf", main), PIN];
    if kind == Kind::Call {
        files.push(MODULE);
    }
    Twin::applied(Mode::InPlace, &files, DEV)
}

/// `count = 2` becomes one, and the user says that [1] is the one that stays.
fn the_second_stays(kind: Kind, before: Before, args: &[&str]) {
    let twin = applied(kind, &root(kind, "  count = 2\n", "\"db ${count.index}\"", ""));
    let address = kind.address("db");
    twin.write("main.tf", &root(kind, "", "\"db 1\"", &moved(&format!("{address}[1]"), &address)));
    run_before(&twin, before);
    twin.plain.init();
    twin.compare(args, "one of two");
    twin.phi.tf_phi(&[&["verify"][..], args].concat()).expect(0);
    twin.step(args, "one of two");
    super::plain_is_right(&twin, args, "the specialised tree, one of two");
    twin.step(PROD, "later, prod");
    twin.step(DEV, "later, dev");
}

cases! { the_second_stays:
    resource_dev(Kind::Resource, Before::Nothing, DEV),
    resource_prod(Kind::Resource, Before::Nothing, PROD),
    resource_hook_dev(Kind::Resource, Before::Hook, DEV),
    resource_hook_prod(Kind::Resource, Before::Hook, PROD),
    resource_init_dev(Kind::Resource, Before::Init, DEV),
    resource_init_prod(Kind::Resource, Before::Init, PROD),
    resource_dry_run_dev(Kind::Resource, Before::DryRun, DEV),
    resource_planned_dev(Kind::Resource, Before::Planned, DEV),
    resource_planned_prod(Kind::Resource, Before::Planned, PROD),
    call_dev(Kind::Call, Before::Nothing, DEV),
    call_prod(Kind::Call, Before::Nothing, PROD),
    call_hook_dev(Kind::Call, Before::Hook, DEV),
    call_hook_prod(Kind::Call, Before::Hook, PROD),
    call_init_dev(Kind::Call, Before::Init, DEV),
    call_init_prod(Kind::Call, Before::Init, PROD),
    call_dry_run_dev(Kind::Call, Before::DryRun, DEV),
    call_planned_dev(Kind::Call, Before::Planned, DEV),
    call_planned_prod(Kind::Call, Before::Planned, PROD),
}

/// One becomes `count = 2`, and the user says that it is [1].
fn becomes_the_second(kind: Kind, before: Before, args: &[&str]) {
    let twin = applied(kind, &root(kind, "", "\"db\"", ""));
    let address = kind.address("db");
    let main = root(kind, "  count = 2\n", "\"db\"", &moved(&address, &format!("{address}[1]")));
    twin.write("main.tf", &main);
    run_before(&twin, before);
    twin.plain.init();
    right_or_answered(&twin, args, "two of one");
    twin.step(PROD, "later, prod");
    twin.step(DEV, "later, dev");
}

cases! { becomes_the_second:
    resource_dev(Kind::Resource, Before::Nothing, DEV),
    resource_prod(Kind::Resource, Before::Nothing, PROD),
    resource_hook_dev(Kind::Resource, Before::Hook, DEV),
    resource_hook_prod(Kind::Resource, Before::Hook, PROD),
    resource_planned_prod(Kind::Resource, Before::Planned, PROD),
    call_dev(Kind::Call, Before::Nothing, DEV),
    call_prod(Kind::Call, Before::Nothing, PROD),
    call_hook_dev(Kind::Call, Before::Hook, DEV),
    call_hook_prod(Kind::Call, Before::Hook, PROD),
    call_init_dev(Kind::Call, Before::Init, DEV),
    call_dry_run_prod(Kind::Call, Before::DryRun, PROD),
    call_planned_dev(Kind::Call, Before::Planned, DEV),
}

/// The answer that an object is the user's own, of which the history says that a run made it: refused, or nothing is lost by it.
fn called_ones_own(before: Before) {
    let kind = Kind::Call;
    let twin = applied(kind, &root(kind, "", "\"db\"", ""));
    twin.write("main.tf", &root(kind, "  count = 2\n", "\"db\"", &moved("module.db", "module.db[1]")));
    run_before(&twin, before);
    twin.plain.init();
    twin.phi.tf_phi(&["history", "--own", "module.db_v14[0].terraform_data.db"]);
    let ran = twin.run("plan", DEV);
    if ran.code == 0 {
        twin.compare(DEV, "called one's own");
    }
}

cases! { called_ones_own:
    without_a_hook(Before::Nothing),
    after_a_hook(Before::Hook),
}
