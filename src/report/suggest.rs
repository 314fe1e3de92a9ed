//! A `phi.hcl` to begin with.

use super::wrap::flat;
use crate::value::hcl::quote;
use std::fmt::Write;

/// The suggested content of a `phi.hcl`.
#[derive(Clone, Debug, Default)]
pub struct Suggestion {
    /// Fields that are specialised anyway, since Terraform takes no expression there.
    pub always: Vec<String>,
    /// Fields that `phi.hcl` pins already.
    pub pinned: Vec<String>,
    /// Patterns that match the variable files that count, where `phi.hcl` names none.
    pub environments: Vec<String>,
    /// Pins that are worth it.
    pub pins: Vec<Pin>,
    /// Fields that would be worth it, and lack a finite set of values.
    pub open: Vec<Open>,
}

/// One `specialize` block.
#[derive(Clone, Debug)]
pub struct Pin {
    /// The block's label: a type or an address.
    pub label: String,
    /// Names of fields.
    pub fields: Vec<String>,
    /// Each field's address, and its values as HCL.
    pub values: Vec<(String, Vec<String>)>,
}

/// A universe that is missing.
#[derive(Clone, Debug)]
pub struct Open {
    /// The block of `phi.hcl` that gives it, with values that stand for the real ones.
    pub block: String,
    /// The fields that wait for it, with the reason of each.
    pub fields: Vec<(String, String)>,
    /// The pins without which it would list values for nothing: a block's label, and names of fields.
    pub pins: Vec<(String, Vec<String>)>,
}

impl Suggestion {
    /// The text of the file. It is valid as it stands; what needs a decision is a comment.
    pub fn text(&self, version: &str) -> String {
        let mut out = format!("# Suggested by tf-phi {version}. Take away what you don't need.\n");
        if let Some((first, rest)) = self.environments.split_first() {
            let all = [first].into_iter().chain(rest).map(|p| quote(p)).collect::<Vec<_>>().join(", ");
            out.push_str("\n# All variable files below the root count. To name those that do:\n");
            put(&mut out, format_args!("# settings {{\n#   environments = [{all}]\n# }}\n"));
        }
        list(
            &mut out,
            "Specialised without a block, since Terraform takes no expression there:",
            &self.always,
        );
        list(&mut out, "Pinned already:", &self.pinned);
        for pin in &self.pins {
            out.push('\n');
            for (field, values) in &pin.values {
                put(&mut out, format_args!("# {}: {}\n", flat(field), flat(&values.join(", "))));
            }
            let fields = pin.fields.iter().map(|f| quote(f)).collect::<Vec<_>>().join(", ");
            put(&mut out, format_args!("specialize {} {{\n  fields = [{fields}]\n}}\n", quote(&pin.label)));
        }
        for open in &self.open {
            out.push_str("\n# To pin these as well, say which values there are:\n");
            for (field, why) in &open.fields {
                put(&mut out, format_args!("#   {}: {}\n", flat(field), flat(why)));
            }
            open.block.lines().for_each(|line| put(&mut out, format_args!("# {line}\n")));
            for (label, fields) in &open.pins {
                let fields = fields.iter().map(|f| quote(f)).collect::<Vec<_>>().join(", ");
                put(
                    &mut out,
                    format_args!("# specialize {} {{\n#   fields = [{fields}]\n# }}\n", quote(label)),
                );
            }
        }
        if self.pins.is_empty() && self.open.is_empty() {
            out.push_str(
                "\n# No argument was found that selects a version, an image, a source or a size, and has several values.\n",
            );
        }
        out
    }
}

fn list(out: &mut String, title: &str, names: &[String]) {
    if !names.is_empty() {
        put(out, format_args!("\n# {title}\n"));
        names.iter().for_each(|name| put(out, format_args!("#   {}\n", flat(name))));
    }
}

/// Writing to memory can't fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
