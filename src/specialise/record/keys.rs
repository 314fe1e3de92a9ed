//! What the instance keys of a copy mean.

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
