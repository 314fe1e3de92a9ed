//! Numbers to text, as Terraform prints them: the shortest decimal that reads back as the same bits.
//!
//! Source of the semantics: Go's `big.Float.Text`. Its search for the shortest digits compares the bounds digit by
//! digit without minding where their points stand; that is kept, since the digits are what people see.

use super::mantissa::bits;
use dashu_int::UBig;

/// A decimal `0.d1d2d3… * 10^exp`, without trailing zeros.
#[derive(Clone)]
pub(super) struct Decimal {
    pub(super) digits: Vec<u8>,
    pub(super) exp: i64,
}

impl Decimal {
    /// `mant * 2^shift`, exactly.
    pub(super) fn exact(mant: UBig, shift: i64) -> Decimal {
        let size = usize::try_from(shift.unsigned_abs()).unwrap_or(0);
        let (whole, scale) = if shift >= 0 {
            (mant << size, 0)
        } else {
            let zeros = mant.trailing_zeros().unwrap_or(0).min(size);
            let rest = size - zeros;
            ((mant >> zeros) * UBig::from(5u8).pow(rest), i64::try_from(rest).unwrap_or(i64::MAX))
        };
        let text = if whole.is_zero() { String::new() } else { whole.to_string() };
        let exp = i64::try_from(text.len()).unwrap_or(i64::MAX) - scale;
        let mut decimal = Decimal { digits: text.into_bytes(), exp };
        decimal.trim();
        decimal
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.exp = 0;
        }
    }

    pub(super) fn at(&self, i: i64) -> u8 {
        usize::try_from(i).ok().and_then(|i| self.digits.get(i)).copied().unwrap_or(b'0')
    }

    pub(super) fn len(&self) -> i64 {
        i64::try_from(self.digits.len()).unwrap_or(i64::MAX)
    }

    /// Rounds half to even to `n` digits.
    pub(super) fn round(&mut self, n: usize) {
        let Some(next) = self.digits.get(n).copied() else { return };
        let half = next == b'5' && n + 1 == self.digits.len();
        let odd = n > 0 && self.digits.get(n - 1).is_some_and(|d| d & 1 == 1);
        if if half { odd } else { next >= b'5' } {
            self.round_up(n);
        } else {
            self.round_down(n);
        }
    }

    fn round_down(&mut self, n: usize) {
        self.digits.truncate(n);
        self.trim();
    }

    fn round_up(&mut self, n: usize) {
        self.digits.truncate(n);
        while self.digits.last() == Some(&b'9') {
            self.digits.pop();
        }
        match self.digits.last_mut() {
            Some(digit) => *digit += 1,
            None => {
                self.digits.push(b'1');
                self.exp += 1;
            }
        }
    }
}

/// The shortest decimal that rounds to `mant * 2^exp` at `prec` bits.
pub(super) fn shortest(mant: &UBig, exp: i64, prec: u32) -> Decimal {
    let mut decimal = Decimal::exact(mant.clone(), exp);
    let shift = i64::from(prec) + 1 - bits(mant);
    let wide = mant << usize::try_from(shift).unwrap_or(0);
    let exp = exp - shift.max(0);
    let inclusive = !dashu_base::BitTest::bit(&wide, 1);
    let lower = Decimal::exact(&wide - UBig::ONE, exp);
    let upper = Decimal::exact(wide + UBig::ONE, exp);
    for i in 0..decimal.digits.len() {
        let at = i64::try_from(i).unwrap_or(i64::MAX);
        let (digit, low, high) = (decimal.at(at), lower.at(at), upper.at(at));
        let down = low != digit || inclusive && i + 1 == lower.digits.len();
        let up = digit != high && (inclusive || digit + 1 < high || i + 1 < upper.digits.len());
        match (down, up) {
            (true, true) => decimal.round(i + 1),
            (true, false) => decimal.round_down(i + 1),
            (false, true) => decimal.round_up(i + 1),
            (false, false) => continue,
        }
        break;
    }
    decimal
}
