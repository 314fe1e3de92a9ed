//! `tf-phi diff`: what `plan` would write.

use super::options::{Amount, RunValues};
use super::{DONE, Outcome, Start};
use crate::config::paths::clean;
use crate::config::variables::VarArg;
use crate::host::{Host as _, Machine};
use crate::ops::read::session::Session;
use crate::ops::read::unlisted;
use crate::ops::run::decide::{Tree, links, own_link, was_link};
use crate::ops::run::literals;
use crate::pipeline::literals::DataValues;
use crate::report::Reader;
use crate::report::diff::{Side, changed};
use crate::report::issue::Format;
use crate::report::summary::Detail;
use crate::txn::PHI_DIR;
use clap::Args;
use std::path::{Component, Path, PathBuf};

/// The arguments of `tf-phi diff`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    #[command(flatten)]
    pub(super) values: RunValues,
    #[command(flatten)]
    amount: Amount,
}

/// Runs the command in a root module.
///
/// # Errors
/// Blocking issues.
pub(super) fn run(start: &Start, vars: &[VarArg]) -> Outcome {
    let mut session = Session::open(start)?;
    let (mut session, driven) = match session.phi.settings.copies {
        true => {
            let driven = session.driven(start);
            (session, driven)
        }
        false => {
            let opened = literals::put_values(start, session, vars, DataValues::Unasked)?;
            (opened.session, opened.driven)
        }
    };
    session.judge()?;
    let decided = session.decide(&driven, vars)?;
    session.print_warnings(start, Format::Text);
    session.print(start, Format::Text, &decided.warnings);
    session.print(start, Format::Text, &unlisted::warned(&decided.outside));
    session.print(start, Format::Text, &unlisted::warned(&decided.refused));
    if let Some(issue) = &decided.undecided {
        start.console.note(&format!("{}, so phi.moved.tf leaves it out here. {}", issue.summary, issue.why));
    }
    show(start, &session, &decided.tree, Path::new(""));
    note_records(start, &session, &decided.tree);
    Ok(DONE)
}

/// Prints how files would change.
pub(super) fn show(start: &Start, session: &Session, tree: &Tree, root: &Path) {
    start.console.hand_on(start.console.diff_reader(), &patch(start, session, tree, root));
}

/// Returns the patch that the run would make: of sources, and with `-v` of records. `root` leads from the working directory to the
/// root module. Paths begin where the program was started, so that `git apply` takes the patch there. Copies of remote modules
/// count as sources.
pub(super) fn patch(start: &Start, session: &Session, tree: &Tree, root: &Path) -> String {
    let (own, sources): (Vec<_>, Vec<_>) = tree.iter().partition(|(path, _)| is_record(path));
    let own = own.into_iter().filter(|_| start.detail == Detail::Verbose);
    let reader = start.console.diff_reader();
    let above = shown_from_here(start, root);
    let links = links(tree);
    let mut out = String::new();
    for (path, after) in sources.into_iter().chain(own) {
        let before = match own_link(session, path) {
            Some(to) => Some(Side::Link(to.display().to_string())),
            None => {
                session.host.read(path).ok().map(|b| Side::File(String::from_utf8_lossy(&b).into_owned()))
            }
        };
        let after = after.as_ref().map(|text| match links.get(path) {
            // Where a file that equals it stands in the place of a link, it stays.
            Some(to) if before != Some(Side::File(text.clone())) || !was_link(session, path) => {
                Side::Link(to.clone())
            }
            _ => Side::File(text.clone()),
        });
        let is_link = [&before, &after].into_iter().flatten().any(|side| matches!(side, Side::Link(_)));
        let path = if is_link { from_top(&above.join(path)) } else { above.join(path) };
        let name = path.display().to_string();
        out.push_str(&changed(&name, before.as_ref(), after.as_ref(), start.console.out, reader));
    }
    out
}

/// Says of a patch that it leaves out the records, where it does. Without them what it writes can't be put back.
pub(super) fn note_records(start: &Start, session: &Session, tree: &Tree) {
    let differs = |(path, after): (&PathBuf, &Option<String>)| {
        is_record(path) && session.host.read(path).ok().as_deref() != after.as_deref().map(str::as_bytes)
    };
    let records = tree.iter().filter(|(path, after)| differs((path, after))).count();
    let is_patch = start.console.diff_reader() == Reader::Exact;
    if records > 0 && is_patch && start.detail == Detail::Normal {
        let files = if records == 1 { "the record" } else { &format!("the {records} records") };
        start.console.note(&format!(
            "this leaves out {files} in {PHI_DIR}/, which `restore` and `check` need. A patch to apply has them with -v."
        ));
    }
}

/// A path as it is named from the top of the repository: what has Git's own header is taken from there, wherever a patch is applied.
fn from_top(path: &Path) -> PathBuf {
    let above = || {
        let here = Machine.canonical(Path::new(".")).ok()?;
        let top = here.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some())?;
        Some(here.strip_prefix(top).ok()?.to_path_buf())
    };
    clean(&above().unwrap_or_default().join(path))
}

/// A root module's directory as it is named from where the program was started.
fn shown_from_here(start: &Start, root: &Path) -> PathBuf {
    let chdir = start.chdir.as_deref().unwrap_or(Path::new(""));
    let named = match chdir.is_absolute() {
        // Elsewhere there is no path that a patch may have.
        true => match (Machine.canonical(Path::new(".")), Machine.canonical(chdir)) {
            (Ok(here), Ok(there)) => there.strip_prefix(here).map(Path::to_path_buf).unwrap_or_default(),
            _ => PathBuf::new(),
        },
        false => chdir.to_path_buf(),
    };
    named.join(root).components().filter(|c| *c != Component::CurDir).collect()
}

/// Returns true if a file is a record of tf-phi's: what lies right in its folder.
pub(super) fn is_record(path: &Path) -> bool {
    path.parent().is_some_and(|parent| parent == Path::new(PHI_DIR))
}
