//! What repeats a declaration and goes to a secret argument.

use super::CANARY;
use crate::cli_common::Scratch;

/// What is written out in a `for_each` and goes to a secret argument through `each` is secret where it stands.
#[test]
fn what_a_for_each_hands_to_a_secret_is_not_shown() {
    let main = "variable \"r\" {\n  default = { a = \"prod\" }\n}\n\
        resource \"aws_db_instance\" \"m\" {\n  for_each = { x = \"hunter2-x\", y = \"hunter2-y\" }\n  password = each.value\n}\n\
        resource \"aws_db_instance\" \"o\" {\n  for_each = { x = { pw = \"hunter2-o\", size = 1 } }\n  password = each.value.pw\n  \
        size = each.value.size\n}\n\
        resource \"aws_db_instance\" \"s\" {\n  for_each = toset([\"hunter2-s\"])\n  password = each.value\n}\n\
        resource \"aws_db_instance\" \"k\" {\n  for_each = { hunter2-k = 1 }\n  password = each.key\n}\n\
        resource \"aws_db_instance\" \"plain\" {\n  for_each = { a = \"shown-a\" }\n  username = each.value\n}\n\
        module \"m\" {\n  source   = \"./m\"\n  for_each = { a = \"hunter2-m\" }\n  pw       = each.value\n}\n\
        output \"of\" {\n  value = [for k, v in aws_db_instance.m : v.password]\n}\n";
    let module = "variable \"pw\" {}\nresource \"aws_db_instance\" \"i\" {\n  password = var.pw\n}\n";
    let scratch = Scratch::new([("main.tf", main), ("m/main.tf", module)]);
    for args in [
        &["matrix", "--all"][..],
        &["matrix", "--all", "--json"],
        &["trace", "--all"],
        &["trace", "--all", "--json"],
        &["validate"],
    ] {
        let done = scratch.run(args);
        assert!(
            !done.out.contains(CANARY) && !done.err.contains(CANARY),
            "{args:?}\n{}\n{}",
            done.out,
            done.err
        );
        assert!(args[0] != "matrix" || done.out.contains("shown-a"), "{}", done.out);
    }
}
