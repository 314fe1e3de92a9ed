//! Reading a revision with `git`: the only other program that is ever started.
//!
//! In: a working directory, the name of a revision. Out: its tree as a [`Host`], without the work tree being
//! touched. Invariants: only `git` on an absolute entry of `PATH` is started, and only to read objects that are there; a
//! repository's own configuration runs nothing (no hooks, no file-system monitor, no external diff, no pager, no filters, no
//! helper of a transport); nothing is fetched. Absent on purpose: comparing.

mod absent;
mod before;
mod attributes;
mod changes;
mod excluded;
mod layout;
mod line_ends;
mod names;
mod odd;
mod programs;
mod revision;
mod settings;
mod sides;
mod submodules;

pub use absent::{Absent, Lead};
pub use changes::{Changes, Fate};
pub use excluded::{Excluded, Line};
pub use programs::judge_programs;
pub use revision::{Base, Commit, Revision};
pub use sides::{Sides, Versions};

use super::Terraform;
use super::bounded::Bounds;
use super::locate::find;
use crate::host::{Border, Host, Machine};
use crate::issue::{Code, Issue};
use crate::text::{shell_path, shell_word};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

/// Settings that turn off everything that a repository's configuration could run, and everything that waits for
/// input.
const QUIET: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.gitProxy=none",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "uploadpack.packObjectsHook=",
    // Lists of other files, which may stand anywhere.
    "core.multiPackIndex=false",
    "core.commitGraph=false",
    // Files of the tree that look like a bare repository are none.
    "safe.bareRepository=explicit",
];

/// Variables that would send git elsewhere, or have it run something.
const SCRUBBED: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_EXTERNAL_DIFF",
    "GIT_EXEC_PATH",
    "GIT_PROXY_COMMAND",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_PAGER",
    "PAGER",
];

/// The command that says what is excluded. Its status is 1 where nothing is.
const CHECK_IGNORE: &str = "check-ignore";

/// `git`, ready to read.
#[derive(Debug)]
pub struct Git {
    program: Terraform,
}

impl Git {
    /// Finds it.
    ///
    /// # Errors
    /// Returns an error if `PATH` has none.
    pub fn find(host: &dyn Host) -> Result<Git, Issue> {
        let mut program = find(host, "git", Path::new("")).ok_or_else(|| {
            let why = "A revision is read with git.";
            Issue::error(Code::Environment, "there is no git on PATH", why).fix("Install git.", "")
        })?;
        // Nothing is fetched where an object isn't there.
        let env = [
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_ALLOW_PROTOCOL", "none"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_ASKPASS", "false"),
            ("SSH_ASKPASS", "false"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_LITERAL_PATHSPECS", "1"),
            ("LC_ALL", "C"),
        ];
        program.env = env.map(|(name, value)| (name.to_owned(), OsString::from(value))).to_vec();
        program.leashed = true;
        Ok(Git { program })
    }

    /// Asks for something. Where git gives no answer, the reason as far as it may be shown: a repository's configuration includes files from
    /// anywhere, and git's own words quote them.
    fn ask(&self, dir: &Path, words: &[&str], input: &[u8]) -> Result<Result<Vec<u8>, Refusal>, Issue> {
        let mut args: Vec<OsString> = vec!["--no-optional-locks".into(), "--no-pager".into()];
        args.extend(QUIET.iter().flat_map(|setting| ["-c", setting]).map(OsString::from));
        if words.first() == Some(&CHECK_IGNORE) {
            // It takes names alone, and ends where it is told so.
            args.push("--no-literal-pathspecs".into());
        }
        args.extend(words.iter().map(OsString::from));
        // What is no list of names or contents is a line or two.
        let is_line = matches!(words.first(), Some(&("rev-parse" | "config")));
        let bounds = if is_line { Bounds::REPOSITORY } else { Bounds::OBJECTS };
        let done = self.program.capture_fed(dir, &args, SCRUBBED, input, bounds)?;
        let said = String::from_utf8_lossy(&done.stderr);
        Ok(match done.exit.code {
            0 => Ok(done.stdout),
            // Nothing of what was asked for is excluded.
            1 if said.is_empty() && words.first() == Some(&CHECK_IGNORE) => Ok(done.stdout),
            _ if said.contains("dubious ownership") => Err(Refusal::Owner),
            _ if said.contains("not a git repository") => Err(Refusal::Repository),
            _ => Err(Refusal::Other),
        })
    }

    /// The repository that a directory lies in, and where in it.
    ///
    /// # Errors
    /// Returns an error if it lies in none.
    pub fn around(&self, dir: &Path) -> Result<(PathBuf, PathBuf), Issue> {
        odd::judge(dir)?;
        let asked = self.ask(dir, &["rev-parse", "--show-toplevel"], b"")?;
        let shown = dir.display();
        let text = asked.map_err(|refusal| {
            refusal.issue(format!("{shown} is not in a git repository's work tree"), dir)
        })?;
        let top = path_of(text);
        // A tree's own files may call themselves a repository, for a git that doesn't know better.
        if top.as_os_str().is_empty() || Machine.kind(&top.join(".git")).is_none() {
            let why = "It has no work tree to compare with.";
            return Err(Issue::error(Code::Environment, format!("{shown} is not in a work tree"), why));
        }
        let real = Machine.canonical(dir).unwrap_or_else(|_| dir.to_owned());
        let top = Machine.canonical(&top).unwrap_or(top);
        if real.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some()) != Some(&*top) {
            let why = format!("Its `.git` says that its work tree is {}.", top.display());
            return Err(Issue::error(Code::Environment, format!("{shown} is not in its own work tree"), why));
        }
        self.judge(&Border::around(real.clone()), &top)?;
        let prefix = real.strip_prefix(&top).map(Path::to_path_buf).unwrap_or_default();
        Ok((top, prefix))
    }

    /// Returns true if the repository in a folder keeps its objects within the work tree of another one, or in that
    /// one's store. Then the submodules that a tree names lead to no other repository.
    fn is_part(&self, top: &Path, below: &Path) -> Result<bool, Issue> {
        let store = |dir: &Path| -> Result<Option<PathBuf>, Issue> {
            let words = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
            let asked = self.ask(dir, &words, b"")?;
            Ok(asked.ok().and_then(|path| Machine.canonical(&path_of(path)).ok()))
        };
        odd::judge(below)?;
        let Ok(real) = Machine.canonical(below) else { return Ok(false) };
        let (Some(own), Some(whole)) = (store(below)?, store(top)?) else { return Ok(false) };
        if !real.starts_with(top) || !(own.starts_with(top) || own.starts_with(&whole)) {
            return Ok(false);
        }
        // A store in the work tree's own repository is nothing that the tree could bring.
        let border = Border::around(top.to_owned());
        let brought = !border.excludes(&own, &own);
        Ok(!brought || self.way_out(&border, &real)?.is_none())
    }

    /// The last commits that the head and another one have in common; none where none is here.
    ///
    /// # Errors
    /// Returns an error if git can't be asked.
    pub fn find_merge_bases(&self, top: &Path, commit: &str) -> Result<Vec<String>, Issue> {
        let printed = self.ask(top, &["merge-base", "--all", "HEAD", commit], b"")?.unwrap_or_default();
        Ok(printed.split(|byte| *byte == b'\n').filter_map(read_id).collect())
    }

    /// The last commit that two have in common; nothing where none is here.
    fn find_common(&self, top: &Path, one: &str, other: &str) -> Result<Option<String>, Issue> {
        Ok(self.ask(top, &["merge-base", one, other], b"")?.ok().and_then(|printed| read_id(&printed)))
    }

    /// The commit that a revision names; nothing where there is none here.
    fn find_commit(&self, top: &Path, revision: &str) -> Result<Option<String>, Issue> {
        let named = format!("{revision}^{{commit}}");
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &named];
        Ok(self.ask(top, &words, b"")?.ok().and_then(|printed| read_id(&printed)))
    }

    /// The commit that a revision names.
    ///
    /// # Errors
    /// Returns an error if there is no such commit here.
    pub fn commit(&self, top: &Path, revision: &str) -> Result<String, Issue> {
        if let Some(sha) = self.find_commit(top, revision)? {
            return Ok(sha);
        }
        let summary = format!("there is no revision \"{revision}\" here");
        let issue = match self.is_shallow(top)? {
            true => {
                Issue::error(Code::Missing, summary, "The clone is shallow: it holds the last commits alone.")
            }
            false => Issue::error(Code::Missing, summary, "git knows no commit of this name."),
        };
        let branch = revision.strip_prefix("origin/").unwrap_or(revision);
        // No branch is called like an option.
        match branch.starts_with('-') {
            true => Err(issue),
            false => {
                Err(issue.fix("Fetch it:", format!("git fetch --depth=1 origin {}", shell_word(branch))))
            }
        }
    }
}

/// The reason why git gives no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refusal {
    /// The repository belongs to another user.
    Owner,
    /// There is no repository.
    Repository,
    /// Anything else.
    Other,
}

impl Refusal {
    /// The same for people.
    fn issue(self, summary: String, dir: &Path) -> Issue {
        let shown = dir.display().to_string();
        let dir = shell_path(&shown);
        match self {
            Refusal::Owner => {
                Issue::error(Code::Environment, summary, "The repository belongs to another user.").fix(
                    "If you trust it, say so to git:",
                    format!("git config --global --add safe.directory {dir}"),
                )
            }
            Refusal::Repository => {
                let why = "A revision is read from a git repository, and there is none.";
                Issue::error(Code::Environment, summary, why)
            }
            Refusal::Other => Issue::error(Code::Environment, summary, "git can't read it.")
                .fix("Ask git what is wrong:", format!("git -C {dir} status")),
        }
    }
}

/// Returns the name of an object that git printed.
fn read_id(printed: &[u8]) -> Option<String> {
    let id = String::from_utf8_lossy(printed).trim().to_owned();
    (!id.is_empty() && id.chars().all(|c| c.is_ascii_hexdigit())).then_some(id)
}

/// Returns the path of a name in git's own lists, byte for byte.
fn path_of_name(name: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(name.to_vec()))
}

/// Returns the path in a line that git printed.
fn path_of(mut printed: Vec<u8>) -> PathBuf {
    printed.pop_if(|last| *last == b'\n');
    PathBuf::from(OsString::from_vec(printed))
}
