//! The form factor that is on, and the session's configuration under it.
//!
//! The command line, the environment and `phi.hcl` name it, in this order. What its services replace is replaced in
//! memory, and the tree is read again as if it stood so.

use super::session::Session;
use super::{Start, Stop};
use crate::config::View;
use crate::config::phi;
use crate::host::Host as _;
use crate::issue::Issue;
use crate::specialise::service::{Replacing, candidates, replace};
use std::path::Path;

/// The environment variable that names the form factor.
const VARIABLE: &str = "TF_PHI_FORM_FACTOR";

/// Puts the form factor on that is asked for, if any.
///
/// # Errors
/// An unknown name; what can't be replaced.
pub(super) fn put_on(start: &Start, session: &mut Session) -> Result<(), Box<Stop>> {
    let view = View { host: &session.host, overlay: &session.loaded };
    let (templates, found) = phi::templates(view, Path::new(""), &session.phi);
    session.extend(found);
    let possible = session.phi.form_factors.values().flat_map(|factor| {
        let all = candidates(&session.config, &session.phi, factor);
        all.into_iter().map(|c| (factor.name.to_string(), c.replaced))
    });
    session.possible = possible.collect();
    let asked = start.form_factor.clone().or_else(|| session.host.env(VARIABLE));
    let factor = match session.phi.chosen(asked.as_deref()) {
        Ok(factor) => factor.cloned(),
        Err(issue) => {
            session.extend(vec![*issue]);
            None
        }
    };
    let Some(factor) = factor.filter(|_| !session.is_blocked()) else { return Ok(()) };
    let universes = session.universes();
    let replacing = Replacing {
        config: &session.config,
        phi: &session.phi,
        factor: &factor,
        templates: &templates,
        limits: session.limits(),
        universes: &universes,
        outside: session.outside(),
    };
    let (rewrite, warnings) = match replace(&replacing) {
        Ok(done) => done,
        Err(issues) => {
            session.extend(issues);
            return Ok(());
        }
    };
    let Some(rewrite) = rewrite else { return Ok(()) };
    let before = std::mem::take(&mut session.config);
    session.loaded = rewrite.overlay(&session.overlay);
    session.rewrite = Some(rewrite);
    // What was said of the tree before is said again of this one.
    session.issues.clear();
    session.load(session.is_partial());
    if let Some(rewrite) = &session.rewrite {
        rewrite.trace_back(&mut session.config.sources, &before.sources);
    }
    let moved = warnings.into_iter().map(|issue| carried(issue, session, &before)).collect();
    session.extend(moved);
    Ok(())
}

/// A finding about a file of the tree before, among the sources of this one.
fn carried(issue: Issue, session: &mut Session, before: &crate::config::Config) -> Issue {
    let file = issue.place.and_then(|p| before.sources.get(p.file)).cloned();
    let place = issue
        .place
        .zip(file)
        .map(|(place, file)| crate::text::Place { file: session.config.sources.add(file), ..place });
    Issue { place: place.or(issue.place), ..issue }
}
