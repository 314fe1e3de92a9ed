//! Texts that are secret, and words that quote one.
//!
//! In: texts and numbers that are written out in a secret. Out: words without them. Invariant: what is looked at grows as the words do, not as the secrets.
//! Absent on purpose: why they are secret.

use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// What stands in the place of a secret.
const HIDDEN: &str = "(sensitive value)";

/// Shorter ones are parts of too many words to tell anything.
const SHORTEST: usize = 3;

/// More than this that begin in the same way aren't told apart.
const MOST_ALIKE: usize = 64;

/// Texts that nobody is to be shown.
#[derive(Clone, Debug, Default)]
pub struct SecretTexts(FxHashMap<[u8; SHORTEST], Vec<Arc<str>>>);

impl<'t> FromIterator<&'t str> for SecretTexts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(all: I) -> SecretTexts {
        let mut found: FxHashMap<[u8; SHORTEST], Vec<Arc<str>>> = FxHashMap::default();
        for text in all.into_iter().flat_map(str::lines).map(str::trim) {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            for text in [text, &*escaped] {
                let Some(start) = text.as_bytes().first_chunk::<SHORTEST>() else { continue };
                let alike = found.entry(*start).or_default();
                if alike.len() < MOST_ALIKE && !alike.iter().any(|own| **own == *text) {
                    alike.push(text.into());
                }
            }
        }
        // The longest one counts.
        found.values_mut().for_each(|alike| alike.sort_unstable_by_key(|text| std::cmp::Reverse(text.len())));
        SecretTexts(found)
    }
}

impl SecretTexts {
    /// Returns words without the secrets that they quote.
    pub fn conceal<'w>(&self, words: &'w str) -> Cow<'w, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(words);
        }
        let (mut out, mut done, mut at) = (String::new(), 0, 0);
        while let Some(rest) = words.get(at..) {
            if let Some(end) = self.end_of_secret(words, at) {
                out.push_str(words.get(done..at).unwrap_or_default());
                out.push_str(HIDDEN);
                (done, at) = (end, end);
                continue;
            }
            let Some(c) = rest.chars().next() else { break };
            at += c.len_utf8();
        }
        if done == 0 {
            return Cow::Borrowed(words);
        }
        out.push_str(words.get(done..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// Where a secret ends that begins at a byte.
    fn end_of_secret(&self, words: &str, at: usize) -> Option<usize> {
        let rest = words.get(at..)?;
        let alike = self.0.get(rest.as_bytes().first_chunk::<SHORTEST>()?)?;
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_one = |text: &&Arc<str>| {
            let Some(behind) = rest.strip_prefix(&***text) else { return false };
            let before = words.get(..at).and_then(|before| before.chars().next_back());
            // A part of a word is another word.
            let begins_within = is_part(before) && is_part(text.chars().next());
            let ends_within = is_part(behind.chars().next()) && is_part(text.chars().next_back());
            !begins_within && !ends_within
        };
        alike.iter().find(is_one).map(|text| at + text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::SecretTexts;

    #[test]
    fn words_lose_what_they_quote() {
        let texts: SecretTexts =
            ["hunter2", "4815", "a\"b\\c", "first\n  second", "x", "hunter2-long"].into_iter().collect();
        for (words, want) in [
            ("nothing", "nothing"),
            ("`hunter2` is", "`(sensitive value)` is"),
            ("hunter2-long", "(sensitive value)"),
            ("hunter22", "hunter22"),
            ("line 48151", "line 48151"),
            ("= 4815, x", "= (sensitive value), x"),
            ("\"a\\\"b\\\\c\"", "\"(sensitive value)\""),
            ("second", "(sensitive value)"),
            ("é hunter2 é", "é (sensitive value) é"),
        ] {
            assert_eq!(texts.conceal(words), want);
        }
    }
}
