//! Conditions, constants and terms as text, with how tightly each binds. Absent: proofs (see [`crate::gate`]).

use crate::addr::ModulePath;
use crate::cond::{Binding, Condition, FormulaId, Meaning, Shown, Site, TermId};
use crate::func::TerraformVersions;
use crate::syntax::{self, BinaryOp, ExprKind};
use crate::value::{Data, Value, hcl};

/// Before and since `&&` and `||` leave out what doesn't matter: a gate has to be right in both.
pub const VERSIONS: [TerraformVersions; 2] =
    [TerraformVersions::at_most((1, 11)), TerraformVersions::at_least((1, 12))];

/// Those of [`VERSIONS`] that are among the known ones.
pub fn versions_among(known: TerraformVersions) -> impl Iterator<Item = TerraformVersions> {
    VERSIONS.into_iter().filter_map(move |versions| versions.meet(known))
}

/// The number of cubes at which a normal form is given up.
pub const CUBES: usize = 256;

/// A condition as text.
pub(in crate::trace) fn show(condition: &Condition) -> String {
    let text = Shown { condition, value: &literal }.to_string();
    let mut last = b' ';
    // Most texts stand on one line already, and are written with single spaces.
    let single = text.bytes().all(|b| {
        let fine = b.is_ascii() && (!b.is_ascii_whitespace() && b != 0x0b || b == b' ' && last != b' ');
        last = b;
        fine
    });
    if single && last != b' ' { text } else { text.split_whitespace().collect::<Vec<_>>().join(" ") }
}

/// A site for a text that means a formula.
pub fn site(scope: ModulePath, text: String, formula: FormulaId) -> Site {
    let binding = binding_of(&text);
    Site { scope, text: text.into(), binding, nullable: true, meaning: Meaning::Formula(formula) }
}

/// A site for a term's own text.
pub(in crate::trace) fn term_site(scope: ModulePath, text: &str, term: TermId, nullable: bool) -> Site {
    Site { scope, text: text.into(), binding: binding_of(text), nullable, meaning: Meaning::Term(term) }
}

/// Returns true if a text is a name compared with plain text. Most conditions are, and it needs no parser.
fn is_equation(text: &str) -> bool {
    let Some((name, right)) = text.split_once(" == ").or_else(|| text.split_once(" != ")) else {
        return false;
    };
    let name = name.trim_end();
    let right = right.trim().strip_prefix('"').and_then(|r| r.strip_suffix('"'));
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
        && right.is_some_and(|r| r.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b)))
}

/// Returns how tightly an expression's text binds; the loosest if it can't be parsed.
pub(in crate::trace) fn binding_of(text: &str) -> Binding {
    // Most texts are a name with its steps.
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'.';
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(plain) {
        return Binding::Primary;
    }
    if is_equation(text) {
        return Binding::Equality;
    }
    let Ok(expr) = syntax::parse_expr(text) else { return Binding::Conditional };
    match &expr.kind {
        ExprKind::Conditional(..) => Binding::Conditional,
        ExprKind::Binary(op, ..) => match op {
            BinaryOp::Or => Binding::Or,
            BinaryOp::And => Binding::And,
            BinaryOp::Equal | BinaryOp::NotEqual => Binding::Equality,
            BinaryOp::Greater | BinaryOp::GreaterEqual | BinaryOp::Less | BinaryOp::LessEqual => {
                Binding::Comparison
            }
            BinaryOp::Add | BinaryOp::Subtract => Binding::Additive,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => Binding::Multiplicative,
        },
        ExprKind::Unary(..) => Binding::Unary,
        _ => Binding::Primary,
    }
}

/// A constant in a gate. A collection is written with its type: to Terraform, no object equals a map.
pub fn literal(value: &Value) -> String {
    let typed = matches!(value.data, Data::Seq(_) | Data::Map(_));
    match if typed { hcl::to_typed_hcl(value) } else { hcl::to_hcl(value) } {
        // What is empty takes its type from a conditional.
        Some(text) if binding_of(&text) == Binding::Conditional => format!("({text})"),
        text => text.unwrap_or_else(|| "null".to_owned()),
    }
}
