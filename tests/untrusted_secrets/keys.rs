//! A secret that is a key, or an element of a set, and where it comes from.

use super::{CANARY, silent, words};
use crate::cli_common::Scratch;

/// Collections whose keys are what `var.lN`, `var.oN`, `var.tN` or `var.mN` hold. `N` is the number of a case.
const COLLECTIONS: &[&str] = &[
    "toset(var.lN)",
    "toset([var.oN])",
    "{ for x in var.lN : x => 1 }",
    "{ (var.oN) = 1 }",
    "zipmap(var.lN, [1])",
    "setunion(var.lN, [])",
    "local.setN",
    "local.mapN",
    "var.tN",
    "module.cN.set",
    "module.cN.typed",
    "var.on ? toset(var.lN) : toset([])",
    "setsubtract(toset(var.lN), [])",
    "merge({ x = 1 }, { (var.oN) = 2 })",
    "toset(distinct(concat(var.lN, [])))",
    "toset(keys(var.mN))",
    "var.mN",
    "{ for k, v in toset(var.lN) : k => 1 }",
    "toset([for x in var.lN : upper(x)])",
];

/// How a key of `C` comes to a secret argument.
const USES: &[&str] = &[
    "resource \"aws_db_instance\" \"uN\" {\n  for_each = C\n  password = each.key\n}\n",
    "resource \"aws_mq_broker\" \"uN\" {\n  dynamic \"user\" {\n    for_each = C\n    content {\n      password = user.key\n    }\n  }\n}\n",
    "resource \"aws_db_instance\" \"uN\" {\n  password = [for k, v in C : k][0]\n}\n",
    "module \"uN\" {\n  source = \"./u\"\n  for_each = C\n  pw = each.key\n}\n",
    "resource \"terraform_data\" \"uN\" {\n  for_each = C\n}\nresource \"aws_db_instance\" \"vN\" {\n  password = keys(terraform_data.uN)[0]\n}\n",
];

/// Declarations of their own for each case, and outputs that show them.
fn case(n: usize, collection: &str, usage: &str) -> String {
    let own = "variable \"lN\" {\n  default = [\"hunter2-lN\"]\n}\nvariable \"oN\" {\n  default = \"hunter2-oN\"\n}\n\
        variable \"tN\" {\n  type    = set(string)\n  default = [\"hunter2-tN\"]\n}\n\
        variable \"mN\" {\n  default = { \"hunter2-mN\" = 1 }\n}\n\
        locals {\n  setN = toset(var.lN)\n  mapN = { for x in var.lN : x => x }\n}\n\
        module \"cN\" {\n  source = \"./c\"\n  list   = var.lN\n}\n";
    let shown = |from: &str| match from {
        "o" => "var.oN".to_owned(),
        "l" => "{ a = var.lN[0], b = join(\",\", var.lN), c = var.lN }".to_owned(),
        "t" => "{ a = one(var.tN), b = var.tN }".to_owned(),
        _ => "keys(var.mN)[0]".to_owned(),
    };
    let from = ["o", "t", "m"].into_iter().find(|from| collection.contains(&format!("var.{from}N")));
    let output = format!("output \"sN\" {{\n  value = {}\n}}\n", shown(from.unwrap_or("l")));
    format!("{own}{}{output}", usage.replace('C', collection)).replace("N", &n.to_string())
}

const MODULES: [(&str, &str); 2] = [
    (
        "c/main.tf",
        "variable \"list\" {}\noutput \"set\" {\n  value = toset(var.list)\n}\nmodule \"t\" {\n  source = \"../t\"\n  set    = var.list\n}\n\
         output \"typed\" {\n  value = module.t.set\n}\n",
    ),
    ("u/main.tf", "variable \"pw\" {}\nresource \"aws_db_instance\" \"i\" {\n  password = var.pw\n}\n"),
];
const TYPED: (&str, &str) = (
    "t/main.tf",
    "variable \"set\" {\n  type = set(string)\n}\noutput \"set\" {\n  value = { for k, v in var.set : k => v }\n}\n",
);

#[test]
fn what_a_secret_key_comes_from_is_not_shown() {
    let mut main =
        "variable \"on\" {\n  default = true\n}\noutput \"plain\" {\n  value = \"shown-plain\"\n}\n"
            .to_owned();
    let cases = COLLECTIONS.iter().flat_map(|collection| USES.iter().map(move |usage| (collection, usage)));
    let cases: Vec<_> = cases.collect();
    for (n, (collection, usage)) in cases.iter().enumerate() {
        main += &case(n, collection, usage);
    }
    let scratch = Scratch::new([("main.tf", &*main), MODULES[0], MODULES[1], TYPED]);
    let mut failures = Vec::new();
    for line in ["matrix --all", "trace --all --format json", "validate"] {
        let done = scratch.run(&words(line));
        let printed = format!("{}{}", done.out, done.err);
        // What stands in the declarations of a case that leaks nothing isn't there at all.
        for (n, (collection, usage)) in cases.iter().enumerate() {
            let leaks = |from: &str| {
                let text = format!("{CANARY}-{from}{n}");
                printed
                    .match_indices(&text)
                    .any(|(at, _)| !printed[at + text.len()..].starts_with(|c: char| c.is_ascii_digit()))
            };
            let from = ["o", "t", "m"].into_iter().find(|from| collection.contains(&format!("var.{from}N")));
            if leaks(from.unwrap_or("l")) {
                failures.push(format!("{line}: {collection}: {}", usage.lines().nth(1).unwrap_or_default()));
            }
        }
        assert!(!line.starts_with("matrix") || done.out.contains("shown-plain"), "{printed}");
    }
    assert!(failures.is_empty(), "{} cases: {failures:#?}", failures.len());
}

/// Where a secret argument is an object, its keys aren't what is secret; and what only picks a secret is none.
#[test]
fn keys_beside_secrets_stay_shown() {
    let main = "variable \"file\" {\n  default = \"shown-file\"\n}\nvariable \"names\" {\n  default = [\"shown-name\"]\n}\n\
        variable \"pw\" {\n  default = { shown-name = \"hunter2-pw\" }\n}\n\
        resource \"kubernetes_secret\" \"s\" {\n  data = { (var.file) = \"hunter2-data\" }\n}\n\
        resource \"aws_db_instance\" \"d\" {\n  for_each = toset(var.names)\n  password = var.pw[each.key]\n}\n\
        resource \"aws_db_instance\" \"e\" {\n  password = zipmap(var.names, [\"hunter2-zip\"])[\"shown-name\"]\n}\n\
        output \"file\" {\n  value = var.file\n}\noutput \"name\" {\n  value = var.names[0]\n}\n";
    let scratch = Scratch::new([("main.tf", main)]);
    let done = scratch.run(&["matrix", "--all"]);
    silent(&done, "matrix");
    for output in ["output.file", "output.name"] {
        let row = done.out.lines().find(|line| line.starts_with(output)).unwrap_or_default();
        assert!(row.contains("shown-"), "{}", done.out);
    }
}
