//! The driven fields of a session, traced together, and what is made of them.

use super::session::Session;
use crate::addr::Target;
use crate::config::literal::literal;
use crate::config::{View, ignored};
use crate::gate::{GateCache, Prover};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::history;
use crate::specialise::service;
use crate::specialise::{Request, Specialised, specialise};
use crate::trace::accepts::Accepts;
use crate::trace::{Assumptions, Driven, Trace, Tracer, Universes, issue_of, list_values, trace_driven};

/// Traces, and what they share.
pub struct Traces<'a> {
    /// The tracer that made them.
    pub tracer: Tracer<'a>,
    gates: GateCache,
    /// One for each driven field, in their order.
    pub traces: Vec<Trace>,
    /// The assumptions for all of them.
    pub assumptions: Assumptions,
}

/// The finding for a field that is secret by its name: copies would be named by its values.
fn secret_values(trace: &Trace) -> Issue {
    let summary = format!("{} is secret, and a specialization would name its values", trace.field);
    let why = "Copies are named by the values that they pin, and these names stand in plans and in state. What Terraform calls \
        sensitive, or is known to be, isn't written there. A choice may be secret, its values may not.";
    // An argument of a call has a name of its own, which doesn't say that its line is none to be shown.
    let at = Some(trace.at).filter(|_| !matches!(trace.field.target, Target::Call(_)));
    let issue = Issue::error(Code::Sensitive, summary, why).at(at).about(trace.field.to_string());
    issue.fix("Take this field out of the `specialize` block in `phi.hcl`: in copies it stays the expression that it is.", "")
}

impl<'a> Traces<'a> {
    /// Traces the driven fields of a session.
    pub fn of<H: Host + Clone>(
        session: &'a Session<H>,
        universes: &'a Universes,
        driven: &[Driven],
    ) -> Traces<'a> {
        let (mut tracer, mut traces, assumptions) =
            trace_driven(&session.config, session.limits(), universes, session.outside(), driven);
        list_values(&mut tracer, driven, &mut traces);
        Traces { tracer, gates: GateCache::default(), traces, assumptions }
    }

    /// Why they can't be specialised, where they can't.
    pub fn issues<H: Host + Clone>(&self, session: &Session<H>, driven: &[Driven]) -> Vec<Issue> {
        let unable = session
            .rewrite
            .iter()
            .flat_map(|r| service::outside(&session.config, &session.phi, r, &self.traces));
        // What is written out already stays as it is; any other value would come to stand in sources and in a diff.
        let is_written = |driven: &Driven| literal(&driven.site.attr.expr).is_ok();
        let secret = driven.iter().zip(&self.traces).filter(|(driven, trace)| {
            !trace.branches().is_empty() && session.hides(&trace.field) && !is_written(driven)
        });
        let secret = secret.map(|(_, trace)| trace);
        let own = self.traces.iter().filter_map(|trace| Some(session.conceal_issue(trace, issue_of(trace)?)));
        own.chain(unable).chain(secret.map(secret_values)).collect()
    }

    /// Specialises what they are traces of. `version` is how records name this program.
    ///
    /// # Errors
    /// Stack issues.
    pub fn specialise<H: Host + Clone>(
        &mut self,
        session: &Session<H>,
        driven: &[Driven],
        version: &'static str,
    ) -> Result<Specialised, Vec<Issue>> {
        let older = history::merged(session.record.as_ref(), &session.history);
        let view = View { host: &session.host, overlay: &session.overlay };
        let discretion = session.discretion();
        let request = Request {
            config: &session.config,
            limits: session.limits(),
            driven,
            traces: &self.traces,
            assumptions: &self.assumptions,
            older: older.as_ref(),
            history: &session.history,
            version,
            accepts: session.accepts.get().copied().filter(|a| *a != Accepts::default()),
            editable: &session.editable,
            // What a service replaces has another text on the disk than here.
            links: session.phi.settings.links && session.rewrite.is_none(),
            is_ignored: &|path| ignored::excludes(view, path),
            discretion: &discretion,
        };
        let done = specialise(&request, &mut Prover::new(&mut self.tracer, &mut self.gates))?;
        match &session.rewrite {
            Some(rewrite) => rewrite.under(done, older.as_ref()).map_err(|issue| vec![*issue]),
            None => Ok(done),
        }
    }
}
