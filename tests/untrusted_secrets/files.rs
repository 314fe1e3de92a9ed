//! A file whose text is a secret, and keys that are: whoever names them again.

use super::{CANARY, silent, words};
use crate::cli_common::Scratch;

const READING: [&str; 8] = [
    "matrix --all",
    "matrix --all --format json",
    "trace --all",
    "trace --all --format json",
    "trace --all --format sarif",
    "validate",
    "validate --format json",
    "check",
];

/// What one file holds is a secret wherever it is read, by whatever path.
#[test]
fn a_file_that_holds_a_secret_is_shown_nowhere() {
    let main = "locals {\n  at = \"s.txt\"\n}\nresource \"aws_db_instance\" \"a\" {\n  password = trimspace(file(\"s.txt\"))\n}\n\
        output \"again\" {\n  value = file(\"${path.module}/s.txt\")\n}\noutput \"dotted\" {\n  value = \"x-${file(\"./m/../s.txt\")}\"\n}\n\
        output \"encoded\" {\n  value = base64decode(filebase64(\"${path.root}/s.txt\"))\n}\n\
        output \"template\" {\n  value = templatefile(\"s.txt\", {})\n}\noutput \"plain\" {\n  value = file(\"p.txt\")\n}\n\
        module \"m\" {\n  source = \"./m\"\n}\noutput \"of_module\" {\n  value = [module.m.s, module.m.t]\n}\n\
        resource \"aws_db_instance\" \"b\" {\n  password = file(local.named)\n}\nlocals {\n  named = \"t.txt\"\n}\noutput \"named\" {\n  value = \
        file(local.named)\n}\n";
    let module = "output \"s\" {\n  value = file(\"${path.module}/../s.txt\")\n}\noutput \"t\" {\n  value = file(\"${path.root}/s.txt\")\n}\n";
    let scratch = Scratch::new([
        ("main.tf", main),
        ("m/main.tf", module),
        ("s.txt", "hunter2-file"),
        ("t.txt", "hunter2-named"),
        ("p.txt", "shown-file"),
    ]);
    for line in READING {
        silent(&scratch.run(&words(line)), line);
    }
    let shown = scratch.run(&["matrix", "--all"]);
    assert!(shown.out.contains("shown-file"), "{}", shown.out);
}

/// Of a file that is read as values the part is secret that goes to a secret; the text has it as a whole.
#[test]
fn a_part_of_a_file_that_is_secret_hides_no_other_part() {
    let main = "locals {\n  cfg = yamldecode(file(\"c.yaml\"))\n  env = jsondecode(templatefile(\"t.json\", { a = \"shown-given\" }))\n}\n\
        resource \"aws_db_instance\" \"a\" {\n  password = local.cfg.pw\n}\nresource \"aws_db_instance\" \"b\" {\n  password = local.env.pw\n}\n\
        output \"name\" {\n  value = local.cfg.name\n}\noutput \"size\" {\n  value = yamldecode(file(\"./c.yaml\")).size\n}\n\
        output \"again\" {\n  value = yamldecode(file(\"./c.yaml\")).pw\n}\noutput \"text\" {\n  value = file(\"c.yaml\")\n}\n\
        resource \"aws_db_instance\" \"whole\" {\n  password = file(\"w.json\")\n}\noutput \"whole\" {\n  value = jsondecode(file(\"w.json\")).a\n}\n\
        output \"given\" {\n  value = \"shown-given\"\n}\n";
    let scratch = Scratch::new([
        ("main.tf", main),
        ("c.yaml", "pw: hunter2-yaml\nname: shown-name\nsize: shown-size\n"),
        ("t.json", "{\"pw\": \"hunter2-template\", \"a\": \"${a}\"}"),
        ("w.json", "{\"a\": \"hunter2-whole\"}"),
    ]);
    for line in READING {
        silent(&scratch.run(&words(line)), line);
    }
    let shown = scratch.run(&["matrix", "--all"]);
    for text in ["shown-name", "shown-size", "shown-given"] {
        assert!(shown.out.contains(text), "{text}: {}", shown.out);
    }
}

/// What `terraform_data` is given comes back as its output.
#[test]
fn what_goes_to_a_secret_through_data_of_terraform_is_not_shown() {
    let main = "variable \"pw\" {\n  default = \"hunter2-pw\"\n}\nresource \"terraform_data\" \"t\" {\n  input = { pw = var.pw, name = \"shown-name\" }\n}\n\
        resource \"aws_db_instance\" \"a\" {\n  password = terraform_data.t.output.pw\n  db_name  = terraform_data.t.output.name\n}\n\
        output \"pw\" {\n  value = var.pw\n}\noutput \"name\" {\n  value = \"shown-name\"\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    for line in READING {
        silent(&scratch.run(&words(line)), line);
    }
    assert!(scratch.run(&["matrix", "--all"]).out.contains("shown-name"));
}

/// No error quotes a key that a secret made, wherever `each.key` handed it to.
#[test]
fn no_error_quotes_a_key_that_is_a_secret() {
    let main = "variable \"pw\" {\n  default = \"hunter2-pw\"\n}\n\
        resource \"aws_db_instance\" \"k\" {\n  for_each = { hunter2-k = 1 }\n  password = each.key\n  a = tonumber(each.key)\n  b = parseint(each.key, 10)\n}\n\
        resource \"aws_db_instance\" \"s\" {\n  for_each = toset([var.pw])\n  password = each.key\n  a = { x = 1 }[each.key]\n  b = regex(\"^z\", each.value)\n}\n\
        resource \"aws_db_instance\" \"d\" {\n  dynamic \"user\" {\n    for_each = { hunter2-d = 1 }\n    content {\n      password = user.key\n      a = tonumber(user.key)\n      \
        b = { x = 1 }[user.key]\n    }\n  }\n}\n\
        module \"m\" {\n  source   = \"./m\"\n  for_each = toset([var.pw])\n  name     = each.key\n}\n\
        module \"n\" {\n  source   = \"./m\"\n  for_each = { hunter2-n = 1 }\n  name     = each.key\n}\n";
    let module = "variable \"name\" {\n  type = string\n  validation {\n    condition     = length(var.name) > 99\n    error_message = \"name ${var.name}\"\n  }\n}\n\
        locals {\n  l = tonumber(var.name)\n  m = cidrhost(var.name, 1)\n}\noutput \"l\" {\n  value = local.l\n}\noutput \"m\" {\n  value = local.m\n}\n\
        resource \"aws_db_instance\" \"x\" {\n  count    = var.name\n  password = var.name\n  a        = formatdate(var.name, \"x\")\n}\n\
        resource \"aws_instance\" \"y\" {\n  for_each = { for k in [var.name, var.name] : k => 1 }\n  z        = jsondecode(var.name)\n}\n\
        module \"inner\" {\n  source = \"../inner\"\n  port   = var.name\n}\n";
    let scratch = Scratch::new([
        ("main.tf", main),
        ("m/main.tf", module),
        ("inner/main.tf", "variable \"port\" {\n  type = number\n}\n"),
    ]);
    for line in READING {
        silent(&scratch.run(&words(line)), line);
    }
    let done = scratch.run(&["validate"]);
    assert_eq!(done.code, Some(3), "{}", done.err);
    assert!(!done.out.contains(CANARY) && done.out.contains("isn't shown"), "{}", done.out);
}
