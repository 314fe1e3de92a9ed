//! The form factor that is on, for good: what its services put in becomes text of the user's.
//!
//! Under a form factor the original is only one of the forms that the tree has. Who leaves while a state holds what services made
//! wants to keep that. In: the originals. Out: the same with calls of the services' modules, and these modules as ordinary folders.
//! Invariant: nothing is specialised in it, and no comment says that tf-phi wrote it.

use crate::config::Overlay;
use crate::config::phi::EMBEDDED_FOLDER;
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::Tree;
use crate::ops::{Start, Stop};
use crate::pipeline::is_provenance;
use crate::specialise::service::SERVICES_FILE;
use crate::text::shell_word;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of a file of operators that is the user's own.
const PLAIN: &str = "services.tf";

/// Asks which form is to stay, where the history tells of services and nobody has said under which form factor to leave.
///
/// # Errors
/// As [`Session::recorded`].
pub(super) fn ask_for_form_factor(start: &Start) -> Result<Option<Issue>, Box<Stop>> {
    let session = Session::open(start)?;
    if start.form_factor().is_some() || session.phi.settings.form_factor.is_some() {
        return Ok(None);
    }
    let made: BTreeSet<&str> = session.history.made_calls().map(|made| made.form_factor.as_str()).collect();
    let known: Vec<&str> = made.into_iter().filter(|f| session.phi.form_factors.contains_key(*f)).collect();
    if known.is_empty() {
        return Ok(None);
    }
    let why = "State may hold what services made under a form factor, and nothing says which form of the tree is to stay. Only one \
               can. Nothing was written.";
    let issue = Issue::error(Code::Held, "there are several forms to leave in", why);
    let issue = known.iter().fold(issue, |issue, factor| {
        let title = format!("Keep what services made under \"{factor}\"; the tree calls their modules then:");
        issue.fix(title, format!("tf-phi leave --form-factor {}", shell_word(factor)))
    });
    let title = "Or put the sources back; a plan gives up what services made, and destroys nothing:";
    Ok(Some(issue.fix(title, "tf-phi leave --form-factor ''")))
}

/// Puts the form factor that is on into the originals. Returns its name; nothing where none replaces anything.
///
/// # Errors
/// Whatever speaks against the form factor.
pub(super) fn apply_form_factor(start: &Start, tree: &mut Tree) -> Result<Option<Arc<str>>, Box<Stop>> {
    let mut session = Session::open_over(start, tree)?;
    let Some(rewrite) = session.rewrite.clone() else {
        session.judge_form_factor(start)?;
        return Ok(None);
    };
    session.judge()?;
    let written = rewrite.overlay(&Overlay::new());
    let folder = find_folder(&session, written.keys());
    let is_taken = |path: &PathBuf| written.contains_key(path) || session.host.kind(path).is_some();
    let plain =
        written.keys().map(|path| path.with_file_name(PLAIN)).filter(is_taken).collect::<BTreeSet<_>>();
    for (path, text) in written {
        let text =
            text.map(|text| tidy(&text).replace(&format!("{EMBEDDED_FOLDER}/"), &format!("{folder}/")));
        let path = match path.strip_prefix(EMBEDDED_FOLDER) {
            Ok(rest) => Path::new(&folder).join(rest),
            Err(_) => path,
        };
        let path = match path.with_file_name(PLAIN) {
            free if path.ends_with(SERVICES_FILE) && !plain.contains(&free) => free,
            _ => path,
        };
        tree.insert(path, text);
    }
    Ok(Some(rewrite.factor))
}

impl Session {
    /// Lets the leaving go on where a form factor is on that replaces nothing; what is wrong without one keeps nobody.
    fn judge_form_factor(&mut self, start: &Start) -> Result<(), Box<Stop>> {
        match self.phi.chosen(start.form_factor().as_deref()) {
            Ok(None) => Ok(()),
            _ => self.judge(),
        }
    }
}

/// A folder for the modules that come with the program, in which none of them is yet.
fn find_folder<'p>(session: &Session, written: impl Iterator<Item = &'p PathBuf>) -> String {
    let names: BTreeSet<&Path> = written
        .filter_map(|path| path.strip_prefix(EMBEDDED_FOLDER).ok()?.iter().next())
        .map(Path::new)
        .collect();
    let is_free =
        |folder: &String| names.iter().all(|n| session.host.kind(&Path::new(folder).join(n)).is_none());
    let numbered = (2..).map(|n| format!("services_{n}"));
    let mut all = std::iter::once("services".to_owned()).chain(numbered);
    all.find(is_free).unwrap_or_else(|| EMBEDDED_FOLDER.to_owned())
}

/// The text without the comments that say where it comes from.
fn tidy(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !is_provenance(line)).collect()
}
