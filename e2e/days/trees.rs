//! The trees of a day, as tf-phi has them and as Terraform alone has them.

use std::collections::BTreeMap;

pub type Files = BTreeMap<String, String>;

pub const TREES: &[&str] = &["calls", "beside", "rejected"];

const HEAD: &str = "variable \"env\" {\n  default = \"dev\"\n}\n\n";

fn call(name: &str) -> String {
    format!(
        "module \"{name}\" {{\n  source  = \"./modules/{name}\"\n  release = var.env == \"prod\" ? \"{name}-2\" : \"{name}-1\"\n  note    = \"n\"\n}}\n\n\
         # Between calls.\nlocals {{\n  of_{name} = \"l\"\n}}\n\n"
    )
}

fn module(name: &str) -> String {
    format!(
        "variable \"release\" {{}}\n\nvariable \"note\" {{\n  default = \"d\"\n}}\n\n# What is tagged.\nlocals {{\n  tag = \"t\"\n}}\n\n\
         resource \"terraform_data\" \"{name}\" {{\n  input = {{ v = var.release, note = var.note, tag = local.tag }}\n}}\n\n\
         output \"v\" {{\n  value = terraform_data.{name}.input.v\n}}\n"
    )
}

fn beside(name: &str) -> String {
    format!(
        "resource \"terraform_data\" \"{name}\" {{\n  input = {{ v = var.env == \"prod\" ? \"{name}-2\" : \"{name}-1\", note = \"n\" }}\n}}\n\n\
         # Between resources.\nlocals {{\n  of_{name} = \"l\"\n}}\n\n"
    )
}

const PROTECTED: &str = "prevent_destroy = var.env == \"prod\"";

/// The tree as tf-phi has it.
pub fn begin(tree: &str, keep: bool) -> Files {
    let mut files = Files::new();
    let mut put = |path: &str, text: String| drop(files.insert(path.to_owned(), text));
    let output = |name: &str, value: &str| {
        format!("output \"{name}\" {{\n  value = {value}\n}}\n\n# An output above.\n# One below.\n\n")
    };
    match tree {
        "calls" => {
            put("main.tf", [HEAD.to_owned(), call("a"), call("b")].concat());
            put("outputs.tf", [output("a", "module.a.v"), output("b", "module.b.v")].concat());
            ["a", "b"].iter().for_each(|name| put(&format!("modules/{name}/main.tf"), module(name)));
        }
        "beside" => {
            put("main.tf", [HEAD.to_owned(), beside("a"), beside("b")].concat());
            let value = |name: &str| format!("terraform_data.{name}.input.v");
            put("outputs.tf", [output("a", &value("a")), output("b", &value("b"))].concat());
        }
        _ => {
            let lifecycle = format!("  lifecycle {{\n    {PROTECTED}\n  }}\n}}\n\n# Between");
            let protected = |name: &str| beside(name).replace("}\n\n# Between", &lifecycle);
            put("main.tf", [HEAD.to_owned(), protected("a"), beside("b")].concat());
            let value = |name: &str| format!("terraform_data.{name}.input.v");
            put("outputs.tf", [output("a", &value("a")), output("b", &value("b"))].concat());
        }
    }
    let pin = "specialize \"terraform_data\" {\n  fields = [\"input.v\"]\n}\n";
    put("phi.hcl", format!("settings {{\n  keep = {keep}\n}}\n{pin}"));
    put("docs/readme.md", "What this is.\n".to_owned());
    put(".gitignore", ".terraform/\n*.tfstate*\n.terraform.lock.hcl\n".to_owned());
    files
}

/// The same text in a form that Terraform accepts, written by hand.
pub fn by_hand(text: &str) -> String {
    text.replace(PROTECTED, "prevent_destroy = false")
}

/// A text that Terraform accepts, as the tree has it.
pub fn from_hand(tree: &str, text: &str) -> String {
    if tree == "rejected" { text.replace("prevent_destroy = false", PROTECTED) } else { text.to_owned() }
}

/// An edit of an original: the file, what stands there, and what is to stand there. No text is added to the end of a file with none.
pub fn edit(tree: &str, kind: usize, number: usize) -> (String, String, String) {
    let name = if number.is_multiple_of(2) { "a" } else { "b" };
    let (path, from, to) = match kind {
        0 => ("main.tf".to_owned(), format!("\"{name}-2\""), format!("\"{name}-{number}\"")),
        1 => ("main.tf".to_owned(), format!("of_{name} = \"l\""), format!("of_{name} = \"l{number}\"")),
        2 => ("outputs.tf".to_owned(), "# An output above.".to_owned(), format!("# An output, {number}.")),
        3 if tree == "calls" => {
            (format!("modules/{name}/main.tf"), "tag = \"t\"".to_owned(), format!("tag = \"t{number}\""))
        }
        3 => ("main.tf".to_owned(), "note = \"n\"".to_owned(), format!("note = \"n{number}\"")),
        _ => {
            let text = format!(
                "resource \"terraform_data\" \"more_{number}\" {{\n  input = {{ v = var.env == \"prod\" ? \"m2\" : \"m1\", note = \"m\" }}\n}}\n"
            );
            (format!("more_{number}.tf"), String::new(), text)
        }
    };
    (path, from, to)
}
