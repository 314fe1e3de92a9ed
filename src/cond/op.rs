//! The operations on two formulas.

/// A binary operation; each is symmetric.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Op {
    And,
    Or,
    Xor,
}
