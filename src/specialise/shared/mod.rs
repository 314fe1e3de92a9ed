//! Files that the copies of a module share although some values in them differ.
//!
//! In: the texts of residuals, and the file that each was made from. Out: where the texts of one file differ in values alone, one
//! text for all, which has no such value, and beside it in each copy an override file with its own; whoever makes links finds one text
//! then. Invariants: Terraform merges both to what the copy was; without its override file a copy is an error and never another one's;
//! what is shared follows from the texts and from what Git ignores, never from what was there before. Absent on purpose: links.

mod values;

use super::links;
use crate::config::{Config, Module};
use crate::specialise::record::request::Request;
use crate::specialise::written::bare::{Bare, Syntax};
use crate::specialise::written::laid;
use crate::syntax::trivia::line_ending;
use crate::text::{Edit, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use values::{File, Slot};

/// The name of the override file: one that Terraform takes for such.
pub const NAME: &str = "phi_override.tf";

/// The local that stands for a value. None of the name is declared, so that what isn't overridden is an error.
const UNSET: &str = "set_in_phi_override_tf";

/// The folder that stands for the source of a call, where Terraform takes no reference. There is none.
const NOWHERE: &str = "./set-in-phi_override.tf";

/// An override file has at most this part of the lines of the file that it is for; one that is shorter is read faster whole.
const PART: usize = 6;

/// The copies of one file that have one text but for some values, the first by name first.
#[derive(Default)]
struct Group<'t> {
    copies: Vec<(PathBuf, File<'t>)>,
    slots: BTreeSet<Slot>,
}

/// Makes one text of those that differ in values alone, and adds the override files. Returns the lines that would be spared if
/// Git didn't ignore these.
pub(super) fn share(
    request: &Request<'_>,
    origins: &mut BTreeMap<PathBuf, PathBuf>,
    files: &mut BTreeMap<PathBuf, String>,
) -> usize {
    let config = request.config;
    let originals = links::originals(config);
    let sharable = sharable(config);
    let mut by_origin: BTreeMap<&Path, Vec<(&PathBuf, &str)>> = BTreeMap::new();
    for (copy, origin) in origins.iter().filter(|(_, origin)| sharable.contains(origin.as_path())) {
        if let Some(text) =
            files.get(copy).filter(|text| originals.get(origin.as_path()) != Some(&text.as_str()))
        {
            by_origin.entry(origin).or_default().push((copy, text));
        }
    }
    let mut sections: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut repeated = 0;
    for (origin, copies) in &by_origin {
        for group in Group::of(copies) {
            let Some((shared, own)) = group.written(origin) else { continue };
            let is_ignored = |copy: &Path| (request.is_ignored)(&copy.with_file_name(NAME));
            if group.copies.iter().any(|(copy, _)| is_ignored(copy)) {
                repeated += group.spared(&own);
                continue;
            }
            for ((copy, _), section) in group.copies.iter().zip(own) {
                texts.insert(copy.clone(), shared.clone());
                sections.entry(copy.with_file_name(NAME)).or_default().push(section);
            }
        }
    }
    for (path, sections) in sections {
        let Some(origin) = path.parent().and_then(|dir| origin_of(origins, dir)) else { continue };
        let ending = sections.first().map_or("\n", |text| line_ending(text));
        files.insert(path.clone(), sections.join(ending));
        origins.insert(path, origin);
    }
    files.extend(texts);
    repeated
}

/// Returns the path beside the original that the override file of a copy would have.
fn origin_of(origins: &BTreeMap<PathBuf, PathBuf>, copy: &Path) -> Option<PathBuf> {
    let (_, origin) = origins.iter().find(|(path, _)| path.parent() == Some(copy))?;
    Some(origin.with_file_name(NAME))
}

/// The files of modules whose copies may have an override file: those of modules that have none of their own, which would have to be
/// merged before or after it, and nothing of the names that are used here.
fn sharable(config: &Config) -> BTreeSet<&Path> {
    let path = |module: &Module| {
        let sources = module.files.iter().filter(|f| !f.json).map(|f| f.source);
        sources.filter_map(|source| Some(config.sources.get(source)?.path.as_path())).collect::<Vec<_>>()
    };
    let is_taken = |path: &Path| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    let free = config.modules.iter().filter(|module| {
        let plain = module.files.iter().all(|f| !f.is_override);
        plain && !module.locals.contains_key(UNSET) && !path(module).into_iter().any(is_taken)
    });
    free.flat_map(path).collect()
}

impl<'t> Group<'t> {
    /// The copies of one file by what they have in common, where some of their values differ.
    fn of(copies: &[(&PathBuf, &'t str)]) -> Vec<Group<'t>> {
        let is_one = copies.first().is_none_or(|(_, first)| copies.iter().all(|(_, text)| text == first));
        if is_one {
            return Vec::new();
        }
        let mut groups: BTreeMap<String, Group<'t>> = BTreeMap::new();
        for (path, text) in copies {
            let Some(file) = File::of(text) else { continue };
            let Some(form) = file.form() else { continue };
            let group = groups.entry(form).or_default();
            let others = group.copies.first().map(|(_, first)| first.differing(&file).collect::<Vec<_>>());
            group.slots.extend(others.into_iter().flatten());
            group.copies.push(((*path).clone(), file));
        }
        groups.into_values().filter(|group| !group.slots.is_empty()).collect()
    }

    /// The text for all, and what each copy has of its own; `None` where that is too much for it to be worth it.
    fn written(&self, origin: &Path) -> Option<(String, Vec<String>)> {
        let name = origin.file_name()?.to_string_lossy();
        let own: Vec<String> =
            self.copies.iter().map(|(_, file)| section(&name, file, &self.slots)).collect::<Option<_>>()?;
        let is_short =
            |((_, file), text): (&(PathBuf, File<'_>), &String)| PART * lines(text) <= lines(file.text());
        if !self.copies.iter().zip(&own).all(is_short) {
            return None;
        }
        let (_, first) = self.copies.first()?;
        Some((shared(origin, first, &self.slots)?, own))
    }

    /// The lines that the copies would be shorter by.
    fn spared(&self, own: &[String]) -> usize {
        let whole: BTreeSet<&str> = self.copies.iter().map(|(_, file)| file.text()).collect();
        let lines: usize = whole.iter().skip(1).map(|text| text.lines().count()).sum();
        lines.saturating_sub(own.iter().map(|text| text.lines().count()).sum())
    }
}

/// The number of lines that mean something: a comment that somebody types is no reason for another form.
fn lines(text: &str) -> usize {
    Bare::of(text, Syntax::Native).text.lines().count()
}

/// A file without the values that differ; laid out as it was.
fn shared(origin: &Path, first: &File<'_>, slots: &BTreeSet<Slot>) -> Option<String> {
    let text = first.text();
    let ending = line_ending(text);
    let mut blocks: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for slot in slots {
        blocks.entry(slot.0).or_default().push(&first.argument(*slot)?.0.name.text);
    }
    let mut comments = Vec::new();
    for (at, names) in blocks {
        let start = first.block(at)?.span.start;
        let text = format!("# phi: {} {NAME} of each copy{ending}", open(&names));
        comments.push(Edit { span: Span { start, end: start }, text });
    }
    let unset = |(block, at): Slot| {
        let (argument, _) = first.argument((block, at))?;
        let is_source = &*first.block(block)?.kind.text == "module" && &*argument.name.text == "source";
        let value = if is_source { format!("\"{NOWHERE}\"") } else { format!("local.{UNSET}") };
        let name = text.get(argument.span.start as usize..argument.expr.span.start as usize)?;
        Some(format!("{name}{value}"))
    };
    let made = first.with(slots, &unset, comments)?;
    let laid = laid::like(origin, text, made);
    File::of(&laid)
        .is_some_and(|file| slots.iter().all(|slot| file.argument(*slot).is_some()))
        .then_some(laid)
}

/// The beginning of the comment above a block: its arguments that differ.
fn open(names: &[&str]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} set in the", names.join(", "))
}

/// The override file's part for one file.
fn section(name: &str, file: &File<'_>, slots: &BTreeSet<Slot>) -> Option<String> {
    let ending = line_ending(file.text());
    let mut out = format!("# phi: what this copy has of its own in {name}, which copies share{ending}");
    let mut last = None;
    for slot in slots {
        let block = file.block(slot.0)?;
        if last != Some(slot.0) {
            if last.is_some() {
                out.push_str(&format!("}}{ending}{ending}"));
            }
            let labels: String = block.labels.iter().map(|label| format!(" \"{}\"", label.text)).collect();
            out.push_str(&format!("{}{labels} {{{ending}", block.kind.text));
            last = Some(slot.0);
        }
        let (argument, text) = file.argument(*slot)?;
        let name = &*argument.name.text;
        let value = text.strip_prefix(name)?.trim_start().strip_prefix('=')?.trim();
        out.push_str(&format!("  {name} = {value}{ending}"));
    }
    out.push_str(&format!("}}{ending}"));
    Some(laid::laid(&out))
}

#[cfg(test)]
mod tests;
