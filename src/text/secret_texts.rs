//! Texts that are secret, and words that quote one.
//!
//! In: texts and numbers that are written out in a secret. Out: words without them, and documents without any form of them (see [`super::secret_forms`]). Invariant: what is looked at grows as the words do, not as the secrets.
//! Absent on purpose: why they are secret.

use super::secret_forms::{HIDDEN, SecretForms};
use super::visible::one_line;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;

/// Shorter ones are parts of too many words to tell anything.
const SHORTEST: usize = 3;

/// More than this that begin in the same way aren't told apart.
const MOST_ALIKE: usize = 64;

/// Texts that nobody is to be shown.
#[derive(Clone, Debug, Default)]
pub struct SecretTexts {
    whole: FxHashMap<[u8; SHORTEST], Vec<Arc<str>>>,
    forms: SecretForms,
}

impl SecretTexts {
    /// `plain`: what anybody may see, whatever is secret.
    pub fn new<'t>(
        secret: impl Iterator<Item = &'t str> + Clone,
        plain: impl Iterator<Item = &'t str>,
    ) -> SecretTexts {
        let mut whole: FxHashMap<[u8; SHORTEST], Vec<Arc<str>>> = FxHashMap::default();
        for text in secret.clone().flat_map(str::lines).map(str::trim) {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            for text in [text, &*escaped, &one_line(text), &one_line(&escaped)] {
                let Some(start) = text.as_bytes().first_chunk::<SHORTEST>() else { continue };
                let alike = whole.entry(*start).or_default();
                if alike.len() < MOST_ALIKE && !alike.iter().any(|own| **own == *text) {
                    alike.push(text.into());
                }
            }
        }
        // The longest one counts.
        whole.values_mut().for_each(|alike| alike.sort_unstable_by_key(|text| std::cmp::Reverse(text.len())));
        SecretTexts { whole, forms: SecretForms::new(secret, plain) }
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.forms.is_empty()
    }

    /// Adds the other forms of others.
    pub fn add_forms_of(&mut self, other: &SecretTexts) {
        self.forms.add_all(&other.forms);
    }

    /// Returns a document without what it tells of secrets, in whatever form. Words that anybody may use stay.
    pub fn conceal_forms<'d>(&self, document: &'d str) -> Cow<'d, str> {
        self.forms.conceal(document)
    }

    /// Returns words without the secrets that they quote, or tell in another form.
    pub fn conceal<'w>(&self, words: &'w str) -> Cow<'w, str> {
        match self.conceal_quoted(words) {
            Cow::Borrowed(words) => self.forms.conceal(words),
            Cow::Owned(words) => Cow::Owned(self.forms.conceal(&words).into_owned()),
        }
    }

    fn conceal_quoted<'w>(&self, words: &'w str) -> Cow<'w, str> {
        if self.whole.is_empty() {
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
        let alike = self.whole.get(rest.as_bytes().first_chunk::<SHORTEST>()?)?;
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
        let secret = ["hunter2", "4815", "a\"b\\c", "first\n  second", "x", "hunter2-long", "fi\u{200b}sh"];
        let texts = SecretTexts::new(secret.into_iter(), std::iter::empty());
        for (words, want) in [
            ("nothing", "nothing"),
            ("`hunter2` is", "`(sensitive value)` is"),
            ("hunter2-long", "(sensitive value)"),
            ("hunter22", "hunter22"),
            ("line 48151", "line 48151"),
            ("= 4815, x", "= (sensitive value), x"),
            ("\"a\\\"b\\\\c\"", "\"(sensitive value)\""),
            ("second", "(sensitive value)"),
            ("`fi\u{200b}sh` or fi\\u{200b}sh", "`(sensitive value)` or (sensitive value)"),
            ("é hunter2 é", "é (sensitive value) é"),
        ] {
            assert_eq!(texts.conceal(words), want);
        }
    }
}
