//! Bytes → text → tree → edits at the tree's spans → text → tree.

use crate::rng::Rng;
use tf_phi::syntax::{self, Body, Expr, ExprKind, Item, TemplatePart, trivia};
use tf_phi::text::{EditSet, Span};

/// The check.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (expr, whole) = (syntax::parse_expr(text), syntax::parse_expr_by_grammar(text));
    if !matches!(&whole, Err(e) if e.is_limit()) {
        assert_eq!(format!("{expr:?}"), format!("{whole:?}"), "and so in a standalone expression");
    }
    if let Ok(expr) = expr {
        spans(text, &expr);
    }
    if let Ok(expr) = syntax::parse_template(text) {
        spans(text, &expr);
    }
    let (body, whole) = (syntax::parse(text), syntax::parse_by_grammar(text));
    // Plain forms are followed deeper.
    if !matches!(&whole, Err(e) if e.is_limit()) {
        assert_eq!(format!("{body:?}"), format!("{whole:?}"), "plain forms give the whole grammar's tree");
    }
    let Ok(body) = body else { return };
    ordered(text, &body);
    let mut rng = Rng::of(bytes);
    for _ in 0..3 {
        let edits = random_edits(text, &body, &mut rng);
        let edited = edits.apply(text).expect("edits at the tree's spans fit the text");
        match syntax::parse(&edited) {
            Ok(again) => ordered(&edited, &again),
            // What was inserted may go over a limit, or be there already.
            Err(e) if e.is_limit() || e.message.contains("unique") => {}
            Err(e) => panic!("{e}\n--- before\n{text}\n--- edits\n{edits:?}\n--- after\n{edited}"),
        }
    }
}

fn ordered(text: &str, body: &Body) {
    within(text, body.span);
    let mut at = 0;
    for item in &body.items {
        let span = item_span(item);
        within(text, span);
        assert!(span.start >= at, "items stand in order");
        at = span.end;
        match item {
            Item::Attribute(a) => {
                assert!(a.span.contains(a.name.span) && a.span.contains(a.expr.span));
                assert_eq!(text[a.name.span.range()].trim(), &*a.name.text, "a name is its slice");
                spans(text, &a.expr);
            }
            Item::Block(b) => {
                assert!(b.span.contains(b.braces) && b.braces.contains(b.body.span));
                assert!(text[b.braces.range()].starts_with('{') && text[b.braces.range()].ends_with('}'));
                ordered(text, &b.body);
            }
        }
    }
}

fn item_span(item: &Item) -> Span {
    match item {
        Item::Attribute(a) => a.span,
        Item::Block(b) => b.span,
    }
}

fn within(text: &str, span: Span) {
    assert!(span.start <= span.end && text.get(span.range()).is_some(), "{span:?} is no part of the text");
}

/// Children lie within their parent, in order.
fn spans(text: &str, expr: &Expr) {
    within(text, expr.span);
    let mut at = expr.span.start;
    expr.each_child(&mut |child| {
        assert!(expr.span.contains(child.span), "{:?} holds {:?}", expr.span, child.span);
        assert!(child.span.start >= at, "{:?} comes after byte {at}", child.span);
        at = child.span.end;
        spans(text, child);
    });
}

/// Edits as the specializer makes them.
fn random_edits(text: &str, body: &Body, rng: &mut Rng) -> EditSet {
    let mut items = Vec::new();
    let mut exprs = Vec::new();
    let mut braces = Vec::new();
    collect(body, &mut items, &mut exprs, &mut braces);
    let mut edits = EditSet::default();
    for n in 0..1 + rng.below(3) {
        // An overlap is refused, and that is an answer.
        let _ = match rng.below(4) {
            0 => match rng.pick(&items) {
                Some(item) => edits.replace(trivia::item_full_lines(text, *item), ""),
                None => Ok(()),
            },
            1 => match rng.pick(&braces) {
                Some(block) => match trivia::after_opening_brace(text, *block) {
                    Some(at) => edits.insert(at, format!("zz_fuzz_{n} = 1{}", trivia::line_ending(text))),
                    None => Ok(()),
                },
                None => Ok(()),
            },
            2 => match rng.pick(&braces) {
                Some(block) => match trivia::before_closing_brace(text, *block) {
                    Some(at) => edits.insert(at, format!("zz_fuzz_{n} = [1]{}", trivia::line_ending(text))),
                    None => Ok(()),
                },
                None => Ok(()),
            },
            _ => {
                let literals = ["null", "\"x\"", "1.5", "[\"a\", {}]", "{\n  a = 1\n}"];
                match (rng.pick(&exprs), rng.pick(&literals)) {
                    (Some(expr), Some(literal)) => edits.replace(*expr, *literal),
                    _ => Ok(()),
                }
            }
        };
    }
    edits
}

fn collect(body: &Body, items: &mut Vec<Span>, exprs: &mut Vec<Span>, braces: &mut Vec<Span>) {
    for item in &body.items {
        items.push(item_span(item));
        match item {
            Item::Attribute(a) => {
                exprs.push(a.expr.span);
                standalone(&a.expr, exprs);
            }
            Item::Block(b) => {
                braces.push(b.braces);
                collect(&b.body, items, exprs, braces);
            }
        }
    }
}

/// Expressions in whose place any other may stand.
fn standalone(expr: &Expr, out: &mut Vec<Span>) {
    match &expr.kind {
        ExprKind::Tuple(items) => out.extend(items.iter().map(|e| e.span)),
        ExprKind::Object(items) => out.extend(items.iter().map(|i| i.value.span)),
        ExprKind::Paren(inner) => out.push(inner.span),
        ExprKind::Call(call) => out.extend(call.args.iter().map(|e| e.span)),
        ExprKind::Index(_, key) => out.push(key.span),
        ExprKind::Template(t) => out.extend(t.parts.iter().filter_map(|p| match p {
            TemplatePart::Interpolation(e, _) => Some(e.span),
            _ => None,
        })),
        _ => {}
    }
    expr.each_child(&mut |c| standalone(c, out));
}
