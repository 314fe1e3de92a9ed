//! `tf-phi diff`: what `plan` would write.

use super::decide::{Tree, decide};
use super::session::Session;
use super::{DONE, Outcome, Start};
use crate::config::variables::VarArg;
use crate::host::Host as _;
use crate::report::diff::unified;
use crate::txn::PHI_DIR;

/// Runs the command.
///
/// # Errors
/// Blocking issues.
pub fn run(start: &Start, vars: &[VarArg]) -> Outcome {
    let mut session = Session::open(start)?;
    let driven = session.driven(start);
    if session.is_blocked() {
        return Err(session.stop());
    }
    let decided = match decide(&mut session, &driven, vars) {
        Ok(decided) => decided,
        Err(issues) => {
            session.extend(issues);
            return Err(session.stop());
        }
    };
    if let Some(issue) = &decided.undecided {
        start
            .console
            .note(&format!("{}, so there is no move chain for it here. {}", issue.summary, issue.why));
    }
    show(start, &session, &decided.tree);
    Ok(DONE)
}

/// Prints how files would change, the record last.
pub(super) fn show(start: &Start, session: &Session, tree: &Tree) {
    let (own, sources): (Vec<_>, Vec<_>) = tree.iter().partition(|(path, _)| path.starts_with(PHI_DIR));
    let reader = start.console.diff_reader();
    for (path, after) in sources.into_iter().chain(own) {
        let before = session.host.read(path).ok().map(|b| String::from_utf8_lossy(&b).into_owned());
        let text = unified(
            &path.display().to_string(),
            before.as_deref(),
            after.as_deref(),
            start.console.out,
            reader,
        );
        if !text.is_empty() && !start.console.print(reader, &text) {
            return;
        }
    }
}
