//! New text. The expected texts pass `terraform fmt -check`.

use super::super::emit::*;
use super::*;

#[test]
fn attributes_are_aligned_in_groups() {
    let mut w = Writer::new("", "\n");
    w.comment("phi: a\n\nb");
    w.block("module", &["db \"x\""], |w| {
        w.attribute("source", "\"./db\"").attribute("n", "1");
        w.attribute("tags", "{\n  a         = 1\n  long-name = 2\n  \"a b\"     = []\n}");
        w.attribute("x", "2").attribute("text", "<<-EOT\n  hi\n    EOT").attribute("other", "3");
        w.block("lifecycle", &[], |w| {
            w.attribute("ignore_changes", "[\n  a,\n]").attribute("y", "1");
        });
        w.block("empty", &[], |_| {});
    });
    let text = w.finish();
    let expected = r#"# phi: a
#
# b
module "db \"x\"" {
  source = "./db"
  n      = 1
  tags = {
    a         = 1
    long-name = 2
    "a b"     = []
  }
  x     = 2
  text  = <<-EOT
  hi
    EOT
  other = 3

  lifecycle {
    ignore_changes = [
      a,
    ]
    y = 1
  }

  empty {}
}
"#;
    assert_eq!(text, expected);
    assert!(parse(&text).is_ok());
}

#[test]
fn other_line_endings_and_indentations() {
    let mut w = Writer::new("    ", "\r\n");
    w.attribute("a", "{\n  b = 1\n}").blank().blank().attribute("c", "1");
    assert_eq!(w.finish(), "    a = {\r\n      b = 1\r\n    }\r\n\r\n    c = 1\r\n");
}

#[test]
fn parentheses_where_needed() {
    let paren = |text: &str, needed| paren_if_needed(text, needed).unwrap();
    let mul = BinaryOp::Multiply.precedence();
    assert_eq!(paren("a + b", mul), "(a + b)");
    assert_eq!(paren("a * b", mul), "a * b");
    assert_eq!(paren("a * b", mul + 1), "(a * b)");
    assert_eq!(paren("a ? b : c", strength::ANY), "a ? b : c");
    assert_eq!(paren("-a", strength::TERM), "(-a)");
    assert_eq!(paren("a.b[0]", strength::TERM), "a.b[0]");
    assert_eq!(paren("a &&\n b", strength::ANY), "(a &&\n b)");
    assert_eq!(paren("[\n1\n]", strength::TERM), "[\n1\n]");
    assert_eq!(paren("<<E\nx\nE", strength::ANY), "<<E\nx\nE");
    assert_eq!(paren("<<E\nx\nE", strength::TERM), "(<<E\nx\nE\n)");
    assert_eq!(paren("\"<<\"", strength::TERM), "\"<<\"");
    assert!(paren_if_needed("a +", strength::ANY).is_err());
}

#[test]
fn literals_evaluate_to_their_text() {
    for text in ["", "a\"b\\c\n\r\t", "${x} $${y} %{z} %%%{ $ % $$", "é\u{7}\u{1f600}", "~}"] {
        match parse_expr(&string_literal(text)).unwrap().kind {
            ExprKind::String(s) => assert_eq!(&*s, text),
            other => panic!("{other:?}"),
        }
    }
}
