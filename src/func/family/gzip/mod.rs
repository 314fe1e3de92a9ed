//! `base64gzip`: the bytes that Go's `compress/gzip` writes at its default level.
//!
//! The format leaves a compressor its freedom, and the text of a plan shows what it did with it, so Go's choices are
//! made here, too: which matches are taken, where blocks end, how a block is coded. Source of the semantics: Go
//! `compress/flate` (unchanged since 1.7 in what it writes) and Terraform's `Base64GzipFunc`, which flushes before it
//! closes. Proved on texts of many sizes and kinds by `e2e/differential/gzip.rs`. Deliberately absent: other levels.

mod block;
mod huffman;
mod matches;

use super::base64;
use crate::func::args::text;
use crate::func::{Body, FuncError, Function, Param, Returns, Want};

pub(super) const FUNCTIONS: &[Function] = &[Function::new(
    "base64gzip",
    &[Param::new("str", Want::String)],
    Returns::Fixed(Want::String),
    Body::Plain(|_, args, _| {
        let text = text(args, 0)?;
        if text.len() > MAX_TEXT {
            return Err(FuncError::declined("the text is too long to be compressed"));
        }
        base64::encode(&gzip(text.as_bytes()))
    }),
    "The text compressed by gzip, in Base64. Terraform docs: base64gzip; Go compress/gzip.",
)
// Tables are made ready for each text.
.costs(100)];

/// Longer texts are declined: the search takes up to two thousand steps a byte.
const MAX_TEXT: usize = 1 << 20;

/// Magic number, deflate, no flags, no time, no level, no system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut bits = block::Bits::new(HEADER.to_vec());
    for found in matches::blocks(text) {
        block::write(&mut bits, &found.tokens, found.source);
    }
    // What flushing leaves, and what closing does.
    block::stored(&mut bits, &[], false);
    block::stored(&mut bits, &[], true);
    let mut out = bits.finish();
    out.extend(crc32(text).to_le_bytes());
    // The length counts modulo 2^32.
    out.extend((text.len() as u64 & 0xffff_ffff).to_le_bytes().iter().take(4));
    out
}

/// The checksum of ISO 3309.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
