//! `-target`, `-exclude` and `-replace`: addresses of the original, or of any copy, in the words of a run.
//!
//! In: the words as they were typed. Out: the same with addresses that the specialised tree has. Invariant: a target
//! takes in every copy, and the original's address, because Terraform refuses targets that leave a moved object out; a
//! replacement names the one active instance.

use super::decide::Decided;
use crate::host::Machine;
use crate::issue::Issue;
use crate::specialise::{originals, there};
use crate::terraform::args;

/// The words with addresses that the specialised tree has.
pub(super) fn translated(words: &[String], decided: &Decided) -> Vec<String> {
    rewritten(words, &|flag, address| {
        let splits = &decided.specialised.splits;
        let copies = match flag {
            "replace" => originals::expanded(splits, address, Some(&there(&decided.copies))),
            _ => originals::expanded(splits, address, None),
        };
        let Some(mut all) = copies.filter(|all| *all != [address]) else { return vec![address.to_owned()] };
        if flag != "replace" {
            all.push(originals::original(splits, address));
            all.push(address.to_owned());
        }
        all.dedup();
        all
    })
}

/// Whether `TF_CLI_ARGS` and the like name addresses that the specialised tree has in other words.
///
/// # Errors
/// As [`args::words_of`].
pub(super) fn in_environment(command: &str, decided: &Decided) -> Result<bool, Issue> {
    let words = args::words_of(&Machine, command, &[])?;
    Ok(translated(&words, decided) != words)
}

/// The words with addresses that the original has; those of the copies as well where state comes back from there.
pub(super) fn original(words: &[String], decided: &Decided) -> Vec<String> {
    rewritten(words, &|flag, address| {
        let splits = &decided.specialised.splits;
        let mut all = vec![originals::original(splits, address)];
        if flag != "replace" {
            all.extend(originals::expanded(splits, address, None).unwrap_or_default());
        }
        all.dedup();
        all
    })
}

fn rewritten(words: &[String], new: &dyn Fn(&str, &str) -> Vec<String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let flag = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or_default();
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None if args::takes_value(flag) => (flag, words.next().cloned()),
            None => (flag, None),
        };
        match value {
            Some(value) if matches!(name, "target" | "exclude" | "replace") => {
                out.extend(new(name, &value).into_iter().map(|address| format!("-{name}={address}")));
            }
            Some(value) if !flag.contains('=') => out.extend([word.clone(), value]),
            _ => out.push(word.clone()),
        }
    }
    out
}
