//! The order of the layers in `src/lib.rs` is kept: each imports only those above it. Besides: no file grows
//! beyond what one reads in one go, and only the layers whose task it is may lift the rules of `clippy.toml`.
//! So do the rooms of layers in [`ORDERED`]. Inside a layer modules may import each other in a circle only where they did before: the number goes down.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::disallowed_methods)]

mod circles;
mod modules;
mod rooms;

use std::fs;
use std::path::{Path, PathBuf};

const LONGEST: usize = 600;

/// Circles of imports inside of layers, and the modules that are part of one. Both only go down.
const CIRCLES: usize = 4;
const IN_CIRCLES: usize = 15;

/// Layers whose rooms stand in an order too: that of `mod` in the layer's `mod.rs`.
const ORDERED: &[&str] = &["trace"];

/// The files that may name a disallowed method or print, each under an `#[allow]` of its own.
const MAY: &[&str] = &[
    "host.rs",
    "host/",
    "txn/lock.rs",
    "txn/scratch.rs",
    "terraform/leash.rs",
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
    modules_in("lib.rs")
}

/// The modules that a file declares, in order.
fn modules_in(file: &str) -> Vec<String> {
    let text = fs::read_to_string(src().join(file)).unwrap();
    let name = |line: &str| {
        line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
    };
    text.lines().filter_map(name).collect()
}

fn layer_of(file: &str) -> &str {
    file.split(['/', '.']).next().unwrap()
}

#[test]
fn each_layer_imports_only_those_above_it() {
    let layers = layers();
    assert!(layers.len() > 10 && layers[0] == "host", "{layers:?}");
    let place = |name: &str| layers.iter().position(|l| l == name);
    let mut wrong = Vec::new();
    // A unit test may use later layers to build what it looks at, and isn't among the modules.
    let modules = modules::Modules::read(&files());
    for (path, imports) in modules.layers() {
        let Some(own) = path.first().and_then(|layer| place(layer)) else { continue };
        for import in imports {
            if place(import).is_some_and(|other| other > own) {
                wrong.push(format!(
                    "{} imports {import}, which comes after {}",
                    path.join("::"),
                    layers[own]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_room_imports_only_those_above_it() {
    let modules = modules::Modules::read(&files());
    let mut wrong = Vec::new();
    for layer in ORDERED {
        let rooms = modules_in(&format!("{layer}/mod.rs"));
        let place = |path: &modules::Path| {
            let [of, room, ..] = path.as_slice() else { return None };
            (of == layer).then(|| rooms.iter().position(|r| r == room))?
        };
        for (path, imports) in modules.edges() {
            let Some(own) = place(path) else { continue };
            let below = imports.into_iter().filter(|import| place(import).is_some_and(|other| other > own));
            wrong.extend(below.map(|import| format!("{} imports {}", path.join("::"), import.join("::"))));
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
        let words = modules::words(&text);
        wrong.extend(rules.iter().filter(|r| words.contains(**r)).map(|r| format!("src/{file}: {r}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn circles_are_found() {
    let files = [
        ("lib.rs", "pub mod a;"),
        ("a/mod.rs", "mod b; mod c; mod d; mod e; pub use b::B; fn f() { d::g() }"),
        ("a/b.rs", "use super::c; pub struct B; #[cfg(test)] mod tests { use super::super::e::E; }"),
        ("a/c.rs", "fn c() { format!(\"{}\", crate::a::B) }"),
        ("a/d.rs", "use super::{B, c::c}; pub fn g() {}"),
        ("a/e.rs", "use crate::a::d::{self}; pub struct E;"),
    ];
    let files = files.map(|(file, text)| (file.to_owned(), text.to_owned()));
    let modules = modules::Modules::read(&files);
    let found = circles::circles(&modules.edges());
    let want = [modules::path_of("a/b.rs"), modules::path_of("a/c.rs")];
    assert_eq!(found, [want.iter().collect::<Vec<_>>()]);
}

/// `cargo test --test layering -- --nocapture circles_of_imports` prints them.
#[test]
fn circles_of_imports_only_go_away() {
    let modules = modules::Modules::read(&files());
    let edges = modules.edges();
    let found = circles::circles(&edges);
    for circle in &found {
        let names: Vec<String> = circle.iter().map(|path| path.join("::")).collect();
        println!("{} modules: {}", names.len(), names.join(", "));
        for from in circle {
            let within = edges[from].iter().filter(|to| circle.contains(to));
            let within: Vec<String> = within.map(|to| to.join("::")).collect();
            println!("    {} imports {}", from.join("::"), within.join(", "));
        }
    }
    let within = found.iter().map(Vec::len).sum();
    assert_eq!(
        (found.len(), within),
        (CIRCLES, IN_CIRCLES),
        "circles of imports, and the modules in them. More: see what this test prints, and turn one import around. \
         Fewer: write the new numbers into CIRCLES and IN_CIRCLES"
    );
}
