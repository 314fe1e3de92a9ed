//! Arithmetic as go-cty does it: which precision a result takes, where zeros keep a sign, what is an error.
//!
//! Sources of the semantics: go-cty `value_ops.go` (Add, Multiply, Divide, Modulo) and Go's `math/big.Float`.

use super::mantissa::{bits, distance, quotient, round};
use super::{Form, Number, TEXT_PRECISION};
use crate::value::{Result, ValueError};
use dashu_int::UBig;

impl Number {
    /// Builds a number from a magnitude, rounding half to even to `prec` bits; `sticky` says that bits were lost
    /// below the last one given.
    pub(super) fn rounded(neg: bool, mant: UBig, exp: i64, sticky: bool, prec: u32) -> Number {
        let (mant, exp) = round(mant, exp, sticky, prec);
        let form = if mant.is_zero() { Form::Zero } else { Form::Finite { mant, exp } };
        Number { neg, prec, form }
    }

    /// The sum.
    ///
    /// # Errors
    /// Opposing infinities; sizes beyond the limits.
    pub fn add(&self, other: &Number) -> Result<Number> {
        let prec = self.prec.max(other.prec);
        match (&self.form, &other.form) {
            (Form::Inf, Form::Inf) if self.neg != other.neg => {
                Err(ValueError::new("can't compute sum of opposing infinities"))
            }
            (Form::Zero, Form::Zero) => Ok(Number { neg: self.neg && other.neg, prec, form: Form::Zero }),
            (Form::Inf, _) | (_, Form::Zero) => Ok(Number { prec, ..self.clone() }),
            (Form::Zero, _) | (_, Form::Inf) => Ok(Number { prec, ..other.clone() }),
            (Form::Finite { mant: a, exp: x }, Form::Finite { mant: b, exp: y }) => {
                let low = (*x).min(*y);
                let (a, b) = (a << distance(*x, low), b << distance(*y, low));
                let (neg, mant) = match (self.neg == other.neg, a.cmp(&b)) {
                    (true, _) => (self.neg, a + b),
                    (false, std::cmp::Ordering::Greater) => (self.neg, a - b),
                    (false, std::cmp::Ordering::Less) => (other.neg, b - a),
                    (false, std::cmp::Ordering::Equal) => (false, UBig::ZERO),
                };
                Number::rounded(neg, mant, low, false, prec).within_limits()
            }
        }
    }

    /// The difference.
    ///
    /// # Errors
    /// An infinity less itself; sizes beyond the limits.
    pub fn sub(&self, other: &Number) -> Result<Number> {
        if self.is_infinite() && other.is_infinite() && self.neg == other.neg {
            return Err(ValueError::new("can't subtract infinity from itself"));
        }
        self.add(&other.neg())
    }

    /// The number with its sign turned; zero becomes negative zero, which prints as `-0`.
    #[must_use]
    pub fn neg(&self) -> Number {
        Number { neg: !self.neg, ..self.clone() }
    }

    /// The number without its sign.
    #[must_use]
    pub fn abs(&self) -> Number {
        Number { neg: false, ..self.clone() }
    }

    /// The product: at most 512 bits, and no fewer than the operands' precision.
    ///
    /// # Errors
    /// Zero times infinity; sizes beyond the limits.
    pub fn mul(&self, other: &Number) -> Result<Number> {
        let product = self.product(other, TEXT_PRECISION);
        let Some(product) = product else {
            return Err(ValueError::new("can't multiply zero by infinity"));
        };
        let least = match &product.form {
            Form::Finite { mant, .. } => u32::try_from(bits(mant)).unwrap_or(u32::MAX),
            Form::Zero | Form::Inf => 0,
        };
        let prec = self.prec.max(other.prec).max(least);
        Number { prec, ..product }.within_limits()
    }

    /// The quotient, rounded to the larger of the two precisions; infinite where only the divisor is zero.
    ///
    /// # Errors
    /// Zero by zero, infinity by infinity; sizes beyond the limits.
    pub fn div(&self, other: &Number) -> Result<Number> {
        let prec = self.prec.max(other.prec);
        let neg = self.neg != other.neg;
        let form = match (&self.form, &other.form) {
            (Form::Zero, Form::Zero) | (Form::Inf, Form::Inf) => {
                return Err(ValueError::new("can't divide zero by zero or infinity by infinity"));
            }
            (Form::Zero, _) | (_, Form::Inf) => Form::Zero,
            (Form::Inf, _) | (_, Form::Zero) => Form::Inf,
            (Form::Finite { mant: a, exp: x }, Form::Finite { mant: b, exp: y }) => {
                let (mant, exp) = quotient((a, *x), (b, *y), prec);
                Form::Finite { mant, exp }
            }
        };
        Number { neg, prec, form }.within_limits()
    }

    /// The remainder of the division truncated towards zero, with the sign of `self`; `x % 0` is `x`.
    ///
    /// The intermediate product is rounded to the precision of `self`, as in cty.
    ///
    /// # Errors
    /// Infinities; sizes beyond the limits.
    pub fn rem(&self, other: &Number) -> Result<Number> {
        if other.is_zero() {
            return Ok(self.clone());
        }
        let quotient = self.div(other)?;
        let nan = || ValueError::new("can't use modulo with zero and infinity");
        let Some((neg, whole)) = quotient.trunc() else {
            return Err(nan());
        };
        let whole = Number::rounded(neg, whole, 0, false, self.prec);
        let whole = if whole.is_zero() { Number { neg: false, ..whole } } else { whole };
        let product = other.product(&whole, self.prec).ok_or_else(nan)?;
        let rest = self.add(&product.neg())?;
        Ok(rest.with_precision(self.prec))
    }

    /// The largest whole number not above.
    #[must_use]
    pub fn floor(&self) -> Number {
        self.whole(self.neg)
    }

    /// The least whole number not below.
    #[must_use]
    pub fn ceil(&self) -> Number {
        self.whole(!self.neg)
    }

    /// The number rounded to another precision.
    #[must_use]
    pub fn with_precision(&self, prec: u32) -> Number {
        match &self.form {
            Form::Finite { mant, exp } => Number::rounded(self.neg, mant.clone(), *exp, false, prec),
            Form::Zero | Form::Inf => Number { prec, ..self.clone() },
        }
    }

    fn whole(&self, away: bool) -> Number {
        if self.is_integer() {
            return Number { neg: self.is_negative(), ..self.clone() };
        }
        match self.trunc() {
            Some((neg, whole)) => {
                let whole = if away { whole + UBig::ONE } else { whole };
                let neg = neg && !whole.is_zero();
                Number::rounded(neg, whole, 0, false, self.prec)
            }
            None => self.clone(),
        }
    }

    /// The product rounded to `prec`; `None` for zero times infinity.
    fn product(&self, other: &Number, prec: u32) -> Option<Number> {
        let neg = self.neg != other.neg;
        let form = match (&self.form, &other.form) {
            (Form::Zero, Form::Inf) | (Form::Inf, Form::Zero) => return None,
            (Form::Zero, _) | (_, Form::Zero) => Form::Zero,
            (Form::Inf, _) | (_, Form::Inf) => Form::Inf,
            (Form::Finite { mant: a, exp: x }, Form::Finite { mant: b, exp: y }) => {
                return Some(Number::rounded(neg, a * b, x.saturating_add(*y), false, prec));
            }
        };
        Some(Number { neg, prec, form })
    }
}
