//! Reading and writing RFC 3339.
//!
//! go-cty reads strictly; Terraform's own `timecmp` as Go's `time.Parse` does: a single digit for the hour, a comma
//! before fractions, and offsets up to `24:60`.

use crate::func::FuncError;

/// A point in time with an offset from UTC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::func) struct Time {
    /// Seconds since 1970-01-01T00:00:00 on the local clock, without leap seconds.
    local: i64,
    nanosecond: u32,
    /// Seconds east of UTC.
    pub(in crate::func) offset: i64,
}

/// A point in time taken apart.
pub(in crate::func) struct Parts {
    pub(in crate::func) year: i64,
    pub(in crate::func) month: u8,
    pub(in crate::func) day: u8,
    pub(in crate::func) hour: u8,
    pub(in crate::func) minute: u8,
    pub(in crate::func) second: u8,
    /// Days since Sunday.
    pub(in crate::func) weekday: u8,
}

const DAY: i64 = 86_400;
const NANOS: i64 = 1_000_000_000;

impl Time {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    pub(in crate::func) fn instant(&self) -> i128 {
        i128::from(self.local - self.offset) * i128::from(NANOS) + i128::from(self.nanosecond)
    }

    /// Returns the time this many nanoseconds later, with the same offset.
    ///
    /// # Errors
    /// Declined outside the years 0 to 9999, where RFC 3339 ends.
    pub(in crate::func) fn after(self, nanoseconds: i64) -> Result<Time, FuncError> {
        let sum = i64::from(self.nanosecond) + nanoseconds.rem_euclid(NANOS);
        let local = self.local + nanoseconds.div_euclid(NANOS) + sum.div_euclid(NANOS);
        let nanosecond = u32::try_from(sum.rem_euclid(NANOS)).unwrap_or(0);
        let time = Time { local, nanosecond, ..self };
        if (0..=9999).contains(&time.parts().year) {
            Ok(time)
        } else {
            Err(FuncError::unsupported("the year has more than four digits"))
        }
    }

    /// The calendar's view, by the proleptic Gregorian calendar.
    pub(in crate::func) fn parts(&self) -> Parts {
        let days = self.local.div_euclid(DAY);
        let clock = self.local.rem_euclid(DAY);
        // Years that begin in March make leap days the last of a year; 719468 days lead from their epoch to ours.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let small = |n: i64| u8::try_from(n).unwrap_or(0);
        Parts {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: small(month),
            day: small(day_of_year - (153 * march_month + 2) / 5 + 1),
            hour: small(clock / 3600),
            minute: small(clock / 60 % 60),
            second: small(clock % 60),
            weekday: small((days + 4).rem_euclid(7)),
        }
    }

    /// The offset as `+hh:mm`, with the given text between.
    pub(in crate::func) fn offset_text(&self, between: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{between}{:02}", minutes / 60, minutes % 60)
    }

    /// Returns the time in RFC 3339, to the second.
    pub(in crate::func) fn to_text(self) -> String {
        let Parts { year, month, day, hour, minute, second, .. } = self.parts();
        let zone = if self.offset == 0 { "Z".to_owned() } else { self.offset_text(":") };
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}")
    }
}

/// Parses a time as go-cty does.
///
/// # Errors
/// Returns an error for text that is not valid RFC 3339.
pub(in crate::func) fn strict(text: &str) -> Result<Time, FuncError> {
    Scanner { rest: text.as_bytes(), strict: true }.time().ok_or_else(|| invalid(text))
}

/// Parses a time as Terraform's `timecmp` does.
///
/// # Errors
/// Returns an error for text that Go's `time.Parse` doesn't take for RFC 3339.
pub(in crate::func) fn lax(text: &str) -> Result<Time, FuncError> {
    Scanner { rest: text.as_bytes(), strict: false }.time().ok_or_else(|| invalid(text))
}

fn invalid(text: &str) -> FuncError {
    FuncError::new(format!("not a valid RFC3339 timestamp: cannot use {text:?}"))
}

struct Scanner<'a> {
    rest: &'a [u8],
    strict: bool,
}

impl Scanner<'_> {
    fn time(&mut self) -> Option<Time> {
        let year = self.digits(4)?;
        self.byte(b'-')?;
        let month = self.digits(2).filter(|m| (1..=12).contains(m))?;
        self.byte(b'-')?;
        let day = self.digits(2).filter(|d| (1..=days_in(year, month)).contains(d))?;
        self.byte(b'T')?;
        let short_hour = !self.strict && !self.rest.get(1).is_some_and(u8::is_ascii_digit);
        let hour = self.digits(if short_hour { 1 } else { 2 }).filter(|h| *h < 24)?;
        self.byte(b':')?;
        let minute = self.digits(2).filter(|m| *m < 60)?;
        self.byte(b':')?;
        let second = self.digits(2).filter(|s| *s < 60)?;
        let nanosecond = self.fraction();
        let offset = self.offset()?;
        let days = days_before(year, month) + day - 1;
        let local = days * DAY + hour * 3600 + minute * 60 + second;
        self.rest.is_empty().then_some(Time { local, nanosecond, offset })
    }

    fn byte(&mut self, wanted: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[wanted])?;
        Some(())
    }

    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        digits.iter().try_fold(0, |n, d| d.is_ascii_digit().then(|| n * 10 + i64::from(d - b'0')))
    }

    /// The fraction, if there is one; digits after the ninth don't count.
    fn fraction(&mut self) -> u32 {
        let (point, digits) = match self.rest {
            [point, digits @ ..] => (*point, digits),
            [] => return 0,
        };
        let count = digits.iter().take_while(|d| d.is_ascii_digit()).count();
        if count == 0 || !(point == b'.' || point == b',' && !self.strict) {
            return 0;
        }
        let (digits, rest) = digits.split_at(count);
        self.rest = rest;
        let padded = digits.iter().chain(std::iter::repeat(&b'0')).take(9);
        padded.fold(0, |n, d| n * 10 + u32::from(d - b'0'))
    }

    fn offset(&mut self) -> Option<i64> {
        if self.byte(b'Z').is_some() {
            return Some(0);
        }
        let east = self.byte(b'+').is_some();
        if !east {
            self.byte(b'-')?;
        }
        let (max_hour, max_minute) = if self.strict { (23, 59) } else { (24, 60) };
        let hours = self.digits(2).filter(|h| *h <= max_hour)?;
        self.byte(b':')?;
        let minutes = self.digits(2).filter(|m| *m <= max_minute)?;
        let offset = hours * 3600 + minutes * 60;
        Some(if east { offset } else { -offset })
    }
}

/// The number of days that a month has.
pub(in crate::func) fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to the first of the month.
fn days_before(year: i64, month: i64) -> i64 {
    let earlier: i64 = (1..month).map(|m| days_in(year, m)).sum();
    // Leap days before the year, counted from year 0, which is one.
    let leaps = |y: i64| (y + 3).div_euclid(4) - (y + 99).div_euclid(100) + (y + 399).div_euclid(400);
    (year - 1970) * 365 + leaps(year) - leaps(1970) + earlier
}
