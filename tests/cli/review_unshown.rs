//! `tf-phi review`: what isn't known on either side is not taken for equal, and what no field tells of is compared.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

use crate::cli_common::git::{git, repository_of};
use crate::cli_common::{Done, Scratch};
use std::fs;

/// Reviews two trees, each of files.
fn reviewed(before: &[(&str, &str)], after: &[(&str, &str)], args: &[&str]) -> Done {
    let scratch = Scratch::new(before.iter().copied());
    let tree = scratch.tree();
    repository_of(&tree);
    for (path, _) in before {
        fs::remove_file(tree.join(path)).unwrap();
    }
    for (path, text) in after {
        let path = tree.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    git(&tree, &["add", "-A", "-f"]);
    let all = ["review", "--base", "HEAD"].into_iter().chain(args.iter().copied());
    scratch.run(&all.collect::<Vec<_>>())
}

/// The review names each of these, and its status says that something differs of this kind; a tree beside itself has no difference.
fn tells_of(what: &str, before: &[(&str, &str)], after: &[(&str, &str)], named: &[&str]) {
    let done = reviewed(before, after, &["--fail-on", what]);
    assert_eq!(done.code, Some(3), "{before:?}\n{after:?}\n{}{}", done.out, done.err);
    named.iter().for_each(|name| assert!(done.out.contains(name), "{name}:\n{}{}", done.out, done.err));
    for tree in [before, after] {
        is_quiet(tree, tree);
    }
}

fn is_quiet(before: &[(&str, &str)], after: &[(&str, &str)]) {
    let done = reviewed(before, after, &["--fail-on", "change,destroy,finding"]);
    assert_eq!(done.code, Some(0), "{before:?}\n{after:?}\n{}{}", done.out, done.err);
    assert!(done.out.contains("nothing differs"), "{}", done.out);
}

fn tells(before: &[(&str, &str)], after: &[(&str, &str)], named: &[&str]) {
    tells_of("change", before, after, named);
}

/// A change of the text of `main.tf` alone.
fn tells_edit(before: &str, from: &str, to: &str, named: &[&str]) {
    assert!(before.contains(from), "{from}");
    tells(&[("main.tf", before)], &[("main.tf", &before.replace(from, to))], named);
}

const OPEN_MODULE: &str = "variable \"v\" {\n  type = set(string)\n}\nmodule \"m\" {\n  source   = \"./m\"\n  for_each = var.v\n}\n";
const KEPT: &str = "resource \"terraform_data\" \"k\" {\n  input = 1\n}\n";

#[test]
fn a_resource_of_which_nobody_knows_the_instances_comes_and_goes() {
    let vault = format!("{KEPT}resource \"terraform_data\" \"vault\" {{\n}}\n");
    let [without, with] = [KEPT, &vault].map(|module| [("main.tf", OPEN_MODULE), ("m/main.tf", module)]);
    tells(&without, &with, &["+ module.m.terraform_data.vault"]);
    tells_of("destroy", &with, &without, &["- module.m.terraform_data.vault"]);
    let renamed = vault.replace("vault", "other");
    let renamed = [("main.tf", OPEN_MODULE), ("m/main.tf", &*renamed)];
    tells_of(
        "destroy",
        &with,
        &renamed,
        &["- module.m.terraform_data.vault", "+ module.m.terraform_data.other"],
    );
    // What comes is nothing that goes.
    let done = reviewed(&without, &with, &["--fail-on", "destroy"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

#[test]
fn an_open_repetition_that_becomes_another_may_lose_instances() {
    let variables = "variable \"v\" {\n  type = set(string)\n}\nvariable \"w\" {\n  type = set(string)\n}\n";
    let with =
        |each: &str| format!("{variables}resource \"terraform_data\" \"a\" {{\n  for_each = {each}\n}}\n");
    for (before, after) in [("var.v", "toset([])"), ("var.v", "var.w"), ("toset([\"a\"])", "var.v")] {
        let (before, after) = (with(before), with(after));
        tells_of("destroy", &[("main.tf", &before)], &[("main.tf", &after)], &["terraform_data.a"]);
    }
    let gone = with("var.v");
    tells_of("destroy", &[("main.tf", &gone)], &[("main.tf", variables)], &["- terraform_data.a"]);
    // None there were, or the same there are.
    let (none, some) = (with("toset([])"), with("var.v"));
    let done = reviewed(&[("main.tf", &none)], &[("main.tf", &some)], &["--fail-on", "destroy"]);
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
    let done = reviewed(
        &[("main.tf", OPEN_MODULE), ("m/main.tf", KEPT)],
        &[("main.tf", OPEN_MODULE), ("m/main.tf", &KEPT.replace('1', "2"))],
        &["--fail-on", "destroy"],
    );
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.err);
}

#[test]
fn a_block_without_arguments_is_compared_wherever_it_stands() {
    let trees = [
        "resource \"x_y\" \"a\" {\n  rule {\n    name = \"r\"\n    action {\n      block {}\n    }\n  }\n}\n",
        "resource \"x_y\" \"a\" {\n  rule {\n    name = \"q\"\n  }\n  rule {\n    name = \"r\"\n    block {}\n  }\n}\n",
        "data \"x_y\" \"a\" {\n  rule {\n    name = \"r\"\n    block {}\n    other {\n      a = 1\n    }\n  }\n}\n",
        "resource \"x_y\" \"a\" {\n  dynamic \"rule\" {\n    for_each = [1]\n    content {\n      name = rule.value\n      block {}\n    }\n  }\n}\n",
        "provider \"x\" {\n  region = \"r\"\n  block {}\n}\n",
        "provider \"x\" {\n  region = \"r\"\n  inner {\n    a = 1\n    block {}\n  }\n}\n",
    ];
    for tree in trees {
        tells_edit(tree, "block {}", "allow {}", &["blocks"]);
        tells_edit(tree, "block {}", "", &["blocks"]);
    }
    // It moves from one of two to the other.
    let two =
        "resource \"x_y\" \"a\" {\n  rule {\n    n = 1\n    block {}\n  }\n  rule {\n    n = 2\n  }\n}\n";
    let moved =
        "resource \"x_y\" \"a\" {\n  rule {\n    n = 1\n  }\n  rule {\n    n = 2\n    block {}\n  }\n}\n";
    tells(&[("main.tf", two)], &[("main.tf", moved)], &["blocks"]);
    let laid_out = two.replace("    block {}", "    block {\n    }");
    is_quiet(&[("main.tf", two)], &[("main.tf", &laid_out)]);
}

#[test]
fn an_error_on_both_sides_is_equal_only_where_all_behind_it_is_written_alike() {
    let parts = [
        "filebase64sha256(\"build/x.zip\")",
        "jsondecode(file(\"gen.json\")).a",
        "templatefile(\"gen.tpl\", {})",
        "{ dev = 1, prod = 2 }[\"stage\"]",
    ];
    for part in parts {
        let tree = format!(
            "locals {{\n  l = \"good\"\n}}\nresource \"terraform_data\" \"a\" {{\n  input = {{ a = {part}, b = local.l }}\n}}\n"
        );
        tells_edit(&tree, "good", "evil", &["not compared", "terraform_data.a.input"]);
        // Of what doesn't stand behind it nobody cares.
        let more = format!("{tree}locals {{\n  unused = 1\n}}\n");
        is_quiet(&[("main.tf", &tree), ("x.md", "a")], &[("main.tf", &more), ("x.md", "b")]);
    }
    // A value that a variable file gives.
    let tree = "variable \"v\" {\n}\nresource \"terraform_data\" \"a\" {\n  input = { a = file(\"gen\"), b = var.v }\n}\n";
    tells(
        &[("main.tf", tree), ("terraform.tfvars", "v = \"good\"\n")],
        &[("main.tf", tree), ("terraform.tfvars", "v = \"evil\"\n")],
        &["not compared", "terraform_data.a.input"],
    );
}

#[test]
fn what_hangs_on_a_workspace_that_nothing_names_is_not_compared_where_it_is_edited() {
    let of = |value: &str| format!("resource \"terraform_data\" \"a\" {{\n  input = {value}\n}}\n");
    let values = [
        "{ dev = \"s\", prod = \"good\" }[terraform.workspace]",
        "terraform.workspace == \"prod\" ? \"good\" : \"s\"",
        "lookup({ prod = \"good\" }, terraform.workspace, \"s\")",
        "\"${terraform.workspace == \"prod\" ? \"good\" : \"s\"}-x\"",
    ];
    for value in values {
        let universe = "variable \"terraform.workspace\" {\n  universe = [\"default\", \"prod\"]\n}\n";
        let (before, after) = (of(value), of(&value.replace("good", "evil")));
        tells(&[("main.tf", &before)], &[("main.tf", &after)], &["not compared", "terraform_data.a.input"]);
        tells(
            &[("main.tf", &before), ("phi.hcl", universe)],
            &[("main.tf", &after), ("phi.hcl", universe)],
            &["terraform_data.a.input"],
        );
    }
    // What is there in another workspace alone.
    let counted = "resource \"terraform_data\" \"a\" {\n  count = terraform.workspace == \"prod\" ? 1 : 0\n  input = \"good\"\n}\n";
    tells_edit(counted, "good", "evil", &["not compared", "terraform_data.a.input"]);
    tells_of(
        "destroy",
        &[("main.tf", counted)],
        &[("main.tf", &counted.replace("? 1", "? 0"))],
        &["terraform_data.a"],
    );
    tells_of("destroy", &[("main.tf", counted)], &[("main.tf", "")], &["terraform_data.a"]);
    let called =
        "module \"m\" {\n  source = \"./m\"\n  count  = terraform.workspace == \"prod\" ? 1 : 0\n}\n";
    tells(
        &[("main.tf", called), ("m/main.tf", KEPT)],
        &[("main.tf", called), ("m/main.tf", &KEPT.replace('1', "2"))],
        &["not compared", "module.m.terraform_data.k.input"],
    );
    // A file for each.
    let files = of("yamldecode(file(\"${path.module}/${terraform.workspace}.yaml\")).size");
    let tree = |size| [("main.tf", &*files), ("dev.yaml", "size: s\n"), ("prod.yaml", size)];
    tells(&tree("size: good\n"), &tree("size: evil\n"), &["not compared", "terraform_data.a.input"]);
    // A file of another kind beside them, and an environment that has a workspace.
    let beside = [("notes.md", "other")];
    is_quiet(&tree("size: s\n"), &[&tree("size: s\n")[..], &beside].concat());
    let phi = "environment \"dev\" {\n  workspace = \"dev\"\n}\n";
    let dev = |value: &str| of(&values[0].replace("good", value));
    is_quiet(&[("main.tf", &dev("a")), ("phi.hcl", phi)], &[("main.tf", &dev("b")), ("phi.hcl", phi)]);
}

const NUMBER: &str =
    "variable \"n\" {\n  type = number\n}\nresource \"terraform_data\" \"a\" {\n  input = var.n\n}\n";

#[test]
fn another_specialisation_is_a_change() {
    let phi = |bins: &str| {
        format!("specialize \"terraform_data\" {{\n  field \"input\" {{\n    bins = {bins}\n  }}\n}}\n")
    };
    let (before, after) = (phi("[20, 100]"), phi("[20, 200]"));
    let given = ("env/prod.tfvars", "n = 30\n");
    tells(
        &[("main.tf", NUMBER), ("phi.hcl", &before), given],
        &[("main.tf", NUMBER), ("phi.hcl", &after), given],
        &["specializations"],
    );
}

#[test]
fn an_environment_that_leaves_a_universe_is_a_finding() {
    let phi = |universe: &str| {
        format!(
            "variable \"n\" {{\n  universe = {universe}\n}}\nspecialize \"terraform_data\" {{\n  fields = [\"input\"]\n}}\n"
        )
    };
    let (before, after) = (phi("[10, 30]"), phi("[10]"));
    let given = [("main.tf", NUMBER), ("env/dev.tfvars", "n = 10\n"), ("env/prod.tfvars", "n = 30\n")];
    let of = |phi: &'static str| [&given[..], &[("phi.hcl", phi)]].concat();
    let (before, after) = (of(before.leak()), of(after.leak()));
    tells_of("finding", &before, &after, &["var.n", "prod"]);
}

const STACK: [(&str, &str); 3] = [
    (
        "main.tfcomponent.hcl",
        "required_providers {\n  terraform = {\n    source = \"terraform.io/builtin/terraform\"\n  }\n}\nprovider \"terraform\" \"t\" {\n}\nvariable \"v\" {\n  type = string\n}\ncomponent \"a\" {\n  source    = \"./m\"\n  inputs    = { v = var.v }\n  providers = { terraform = provider.terraform.t }\n}\n",
    ),
    (
        "m/main.tf",
        "variable \"v\" {\n  type = string\n}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n",
    ),
    (
        "all.tfdeploy.hcl",
        "locals {\n  audience = \"good\"\n}\nidentity_token \"aws\" {\n  audience = [local.audience]\n}\nstore \"varset\" \"s\" {\n  id       = \"one\"\n  category = \"env\"\n}\ndeployment \"dev\" {\n  inputs = { v = \"d\" }\n}\ndeployment \"prod\" {\n  destroy = false\n  inputs  = { v = store.varset.s.v }\n}\n",
    ),
];

#[test]
fn what_a_deployment_is_besides_its_inputs_is_compared() {
    let edited = |name: &str, from: &str, to: &str| {
        STACK.map(|(path, text)| match path == name {
            true => {
                assert!(text.contains(from), "{from}");
                (path, &*text.replace(from, to).leak())
            }
            false => (path, text),
        })
    };
    let destroyed = edited("all.tfdeploy.hcl", "destroy = false", "destroy = true");
    tells_of("destroy", &STACK, &destroyed, &["prod", "deployment.prod"]);
    let done = reviewed(&STACK, &destroyed, &[]);
    assert!(done.out.contains("dev: nothing differs"), "{}", done.out);
    let edits = [
        ("all.tfdeploy.hcl", "= \"good\"", "= \"evil\"", "identity_token.aws"),
        ("all.tfdeploy.hcl", "\"one\"", "\"other\"", "store.varset.s"),
        ("all.tfdeploy.hcl", "destroy = false", "import  = true", "deployment.prod"),
        (
            "all.tfdeploy.hcl",
            "locals {",
            "publish_output \"o\" {\n  value = deployment.dev.x\n}\nlocals {",
            "publish_output.o",
        ),
        (
            "main.tfcomponent.hcl",
            "component \"a\" {",
            "removed {\n  source = \"./m\"\n  from = component.old\n  providers = { terraform = provider.terraform.t }\n}\ncomponent \"a\" {",
            "removed",
        ),
    ];
    for (path, from, to, named) in edits {
        tells(&STACK, &edited(path, from, to), &[named]);
    }
}

#[test]
fn the_default_of_an_optional_attribute_is_a_part_of_a_variable_without_value() {
    let tree = "variable \"v\" {\n  type = object({ name = string, on = optional(bool, true), p = optional(string, \"good\") })\n}\nresource \"terraform_data\" \"a\" {\n  for_each = { for k in [\"x\"] : k => k if var.v.on }\n  input    = var.v\n}\n";
    tells_edit(tree, "good", "evil", &["terraform_data.a.input"]);
    tells_edit(tree, "true", "false", &["terraform_data.a.for_each"]);
    is_quiet(
        &[("main.tf", tree)],
        &[("main.tf", &tree.replace("optional(bool, true)", "optional(bool,true)"))],
    );
}

#[test]
fn what_opentofu_has_in_a_lifecycle_and_the_locals_in_references_are_compared() {
    for (argument, from, to) in [("enabled", "true", "false"), ("destroy", "false", "true")] {
        let own = |value: &str| {
            format!(
                "resource \"terraform_data\" \"a\" {{\n  lifecycle {{\n    {argument} = {value}\n  }}\n}}\n"
            )
        };
        tells(&[("main.tf", &own(from))], &[("main.tf", &own(to))], &["lifecycle"]);
        let by_name = format!("locals {{\n  on = {from}\n}}\n{}", own("local.on"));
        tells_edit(&by_name, &format!("on = {from}"), &format!("on = {to}"), &["terraform_data.a.lifecycle"]);
    }
    let provider = "locals {\n  k = \"good\"\n}\nresource \"x_y\" \"a\" {\n  provider = x.p[local.k]\n}\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    x = x.p[local.k]\n  }\n}\n";
    let tree = |text: &'static str| vec![("main.tf", text.to_owned()), ("m/main.tf", String::new())];
    let (before, mut after) = (tree(provider), tree(provider));
    after[0].1 = provider.replace("good", "evil");
    let of = |all: &[(&'static str, String)]| all.iter().map(|(p, t)| (*p, t.clone())).collect::<Vec<_>>();
    let (before, after) = (of(&before), of(&after));
    let lent = |all: &'_ [(&'static str, String)]| -> Vec<(&'static str, &'static str)> {
        all.iter().map(|(p, t)| (*p, &*Box::leak(t.clone().into_boxed_str()))).collect()
    };
    tells(&lent(&before), &lent(&after), &["x_y.a.provider", "module.m.providers"]);
}

#[test]
fn a_variable_file_that_no_environment_reads_is_told() {
    let main = "variable \"v\" {\n  type    = string\n  default = \"a\"\n}\nresource \"terraform_data\" \"a\" {\n  input = var.v\n}\n";
    let of = |more: &'static [(&'static str, &'static str)]| [&[("main.tf", main)], more].concat();
    let row = "integration/rds.tfvars";
    let [before, after] = ["a", "b"].map(|value| format!("databases = {{ x = \"{value}\" }}\n"));
    let (before, after): (&'static str, &'static str) = (before.leak(), after.leak());
    let with = |text: &'static str| of(vec![(row, text)].leak());
    tells(&with(before), &with(after), &[row, "no environment reads it"]);
    tells(&of(&[]), &with(after), &[row]);
    tells(&with(before), &of(&[]), &[row]);
    // Arguments of a backend.
    tells(&of(&[("x.tfvars", "bucket = \"a\"\n")]), &of(&[("x.tfvars", "bucket = \"b\"\n")]), &["x.tfvars"]);
    let done = reviewed(&with(before), &with(after), &[]);
    assert!(done.err.contains("var_files = [\"integration/rds.tfvars\"]"), "{}", done.err);
    assert!(done.err.contains("environments = []"), "{}", done.err);
    // What is read is told by its values alone, and a value that is the default's is no difference.
    is_quiet(&of(&[("env/p.tfvars", "v = \"b\"\n")]), &of(&[("env/p.tfvars", "v = \"b\"\n# c\n")]));
    // Whoever says which files are read has said it of the others.
    let told = |text: &'static str| {
        [&with(text)[..], &[("phi.hcl", "settings {\n  environments = []\n}\n")]].concat()
    };
    is_quiet(&told(before), &told(after));
    // Another root module's, and those of tests.
    let other = |text: &'static str, of_test: &'static str| {
        [&of(&[])[..], &[("sub/main.tf", main), ("sub/x.tfvars", text), ("tests/x.tfvars", of_test)]].concat()
    };
    is_quiet(&other("v = \"a\"\n", "z = 1\n"), &other("v = \"b\"\n", "z = 2\n"));
}

#[test]
fn what_is_made_of_the_same_is_the_same_though_nobody_can_read_it() {
    let outside = "locals {\n  l = \"good\"\n}\nresource \"terraform_data\" \"a\" {\n  input = \"${filebase64sha256(\"../x.zip\")}-${local.l}\"\n}\n";
    let with = |more: &str| format!("{outside}{more}");
    is_quiet(&[("main.tf", outside)], &[("main.tf", &with("# a comment\n"))]);
    is_quiet(&[("main.tf", outside)], &[("main.tf", &with("locals {\n  unused = 1\n}\n")), ("x.md", "a")]);
    tells_edit(outside, "good", "evil", &["terraform_data.a.input"]);
    tells_edit(outside, "../x.zip", "../y.zip", &["terraform_data.a.input"]);
    // A file of that name, wherever it comes.
    tells(
        &[("main.tf", outside)],
        &[("main.tf", outside), ("build/x.zip", "x")],
        &["terraform_data.a.input"],
    );
    // What is passed to a module that isn't there.
    let called = "module \"m\" {\n  source = \"a/b/c\"\n  size   = \"good\"\n}\nresource \"terraform_data\" \"a\" {\n  input = [filebase64sha256(\"../x.zip\"), module.m.out]\n}\n";
    tells_edit(called, "good", "evil", &["not compared", "terraform_data.a.input"]);
}

#[cfg(unix)]
/// What a template reads by itself isn't known, and neither is what stands behind a path that is computed.
#[test]
fn a_file_that_a_template_reads_is_a_part_of_it() {
    let main = "resource \"terraform_data\" \"net\" {\n}\nresource \"terraform_data\" \"a\" {\n  input = templatefile(\"${path.module}/t.tftpl\", { id = terraform_data.net.id, dir = path.module })\n}\n";
    let tree = |setup: &'static str| {
        [("main.tf", main), ("t.tftpl", "${id} ${file(\"${dir}/setup.tf\")}"), ("setup.tf", setup)]
    };
    tells(&tree("# one\n"), &tree("# two\n"), &["not compared", "terraform_data.a.input"]);
    let listed = "resource \"terraform_data\" \"net\" {\n}\nresource \"terraform_data\" \"a\" {\n  input = fileset(path.module, \"${terraform_data.net.id}*\")\n}\n";
    tells(
        &[("main.tf", listed)],
        &[("main.tf", listed), ("b.tf", "")],
        &["not compared", "terraform_data.a.input"],
    );
}

/// A file is read by the names of the links that lead to it, too.
#[test]
fn a_file_behind_a_link_of_another_name_counts() {
    let main =
        "resource \"terraform_data\" \"a\" {\n  input = \"${file(\"build.sha\")}-${file(\"x.txt\")}\"\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("data/y.txt", "one")]);
    let tree = scratch.tree();
    std::os::unix::fs::symlink("data/y.txt", tree.join("x.txt")).unwrap();
    repository_of(&tree);
    let done = scratch.run(&["review", "--base", "HEAD"]);
    assert!(done.out.contains("nothing differs"), "{}", done.out);
    fs::write(tree.join("data/y.txt"), "two").unwrap();
    let done = scratch.run(&["review", "--base", "HEAD", "--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
}

#[test]
fn a_link_that_leads_elsewhere_may_give_another_file() {
    let main = "resource \"terraform_data\" \"a\" {\n  input = filebase64sha256(\"lib/x.zip\")\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    let tree = scratch.tree();
    let link = |to: &str| {
        let _ = fs::remove_file(tree.join("lib"));
        std::os::unix::fs::symlink(to, tree.join("lib")).unwrap();
    };
    link("../one");
    repository_of(&tree);
    let done = scratch.run(&["review", "--base", "HEAD"]);
    assert!(done.out.contains("nothing differs"), "{}", done.out);
    link("../two");
    let done = scratch.run(&["review", "--base", "HEAD", "--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}{}", done.out, done.err);
}

#[test]
fn what_no_instance_shows_where_nobody_named_an_environment_is_not_compared() {
    let tree = |flag: &str| {
        format!(
            "variable \"on\" {{\n  type    = bool\n  default = {flag}\n}}\nresource \"terraform_data\" \"a\" {{\n  count = var.on ? 1 : 0\n  input = \"good\"\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  count  = var.on ? 1 : 0\n}}\n"
        )
    };
    let (off, on) = (tree("false"), tree("true"));
    tells(
        &[("main.tf", &off), ("m/main.tf", KEPT)],
        &[("main.tf", &off.replace("good", "evil")), ("m/main.tf", KEPT)],
        &["not compared", "terraform_data.a.input"],
    );
    tells(
        &[("main.tf", &off), ("m/main.tf", KEPT)],
        &[("main.tf", &off), ("m/main.tf", &KEPT.replace('1', "2"))],
        &["not compared", "module.m.terraform_data.k.input"],
    );
    // What stands behind it.
    let behind = off.replace("\"good\"", "local.l") + "locals {\n  l = \"good\"\n}\n";
    tells(
        &[("main.tf", &behind), ("m/main.tf", KEPT)],
        &[("main.tf", &behind.replace("good", "evil")), ("m/main.tf", KEPT)],
        &["not compared", "terraform_data.a.input"],
    );
    // What is edited besides, layout, and environments that say it.
    let module = ("m/main.tf", KEPT);
    is_quiet(&[("main.tf", &off), module], &[("main.tf", &format!("# c\n{off}locals {{\n}}\n")), module]);
    is_quiet(&[("main.tf", &off), module], &[("main.tf", &off.replace("? 1 :", "?  1  :")), module]);
    let given = ("env/dev.tfvars", "on = false\n");
    is_quiet(&[("main.tf", &on), module, given], &[("main.tf", &on.replace("good", "evil")), module, given]);
    // No variable has a say.
    let never = on.replace("var.on ?", "false ?");
    is_quiet(&[("main.tf", &never), module], &[("main.tf", &never.replace("good", "evil")), module]);
}

#[test]
fn no_row_of_what_is_written_reads_alike_on_both_sides() {
    let of = |version: &str| {
        format!(
            "terraform {{\n  required_providers {{\n    x = {{\n      source  = \"a/x\"\n      version = \"{version}\"\n    }}\n  }}\n}}\n{KEPT}"
        )
    };
    let (before, after) = (of(">= 1"), of(">= 2"));
    tells(&[("main.tf", &before)], &[("main.tf", &after)], &["(as it is written)", "(written otherwise)"]);
}
