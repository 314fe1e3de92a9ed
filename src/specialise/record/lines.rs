//! The text of `.phi/provenance.json`: JSON with an entry a line, so that Git merges it by lines.
//!
//! In: a record, or the text of one. Out: the other. Invariants: entries are sorted, and one holds nothing that another one, or the
//! values of a run, decide (offsets, hashes of whole files), so that two branches which write different things change different
//! lines. What a merge makes, the lines of both sides with the marks of a conflict or without, is read as both. Texts of earlier
//! versions are read as well. Absent: what the lines of both sides mean for the files; that is [`super::merged`].

use super::{
    FORMAT, Fault, FileRecord, Record, Replaced, ServiceRecord, Specialization, UnitRecord, WithinLine,
};
use crate::addr::{is_declaration_address, is_instance_address};
use crate::config::writable::shorten;
use crate::trace::accepts::Accepts;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The text as JSON; earlier versions had the replacements in `files`.
#[derive(Deserialize)]
struct Document {
    format_version: String,
    naming: u32,
    #[serde(default)]
    accepts: Option<Accepts>,
    specializations: Vec<Specialization>,
    units: Vec<UnitRecord>,
    #[serde(default)]
    services: Vec<ServiceRecord>,
    #[serde(default)]
    within: Vec<WithinLine>,
    files: Vec<FileRecord>,
    #[serde(default)]
    replaced: Vec<Piece>,
}

/// A replacement, with its file.
#[derive(Serialize, Deserialize)]
struct Piece {
    path: String,
    #[serde(flatten)]
    piece: Replaced,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// Returns an error if the text is not a record, or one that a later version wrote.
    pub fn parse(text: &str) -> Result<Record, Fault> {
        let version = |text: &str| {
            let (major, minor) = text.split_once('.')?;
            Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?))
        };
        // The rest of a later format may have another shape, and would be called broken.
        for (format, naming) in heads(text) {
            let Some(format) = version(&format) else {
                return Err(Fault::Broken(format!("{format:?} is no version of a format")));
            };
            let known = (version(FORMAT), crate::specialise::naming::SCHEME);
            if Some(format) > known.0 || naming > known.1 {
                return Err(Fault::Newer(format!(
                    "It has format {}.{} and naming scheme {naming}. This version knows format {FORMAT} and naming scheme {}.",
                    format.0, format.1, known.1
                )));
            }
        }
        let record = read(text).map_err(Fault::Broken)?;
        let services = record.services.iter().flat_map(|s| s.module.iter().chain([&s.resource]));
        let units = record.units.iter().flat_map(UnitRecord::all_addresses);
        let mut addresses = units.chain(services.map(String::as_str));
        if let Some(strange) = addresses.find(|address| !is_declaration_address(address)) {
            return Err(Fault::Broken(no_address(strange)));
        }
        drop(addresses);
        if let Some(strange) = record.within.iter().find(|address| !is_instance_address(address)) {
            return Err(Fault::Broken(no_address(strange)));
        }
        Ok(record)
    }

    /// The record as text.
    pub fn to_text(&self) -> String {
        write(self)
    }
}

/// The sentence about what stands in the place of an address.
pub(super) fn no_address(text: &str) -> String {
    format!("{:?} is no address", shorten(text))
}

/// Returns true if a line is a mark of a merge that Git could not finish.
pub fn is_mark(line: &str) -> bool {
    ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark))
}

/// The lines of both sides of a merge that Git could not finish.
pub fn without_marks(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !is_mark(line)).collect()
}

/// Returns true if a text holds the marks of a merge that Git could not finish.
pub fn has_marks(text: &str) -> bool {
    let any = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    text.contains("<<<<<<<") && any("<<<<<<< ") && any(">>>>>>> ")
}

/// Writes a record.
fn write(record: &Record) -> String {
    let mut out = format!(
        "{{\n  \"format_version\": \"{}\",\n  \"naming\": {},\n",
        record.format_version, record.naming
    );
    if let Some(accepts) = &record.accepts {
        out.push_str(&format!("  \"accepts\": {},\n", entry(accepts)));
    }
    let record = record.sorted();
    let files = record.files.iter().map(FileRecord::without_places);
    let pieces = record.files.iter().flat_map(|file| {
        let at = |piece: &Replaced| if file.is_by_place { piece.at } else { 0 };
        let piece = move |own: &Replaced| Piece {
            path: file.path.clone(),
            piece: Replaced { at: at(own), ..own.clone() },
        };
        file.replaced.iter().map(piece)
    });
    let within = record.within.iter().map(|address| WithinLine { within: address.clone() });
    let mut sections = vec![
        ("specializations", record.specializations.iter().map(entry).collect::<Vec<_>>()),
        ("units", record.units.iter().map(entry).collect()),
        ("services", record.services.iter().map(entry).collect()),
        ("within", within.map(|line| entry(&line)).collect()),
        ("files", files.map(|file| entry(&file)).collect()),
        ("replaced", pieces.map(|piece| entry(&piece)).collect()),
    ];
    sections.retain(|(name, lines)| !matches!(*name, "services" | "within") || !lines.is_empty());
    let sections = sections.into_iter().map(|(name, lines)| {
        let lines: Vec<String> = lines.into_iter().map(|line| format!("    {line}")).collect();
        let end = if lines.is_empty() { "" } else { "\n" };
        format!("  \"{name}\": [\n{}{end}  ]", lines.join(",\n"))
    });
    out.push_str(&sections.collect::<Vec<_>>().join(",\n"));
    out.push_str("\n}\n");
    out
}

fn entry(of: &impl Serialize) -> String {
    serde_json::to_string(of).unwrap_or_default()
}

/// Reads the text of a record whose format is known.
///
/// # Errors
/// A sentence where it is none.
fn read(text: &str) -> Result<Record, String> {
    let (document, is_whole) = match serde_json::from_str::<Document>(text) {
        Ok(document) => (document, true),
        Err(error) => (both_sides(text).ok_or_else(|| error.to_string())?, false),
    };
    let mut record = of(document);
    record.is_merged |= !is_whole;
    Ok(record)
}

/// The list that an entry belongs to, by a member that entries of no other list have. Git may put the lines of two lists into each
/// other.
const LISTS: [(&str, &str); 6] = [
    ("source_field", "specializations"),
    ("addresses", "units"),
    ("form_factor", "services"),
    ("within", "within"),
    ("created", "files"),
    ("written", "replaced"),
];

/// Reads the lines of both sides of a merge; nothing where some line is no entry.
fn both_sides(text: &str) -> Option<Document> {
    let mut head = serde_json::Map::new();
    let mut lists: BTreeMap<&str, Vec<serde_json::Value>> = LISTS.map(|(_, list)| (list, Vec::new())).into();
    for line in text.lines().map(str::trim).filter(|line| !is_mark(line)) {
        let line = line.trim_end_matches(',');
        if matches!(line, "" | "{" | "}" | "]") || line.ends_with(": [") {
            continue;
        }
        if line.starts_with('{') {
            let own: serde_json::Value = serde_json::from_str(line).ok()?;
            let (_, list) = LISTS.iter().find(|(member, _)| own.get(member).is_some())?;
            lists.entry(list).or_default().push(own);
        } else {
            let member: serde_json::Map<_, _> = serde_json::from_str(&format!("{{{line}}}")).ok()?;
            head.extend(member);
        }
    }
    head.extend(lists.into_iter().map(|(name, all)| (name.to_owned(), all.into())));
    serde_json::from_value(head.into()).ok()
}

/// The versions of the format and the naming schemes that a text names; of a merge, both sides'.
fn heads(text: &str) -> Vec<(String, u32)> {
    #[derive(Deserialize)]
    struct Head {
        format_version: String,
        naming: u32,
    }
    if let Ok(head) = serde_json::from_str::<Head>(text) {
        return vec![(head.format_version, head.naming)];
    }
    let values = |name: &str| -> Vec<String> {
        let name = format!("\"{name}\": ");
        let own = text.lines().filter_map(|line| line.strip_prefix("  ")?.strip_prefix(&name));
        own.map(|value| value.trim_end_matches(',').trim_matches('"').to_owned()).collect()
    };
    let naming: Vec<u32> = values("naming").iter().filter_map(|value| value.parse().ok()).collect();
    let formats = values("format_version");
    formats.iter().flat_map(|format| naming.iter().map(move |naming| (format.clone(), *naming))).collect()
}

/// What a text says, each thing once.
fn of(document: Document) -> Record {
    let Document {
        format_version,
        naming,
        accepts,
        specializations,
        units,
        services,
        within,
        files,
        replaced,
    } = document;
    let lines = within.len();
    let within: BTreeSet<String> = within.into_iter().map(|line| line.within).collect();
    let is_by_lines = files.iter().all(|file| file.replaced.is_empty());
    let mut record = Record { format_version, naming, accepts, ..Record::default() };
    let count = (specializations.len(), units.len(), services.len(), files.len(), lines);
    record.add_decisions(Record { specializations, units, services, within, ..Record::default() });
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for mut file in files {
        file.is_by_place = is_by_lines && !file.created && !file.sha256.is_empty();
        let place = *places.entry(file.path.clone()).or_insert(record.files.len());
        match record.files.get_mut(place) {
            Some(known) if *known != file => known.others.push(file),
            Some(_) => {}
            None => record.files.push(file),
        }
    }
    let Record { specializations, units, services, within, files, .. } = &record;
    record.is_merged =
        count != (specializations.len(), units.len(), services.len(), files.len(), within.len());
    for Piece { path, piece } in replaced {
        let place = *places.entry(path.clone()).or_insert(record.files.len());
        if place == record.files.len() {
            record.files.push(FileRecord { path, ..FileRecord::default() });
        }
        let Some(file) = record.files.get_mut(place) else { continue };
        // Which side's entry the file agrees with is told later.
        file.others.iter_mut().for_each(|other| other.replaced.push(piece.clone()));
        file.replaced.push(piece);
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = r#"{
  "format_version": "1.1", "naming": 2, "specializations": [], "units": [],
  "files": [ { "path": "main.tf", "created": false, "sha256": "00", "replaced": [ { "at": 4, "written": "W", "original": "O" } ] } ]
}"#;

    fn file(path: &str, created: bool, pieces: &[&str]) -> FileRecord {
        let piece = |w: &&str| Replaced { at: 0, written: (*w).to_owned(), original: format!("{w} before") };
        let sha256 = if created { "ab".repeat(32) } else { String::new() };
        FileRecord {
            path: path.into(),
            created,
            sha256,
            replaced: pieces.iter().map(piece).collect(),
            ..FileRecord::default()
        }
    }

    fn record(files: Vec<FileRecord>) -> Record {
        Record { files, ..Record::empty() }
    }

    #[test]
    fn there_and_back() {
        let record =
            record(vec![file("a/main.tf", true, &[]), file("main.tf", false, &["module \"a_1\" {}", "x"])]);
        let text = record.to_text();
        assert_eq!(Record::parse(&text).unwrap(), record);
        assert_eq!(text.lines().filter(|line| line.contains("\"written\"")).count(), 2, "{text}");
        assert!(!text.contains("\"at\""), "{text}");
        // Where only places tell pieces apart, they are on record, and the whole's hash with them.
        let mut placed = file("main.tf", false, &["x"]);
        (placed.is_by_place, placed.sha256) = (true, "cd".repeat(32));
        placed.replaced[0].at = 7;
        let record = Record { files: vec![placed], ..Record::empty() };
        assert!(record.to_text().contains("\"at\":7"), "{}", record.to_text());
        assert_eq!(Record::parse(&record.to_text()).unwrap(), record);
    }

    #[test]
    fn forms_below_copies_are_merged() {
        let with = |all: &[&str]| {
            let within = all.iter().map(|address| (*address).to_owned()).collect();
            Record { within, ..record(vec![file("main.tf", false, &["a"])]) }
        };
        let (ours, theirs) =
            (with(&["module.m.t.a", "module.m.t.b"]), with(&["module.m.t.a[0]", "module.m.t.b"]));
        assert_eq!(Record::parse(&ours.to_text()).unwrap(), ours);
        assert!(!record(Vec::new()).to_text().contains("within"), "there are none");
        let line = |text: &str| text.lines().find(|line| line.contains("module.m.t.a")).unwrap().to_owned();
        let (ours, theirs) = (ours.to_text(), theirs.to_text());
        let marked = format!("<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs", line(&ours), line(&theirs));
        let both = Record::parse(&ours.replace(&line(&ours), &marked)).unwrap();
        assert_eq!(both.within, with(&["module.m.t.a", "module.m.t.a[0]", "module.m.t.b"]).within);
        let strange = ours.replace("module.m.t.b", "module.m t.b");
        assert!(matches!(Record::parse(&strange), Err(Fault::Broken(_))));
    }

    #[test]
    fn earlier_forms_are_read() {
        let old = Record::parse(OLD).unwrap();
        assert_eq!((old.files[0].replaced[0].at, old.files[0].sha256.as_str()), (4, "00"));
        assert!(!old.is_merged && !old.files[0].is_by_place);
        assert!(matches!(Record::parse(&OLD.replace("1.1", "9.9")), Err(Fault::Newer(_))));
        assert!(matches!(Record::parse(&OLD.replace("1.1", "x")), Err(Fault::Broken(_))));
        assert!(matches!(Record::parse("{"), Err(Fault::Broken(_))));
    }

    #[test]
    fn the_lines_of_both_sides_count() {
        let (ours, theirs) =
            (record(vec![file("main.tf", false, &["a"])]), record(vec![file("main.tf", false, &["b"])]));
        let (ours, theirs) = (ours.to_text(), theirs.to_text());
        let piece = |text: &str| text.lines().find(|line| line.contains("written")).unwrap().to_owned();
        // With marks, and by Git's union, which leaves a comma out.
        let union = ours.replace(&piece(&ours), &format!("{}\n{}", piece(&ours), piece(&theirs)));
        let marked = format!("<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs", piece(&ours), piece(&theirs));
        for text in [union, ours.replace(&piece(&ours), &marked)] {
            let both = Record::parse(&text).unwrap();
            let written: Vec<&str> = both.files[0].replaced.iter().map(|p| p.written.as_str()).collect();
            assert_eq!((written, both.is_merged), (vec!["a", "b"], true), "{text}");
        }
        let newer = ours.replace("1.2", "1.9").replace(&piece(&ours), &marked);
        assert!(matches!(Record::parse(&newer), Err(Fault::Newer(_))));
        assert!(matches!(Record::parse(&ours.replace(&piece(&ours), "nothing")), Err(Fault::Broken(_))));
    }

    #[test]
    fn of_a_created_file_both_sides_may_tell() {
        let mut other = file("a.tf", true, &[]);
        other.sha256 = "ef".repeat(32);
        let text = record(vec![file("a.tf", true, &[]), other]).to_text();
        let both = Record::parse(&text).unwrap();
        assert_eq!((both.files.len(), both.files[0].others.len(), both.is_merged), (1, 1, true));
        assert!(both.files[0].is_made_by_merge("x"));
    }
}
