//! Puts a split index together (`gitformat-index`, "Split index"): most entries stand in a shared file, and the index itself has
//! those that are new or changed, with two bitmaps of what goes and what is replaced.

use super::reader::{Entry, Reader};

/// What an index says of the shared file that it adds to.
pub(super) struct Link {
    /// The name of the shared file, behind `sharedindex.`.
    pub shared: String,
    deleted: Vec<u8>,
    replaced: Vec<u8>,
}

impl Link {
    /// Reads the extension; `None` if it isn't read. One without a shared file adds to nothing.
    pub fn read(bytes: &[u8], object: usize) -> Option<Option<Link>> {
        let mut reader = Reader { bytes, at: 0 };
        let name = reader.take(object)?;
        if name.iter().all(|byte| *byte == 0) {
            return Some(None);
        }
        let shared = name.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut next = || match reader.is_done() {
            true => Some(Vec::new()),
            false => bitmap(&mut reader).map(<[u8]>::to_vec),
        };
        Some(Some(Link { shared, deleted: next()?, replaced: next()? }))
    }

    /// Returns the entries of both files together: those of the index without a name replace the shared ones at the bits, in order.
    pub fn merged(&self, shared: Vec<Entry>, own: Vec<Entry>) -> Option<Vec<Entry>> {
        let count = shared.len();
        let (deleted, replaced) = (bits(&self.deleted, count)?, bits(&self.replaced, count)?);
        let (nameless, mut all): (Vec<Entry>, Vec<Entry>) =
            own.into_iter().partition(|entry| entry.path.is_empty());
        let mut nameless = nameless.into_iter();
        for ((entry, gone), other) in shared.into_iter().zip(deleted).zip(replaced) {
            let is_file = if other { nameless.next()?.is_file } else { entry.is_file };
            if !gone {
                all.push(Entry { is_file, ..entry });
            }
        }
        nameless.next().is_none().then_some(all)
    }
}

/// Takes a bitmap's words: how many bits there are, the words, where the last run begins.
fn bitmap<'b>(reader: &mut Reader<'b>) -> Option<&'b [u8]> {
    reader.number()?;
    let words = usize::try_from(reader.number()?).ok()?;
    let taken = reader.take(words.checked_mul(8)?)?;
    reader.number()?;
    Some(taken)
}

/// Returns the first `count` bits of an EWAH bitmap: runs of equal words, and words as they are behind each.
fn bits(words: &[u8], count: usize) -> Option<Vec<bool>> {
    let mut out = vec![false; count];
    let mut at = 0usize;
    let mut words = words.chunks_exact(8).map(|word| word.try_into().map(u64::from_be_bytes));
    while let Some(run) = words.next() {
        let run = run.ok()?;
        let length = usize::try_from((run >> 1) & 0xFFFF_FFFF).ok()?.checked_mul(64)?;
        let end = at.checked_add(length)?;
        if run & 1 == 1 {
            out.iter_mut().take(end).skip(at).for_each(|bit| *bit = true);
        }
        at = end;
        for _ in 0..run >> 33 {
            let word = words.next()?.ok()?;
            for (shift, bit) in out.iter_mut().skip(at).take(64).enumerate() {
                *bit = word >> shift & 1 == 1;
            }
            at = at.checked_add(64)?;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn runs_and_words() {
        let words = |all: &[u64]| all.iter().flat_map(|word| word.to_be_bytes()).collect::<Vec<u8>>();
        // One word of zeros, one as it is; then one of ones.
        let map = words(&[1 << 33 | 1 << 1, 0b101, 1 << 1 | 1]);
        let read = bits(&map, 300).unwrap();
        let set: Vec<usize> = (0..300).filter(|at| read[*at]).collect();
        assert_eq!(set, [64, 66].into_iter().chain(128..192).collect::<Vec<_>>());
        assert_eq!(bits(&words(&[1 << 33]), 3), None);
        // A run may be said to be as long as it likes.
        assert_eq!(bits(&words(&[u64::from(u32::MAX) << 1 | 1]), 2), Some(vec![true, true]));
    }
}
