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

/// The folder of the provider's program in a mirror. Of several versions, the last by name.
fn program(mirror: &Path) -> Option<PathBuf> {
    let hosts = fs::read_dir(mirror).ok()?.flatten().map(|host| host.path().join("hashicorp/aws"));
    let versions = hosts.filter_map(|aws| fs::read_dir(aws).ok()).flat_map(|v| v.flatten());
    versions.map(|v| v.path().join("linux_amd64")).filter(|dir| dir.is_dir()).max()
}

/// Lets Terraform in a scratch directory install the AWS provider from the mirror; false where there is none, and
/// then the registry is left to it.
///
/// The provider stands there as one in development, too: of others Terraform takes the checksum in each command, and this one
/// has 700 MB.
pub fn offer(scratch: &Scratch) -> bool {
    let Some(mirror) = MIRROR.as_ref() else {
        return false;
    };
    let text = |path: &Path| format!("{:?}", path.display().to_string());
    let own = program(mirror)
        .map(|dir| format!("  dev_overrides {{\n    \"hashicorp/aws\" = {}\n  }}\n", text(&dir)));
    let text = format!(
        "disable_checkpoint = true\nprovider_installation {{\n{}  filesystem_mirror {{\n    path = {}\n  }}\n}}\n",
        own.unwrap_or_default(),
        text(mirror)
    );
    fs::write(scratch.cli_config(), text).unwrap();
    true
}
