//! `-var` and `-var-file` that `TF_CLI_ARGS_plan` and `TF_CLI_ARGS` add to every plan: what a run has that is given nothing by hand.

use crate::config::variables::{Named, VarArg};
use crate::config::{Config, paths};
use crate::host::Host;
use crate::terraform::args::RunArgs;

/// Gives the environment that nobody named what such a run gets.
pub fn give_arguments(host: &dyn Host, named: &mut [Named]) {
    let Some(env) = named.iter_mut().find(|env| env.is_default) else { return };
    match RunArgs::read(host, "plan", &[]) {
        Ok(read) => env.args = read.vars,
        Err(issue) => env.args_fault = Some(Box::new(issue)),
    }
}

/// Takes back what a base doesn't know yet: files that aren't there, and variables that nothing declares.
pub fn keep_known_arguments(host: &dyn Host, config: &Config, named: &mut [Named]) {
    let Some(root) = config.root() else { return };
    let is_known = |arg: &VarArg| match arg {
        VarArg::File(path) => {
            let path = paths::join(&root.dir, path);
            path.is_absolute() || host.is_outside(&path) || host.kind(&path).is_some()
        }
        VarArg::Var(text) => {
            text.split_once('=').is_none_or(|(name, _)| root.variables.contains_key(name.trim_end()))
        }
    };
    named.iter_mut().for_each(|env| env.args.retain(is_known));
}
