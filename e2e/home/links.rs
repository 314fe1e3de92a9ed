//! A checkout in which links are files with their text (`core.symlinks = false`).

use super::{ENV, Mode, PIN, PROD, Twin, cases};
use std::fs;
use std::path::{Path, PathBuf};

fn linked(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            found.push(path);
        } else if path.is_dir() && path.file_name().is_some_and(|n| n != ".terraform") {
            linked(&path, found);
        }
    }
}

/// Applied; then each link is a file with the link's text.
fn checked_out() -> Twin {
    let main = format!(
        "{ENV}module \"m\" {{\n  source = \"./m\"\n  v = var.env == \"prod\" ? \"15\" : \"14\"\n}}\n"
    );
    let module =
        "variable \"v\" {}\nresource \"terraform_data\" \"db\" {\n  input = { v = var.v, tag = \"db\" }\n}\n";
    let outputs =
        "output \"x\" {\n  value = 1\n}\noutput \"y\" {\n  value = 2\n}\noutput \"z\" {\n  value = 2\n}\n";
    let files = [("main.tf", main.as_str()), ("m/main.tf", module), ("m/outputs.tf", outputs), PIN];
    let twin = Twin::applied(Mode::InPlace, &files, PROD);
    let mut links = Vec::new();
    linked(&twin.phi.dir(), &mut links);
    assert!(!links.is_empty(), "no file of a copy is a link");
    for link in links {
        let text = fs::read_link(&link).unwrap();
        fs::remove_file(&link).unwrap();
        fs::write(&link, text.into_os_string().into_encoded_bytes()).unwrap();
    }
    twin
}

/// A command does what it does with links, or says why not, and what it says to run helps.
fn checked_out_as_files(command: &[&str]) {
    let twin = checked_out();
    let ran = twin.phi.tf_phi(command);
    if ran.code != 0 {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("symbolic links were checked out as files"), "{command:?}: {said}");
        assert!(said.contains("tf-phi check --fix"), "{command:?}: {said}");
        twin.phi.tf_phi(&["check", "--fix"]).expect(0);
        twin.phi.tf_phi(command).expect(0);
    }
    twin.compare(PROD, "afterwards");
}

cases! { checked_out_as_files:
    plan(&["plan", "-input=false", "-var=env=prod"]),
    apply(&["apply", "-input=false", "-auto-approve", "-var=env=prod"]),
    check(&["check"]),
    fixed(&["check", "--fix"]),
    verify(&["verify", "-var=env=prod"]),
    history(&["history"]),
    restore(&["restore"]),
}
