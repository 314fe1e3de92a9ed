//! Outputs that are sensitive because their author says so.
//!
//! In: the flow, once what is secret by names was followed back. Out: what such an output is made of is secret, too: literals that are written out in it, and what it hands on, unless
//! something in it is known to be sensitive, for which Terraform asks for the mark. What a resource gives may be sensitive by its schema, which nobody has here, and a
//! module as a whole may hold anything. Absent on purpose: the output's own value, which carries the mark.

use super::compared::add_literals;
use super::flow::Flow;
use super::route::Route;
use super::shape::Edge;
use super::touched::marked_secrets;
use crate::addr::Target;

impl Flow<'_> {
    /// Makes secret what they are made of.
    pub(super) fn open_marked_outputs(&mut self) {
        let outputs = std::mem::take(&mut self.marked_outputs);
        if outputs.is_empty() {
            return;
        }
        for (_, attr) in &outputs {
            let mut spans = Vec::new();
            add_literals(&attr.expr, &mut spans);
            self.spots.extend(spans.into_iter().map(|span| attr.at(span)));
        }
        let known = self.held.clone();
        let is_output = |target: &Target| matches!(target, Target::Output(_));
        self.start_from(marked_secrets(self.config).filter(|(_, target, _)| !is_output(target)));
        self.go_on();
        let is_meant = |shape: &[Edge]| !shape.iter().any(|edge| self.may_be_why(edge));
        let meant: Vec<_> =
            outputs.into_iter().map(|(shape, _)| shape).filter(|shape| is_meant(shape)).collect();
        self.held = known;
        meant.iter().for_each(|shape| self.seed(shape, &[Route::new()]));
        self.go_back();
    }

    /// Returns true if an output may be marked for what an edge leads to.
    fn may_be_why(&self, edge: &Edge) -> bool {
        let target = self.roots.all.get(edge.root).map(|(_, target)| target);
        let is_any = match target {
            Some(Target::Resource(_)) | None => true,
            Some(Target::Call(_)) => edge.from.iter().all(|step| **step == *super::route::EACH),
            _ => false,
        };
        is_any || self.is_secret(edge)
    }
}
