//! Values that are meant to fill memory: what an evaluation makes has a bound in bytes.
//!
//! The bound on what is kept of a run is held by a unit test, and so is what dividing a text costs: reaching these takes half a minute.

use super::sampled;
use super::tracer::{code, spent_on, traced};

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

/// A search that starts anew at every byte costs the square of what it looks through, and so does what is put in the place of each: far below the bound, where that takes no time.
#[test]
fn searches_count_by_bytes() {
    let text = "join(\"\", [for i in range(@) : \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"])";
    let all = [
        format!("replace({text}, \"/.*b|a/\", \"\")"),
        format!("length(regexall(\".*b|a\", {text}))"),
        format!("replace({text}, \"/a/\", join(\"\", [for i in range(@) : \"$9$9$9$9$9$9$9$9$9$9\"]))"),
    ];
    for value in all {
        let spent = |pieces: u64| {
            spent_on(&format!("output \"o\" {{ value = {} }}\n", value.replace('@', &pieces.to_string())))
        };
        let (once, twice) = (spent(30), spent(60));
        assert!(twice > 3 * once && twice > 900_000, "{value}: {once} {twice}");
    }
}

/// Neither what is declined once it was tried, nor looking for what isn't there, nor reading a template again, costs nothing.
#[test]
fn what_fails_is_counted() {
    let far = "a/".repeat(100);
    let all = [
        r#"[for i in range(1000) : [for j in range(5) : regexall("\\pL{1000}${i}", "a")]]"#.to_owned(),
        r#"[for i in range(1000) : [for j in range(5) : replace("a", "/\\pL{90}${i}/", "b")]]"#.to_owned(),
        format!(
            r#"[for i in range(1000) : [for j in range(20) : fileexists("${{path.module}}/{far}${{i}}")]]"#
        ),
        "[for i in range(1000) : [for j in range(20) : templatestring(local.t, { x = i })]]".to_owned(),
    ];
    for value in sampled(all, 4, "counted failures") {
        let main = format!(
            "locals {{\n  t = \"{}\"\n}}\noutput \"o\" {{ value = {value} }}\n",
            "$${x}".repeat(2000)
        );
        // A few hundred of them are all that an evaluation may do.
        let spent = spent_on(&main);
        assert!(spent > 10_000_000, "{value}: {spent}");
    }
}

/// Once room is used up nothing goes on: more elements cost next to nothing more, whatever they stand in.
#[test]
fn what_is_used_up_ends_everything() {
    let all = [
        "[for i in range(@) : \"${i}${local.l}\"]",
        "[for i in range(@) : true ? \"x\" : \"${i}${local.l}\"]",
        "[for i in range(@) : try(\"${i}${local.l}\", i)]",
        "{ for i in range(@) : i => can(tonumber(\"${i}${local.l}\")) }",
        "\"%{ for i in range(@) }${length(\"${i}${local.l}\")}%{ endfor }\"",
        "[for i in range(@) : [for j in range(3) : \"${i}${local.l}\"]]",
        "[for i in range(@) : length(\"${i}${local.l}${var.x}\")]",
    ];
    for value in sampled(all, 4, "used up") {
        let spent = |elements: u64| {
            let value = value.replace('@', &elements.to_string());
            let main = format!(
                "locals {{\n  t = {TEXT}\n  l = join(\"\", [local.t, local.t, local.t, local.t])\n}}\nvariable \"x\" {{\n  validation {{\n    condition = contains([\"a\", \"b\"], \
                 var.x)\n    error_message = \"No.\"\n  }}\n}}\noutput \"o\" {{ value = {value} }}\n"
            );
            spent_on(&main)
        };
        let (few, many) = (spent(50), spent(400));
        // What is asked of each is at most an operation or two.
        assert!(many < few + 350 * 1000, "{value}: {few} {many}");
    }
}
