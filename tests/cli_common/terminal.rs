//! A terminal of some width, and what it shows of a run.

use super::{Done, Scratch};
use std::process::Command;

/// Runs a command on a terminal of so many columns and gives what it shows.
const TERMINAL: &str = r#"
import fcntl, os, pty, struct, sys, termios
columns, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execv(command[0], command)
shown = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    shown += part
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"#;

/// Runs the binary on a terminal of so many columns; standard output and error together, as they come.
pub fn run(scratch: &Scratch, args: &[&str], columns: u16, colour: bool) -> Done {
    run_with(scratch, args, columns, colour, &[])
}

/// The same with variables of the environment besides.
pub fn run_with(scratch: &Scratch, args: &[&str], columns: u16, colour: bool, env: &[(&str, &str)]) -> Done {
    let mut phi = scratch.command(args);
    phi.envs(env.iter().copied());
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, &columns.to_string()]).arg(phi.get_program()).args(phi.get_args());
    command.current_dir(scratch.tree());
    let shells = |name: &str| name.starts_with("TF_") || matches!(name, "NO_COLOR" | "CI");
    for (name, _) in std::env::vars().filter(|(name, _)| shells(name)) {
        command.env_remove(name);
    }
    for (name, value) in phi.get_envs() {
        command.env(name, value.unwrap());
    }
    // A job that was started by no terminal has none to inherit.
    command.env("TERM", "xterm");
    if !colour {
        command.env("NO_COLOR", "1");
    }
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", scratch.path("bin").display()));
    Done::new(command.output().unwrap())
}
