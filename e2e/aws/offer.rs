//! A real AWS provider without a network: machines for development often carry a mirror of it that no CLI
//! configuration names. A bounded search finds it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::support::Scratch;

const DEPTH: usize = 8;
/// Names one, for machines where the search takes too long or finds the wrong one.
pub const ENV: &str = "TF_PHI_E2E_AWS_MIRROR";

static MIRROR: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let named = std::env::var_os(ENV).map(PathBuf::from);
    named.or_else(|| search(Path::new("/")))
});

/// The folder of a mirror (it holds `HOST/hashicorp/aws/…`), breadth first.
fn search(start: &Path) -> Option<PathBuf> {
    let mut level = vec![start.to_path_buf()];
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for dir in level {
            if let Some(mirror) = mirror_of(&dir) {
                return Some(mirror);
            }
            let Ok(entries) = fs::read_dir(&dir) else { continue };
            let folders = entries.flatten().filter(|e| e.file_type().is_ok_and(|t| t.is_dir()));
            let skipped = ["proc", "sys", "dev", "target", "node_modules", ".git"];
            let keep = |path: &PathBuf| !skipped.iter().any(|s| path.file_name().is_some_and(|n| n == *s));
            next.extend(folders.map(|e| e.path()).filter(keep));
        }
        level = next;
    }
    None
}

/// A folder called `hashicorp` with `aws/VERSION/linux_amd64` in it lies two levels below its mirror.
fn mirror_of(dir: &Path) -> Option<PathBuf> {
    if dir.file_name()? != "hashicorp" {
        return None;
    }
    let mut versions = fs::read_dir(dir.join("aws")).ok()?.flatten();
    let is_there = versions.any(|v| v.path().join("linux_amd64").is_dir());
    is_there.then(|| dir.parent()?.parent().map(Path::to_path_buf)).flatten()
}

/// Lets Terraform in a scratch directory install the AWS provider from the mirror; false where there is none, and
/// then the registry is left to it.
pub fn offer(scratch: &Scratch) -> bool {
    let Some(mirror) = MIRROR.as_ref() else {
        return false;
    };
    let text = format!(
        "disable_checkpoint = true\nprovider_installation {{\n  filesystem_mirror {{\n    path = {:?}\n  }}\n}}\n",
        mirror.display().to_string()
    );
    fs::write(scratch.cli_config(), text).unwrap();
    true
}
