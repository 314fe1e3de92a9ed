//! `review`: files of Git's attributes that differ and by which it writes other contents into a work tree.
//!
//! In: a root module, and what differs from the base. Out: a finding and a row for each such file that has a say in what the root module reads. The
//! base is read as Git stores it, so that ends of lines, encodings and what filters make are the same on both sides whatever a checkout of the
//! base had. Absent on purpose: what Git makes of a file.

use crate::config::paths;
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::Review;
use crate::ops::roots::find_attributes;
use crate::terraform::git::Changes;
use crate::text::{one_line, shell_word};
use crate::trace::Term;
use std::path::Path;
use std::sync::Arc;

/// Adds what is to be said of them for a root module in `root`. `base`: the revision.
pub(super) fn add_attributes(
    made: &mut Review,
    root: &Path,
    base: &str,
    changes: Result<Arc<Changes>, Issue>,
) {
    let found = changes.and_then(|changes| find_attributes(root, &changes).map(|found| (changes, found)));
    let (changes, found) = match found {
        Ok(found) => found,
        Err(issue) => return made.unable.push(issue),
    };
    for own in found {
        let file = paths::relative_path(root, &changes.top().join(&own));
        let shown = paths::shown(&file);
        let cell = |text: &str| Arc::new(Cell::Written(Arc::new(Term::written(text, text.to_owned()))));
        let row = (
            one_line(&shown).into_owned(),
            cell("how Git writes files"),
            cell("how Git writes files, said otherwise"),
        );
        for env in made.environments.iter_mut().filter(|env| env.after) {
            env.values.push(row.clone());
        }
        let summary = format!("{} says otherwise how Git writes files", one_line(&shown));
        let why = "Ends of lines, encodings, `$Id$` or what a filter makes differ in a new checkout, and values with them. The base is read as Git stores it, so that this isn't compared.";
        // It counts from the top of the work tree.
        let own = paths::shown(&own);
        let magic = if own.contains(['*', '?', '[', '\\']) { ":(top,literal)" } else { ":/" };
        let seen = format!("{magic}{own}");
        let paste = format!("git diff {} -- {}", shell_word(base), shell_word(&seen));
        let issue = Issue::error(Code::Environment, summary, why).in_path(shown);
        made.unable.push(issue.fix("See what it said and says now:", paste));
    }
}
