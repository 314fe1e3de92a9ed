//! Mutations that keep most texts well-formed: they replace, wrap, copy and delete whole nodes of the tree.

use crate::rng::Rng;
use std::sync::OnceLock;
use tf_phi::func;
use tf_phi::syntax::{self, Expr, Item, walk};
use tf_phi::text::Span;

/// What the input is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One expression.
    Expression,
    /// One file.
    File,
    /// Several files, as [`crate::config::files`] splits them.
    Tree,
}

const ATOMS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "2.5",
    "1e3",
    "1e-400",
    "9007199254740993",
    "1e500",
    "\"\"",
    "\"a\"",
    "\"b\"",
    "\"dev\"",
    "\"1\"",
    "\"true\"",
    "\"é\\u0301👨‍👩‍👧\"",
    "\"a,b\"",
    "\"%s-%05d\"",
    "\"(a*)*b\"",
    "\"2006-01-02T15:04:05Z\"",
    "\"10.0.0.0/8\"",
    "\"fd00::/48\"",
    "[]",
    "{}",
    "[1, 2, 3]",
    "[\"a\", \"b\"]",
    "{ a = 1 }",
    "{ a = \"x\", b = null }",
    "[[1], [2, 3]]",
    "[{ a = 1 }, { a = 2 }]",
    "var.flag",
    "var.env",
    "var.secret",
    "local.on",
    "local.size",
    "local.list",
    "local.map",
    "local.deep",
    "local.key",
    "local.names",
    "toset([\"a\", \"b\"])",
    "sensitive(1)",
    "<<E\na\nE\n",
    "1/0",
    "each.key",
    "count.index",
    "path.module",
    "terraform.workspace",
    "\"${var.env}-x\"",
];

/// `@` stands for the expression, `#` for an atom.
const WRAPS: &[&str] = &[
    "(@)",
    "!@",
    "-(@)",
    "[@]",
    "[@, #]",
    "{ a = @ }",
    "{ (@) = # }",
    "\"${@}\"",
    "\"x${@}y${#}\"",
    "(@) + (#)",
    "(@) == (#)",
    "(@) && (#)",
    "(#) ? (@) : (#)",
    "(@) ? (#) : (#)",
    "(#) ? (#) : (@)",
    "[for x in @ : x]",
    "[for k, v in @ : v if k != #]",
    "{ for k, v in @ : k => v }",
    "{ for k, v in @ : v => k... }",
    "(@)[#]",
    "(@).a",
    "(@)[*]",
    "(@)[*].a",
    "(@).*.a",
    "(@)[0]",
    "(@)[*].a[*].b",
    "\"%{ if @ }a%{ else }b%{ endif }\"",
    "\"%{ for x in @ }${x}%{ endfor }\"",
    "(@) < (#)",
    "(@) % (#)",
    "<<-E\n  a ${@}\n   b\n  E\n",
    "merge(@, #)",
    "[for x in @ : #]",
    "(@) != null",
    "contains(@, #)",
    "lookup(@, #, #)",
    "try(@, #)",
    "can(@)",
    "tostring(@)",
    "tolist(@)",
    "tomap(@)",
    "toset(@)",
    "jsonencode(@)",
    "jsondecode(@)",
    "length(@)",
];

/// One mutation of `data` in place, of the tree or of the bytes; the new length.
pub fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    form: Form,
    bytes: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    if let Some(new) = data.get(..size).and_then(|d| mutated(std::str::from_utf8(d).ok()?, seed, form))
        && new.len() <= max_size
        && let Some(out) = data.get_mut(..new.len())
    {
        out.copy_from_slice(new.as_bytes());
        return new.len();
    }
    bytes(data, size, max_size)
}

/// A text with one node of its tree changed; nothing where it has no tree, and for every fourth seed.
pub fn mutated(text: &str, seed: u32, form: Form) -> Option<String> {
    let mut rng = Rng::new(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
    rng.below(7);
    (rng.below(4) != 0).then(|| change(text, form, &mut rng))?
}

fn change(text: &str, form: Form, rng: &mut Rng) -> Option<String> {
    match form {
        Form::Expression => Some(replace(text, Span::new(0, text.len()), &expr_change(text, rng)?)),
        Form::File => file_change(text, rng),
        Form::Tree => {
            // One of the files, changed in place.
            let mut starts = vec![0];
            let headers = text.match_indices("\n-- ").map(|(i, _)| i + 1);
            starts.extend(headers.filter_map(|i| text.get(i..)?.find('\n').map(|n| i + n + 1)));
            let start = *rng.pick(&starts)?;
            let end = text.get(start..)?.find("\n-- ").map_or(text.len(), |n| start + n + 1);
            let new = file_change(text.get(start..end)?, rng)?;
            Some(replace(text, Span::new(start, end), &new))
        }
    }
}

fn replace(text: &str, span: Span, new: &str) -> String {
    let head = text.get(..span.start as usize).unwrap_or("");
    let tail = text.get(span.end as usize..).unwrap_or("");
    format!("{head}{new}{tail}")
}

fn expr_change(text: &str, rng: &mut Rng) -> Option<String> {
    let expr = syntax::parse_expr(text).ok()?;
    let mut all = Vec::new();
    walk::walk(&expr, &mut |e: &Expr| {
        all.push(e.span);
        true
    });
    node_change(text, &all, rng)
}

fn file_change(text: &str, rng: &mut Rng) -> Option<String> {
    let body = syntax::parse(text).ok()?;
    let mut all = Vec::new();
    let mut items = Vec::new();
    let mut open = vec![&body];
    while let Some(body) = open.pop() {
        for item in &body.items {
            match item {
                Item::Attribute(a) => {
                    items.push(a.span);
                    walk::walk(&a.expr, &mut |e: &Expr| {
                        all.push(e.span);
                        true
                    });
                }
                Item::Block(b) => {
                    items.push(b.span);
                    open.push(&b.body);
                }
            }
        }
    }
    match rng.below(10) {
        0 => Some(replace(text, *rng.pick(&items)?, "")),
        1 => {
            let (from, to) = (*rng.pick(&items)?, *rng.pick(&items)?);
            let copy = text.get(from.range())?.to_owned();
            Some(replace(text, Span { start: to.start, end: to.start }, &format!("{copy}\n")))
        }
        _ => node_change(text, &all, rng),
    }
}

fn node_change(text: &str, all: &[Span], rng: &mut Rng) -> Option<String> {
    let span = *rng.pick(all)?;
    let old = text.get(span.range())?;
    let new = match rng.below(8) {
        0 | 1 => atom(rng).to_owned(),
        2 | 3 => fill(rng.pick(WRAPS)?, old, rng),
        4 => text.get(rng.pick(all)?.range())?.to_owned(),
        5 => {
            let other = text.get(rng.pick(all)?.range())?.to_owned();
            fill(rng.pick(WRAPS)?, old, rng).replacen(atom(rng), &other, 1)
        }
        _ => call(old, rng)?,
    };
    Some(replace(text, span, &new))
}

fn atom(rng: &mut Rng) -> &'static str {
    rng.pick(ATOMS).copied().unwrap_or("null")
}

fn fill(wrap: &str, old: &str, rng: &mut Rng) -> String {
    wrap.split('#').map(|p| p.replace('@', old)).collect::<Vec<_>>().join(atom(rng))
}

/// A call of some function with the expression among its arguments.
fn call(old: &str, rng: &mut Rng) -> Option<String> {
    static ALL: OnceLock<Vec<&'static func::Function>> = OnceLock::new();
    let function = *rng.pick(ALL.get_or_init(|| func::all().collect()))?;
    let more = if function.variadic.is_some() { rng.below(3) } else { 0 };
    let count = function.params.len() + more;
    let at = rng.below(count);
    let args: Vec<&str> = (0..count).map(|i| if i == at { old } else { atom(rng) }).collect();
    let dots = if count > 0 && rng.below(8) == 0 { "..." } else { "" };
    Some(format!("{}({}{dots})", function.name, args.join(", ")))
}
