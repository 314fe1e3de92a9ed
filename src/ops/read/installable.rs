//! Whether Terraform may install what a tree asks for: nothing is installed through a symbolic link.
//!
//! In: a working directory, and Terraform's data folder. A tree may come with links in the places that Terraform writes to, and
//! Terraform follows them: what a stranger's module holds would replace files anywhere. So none may stand on the way to the data folder,
//! in it, in place of a list in it, or on the way to a file of a provider, wherever it leads. Terraform's own links stay: that to a module on this
//! machine, which it removes before it installs anew, and that to a provider in a cache, which ends in the provider's own address. Every
//! command of Terraform's that writes there is held by the same rule, whoever asked for it ([`check_command`]). Absent: what
//! the user names outside of the tree (`TF_DATA_DIR`), which no tree has a say in.

use crate::config::ASIDE;
use crate::host::{EntryKind, Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::ops::read::rooted_host::RootedHost;
use crate::terraform::init;
use crate::text::{shell_path, shell_word};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The number of names in a provider's place: host, namespace, type, version, platform.
const PROVIDER: usize = 5;

/// Checks that Terraform installs nothing through a symbolic link. What a copy needs is installed where the tree stands that it is of.
///
/// # Errors
/// [`Code::Outside`], with the way out.
pub fn installable(host: &RootedHost, data: &Path) -> Result<(), Issue> {
    let tree = host.installs();
    let own = init::data_dir(&tree, Path::new(""));
    let data = if tree.root == host.root { data } else { &own };
    link_on_the_way(&tree, data).map_or(Ok(()), |link| Err(refused(&tree, data, &link)))
}

/// Checks the same before a command of Terraform's in a folder, where it is one that writes below the data folder. `words` follow
/// its name.
///
/// # Errors
/// [`Code::Outside`], with the way out.
pub fn check_command(host: &RootedHost, dir: &Path, command: &str, words: &[OsString]) -> Result<(), Issue> {
    match is_writing(command, words) {
        true => installable(host, &init::data_dir(host, dir)),
        false => Ok(()),
    }
}

/// Returns true if a command writes below the data folder: modules, providers, what a backend needs, or the selected workspace.
fn is_writing(command: &str, words: &[OsString]) -> bool {
    let first = words.iter().filter_map(|word| word.to_str()).find(|word| !word.starts_with('-'));
    match command {
        "get" | "init" | "cloud" => true,
        // Of its commands these two alone only read.
        "workspace" | "env" => !matches!(first, Some("list" | "show")),
        _ => false,
    }
}

/// The first link that Terraform, or tf-phi, would write through below its data folder.
fn link_on_the_way(host: &RootedHost, data: &Path) -> Option<PathBuf> {
    let dir = host.root.join(data);
    let is_in_tree = |at: &Path| Machine.canonical(at).is_ok_and(|real| real.starts_with(host.tree()));
    let mut above: Vec<&Path> = dir.ancestors().collect();
    above.reverse();
    // What leads to the tree is the user's, and what lies outside of it.
    let first = above.iter().position(|at| is_in_tree(at))?;
    let is_link = |at: &Path| Machine.link(at).is_some() && at.parent().is_some_and(is_in_tree);
    if let Some(link) = above.into_iter().skip(first + 1).find(|at| is_link(at)) {
        return Some(link.to_path_buf());
    }
    if !is_in_tree(&dir) {
        return None;
    }
    let lists = ["modules.json", ASIDE].map(|name| dir.join("modules").join(name));
    let direct = links_in(&dir).into_iter().chain(lists.into_iter().filter(|at| is_link(at))).next();
    direct.or_else(|| in_providers(&dir.join("providers"), &mut Vec::new()))
}

fn links_in(dir: &Path) -> Vec<PathBuf> {
    let found = Machine.list(dir).unwrap_or_default().into_iter();
    found.filter(|(_, kind)| *kind == EntryKind::Link).map(|(name, _)| dir.join(name)).collect()
}

/// The first link below the folder of providers, but for those to a cache. `names` leads from that folder to `dir`.
fn in_providers(dir: &Path, names: &mut Vec<String>) -> Option<PathBuf> {
    for (name, kind) in Machine.list(dir).unwrap_or_default() {
        let path = dir.join(&name);
        names.push(name);
        let found = match kind {
            EntryKind::Link if names.len() == PROVIDER && is_of_cache(&path, names) => None,
            EntryKind::Link => Some(path),
            EntryKind::Dir => in_providers(&path, names),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        names.pop();
    }
    None
}

/// Returns true if a link leads to a folder that a cache or a mirror has for the same provider.
fn is_of_cache(link: &Path, names: &[String]) -> bool {
    let tail: PathBuf = names.iter().collect();
    Machine.canonical(link).is_ok_and(|real| real.ends_with(tail))
}

fn refused(host: &RootedHost, data: &Path, link: &Path) -> Issue {
    let shown = link.strip_prefix(&host.root).unwrap_or(link).display().to_string();
    let why =
        format!("{shown} is a symbolic link, and Terraform would write through it what it keeps there.");
    let issue = Issue::error(Code::Outside, "Terraform would write through a symbolic link", why)
        .in_path(shown.clone());
    let issue = match !init::is_data_dir_named(host) && link == host.root.join(data) {
        true => issue.fix(
            "If you put it there, say so in the environment:",
            format!("export TF_DATA_DIR=\"$(realpath -- {})\"", shell_word(&shown)),
        ),
        false => issue,
    };
    issue.fix("Remove the link:", format!("rm {}", shell_path(&shown)))
}
