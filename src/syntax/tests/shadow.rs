//! What hcl-edit rejects and Terraform accepts.

use super::*;

#[test]
fn byte_order_mark() {
    let text = "\u{feff}a = 1\n";
    let body = parse(text).unwrap().body;
    assert_eq!(slice(text, body.attribute("a").unwrap().span), "a = 1");
}

#[test]
fn repeated_keys_stay_themselves() {
    assert_eq!(shape("{ a = 1, a = 2, \"a\" = 3, \"a\" = 4 }"), "{a=1 a=2 <\"a\">=3 <\"a\">=4}");
    assert_eq!(shape("{ (b.c) = 1, (b.c) = 2 }"), "{<paren(b.c)>=1 <paren(b.c)>=2}");
    assert_eq!(shape("{ z = 1, z = 2, y = 3, z = 4, y = 5 }"), "{z=1 z=2 y=3 z=4 y=5}");
    assert_eq!(shape("{ \"${x}\" = 1, \"${x}\" = 2 }"), "{<`${x}`>=1 <`${x}`>=2}");
    assert_eq!(shape("{ a = { a = 1, a = 2 }, a = 3 }"), "{a={a=1 a=2} a=3}");
    let many: String = (0..40).map(|i| format!("k{} = {i}\n", i % 20)).collect();
    assert!(parse(&format!("x = {{\n{many}}}\n")).is_ok());
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
    let text = EVERYTHING.replace('\n', "\r\n");
    assert_eq!(parse(&text).unwrap().exprs, parse(EVERYTHING).unwrap().exprs);
}

#[test]
fn bytes() {
    assert_eq!(decode_bytes(b"a = \xff").unwrap_err().offset(), 4);
    assert_eq!(decode_bytes(b"a\0").unwrap_err().offset(), 1);
    assert!(decode_bytes(b"\xef\xbb\xbfa = 1\n").unwrap().starts_with('\u{feff}'));
}
