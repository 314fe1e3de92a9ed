use super::*;
use convert::convert;

fn nested(depth: usize) -> Value {
    (1..depth).fold(Value::empty_tuple(), |value, _| Value::tuple(vec![value]))
}

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
}

#[test]
fn deepest_values_fit_a_small_stack() {
    on_small_stack(|| {
        let deep = nested(MAX_DEPTH);
        assert!(deep.is_wholly_known());
        assert!(Value::check_depth([&nested(MAX_DEPTH - 1)]).is_ok());
        assert!(Value::check_depth([&deep]).unwrap_err().limit);
        let deeper = Value::tuple(vec![deep.clone()]);
        assert!(deeper.is_too_large() && !deeper.is_known());
        assert!(Value::list(Type::Dynamic, vec![deeper]).is_too_large());
        let text = json::encode(&deep).unwrap();
        assert_eq!(json::decode(&text).unwrap(), deep);
        assert!(json::decode(&format!("[{text}]")).unwrap_err().limit);
        assert!(json::decode(&"[".repeat(1_000_000)).unwrap_err().limit);
        assert!(json::to_json(&deep).is_ok() && hcl::to_hcl(&deep).is_some());
        assert_eq!(ops::decide(&deep, &nested(MAX_DEPTH)), Some(true));
        assert_eq!(unify::unify(&[deep.ty.clone(), deep.ty.clone()], true).unwrap().ty, deep.ty);
    });
}

#[test]
fn conversions_of_deep_values_fit_a_small_stack() {
    on_small_stack(|| {
        let deep = (0..200).fold(Value::string("1"), |value, _| Value::object([("a", value)]));
        let other = (0..200).fold(Value::number(1), |value, _| Value::object([("a", value)]));
        let converted = convert(&deep, &other.ty).unwrap();
        assert_eq!(converted, other);
        assert!(ops::conditional(&Value::bool(true), &deep, &other).is_ok());
        let marked = deep.with_mark(Mark::Sensitive);
        assert!(marked.clone().unmark_deep().0.marks_deep().is_empty());
        let wrong = (0..200).fold(Value::empty_tuple(), |value, _| Value::object([("a", value)]));
        assert!(ops::conditional(&Value::bool(true), &marked, &wrong).is_err());
    });
}

/// Unification tries several ways at each level; nesting must not multiply them.
#[test]
fn unifying_deep_types_takes_no_exponential_time() {
    on_small_stack(|| {
        let tuples = |leaf: Type| (0..60).fold(leaf, |ty, _| Type::tuple([ty]));
        let pair = |leaf: Type| (0..24).fold(leaf, |ty, i| Type::tuple(vec![ty; 1 + i % 2]));
        let lists = (0..60).fold(Type::String, |ty, _| Type::list(ty));
        let _ = unify::unify(&[tuples(Type::String), lists.clone()], true);
        let _ =
            unify::unify(&[tuples(Type::tuple([Type::object([("a", Type::Bool)])])), lists.clone()], true);
        let _ = unify::unify(&[pair(Type::String), pair(Type::tuple([])), lists], true);
    });
}

#[test]
fn strings_are_normalised() {
    assert_eq!(Value::string("e\u{301}").as_str(), Some("é"));
    assert_eq!(Value::object([("e\u{301}", Value::number(1))]).as_map().unwrap().len(), 1);
}

#[test]
fn untyped_elements_take_the_element_type() {
    let list = Value::list(Type::String, vec![Value::null(Type::Dynamic), Value::dynamic()]);
    assert!(list.parts().all(|v| v.ty == Type::String));
}

#[test]
fn origins_stay_with_unknowns() {
    let origin = Mark::Origin(1);
    assert!(Value::string("a").with_mark(origin).marks.is_empty());
    assert!(Value::unknown(Type::String).with_mark(origin).has_mark(origin));
    let half = Value::tuple(vec![Value::string("a"), Value::dynamic()]).with_mark(origin);
    assert!(half.has_mark(origin));
    let mut stale = Value::string("a");
    stale.marks = Marks::one(origin).union(&Marks::one(Mark::Sensitive));
    assert_eq!(Value::tuple(vec![stale]).normalised().marks_deep(), Marks::one(Mark::Sensitive));
}

#[test]
fn elements_have_keys() {
    let keys = |v: &Value| v.elements().map(|(k, _)| k).collect::<Vec<_>>();
    let a = || Value::string("a");
    assert_eq!(keys(&Value::tuple(vec![a()])), [Value::number(0)]);
    assert_eq!(keys(&Value::set(Type::String, vec![a()])), [a()]);
    assert_eq!(keys(&Value::object([("a", Value::number(1))])), [a()]);
    assert!(keys(&Value::dynamic()).is_empty());
}

#[test]
fn literals() {
    let value = Value::object([
        (
            "a-b",
            Value::tuple(vec![
                Value::string("${x} %{y} $$${z}\n\"\\\u{200b}\u{1f600}\t"),
                Value::null(Type::Bool),
            ]),
        ),
        ("for", Value::number(Number::parse("0.5").unwrap())),
        ("1a", Value::object::<&str>([])),
    ]);
    let want = "{ \"1a\" = {}, a-b = [\"$${x} %%{y} $$$${z}\\n\\\"\\\\\\u200b😀\\t\", null], \"for\" = 0.5 }";
    assert_eq!(hcl::to_hcl(&value).unwrap(), want);
    assert_eq!(hcl::to_hcl(&Value::tuple(vec![Value::dynamic()])), None);
    assert_eq!(hcl::to_hcl(&Value::number(1).with_mark(Mark::Sensitive)), None);
    assert_eq!(hcl::to_hcl(&Value::number(Number::infinity(true))), None);
}
