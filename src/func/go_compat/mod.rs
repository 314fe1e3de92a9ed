//! Go's behaviours that no crate has for every input, each with the library that defines it.
//!
//! In: texts, numbers, values. Out: what Go's library gives, or a refusal where that isn't sure. `docs/go.md` says for each why
//! no crate serves. Absent on purpose: registrations; they are in [`family`](super::family).

pub(in crate::func) mod exponential;
pub(in crate::func) mod float;
pub(in crate::func) mod glob;
pub(in crate::func) mod gzip;
pub(in crate::func) mod network;
pub(in crate::func) mod printf;
pub(in crate::func) mod regex;
pub(in crate::func) mod time;
pub(in crate::func) mod yaml;
