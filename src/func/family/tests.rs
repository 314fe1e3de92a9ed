use crate::eval::standalone::eval_text;
use crate::value::json;

/// The JSON of a result; `error` or `declined`.
fn eval(text: &str) -> String {
    match eval_text(text) {
        Ok(value) if !value.is_wholly_known() => "unknown".into(),
        Ok(value) => json::encode(&value.unmark_deep().0).unwrap(),
        Err(e) if e.limit => "declined".into(),
        Err(_) => "error".into(),
    }
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (text, wanted) in rows {
        assert_eq!(eval(text), *wanted, "{text}");
    }
}

#[test]
fn case_is_mapped_letter_by_letter() {
    check(&[
        (r#"upper("straße")"#, r#""STRAßE""#),
        (r#"lower("İΣ")"#, r#""iσ""#),
        (r#"upper("ᾳᾀǰ")"#, r#""ᾼᾈǰ""#),
        (r#"upper(12)"#, r#""12""#),
        (r#"lower(null)"#, "error"),
    ]);
}

#[test]
fn ends_are_trimmed() {
    check(&[
        (r#"trim("?!hello?!", "!?")"#, r#""hello""#),
        (r#"trim("hello", "")"#, r#""hello""#),
        (r#"trimspace("\n  a b\t\u00a0")"#, r#""a b""#),
        (r#"trimprefix("helloworld", "hello")"#, r#""world""#),
        (r#"trimprefix("a", "b")"#, r#""a""#),
        (r#"trimsuffix("aaa", "a")"#, r#""aa""#),
    ]);
}

#[test]
fn text_and_lists() {
    check(&[
        (r#"join("-", ["a", 1, true])"#, r#""a-1-true""#),
        (r#"join("-", ["a"], [], ["b"])"#, r#""a-b""#),
        (r#"join("-", ["a", null])"#, "error"),
        (r#"join("-")"#, "error"),
        (r#"split(",", "a,,b")"#, r#"["a","","b"]"#),
        (r#"split("", "aé")"#, r#"["a","é"]"#),
        (r#"split(",", "")"#, r#"[""]"#),
        (r#"split("", "")"#, r#"[]"#),
        (r#"replace("aa", "", "-")"#, r#""-a-a-""#),
        (r#"replace("a/b", "/", "-")"#, r#""a-b""#),
    ]);
}

#[test]
fn conversions() {
    check(&[
        (r#"tostring(1.50)"#, r#""1.5""#),
        (r#"tonumber("1e3")"#, "1000"),
        (r#"tonumber("x")"#, "error"),
        (r#"tobool("true")"#, "true"),
        (r#"tobool("True")"#, "error"),
        (r#"tostring(null)"#, "null"),
        (r#"tostring([])"#, "error"),
        (r#"tolist(["a", 1])"#, r#"["a","1"]"#),
        (r#"toset([2, 1, 2])"#, "[1,2]"),
        (r#"tomap({a = 1, b = "c"})"#, r#"{"a":"1","b":"c"}"#),
    ]);
}

#[test]
fn picking() {
    check(&[
        (r#"coalesce("", null, "a")"#, r#""a""#),
        (r#"coalesce(null, 0)"#, "0"),
        (r#"coalesce()"#, "error"),
        (r#"coalesce(null)"#, "error"),
        (r#"coalesce(1, "a")"#, r#""1""#),
        (r#"try([][0], {}.a, 3)"#, "3"),
        (r#"try([][0])"#, "error"),
        (r#"try([1, 2]...)"#, "1"),
        (r#"can([][0])"#, "false"),
        (r#"can(nothing.here)"#, "declined"),
        (r#"can()"#, "error"),
        (r#"try(element([1, 2], -1), 7)"#, "declined"),
    ]);
}

#[test]
fn collections() {
    check(&[
        (r#"lookup({a = 1}, "a", 2)"#, "1"),
        (r#"lookup({a = 1}, "b", "x")"#, r#""x""#),
        (r#"lookup({a = 1}, "b")"#, "error"),
        (r#"lookup({a = 1}, "b", 2, 3)"#, "error"),
        (r#"lookup(tomap({a = 1}), "b", "x")"#, "error"),
        (r#"lookup({a = null}, "a", 1)"#, "null"),
        (r#"element(["a", "b"], 3)"#, r#""b""#),
        (r#"element(tolist(["a", "b"]), -1)"#, r#""b""#),
        (r#"element([], 0)"#, "error"),
        (r#"element(["a"], 0.5)"#, "error"),
        (r#"contains(["a"], "a")"#, "true"),
        (r#"contains([1], "1")"#, "false"),
        (r#"contains("a", "a")"#, "error"),
        (r#"concat([1], tolist(["a"]), [])"#, r#"[1,"a"]"#),
        (r#"concat()"#, "error"),
        (r#"merge({a = 1}, null, {a = 2, b = 3})"#, r#"{"a":2,"b":3}"#),
        (r#"merge()"#, "{}"),
        (r#"merge([])"#, "error"),
        (r#"length("👨‍👩‍👧é")"#, "2"),
        (r#"length({a = 1})"#, "1"),
        (r#"length(5)"#, "error"),
        (r#"keys({b = 1, a = 2})"#, r#"["a","b"]"#),
        (r#"values({b = 1, a = 2})"#, "[2,1]"),
        (r#"keys([])"#, "error"),
    ]);
}

#[test]
fn formats() {
    check(&[
        (r#"format("%-05d|%05.2f|%+05d|% 5d", 3, 3.14159, 3, 3)"#, r#""3    |03.14|+0003|    3""#),
        (r#"format("%-05s|%05s", "a", "b")"#, r#""a0000|0000b""#),
        (r#"format("%#x %#b %#o %#X", 255, 5, 8, 255)"#, r#""0xff 0b101 010 0XFF""#),
        (r#"format("%v %v %v", 1000000, 123456, 0.00001)"#, r#""1e+06 123456 1e-05""#),
        (
            r#"format("%e %E %g %G %f", 1e100, 1e100, 1e100, 1e-10, 2.5)"#,
            r#""1.000000e+100 1.000000E+100 1e+100 1E-10 2.500000""#,
        ),
        (r#"format("%s", [1])"#, "error"),
        (r#"format("%[2]s %s", "a", "b")"#, "error"),
        (r#"format("%[2]s %[1]s", "a", "b")"#, r#""b a""#),
        (r#"format("%05g", 1/0)"#, r#"" +Inf""#),
        (r#"format("%v %q", {a = [1]}, "<")"#, r#""{\"a\":[1]} \"\\u003c\"""#),
        (r#"format("a", 1)"#, "error"),
        (r#"format("%v", null)"#, "declined"),
        (r#"formatlist("%s-%s", ["a", "b"], "c")"#, r#"["a-c","b-c"]"#),
        (r#"formatlist("%s%s", ["a"], [])"#, "error"),
    ]);
}
