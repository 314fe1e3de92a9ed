//! Commands that do one thing in a Stack and another one in a root module.

use super::whether::is_stack;
use super::written::deployed;
use crate::ops::read::environment::under;
use crate::ops::read::session::Session;
use crate::ops::run::terraformed::Request;
use crate::ops::{Command, DONE, Outcome, Start, diff, plan};
use std::path::Path;

/// `plan` and `apply`.
impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        if is_stack(start) { super::run::run(start, self) } else { plan::run(start, self) }
    }
}

/// `diff`: what `plan` would write.
impl Command for diff::Request {
    fn run(&self, start: &Start) -> Outcome {
        let (start, vars) = &under(start, &self.values)?;
        if !is_stack(start) {
            return diff::run(start, vars);
        }
        let mut session = Session::open_partly(start)?;
        for deployed in deployed(start, &mut session)? {
            diff::show(start, &session, &deployed.tree, Path::new(""));
        }
        Ok(DONE)
    }
}
