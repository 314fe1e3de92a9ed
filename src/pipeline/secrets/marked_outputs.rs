//! Outputs that are sensitive because their author says so.
//!
//! In: the flow, once what is secret by names was followed back. Out: what such an output is made of is secret, too: literals that are written out in it, and what it
//! hands on, unless Terraform may ask for the mark. It asks for it where anything sensitive has a part in the value, be it as a condition. What a resource gives may
//! be sensitive by its schema, which nobody has here, and a module as a whole may hold anything. Absent on purpose: the output's own value, which carries the mark.

use super::compared::add_literals;
use super::flow::{Flow, hold};
use super::route::{EACH, Route};
use super::shape::Edge;
use super::touched::marked_secrets;
use crate::addr::Target;
use crate::pipeline::field::Field;

impl Flow<'_> {
    /// Makes secret what they are made of. `all`: all fields of the configuration.
    pub(super) fn open_marked_outputs(&mut self, all: &[Field]) {
        let outputs = std::mem::take(&mut self.marked_outputs);
        if outputs.is_empty() {
            return;
        }
        for (_, attr) in &outputs {
            let mut spans = Vec::new();
            add_literals(&attr.expr, &mut spans);
            self.spots.extend(spans.into_iter().map(|span| attr.at(span)));
        }
        let marks = Flow::of_marks(self, all);
        for ((shape, _), (deciding, _)) in outputs.iter().zip(&marks.marked_outputs) {
            if !deciding.iter().any(|edge| marks.may_be_marked(edge)) {
                self.seed(shape, &[Route::new()]);
            }
        }
        self.go_back();
    }

    /// The flow of all that may carry a mark of Terraform's, outputs that are marked left out.
    fn of_marks<'c>(flow: &Flow<'c>, all: &[Field]) -> Flow<'c> {
        let mut marks = Flow::of(flow.config, all, true);
        let is_output = |target: &Target| matches!(target, Target::Output(_));
        marks.start_from(marked_secrets(flow.config).filter(|(_, target, _)| !is_output(target)));
        let is_resource = |target: &Target| matches!(target, Target::Resource(_));
        for (root, _) in marks.roots.all.iter().enumerate().filter(|(_, (_, target))| is_resource(target)) {
            hold(&mut marks.held, root, Route::new());
        }
        marks.go_on();
        marks
    }

    /// Returns true if Terraform may have marked what an edge leads to.
    fn may_be_marked(&self, edge: &Edge) -> bool {
        let is_whole_module = match self.roots.all.get(edge.root) {
            Some((_, Target::Call(_))) => edge.from.iter().all(|step| **step == *EACH),
            Some(_) => false,
            None => true,
        };
        is_whole_module || self.is_secret(edge)
    }
}
