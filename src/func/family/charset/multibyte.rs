//! Encodings of several bytes a character.
//!
//! The tables are those of the WHATWG, as Terraform's are, but of another year and with other choices among
//! duplicates. What both agree on was found by going through all characters and all pairs of bytes
//! (`e2e/differential/charsets.rs`); the rest is declined: private use, characters that come back as others, rows that
//! exist twice, and, but for EUC-KR, what these tables don't have.

use crate::func::FuncError;
use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

/// Characters that have two places in Big5 with its Hong Kong supplement.
const TWICE_IN_BIG5: &str = "╭╮╯╰〃仝倩偽包卄卿婷幵廴彘撐无晴杞沜渝港煮瑜瓩癶砉";

/// The bytes of a text; nothing where a character has none.
pub(super) fn encode(text: &str, encoding: &'static Encoding) -> Result<Option<Vec<u8>>, FuncError> {
    let (bytes, _, unmappable) = encoding.encode(text);
    if encoding == EUC_KR {
        return Ok((!unmappable).then(|| bytes.into_owned()));
    }
    let back = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
    let agreed =
        !unmappable && back.is_some_and(|back| back == text) && text.chars().all(|c| agreed(c, encoding));
    if agreed { Ok(Some(bytes.into_owned())) } else { Err(only_ascii()) }
}

/// The text of bytes; nothing where they are none.
pub(super) fn decode(bytes: &[u8], encoding: &'static Encoding) -> Result<Option<String>, FuncError> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    match text {
        None if encoding == EUC_KR => Ok(None),
        // Four bytes a character are those of GB 18030.
        Some(text) if encoding == GBK && *GBK.encode(&text).0 != *bytes => Err(only_ascii()),
        Some(text) if encoding == EUC_KR || text.chars().all(|c| agreed(c, encoding)) => {
            Ok(Some(text.into_owned()))
        }
        _ => Err(only_ascii()),
    }
}

fn agreed(c: char, encoding: &'static Encoding) -> bool {
    if c.is_ascii() {
        return true;
    }
    let private = ('\u{e000}'..='\u{f8ff}').contains(&c);
    let control = c < '\u{a0}';
    let own = match encoding {
        e if e == SHIFT_JIS => {
            let mut text = [0; 4];
            let (bytes, _, _) = e.encode(c.encode_utf8(&mut text));
            // The rows of IBM's extensions are NEC's, once more.
            bytes.first().is_none_or(|lead| *lead < 0xfa)
        }
        e if e == GB18030 || e == GBK => {
            // What got its place in the standard's later editions.
            c != 'ḿ' && !matches!(c, '\u{9fb4}'..='\u{9fbb}' | '\u{fe10}'..='\u{fe19}')
        }
        e if e == BIG5 => !TWICE_IN_BIG5.contains(c),
        _ => true,
    };
    own && !private && !control
}

/// The error for characters that this encoding isn't computed for.
pub(super) fn only_ascii() -> FuncError {
    FuncError::unsupported("these characters are not computed in this encoding")
}
