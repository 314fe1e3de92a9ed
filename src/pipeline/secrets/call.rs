//! What functions hand on. One that isn't listed here hands on all of its arguments, in another form.

use super::route::{EACH, KEYS, Route, step_to};
use super::shape::{Edge, Finder, Gathered, Handing, Shape, part, put_under, whole};
use crate::addr::Target;
use crate::syntax::{BinaryOp, Call, Expr, ExprKind, UnaryOp};

/// Functions whose result tells next to nothing of their arguments, or nothing that leads back.
const TELLING_LITTLE: [&str; 23] = [
    "alltrue",
    "anytrue",
    "base64sha256",
    "base64sha512",
    "bcrypt",
    "can",
    "contains",
    "endswith",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
    "issensitive",
    "length",
    "md5",
    "sha1",
    "sha256",
    "sha512",
    "startswith",
    "strcontains",
];

/// Functions whose result has the parts of their arguments.
const KEEPING: [&str; 21] = [
    "coalesce",
    "coalescelist",
    "compact",
    "concat",
    "distinct",
    "ephemeralasnull",
    "merge",
    "reverse",
    "sensitive",
    "setintersection",
    "setsubtract",
    "setunion",
    "slice",
    "sort",
    "tobool",
    "tolist",
    "tomap",
    "tonumber",
    "toset",
    "tostring",
    "try",
];

/// Returns true for a function whose result has the parts of its arguments.
pub(super) fn is_keeping(name: &str) -> bool {
    KEEPING.contains(&name.strip_prefix("core::").unwrap_or(name))
}

/// Functions whose result is a set.
const SETS: [&str; 4] = ["setintersection", "setsubtract", "setunion", "toset"];

/// Functions that put a text around their arguments.
const AROUND: [&str; 3] = ["format", "formatlist", "join"];

/// Functions whose result isn't what leads to it.
const LED_TO: [&str; 4] = ["abspath", "fileset", "pathexpand", "templatestring"];

/// What stands for all that `sensitive` marks in a module. No declaration has this name.
pub(super) fn marked() -> Target {
    Target::Local("(marked)".into())
}

/// What stands for the elements that are written out in a set. No declaration has this name.
fn set_at(call: &Call) -> Target {
    Target::Local(format!("(set at {:?})", call.name.span).into())
}

impl Finder<'_, '_> {
    /// The edges of a call.
    pub(super) fn call(&mut self, call: &Call) -> Shape {
        let name = call.name.text.strip_prefix("core::").unwrap_or(&call.name.text);
        // What is nothing secret is for the user to say.
        if name == "nonsensitive" && !(self.deciding && call.args.iter().all(is_telling_little))
            || !self.deciding && TELLING_LITTLE.contains(&name)
        {
            return Shape::new();
        }
        let last = call.args.len().saturating_sub(1);
        let mut args: Vec<Shape> = Vec::with_capacity(call.args.len());
        let mut every = Gathered::default();
        for (at, arg) in call.args.iter().enumerate() {
            let own = self.shape(arg);
            let own = if call.expand_final && at == last { part(&own, EACH) } else { own };
            // Few functions tell more than the first ones apart.
            every.add(own.clone());
            if at < 3 {
                args.push(own);
            }
        }
        let first = args.first().cloned().unwrap_or_default();
        let text_of = |at: usize| match call.args.get(at) {
            Some(Expr { kind: ExprKind::String(text), .. }) => Some(text),
            _ => None,
        };
        if let Some(found) = self.read_by(name, call, &every.shape) {
            return found;
        }
        match name {
            // A mark says so itself, where values are known; what is compared or decides has none.
            "sensitive" => {
                let root = self.roots.number(self.module, marked());
                let mut all = every.shape;
                all.push(Edge { to: Route::new(), root, from: Route::new(), handing: Handing::Within });
                all
            }
            _ if KEEPING.contains(&name) => {
                if SETS.contains(&name) {
                    self.set_of(call, every.shape)
                } else {
                    every.shape
                }
            }
            "values" => put_under(&part(&first, EACH), EACH),
            "keys" => {
                let keys = self.keys(&first);
                put_under(&keys, EACH)
            }
            "element" | "one" => {
                let mut all = part(&first, EACH);
                if name == "one" {
                    all.extend(first);
                }
                all.extend(args.iter().skip(1).flat_map(|arg| whole(arg.clone(), Handing::Within)));
                all
            }
            "lookup" => {
                let step = text_of(1).map_or_else(|| EACH.into(), step_to);
                let mut all = part(&first, &step);
                all.extend(self.picked_by(&first));
                all.extend(args.get(1).into_iter().flat_map(|arg| whole(arg.clone(), Handing::Within)));
                all.extend(args.get(2).cloned().unwrap_or_default());
                all
            }
            "zipmap" => {
                let mut all = put_under(&whole(part(&first, EACH), Handing::Changed), KEYS);
                let values = args.get(1).map(|values| part(values, EACH)).unwrap_or_default();
                all.extend(put_under(&values, EACH));
                all
            }
            "flatten" => flattened(first),
            _ => {
                let handing = match is_around(name, call) || LED_TO.contains(&name) {
                    true => Handing::Within,
                    false => Handing::Changed,
                };
                whole(every.shape, handing)
            }
        }
    }
}

impl Finder<'_, '_> {
    /// The edges of a set: each element is its own key.
    fn set_of(&mut self, call: &Call, mut all: Shape) -> Shape {
        // What is written out in it has no name.
        let root = self.roots.number(self.module, set_at(call));
        all.push(Edge { to: Route::new(), root, from: Route::new(), handing: Handing::Same });
        let elements = whole(part(&all, EACH), Handing::Changed);
        all.extend(put_under(&elements, KEYS));
        all
    }
}

/// Returns true for an expression whose value tells next to nothing of what it names: who says that it is no secret says it of the value.
fn is_telling_little(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_telling_little(inner),
        ExprKind::Unary(op, _) => *op == UnaryOp::Not,
        ExprKind::Binary(op, ..) => !matches!(
            op,
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo
        ),
        ExprKind::Call(call) => TELLING_LITTLE.contains(&&*call.name.text),
        _ => false,
    }
}

/// The elements of what is no list stay as they are; those of lists take the place of the list.
fn flattened(of: Shape) -> Shape {
    let mut all = Shape::new();
    let mut level = of;
    for _ in 0..super::route::DEEPEST {
        level = part(&level, EACH);
        let is_kept = |edge: &&Edge| edge.to.first().is_none_or(|step| **step != *EACH);
        all.extend(put_under(&level.iter().filter(is_kept).cloned().collect::<Shape>(), EACH));
    }
    all.extend(whole(level, Handing::Changed));
    all
}

/// Returns true if what a call gives is a text of several parts.
fn is_around(name: &str, call: &Call) -> bool {
    if !AROUND.contains(&name) {
        return false;
    }
    match (name, call.args.as_slice()) {
        ("join", [_, Expr { kind: ExprKind::Tuple(items), .. }]) => items.len() != 1,
        ("join", [_, _]) => false,
        (_, [Expr { kind: ExprKind::String(text), .. }, _]) => {
            !text.trim_matches(|c: char| c == '%' || c.is_ascii_alphabetic()).is_empty() || text.len() > 2
        }
        _ => true,
    }
}
