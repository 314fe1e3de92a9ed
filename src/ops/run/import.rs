//! The address of `terraform import` in the specialised tree.
//!
//! In: the words, a decision, and what state holds. Invariant: an object is imported to the copy that this run chooses, and not
//! beside itself under another copy's name. Absent on purpose: whether the provider has such an object.

use crate::issue::{Code, Issue};
use crate::ops::run::addresses::first_positional;
use crate::ops::run::decide::Decided;
use crate::simulate::Object;
use crate::specialise::moves::originals;
use crate::specialise::there;

/// Returns the words with the address of the active copy.
///
/// # Errors
/// [`Code::Held`] where state holds the object already.
pub fn translate_words(
    mut words: Vec<String>,
    decided: &Decided,
    objects: &[Object],
) -> Result<Vec<String>, Issue> {
    let splits = &decided.specialised.splits;
    let at = first_positional(&words, 0);
    let Some(word) = words.get_mut(at) else { return Ok(words) };
    let original = originals::original(splits, word);
    if let Some(object) = objects.iter().find(|object| object.original.to_string() == original) {
        let why = format!(
            "State holds it as {}. To import another object to this address, have Terraform forget this one first.",
            object.held
        );
        let issue = Issue::error(Code::Held, format!("{original} is already managed by Terraform"), why);
        let command = format!("tf-phi state rm {}", crate::text::shell_quoted(&original));
        return Err(issue.about(original).fix("Forget the object in state, without destroying it:", command));
    }
    let active = there(&decided.copies);
    match originals::expanded(splits, word, Some(&active)).as_deref() {
        Some([only]) => only.clone_into(word),
        _ => {
            let why = "Of the copies that stand for it, none has an instance with the values of this run.";
            let issue = Issue::error(Code::Config, format!("{original} has no instance in this run"), why);
            return Err(issue
                .about(original)
                .fix("Give the values under which it exists:", "-var NAME=VALUE"));
        }
    }
    Ok(words)
}
