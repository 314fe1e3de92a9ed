//! Files of tf-phi that have to be committed, and that Git leaves out.
//!
//! In: a working directory. Out: an issue for each list that excludes one, with the lines that take them in again. Invariants: Git is asked only where such a file is there and
//! isn't in the index; lines that are advised stand behind all others of their list, and help as they are printed. Absent on purpose: writing a tree in another way for what one machine excludes.

use super::rooted_host::RootedHost;
use crate::config::paths;
use crate::config::writable::PHI_DIR;
use crate::host::{Host as _, Machine};
use crate::issue::{Code, Issue};
use crate::specialise::record::{self, history, local};
use crate::specialise::{OVERRIDE, Record, moves};
use crate::terraform::git::{Excluded, Git, Line};
use crate::text::list_first;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// So many files are named in one sentence.
const MOST_NAMED: usize = 5;

/// So many files of one kind in a folder are taken in by a line each.
const MOST_LINES: usize = 3;

/// Files that stand beside sources and have the same name everywhere.
const NAMES: [&str; 2] = [moves::FILE, OVERRIDE];

/// Returns an issue for each list that excludes what stands in a working directory and has to be committed; a warning where Git can't be asked.
pub fn find_issues(host: &RootedHost) -> Vec<Issue> {
    let is_open = |path: &PathBuf| !host.is_tracked(&paths::join(&host.root, path));
    let open: Vec<PathBuf> = list_standing(host).into_iter().filter(is_open).collect();
    if open.is_empty() || !host.is_in_work_tree() {
        return Vec::new();
    }
    match Git::find(&Machine).and_then(|git| find_among(&git, host, &open)) {
        Ok(found) => build_issues(host, &found),
        Err(fault) => vec![build_unasked(fault)],
    }
}

fn build_unasked(fault: Issue) -> Issue {
    let why = format!("Git can't be asked: {}. {}", fault.summary, fault.why);
    let summary = "whether Git ignores what has to be committed isn't known";
    Issue { fixes: fault.fixes, ..Issue::warning(Code::Ignored, summary, why) }
}

/// Finds what Git excludes of what stands there and of files that are still to come.
///
/// # Errors
/// A repository that can't be asked.
pub fn find_with(git: &Git, host: &RootedHost, to_come: &[PathBuf]) -> Result<Vec<Excluded>, Issue> {
    let mut found = find_among(git, host, &list_standing(host))?;
    let own = host.root.join(PHI_DIR);
    let has_list = host.kind(Path::new(local::IGNORE)).is_some();
    // The list that is written into the folder takes records in, unless the folder itself is excluded.
    let is_lost = |one: &Excluded| has_list || one.file.parent() != Some(&*own) || one.folders.contains(&own);
    let missing: Vec<PathBuf> = to_come.iter().filter(|path| host.kind(path).is_none()).cloned().collect();
    found.extend(find_among(git, host, &missing)?.into_iter().filter(is_lost));
    Ok(found)
}

fn find_among(git: &Git, host: &RootedHost, files: &[PathBuf]) -> Result<Vec<Excluded>, Issue> {
    let files: Vec<PathBuf> = files.iter().map(|file| paths::join(&host.root, file)).collect();
    git.find_excluded(&files)
}

/// Returns the files that stand there and have to be committed with the sources: the records, what leads home, and every file that was created.
fn list_standing(host: &RootedHost) -> Vec<PathBuf> {
    let record = host.own(Path::new(record::FILE)).ok().flatten();
    let record = record.and_then(|bytes| Record::parse(&String::from_utf8_lossy(&bytes)).ok());
    let named = [record::FILE, history::FILE, history::ATTRIBUTES.0, moves::FILE].map(PathBuf::from);
    let created = record.iter().flat_map(Record::created_paths);
    let all: BTreeSet<PathBuf> = named.into_iter().chain(created).collect();
    all.into_iter().filter(|path| host.kind(path).is_some()).collect()
}

/// Returns an issue for each list that excludes something.
pub fn build_issues(host: &RootedHost, excluded: &[Excluded]) -> Vec<Issue> {
    let mut by_list: BTreeMap<(PathBuf, bool), Vec<&Excluded>> = BTreeMap::new();
    for one in excluded {
        let list = one.by.as_ref().map(|line| line.list.clone());
        let is_of_tree = list.is_some();
        let list = list.unwrap_or_else(|| one.top.join(".gitignore"));
        by_list.entry((list, is_of_tree)).or_default().push(one);
    }
    by_list.into_iter().map(|((list, is_of_tree), all)| build_issue(host, &list, is_of_tree, &all)).collect()
}

fn build_issue(host: &RootedHost, list: &Path, is_of_tree: bool, all: &[&Excluded]) -> Issue {
    let shown = show_from_root(host, list);
    let mut by_line: BTreeMap<Option<&Line>, Vec<String>> = BTreeMap::new();
    for one in all {
        by_line.entry(one.by.as_ref()).or_default().push(show_from_root(host, &one.file));
    }
    let said = by_line.iter().map(|(line, files)| match line {
        Some(line) => format!("{shown}:{}: `{}` excludes {}.", line.number, line.pattern, list_first(files, MOST_NAMED)),
        None => format!(
            "A list of this machine alone (`.git/info/exclude`, or the file that `git config core.excludesFile` names) excludes {}.",
            list_first(files, MOST_NAMED)
        ),
    });
    let mut why = said.collect::<Vec<_>>().join("\n");
    why.push_str(
        "\n`git add` leaves it out, so that clones don't have it: without the record tf-phi stops there, and without the other files Terraform does.",
    );
    let folder = list.parent().unwrap_or(Path::new("/"));
    let lines = list_lines(folder, all);
    let noun = if lines.len() == 1 { "this line" } else { "these lines" };
    let rank = if is_of_tree { "" } else { ", which counts more than a list of one machine" };
    let title = format!("Add {noun} at the end of {shown}{rank}, and commit what is taken in:");
    let paste = lines.join("\n");
    Issue::error(Code::Ignored, "Git ignores what has to be committed", why).in_path(shown).fix(title, paste)
}

fn show_from_root(host: &RootedHost, path: &Path) -> String {
    paths::relative_path(&host.root, path).display().to_string()
}

/// Returns the lines that take files in again, for the end of the list in a folder: first their folders, from outside, since Git looks into no folder that is excluded.
fn list_lines(folder: &Path, all: &[&Excluded]) -> Vec<String> {
    let below = |path: &Path| path.strip_prefix(folder).unwrap_or(path).to_path_buf();
    let folders: BTreeSet<PathBuf> =
        all.iter().flat_map(|one| &one.folders).map(|path| below(path)).collect();
    let mut alike: BTreeMap<(PathBuf, Option<&OsStr>), Vec<&Path>> = BTreeMap::new();
    for one in all {
        let kind = one.file.extension();
        let parent = one.file.parent().map(below).unwrap_or_default();
        alike.entry((parent, kind)).or_default().push(&one.file);
    }
    let mut lines: Vec<String> = folders
        .iter()
        .map(|folder| match folder.ends_with(PHI_DIR) {
            true => format!("!{PHI_DIR}/"),
            false => format!("!/{}/", escape_letters(folder)),
        })
        .collect();
    for ((parent, kind), files) in alike {
        let is_named =
            |file: &&&Path| file.file_name().is_some_and(|own| NAMES.iter().any(|name| own == *name));
        let (same, others): (Vec<&Path>, Vec<&Path>) = files.iter().partition(|file| is_named(file));
        lines.extend(same.iter().filter_map(|file| Some(format!("!{}", file.file_name()?.to_str()?))));
        match kind.filter(|_| others.len() > MOST_LINES) {
            Some(kind) => lines.push(format!("!/{}", escape_pattern(&parent, kind))),
            None => lines.extend(others.iter().map(|file| write_line(&below(file)))),
        }
    }
    let mut known = BTreeSet::new();
    lines.retain(|line| known.insert(line.clone()));
    lines
}

/// Writes the line that takes one file in again. Those in tf-phi's own folder are the same beside every root module.
fn write_line(file: &Path) -> String {
    match file.parent().is_some_and(|parent| parent.ends_with(PHI_DIR)) {
        true => format!(
            "!**/{PHI_DIR}/{}",
            file.file_name().map(|name| escape_letters(Path::new(name))).unwrap_or_default()
        ),
        false => format!("!/{}", escape_letters(file)),
    }
}

fn escape_pattern(parent: &Path, kind: &OsStr) -> String {
    let any = format!("*.{}", escape_letters(Path::new(kind)));
    match parent.as_os_str().is_empty() {
        true => any,
        false => format!("{}/{any}", escape_letters(parent)),
    }
}

/// Writes a path so that a pattern means it by the letter.
fn escape_letters(path: &Path) -> String {
    let mut out = String::new();
    for letter in path.display().to_string().chars() {
        if matches!(letter, '*' | '?' | '[' | '\\' | ' ') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
