//! What services hand to Helm, read from a plan and held against tables of fields.

use crate::provider::Provider;
use crate::support::{Scratch, actions};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::Stdio;

/// A tree over the provider, without one of AWS.
pub fn scratch(provider: &Provider, files: &[(&str, &str)]) -> Scratch {
    let mut scratch = Scratch::with(files);
    scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
    scratch.tf_phi(&["check", "--fix"]).expect(0);
    scratch.init();
    scratch
}

/// The YAML of values, as Terraform reads it.
pub fn yaml(scratch: &Scratch, texts: &BTreeMap<String, String>) -> Json {
    let decoded: Vec<String> = texts
        .iter()
        .map(|(name, text)| {
            let text =
                text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace("${", "$${");
            format!("\"{name}\" = yamldecode(\"{text}\")")
        })
        .collect();
    let empty = scratch.aside("console");
    std::fs::create_dir_all(&empty).unwrap();
    let mut child = scratch.command(crate::support::terraform());
    let mut child =
        child.current_dir(empty).arg("console").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let line = format!("jsonencode({{ {} }})\n", decoded.join(", "));
    child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let text: String = serde_json::from_str(out.trim()).unwrap_or_else(|e| panic!("{e}: {out}"));
    serde_json::from_str(&text).unwrap()
}

/// Every leaf of a document by its path, `[]` for elements.
fn leaves(at: &Json, path: &str, out: &mut Vec<(String, Json)>) {
    match at {
        Json::Object(members) => {
            for (name, member) in members {
                leaves(member, &if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, out);
            }
        }
        Json::Array(items) => items.iter().for_each(|item| leaves(item, &format!("{path}[]"), out)),
        leaf => out.push((path.to_owned(), leaf.clone())),
    }
}

/// What is wrong with a manifest, by a table of fields. Where a table is about several kinds, a field is named `Kind:path`.
pub fn faults(manifest: &Json, table: &str) -> Vec<String> {
    let rows: Vec<Vec<&str>> =
        table.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect()).collect();
    let kind = format!("{}:", manifest["kind"].as_str().unwrap_or_default());
    let field = |row: &Vec<&str>| match row[0].contains(':') {
        true => row[0].strip_prefix(&kind).map(str::to_owned),
        false => Some(row[0].to_owned()),
    };
    let mut found = Vec::new();
    leaves(manifest, "", &mut found);
    let mut wrong = Vec::new();
    for (path, value) in &found {
        let is = |f: String| f == *path || f.strip_suffix('*').is_some_and(|above| path.starts_with(above));
        let Some(row) = rows.iter().find(|r| field(r).is_some_and(is)) else {
            wrong.push(format!("{path} is no field"));
            continue;
        };
        let asked = row.get(2).copied().unwrap_or_default();
        let text = value.as_str().unwrap_or_default();
        let quantity = |t: &str| {
            let end = t.find(|c: char| !c.is_ascii_digit()).unwrap_or(t.len());
            end > 0 && ["", "m", "Mi", "Gi", "Ti"].contains(&&t[end..])
        };
        let right = match row[1] {
            "string" => value.is_string(),
            "integer" => value.is_u64(),
            "boolean" => value.is_boolean(),
            "quantity" => value.is_string() && quantity(text),
            other => panic!("{other}"),
        };
        let right = right
            && match asked {
                "" => true,
                "name" => text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                least if least.starts_with(">=") => value.as_u64() >= least[2..].parse().ok(),
                exact => exact.strip_prefix('=').is_some_and(|all| all.split('|').any(|one| one == text)),
            };
        if !right {
            wrong.push(format!("{path} = {value}"));
        }
    }
    wrong
}

/// The first manifest of each release of a plan, or its values, by the release's address.
pub fn manifests(scratch: &Scratch) -> BTreeMap<String, Json> {
    let one = |values: Json| values.get("manifests").map_or(values.clone(), |all| all[0].clone());
    values(scratch, &[]).into_iter().map(|(address, values)| (address, one(values))).collect()
}

/// The manifest of this kind and name among those of all releases of a plan.
pub fn manifest(values: &BTreeMap<String, Json>, kind: &str, name: &str) -> Json {
    let all = values.values().flat_map(|v| v["manifests"].as_array().into_iter().flatten());
    let mut own = all.filter(|m| m["kind"] == kind && m["metadata"]["name"] == name);
    own.next().unwrap_or_else(|| panic!("no {kind} {name}: {values:#?}")).clone()
}

/// The values of each release of a plan but those of operators, by the release's address.
pub fn values(scratch: &Scratch, arguments: &[&str]) -> BTreeMap<String, Json> {
    let all = all_values(scratch, arguments);
    all.into_iter().filter(|(address, _)| !address.contains("operator")).collect()
}

/// The values of each release of a plan, by the release's address.
pub fn all_values(scratch: &Scratch, arguments: &[&str]) -> BTreeMap<String, Json> {
    let found = actions(&scratch.phi_plan(arguments).0);
    let texts: BTreeMap<String, String> = found
        .iter()
        .filter_map(|(address, action)| {
            let text = action.after["values"][0].as_str()?;
            Some((address.replace('"', "'"), text.to_owned()))
        })
        .collect();
    let Json::Object(all) = yaml(scratch, &texts) else { panic!("no object") };
    all.into_iter().collect()
}
