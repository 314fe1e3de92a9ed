//! Huffman codes of bounded length, with ties decided as Go decides them.

/// A code for each symbol: its bits, to be written from the lowest on, and their number; 0 where it has none.
#[derive(Clone, Default)]
pub(in crate::func) struct Code(Vec<(u16, u32)>);

impl Code {
    /// The best code for symbols of these frequencies, of at most `limit` bits.
    pub(in crate::func) fn best(frequencies: &[u64], limit: usize) -> Code {
        let mut symbols: Vec<(u64, usize)> =
            frequencies.iter().enumerate().filter(|(_, f)| **f > 0).map(|(s, f)| (*f, s)).collect();
        let mut lengths = vec![0; frequencies.len()];
        if symbols.len() <= 2 {
            // Even one symbol takes a bit.
            symbols.iter().for_each(|(_, s)| set(&mut lengths, *s, 1));
            return Code::canonical(&lengths);
        }
        symbols.sort_unstable();
        let limit = limit.min(symbols.len() - 1);
        let weights: Vec<u64> = symbols.iter().map(|(f, _)| *f).collect();
        for taken in leaves(&weights, limit) {
            for (_, s) in symbols.iter().take(taken) {
                if let Some(length) = lengths.get_mut(*s) {
                    *length += 1;
                }
            }
        }
        Code::canonical(&lengths)
    }

    /// The canonical code of these lengths (RFC 1951, section 3.2.2).
    pub(in crate::func) fn canonical(lengths: &[u32]) -> Code {
        let mut codes = vec![(0, 0); lengths.len()];
        let mut next = 0u32;
        for length in 1..=15u32 {
            next <<= 1;
            for (s, _) in lengths.iter().enumerate().filter(|(_, l)| **l == length) {
                // A code has as many bits as its length says.
                let reversed = u16::try_from(next & 0xffff).unwrap_or(0).reverse_bits() >> (16 - length);
                set(&mut codes, s, (reversed, length));
                next += 1;
            }
        }
        Code(codes)
    }

    /// A symbol's bits and their number.
    pub(in crate::func) fn of(&self, symbol: usize) -> (u16, u32) {
        self.0.get(symbol).copied().unwrap_or_default()
    }

    /// The number of bits that symbols of these frequencies take.
    pub(in crate::func) fn size(&self, frequencies: &[u64]) -> u64 {
        frequencies.iter().zip(&self.0).map(|(f, (_, length))| f * u64::from(*length)).sum()
    }
}

fn set<T>(of: &mut [T], at: usize, value: T) {
    if let Some(slot) = of.get_mut(at) {
        *slot = value;
    }
}

/// Package-merge: how many of the lightest symbols take part in each row; a symbol's length is the number of rows that
/// it takes part in. Among equals a package comes before a symbol.
fn leaves(weights: &[u64], rows: usize) -> Vec<usize> {
    // Each row's items in order: weight, and whether it is a symbol.
    let mut all: Vec<Vec<(u64, bool)>> = Vec::with_capacity(rows);
    for _ in 0..rows {
        let below: &[(u64, bool)] = all.last().map_or(&[], Vec::as_slice);
        let mut packages =
            below.chunks_exact(2).map(|two| two.iter().map(|(w, _)| w).sum::<u64>()).peekable();
        let mut row = Vec::with_capacity(weights.len() * 2);
        for weight in weights {
            while let Some(package) = packages.next_if(|p| p <= weight) {
                row.push((package, false));
            }
            row.push((*weight, true));
        }
        row.extend(packages.map(|p| (p, false)));
        all.push(row);
    }
    let mut taken = 2 * weights.len() - 2;
    let mut counts = Vec::with_capacity(rows);
    for row in all.iter().rev() {
        let symbols = row.iter().take(taken).filter(|(_, symbol)| *symbol).count();
        counts.push(symbols);
        taken = (taken - symbols) * 2;
    }
    counts
}
