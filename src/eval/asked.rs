//! Surroundings in which the answers of some versions of Terraform are wanted, where versions differ.
//!
//! In: surroundings, and versions. Out: the same surroundings, whose functions and templates answer as these versions
//! do. Invariant: versions that only stand for others say nothing of which functions they have.

use super::template;
use crate::func::{FuncError, Surroundings, TerraformVersions, Work};
use crate::value::Value;

/// Files and the like, and whose answers are wanted.
pub struct Asked<S, V> {
    /// The other things that functions can see.
    pub outside: S,
    /// The versions of Terraform that answer.
    pub version: V,
}

/// Names the versions of Terraform whose answers are wanted.
pub trait Version: Sync {
    /// The versions; all where none's answers go before another's.
    fn versions(&self) -> TerraformVersions;

    /// Returns true for these versions themselves, which have their own functions and no others.
    fn itself(&self) -> bool {
        true
    }
}

impl Version for TerraformVersions {
    fn versions(&self) -> TerraformVersions {
        *self
    }
}

/// Versions that stand for all that answer alike.
pub struct Like(pub TerraformVersions);

impl Version for Like {
    fn versions(&self) -> TerraformVersions {
        self.0
    }

    fn itself(&self) -> bool {
        false
    }
}

impl<S: Surroundings, V: Version> Surroundings for Asked<S, V> {
    fn around(&self) -> &dyn Surroundings {
        &self.outside
    }

    fn read_text(&self, path: &str) -> Result<Option<Value>, String> {
        self.outside.read_text(path)
    }

    /// Renders a template; the same Terraform answers what it calls.
    fn render(&self, text: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        template::render(text, vars, files, self, work)
    }

    fn has(&self, since: u32) -> bool {
        match self.version.versions().since(since) {
            Some(has) if self.version.itself() => has,
            _ => self.outside.has(since),
        }
    }

    fn terraform(&self) -> TerraformVersions {
        let own = self.version.versions();
        // What is asked for here goes before what is asked for outside.
        own.meet(self.outside.terraform()).unwrap_or(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::func::{NoSurroundings, lookup};

    fn within<V: Version>(version: V) -> (bool, Option<String>) {
        // Since 1.12 the right side doesn't matter.
        let text = "${v != null && v > 1}";
        let vars = Value::object([("v", Value::null(crate::value::Type::Number))]);
        let asked = Asked { outside: &NoSurroundings as &dyn Surroundings, version };
        let made = asked.render(text, false, &vars, &Work::default());
        (asked.has(lookup("convert").unwrap().since), made.ok().map(|v| format!("{v:?}")))
    }

    #[test]
    fn a_template_is_answered_by_the_version_that_is_wanted() {
        assert!(within(TerraformVersions::exactly((1, 11))).1.is_none());
        assert!(within(TerraformVersions::ANY).1.is_none());
        assert_eq!(
            within(TerraformVersions::exactly((1, 12))).1,
            within(Like(TerraformVersions::at_least((1, 12)))).1
        );
        assert!(within(Like(TerraformVersions::at_least((1, 12)))).1.is_some());
    }

    #[test]
    fn a_version_that_stands_for_others_has_what_any_has() {
        assert!(!within(TerraformVersions::exactly((1, 12))).0, "`convert` came with 1.15");
        assert!(within(Like(TerraformVersions::at_least((1, 12)))).0);
        assert!(within(TerraformVersions::ANY).0);
    }
}
