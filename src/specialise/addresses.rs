//! `.phi/addresses.json`: the addresses that state may hold, kept where the sources are put back after a run.
//!
//! An ephemeral run leaves no record, but what it applied stands in state under the copies' addresses. Without them a
//! later move chain would not begin there, and Terraform would destroy and create. In: the units of a record. Invariant:
//! an address that was ever written stays. Absent on purpose: anything that has to do with sources.

use super::record::{FORMAT, Record, UnitRecord};
use serde::{Deserialize, Serialize};

/// The file, relative to the working directory.
pub const FILE: &str = ".phi/addresses.json";

#[derive(Serialize, Deserialize)]
struct Document {
    format_version: String,
    units: Vec<UnitRecord>,
}

/// Reads the file's text.
///
/// # Errors
/// A sentence where it is no such file, or of a later format.
pub fn parse(text: &str) -> Result<Vec<UnitRecord>, String> {
    let document: Document = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let major = |v: &str| v.split('.').next().map(str::to_owned);
    if major(&document.format_version) != major(FORMAT) {
        return Err(format!("its format {} is not one that this version knows", document.format_version));
    }
    Ok(document.units)
}

/// The file's text.
pub fn to_text(units: &[UnitRecord]) -> String {
    let document = Document { format_version: FORMAT.to_owned(), units: units.to_vec() };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The record from before with the kept addresses added; nothing where there is neither.
pub fn merged(record: Option<&Record>, kept: &[UnitRecord]) -> Option<Record> {
    if record.is_none() && kept.is_empty() {
        return None;
    }
    let mut merged = record.cloned().unwrap_or_else(Record::empty);
    for unit in kept {
        let Some(known) = merged.units.iter_mut().find(|u| u.original == unit.original) else {
            merged.units.push(unit.clone());
            continue;
        };
        for address in unit.former_addresses.iter().chain(&unit.addresses) {
            if !known.addresses.contains(address) && !known.former_addresses.contains(address) {
                known.former_addresses.push(address.clone());
            }
        }
    }
    Some(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(original: &str, addresses: &[&str], former: &[&str]) -> UnitRecord {
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect();
        UnitRecord {
            original: original.to_owned(),
            addresses: owned(addresses),
            former_addresses: owned(former),
            repeated: false,
        }
    }

    #[test]
    fn there_and_back() {
        let units = [unit("module.a", &["module.a_x"], &["module.a_y"])];
        assert_eq!(parse(&to_text(&units)).unwrap(), units);
        assert!(parse("{\"format_version\": \"2.0\", \"units\": []}").is_err());
    }

    #[test]
    fn no_address_is_lost() {
        let mut record = Record::empty();
        record.units.push(unit("module.a", &["module.a_x"], &[]));
        let kept =
            [unit("module.a", &["module.a_x", "module.a_y"], &["module.a_z"]), unit("t.b", &["t.b_1"], &[])];
        let merged = merged(Some(&record), &kept).unwrap();
        assert_eq!(merged.units[0], unit("module.a", &["module.a_x"], &["module.a_z", "module.a_y"]));
        assert_eq!(merged.units[1], kept[1]);
        assert_eq!(super::merged(None, &[]), None);
    }
}
