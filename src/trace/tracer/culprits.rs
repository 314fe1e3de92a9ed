//! Names that are to blame for an open value, as a sentence lists them.

use std::collections::BTreeSet;

/// More names than these aren't listed.
const MOST: usize = 4;

/// Names as they stand in the configuration, in order.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(in crate::trace) struct Culprits(pub BTreeSet<String>);

impl Culprits {
    /// Returns true if nothing is to blame.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if there are several.
    pub fn are_many(&self) -> bool {
        self.0.len() > 1
    }

    /// Returns true if it is this one alone.
    pub fn is(&self, name: &str) -> bool {
        self.0.len() == 1 && self.0.contains(name)
    }

    /// `var.a`, or `var.a and var.b`.
    pub fn listed(&self) -> String {
        let all: Vec<&String> = self.0.iter().collect();
        match all.as_slice() {
            [] => String::new(),
            [only] => quoted(only),
            [others @ .., last] if all.len() <= MOST => {
                let others: Vec<String> = others.iter().map(|name| quoted(name)).collect();
                format!("{} and {}", others.join(", "), quoted(last))
            }
            _ => {
                let first: Vec<String> = all.iter().take(MOST - 1).map(|name| quoted(name)).collect();
                format!("{} and {} more", first.join(", "), all.len() + 1 - MOST)
            }
        }
    }

    /// `depends on var.a, whose values nothing lists`; or what else is said where nothing is to blame.
    pub fn depended_on(&self, otherwise: &str) -> String {
        if self.is_empty() {
            return otherwise.to_owned();
        }
        format!("depends on {}, whose values nothing lists", self.listed())
    }
}

/// Returns a name for a sentence: a variable as it is, and what may hold spaces and quotes as code.
fn quoted(name: &str) -> String {
    if name.starts_with("var.") { name.to_owned() } else { format!("`{name}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn culprits(names: &[&str]) -> Culprits {
        Culprits(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn names_are_listed_in_a_sentence() {
        assert_eq!(culprits(&["var.a"]).listed(), "var.a");
        assert_eq!(culprits(&["data.x.y.z", "var.a"]).listed(), "`data.x.y.z` and var.a");
        assert_eq!(culprits(&["var.a", "var.b", "var.c"]).listed(), "var.a, var.b and var.c");
        let many = ["var.a", "var.b", "var.c", "var.d", "var.e", "var.f"];
        assert_eq!(culprits(&many).listed(), "var.a, var.b, var.c and 3 more");
    }
}
