//! Logarithms and powers of 64-bit floats, bit by bit as Go computes them.
//!
//! Go's compiler may fuse a multiplication with an addition on some processors, never on amd64, and some have an `exp` of
//! their own, through which powers with a fractional exponent go. Where that makes a difference the answer is declined.
//! Source of the semantics: Go `math.Log`, `math.Pow` (after FreeBSD's `e_log.c`).

use super::exponential;
use crate::func::FuncError;
use crate::func::args::number;
use crate::value::{Number, Value};

/// A number argument as a float.
pub(in crate::func) fn argument(args: &[Value], i: usize) -> Result<f64, FuncError> {
    let number = number(args, i)?;
    let float = number.to_f64();
    if float.is_infinite() && !number.is_infinite() {
        return Err(FuncError::new(format!("value must be between {} and {} inclusive", f64::MIN, f64::MAX)));
    }
    Ok(float)
}

/// A float as a number.
pub(in crate::func) fn result(float: f64) -> Result<Value, FuncError> {
    match Number::from_f64(float) {
        Some(number) => Ok(Value::number(number)),
        None => Err(FuncError::new("panic in function implementation: Float.SetFloat64(NaN)")),
    }
}

/// The logarithm of `x` to a base.
pub(in crate::func) fn log(x: f64, base: f64) -> Result<f64, FuncError> {
    let plain = natural_log(x, twice_rounded) / natural_log(base, twice_rounded);
    let fused = natural_log(x, f64::mul_add) / natural_log(base, f64::mul_add);
    if plain.to_bits() == fused.to_bits() || (plain.is_nan() && fused.is_nan()) {
        Ok(plain)
    } else {
        Err(FuncError::unsupported("the last digit of this logarithm depends on the machine"))
    }
}

/// A mantissa in [0.5, 1) and the power of two that go with a finite number other than zero.
fn parts(x: f64) -> (f64, i32) {
    let (x, shift) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(54), 54) } else { (x, 0) };
    let bits = x.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).unwrap_or(0) - 1022;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent - shift)
}

#[allow(clippy::unreadable_literal, clippy::excessive_precision)] // as published
fn natural_log(x: f64, fma: fn(f64, f64, f64) -> f64) -> f64 {
    const LN2_HI: f64 = 6.93147180369123816490e-01;
    const LN2_LO: f64 = 1.90821492927058770002e-10;
    const L: [f64; 7] = [
        6.666666666666735130e-01,
        3.999999999940941908e-01,
        2.857142874366239149e-01,
        2.222219843214978396e-01,
        1.818357216161805012e-01,
        1.531383769920937332e-01,
        1.479819860511658591e-01,
    ];
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    let (mut mantissa, mut exponent) = parts(x);
    if mantissa < std::f64::consts::FRAC_1_SQRT_2 {
        mantissa *= 2.0;
        exponent -= 1;
    }
    let f = mantissa - 1.0;
    let k = f64::from(exponent);
    let s = f / (2.0 + f);
    let s2 = s * s;
    let s4 = s2 * s2;
    let [l1, l2, l3, l4, l5, l6, l7] = L;
    let t1 = s2 * fma(s4, fma(s4, fma(s4, l7, l5), l3), l1);
    let t2 = s4 * fma(s4, fma(s4, l6, l4), l2);
    let r = t1 + t2;
    let half = 0.5 * f * f;
    fma(k, LN2_HI, -((half - fma(s, half + r, k * LN2_LO)) - f))
}

/// `x` to the power of `y`.
pub(in crate::func) fn pow(x: f64, y: f64) -> Result<f64, FuncError> {
    if y == 0.0 || x == 1.0 {
        return Ok(1.0);
    }
    if y == 1.0 {
        return Ok(x);
    }
    let odd = y.abs() < 2f64.powi(53) && y % 2.0 != 0.0 && y % 1.0 == 0.0;
    if x == 0.0 {
        return Ok(match (y < 0.0, odd) {
            (true, true) => f64::INFINITY.copysign(x),
            (true, false) => f64::INFINITY,
            (false, true) => x,
            (false, false) => 0.0,
        });
    }
    if y.is_infinite() || x.is_infinite() || y.abs() >= 2f64.powi(53) {
        return Err(FuncError::unsupported("powers of and with infinite numbers are not supported"));
    }
    if y == 0.5 {
        return Ok(x.sqrt());
    }
    if y == -0.5 {
        return Ok(1.0 / x.sqrt());
    }
    let (mut whole, mut fraction) = (y.abs().trunc(), y.abs().fract());
    if fraction == 0.0 {
        return Ok(integer_power(1.0, x, y, whole));
    }
    if x < 0.0 {
        return Ok(f64::NAN);
    }
    if fraction > 0.5 {
        fraction -= 1.0;
        whole += 1.0;
    }
    let plain = fraction * natural_log(x, twice_rounded);
    let fused = fraction * natural_log(x, f64::mul_add);
    let roots = [
        exponential::amd64(plain, twice_rounded),
        exponential::amd64(plain, f64::mul_add),
        exponential::elsewhere(plain, twice_rounded),
        exponential::elsewhere(fused, f64::mul_add),
    ];
    let [first, others @ ..] = roots.map(|root| integer_power(root, x, y, whole));
    if others.iter().all(|other| other.to_bits() == first.to_bits()) {
        Ok(first)
    } else {
        Err(FuncError::unsupported("the last digit of this power depends on the machine"))
    }
}

/// `a * b + c`, rounded after each.
fn twice_rounded(a: f64, b: f64, c: f64) -> f64 {
    a * b + c
}

/// `root * x^whole`, or one by it where `y` is negative.
fn integer_power(root: f64, x: f64, y: f64, whole: f64) -> f64 {
    let (mut base, mut base_exponent) = parts(x);
    let (mut result, mut exponent) = (root, 0i32);
    // Exact: the caller has excluded fractions and what is out of range.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let mut left = whole as u64;
    while left != 0 {
        if !(-(1 << 12)..=1 << 12).contains(&base_exponent) {
            exponent += base_exponent;
            break;
        }
        if left & 1 == 1 {
            result *= base;
            exponent += base_exponent;
        }
        base *= base;
        base_exponent <<= 1;
        if base < 0.5 {
            base += base;
            base_exponent -= 1;
        }
        left >>= 1;
    }
    if y < 0.0 { scaled(1.0 / result, -exponent) } else { scaled(result, exponent) }
}

/// `x * 2^exponent`, rounded once.
fn scaled(x: f64, exponent: i32) -> f64 {
    if x == 0.0 {
        return x;
    }
    let (mantissa, own) = parts(x);
    // In [1, 2) with the exponent of a float's own encoding.
    let exponent = exponent + own - 1;
    if exponent < -1075 {
        return 0f64.copysign(x);
    }
    if exponent > 1023 {
        return f64::INFINITY.copysign(x);
    }
    let (exponent, scale) = if exponent < -1022 { (exponent + 53, 2f64.powi(-53)) } else { (exponent, 1.0) };
    let biased = u64::try_from(exponent + 1023).unwrap_or(0);
    scale * f64::from_bits(mantissa.to_bits() & !(0x7ff << 52) | biased << 52)
}
