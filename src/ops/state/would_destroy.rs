//! The issues of objects in state that a form factor, or a service that goes, would make Terraform destroy.
//!
//! No object can be moved from a resource into the module that replaces it, so it would be destroyed. In: the objects that
//! [`crate::pipeline::stand_ins`] finds. Out: an issue for each resource or call that they are of, with the ways out. Invariant: a
//! `removed` block that is shown names where the object arrives in this run, and a command names it as state does. Absent: finding them.

use crate::addr::ObjectAddr;
use crate::config::variables::VarArg;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::workspace;
use crate::ops::run::values::is_secret;
use crate::ops::state::by_hand::{StateCommands, write_state_options};
use crate::ops::state::hints;
use crate::pipeline::stand_ins::{Gone, Why};
use crate::specialise::moves::originals::without_keys;
use crate::specialise::record::history::Made;
use crate::syntax;
use crate::terraform::args::RunArgs;
use crate::text::shell_word;
use std::collections::BTreeSet;

/// The number of addresses that one command names.
const MOST: usize = 20;

/// Objects that go together: all of one resource or call.
struct Group<'a> {
    why: &'a Why,
    /// The first of them.
    object: &'a ObjectAddr,
    /// Its address in state.
    first: String,
    /// The addresses without keys that `removed` blocks give them up by.
    released: BTreeSet<String>,
    /// The addresses in state.
    held: BTreeSet<String>,
}

/// One issue for all objects of a resource or call.
pub fn write_issues(
    session: &Session,
    (read, commands): (&RunArgs, &StateCommands),
    gone: &[Gone],
) -> Vec<Issue> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for one in gone {
        let (released, held) = one.given_up_as();
        // What a condition turns away goes call by call, as one instance of a module may keep what another loses.
        let apart =
            |g: &Group<'_>| matches!(g.why, Why::Made { turned: true, .. }) && !g.held.contains(&held);
        let at = groups.iter().position(|g| *g.why == one.why && !apart(g)).unwrap_or(groups.len());
        if at == groups.len() {
            let first = one.object.held.to_string();
            let (object, released, held) = (&one.object.held, BTreeSet::new(), BTreeSet::new());
            groups.push(Group { why: &one.why, object, first, released, held });
        }
        if let Some(group) = groups.get_mut(at) {
            group.released.insert(released);
            group.held.insert(held);
        }
    }
    let at = At { session, read, commands };
    groups.iter().map(|group| write_issue(&at, group)).collect()
}

/// The tree and the run.
struct At<'a> {
    session: &'a Session,
    read: &'a RunArgs,
    commands: &'a StateCommands,
}

impl At<'_> {
    /// The options of the run that give values to variables, with a gap for what is secret, and those that say where its state is.
    fn write_options(&self) -> String {
        let config = self.session.origin.as_ref().unwrap_or(&self.session.config);
        let one = |var: &VarArg| match var {
            VarArg::Var(text) => match text.split_once('=') {
                Some((name, _)) if is_secret(config, name.trim()) => format!(" -var {}=…", name.trim()),
                _ => format!(" -var {}", shell_word(text)),
            },
            VarArg::File(path) => format!(" -var-file {}", shell_word(&path.display().to_string())),
        };
        let variables: String = self.read.vars.iter().map(one).collect();
        variables + &write_state_options(self.read)
    }

    /// The command that selects a workspace by this name, or by one like it where it is selected already.
    fn write_workspace(&self, name: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
        let name: String = name.chars().map(plain).collect();
        let now = workspace(self.session);
        let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}-{n}")));
        let free = names.find(|one| *one != now).unwrap_or(name);
        self.commands.write_workspace(&free)
    }

    /// What to put back into `phi.hcl`, with the words for it: the blocks as the history has them.
    fn write_blocks(&self, made: &Made) -> (String, String) {
        let session = self.session;
        let known = |kind: &str, label: &str| session.history.find_block(kind, label).map(str::to_owned);
        let (factor, service) = (&made.form_factor, &made.service);
        let settings = write_settings(session, factor);
        let is_set = settings.is_none();
        let lost = |kind: &str, label: &str| {
            known(kind, label).filter(|text| session.phi_block(kind, label).as_ref() != Some(text))
        };
        let blocks = [settings, lost("form_factor", factor), lost("service", service)];
        let text = blocks.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let plan = match is_set {
            true => format!(", and plan with `--form-factor {}`", shell_word(factor)),
            false => String::new(),
        };
        let title = match known("form_factor", factor) {
            None => format!(
                "Put the service \"{service}\" back into the `services` of the form factor \"{factor}\" in `phi.hcl`{plan}."
            ),
            Some(_) if text.is_empty() => format!(
                "The service \"{service}\" stood in for {}, and `phi.hcl` has it as before: take back what changed in the sources.",
                made.made_for
            ),
            Some(_) => format!("Put back into `phi.hcl`, in place of blocks of the same name{plan}:"),
        };
        (title, text)
    }
}

/// The settings with the form factor; nothing where they name another one, or this one.
fn write_settings(session: &Session, factor: &str) -> Option<String> {
    let text = session.phi.source.and_then(|id| Some(&session.config.sources.get(id)?.text));
    let text = text.map_or("", |text| text);
    let body = syntax::parse(text).ok()?;
    let mut within = String::new();
    if let Some(block) = body.blocks_of("settings").next() {
        if block.body.attribute("form_factor").is_some() {
            return None;
        }
        let known = text.get(block.span.start as usize..block.span.end as usize)?;
        let inner = known.split_once('{')?.1.rsplit_once('}')?.0.trim_matches(['\n', '\r']).trim_end();
        let inner = if inner.starts_with("  ") { inner } else { inner.trim_start() };
        let indent = if inner.starts_with("  ") || inner.is_empty() { "" } else { "  " };
        within = format!("{indent}{inner}\n");
    }
    Some(format!("settings {{\n{}  form_factor = \"{factor}\"\n}}", within.trim_start_matches('\n')))
}

fn write_issue(at: &At<'_>, group: &Group<'_>) -> Issue {
    let factor = at.session.rewrite.as_ref().map_or("", |r| &r.factor);
    let shown = without_keys(&group.first);
    let held = |name: &str, why: &str| {
        let why = format!("{why} Nothing was written, and Terraform was not started to plan.");
        Issue::error(Code::Held, format!("state holds {name}"), why).about(shown.clone())
    };
    match group.why {
        Why::Replaced(unit) => {
            let why = format!(
                "Under the form factor \"{factor}\" a service replaces or drops {unit}, so Terraform would destroy what state holds \
                 as {}.",
                group.first
            );
            add_ways_apart(held(unit, &why), at, group)
        }
        Why::Made { made, turned: true, .. } => {
            let why = format!(
                "Under the form factor \"{factor}\" a condition chooses which service stands in, and in this run it chooses another \
                 one than {}, so Terraform would destroy it.",
                group.held.first().map_or("", String::as_str)
            );
            add_ways_of_choice(held(&shown, &why), at, made, group)
        }
        Why::Made { made, concluded, .. } => {
            let why = format!(
                "The service \"{}\" made it for {} under the form factor \"{}\", which is not on in this run or doesn't make it any \
                 more, so Terraform would destroy it.",
                made.service, made.made_for, made.form_factor
            );
            let is_on = at.session.rewrite.as_ref().is_some_and(|r| *r.factor == *made.form_factor);
            let issue = match *concluded && is_on {
                true => add_ways_of_giving_up(
                    held(&shown, &why).fix(
                        "If the service made it, have that written down, and run again:",
                        format!("tf-phi history --rebuild --form-factor {}", shell_word(&made.form_factor)),
                    ),
                    at,
                    group,
                ),
                false => add_ways_back(held(&shown, &why), at, made, group),
            };
            if !concluded {
                return issue;
            }
            // The history may be lost.
            let doubt = "By its name and by the service's template it is of that service; `.phi/history.jsonl` doesn't tell of it.";
            let issue = Issue { why: format!("{} {doubt}", issue.why), ..issue };
            issue.fix("If it is your own, so that it is treated as without tf-phi:", hints::own(group.object))
        }
    }
}

/// The ways out where a form factor has been put on.
fn add_ways_apart(issue: Issue, at: &At<'_>, group: &Group<'_>) -> Issue {
    let factor = at.session.rewrite.as_ref().map_or("another", |r| &r.factor);
    let issue = issue.fix(
        "Give each form factor a state of its own, a workspace for example:",
        at.write_workspace(factor),
    );
    add_ways_of_giving_up(issue, at, group)
}

/// The ways out where a service doesn't stand in any more.
fn add_ways_back(issue: Issue, at: &At<'_>, made: &Made, group: &Group<'_>) -> Issue {
    let issue = add_way_back(issue, at, made);
    let name = match &at.session.rewrite {
        Some(rewrite) if *rewrite.factor != *made.form_factor => rewrite.factor.to_string(),
        _ => format!("without-{}", made.form_factor),
    };
    let issue = issue.fix(
        "Leave this state to the form factor, and plan in another one, a workspace for example:",
        at.write_workspace(&name),
    );
    add_ways_of_giving_up(issue, at, group)
}

/// The way back to the service: by the command line where `phi.hcl` has all of it still.
fn add_way_back(issue: Issue, at: &At<'_>, made: &Made) -> Issue {
    let session = at.session;
    let factor = session.phi.form_factors.get(made.form_factor.as_str());
    let names = factor.is_some_and(|f| f.services.iter().any(|(name, _)| **name == *made.service));
    let is_on = session.rewrite.as_ref().is_some_and(|r| *r.factor == *made.form_factor);
    if names && !is_on && session.phi.services.contains_key(made.service.as_str()) {
        return issue.fix(
            "Plan with the form factor that this state belongs to:",
            format!("tf-phi plan --form-factor {}{}", shell_word(&made.form_factor), at.write_options()),
        );
    }
    let (title, blocks) = at.write_blocks(made);
    issue.fix(title, blocks)
}

/// The ways out where a condition chooses among services.
fn add_ways_of_choice(issue: Issue, at: &At<'_>, made: &Made, group: &Group<'_>) -> Issue {
    issue
        .fix(
            "Plan with the values that this state belongs to, and give others a state of their own:",
            at.write_workspace(&format!("without-{}", made.service)),
        )
        .fix("Or give the objects up without destroying them:", write_state_rm(at, group))
}

fn add_ways_of_giving_up(issue: Issue, at: &At<'_>, group: &Group<'_>) -> Issue {
    let block = |from: &String| {
        format!("removed {{\n  from = {from}\n\n  lifecycle {{\n    destroy = false\n  }}\n}}")
    };
    let blocks: Vec<String> = group.released.iter().map(block).collect();
    issue
        .fix(
            "Or give the object up without destroying it; apply this, and take it out again:",
            blocks.join("\n\n"),
        )
        .fix("Or have Terraform forget it at once:", write_state_rm(at, group))
}

fn write_state_rm(at: &At<'_>, group: &Group<'_>) -> String {
    at.commands.write_removal(group.held.iter().take(MOST).map(String::as_str))
}
