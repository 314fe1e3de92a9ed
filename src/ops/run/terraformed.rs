//! Terraform as a run finds, prepares and starts it, and the arguments that it gets.

use crate::config::{Overlay, View, load, phi};
use crate::host::{Host as _, Machine};
use crate::issue::Code;
use crate::issue::Issue;
use crate::ops::options::{Amount, Issues, TERRAFORMS};
use crate::ops::read::installable::{check_command, installable};
use crate::ops::read::rooted_host::RootedHost;
use crate::ops::read::session::Session;
use crate::ops::read::{modules, presumed, product};
use crate::ops::run::providers;
use crate::ops::{DONE, Outcome, Start};
use crate::report::pane::To;
use crate::terraform::args::RunArgs;
use crate::terraform::locate::locate;
use crate::terraform::{Terraform, init as installs};
use crate::text::Sources;
use crate::trace::accepts::Accepts;
use clap::Args;
use std::ffi::OsString;
use std::path::Path;

/// The arguments of `tf-phi apply`; those of the other commands that run Terraform become such.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// The command of Terraform.
    #[arg(skip = "apply")]
    pub command: &'static str,
    /// Show the diff that would be written; write nothing and don't start Terraform
    #[arg(long)]
    pub dry_run: bool,
    /// Put the sources back once Terraform has ended, however it ended
    #[arg(long)]
    pub ephemeral: bool,
    /// Give the variables and the workspace of this environment; in a Stack, the deployment
    #[arg(long = "env", value_name = "NAME")]
    pub environment: Option<String>,
    /// The form of issues.
    #[command(flatten)]
    pub issues: Issues,
    /// The amount of output.
    #[command(flatten)]
    pub amount: Amount,
    /// Everything else is Terraform's own and reaches it unchanged
    #[arg(id = "arguments", value_name = TERRAFORMS, num_args(0..), allow_hyphen_values = true, trailing_var_arg = true)]
    pub args: Vec<OsString>,
}

/// Installs the calls that were added.
pub fn install(terraform: &Terraform, session: &Session) -> Result<(), Issue> {
    let data = installs::data_dir(&session.host, Path::new(""));
    installed(terraform, &session.host, &data, session.rewrite.is_some())
}

/// The same for any tree; `data` is Terraform's data folder, absolute or below the tree. `services`: whether templates
/// may ask for providers that the original doesn't have.
pub fn installed(terraform: &Terraform, host: &RootedHost, data: &Path, services: bool) -> Result<(), Issue> {
    let here = Path::new("");
    let (config, _) = load(host, here);
    let list = data.join("modules/modules.json");
    let earlier = host.read(&list).ok();
    let calls = modules::calls(&config);
    modules::settle(host, data, &calls)?;
    let locked = host.read(Path::new(installs::LOCK)).ok();
    let new = services && providers::lacks(&config, locked.as_deref().unwrap_or_default());
    let calls: Vec<installs::Call> = calls.into_iter().map(|(call, _)| call).collect();
    let need = installs::need(host.read(&list).ok().as_deref(), &calls, new);
    if need != installs::Need::Nothing {
        installable(host, data)?;
    }
    terraform.install(&host.root, need)?;
    // The original's calls stay installed: for a run after `restore`, and for reading remote modules again.
    modules::keep(host, data, earlier.as_deref())
}

/// Terraform's arguments as text, and what they say.
///
/// # Errors
/// Returns an error if they are no text, or can't be read.
pub fn read_words(command: &str, args: &[OsString]) -> Result<(Vec<String>, RunArgs), Issue> {
    let words: Vec<String> = args
        .iter()
        .map(|a| {
            let text = a.to_str().map(str::to_owned);
            text.ok_or_else(|| {
                Issue::error(Code::Config, "an argument is not valid UTF-8", a.to_string_lossy())
            })
        })
        .collect::<Result<_, _>>()?;
    let read = RunArgs::read(&Machine, command, &words)?;
    Ok((words, read))
}

/// No driven field: Terraform as if it had been called itself, whatever it may have to say of the configuration.
pub fn nothing_to_do(start: &Start, request: &Request, session: &Session) -> Outcome {
    let why = match session.phi.source {
        _ if !session.phi.settings.copies => "there are no copies, and no meta-argument is an expression",
        None => "there is no phi.hcl, and no meta-argument is an expression",
        Some(_) => "no field that phi.hcl names is set, and no meta-argument is an expression",
    };
    session.print_warnings(start, request.issues.format());
    if request.dry_run {
        start.note(&format!("nothing to specialise: {why}."));
        return Ok(DONE);
    }
    start.note(&format!("nothing to specialise: {why}. Running terraform {} as it is.", request.command));
    bare(start, request, session)
}

pub fn bare(start: &Start, request: &Request, session: &Session) -> Outcome {
    let terraform = find(start, session)?;
    terraformed(start, request, &request.args, &terraform)
}

/// Finds Terraform by what `phi.hcl` says, without reading the rest of the tree.
///
/// # Errors
/// Returns an error if there is none.
pub fn find_by_setting(start: &Start, host: &RootedHost) -> Result<Terraform, Issue> {
    let overlay = Overlay::new();
    let view = View { host, overlay: &overlay };
    let (phi, _) = phi::read(view, Path::new(""), &mut Sources::default());
    let setting = phi.settings.terraform.as_deref().map(|t| (t, &*host.root));
    locate(&Machine, start.terraform.as_deref(), setting)
}

pub fn find(start: &Start, session: &Session) -> Result<Terraform, Issue> {
    let setting = session.phi.settings.terraform.as_deref().map(|t| (t, &*session.host.root));
    let mut terraform = locate(&Machine, start.terraform.as_deref(), setting)?;
    product::agrees(session, &terraform)?;
    if let Some(workspace) = &start.workspace {
        terraform.env.push(("TF_WORKSPACE".to_owned(), workspace.into()));
    }
    if start.console.pane.is_some() {
        terraform.env.push(("TF_INPUT".to_owned(), "0".into()));
    }
    Ok(terraform)
}

/// Returns which expressions the Terraform in use accepts in static fields; `None` if there is no Terraform, or its version is
/// unknown.
pub fn accepts(start: &Start, session: &Session) -> Option<Accepts> {
    let terraform = find(start, session).ok()?;
    terraform.version().ok().map(presumed::of_version)
}

/// Starts Terraform as the user would have: with their `-chdir`, command and arguments. Its exit status is ours.
///
/// # Errors
/// A link through which the command would write below the data folder; a Terraform that can't be started.
pub fn terraformed(start: &Start, request: &Request, words: &[OsString], terraform: &Terraform) -> Outcome {
    check_command(&RootedHost::new(&start.dir)?, Path::new(""), request.command, words)?;
    let mut args: Vec<OsString> = Vec::new();
    if let Some(dir) = &start.chdir {
        let mut word = OsString::from("-chdir=");
        word.push(dir);
        args.push(word);
    }
    args.push(request.command.into());
    args.extend(words.iter().cloned());
    let here = Path::new(".");
    let exit = match start.console.pane {
        None => terraform.run(here, &args)?,
        // It has no terminal, and nobody to ask.
        Some(_) => {
            let done = terraform.capture(here, &args)?;
            start.console.put(To::Out, &done.stdout);
            start.console.put(To::Err, &done.stderr);
            done.exit
        }
    };
    Ok(u8::try_from(exit.code).unwrap_or(crate::ops::FAILED))
}

impl Session {
    /// Returns which expressions the Terraform in use accepts in static fields.
    ///
    /// Without copies a field has its value as a literal, which every Terraform takes and reads as the same. So its version isn't asked for,
    /// which takes 50 ms; OpenTofu is, which accepts the most.
    pub fn accepted(&self, start: &Start) -> Accepts {
        let presumed = || crate::ops::read::presumed::accepts(self);
        let has_copies = self.phi.settings.copies || self.phi.specialize.iter().any(|pin| pin.copies);
        let matters = || has_copies || find(start, self).is_ok_and(|found| found.is_tofu(&Machine));
        if start.asks && matters() { accepts(start, self).unwrap_or_else(presumed) } else { presumed() }
    }
}
