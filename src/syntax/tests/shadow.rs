//! Texts that hcl-edit rejects and Terraform accepts.

use super::*;

#[test]
fn byte_order_mark() {
    let text = "\u{feff}a = 1\n";
    let body = parse(text).unwrap();
    assert_eq!(slice(text, body.attribute("a").unwrap().span), "a = 1");
}

#[test]
fn repeated_keys_stay_themselves() {
    assert_eq!(shape("{ a = 1, a = 2, \"a\" = 3, \"a\" = 4 }"), "{a=1 a=2 <\"a\">=3 <\"a\">=4}");
    assert_eq!(shape("{ (b.c) = 1, (b.c) = 2 }"), "{<paren(b.c)>=1 <paren(b.c)>=2}");
    assert_eq!(shape("{ z = 1, z = 2, y = 3, z = 4, y = 5 }"), "{z=1 z=2 y=3 z=4 y=5}");
    assert_eq!(shape("{ \"${x}\" = 1, \"${x}\" = 2 }"), "{<`${x}`>=1 <`${x}`>=2}");
    let chosen = "{ a ? b : c : 1, a ? b : c = 2, a ? b ? c : d : e : 3, a ? b ? c : d : e : 4 }";
    assert_eq!(shape(chosen).matches('?').count(), 6, "{}", shape(chosen));
    assert_eq!(shape("{ a = { a = 1, a = 2 }, a = 3 }"), "{a={a=1 a=2} a=3}");
    let many: String = (0..40).map(|i| format!("k{} = {i}\n", i % 20)).collect();
    assert!(parse(&format!("x = {{\n{many}}}\n")).is_ok());
}

/// Terraform reads these texts as the next item's key, and hcl-edit as a continuation of the value before it.
#[test]
fn keys_that_could_go_on_with_a_value() {
    let object = |end: &str, key: &str| format!("{{ a = [1]{end}{key} = 2 }}");
    for end in ["\n", "\r\n", " # c\n", " /* c */ // d\n", "\n\n # c\n", ",\n", " , # c\n ", "\n/* c */"] {
        for (key, seen) in [
            ("!b", "(!b)"),
            ("-1", "(-1)"),
            ("- 1", "(-1)"),
            ("-b.c[0]", "(-((b.c)[0]))"),
            ("[0]", "[0]"),
            ("[for x in y : x]", "for x in y: x;"),
            ("(b)", "paren b"),
            ("!b == c ? 1 : 2", "(((!b) == c) ? 1 : 2)"),
        ] {
            let seen = seen.replace("paren ", "paren");
            assert_eq!(shape(&object(end, key)), format!("{{a=[1] <{seen}>=2}}"), "{}", object(end, key));
        }
    }
    for value in ["f(x)", "[1] == b", "{ for x in y : x => x }", "f(x)[0]", "a ? [1] : b", "-f(x)"] {
        for key in ["!c", "-1", "(c)", "[0]"] {
            let text = format!("{{ a = {value}\n {key} = 2, d = [1]\n !e = 1\n }}");
            assert!(
                matches!(parse_expr(&text).unwrap().kind, ExprKind::Object(items) if items.len() == 4),
                "{text}"
            );
        }
    }
    // Only a newline ends the item, and only of an object.
    for wrong in [
        "{ a = [1] !b = 1 }",
        "{ a = [1] /* c\n */ (b) = 1 }",
        "{ a = [1]\n ? 1 : 2 }",
        "{ a = [1]\n < 3 }",
        "{ a = [1]\n - 3 }",
        "{ a = [1]\n <<E\nk\nE\n = 3 }",
        "{ a = [1]\n , b = 2 }",
    ] {
        assert!(parse_expr(wrong).is_err(), "{wrong}");
    }
    assert_eq!(shape("([1]\n-a\n[0])"), "paren([1] - (a[0]))");
}

#[test]
fn numbers_out_of_range() {
    for n in ["18446744073709551617", "1e400", "9007199254740993.25", "1E+5", "0.1e-7"] {
        assert_eq!(shape(&format!("[{n}, -{n}]")), format!("[{n} (-{n})]"));
    }
    let long = "9".repeat(1000);
    assert_eq!(shape(&long), long);
}

#[test]
fn windows_line_endings() {
    let count = |text: &str| fixtures::all(&parse(text).unwrap()).len();
    let text = EVERYTHING.replace('\n', "\r\n");
    assert_eq!(count(&text), count(EVERYTHING));
}
