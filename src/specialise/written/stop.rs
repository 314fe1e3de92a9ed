//! Outputs whose preconditions stop a plan.

use crate::syntax::emit::{Writer, string_literal};

/// Writes an output under a comment, with a precondition and its message for each rule.
pub(in crate::specialise) fn output(name: &str, comment: &str, rules: &[(String, String)]) -> String {
    let mut writer = Writer::new("", "\n");
    writer.comment(comment);
    writer.block("output", &[name], |w| {
        w.attribute("value", "null");
        for (condition, message) in rules {
            w.blank();
            w.block("precondition", &[], |w| {
                w.attribute("condition", condition).attribute("error_message", &string_literal(message));
            });
        }
    });
    writer.finish()
}
