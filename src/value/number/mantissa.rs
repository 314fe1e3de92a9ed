//! Mantissas: how long they are, and how they are rounded.

use dashu_base::{BitTest, DivRem};
use dashu_int::UBig;

/// The number of bits of a mantissa.
pub(super) fn bits(mant: &UBig) -> i64 {
    i64::try_from(mant.bit_len()).unwrap_or(i64::MAX)
}

/// Returns the distance from `low` up to `high`, as a shift.
pub(super) fn distance(high: i64, low: i64) -> usize {
    usize::try_from(high.saturating_sub(low)).unwrap_or(0)
}

/// `a / b` to `prec` bits, half to even.
pub(super) fn quotient(a: (&UBig, i64), b: (&UBig, i64), prec: u32) -> (UBig, i64) {
    let want = i64::from(prec) + 2 + bits(b.0) - bits(a.0);
    let shift = usize::try_from(want).unwrap_or(0);
    let (q, r) = (a.0 << shift).div_rem(b.0);
    let exp = a.1 - b.1 - i64::try_from(shift).unwrap_or(0);
    round(q, exp, !r.is_zero(), prec)
}

/// Rounds `mant * 2^exp` half to even to `prec` bits and makes the mantissa odd.
pub(super) fn round(mant: UBig, exp: i64, sticky: bool, prec: u32) -> (UBig, i64) {
    let excess = bits(&mant) - i64::from(prec);
    if excess <= 0 {
        return odd(mant, exp);
    }
    let drop = usize::try_from(excess).unwrap_or(0);
    let (low, mut high) = mant.split_bits(drop);
    let half = UBig::ONE << (drop - 1);
    let up = match low.cmp(&half) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => sticky || high.trailing_zeros() == Some(0),
    };
    if up {
        high += UBig::ONE;
    }
    odd(high, exp.saturating_add(excess))
}

pub(super) fn odd(mant: UBig, exp: i64) -> (UBig, i64) {
    match mant.trailing_zeros() {
        Some(n) if n > 0 => (mant >> n, exp.saturating_add(i64::try_from(n).unwrap_or(0))),
        _ => (mant, exp),
    }
}
