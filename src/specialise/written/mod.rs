//! How copies are written: their blocks, comments, literals and layout.

pub(super) mod bare;
pub(super) mod block;
pub(super) mod comment;
pub(super) mod context;
pub(super) mod filter;
pub(super) mod head;
pub(super) mod held;
pub(super) mod laid;
pub(super) mod literal;
pub(super) mod stop;
pub(super) mod subst;
