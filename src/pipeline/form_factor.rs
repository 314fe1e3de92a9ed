//! The form factor that is on, and the session's configuration under it.
//!
//! Who runs it or `phi.hcl` names it, in this order. What its services replace is replaced in
//! memory, and the tree is read again as if it stood so.

use super::mirrored;
use super::possible::collect_possible;
use super::reachable::{too_wide, unreachable};
use super::session::Session;
use super::traces::Traces;
use super::within;
use crate::config::View;
use crate::config::phi::{self, FormFactor, Templates};
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::SplitUnit;
use crate::specialise::service::{Replacing, Rewrite, bounded, replace};
use crate::text::{Sources, shell_word};
use crate::trace::Universes;
use std::path::Path;

/// How the comments above copies that services tell apart name this program.
const SPLIT: &str = "tf-phi";

impl<H: Host + Clone> Session<H> {
    /// Puts the form factor on that is asked for, or else the one that `phi.hcl` names. An unknown name and what can't be
    /// replaced are issues of the session.
    pub fn put_on(&mut self, asked: Option<&str>) {
        let partly = self.is_partial();
        put_on(self, asked, partly);
    }

    /// The same where modules are not installed. What a service puts in their place needs none of them; what isn't replaced is
    /// missing still.
    pub(super) fn put_on_absent(&mut self, asked: Option<&str>) {
        let factor = self.phi.chosen(asked).ok().flatten();
        if !factor.is_some_and(|factor| self.phi.names_modules(factor)) {
            return;
        }
        let missing = std::mem::take(&mut self.issues);
        self.load_original(true);
        put_on(self, asked, false);
        let Some(rewrite) = &self.rewrite else {
            // What can't be replaced can't be with the modules there, either.
            let refused = self.issues.iter().filter(|i| i.is_error());
            if !self.is_blocked() || refused.clone().any(|i| i.code != Code::Service) {
                self.issues = missing;
            }
            return;
        };
        // Terraform itself would install what is replaced, too.
        let command = format!("tf-phi init --form-factor {}", shell_word(&rewrite.factor));
        for issue in self.issues.iter_mut().filter(|i| i.code == Code::NotInstalled) {
            issue.refix("Install what this configuration calls under the form factor:", &command);
        }
    }
}

fn put_on<H: Host + Clone>(session: &mut Session<H>, asked: Option<&str>, partly: bool) {
    session.origin = None;
    let mut overlay = session.loaded.clone();
    overlay.extend(session.phi.embedded_files());
    let view = View { host: &session.host, overlay: &overlay };
    let (templates, found) = phi::templates(view, Path::new(""), &session.phi);
    session.extend(found);
    session.possible = collect_possible(session, &templates);
    let factor = match session.phi.chosen(asked) {
        Ok(factor) => factor.cloned(),
        Err(issue) => {
            session.extend(vec![*issue]);
            None
        }
    };
    let Some(factor) = factor.filter(|_| !session.is_blocked()) else { return };
    let found = too_wide(&session.phi, &factor);
    if !found.is_empty() {
        session.extend(found);
        return;
    }
    let original = session.config.sources.clone();
    let mut universes = session.universes();
    let first = match split(session, &universes, &factor, &templates, partly) {
        Ok(first) => first,
        Err(issues) => return session.extend(issues),
    };
    if first.is_some() {
        // The tree was read again.
        universes = session.universes();
    }
    let done = replace(&replacing(session, &factor, &templates, &universes));
    let done = done.and_then(|(second, warnings)| match (first, second) {
        (Some((first, splits)), second) => {
            Ok((Some(first.then(second.unwrap_or_default(), &splits)?), warnings))
        }
        (None, second) => Ok((second, warnings)),
    });
    let (rewrite, warnings) = match done {
        Ok(done) => done,
        Err(issues) => return session.extend(issues),
    };
    let Some(rewrite) = rewrite else {
        session.extend(unreachable(&session.config, &factor));
        return;
    };
    let before = std::mem::take(&mut session.config);
    let sources = before.sources.clone();
    // Where conditions split first, that step has kept it. What was secret in it is so in what is read now.
    session.origin.get_or_insert(before);
    session.loaded = rewrite.overlay(&session.overlay);
    session.rewrite = Some(rewrite);
    // What was said of the tree before is said again of this one.
    session.issues.clear();
    session.load(partly);
    if let Some(rewrite) = &session.rewrite {
        rewrite.trace_back(&mut session.config.sources, &original);
        let found = within::replaceable(&session.config, &session.phi, &factor, rewrite);
        session.issues.extend(found);
    }
    let found = unreachable(&session.config, &factor);
    session.extend(found);
    // What isn't installed is outside already.
    if !session.issues.iter().any(|i| i.is_error() && i.code != Code::NotInstalled) {
        let found = mirrored::outside(session, &factor);
        session.extend(found);
    }
    let moved = warnings.into_iter().map(|issue| carried(issue, session, &sources)).collect();
    session.extend(moved);
}

/// Returns the input of replacing for the session's configuration.
fn replacing<'a, H: Host + Clone>(
    session: &'a Session<H>,
    factor: &'a FormFactor,
    templates: &'a Templates,
    universes: &'a Universes,
) -> Replacing<'a> {
    Replacing {
        config: &session.config,
        phi: &session.phi,
        factor,
        templates,
        limits: session.limits(),
        universes,
        outside: session.outside(),
        conceal: Box::new(|trace, issue| session.conceal_issue(trace, issue)),
    }
}

/// Splits what services replace in some cases only, and reads the tree as if it stood so. Nothing where there is no such thing.
fn split<H: Host + Clone>(
    session: &mut Session<H>,
    universes: &Universes,
    factor: &FormFactor,
    templates: &Templates,
    partly: bool,
) -> Result<Option<(Rewrite, Vec<SplitUnit>)>, Vec<Issue>> {
    let driven = bounded(&replacing(session, factor, templates, universes));
    if driven.is_empty() {
        return Ok(None);
    }
    // One file is not edited twice.
    session.editable.clear();
    let mut traced = Traces::of(session, universes, &driven);
    let issues = traced.issues(session, &driven);
    if !issues.is_empty() {
        return Err(issues);
    }
    let done = traced.specialise(session, &driven, SPLIT)?;
    let first = Rewrite::split(&session.config, &factor.name, &done)?;
    let before = std::mem::take(&mut session.config);
    let sources = before.sources.clone();
    session.origin = Some(before);
    session.loaded = first.overlay(&session.overlay);
    session.rewrite = Some(first.clone());
    session.issues.clear();
    session.load(partly);
    session.rewrite = None;
    first.trace_back(&mut session.config.sources, &sources);
    match session.is_blocked() {
        true => Err(Vec::new()),
        false => Ok(Some((first, done.splits))),
    }
}

/// A finding about a file of the tree before, among the sources of this one.
fn carried<H>(issue: Issue, session: &mut Session<H>, before: &Sources) -> Issue {
    let file = issue.place.and_then(|p| before.get(p.file)).cloned();
    let place = issue
        .place
        .zip(file)
        .map(|(place, file)| crate::text::Place { file: session.config.sources.add(file), ..place });
    Issue { place: place.or(issue.place), ..issue }
}
