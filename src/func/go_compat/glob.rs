//! One part of a pattern against one name.
//!
//! `*` any text, `?` any character, `[a-z]` and `[^a-z]` classes, `{a,b}` alternatives (not nested), `\` escapes.

use crate::func::FuncError;

/// The number of attempts that one match may take: stars and braces multiply.
const MAX_STEPS: usize = 100_000;

/// The pattern is malformed, as far as it was read.
struct Malformed;

type Outcome = Result<bool, Malformed>;

/// Returns true if the name matches the pattern.
///
/// # Errors
/// Declined: a malformed pattern, and one that takes too many attempts.
pub(in crate::func) fn matches(pattern: &str, name: &str) -> Result<bool, FuncError> {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let mut matcher = Matcher { steps: 0, doubtful: false };
    let outcome = matcher.part(&pattern, &name);
    match outcome {
        Ok(outcome) if !matcher.doubtful => Ok(outcome),
        _ => Err(FuncError::unsupported("the pattern is malformed or too involved")),
    }
}

struct Matcher {
    steps: usize,
    doubtful: bool,
}

impl Matcher {
    fn part(&mut self, pattern: &[char], name: &[char]) -> Outcome {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            self.doubtful = true;
            return Ok(false);
        }
        match (pattern.split_first(), name.split_first()) {
            (None, None) => Ok(true),
            (None, Some(_)) => Ok(false),
            (Some(_), None) => Ok(matches!(pattern, ['*'] | ['*', '*'])),
            (Some(('\\', rest)), Some((c, name))) => match rest.split_first() {
                Some((escaped, rest)) if escaped == c => self.part(rest, name),
                Some(_) => Ok(false),
                None => Err(Malformed),
            },
            (Some(('*', rest)), Some(_)) => Ok(self.star(rest, name)),
            (Some(('[', rest)), Some((c, name))) => {
                let end = unescaped(rest, ']').ok_or(Malformed)?;
                let (class, rest) = rest.split_at(end);
                if in_class(class, *c)? { self.part(rest.get(1..).unwrap_or(&[]), name) } else { Ok(false) }
            }
            (Some(('{', rest)), Some(_)) => self.alternatives(rest, name),
            (Some((p, rest)), Some((c, name))) => {
                if *p == '?' || p == c {
                    self.part(rest, name)
                } else {
                    Ok(false)
                }
            }
        }
    }

    fn star(&mut self, rest: &[char], name: &[char]) -> bool {
        if rest.is_empty() {
            return true;
        }
        // What follows has to match a text that is not empty: a quirk of the original, which stops before the end.
        (0..name.len()).any(|from| {
            let outcome = self.part(rest, name.get(from..).unwrap_or(&[]));
            self.doubtful |= outcome.is_err();
            outcome.unwrap_or(false)
        })
    }

    fn alternatives(&mut self, rest: &[char], name: &[char]) -> Outcome {
        let end = unescaped(rest, '}').ok_or(Malformed)?;
        let (options, after) = rest.split_at(end);
        let after = after.get(1..).unwrap_or(&[]);
        for option in options_of(options) {
            let pattern: Vec<char> = option.iter().chain(after).copied().collect();
            if self.part(&pattern, name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The alternatives between unescaped commas; an empty text after the last comma counts, an empty whole does too.
fn options_of(mut text: &[char]) -> Vec<&[char]> {
    let mut options = Vec::new();
    while let Some(at) = unescaped(text, ',') {
        let (option, rest) = text.split_at(at);
        options.push(option);
        text = rest.get(1..).unwrap_or(&[]);
    }
    options.push(text);
    options
}

/// Returns the index of the first such character without a backslash before it.
fn unescaped(text: &[char], wanted: char) -> Option<usize> {
    let escaped = |at: usize| at.checked_sub(1).and_then(|i| text.get(i)) == Some(&'\\');
    text.iter().enumerate().position(|(at, c)| *c == wanted && !escaped(at))
}

fn in_class(class: &[char], c: char) -> Outcome {
    let (negated, mut rest) = match class {
        [] => return Err(Malformed),
        ['^', rest @ ..] => (true, rest),
        _ => (false, class),
    };
    let mut inside = false;
    while !rest.is_empty() {
        let (low, after) = member(rest)?;
        let (high, after) = match after {
            ['-', after @ ..] => member(after)?,
            _ => (low, after),
        };
        inside |= low <= c && c <= high;
        rest = after;
    }
    Ok(inside != negated)
}

fn member(text: &[char]) -> Result<(char, &[char]), Malformed> {
    match text {
        [] | ['-', ..] | ['\\'] => Err(Malformed),
        ['\\', c, rest @ ..] | [c, rest @ ..] => Ok((*c, rest)),
    }
}
