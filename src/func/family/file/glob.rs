//! `fileset`: walking folders by a pattern.
//!
//! The pattern applies to the whole cleaned path, so that wildcards in the folder count too. `**` stands for any number
//! of folders, and as the last part for any path; links are followed.
//! Invariant: a malformed pattern is declined, since whether Terraform notices depends on which names it meets first.
//! Source of the semantics: bmatcuk/doublestar 1.1.5, which Terraform pins.

use super::super::path::{clean, join};
use super::look::{self, Found};
use crate::func::args::{MAX_ELEMENTS, check_elements};
use crate::func::go_compat::glob;
use crate::func::{Context, FuncError, Surroundings, Work};
use crate::value::{Type, Value};
use std::collections::BTreeSet;

/// The number of folders below one another that a walk enters: links may form circles.
const MAX_FOLDERS_DEEP: usize = 40;

/// The set of paths, relative to `path`, of the regular files that match.
///
/// # Errors
/// Declined: malformed patterns, folders that can't be read, links that lead nowhere, and too many files.
pub(super) fn fileset(context: &Context<'_>, path: &str, pattern: &str) -> Result<Value, FuncError> {
    if path.contains('\0') || pattern.contains('\0') {
        return Err(FuncError::unsupported("the path contains a null character"));
    }
    let path = if path.starts_with('/') { path.to_owned() } else { join(".", path) };
    let pattern = join(&path, pattern);
    let components = components(&pattern)?;
    let mut walk = Walk { outside: context.outside, work: context.work, found: BTreeSet::new(), steps: 0 };
    match components.split_first() {
        Some((&"", rest)) => walk.glob("/", rest, 0)?,
        _ => walk.glob(".", &components, 0)?,
    }
    let mut files = Vec::new();
    for found in &walk.found {
        look::count_look(context.work, found)?;
        if look::may_change(found) {
            return Err(FuncError::unseen(format!("{found:?} may change before Terraform looks for it")));
        }
        match look::at(context.outside, found)? {
            Found::File => files.push(Value::string(relative(&clean(&path), found)?)),
            Found::Dir => {}
            Found::Nothing | Found::Impossible => {
                return Err(FuncError::unseen(format!("{found:?} can't be looked at")));
            }
        }
    }
    check_elements(files.len())?;
    Ok(Value::set(Type::String, files))
}

/// The parts of a pattern between unescaped slashes.
fn components(pattern: &str) -> Result<Vec<&str>, FuncError> {
    if pattern.contains("\\/") || pattern.ends_with('/') && pattern != "/" {
        return Err(FuncError::unsupported("the pattern escapes a slash"));
    }
    Ok(pattern.split('/').collect())
}

/// The cost of a name in a folder that is listed, in expressions.
const NAME: u64 = 4;

struct Walk<'a> {
    outside: &'a dyn Surroundings,
    work: &'a Work,
    found: BTreeSet<String>,
    steps: usize,
}

impl Walk<'_> {
    fn glob(&mut self, folder: &str, components: &[&str], depth: usize) -> Result<(), FuncError> {
        self.steps += 1;
        if depth > MAX_FOLDERS_DEEP || self.steps > MAX_ELEMENTS || self.found.len() > MAX_ELEMENTS {
            return Err(FuncError::declined("there are too many folders to walk"));
        }
        let plain = components
            .iter()
            .position(|c| c.contains(['*', '?', '[', '{', '\\']))
            .unwrap_or(components.len());
        let (literal, rest) = components.split_at(plain);
        let folder = literal.iter().fold(folder.to_owned(), |at, name| join(&at, name));
        look::count_look(self.work, &folder)?;
        let kind = look::at(self.outside, &folder)?;
        let Some((first, after)) = rest.split_first() else {
            if matches!(kind, Found::File | Found::Dir) {
                self.found.insert(folder);
            }
            return Ok(());
        };
        if kind != Found::Dir {
            return Ok(());
        }
        let here = |path: &str| clean(&self.outside.absolute(path));
        if here(&folder) == here(".") && look::meets_own(first)? {
            return Err(FuncError::declined("the pattern matches what is written during a run"));
        }
        let names = self.outside.list(&folder).map_err(FuncError::unseen)?;
        self.work.call(NAME.saturating_mul(names.len() as u64)).map_err(|e| FuncError::from(&e))?;
        if *first == "**" {
            self.descend(&folder, &names, rest, depth)?;
            if let Some((second, after)) = after.split_first() {
                self.matching(&folder, &names, (second, after), depth)?;
            }
            return Ok(());
        }
        self.matching(&folder, &names, (first, after), depth)
    }

    /// `**`: the same components again in every folder below.
    fn descend(
        &mut self,
        folder: &str,
        names: &[String],
        rest: &[&str],
        depth: usize,
    ) -> Result<(), FuncError> {
        let last = rest.len() == 1;
        for name in names {
            let path = join(folder, name);
            look::count_look(self.work, &path)?;
            let is_folder = look::at(self.outside, &path)? == Found::Dir;
            if last {
                self.found.insert(path.clone());
            }
            if is_folder {
                self.glob(&path, rest, depth + 1)?;
            }
        }
        Ok(())
    }

    fn matching(
        &mut self,
        folder: &str,
        names: &[String],
        (first, after): (&str, &[&str]),
        depth: usize,
    ) -> Result<(), FuncError> {
        for name in names {
            if !glob::matches(first, name)? {
                continue;
            }
            let path = join(folder, name);
            if after.is_empty() {
                self.found.insert(path);
            } else {
                self.glob(&path, after, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// A found path relative to the folder (Go `filepath.Rel`, both cleaned and both relative or both absolute).
fn relative(folder: &str, found: &str) -> Result<String, FuncError> {
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|p| !matches!(*p, "" | ".")).map(str::to_owned).collect()
    };
    let (folder, found) = (parts(folder), parts(found));
    let common = folder.iter().zip(&found).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(common);
    if up.clone().any(|p| p == "..") {
        return Err(FuncError::unsupported("the path can't be made relative"));
    }
    let steps: Vec<&str> = up.map(|_| "..").chain(found.iter().skip(common).map(String::as_str)).collect();
    Ok(if steps.is_empty() { ".".to_owned() } else { steps.join("/") })
}
