//! Keys of instances: `[0]` of `count`, `["k"]` of `for_each`.

use crate::value::hcl;
use std::fmt;
use std::sync::Arc;

/// The key of one instance of a repeated module call or resource. Numbers order before strings, as in Terraform.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Key {
    /// An index of `count`.
    Index(i64),
    /// A key of `for_each`.
    Name(Arc<str>),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Index(n) => write!(f, "[{n}]"),
            Key::Name(s) => write!(f, "[{}]", hcl::quote(s)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_terraform() {
        assert_eq!(Key::Index(3).to_string(), "[3]");
        assert_eq!(
            Key::Name("ä \u{a0}\u{200b}\u{e0001}".into()).to_string(),
            r#"["ä \u00a0\u200b\U000e0001"]"#
        );
        assert_eq!(Key::Name("a\"${b}".into()).to_string(), r#"["a\"$${b}"]"#);
    }
}
