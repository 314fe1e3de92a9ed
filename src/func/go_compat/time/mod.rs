//! Points in time and durations as Go and go-cty read and write them.

pub(in crate::func) mod duration;
pub(in crate::func) mod format;
pub(in crate::func) mod rfc3339;
