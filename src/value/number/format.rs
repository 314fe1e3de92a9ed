//! Numbers to text with a number of digits asked for, as the verbs of `format` want them.
//!
//! Source of the semantics: Go's `big.Float.Text`; ties are rounded to even, on the exact decimal expansion.

use super::text::{Decimal, shortest};
use super::{Form, Number};
use std::fmt;

/// The layout of the digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `123.456`; digits count behind the point.
    Plain,
    /// `1.23456e+02`; digits count behind the point.
    Scientific,
    /// Whichever of the two is shorter for very large and very small numbers; digits count all.
    General,
}

impl Number {
    /// The number in a notation: with so many digits, or as few as it takes to tell it apart.
    pub fn in_notation(&self, notation: Notation, digits: Option<usize>) -> String {
        let mut out = String::from(if self.neg { "-" } else { "" });
        let mut decimal = match &self.form {
            Form::Inf => return if self.neg { "-Inf".into() } else { "+Inf".into() },
            Form::Zero => Decimal { digits: Vec::new(), exp: 0 },
            Form::Finite { mant, exp } if digits.is_none() => shortest(mant, *exp, self.prec),
            Form::Finite { mant, exp } => Decimal::exact(mant.clone(), *exp),
        };
        let digits = digits.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        let mut to = |n: i64| usize::try_from(n).into_iter().for_each(|n| decimal.round(n));
        match (notation, digits) {
            (_, None) => {}
            (Notation::Plain, Some(n)) => {
                let exp = decimal.exp;
                usize::try_from(exp.saturating_add(n)).into_iter().for_each(|n| decimal.round(n));
            }
            (Notation::Scientific, Some(n)) => to(n.saturating_add(1)),
            (Notation::General, Some(n)) => to(n.max(1)),
        }
        match notation {
            Notation::Plain => {
                let fraction = digits.unwrap_or_else(|| (decimal.len() - decimal.exp).max(0));
                plain(&decimal, fraction, &mut out);
            }
            Notation::Scientific => {
                scientific(&decimal, digits.unwrap_or_else(|| (decimal.len() - 1).max(0)), &mut out);
            }
            Notation::General => general(&decimal, digits.map(|n| n.max(1)), &mut out),
        }
        out
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Every digit of a whole number counts while its last bit is within the precision.
        match self.magnitude_u64().filter(|n| *n > 0 && self.top() <= i64::from(self.prec)) {
            Some(magnitude) => write!(f, "{}{magnitude}", if self.neg { "-" } else { "" }),
            None => f.write_str(&self.in_notation(Notation::Plain, None)),
        }
    }
}

impl Number {
    /// Ten significant digits, as cty puts numbers into the keys that order sets of compound values.
    pub(in crate::value) fn ten_digits(&self) -> String {
        self.in_notation(Notation::General, Some(10))
    }
}

fn general(decimal: &Decimal, digits: Option<i64>, out: &mut String) {
    let length = decimal.len();
    let wanted = digits.unwrap_or(length);
    let limit = match digits {
        None => 6,
        Some(n) if n > length && length >= decimal.exp => length,
        Some(n) => n,
    };
    let exp = decimal.exp - 1;
    if exp < -4 || exp >= limit {
        scientific(decimal, wanted.min(length) - 1, out);
    } else {
        let wanted = if wanted > decimal.exp { length } else { wanted };
        plain(decimal, (wanted - decimal.exp).max(0), out);
    }
}

/// Plain notation with so many digits behind the point.
fn plain(decimal: &Decimal, fraction: i64, out: &mut String) {
    if decimal.exp > 0 {
        (0..decimal.exp).for_each(|i| out.push(char::from(decimal.at(i))));
    } else {
        out.push('0');
    }
    if fraction > 0 {
        out.push('.');
        (0..fraction).for_each(|i| out.push(char::from(decimal.at(decimal.exp + i))));
    }
}

/// Scientific notation with so many digits behind the point.
fn scientific(decimal: &Decimal, fraction: i64, out: &mut String) {
    out.push(char::from(decimal.at(0)));
    if fraction > 0 {
        out.push('.');
        (1..=fraction).for_each(|i| out.push(char::from(decimal.at(i))));
    }
    let exp = if decimal.digits.is_empty() { 0 } else { decimal.exp - 1 };
    out.push_str(if exp < 0 { "e-" } else { "e+" });
    out.push_str(&format!("{:02}", exp.unsigned_abs()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: &str, notation: Notation, digits: Option<usize>) -> String {
        Number::parse(number).unwrap().in_notation(notation, digits)
    }

    #[test]
    fn digits_are_as_many_as_asked_for() {
        assert_eq!(text("3.14159", Notation::Plain, Some(2)), "3.14");
        assert_eq!(text("0.001", Notation::Plain, Some(1)), "0.0");
        assert_eq!(text("0.05", Notation::Plain, Some(1)), "0.1");
        assert_eq!(text("2.5", Notation::Plain, Some(0)), "2");
        assert_eq!(text("12345", Notation::Scientific, Some(2)), "1.23e+04");
        assert_eq!(text("0", Notation::Scientific, Some(2)), "0.00e+00");
        assert_eq!(text("1000000", Notation::General, None), "1e+06");
        assert_eq!(text("0.00001", Notation::General, None), "1e-05");
        assert_eq!(text("1234567", Notation::General, Some(9)), "1234567");
        assert_eq!(text("0", Notation::General, None), "0");
    }
}
