//! Plans for tf-phi's own use, made in a copy of the working directory.
//!
//! In: sources, and the arguments of the run. Out: the plan as data. Invariant: neither the user's tree nor their data folder is
//! written. Absent: the purpose of the plan.

use crate::config::variables::VarArg;
use crate::issue::{Code, Issue};
use crate::ops::read::installable::installable;
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::run::decide::{Decided, Tree};
use crate::ops::run::terraformed::installed;
use crate::specialise::moves;
use crate::terraform::args::RunArgs;
use crate::terraform::plan_json::Plan;
use crate::terraform::signals::is_asked_to_stop;
use crate::terraform::{Terraform, args, init};
use crate::txn::Scratch;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A copy of a working directory, and the Terraform that works in it.
pub struct ScratchPlan {
    scratch: Scratch,
    /// It, as a copy of the working directory.
    host: RootedHost,
    /// Terraform, with its data folder there.
    pub terraform: Terraform,
    /// True if a form factor is on.
    services: bool,
    /// True if the backend keeps state somewhere other than in a local file.
    elsewhere: bool,
}

/// An override file that has state lie in a file.
const LOCAL: &str = "phi_state_override.tf";

/// Options that affect only how a plan is shown or saved.
const SHOWING: &[&str] =
    &["out", "json", "no-color", "input", "detailed-exitcode", "compact-warnings", "concise"];

/// The arguments of the plan.
pub enum Words {
    /// All words of the run, those of the environment included.
    All(Vec<String>),
    /// Only the values of its variables and where its state is: everything is planned.
    Whole(RunArgs),
}

impl ScratchPlan {
    /// Copies the session's working directory.
    ///
    /// # Errors
    /// Returns an error if it can't be copied.
    pub fn new(session: &Session, terraform: &Terraform) -> Result<ScratchPlan, Issue> {
        let data = init::data_dir(&session.host, Path::new(""));
        let scratch = Scratch::new(&session.host.root, &data)?;
        let terraform = terraform.with("TF_DATA_DIR", scratch.data());
        let (services, elsewhere) = (session.rewrite.is_some(), lies_elsewhere(session));
        let host = session.host.copied(scratch.dir().to_path_buf());
        Ok(ScratchPlan { scratch, host, terraform, services, elsewhere })
    }

    /// Puts sources there.
    ///
    /// # Errors
    /// Returns an error if they can't be written.
    pub fn put(&self, tree: &Tree) -> Result<(), Issue> {
        self.scratch.write(tree)
    }

    /// Installs the modules that the sources there call.
    ///
    /// # Errors
    /// Returns an error if Terraform fails.
    pub fn install(&self) -> Result<(), Issue> {
        installed(&self.terraform, &self.host, self.scratch.data(), self.services)
    }

    /// The copy.
    pub fn dir(&self) -> &Path {
        self.scratch.dir()
    }

    /// Plans as [`ScratchPlan::plan`] does, with `state` in place of the directory's own. It is read from a file, whatever the backend
    /// is.
    ///
    /// # Errors
    /// Fails if the state can't be written, or if Terraform fails.
    pub fn plan_with(
        &self,
        tree: &Tree,
        words: Vec<String>,
        state: &[u8],
        name: &str,
    ) -> Result<Plan, Issue> {
        let path = self.scratch.aside("state");
        self.scratch.keep(&path, state)?;
        let mut tree = tree.clone();
        if self.elsewhere {
            let text = "terraform {\n  backend \"local\" {}\n}\n";
            tree.insert(PathBuf::from(LOCAL), Some(text.to_owned()));
            self.put(&tree)?;
            installable(&self.host, self.scratch.data())?;
            self.terraform.reconfigure(self.dir())?;
        }
        let mut words = args::without(&words, &["state", "lock", "lock-timeout"]);
        words.insert(0, format!("-state={}", path.display()));
        self.plan(&tree, &Words::All(words), name)
    }

    /// Puts sources there, installs their modules, and plans. The error is Terraform's own.
    ///
    /// # Errors
    /// Returns an error if Terraform fails.
    pub fn plan(&self, tree: &Tree, words: &Words, name: &str) -> Result<Plan, Issue> {
        self.put(tree)?;
        self.install()?;
        if is_asked_to_stop() {
            return Err(Issue::error(Code::Terraform, "interrupted", "No plan was made."));
        }
        let dir = self.scratch.dir();
        let out = self.scratch.aside(name);
        let mut all: Vec<OsString> = vec!["plan".into()];
        let own = match words {
            Words::All(words) => args::without(words, SHOWING),
            Words::Whole(read) => whole(read),
        };
        all.extend(["-input=false", "-no-color"].map(OsString::from));
        all.extend(own.into_iter().map(OsString::from));
        let mut word = OsString::from("-out=");
        word.push(&out);
        all.push(word);
        let done = self.terraform.capture_own(dir, &all)?;
        if !matches!(done.exit.code, 0 | 2) {
            let summary = format!("`terraform plan` failed with status {}", done.exit.code);
            return Err(Issue::error(Code::Terraform, summary, done.why()));
        }
        self.terraform.show_plan(dir, &out)
    }

    /// Plans as [`ScratchPlan::plan`] does, and returns Terraform's own text besides.
    ///
    /// # Errors
    /// Fails if Terraform fails.
    pub fn plan_shown(&self, tree: &Tree, words: &Words, name: &str) -> Result<(Plan, String), Issue> {
        let plan = self.plan(tree, words, name)?;
        let out = self.scratch.aside(name);
        let args: [OsString; 3] = ["show".into(), "-no-color".into(), out.into()];
        let done = self.terraform.capture_own(self.dir(), &args)?;
        Ok((plan, String::from_utf8_lossy(&done.stdout).trim().to_owned()))
    }
}

/// Returns the sources of the specialised tree, without a move chain that the run doesn't write.
pub fn sources(session: &Session, decided: &Decided) -> Tree {
    let mut tree: Tree = session.loaded.clone();
    tree.insert(PathBuf::from(moves::FILE), None);
    tree.extend(decided.tree.clone());
    tree
}

/// Returns true if the root module names a backend other than `local`.
pub fn lies_elsewhere(session: &Session) -> bool {
    let blocks = session.config.root().map(|m| m.terraform.as_slice()).unwrap_or_default();
    blocks.iter().any(|decl| {
        let body = &decl.block.body;
        let local = |label: &str| label == "local";
        body.blocks_of("cloud").next().is_some()
            || body.blocks_of("backend").any(|b| !b.labels.first().is_some_and(|l| local(&l.text)))
    })
}

/// Variables and state. What narrows a plan down, or turns it into another one, would hide copies.
fn whole(read: &RunArgs) -> Vec<String> {
    let mut words: Vec<String> = read
        .vars
        .iter()
        .map(|var| match var {
            VarArg::Var(text) => format!("-var={text}"),
            VarArg::File(path) => format!("-var-file={}", path.display()),
        })
        .collect();
    words.extend(read.state.iter().map(|s| format!("-state={s}")));
    words.extend(read.lock.iter().map(|l| format!("-lock={l}")));
    words.extend(read.lock_timeout.iter().map(|t| format!("-lock-timeout={t}")));
    words
}
