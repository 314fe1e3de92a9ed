//! `required_version`: the versions of Terraform that a tree allows.
//!
//! In: the `terraform` blocks of all modules, as Terraform checks each one's. Out: each part of each constraint, and the minor versions
//! that all parts leave. A module of which an expression chooses the source narrows nothing, since another one may be loaded.
//! Invariant: a part that isn't read narrows nothing, so that no version is left out that may be in use.

use super::{Config, ModuleId};
use crate::func::TerraformVersions;
use crate::syntax::ExprKind;
use std::collections::BTreeSet;

/// A part of a constraint: its operator, and the numbers of its version.
pub struct VersionConstraint {
    /// `>=` and its like; empty for a version by itself.
    pub operator: String,
    /// At least one number.
    pub numbers: Vec<u64>,
}

impl Config {
    /// Each part of each `required_version` of the modules that every run loads.
    pub fn version_constraints(&self) -> Vec<VersionConstraint> {
        let loaded = self.paths.iter().filter(|(path, _)| !path.is_by_source());
        let modules: BTreeSet<ModuleId> = loaded.map(|(_, id)| *id).collect();
        let blocks = modules.into_iter().filter_map(|id| self.module(id)).flat_map(|m| &m.terraform);
        let texts =
            blocks.filter_map(|decl| match &decl.block.body.attribute("required_version")?.expr.kind {
                ExprKind::String(text) => Some(text.to_string()),
                _ => None,
            });
        texts
            .flat_map(|text| text.split(',').filter_map(VersionConstraint::parse).collect::<Vec<_>>())
            .collect()
    }

    /// Returns true if the tree allows no Terraform from 1.0 on. What older ones accept isn't known.
    pub fn is_for_before_1_0(&self) -> bool {
        self.version_constraints().iter().any(VersionConstraint::is_before_1_0)
    }

    /// The versions of Terraform that the tree allows. Nothing is said of OpenTofu's, which answer as no version of Terraform does.
    pub fn terraform_versions(&self) -> TerraformVersions {
        if self.tofu {
            return TerraformVersions::ANY;
        }
        let left = |all: TerraformVersions, one: VersionConstraint| match one.versions() {
            // Where nothing is left Terraform says so itself.
            Some(own) => all.meet(own).unwrap_or(all),
            None => all,
        };
        self.version_constraints().into_iter().fold(TerraformVersions::ANY, left)
    }
}

impl VersionConstraint {
    fn parse(text: &str) -> Option<VersionConstraint> {
        let text = text.trim();
        let (operator, version) = text.split_at_checked(text.find(|c: char| !"=!<>~".contains(c))?)?;
        let version = version.trim();
        let numbers = version.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        Some(VersionConstraint { operator: operator.to_owned(), numbers })
    }

    fn is_before_1_0(&self) -> bool {
        let major = self.numbers.first().copied().unwrap_or(0);
        match &*self.operator {
            "" | "=" | "<=" => major == 0,
            "<" => major == 0 || major == 1 && self.numbers.iter().skip(1).all(|n| *n == 0),
            "~>" => major == 0 && self.numbers.len() > 1,
            _ => false,
        }
    }

    /// The minor versions that it allows; `None` where it rules none out. What came before 1.0 isn't known.
    fn versions(&self) -> Option<TerraformVersions> {
        let part = |at: usize| self.numbers.get(at).map_or(Some(0), |n| u32::try_from(*n).ok());
        let (major, minor) = (part(0)?, part(1)?);
        if major == 0 {
            return None;
        }
        let version = (major, minor);
        match &*self.operator {
            "" | "=" => Some(TerraformVersions::exactly(version)),
            ">=" | ">" => Some(TerraformVersions::at_least(version)),
            "<=" => Some(TerraformVersions::at_most(version)),
            // `< 1.12` leaves out 1.12, and `< 1.12.1` doesn't.
            "<" if self.numbers.iter().skip(2).any(|n| *n > 0) => Some(TerraformVersions::at_most(version)),
            "<" => {
                let before = minor.checked_sub(1).map_or((major - 1, u32::MAX), |minor| (major, minor));
                Some(TerraformVersions::at_most(before))
            }
            "~>" if self.numbers.len() > 2 => Some(TerraformVersions::exactly(version)),
            "~>" if self.numbers.len() == 2 => {
                TerraformVersions::at_least(version).meet(TerraformVersions::at_most((major, u32::MAX)))
            }
            "~>" => Some(TerraformVersions::at_least(version)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_constraints() {
        let parts = |text: &str| VersionConstraint::parse(text).map(|c| (c.operator, c.numbers));
        assert_eq!(parts(" >= 1.11.4 "), Some((">=".to_owned(), vec![1, 11, 4])));
        assert_eq!(parts("1.5"), Some((String::new(), vec![1, 5])));
        assert_eq!(parts("~> 1.5.0"), Some(("~>".to_owned(), vec![1, 5, 0])));
        assert_eq!(parts("= 1.5.0-beta1"), None);
        assert_eq!(parts(""), None);
    }

    #[test]
    fn parts_that_leave_nothing_from_1_0_on() {
        let before = |text: &str| VersionConstraint::parse(text).is_some_and(|c| c.is_before_1_0());
        for text in ["0.11.15", "= 0.13", "~> 0.12", "~> 0.12.0", "< 1.0", "< 1", "<= 0.15"] {
            assert!(before(text), "{text}");
        }
        for text in [">= 0.12", "~> 0", "< 1.1", "< 1.0.1", "!= 0.12", "~> 1.0", "1.0"] {
            assert!(!before(text), "{text}");
        }
    }

    #[test]
    fn versions_that_a_part_allows() {
        let versions = |text: &str| VersionConstraint::parse(text).and_then(|c| c.versions());
        let exactly = TerraformVersions::exactly((1, 11));
        for text in ["1.11.4", "= 1.11", "~> 1.11.0", "~> 1.11.4"] {
            assert_eq!(versions(text), Some(exactly), "{text}");
        }
        assert_eq!(versions(">= 1.12"), Some(TerraformVersions::at_least((1, 12))));
        // A later patch of that version.
        assert_eq!(versions("> 1.12.1"), Some(TerraformVersions::at_least((1, 12))));
        assert_eq!(versions("< 1.12"), Some(TerraformVersions::at_most((1, 11))));
        assert_eq!(versions("< 1.12.0"), Some(TerraformVersions::at_most((1, 11))));
        assert_eq!(versions("< 1.12.2"), Some(TerraformVersions::at_most((1, 12))));
        assert_eq!(versions("<= 1.12.2"), Some(TerraformVersions::at_most((1, 12))));
        assert_eq!(versions("< 2.0"), Some(TerraformVersions::at_most((1, u32::MAX))));
        assert_eq!(versions("~> 1.5").and_then(|v| v.since(5)), Some(true));
        for text in ["!= 1.12", "= 0.14", "~> 0.12.0", ">= 1.12.0-rc1"] {
            assert_eq!(versions(text), None, "{text}");
        }
    }
}
