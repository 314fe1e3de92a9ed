//! What the git that Terraform starts would run because the repository around a folder says so.
//!
//! Terraform downloads modules with git, which it starts in the root module's folder. There git reads that repository's configuration, and
//! an archive may bring one. In: a folder. Out: an issue where the configuration says anything but what repositories have by themselves; and
//! settings for everything that can be turned off without taking anything of the user's own away. Git itself is asked what the
//! configuration says, files that it includes with it. The user's own configuration is the user's. What isn't known to be harmless is refused: a list
//! of what does harm would always lack something (aliases stand in for transports). Absent: Mercurial, of which any
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
    // Transports for which git has a program of its own, or asks SSH. A path of this machine is for who asks for it, and for no part of what
    // was cloned.
    ("protocol.allow", "never"),
    ("protocol.ext.allow", "never"),
    ("protocol.http.allow", "always"),
    ("protocol.https.allow", "always"),
    ("protocol.ssh.allow", "always"),
    ("protocol.git.allow", "always"),
    ("protocol.file.allow", "user"),
    // Files of the tree that look like a bare repository are none.
    ("safe.bareRepository", "explicit"),
];

/// Settings of `core` that are about files, or turned off besides.
const CORE: &[&str] = &[
    "repositoryformatversion",
    "filemode",
    "bare",
    "logallrefupdates",
    "ignorecase",
    "precomposeunicode",
    "symlinks",
    "autocrlf",
    "eol",
    "safecrlf",
    "longpaths",
    "protecthfs",
    "protectntfs",
    "sparsecheckout",
    "sparsecheckoutcone",
    "hookspath",
    "fsmonitor",
    "untrackedcache",
    "preloadindex",
    "sharedrepository",
    "quotepath",
    "worktree",
    "abbrev",
    "trustctime",
    "checkstat",
    "bigfilethreshold",
    "commentchar",
    "whitespace",
    "compression",
    "splitindex",
    "fscache",
];

/// Settings of a remote that name what is fetched from it.
const REMOTE: &[&str] = &[
    "url",
    "pushurl",
    "fetch",
    "push",
    "tagopt",
    "prune",
    "mirror",
    "promisor",
    "partialclonefilter",
    "gh-resolved",
    "skipdefaultupdate",
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
            let mut entries = entries.filter(|(key, _)| !key.is_empty());
            if let Some((key, _)) = entries.find(|(key, value)| !is_harmless(key, value)) {
                return Err(refuse_program(
                    "git",
                    &format!("the repository's configuration sets {}", name_setting(key)),
                ));
            }
        }
    }
    Ok(turn_programs_off(host, terraform))
}

/// The name of a setting as it may be shown. What stands between section and name may be an address with a token in it, and come from a file
/// outside that the repository's configuration includes.
fn name_setting(key: &str) -> String {
    let Some((section, rest)) = key.split_once('.') else { return key.to_owned() };
    let Some((of, name)) = rest.rsplit_once('.') else { return key.to_owned() };
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/');
    let of = if of.chars().all(is_word) { of } else { "…" };
    format!("{section}.{of}.{name}")
}

/// Returns true for a setting that starts nothing and leads nowhere else, as repositories have them by themselves. All others are taken for what
/// may: aliases, transports, proxies, certificates. Names of sections and keys are in lower case, as git lists them.
fn is_harmless(key: &str, value: &str) -> bool {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    let (of, name) = rest.rsplit_once('.').unwrap_or(("", rest));
    match section {
        "core" => CORE.contains(&name),
        // A remote may be named like an address, and be taken for it then.
        "remote" => !of.contains([':', '/', '@']) && REMOTE.contains(&name) && !value.contains("::"),
        "submodule" => {
            matches!(name, "url" | "active" | "branch" | "ignore" | "fetchrecursesubmodules" | "recurse")
        }
        "branch" | "user" | "author" | "committer" | "advice" | "color" | "pull" | "push" | "rebase"
        | "gc" | "maintenance" | "index" => true,
        "commit" | "tag" => matches!(name, "gpgsign" | "sort" | "verbose"),
        "extensions" => matches!(name, "worktreeconfig" | "objectformat" | "partialclone" | "refstorage"),
        "fetch" => matches!(name, "prune" | "prunetags" | "parallel"),
        // Templates are turned off besides.
        "init" => matches!(name, "defaultbranch" | "templatedir"),
        // What they include is listed besides.
        "include" | "includeif" => name == "path",
        // As actions/checkout hands its token on: a header for one place of the web.
        "http" => name == "extraheader" && of.starts_with("https://"),
        "filter" => of == "lfs" && (name == "required" || value.starts_with("git-lfs ")),
        "lfs" => name == "repositoryformatversion",
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
    // A folder that counts from the working directory may be one of the tree's.
    let path = host.env("PATH").unwrap_or_default();
    let absolute = std::env::split_paths(&path).filter(|dir| dir.is_absolute());
    if let Ok(path) = std::env::join_paths(absolute) {
        own = own.with("PATH", path);
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
    use super::{is_harmless, name_setting};

    #[test]
    fn a_setting_is_named_without_addresses() {
        for (key, shown) in [
            ("core.sshcommand", "core.sshcommand"),
            ("remote.origin.uploadpack", "remote.origin.uploadpack"),
            ("branch.a/b.merge", "branch.a/b.merge"),
            ("url.https://oauth2:token@example.org/.insteadof", "url.….insteadof"),
            ("credential.https://x.example/a.b.helper", "credential.….helper"),
        ] {
            assert_eq!(name_setting(key), shown);
        }
    }

    #[test]
    fn settings_that_start_nothing() {
        for (key, value, want) in [
            ("core.sshcommand", "x", false),
            ("core.gitproxy", "x", false),
            ("core.hookspath", ".husky", true),
            ("core.filemode", "true", true),
            ("alias.remote-foo", "!x", false),
            ("help.autocorrect", "immediate", false),
            ("credential.helper", "!x", false),
            ("credential.https://x.example/a.b.helper", "!x", false),
            ("protocol.ext.allow", "always", false),
            ("remote.https://x.example/a.git.vcs", "ext", false),
            ("remote.https://x.example/a.git.url", "foo://x", false),
            ("remote.origin.uploadpack", "x", false),
            ("remote.origin.url", "https://x.example/a.git", true),
            ("remote.origin.url", "ext::x", false),
            ("url.ext::/x.sh .insteadof", "https://x.example/", false),
            ("http.sslverify", "false", false),
            ("http.curloptresolve", "x.example:443:127.0.0.1", false),
            ("http.https://x.example/.proxy", "x", false),
            ("http.https://x.example/.extraheader", "x", true),
            ("filter.lfs.smudge", "git-lfs smudge -- %f", true),
            ("filter.lfs.smudge", "./x", false),
            ("filter.x.smudge", "git-lfs smudge", false),
            ("includeif.gitdir:/x/.path", "/x", true),
            ("submodule.a.update", "!x", false),
            ("hook.x.command", "x", false),
            ("branch.main.remote", "origin", true),
        ] {
            assert_eq!(is_harmless(key, value), want, "{key} {value}");
        }
    }
}
