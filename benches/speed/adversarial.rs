//! Trees that are small to write and large to trace: each is answered by sharing, or refused by a limit.
//! `tests/adversarial.rs` says what the answers are.

use std::fmt::Write as _;

/// Paths and texts.
pub type Files = Vec<(String, String)>;

/// Every case by name. The field of interest is the `input` of `terraform_data.x` wherever there is one.
pub fn cases() -> Vec<(&'static str, Files)> {
    vec![
        ("40 bools, all of them", root(&format!("{}{}", bools(), field(&all_of(40))))),
        ("40 bools, an object of choices", root(&format!("{}{}", bools(), field(&object_of(40))))),
        (
            "40 bools, a key that is missing in an object of choices",
            root(&format!(
                "{}locals {{\n  chosen = {}\n}}\n{}",
                bools(),
                object_of(40),
                field("try(local.chosen[\"missing\"], \"none\")")
            )),
        ),
        (
            "40 bools, a text with all of them and something unknown",
            root(&format!(
                "{}variable \"u\" {{\n  type = string\n}}\nlocals {{\n  all = {{\n    text = \"${{var.u}}{}\"\n    user = \"x\"\n  }}\n}}\n{}",
                bools(),
                (0..40).map(|i| format!(" ${{var.b{i}}}")).collect::<String>(),
                field("local.all.user")
            )),
        ),
        ("40 bools, their parity", root(&format!("{}{}", bools(), parity()))),
        ("a 1,000-way map of 3 values", root(&format!("{}{}{}", key("k"), map(3), field("local.m[var.k]")))),
        (
            "a 1,000-way map of 1,000 values",
            root(&format!("{}{}{}", key("k"), map(1000), field("local.m[var.k]"))),
        ),
        ("a 1,000-way map by an open key", root(&format!("{OPEN}{}{}", map(3), field(LOOKUP)))),
        ("locals, 200 deep", root(&format!("{ONE_BOOL}{}{}", chain(200), field("local.v200")))),
        ("a module called 500 times", called(500)),
        ("a diamond of 30 levels", root(&format!("{ONE_BOOL}{}{}", diamond(30), field("local.v30")))),
        ("a diamond of modules, 30 levels", modules(30)),
        ("modules within one another, 300 levels", nested_calls(300)),
        ("a value through 500 calls", passed_on(500)),
        (
            "300 choices by one key, in a row",
            root(&format!("{OPEN}{}{}", row(300, "var.k == \"k", "\""), field(LAST))),
        ),
        (
            "300 thresholds of a number, in a row",
            root(&format!("{NUMBER}{}{}", row(300, "var.k < ", ""), field(LAST))),
        ),
        (
            "choices by 40 bools, in a row",
            root(&format!("{}{}{}", bools(), row(40, "var.b", ""), field("local.v40"))),
        ),
        ("nested iterations of 20 keys each", nested(20)),
        ("a list of itself twice, 60 levels", root(&format!("{}{}", doubled("[A, A]"), field("local.v60")))),
        (
            "an object of itself twice, 60 levels",
            root(&format!("{}{}", doubled("{ a = A, b = A }"), field("local.v60"))),
        ),
        (
            "a text of itself twice, 60 levels",
            root(&format!("{}{}", doubled("\"${A}${A}\""), field("local.v60"))),
        ),
    ]
}

const ONE_BOOL: &str = "variable \"b\" {\n  type = bool\n}\n";
const OPEN: &str = "variable \"k\" {\n  type = string\n}\n";
const LOOKUP: &str = "lookup(local.m, var.k, \"none\")";

const NUMBER: &str = "variable \"k\" {\n  type = number\n}\n";
const LAST: &str = "local.v300";

/// Conditionals, each in the last arm of the next: what is asked is `head`, a number, `tail`.
fn row(count: usize, head: &str, tail: &str) -> String {
    let steps = (0..count).map(|i| {
        let n = count - 1 - i;
        format!("  v{} = {head}{n}{tail} ? \"v{}\" : local.v{i}\n", i + 1, n % 7)
    });
    format!("locals {{\n  v0 = \"none\"\n{}}}\n", steps.collect::<String>())
}

/// Three calls and resources within each other, each repeated under keys made of the one around.
fn nested(count: usize) -> Files {
    let each = |prefix: &str| format!("for_each = toset([for i in range({count}) : \"{prefix}${{i}}\"])");
    let call = |source: &str, each: &str| {
        format!("module \"m\" {{\n  source = \"{source}\"\n  {each}\n  k = each.key\n  a = var.a\n}}\n")
    };
    let inputs = "variable \"a\" {\n  type = string\n}\nvariable \"k\" {\n  type = string\n}\n";
    let inner = each("${var.k}-");
    let leaf = format!(
        "{inputs}resource \"terraform_data\" \"x\" {{\n  {inner}\n  input = each.key == var.a ? \"yes\" : \"no\"\n}}\n"
    );
    vec![
        (
            "main.tf".to_owned(),
            format!("variable \"a\" {{\n  type = string\n}}\n{}", call("./n", &each("k"))),
        ),
        ("n/main.tf".to_owned(), format!("{inputs}{}", call("../o", &inner))),
        ("o/main.tf".to_owned(), leaf),
    ]
}

fn root(text: &str) -> Files {
    vec![("main.tf".to_owned(), text.to_owned())]
}

fn field(value: &str) -> String {
    format!("resource \"terraform_data\" \"x\" {{\n  input = {value}\n}}\n")
}

fn bools() -> String {
    (0..40).map(|i| format!("variable \"b{i}\" {{\n  type = bool\n}}\n")).collect()
}

fn all_of(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|i| format!("var.b{i}")).collect();
    format!("{} ? \"yes\" : \"no\"", names.join(" && "))
}

fn object_of(count: usize) -> String {
    let entries: String = (0..count).map(|i| format!("    k{i} = var.b{i} ? 1 : 0\n")).collect();
    format!("{{\n{entries}  }}")
}

fn parity() -> String {
    let steps: String = (1..40).map(|i| format!("  v{i} = var.b{i} != local.v{}\n", i - 1)).collect();
    format!("locals {{\n  v0 = var.b0\n{steps}}}\n{}", field("local.v39 ? \"odd\" : \"even\""))
}

fn key(name: &str) -> String {
    let keys: Vec<String> = (0..1000).map(|i| format!("\"k{i}\"")).collect();
    format!(
        "variable \"{name}\" {{\n  type = string\n  validation {{\n    condition     = contains([{}], var.{name})\n    \
         error_message = \"One of the listed.\"\n  }}\n}}\n",
        keys.join(", ")
    )
}

fn map(values: usize) -> String {
    let entries: String = (0..1000).map(|i| format!("    k{i} = \"v{}\"\n", i % values)).collect();
    format!("locals {{\n  m = {{\n{entries}  }}\n}}\n")
}

fn chain(length: usize) -> String {
    let steps: String = (1..=length).map(|i| format!("  v{i} = \"${{local.v{}}}.\"\n", i - 1)).collect();
    format!("locals {{\n  v0 = var.b ? \"x\" : \"y\"\n{steps}}}\n")
}

fn diamond(levels: usize) -> String {
    let mut text = "locals {\n  v0 = var.b ? 1 : 2\n".to_owned();
    for i in 1..=levels {
        let below = i - 1;
        writeln!(
            text,
            "  l{i} = local.v{below}\n  r{i} = local.v{below} + 1\n  v{i} = local.l{i} + local.r{i}"
        )
        .unwrap();
    }
    text + "}\n"
}

fn doubled(step: &str) -> String {
    let step = |i: usize| step.replace('A', &format!("local.v{}", i - 1));
    let steps: String = (1..=60).map(|i| format!("  v{i} = {}\n", step(i))).collect();
    format!("locals {{\n  v0 = \"text\"\n{steps}}}\n")
}

fn called(times: usize) -> Files {
    let call =
        |i| format!("module \"m{i}\" {{\n  source = \"./m\"\n  v      = var.b ? \"x{i}\" : \"y\"\n}}\n");
    let calls: String = (0..times).map(call).collect();
    let mut module = "variable \"v\" {}\n\nlocals {\n  w = upper(var.v)\n}\n".to_owned();
    for i in 0..10 {
        writeln!(module, "resource \"terraform_data\" \"x{i}\" {{\n  input = \"${{local.w}}-{i}\"\n}}")
            .unwrap();
    }
    vec![("main.tf".to_owned(), format!("{ONE_BOOL}{calls}")), ("m/main.tf".to_owned(), module)]
}

/// Each module calls the next one, and hands a value down and back up.
pub fn nested_calls(levels: usize) -> Files {
    let call = |dir: &str, value: &str| {
        format!(
            "module \"m\" {{\n  source = \"{dir}\"\n  v      = {value}\n}}\noutput \"o\" {{\n  value = module.m.o\n}}\n"
        )
    };
    let mut files = root(&format!("{ONE_BOOL}{}", call("./m1", "var.b ? 1 : 2")));
    for level in 1..levels {
        let text = format!("variable \"v\" {{}}\n{}", call(&format!("../m{}", level + 1), "var.v"));
        files.push((format!("m{level}/main.tf"), text));
    }
    let last = "variable \"v\" {}\noutput \"o\" {\n  value = var.v\n}\n";
    files.push((format!("m{levels}/main.tf"), last.to_owned()));
    files
}

/// A list that each call of one module makes longer.
fn passed_on(times: usize) -> Files {
    let call = |i: usize| {
        let value = if i == 0 { "[var.b]".to_owned() } else { format!("module.m{}.o", i - 1) };
        format!("module \"m{i}\" {{\n  source = \"./m\"\n  v      = {value}\n}}\n")
    };
    let calls: String = (0..times).map(call).collect();
    let module = "variable \"v\" {}\noutput \"o\" {\n  value = concat(var.v, [length(var.v)])\n}\n";
    let last = format!("output \"o\" {{\n  value = length(module.m{}.o)\n}}\n", times - 1);
    vec![
        ("main.tf".to_owned(), format!("{ONE_BOOL}{calls}{last}")),
        ("m/main.tf".to_owned(), module.to_owned()),
    ]
}

/// Each level calls the next one twice: 2^levels paths.
fn modules(levels: usize) -> Files {
    let calls = |dir: String| {
        format!("module \"a\" {{\n  source = \"{dir}\"\n}}\nmodule \"b\" {{\n  source = \"{dir}\"\n}}\n")
    };
    let mut files = root(&calls("./m1".to_owned()));
    for level in 1..levels {
        files.push((format!("m{level}/main.tf"), calls(format!("../m{}", level + 1))));
    }
    files.push((format!("m{levels}/main.tf"), "output \"o\" {\n  value = 1\n}\n".to_owned()));
    files
}
