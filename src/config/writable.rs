//! Which paths may be written, by their names alone.
//!
//! Records, markers and journals may come with a clone, so what they name is judged before it is read or written. Absent: links,
//! which only a machine knows.

use crate::issue::{Code, Issue};
use std::path::{Component, Path};

/// The folder at the root that is tf-phi's own.
pub const PHI_DIR: &str = ".phi";

/// What tf-phi itself is told, at the root. It goes when tf-phi does.
pub const PHI_HCL: &str = "phi.hcl";

/// A relative path of ordinary UTF-8 names that is a kind of file tf-phi writes: configuration, variables, tests, its own records,
/// the chart of a service, and Terraform's list of modules. Records, markers and journals may come with a clone, so what they name is judged by this too.
///
/// # Errors
/// [`Code::Unsupported`], saying what is wrong with it.
pub fn check_path(relative: &Path) -> Result<(), Issue> {
    check_dir(relative)?;
    let name = relative.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let known = LISTS.contains(&name) || KINDS.iter().any(|end| name.ends_with(end));
    let told = relative == Path::new(PHI_HCL);
    if known || told || relative.starts_with(PHI_DIR) || is_of_chart(relative) {
        return Ok(());
    }
    Err(refused(relative, "is no file of a configuration", "Only such files are written."))
}

/// The same of a folder.
pub(crate) fn check_dir(relative: &Path) -> Result<(), Issue> {
    let ordinary = relative.components().all(|c| matches!(c, Component::Normal(_)));
    if !ordinary || relative.as_os_str().is_empty() {
        return Err(refused(
            relative,
            "is not below the working directory",
            "Only what lies there is written.",
        ));
    }
    let Some(text) = relative.to_str() else {
        return Err(refused(relative, "is not UTF-8", "Terraform reads no such names either."));
    };
    if text.len() > MOST_BYTES || relative.components().count() > MOST_FOLDERS {
        return Err(refused(relative, "is too long", "No system has a file of such a name."));
    }
    if text.chars().any(char::is_control) {
        return Err(refused(relative, "holds a control character", "No configuration has such names."));
    }
    if let Some(name) = hidden(relative) {
        let why = format!("{name} belongs to another program, and tf-phi writes nothing into it.");
        return Err(refused(relative, "is in a folder of another program's", why));
    }
    Ok(())
}

/// What a system takes for the name of a file at most (`PATH_MAX` of Linux).
const MOST_BYTES: usize = 4096;

/// Folders within folders, beyond which nobody goes. Each of them is looked at.
pub(crate) const MOST_FOLDERS: usize = 256;

/// The suffixes of files that Terraform, OpenTofu and HCP read as configuration. Variable files are none: they are the user's own, often ignored by
/// Git, and hold secrets; a record that names one would have it shown. What a deployment is given stands below [`PHI_DIR`].
const KINDS: &[&str] = &[
    ".tf",
    ".tf.json",
    ".tofu",
    ".tofu.json",
    ".tftest.hcl",
    ".tftest.json",
    ".tofutest.hcl",
    ".tofutest.json",
    ".tfcomponent.hcl",
    ".tfdeploy.hcl",
];

/// The files of the chart in which services carry their manifests.
const CHART: &[&str] = &["chart/Chart.yaml", "chart/templates/manifests.yaml"];

/// The folder of a chart for definitions.
const DEFINITIONS: &str = "chart/crds";

fn is_of_chart(relative: &Path) -> bool {
    let defines = relative.extension().is_some_and(|e| e == "yaml")
        && relative.parent().is_some_and(|folder| folder.ends_with(DEFINITIONS));
    defines || CHART.iter().any(|end| relative.ends_with(end))
}

/// A name on the way that begins with a dot, other than tf-phi's own folder at the root and Terraform's list of modules.
fn hidden(relative: &Path) -> Option<String> {
    let names: Vec<&str> = relative.iter().filter_map(|name| name.to_str()).collect();
    let list = matches!(names.as_slice(), [.., "modules", file] if LISTS.contains(file));
    let is_git = |name: &str| name.to_lowercase().starts_with(".git");
    if names.first() == Some(&PHI_DIR) {
        return None;
    }
    let other = |name: &&&str| name.starts_with('.') && (!list || is_git(name));
    names.iter().find(other).map(|name| (*name).to_owned())
}

/// Terraform's list of installed modules, and the one that is kept beside it.
const LISTS: &[&str] = &["modules.json", "tf-phi.json"];

/// Returns true if a path is tf-phi's own or Terraform's list of modules: there no link is followed, wherever it leads.
pub(crate) fn is_own(relative: &Path) -> bool {
    let is_list = relative.file_name().and_then(|n| n.to_str()).is_some_and(|name| LISTS.contains(&name));
    is_list || relative.starts_with(PHI_DIR)
}

/// So much of a path is shown.
const MOST_SHOWN: usize = 200;

/// The beginning of a path that nobody would read to its end.
pub(crate) fn shorten(path: &str) -> String {
    match path.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", path.get(..end).unwrap_or_default()),
        None => path.to_owned(),
    }
}

/// A path that is refused.
pub(crate) fn refused(relative: &Path, what: &str, why: impl Into<String>) -> Issue {
    let shown = shorten(&relative.display().to_string());
    Issue::error(Code::Unsupported, format!("{shown} {what}"), why).in_path(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where a file system takes them for one, a folder of another program's is one in any capitals, and so is tf-phi's own, which nobody
    /// writes so.
    #[test]
    fn folders_of_other_programs_are_refused_in_any_capitals() {
        for path in [
            ".GIT/hooks/x.tf",
            "a/.Git/x.tf",
            ".Terraform/x.tf",
            ".PHI/x.tf",
            ".TERRAFORM/modules/modules.json",
        ] {
            assert_eq!(
                check_path(Path::new(path)).is_err(),
                path != ".TERRAFORM/modules/modules.json",
                "{path}"
            );
        }
        assert!(check_path(Path::new(".phi/modules/a/main.tf")).is_ok());
    }
}
