//! The commands `plan` and `apply` of a deployment.

use super::folder::{self, Folder};
use super::targets::translate_targets;
use crate::addr::{Held, ObjectAddr};
use crate::config::Deployment;
use crate::config::nearest::question;
use crate::config::variables::{VarArg, chosen_environments};
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::matrix::{Assigned, assigned};
use crate::ops::init::readable;
use crate::ops::plan;
use crate::ops::read::installable::installable;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::enter::{Wait, enter_unless_within};
use crate::ops::run::terraformed::{Request, find, installed, read_words};
use crate::ops::{DONE, Outcome, Start, Stop, diff};
use crate::pipeline::run_values;
use crate::report::summary::Detail;
use crate::specialise::laid;
use crate::stacks::{Lowered, address, labels, lower, unclaimed};
use crate::terraform::args::RunArgs;
use crate::terraform::init::{self, Need};

use crate::terraform::{Answer, Terraform, state_json};
use crate::text::shell_word;
use crate::trace::Universe;
use std::cell::RefCell;
use std::ffi::OsString;
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// Returns an error if there are blocking issues. Terraform hasn't planned anything then.
pub(in crate::ops) fn run(start: &Start, request: &Request) -> Outcome {
    let (typed, read) = read_words(request.command, &request.args)?;
    let start = &Start { console: start.console.plain_if(read.no_color), ..start.clone() };
    let host = RootedHost::new(&start.dir)?;
    let timeout = read_words(request.command, &request.args).ok().and_then(|(_, read)| read.lock_timeout);
    let lock = enter_unless_within(request.dry_run, &host.root, &Wait::new(start, timeout.as_deref()))?;
    let mut session = Session::open_partly(start)?;
    let deployment = choose_deployment(&mut session, request, &typed)?;
    apart(&session)?;
    let mut folder = Folder::read(start, host, &deployment.name)?;
    let words = words(typed, &read, &deployment);
    let mut inner =
        Request { environment: None, args: words.iter().map(OsString::from).collect(), ..request.clone() };
    // A saved plan carries its own configuration.
    if request.command == "apply" && !read.positional.is_empty() {
        return plan::run(&quiet(&folder.start, &session), &inner);
    }
    let lowered = lowered(&mut session, &deployment, &read.vars)?;
    inner.args = translate_targets(&words, &lowered.claims).map_err(|issues| session.stopped(issues))?;
    warn(start, request, &session);
    if let Some(issue) = folder.find_lost_record() {
        return Err(session.stopped(vec![issue]));
    }
    let tree = folder.tree(&lowered, None, None).map_err(|issues| session.stopped(issues))?;
    if request.dry_run {
        diff::show(start, &session, &tree, Path::new(""));
        return Ok(DONE);
    }
    let missing = missing(&session, &deployment, &lowered, &read);
    if !missing.is_empty() {
        return Err(session.stopped(missing));
    }
    let _held = lock?;
    let terraform = find(&folder.start, &session)?;
    let mut count = 0;
    // Once there may be a state, nothing is written that would destroy what nobody gave up.
    let ready = |start: &Start| {
        RootedHost::new(&start.dir).is_ok_and(|own| init::is_initialised(&own, Path::new("")))
    };
    let begun = ready(&folder.start) && folder.is_written();
    if !begun {
        count += folder.write(&tree)?;
    }
    let held = held(&folder, &lowered, &terraform, begun)?;
    let issues =
        unclaimed(&lowered.claims, &held, &folder.record.known(), &|address| removal(&session, address));
    if !issues.is_empty() {
        return Err(session.stopped(issues));
    }
    let released = released(&lowered, &held);
    let tree =
        folder.tree(&lowered, Some(released), Some(&held)).map_err(|issues| session.stopped(issues))?;
    count += folder.write(&tree)?;
    installed_now(&folder.start, &terraform)?;
    if count > 0 {
        let files = if count == 1 { "file" } else { "files" };
        start.note(&format!(
            "the deployment \"{}\": {count} {files} written in {}.",
            deployment.name,
            folder.path.display()
        ));
    }
    plan::run(&quiet(&folder.start, &session), &inner).map_err(|mut stop| {
        if count > 0 {
            stop.issues.iter_mut().for_each(|issue| say_written(issue, &folder.path));
        }
        stop
    })
}

/// The deployment's folder is written before it is decided what is specialised in it.
fn say_written(issue: &mut Issue, folder: &Path) {
    let said = format!("Nothing was written but the deployment's own files in {}", folder.display());
    issue.why = issue.why.replace("Nothing was written", &said);
}

/// Returns an error if `TF_DATA_DIR` gives several deployments one data folder. `terraform init` stores the backend there, so
/// each deployment needs its own.
fn apart(session: &Session) -> Result<(), Issue> {
    let named = session.host.env("TF_DATA_DIR").filter(|dir| Path::new(dir).is_absolute());
    let Some(dir) = named.filter(|_| session.config.deployments.len() > 1) else { return Ok(()) };
    let why = format!(
        "TF_DATA_DIR is {dir}, where Terraform keeps which backend and modules a directory has. With it each deployment would be planned \
         with what the last one left there."
    );
    let issue = Issue::error(Code::Environment, "All deployments would share one data folder", why);
    Err(issue.fix("Let each have its own, in its folder:", "export TF_DATA_DIR=.terraform"))
}

/// Turns off the summary of specialization if the Stack has no `phi.hcl`.
fn quiet(start: &Start, session: &Session) -> Start {
    let detail = if session.phi.source.is_none() { Detail::Quiet } else { start.detail };
    Start { detail, ..start.clone() }
}

/// Prints the Stack's warnings. Modules that aren't installed are left out, as `terraform init` installs them next.
fn warn(start: &Start, request: &Request, session: &Session) {
    let said: Vec<Issue> = session.issues.iter().filter(|i| i.code != Code::NotInstalled).cloned().collect();
    session.print(start, request.issues.format(), &said);
}

/// Returns Terraform's arguments, with `-destroy` for a deployment whose `destroy` is true.
fn words(typed: Vec<String>, read: &RunArgs, deployment: &Deployment) -> Vec<String> {
    let destroys = deployment.destroy && !read.destroy && read.positional.is_empty();
    destroys.then(|| "-destroy".to_owned()).into_iter().chain(typed).collect()
}

/// Returns the deployment that is named. Without a name, returns the only one.
fn choose_deployment(
    session: &mut Session,
    request: &Request,
    typed: &[String],
) -> Result<Deployment, Box<Stop>> {
    let name = request.environment.as_deref();
    session.judge()?;
    let all = &session.config.deployments;
    let found = match (name, all.as_slice()) {
        (Some(name), all) => all.iter().find(|d| *d.name == *name),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    if let Some(found) = found {
        return Ok(found.clone());
    }
    let names: Vec<&str> = all.iter().map(|d| &*d.name).collect();
    let (summary, mut why) = match name {
        Some(name) => (format!("there is no deployment \"{name}\""), String::new()),
        None => ("a deployment has to be named".to_owned(), String::new()),
    };
    match names.as_slice() {
        [] => why.push_str("No .tfdeploy.hcl file here declares one."),
        names => why.push_str(&format!("There are: {}.", names.join(", "))),
    }
    why.extend(name.map(|name| question(name, names.iter().copied())));
    let issue = Issue::error(Code::Config, summary, why);
    let issue = match names.first().filter(|_| name.is_none()) {
        Some(first) => {
            let own = ["tf-phi", request.command, "--env", first].into_iter();
            let words = own.chain(typed.iter().map(String::as_str)).map(shell_word);
            issue.fix("Name it:", words.collect::<Vec<_>>().join(" "))
        }
        None => issue,
    };
    Err(session.stopped(vec![issue]))
}

/// Returns the deployment as a root module. If this run sets an input that only HCP knows, that value is used, unless the variable is
/// ephemeral.
pub(super) fn lowered(
    session: &mut Session,
    deployment: &Deployment,
    vars: &[VarArg],
) -> Result<Lowered, Box<Stop>> {
    let named = session.named.clone();
    let named: Vec<_> = match chosen_environments(&named, &[deployment.name.to_string()]) {
        Ok(found) => found.into_iter().cloned().collect(),
        Err(issue) => return Err(session.stopped(vec![*issue])),
    };
    let found = assigned(session, &named, "default").map_err(|issues| session.stopped(issues))?;
    let Some(mut own) = found.into_iter().next() else { return Err(session.stopped(Vec::new())) };
    from_run(session, deployment, vars, &mut own);
    lower(session, deployment, &own).map_err(|issues| session.stopped(issues))
}

fn from_run(session: &mut Session, deployment: &Deployment, vars: &[VarArg], own: &mut Assigned) {
    let is_outside = |name: &str| deployment.inputs.get(name).is_some_and(|(value, _)| value.is_none());
    let mut values = session.values(vars);
    values.retain(|name, _| is_outside(name));
    for (name, value) in run_values::evaluated(session, &values) {
        let ephemeral =
            session.config.root().and_then(|m| m.variables.get(&name)).is_some_and(|v| v.ephemeral);
        if !ephemeral {
            own.universes.insert(name, Universe::listed(vec![value], true));
        }
    }
}

/// Returns an error for each input that only HCP knows and that this run doesn't set.
fn missing(session: &Session, deployment: &Deployment, lowered: &Lowered, read: &RunArgs) -> Vec<Issue> {
    let in_file = read.vars.iter().any(|var| matches!(var, VarArg::File(_)));
    let has = |name: &str| {
        let of = |var: &VarArg| matches!(var, VarArg::Var(text) if text.split('=').next() == Some(name));
        in_file || read.vars.iter().any(of) || session.host.env(&format!("TF_VAR_{name}")).is_some()
    };
    let one = |outside: &crate::stacks::Outside| {
        let why = format!(
            "The deployment \"{}\" takes var.{} from outside, which HCP alone knows. Without HCP it comes from the environment.",
            deployment.name, outside.name
        );
        let issue =
            Issue::error(Code::MissingValue, "An input from outside has no value", why).at(outside.place);
        issue.fix("Give it one:", format!("export TF_VAR_{}=…", outside.name))
    };
    lowered.outside.iter().filter(|o| !has(&o.name)).map(one).collect()
}

/// Installs the modules that the root module calls. Does nothing if a field has to be specialised before Terraform can install them;
/// the run then does both.
fn installed_now(start: &Start, terraform: &Terraform) -> Result<(), Box<Stop>> {
    let mut session = Session::open_partly(start)?;
    if !session.driven(start).is_empty() {
        return Ok(());
    }
    let own = RootedHost::new(&start.dir)?;
    let data = init::data_dir(&own, Path::new(""));
    Ok(installed(terraform, &own, &data, true).map_err(|issue| by_hand(start, issue))?)
}

/// Returns the `removed` block for an instance of a component that the Stack still declares, with the words for it.
fn removal(session: &Session, address: &str) -> Option<(&'static str, String)> {
    let (name, key) = address.split_once('[').map_or((address, None), |(name, key)| (name, Some(key)));
    let call = session.config.root()?.calls.get(name)?;
    let sources = &session.config.sources;
    let block = &call.decl.block;
    let text = |attr: &str| block.body.attribute(attr).map(|a| sources.slice(block.at(a.span)).to_owned());
    let (each, from) = match key {
        Some(key) => (format!("  for_each = toset([{key})\n"), format!("{name}[each.key]")),
        None => (String::new(), name.to_owned()),
    };
    let own: String =
        ["source", "providers"].into_iter().filter_map(text).map(|text| format!("  {text}\n")).collect();
    // Without an index it says that all instances are gone, and can't stand beside the component.
    let title = match key {
        Some(_) => "To have its objects destroyed:",
        None => {
            "To have its objects destroyed, put this in place of the component and apply it; then write the component again:"
        }
    };
    (!call.decl.json).then(|| (title, format!("removed {{\n{each}  from = {from}\n{own}}}")))
}

/// Replaces the fixes of an issue by the `terraform init` command to run in the deployment's folder.
fn by_hand(start: &Start, mut issue: Issue) -> Issue {
    let chdir = start.chdir.as_deref().unwrap_or(Path::new("")).display().to_string();
    issue.refix(
        "Run it yourself, with the arguments that it needs, then run tf-phi again:",
        format!("terraform {} init", shell_word(&format!("-chdir={chdir}"))),
    );
    issue
}

/// Returns the names of the calls that lead to objects in state, those of copies as their components have them. Runs `terraform init`
/// first if needed, as Terraform can't read state without it.
fn held(
    folder: &Folder,
    lowered: &Lowered,
    terraform: &Terraform,
    begun: bool,
) -> Result<folder::Held, Box<Stop>> {
    let start = &folder.start;
    let own = RootedHost::new(&start.dir)?;
    let found = RefCell::new(Held::default());
    let install = || {
        installable(&own, &init::data_dir(&own, Path::new("")))?;
        terraform.install(&own.root, Need::Init).map_err(|issue| by_hand(start, issue))
    };
    readable(start, &|for_now| {
        // After `restore` the list of modules is that of the folder as it was put back.
        let installs = !begun || for_now;
        if installs {
            install()?;
        }
        let mut answer = terraform.state_pull(&Machine, &own.root)?;
        if matches!(answer, Answer::Unreadable(_)) && !installs {
            // A module may call another one since then. What can't be installed, the answer says as well.
            if install().is_ok() {
                answer = terraform.state_pull(&Machine, &own.root)?;
            }
        }
        match answer {
            Answer::Nothing => {}
            Answer::State(text) => *found.borrow_mut() = state_json::held(&text)?,
            Answer::Unreadable(said) => match read_local_state(&own) {
                // What the last run wrote may call a module that is gone; this run writes anew.
                Some(text) => *found.borrow_mut() = state_json::held(&text)?,
                None => {
                    let summary = "the state of the deployment can't be read";
                    return Err(Issue::error(Code::Terraform, summary, said));
                }
            },
        }
        Ok(())
    })?;
    let history = Session::recorded(&start.dir)?.history;
    let held = found.into_inner();
    let component = |object: &ObjectAddr| {
        let readings: Vec<Vec<String>> = history.readings(object).iter().map(|o| labels(&o.module)).collect();
        let claimed = readings.iter().find(|labels| lowered.claims.has_owner(labels)).cloned();
        claimed.or_else(|| readings.into_iter().next()).unwrap_or_default()
    };
    Ok(held.objects.iter().map(component).filter(|labels| !labels.is_empty()).collect())
}

/// The state where it is a file of the folder; nothing where a backend or a workspace may have it.
fn read_local_state(own: &RootedHost) -> Option<Vec<u8>> {
    let data = init::data_dir(own, Path::new(""));
    let elsewhere = ["terraform.tfstate", "environment"].map(|name| data.join(name));
    let is_local = elsewhere.iter().all(|path| own.kind(path).is_none()) && own.env("TF_WORKSPACE").is_none();
    is_local.then(|| own.read(Path::new("terraform.tfstate")).ok()).flatten()
}

/// Returns the `removed` blocks for objects that Terraform is to forget; `None` if there are none.
fn released(lowered: &Lowered, held: &folder::Held) -> Option<String> {
    let all = lowered.claims.released(held);
    if all.is_empty() {
        return None;
    }
    let mut text = format!("# {} its removed blocks.\n", lowered.head);
    for labels in all {
        text.push_str(&format!(
            "\nremoved {{\nfrom = {}\nlifecycle {{\ndestroy = false\n}}\n}}\n",
            address(&labels)
        ));
    }
    Some(laid(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_was_written_before() {
        let why = "Terraform would destroy it. Nothing was written, and Terraform was not started to plan.";
        let mut issue = Issue::error(Code::Held, "state holds module.db", why);
        say_written(&mut issue, Path::new(".phi/stacks/dev"));
        let said = "Nothing was written but the deployment's own files in .phi/stacks/dev, and Terraform was not started";
        assert!(issue.why.contains(said), "{}", issue.why);
    }
}
