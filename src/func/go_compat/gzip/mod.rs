//! The bytes that Go's `compress/gzip` writes at its default level.
//!
//! The format leaves a compressor its freedom, and the text of a plan shows what it did with it, so Go's choices are
//! made here, too: which matches are taken, where blocks end, how a block is coded. Source of the semantics: Go
//! `compress/flate` (unchanged since 1.7 in what it writes) and Terraform's `Base64GzipFunc`, which flushes before it
//! closes. Proved on texts of many sizes and kinds by `e2e/differential/gzip.rs`. Deliberately absent: other levels.

mod block;
mod huffman;
mod matches;

use crate::value::crc32;

/// Magic number, deflate, no flags, no time, no level, no system.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// Compresses a text.
pub(in crate::func) fn gzip(text: &[u8]) -> Vec<u8> {
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
