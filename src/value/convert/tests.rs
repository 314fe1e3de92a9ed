use super::*;
use crate::value::{Mark, Number, Refinements};

fn tuple(elements: Vec<Value>) -> Value {
    Value::tuple(elements)
}

fn s(text: &str) -> Value {
    Value::string(text)
}

fn n(text: &str) -> Value {
    Value::number(Number::parse(text).unwrap())
}

fn why(value: &Value, ty: &Type) -> String {
    convert(value, ty).unwrap_err().message
}

/// The texts are those of go-cty 1.16.0, which terraform 1.11.4 carries.
#[test]
fn errors() {
    let strings = Type::list(Type::String);
    assert_eq!(why(&s("x"), &Type::Number), "a number is required");
    assert_eq!(why(&s("x"), &Type::Bool), "a bool is required");
    assert_eq!(
        why(&s("False"), &Type::Bool),
        "a bool is required; to convert from string, use lowercase \"false\""
    );
    assert_eq!(why(&Value::bool(true), &Type::Number), "number required");
    assert_eq!(why(&s("x"), &strings), "list of string required");
    assert_eq!(why(&s("x"), &Type::list(Type::Dynamic)), "list of any single type required");
    assert_eq!(why(&tuple(vec![s("a"), tuple(vec![])]), &strings), "element 1: string required");
    assert_eq!(
        why(&tuple(vec![s("a"), tuple(vec![])]), &Type::list(Type::Dynamic)),
        "all list elements must have the same type"
    );
    assert_eq!(why(&Value::object::<&str>([]), &strings), "list of string required");
    let want = Type::object([("a", Type::String), ("b", Type::Number), ("c", Type::Bool)]);
    assert_eq!(why(&Value::object::<&str>([]), &want), "attributes \"a\", \"b\", and \"c\" are required");
    let value = Value::object([("a", s("")), ("b", tuple(vec![])), ("c", s("true"))]);
    assert_eq!(why(&value, &want), "attribute \"b\": number required");
    let lists = Value::list(strings.clone(), vec![]);
    assert_eq!(why(&lists, &strings), "incorrect list element type: string required");
    let map = Value::map(Type::String, [("a", s("x"))]);
    assert_eq!(why(&map, &want), "map has no element for required attribute \"b\"");
}

#[test]
fn marks_and_limits_of_primitives() {
    let secret = s("5").with_mark(Mark::Sensitive);
    assert_eq!(convert(&secret, &Type::Number).unwrap(), n("5").with_mark(Mark::Sensitive));
    assert!(convert(&s("1e999999999"), &Type::Number).unwrap_err().limit);
}

#[test]
fn optional_attributes_become_null() {
    let inner = Type::object_with_optional([("x", Type::Number)], ["x"]);
    let want = Type::object_with_optional([("a", Type::String), ("o", inner.clone())], ["o"]);
    let value = convert(&Value::object([("a", n("1")), ("extra", n("2"))]), &want).unwrap();
    assert_eq!(
        value,
        Value::object([("a", s("1")), ("o", Value::null(Type::object([("x", Type::Number)])))])
    );
    let map = Value::map(Type::String, [("a", s("x"))]);
    assert_eq!(
        convert(&map, &Type::object_with_optional([("a", Type::String), ("z", Type::Bool)], ["z"]))
            .unwrap()
            .ty,
        Type::object([("a", Type::String), ("z", Type::Bool)])
    );
    let list =
        convert(&tuple(vec![Value::object::<&str>([]), Value::null(Type::Dynamic)]), &Type::list(inner))
            .unwrap();
    assert_eq!(list.ty, Type::list(Type::object([("x", Type::Number)])));
}

#[test]
fn unknowns_and_nulls() {
    let strings = Type::list(Type::String);
    assert_eq!(convert(&Value::null(Type::Dynamic), &strings).unwrap(), Value::null(strings.clone()));
    let dynamic = Value::dynamic().with_mark(Mark::Origin(1));
    assert_eq!(
        convert(&dynamic, &strings).unwrap(),
        Value::unknown(strings.clone()).with_mark(Mark::Origin(1))
    );
    let pair = Value::unknown(Type::tuple([Type::Number, Type::Bool]));
    let lengths = Refinements { min_len: Some(2), max_len: Some(2), ..Refinements::default() };
    assert_eq!(convert(&pair, &strings).unwrap(), Value::unknown_refined(strings.clone(), lengths));
    assert_eq!(
        convert(&pair, &Type::list(Type::Dynamic)).map_err(|e| e.message),
        Err("all list elements must have the same type".into())
    );
    let value = tuple(vec![Value::unknown(Type::Number), s("a")]);
    assert_eq!(
        convert(&value, &strings).unwrap(),
        Value::list(Type::String, vec![Value::unknown(Type::String), s("a")])
    );
}

#[test]
fn marks_of_elements() {
    let marked = convert(&tuple(vec![s("a").with_mark(Mark::Sensitive)]), &Type::set(Type::String)).unwrap();
    assert_eq!(marked, Value::set(Type::String, vec![s("a")]).with_mark(Mark::Sensitive));
}
