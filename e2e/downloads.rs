//! `tf-phi init --modules`: git is started by Terraform to download modules, in the folder of a tree that may be a stranger's.

use crate::support::Scratch;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(dir).args(["-c", "user.name=n", "-c", "user.email=n@example.com"]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A program of the tree, which leaves a file outside of it.
fn program(scratch: &Scratch, path: &str) -> String {
    scratch.write(path, &format!("#!/bin/sh\ntouch '{}'\nexit 1\n", scratch.aside("ran").display()));
    let file = scratch.dir().join(path);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file.display().to_string()
}

fn calling(source: &str) -> Scratch {
    Scratch::with(&[("main.tf", &format!("module \"m\" {{\n  source = \"{source}\"\n}}\n"))])
}

#[test]
fn a_repository_that_names_programs_is_refused() {
    let far = "git::https://example.invalid/x.git";
    for (source, settings) in [
        (
            far,
            vec![
                ["protocol.ext.allow", "always"],
                ["url.ext::@ .insteadOf", "https://example.invalid/x.git"],
            ],
        ),
        ("git::ssh://git@example.invalid/x.git", vec![["core.sshCommand", "@"]]),
        (far, vec![["credential.helper", "!@"]]),
        (far, vec![["remote.https://example.invalid/x.git.vcs", "ext"]]),
    ] {
        let scratch = calling(source);
        git(&scratch.dir(), &["init", "-q"]);
        let own = program(&scratch, "x.sh");
        // In a file that the configuration includes, too.
        for included in [false, true] {
            let file = scratch.dir().join(if included { ".git/more" } else { ".git/config" });
            let before = fs::read_to_string(&file).unwrap_or_default();
            for [key, value] in &settings {
                let (key, value) = (key.replace('@', &own), value.replace('@', &own));
                git(&scratch.dir(), &["config", "--file", &file.display().to_string(), &key, &value]);
            }
            if included {
                git(&scratch.dir(), &["config", "include.path", "more"]);
            }
            let said = scratch.tf_phi(&["init", "--modules"]).expect(1).stderr;
            assert!(said.contains("git would run what the repository says"), "{settings:?}\n{said}");
            assert!(said.contains("terraform get"), "{said}");
            assert!(!scratch.aside("ran").exists(), "{settings:?} ran");
            fs::write(&file, before).unwrap();
        }
    }
}

/// Files that look like a bare repository, in a folder below the work tree.
#[test]
fn files_of_the_tree_are_no_repository() {
    let scratch = Scratch::with(&[
        ("live/HEAD", "ref: refs/heads/main\n"),
        ("live/objects/.keep", ""),
        ("live/refs/.keep", ""),
        ("live/main.tf", "module \"m\" {\n  source = \"git::https://example.invalid/x.git\"\n}\n"),
    ]);
    let own = program(&scratch, "live/x.sh");
    let config = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[protocol \"ext\"]\n\tallow = always\n[url \"ext::{own} \"]\n\tinsteadOf = https://example.invalid/x.git\n"
    );
    scratch.write("live/config", &config);
    git(&scratch.dir(), &["init", "-q"]);
    scratch.tf_phi(&["-chdir=live", "init", "--modules"]).expect(1);
    assert!(!scratch.aside("ran").exists());
}

#[test]
fn settings_of_mercurial_in_the_tree_are_refused() {
    let scratch = calling("hg::https://example.invalid/x");
    scratch.write(".hg/hgrc", "[extensions]\nevil = ./evil.py\n");
    let said = scratch.tf_phi(&["init", "--modules"]).expect(1).stderr;
    assert!(said.contains("hg would run what the repository says"), "{said}");
}

/// Hooks and templates of an ordinary repository run nothing either, and its modules are installed.
#[test]
fn modules_of_ones_own_repository_are_installed_without_its_hooks() {
    let far = Scratch::with(&[("main.tf", "output \"o\" {\n  value = 1\n}\n")]);
    git(&far.dir(), &["init", "-q"]);
    git(&far.dir(), &["add", "-A"]);
    git(&far.dir(), &["commit", "-qm", "x"]);
    let scratch = calling(&format!("git::file://{}", far.dir().display()));
    git(&scratch.dir(), &["init", "-q"]);
    program(&scratch, "hooks/post-checkout");
    program(&scratch, "template/hooks/post-checkout");
    let own = |path: &str| scratch.dir().join(path).display().to_string();
    git(&scratch.dir(), &["config", "core.hooksPath", &own("hooks")]);
    git(&scratch.dir(), &["config", "init.templateDir", &own("template")]);
    git(&scratch.dir(), &["config", "remote.origin.url", "https://example.invalid/o.git"]);
    scratch.tf_phi(&["init", "--modules"]).expect(0);
    assert!(scratch.dir().join(".terraform/modules/m/main.tf").exists());
    assert!(!scratch.aside("ran").exists());
}

/// For a transport that it doesn't know, git takes an alias; a remote may be named like an address; and where a connection goes is told by
/// settings of `http`.
#[test]
fn what_is_not_known_to_be_harmless_is_refused() {
    for (source, settings) in [
        ("git::foo://example.invalid/x", vec![["alias.remote-foo", "!@"]]),
        (
            "git::https://example.invalid/x.git",
            vec![["remote.https://example.invalid/x.git.url", "foo://h/x"]],
        ),
        ("git::https://example.invalid/x.git", vec![["http.sslVerify", "false"]]),
        (
            "git::https://example.invalid/x.git",
            vec![["http.curloptResolve", "example.invalid:443:127.0.0.1"]],
        ),
    ] {
        let scratch = calling(source);
        git(&scratch.dir(), &["init", "-q"]);
        let own = program(&scratch, "x.sh");
        for [key, value] in &settings {
            git(&scratch.dir(), &["config", key, &value.replace('@', &own)]);
        }
        let said = scratch.tf_phi(&["init", "--modules"]).expect(1).stderr;
        assert!(said.contains("git would run what the repository says"), "{settings:?}\n{said}");
        assert!(!scratch.aside("ran").exists(), "{settings:?} ran");
    }
}

/// A program for a transport in a folder of `PATH` that counts from the working directory.
#[test]
fn relative_folders_of_path_are_nobodys() {
    let mut scratch = calling("git::foo://example.invalid/x");
    program(&scratch, "bin/git-remote-foo");
    let path = std::env::var("PATH").unwrap();
    scratch.env("PATH", &format!("{path}:bin:"));
    scratch.env("GIT_ALLOW_PROTOCOL", "foo");
    scratch.tf_phi(&["init", "--modules"]).expect(1);
    assert!(!scratch.aside("ran").exists());
}

fn commit_all(dir: &Path) {
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-qm", "x"]);
}

/// What is cloned has no say in what else is: a part of it may lie anywhere on this machine.
#[test]
fn parts_of_a_clone_are_none_of_this_machine() {
    let own = Scratch::with(&[("main.tf", "output \"o\" {\n  value = \"hunter2\"\n}\n")]);
    git(&own.dir(), &["init", "-q"]);
    commit_all(&own.dir());
    let far = Scratch::with(&[("main.tf", "")]);
    git(&far.dir(), &["init", "-q"]);
    let address = format!("file://{}", own.dir().display());
    git(&far.dir(), &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &address, "deep"]);
    commit_all(&far.dir());
    let scratch = calling(&format!("git::file://{}//deep", far.dir().display()));
    git(&scratch.dir(), &["init", "-q"]);
    let said = scratch.tf_phi(&["init", "--modules"]).expect(1).stderr;
    assert!(said.contains("transport 'file' not allowed"), "{said}");
    assert!(!scratch.dir().join(".terraform/modules/m/deep/main.tf").exists());
}

/// A server at an address of the web may answer with a folder of this machine.
#[test]
fn what_a_server_says_is_not_read_before_the_user_knows_it() {
    let own = Scratch::with(&[("infra/main.tf", "output \"o\" {\n  value = \"hunter2\"\n}\n")]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = format!(
        "HTTP/1.1 204 No Content\r\nX-Terraform-Get: file://{}//infra\r\nConnection: close\r\n\r\n",
        own.dir().display()
    );
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    let mut scratch = calling(&format!("http://127.0.0.1:{port}/x"));
    scratch.write("more.tf", "output \"more\" {\n  value = module.m.o\n}\n");
    git(&scratch.dir(), &["init", "-q"]);
    let said = scratch.tf_phi(&["init", "--modules"]).expect(1).stderr;
    assert!(said.contains("Code: outside") && said.contains("TF_PHI_TRUSTED_HOSTS"), "{said}");
    assert!(!scratch.dir().join(".terraform").exists());
    // Installed by the user, it is there, and not read.
    scratch.terraform(&["get"]).expect(0);
    assert!(scratch.dir().join(".terraform/modules/m/main.tf").exists());
    let read = scratch.tf_phi(&["trace", "--all"]);
    assert!(!read.stdout.contains("hunter2") && read.stderr.contains("Code: outside"), "{read:?}");
    scratch.env("TF_PHI_TRUSTED_HOSTS", "x.example,127.0.0.1");
    scratch.tf_phi(&["init", "--modules"]).expect(0);
    assert!(scratch.tf_phi(&["trace", "--all"]).expect(0).stdout.contains("hunter2"));
}
