//! The order of the layers in `src/lib.rs` is kept: each imports only those above it. Besides: no file grows
//! beyond what one reads in one go, and only the layers whose task it is may lift the rules of `clippy.toml`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const LONGEST: usize = 600;

/// The files that may name a disallowed method or print, each under an `#[allow]` of its own.
const MAY: &[&str] = &[
    "host.rs",
    "host/",
    "txn/lock.rs",
    "txn/scratch.rs",
    "terraform/run.rs",
    "terraform/signals.rs",
    "report/console.rs",
    "main.rs",
];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every file of the product as (path below `src`, text).
fn files() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![src()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(src()).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The layers, in the order of `pub mod` in `lib.rs`.
fn layers() -> Vec<String> {
    let text = fs::read_to_string(src().join("lib.rs")).unwrap();
    text.lines()
        .filter_map(|l| l.trim().strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

fn layer_of(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap()
}

/// The text without comments and string literals, so that prose that names a layer is no import. Strings and
/// char literals become blanks of no length; lifetimes stay.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skip = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |i| i + 2)
        } else if let Some(len) = raw_string(rest) {
            len
        } else if c == '"' {
            quoted(rest, '"')
        } else if c == '\'' && (rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'')) {
            quoted(rest, '\'')
        } else {
            code.push(c);
            c.len_utf8()
        };
        rest = &rest[skip..];
    }
    code
}

fn quoted(text: &str, end: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == end && !escaped {
            return i + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let start = 1 + hashes + 1;
    Some(text[start..].find(&end).map_or(text.len(), |i| start + i + end.len()))
}

/// The layers that a file names with `crate::x`, `crate::{x::…, y}` or `tf_phi::x`.
fn imports(text: &str) -> BTreeSet<String> {
    let code = code_of(text);
    let mut found = BTreeSet::new();
    for (i, _) in code.match_indices("crate::") {
        let rest = code[i + "crate::".len()..].trim_start();
        match rest.strip_prefix('{') {
            Some(group) => found.extend(first_names(group)),
            None => found.extend(ident(rest)),
        }
    }
    found
}

/// The first name of each item of a braced list, nested braces passed over.
fn first_names(group: &str) -> Vec<String> {
    let (mut names, mut depth, mut at_start) = (Vec::new(), 0, true);
    for (i, c) in group.char_indices() {
        match c {
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => at_start = true,
            c if at_start && !c.is_whitespace() => {
                names.extend(ident(&group[i..]));
                at_start = false;
            }
            _ => {}
        }
    }
    names
}

fn ident(text: &str) -> Option<String> {
    let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name).filter(|n| !n.is_empty())
}

#[test]
fn imports_are_found() {
    let text = "use crate::text::Edit; // crate::cli\nuse crate::{host, issue::{Code, Issue},\n value};\n\
        fn f(c: &'static str) -> crate::trace::T { \"crate::ops\"; r#\"\"crate::ops\"#; '\"'; crate::cond::x() }";
    let want = ["cond", "host", "issue", "text", "trace", "value"].map(str::to_owned);
    assert_eq!(imports(text), BTreeSet::from(want));
}

#[test]
fn each_layer_imports_only_those_above_it() {
    let layers = layers();
    assert!(layers.len() > 10 && layers[0] == "host", "{layers:?}");
    let place = |name: &str| layers.iter().position(|l| l == name);
    let mut wrong = Vec::new();
    // A unit test may use later layers to build what it looks at.
    for (file, text) in files().into_iter().filter(|(f, _)| !f.ends_with("tests.rs")) {
        let Some(own) = place(layer_of(&file)) else { continue };
        for import in imports(&text) {
            if place(&import).is_some_and(|other| other > own) {
                wrong.push(format!("src/{file} imports {import}, which comes after {}", layers[own]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_layer_has_its_files_and_every_file_its_layer() {
    let layers = layers();
    for (file, _) in files() {
        let layer = layer_of(&file);
        assert!(layer == "lib" || layer == "main" || layers.iter().any(|l| l == layer), "src/{file}");
    }
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<String> = files()
        .iter()
        .filter(|(_, text)| text.lines().count() > LONGEST)
        .map(|(file, text)| format!("src/{file}: {} lines", text.lines().count()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn rules_are_lifted_only_where_that_is_the_task() {
    let rules = ["disallowed_methods", "print_stdout", "print_stderr"];
    let mut wrong = Vec::new();
    for (file, text) in files() {
        if file == "lib.rs" || file.ends_with("tests.rs") || MAY.iter().any(|m| file.starts_with(m)) {
            continue;
        }
        wrong
            .extend(rules.iter().filter(|r| code_of(&text).contains(*r)).map(|r| format!("src/{file}: {r}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
