//! Spans of whole files, and every Terraform file of this repository.

use super::*;
use std::path::{Path, PathBuf};

/// Every expression of a file in the order of walking.
pub(super) fn all(body: &Body) -> Vec<&Expr> {
    let mut found = Vec::new();
    walk::walk_body(body, &mut |_, attribute| {
        walk::walk(&attribute.expr, &mut |e| {
            found.push(e);
            true
        });
    });
    found
}

fn check(text: &str) {
    let body = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let again = parse(text).unwrap();
    assert_eq!(format!("{body:?}"), format!("{again:?}"));
    for e in all(&body) {
        for child in e.children() {
            assert!(e.span.contains(child.span), "{:?}", slice(text, e.span));
        }
        if !slice(text, e.span).contains("<<") {
            assert!(parse_expr(slice(text, e.span)).is_ok(), "{:?}", slice(text, e.span));
        }
    }
}

#[test]
fn spans_nest() {
    check(EVERYTHING);
    check("");
    check("# only\n");
}

/// Marks the bytes that a leaf covers.
fn cover(e: &Expr, covered: &mut [bool]) {
    let mut mark = |s: Span| covered[s.range()].fill(true);
    match &e.kind {
        ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::String(_)
        | ExprKind::Variable(_) => mark(e.span),
        ExprKind::GetAttr(_, name) => mark(name.span),
        ExprKind::LegacyIndex(base, _) => mark(Span { start: base.span.end, end: e.span.end }),
        ExprKind::Call(c) => mark(c.name.span),
        ExprKind::Object(items) => items.iter().for_each(|i| match &i.key {
            ObjectKey::Name(n) => mark(n.span),
            ObjectKey::Expr(_) => {}
        }),
        ExprKind::For(f) => {
            f.key.iter().for_each(|k| mark(k.span));
            mark(f.value.span);
        }
        ExprKind::Splat(s) => cover_steps(&s.each, &mut mark),
        ExprKind::Template(t) => cover_parts(&t.parts, &mut mark),
        _ => {}
    }
}

fn cover_steps(steps: &[SplatStep], mark: &mut dyn FnMut(Span)) {
    for step in steps {
        match step {
            SplatStep::Attr(n) => mark(n.span),
            SplatStep::LegacyIndex(_, s) => mark(*s),
            SplatStep::Index(_) => {}
            SplatStep::Splat(s) => cover_steps(&s.each, mark),
        }
    }
}

fn cover_parts(parts: &[TemplatePart], mark: &mut dyn FnMut(Span)) {
    for part in parts {
        match part {
            TemplatePart::Literal(_, s) => mark(*s),
            TemplatePart::Interpolation(..) => {}
            TemplatePart::If { then, otherwise, .. } => {
                cover_parts(then, mark);
                cover_parts(otherwise, mark);
            }
            TemplatePart::For { key, value, body, .. } => {
                key.iter().for_each(|k| mark(k.span));
                mark(value.span);
                cover_parts(body, mark);
            }
        }
    }
}

fn cover_body(body: &Body, covered: &mut [bool]) {
    for item in &body.items {
        match item {
            Item::Attribute(a) => covered[a.name.span.range()].fill(true),
            Item::Block(b) => {
                covered[b.kind.span.range()].fill(true);
                b.labels.iter().for_each(|l| covered[l.span.range()].fill(true));
                cover_body(&b.body, covered);
            }
        }
    }
}

/// Text that no leaf covers is punctuation, a keyword, a comment or whitespace.
#[test]
fn leaves_cover_everything_that_means_something() {
    let text = EVERYTHING;
    let body = parse(text).unwrap();
    let mut covered = vec![false; text.len()];
    cover_body(&body, &mut covered);
    all(&body).iter().for_each(|e| cover(e, &mut covered));
    let rest: String =
        text.char_indices().map(|(i, c)| if covered[i] && c != '\n' { ' ' } else { c }).collect();
    let comment = regex::Regex::new(r"(?m)(#|//).*$|/\*[^*]*\*/").unwrap();
    let rest = comment.replace_all(&rest, " ");
    let known = ["for", "in", "if", "else", "endif", "endfor", "EOT"];
    for word in rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()) {
        assert!(known.contains(&word), "{word:?} is covered by no leaf");
    }
}

pub(super) fn terraform_files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != ".git" {
            terraform_files(&path, found);
        } else if matches!(path.extension().and_then(|e| e.to_str()), Some("tf" | "tfvars")) {
            found.push(path);
        }
    }
}

/// Fixtures whose name says `invalid` are broken on purpose.
#[test]
fn our_own_fixtures_parse() {
    let mut files = Vec::new();
    terraform_files(Path::new(env!("CARGO_MANIFEST_DIR")), &mut files);
    for file in files.iter().filter(|f| !f.to_string_lossy().contains("invalid")) {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        println!("{}", file.display());
        check(&text);
    }
}
