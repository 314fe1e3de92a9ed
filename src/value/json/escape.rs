//! Escapes in JSON strings, as Go's reader has them: a lone surrogate stands for U+FFFD.

/// The character that the escape at the beginning of a text stands for, and its length in bytes.
///
/// # Errors
/// The offset of the first byte that belongs to no escape: 1 where none is known behind the backslash, a greater one where a
/// hexadecimal digit is missing.
pub fn escape(text: &str) -> Result<(char, usize), usize> {
    let plain = match text.as_bytes().get(1) {
        Some(c @ (b'"' | b'\\' | b'/')) => char::from(*c),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(text),
        _ => return Err(1),
    };
    Ok((plain, 2))
}

fn unicode(text: &str) -> Result<(char, usize), usize> {
    let code = hex(text, 2)?;
    if let Some(c) = char::from_u32(code) {
        return Ok((c, 6));
    }
    if code < 0xdc00 && text.get(6..8) == Some("\\u") {
        let low = hex(text, 8)?;
        if (0xdc00..0xe000).contains(&low) {
            let both = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            return Ok((char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER), 12));
        }
    }
    Ok((char::REPLACEMENT_CHARACTER, 6))
}

/// The number of four digits from a byte on.
fn hex(text: &str, from: usize) -> Result<u32, usize> {
    (from..from + 4).try_fold(0, |code, at| {
        let digit = text.as_bytes().get(at).and_then(|b| char::from(*b).to_digit(16));
        digit.map(|digit| code * 16 + digit).ok_or(at)
    })
}
