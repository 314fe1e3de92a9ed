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
    let body = parse(TEXT).unwrap();
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
    let body = parse(text).unwrap();
    assert!(leading_comments(text, body.attribute("b").unwrap().span).is_empty());
    let d = body.blocks().next().unwrap().body.attribute("d").unwrap().span;
    assert_eq!(item_full_lines(text, d), d);
    let last = "x = 1\ny = 2";
    let y = parse(last).unwrap().attribute("y").unwrap().span;
    assert_eq!(slice(last, item_full_lines(last, y)), "y = 2");
}

/// A heredoc's last line and what looks like a comment within are text.
#[test]
fn text_of_a_heredoc_is_no_comment() {
    let text = "a = <<EOT\n# text\nEOT\nb = 1\n";
    let body = parse(text).unwrap();
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
    let body = parse(TEXT).unwrap();
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

/// A block on one line ends on a later one where its item's brackets hold newlines.
#[test]
fn one_line_blocks_with_newlines_in_brackets() {
    let text = "a { b = [\n  1\n] }\nc { d = [\n2 ]\n}\ne { /* f\n*/ # g\n}\n";
    let brace = |n: usize| text.match_indices('{').nth(n).unwrap().0;
    for (n, end, place) in [(0, "] }", None), (2, "# g\n}", Some("}"))] {
        let end = text.find(end).unwrap() + end.len();
        let braces = Span::new(brace(n), end);
        let first = after_opening_brace(text, braces).map(|at| &text[at as usize..at as usize + 1]);
        assert_eq!(first, place, "{n}");
        assert_eq!(before_closing_brace(text, braces).is_some(), place.is_some());
    }
}

#[test]
fn a_comment_that_trails_over_lines_goes_with_its_item() {
    let text = "a = 1 /* x\ny */\nb = 2\n";
    let a = parse(text).unwrap().attribute("a").unwrap().span;
    assert_eq!(slice(text, item_full_lines(text, a)), "a = 1 /* x\ny */\n");
}

/// A line that begins with `//` may be the end of a block comment, which is removed or kept as a whole.
#[test]
fn a_block_comment_is_not_cut() {
    let text = "/* a\n//*/\nb = 1\n";
    let b = parse(text).unwrap().attribute("b").unwrap().span;
    assert_eq!(slice(text, item_full_lines(text, b)), text);
    let text = "a = 1\n//*/\nb = 1\n";
    let b = parse(text).unwrap().attribute("b").unwrap().span;
    assert_eq!(slice(text, item_full_lines(text, b)), "b = 1\n");
}
