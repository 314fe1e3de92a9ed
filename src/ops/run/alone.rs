//! Runs in which nothing but this run's values is put in place: no copy, no move, nothing in state to ask for.
//!
//! In: a directory that was opened ([`super::literals`]), and the words for Terraform. Invariant: the sources are put back however Terraform
//! ends. Absent on purpose: any decision.

use super::decide::Tree;
use super::ephemeral;
use super::initialised;
use super::literals::Opened;
use super::summary;
use super::terraformed::{Request, find, install, terraformed};
use crate::addr::{FieldAddr, FieldPath};
use crate::issue::Issue;
use crate::ops::diff;
use crate::ops::read::session::Session;
use crate::ops::{DONE, Outcome, Start};
use crate::pipeline::literals::{Literals, Valued};
use crate::report::summary::{Active, Aftermath, Branch, Summary, Unit};
use crate::terraform::args::RunArgs;
use crate::trace::Driver;
use crate::txn::Lock;
use crate::value::hcl;
use std::collections::BTreeMap;
use std::path::Path;

impl Opened {
    /// Runs a command on a tree in which nothing but values is put in place.
    ///
    /// # Errors
    /// Blocking issues; then nothing was written and Terraform was not started.
    pub fn run_alone(
        mut self,
        start: &Start,
        request: &Request,
        read: &RunArgs,
        lock: Result<Option<Lock>, Issue>,
    ) -> Outcome {
        self.session.judge()?;
        let format = request.issues.format();
        self.session.print_warnings(start, format);
        note_pins(start, request, &mut self.session);
        let Opened { mut session, literals, .. } = self;
        let mut tree: Tree = session.overlay.clone();
        if request.dry_run {
            diff::show(start, &session, &tree, Path::new(""));
            return Ok(DONE);
        }
        let terraform = find(start, &session)?;
        initialised::check(&session, &tree, read, &terraform)?;
        let _held = lock?;
        literals.note(&mut tree);
        let hops = summary::hops(start, format);
        let set = ephemeral::change_set(&mut session, &tree)?;
        let mut done = Summary { aftermath: Aftermath::PutBack, ..Summary::default() };
        literals.tell(&mut done);
        summary::files(&mut done, &set);
        ephemeral::during(&session.host.root, &set, start.console, || {
            install(&terraform, &session)?;
            summary::print(start, format, &done, &hops);
            terraformed(start, request, &request.args, &terraform)
        })
    }
}

/// Says which pins do nothing in a run without copies.
pub fn note_pins(start: &Start, request: &Request, session: &mut Session) {
    let driven = session.driven(start);
    let pins = driven.iter().filter(|d| d.driver == Driver::Pin && !d.copies && !d.is_meta()).count();
    if pins > 0 && start.tells(request.issues.format()) {
        let (fields, stay) = if pins == 1 {
            ("1 pinned field", "stays the expression that it is")
        } else {
            (&*format!("{pins} pinned fields"), "stay the expressions that they are")
        };
        start.note(&format!("without copies {fields} {stay}: Terraform takes them itself."));
    }
}

impl Literals {
    /// Adds the fields to a summary.
    pub fn tell(&self, summary: &mut Summary) {
        let mut by_address: BTreeMap<FieldAddr, (Vec<String>, Vec<String>)> = BTreeMap::new();
        for Valued { field, value, .. } in &self.fields {
            let whole = FieldAddr { path: FieldPath::default(), ..field.clone() };
            let (fields, values) = by_address.entry(whole).or_default();
            fields.push(field.path.to_string());
            values.push(hcl::to_hcl(value).unwrap_or_default());
        }
        summary.fields += self.fields.len();
        let unit = |(address, (fields, values)): (FieldAddr, (Vec<String>, Vec<String>))| Unit {
            address: address.to_string(),
            fields,
            branches: vec![Branch { values, active: Active::ThisRun }],
        };
        summary.units.splice(0..0, by_address.into_iter().map(unit));
    }
}
