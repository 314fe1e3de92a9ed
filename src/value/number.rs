//! Numbers.
/// An exact number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(i64);

impl Number {
    /// Reads an HCL number literal.
    pub fn parse(text: &str) -> Option<Number> {
        let digits = text.split(['.', 'e', 'E']).next().unwrap_or("");
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| Number(digits.parse().unwrap_or(i64::MAX)))
    }
}
