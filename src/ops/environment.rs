//! `--env NAME` of `plan`, `apply` and `verify`: an environment's variables and workspace as if they were given by hand.

use super::review_plan::arguments;
use super::session::Session;
use super::{Start, Stop};
use crate::config::variables::{VarArg, chosen_environments};
use std::ffi::OsString;

/// A start in an environment's workspace, and the words of a run behind its variables; both as they are where none is named.
///
/// # Errors
/// A name that no environment has; a configuration that can't be read.
pub(super) fn given(
    start: &Start,
    name: Option<&str>,
    args: &[OsString],
) -> Result<(Start, Vec<OsString>), Box<Stop>> {
    let Some(name) = name else { return Ok((start.clone(), args.to_vec())) };
    let mut session = Session::open_partly(start)?;
    if session.is_blocked() {
        return Err(session.stop());
    }
    let env = match chosen_environments(&session.named, &[name.to_owned()]) {
        Ok(found) => found.first().copied().cloned(),
        Err(issue) => {
            session.issues.push(*issue);
            return Err(session.stop());
        }
    };
    let Some(env) = env else { return Ok((start.clone(), args.to_vec())) };
    let own = arguments(&env).into_iter().flat_map(|arg| match arg {
        VarArg::Var(text) => [OsString::from("-var"), OsString::from(text)],
        VarArg::File(path) => [OsString::from("-var-file"), path.into_os_string()],
    });
    let words = own.chain(args.iter().cloned()).collect();
    Ok((Start { workspace: env.workspace.or_else(|| start.workspace.clone()), ..start.clone() }, words))
}
