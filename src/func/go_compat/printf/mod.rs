//! Format strings of go-cty's `format`, printed as Go's `fmt` does.

pub(in crate::func) mod render;
pub(in crate::func) mod scan;
