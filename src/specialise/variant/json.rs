//! What changes in JSON files: references within their strings, and literals. Declarations in JSON are never copied or taken
//! out ([`super::refusals`]).

use super::{FileEdits, Here, Writer, replace};
use crate::addr::{PathAttr, Referent};
use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::decision::{Literal, Node};
use crate::specialise::{join, subst};
use crate::text::{Edit, SourceId, Span};
use crate::trace::reading::Reading;
use crate::value::{hcl, json};
use serde_json::Value as Json;

impl Writer<'_> {
    /// Whether a file holds JSON.
    pub(in crate::specialise) fn is_json(&self, file: SourceId) -> bool {
        self.config.sources.get(file).is_some_and(|s| s.path.extension().is_some_and(|e| e == "json"))
    }

    /// The edits in a module's JSON files.
    pub(super) fn in_json(&mut self, here: Here<'_>, node: &Node, uses: &[Use], edits: &mut FileEdits) {
        let dir = super::rewrite::directory(here.module);
        let moved = here.dir != here.module.dir;
        for used in uses {
            let mut own = FileEdits::new();
            if moved && used.referent == Referent::Path(PathAttr::Module) {
                own.entry(used.file).or_default().extend(subst::literal(used, &dir));
            }
            for (unit, split) in super::splits_of(node) {
                if join::names(used, &unit) && !used.is_address() {
                    self.join(used, &unit, split, &mut own);
                }
            }
            for edit in own.into_values().flatten() {
                let text = if used.is_static() {
                    // Each element of a list of addresses is a string of its own.
                    edit.text.replace(", ", "\", \"")
                } else {
                    escaped(&edit.text)
                };
                replace(edits.entry(used.file).or_default(), Edit { text, ..edit });
            }
        }
    }

    /// A driven field that is declared in JSON.
    pub(super) fn json_literal(&mut self, literal: &Literal, span: Option<Span>, own: &mut Vec<Edit>) {
        let attr = &literal.site.attr;
        let plain = literal.site.reading == Reading::Value && !literal.sensitive;
        let text = json_text(literal).filter(|_| plain);
        let source = self.config.sources.get(attr.file);
        match (span, text, source) {
            (Some(span), Some(text), Some(source)) => {
                replace(own, Edit { span: whole(&source.text, span), text });
            }
            _ => {
                let summary = "a driven field in a JSON file can't be made a literal";
                let why = "It is part of what its argument gives, a reference, sensitive, or its text would be read as a \
                           template.";
                let issue = Issue::error(Code::Unsupported, summary, why).at(attr.value_place());
                self.issues.push(issue.fix("Declare it in a `.tf` file.", ""));
            }
        }
    }
}

/// A text as it stands within a JSON string.
pub(in crate::specialise) fn escaped(text: &str) -> String {
    let quoted = Json::from(text).to_string();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

/// The whole of a JSON string, of which an expression's span holds what is between the quotes.
fn whole(text: &str, span: Span) -> Span {
    let before =
        span.start.checked_sub(1).filter(|at| text.get(*at as usize..).is_some_and(|t| t.starts_with('"')));
    match before {
        Some(start) => Span { start, end: span.end.saturating_add(1) },
        None => span,
    }
}

/// A value as JSON; nothing where its text would be read as a template.
fn json_text(literal: &Literal) -> Option<String> {
    let typed = hcl::to_typed_hcl(&literal.value).filter(|_| literal.any_type);
    if let Some(typed) = typed.filter(|t| hcl::to_hcl(&literal.value).as_ref() != Some(t)) {
        return Some(Json::from(format!("${{{typed}}}")).to_string());
    }
    let value = json::to_json(&literal.value).ok()?;
    let text = value.to_string();
    (!text.contains("${") && !text.contains("%{")).then_some(text)
}
