//! Blocks of a deflate stream (RFC 1951), in whichever form takes the fewest bits.

use super::huffman::Code;
use super::matches::Token;

/// Bits in the order of the format.
pub(in crate::func) struct Bits {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits {
    /// Behind those bytes.
    pub(in crate::func) fn new(bytes: Vec<u8>) -> Bits {
        Bits { bytes, held: 0, count: 0 }
    }

    /// Writes the lowest bits of a number.
    fn write(&mut self, value: u64, count: u32) {
        self.held |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held.to_le_bytes()[0]);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn code(&mut self, (bits, count): (u16, u32)) {
        self.write(u64::from(bits), count);
    }

    /// Fills up the last byte.
    fn align(&mut self) {
        let missing = (8 - self.count) % 8;
        self.write(0, missing);
    }

    /// The bytes.
    pub(in crate::func) fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}

/// The end of a block, and the first of the codes for lengths.
const END: usize = 256;
const LENGTHS: usize = 257;
const LITERALS: usize = 286;
const DISTANCES: usize = 30;

/// The number of bytes that one stored block holds.
const MAX_STORED: usize = 65_535;

/// The order in which the code's own lengths stand.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A number's code among those that double their reach every `2^per` codes, with its extra bits and their number.
fn graded(number: usize, per: u32) -> (usize, u64, u32) {
    let first = 2 << per;
    if number < first {
        return (number, 0, 0);
    }
    let extra = number.ilog2() - per;
    let code = (number >> extra) + ((extra as usize) << per);
    (code, (number & ((1 << extra) - 1)) as u64, extra)
}

/// A length's symbol, extra bits and their number.
fn length(length: usize) -> (usize, u64, u32) {
    if length == 258 {
        return (285, 0, 0);
    }
    let (code, bits, count) = graded(length.saturating_sub(3), 2);
    (LENGTHS + code, bits, count)
}

fn distance(distance: usize) -> (usize, u64, u32) {
    graded(distance.saturating_sub(1), 1)
}

/// Bytes as they are.
pub(in crate::func) fn stored(out: &mut Bits, bytes: &[u8], last: bool) {
    let length = bytes.len() as u64;
    out.write(u64::from(last), 3);
    out.align();
    out.write(length, 16);
    out.write(!length & 0xffff, 16);
    out.bytes.extend_from_slice(bytes);
}

/// The frequency of each symbol.
struct Counts {
    literals: Vec<u64>,
    distances: Vec<u64>,
    /// The extra bits of all of them.
    extra: u64,
}

fn count(tokens: &[Token]) -> Counts {
    let mut counts = Counts { literals: vec![0; LITERALS], distances: vec![0; DISTANCES], extra: 0 };
    let add = |of: &mut Vec<u64>, at: usize| of.get_mut(at).map_or((), |n| *n += 1);
    add(&mut counts.literals, END);
    for token in tokens {
        match *token {
            Token::Literal(byte) => add(&mut counts.literals, usize::from(byte)),
            Token::Match { length: l, distance: d } => {
                let (l, d) = (length(l), distance(d));
                add(&mut counts.literals, l.0);
                add(&mut counts.distances, d.0);
                counts.extra += u64::from(l.2 + d.2);
            }
        }
    }
    counts
}

/// A frequency table without the zeros at its end.
fn used(frequencies: &[u64]) -> usize {
    frequencies.iter().rposition(|f| *f > 0).map_or(0, |last| last + 1)
}

/// A block that isn't the last one. `source` is what the tokens stand for.
pub(in crate::func) fn write(out: &mut Bits, tokens: &[Token], source: Option<&[u8]>) {
    let mut counts = count(tokens);
    if used(&counts.distances) == 0 {
        // So that there is a code to write.
        counts.distances.first_mut().into_iter().for_each(|n| *n = 1);
    }
    let storable = source.filter(|bytes| bytes.len() <= MAX_STORED);
    // Go adds the extra bits only where it compares with stored bytes.
    let extra = if storable.is_some() { counts.extra } else { 0 };
    let fixed = [fixed_literals(), Code::canonical(&[5; DISTANCES])];
    let dynamic = [Code::best(&counts.literals, 15), Code::best(&counts.distances, 15)];
    let size = |[literals, distances]: &[Code; 2]| {
        literals.size(&counts.literals) + distances.size(&counts.distances) + extra
    };
    let fixed_size = 3 + size(&fixed);
    let header = Header::new(&counts, &dynamic);
    let dynamic_size = header.size() + size(&dynamic);
    let least = fixed_size.min(dynamic_size);
    if let Some(bytes) = storable
        && ((bytes.len() + 5) * 8) < usize::try_from(least).unwrap_or(usize::MAX)
    {
        stored(out, bytes, false);
        return;
    }
    if dynamic_size < fixed_size {
        header.write(out);
        body(out, tokens, &dynamic);
    } else {
        out.write(2, 3);
        body(out, tokens, &fixed);
    }
}

fn fixed_literals() -> Code {
    let length = |s: usize| match s {
        0..144 => 8,
        144..256 => 9,
        256..280 => 7,
        _ => 8,
    };
    Code::canonical(&(0..288).map(length).collect::<Vec<_>>())
}

fn body(out: &mut Bits, tokens: &[Token], [literals, distances]: &[Code; 2]) {
    for token in tokens {
        match *token {
            Token::Literal(byte) => out.code(literals.of(usize::from(byte))),
            Token::Match { length: l, distance: d } => {
                for (code, (symbol, bits, count)) in [(literals, length(l)), (distances, distance(d))] {
                    out.code(code.of(symbol));
                    out.write(bits, count);
                }
            }
        }
    }
    out.code(literals.of(END));
}

/// The codes of a block, as they stand before it.
struct Header {
    literals: usize,
    distances: usize,
    /// Symbols of the code for code lengths, with their extra bits and the number of those.
    symbols: Vec<(usize, u64, u32)>,
    frequencies: Vec<u64>,
    code: Code,
}

impl Header {
    fn new(counts: &Counts, [literals, distances]: &[Code; 2]) -> Header {
        let (many, far) = (used(&counts.literals), used(&counts.distances));
        let lengths: Vec<u32> =
            (0..many).map(|s| literals.of(s).1).chain((0..far).map(|s| distances.of(s).1)).collect();
        let mut symbols = Vec::new();
        for run in lengths.chunk_by(|a, b| a == b) {
            let length = run.first().copied().unwrap_or(0);
            let mut left = run.len();
            if length == 0 {
                while left >= 11 {
                    let n = left.min(138);
                    symbols.push((18, (n - 11) as u64, 7));
                    left -= n;
                }
                if left >= 3 {
                    symbols.push((17, (left - 3) as u64, 3));
                    left = 0;
                }
            } else {
                symbols.push((length as usize, 0, 0));
                left -= 1;
                while left >= 3 {
                    let n = left.min(6);
                    symbols.push((16, (n - 3) as u64, 2));
                    left -= n;
                }
            }
            symbols.extend(std::iter::repeat_n((length as usize, 0, 0), left));
        }
        let mut frequencies = vec![0u64; ORDER.len()];
        for (symbol, ..) in &symbols {
            frequencies.get_mut(*symbol).into_iter().for_each(|n| *n += 1);
        }
        let code = Code::best(&frequencies, 7);
        Header { literals: many, distances: far, symbols, frequencies, code }
    }

    /// Returns the number of lengths that are written for the code of code lengths.
    fn written(&self) -> usize {
        let occurs = |s: &usize| self.frequencies.get(*s).is_some_and(|n| *n > 0);
        ORDER.iter().rposition(occurs).map_or(0, |last| last + 1).max(4)
    }

    fn size(&self) -> u64 {
        let extra: u64 = self.symbols.iter().map(|(_, _, count)| u64::from(*count)).sum();
        3 + 5 + 5 + 4 + 3 * self.written() as u64 + self.code.size(&self.frequencies) + extra
    }

    fn write(&self, out: &mut Bits) {
        out.write(4, 3);
        out.write(self.literals.saturating_sub(LENGTHS) as u64, 5);
        out.write(self.distances.saturating_sub(1) as u64, 5);
        out.write(self.written() as u64 - 4, 4);
        for symbol in ORDER.iter().take(self.written()) {
            out.write(u64::from(self.code.of(*symbol).1), 3);
        }
        for (symbol, bits, count) in &self.symbols {
            out.code(self.code.of(*symbol));
            out.write(*bits, *count);
        }
    }
}
