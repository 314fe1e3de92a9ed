use super::*;

fn n(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn prints_as_terraform() {
    for (text, want) in [
        ("0.1", "0.1"),
        ("9007199254740993.0", "9007199254740993"),
        ("18446744073709551616", "18446744073709551616"),
        (".5", "0.5"),
        ("5.", "5"),
        ("+5", "5"),
        ("1p3", "8"),
        ("1e3", "1000"),
        ("inf", "+Inf"),
    ] {
        assert_eq!(n(text).to_string(), want, "{text}");
    }
}
