//! Stacks within one another, as deep as the runtime takes them, and one deeper.

use super::cases::Case;
use super::{compare, lowered, with_runtime};

const PROVIDERS: &str = "required_providers {\n  terraform = { source = \"terraform.io/builtin/terraform\" }\n}\nprovider \"terraform\" \"main\" {}\n";
const MODULE: &str =
    "variable \"n\" {\n  type = number\n}\nresource \"terraform_data\" \"n\" {\n  input = var.n\n}\n";

/// A Stack with so many others within one another, each with a component.
fn nested(depth: usize) -> Case {
    let mut case = Case { name: format!("{depth} levels"), ..Case::default() };
    case.files.insert("m/main.tf".to_owned(), MODULE.to_owned());
    for level in 0..=depth {
        let (declared, own) = match level {
            0 => ("", "0"),
            _ => ("variable \"n\" {\n  type = number\n}\n", "var.n"),
        };
        let inner = match level < depth {
            true => format!("stack \"s\" {{\n  source = \"./s\"\n  inputs = {{ n = {own} + 1 }}\n}}\n"),
            false => String::new(),
        };
        let up = if level == 0 { "./".to_owned() } else { "../".repeat(level) };
        let text = format!(
            "{PROVIDERS}{declared}{inner}component \"c\" {{\n  source    = \"{up}m\"\n  inputs    = {{ n = {own} }}\n  \
             providers = {{ terraform = provider.terraform.main }}\n}}\n"
        );
        case.files.insert(format!("{}main.tfcomponent.hcl", "s/".repeat(level)), text);
    }
    case.files.insert("main.tfdeploy.hcl".to_owned(), "deployment \"dev\" {\n  inputs = {}\n}\n".to_owned());
    case.inputs.insert("dev".to_owned(), serde_json::json!({}));
    case
}

#[test]
fn stacks_are_nested_as_deep_as_the_runtime_takes_them() {
    with_runtime(|runtime| {
        let deepest = nested(20);
        let tally = compare::case(&deepest, runtime).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((tally.values, tally.open, tally.errors), (21, 0, 0));
        assert_eq!(lowered::case(&deepest, runtime).unwrap_or_else(|why| panic!("{why}")), 21);
        let tally = compare::case(&nested(21), runtime).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(tally.errors, 1);
    });
}
