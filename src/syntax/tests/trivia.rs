//! Comments, lines, places for insertion.

use super::super::trivia::*;
use super::*;

const TEXT: &str = "# Licence

# about a
// more
a = 1 # trailing
/* long
   comment */
b {
  # inner
  c = \"# no /* comment */\"

  d {}
} // end
";

#[test]
fn comments_belong_to_the_item_below() {
    let body = parse(TEXT).unwrap().body;
    let a = body.attribute("a").unwrap().span;
    assert_eq!(slice(TEXT, leading_comments(TEXT, a)), "# about a\n// more\n");
    assert_eq!(slice(TEXT, item_full_lines(TEXT, a)), "# about a\n// more\na = 1 # trailing\n");
    let b = body.blocks().next().unwrap();
    assert_eq!(slice(TEXT, leading_comments(TEXT, b.span)), "/* long\n   comment */\n");
    assert!(slice(TEXT, item_full_lines(TEXT, b.span)).ends_with("} // end\n"));
    let c = b.body.attribute("c").unwrap().span;
    let all = "  # inner\n  c = \"# no /* comment */\"\n";
    assert_eq!(slice(TEXT, item_full_lines(TEXT, c)), all);
    let d = b.body.blocks().next().unwrap().span;
    assert!(leading_comments(TEXT, d).is_empty());
}

#[test]
fn a_comment_after_code_belongs_to_the_code() {
    let text = "a = 1 /* x */\nb = 2\nc { d = 1 }\n";
    let body = parse(text).unwrap().body;
    assert!(leading_comments(text, body.attribute("b").unwrap().span).is_empty());
    let d = body.blocks().next().unwrap().body.attribute("d").unwrap().span;
    assert_eq!(item_full_lines(text, d), d);
    let last = "x = 1\ny = 2";
    let y = parse(last).unwrap().body.attribute("y").unwrap().span;
    assert_eq!(slice(last, item_full_lines(last, y)), "y = 2");
}

/// A heredoc's last line and what looks like a comment within are text.
#[test]
fn text_of_a_heredoc_is_no_comment() {
    let text = "a = <<EOT\n# text\nEOT\nb = 1\n";
    let body = parse(text).unwrap().body;
    assert!(leading_comments(text, body.attribute("b").unwrap().span).is_empty());
}

#[test]
fn lines() {
    assert_eq!(line_ending("a\r\nb\r\nc\n"), "\r\n");
    assert_eq!(line_ending("a\nb"), "\n");
    assert_eq!(line_indent("a\n \tb = 1", 6), " \t");
    assert_eq!(skip_inline("  /* a */ /* b\n*/ c", 0), 18);
    assert_eq!(skip_trivia(" # x\n\n // y\n/* z */\tc", 0), 20);
}

#[test]
fn places_in_blocks() {
    let body = parse(TEXT).unwrap().body;
    let b = body.blocks().next().unwrap();
    let first = after_opening_brace(TEXT, b.braces).unwrap() as usize;
    assert!(TEXT[first..].starts_with("  # inner"));
    let last = before_closing_brace(TEXT, b.braces).unwrap() as usize;
    assert!(TEXT[last..].starts_with("} // end"));
    assert_eq!(inner_indent(TEXT, b.span.start), "  ");
    let one_line = b.body.blocks().next().unwrap();
    assert_eq!(after_opening_brace(TEXT, one_line.braces), None);
    assert_eq!(before_closing_brace(TEXT, one_line.braces), None);
}
