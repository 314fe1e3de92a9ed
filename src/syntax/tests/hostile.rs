//! Limits: an error at once, never a panic, never a hang.

use super::*;

fn refused(text: &str) -> String {
    parse(text).unwrap_err().message
}

#[test]
fn deep_nesting() {
    let n = 10_000;
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{a=", "}"),
        ("\"${", "}\""),
        ("!", ""),
        ("-", ""),
        ("f(", ")"),
        ("a[", "]"),
    ] {
        let text = format!("x = {}1{}\n", open.repeat(n), close.repeat(n));
        assert!(refused(&text).contains("nested too deeply"), "{open}");
        assert!(parse(&format!("x = {}", open.repeat(n))).is_err());
        assert!(parse_expr(&open.repeat(n)).is_err());
    }
    assert!(refused(&"b {\n".repeat(n)).contains("nested too deeply"));
    let text = format!("x = \"{}{}\"\n", "%{ if a }".repeat(n), "%{ endif }".repeat(n));
    assert!(refused(&text).contains("nested too deeply"));
    assert!(refused(&format!("x = a{}\n", ".b".repeat(n))).contains("nested too deeply"));
    assert!(parse(&format!("x = 1{}\n", " + 1".repeat(n))).is_err());
    assert!(parse(&format!("x = {}1\n", "a ? b : ".repeat(n))).is_err());
}

#[test]
fn allowed_depth_fits_a_small_stack() {
    let deep = |n: usize| format!("x = {}1{}\n", "[".repeat(n), "]".repeat(n));
    let work = move || parse(&deep(30)).map(|body| fixtures::all(&body).len());
    let small = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap();
    assert_eq!(small.join().unwrap(), Ok(31));
    // On the two MiB of a test's thread.
    assert!(parse(&format!("x = {}1\n", "a ? b : ".repeat(60))).is_ok());
    assert!(parse(&format!("x = {}1{}\n", "(1 + ".repeat(60), ")".repeat(60))).is_ok());
    assert!(parse(&format!("x = 1{}\n", " + -a.b[0]".repeat(120))).is_ok());
    assert!(parse(&format!("x = [{}]\n", "a ? b : c, ".repeat(1000))).is_ok());
    let keys = parse_expr(&format!("a{}", "[b]".repeat(500))).unwrap();
    assert_eq!(traversal::variables(&keys.clone()).len(), 501);
    let long = format!("x = a{}\n", "[0].b".repeat(200));
    assert_eq!(fixtures::all(&parse(&long).unwrap()).len(), 601);
}

#[test]
fn sizes() {
    let keys =
        |n: usize| format!("x = {{\n{}}}\n", (0..n).map(|i| format!("k{i} = 1\n")).collect::<String>());
    assert!(parse(&keys(1000)).is_ok());
    assert!(refused(&keys(limits::OBJECT_KEYS + 1)).contains("at most 5000"));
    let large = " ".repeat(limits::FILE_BYTES + 1);
    assert!(refused(&large).contains("8 MiB"));
}

#[test]
fn every_truncation_and_deletion_answers() {
    for at in 0..EVERYTHING.len() {
        let (head, tail) = EVERYTHING.split_at(at);
        let _ = parse(head);
        let _ = parse(&format!("{head}{}", tail.get(1..).unwrap_or("")));
        let _ = parse(&format!("{head}\"{tail}"));
        let _ = parse(&format!("{head}}}{tail}"));
        let _ = parse_template(tail);
        let _ = parse_expr(tail);
    }
}

#[test]
fn a_big_stack_gives_back_what_was_computed() {
    assert_eq!(on_big_stack(|| 7), 7);
}
