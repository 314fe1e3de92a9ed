//! What Terraform evaluates before it knows a resource: a copy has values written out where the original has unknown ones, and has to
//! be accepted wherever the original is.
//!
//! Generated: every arm with every other arm, under a test that is a variable or a local, and conditions of `for` within
//! `can` and `try`. What Terraform rejects in the original under some input is left out, by its own word.

use crate::compare;
use crate::support::Scratch;
use std::collections::BTreeSet;

/// `R` is an attribute of a resource.
const ARMS: [&str; 16] = [
    "[\"e\", R]",
    "[[\"e\"], R]",
    "[\"e\", R][*][*]",
    "{ a = { x = 1 }, b = R }",
    "{ a = { x = R }, b = { y = 1 } }",
    "[{ x = R }, { y = 1 }]",
    "[[R], [1, 2]]",
    "[[\"e\"], [R]]",
    "[tolist([\"a\"]), R]",
    "[{ x = 1 }, tomap({ a = \"e\" }), R]",
    "R",
    "[]",
    "tolist([])",
    "tomap({})",
    "[for v in [\"\"] : \"x\" if var.on]",
    "null",
];

/// Conditions of a `for` that is empty in one of the copies.
const CONDITIONS: [&str; 4] =
    ["contains(terraform_data.c[*].input, v)", "contains(terraform_data.p.input, v)", "v == R", "true"];

const HEAD: &str = "variable \"on\" {\n  type = bool\n}\nlocals {\n  on = var.on\n}\nresource \"terraform_data\" \"p\" {\n  input = var.on\n}\n\
                    resource \"terraform_data\" \"c\" {\n  count = 2\n  input = \"c${count.index}\"\n}\n";

const MAIN: &str = "variable \"env\" {\n  type = string\n}\nmodule \"m\" {\n  source = \"./m\"\n  on     = var.env == \"a\"\n}\n";

fn expressions() -> Vec<String> {
    let mut out = Vec::new();
    let pairs = ARMS.iter().flat_map(|yes| ARMS.iter().map(move |no| (yes, no))).filter(|(y, n)| y != n);
    for (at, (yes, no)) in pairs.enumerate() {
        let test = if at % 2 == 0 { "var.on" } else { "local.on" };
        out.push(format!("{test} ? {yes} : {no}"));
    }
    // The one that is empty in a copy, behind each arm.
    for arm in ARMS {
        out.push(format!("local.on ? {arm} : [for v in [\"\"] : \"x\" if local.on]"));
        out.push(format!("local.on ? [for v in [\"\"] : \"x\" if !local.on] : {arm}"));
    }
    for condition in CONDITIONS {
        let (list, map) = (
            format!("[for v in (var.on ? [] : [\"c1\"]) : v if {condition}]"),
            format!("{{ for v in (var.on ? [] : [\"c1\"]) : v => v if {condition} }}"),
        );
        for each in [list, map] {
            out.extend([format!("can({each})"), format!("try({each}, \"none\")"), each]);
        }
    }
    for made in [
        "[for w in terraform_data.c[*].input : w if var.on]",
        "[for w in terraform_data.p.input : w if var.on]",
    ] {
        out.extend([
            format!("can([for v in {made} : v])"),
            format!("try({{ for v in {made} : v => v... }}, 1)"),
        ]);
    }
    out.into_iter().map(|text| text.replace('R', "terraform_data.p.input")).collect()
}

fn tree(all: &[String], left_out: &BTreeSet<usize>) -> Scratch {
    let (mut module, mut main) = (HEAD.to_owned(), MAIN.to_owned());
    for (at, text) in all.iter().enumerate().filter(|(at, _)| !left_out.contains(at)) {
        module.push_str(&format!("output \"o{at}\" {{\n  value = {text}\n}}\n"));
        main.push_str(&format!("output \"o{at}\" {{\n  value = module.m.o{at}\n}}\n"));
    }
    let phi = "specialize \"terraform_data.p\" {\n  fields = [\"input\"]\n}\nvariable \"env\" {\n  universe = [\"a\", \"b\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", &main), ("m/main.tf", &module), ("phi.hcl", phi)]);
    scratch.init();
    scratch
}

/// The outputs that Terraform names in its errors.
fn rejected(text: &str) -> BTreeSet<usize> {
    text.split("in output \"o").skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
}

#[test]
fn a_copy_is_accepted_wherever_its_original_is() {
    let all = expressions();
    let mut compared = 0;
    for env in ["a", "b"] {
        let arg = &*format!("-var=env={env}");
        let mut left_out = BTreeSet::new();
        let original = loop {
            let tree = tree(&all, &left_out);
            let found = rejected(&tree.terraform(&["plan", "-input=false", "-no-color", arg]).stderr);
            if found.is_empty() {
                break tree;
            }
            left_out.extend(found);
        };
        compared += all.len() - left_out.len();
        let specialised = tree(&all, &left_out);
        let (plan, _) = specialised.phi_plan(&[arg]);
        compare::same(&original.plan(&[arg]), &plan, &specialised, env);
    }
    assert!(compared > 140, "{compared} of {}", 2 * all.len());
}
