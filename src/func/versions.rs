//! The versions of Terraform whose answers are wanted.
//!
//! In: the least and the latest minor version. Out: whether all of them have what came with one. Invariant: a wider range only
//! ever makes an answer less certain, so that what isn't known of a tree's Terraform may be left open.

/// A minor version: major and minor number.
type Minor = (u32, u32);

/// A range of minor versions, both ends included; an end that is left out is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TerraformVersions {
    least: Option<Minor>,
    most: Option<Minor>,
}

impl TerraformVersions {
    /// All versions.
    pub const ANY: TerraformVersions = TerraformVersions { least: None, most: None };

    /// One version alone.
    pub const fn exactly(version: (u32, u32)) -> TerraformVersions {
        TerraformVersions { least: Some(version), most: Some(version) }
    }

    /// A version and all later ones.
    pub const fn at_least(version: (u32, u32)) -> TerraformVersions {
        TerraformVersions { least: Some(version), most: None }
    }

    /// A version and all earlier ones.
    pub const fn at_most(version: (u32, u32)) -> TerraformVersions {
        TerraformVersions { least: None, most: Some(version) }
    }

    /// Returns the versions that are in both; `None` if there are none.
    #[must_use]
    pub fn meet(self, other: TerraformVersions) -> Option<TerraformVersions> {
        let least = self.least.max(other.least);
        let most = match (self.most, other.most) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let empty = least.zip(most).is_some_and(|(least, most)| least > most);
        (!empty).then_some(TerraformVersions { least, most })
    }

    /// Returns true if all are version 1.`minor` or later, false if none is; `None` if only some are.
    pub fn since(self, minor: u32) -> Option<bool> {
        if self.least.is_some_and(|least| least >= (1, minor)) {
            return Some(true);
        }
        self.most.is_some_and(|most| most < (1, minor)).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::TerraformVersions;

    #[test]
    fn only_what_all_have_alike_is_certain() {
        let since = |versions: TerraformVersions| [11, 12, 13].map(|minor| versions.since(minor));
        assert_eq!(since(TerraformVersions::ANY), [None; 3]);
        assert_eq!(since(TerraformVersions::exactly((1, 12))), [Some(true), Some(true), Some(false)]);
        assert_eq!(since(TerraformVersions::at_least((1, 12))), [Some(true), Some(true), None]);
        assert_eq!(since(TerraformVersions::at_most((1, 11))), [None, Some(false), Some(false)]);
    }

    #[test]
    fn what_is_in_both() {
        let (early, late) = (TerraformVersions::at_most((1, 11)), TerraformVersions::at_least((1, 12)));
        assert_eq!(early.meet(late), None);
        assert_eq!(early.meet(TerraformVersions::ANY), Some(early));
        let within = TerraformVersions::at_least((1, 9)).meet(early).unwrap();
        assert_eq!(within.meet(TerraformVersions::at_most((1, 9))), Some(TerraformVersions::exactly((1, 9))));
    }
}
