//! Git, with no configuration but its own.

use std::path::Path;
use std::process::Command;

pub fn git(dir: &Path, words: &[&str]) {
    let done = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "init.defaultBranch=main"])
        .args(["-c", "protocol.file.allow=always"])
        .args(words)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}
