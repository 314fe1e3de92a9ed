use super::*;
use std::collections::HashSet;

fn n(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn absurd_sizes_are_limits() {
    for text in ["1e999999999", "1e-999999999", "1p9999999", "1e80000"] {
        assert!(Number::parse(text).unwrap_err().limit, "{text}");
    }
    assert!(Number::parse(&"9".repeat(300_000)).unwrap_err().limit);
    assert!(Number::parse(&"9".repeat(79_000)).unwrap_err().limit);
    let big = n("1e50000");
    assert!(big.mul(&big).unwrap_err().limit);
}

#[test]
fn precision_is_that_of_the_operands() {
    let (one, three) = (Number::from(1), Number::from(3));
    assert_eq!(one.div(&three).unwrap().to_string(), "0.33333333333333333334");
    assert!(one.div(&three).unwrap().same_as(&n("0.33333333333333333334")));
    assert_ne!(one.div(&three).unwrap(), n("0.33333333333333333334"));
    assert!(!n("1").div(&n("3")).unwrap().same_as(&n("0.33333333333333333334")));
    assert_eq!(one.div(&n("3")).unwrap().prec, 512);
}

#[test]
fn whole_numbers() {
    assert_eq!(n("-7.5").floor().to_string(), "-8");
    assert_eq!(n("-7.5").ceil().to_string(), "-7");
    assert_eq!(n("-0.5").ceil().to_string(), "0");
    assert_eq!(n("7.5").ceil().as_i64(), Some(8));
    assert_eq!(n("-9223372036854775808").as_i64(), Some(i64::MIN));
    assert_eq!(n("9223372036854775808").as_i64(), None);
    assert_eq!(n("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(n("-0").as_u64(), Some(0));
    assert_eq!(n("1.5").as_usize(), None);
    assert!(n("1e3").is_integer() && !n("inf").is_integer());
}

#[test]
fn order_and_hash_agree_with_equality() {
    let sorted = ["-inf", "-2", "-0.1", "0", "1e-50", "0.1", "1", "1.5", "2", "1e50", "inf"];
    for (i, a) in sorted.iter().enumerate() {
        for (j, b) in sorted.iter().enumerate() {
            assert_eq!(n(a).cmp(&n(b)), i.cmp(&j), "{a} {b}");
        }
    }
    let set: HashSet<Number> = [n("1"), Number::from(1), n("1.0"), n("0"), n("-0")].into();
    assert_eq!(set.len(), 2);
}

#[test]
fn floats_both_ways() {
    for f in [0.1, 1e308, 5e-324, f64::MIN_POSITIVE, -2.5, 1e22, 2f64.powi(-1074) * 3.0, f64::MAX] {
        assert_eq!(Number::from_f64(f).unwrap().to_f64().to_bits(), f.to_bits(), "{f}");
    }
    assert!(Number::from_f64(f64::NAN).is_none());
    for text in
        ["0.1", "1e23", "2.4703282292062328e-324", "2.4703282292062327e-324", "1.7976931348623159e308"]
    {
        assert_eq!(n(text).to_f64(), text.parse::<f64>().unwrap(), "{text}");
    }
}
