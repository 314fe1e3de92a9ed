//! What is written means what was written: a driven value as text in each context, and in places where Terraform demands a reference.

use crate::compare::same;
use crate::support::Scratch;
use std::path::Path;

const PIN: &str = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";

/// Plans a tree in both forms for each list of arguments; where Terraform rejects the original, it rejects the specialised form too,
/// for the same reason. Then nothing changes any more, and `restore` gives back what was there. Returns the written files.
#[track_caller]
pub fn equal(files: &[(&str, &str)], assignments: &[&[&str]]) -> String {
    let (original, specialised) = (Scratch::with(files), Scratch::with(files));
    original.init();
    specialised.init();
    let before = specialised.sources();
    for args in assignments {
        let file = original.aside("plan.out");
        let out = format!("-out={}", file.display());
        let ran = original.terraform(&[&["plan", "-input=false", "-no-color", &out][..], args].concat());
        if ran.code != 0 {
            let summary = ran.stderr.lines().find(|l| l.starts_with("Error: ")).unwrap().to_owned();
            let said =
                specialised.tf_phi(&[&["plan", "-input=false", "-no-color"][..], args].concat()).expect(1);
            assert!(said.stderr.contains(&summary), "{summary}\n{}", said.stderr);
            continue;
        }
        let (plan, _) = specialised.phi_plan(args);
        same(&original.show(&file), &plan, &specialised, &format!("{args:?}"));
    }
    let written = specialised.sources();
    specialised.tf_phi(&["check"]).expect(0);
    assert_ne!(written, before, "nothing was specialised");
    specialised.tf_phi(&["restore"]).expect(0);
    let mut after = specialised.sources();
    // A plan that was saved may have been applied: then the way home stays.
    after.remove(Path::new("phi.moved.tf"));
    assert_eq!(before, after);
    let texts = written.iter().filter(|(path, text)| before.get(*path) != Some(*text));
    texts.map(|(path, text)| format!("-- {}\n{}", path.display(), String::from_utf8_lossy(text))).collect()
}

/// A module whose output is an expression of a driven variable, called with two values.
#[track_caller]
fn expression(expr: &str, values: [&str; 2]) -> String {
    let main = format!(
        "variable \"env\" {{\n  type = string\n}}\nmodule \"m\" {{\n  source = \"./m\"\n  v      = var.env == \"a\" ? {} : {}\n}}\noutput \"o\" {{\n  value = module.m.o\n}}\n",
        values[0], values[1]
    );
    let module = format!(
        "variable \"v\" {{}}\nvariable \"free\" {{\n  default = \"f\"\n}}\nresource \"terraform_data\" \"r\" {{\n  input = var.v\n}}\noutput \"o\" {{\n  value = {expr}\n}}\n"
    );
    let files = [("main.tf", &*main), ("m/main.tf", &*module), ("phi.hcl", PIN)];
    equal(&files, &[&["-var=env=a"], &["-var=env=b"]])
}

/// Values that mean something in a template, at its ends, and beside others.
const ODD: [[&str; 2]; 4] = [
    [r#""C:\\prod \"x\"""#, r#""  a\n\n b\n""#],
    [r#""{a}""#, r#""x$""#],
    [r#""""#, r#""EOT""#],
    [r#""$${y}%%{z}""#, r#""ab""#],
];

const TEMPLATES: [&str; 12] = [
    "<<EOT\n  dir = ${var.v}\nEOT\n",
    "<<-EOT\n    dir = ${var.v}\n      x\n  EOT\n",
    "<<-EOT\n    ${var.v}\n      ${var.v}${var.free}\n  EOT\n",
    "<<-EOT\n    a ${~ var.v ~} b\n    ${~ var.v}\n  EOT\n",
    "<<EOT\na $${var.v} %${var.v}{ $${var.v}\n${var.v}{x}\nEOT\n",
    "<<EOT\n%{ if var.v == \"ab\" ~}\n ${var.v}\n%{ else ~}\n${var.v} \n%{ endif ~}\n%{ for c in [var.v, \"b\"] }${c}${var.v}%{ endfor }\nEOT\n",
    "\"a %${var.v}{b} ${var.v}{ $ ${var.v}\"",
    "\"a ${~ var.v ~} b ${var.v} ${~ var.free}\"",
    "\"${var.free}${var.v}${var.v}${~ var.free}\"",
    "{ \"${var.v}\" = 1, (var.v) = [var.v], \"x-${var.v}\" = \"${var.v}\" }",
    "jsonencode({ \"Bool\" = { a = \"${var.v}\", b = <<X\nx${var.v}\nX\n} })",
    "[for k in [var.v] : \"${k}${var.v}\" if k == var.v]",
];

#[test]
fn text_in_templates() {
    for (at, template) in TEMPLATES.iter().enumerate() {
        // Each template beside one pair of values here; the generated trees have all of them.
        for (pair, values) in ODD.iter().enumerate() {
            if crate::support::sample::whole() || pair == at % ODD.len() {
                expression(template, *values);
            }
        }
    }
}

/// The example that a user met: a plain literal, a heredoc.
#[test]
fn a_literal_in_a_heredoc() {
    let files = [
        (
            "main.tf",
            "module \"m\" {\n  source = \"./m\"\n  path   = \"C:\\\\prod \\\"x\\\"\"\n}\noutput \"script\" {\n  value = module.m.script\n}\n",
        ),
        (
            "m/main.tf",
            "variable \"path\" {}\nresource \"terraform_data\" \"r\" {\n  input = var.path\n}\noutput \"script\" {\n  value = <<-EOT\n    dir = ${var.path}\n  EOT\n}\n",
        ),
        ("phi.hcl", PIN),
    ];
    equal(&files, &[&[]]);
}

/// Values with types of their own keep them where Terraform converts nothing.
#[test]
fn types_of_values() {
    for values in
        [["[]", "[\"a\"]"], ["null", "{}"], ["-5", "0.1"], ["true", "false"], ["{ a = [1] }", "{ a = [2] }"]]
    {
        expression(
            "[jsonencode(var.v), try(length(var.v), 0), var.v == null, try(-var.v, 2), try(var.v[0], var.v.a, \"none\")]",
            values,
        );
    }
    let module = "variable \"v\" {\n  type = set(string)\n}\nresource \"terraform_data\" \"r\" {\n  input = var.v\n}\nresource \"terraform_data\" \"e\" {\n  for_each = var.v\n}\noutput \"o\" {\n  value = [var.v == toset([\"a\"]), [for k, v in var.v : k], terraform_data.e[*]]\n}\n";
    let main = "variable \"env\" {\n  type = string\n}\nmodule \"m\" {\n  source = \"./m\"\n  v      = var.env == \"a\" ? [\"a\"] : [\"b\", \"c\"]\n}\noutput \"o\" {\n  value = module.m.o\n}\n";
    equal(&[("main.tf", main), ("m/main.tf", module), ("phi.hcl", PIN)], &[&["-var=env=a"], &["-var=env=b"]]);
}

/// Where a type is seen, a driven value keeps the one that it has beside the value that isn't taken.
#[test]
fn types_are_kept_where_they_are_seen() {
    let seen = [
        "[jsonencode(E), E == 1, E == \"1\", [E] == [1], [E] == [\"1\"], try(E + 1, \"none\"), can(E.x)]",
        "[can(tolist(E)[0]), E == [1], E == tolist([1]), E == [\"1\"], try(toset(E) == toset([1, 2]), \"none\"), jsonencode(E)]",
        "{ for k in [E] : jsonencode(k) => k }",
    ];
    let conditionals = [
        ["var.v == \"a\" ? 1 : \"x\"", "var.v == \"a\" ? true : \"x\""],
        ["var.v == \"a\" ? [1] : []", "var.v == \"a\" ? [1, 2] : [\"x\"]"],
        ["var.v == \"a\" ? toset([1]) : [2]", "[var.v == \"a\" ? null : 1, var.v == \"a\" ? {} : null]"],
    ];
    for (at, own) in conditionals.iter().enumerate() {
        let all: Vec<String> =
            seen.iter().flat_map(|form| own.map(|e| form.replace('E', &format!("({e})")))).collect();
        expression(&format!("[{}]", all.join(", ")), ["\"a\"", "\"b\""]);
        if at == 0 {
            // The same where the value of another split unit stands.
            let main = "variable \"env\" {\n  type = string\n}\nresource \"terraform_data\" \"r\" {\n  input = var.env == \"a\" ? 1 : 2\n}\n\
                        output \"o\" {\n  value = [jsonencode(terraform_data.r.input), terraform_data.r.input == 1, [terraform_data.r.input] == [1]]\n}\n";
            equal(&[("main.tf", main), ("phi.hcl", PIN)], &[&["-var=env=a"], &["-var=env=b"]]);
        }
    }
}

const SIZE: &str = "variable \"size\" {\n  type = string\n}\nmodule \"m\" {\n  source = \"./m\"\n  size   = var.size\n}\noutput \"o\" {\n  value = module.m.o\n}\n";
const SIZES: &str = "specialize \"terraform_data.r\" {\n  fields = [\"input\"]\n}\nvariable \"size\" {\n  universe = [\"small\", \"huge\"]\n}\n";

#[track_caller]
fn sized(rest: &str) -> String {
    let module = format!(
        "variable \"size\" {{\n  type = string\n}}\nvariable \"tpl\" {{\n  default = \"x\"\n}}\nresource \"terraform_data\" \"r\" {{\n  input = var.size\n}}\n{rest}\n"
    );
    let files = [("main.tf", SIZE), ("m/main.tf", &*module), ("phi.hcl", SIZES)];
    equal(&files, &[&["-var=size=small"], &["-var=size=huge"]])
}

/// A condition that a driven value decides: true, and the block goes; false, and Terraform says so with the user's message.
#[test]
fn conditions_that_are_decided() {
    let o = "output \"o\" {\n  value = terraform_data.r.input\n}\n";
    for kind in ["precondition", "postcondition"] {
        let text = sized(&format!(
            "{o}resource \"terraform_data\" \"p\" {{\n  lifecycle {{\n    {kind} {{\n      condition     = var.size != \"huge\"\n      error_message = \"No.\"\n    }}\n  }}\n}}"
        ));
        assert!(text.contains("condition     = local.size != \"huge\""), "{text}");
    }
    sized(
        "output \"o\" {\n  value = 1\n  precondition {\n    condition     = var.size != \"huge\"\n    error_message = \"No ${var.size}.\"\n  }\n}",
    );
    sized(&format!(
        "{o}check \"c\" {{\n  assert {{\n    condition     = var.size != \"huge\"\n    error_message = \"No.\"\n  }}\n}}"
    ));
    sized(&format!(
        "{o}check \"c\" {{\n  assert {{\n    condition     = var.size == \"small\" ? true : var.tpl == \"x\"\n    error_message = \"No.\"\n  }}\n  assert {{\n    condition     = var.size != \"huge\"\n    error_message = \"No.\"\n  }}\n}}"
    ));
    sized(&format!(
        "{o}variable \"other\" {{\n  default = 1\n  validation {{\n    condition     = var.size != \"huge\" ? true : var.other != 1\n    error_message = \"No.\"\n  }}\n}}"
    ));
    sized(&format!(
        "{o}data \"terraform_remote_state\" \"s\" {{\n  count   = 0\n  backend = \"local\"\n  lifecycle {{\n    precondition {{\n      condition     = contains([\"small\"], var.size)\n      error_message = \"No.\"\n    }}\n  }}\n}}"
    ));
    sized(&format!(
        "{o}resource \"terraform_data\" \"p\" {{\n  lifecycle {{\n    precondition {{\n      condition     = length(path.module) < 4 && path.module == \"m\"\n      error_message = \"No.\"\n    }}\n  }}\n}}"
    ));
}

/// `templatestring` takes names alone.
#[test]
fn templates_by_name() {
    let files = [
        (
            "main.tf",
            "variable \"env\" {\n  type = string\n}\nmodule \"m\" {\n  source = \"./m\"\n  tpl    = var.env == \"a\" ? \"x $${x}\" : \"y $${x}\"\n}\noutput \"o\" {\n  value = [module.m.o, templatestring(module.m.tpl, { x = 2 }), module.m.tpl]\n}\n",
        ),
        (
            "m/main.tf",
            "resource \"terraform_data\" \"r\" {\n  input = var.tpl\n}\nlocals {\n  all = { (var.tpl) = \"z $${x}\" }\n}\noutput \"o\" {\n  value = [templatestring(var.tpl, { x = var.tpl }), templatestring(local.all[var.tpl], { x = 1 })]\n}\noutput \"tpl\" {\n  value = var.tpl\n}\nvariable \"tpl\" {\n  type = string\n}\n",
        ),
        ("phi.hcl", PIN),
    ];
    equal(&files, &[&["-var=env=a"], &["-var=env=b"]]);
}

/// Without `phi.hcl`: a meta-argument, and a precondition on the same variable.
#[test]
fn a_precondition_beside_prevent_destroy() {
    let block = "resource \"terraform_data\" \"r\" {\n  input = \"x\"\n  lifecycle {\n    prevent_destroy = var.protect\n    precondition {\n      condition     = !var.protect\n      error_message = \"No.\"\n    }\n  }\n}\noutput \"o\" {\n  value = terraform_data.r.input\n}\n";
    let variable = "variable \"protect\" {\n  type    = bool\n  default = false\n}\n";
    let call = format!("{variable}module \"m\" {{\n  source  = \"./m\"\n  protect = var.protect\n}}\n");
    let twin = block.replace("prevent_destroy = var.protect", "prevent_destroy = false");
    let inner = format!("{variable}{block}");
    for files in [vec![("main.tf", inner.clone())], vec![("main.tf", call), ("m/main.tf", inner)]] {
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, &**text)).collect();
        let (specialised, original) =
            (Scratch::with(&files), Scratch::with(&[("main.tf", &format!("{variable}{twin}"))]));
        specialised.tf_phi(&["init", "-input=false", "-no-color"]).expect(0);
        original.init();
        specialised.phi_plan(&["-var=protect=false"]);
        let said = specialised.tf_phi(&["plan", "-input=false", "-no-color", "-var=protect=true"]).expect(1);
        assert!(said.stderr.contains("Error: Resource precondition failed"), "{}", said.stderr);
        specialised.tf_phi(&["check"]).expect(0);
    }
}

/// What an `import` block names stays in every copy, with an instance or without.
#[test]
fn what_is_imported_stays() {
    let module = "variable \"size\" {\n  type = string\n}\nresource \"terraform_data\" \"r\" {\n  input = var.size\n}\nresource \"terraform_data\" \"i\" {\n  for_each = var.size == \"small\" ? toset([\"k\"]) : toset([])\n}\noutput \"o\" {\n  value = 1\n}\n";
    let main = format!(
        "{SIZE}import {{\n  for_each = var.size == \"small\" ? toset([\"k\"]) : toset([])\n  to       = module.m.terraform_data.i[each.key]\n  id       = \"an-id\"\n}}\n"
    );
    let files = [("main.tf", &*main), ("m/main.tf", module), ("phi.hcl", SIZES)];
    equal(&files, &[&["-var=size=small"], &["-var=size=huge"]]);
}

/// An `import` block names the copy that it imports into alone: else the copies would wait for each other.
#[test]
fn what_is_imported_names_its_copy() {
    let module = "variable \"size\" {\n  type = string\n}\nresource \"terraform_data\" \"r\" {\n  input = var.size\n}\nresource \"terraform_data\" \"i\" {\n}\noutput \"o\" {\n  value = var.size\n}\n";
    let main =
        format!("{SIZE}import {{\n  to = module.m.terraform_data.i\n  id = \"id-${{module.m.o}}\"\n}}\n");
    let files = [("main.tf", &*main), ("m/main.tf", module), ("phi.hcl", SIZES)];
    equal(&files, &[&["-var=size=small"], &["-var=size=huge"]]);
}

/// In JSON a value's text is no template: what would begin a sequence is an escape.
#[test]
fn a_driven_value_in_json() {
    let files = [
        (
            "main.tf",
            "module \"m\" {\n  source = \"./m\"\n  v      = \"$${z} %%{y} \\\"q\\\"\"\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
        ),
        (
            "m/r.tf.json",
            "{\"resource\": {\"terraform_data\": {\"r\": {\"input\": \"${var.v}\"}}},\n \"output\": {\"o\": {\"value\": \"${path.module} ${terraform_data.r.input}\"}}}\n",
        ),
        ("m/main.tf", "variable \"v\" {\n  type = string\n}\n"),
        ("phi.hcl", PIN),
    ];
    equal(&files, &[&[]]);
}

/// A test file has no locals that could hold a join.
#[test]
fn a_template_by_name_in_a_test_file() {
    let files = [
        ("main.tf", SIZE),
        (
            "m/main.tf",
            "variable \"size\" {\n  type = string\n}\nresource \"terraform_data\" \"r\" {\n  input = var.size\n}\noutput \"o\" {\n  value = var.size\n}\n",
        ),
        ("phi.hcl", SIZES),
        (
            "a.tftest.hcl",
            "run \"a\" {\n  command = plan\n  variables {\n    size = \"small\"\n  }\n  assert {\n    condition     = templatestring(module.m.o, {}) == \"small\"\n    error_message = \"No.\"\n  }\n}\n",
        ),
    ];
    let scratch = Scratch::with(&files);
    let before = scratch.sources();
    let said = scratch.tf_phi(&["plan", "-input=false", "-no-color", "-var=size=small"]).expect(1);
    assert!(
        said.stderr.contains("Code: unsupported") && said.stderr.contains("a.tftest.hcl:7"),
        "{}",
        said.stderr
    );
    assert_eq!(before, scratch.sources());
}
