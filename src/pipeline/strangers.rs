//! Files that somebody else put where tf-phi writes.
//!
//! In: the files that tf-phi creates, on record or in a plan. Out: an issue for each other file in their folders that Terraform, OpenTofu or
//! Helm would read. The names of copies can be told ahead, so that a file may wait there for its copy: it would run with it, in that copy
//! alone, and no reader of the sources sees it. Invariant: what isn't created stays where it is. Absent: what stands in created files.

use crate::config::is_configuration_name;
use crate::host::{EntryKind, Host};
use crate::issue::{Code, Issue};
use crate::specialise::record;
use crate::text::shell_path;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that makes a folder the chart of a service. Helm reads whatever lies below.
const CHART: &str = "Chart.yaml";

/// The issues of files in the folders of created ones.
pub fn find_strangers(host: &dyn Host, created: &BTreeSet<PathBuf>) -> Vec<Issue> {
    let mut listed = BTreeMap::new();
    let folders: BTreeSet<&Path> =
        created.iter().filter_map(|p| p.parent()).filter(|dir| !dir.as_os_str().is_empty()).collect();
    let mut issues = Vec::new();
    for folder in folders {
        if created.contains(&folder.join(CHART)) {
            let mut found = BTreeSet::new();
            add_files(host, folder, &mut found);
            issues.extend(found.iter().filter(|path| !created.contains(*path)).map(|path| in_chart(path)));
            continue;
        }
        for (name, _) in host.list(folder).unwrap_or_default() {
            let path = folder.join(&name);
            if is_configuration_name(&name) && !created.contains(&path) {
                issues.push(in_copy(host, (folder, &path), &mut listed));
            }
        }
    }
    issues
}

/// The files below a folder. No link is followed.
fn add_files(host: &dyn Host, folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for (name, kind) in host.list(folder).unwrap_or_default() {
        let path = folder.join(&name);
        match kind {
            EntryKind::Dir => add_files(host, &path, found),
            _ => {
                found.insert(path);
            }
        }
    }
}

fn in_chart(path: &Path) -> Issue {
    let shown = record::slashed(path);
    let why =
        "tf-phi wrote the folder as the chart of a service. Helm would install what stands in this file.";
    let issue = Issue::error(Code::Edited, "a file was added to a chart that tf-phi wrote", why);
    let paste = format!("rm {}", shell_path(&shown));
    issue.in_path(shown).fix("Look at it, and take it away, then run again:", paste)
}

fn in_copy(
    host: &dyn Host,
    (folder, path): (&Path, &Path),
    listed: &mut BTreeMap<PathBuf, Vec<String>>,
) -> Issue {
    let shown = record::slashed(path);
    let why = "The folder is for one copy of a module, which tf-phi writes. What stands in this file is in no other copy, so that \
               Terraform would destroy it when another one becomes active.";
    let issue = Issue::error(Code::Edited, "a file was added to a folder that tf-phi writes", why);
    let module = find_module_folder(host, folder, listed);
    let own = Path::new(&module).join(path.file_name().unwrap_or_default());
    let there = record::slashed(&own);
    let (here, there) = (shell_path(&shown), shell_path(&there));
    let issue = issue.in_path(shown.clone());
    match host.kind(&own) {
        // Whatever is typed in one of both, the other one is the module's.
        Some(_) => issue
            .fix(
                "See what differs from the module's own file, and make the edit there:",
                format!("diff {there} {here}"),
            )
            .fix(
                "Then have this one written anew, without the edit:",
                format!("rm {here} && tf-phi check --fix"),
            ),
        None => issue.fix(
            "Look at it, and move it to the module's own folder, then run again:",
            format!("mv -n {here} {}/", shell_path(&module)),
        ),
    }
}

/// The folder beside a copy's whose name the copy's begins with. `listed` holds the names in folders above.
fn find_module_folder(host: &dyn Host, copy: &Path, listed: &mut BTreeMap<PathBuf, Vec<String>>) -> String {
    let above = copy.parent().unwrap_or(Path::new(""));
    let name = copy.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let list = || {
        let shown = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        let mut names: Vec<String> =
            host.list(shown).unwrap_or_default().into_iter().map(|(n, _)| n).collect();
        names.sort();
        names
    };
    let beside = listed.entry(above.to_path_buf()).or_insert_with(list);
    // The longest that it begins with comes last of those.
    let mut ends = name.match_indices('-').map(|(at, _)| at).collect::<Vec<_>>();
    ends.reverse();
    let module = ends
        .into_iter()
        .filter_map(|at| name.get(..at))
        .find(|module| beside.binary_search_by(|known| known.as_str().cmp(module)).is_ok());
    module.map_or_else(|| "MODULE_FOLDER".to_owned(), |name| record::slashed(&above.join(name)))
}
