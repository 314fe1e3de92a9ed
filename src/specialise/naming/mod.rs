//! Names of specializations: a public contract, `naming = 2` in the records.
//!
//! `<name>_<slug>`; the slug of `15.4` is `v15_4`, of `db.t3.micro` is `db_t3_micro`, of a reference its parts, of a path or a
//! URL its last part, of a list or an object its items. What says nothing by itself (a bool, null, what is empty) comes after its
//! field: `prevent_destroy_true`. Joint values are joined with `_`, each slug once. A clash, or more than 40 characters, ends in
//! six hex digits of a hash of the values. A folder's name of more than 100 bytes ends in such digits, too.
//! A copy that scheme 1 named differently is moved like any former address ([`crate::specialise::record::history`]).

mod first;
mod hash;
mod slug;

pub use hash::{Said, hex6};
pub use slug::text_slug;

use hash::{digits, hashed, named, values};
use std::collections::BTreeMap;

/// The scheme's number in records.
pub const SCHEME: u32 = 2;

/// The number of rounds in which clashing names are told apart: a hash may clash with another slug, too.
const MOST_ROUNDS: usize = 3;

/// The longest name of a folder that is left as it is, in bytes.
const LONGEST_FOLDER: usize = 100;

/// The slug of joint values; what two fields say alike stands there once.
pub fn joint(said: &[Said]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for slug in said.iter().map(slug::slug) {
        if !parts.contains(&slug) {
            parts.push(slug);
        }
    }
    parts.join("_")
}

/// Slugs of the branches of one unit, in order, each different from the others.
pub fn slugs(branches: &[Vec<Said>]) -> Vec<String> {
    let mut out: Vec<String> = branches.iter().map(|said| joint(said)).collect();
    for round in 0..MOST_ROUNDS {
        // File systems that ignore case must not make two folders one.
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        for slug in &out {
            *alike.entry(slug.to_ascii_lowercase()).or_default() += 1;
        }
        if alike.values().all(|count| *count == 1) {
            break;
        }
        for (slug, said) in out.iter_mut().zip(branches) {
            if alike.get(&slug.to_ascii_lowercase()).is_some_and(|count| *count > 1) {
                let end = digits(&values(said));
                let end = if round == 0 { end } else { hex6(&format!("{end}{round}")) };
                *slug = format!("{slug}_{end}");
            }
        }
    }
    out
}

/// A unit's name for a branch, unlike any that is `taken`.
pub fn name(unit: &str, slug: &str, said: &[Said], taken: &dyn Fn(&str) -> bool) -> String {
    named(unit, slug, &values(said), taken)
}

/// Returns true if a name may be that of a unit's copy with these values, of which any may be the same in all copies.
/// Every scheme counts.
pub fn fits(copy: &str, unit: &str, said: &[Said]) -> bool {
    let all = 1_u32.checked_shl(u32::try_from(said.len()).unwrap_or(u32::MAX)).unwrap_or(0);
    let whole = values(said);
    (1..all).any(|set| {
        let some: Vec<Said> =
            said.iter().enumerate().filter(|(i, _)| set & (1 << i) != 0).map(|(_, s)| s.clone()).collect();
        let (plain, own) = (joint(&some), values(&some));
        let clash = format!("{plain}_{}", digits(&own));
        [&plain, &clash].iter().any(|slug| hashed(copy, unit, slug, &own, &whole))
            || first::fits(copy, unit, &own, &whole)
    })
}

/// A folder's name for a branch, short enough for every file system, which may take no more than 255 bytes.
pub fn folder(module: &str, slug: &str) -> String {
    let plain = format!("{module}-{}", slug.replace('_', "-"));
    if plain.len() <= LONGEST_FOLDER {
        return plain;
    }
    let end = hex6(&plain);
    let fits = |at: &usize| *at + 1 + end.len() <= LONGEST_FOLDER;
    let cut = plain.char_indices().map(|(at, _)| at).take_while(fits).last().unwrap_or(0);
    format!("{}-{end}", plain.get(..cut).unwrap_or_default().trim_end_matches('-'))
}

#[cfg(test)]
mod tests;
