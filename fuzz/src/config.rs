//! A tree of files: load → trace → specialise → restore, and once more.
//!
//! The input is one text in which a line `-- path --` begins a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tf_phi::addr::ModuleInstance;
use tf_phi::config::{self, Overlay, View};
use tf_phi::func::NoSurroundings;
use tf_phi::host::memory::MemoryHost;
use tf_phi::issue::Issue;
use tf_phi::specialise::{Active, Record, Request, Specialised, SplitUnit, restore, specialise};
use tf_phi::trace::{self, Limits};

type Tree = BTreeMap<PathBuf, String>;

const RECORD: &str = ".phi/provenance.json";

/// The check.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some(input) = files(text) else { return };
    let Ok(done) = run(&input) else { return };
    let mut got = input.clone();
    got.extend(done.files.clone());
    for (path, text) in done.files.iter().filter(|(p, _)| p.extension().is_some_and(|e| e == "tf")) {
        if let Err(e) = tf_phi::syntax::parse(text) {
            panic!("{} does not parse: {e}\n{text}", path.display());
        }
    }
    assert_eq!(restored(&got), input, "restore gives back what was there");
    match run(&got) {
        Ok(again) => {
            let mut twice = got.clone();
            twice.extend(again.files);
            assert_eq!(twice, got, "a second run changes nothing");
        }
        Err(issues) => panic!("a second run fails: {issues:?}\n{got:?}"),
    }
}

/// The files of an input; nothing where it holds a record already.
pub fn files(text: &str) -> Option<Tree> {
    let mut tree = Tree::new();
    let mut path = PathBuf::from("main.tf");
    let mut at = String::new();
    for line in text.split_inclusive('\n') {
        match line.trim_end().strip_prefix("-- ").and_then(|l| l.strip_suffix(" --")) {
            Some(name) if plain(name) => {
                let old = std::mem::replace(&mut path, PathBuf::from(name));
                if !at.is_empty() {
                    tree.insert(old, std::mem::take(&mut at));
                }
            }
            _ => at.push_str(line),
        }
    }
    tree.insert(path, at);
    (tree.len() <= 8 && !tree.keys().any(|p| p.starts_with(".phi"))).then_some(tree)
}

/// A relative path of plain names.
fn plain(path: &str) -> bool {
    let name = |n: &str| {
        !n.is_empty()
            && n != "."
            && n != ".."
            && n.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    path.split('/').count() <= 4 && path.split('/').all(name)
}

/// Specialises a tree, whatever its form; every first branch counts as active.
fn run(tree: &Tree) -> Result<Specialised, Vec<Issue>> {
    let host = MemoryHost::new(tree.iter().filter_map(|(p, t)| Some((p.to_str()?, t.as_str()))));
    let record = tree.get(Path::new(RECORD)).map(|t| Record::parse(t).expect("our own record"));
    let mut overlay = Overlay::new();
    if let Some(record) = &record {
        let (originals, issues) = restore::originals(record, &|p| tree.get(p).cloned());
        assert!(issues.is_empty(), "{issues:?}");
        overlay.extend(originals);
    }
    let (mut config, mut issues) = config::load_with(&host, &overlay, Path::new(""));
    let view = View { host: &host, overlay: &overlay };
    let (phi, found) = config::phi::read(view, Path::new(""), &mut config.sources);
    issues.extend(found);
    let limits = Limits { branches: phi.settings.branches, depth: phi.settings.depth, ..Limits::default() };
    let (universes, found) = trace::universes(&config, &phi, &[], limits, &NoSurroundings);
    issues.extend(found);
    let (driven, found) = trace::drivers(&config, &phi, &trace::accepts::Accepts::default);
    issues.extend(found);
    // Tracing has to survive what loading complains about.
    let (mut tracer, traces, meant) =
        trace::trace_driven(&config, limits, &universes, &NoSurroundings, &driven);
    issues.extend(traces.iter().filter_map(trace::issue_of));
    if !issues.is_empty() {
        return Err(issues);
    }
    let request = Request {
        config: &config,
        limits,
        driven: &driven,
        traces: &traces,
        meant: &meant,
        older: record.as_ref(),
        version: "tf-phi fuzz",
    };
    let done = specialise(&request, &mut tracer)?;
    let active = first_branches(&done);
    Ok(done.finished(&active))
}

/// As if the first branch of every unit were active in its only instance.
fn first_branches(done: &Specialised) -> Vec<Vec<Active>> {
    let module = |s: &SplitUnit| {
        s.scope.0.iter().fold(ModuleInstance::default(), |m, name| m.child(name.clone(), None))
    };
    let only =
        |s: &SplitUnit| Active { module: module(s), key: None, copy: Some(0), there: true, rekeyed: false };
    done.splits.iter().map(|s| vec![only(s)]).collect()
}

fn restored(tree: &Tree) -> Tree {
    let mut out = tree.clone();
    let Some(text) = out.remove(Path::new(RECORD)) else { return out };
    let record = Record::parse(&text).expect("our own record");
    let (originals, issues) = restore::originals(&record, &|p| tree.get(p).cloned());
    assert!(issues.is_empty(), "{issues:?}");
    for (path, text) in originals {
        match text {
            Some(text) => out.insert(path, text),
            None => out.remove(&path),
        };
    }
    out
}
