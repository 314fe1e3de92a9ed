//! Records: `.phi/provenance.json`, what was decided and what was replaced.

pub mod committed;
pub mod contradicted;
pub mod edited_line;
mod given_back;
pub mod history;
pub mod keys;
pub mod lines;
pub mod local;
pub mod merged;
pub(super) mod occurrences;
pub(super) mod passages;
pub(super) mod readings;
pub(super) mod request;
pub mod restore;
mod standing;
pub mod typed;

use crate::specialise::record::keys::Keys;
use crate::specialise::written::bare::{self, Bare, Kind, Syntax};
use crate::text::to_stored;
use crate::trace::accepts::Accepts;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file, relative to the working directory.
pub const FILE: &str = ".phi/provenance.json";

/// The version of the file's format that is written, the latest that is known. In 1.0 and 1.1 the replacements stood in `files`.
pub const FORMAT: &str = "1.2";

/// The reason why a record can't be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A later version wrote it. It may hold what this one would lose.
    Newer(String),
    /// It is no record; the text ends a sentence.
    Broken(String),
}

/// The whole file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Record {
    /// [`FORMAT`], or an earlier one that says the same.
    pub format_version: String,
    /// The naming scheme.
    pub naming: u32,
    /// An entry per specialization and driven field.
    pub specializations: Vec<Specialization>,
    /// Former addresses of units, for the move chains.
    pub units: Vec<UnitRecord>,
    /// Resources that a form factor's services replaced.
    pub services: Vec<ServiceRecord>,
    /// Resources below copies of modules by their addresses in the original, without the keys of modules: with `[0]` where they have `count`,
    /// and without a key where they have neither `count` nor `for_each`. Terraform moves these by itself, if their module stays.
    pub within: BTreeSet<String>,
    /// The expressions that the run's Terraform evaluates by itself, if that mattered and goes beyond what all
    /// accept.
    pub accepts: Option<Accepts>,
    /// The files that were written.
    pub files: Vec<FileRecord>,
    /// True if its text has the lines of both sides of a merge.
    pub is_merged: bool,
    /// True if some of it stands in the record of this machine alone, and has to be written.
    pub is_local: bool,
}

/// A resource that a service replaced.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ServiceRecord {
    /// The form factor.
    pub form_factor: String,
    /// The service.
    pub service: String,
    /// The resource's address, without keys.
    pub resource: String,
    /// The address of the call that stands for it, before that was split; nothing where it only goes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub module: Option<String>,
}

/// The line of what is below a copy, in a record and in a history.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WithinLine {
    within: String,
}

/// A specialization, as the article describes it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Specialization {
    /// The call's name; of a resource that was split, absent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub module: Option<String>,
    /// The resource's type and name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resource: Option<String>,
    /// Address of the specialization, without instance key.
    pub address: String,
    /// The driven field.
    pub source_field: String,
    /// Its value here.
    pub branch_value: serde_json::Value,
    /// The condition, in the article's form; null where there is no gate.
    pub gate: Option<String>,
    /// The gate as it is written.
    pub gate_text: Option<String>,
    /// The module in which the gate is written.
    pub scope: String,
    /// The hops from the field to the value.
    pub trace_path: Vec<String>,
    /// The place of the field's definition.
    pub source_span: String,
    /// The version that decided.
    pub compiler_version: String,
    /// The naming scheme.
    pub naming: u32,
}

/// A unit's addresses over time.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct UnitRecord {
    /// The address before anything was split.
    pub original: String,
    /// The addresses of the copies now, in the order of the branches; none where the unit is not split any more.
    pub addresses: Vec<String>,
    /// Every address of a copy that was ever written and isn't any more.
    pub former_addresses: Vec<String>,
    /// True if the unit had a `count` or `for_each` of its own.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub repeated: bool,
    /// Former addresses from when it had a `count` or `for_each` and now has none, or the other way round.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rekeyed_addresses: Vec<String>,
}

impl UnitRecord {
    /// The meaning of the keys of its copies now.
    pub fn keys(&self) -> Keys {
        if self.repeated { Keys::Own } else { Keys::Gate }
    }

    /// Every address in it.
    pub fn all_addresses(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.original).chain(self.forms().map(|(address, _)| address))
    }

    /// Every address of a copy, each with the meaning of its keys.
    pub fn forms(&self) -> impl Iterator<Item = (&str, Keys)> {
        let other = if self.repeated { Keys::Gate } else { Keys::Own };
        let same = self.addresses.iter().chain(&self.former_addresses).map(|a| (a.as_str(), self.keys()));
        same.chain(self.rekeyed_addresses.iter().map(move |a| (a.as_str(), other)))
    }

    /// Adds former addresses, each once. A unit of which nothing else is known has the form of the first one.
    pub fn add_former<'a>(&mut self, former: impl IntoIterator<Item = (&'a str, Keys)>) {
        let mut known: BTreeSet<(String, Keys)> =
            self.forms().map(|(a, keys)| (a.to_owned(), keys)).collect();
        for (address, keys) in former {
            if known.is_empty() {
                self.repeated = keys == Keys::Own;
            }
            if known.insert((address.to_owned(), keys)) {
                let same = keys == self.keys();
                let all = if same { &mut self.former_addresses } else { &mut self.rekeyed_addresses };
                all.push(address.to_owned());
            }
        }
    }
}

/// The changes to one file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FileRecord {
    /// Relative to the working directory, with `/`.
    pub path: String,
    /// True if it wasn't there before.
    pub created: bool,
    /// SHA-256 of what was written, with `\n` for `\r\n` where every line ends so. All texts here are of this form. Empty where the
    /// text of a file that was edited isn't on record as a whole.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub sha256: String,
    /// The same of what was written without its comments, blank lines and layout (by older versions: without its layout); of files
    /// that were created, by versions that know of it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shape: Option<String>,
    /// For a created file, the comments that were written: a short hash of each.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub comments: Option<String>,
    /// The destination, if the file is a symbolic link to one with the same text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub link: Option<String>,
    /// The replacements in order; none for a created file.
    #[serde(skip_serializing, default)]
    pub replaced: Vec<Replaced>,
    /// True if some piece can be told only by its place: then places and hash are on record.
    #[serde(skip)]
    pub is_by_place: bool,
    /// What the other side of a merge says of the file.
    #[serde(skip)]
    pub others: Vec<FileRecord>,
}

/// A replacement.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Replaced {
    /// Byte offset in what was written; 0 where the piece is told by its text.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub at: usize,
    /// The text that was written.
    pub written: String,
    /// The text that was replaced.
    pub original: String,
}

fn is_zero(at: &usize) -> bool {
    *at == 0
}

impl Specialization {
    /// Returns true if both say the same but for the line in which the field is defined.
    fn says_the_same(&self, other: &Specialization) -> bool {
        Specialization { source_span: other.source_span.clone(), ..self.clone() } == *other
    }

    /// Returns what distinguishes it from nearly all others.
    fn place(&self) -> (&str, &str, &str) {
        (&self.address, &self.source_field, &self.scope)
    }
}

impl Replaced {
    /// Takes the carriage returns out of a piece of a text that is stored without them.
    fn store(&mut self, text: &str) {
        let before = text.get(..self.at).unwrap_or_default();
        self.at -= before.matches('\r').count();
        self.written = self.written.replace("\r\n", "\n");
        self.original = self.original.replace("\r\n", "\n");
    }
}

impl FileRecord {
    /// Builds the record of a file that was created.
    pub fn created(path: &Path, text: &str) -> FileRecord {
        FileRecord { path: slashed(path), created: true, sha256: hash_stored(text), ..FileRecord::default() }
    }

    /// The same of a file that users may lay out anew and comment. What is on record of it from before stays as it was recorded.
    pub fn residual(path: &Path, text: &str, older: Option<&Record>) -> FileRecord {
        let text = &*to_stored(text);
        let plain = FileRecord::created(path, text);
        let known = older.and_then(|o| o.file(path)).filter(|f| f.created && f.sha256 == plain.sha256);
        if let Some(known) = known {
            return FileRecord { link: None, others: Vec::new(), ..known.clone() };
        }
        let Some(syntax) = Syntax::of(path) else { return plain };
        let all = bare::elements(text, syntax);
        let comments = all.iter().filter(|e| e.kind == Kind::Comment).map(|e| short_hash(e.of(text)));
        let comments = Some(comments.collect());
        FileRecord { shape: Some(hash(&Bare::of(text, syntax).text)), comments, ..plain }
    }

    /// The entry as it is on record, where pieces are told by their texts.
    fn without_places(&self) -> FileRecord {
        let is_whole = self.created || self.is_by_place;
        let sha256 = if is_whole { self.sha256.clone() } else { String::new() };
        FileRecord { sha256, others: Vec::new(), ..self.clone() }
    }

    /// What two records of a file have to have in common to say the same.
    fn told(&self) -> FileRecord {
        let mut told = self.without_places();
        if !self.created && !self.is_by_place {
            told.replaced.iter_mut().for_each(|piece| piece.at = 0);
        }
        told
    }

    /// Returns true if the text of a created file is what was written but for comments, blank lines and layout.
    pub fn is_shaped(&self, now: &str) -> bool {
        let now = &*to_stored(now);
        let Some(shape) = &self.shape else { return false };
        let bare = Syntax::of(&unslashed(&self.path)).map(|syntax| hash(&Bare::of(now, syntax).text));
        bare.as_ref() == Some(shape) || hash(&bare::form(now)) == *shape
    }

    /// The short hashes of the comments that were written, where they are on record.
    pub fn recorded_comments(&self) -> Option<Vec<String>> {
        let all = self.comments.as_deref()?.as_bytes();
        Some(all.chunks(SHORT_HASH).map(|part| String::from_utf8_lossy(part).into_owned()).collect())
    }
}

impl Record {
    /// A record of nothing.
    pub fn empty() -> Record {
        let format_version = FORMAT.to_owned();
        Record { format_version, naming: super::naming::SCHEME, ..Record::default() }
    }

    /// Adds what another record says of decisions: specializations, units, services and what is below copies, each once.
    pub fn add_decisions(&mut self, other: Record) {
        for one in other.specializations {
            if !self.specializations.iter().any(|known| known.says_the_same(&one)) {
                self.specializations.push(one);
            }
        }
        for unit in other.units {
            let same =
                |known: &&mut UnitRecord| known.original == unit.original && known.repeated == unit.repeated;
            match self.units.iter_mut().find(same) {
                Some(known) => known.add_former(unit.forms()),
                None => self.units.push(unit),
            }
        }
        for service in other.services {
            if !self.services.contains(&service) {
                self.services.push(service);
            }
        }
        self.within.extend(other.within);
    }

    /// Notes which of its files are links, by path, and what each says.
    pub fn note_links(&mut self, links: &BTreeMap<PathBuf, String>) {
        for (path, to) in links {
            let path = slashed(path);
            if let Some(file) = self.files.iter_mut().find(|f| f.created && f.path == path) {
                file.link = Some(to.clone());
            }
        }
    }

    /// The files that are links, and what each says.
    pub fn links(&self) -> BTreeMap<PathBuf, String> {
        let links = self.files.iter().filter(|f| f.created);
        links.filter_map(|f| Some((unslashed(&f.path), f.link.clone()?))).collect()
    }

    /// The same with its entries in the order in which they are written. Pieces stay in the order of their file.
    fn sorted(&self) -> Record {
        let mut record = self.clone();
        record.specializations.sort_by_cached_key(|s| {
            (s.address.clone(), s.source_field.clone(), s.scope.clone(), s.branch_value.to_string())
        });
        record.units.sort_by_cached_key(|u| (u.original.clone(), u.repeated));
        record.services.sort_by_cached_key(|s| (s.resource.clone(), s.module.clone(), s.service.clone()));
        record.files.sort_by_cached_key(|f| f.path.clone());
        record
    }

    /// The files that weren't there before.
    pub fn created_paths(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().filter(|file| file.created).map(|file| unslashed(&file.path))
    }

    /// The record of a file.
    pub fn file(&self, path: &Path) -> Option<&FileRecord> {
        let path = slashed(path);
        self.files.iter().find(|f| f.path == path)
    }

    /// Returns true if two records say the same but for the lines in which fields are defined, and for what earlier formats say besides.
    pub fn is_alike(&self, other: &Record) -> bool {
        let told = |record: &Record| {
            let mut told = Record {
                format_version: String::new(),
                is_merged: false,
                is_local: false,
                ..record.sorted()
            };
            told.specializations.iter_mut().for_each(|s| s.source_span.clear());
            told.files = told.files.iter().map(FileRecord::told).collect();
            told
        };
        told(self) == told(other)
    }

    /// Returns true if both have the same units, with the same copies.
    pub fn has_units_of(&self, other: &Record) -> bool {
        self.sorted().units == other.sorted().units
    }

    /// The version that decided, by address; of several decisions the first one's.
    pub fn versions(&self) -> BTreeMap<&str, &str> {
        let all = self.specializations.iter().rev();
        all.map(|s| (s.address.as_str(), s.compiler_version.as_str())).collect()
    }

    /// Takes over the version and the naming scheme from an older record wherever the decision and the name are the same.
    pub fn keep_versions(&mut self, older: &Record) {
        let mut alike: BTreeMap<(&str, &str, &str), Vec<&Specialization>> = BTreeMap::new();
        for old in &older.specializations {
            alike.entry(old.place()).or_default().push(old);
        }
        for own in &mut self.specializations {
            let same = alike.get(&own.place()).into_iter().flatten().find(|o| {
                let compiler_version = own.compiler_version.clone();
                let source_span = own.source_span.clone();
                Specialization { compiler_version, naming: own.naming, source_span, ..(**o).clone() } == *own
            });
            if let Some((version, naming)) = same.map(|s| (s.compiler_version.clone(), s.naming)) {
                own.compiler_version = version;
                own.naming = naming;
            }
        }
        // Names that a scheme before gave as well are no reason to write the file anew.
        self.naming = self.specializations.iter().map(|s| s.naming).max().unwrap_or(self.naming);
    }
}

/// A path as records have it.
pub fn slashed(path: &Path) -> String {
    path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// The path of a record.
pub fn unslashed(path: &str) -> PathBuf {
    path.split('/').collect()
}

/// The length of a comment's hash.
const SHORT_HASH: usize = 8;

/// The beginning of a hash: enough to tell the comments of one file apart.
pub fn short_hash(text: &str) -> String {
    hash(text).chars().take(SHORT_HASH).collect()
}

/// SHA-256 in hex of a text as Git stores it.
fn hash_stored(text: &str) -> String {
    hash(&to_stored(text))
}

/// SHA-256 in hex.
pub fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect()
}
