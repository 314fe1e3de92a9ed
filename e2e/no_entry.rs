//! `dynamic` blocks of one entry that some values leave without any: nothing is kept out by them, and plans are the original's.

use crate::compare::same;
use crate::provider::Provider;
use crate::support::Scratch;
use std::fmt::Write as _;

/// Collections with an entry or none, of texts.
const COLLECTIONS: [&str; 8] = [
    "var.env == \"a\" ? [\"x\"] : []",
    "var.env == \"a\" ? [\"x\"] : var.env == \"b\" ? [\"y\"] : []",
    "var.env == \"a\" ? { k = \"x\" } : {}",
    "var.env == \"b\" ? { k = \"x\" } : var.env == \"c\" ? { l = \"y\" } : {}",
    "toset(var.env == \"c\" ? [\"x\"] : [])",
    "[for e in [\"a\"] : e if e == var.env]",
    "{ for e in [\"a\", \"b\"] : e => upper(e) if e == var.env }",
    "compact([var.env == \"b\" ? \"\" : \"x\"])",
];
/// What stands in the block, with `X` for its iterator.
const CONTENTS: [&str; 5] = [
    "X.value",
    "\"${X.key}-${X.value}\"",
    "var.env == \"a\" ? \"p\" : \"q\"",
    "\"fixed\"",
    "var.env == \"d\" ? X.value : \"s\"",
];

fn resources() -> String {
    let mut out = "variable \"env\" {\n  type = string\n}\n".to_owned();
    for (c, collection) in COLLECTIONS.iter().enumerate() {
        for (t, text) in CONTENTS.iter().enumerate() {
            let _ = write!(
                out,
                "resource \"kubernetes_manifest\" \"r{c}{t}\" {{\n  manifest = {{\n    apiVersion = \"v1\"\n    kind       = \
                 \"ConfigMap\"\n    metadata = {{\n      name      = \"r{c}{t}\"\n      namespace = \"default\"\n    }}\n  }}\n  \
                 dynamic \"field_manager\" {{\n    for_each = {collection}\n    content {{\n      name = {}\n    }}\n  }}\n}}\n",
                text.replace('X', "field_manager")
            );
        }
    }
    out
}

#[test]
fn one_entry_or_none() {
    let provider = Provider::start();
    let pin = "specialize \"kubernetes_manifest\" {\n  fields = [\"field_manager.name\"]\n}\n";
    let files = [("main.tf", &*resources()), ("phi.hcl", pin)];
    let [original, specialised] = [(), ()].map(|()| {
        let mut scratch = Scratch::with(&files);
        scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
        scratch.init();
        scratch
    });
    for env in ["a", "b", "c", "d"] {
        let arg = format!("-var=env={env}");
        let (plan, _) = specialised.phi_plan(&[&arg]);
        same(&original.plan(&[&arg]), &plan, &specialised, env);
    }
    let written = specialised.read("main.tf");
    assert!(!written.contains("validation"), "{written}");
    assert!(written.matches("count = ").count() >= 8, "{written}");
}
