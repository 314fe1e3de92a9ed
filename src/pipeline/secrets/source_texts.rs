//! The constants that stand in the sources, in words of their own: all but the values of secrets.
//!
//! In: a configuration and its secrets. Out: texts and numbers. What a source compares something with, and the keys that it writes out, count whatever they are
//! compared with. Absent on purpose: what they are for.

use super::found::Secrets;
use super::plain::PlainTexts;
use crate::config::Config;
use crate::pipeline::field::Field;
use crate::syntax::Expr;
use crate::text::{Place, SourceId, Span};

/// The constants of the sources but the values of secrets.
pub(super) fn texts_of_sources(config: &Config, secrets: &Secrets, all: &[Field]) -> PlainTexts {
    let mut texts = PlainTexts::default();
    // Of what is hidden only what it compares with is in anybody's words.
    let mut add = |file: SourceId, expr: &Expr, is_hidden: bool| {
        let is_secret = |span: Span| secrets.is_value_at(Place { file, span });
        if !is_hidden {
            texts.add_unless(expr, &|inner| is_secret(inner.span));
        }
        texts.add_compared(expr, &|_| true, &is_secret);
    };
    for id in config.paths.values() {
        let Some(module) = config.module(*id) else { continue };
        for local in module.locals.values() {
            add(local.attr.file, &local.attr.expr, false);
        }
        for variable in module.variables.values() {
            for rule in &variable.validations {
                add(rule.condition.file, &rule.condition, false);
            }
            if let Some(default) = variable.default.as_ref().filter(|_| !variable.is_hidden()) {
                add(default.file, &default.expr, false);
            }
        }
    }
    for field in all {
        let attr = &field.site.attr;
        add(attr.file, &attr.expr, secrets.hides(config, &field.addr));
    }
    texts
}
