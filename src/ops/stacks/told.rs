//! `explain` in a Stack: which component an address in a deployment's plan is, and the other way round.

use super::run::lowered;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::{DONE, Outcome, Start};
use crate::report::explain::{Explained, print};

/// Tells what an address stands for in each deployment. Nothing is written for that, nor has it to be.
///
/// # Errors
/// Blocking issues; an address that no deployment has.
pub(in crate::ops) fn explained(start: &Start, address: &str, as_json: bool) -> Outcome {
    let mut session = Session::open_partly(start)?;
    session.judge()?;
    let deployments = session.config.deployments.clone();
    let mut found: Vec<(String, String)> = Vec::new();
    for deployment in deployments {
        let own = lowered(&mut session, &deployment, &[])?;
        let other = own.claims.components.iter().find_map(|(labels, component)| {
            let module = crate::stacks::address(labels);
            let rest = |outer: &str| {
                address.strip_prefix(outer).filter(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            rest(&module)
                .map(|r| format!("{component}{r}"))
                .or_else(|| rest(component).map(|r| format!("{module}{r}")))
        });
        found.extend(other.map(|other| (deployment.name.to_string(), other)));
    }
    let Some((_, first)) = found.first().cloned() else {
        let why = "No deployment has it. A plan prints addresses such as module.net.aws_vpc.main; the Stack's own begin with component or stack.";
        let issue = Issue::error(Code::Config, format!("\"{address}\" is no component's"), why);
        return Err(session.stopped(vec![issue]));
    };
    // What is told of a Stack's own address is what it is in the deployments.
    let original = if address.starts_with("module.") && as_json { first } else { address.to_owned() };
    let explained =
        Explained { address: address.to_owned(), original, copies: Vec::new(), deployments: found };
    print(start.console, &explained, &session.config.sources, as_json);
    Ok(DONE)
}
