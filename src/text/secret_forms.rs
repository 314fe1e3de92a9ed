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

/// More pieces than this aren't kept of all texts together.
const MOST: usize = 1 << 22;

/// So many letters and digits in a row.
type Piece = [u8; LENGTH];

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct SecretForms {
    /// Pieces of secrets, each with whether it tells one by itself.
    pieces: FxHashMap<Piece, bool>,
    /// Words that are too short for one.
    words: FxHashSet<Vec<u8>>,
    /// Pieces and words of names, which nothing takes out.
    names: FxHashSet<Piece>,
    name_words: FxHashSet<Vec<u8>>,
    /// True if there is more than is kept: then every piece that could tell a secret counts as one.
    is_spilt: bool,
}

/// What tells a secret by itself.
#[derive(Clone, Copy)]
enum Telling {
    /// What holds letters and digits both: a word of letters alone may be anybody's.
    Mixed,
    /// What holds letters: it is a run that gives it, and no tree's word for anything.
    Letters,
}

impl Telling {
    fn has(self, piece: &[u8]) -> bool {
        match self {
            Telling::Mixed => is_telling(piece),
            Telling::Letters => piece.iter().any(u8::is_ascii_alphabetic),
        }
    }
}

impl SecretForms {
    /// `plain`: what anybody may see.
    pub fn new<'t>(
        secret: impl Iterator<Item = &'t str>,
        plain: impl Iterator<Item = &'t str>,
    ) -> SecretForms {
        SecretForms::collect_telling(Telling::Mixed, secret, plain)
    }

    /// The same of what a run gives, and not the tree.
    pub fn of_run<'t>(
        secret: impl Iterator<Item = &'t str>,
        plain: impl Iterator<Item = &'t str>,
    ) -> SecretForms {
        SecretForms::collect_telling(Telling::Letters, secret, plain)
    }

    fn collect_telling<'t>(
        telling: Telling,
        secret: impl Iterator<Item = &'t str>,
        plain: impl Iterator<Item = &'t str>,
    ) -> SecretForms {
        let mut forms = SecretForms::default();
        for text in secret {
            forms.add(text, telling);
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
        self.pieces.is_empty() && self.words.is_empty() && !self.is_spilt
    }

    /// Keeps names, as many as there is room for.
    pub fn keep_names<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        for name in names {
            each_run(name, &mut |run| {
                let room = MOST.saturating_sub(self.names.len());
                self.names.extend(pieces_of(run).take(room));
            });
            each_word(name, &mut |word| {
                if (SHORTEST_WORD..LENGTH).contains(&word.len()) {
                    self.name_words.insert(word.to_vec());
                }
            });
        }
    }

    /// Adds others: what is plain beside one of them may be a secret beside another.
    pub fn add_all(&mut self, other: &SecretForms) {
        self.is_spilt |= other.is_spilt;
        for (piece, tells) in &other.pieces {
            if self.pieces.len() >= MOST && !self.pieces.contains_key(piece) {
                self.is_spilt |= tells;
                continue;
            }
            *self.pieces.entry(*piece).or_default() |= tells;
        }
        self.words.extend(other.words.iter().cloned());
    }

    fn add(&mut self, text: &str, telling: Telling) {
        each_word(text, &mut |word| {
            if (SHORTEST_WORD..LENGTH).contains(&word.len()) && is_telling(word) {
                self.words.insert(word.to_vec());
            }
        });
        let mut runs: Vec<Vec<u8>> = Vec::new();
        each_run(text, &mut |run| {
            if run.len() >= SHORTEST_WORD && telling.has(run) {
                runs.push(run.to_vec());
            }
        });
        if runs.is_empty() {
            return;
        }
        for run in &runs {
            self.add_run(run, telling);
            let backwards: Vec<u8> = run.iter().rev().copied().collect();
            self.add_run(&backwards, telling);
        }
        for form in encoded(text) {
            each_run(&form, &mut |run| self.add_run(run, Telling::Mixed));
        }
    }

    fn add_run(&mut self, run: &[u8], telling: Telling) {
        for piece in pieces_of(run) {
            if self.pieces.len() >= MOST {
                self.is_spilt = true;
                return;
            }
            *self.pieces.entry(piece).or_default() |= telling.has(&piece);
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
        let mut keys = HiddenKeys::of(document);
        for (from, to) in found.found {
            if from < done {
                done = done.max(to);
                continue;
            }
            out.push_str(document.get(done..from).unwrap_or_default());
            out.push_str(&keys.stand_in(from, to));
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

/// Names for what is taken out of the keys of a document in JSON: two keys that were different stay so.
struct HiddenKeys<'d> {
    document: &'d str,
    is_json: bool,
    numbers: FxHashMap<&'d str, usize>,
    /// The numbers that stand in the document already; 1 stands for the words without one.
    taken: FxHashSet<usize>,
    next: usize,
    /// Where the text ends that was looked at last, and whether it is a key.
    last: (usize, bool),
}

impl<'d> HiddenKeys<'d> {
    fn of(document: &'d str) -> HiddenKeys<'d> {
        const BEGIN: &str = "(sensitive value";
        let is_json = document.starts_with(['{', '[']);
        let mut taken = FxHashSet::default();
        for (at, _) in document.match_indices(BEGIN).filter(|_| is_json) {
            let rest = document.get(at + BEGIN.len()..).unwrap_or_default();
            let number = rest.split(')').next().unwrap_or_default().trim();
            taken.insert(if number.is_empty() { 1 } else { number.parse().unwrap_or_default() });
        }
        HiddenKeys { document, is_json, numbers: FxHashMap::default(), taken, next: 1, last: (0, false) }
    }

    /// What stands for a part of the document.
    fn stand_in(&mut self, from: usize, to: usize) -> Cow<'static, str> {
        if !self.is_json || !self.ends_key(to) {
            return Cow::Borrowed(HIDDEN);
        }
        let text = self.document.get(from..to).unwrap_or_default();
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                while self.taken.contains(&self.next) {
                    self.next += 1;
                }
                self.taken.insert(self.next);
                self.numbers.insert(text, self.next);
                self.next
            }
        };
        match number {
            1 => Cow::Borrowed(HIDDEN),
            number => Cow::Owned(format!("(sensitive value {number})")),
        }
    }

    /// Returns true if the text around a byte is the key of an object. Bytes come one behind the other, so that each is looked at once.
    fn ends_key(&mut self, at: usize) -> bool {
        if at >= self.last.0 {
            self.last = self.end_of_text(at);
        }
        self.last.1
    }

    fn end_of_text(&self, at: usize) -> (usize, bool) {
        let bytes = self.document.as_bytes();
        let mut end = at;
        loop {
            match bytes.get(end) {
                Some(b'\\') => end += 2,
                Some(b'"') => break,
                Some(_) => end += 1,
                None => return (bytes.len(), false),
            }
        }
        let behind = bytes.iter().skip(end + 1).find(|byte| !byte.is_ascii_whitespace());
        (end + 1, behind == Some(&b':'))
    }
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
        let is_name = self.forms.names.contains(&piece);
        match (self.forms.pieces.get(&piece), &mut self.pending) {
            (Some(tells), Some(pending)) => {
                pending.1 = *to;
                pending.2 |= *tells && !is_name;
            }
            (Some(tells), pending) => *pending = Some((*from, *to, *tells && !is_name)),
            (None, pending) if self.forms.is_spilt && !is_name && is_telling(&piece) => {
                let from = pending.map_or(*from, |(begin, ..)| begin);
                *pending = Some((from, *to, true));
            }
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
            if let (Some((_, from, _)), Some((_, _, to)), true) = (
                self.word.first(),
                self.word.last(),
                self.forms.words.contains(&word) && !self.forms.name_words.contains(&word),
            ) {
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
