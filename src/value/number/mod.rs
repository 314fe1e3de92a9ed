//! Numbers: binary floating point with a precision of their own each, as go-cty has them (Go's `big.Float`).
//!
//! Input: decimal text, machine integers and floats. Invariant: a mantissa is odd and has at most `prec` bits, the
//! exponent stays within [`MAX_BITS`], and nothing ever passes through an `f64` unless asked to.
//! Precisions matter: literals carry 512 bits, `length(...)` 64, and a quotient prints with the larger of its two.
//! Deliberately absent: NaN (operations that would give it are errors), transcendental functions.

mod arith;
mod format;
mod mantissa;
mod parse;
mod text;

pub use format::Notation;

use dashu_base::BitTest;
use dashu_int::UBig;
use mantissa::bits;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The largest magnitude of a binary exponent: some 78 900 decimal digits before or after the point.
pub const MAX_BITS: i64 = 1 << 18;

/// The precision of numbers that come from text, in bits.
pub const TEXT_PRECISION: u32 = 512;

/// The precision of numbers that come from machine integers, in bits.
pub const INT_PRECISION: u32 = 64;

/// A number. `==`, `<` and hashing go by exact value (zeros are equal, precision is ignored); Terraform's `==`
/// is [`Number::same_as`].
#[derive(Clone, Debug)]
pub struct Number {
    neg: bool,
    prec: u32,
    form: Form,
}

/// The magnitude.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Zero,
    /// `mant * 2^exp`, `mant` odd.
    Finite {
        mant: UBig,
        exp: i64,
    },
    Inf,
}

impl Number {
    /// Zero, as the language's own constants have it.
    pub const ZERO: Number = Number { neg: false, prec: INT_PRECISION, form: Form::Zero };

    /// An infinity (`1/0`); it prints as `+Inf` or `-Inf` and has no JSON.
    pub fn infinity(negative: bool) -> Number {
        Number { neg: negative, prec: TEXT_PRECISION, form: Form::Inf }
    }

    /// The nearest number of 53 bits, exactly the float; `None` for NaN.
    pub fn from_f64(value: f64) -> Option<Number> {
        if value.is_nan() {
            return None;
        }
        let neg = value.is_sign_negative();
        if value.is_infinite() {
            return Some(Number { neg, prec: 53, form: Form::Inf });
        }
        let bits = value.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let biased = i64::try_from((bits >> 52) & 0x7ff).unwrap_or(0);
        let (mant, exp) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        Some(Number::rounded(neg, UBig::from(mant), exp, false, 53))
    }

    /// An integer of any size up to [`MAX_BITS`]; its precision is its own length, at least 64.
    ///
    /// # Errors
    /// Returns an error if it is longer than [`MAX_BITS`].
    pub fn from_integer(negative: bool, magnitude: UBig) -> super::Result<Number> {
        let bits = u32::try_from(magnitude.bit_len()).unwrap_or(u32::MAX);
        Number::rounded(negative, magnitude, 0, false, bits.max(INT_PRECISION)).within_limits()
    }

    /// Returns true for both infinities.
    pub fn is_infinite(&self) -> bool {
        self.form == Form::Inf
    }

    /// Returns true for 0 and -0.
    pub fn is_zero(&self) -> bool {
        self.form == Form::Zero
    }

    /// Returns true if both numbers have a minus sign or neither has; -0 has one.
    pub fn same_sign(&self, other: &Number) -> bool {
        self.neg == other.neg
    }

    /// Returns true if the number is less than zero.
    pub fn is_negative(&self) -> bool {
        self.neg && self.form != Form::Zero
    }

    /// Returns true for whole numbers.
    pub fn is_integer(&self) -> bool {
        match &self.form {
            Form::Zero => true,
            Form::Finite { exp, .. } => *exp >= 0,
            Form::Inf => false,
        }
    }

    /// The number as an `i64`, where it is exactly one.
    pub fn as_i64(&self) -> Option<i64> {
        let magnitude = self.magnitude_u64()?;
        if self.neg { 0i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
    }

    /// The number as a `u64`, where it is exactly one.
    pub fn as_u64(&self) -> Option<u64> {
        self.magnitude_u64().filter(|m| !self.neg || *m == 0)
    }

    /// The number as a `usize`, where it is exactly one.
    pub fn as_usize(&self) -> Option<usize> {
        self.as_u64().and_then(|n| usize::try_from(n).ok())
    }

    /// The number without its fraction: whether it is negative, and its magnitude; `None` for an infinity.
    pub fn trunc(&self) -> Option<(bool, UBig)> {
        match &self.form {
            Form::Zero => Some((self.neg, UBig::ZERO)),
            Form::Inf => None,
            Form::Finite { mant, exp } => {
                let shift = usize::try_from(exp.unsigned_abs()).ok()?;
                Some((self.neg, if *exp >= 0 { mant << shift } else { mant >> shift }))
            }
        }
    }

    /// The nearest float (ties to even), infinite where it is too large.
    pub fn to_f64(&self) -> f64 {
        let magnitude = match &self.form {
            Form::Zero => 0.0,
            Form::Inf => f64::INFINITY,
            Form::Finite { mant, exp } => float_of(mant, *exp),
        };
        if self.neg { -magnitude } else { magnitude }
    }

    /// Returns the answer of Terraform's `==`: integers are compared by value, other numbers by the text that they
    /// print. So `length([1]) / length([1, 2, 3]) == 0.33333333333333333334` is true, although the numbers differ.
    ///
    /// So `length([1]) / length([1, 2, 3]) == 0.33333333333333333334`, although the two differ.
    pub fn same_as(&self, other: &Number) -> bool {
        if self.signum() != other.signum() || self.is_integer() != other.is_integer() {
            return false;
        }
        if self.is_integer() {
            return self == other;
        }
        !self.is_far_from(other) && (self == other || self.to_string() == other.to_string())
    }

    /// Returns true if two numbers differ by far more than what the least precision leaves open, so that no text is both of theirs.
    fn is_far_from(&self, other: &Number) -> bool {
        let (a, b) = (self.to_f64(), other.to_f64());
        a.is_normal() && b.is_normal() && (a - b).abs() > 1e-12 * a.abs().max(b.abs())
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i8 {
        match (self.is_zero(), self.neg) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn magnitude_u64(&self) -> Option<u64> {
        match &self.form {
            Form::Zero => Some(0),
            Form::Finite { exp, .. } if !(0..64).contains(exp) => None,
            Form::Finite { .. } => self.trunc().and_then(|(_, m)| u64::try_from(m).ok()),
            Form::Inf => None,
        }
    }

    /// The bytes that its digits take beside a number's own size: none for one of sixteen decimal digits.
    pub fn bytes(&self) -> u64 {
        match &self.form {
            Form::Finite { mant, .. } => mant.bit_len() as u64 / 64 * 8,
            Form::Zero | Form::Inf => 0,
        }
    }

    /// The position of the topmost bit, 1 for the number one.
    /// How far its last bit is from the point: how much there is to do to write it as text.
    pub fn magnitude(&self) -> u64 {
        match &self.form {
            Form::Finite { exp, .. } => exp.unsigned_abs(),
            Form::Zero | Form::Inf => 0,
        }
    }

    fn top(&self) -> i64 {
        match &self.form {
            Form::Finite { mant, exp } => exp.saturating_add(bits(mant)),
            Form::Zero | Form::Inf => 0,
        }
    }

    fn within_limits(self) -> super::Result<Number> {
        if self.top().abs() > MAX_BITS || i64::from(self.prec) > MAX_BITS {
            return Err(super::ValueError::limit("a number of this size is not supported"));
        }
        Ok(self)
    }

    fn cmp_magnitude(&self, other: &Number) -> Ordering {
        match (&self.form, &other.form) {
            (Form::Zero, Form::Zero) | (Form::Inf, Form::Inf) => Ordering::Equal,
            (Form::Zero, _) | (_, Form::Inf) => Ordering::Less,
            (_, Form::Zero) | (Form::Inf, _) => Ordering::Greater,
            (Form::Finite { mant: a, exp: x }, Form::Finite { mant: b, exp: y }) => {
                self.top().cmp(&other.top()).then_with(|| {
                    let low = (*x).min(*y);
                    (a << mantissa::distance(*x, low)).cmp(&(b << mantissa::distance(*y, low)))
                })
            }
        }
    }
}

fn float_of(mant: &UBig, exp: i64) -> f64 {
    let top = exp.saturating_add(bits(mant));
    if top > 1024 {
        return f64::INFINITY;
    }
    let room = if top >= -1021 { 53 } else { 53 - (-1021 - top) };
    if room < 0 {
        return 0.0;
    }
    if room == 0 {
        return if mant.is_one() { 0.0 } else { f64::from_bits(1) };
    }
    let (mant, exp) = mantissa::round(mant.clone(), exp, false, u32::try_from(room).unwrap_or(53));
    let whole = u64::try_from(mant).unwrap_or(0);
    #[allow(clippy::cast_precision_loss)] // at most 53 bits by the rounding above
    let value = whole as f64;
    value * power_of_two(exp)
}

fn power_of_two(exp: i64) -> f64 {
    match u64::try_from(exp.saturating_add(1023)) {
        Ok(biased @ 1..=2046) => f64::from_bits(biased << 52),
        Ok(0) | Err(_) => f64::from_bits(1u64 << exp.saturating_add(1074).clamp(0, 52)),
        Ok(_) => f64::INFINITY,
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::rounded(value < 0, UBig::from(value.unsigned_abs()), 0, false, INT_PRECISION)
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Number {
        Number::from(i64::from(value))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        Number::rounded(false, UBig::from(value), 0, false, INT_PRECISION)
    }
}

impl From<usize> for Number {
    fn from(value: usize) -> Number {
        Number::rounded(false, UBig::from(value), 0, false, INT_PRECISION)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.signum() == other.signum() && self.form == other.form
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        self.signum().cmp(&other.signum()).then_with(|| {
            let order = self.cmp_magnitude(other);
            if self.neg { order.reverse() } else { order }
        })
    }
}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.signum().hash(state);
        if let Form::Finite { mant, exp } = &self.form {
            mant.hash(state);
            exp.hash(state);
        }
    }
}

#[cfg(test)]
mod tests;
