//! Base64, and URL encoding.
//!
//! Input: texts, as their UTF-8. Decoding follows Go's `encoding/base64`: line breaks anywhere are skipped, padding is
//! required, unused bits in the last digit are ignored. Deliberately absent: other alphabets.

use crate::func::args::{check_text, string, text};
use crate::func::{FuncError, Function, Param, Run, Want};
use crate::value::Value;
use base64::Engine;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};

/// Decodes as Go does after line breaks are removed.
const LENIENT: GeneralPurpose =
    GeneralPurpose::new(&ALPHABET, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

const fn on_string(name: &'static str, body: Run, doc: &'static str) -> Function {
    const STR: &[Param] = &[Param::new("str", Want::String)];
    Function::text(name, STR, body, doc)
}

pub(super) const FUNCTIONS: &[Function] = &[
    on_string(
        "base64encode",
        |_, args, _| encode(text(args, 0)?.as_bytes()),
        "The text's UTF-8 in Base64. Terraform docs: base64encode; RFC 4648.",
    )
    .costs_for_each(256),
    on_string(
        "base64decode",
        |_, args, _| {
            let bytes =
                decode(text(args, 0)?).ok_or_else(|| FuncError::new("failed to decode base64 data"))?;
            let text = String::from_utf8(bytes).map_err(|_| {
                FuncError::new("the result of decoding the provided string is not valid UTF-8")
            })?;
            string(text)
        },
        "The text whose UTF-8 was encoded. Terraform docs: base64decode; Go encoding/base64.",
    )
    .costs_for_each(128),
    on_string(
        "urlencode",
        |_, args, _| string(query(text(args, 0)?)),
        "Percent-encoded as a part of a URL's query. Terraform docs: urlencode; Go url.QueryEscape.",
    )
    .costs_for_each(16),
];

/// Bytes in Base64.
pub(in crate::func) fn encode(bytes: &[u8]) -> Result<Value, FuncError> {
    check_text(bytes.len().saturating_mul(2))?;
    string(STANDARD.encode(bytes))
}

/// The bytes that a text encodes.
pub(in crate::func) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\r' | b'\n')).collect();
    LENIENT.decode(digits).ok()
}

fn query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
