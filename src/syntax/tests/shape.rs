//! Structure: precedence, associativity, steps, constructors.

use super::*;

#[test]
fn operators_bind_as_in_hcl() {
    assert_eq!(shape("1 - 2 - 3"), "((1 - 2) - 3)");
    assert_eq!(shape("1 + 2 * 3 == 7 && true"), "(((1 + (2 * 3)) == 7) && true)");
    assert_eq!(shape("a || b && c"), "(a || (b && c))");
    assert_eq!(shape("2 * 3 % 4 / 5"), "(((2 * 3) % 4) / 5)");
    assert_eq!(shape("1 == 1 == true"), "((1 == 1) == true)");
    assert_eq!(shape("1 < 2 == true"), "((1 < 2) == true)");
    assert_eq!(shape("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
    assert_eq!(shape("a ? b ? c : d : e"), "(a ? (b ? c : d) : e)");
    assert_eq!(shape("a || b ? c + 1 : d - 1"), "((a || b) ? (c + 1) : (d - 1))");
    assert_eq!(shape("!a == b"), "((!a) == b)");
    assert_eq!(shape("!a.b && -c[0] < 1"), "((!(a.b)) && ((-(c[0])) < 1))");
    assert_eq!(shape("- 5 + -/* c */5 - -5"), "(((-5) + (-5)) - (-5))");
    assert_eq!(shape("-1[0].a"), "(-((1[0]).a))");
    assert_eq!(shape("!!-x"), "(!(!(-x)))");
    assert_eq!(shape("a-b - c"), "(a-b - c)");
    assert_eq!(shape("(a + b) * c"), "(paren(a + b) * c)");
}

#[test]
fn steps_and_splats() {
    assert_eq!(shape("a.b[0][\"k\"].c"), "((((a.b)[0])[\"k\"]).c)");
    assert_eq!(shape("a.0.b"), "((a.0).b)");
    assert_eq!(shape("a.*.b.0.c[0].d"), "(((a.*.b.0.c)[0]).d)");
    assert_eq!(shape("a.*[0]"), "((a.*)[0])");
    assert_eq!(shape("a[*].b[0].c"), "(a[*].b[0].c)");
    assert_eq!(shape("a[*].b[*].c"), "(a[*].b([*].c))");
    assert_eq!(shape("a[*].b.*.c[0]"), "(a[*].b(.*.c)[0])");
    assert_eq!(shape("a.*.b[*].c"), "((a.*.b)[*].c)");
    assert_eq!(shape("f(x).y[*]"), "((f(x).y)[*])");
    assert!(shape("a.*.b.*.c").starts_with("error: a splat may not stand"));
    assert!(shape("a.0.1").starts_with("error: two legacy indexes"));
    assert!(shape("a.*.0.1").starts_with("error: two legacy indexes"));
    assert!(shape("1.2.3").starts_with("error: two legacy indexes"));
    assert_eq!(shape("1. 4"), "(1. 4)");
    assert_eq!(shape("a.0 .1"), "((a.0) .1)");
}

#[test]
fn constructors_and_calls() {
    assert_eq!(shape("{ a = 1, \"b\" : 2, (c) = 3 }"), "{a=1 <\"b\">=2 <parenc>=3}");
    assert_eq!(shape("{\n a = 1\n b.c = 2 # x\n\n null = 3, true = 4\n}"), "{a=1 <(b.c)>=2 null=3 true=4}");
    assert_eq!(shape("[1, [], {},]"), "[1 [] {}]");
    assert_eq!(shape("f()"), "f()");
    assert_eq!(shape("f(a, b...)"), "f(a b...)");
    assert_eq!(shape("provider :: aws::f (1,)"), "provider::aws::f(1)");
    assert_eq!(shape("[for x in y: x]"), "for x in y: x;");
    assert_eq!(shape("{for k, v in m : k => v... if k != \"\"}"), "for k,v in m: k=>v... if (k != \"\");");
}

#[test]
fn newlines_mean_nothing_inside_brackets() {
    assert_eq!(shape("\n a\n + b # c\n"), "(a + b)");
    assert_eq!(shape("[\n  for\n k, # c\n v in\n m :\n k\n if\n !\n v\n]"), "for k,v in m: k if (!v);");
    assert_eq!(shape("{\n for k, v in m\n :\n k\n =>\n v\n && k\n}"), "for k,v in m: k=>(v && k);");
    assert_eq!(shape("(\n-\n1\n)"), "paren(-1)");
    assert_eq!(shape("a[\n0\n]"), "(a[0])");
    assert!(parse("x = [{ a =\n 1 }]\n").is_err());
    assert!(parse("x = a\n + b\n").is_err());
}

#[test]
fn bodies_blocks_and_their_braces() {
    let parsed = parse(EVERYTHING).unwrap();
    let block = parsed.blocks().next().unwrap();
    assert_eq!(
        (&*block.kind.text, block.label(0), block.label(1)),
        ("resource", Some("aws_instance"), Some("web"))
    );
    assert_eq!(slice(EVERYTHING, block.labels[1].span), "\"web\"");
    assert!(slice(EVERYTHING, block.braces).starts_with("{ # trailing\n"));
    assert!(slice(EVERYTHING, block.braces).ends_with("}\n}"));
    assert!(!block.one_line);
    let dynamic = block.body.blocks_of("dynamic").next().unwrap();
    assert!(slice(EVERYTHING, dynamic.braces).starts_with("{ /* c */\n"));
    let content = dynamic.body.blocks().next().unwrap();
    assert!(content.one_line);
    assert_eq!(slice(EVERYTHING, content.body.span), " name = each.value ");
    assert_eq!(slice(EVERYTHING, content.body.attribute("name").unwrap().span), "name = each.value");
    let empty = parsed.blocks_of("empty").next().unwrap();
    assert_eq!((slice(EVERYTHING, empty.span), empty.one_line), ("empty {}", true));
}

#[test]
fn rejects_what_terraform_rejects() {
    for text in [
        "a = 1\na = 2\n",
        "a { b = 1\n",
        "a }\n",
        "x = \"a\nb\"\n",
        "x = (1]\n",
        "x = \"%{ if a }b\"\n",
        "x = \"b%{ endif }\"\n",
        "x = \"\\q\"\n",
        "x = \"\\ud800\"\n",
        "x = <<EOT\na\nEOT",
        "x = /* open\n",
        "a \"${b}\" {}\n",
        "x = \n",
        "a { b = 1, c = 2 }\n",
        "x = [1]\n? 1 : 0\n",
        "x = { a = [1]\n.b }\n",
        "x = a.\nb\n",
        "x = [for a in b : a ifc]\n",
        "x = [for a inb : a]\n",
        "x = \"%{ ifa }%{ endif }\"\n",
        "x = \"%{ for a inb }%{ endfor }\"\n",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert_eq!(shape("[for a in(b) : a if(c)]"), "for a in paren{b}: a if paren{c};".replace(['{', '}'], ""));
    assert!(parse_expr("").is_err());
    assert!(parse_expr(" # nothing\n").is_err());
}
