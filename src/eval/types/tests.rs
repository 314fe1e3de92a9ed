use super::super::literal::literal;
use super::*;
use crate::syntax::parse_expr;

fn decoded(text: &str) -> Result<Decoded, String> {
    constraint(&parse_expr(text).unwrap()).map_err(|e| e.detail)
}

fn value(text: &str) -> Value {
    literal(&parse_expr(text).unwrap()).unwrap()
}

#[test]
fn every_form_of_type() {
    let string = || Arc::new(Type::String);
    for (text, want) in [
        ("string", Type::String),
        ("any", Type::Dynamic),
        ("list", Type::List(Arc::new(Type::Dynamic))),
        ("map", Type::Map(Arc::new(Type::Dynamic))),
        ("list(string)", Type::List(string())),
        ("set(list(string))", Type::Set(Arc::new(Type::List(string())))),
        ("map(any)", Type::Map(Arc::new(Type::Dynamic))),
        ("tuple([bool, number])", Type::Tuple(vec![Type::Bool, Type::Number].into())),
    ] {
        assert_eq!(decoded(text).unwrap(), (want, None), "{text}");
    }
    let (ty, defaults) =
        decoded("object({ a = string, b = optional(number, 3), c = optional(bool) })").unwrap();
    let Type::Object(object) = ty else { panic!() };
    assert_eq!(object.attrs.len(), 3);
    assert_eq!(object.optional.iter().map(|s| &**s).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(defaults.unwrap().values["b"], value("3"));
    let (_, defaults) = decoded("object({ a = optional(number, 1 + 2) })").unwrap();
    assert_eq!(defaults.unwrap().values["a"], value("3"));
}

#[test]
fn what_is_no_type() {
    for (text, part) in [
        ("list()", "requires one argument"),
        ("set", "requires one argument"),
        ("list(list)", "requires one argument"),
        ("strng", "not a valid type specification"),
        ("string(1)", "does not expect arguments"),
        ("foo(string)", "not a valid type constructor"),
        ("optional(string)", "valid only as a modifier"),
        ("1", "primitive type keyword"),
        ("\"string\"", "Remove the quotes"),
        ("object(string)", "as a map"),
        ("object({ \"a b\" = string })", "must be attribute names"),
        ("object({ a = optional(number, \"x\") })", "not compatible"),
    ] {
        let found = decoded(text).unwrap_err();
        assert!(found.contains(part), "{text}: {found}");
    }
}

#[test]
fn defaults_fill_what_is_missing_or_null_at_every_depth() {
    let (_, defaults) = decoded(
        "map(object({ a = optional(string, \"x\"), n = optional(object({ b = optional(number, 1) }), {}) }))",
    )
    .unwrap();
    let filled = defaults.unwrap().apply(&value("{ k = { a = null }, l = { a = \"y\", n = { b = 2 } } }"));
    let want = "{ k = { a = \"x\", n = { b = 1 } }, l = { a = \"y\", n = { b = 2 } } }";
    assert_eq!(filled, value(want));
}
