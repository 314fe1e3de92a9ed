//! Finds the values on the command line on which a trace depends.
//!
//! A variable with a value isn't a choice any more, and a trace doesn't pass it. So the field is traced once more with all values
//! that variables may have; each variable found there is reported with the value given.

use crate::config::paths::shown;
use crate::config::variables::{VarOrigin, VarValues};
use crate::ops::read::session::Session;
use crate::pipeline::fields::Field;
use crate::pipeline::narrowing::each;
use crate::report::TraceReport;
use crate::text::Place;
use crate::trace::{HopText, Universes};
use crate::value::{Value, hcl};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The values that the command line gives.
pub struct Given {
    /// The universes without the command line.
    pub listed: Universes,
    /// The values with their sources.
    pub values: VarValues,
    /// The values, converted to the variables' types.
    pub accepted: BTreeMap<Arc<str>, Value>,
}

impl Given {
    /// Notes in reports what was given to the variables that their fields depend on.
    pub fn note(&self, session: &Session, fields: &[Field], reports: &mut [TraceReport]) {
        let behind: Vec<BTreeSet<Arc<str>>> = each(session, &self.listed, fields, |tracers, field| {
            let said = field.said.as_ref();
            tracers.trace(&field.addr, &field.site, said, |prover, trace| {
                prover.tracer().variables_behind(trace)
            })
        });
        for (report, variables) in reports.iter_mut().zip(&behind) {
            let given = self.accepted.iter().filter(|(name, _)| variables.contains(*name));
            let hops: Vec<_> = given.filter_map(|(name, value)| self.hop(session, name, value)).collect();
            report.under(&hops);
        }
    }

    fn hop(&self, session: &Session, name: &Arc<str>, value: &Value) -> Option<(Arc<str>, HopText, Place)> {
        let variable = session.config.root()?.variables.get(name)?;
        let text = if variable.is_hidden() { None } else { hcl::to_hcl(value) };
        let text = text.unwrap_or_else(|| "(sensitive value)".to_owned());
        let by = match &self.values.get(name)?.origin {
            VarOrigin::CommandLine => "-var".to_owned(),
            VarOrigin::Env(name) => name.clone(),
            VarOrigin::File(path) => shown(path),
        };
        let said = HopText::given(&format!("var.{name} = {text}, given by {by}"));
        Some((name.clone(), said, variable.decl.place()))
    }
}
