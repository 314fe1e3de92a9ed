//! Running Terraform: with our own standard streams, or with what it prints kept for us.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{ExitStatus, Output};
use std::time::Instant;

use duct::unix::HandleExt as _;
use signal_hook::iterator::Signals;

use super::Terraform;
use super::signals::{Group, Hold, Relay, SIGNALS};
use crate::issue::{Code, Issue};

/// How Terraform ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    /// Its exit status; 128 plus the signal where one killed it, as a shell would say.
    pub code: i32,
    /// The last signal that asked *us* to stop meanwhile.
    pub signal: Option<i32>,
}

/// A run whose output was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Captured {
    /// How it ended.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

impl Captured {
    /// What it printed, for a person: stderr, then stdout, without empty ends.
    pub fn shown(&self) -> String {
        let (err, out) = (String::from_utf8_lossy(&self.stderr), String::from_utf8_lossy(&self.stdout));
        format!("{}\n{}", err.trim(), out.trim()).trim().to_owned()
    }
}

impl Terraform {
    /// Runs a command in a folder with our own stdin, stdout and stderr.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it can't be started.
    pub fn run(&self, dir: &Path, args: &[OsString]) -> Result<Exit, Issue> {
        let (output, signal) = self.start(self.command(dir, args))?;
        Ok(Exit { code: code_of(output.status), signal })
    }

    /// Runs a command in a folder without input and keeps what it prints.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it can't be started; that it fails is no error here.
    pub fn capture(&self, dir: &Path, args: &[OsString]) -> Result<Captured, Issue> {
        self.captured(self.command(dir, args))
    }

    /// As [`Terraform::capture`], for a command that the user did not ask for: variables of the environment
    /// that add arguments meant for another command (`-var` in `TF_CLI_ARGS`) would make it fail.
    ///
    /// # Errors
    /// As [`Terraform::capture`].
    pub fn capture_without(&self, dir: &Path, args: &[OsString], vars: &[&str]) -> Result<Captured, Issue> {
        // `version` would ask over the network whether there is a newer one.
        let command = self.command(dir, args).env("CHECKPOINT_DISABLE", "1");
        self.captured(vars.iter().fold(command, |command, name| command.env_remove(name)))
    }

    /// As [`Terraform::capture_without`] `TF_CLI_ARGS`, with one more variable in the environment.
    ///
    /// # Errors
    /// As [`Terraform::capture`].
    pub(super) fn capture_for(
        &self,
        dir: &Path,
        args: &[OsString],
        var: Option<(&str, String)>,
    ) -> Result<Captured, Issue> {
        let command = self.command(dir, args).env("CHECKPOINT_DISABLE", "1").env_remove("TF_CLI_ARGS");
        self.captured(var.into_iter().fold(command, |command, (name, value)| command.env(name, value)))
    }

    fn captured(&self, command: duct::Expression) -> Result<Captured, Issue> {
        let (output, signal) = self.start(command.stdin_null().stdout_capture().stderr_capture())?;
        let exit = Exit { code: code_of(output.status), signal };
        Ok(Captured { exit, stdout: output.stdout, stderr: output.stderr })
    }

    #[allow(clippy::disallowed_methods)]
    fn command(&self, dir: &Path, args: &[OsString]) -> duct::Expression {
        let command = duct::cmd(&self.path, args).dir(dir).unchecked();
        self.env.iter().fold(command, |command, (name, value)| command.env(name, value))
    }

    fn start(&self, command: duct::Expression) -> Result<(Output, Option<i32>), Issue> {
        wait(command).map_err(|e| {
            let summary = format!("can't run {}: {e}", self.path.display());
            Issue::error(Code::Terraform, summary, "").fix("Name another binary with --terraform.", "")
        })
    }
}

/// Starts a child and outlives it; what the signals do meanwhile is told in [`super::signals`].
fn wait(command: duct::Expression) -> io::Result<(Output, Option<i32>)> {
    let hold = Hold::new()?;
    let mut signals = Signals::new(SIGNALS.iter())?;
    let closer = signals.handle();
    let group = Group::choose();
    let command = match group {
        Group::Shared => command,
        Group::Own => command.before_spawn(|child| {
            child.process_group(0);
            Ok(())
        }),
    };
    let handle = command.start()?;
    let done = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut relay = Relay::new(group);
            for signal in signals.forever() {
                if relay.passes(signal, Instant::now()) {
                    // It may have ended in this very moment.
                    let _ = handle.send_signal(signal);
                }
            }
        });
        let done = handle.wait().cloned();
        closer.close();
        done
    });
    Ok((done?, hold.received()))
}

fn code_of(status: ExitStatus) -> i32 {
    status.code().or_else(|| status.signal().map(|s| 128 + s)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Machine;
    use crate::terraform::locate::locate;

    fn shell(script: &str) -> Captured {
        let shell = locate(&Machine, Some("sh"), None).unwrap();
        shell.capture(Path::new("/"), &["-c".into(), script.into()]).unwrap()
    }

    #[test]
    fn output_folder_and_status() {
        let done = shell("pwd; echo oops >&2; exit 2");
        assert_eq!((done.exit.code, done.exit.signal), (2, None));
        assert_eq!((&done.stdout[..], &done.stderr[..]), (&b"/\n"[..], &b"oops\n"[..]));
        assert_eq!(done.shown(), "oops\n/");
        assert_eq!(shell("kill -KILL $$").exit.code, 137);
    }

    #[test]
    fn a_program_that_cannot_start() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("terraform");
        std::fs::write(&path, "\u{7f}no program").unwrap();
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let tool = locate(&Machine, path.to_str(), None).unwrap();
        let issue = tool.capture(dir.path(), &[]).unwrap_err();
        assert_eq!(issue.code, Code::Terraform);
    }
}
