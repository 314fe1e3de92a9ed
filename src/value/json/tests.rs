use super::*;

#[test]
fn encodes_as_terraform() {
    let value = Value::object([("b", Value::string("<a>&\u{1}\u{2028}\"")), ("a", Value::number(1))]);
    assert_eq!(encode(&value).unwrap(), r#"{"a":1,"b":"\u003ca\u003e\u0026\u0001\u2028\""}"#);
}
