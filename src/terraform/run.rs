//! Running Terraform: with our own standard streams, or with what it prints kept for us.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use duct::unix::HandleExt as _;
use signal_hook::iterator::Signals;

use super::bounded::{Bounds, Excess, Stream};
use super::leash;
use super::signals::{Group, Hold, Relay, SIGNALS};
use super::{Terraform, args, strange};
use crate::issue::{Code, Issue};

/// The time within which the rest in a pipe is read.
const MOMENT: Duration = Duration::from_secs(5);

/// So often it is looked whether somebody asked us to stop.
const LOOK: Duration = Duration::from_millis(100);

/// The way in which Terraform ended.
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
    /// The way in which it ended.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

impl Captured {
    /// Returns what it printed, for people: stderr, then stdout, without empty ends.
    pub fn shown(&self) -> String {
        let (err, out) = (String::from_utf8_lossy(&self.stderr), String::from_utf8_lossy(&self.stdout));
        format!("{}\n{}", err.trim(), out.trim()).trim().to_owned()
    }

    /// Why it failed, for a person: what it printed to stderr, if anything. Terraform prints warnings, and what it was at, to stdout.
    pub fn why(&self) -> String {
        let err = String::from_utf8_lossy(&self.stderr);
        if err.trim().is_empty() { self.shown() } else { err.trim().to_owned() }
    }
}

impl Terraform {
    /// Runs a command in a folder with our own stdin, stdout and stderr.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it can't be started.
    pub fn run(&self, dir: &Path, args: &[OsString]) -> Result<Exit, Issue> {
        let ((status, signal), _) = wait(self.command(dir, args), None).map_err(|e| self.fault(&e))?;
        Ok(Exit { code: code_of(status), signal })
    }

    /// Runs a command in a folder without input and keeps what it prints.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it can't be started; that it fails is no error here.
    pub fn capture(&self, dir: &Path, args: &[OsString]) -> Result<Captured, Issue> {
        strange::judge(dir)?;
        self.captured(self.command(dir, args), Bounds::WORK)
    }

    /// Does the same as [`Terraform::capture`] for a command that the user did not ask for, without these environment
    /// variables. They add arguments for another command (`-var` in `TF_CLI_ARGS`), with which it would fail.
    ///
    /// # Errors
    /// As [`Terraform::capture`].
    pub fn capture_without(&self, dir: &Path, args: &[OsString], vars: &[&str]) -> Result<Captured, Issue> {
        strange::judge(dir)?;
        self.captured(self.without(dir, args, vars), Bounds::WORK)
    }

    /// Does the same as [`Terraform::capture_without`] all arguments that the environment adds to the command.
    ///
    /// # Errors
    /// As [`Terraform::capture`].
    pub fn capture_own(&self, dir: &Path, args: &[OsString]) -> Result<Captured, Issue> {
        strange::judge(dir)?;
        self.captured(self.own(dir, args), Bounds::WORK)
    }

    /// Does the same as [`Terraform::capture_without`] where nothing is lost if it is ended.
    ///
    /// # Errors
    /// As [`Terraform::capture`].
    pub(super) fn ask_without(
        &self,
        dir: &Path,
        args: &[OsString],
        vars: &[&str],
    ) -> Result<Captured, Issue> {
        strange::judge(dir)?;
        self.captured(self.without(dir, args, vars), Bounds::STATE)
    }

    /// Does the same as [`Terraform::capture_own`] for questions that are answered at once.
    ///
    /// # Errors
    /// As [`Terraform::capture`], and where there is no answer within a minute.
    pub fn ask(&self, dir: &Path, args: &[OsString]) -> Result<Captured, Issue> {
        // `version` reads the lock file.
        strange::judge(dir)?;
        self.captured(self.own(dir, args), Bounds::QUESTION)
    }

    fn own(&self, dir: &Path, args: &[OsString]) -> duct::Expression {
        let command = args.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        self.without(dir, args, &args::variables(&command).each_ref().map(String::as_str))
    }

    fn without(&self, dir: &Path, args: &[OsString], vars: &[&str]) -> duct::Expression {
        // `version` would ask over the network whether there is a newer one.
        let command = self.command(dir, args).env("CHECKPOINT_DISABLE", "1");
        vars.iter().fold(command, |command, name| command.env_remove(name))
    }

    /// Does the same as [`Terraform::capture_without`], with this input.
    ///
    /// # Errors
    /// As [`Terraform::capture`], and where a bound is passed.
    pub(super) fn capture_fed(
        &self,
        dir: &Path,
        args: &[OsString],
        vars: &[&str],
        input: &[u8],
        bounds: Bounds,
    ) -> Result<Captured, Issue> {
        self.kept(self.without(dir, args, vars).stdin_bytes(input), bounds)
    }

    fn captured(&self, command: duct::Expression, bounds: Bounds) -> Result<Captured, Issue> {
        self.kept(command.stdin_null(), bounds)
    }

    fn kept(&self, command: duct::Expression, bounds: Bounds) -> Result<Captured, Issue> {
        let bounds =
            Bounds { time: self.patience.map_or(bounds.time, |most| most.min(bounds.time)), ..bounds };
        let fault = |e: io::Error| self.fault(&e);
        let (out, out_end) = io::pipe().map_err(fault)?;
        let (err, err_end) = io::pipe().map_err(fault)?;
        let command = command.stdout_file(out_end).stderr_file(err_end);
        let until = Instant::now() + bounds.time;
        let read = |(from, bytes)| Stream::read(from, bytes).map_err(fault);
        let (out, err) = (read((out, bounds.bytes))?, read((err, bounds.bytes))?);
        let ((status, signal), late) = wait(command, Some((until, bounds.grace))).map_err(fault)?;
        // What it left running may hold its streams open. A moment is enough for what it printed itself.
        let [out, err] = [out, err].map(|stream| stream.end(bounds, Instant::now() + MOMENT));
        let excess = |excess: Excess| {
            let summary = format!("{} doesn't come to an end", self.path.display());
            let issue = Issue::error(Code::Terraform, summary, bounds.said(excess));
            if bounds.fix.is_empty() { issue } else { issue.fix(bounds.fix, "") }
        };
        if late {
            return Err(excess(Excess::Time));
        }
        let (stdout, stderr) = (out.map_err(fault)?.map_err(excess)?, err.map_err(fault)?.map_err(excess)?);
        Ok(Captured { exit: Exit { code: code_of(status), signal }, stdout, stderr })
    }

    #[allow(clippy::disallowed_methods)]
    fn command(&self, dir: &Path, args: &[OsString]) -> duct::Expression {
        let leashed = self.leashed.then(|| leash::words(&self.path, args)).flatten();
        let command = match leashed {
            Some((own, words)) => duct::cmd(own, words),
            None => duct::cmd(&self.path, args),
        };
        let command = command.dir(dir).unchecked();
        self.env.iter().fold(command, |command, (name, value)| command.env(name, value))
    }

    fn fault(&self, error: &io::Error) -> Issue {
        let summary = format!("can't run {}: {error}", self.path.display());
        Issue::error(Code::Terraform, summary, "").fix("Name another binary with --terraform.", "")
    }
}

/// The way in which a child ended, the last signal that asked us to stop meanwhile, and true if it was ended because
/// it took too long. [`super::signals`] says what signals do meanwhile.
type Ended = ((ExitStatus, Option<i32>), bool);

/// Starts a child and outlives it. One that isn't done at `until` is ended, and one that was asked to stop and isn't done after its grace.
fn wait(command: duct::Expression, until: Option<(Instant, Duration)>) -> io::Result<Ended> {
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
    // It holds the ends of pipes that the child alone is to hold.
    drop(command);
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
        let done = match until {
            None => handle.wait().map(|output| (output.status, false)),
            Some(until) => in_time(&handle, &hold, until),
        };
        closer.close();
        done
    });
    let (status, late) = done?;
    Ok(((status, hold.received()), late))
}

fn in_time(
    handle: &duct::Handle,
    hold: &Hold,
    (until, grace): (Instant, Duration),
) -> io::Result<(ExitStatus, bool)> {
    let mut last = None;
    loop {
        let now = Instant::now();
        if last.is_none() && hold.received().is_some() {
            last = Some(now + grace);
        }
        let end = last.map_or(until, |last: Instant| last.min(until));
        if let Some(output) = handle.wait_deadline(end.min(now + LOOK))? {
            return Ok((output.status, false));
        }
        if Instant::now() >= end {
            handle.kill()?;
            // What was asked to stop took no longer than it may.
            return Ok((handle.wait()?.status, end == until));
        }
    }
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
        assert_eq!((done.shown().as_str(), done.why().as_str()), ("oops\n/", "oops"));
        assert_eq!(shell("pwd; exit 1").why(), "/");
        assert_eq!(shell("kill -KILL $$").exit.code, 137);
    }

    #[test]
    fn a_program_that_does_not_end() {
        let shell = locate(&Machine, Some("sh"), None).unwrap();
        let run = |script: &str, bytes, millis| {
            let command = shell.command(Path::new("/"), &["-c".into(), script.into()]);
            shell.captured(
                command,
                Bounds { bytes, time: Duration::from_millis(millis), grace: MOMENT, fix: "" },
            )
        };
        let start = Instant::now();
        let why = |script, bytes, millis| run(script, bytes, millis).unwrap_err().why;
        assert!(why("exec sleep 60", 9, 100).contains("took longer"));
        assert!(why("sleep 60 & exec sleep 60", 9, 100).contains("took longer"));
        assert!(why("yes", 1 << 20, 60_000).contains("more than 1 MiB"));
        assert!(why("yes >&2", 1 << 20, 60_000).contains("more than 1 MiB"));
        assert_eq!(run("printf 123456789", 9, 60_000).unwrap().stdout, b"123456789");
        assert!(start.elapsed() < Duration::from_secs(50));
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
