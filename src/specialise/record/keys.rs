//! What the instance keys of a copy mean.

use crate::addr::Key;
use serde::{Deserialize, Serialize};

/// The meaning of a copy's instance keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keys {
    /// `[0]` comes from the gate: the original has no key.
    Gate,
    /// They are the original's own.
    Own,
}

/// The key of an instance that has none in the original, at a copy whose keys are the original's own. Other instances have it in front
/// of what they are.
const GIVEN_UP: &str = "given up";

/// The key under which an instance that the original gives up stands at a copy of another form: one with a key at a copy that has the
/// gate's alone, or one without a key at a copy that has the original's. No instance that is kept has such a key there.
pub fn place_given_up(key: Option<&Key>) -> Key {
    Key::Name(match key {
        None => GIVEN_UP.into(),
        Some(Key::Index(n)) => format!("{GIVEN_UP} [{n}]").into(),
        // A name that looks like an index.
        Some(Key::Name(name)) if name.starts_with('[') => format!("{GIVEN_UP} [{name}").into(),
        Some(Key::Name(name)) => format!("{GIVEN_UP} {name}").into(),
    })
}

/// Reads the key of an instance that was given up at a copy with keys of this meaning; nothing where it is none.
pub fn read_given_up(keys: Keys, key: Option<&Key>) -> Option<Option<Key>> {
    let Some(Key::Name(placed)) = key else { return None };
    let rest = placed.strip_prefix(GIVEN_UP)?;
    if keys == Keys::Own {
        return rest.is_empty().then_some(None);
    }
    let name = rest.strip_prefix(' ')?;
    let index = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    Some(Some(match (index.and_then(|n| n.parse().ok()), name.strip_prefix('[')) {
        (Some(index), _) => Key::Index(index),
        (None, Some(name)) => Key::Name(name.into()),
        (None, None) => Key::Name(name.into()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_up_is_read_as_it_was_placed() {
        let names = ["a", "0", "[0]", "[[0]", "[", "given up", "given up a", ""];
        let all = names.iter().map(|name| Key::Name((*name).into())).chain([Key::Index(0), Key::Index(12)]);
        for key in all {
            let placed = place_given_up(Some(&key));
            assert_eq!(read_given_up(Keys::Gate, Some(&placed)), Some(Some(key)), "{placed}");
            assert_eq!(read_given_up(Keys::Own, Some(&placed)), None);
        }
        let placed = place_given_up(None);
        assert_eq!(read_given_up(Keys::Own, Some(&placed)), Some(None));
        assert_eq!(read_given_up(Keys::Gate, Some(&placed)), None);
        assert_eq!(read_given_up(Keys::Gate, Some(&Key::Index(0))), None);
    }
}
