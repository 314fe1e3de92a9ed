//! Gates as the `if` clauses of the `for` that reduces a unit's `for_each`.
//!
//! HCL evaluates such a clause once before any element, with names of no type and no value, and what is an error then
//! is one for good (`hclsyntax`, `ForExpr.Value`). A few functions stumble over such values: `join` over a set of two.

use crate::func::{self, Joins};
use crate::gate::Gate;
use crate::specialise::written::subst;
use crate::syntax::{Expr, ExprKind, parse_expr, traversal};

/// The name of the element's key in the `for`, and of its value where it goes over a map.
pub(in crate::specialise) const NAMES: [&str; 2] = ["each_key", "each_value"];

/// The place of a clause.
#[derive(Clone, Copy)]
pub(in crate::specialise) struct Clause {
    /// True if the `for` iterates over a set, in which an element is its own key; `None` if it may be a set or a map.
    /// With names for key and value both are filtered alike.
    pub set: Option<bool>,
    /// True if the gate may be an error where there is no element, and of those nobody asked.
    pub late: bool,
}

/// The clause that lets through the elements for which a gate holds.
pub(in crate::specialise) fn test(gate: &Gate, Clause { set, late }: Clause) -> String {
    let [key, value] = NAMES;
    let test = subst::each_as(&gate.text, key, if set == Some(true) { key } else { value });
    let early = late || stumbles(&test);
    let test = if gate.negated { format!("!({test})") } else { test };
    // Terraform rejects a `for_each` over a list. A `for` would make a map of it, but for a number's having no length.
    let test = if set.is_none() { format!("({test}) && length({key}) >= 0") } else { test };
    // Of a conditional that isn't decided yet neither arm's errors count.
    if early { format!("{key} != null ? {test} : false") } else { test }
}

/// Returns true if a call in the text looks for a type that its arguments share, and a name of the element is among
/// them.
fn stumbles(text: &str) -> bool {
    fn in_expr(expr: &Expr) -> bool {
        let own = match &expr.kind {
            ExprKind::Call(call) => {
                let joins = func::lookup(&call.name.text).is_none_or(|f| f.joins != Joins::None);
                joins && call.args.iter().any(names_element)
            }
            _ => false,
        };
        own || expr.children().into_iter().any(in_expr)
    }
    parse_expr(text).is_ok_and(|expr| in_expr(&expr))
}

fn names_element(expr: &Expr) -> bool {
    traversal::variables(expr).iter().any(|used| NAMES.contains(&&*used.root.text))
}
