//! Each way out that a refusal prints, followed to the letter, leads out, and destroys nothing.

use super::{PHI, TEMPLATE, chosen, init, phi};
use crate::support::{Ran, Scratch, actions, terraform};
use std::path::Path;

/// The texts to paste, in the order in which they are numbered.
pub fn pastes(ran: &Ran) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let fixes =
        ran.stderr.lines().skip_while(|l| !l.starts_with("Fix")).take_while(|l| !l.starts_with("Code:"));
    for line in fixes.skip(1) {
        match line.strip_prefix("       ") {
            Some(text) => out.last_mut().unwrap().push_str(&format!("{text}\n")),
            None if line.is_empty() => out.last_mut().unwrap().push('\n'),
            None => out.push(String::new()),
        }
    }
    out.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// Pastes one: a block into a file, a command into a shell.
#[track_caller]
pub fn paste(scratch: &Scratch, text: &str) {
    if text.starts_with("removed {") {
        return scratch.write("given_up.tf", text);
    }
    if ["settings {", "form_factor \"", "service \""].iter().any(|head| text.starts_with(head)) {
        return put_back(scratch, text);
    }
    let programs = [Path::new(env!("CARGO_BIN_EXE_tf-phi")).parent().unwrap(), terraform().parent().unwrap()];
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{}:{path}", programs[0].display(), programs[1].display());
    let mut shell = scratch.command(Path::new("sh"));
    let output = shell.env("PATH", path).args(["-c", text]).output().unwrap();
    Ran::of(&output).expect(0);
}

/// Puts blocks into `phi.hcl` in place of those that begin alike.
fn put_back(scratch: &Scratch, text: &str) {
    let mut phi = std::fs::read_to_string(scratch.dir().join("phi.hcl")).unwrap_or_default();
    for head in text.lines().filter(|line| line.ends_with('{') && !line.starts_with(' ')) {
        if let Some(begin) = phi.find(head) {
            let end = begin + phi[begin..].find("\n}\n").unwrap() + "\n}\n".len();
            phi.replace_range(begin..end, "");
        }
    }
    scratch.write("phi.hcl", &format!("{phi}{text}\n"));
}

/// Follows each way out in a tree of its own. A plan destroys nothing then; where a block was pasted, it is applied and taken out again,
/// and the next plan changes nothing.
#[track_caller]
fn leads_out(make: &dyn Fn() -> Scratch, args: &[&str], kinds: &[&str]) {
    let plan = [&["plan", "-input=false", "-no-color"][..], args].concat();
    let refused = make().tf_phi(&plan).expect(1);
    let all = pastes(&refused);
    let beginnings: Vec<&str> = all.iter().map(|t| t.split_whitespace().next().unwrap_or_default()).collect();
    assert_eq!(beginnings, kinds, "{}", refused.stderr);
    for text in all {
        let scratch = make();
        scratch.tf_phi(&plan).expect(1);
        paste(&scratch, &text);
        if text.starts_with("tf-phi plan") {
            continue;
        }
        let found = actions(&scratch.phi_plan(args).0);
        assert!(found.values().all(|a| !a.actions.contains("delete")), "{text}\n{found:?}");
        scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false"][..], args].concat()).expect(0);
        if text.starts_with("removed {") {
            std::fs::remove_file(scratch.dir().join("given_up.tf")).unwrap();
        }
        let found = actions(&scratch.phi_plan(args).0);
        assert!(!found.is_empty() && found.values().all(|a| a.actions == "no-op"), "{text}\n{found:?}");
    }
}

const ENV: &str = "variable \"env\" {\n  type    = string\n  default = \"dev\"\n}\n";
const PROD: &str = "-var=env=prod";

fn apply(scratch: &Scratch, args: &[&str]) {
    init(scratch);
    scratch.tf_phi(&[&["apply", "-auto-approve", "-input=false"][..], args].concat()).expect(0);
}

/// The call around what a service made is split by the service's field.
#[test]
fn out_of_a_service_in_a_copy_of_a_module() {
    let call =
        "module \"db\" {\n  source  = \"./m\"\n  release = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}\n";
    let module = "variable \"release\" {\n  type = string\n}\nresource \"terraform_data\" \"db\" {\n  input = var.release\n}\n";
    let make = || {
        let phi = phi(true).replace("settings {\n  form_factor = \"on-prem\"\n}\n", "");
        let main = format!("{ENV}{call}");
        let scratch = Scratch::with(&[
            ("main.tf", &*main),
            ("m/main.tf", module),
            ("services/x/main.tf", TEMPLATE),
            ("phi.hcl", &*phi),
        ]);
        apply(&scratch, &[PROD, "--form-factor", "on-prem"]);
        scratch
    };
    leads_out(&make, &[PROD], &["tf-phi", "terraform", "removed", "terraform"]);
}

/// What the original's pin made is a copy of what a service replaces.
#[test]
fn out_of_a_form_factor_over_copies() {
    let pin = "specialize \"terraform_data.db\" {\n  fields = [\"input\"]\n}\n";
    let make = || {
        let off = PHI.replace("settings {\n  form_factor = \"on-prem\"\n}\n", "");
        let main = format!(
            "{ENV}resource \"terraform_data\" \"db\" {{\n  input = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n}}\n"
        );
        let phi = format!("{pin}{off}");
        let scratch =
            Scratch::with(&[("main.tf", &*main), ("services/x/main.tf", TEMPLATE), ("phi.hcl", &*phi)]);
        apply(&scratch, &[PROD]);
        scratch
    };
    leads_out(&make, &[PROD, "--form-factor", "on-prem"], &["terraform", "removed", "terraform"]);
}

/// With keys, and without a record.
#[test]
fn out_of_a_service_that_went() {
    let make = || {
        let main = "resource \"terraform_data\" \"db\" {\n  for_each = toset([\"a\", \"b c\"])\n  input    = each.key\n}\n";
        let scratch = Scratch::with(&[("main.tf", main), ("services/x/main.tf", TEMPLATE), ("phi.hcl", PHI)]);
        apply(&scratch, &[]);
        scratch.tf_phi(&["restore"]).expect(0);
        scratch.write("phi.hcl", &PHI.replace("[\"x\"]", "[]"));
        scratch
    };
    leads_out(&make, &[], &["form_factor", "terraform", "removed", "terraform"]);
}

/// What is printed to be put back is all that is missing: the list of services, the service's block, or the whole file.
#[test]
fn out_of_what_went_from_phi_hcl() {
    let make = |phi: Option<&str>| {
        let main = "resource \"terraform_data\" \"db\" {\n  input = \"15.4\"\n}\n";
        let scratch = Scratch::with(&[
            ("main.tf", main),
            ("services/x/main.tf", TEMPLATE),
            ("phi.hcl", &self::phi(true)),
        ]);
        apply(&scratch, &[]);
        scratch.tf_phi(&["restore"]).expect(0);
        match phi {
            Some(phi) => scratch.write("phi.hcl", phi),
            None => std::fs::remove_file(scratch.dir().join("phi.hcl")).unwrap(),
        }
        scratch
    };
    let none = PHI.replace("[\"x\"]", "[]");
    let no_service = &none[..none.find("service ").unwrap()];
    let nothing = "settings {\n  form_factor = \"on-prem\"\n}\nform_factor \"on-prem\" {\n  providers = [\"terraform\"]\n}\n";
    let kinds = |first| [first, "terraform", "removed", "terraform"];
    leads_out(&|| make(Some(no_service)), &[], &kinds("form_factor"));
    leads_out(&|| make(Some(nothing)), &[], &kinds("form_factor"));
    leads_out(&|| make(None), &[], &kinds("settings"));
}

/// A condition chooses another service in this run.
#[test]
fn out_of_a_choice_of_another_service() {
    let phi = chosen::phi(false);
    let main = format!("variable \"old\" {{\n  type = bool\n}}\n{}", chosen::resource("db", ""));
    let template = chosen::template();
    let make = || {
        let scratch = Scratch::with(&[
            ("main.tf", &*main),
            ("phi.hcl", &*phi),
            ("services/x/main.tf", &*template),
            ("services/y/main.tf", &template.replace("\"pg\"", "\"other\"")),
        ]);
        apply(&scratch, &["-var=old=false"]);
        scratch
    };
    leads_out(&make, &["-var=old=true"], &["terraform", "terraform"]);
}

/// Settings that name no form factor yet are printed whole, with the line for it: one thing to paste.
#[test]
fn into_settings_without_a_form_factor() {
    let make = || {
        let phi = PHI.replace("  form_factor = \"on-prem\"\n", "  depth = 12\n");
        let main = format!("{ENV}resource \"terraform_data\" \"db\" {{\n  input = \"15.4\"\n}}\n");
        let scratch =
            Scratch::with(&[("main.tf", &*main), ("services/x/main.tf", TEMPLATE), ("phi.hcl", &*phi)]);
        apply(&scratch, &["--form-factor", "on-prem"]);
        let begin = phi.find("form_factor \"on-prem\"").unwrap();
        let end = phi.find("service \"x\"").unwrap();
        scratch.write("phi.hcl", &format!("{}{}", &phi[..begin], &phi[end..]));
        scratch
    };
    leads_out(&make, &[], &["settings", "terraform", "removed", "terraform"]);
    let said = make().tf_phi(&["plan", "-input=false"]).expect(1);
    let settings = "settings {\n  depth = 12\n  form_factor = \"on-prem\"\n}";
    assert!(pastes(&said)[0].contains(settings), "{}", said.stderr);
}

/// Terraform rejects the sources: what is printed is run by tf-phi.
#[test]
fn out_of_a_tree_that_terraform_rejects() {
    let make = || {
        let phi = PHI
            .replace("settings {\n  form_factor = \"on-prem\"\n}\n", "")
            .replace("  module ", "  when     = { input = \"15.4\" }\n  module ");
        let main = format!(
            "{ENV}resource \"terraform_data\" \"db\" {{\n  input = \"15.4\"\n}}\nresource \"terraform_data\" \"own\" {{\n  input = \"x\"\n  lifecycle {{\n    prevent_destroy = var.env == \"prod\"\n  }}\n}}\n"
        );
        let scratch =
            Scratch::with(&[("main.tf", &*main), ("services/x/main.tf", TEMPLATE), ("phi.hcl", &*phi)]);
        scratch.tf_phi(&["init", "-input=false"]).expect(0);
        scratch.tf_phi(&["apply", "-auto-approve", "-input=false", "--form-factor", "on-prem"]).expect(0);
        scratch.tf_phi(&["restore"]).expect(0);
        scratch
    };
    leads_out(&make, &[], &["tf-phi", "tf-phi", "removed", "tf-phi"]);
    let said = make().tf_phi(&["plan", "-input=false"]).expect(1);
    let all = pastes(&said);
    assert!(all[1].starts_with("tf-phi workspace select -or-create "), "{all:?}");
    let scratch = make();
    paste(&scratch, &all[1]);
    let made = actions(&scratch.phi_plan(&[]).0);
    assert!(made.values().all(|a| a.actions == "create"), "{made:?}");
    assert_eq!(scratch.tf_phi(&["workspace", "show"]).expect(0).stdout, "without-on-prem\n");
}
