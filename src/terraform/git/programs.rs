//! What the git that Terraform starts would run because the repository around a folder says so.
//!
//! Terraform downloads modules with git, which it starts in the root module's folder. There git reads that repository's configuration, and
//! an archive may bring one. In: a folder. Out: an issue where the configuration names a program, or a transport that starts one; and
//! settings for everything that can be turned off without taking anything of the user's own away. Git itself is asked what the
//! configuration says, files that it includes with it. The user's own configuration is the user's. Measured on git 2.47; the keys are
//! those that `git help config` says start something, for the commands `clone`, `ls-remote` and `fetch`. Absent: Mercurial, of which any
//! file of configuration in the tree is refused.

use super::{Git, odd};
use crate::host::{Host, Machine};
use crate::issue::{Code, Issue};
use crate::terraform::Terraform;
use std::ffi::OsString;
use std::path::Path;

/// Settings that are turned off while Terraform installs. What the environment has of the kind stays, before these.
const OFF: &[(&str, &str)] = &[
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.alternateRefsCommand", "false"),
    ("init.templateDir", ""),
    ("protocol.ext.allow", "never"),
    // Files of the tree that look like a bare repository are none.
    ("safe.bareRepository", "explicit"),
];

/// Files in which Mercurial's settings of a repository stand.
const OF_MERCURIAL: [&str; 2] = [".hg/hgrc", ".hg/hgrc-not-shared"];

/// Checks that nothing of the tree runs while Terraform downloads modules in a folder, and gives Terraform as it is to be started for that.
///
/// # Errors
/// [`Code::Outside`] where the configuration of the repository around it names what would run.
pub fn judge_programs(host: &dyn Host, dir: &Path, terraform: &Terraform) -> Result<Terraform, Issue> {
    let real = Machine.canonical(dir).unwrap_or_else(|_| dir.to_owned());
    let mercurial = real.ancestors().flat_map(|at| OF_MERCURIAL.iter().map(|name| at.join(name)));
    if let Some(file) = mercurial.into_iter().find(|file| Machine.kind(file).is_some()) {
        return Err(refuse_program("hg", &format!("{} may name programs", file.display())));
    }
    // Without a git, Terraform starts none.
    if let Ok(git) = Git::find(host) {
        odd::judge(dir)?;
        for scope in ["--local", "--worktree"] {
            let words = ["config", scope, "--includes", "--list", "-z"];
            // Where there is no repository that git trusts, it reads no configuration either.
            let Ok(text) = git.ask(dir, &words, b"")? else { continue };
            let text = String::from_utf8_lossy(&text);
            let entries = text.split('\0').map(|entry| entry.split_once('\n').unwrap_or((entry, "")));
            if let Some((key, _)) = entries.into_iter().find(|(key, value)| is_program(key, value)) {
                return Err(refuse_program("git", &format!("the repository's configuration sets {key}")));
            }
        }
    }
    Ok(turn_programs_off(host, terraform))
}

/// Returns true for a setting by which git starts a program, or goes to where another program answers. Names of sections and keys are in
/// lower case, as git lists them.
fn is_program(key: &str, value: &str) -> bool {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    let name = rest.rsplit('.').next().unwrap_or_default();
    match section {
        "core" => matches!(name, "sshcommand" | "askpass" | "gitproxy"),
        "credential" => name == "helper" && !value.is_empty(),
        "protocol" => name == "allow" && value != "never",
        "remote" => matches!(name, "vcs" | "uploadpack" | "receivepack"),
        // Other places of the web and of SSH are for the network to answer.
        "url" => {
            let base = rest.rsplit_once('.').map_or("", |(base, _)| base);
            !["https://", "http://", "ssh://", "git@"].iter().any(|start| base.starts_with(start))
        }
        "http" => matches!(name, "savecookies"),
        "hook" => true,
        _ => false,
    }
}

/// Terraform with settings for the programs that it starts.
fn turn_programs_off(host: &dyn Host, terraform: &Terraform) -> Terraform {
    let before = host.env("GIT_CONFIG_COUNT").and_then(|count| count.parse::<usize>().ok()).unwrap_or(0);
    let mut own = terraform.with("HGRCSKIPREPO", "1");
    for (at, (key, value)) in (before..).zip(OFF) {
        own = own.with(&format!("GIT_CONFIG_KEY_{at}"), *key).with(&format!("GIT_CONFIG_VALUE_{at}"), *value);
    }
    own.with("GIT_CONFIG_COUNT", OsString::from((before + OFF.len()).to_string()))
}

fn refuse_program(program: &str, what: &str) -> Issue {
    let why = format!(
        "To download modules, Terraform starts {program} in this folder, and {what}: a tree could have programs of its own run so."
    );
    Issue::error(Code::Outside, format!("{program} would run what the repository says"), why)
        .fix("If the repository is your own, install the modules yourself:", "terraform get")
}

#[cfg(test)]
mod tests {
    use super::is_program;

    #[test]
    fn settings_that_start_something() {
        for (key, value, want) in [
            ("core.sshcommand", "x", true),
            ("core.hookspath", ".husky", false),
            ("core.filemode", "true", false),
            ("credential.helper", "", false),
            ("credential.helper", "!x", true),
            ("credential.https://x.example/a.b.helper", "!x", true),
            ("credential.username", "x", false),
            ("protocol.allow", "always", true),
            ("protocol.ext.allow", "always", true),
            ("protocol.file.allow", "never", false),
            ("remote.https://x.example/a.git.vcs", "ext", true),
            ("remote.origin.url", "ext::x", false),
            ("url.ext::/x.sh .insteadof", "https://x.example/", true),
            ("url./home/x/.insteadof", "https://x.example/", true),
            ("url.https://token@x.example/.insteadof", "https://x.example/", false),
            ("http.https://x.example/.extraheader", "x", false),
            ("hook.x.command", "x", true),
            ("branch.main.remote", "origin", false),
        ] {
            assert_eq!(is_program(key, value), want, "{key} {value}");
        }
    }
}
