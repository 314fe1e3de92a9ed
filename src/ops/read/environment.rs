//! `--env NAME`: an environment's variables and workspace as if they were given by hand.

use crate::config::variables::{VarArg, chosen_environments};
use crate::ops::options::{RunValues, Vars};
use crate::ops::read::session::Session;
use crate::ops::review_plan::arguments;
use crate::ops::{Start, Stop};
use std::ffi::OsString;

/// A start in an environment's workspace, and the words of a run behind its variables; both as they are where none is named.
///
/// # Errors
/// A name that no environment has; a configuration that can't be read.
pub fn given(
    start: &Start,
    name: Option<&str>,
    args: &[OsString],
) -> Result<(Start, Vec<OsString>), Box<Stop>> {
    let (start, own) = under(start, &RunValues { vars: Vars::default(), env: name.map(str::to_owned) })?;
    let own = own.into_iter().flat_map(|arg| match arg {
        VarArg::Var(text) => [OsString::from("-var"), OsString::from(text)],
        VarArg::File(path) => [OsString::from("-var-file"), path.into_os_string()],
    });
    Ok((start, own.chain(args.iter().cloned()).collect()))
}

/// A start in an environment's workspace, and its variables with those that are given besides, which go before; both as they
/// are where no environment is named.
///
/// # Errors
/// A name that no environment has; a configuration that can't be read.
pub fn under(start: &Start, given: &RunValues) -> Result<(Start, Vec<VarArg>), Box<Stop>> {
    let RunValues { vars: Vars(vars), env } = given.clone();
    let Some(name) = env else { return Ok((start.clone(), vars)) };
    let mut session = Session::open_partly(start)?;
    session.judge()?;
    let env = match chosen_environments(&session.named, &[name]) {
        Ok(found) => found.first().copied().cloned(),
        Err(issue) => {
            return Err(session.stop(vec![*issue]));
        }
    };
    let Some(env) = env else { return Ok((start.clone(), vars)) };
    let all = arguments(&env).into_iter().chain(vars).collect();
    Ok((Start { workspace: env.workspace.or_else(|| start.workspace.clone()), ..start.clone() }, all))
}
