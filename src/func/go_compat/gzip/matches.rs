//! From bytes to literals and matches: the lazy search of Go's default level, and where it ends its blocks.

/// A literal byte or a match.
#[derive(Clone, Copy)]
pub(in crate::func) enum Token {
    Literal(u8),
    /// A copy of the `length` bytes that stand `distance` bytes before.
    Match {
        length: usize,
        distance: usize,
    },
}

/// The tokens of one block.
pub(in crate::func) struct Found<'t> {
    pub(in crate::func) tokens: Vec<Token>,
    /// The bytes that the tokens stand for, where they are still at hand when the block is written.
    pub(in crate::func) source: Option<&'t [u8]>,
}

const WINDOW: usize = 1 << 15;
const MIN_MATCH: usize = 4;
const MAX_MATCH: usize = 258;
const BLOCK_TOKENS: usize = 1 << 14;
const HASH_BITS: u32 = 17;

/// The parameters of level 6: a match this long is not improved upon, one this long ends the search, as many candidates
/// are looked at.
const LAZY: usize = 16;
const NICE: usize = 128;
const CHAIN: usize = 128;

/// Matches of the least length are worth it only near by.
const NEAR: usize = 4096;

struct Search<'t> {
    text: &'t [u8],
    /// The position behind the last one with that hash; 0 for none.
    head: Vec<usize>,
    /// The same for each position's predecessor with its hash, by position modulo the window.
    previous: Vec<usize>,
}

impl Search<'_> {
    fn hash(&self, at: usize) -> Option<usize> {
        let four = self.text.get(at..at + MIN_MATCH)?.first_chunk::<MIN_MATCH>()?;
        Some((u32::from_be_bytes(*four).wrapping_mul(0x1e35_a7bd) >> (32 - HASH_BITS)) as usize)
    }

    /// Enters a position; the one before with the same hash, if the position has one.
    fn enter(&mut self, at: usize) -> Option<usize> {
        let hash = self.hash(at)?;
        let head = self.head.get_mut(hash)?;
        let before = std::mem::replace(head, at + 1);
        *self.previous.get_mut(at % WINDOW)? = before;
        Some(before)
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The best match at a position among the candidates from `first` on, down to `window`; length and distance.
    fn find(&self, at: usize, first: usize, window: usize) -> Option<(usize, usize)> {
        let most = MAX_MATCH.min(self.text.len() - at);
        let nice = NICE.min(most);
        let (mut length, mut distance) = (MIN_MATCH - 1, 0);
        let mut candidate = first;
        for _ in 0..CHAIN {
            if self.byte(candidate + length) == self.byte(at + length) {
                let n = (0..most).take_while(|i| self.byte(candidate + i) == self.byte(at + i)).count();
                if n > length && (n > MIN_MATCH || at - candidate <= NEAR) {
                    (length, distance) = (n, at - candidate);
                    if n >= nice {
                        break;
                    }
                }
            }
            // There, a later position has taken the place.
            if candidate + WINDOW == at {
                break;
            }
            match self.previous.get(candidate % WINDOW).copied().unwrap_or(0).checked_sub(1) {
                Some(next) if next + WINDOW >= at && next >= window => candidate = next,
                _ => break,
            }
        }
        (distance > 0).then_some((length, distance))
    }
}

/// The blocks of a text.
pub(in crate::func) fn blocks(text: &[u8]) -> Vec<Found<'_>> {
    let mut search = Search { text, head: vec![0; 1 << HASH_BITS], previous: vec![0; WINDOW] };
    let mut out = Blocks { text, done: Vec::new(), tokens: Vec::new(), start: 0, window: 0 };
    let (mut at, mut candidate) = (0, 0usize);
    let (mut length, mut distance) = (MIN_MATCH - 1, 0);
    let mut pending = false;
    loop {
        out.slide(at);
        let ahead = text.len() - at;
        if ahead == 0 {
            break;
        }
        if let Some(before) = search.enter(at) {
            candidate = before;
        }
        let (last_length, last_distance) = (length, distance);
        (length, distance) = (MIN_MATCH - 1, 0);
        let reach = candidate.checked_sub(1).filter(|first| first + WINDOW >= at && *first >= out.window);
        if let Some(first) = reach
            && ahead > last_length
            && last_length < LAZY
            && let Some(found) = search.find(at, first, out.window)
        {
            (length, distance) = found;
        }
        if last_length >= MIN_MATCH && length <= last_length {
            // The match at the byte before is the better one.
            out.push(Token::Match { length: last_length, distance: last_distance }, at + last_length - 1);
            let end = at + last_length - 1;
            for inside in at + 1..end {
                search.enter(inside);
            }
            at = end;
            pending = false;
            length = MIN_MATCH - 1;
        } else {
            if pending {
                out.push(Token::Literal(search.byte(at - 1)), at);
            }
            at += 1;
            pending = true;
        }
    }
    if pending {
        out.tokens.push(Token::Literal(search.byte(at - 1)));
    }
    out.end(at);
    out.done
}

struct Blocks<'t> {
    text: &'t [u8],
    done: Vec<Found<'t>>,
    tokens: Vec<Token>,
    /// The start of the current block; `None` once it has left the window.
    start: usize,
    /// The start of the window.
    window: usize,
}

impl<'t> Blocks<'t> {
    fn push(&mut self, token: Token, behind: usize) {
        self.tokens.push(token);
        if self.tokens.len() == BLOCK_TOKENS {
            self.end(behind);
        }
    }

    fn end(&mut self, behind: usize) {
        if self.tokens.is_empty() {
            return;
        }
        let source = if self.start >= self.window { self.text.get(self.start..behind) } else { None };
        self.start = behind;
        self.done.push(Found { tokens: std::mem::take(&mut self.tokens), source });
    }

    /// The window moves on once it is full and looked through.
    fn slide(&mut self, at: usize) {
        let left = self.text.len() - at;
        if left > 0
            && self.window + 2 * WINDOW < self.text.len()
            && at + MIN_MATCH + MAX_MATCH > self.window + 2 * WINDOW
        {
            self.window += WINDOW;
        }
    }
}
