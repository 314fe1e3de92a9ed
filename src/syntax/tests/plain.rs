//! The plain forms give the tree that the whole grammar gives, and take nothing that it refuses.

use super::fixtures::terraform_files;
use super::*;
use crate::issue::Code;
use crate::syntax::plain::{self, Reach};
use std::fmt::Debug;
use std::path::Path;

fn read(text: &str) -> Option<Body> {
    plain::file(text, Reach::NEAR).ok()
}

fn same<T: Debug>(text: &str, plain: Option<T>, whole: Result<T, ParseError>) -> bool {
    let Some(plain) = plain else { return false };
    let whole = whole.unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(format!("{plain:?}"), format!("{whole:?}"), "{text}");
    true
}

/// Returns true if the text is plain; both trees are compared where it is.
fn agrees(text: &str) -> bool {
    same(text, read(text), parse_by_grammar(text))
}

/// The same for a standalone expression.
fn agrees_alone(text: &str) -> bool {
    same(text, plain::standalone(text, Reach::NEAR).ok(), parse_expr_by_grammar(text))
}

/// Expressions that the plain parser reads, each as the value in `x = `.
const PLAIN: &[&str] = &[
    "null",
    "[true, false, null.a, 1, 2.50, 007, -1, - 2, -/* c */3, !a, !!b, -c.d[0], -1[0].e]",
    "a.b[0][\"k\"].c [1] .d",
    "a[*].b[0].c",
    "a-b - c-1 -d",
    "1 - 2 - 3 * 4 / 5 % 6 + 7 == 8 && !x || y != z",
    "1 < 2 == 3 >= 4 && a > b || c <= d",
    "a ? b : c ? d : e",
    "a ? b ? c : d : e",
    "(a || b) ? \"x\" : f(1)",
    "f()",
    "f( a , b ... )",
    "f (1,)",
    "[\n  a, # one\n  b // two\n  + /* three */ c,\n]",
    "{}",
    "{ a = 1, \"b\" : 2, (c) = 3, d.e = 4, f(x) = 5, null = 6, a = 7 }",
    "{\n  a = 1 # x\n\n  b = [\n    2,\n  ]\n  // y\n  c = { d = e }, f = g /* z */\n}",
    "[for x in y : x]",
    "[for k, v in m : k if v != null]",
    "{ for k, v in m : k => v }",
    "{\n  for k, v in { a = 1 } :\n  \"${k}!\" => v...\n  if v(k)\n}",
    "[for a in(b) : a if(c)]",
    "[format, for_each, forx]",
    "\"\"",
    "\"a $ b % c $$ d %% e $${f} %%{g} $$${h} \\n \\\" \\u00e9 e\u{301} é\"",
    "\"${a}\"",
    "\"${a}${b} c ${ \"d ${e[\"f\"]}\" }\\t\"",
    "\"${\n  a # c\n  + b\n}\"",
    "{ \"${a}\" = \"b\", \"c\" = 1 }",
    "a // c",
    "a /* c */",
];

/// Expressions, valid or not, that the plain parser leaves to the whole grammar.
const OTHERS: &[&str] = &[
    "<<EOT\n a\nEOT\n",
    "\"%{ if a }b%{ endif }\"",
    "\"${~ a ~}\"",
    "a.0",
    "a.*.b",
    "a[*].b[*].c",
    "provider::a::b()",
    "1e3",
    "1234567890123456",
    "é",
    "aé",
    "{ 1 = 2 }",
    "[1]\n? 1 : 0",
    "{ a =\n 1 }",
    "a\n + b",
    "a.\nb",
    "\"\\q\"",
    "\"a\nb\"",
    "(1]",
    "[for a inb : a]",
    "[for a in b : a ifc]",
    "{ for = 1 }",
    "a ? b",
    "a == ",
    "f(,)",
    "f(a..., )",
    "a b",
    "1a",
    "1.",
    "a & b",
    "/* open",
    "",
];

#[test]
fn every_plain_form() {
    for text in PLAIN {
        assert!(agrees(&format!("x = {text}\n")), "{text}");
        assert!(
            agrees(&format!("b \"l\" m {{\n  c {{ x = {text} }}\n  y = [{text}\n]\n}}"))
                || text.contains("//")
        );
        for alone in [text.to_string(), format!(" {text}"), format!("\n /* a */ {text} # b\n\t")] {
            assert!(agrees_alone(&alone), "{alone}");
        }
    }
    assert!(agrees_alone("a\n+ b\n? { c = 1\n d = 2 }\n: e.f # g"));
    for text in OTHERS {
        assert!(read(&format!("x = {text}\n")).is_none(), "{text}");
    }
}

/// Deeply nested expressions are parsed if there is enough stack, up to the parser's limits.
#[test]
fn deep_forms() {
    let nested = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    let forms = |n: usize| {
        [
            nested("a == \"b\" && c ? d[0].e : ", "", n),
            nested("a ? ", " : b", n),
            nested("(", ")", n),
            nested("[", "]", n),
            nested("{ a = ", "}", n),
            nested("\"${", "}\"", n / 2),
            nested("f(", ")", n),
            nested("a[", "]", n),
            nested("!", "", n),
            nested("[for a in b : ", "]", n),
        ]
    };
    for (alone, known) in forms(60).iter().map(|f| (f, true)).chain(forms(190).iter().map(|f| (f, false))) {
        let file = format!("x = {alone}\n");
        assert_eq!(plain::file(&file, Reach::NEAR).err(), Some(plain::Other::Deeper), "{alone}");
        let (parsed, expr) = (parse(&file), parse_expr(alone));
        on_big_stack(|| {
            assert!(plain::file(&file, Reach::FAR).is_ok(), "{alone}");
            assert!(parsed.is_ok() && expr.is_ok(), "{alone}");
            if known {
                same(&file, parsed.ok(), parse_by_grammar(&file));
                same(alone, expr.ok(), parse_expr_by_grammar(alone));
            }
        });
    }
    for alone in forms(450) {
        let error = parse(&format!("x = {alone}\n")).err();
        assert_eq!(error.map(|e| (e.code, e.span.start > 0)), Some((Code::TooDeep, true)), "{alone}");
        assert_eq!(parse_expr(&alone).err().map(|e| e.code), Some(Code::TooDeep), "{alone}");
    }
}

/// An operator of a chain is a level of the tree; what stands beside it is none.
#[test]
fn high_trees() {
    let chain = |n: usize| format!("x = a.b{}\n", " || c.d.e == \"f\"".repeat(n));
    for n in [1, 100, 120, 126, 127, 500, 510, 511, 512, 10_000] {
        assert_eq!(plain::file(&chain(n), Reach::NEAR).is_ok(), n <= 125, "{n}");
        assert_eq!(parse(&chain(n)).is_ok(), n <= 509, "{n}");
    }
    let refused = |text: &str| assert_eq!(parse(text).err().map(|e| e.code), Some(Code::TooDeep));
    refused(&chain(600));
    let long = |n: usize| format!("x = a{}\n", "[b.c].d".repeat(n));
    assert!(parse(&long(255)).is_ok());
    refused(&long(256));
    let wide = format!("x = [{}]\n", "a.b + c.d * e(f.g), ".repeat(2_000));
    assert!(agrees(&wide));
    // Forms that aren't plain have the limits of the whole grammar, and say so.
    let deep = format!("x = {}1\ny = <<E\nE\n", "a ? b : ".repeat(65));
    refused(&deep);
}

#[test]
fn bodies() {
    for text in
        ["", "# only\n", "/* c */", "a {}\n", "a \"b\" c { # d\n  e = 1\n\n  f {}\n}\n# g", "a { }\n\n\n"]
    {
        assert!(agrees(text), "{text}");
    }
    for text in [
        "a = 1\r\n",
        "\u{feff}a = 1\n",
        "a = 1\na = 2\n",
        "a {\n",
        "a }\n",
        "a {} b {}\n",
        "a \"${b}\" {}\n",
        "é = 1\n",
    ] {
        assert!(read(text).is_none(), "{text}");
    }
    // However many keys all objects of a file have.
    let objects: String =
        (0..3_000).map(|i| format!("a{i} = {{ b = 1, c = {{ d = 2 }}, \"e\" : 3 }}\n")).collect();
    assert!(agrees(&objects));
    let large =
        |n: usize| format!("a = {{\n{}}}\n", (0..n).map(|i| format!("k{i} = 1\n")).collect::<String>());
    assert!(agrees(&large(limits::OBJECT_KEYS)));
    assert_eq!(parse(&large(limits::OBJECT_KEYS + 1)).err().map(|e| e.code), Some(Code::TooLarge));
    let many: String = (0..20).map(|i| format!("a{i} = 1\n")).collect();
    assert!(agrees(&many));
    assert!(read(&format!("{many}a3 = 2\n")).is_none());
}

fn fixtures() -> Vec<String> {
    let mut files = Vec::new();
    terraform_files(Path::new(env!("CARGO_MANIFEST_DIR")), &mut files);
    files.iter().filter_map(|f| std::fs::read_to_string(f).ok()).collect()
}

#[test]
fn our_own_fixtures() {
    let texts = fixtures();
    let plain = texts.iter().filter(|text| agrees(text)).count();
    assert!(plain * 10 > texts.len() * 9, "{plain} of {}", texts.len());
}

/// Pieces of which texts are put together and disturbed.
const TOKENS: &[&str] = &[
    " ",
    "  ",
    "\n",
    "\t",
    "=",
    "==",
    "!=",
    "=>",
    ":",
    "::",
    ",",
    ".",
    "..",
    "...",
    "?",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "&&",
    "||",
    "<",
    "<<",
    "<=",
    ">",
    "(",
    ")",
    "[",
    "]",
    "[*]",
    "{",
    "}",
    "{}",
    "\"",
    "\"\"",
    "\"a\"",
    "\"${",
    "${",
    "$${",
    "%{",
    "$",
    "~",
    "\\",
    "\\n",
    "#",
    "//",
    "/*",
    "*/",
    "/* c */",
    "# c\n",
    "a",
    "b.c",
    "var.x",
    "null",
    "true",
    "for",
    "in",
    "if",
    "for x in y : x",
    "0",
    "1",
    "2.5",
    "1e3",
    "f(",
    "f(a)",
    "é",
    "\r\n",
    "a = 1",
    "b {\n",
    "a ? b : c",
    "<<E\n",
    "-1",
    "x-y",
    "_",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % n.max(1)
    }

    fn disturb(&mut self, text: &mut String) {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let mut end = (at + self.below(4)).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let end = end.max(at);
        match self.below(4) {
            0 => text.replace_range(at..end, ""),
            1 => {
                let copy = text[at..end].to_owned();
                text.insert_str(end, &copy);
            }
            _ => text.replace_range(at..end, TOKENS[self.below(TOKENS.len())]),
        }
    }
}

/// `TF_PHI_PLAIN_ROUNDS` asks for more than the usual.
#[test]
fn disturbed_texts() {
    let rounds = std::env::var("TF_PHI_PLAIN_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut texts: Vec<String> = fixtures();
    texts.retain(|text| text.len() < 600);
    texts.extend(PLAIN.iter().chain(OTHERS).map(|text| format!("x = {text}\n")));
    texts
        .extend(PLAIN.iter().chain(OTHERS).map(|text| format!("b {{\n  x = {{ k = {text}\n l = 1 }}\n}}\n")));
    let mut random = Random(rounds);
    let mut plain = 0;
    for _ in 0..rounds {
        let mut text = texts[random.below(texts.len())].clone();
        for _ in 0..1 + random.below(3) {
            random.disturb(&mut text);
        }
        plain += u64::from(agrees(&text));
    }
    assert!(plain * 10 > rounds, "{plain} of {rounds} were plain");
}
