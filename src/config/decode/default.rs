//! The default of a variable: a constant that fits the variable's type, used or not, as Terraform insists.

use crate::config::{In, Variable};
use crate::eval::standalone::eval_constant;
use crate::issue::{Code, Issue};
use crate::syntax::Attribute;
use crate::value::Value;

const SUMMARY: &str = "Invalid default value for variable";

/// Returns an issue if a variable's own default is wrong.
pub(super) fn check(variable: &Variable) -> Option<Issue> {
    let default = variable.default.as_ref()?;
    match eval_constant(&default.expr, default.file) {
        // What is too much for this program is left to Terraform.
        Err(e) if e.limit => None,
        Err(e) => {
            let place = e.place.unwrap_or_else(|| default.value_place());
            let issue =
                Issue::error(Code::Invalid, SUMMARY, format!("A default is a constant. {}", e.message));
            Some(
                issue
                    .at(place)
                    .fix("Compute the value in a local, and let the default be null:", "default = null"),
            )
        }
        Ok(value) => {
            let why = "This default value is not compatible with the variable's type constraint";
            fits(variable, &value, default, why)
        }
    }
}

/// The same after an override file has changed the default, the type, or both.
pub(in crate::config) fn check_merged(variable: &Variable, over: &Variable) -> Option<Issue> {
    let default = variable.default.as_ref()?;
    let value = eval_constant(&default.expr, default.file).ok()?;
    let (changed, why) = match (&over.type_attr, &over.default) {
        (Some(ty), None) => {
            (ty, "Overriding this variable's type constraint has made its default value invalid")
        }
        (None, Some(own)) => (
            own,
            "The overridden default value for this variable is not compatible with the variable's type constraint",
        ),
        _ => (default, "This variable's default value is not compatible with its type constraint"),
    };
    fits(variable, &value, changed, why)
}

/// Returns an issue at an argument if a value isn't a valid default of the variable.
fn fits(variable: &Variable, value: &Value, at: &In<Attribute>, why: &str) -> Option<Issue> {
    let issue = |why: String| Issue::error(Code::Invalid, SUMMARY, why).at(at.value_place());
    match variable.accept(value) {
        Err(e) if e.limit => None,
        Err(e) => {
            let issue = issue(format!("{why}: {}.", e.message));
            Some(match variable.nullable {
                true => issue.fix("Write a default that fits the type, or null for none:", "default = null"),
                false => issue.fix("Write a default that fits the type, or leave it out.", ""),
            })
        }
        Ok(value) if value.is_null() && !variable.nullable => {
            let issue = issue("A null default value is not valid when nullable=false.".into());
            Some(issue.fix("Leave the default out, or let the variable be null:", "nullable = true"))
        }
        Ok(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::config::load;
    use crate::host::memory::MemoryHost;
    use std::path::Path;

    /// Returns the faults of the files: the source at fault, and the reason.
    fn faults(main: &str, over: &str) -> Vec<(String, String)> {
        let host = MemoryHost::new([("main.tf", main), ("override.tf", over)]);
        let (config, issues) = load(&host, Path::new("."));
        let at = |issue: &crate::issue::Issue| config.sources.slice(issue.place.unwrap()).to_owned();
        issues.iter().map(|issue| (at(issue), issue.why.clone())).collect()
    }

    #[test]
    fn a_default_fits_though_nothing_uses_it() {
        let fault = |body: &str| faults(&format!("variable \"a\" {{\n{body}\n}}\n"), "");
        for fine in [
            "type = number\ndefault = \"5\"",
            "type = string\ndefault = null",
            "type = object({ x = optional(string, \"${1 + 1}\") })\ndefault = {}",
            "default = \"a${true ? 1 : 2}\"",
            "default = [for x in [1] : x]",
            "type = map(object({ x = optional(list(string), []) }))\ndefault = { a = {} }",
        ] {
            assert_eq!(fault(fine), [], "{fine}");
        }
        for (wrong, at, why) in [
            ("type = number\ndefault = \"x\"", "\"x\"", "a number is required"),
            ("default = \"x\"\ntype = bool", "\"x\"", "a bool is required"),
            ("nullable = false\ndefault = null", "null", "nullable=false"),
            ("default = upper(\"x\")", "upper", "Functions may not be called here."),
            ("default = \"${local.x}\"", "local.x", "Variables may not be used here."),
            ("type = object({ x = optional(number, \"no\") })", "\"no\"", "a number is required"),
            ("type = object({ x = optional(number, min(1)) })", "min", "Functions may not be called here."),
            ("type = object({ x = number })\ndefault = {}", "{}", "attribute \"x\" is required"),
        ] {
            let found = fault(wrong);
            assert!(matches!(found.as_slice(), [(a, b)] if a == at && b.contains(why)), "{wrong}: {found:?}");
        }
    }

    #[test]
    fn an_override_is_looked_at_too() {
        let base = "variable \"a\" {\n  type = string\n  default = \"x\"\n}\n";
        for (over, at, why) in [
            ("type = number", "number", "has made its default value invalid"),
            ("default = []", "[]", "The overridden default value"),
            ("default = null\nnullable = false", "null", "nullable=false"),
            ("nullable = false\ntype = bool", "bool", "has made its default value invalid"),
        ] {
            let found = faults(base, &format!("variable \"a\" {{\n{over}\n}}\n"));
            assert!(matches!(found.as_slice(), [(a, b)] if a == at && b.contains(why)), "{over}: {found:?}");
        }
    }
}
