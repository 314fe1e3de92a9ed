//! Findings for other programs: SARIF and GitHub's workflow commands.
//!
//! In: findings with the files that they point into, by working directory. Out: text. Absent: where it is printed.

use super::fixes::folder_of_fixes;
use super::page;
use crate::config::paths;
use crate::issue::{Code, Issue};
use crate::text::Sources;
use serde_json::{Map, Value as Json, json};
use std::path::Path;

/// The findings of one working directory.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// The directory, from where the program was started; `.` or empty for that place itself.
    pub dir: &'a Path,
    /// The findings.
    pub issues: &'a [Issue],
    /// The files.
    pub sources: &'a Sources,
}

/// The file and the lines of a finding.
pub(super) struct Spot {
    /// From where the program was started.
    pub file: String,
    /// First line and column, last line and column, from 1.
    pub lines: Option<[usize; 4]>,
}

pub(super) fn spot(group: &Group<'_>, issue: &Issue) -> Option<Spot> {
    let below = |path: &Path| {
        let dir = group.dir.strip_prefix(".").unwrap_or(group.dir);
        // Other programs compare names.
        paths::clean(&dir.join(path)).display().to_string().replace('\\', "/")
    };
    if let Some(place) = issue.place
        && let Some(file) = group.sources.get(place.file)
    {
        let (start, end) = (file.line_col(place.span.start), file.line_col(place.span.end));
        let lines = [start.line, start.column, end.line, end.column];
        return Some(Spot { file: below(file.shown()), lines: Some(lines) });
    }
    issue.path.as_ref().map(|p| Spot { file: below(Path::new(p)), lines: None })
}

fn sentence(issue: &Issue) -> String {
    let field = issue.field.as_ref().map_or_else(String::new, |f| format!(" ({f})"));
    format!("{}{field}. {}", issue.summary.trim_end_matches('.'), issue.why).trim_end().to_owned()
}

/// A path as a reference of RFC 3986: whatever isn't one of its unreserved characters stands as its bytes in hexadecimal.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b if b.is_ascii_alphanumeric() || b"-._~/".contains(&b) => out.push(char::from(b)),
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

/// SARIF 2.1.0, as code scanners read it.
pub fn sarif(groups: &[Group<'_>]) -> String {
    let results: Vec<Json> = groups.iter().flat_map(|g| g.issues.iter().map(|i| result(g, i))).collect();
    let mut used: Vec<Code> = groups.iter().flat_map(|g| g.issues.iter().map(|i| i.code)).collect();
    used.sort();
    used.dedup();
    let rules: Vec<Json> = used.iter().map(|c| rule(*c)).collect();
    let driver = json!({ "name": "tf-phi", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{document:#}\n")
}

/// Returns the description of a code with the address of its page, which a viewer shows beside the finding.
fn rule(code: Code) -> Json {
    json!({
        "id": code.name(),
        "helpUri": page::uri(code),
        "shortDescription": { "text": code.meaning() },
        "help": { "text": page::text(code), "markdown": page::page(code) },
    })
}

fn result(group: &Group<'_>, issue: &Issue) -> Json {
    let mut map = Map::new();
    map.insert("ruleId".into(), issue.code.name().into());
    map.insert("level".into(), issue.severity.name().into());
    let fixes = issue.fixes.iter().map(|f| format!("\n\n{}\n{}", f.title, f.paste));
    let folder = folder_of_fixes(issue, group.sources).map(|dir| format!("\n\nIn {dir}:"));
    let fixes = format!("{}{}", folder.unwrap_or_default(), fixes.collect::<String>());
    let message = format!("{}{}", sentence(issue), fixes.trim_end());
    map.insert("message".into(), json!({ "text": message }));
    if let Some(spot) = spot(group, issue) {
        let mut place = json!({ "artifactLocation": { "uri": uri(&spot.file) } });
        if let (Some([line, column, last, end]), Some(place)) = (spot.lines, place.as_object_mut()) {
            let region =
                json!({ "startLine": line, "startColumn": column, "endLine": last, "endColumn": end });
            place.insert("region".into(), region);
        }
        map.insert("locations".into(), json!([{ "physicalLocation": place }]));
    }
    if !issue.fixes.is_empty() {
        // SARIF's own `fixes` are edits at a place. Ours say where a text belongs, which may be a file that isn't there yet.
        let fixes = issue.fixes.iter().map(|f| json!({ "title": f.title, "paste": f.paste }));
        map.insert("properties".into(), json!({ "fixes": fixes.collect::<Vec<_>>() }));
    }
    Json::Object(map)
}

/// GitHub's workflow commands, one finding a line.
pub fn github(groups: &[Group<'_>]) -> String {
    let data = |t: &str| t.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |t: &str| data(t).replace(':', "%3A").replace(',', "%2C");
    let mut out = String::new();
    for (group, issue) in groups.iter().flat_map(|g| g.issues.iter().map(move |i| (g, i))) {
        let mut properties = Vec::new();
        if let Some(spot) = spot(group, issue) {
            properties.push(format!("file={}", property(&spot.file)));
            if let Some([line, column, last, _]) = spot.lines {
                properties.push(format!("line={line},endLine={last},col={column}"));
            }
        }
        properties.push(format!("title={}", property(&format!("tf-phi: {}", issue.code))));
        let folder = folder_of_fixes(issue, group.sources).map(|dir| format!("In {dir}:"));
        let fixes = issue.fixes.iter().map(|f| format!("{}\n{}", f.title, f.paste));
        let fixes: Vec<String> = folder.into_iter().chain(fixes).collect();
        let message = format!("{}\n{}", sentence(issue), fixes.join("\n"));
        let (level, properties) = (issue.severity.name(), properties.join(","));
        out.push_str(&format!("::{level} {properties}::{}\n", data(message.trim_end())));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Place, SourceFile, Span};

    fn sample() -> (Sources, Vec<Issue>) {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("main.tf", "a {\n  b = var.v\n}\n"));
        let issue = Issue::error(Code::NoUniverse, "can't determine b", "50% of it: no\ndefault.")
            .at(Place { file, span: Span::new(10, 15) })
            .about("a.b")
            .fix("Give it a default:", "variable \"v\" {}");
        (sources, vec![issue])
    }

    #[test]
    fn a_path_is_a_reference() {
        assert_eq!(uri("live/prod eu/main.tf"), "live/prod%20eu/main.tf");
        assert_eq!(uri("a:b?c#d%e/ü.tf"), "a%3Ab%3Fc%23d%25e/%C3%BC.tf");
    }

    #[test]
    fn places_and_texts() {
        let (sources, issues) = sample();
        let groups = [Group { dir: Path::new("./live"), issues: &issues, sources: &sources }];
        let sarif: Json = serde_json::from_str(&sarif(&groups)).unwrap();
        let result = &sarif["runs"][0]["results"][0];
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "live/main.tf");
        assert_eq!((&place["region"]["startLine"], &place["region"]["endColumn"]), (&2.into(), &12.into()));
        let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
        assert_eq!(rule["id"], "no-universe");
        let help = rule["helpUri"].as_str().unwrap();
        assert!(help.starts_with("https://") && help.ends_with("/docs/codes.md#no-universe"), "{help}");
        assert_eq!(result["properties"]["fixes"][0]["title"], "Give it a default:");
        let want = "::error file=live/main.tf,line=2,endLine=2,col=7,title=tf-phi%3A no-universe::can't determine b \
                    (a.b). 50%25 of it: no%0Adefault.%0AGive it a default:%0Avariable \"v\" {}\n";
        assert_eq!(github(&groups), want);
    }
}
