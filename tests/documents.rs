//! The documents keep up with the program.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::fs;

use tf_phi::issue::Code;

const PARTS: [&str; 3] = ["**Means.**", "**Example.**", "**Fix.**"];

#[test]
fn every_code_has_its_section() {
    let text = fs::read_to_string("docs/codes.md").unwrap();
    let mut sections = text.split("\n## ").skip(1);
    let mut seen = Vec::new();
    for section in sections.by_ref() {
        let (name, body) = section.split_once('\n').unwrap();
        seen.push(name);
        let missing: Vec<_> = PARTS.iter().filter(|part| !body.contains(*part)).collect();
        assert!(missing.is_empty(), "{name} lacks {missing:?}");
    }
    let codes: Vec<_> = Code::ALL.iter().map(|c| c.name()).collect();
    assert_eq!(seen, codes, "the sections of docs/codes.md are the table's codes in its order");
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let architecture = fs::read_to_string("docs/architecture.md").unwrap();
    let mut section = "";
    let mut unnamed = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]"
            && let Some((name, _)) = line.split_once(" = ")
            && !architecture.contains(&format!("`{name}`"))
        {
            unnamed.insert(name);
        }
    }
    assert!(unnamed.is_empty(), "docs/architecture.md gives no reason for {unnamed:?}");
}

#[test]
fn links_lead_somewhere() {
    for (file, folder) in [("README.md", "."), ("docs/architecture.md", "docs"), ("docs/codes.md", "docs")] {
        let text = fs::read_to_string(file).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            if path.is_empty() || path.contains("://") {
                continue;
            }
            assert!(fs::exists(format!("{folder}/{path}")).unwrap(), "{file} links to {path}");
        }
    }
}
