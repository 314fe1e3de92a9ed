//! Trees that hold the same thing many times over, each in three sizes: what grows faster than they do is seen by the last
//! column. `tests/scale.rs` holds what they give.

use std::fmt::Write as _;

/// Paths and texts.
pub type Files = Vec<(String, String)>;

/// A kind of tree: its name, its three sizes, and how it is made.
pub type Kind = (&'static str, [usize; 3], fn(usize) -> Files);

/// Every kind.
pub const KINDS: [Kind; 5] = [
    ("split resources in one file", [500, 1000, 2000], split_resources),
    ("values of a universe in phi.hcl", [10_000, 20_000, 40_000], universe),
    ("values in a validation", [2500, 5000, 10_000], validated),
    ("branches of one field", [62, 125, 250], branches),
    ("calls of 16 values", [125, 250, 500], calls),
];

fn file(path: &str, text: String) -> (String, String) {
    (path.to_owned(), text)
}

/// As many resources, each split in two.
pub fn split_resources(count: usize) -> Files {
    let mut text = "variable \"env\" {\n  type = string\n}\n".to_owned();
    for i in 0..count {
        let value = "var.env == \"prod\" ? \"15.4\" : \"14.9\"";
        let _ = write!(text, "\nresource \"terraform_data\" \"r{i}\" {{\n  input = {{ v = {value} }}\n}}\n");
    }
    vec![file("main.tf", text), file("phi.hcl", PIN.to_owned())]
}

const PIN: &str = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";

fn values(count: usize) -> String {
    (0..count).map(|i| format!("\"v{i}\"")).collect::<Vec<_>>().join(", ")
}

fn listed(count: usize) -> String {
    format!("{PIN}variable \"x\" {{\n  universe = [{}]\n}}\n", values(count))
}

fn one(value: &str, validation: &str) -> (String, String) {
    let text = format!("variable \"x\" {{\n  type = string\n{validation}}}\n");
    let resource = format!("resource \"terraform_data\" \"a\" {{\n  input = {{ v = {value} }}\n}}\n");
    file("main.tf", format!("{text}\n{resource}"))
}

const CHOICE: &str = "var.x == \"v5\" ? \"a\" : \"b\"";

/// A universe of as many values, of which one counts.
pub fn universe(count: usize) -> Files {
    vec![one(CHOICE, ""), file("phi.hcl", listed(count))]
}

/// The same by a validation.
pub fn validated(count: usize) -> Files {
    let condition = format!("contains([{}], var.x)", values(count));
    let block =
        format!("  validation {{\n    condition     = {condition}\n    error_message = \"No.\"\n  }}\n");
    vec![one(CHOICE, &block), file("phi.hcl", PIN.to_owned())]
}

/// A field of as many values.
pub fn branches(count: usize) -> Files {
    let phi = format!("settings {{\n  branches = {count}\n}}\n{}", listed(count));
    vec![one("var.x", ""), file("phi.hcl", phi)]
}

/// As many calls of one module, each split in sixteen.
pub fn calls(count: usize) -> Files {
    let mut text = "variable \"x\" {\n  type = string\n}\n".to_owned();
    for i in 0..count {
        let _ = write!(text, "\nmodule \"m{i}\" {{\n  source = \"./m\"\n  v      = var.x\n}}\n");
    }
    let inner = "variable \"v\" {\n  type = string\n}\n\nresource \"terraform_data\" \"a\" {\n  input = { v = var.v }\n}\n";
    vec![file("main.tf", text), file("m/main.tf", inner.to_owned()), file("phi.hcl", listed(16))]
}
