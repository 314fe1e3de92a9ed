//! Surroundings in which the answers of one Terraform are wanted, where versions differ.
//!
//! In: surroundings, and a version. Out: the same surroundings, whose functions and templates answer as that version
//! does. Invariant: a version that only stands for others says nothing of which functions they have.

use super::template;
use crate::func::{FuncError, Surroundings, Work};
use crate::value::Value;

/// Files and the like, and whose answers are wanted.
pub struct Asked<S, V> {
    /// The other things that functions can see.
    pub outside: S,
    /// The Terraform that answers.
    pub version: V,
}

/// Names a Terraform, when it is asked for the first time.
pub trait Version: Sync {
    /// Major and minor; nothing where no version's answers go before another's.
    fn version(&self) -> Option<(u32, u32)>;

    /// Returns true for this version itself, which has its own functions and no others.
    fn itself(&self) -> bool {
        true
    }
}

impl Version for Option<(u32, u32)> {
    fn version(&self) -> Option<(u32, u32)> {
        *self
    }
}

/// A version that stands for all that answer alike.
pub struct Like(pub Option<(u32, u32)>);

impl Version for Like {
    fn version(&self) -> Option<(u32, u32)> {
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

    /// Renders a template; the same Terraform answers what it calls.
    fn render(&self, text: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        template::render(text, vars, files, self, work)
    }

    fn has(&self, since: u32) -> bool {
        match self.version.version() {
            Some(version) if self.version.itself() => version >= (1, since),
            _ => self.outside.has(since),
        }
    }

    fn terraform(&self) -> Option<(u32, u32)> {
        self.version.version().or_else(|| self.outside.terraform())
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
        assert!(within(Some((1, 11))).1.is_none());
        assert!(within(None).1.is_none());
        assert_eq!(within(Some((1, 12))).1, within(Like(Some((1, 12)))).1);
        assert!(within(Like(Some((1, 12)))).1.is_some());
    }

    #[test]
    fn a_version_that_stands_for_others_has_what_any_has() {
        assert!(!within(Some((1, 12))).0, "`convert` came with 1.15");
        assert!(within(Like(Some((1, 12)))).0);
        assert!(within(None).0);
    }
}
