//! Marks are never lost: where the value of an expression depends on something sensitive, it is sensitive.
//!
//! What Terraform marks beyond that is held by the rows and random expressions of `e2e/differential`, and that the tracer
//! marks the same by [`super::strategies`].

use crate::harness::{evaluate_text, shown};
use crate::holes::{Holed, holed, texts};
use std::collections::BTreeMap;
use tf_phi::syntax::on_big_stack;
use tf_phi::value::{Mark, Value};

/// Functions that take marks off, or tell of errors alone; `merge` passes over null, and over what marks it.
const OPEN: &[&str] = &["sensitive", "ephemeralasnull", "try(", "can(", "merge("];

#[test]
fn what_depends_on_something_marked_is_marked() {
    let usable = |text: &String| !OPEN.iter().any(|open| text.contains(open));
    let all: Vec<Holed> = on_big_stack(|| {
        let texts = texts(1000, 1);
        texts.iter().filter(|t| usable(t)).filter_map(|t| holed(t, 3)).collect()
    });
    let mut pool: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for value in all.iter().flat_map(|h| h.values.values()) {
        let of = pool.entry(value.ty.to_string()).or_default();
        if of.len() < 30 && !of.contains(value) {
            of.push(value.clone());
        }
    }
    let mut differing = 0;
    let mut lost = Vec::new();
    on_big_stack(|| {
        for (salt, holed) in all.iter().enumerate() {
            for (name, own) in &holed.values {
                for mark in [Mark::Sensitive, Mark::Ephemeral] {
                    let with = |value: &Value| {
                        let mut values = holed.values.clone();
                        values.insert(name.clone(), value.clone().with_mark(mark));
                        evaluate_text(&holed.text, &values)
                    };
                    let others = &pool[&own.ty.to_string()];
                    let Ok(first) = with(own) else { continue };
                    for other in (0..others.len().min(4)).map(|i| &others[(i + salt) % others.len()]) {
                        let Ok(second) = with(other) else { continue };
                        let bare = |v: &Value| v.clone().unmark_deep().0;
                        if bare(&first) == bare(&second) {
                            continue;
                        }
                        differing += 1;
                        if !first.has_mark_deep(mark) || !second.has_mark_deep(mark) {
                            lost.push(format!(
                                "{}\n  {name} = {} gives {}\n  {name} = {} gives {}",
                                holed.text,
                                shown(&Ok(own.clone())),
                                shown(&Ok(first.clone())),
                                shown(&Ok(other.clone())),
                                shown(&Ok(second))
                            ));
                        }
                    }
                }
            }
        }
    });
    println!("{differing} pairs of different values");
    assert!(lost.is_empty(), "\n{}", lost.join("\n"));
    assert!(differing > 2000, "only {differing}");
}
