//! The differences between Terraform 1.11 and later versions, without the functions that are new since (`Function::since` has
//! those; `complete.rs` of e2e what a module declares as sensitive). We decline each: the version that a tree is run with isn't known when its values are computed.

use crate::evaluated::eval_text;

/// Expressions that show a difference. Above each: the minor version of Terraform 1 that has the later answer first, and the change.
const DIFFERENCES: &[&str] = &[
    // 1.12: an operand that decides hides an error of the other one.
    "false && [][0]",
    // 1.12: an operand that decides makes up for null, which counts as false; before, it was an error.
    "true || null",
    // 1.12: splats within splats that give lists of different types are an error; before, Terraform crashed.
    "tolist([\"a\", null])[*][*]",
    // 1.12: negative indices into tuples count from the end; before, they were an error.
    "element([1, 2], -1)",
    // 1.12: an untyped null is printed; before, the result was unknown.
    "format(\"%v\", null)",
    // 1.12: an untyped null is printed; before, the result was unknown.
    "formatlist(\"%v\", null)",
    // 1.15: a key that occurs twice with values of different types is an error; in 1.11, one value was read as of the other
    // one's type (what is between the two was not measured).
    "jsondecode(\"{\\\"a\\\": 1, \\\"a\\\": \\\"x\\\"}\")",
    // 1.16: null may be searched for; before, it was an error.
    "contains([1, null], null)",
    // 1.16: null objects count as empty ones; before, merging only such was an error.
    "merge({a = 1}, true ? null : {a = 1})",
];

#[test]
fn version_differences_are_declined() {
    for example in DIFFERENCES {
        let ours = eval_text(example);
        assert!(ours.as_ref().is_err_and(|e| e.limit), "{example}: {ours:?}");
    }
}
