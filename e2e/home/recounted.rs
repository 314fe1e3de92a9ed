//! `count` comes or goes in a module of which copies were applied, and then tf-phi goes: Terraform moves such a resource by itself only where
//! its module stays.

use super::{DEV, ENV, Mode, PROD, Twin, cases, plain_is_right};

/// The module's call, and whether another call stands between.
const ONE: &str = "";
const KEYS: &str = "  for_each = toset([\"a\", \"b\"])\n";

fn resource(repeat: &str) -> String {
    format!(
        "variable \"v\" {{}}\nvariable \"tag\" {{}}\nresource \"terraform_data\" \"db\" {{\n{repeat}  input = {{ v = var.v, tag = var.tag }}\n}}\n"
    )
}

/// From one form to another, and out.
fn recounted(call: &str, nested: bool, (before, after): (&str, &str)) {
    let tag = if call.is_empty() { "\"db\"" } else { "each.key" };
    let main = format!(
        "{ENV}module \"m\" {{\n  source = \"./m\"\n{call}  v      = var.env == \"prod\" ? \"15.4\" : \"14.9\"\n  tag    = {tag}\n}}\n"
    );
    let between = "variable \"v\" {}\nvariable \"tag\" {}\nmodule \"n\" {\n  source = \"../n\"\n  v      = var.v\n  tag    = var.tag\n}\n";
    let inner = if nested { "n/main.tf" } else { "m/main.tf" };
    let (before, after) = (resource(before), resource(after));
    let mut files = vec![
        ("main.tf", main.as_str()),
        (inner, before.as_str()),
        ("phi.hcl", "specialize \"module.m\" {\n  fields = [\"v\"]\n}\n"),
    ];
    if nested {
        files.push(("m/main.tf", between));
    }
    for planned in [false, true] {
        let twin = Twin::applied(Mode::InPlace, &files, DEV);
        twin.write(inner, &after);
        if planned {
            twin.run("plan", PROD);
        }
        twin.phi.tf_phi(&["leave"]).expect(0);
        for scratch in [&twin.phi, &twin.plain] {
            scratch.terraform(&["get"]).expect(0);
        }
        plain_is_right(&twin, DEV, &format!("{before} {after} {planned}"));
    }
}

cases! { recounted:
    comes(ONE, false, ("", "  count = 1\n")),
    goes(ONE, false, ("  count = 1\n", "")),
    comes_below(ONE, true, ("", "  count = 1\n")),
    goes_below(ONE, true, ("  count = 1\n", "")),
    comes_in_each(KEYS, false, ("", "  count = 1\n")),
    goes_in_each(KEYS, true, ("  count = 1\n", "")),
    stays(ONE, true, ("  count = 1\n", "  count = 1\n")),
}
