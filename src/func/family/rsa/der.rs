//! As much of DER as private keys need.

use dashu_int::UBig;

/// Reads one element after another. Invariant: what is read is in DER, so that every reader agrees about it.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// The contents of the next element, which has to have the tag.
    pub(super) fn element(&mut self, tag: u8) -> Option<&'a [u8]> {
        let rest = self.0.strip_prefix(&[tag])?;
        let (first, rest) = rest.split_first()?;
        let (length, rest) = match *first {
            short @ 0..=0x7f => (usize::from(short), rest),
            long @ (0x81 | 0x82) => {
                let (digits, rest) = rest.split_at_checked(usize::from(long & 0xf))?;
                let length = digits.iter().fold(0, |n, digit| n << 8 | usize::from(*digit));
                let least = if long == 0x81 { 0x80 } else { 0x100 };
                (Some(length).filter(|n| *n >= least)?, rest)
            }
            _ => return None,
        };
        let (contents, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(contents)
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self) -> Option<UBig> {
        match self.element(2)? {
            [] | [0x80..=0xff, ..] | [0, 0..=0x7f, ..] => None,
            bytes => Some(UBig::from_be_bytes(bytes)),
        }
    }

    /// Returns true if nothing follows.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
