//! What users type into specialised trees: comments and blank lines, at every line of every golden tree.
//!
//! Such a tree is up to date, a run leaves it as it is, and `restore` gives back the original with the comment, or says that it went.
//! Each case is tried with all lines at once, in one of four ways, and with a single one; `TF_PHI_WHOLE=1` tries all ways, and each
//! line by itself.

#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::indexing_slicing)]

mod sample;
mod tree;

use sample::{sampled, whole};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use tf_phi::host::memory::MemoryHost;
use tf_phi::pipeline::{Session, tree as decided};
use tf_phi::specialise::record::typed::{self, Homeless};
use tf_phi::specialise::{is_alike, record};
use tf_phi::syntax::{ExprKind, parse, walk};
use tree::{Tree, specialised};

/// How many single lines of a case are tried.
const SINGLE: usize = 1;

fn read(dir: &Path) -> Tree {
    let mut out = Tree::new();
    let mut todo = vec![dir.to_path_buf()];
    while let Some(at) = todo.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else {
                out.insert(path.strip_prefix(dir).unwrap().into(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    out
}

fn folders(dir: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|c| c.unwrap().path()).collect();
    all.sort();
    all
}

/// The trees that golden cases end in, each with the one that it began as.
fn trees() -> Vec<(PathBuf, Tree, Tree)> {
    let cases = folders("tests/golden").into_iter().flat_map(folders);
    let written = cases.filter(|case| case.join("out/.phi/provenance.json").is_file());
    let of = |case: PathBuf| {
        let input = read(&case.join("in"));
        let mut tree = input.clone();
        tree.extend(read(&case.join("out")));
        (case, input, tree)
    };
    // Those of which nothing was written have no record on disk.
    let is_written =
        |(_, _, tree): &(PathBuf, Tree, Tree)| tree::record_of(tree).is_some_and(|r| !r.files.is_empty());
    written.map(of).filter(is_written).collect()
}

/// What is typed into a line.
#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Above,
    Behind,
    Block,
    Blank,
}

impl What {
    fn text(self, at: usize) -> String {
        match self {
            What::Above | What::Behind => format!("# typed-{at}-"),
            What::Block => format!("/* typed-{at}- */"),
            What::Blank => String::new(),
        }
    }
}

/// The places in a tree where something can be typed: file and line.
fn places(tree: &Tree) -> Vec<(PathBuf, usize)> {
    let native = tree.iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "tf"));
    native.flat_map(|(path, text)| (0..=text.lines().count()).map(|line| (path.clone(), line))).collect()
}

/// Returns true if a text that a file holds once is a comment there, outside of strings and heredocs.
fn is_comment(file: &str, said: &str) -> bool {
    // What is wrong everywhere else is fine in a comment, and this is where one begins.
    let is_read = |text: &str| parse(&file.replace(said, text)).is_ok();
    if is_read("${?") || !is_read(&said.replacen("typed", "typed ${?", 1)) {
        return false;
    }
    let Ok(body) = parse(file) else { return false };
    let at = file.find(said).unwrap();
    let mut outside = true;
    walk::walk_body(&body, &mut |_, attribute| {
        walk::walk(&attribute.expr, &mut |expr| {
            outside &= !matches!(expr.kind, ExprKind::Template(_)) || !expr.span.range().contains(&at);
            outside
        });
    });
    outside
}

/// A file with something typed into some of its lines, as far as it is a comment there, and how often it is.
fn with(text: &str, lines: &BTreeSet<usize>, what: What) -> (String, usize) {
    let mut out = String::new();
    let mut typed = 0;
    let mut all: Vec<&str> = text.split_inclusive('\n').collect();
    all.push("");
    let rest = |from: usize| all[from..].concat();
    for (at, line) in all.iter().enumerate() {
        let before = out.clone();
        out.push_str(line);
        if !lines.contains(&at) {
            continue;
        }
        let body = line.trim_end_matches(['\r', '\n']);
        let ending = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        // As a comment it says whether a blank line would count.
        let said = if what == What::Blank { "# typed".to_owned() } else { what.text(at) };
        let tried = match what {
            What::Behind => format!("{before}{body} {said}{}", &line[body.len()..]),
            _ => format!("{before}  {said}{ending}{line}"),
        };
        let whole = format!("{tried}{}", rest(at + 1));
        if is_comment(&whole, &said) {
            typed += 1;
            out = if what == What::Blank { format!("{before}{ending}{line}") } else { tried };
        }
    }
    (out, typed)
}

/// A text without what was typed, and without white space: a block in one line may have more of them afterwards.
fn without(text: &str) -> String {
    let mut out = text.to_owned();
    for (open, close) in [("# typed-", "-"), ("/* typed-", "- */")] {
        while let Some(at) = out.find(open) {
            let end = at + open.len() + out[at + open.len()..].find(close).unwrap() + close.len();
            out.replace_range(at..end, "");
        }
    }
    out.split_whitespace().collect()
}

/// What is wrong with a tree into which something was typed.
fn wrong(tree: &Tree, input: &Tree, typed: &[String]) -> Option<String> {
    let named = tree.get(Path::new(".terraform-version")).and_then(|v| v.trim().split_once('.'));
    let version = named.map(|(major, minor)| (major.parse().unwrap(), minor.parse().unwrap()));
    let (session, done) = match specialised(tree, version, "tf-phi golden") {
        Ok(done) => done,
        Err(issues) => return Some(format!("it stops: {issues:?}")),
    };
    let unknown = vec![None; done.splits.len()];
    let chain = session.chain();
    let done = done.finished_without_run(&session.config, &unknown, (chain.as_deref(), None));
    let planned = decided(&session, done);
    // Golden trees have no history.
    let counts = |path: &Path| !path.starts_with(".phi") || path == Path::new(record::FILE);
    for (path, text) in planned.iter().filter(|(path, _)| counts(path)) {
        if text.as_ref() != tree.get(path) {
            let diff = tf_phi::report::diff::unified(
                &path.display().to_string(),
                tree.get(path).map(String::as_str),
                text.as_deref(),
                tf_phi::report::Style::Plain,
                tf_phi::report::Reader::Exact,
            );
            return Some(format!("a run would change it:\n{diff}"));
        }
    }
    restored(&session, tree, input, typed).or_else(|| carried(&session, tree, input))
}

/// What is written anew, here as the original has it, holds every comment, and nothing else is changed.
fn carried(session: &Session<MemoryHost>, tree: &Tree, input: &Tree) -> Option<String> {
    for file in &session.record.as_ref()?.files {
        let path = record::unslashed(&file.path);
        let (Some(now), Some(new)) = (tree.get(&path), input.get(&path)) else { continue };
        if record::hash(now) == file.sha256 {
            continue;
        }
        let made = typed::carried(&path, file, now, new, Homeless::Above);
        let gone = typed::lost(file, now, &made);
        if !gone.is_empty() || !is_alike(&path, &made, new) {
            return Some(format!("{}: not carried over: {gone:?}\n{made}", path.display()));
        }
    }
    None
}

fn restored(session: &Session<MemoryHost>, tree: &Tree, input: &Tree, typed: &[String]) -> Option<String> {
    let back = session.originals_with_comments();
    let lost = session.lost(&back);
    let mut out = tree.clone();
    for (path, text) in back {
        match text {
            Some(text) => out.insert(path, text),
            None => out.remove(&path),
        };
    }
    out.remove(Path::new(record::FILE));
    for (path, text) in input {
        let now = out.get(path).map_or("", String::as_str);
        if without(now) != without(text) {
            return Some(format!("{} is not what it was:\n{now}", path.display()));
        }
    }
    let all: String = out.values().cloned().collect();
    let gone = typed.iter().find(|text| {
        !all.contains(text.as_str()) && !lost.iter().any(|said| said.ends_with(&format!(": {text}")))
    });
    gone.map(|text| format!("{text} went without a word: {lost:?}"))
}

/// What stands at the links of a tree: what they lead to.
fn behind_links(tree: &Tree) -> Tree {
    let links = tree::record_of(tree).map(|record| record.links()).unwrap_or_default();
    let text = |(path, to): (PathBuf, String)| {
        let mut at = path.parent().unwrap().to_owned();
        for part in Path::new(&to).components() {
            if part == Component::ParentDir {
                at.pop();
            } else {
                at.push(part);
            }
        }
        (path, tree[&at].clone())
    };
    links.into_iter().map(text).collect()
}

fn try_lines(
    case: &Path,
    (input, tree): (&Tree, &Tree),
    lines: &[(PathBuf, usize)],
    what: What,
) -> Vec<String> {
    let mut edited = tree.clone();
    let mut typed = Vec::new();
    for (path, text) in tree {
        let own: BTreeSet<usize> = lines.iter().filter(|(p, _)| p == path).map(|(_, line)| *line).collect();
        if own.is_empty() {
            continue;
        }
        let (text, _) = with(text, &own, what);
        let there = own.iter().map(|at| what.text(*at)).filter(|t| !t.is_empty() && text.contains(t));
        typed.extend(there);
        edited.insert(path.clone(), text);
    }
    edited.extend(behind_links(&edited));
    let found = wrong(&edited, input, &typed);
    let lines = if lines.len() > 1 { String::new() } else { format!("{lines:?}") };
    found.map(|why| format!("{} {what:?} {lines}: {why}", case.display())).into_iter().collect()
}

#[test]
fn comments_and_blank_lines_change_nothing() {
    let whole = whole();
    let all = trees();
    assert!(all.len() > 50);
    let mut found = Vec::new();
    for (case, input, tree) in &all {
        let lines = places(tree);
        let step = if whole { 1 } else { lines.len().div_ceil(SINGLE).max(1) };
        let ways = [What::Above, What::Behind, What::Block, What::Blank];
        for what in sampled(ways, 4, &case.display().to_string()) {
            found.extend(try_lines(case, (input, tree), &lines, what));
        }
        for (at, place) in lines.iter().enumerate().step_by(step) {
            let what = [What::Above, What::Behind, What::Blank][at % 3];
            found.extend(try_lines(case, (input, tree), std::slice::from_ref(place), what));
        }
    }
    assert!(found.is_empty(), "{} wrong:\n{}", found.len(), found[..found.len().min(12)].join("\n"));
}
