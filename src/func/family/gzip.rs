//! `base64gzip`: what [`go_compat::gzip`](crate::func::go_compat::gzip) writes, in Base64.

use super::base64;
use crate::func::args::text;
use crate::func::go_compat::gzip::gzip;
use crate::func::{FuncError, Function, Param, Want};

pub(super) const FUNCTIONS: &[Function] = &[Function::text(
    "base64gzip",
    &[Param::new("str", Want::String)],
    |_, args, _| {
        let text = text(args, 0)?;
        if text.len() > MAX_TEXT {
            return Err(FuncError::declined("the text is too long to be compressed"));
        }
        base64::encode(&gzip(text.as_bytes()))
    },
    "The text compressed by gzip, in Base64. Terraform docs: base64gzip; Go compress/gzip.",
)
// Tables are made ready for each text.
.costs(100)
// Searching takes up to two thousand steps a byte.
.costs_for_each(1)];

/// Longer texts are declined: the search takes up to two thousand steps a byte.
const MAX_TEXT: usize = 1 << 20;
