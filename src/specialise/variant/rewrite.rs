//! What changes within declarations that stay one: literals, references to split units, variables that have gone, and what
//! depends on the module's folder.

use super::{FileEdits, Here, Writer, replace};
use crate::addr::{PathAttr, Referent};
use crate::config::Module;
use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::decision::{Literal, Node, Split};
use crate::specialise::join::{self, Shape};
use crate::specialise::unit::UnitName;
use crate::specialise::{paths, subst};
use crate::syntax::trivia;
use crate::text::{Edit, Span};
use crate::trace::reading::{Reading, item_edits};
use crate::value::Value;
use crate::value::hcl;

impl Writer<'_> {
    pub(super) fn literal(&mut self, literal: &Literal, edits: &mut FileEdits) {
        let attr = &literal.site.attr;
        let own = edits.entry(attr.file).or_default();
        if literal.site.reading == Reading::References
            && let Some(edits) = item_edits(&attr.expr, &literal.value)
        {
            edits.into_iter().for_each(|edit| replace(own, edit));
            return;
        }
        let span = subst::value_span(&attr.expr, &literal.site.rest);
        if self.is_json(attr.file) {
            return self.json_literal(literal, span, own);
        }
        let text = match literal.any_type {
            true => hcl::to_typed_hcl(&literal.value),
            false => literal.site.reading.text(&literal.value),
        };
        match (span, text) {
            (Some(span), Some(text)) if literal.sensitive => {
                replace(own, Edit { span, text: format!("sensitive({text})") });
            }
            (Some(span), Some(text)) => replace(own, Edit { span, text }),
            _ => self.issues.push(
                Issue::error(
                    Code::Unsupported,
                    "a driven field is only part of what its argument gives",
                    "The argument is computed as a whole, so one part of it can't be made a literal.",
                )
                .at(attr.value_place())
                .fix("Write the argument as an object constructor, `{ … }`, with the field in it.", ""),
            ),
        }
    }

    pub(in crate::specialise) fn join(
        &mut self,
        used: &Use,
        unit: &UnitName,
        split: &Split,
        edits: &mut FileEdits,
    ) {
        let Some(naming) = self.naming.get(split.unit) else { return };
        match join::edit(used, unit, &naming.names, Shape::of(&naming.repetition)) {
            Ok(edit) => replace(edits.entry(used.file).or_default(), edit),
            Err(issue) => self.issues.push(*issue),
        }
    }

    pub(super) fn drop_variable(
        &mut self,
        module: &Module,
        name: &str,
        uses: &[Use],
        value: &Value,
        edits: &mut FileEdits,
    ) {
        for used in uses {
            if matches!(&used.referent, Referent::Variable(n) if **n == *name)
                && let Some(edit) = subst::literal(used, value)
            {
                replace(edits.entry(used.file).or_default(), edit);
            }
        }
        let Some(variable) = module.variables.get(name) else { return };
        for block in variable.decl.blocks() {
            let Some(source) = self.config.sources.get(block.file) else { continue };
            let span = with_blank_line(&source.text, trivia::item_full_lines(&source.text, block.span));
            replace(edits.entry(block.file).or_default(), Edit { span, text: String::new() });
        }
    }
}

/// What changes because the folder does: relative sources of other calls, `path.module`.
pub(in crate::specialise) fn moved_folder(here: Here<'_>, node: &Node, uses: &[Use], edits: &mut FileEdits) {
    for (name, call) in &here.module.calls {
        if node.calls.contains_key(name) {
            continue;
        }
        if let (Some(text), Some(attr)) = (call.source_text(), &call.source)
            && (text.starts_with("./") || text.starts_with("../"))
        {
            let target = paths::clean(&here.module.dir.join(text));
            let new = paths::source(here.dir, &target);
            if new != text {
                let text = crate::syntax::emit::string_literal(&new);
                replace(edits.entry(attr.file).or_default(), Edit { span: attr.expr.span, text });
            }
        }
    }
    let dir = directory(here.module);
    for used in uses.iter().filter(|u| u.referent == Referent::Path(PathAttr::Module)) {
        if let Some(edit) = subst::literal(used, &dir) {
            replace(edits.entry(used.file).or_default(), edit);
        }
    }
}

/// What `path.module` is in a module as it stands.
pub(super) fn directory(module: &Module) -> crate::value::Value {
    let dir = module.dir.to_string_lossy().into_owned();
    crate::value::Value::string(if dir.is_empty() { "." } else { &dir })
}

/// A deleted item takes the blank line behind it along.
fn with_blank_line(text: &str, span: Span) -> Span {
    let end = trivia::line_end(text, span.end);
    let blank = text.get(span.end as usize..end as usize).is_some_and(|l| l.trim().is_empty());
    if blank { Span { start: span.start, end } } else { span }
}
