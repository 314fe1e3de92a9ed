//! Calls of functions that no version of Terraform has.

use super::{Looked, Refused};
use crate::func;
use crate::syntax::{ExprKind, walk};
use crate::text::Place;

pub(super) fn find_unknown(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for file in &looked.module.files {
        walk::walk_body(&file.body, &mut |blocks, attr| {
            let kinds: Vec<&str> = blocks.iter().map(|block| &*block.kind.text).collect();
            // Types are written like calls.
            if matches!((kinds.as_slice(), &*attr.name.text), (["variable"], "type")) {
                return;
            }
            walk::walk(&attr.expr, &mut |expr| {
                if let ExprKind::Call(call) = &expr.kind
                    && !call.name.text.contains("::")
                    && func::lookup(&call.name.text).is_none()
                {
                    found.push(Refused {
                        at: [&*kinds.join("."), &*attr.name.text].join("."),
                        error: format!(
                            "Call to unknown function: There is no function named {:?}.",
                            call.name.text
                        ),
                        place: Place { file: file.source, span: call.name.span },
                    });
                }
                true
            });
        });
    }
}
