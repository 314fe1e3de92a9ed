//! The version of Terraform that a tree is for, found without starting one.
//!
//! In: `required_version`, the record. Out: a version for evaluation, and which expressions it accepts in static fields. Commands
//! that only read start no process, since whoever wrote the tree may have chosen the program. Invariant: what isn't said is taken
//! as what every version accepts. Absent on purpose: running a binary.

use crate::host::Host;
use crate::pipeline::Session;
use crate::syntax::ExprKind;
use crate::terraform::{Product, Version};
use crate::trace::accepts::{Accepts, Sources};

/// Returns which expressions a version accepts in static fields.
pub fn of_version(version: &Version) -> Accepts {
    let sources = if version.is_at_least(Product::OpenTofu, 1, 8) {
        Sources::Variables
    } else if version.is_at_least(Product::Terraform, 1, 15) {
        Sources::Constants
    } else {
        Sources::Literals
    };
    Accepts { sources, prevent_destroy: version.is_at_least(Product::OpenTofu, 1, 12) }
}

/// Returns which expressions the tree's Terraform accepts in static fields: as the record says, else as the oldest version does
/// that the tree allows.
pub fn accepts<H: Host + Clone>(session: &Session<H>) -> Accepts {
    if let Some(accepts) = session.record.as_ref().and_then(|r| r.accepts) {
        return accepts;
    }
    let bound = |(operator, numbers): (String, Vec<u64>)| {
        matches!(&*operator, "" | "=" | ">=" | ">" | "~>").then_some(numbers)
    };
    let least = constraints(session).into_iter().filter_map(bound).max();
    let [major, minor, ..] = least.as_deref().unwrap_or_default() else { return Accepts::default() };
    let product = if session.phi.settings.is_for_tofu() { Product::OpenTofu } else { Product::Terraform };
    of_version(&Version { product, major: *major, minor: *minor, patch: 0, pre: String::new() })
}

/// The version that a tree is for, where it names no other minor one. What came before 1.0 isn't known.
pub fn exactly<H: Host + Clone>(session: &Session<H>) -> Option<(u32, u32)> {
    let fixed = |(operator, numbers): &(String, Vec<u64>)| match &**operator {
        "" | "=" => true,
        "~>" => numbers.len() > 2,
        _ => false,
    };
    let all = constraints(session);
    let (_, numbers) = all.iter().find(|c| fixed(c))?;
    let part = |at: usize| u32::try_from(*numbers.get(at)?).ok();
    Some((part(0)?, part(1)?)).filter(|(major, _)| *major > 0)
}

/// Each part of each `required_version` of the root: operator and numbers.
fn constraints<H: Host + Clone>(session: &Session<H>) -> Vec<(String, Vec<u64>)> {
    let blocks = session.config.root().map(|m| m.terraform.as_slice()).unwrap_or_default();
    let texts =
        blocks.iter().filter_map(|decl| match &decl.block.body.attribute("required_version")?.expr.kind {
            ExprKind::String(text) => Some(text.to_string()),
            _ => None,
        });
    texts.flat_map(|text| text.split(',').filter_map(one).collect::<Vec<_>>()).collect()
}

fn one(text: &str) -> Option<(String, Vec<u64>)> {
    let text = text.trim();
    let (operator, version) = text.split_at_checked(text.find(|c: char| !"=!<>~".contains(c))?)?;
    let version = version.trim();
    let numbers = version.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    Some((operator.to_owned(), numbers))
}

#[cfg(test)]
mod tests {
    use crate::ops::read::presumed::*;

    #[test]
    fn parts_of_constraints() {
        assert_eq!(one(" >= 1.11.4 "), Some((">=".to_owned(), vec![1, 11, 4])));
        assert_eq!(one("1.5"), Some((String::new(), vec![1, 5])));
        assert_eq!(one("~> 1.5.0"), Some(("~>".to_owned(), vec![1, 5, 0])));
        assert_eq!(one("= 1.5.0-beta1"), None);
        assert_eq!(one(""), None);
    }
}
