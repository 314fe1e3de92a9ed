//! Keywords, addresses, references.

use super::super::traversal::*;
use super::*;

fn references(text: &str) -> Vec<&str> {
    let expr = parse_expr(text).unwrap();
    variables(&expr).iter().map(|t| slice(text, t.span)).collect()
}

#[test]
fn addresses() {
    let text = "data.x[\"k\"].b[0].1";
    let t = absolute_traversal(&parse_expr(text).unwrap()).unwrap();
    assert_eq!((&*t.root.text, t.steps.len(), slice(text, t.span)), ("data", 5, text));
    let TraversalStep::Index(IndexKey::String(k), span) = &t.steps[1] else { panic!() };
    assert_eq!((&**k, slice(text, *span)), ("k", "\"k\""));
    let TraversalStep::Index(IndexKey::Number(_), span) = &t.steps[4] else { panic!() };
    assert_eq!(slice(text, *span), "1");
    for text in ["a[b]", "(a)", "a[*]", "f()", "a[-1]", "\"a\"", "a[\"${b}\"]"] {
        assert!(absolute_traversal(&parse_expr(text).unwrap()).is_none(), "{text}");
    }
}

#[test]
fn keywords() {
    let keyword = |t: &str| as_keyword(&parse_expr(t).unwrap()).map(|k| k.text.to_string());
    assert_eq!(keyword("all"), Some("all".into()));
    assert_eq!(keyword("null"), Some("null".into()));
    assert_eq!(keyword("true"), Some("true".into()));
    assert_eq!(keyword("a.b"), None);
}

#[test]
fn references_in_source_order() {
    assert_eq!(references("a.b + c[0].d"), ["a.b", "c[0].d"]);
    assert_eq!(references("a.b[c.d].e"), ["a.b", "c.d"]);
    assert_eq!(references("a.b[*].c[d.e]"), ["a.b", "d.e"]);
    assert_eq!(references("{ k = v, (x) = y, z.w = 1 }"), ["v", "x", "y", "z.w"]);
    assert_eq!(references("f(a...)[b]"), ["a", "b"]);
    assert_eq!(references("true.x ? null : (a).b"), ["a"]);
    assert_eq!(references("\"${a} %{ if b }${c}%{ endif }\""), ["a", "b", "c"]);
}

#[test]
fn bound_names_are_no_references() {
    assert_eq!(references("[for k, v in v.list : k + v.x + w if v]"), ["v.list", "w"]);
    assert_eq!(references("{ for s in a : s.id => [for s in s.l : s + t] }"), ["a", "t"]);
    assert_eq!(references("\"%{ for x in x.y }${x}${z}%{ endfor }${x}\""), ["x.y", "z", "x"]);
}

#[test]
fn body_walk_gives_the_blocks_around() {
    let parsed = parse(EVERYTHING).unwrap();
    let mut paths = Vec::new();
    walk::walk_body(&parsed, &mut |path, a| {
        let kinds: Vec<&str> = path.iter().map(|b| &*b.kind.text).collect();
        paths.push(format!("{}/{}", kinds.join("/"), a.name.text));
    });
    assert!(paths.contains(&"resource/dynamic/content/name".to_string()));
    assert_eq!(paths[0], "resource/count");
}
