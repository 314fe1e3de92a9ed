//! Services that differ from branch to branch: what they replace is split by the conditions of `when` first, each copy with its gate,
//! and then each copy is replaced.
//!
//! In: the tree with these copies, and the tree with calls in their place. Out: both as one change of the original. Invariants: each
//! copy is replaced, so that no object of a resource that stays has to move; the calls have addresses of their own, and nothing moves
//! between those of different services. Absent on purpose: how a resource is split.

use super::over::edits_of;
use super::{Rewrite, Written};
use crate::config::Config;
use crate::issue::{Code, Issue};
use crate::specialise::record::slashed;
use crate::specialise::residual::broken;
use crate::specialise::unit::UnitName;
use crate::specialise::{Specialised, SplitUnit};
use std::path::Path;
use std::sync::Arc;

impl Rewrite {
    /// The tree with copies, as the first of two steps.
    ///
    /// # Errors
    /// A file that the root module would have besides.
    pub fn split(config: &Config, factor: &Arc<str>, done: &Specialised) -> Result<Rewrite, Vec<Issue>> {
        let mut out = Rewrite { factor: factor.clone(), ..Rewrite::default() };
        for (path, text) in &done.files {
            let name = slashed(path);
            let edited = done.record.files.iter().find(|f| f.path == name && !f.created);
            let original = config.sources.find(path).and_then(|id| config.sources.get(id));
            if let (Some(record), Some(original)) = (edited, original) {
                let edits = edits_of(record).map_err(|issue| vec![issue])?;
                let (from, original) = (path.clone(), original.text.clone());
                out.edited.insert(path.clone(), Written { from, original, edits, text: text.clone() });
            } else if path.parent().is_none_or(|dir| dir.as_os_str().is_empty()) {
                return Err(vec![besides(path)]);
            } else {
                out.created.insert(path.clone(), Written::whole(text.clone()));
            }
        }
        Ok(out)
    }

    /// This step and the next one as one. `splits` are the units of this one.
    ///
    /// # Errors
    /// Copies that no service replaces, and edits that don't fit together.
    pub fn then(mut self, mut next: Rewrite, splits: &[SplitUnit]) -> Result<Rewrite, Vec<Issue>> {
        let mut issues: Vec<Issue> = Vec::new();
        for unit in splits {
            let kept = unit.addresses.iter().zip(&unit.gates);
            let replaced = |address: &str| next.replaced.iter().any(|r| r.declared() == address);
            issues.extend(
                kept.filter(|(a, _)| !replaced(a)).map(|(_, gate)| uncovered(unit, &gate.text, gate.negated)),
            );
        }
        if !issues.is_empty() {
            return Err(issues);
        }
        for replaced in &mut next.replaced {
            let own = replaced.declared();
            let unit = splits.iter().find(|unit| unit.addresses.contains(&own));
            replaced.origin = unit.and_then(|unit| UnitName::of_target(&unit.target));
            replaced.when = unit.and_then(|unit| {
                let gates = unit.addresses.iter().zip(&unit.gates);
                let (_, gate) = gates.into_iter().find(|(address, _)| **address == own)?;
                Some(gate.shown().into())
            });
        }
        for (path, later) in next.edited {
            let file = match self.edited.remove(&path) {
                None => later,
                Some(first) => {
                    let both = first.edits.then(&later.edits, &first.original);
                    let edits = both.map_err(|e| vec![broken(e)])?;
                    Written { edits, text: later.text, ..first }
                }
            };
            self.edited.insert(path, file);
        }
        self.created.extend(next.created);
        Ok(Rewrite { factor: self.factor, edited: self.edited, created: self.created, ..next })
    }
}

fn uncovered(unit: &SplitUnit, gate: &str, negated: bool) -> Issue {
    let original = &unit.original;
    let gate = gate.split_whitespace().collect::<Vec<_>>().join(" ");
    let when = if negated { "isn't true" } else { "is true" };
    let why = format!(
        "No service of the form factor replaces it where `{gate}` {when}, and a service does elsewhere. What stays in some cases would \
         have to be moved, and what is replaced can't be."
    );
    let issue = Issue::error(Code::Service, format!("{original} is replaced in some cases only"), why);
    issue.about(original.clone()).fix("Name a service for these cases, too, in the form factor's `services`.", "").fix(
        "Or declare it twice, each with its own value as a literal, and choose between the two by `count`; the service then replaces \
         one of them.",
        "",
    )
}

fn besides(path: &Path) -> Issue {
    let why = "What decides on the service is kept to its values by a file of its own, which can't stand in two steps.";
    let issue = Issue::error(Code::Service, "the workspace decides on a service", why);
    issue.in_path(slashed(path)).fix("Decide by a variable.", "")
}
