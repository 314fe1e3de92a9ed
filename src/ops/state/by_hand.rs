//! Commands that people type to move or forget what a state holds, or to go to another one.
//!
//! In: the run in which they are printed. Invariant: they work where that run was: in a tree that Terraform rejects they are tf-phi's, and
//! they name the state that the run has. Absent: running them.

use crate::config::{Config, In};
use crate::ops::read::session::Session;
use crate::syntax::{Attribute, ExprKind};
use crate::terraform::args::RunArgs;
use crate::text::{shell_quoted, shell_word};
use crate::trace::{Driven, Driver};

/// The front of `terraform state` commands for the state of a run.
#[derive(Clone, Debug)]
pub struct StateCommands {
    program: &'static str,
    options: String,
}

impl StateCommands {
    /// For the state of a run with these driven fields and arguments. What a form factor replaces may be what Terraform rejects.
    pub fn new(session: &Session, driven: &[Driven], read: &RunArgs) -> StateCommands {
        let is_rejected = session.origin.as_ref().is_some_and(has_expression_where_none_may_be)
            || driven.iter().any(|field| field.driver == Driver::Static);
        StateCommands {
            program: if is_rejected { "tf-phi" } else { "terraform" },
            options: write_state_options(read),
        }
    }

    /// The command that gives an object another address.
    pub fn write_move(&self, from: &str, to: &str) -> String {
        format!("{} state mv{} {} {}", self.program, self.options, shell_quoted(from), shell_quoted(to))
    }

    /// The command that selects a workspace, or makes it.
    pub fn write_workspace(&self, name: &str) -> String {
        format!("{} workspace select -or-create {}", self.program, shell_word(name))
    }

    /// The command that has Terraform forget objects.
    pub fn write_removal<'a>(&self, addresses: impl IntoIterator<Item = &'a str>) -> String {
        let all: Vec<String> = addresses.into_iter().map(shell_quoted).collect();
        format!("{} state rm{} {}", self.program, self.options, all.join(" "))
    }
}

/// Returns true if a configuration has an expression where Terraform takes none.
fn has_expression_where_none_may_be(config: &Config) -> bool {
    let is_expression = |attr: &In<Attribute>| {
        !matches!(attr.expr.kind, ExprKind::Bool(_) | ExprKind::String(_) | ExprKind::Null)
    };
    config.modules.iter().any(|module| {
        let mut kept =
            module.resources.values().filter_map(|resource| resource.lifecycle.prevent_destroy.as_ref());
        let mut sources = module.calls.values().filter_map(|call| call.source.as_ref());
        kept.any(is_expression) || sources.any(is_expression)
    })
}

/// The options of a run that say which state it has, each with a space in front.
pub fn write_state_options(read: &RunArgs) -> String {
    let all = [("state", &read.state), ("lock", &read.lock), ("lock-timeout", &read.lock_timeout)];
    let given = all.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
    given.map(|(name, value)| format!(" {}", shell_word(&format!("-{name}={value}")))).collect()
}
