//! Values that are meant to fill memory: what an evaluation makes has a bound in bytes.
//!
//! The bound on what is kept of a run is held by a unit test, and so is what dividing a text costs: reaching these takes half a minute.

use super::sampled;
use super::tracer::{code, traced};

/// A million bytes: three hundred of them are more than an evaluation may make.
const TEXT: &str = "replace(join(\"\", [for i in range(1000) : \"X\"]), \"X\", join(\"\", [for i in range(1000) : \"aaaaaaaaaa\"]))";

/// Checks that an output is too large, and that finding out takes less memory than a case may.
fn too_large(value: &str) {
    let main =
        format!("locals {{\n  t = {TEXT}\n}}\nvariable \"x\" {{}}\noutput \"o\" {{ value = {value} }}\n");
    let found = traced(&[("main.tf", &main)]).unwrap();
    assert_eq!(code(&found), "too-large", "{value}");
}

#[test]
fn texts_that_are_made_again_and_again() {
    let all = [
        "\"${i}${local.t}\"",
        "\"${local.t}${i}${var.x}\"",
        "\"%{ if i < 0 }a%{ else }${i}${local.t}%{ endif }\"",
        "join(i, [\"\", local.t])",
        "format(\"%d%s\", i, local.t)",
        "jsonencode([i, local.t])",
        "base64encode(\"${i}${local.t}\")",
        "upper(local.t)",
        "trimsuffix(local.t, i)",
        "{ \"${i}${local.t}\" = i }",
        "try(parseint(local.t, 10), i)",
        "can(tonumber(\"${i}${local.t}\")) ? 1 : 2",
    ];
    for made in sampled(all, 4, "texts") {
        too_large(&format!("length([for i in range(300) : {made}])"));
    }
}

#[test]
fn searches_count_by_bytes() {
    let text = "join(\"\", [for i in range(1000) : \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"])";
    let all = [
        format!("replace({text}, \"/.*b|a/\", \"\")"),
        format!("length(regexall(\".*b|a\", {text}))"),
        format!("replace({text}, \"/a/\", join(\"\", [for i in range(1000) : \"$9$9$9$9$9$9$9$9$9$9\"]))"),
    ];
    for value in all {
        too_large(&value);
    }
}
