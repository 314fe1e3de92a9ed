//! Checks that the program in use reads the same files as tf-phi: Terraform skips `.tofu` files, OpenTofu prefers them.

use crate::config::is_tofus;
use crate::host::Host as _;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::terraform::{Product, Terraform};
use std::path::{Path, PathBuf};

/// Looks for files that one of the two reads alone. The program is asked for its version only where there is one.
///
/// # Errors
/// Returns an error if the program would read other files; where it doesn't say what it is.
pub fn agrees(session: &Session, terraform: &Terraform) -> Result<(), Issue> {
    let Some(first) = first(session) else { return Ok(()) };
    let version = terraform.version()?;
    let reads = version.is_at_least(Product::OpenTofu, 1, 8);
    if reads == session.config.tofu {
        return Ok(());
    }
    let summary = format!("{version} reads other files than tf-phi did");
    let issue = Issue::error(Code::Config, summary, why(reads)).in_path(first.display().to_string());
    Err(match reads {
        true => {
            issue.fix("Say in `phi.hcl` that OpenTofu is used here:", "settings {\n  terraform = \"tofu\"\n}")
        }
        false => issue
            .fix("Name an OpenTofu of 1.8 or later:", "export TF_PHI_TERRAFORM=tofu")
            .fix("Or take `terraform` out of `settings` in `phi.hcl`.", ""),
    })
}

fn why(reads: bool) -> &'static str {
    match reads {
        true => {
            "OpenTofu reads `.tofu` files, and prefers them to `.tf` files of the same name. tf-phi reads them where `phi.hcl` says so."
        }
        false => {
            "`phi.hcl` says that OpenTofu is used, so tf-phi read `.tofu` files. This program passes over them."
        }
    }
}

/// The first file by module that only OpenTofu reads.
fn first(session: &Session) -> Option<PathBuf> {
    let here = |dir: &PathBuf| match dir.as_os_str().is_empty() {
        true => Path::new(".").to_path_buf(),
        false => dir.clone(),
    };
    session.config.modules.iter().find_map(|module| {
        let names = session.host.list(&here(&module.dir)).ok()?;
        let (name, _) = names.into_iter().find(|(name, _)| is_tofus(name))?;
        Some(module.dir.join(name))
    })
}
