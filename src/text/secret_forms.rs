//! Secrets in other forms: in capitals, backwards, in Base64 or hexadecimal digits, cut into pieces, with escapes or letters without width between their own.
//!
//! In: texts that are secret, and texts that anybody may see. Out: a document without what such a text left in it. Only letters and digits are compared, and capitals count as small
//! letters, so that whatever stands for another character in a format stands for nothing here. Invariant: what is looked at grows as the document does. A run
//! of letters alone is a word, and a run of digits a number, which anybody may use: neither is looked for. Absent on purpose: why a text is secret.

use super::units::{Unit, units};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// What stands in the place of a secret.
pub(super) const HIDDEN: &str = "(sensitive value)";

/// As many letters and digits of a secret in a row tell it.
const LENGTH: usize = 8;

/// A whole word of a secret tells it that is no shorter than this.
const SHORTEST_WORD: usize = 6;

/// More than this isn't kept of all texts together: then what comes last is known by its whole text alone.
const MOST: usize = 1 << 20;

/// So many letters and digits in a row.
type Piece = [u8; LENGTH];

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct SecretForms {
    /// Pieces of secrets, each with whether it tells one by itself.
    pieces: FxHashMap<Piece, bool>,
    /// Words that are too short for one.
    words: FxHashSet<Vec<u8>>,
}

impl SecretForms {
    /// `plain`: what anybody may see.
    pub fn new<'t>(
        secret: impl Iterator<Item = &'t str>,
        plain: impl Iterator<Item = &'t str>,
    ) -> SecretForms {
        let mut forms = SecretForms::default();
        for text in secret {
            forms.add(text);
        }
        if forms.is_empty() {
            return forms;
        }
        for text in plain {
            each_run(text, &mut |run| {
                for piece in pieces_of(run) {
                    forms.pieces.entry(piece).and_modify(|tells| *tells = false);
                }
            });
            each_word(text, &mut |word| {
                forms.words.remove(word);
            });
        }
        forms
    }

    /// Returns true if nothing is looked for.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.words.is_empty()
    }

    /// Adds others: what is plain beside one of them may be a secret beside another.
    pub fn add_all(&mut self, other: &SecretForms) {
        for (piece, tells) in &other.pieces {
            *self.pieces.entry(*piece).or_default() |= tells;
        }
        self.words.extend(other.words.iter().cloned());
    }

    fn add(&mut self, text: &str) {
        each_word(text, &mut |word| {
            if (SHORTEST_WORD..LENGTH).contains(&word.len()) && is_telling(word) {
                self.words.insert(word.to_vec());
            }
        });
        let mut runs: Vec<Vec<u8>> = Vec::new();
        each_run(text, &mut |run| {
            if run.len() >= SHORTEST_WORD && is_telling(run) {
                runs.push(run.to_vec());
            }
        });
        if runs.is_empty() {
            return;
        }
        for run in &runs {
            self.add_run(run);
            let backwards: Vec<u8> = run.iter().rev().copied().collect();
            self.add_run(&backwards);
        }
        for form in encoded(text) {
            each_run(&form, &mut |run| self.add_run(run));
        }
    }

    fn add_run(&mut self, run: &[u8]) {
        for piece in pieces_of(run).take(MOST.saturating_sub(self.pieces.len())) {
            self.pieces.insert(piece, is_telling(&piece));
        }
    }

    /// Returns a document without what tells a secret.
    pub fn conceal<'d>(&self, document: &'d str) -> Cow<'d, str> {
        if self.is_empty() {
            return Cow::Borrowed(document);
        }
        let mut found =
            Finds { forms: self, run: Vec::new(), word: Vec::new(), pending: None, found: Vec::new() };
        units(document, &mut |unit, bytes| found.take(unit, bytes));
        found.end_run();
        if found.found.is_empty() {
            return Cow::Borrowed(document);
        }
        found.found.sort_unstable();
        let (mut out, mut done) = (String::with_capacity(document.len()), 0);
        for (from, to) in found.found {
            if from < done {
                done = done.max(to);
                continue;
            }
            out.push_str(document.get(done..from).unwrap_or_default());
            out.push_str(HIDDEN);
            done = to;
        }
        out.push_str(document.get(done..).unwrap_or_default());
        Cow::Owned(out)
    }
}

/// Base64, wherever the text begins in what is encoded, and hexadecimal digits.
fn encoded(text: &str) -> Vec<String> {
    let mut all: Vec<String> = (0..3)
        .map(|before| {
            let mut bytes = vec![0; before];
            bytes.extend(text.bytes());
            let whole = STANDARD.encode(&bytes);
            // The first and the last letters hang on what stands around it.
            let begin = (before * 8).div_ceil(6);
            let end = bytes.len() * 8 / 6;
            whole.get(begin..end).unwrap_or_default().to_owned()
        })
        .collect();
    all.push(text.bytes().map(|byte| format!("{byte:02x}")).collect());
    all
}

/// Returns true if it holds letters and digits: neither a word nor a number.
fn is_telling(piece: &[u8]) -> bool {
    piece.iter().any(u8::is_ascii_digit) && piece.iter().filter(|byte| byte.is_ascii_alphabetic()).count() > 1
}

fn pieces_of(run: &[u8]) -> impl Iterator<Item = Piece> + '_ {
    run.windows(LENGTH).filter_map(|piece| piece.try_into().ok())
}

/// Letters and digits up to something that parts values from each other.
fn each_run(text: &str, each: &mut dyn FnMut(&[u8])) {
    parted(text, &|unit| unit == Unit::Break, each);
}

/// Letters and digits that stand beside each other.
fn each_word(text: &str, each: &mut dyn FnMut(&[u8])) {
    parted(text, &|unit| unit != Unit::Nothing, each);
}

fn parted(text: &str, is_end: &dyn Fn(Unit) -> bool, each: &mut dyn FnMut(&[u8])) {
    let mut own = Vec::new();
    units(text, &mut |unit, _| match unit {
        Unit::Letter(byte) => own.push(byte),
        unit if is_end(unit) => {
            each(&own);
            own.clear();
        }
        _ => {}
    });
    each(&own);
}

/// What was found in a document so far.
struct Finds<'f> {
    forms: &'f SecretForms,
    /// The last letters and digits, each with where it stands.
    run: Vec<(u8, usize, usize)>,
    /// The word that this stands in, where it may still be a short one.
    word: Vec<(u8, usize, usize)>,
    /// Pieces one behind the other, and whether one of them tells a secret.
    pending: Option<(usize, usize, bool)>,
    found: Vec<(usize, usize)>,
}

impl Finds<'_> {
    fn take(&mut self, unit: Unit, (from, to): (usize, usize)) {
        match unit {
            Unit::Letter(byte) => {
                if self.word.len() < LENGTH {
                    self.word.push((byte, from, to));
                }
                if self.run.len() == LENGTH {
                    self.run.remove(0);
                }
                self.run.push((byte, from, to));
                self.look();
            }
            Unit::Break => self.end_run(),
            Unit::Other => self.end_word(),
            Unit::Nothing => {}
        }
    }

    /// Looks whether the last letters and digits are a piece of a secret.
    fn look(&mut self) {
        let mut piece = Piece::default();
        if self.run.len() < LENGTH {
            return;
        }
        piece.iter_mut().zip(&self.run).for_each(|(own, (byte, ..))| *own = *byte);
        let (Some((_, from, _)), Some((_, _, to))) = (self.run.first(), self.run.last()) else { return };
        match (self.forms.pieces.get(&piece), &mut self.pending) {
            (Some(tells), Some(pending)) => {
                pending.1 = *to;
                pending.2 |= *tells;
            }
            (Some(tells), pending) => *pending = Some((*from, *to, *tells)),
            (None, _) => self.end_pieces(),
        }
    }

    fn end_pieces(&mut self) {
        if let Some((from, to, true)) = self.pending.take() {
            self.found.push((from, to));
        }
    }

    fn end_word(&mut self) {
        if (SHORTEST_WORD..LENGTH).contains(&self.word.len()) {
            let word: Vec<u8> = self.word.iter().map(|(byte, ..)| *byte).collect();
            if let (Some((_, from, _)), Some((_, _, to)), true) =
                (self.word.first(), self.word.last(), self.forms.words.contains(&word))
            {
                self.found.push((*from, *to));
            }
        }
        self.word.clear();
    }

    fn end_run(&mut self) {
        self.end_pieces();
        self.end_word();
        self.run.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::SecretForms;

    fn concealed(secret: &str, plain: &str, document: &str) -> String {
        SecretForms::new([secret].into_iter(), [plain].into_iter()).conceal(document).into_owned()
    }

    #[test]
    fn a_secret_is_found_in_other_forms() {
        let secret = "hunter2zq-default";
        for form in [
            "hunter2zq-default",
            "HUNTER2ZQ-DEFAULT",
            "Hunter2zq-Default",
            "tluafed-qz2retnuh",
            "hunter2zq",
            "nter2zq-de",
            "hunter2zq%2Ddefault",
            "hunter2zq\\-default",
            "hun\u{200b}ter2zq-default",
            "hun\\u{200b}ter2zq-default",
            "hun\\u200bter2zq-default",
            "hunter\\u0032zq-default",
            "hunter2zq&#45;default",
            "hunter2zq#45;default",
            "aHVudGVyMnpxLWRlZmF1bHQ=",
            "eC1odW50ZXIyenEtZGVmYXVsdA==",
            "68756e746572327a712d64656661756c74",
        ] {
            for (before, behind) in
                [("", ""), ("\"", "\""), ("a = ", " b"), ("<td>", "</td>"), ("x-", "/y"), ("\\n", "\\n")]
            {
                let shown = concealed(secret, "", &format!("{before}{form}{behind}"));
                assert!(shown.starts_with(before) && shown.ends_with(behind), "{shown}");
                assert!(shown.contains("(sensitive value)"), "{form}: {shown}");
                assert!(!shown.contains("nter2") && !shown.contains("efault"), "{form}: {shown}");
            }
        }
    }

    #[test]
    fn words_numbers_and_what_is_plain_stay() {
        for (secret, plain, document) in [
            ("configuration", "", "the configuration"),
            ("4815162342", "", "line 4815162342"),
            ("postgres://db1-internal-example:5432", "db1-internal-example", "db1-internal-example"),
            ("ab1", "", "ab1"),
            ("hunter2", "", "hunter22"),
            ("hunter2", "hunter2", "hunter2"),
            ("a: 1\nversion: 15.4", "", "version = \"15.4\""),
        ] {
            assert_eq!(concealed(secret, plain, document), document);
        }
        assert_eq!(concealed("hunter2", "", "`hunter2` is"), "`(sensitive value)` is");
        assert_eq!(concealed("hunter2", "", "hunter2-a"), "(sensitive value)-a");
    }

    #[test]
    fn a_document_of_json_stays_one() {
        let secret = "a1\"b2\\c3-hunter2zq\u{e4}";
        let document =
            serde_json::json!({ secret: [secret, { "x": format!("x-{secret}") }], "n": 12_345_678 });
        let forms = SecretForms::new([secret].into_iter(), std::iter::empty());
        let shown = forms.conceal(&document.to_string()).into_owned();
        let read: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert!(!shown.contains("hunter2") && read["n"] == 12_345_678, "{shown}");
    }
}
