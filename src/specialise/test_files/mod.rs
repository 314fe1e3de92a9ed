//! Test files: what their runs name of the root module leads to the copies.
//!
//! * `assert`: references become joins, as anywhere.
//! * `override_resource`, `override_data`, `override_module`: one block per copy; of a copy without an instance Terraform
//!   overrides nothing.
//! * `plan_options`: every copy in `target`; in `replace`, each with the instance that its gate gives it.
//! * `expect_failures`: [`crate::specialise::test_files::expect_failures`], once it is known what is split.
//!
//! A run with a `module` block tests another module, in which nothing is split. Files in JSON are edited within their
//! strings, and a block that becomes several is a list of them.

pub(super) mod expect_failures;

use super::decision::Node;
use super::residual::{FileEdits, Naming, Writer, apply_within, replace};
use crate::config::{In, TestFile};
use crate::graph::{self, Use};
use crate::issue::{Code, Issue};
use crate::specialise::fold;
use crate::specialise::moves::named;
use crate::specialise::moves::state_blocks::{Through, renamed, through};
use crate::specialise::written::context;
use crate::syntax::{Block, Body, Expr, ExprKind};
use crate::text::{Edit, SourceId, Span};

/// Returns true if a run tests another module than the root.
fn has_own_module(run: &Block) -> bool {
    run.body.blocks_of("module").next().is_some()
}

/// The runs of a file that test the root module.
pub(super) fn runs(body: &Body) -> impl Iterator<Item = &Block> {
    body.blocks_of("run").map(|b| &**b).filter(|run| !has_own_module(run))
}

impl Writer<'_> {
    /// The edits of the root module's test files.
    pub(super) fn test_files(&mut self, node: &Node, edits: &mut FileEdits) {
        let config = self.config;
        for TestFile { source, body, .. } in &config.tests {
            let Some(body) = body else { continue };
            self.asserts(*source, body, node, edits);
            let others = body.blocks_of("run").any(|run| has_own_module(run));
            self.overrides(*source, body, node, others, edits);
            for mock in body.blocks_of("mock_provider") {
                self.overrides(*source, &mock.body, node, others, edits);
            }
            for run in runs(body) {
                self.overrides(*source, &run.body, node, false, edits);
                for options in run.body.blocks_of("plan_options") {
                    self.options(*source, &options.body, node, edits);
                }
            }
        }
    }

    fn asserts(&mut self, file: SourceId, body: &Body, node: &Node, edits: &mut FileEdits) {
        let json = self.config.is_json(file);
        let spans: Vec<Span> = runs(body).map(|run| run.span).collect();
        let direct = fold::direct_in(body);
        let within = |used: &Use| spans.iter().any(|run| run.contains(used.traversal.span));
        let is_assert = |used: &Use| used.context.blocks.iter().map(|b| &**b).eq(["run", "assert"]);
        for mut used in graph::uses_in(body, file).into_iter().filter(|u| is_assert(u) && within(u)) {
            used.interpolation = used.interpolation.filter(|_| !json);
            for (unit, split) in node.splits() {
                if !unit.holds(&used.referent) {
                    continue;
                }
                if direct.iter().any(|span| span.start == used.traversal.span.start) {
                    // A test file has no locals.
                    let summary = format!("{unit} can't be named here in a test file");
                    let why = "Terraform wants a name here, and several copies have none in common.";
                    let issue = Issue::error(Code::Unsupported, summary, why).at(used.place());
                    self.issues.push(
                        issue.fix("Test an output of the root module that holds the rendered text.", ""),
                    );
                    continue;
                }
                let mut own = FileEdits::new();
                self.join(&used, &unit, split, None, &mut own);
                for edit in own.into_values().flatten() {
                    let text = if json { context::within_json(&edit.text) } else { edit.text };
                    replace(edits.entry(file).or_default(), Edit { text, ..edit });
                }
            }
        }
    }

    /// `also`: the block stays beside its copies, for runs that test another module.
    fn overrides(&mut self, file: SourceId, body: &Body, node: &Node, also: bool, edits: &mut FileEdits) {
        let kinds = ["override_resource", "override_data", "override_module"];
        for block in body.blocks().filter(|b| kinds.contains(&&*b.kind.text)) {
            let block: In<Block> = In::new(file, block.clone());
            let Some(target) = block.body.attribute("target") else { continue };
            let target = In::new(file, target.clone());
            let Some(found) = self.split_on_way(through(&block, &target, node)) else { continue };
            let mut made = renamed(&found.segments, &found.units, self.naming);
            if also {
                made.push(Vec::new());
            }
            match self.config.is_json(file) {
                true => self.copies_in_json(&found, made, edits),
                false => self.copies(&found, Ok(made), edits),
            }
        }
    }

    /// Puts copies of a JSON object in its place: more elements of its list, or a list of them.
    fn copies_in_json(&mut self, found: &Through<'_>, made: Vec<Vec<Edit>>, edits: &mut FileEdits) {
        let block = found.block;
        let Some(source) = self.config.sources.get(block.file) else { return };
        let span = block.braces;
        let copied = made.into_iter().map(|edits| apply_within(&source.text, span, &edits));
        match copied.collect::<Result<Vec<String>, _>>() {
            Ok(copies) => {
                let all = copies.join(", ");
                // An element of a list starts where its object does.
                let text = if block.span == span { all } else { format!("[{all}]") };
                replace(edits.entry(block.file).or_default(), Edit { span, text });
            }
            Err(issue) => self.issues.push(issue.at(block.place())),
        }
    }

    fn options(&mut self, file: SourceId, body: &Body, node: &Node, edits: &mut FileEdits) {
        let Some(text) = self.config.sources.get(file).map(|s| s.text.clone()) else { return };
        // In JSON each address is a string of its own.
        let between = if self.config.is_json(file) { "\", \"" } else { ", " };
        for attribute in body.attributes() {
            let keyed = match &*attribute.name.text {
                "target" => false,
                "replace" => true,
                _ => continue,
            };
            let ExprKind::Tuple(items) = &attribute.expr.kind else { continue };
            for item in items {
                if named::segments(item).is_some_and(|s| named::splits(node, &s).is_none()) {
                    let place = crate::text::Place { file, span: item.span };
                    self.issues.push(crate::specialise::moves::state_blocks::differs(place));
                }
                if let Some(all) = spelled(item, node, self.naming, &text, keyed) {
                    let edit = Edit { span: item.span, text: all.join(between) };
                    replace(edits.entry(file).or_default(), edit);
                }
            }
        }
    }
}

/// An address as it is for each copy; `keyed`: with the instances that gates give.
fn spelled(item: &Expr, node: &Node, naming: &[Naming], text: &str, keyed: bool) -> Option<Vec<String>> {
    let segments = named::segments(item)?;
    let units = named::splits(node, &segments)?;
    if units.is_empty() {
        return None;
    }
    let gated = |(at, unit): &(usize, usize)| {
        let segment = segments.get(*at)?;
        let single = keyed && segment.key.is_none() && naming.get(*unit)?.repetition.is_none();
        let end = segment.name.end;
        single.then(|| Edit { span: Span { start: end, end }, text: "[0]".to_owned() })
    };
    let keys: Vec<Edit> = units.iter().filter_map(gated).collect();
    let made = renamed(&segments, &units, naming).into_iter();
    made.map(|edits| apply_within(text, item.span, &[edits, keys.clone()].concat()).ok()).collect()
}
