//! `-target`, `-exclude` and `-replace`: addresses of the original, or of any copy, in the words of a run.
//!
//! In: the words as they were typed. Out: the same with addresses that the specialised tree has. Invariant: a target
//! takes in every copy, and the original's address, because Terraform refuses targets that leave a moved object out; a
//! replacement names the one active instance.

use super::decide::Decided;
use crate::host::Machine;
use crate::issue::Issue;
use crate::simulate::Object;
use crate::specialise::{originals, there};
use crate::terraform::args;

/// The words with addresses that the specialised tree has; `objects` are those that state holds.
pub(super) fn translated(words: &[String], decided: &Decided, objects: &[Object]) -> Vec<String> {
    let splits = &decided.specialised.splits;
    rewritten(words, &|flag, address| {
        if flag == "replace" {
            let copies = originals::expanded(splits, address, Some(&there(&decided.copies)));
            return copies.unwrap_or_else(|| vec![address.to_owned()]);
        }
        let mut all = originals::expanded(splits, address, None).unwrap_or_default();
        let original = originals::original(splits, address);
        // What the tree no longer has, state may hold under the name of a copy that history alone knows.
        let within = objects.iter().filter(|o| originals::covers(&original, &o.original.to_string()));
        for held in within.map(|o| o.held.to_string()) {
            let named = all.iter().map(String::as_str).chain([address, &*original]);
            if !named.into_iter().any(|named| originals::covers(named, &held)) {
                all.push(held);
            }
        }
        all.retain(|named| *named != address && *named != original);
        if all.is_empty() {
            return vec![address.to_owned()];
        }
        all.extend([original, address.to_owned()]);
        all.dedup();
        all
    })
}

/// Returns true if `TF_CLI_ARGS` and its like name addresses that the specialised tree doesn't have.
///
/// # Errors
/// As [`args::words_of`].
pub(super) fn in_environment(command: &str, decided: &Decided, objects: &[Object]) -> Result<bool, Issue> {
    let words = args::words_of(&Machine, command, &[])?;
    Ok(translated(&words, decided, objects) != words)
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
