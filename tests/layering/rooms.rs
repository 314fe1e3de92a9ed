//! `docs/architecture.md` is true: its picture of the layers is drawn from imports, its table of rooms from the headers of
//! the modules, and what any page names below `src` exists. `UPDATE_GOLDEN=1 cargo test --test layering` writes both.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::modules::{Modules, path_of};
use crate::{files, layers, src};

const PAGE: &str = "docs/architecture.md";

/// What stands between two comments of the page; with `UPDATE_GOLDEN` it is written there before.
fn holds(name: &str, want: &str) {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let page = fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{PAGE} has no {begin}"));
    let (text, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{PAGE} has no {end}"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(PAGE, format!("{before}{begin}{want}{end}{after}")).unwrap();
        return;
    }
    let diff =
        similar::TextDiff::from_lines(text, want).unified_diff().header(PAGE, "what src has").to_string();
    assert!(text == want, "UPDATE_GOLDEN=1 cargo test --test layering writes it:\n{diff}");
}

/// The layers that each layer imports.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> =
        layers().into_iter().map(|l| (l, BTreeSet::new())).collect();
    for (path, imported) in Modules::read(&files()).layers() {
        if let Some(own) = path.first().and_then(|layer| all.get_mut(layer)) {
            own.extend(imported.into_iter().map(str::to_owned));
        }
    }
    all
}

fn reaches(all: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    all[from].iter().any(|next| next == to || reaches(all, next, to))
}

#[test]
fn the_picture_of_the_layers_is_drawn_from_imports() {
    let all = imports();
    let mut picture = String::from("```mermaid\nflowchart BT\n");
    for layer in layers() {
        let near = |to: &&String| !all[&layer].iter().any(|other| other != *to && reaches(&all, other, to));
        for to in all[&layer].iter().filter(near) {
            picture += &format!("  {layer} --> {to}\n");
        }
    }
    picture += "```\n";
    holds("layers", &picture);
}

/// The first sentence of a module's header.
fn header(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map_while(|l| l.strip_prefix("//!")).map(str::trim).collect();
    let paragraph = lines.split(|l| l.is_empty()).next().unwrap().join(" ");
    let sentence = paragraph.split_once(". ").map_or(paragraph.trim_end_matches('.'), |(first, _)| first);
    sentence.replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}

#[test]
fn every_room_is_in_the_table() {
    let all: BTreeMap<_, String> = files().into_iter().map(|(file, text)| (path_of(&file), text)).collect();
    let mut table = String::from("| room | what it is |\n|---|---|\n");
    let order = layers();
    let mut rooms: Vec<_> = all.keys().filter(|path| is_room(path)).collect();
    rooms.sort_by_key(|path| (order.iter().position(|l| *l == path[0]), path.to_vec()));
    for path in rooms {
        let sentence = header(&all[path]);
        assert!(!sentence.is_empty(), "{} has no header", path.join("/"));
        table += &format!("| `{}` | {sentence} |\n", path.join("/"));
    }
    holds("rooms", &table);
}

/// A room is a layer, or a folder inside of one.
fn is_room(path: &[String]) -> bool {
    let tests = path.iter().any(|part| part == "tests");
    !tests
        && (path.len() == 1 && layers().contains(&path[0])
            || src().join(path.join("/")).is_dir() && !path.is_empty())
}

#[test]
fn what_pages_name_exists() {
    let docs = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain(["README.md", "CONTRIBUTING.md"].map(Into::into));
    let mut wrong = Vec::new();
    for page in pages.filter(|p| p.extension().is_some_and(|e| e == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        for named in text.split('`').skip(1).step_by(2) {
            let ours = ["src/", "tests/", "e2e/", "scripts/", "fuzz/", "benches/"];
            let file = named.split([' ', '#', ':']).next().unwrap();
            let plain = !file.contains(['{', '*', '<', '…']) && !file.contains(char::is_uppercase);
            if plain && ours.iter().any(|o| file.starts_with(o)) && !Path::new(file).exists() {
                wrong.push(format!("{} names {file}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
