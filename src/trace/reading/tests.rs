use super::Reading;
use crate::syntax::{ExprKind, parse_expr};
use crate::value::{Type, Value};

fn plain(text: &str) -> bool {
    Reading::References.is_plain(&parse_expr(text).unwrap())
}

#[test]
fn what_terraform_takes_is_plain() {
    for text in [
        "aws",
        "aws.us",
        "all",
        "[tags]",
        "[tags[\"Name\"], ami]",
        "[]",
        "{ aws = aws.us }",
        "\"tags\"",
        "local",
        "[data[\"roles\"]]",
        "{ null = null.main }",
    ] {
        assert!(plain(text), "{text}");
    }
    for text in
        ["var.x ? aws.us : aws", "local.ignored", "[for a in [] : a]", "{ aws = var.p }", "null", "[true]"]
    {
        assert!(!plain(text), "{text}");
    }
}

#[test]
fn a_provider_may_have_the_name_of_a_value() {
    let configured = |provider: &str, alias: &str| (provider, alias) == ("local", "main");
    let plain = |text: &str| Reading::References.is_plain_among(&parse_expr(text).unwrap(), &configured);
    assert!(plain("local.main") && plain("{ local = local.main, null = null }"));
    assert!(!plain("local.other") && !plain("{ aws = local.other }") && !plain("var.main"));
}

#[test]
fn references_become_their_text_where_values_stand() {
    let expr = parse_expr("var.x ? aws.us : local.providers[aws.x]").unwrap();
    let ExprKind::Conditional(test, yes, no) = Reading::References.expression(&expr).unwrap().kind else {
        panic!("a conditional stays one")
    };
    assert!(matches!(test.kind, ExprKind::GetAttr(..)));
    assert!(matches!(&yes.kind, ExprKind::String(s) if **s == *"aws.us"));
    assert!(matches!(no.kind, ExprKind::Index(..)), "what a local holds is a value, and so is its key");
    assert!(Reading::Value.expression(&expr).is_none());
}

#[test]
fn only_references_are_written_without_quotes() {
    let text = |v: &Value| Reading::References.text(v);
    let list = |items: &[&str]| Value::list(Type::String, items.iter().copied().map(Value::string).collect());
    assert_eq!(text(&Value::string("aws.us")).as_deref(), Some("aws.us"));
    assert_eq!(text(&list(&["tags[\"Name\"]", "ami"])).as_deref(), Some("[tags[\"Name\"], ami]"));
    assert_eq!(text(&list(&["*"])).as_deref(), Some("all"));
    for bad in ["", "a b", "a] }\nresource", "var.x", "${x}", "a # b", "1", "f(x)", "true"] {
        assert_eq!(text(&Value::string(bad)), None, "{bad:?}");
    }
    assert_eq!(text(&Value::null(Type::String)), None);
}
