use super::*;
use crate::value::{Mark, Number, Type};

/// The texts are those of `jsonencode` in terraform console 1.11.4.
#[test]
fn encodes_as_terraform() {
    let value = Value::object([
        ("b", Value::string("<a>&\u{1}\u{2028}\"\u{8}\u{c}\u{7f}é/")),
        ("a", Value::number(1)),
    ]);
    assert_eq!(
        encode(&value).unwrap(),
        "{\"a\":1,\"b\":\"\\u003ca\\u003e\\u0026\\u0001\\u2028\\\"\\b\\f\u{7f}é/\"}"
    );
    assert_eq!(encode(&Value::number(Number::parse("1e21").unwrap())).unwrap(), "1000000000000000000000");
    assert_eq!(encode(&Value::null(Type::Dynamic)).unwrap(), "null");
}

#[test]
fn refuses_what_has_no_json() {
    let message = |v: &Value| (encode(v).unwrap_err().message, to_json(v).unwrap_err().message);
    let twice = |text: &str| (text.to_string(), text.to_string());
    let marked = Value::tuple(vec![Value::number(1).with_mark(Mark::Sensitive)]);
    assert_eq!(message(&marked), twice("value has marks, so it cannot be serialized as JSON"));
    assert_eq!(message(&Value::dynamic()), twice("value is not known"));
    assert_eq!(message(&Value::number(Number::infinity(false))), twice("cannot serialize infinity as JSON"));
}

#[test]
fn numbers_stay_exact() {
    for text in ["0.1", "18446744073709551617", "123456789012345678901234567890.000000000000000000001", "-0"]
    {
        let value = decode(text).unwrap();
        assert_eq!(encode(&value).unwrap(), text);
        assert_eq!(to_json(&value).unwrap().to_string(), text);
    }
    assert_eq!(decode("1e3").unwrap(), Value::number(1000));
}

#[test]
fn decodes_as_terraform() {
    assert_eq!(decode(" \"\\ud800x\\ud83d\\ude00\\u00e9\" ").unwrap(), Value::string("\u{fffd}x😀é"));
    assert_eq!(decode("1]}xx").unwrap(), Value::number(1));
    assert_eq!(decode("{\"a\":1,\"a\":2}").unwrap(), Value::object([("a", Value::number(2))]));
    assert!(decode("{\"a\":1,\"a\":\"x\"}").unwrap_err().limit);
    assert_eq!(decode("[null,{\"a\":[]}]").unwrap().ty.to_string(), "tuple([any,object({a=tuple([])})])");
    for (text, want) in [
        ("", "EOF"),
        ("tru", "unexpected EOF"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("01", "extraneous data after JSON object"),
        ("1 2", "extraneous data after JSON object"),
    ] {
        assert_eq!(decode(text).unwrap_err().message, want, "{text}");
    }
    for text in [
        "[1",
        "{\"a\"",
        "{\"a\":1,}",
        "{a:1}",
        "\"\n\"",
        "\"\\x\"",
        "\"\\u12",
        "+1",
        ".5",
        "1.",
        "-",
        "nul",
        "'a'",
    ] {
        assert!(decode(text).is_err(), "{text}");
    }
}
