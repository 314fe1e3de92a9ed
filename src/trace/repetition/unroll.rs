//! A `dynamic` block written out: what to type where its entries need values of their own.
//!
//! In: a `dynamic` block whose entries are known and the same whatever happens. Out: one block per entry, in which the
//! iterator's names have become their values; everything else stays as it was typed.

use super::dynamic::{Axes, iterator_name};
use crate::addr::FieldAddr;
use crate::config::In;
use crate::eval::{Bindings, eval};
use crate::syntax::{self, Block, Body, Expr, emit, traversal, trivia};
use crate::text::EditSet;
use crate::trace::{Frame, Guarded, NOWHERE, Part, Tracer, site::FieldSite};
use crate::value::{Data, Value, hcl};

/// Blocks of more entries than this are not written out.
const MOST: usize = 32;

impl Tracer<'_> {
    /// The blocks that can stand in place of the one `dynamic` block around a field.
    pub(in crate::trace) fn unrolled(&mut self, field: &FieldAddr, site: &FieldSite) -> Option<String> {
        let [block] = site.dynamics.as_slice() else { return None };
        let instance = self.instance_at(&field.module)?;
        let mut frame = self.frame_in(instance, &field.target);
        let Axes { names, entries } = frame.within(&site.dynamics, &field.target);
        let name = iterator_name(block);
        let bound = names.get(&name)?.clone();
        let keys = entries.first().filter(|e| e.exists.is_some() && e.keys.len() <= MOST)?.keys.len();
        let mut out = Vec::new();
        for alt in bound.alts() {
            // What is there under some conditions only has no block of its own to write.
            let always = *frame.tracer.formulas.terms(alt.when) == [entries.first()?.term] || keys == 1;
            let names =
                Bindings::default().with(name.clone(), Guarded::always(alt.part.clone(), alt.hops.clone()));
            out.push(frame.written(block, &name, &names).filter(|_| always)?);
        }
        Some(out.join("\n"))
    }
}

impl Frame<'_, '_> {
    /// One entry's block.
    fn written(&mut self, block: &In<Block>, name: &str, names: &Bindings<Guarded>) -> Option<String> {
        let content = block.body.blocks_of("content").next()?;
        let source = self.tracer.inputs.config.sources.get(block.file)?;
        let mut edits = EditSet::default();
        let mut exprs = Vec::new();
        expressions(&content.body, &mut exprs);
        for expr in exprs {
            for used in traversal::variables(expr).iter().filter(|t| &*t.root.text == name) {
                let text = source.text.get(used.span.range())?;
                edits.replace(used.span, hcl::to_hcl(&self.known(text, names)?)?).ok()?;
            }
        }
        let start = trivia::line_start(&source.text, content.span.start) as usize;
        let before = source.text.get(start..content.braces.start as usize)?.len();
        let whole = edits.apply(&source.text).ok()?;
        let grown = whole.len().checked_sub(source.text.len() - content.span.end as usize)?;
        let text = whole.get(start + before..grown)?;
        let indent = trivia::line_indent(&source.text, content.span.start);
        let lines = text.lines().map(|l| l.strip_prefix(indent).unwrap_or(l));
        let mut head = block.label(0)?.to_owned();
        for label in self.labels(block, names)? {
            head.push(' ');
            head.push_str(&emit::string_literal(&label));
        }
        Some(format!("{head} {}\n", lines.collect::<Vec<_>>().join("\n")))
    }

    fn labels(&mut self, block: &In<Block>, names: &Bindings<Guarded>) -> Option<Vec<String>> {
        let Some(labels) = block.body.attribute("labels") else { return Some(Vec::new()) };
        let value = eval(self, block.file, &labels.expr, names);
        let value = value.single_value()?.clone();
        value.elements().map(|(_, v)| v.as_str().map(str::to_owned)).collect()
    }

    /// Returns the value of a name with its steps, if it is one value that may be written down.
    fn known(&mut self, text: &str, names: &Bindings<Guarded>) -> Option<Value> {
        let expr = syntax::parse_expr(text).ok()?;
        let value = self.with_gate_text(text, |frame| eval(frame, NOWHERE, &expr, names));
        let flat = self.tracer.flatten(&value).ok()?;
        let [only] = flat.as_slice() else { return None };
        let Part::Value(value) = &only.part else { return None };
        let plain = value.is_wholly_known() && value.marks_deep().is_empty();
        (plain && !matches!(value.data, Data::Unknown(_))).then(|| value.clone())
    }
}

/// Every argument's expression in a body, nested blocks included.
pub(in crate::trace) fn expressions<'b>(body: &'b Body, out: &mut Vec<&'b Expr>) {
    out.extend(body.attributes().map(|a| &a.expr));
    body.blocks().for_each(|b| expressions(&b.body, out));
}
