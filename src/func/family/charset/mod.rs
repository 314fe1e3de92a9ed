//! `textencodebase64` and `textdecodebase64`: texts in other encodings.
//!
//! Input: the names and aliases that IANA registers, in any case. Of encodings with escape sequences nothing is
//! computed.
//! The tables of one-byte encodings beside this file are what Terraform itself answers byte by byte.
//! Sources of the semantics: Terraform's `encoding` functions, golang.org/x/text `ianaindex`.

mod multibyte;

use multibyte::only_ascii;

use super::base64;
use crate::func::args::{string, text};
use crate::func::{FuncError, Function, Param, Want};
use encoding_rs::Encoding;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

const ENCODING: Param = Param::new("encoding", Want::String);

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "textencodebase64",
        &[Param::new("string", Want::String), ENCODING],
        |_, args, _| base64::encode(&encode(text(args, 0)?, charset(text(args, 1)?)?)?),
        "A text in an encoding, in Base64. Terraform docs: textencodebase64; x/text ianaindex.",
    )
    .costs_for_each(32),
    Function::text(
        "textdecodebase64",
        &[Param::new("source", Want::String), ENCODING],
        |_, args, _| {
            let charset = charset(text(args, 1)?)?;
            let bytes = base64::decode(text(args, 0)?)
                .ok_or_else(|| FuncError::arg(0, "the given value has an invalid base64 symbol"))?;
            string(decode(&bytes, charset)?)
        },
        "The text that bytes in Base64 encode. Terraform docs: textdecodebase64; x/text ianaindex.",
    )
    .costs_for_each(32),
];

/// The encodings of characters as bytes.
enum Charset {
    Ascii,
    Utf8,
    /// UTF-16 with a byte order mark.
    Utf16,
    Utf16Be,
    Utf16Le,
    /// ASCII in single bytes, everything else in several.
    Multibyte(&'static Encoding),
    /// An encoding with escape sequences.
    Stateful,
    /// A character a byte.
    Table(Vec<Option<char>>),
}

const REPLACEMENT: char = '\u{fffd}';

/// The byte order marks of UTF-16.
const BIG: u16 = 0xfeff;
const LITTLE: u16 = 0xfffe;

fn charset(name: &str) -> Result<&'static Charset, FuncError> {
    static TABLES: OnceLock<(Vec<Charset>, FxHashMap<&'static str, usize>)> = OnceLock::new();
    let (charsets, names) = TABLES.get_or_init(read_tables);
    let name = name.trim();
    if !name.is_ascii() {
        return Err(FuncError::unsupported("the name of the encoding has letters beyond ASCII"));
    }
    let found = names.get(name.to_ascii_lowercase().as_str()).and_then(|at| charsets.get(*at));
    found.ok_or_else(|| {
        FuncError::arg(
            1,
            format!("{name:?} is not a supported IANA encoding name or alias in this Terraform version"),
        )
    })
}

fn read_tables() -> (Vec<Charset>, FxHashMap<&'static str, usize>) {
    let mut charsets = Vec::new();
    let mut names = FxHashMap::default();
    for (aliases, table) in include_str!("tables.tsv").lines().filter_map(|line| line.split_once('\t')) {
        names.extend(aliases.split(',').map(|alias| (alias, charsets.len())));
        charsets.push(match table {
            "ascii" => Charset::Ascii,
            "utf-8" => Charset::Utf8,
            "utf-16" => Charset::Utf16,
            "utf-16be" => Charset::Utf16Be,
            "utf-16le" => Charset::Utf16Le,
            "euc-jp" => Charset::Multibyte(encoding_rs::EUC_JP),
            "shift_jis" => Charset::Multibyte(encoding_rs::SHIFT_JIS),
            "euc-kr" => Charset::Multibyte(encoding_rs::EUC_KR),
            "gb18030" => Charset::Multibyte(encoding_rs::GB18030),
            "gbk" => Charset::Multibyte(encoding_rs::GBK),
            "big5" => Charset::Multibyte(encoding_rs::BIG5),
            "stateful" => Charset::Stateful,
            digits => Charset::Table(table_of(digits)),
        });
    }
    (charsets, names)
}

/// A table of all 256 bytes, or of the upper 128 above ASCII, four hexadecimal digits each.
fn table_of(digits: &str) -> Vec<Option<char>> {
    let listed: Vec<Option<char>> = digits
        .as_bytes()
        .chunks(4)
        .map(|four| std::str::from_utf8(four).ok().and_then(|four| u32::from_str_radix(four, 16).ok()))
        .map(|code| code.and_then(char::from_u32).filter(|c| *c != REPLACEMENT))
        .collect();
    let ascii = if listed.len() == 128 { 0..128u8 } else { 0..0 };
    ascii.map(|byte| Some(char::from(byte))).chain(listed).collect()
}

fn encode(text: &str, charset: &Charset) -> Result<Vec<u8>, FuncError> {
    let missing = || FuncError::arg(0, "the given string contains characters that cannot be represented");
    let units = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order);
    Ok(match charset {
        Charset::Ascii if text.is_ascii() => text.as_bytes().to_vec(),
        Charset::Ascii => return Err(missing()),
        Charset::Utf8 => text.as_bytes().to_vec(),
        Charset::Utf16 => BIG.to_be_bytes().into_iter().chain(units(u16::to_be_bytes)).collect(),
        Charset::Utf16Be => units(u16::to_be_bytes).collect(),
        Charset::Utf16Le => units(u16::to_le_bytes).collect(),
        Charset::Multibyte(encoding) => multibyte::encode(text, encoding)?.ok_or_else(missing)?,
        Charset::Stateful => return Err(only_ascii()),
        Charset::Table(table) => text
            .chars()
            .map(|c| {
                let at = table.iter().position(|entry| *entry == Some(c));
                at.and_then(|at| u8::try_from(at).ok()).ok_or_else(missing)
            })
            .collect::<Result<_, _>>()?,
    })
}

fn decode(bytes: &[u8], charset: &Charset) -> Result<String, FuncError> {
    let undefined = || FuncError::arg(0, "the given string contains symbols that are not defined");
    let text = match charset {
        Charset::Ascii if bytes.is_ascii() => String::from_utf8(bytes.to_vec()).ok(),
        Charset::Ascii => None,
        Charset::Utf8 => String::from_utf8(bytes.to_vec()).ok(),
        Charset::Utf16 => match bytes.split_first_chunk::<2>() {
            Some((mark, rest)) if u16::from_be_bytes(*mark) == BIG => utf16(rest, u16::from_be_bytes),
            Some((mark, rest)) if u16::from_be_bytes(*mark) == LITTLE => utf16(rest, u16::from_le_bytes),
            _ => utf16(bytes, u16::from_be_bytes),
        },
        Charset::Utf16Be => utf16(bytes, u16::from_be_bytes),
        Charset::Utf16Le => utf16(bytes, u16::from_le_bytes),
        Charset::Multibyte(encoding) => multibyte::decode(bytes, encoding)?,
        Charset::Stateful => return Err(only_ascii()),
        Charset::Table(table) => {
            bytes.iter().map(|byte| table.get(usize::from(*byte)).copied().flatten()).collect()
        }
    };
    text.filter(|text| !text.contains(REPLACEMENT)).ok_or_else(undefined)
}

fn utf16(bytes: &[u8], order: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| order(*pair)).collect();
    if rest.is_empty() { String::from_utf16(&units).ok() } else { None }
}
