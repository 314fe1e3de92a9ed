//! Puts the commit that a release is built from into the program.
//!
//! Only of an optimised build: otherwise each commit would have everything built anew. Without Git, or outside of a checkout, nothing
//! is put in; `TF_PHI_COMMIT` and `TF_PHI_DATE` say it where they are set.

#![allow(clippy::disallowed_methods)]

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=TF_PHI_COMMIT");
    println!("cargo:rerun-if-env-changed=TF_PHI_DATE");
    if std::env::var("PROFILE").is_ok_and(|p| p == "release") {
        say("TF_PHI_COMMIT", "%h");
        say("TF_PHI_DATE", "%cs");
        for name in ["HEAD", "refs/heads"] {
            if let Some(path) = git(&["rev-parse", "--git-path", name]) {
                println!("cargo:rerun-if-changed={path}");
            }
        }
    } else {
        println!("cargo:rerun-if-changed=build.rs");
        // Tests start it ten thousand times: a third of each start is the linker's work on a program that can lie anywhere.
        if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
            println!("cargo:rustc-link-arg=-no-pie");
        }
    }
}

/// Hands a fact of the newest commit to the compiler, where the environment doesn't name it.
fn say(name: &str, format: &str) {
    if std::env::var_os(name).is_none()
        && let Some(value) = git(&["log", "-1", &format!("--format={format}")])
    {
        println!("cargo:rustc-env={name}={value}");
    }
}

fn git(words: &[&str]) -> Option<String> {
    // A checkout of another project around this one says nothing of it.
    let own = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let ask = |words: &[&str]| {
        let done = Command::new("git").arg("-C").arg(&own).args(words).output().ok()?;
        let text = String::from_utf8(done.stdout).ok()?.trim().to_owned();
        (done.status.success() && !text.is_empty()).then_some(text)
    };
    ask(&["ls-files", "--error-unmatch", "build.rs"])?;
    ask(words)
}
