//! Bytes of Git's index, and what both of its parts hold.

/// A path in an index.
pub(super) struct Entry {
    pub path: Vec<u8>,
    /// False for a submodule, and for a folder of a sparse index.
    pub is_file: bool,
}

/// Bytes that are read from the front.
pub(super) struct Reader<'b> {
    pub bytes: &'b [u8],
    /// The number of bytes that were read.
    pub at: usize,
}

impl<'b> Reader<'b> {
    /// Returns true if nothing is left.
    pub fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }

    /// Takes so many bytes; `None` where there are fewer.
    pub fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// Takes a number of four bytes.
    pub fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Takes a number of two bytes.
    pub fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    /// The bytes up to the next NUL, which is passed over.
    pub fn text(&mut self) -> Option<&'b [u8]> {
        let length = self.bytes.get(self.at..)?.iter().position(|b| *b == 0)?;
        let text = self.take(length)?;
        self.take(1)?;
        Some(text)
    }

    /// A number as Git writes offsets: seven bits a byte, the highest first, one more for each byte that follows.
    pub fn offset(&mut self) -> Option<usize> {
        let mut value = 0usize;
        loop {
            let [byte] = self.take(1)? else { return None };
            value = value.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
            if byte & 128 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?;
        }
    }
}
