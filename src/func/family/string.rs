//! Functions from strings to a string.
//!
//! Case goes letter by letter with Unicode's simple mappings, as in Go, never with the ones that make several
//! letters of one. Letters whose case a later Unicode than Terraform's has defined are declined.
//! Sources of the semantics: go-cty `stdlib/string.go`, Go's `strings` and `unicode`.

use crate::func::args::{string, text};
use crate::func::unicode::is_assigned;
use crate::func::{FuncError, Function, Param, Want};
use rustc_hash::FxHashSet;

const STR: Param = Param::new("str", Want::String);

pub(super) const FUNCTIONS: &[Function] = &[
    Function::text(
        "lower",
        &[STR.dynamic()],
        |_, args, _| string(map_case(text(args, 0)?, Case::Lower)?),
        "Letters in lower case. Terraform docs: lower; Go strings.ToLower.",
    )
    .costs_for_each(64)
    .total()
    .keeps_text(),
    Function::text(
        "upper",
        &[STR.dynamic()],
        |_, args, _| string(map_case(text(args, 0)?, Case::Upper)?),
        "Letters in upper case. Terraform docs: upper; Go strings.ToUpper.",
    )
    .costs_for_each(64)
    .total()
    .keeps_text(),
    Function::text(
        "trim",
        &[STR, Param::new("cutset", Want::String)],
        |_, args, _| {
            let cutset: FxHashSet<char> = text(args, 1)?.chars().collect();
            string(text(args, 0)?.trim_matches(|c| cutset.contains(&c)))
        },
        "Without the given characters at both ends. Terraform docs: trim; Go strings.Trim.",
    ),
    Function::text(
        "trimspace",
        &[STR],
        |_, args, _| string(text(args, 0)?.trim()),
        "Without white space at both ends. Terraform docs: trimspace; Go strings.TrimSpace.",
    )
    .total(),
    Function::text(
        "trimprefix",
        &[STR, Param::new("prefix", Want::String)],
        |_, args, _| {
            let (text, prefix) = (text(args, 0)?, text(args, 1)?);
            string(text.strip_prefix(prefix).unwrap_or(text))
        },
        "Without the prefix, once. Terraform docs: trimprefix; Go strings.TrimPrefix.",
    ),
    Function::text(
        "trimsuffix",
        &[STR, Param::new("suffix", Want::String)],
        |_, args, _| {
            let (text, suffix) = (text(args, 0)?, text(args, 1)?);
            string(text.strip_suffix(suffix).unwrap_or(text))
        },
        "Without the suffix, once. Terraform docs: trimsuffix; Go strings.TrimSuffix.",
    ),
];

#[derive(Clone, Copy, PartialEq)]
enum Case {
    Lower,
    Upper,
}

fn map_case(text: &str, case: Case) -> Result<String, FuncError> {
    text.chars().map(|c| simple_case(c, case)).collect()
}

/// Unicode's simple mapping of one letter.
fn simple_case(c: char, case: Case) -> Result<char, FuncError> {
    if c.is_ascii() {
        return Ok(if case == Case::Lower { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() });
    }
    let mapped = match case {
        Case::Lower => lower(c),
        Case::Upper => upper(c),
    };
    if mapped != c && !(is_assigned(c) && is_assigned(mapped)) {
        return Err(FuncError::unsupported(format!("the case of {c:?} depends on the version of Unicode")));
    }
    Ok(mapped)
}

/// Unicode's simple mapping of one letter to title case.
pub(super) fn title_case(c: char) -> Result<char, FuncError> {
    match c {
        'Ǆ'..='ǆ' => Ok('ǅ'),
        'Ǉ'..='ǉ' => Ok('ǈ'),
        'Ǌ'..='ǌ' => Ok('ǋ'),
        'Ǳ'..='ǳ' => Ok('ǲ'),
        // Georgian has capitals, but does not capitalise words.
        '\u{10d0}'..='\u{10ff}' => Ok(c),
        c => simple_case(c, Case::Upper),
    }
}

fn lower(c: char) -> char {
    let mut full = c.to_lowercase();
    // The only letter whose full mapping is longer is the capital I with a dot.
    match (full.next(), full.next()) {
        (Some(one), None) => one,
        _ => 'i',
    }
}

fn upper(c: char) -> char {
    let mut full = c.to_uppercase();
    match (full.next(), full.next()) {
        (Some(one), None) => one,
        _ => match u32::from(c) {
            // Greek vowels with iota below: eight small ones, then the eight capitals.
            code @ (0x1f80..=0x1faf) => char::from_u32(code | 8).unwrap_or(c),
            code @ (0x1fb3 | 0x1fc3 | 0x1ff3) => char::from_u32(code + 9).unwrap_or(c),
            _ => c,
        },
    }
}
