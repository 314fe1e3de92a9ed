//! Strings, templates, heredocs: every expected value is Terraform's.

use super::*;

fn text(source: &str) -> String {
    match parse_expr(source).unwrap().kind {
        ExprKind::String(s) => s.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn escapes() {
    assert_eq!(text(r#""a\n\r\t\"\\b""#), "a\n\r\t\"\\b");
    assert_eq!(text(r#""\u00e9\U0001F600""#), "é😀");
    assert_eq!(text(r#""$${x} %%{y} $$${z} $ %% $$""#), "${x} %{y} $${z} $ %% $$");
    assert_eq!(text(r#""$$$$${x}""#), "$$$${x}");
    assert_eq!(text("\"e\u{301}\""), "é");
    assert_eq!(text("\"\""), "");
    let error = parse_expr(r#"["ok", "\q"]"#).unwrap_err();
    assert!((8..=10).contains(&error.span.start));
}

#[test]
fn templates_keep_what_unwraps() {
    assert_eq!(shape(r#""${x}""#), "`${x}`");
    assert_eq!(shape(r#""a${x}b${y}""#), r#"`"a"${x}"b"${y}`"#);
    assert_eq!(shape(r#""%%${x}$""#), r#"`"%%"${x}"$"`"#);
    // Trimmed away text still stands there, so that HCL doesn't unwrap.
    assert_eq!(shape(r#"" ${~ x ~}  ""#), r#"`""${x}""`"#);
    assert_eq!(shape(r#""a\n ${~ x}""#), r#"`"a"${x}`"#);
    assert_eq!(shape(r#""a ${x ~} ${y}""#), r#"`"a "${x}""${y}`"#);
    assert_eq!(shape("\"${\n \"in ${1}\"\n}\""), r#"`${`"in "${1}`}`"#);
    let ExprKind::Template(t) = parse_expr("<<E\n${x}\nE\n").unwrap().kind else { panic!() };
    assert!(t.heredoc && t.parts.len() == 2);
}

#[test]
fn directives() {
    assert_eq!(shape(r#""%{ if a }x%{ else }y${b}%{ endif }z""#), r#"`%if(a "x"|"y"${b})"z"`"#);
    assert_eq!(shape(r#""%{ if a }\"%{ endif }""#), r#"`%if(a "\""|)`"#);
    assert_eq!(shape("\"%{ for k,\n v in m ~} x %{~ endfor }\""), r#"`%for(k,v m "x")`"#);
    assert_eq!(shape(r#""%{for x in y}%{if x}1%{endif}%{endfor}""#), r#"`%for(x y %if(x "1"|))`"#);
    assert_eq!(shape("\"$%{if a}%{endif}\""), r#"`"$"%if(a |)`"#);
}

#[test]
fn heredocs() {
    assert_eq!(text("<<EOT\nEOT\n"), "");
    assert_eq!(text("<<EOT\n  a\n b\\n\"\n  EOT\n"), "  a\n b\\n\"\n");
    assert_eq!(text("<<-EOT\n    a\n\n      b\n  EOT\n"), "a\n\n  b\n");
    assert_eq!(text("<<EOT\r\na\r\nEOT\r\n"), "a\r\n");
    assert_eq!(text("<<EOT\nEOT x\n EOTx\nx EOT\nEOT\n"), "EOT x\n EOTx\nx EOT\n");
    assert_eq!(text("<<-EOT\n  \ta\n    b\n  EOT \n"), "a\n b\n");
    assert_eq!(shape("[<<A\na\nA\n, <<A\nA\n, 1]"), "[\"a\\n\" \"\" 1]");
    // What follows the word makes the line text, so that both are one heredoc.
    assert_eq!(shape("[<<A\na\nA, <<A\nb\nA\n]"), "[\"a\\nA, <<A\\nb\\n\"]");
}

#[test]
fn heredoc_indentation_counts_lines_not_sequences() {
    assert_eq!(shape("<<-E\n  ${a}\n    b\n  E\n"), r#"`""${a}"\n  b\n"`"#);
    assert_eq!(shape("<<-E\n${a}\n    b\n  E\n"), r#"`${a}"\n    b\n"`"#);
    // A newline that was trimmed away ends no line.
    assert_eq!(shape("<<-E\n    a ${x ~}\n  b\n  E\n"), r#"`"a "${x}"  b\n"`"#);
    assert_eq!(shape("<<E\n ${a ~}\n  b\nE\n"), r#"`" "${a}"  b\n"`"#);
    assert_eq!(shape("<<E\na\n  ${~ a}\nE\n"), r#"`"a\n"${a}"\n"`"#);
    assert_eq!(shape("<<-E\n    %{ if a ~}\n    x\n    %{ endif ~}\n    E\n"), r#"`""%if(a "    x\n"|)""`"#);
}

#[test]
fn heredoc_spans_and_what_follows() {
    let source = "x = <<-EOT\n  a ${b}\n  EOT\ny = 1\n";
    let body = parse(source).unwrap();
    let x = body.attribute("x").unwrap();
    assert_eq!(slice(source, x.span), "x = <<-EOT\n  a ${b}\n  EOT");
    let ExprKind::Template(t) = &x.expr.kind else { panic!() };
    let TemplatePart::Interpolation(b, span) = &t.parts[1] else { panic!() };
    assert_eq!((slice(source, b.span), slice(source, *span)), ("b", "${b}"));
    assert!(body.attribute("y").is_some());
}

#[test]
fn bare_templates() {
    let bare = |s: &str| show(&parse_template(s).unwrap(), s);
    assert_eq!(bare(""), "\"\"");
    assert_eq!(bare("a \"b\" \\n\n$${c}"), r#""a \"b\" \\n\n${c}""#);
    assert_eq!(bare("${x}"), "`${x}`");
    assert_eq!(bare("a$"), "\"a$\"");
    assert_eq!(bare("%{ if a ~}\n x\n%{ endif }"), r#"`%if(a " x\n"|)`"#);
    assert!(parse_template("${x").is_err());
    assert!(parse_template("%{ if x }").is_err());
}
