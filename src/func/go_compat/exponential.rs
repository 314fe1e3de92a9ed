//! `e` to a power, as Go computes it on each kind of processor.
//!
//! Go has a routine of its own for amd64, which fuses multiplications with additions where the processor can, and another
//! one for arm64; elsewhere it follows FreeBSD's `e_exp.c`.
//! Source of the semantics: Go `math.Exp`, `exp_amd64.s`, `exp_arm64.s`.

use std::f64::consts::LOG2_E;

/// `a * b + c`, rounded once or twice.
pub(in crate::func) type Fma = fn(f64, f64, f64) -> f64;

/// `2` to a power that a float has.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).unwrap_or(0) << 52)
}

/// A whole number that is far from the limits.
#[allow(clippy::cast_possible_truncation)]
fn whole(x: f64) -> i32 {
    x as i32
}

/// On amd64, for exponents of which the result is an ordinary float: a Taylor series of a sixteenth, squared four times.
#[allow(clippy::excessive_precision)] // as published
pub(in crate::func) fn amd64(x: f64, fma: Fma) -> f64 {
    const LN2_HIGH: f64 = 0.69314718055966295651160180568695068359375;
    const LN2_LOW: f64 = 0.28235290563031577122588448175013436025525412068e-12;
    const SERIES: [f64; 7] = [
        1.9841269841269841270e-4,
        1.3888888888888888889e-3,
        8.3333333333333333333e-3,
        4.1666666666666666667e-2,
        1.6666666666666666667e-1,
        0.5,
        1.0,
    ];
    let k = (x * LOG2_E).round_ties_even();
    let x = fma(-k, LN2_LOW, fma(-k, LN2_HIGH, x)) * 0.0625;
    let series = SERIES.iter().fold(2.4801587301587301587e-5, |sum, next| fma(sum, x, *next));
    let mut less_one = x * series;
    for _ in 0..3 {
        less_one *= less_one + 2.0;
    }
    fma(less_one, less_one + 2.0, 1.0) * power_of_two(whole(k))
}

/// Elsewhere, for exponents of which the result is an ordinary float.
#[allow(clippy::excessive_precision, clippy::unreadable_literal)] // as published
pub(in crate::func) fn elsewhere(x: f64, fma: Fma) -> f64 {
    const LN2_HIGH: f64 = 6.93147180369123816490e-01;
    const LN2_LOW: f64 = 1.90821492927058770002e-10;
    const P: [f64; 4] = [
        -1.65339022054652515390e-06,
        6.61375632143793436117e-05,
        -2.77777777770155933842e-03,
        1.66666666666666657415e-01,
    ];
    if x.abs() < 2f64.powi(-28) {
        return 1.0 + x;
    }
    let k = fma(LOG2_E, x, 0.5f64.copysign(x)).trunc();
    let (high, low) = (fma(-k, LN2_HIGH, x), k * LN2_LOW);
    let r = high - low;
    let square = r * r;
    let sum = P.iter().fold(4.13813679705723846039e-08, |sum, next| fma(square, sum, *next));
    let c = fma(-square, sum, r);
    (1.0 - ((low - (r * c) / (2.0 - c)) - high)) * power_of_two(whole(k))
}
