//! Unicode as Terraform has it: version 15.0, of Go's tables and of `textseg`.
//!
//! The crates used here know later versions. Text on which those may disagree is declined: characters that 15.0 does
//! not know, and Indic conjuncts, which later versions keep together as one grapheme cluster.

use super::{FuncError, Work};
use regex::Regex;
use std::sync::LazyLock;
use unicode_segmentation::UnicodeSegmentation;

/// Returns true if Unicode 15.0 assigns the character.
pub fn is_assigned(c: char) -> bool {
    static KNOWN: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{Age=15.0}$").ok());
    c.is_ascii() || KNOWN.as_ref().is_some_and(|re| re.is_match(c.encode_utf8(&mut [0; 4])))
}

/// Returns true if it links consonants to a conjunct (`InCB=Linker`), in any version.
fn is_linker(c: char) -> bool {
    const LINKERS: [u32; 20] = [
        0x94d, 0x9cd, 0xacd, 0xb4d, 0xc4d, 0xd4d, 0x1039, 0x17d2, 0x1a60, 0x1b44, 0x1bab, 0xa9c0, 0xaaf6,
        0x10a3f, 0x11133, 0x113d0, 0x1193e, 0x11a47, 0x11a99, 0x11f42,
    ];
    LINKERS.contains(&u32::from(c))
}

/// The number of bytes that are divided into clusters while an expression is evaluated.
const BYTES: usize = 5;

/// The grapheme clusters of a text. Finding them counts by bytes: it takes far longer than a walk.
///
/// # Errors
/// Declined where versions of Unicode disagree, and once the work is used up.
pub fn graphemes<'t>(text: &'t str, work: &Work) -> Result<Vec<&'t str>, FuncError> {
    work.call((text.len() / BYTES) as u64).map_err(|e| FuncError::from(&e))?;
    work.check_room((text.len() as u64).saturating_mul(size_of::<&str>() as u64))
        .map_err(|e| FuncError::from(&e))?;
    if text.is_ascii() && !text.contains('\r') {
        return Ok((0..text.len()).filter_map(|at| text.get(at..=at)).collect());
    }
    match text.chars().find(|c| is_linker(*c) || !is_assigned(*c)) {
        Some(c) => Err(FuncError::unsupported(format!(
            "how text with {c:?} divides depends on the version of Unicode"
        ))),
        None => Ok(text.graphemes(true).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Work, graphemes};

    #[test]
    fn dividing_counts_by_bytes() {
        for text in ["x".repeat(50_000), "é".repeat(25_000)] {
            let work = Work::default();
            graphemes(&text, &work).unwrap();
            assert!(work.spent() >= 100_000, "{}", work.spent());
        }
        assert_eq!(graphemes("a\r\nb", &Work::default()).unwrap(), ["a", "\r\n", "b"]);
        assert_eq!(graphemes("ab", &Work::default()).unwrap(), ["a", "b"]);
    }
}
