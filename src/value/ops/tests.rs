use super::*;
use crate::value::{Mark, Marks, Refinements};

fn n(number: i64) -> Value {
    Value::number(number)
}

fn s(text: &str) -> Value {
    Value::string(text)
}

fn unknown(ty: Type) -> Value {
    Value::unknown(ty)
}

fn obj(attrs: &[(&str, Value)]) -> Value {
    Value::object(attrs.iter().map(|(k, v)| (*k, v.clone())))
}

fn list(elements: Vec<Value>) -> Value {
    convert(&Value::tuple(elements), &Type::list(Type::Dynamic)).unwrap()
}

fn say(result: Result<Value>) -> String {
    let error = result.unwrap_err();
    assert!(!error.limit);
    format!("{}: {}", error.summary, error.message)
}

/// The texts are those of terraform 1.11.4.
#[test]
fn operator_errors() {
    let tuple = Value::empty_tuple();
    let null = Value::null(Type::Dynamic);
    let op = |op, a: &Value, b: &Value| say(binary(op, a, b));
    assert_eq!(
        op(BinaryOp::Add, &n(1), &s("a")),
        "Invalid operand: Unsuitable value for right operand: a number is required."
    );
    assert_eq!(
        op(BinaryOp::Add, &tuple, &n(1)),
        "Invalid operand: Unsuitable value for left operand: number required."
    );
    assert_eq!(
        op(BinaryOp::Add, &n(1), &null),
        "Operation failed: Error during operation: argument must not be null."
    );
    assert_eq!(
        op(BinaryOp::Or, &s(""), &Value::bool(true)),
        "Invalid operand: Unsuitable value for left operand: a bool is required."
    );
    let zero = n(0);
    let inf = binary(BinaryOp::Divide, &n(1), &zero).unwrap();
    assert_eq!(
        op(BinaryOp::Subtract, &inf, &inf),
        "Operation failed: Error during operation: can't subtract infinity from itself."
    );
    assert_eq!(
        op(BinaryOp::Multiply, &zero, &inf),
        "Operation failed: Error during operation: can't multiply zero by infinity."
    );
    assert_eq!(
        op(BinaryOp::Divide, &zero, &zero),
        "Operation failed: Error during operation: can't divide zero by zero or infinity by infinity."
    );
    assert_eq!(
        op(BinaryOp::Modulo, &n(5), &inf),
        "Operation failed: Error during operation: can't use modulo with zero and infinity."
    );
    assert_eq!(
        say(unary(UnaryOp::Not, &s("TRUE"))),
        "Invalid operand: Unsuitable value for unary operand: a bool is required; to convert from string, use lowercase \"true\"."
    );
}

#[test]
fn unknown_operands() {
    let not_null = Value::unknown_not_null(Type::Bool);
    assert_eq!(binary(BinaryOp::And, &unknown(Type::Bool), &Value::bool(false)).unwrap(), not_null);
    assert_eq!(binary(BinaryOp::Or, &Value::dynamic(), &Value::bool(true)).unwrap(), not_null);
    assert_eq!(
        binary(BinaryOp::Multiply, &unknown(Type::Number), &n(0)).unwrap(),
        Value::unknown_not_null(Type::Number)
    );
    assert_eq!(binary(BinaryOp::NotEqual, &unknown(Type::String), &n(0)).unwrap(), Value::bool(true));
    assert_eq!(
        binary(BinaryOp::Equal, &unknown(Type::String), &Value::null(Type::String)).unwrap(),
        not_null
    );
    let something = Value::unknown_not_null(Type::String);
    assert_eq!(binary(BinaryOp::Equal, &something, &Value::null(Type::Dynamic)).unwrap(), Value::bool(false));
    assert!(binary(BinaryOp::Add, &unknown(Type::Number), &Value::null(Type::Number)).is_err());
}

#[test]
fn refinements_decide_comparisons() {
    let at_least_one = Value::unknown_refined(
        Type::Number,
        Refinements { not_null: true, min: Some((Number::from(1), true)), ..Refinements::default() },
    );
    assert_eq!(binary(BinaryOp::Greater, &at_least_one, &n(0)).unwrap(), Value::bool(true));
    assert_eq!(binary(BinaryOp::LessEqual, &at_least_one, &n(0)).unwrap(), Value::bool(false));
    assert!(!binary(BinaryOp::Greater, &at_least_one, &n(1)).unwrap().is_known());
    assert_eq!(equals(&at_least_one, &n(0)), Value::bool(false));
    let prefixed = Value::unknown_refined(
        Type::String,
        Refinements { prefix: Some("ami-".into()), ..Refinements::default() },
    );
    assert_eq!(decide(&prefixed, &s("i-1")), Some(false));
    assert_eq!(decide(&prefixed, &s("ami-1")), None);
}

#[test]
fn equality_of_structures() {
    let u = unknown(Type::String);
    assert_eq!(decide(&Value::null(Type::Bool), &Value::null(Type::String)), Some(true));
    let typed = Value::tuple(vec![Value::null(Type::String)]);
    assert_eq!(decide(&Value::tuple(vec![Value::null(Type::Dynamic)]), &typed), Some(false));
    assert_eq!(decide(&list(vec![s("a")]), &Value::tuple(vec![s("a")])), Some(false));
    let (ab, aub) = (Value::tuple(vec![s("a"), s("b")]), Value::tuple(vec![s("x"), u.clone()]));
    assert_eq!(decide(&ab, &aub), Some(false));
    assert_eq!(decide(&Value::tuple(vec![s("a"), u.clone()]), &ab), None);
    assert_eq!(decide(&obj(&[("a", s("1")), ("b", u.clone())]), &obj(&[("a", s("2")), ("b", s("1"))])), None);
    let set = |elements| Value::set(Type::String, elements);
    assert_eq!(decide(&set(vec![s("a"), s("b")]), &set(vec![s("b"), s("a"), s("a")])), Some(true));
    assert_eq!(decide(&set(vec![u]), &set(vec![s("a")])), None);
}

#[test]
fn marks_travel() {
    let secret = s("a").with_mark(Mark::Sensitive);
    let deep = Value::tuple(vec![secret.clone()]);
    assert_eq!(equals(&deep, &deep).marks, Marks::one(Mark::Sensitive));
    assert_eq!(get_attr(&obj(&[("a", secret.clone())]), "a").unwrap(), secret);
    let key = n(0).with_mark(Mark::Sensitive);
    assert_eq!(index(&list(vec![s("a")]), &key).unwrap(), secret);
    let result = conditional(&Value::bool(true), &s("x"), &secret).unwrap();
    assert_eq!(result, s("x").with_mark(Mark::Sensitive));
    let origin = unknown(Type::Number).with_mark(Mark::Origin(7));
    assert_eq!(binary(BinaryOp::Add, &origin, &n(1)).unwrap().marks, Marks::one(Mark::Origin(7)));
    assert!(equals(&origin, &s("a")).marks.is_empty());
    let key = unknown(Type::String).with_mark(Mark::Origin(3));
    assert!(index(&obj(&[("a", n(1))]), &key).unwrap().has_mark(Mark::Origin(3)));
}

#[test]
fn index_errors() {
    let two = Value::tuple(vec![n(1), n(2)]);
    let at = |number: &str| say(index(&two, &Value::number(Number::parse(number).unwrap())));
    let prefix = "Invalid index: The given key does not identify an element in this collection value";
    assert_eq!(
        at("2"),
        format!("{prefix}: the given index is greater than or equal to the length of the collection.")
    );
    assert_eq!(at("5"), format!("{prefix}."));
    assert_eq!(
        at("0.5"),
        format!(
            "{prefix}: indexing a sequence requires a whole number, but the given index has a fractional part."
        )
    );
    assert_eq!(at("-1"), format!("{prefix}: a negative number is not a valid index for a sequence."));
    assert_eq!(
        say(index(&Value::empty_tuple(), &n(0))),
        format!("{prefix}: the collection has no elements.")
    );
    assert_eq!(say(index(&two, &s("x"))), format!("{prefix}: a number is required."));
    let object = obj(&[("a", n(1))]);
    assert_eq!(
        say(index(&object, &n(0))),
        format!("{prefix}. An object only supports looking up attributes by name, not by numeric index.")
    );
    assert_eq!(
        say(get_attr(&object, "b")),
        "Unsupported attribute: This object does not have an attribute named \"b\"."
    );
    let map = convert(&object, &Type::map(Type::Dynamic)).unwrap();
    assert_eq!(
        say(get_attr(&map, "b")),
        "Missing map element: This map does not have an element with the key \"b\"."
    );
    assert_eq!(
        say(get_attr(&s("a"), "b")),
        "Unsupported attribute: Can't access attributes on a primitive-typed value (string)."
    );
    assert_eq!(
        say(index(&Value::null(Type::Dynamic), &n(0))),
        "Attempt to index null value: This value is null, so it does not have any indices."
    );
    assert_eq!(index(&two, &s("1")).unwrap(), n(2));
    assert_eq!(index(&object, &unknown(Type::String)).unwrap(), Value::dynamic());
}

#[test]
fn conditional_errors() {
    let cond = |a: &Value, b: &Value| say(conditional(&Value::bool(true), a, b));
    let tuple = Value::empty_tuple();
    let prefix = "Inconsistent conditional result types: The true and false result expressions must have consistent types.";
    assert_eq!(
        cond(&n(1), &tuple),
        format!("{prefix} The 'true' value is number, but the 'false' value is tuple.")
    );
    assert_eq!(
        cond(&obj(&[("a", n(1))]), &obj(&[("b", tuple.clone())])),
        format!(
            "{prefix} The 'true' value includes object attribute \"a\", which is absent in the 'false' value."
        )
    );
    assert_eq!(
        cond(&Value::tuple(vec![n(1)]), &Value::tuple(vec![tuple.clone()])),
        format!(
            "{prefix} Type mismatch for tuple element 0: The 'true' value is number, but the 'false' value is tuple."
        )
    );
    assert_eq!(
        cond(&list(vec![obj(&[("a", n(1))])]), &list(vec![obj(&[("b", tuple)])])),
        format!(
            "{prefix} Mismatched list element types: The 'true' value includes object attribute \"a\", which is absent in the 'false' value."
        )
    );
    let null = Value::null(Type::Bool);
    assert_eq!(
        say(conditional(&null, &n(1), &n(2))),
        "Null condition: The condition value is null. Conditions must either be true or false."
    );
    assert_eq!(
        say(conditional(&s("x"), &n(1), &n(2))),
        "Incorrect condition type: The condition expression must be of type bool."
    );
}

#[test]
fn conditionals_of_unknowns() {
    let open = unknown(Type::Bool);
    let refined = conditional(&open, &n(1), &n(3)).unwrap();
    let want = Refinements {
        not_null: true,
        min: Some((Number::from(1), true)),
        max: Some((Number::from(3), true)),
        ..Refinements::default()
    };
    assert_eq!(refined.refinements(), Some(&want));
    assert_eq!(conditional(&open, &n(2), &n(2)).unwrap(), n(2));
    assert_eq!(
        conditional(&open, &list(vec![n(1)]), &list(vec![n(2)])).unwrap(),
        Value::list(Type::Number, vec![unknown(Type::Number)])
    );
    assert_eq!(conditional(&Value::bool(true), &Value::dynamic(), &n(1)).unwrap(), Value::dynamic());
}

fn splatted(source: &Value) -> Value {
    match splat(source).unwrap() {
        Splat::Done(value) => value,
        Splat::Each { items, shape } => shape.finish(items).unwrap(),
    }
}

#[test]
fn splats_of_unknowns_and_null() {
    assert_eq!(splatted(&unknown(Type::String)), Value::dynamic());
    let some = Value::unknown_not_null(Type::String);
    assert_eq!(splatted(&some), Value::tuple(vec![some]));
    assert_eq!(splatted(&unknown(Type::list(Type::Bool))), Value::unknown_not_null(Type::list(Type::Bool)));
    assert_eq!(
        say(splat(&Value::null(Type::list(Type::Bool))).map(|_| n(0))),
        "Splat of null value: Splat expressions (with the * symbol) cannot be applied to null sequences."
    );
}
