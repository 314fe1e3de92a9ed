//! A tree of files: load → trace → specialise → restore, and once more.
//!
//! The input is one text in which a line `-- path --` begins a file.

#[path = "../../tests/tree/mod.rs"]
mod tree;

use std::path::PathBuf;
use tf_phi::addr::ModuleInstance;
use tf_phi::issue::Issue;
use tf_phi::specialise::{Active, Specialised, SplitUnit};
use tree::{Tree, restored, specialised};

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
    assert_eq!(restored(&got).expect("our own originals"), input, "restore gives back what was there");
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
    let (_, done) = specialised(tree, None, "tf-phi fuzz")?;
    let active = first_branches(&done);
    Ok(done.finished(&active))
}

/// As if the first branch of every unit were active in its only instance.
fn first_branches(done: &Specialised) -> Vec<Vec<Active>> {
    let module = |s: &SplitUnit| {
        s.scope.0.iter().fold(ModuleInstance::default(), |m, call| m.child(call.name.clone(), None))
    };
    let only = |s: &SplitUnit| Active {
        module: module(s),
        key: None,
        copy: Some(0),
        there: true,
        rekeyed: false,
        given_up: false,
    };
    done.splits.iter().map(|s| vec![only(s)]).collect()
}
